#!/usr/bin/env python3
"""Faults from outside: killed at any moment, full disks, read errors, closed pipes, random damage; and memory.

    crypt_faults.py TOOL [unittest arguments]

Whatever happens, the input is what it was, and under the name of the output stands nothing, what stood there before, or
the whole right thing. Nothing else is left behind, except by a process that was killed with no chance to clean up.
"""

import os
import random
import re
import resource
import signal
import subprocess
import time

import crypt_support as support
from crypt_support import DONE, INPUT_OUTPUT, KEY, UNVERIFIED, USAGE, CryptTest, count, f, noise

OLD = b"what stood there before"


def limited(kind, value):
    return lambda: resource.setrlimit(kind, (value, value))


class Both(CryptTest):
    """Encryption of `plain` and decryption of `sealed`, each to `out`."""

    def setUp(self):
        super().setUp()
        self.make(3 << 20, "65536")

    def make(self, size, chunk):
        self.plain = noise(size, 11)
        self.write("plain", self.plain)
        self.sealed = self.encrypted(self.plain, "--chunk-size", chunk)
        self.write("sealed", self.sealed)
        self.inputs = {"encrypt": "plain", "decrypt": "sealed"}
        self.contents = {"encrypt": self.plain, "decrypt": self.sealed}
        self.before = self.names()

    def is_right(self, command, data):
        if command == "decrypt":
            return data == self.plain
        done = self.run_tool("decrypt", "-k", "key", stdin=data)
        return done.returncode == DONE and done.stdout == self.plain

    def nothing_left(self, but=()):
        self.assertEqual(self.names(), self.before | set(but))
        self.assertEqual(self.read("plain"), self.plain)
        self.assertEqual(self.read("sealed"), self.sealed)


class Killed(Both):
    def setUp(self):
        super().setUp()
        self.make(8 << 20, "65536")

    def run_time(self, command):
        times = []
        for _ in range(3):
            start = time.monotonic()
            self.expect(DONE, command, "-k", "key", "--force", "-o", "out", self.inputs[command])
            times.append(time.monotonic() - start)
        os.remove(self.folder / "out")
        return sorted(times)[1]

    def trials(self, command, number, times):
        """Runs that a signal ends at a random moment; which moments those were, by what was found afterwards."""
        found = {"absent": 0, "old": 0, "whole": 0}
        chance = random.Random(number * 1000 + len(command))
        longest = 1.1 * self.run_time(command)
        for trial in range(times):
            force = trial % 2 == 1
            if force:
                self.write("out", OLD)
            process = self.start(
                command, "-k", "key", *(["--force"] if force else []), "-o", "out", self.inputs[command]
            )
            time.sleep(chance.uniform(0, longest))
            process.send_signal(number)
            status = process.wait()
            self.assertIn(status, (DONE, -number, 128 + number))
            path = self.folder / "out"
            if not path.exists():
                self.assertFalse(force)
                found["absent"] += 1
            elif path.read_bytes() == OLD:
                self.assertTrue(force)
                found["old"] += 1
            else:
                self.assertTrue(self.is_right(command, path.read_bytes()))
                found["whole"] += 1
            if status == DONE:
                self.assertTrue(path.exists() and path.read_bytes() != OLD)
            left = self.names() - self.before - {"out"}
            if number != signal.SIGKILL:
                self.assertEqual(left, set())
            for name in left:
                os.remove(self.folder / name)
            if path.exists():
                path.unlink()
            self.nothing_left()
        return found

    def test_killed(self):
        for command in self.inputs:
            number = count(10, 200)
            found = self.trials(command, signal.SIGKILL, number)
            print(f"{command} killed {number} times: {found}")
            self.assertEqual(sum(found.values()), number)
            self.assertGreater(found["absent"] + found["old"], number // 5)

    def test_ended_by_a_signal(self):
        for command in self.inputs:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
                self.trials(command, number, count(4, 25))

    def test_ended_by_a_signal_while_it_waits(self):
        """Half of the input is there, and the file that will be the output: it is removed."""
        for command in self.inputs:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
                with self.subTest(command=command, number=number):
                    process = self.start(command, "-k", "key", "-o", "out")
                    process.stdin.write(self.contents[command][: 5 << 19])
                    process.stdin.flush()
                    time.sleep(0.05)
                    process.send_signal(number)
                    self.assertIn(process.wait(), (-number, 128 + number))
                    self.nothing_left()

    def test_signals_that_are_ignored_stay_ignored(self):
        """As nohup does it."""
        process = self.start(
            "encrypt", "-k", "key", "-o", "out", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)
        )
        process.stdin.write(self.plain[:100000])
        process.stdin.flush()
        time.sleep(0.05)
        process.send_signal(signal.SIGHUP)
        process.stdin.close()
        self.assertEqual(process.wait(), DONE)
        self.assertEqual(f.decode(self.read("out"), keys=[KEY]), self.plain[:100000])


class Writing(Both):
    def test_full_disk(self):
        """A file system with room for a part of the output."""
        disk = self.folder / "disk"
        disk.mkdir()
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=1m,mode=0777", "tmpfs", disk], capture_output=True, check=False
        )
        if mounted.returncode != 0:
            self.skipTest("no file system can be mounted")
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        self.before = self.names()
        for command, name in self.inputs.items():
            for old in (False, True):
                for source in ("file", "pipe"):
                    with self.subTest(command=command, old=old, source=source):
                        force = []
                        if old:
                            (disk / "out").write_bytes(OLD)
                            force = ["--force"]
                        operand, stdin = ([name], b"") if source == "file" else ([], self.contents[command])
                        done = self.expect(
                            INPUT_OUTPUT, command, "-k", "key", *force, "-o", "disk/out", *operand, stdin=stdin
                        )
                        self.assertIn(b"No space left", done.stderr)
                        self.assertEqual([path.name for path in disk.iterdir()], ["out"] if old else [])
                        if old:
                            self.assertEqual((disk / "out").read_bytes(), OLD)
                            (disk / "out").unlink()
                        self.nothing_left()
        # The disk is full to the last byte.
        with open(disk / "ballast", "wb", buffering=0) as ballast:
            try:
                while ballast.write(bytes(4096)):
                    pass
            except OSError:
                pass
        self.expect(INPUT_OUTPUT, "keygen", "-o", "disk/new.key")
        self.expect(INPUT_OUTPUT, "encrypt", "-k", "key", "-o", "disk/out", stdin=b"x")
        self.assertEqual([path.name for path in disk.iterdir()], ["ballast"])

    def test_largest_file(self):
        for command, name in self.inputs.items():
            for size in (0, 1, 100, 4096, 1 << 20):
                with self.subTest(command=command, size=size):
                    done = self.expect(
                        INPUT_OUTPUT, command, "-k", "key", "-o", "out", name,
                        preexec_fn=limited(resource.RLIMIT_FSIZE, size),
                    )  # fmt: skip
                    self.assertIn(b"File too large", done.stderr)
                    self.nothing_left()

    def test_full_standard_output(self):
        for command, name in self.inputs.items():
            for more in ([], ["-j1"]):
                with open("/dev/full", "wb") as full:
                    done = self.expect(INPUT_OUTPUT, command, "-k", "key", *more, name, stdout=full)
                self.assertIn(b"No space left", done.stderr)
        with open("/dev/full", "wb") as full:
            self.expect(INPUT_OUTPUT, "encrypt", "-k", "key", "-o", "/dev/full", "plain")
            self.expect(INPUT_OUTPUT, "encrypt", "-k", "key", stdin=b"", stdout=full)
            self.expect(INPUT_OUTPUT, "inspect", "sealed", stdout=full)
            self.expect(INPUT_OUTPUT, "keygen", stdout=full)
        self.nothing_left()

    def test_closed_pipe(self):
        """Nobody reads: ended by SIGPIPE, or where that is ignored with status 3, and at once."""
        for command, name in self.inputs.items():
            for ignored in (False, True):
                for taken in (0, 1, 100000):
                    with self.subTest(command=command, ignored=ignored, taken=taken):
                        process = self.start(command, "-k", "key", name, restore_signals=not ignored)
                        out = process.stdout.read(taken) if taken else b""
                        process.stdout.close()
                        error = process.stderr.read()
                        status = process.wait(timeout=60)
                        self.assertIn(status, (INPUT_OUTPUT,) if ignored else (INPUT_OUTPUT, -signal.SIGPIPE))
                        if ignored:
                            self.assertIn(b"Broken pipe", error)
                        if command == "decrypt":
                            self.assertTrue(self.plain.startswith(out))
                        self.nothing_left()

    def test_closed_streams(self):
        """With any of the standard descriptors closed, nothing is written where it does not belong."""
        for command, name in self.inputs.items():
            for closed in ((0,), (1,), (2,), (0, 1), (1, 2), (0, 2), (0, 1, 2)):
                with self.subTest(command=command, closed=closed):
                    close = lambda: [os.close(number) for number in closed]
                    done = self.run_tool(command, "-k", "key", "-o", "out", name, preexec_fn=close)
                    self.assertIn(done.returncode, (DONE, INPUT_OUTPUT))
                    if done.returncode == DONE:
                        self.assertTrue(self.is_right(command, self.read("out")))
                        os.remove(self.folder / "out")
                    self.nothing_left()
                    # A message has nowhere to go, least of all into the output.
                    done = self.run_tool(command, "-k", "absent", "-o", "out", name, preexec_fn=close)
                    self.assertEqual(done.returncode, INPUT_OUTPUT)
                    self.nothing_left()
            self.expect(INPUT_OUTPUT, command, "-k", "key", name, preexec_fn=lambda: os.close(1))
            self.expect(INPUT_OUTPUT, command, "-k", "key", "-o", "out", preexec_fn=lambda: os.close(0))
            self.nothing_left()

    def test_no_memory_and_no_threads(self):
        """Too few processes or too little memory for the run: done all the same, or status 3 and nothing left."""
        if support.SANITIZED:
            self.skipTest("sanitizers need memory of their own")
        for command, name in self.inputs.items():
            for limit in ((resource.RLIMIT_AS, 24 << 20), (resource.RLIMIT_AS, 48 << 20), (resource.RLIMIT_NOFILE, 5)):
                done = self.run_tool(command, "-k", "key", "-j8", "-o", "out", name, preexec_fn=limited(*limit))
                self.assertIn(done.returncode, (DONE, INPUT_OUTPUT), (limit, done.stderr))
                if done.returncode == DONE:
                    self.assertTrue(self.is_right(command, self.read("out")))
                    os.remove(self.folder / "out")
                self.nothing_left()


class Reading(Both):
    def test_folder(self):
        (self.folder / "folder").mkdir()
        self.before = self.names()
        for command in ("encrypt", "decrypt"):
            for stdin, operand in ((False, ["folder"]), (True, [])):
                with self.subTest(command=command, stdin=stdin):
                    folder = os.open(self.folder / "folder", os.O_RDONLY)
                    done = self.expect(INPUT_OUTPUT, command, "-k", "key", "-o", "out", *operand, stdin=folder)
                    os.close(folder)
                    self.assertIn(b"s a directory", done.stderr)
                    self.nothing_left()
        self.expect(INPUT_OUTPUT, "inspect", "folder")

    def test_read_error(self):
        """EIO at the first byte, by name and as standard input."""
        for command in ("encrypt", "decrypt"):
            for name in ("/proc/self/mem",):
                done = self.expect(INPUT_OUTPUT, command, "-k", "key", "-o", "out", name)
                self.assertIn(b"nput/output error", done.stderr)
                with open(name, "rb") as stdin:
                    done = self.expect(INPUT_OUTPUT, command, "-k", "key", "-o", "out", stdin=stdin)
                self.nothing_left()
        self.expect(INPUT_OUTPUT, "encrypt", "-k", "/proc/self/mem", "-o", "out", "plain")
        self.expect(INPUT_OUTPUT, "encrypt", "--passphrase-file", "/proc/self/mem", "-o", "out", "plain")
        self.nothing_left()

    def test_unreadable(self):
        os.chmod(self.folder / "plain", 0)
        os.chmod(self.folder / "key", 0)
        self.addCleanup(os.chmod, self.folder / "plain", 0o600)
        if not self.drop_rights():
            self.skipTest("runs as root, with no way to be somebody else")
        for args in (["-k", "other.key", "plain"], ["-k", "key", "sealed"]):
            done = self.expect(INPUT_OUTPUT, "encrypt", "-o", "out", *args)
            self.assertIn(b"Permission denied", done.stderr)
        self.assertEqual(self.names(), self.before)

    def test_a_file_that_shrinks(self):
        """Cut to nothing while it is read: never a signal, never a decryption of a part."""
        self.make(16 << 20, "65536")
        chance = random.Random(13)
        for command, name in self.inputs.items():
            for trial in range(count(6, 60)):
                with self.subTest(command=command, trial=trial):
                    self.write("victim", self.contents[command])
                    process = self.start(command, "-k", "key", "-o", "out", "victim")
                    time.sleep(chance.uniform(0, 0.03))
                    os.truncate(self.folder / "victim", chance.choice((0, 100, 1 << 20)))
                    status = process.wait()
                    self.assertIn(status, (DONE, UNVERIFIED, INPUT_OUTPUT), process.stderr.read())
                    path = self.folder / "out"
                    self.assertEqual(path.exists(), status == DONE)
                    if path.exists():
                        data = path.read_bytes()
                        if command == "decrypt":
                            self.assertEqual(data, self.plain)
                        else:  # what was there to read
                            done = self.run_tool("decrypt", "-k", "key", stdin=data)
                            self.assertEqual(done.returncode, DONE)
                            self.assertTrue(self.plain.startswith(done.stdout))
                        path.unlink()
                    os.remove(self.folder / "victim")
                    self.nothing_left()

    def test_endless_input_is_bounded(self):
        """What is no encrypted file is refused as soon as that is plain, however much follows."""
        for data in ("/dev/zero", "/dev/urandom"):
            with open(data, "rb") as stdin:
                self.expect(UNVERIFIED, "decrypt", "-k", "key", "-o", "out", stdin=stdin)
                self.expect(UNVERIFIED, "inspect", stdin=stdin)
                self.expect(UNVERIFIED, "encrypt", "-k", data, "-o", "out", "plain", stdin=stdin)
            self.nothing_left()
        self.expect(USAGE, "encrypt", "--passphrase-file", "/dev/zero", "-o", "out", "plain")
        self.nothing_left()


class Damaged(CryptTest):
    """Random damage to a file of six chunks with a comment and two slots."""

    TEXT = noise(5 * 4096 + 1234, 17)

    def setUp(self):
        super().setUp()
        self.data = support.made_by_python(self.TEXT, comment=b"for damage", passphrase="not tried")
        self.header, self.pieces = support.chunks_of(self.data)
        self.verified = [self.TEXT[: 4096 * n] for n in range(6)]

    def refused(self, data):
        done = self.run_tool("decrypt", "-k", "key", stdin=data)
        self.assertEqual(done.returncode, UNVERIFIED, done.stderr)
        self.assertIn(done.stdout, self.verified)
        self.assertTrue(re.fullmatch(rb"hwacha[^\n]*\n(hwacha[^\n]*\n)*", done.stderr), done.stderr)
        return done.stderr.decode()

    def altered(self, chance):
        """The data with something done to it, and what that is."""
        data, pieces = bytearray(self.data), list(self.pieces)
        kind = chance.choice(
            ("byte", "byte", "byte", "cut", "longer", "swap", "twice", "drop", "insert", "delete", "zero")
        )
        at = chance.randrange(len(data))
        i, j = chance.sample(range(len(pieces)), 2)
        if kind == "byte":
            data[at] ^= chance.randrange(1, 256)
        elif kind == "cut":
            del data[at:]
        elif kind == "longer":
            data += chance.choice((b"\0", b"\n", chance.randbytes(16), bytes(data[-at:]), bytes(data)))
        elif kind == "insert":
            data[at:at] = chance.randbytes(chance.choice((1, 16, 4112)))
        elif kind == "delete":
            del data[at : at + chance.choice((1, 16, 4112))]
        elif kind == "zero":
            size = min(chance.choice((16, 512)), len(data) - at)
            data[at : at + size] = bytes(size)
        else:
            if kind == "swap":
                pieces[i], pieces[j] = pieces[j], pieces[i]
            elif kind == "twice":
                pieces.insert(j, pieces[i])
            else:
                del pieces[i]
            data = bytearray(self.header + b"".join(pieces))
        return kind, bytes(data)

    def test_random_damage(self):
        chance = random.Random(19)
        done = {}
        for _ in range(count(300, 10000)):
            kind, data = self.altered(chance)
            if data == self.data:
                continue
            with self.subTest(kind=kind):
                self.refused(data)
            done[kind] = done.get(kind, 0) + 1
        print(f"{sum(done.values())} damaged files refused: {done}")
        self.assertGreater(sum(done.values()), count(290, 9900))
        self.assertEqual(len(done), 9)
        self.assertEqual(self.decrypted(self.data), self.TEXT)

    def test_random_damage_to_armor(self):
        """Refused, or, where only the form is another that the format allows, read as it was."""
        chance = random.Random(23)
        armored = f.write_armor(self.data)
        read = 0
        for _ in range(count(100, 2000)):
            data = bytearray(armored)
            at = chance.choice((chance.randrange(len(data)), chance.randrange(60), len(data) - chance.randrange(1, 60)))
            kind = chance.randrange(4)
            if kind == 0:
                data[at] ^= 1 << chance.randrange(8)
            elif kind == 1:
                data[at:at] = chance.choice((b"\n", b" ", b"\r", b"=", b"A", b"-"))
            elif kind == 2:
                del data[at]
            else:
                del data[at:]
            with self.subTest(at=at, kind=kind):
                try:
                    expected = f.decode(bytes(data), keys=[KEY])
                except f.Refused:
                    self.refused(bytes(data))
                else:
                    self.assertEqual(expected, self.TEXT)
                    self.assertEqual(self.decrypted(bytes(data)), self.TEXT)
                    read += 1
        self.assertGreater(read, 0)

    def test_messages_tell_faults_apart(self):
        """The words for each part and kind, with numbers and names taken out."""
        flip = lambda at: self.data[:at] + bytes([self.data[at] ^ 1]) + self.data[at + 1 :]
        full = support.made_by_python(self.TEXT[: 2 * 4096])
        other = f.Randomness("other")
        wrong = f.encode(b"x", lambda file_key: [f.write_key_slot(file_key, support.OTHER_KEY, other(32))], other)
        mac = len(self.header) - 1
        faults = {
            "comment": flip(14),
            "slot": flip(100),
            "chunk size": flip(13 + len("for damage")),
            "salt": flip(40),
            "MAC": flip(mac),
            "chunk": flip(mac + 5000),
            "last chunk": flip(len(self.data) - 1),
            "cut at a border": self.header + b"".join(self.pieces[:3]),
            "header alone": self.header,
            "header cut": self.header[:100],
            "bytes after": full + b"\0",
            "wrong key": wrong,
            "not of this format": b"something else altogether",
            "later version": f.MAGIC + b"\2" + self.data[9:],
        }
        said = {fault: re.sub(r"[0-9]+", "N", self.refused(data)) for fault, data in faults.items()}
        for part in ("comment", "slot", "chunk size", "salt"):
            self.assertEqual(said[part], said["comment"])  # the check sum's message
            self.assertRegex(said[part], "header")
        self.assertRegex(said["MAC"], "header")
        self.assertRegex(said["chunk"], "chunk")
        self.assertRegex(said["cut at a border"], "cut|truncated|incomplete")
        self.assertRegex(said["bytes after"], "after|trailing")
        self.assertRegex(said["wrong key"], "key")
        self.assertRegex(said["later version"], "version")
        apart = (
            "comment",
            "MAC",
            "chunk",
            "cut at a border",
            "bytes after",
            "wrong key",
            "not of this format",
            "later version",
        )
        self.assertEqual(len({said[fault] for fault in apart}), len(apart), said)


class Memory(CryptTest):
    def test_largest_resident_set(self):
        """Below 64 MiB, whatever the size of the file and the number of threads."""
        if support.SANITIZED:
            self.skipTest("sanitizers need memory of their own")
        size = count(96, 256) << 20
        with open(self.folder / "in", "wb") as file:
            file.truncate(size)
        for jobs in count(("-j8",), ("-j1", "-j2", "-j8", "-j64")):
            for armor in ([], ["--armor"]):
                for args in (
                    ["encrypt", *armor, "-o", "sealed", "in"],
                    ["decrypt", "-o", "out", "sealed"],
                    ["decrypt", "sealed"],
                ):
                    with self.subTest(args=args, jobs=jobs):
                        command = self.command(args[0], "-k", "key", jobs, *args[1:])
                        child = os.fork()
                        if child == 0:
                            os.chdir(self.folder)
                            os.dup2(os.open("/dev/null", os.O_WRONLY), 1)
                            os.execve(command[0], command, support.environment())
                        _, status, usage = os.wait4(child, 0)
                        self.assertEqual(os.waitstatus_to_exitcode(status), DONE)
                        print(f"{' '.join(args)} {jobs}, {size >> 20} MiB: {usage.ru_maxrss >> 10} MiB resident")
                        self.assertLess(usage.ru_maxrss, 64 << 10)
                self.assertEqual((self.folder / "out").stat().st_size, size)
                for name in ("sealed", "out"):
                    os.remove(self.folder / name)


if __name__ == "__main__":
    support.main()
