#!/usr/bin/env python3
"""Mistakes that other programs for encrypted files made, by the number of their case, and passphrases.

    crypt_cases.py TOOL [unittest arguments]
"""

import fcntl
import os
import pty
import re
import select
import shutil
import signal
import stat
import subprocess
import sys
import termios
import time

import crypt_support as support
from crypt_support import DONE, INPUT_OUTPUT, KEY, PASSPHRASE, UNVERIFIED, USAGE, CryptTest, count, f, noise

TEXT = noise(10 * 4096 - 100, 1)


class B104SameFile(CryptTest):
    """Input and output are one file: refused before the output is opened."""

    def test_b104(self):
        contents = {"encrypt": TEXT, "decrypt": support.made_by_python(TEXT)}
        for command, content in contents.items():
            self.write("f", content)
            for link in ("symbolic", "hard", "symbolic2"):
                if os.path.lexists(self.folder / link):
                    os.remove(self.folder / link)
            os.symlink("f", self.folder / "symbolic")
            os.symlink("symbolic", self.folder / "symbolic2")
            os.link(self.folder / "f", self.folder / "hard")
            (self.folder / "sub").mkdir(exist_ok=True)
            before = self.names()
            names = ["f", "./f", "symbolic", "symbolic2", "hard", "sub/../f", str(self.folder / "f")]
            for source in names:
                for target in names:
                    for force in ([], ["--force"]):
                        with self.subTest(command=command, source=source, target=target, force=force):
                            done = self.expect(USAGE, command, "-k", "key", *force, "-o", target, source)
                            self.assertIn(b"same file", done.stderr)
                            self.unchanged(content, before)
            for target in names:
                for force in ([], ["--force"]):
                    with self.subTest(command=command, source="standard input", target=target, force=force):
                        for operand in ([], ["-"]):
                            with open(self.folder / "f", "rb") as stdin:
                                self.expect(USAGE, command, "-k", "key", *force, "-o", target, *operand, stdin=stdin)
                            self.unchanged(content, before)
            # Standard output opened for writing without cutting the file, so that the tool comes in time.
            for source in ("f", "hard"):
                with open(self.folder / "f", "r+b") as stdout:
                    self.expect(USAGE, command, "-k", "key", source, stdout=stdout)
                self.unchanged(content, before)

    def unchanged(self, content, before):
        self.assertEqual(self.read("f"), content)
        self.assertEqual(self.names(), before)
        self.assertTrue((self.folder / "symbolic").is_symlink())
        self.assertEqual(os.stat(self.folder / "hard").st_ino, os.stat(self.folder / "f").st_ino)

    def test_b104_key_as_output(self):
        self.write("in", TEXT)
        key = self.read("key")
        for target in ("key", "./key"):
            self.expect(USAGE, "encrypt", "-k", "key", "--force", "-o", target, "in")
            self.assertEqual(self.read("key"), key)


class B106Chunks(CryptTest):
    """Four chunks, made by the tool: cut, swapped, repeated, dropped, of another file."""

    def setUp(self):
        super().setUp()
        self.text = noise(4 * 4096, 6)
        self.header, self.pieces = support.chunks_of(self.encrypted(self.text, "--chunk-size", "4096"))
        self.assertEqual(len(self.pieces), 4)

    def refused(self, data, verified, words):
        """Refused in a file with no output, and on standard output with no more than the chunks that are right."""
        before = self.names() | {"in"}
        self.write("in", data)
        done = self.expect(UNVERIFIED, "decrypt", "-k", "key", "-o", "out", "in")
        self.assertRegex(done.stderr.decode(), words)
        self.assertEqual(self.names(), before)
        for jobs in ("-j1", "-j2", "-j8"):
            piped = self.expect(UNVERIFIED, "decrypt", "-k", "key", jobs, stdin=data)
            self.assertIn(piped.stdout, [self.text[: 4096 * n] for n in range(verified + 1)])

    def test_b106_cut(self):
        for kept in range(4):
            self.refused(self.header + b"".join(self.pieces[:kept]), max(kept - 1, 0), "cut|truncated|incomplete")
        self.refused(b"", 0, "empty|not a|cut|truncated")
        for size in (len(self.header) - 1, len(self.header) + 15, len(self.header) + 17):
            self.refused((self.header + self.pieces[0])[:size], 0, "cut|truncated|incomplete|damaged")
        self.refused(self.header + b"".join(self.pieces)[:-1], 3, "damaged|cut|truncated")

    def test_b106_order(self):
        a, b, c, d = self.pieces
        for verified, pieces in (
            (1, (a, c, b, d)),
            (2, (a, b, b, c, d)),
            (1, (a, c, d)),
            (0, (b, c, d)),
            (0, (d, a, b, c)),
            (3, (a, b, c, c)),
            (3, (a, b, c, d, d)),
            (3, (a, b, c, d, a, b, c, d)),
        ):
            self.refused(self.header + b"".join(pieces), verified, "chunk|after|trailing")

    def test_b106_other_file(self):
        header, pieces = support.chunks_of(self.encrypted(self.text, "--chunk-size", "4096"))
        self.assertNotEqual(header, self.header)
        a, b, _, d = self.pieces
        self.refused(self.header + a + b + pieces[2] + d, 2, "chunk")
        self.refused(self.header + b"".join(pieces), 0, "chunk")


class B108LastChunk(CryptTest):
    def test_b108(self):
        """Chunk 2 of 4 flagged last: nothing behind it comes out."""
        randomness = f.Randomness("B108")
        file_key, salt = randomness(32), randomness(32)
        header = f.write_header(file_key, salt, [f.write_key_slot(file_key, KEY, randomness(32))])
        text = noise(4 * 4096, 8)
        seal = f.Chunks(header, file_key).seal
        data = header + b"".join(seal(i, i in (1, 3), piece) for i, piece in enumerate(f.cut(text, 4096)))
        before = self.names() | {"in"}
        self.write("in", data)
        done = self.expect(UNVERIFIED, "decrypt", "-k", "key", "-o", "out", "in")
        self.assertRegex(done.stderr.decode(), "after|trailing")
        self.assertEqual(self.names(), before)
        for jobs in ("-j1", "-j2", "-j8"):
            done = self.expect(UNVERIFIED, "decrypt", "-k", "key", jobs, stdin=data)
            self.assertIn(done.stdout, [text[: 4096 * n] for n in range(2)])


class B110LateFault(CryptTest):
    def test_b110(self):
        """A bit flipped in chunk 9 of 10."""
        data = bytearray(self.encrypted(TEXT, "--chunk-size", "4096"))
        header, pieces = support.chunks_of(bytes(data))
        self.assertEqual(len(pieces), 10)
        data[len(header) + 8 * 4112 + 1000] ^= 1
        self.write("in", bytes(data))
        before = self.names()
        for jobs in ("-j1", "-j2", "-j8"):
            done = self.expect(UNVERIFIED, "decrypt", "-k", "key", jobs, "-o", "out", "in")
            self.assertRegex(done.stderr.decode(), r"chunk 9\b")
            self.assertEqual(self.names(), before)
            for stdin in (b"", bytes(data)):
                done = self.expect(UNVERIFIED, "decrypt", "-k", "key", jobs, *([] if stdin else ["in"]), stdin=stdin)
                self.assertIn(done.stdout, [TEXT[: 4096 * n] for n in range(9)])
        # With an output that is there already.
        self.write("out", b"old")
        self.expect(UNVERIFIED, "decrypt", "-k", "key", "--force", "-o", "out", "in")
        self.assertEqual(self.read("out"), b"old")
        self.assertEqual(self.names(), before | {"out"})


class B112ExistingOutput(CryptTest):
    def test_b112(self):
        contents = {"encrypt": (TEXT, self.opened), "decrypt": (support.made_by_python(TEXT), bytes)}
        for command, (content, meaning) in contents.items():
            self.write("in", content)
            self.write("out", b"old")
            before = self.names()
            with self.subTest(command=command):
                done = self.expect(USAGE, command, "-k", "key", "-o", "out", "in")
                self.assertRegex(done.stderr, b"--force")
                self.assertEqual(self.read("out"), b"old")
                self.assertEqual(self.names(), before)
                self.expect(DONE, command, "-k", "key", "--force", "-o", "out", "in")
                self.assertEqual(meaning(self.read("out")), TEXT)
                self.assertEqual(self.names(), before)

    def opened(self, data):
        return f.decode(data, keys=[KEY])

    def test_b112_folder(self):
        self.write("in", TEXT)
        (self.folder / "folder").mkdir()
        before = self.names()
        for force in ([], ["--force"]):
            for target in ("folder", "folder/", ".", "/"):
                for command in ("encrypt", "keygen"):
                    with self.subTest(target=target, force=force, command=command):
                        more = ["-k", "key", "in"] if command == "encrypt" else []
                        done = self.run_tool(command, *force, "-o", target, *more)
                        self.assertIn(done.returncode, (USAGE, INPUT_OUTPUT), done)
                        self.assertEqual(self.names(), before)
        self.assertEqual(list((self.folder / "folder").iterdir()), [])

    def test_b112_no_such_folder(self):
        self.write("in", TEXT)
        for target in ("absent/out", "in/out"):
            self.expect(INPUT_OUTPUT, "encrypt", "-k", "key", "-o", target, "in")

    def test_b112_read_only(self):
        self.write("in", TEXT)
        self.write("out", b"old")
        os.chmod(self.folder / "out", 0o444)
        if not self.drop_rights():
            self.skipTest("runs as root, with no way to be somebody else")
        before = self.names()
        for force in ([], ["--force"]):
            done = self.run_tool("encrypt", "-k", "key", *force, "-o", "out", "in")
            self.assertIn(done.returncode, (USAGE, INPUT_OUTPUT), (force, done))
            self.assertEqual(self.read("out"), b"old")
            self.assertEqual(self.names(), before)

    def test_b112_read_only_folder(self):
        self.write("in", TEXT)
        if not self.drop_rights():
            self.skipTest("runs as root, with no way to be somebody else")
        os.chmod(self.folder, 0o555)
        self.addCleanup(os.chmod, self.folder, 0o755)
        self.expect(INPUT_OUTPUT, "encrypt", "-k", "key", "-o", "out", "in")

    def test_b112_keygen(self):
        for force, status in (([], USAGE), (["--force"], DONE)):
            self.write("out", b"old")
            self.expect(status, "keygen", *force, "-o", "out")
            self.assertEqual(self.read("out") == b"old", status == USAGE)

    def test_symbolic_link_as_output(self):
        """What it points to is replaced or refused, never a file beside what the user named."""
        self.write("in", TEXT)
        self.write("old", b"old")
        os.symlink("old", self.folder / "link")
        os.symlink("nowhere", self.folder / "dangling")
        self.expect(USAGE, "encrypt", "-k", "key", "-o", "link", "in")
        self.assertEqual(self.read("old"), b"old")
        self.run_tool("encrypt", "-k", "key", "-o", "dangling", "in")
        self.assertTrue((self.folder / "dangling").is_symlink() or (self.folder / "dangling").is_file())

    def test_devices_as_output(self):
        self.write("in", TEXT)
        before = self.names()
        self.expect(DONE, "encrypt", "-k", "key", "-o", "/dev/null", "in")
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))
        self.assertEqual(self.names(), before)


class B114Modes(CryptTest):
    """0600, less what umask takes, from the moment a file is made."""

    def under(self, umask):
        return {"preexec_fn": lambda: os.umask(umask)}

    def mode(self, path):
        return stat.S_IMODE(os.stat(path).st_mode)

    def test_b114(self):
        for umask in (0o022, 0o000, 0o077, 0o027):
            for command, content in (("keygen", b""), ("decrypt", support.made_by_python(TEXT)), ("encrypt", TEXT)):
                with self.subTest(command=command, umask=oct(umask)):
                    more = [] if command == "keygen" else ["-k", "key"]
                    if command != "keygen":
                        self.write("in", content)
                        more.append("in")
                    self.expect(DONE, command, "-o", "out", *more, **self.under(umask))
                    self.assertEqual(oct(self.mode(self.folder / "out")), oct(0o600 & ~umask))
                    os.chmod(self.folder / "out", 0o644)
                    self.expect(DONE, command, "--force", "-o", "out", *more, **self.under(umask))
                    self.assertEqual(oct(self.mode(self.folder / "out")), oct(0o600 & ~umask))
                    os.remove(self.folder / "out")

    def test_b114_while_it_runs(self):
        """The files that a run holds open for writing, half way."""
        for umask in (0o022, 0o000):
            for command, content in (("encrypt", TEXT), ("decrypt", support.made_by_python(TEXT))):
                before = self.names()
                process = self.start(command, "-k", "key", "-o", "out", **self.under(umask))
                process.stdin.write(content[: len(content) // 2])
                process.stdin.flush()
                seen = self.watch(process, before)
                self.assertFalse((self.folder / "out").exists())
                process.stdin.write(content[len(content) // 2 :])
                process.stdin.close()
                self.assertEqual(process.wait(), DONE)
                self.assertEqual(self.names(), before | {"out"})
                os.remove(self.folder / "out")
                self.assertEqual({oct(mode) for mode in seen}, {"0o600"})

    def watch(self, process, before):
        """Modes of what the process has open in the folder, once there is something."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            modes = []
            for entry in os.listdir(f"/proc/{process.pid}/fd"):
                try:
                    path = os.readlink(f"/proc/{process.pid}/fd/{entry}")
                    if path.startswith(f"{self.folder}/") and os.path.basename(path) not in before:
                        modes.append(self.mode(f"/proc/{process.pid}/fd/{entry}"))
                except FileNotFoundError:
                    pass
            if modes:
                return modes + [self.mode(self.folder / name) for name in self.names() - before]
            time.sleep(0.01)
        self.fail("the run opened no file")

    def test_b114_system_calls(self):
        """Each file that is made is made with 0600, and none is made wider afterwards."""
        if not shutil.which("strace") or support.SANITIZED:
            self.skipTest("strace is not installed, or a leak checker wants its place")
        self.write("in", TEXT)
        self.write("sealed", support.made_by_python(TEXT))
        for args in (
            ["keygen", "-o", "new"],
            ["encrypt", "-k", "key", "-o", "o1", "in"],
            ["decrypt", "-k", "key", "-o", "o2", "sealed"],
        ):
            trace = ["strace", "-f", "-o", "trace", "-e", "trace=file,fchmod,fchmodat,fsync,fdatasync"]
            done = subprocess.run([*trace, support.tool, *args], cwd=self.folder, capture_output=True, check=False)
            if b"ptrace" in done.stderr:
                self.skipTest("strace may not trace here")
            self.assertEqual(done.returncode, DONE, done)
            lines = self.read("trace").decode().splitlines()
            made = [line for line in lines if re.search(r"O_CREAT|O_TMPFILE|\bcreat\(", line)]
            self.assertTrue(made, lines)
            for line in made:
                self.assertRegex(line, r"\b0600\b")
            for line in lines:
                self.assertNotRegex(line, r"chmod.*0[0-7]?[0-7][1-7][0-7]\b|chmod.*0[0-7]{2}[1-7]\b")
            # It is on the disk before it has its name.
            sync = next(i for i, line in enumerate(lines) if re.search(r"f(data)?sync\(", line))
            name = next(i for i, line in enumerate(lines) if re.search(r"\b(rename|renameat2?|linkat|link)\(", line))
            self.assertLess(sync, name)


class B116Usage(CryptTest):
    def test_b116(self):
        self.write("in", TEXT)
        self.write("in2", TEXT)
        before = self.names()
        for args, status in (
            ([], USAGE),
            (["encipher"], USAGE),
            (["encrypt"], USAGE),
            (["decrypt"], USAGE),
            (["encrypt", "in"], USAGE),
            (["encrypt", "--rot13", "-k", "key", "in"], USAGE),
            (["decrypt", "--rot13", "-k", "key", "in"], USAGE),
            (["inspect", "--rot13", "in"], USAGE),
            (["keygen", "--rot13"], USAGE),
            (["encrypt", "-k"], USAGE),
            (["encrypt", "-k", "key", "-o"], USAGE),
            (["encrypt", "-k", "key", "in", "in2"], USAGE),
            (["decrypt", "-k", "key", "in", "in2"], USAGE),
            (["keygen", "in"], USAGE),
            (["encrypt", "-k", "key", "-o", "", "in"], USAGE),
            (["encrypt", "-k", "key", "-j", "many", "in"], USAGE),
            (["encrypt", "-k", "key", "-j", "-1", "in"], USAGE),
            (["encrypt", "-k", "key", "-o", "a", "-o", "b", "in"], USAGE),
            (["encrypt", "-k", "absent.key", "-o", "out", "in"], INPUT_OUTPUT),
            (["decrypt", "-k", "absent.key", "-o", "out", "in"], INPUT_OUTPUT),
            (["encrypt", "-k", ".", "-o", "out", "in"], INPUT_OUTPUT),
            (["encrypt", "--passphrase-file", "absent", "-o", "out", "in"], INPUT_OUTPUT),
            (["encrypt", "--passphrase-fd", "77", "-o", "out", "in"], INPUT_OUTPUT),
            (["encrypt", "--passphrase-env", "HWACHA_NOT_SET", "-o", "out", "in"], USAGE),
        ):
            with self.subTest(args=args):
                done = self.expect(status, *args)
                self.assertEqual(done.stdout, b"")
                self.assertEqual(self.names(), before)
                if status == INPUT_OUTPUT and "absent" in "".join(args):
                    self.assertIn(b"absent", done.stderr)

    def test_b116_help(self):
        for command in ("encrypt", "decrypt", "inspect", "keygen"):
            for option in ("--help", "-h"):
                done = self.expect(DONE, command, option)
                self.assertIn(command.encode(), done.stdout)
            if command in ("encrypt", "decrypt"):
                self.assertIn(b"--key", done.stdout)
            with open("/dev/full", "wb") as full:
                self.assertEqual(self.run_tool(command, "--help", stdout=full).returncode, INPUT_OUTPUT)
        for command in (b"encrypt", b"decrypt", b"inspect", b"keygen"):
            self.assertIn(command, self.expect(DONE, "--help").stdout)


class Terminal:
    """A command with a terminal of its own: what it shows, what is typed, whether what is typed is shown."""

    def __init__(self, test, *args, streams=(), env=None):
        self.master, self.slave = pty.openpty()
        test.addCleanup(self.close)
        self.shown = b""

        def lead():
            os.setsid()
            fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)

        chosen = {name: self.slave if name in streams else subprocess.PIPE for name in ("stdin", "stdout", "stderr")}
        self.process = subprocess.Popen(
            test.command(*args),
            cwd=test.folder,
            env=support.environment(env),
            preexec_fn=lead,
            pass_fds=(self.slave,),
            **chosen,
        )
        test.addCleanup(test.finish, self.process)

    def close(self):
        for descriptor in (self.master, self.slave):
            os.close(descriptor)

    def echoes(self):
        return bool(termios.tcgetattr(self.slave)[3] & termios.ECHO)

    def read(self, wait):
        if not select.select([self.master], [], [], wait)[0]:
            return False
        self.shown += os.read(self.master, 65536)
        return True

    def until(self, pattern, times=1):
        """Waits until the pattern has been shown that often."""
        deadline = time.monotonic() + 60
        while len(re.findall(pattern, self.shown)) < times:
            if time.monotonic() > deadline or (self.process.poll() is not None and not self.read(0)):
                raise AssertionError(f"{pattern!r} is not in {self.shown!r}, status {self.process.poll()}")
            self.read(0.05)

    def quiet(self):
        """Waits until what is typed is not shown, which may come a moment after the prompt."""
        deadline = time.monotonic() + 10
        while self.echoes() and time.monotonic() < deadline:
            time.sleep(0.01)
        return not self.echoes()

    def type(self, text):
        os.write(self.master, text)

    def ended(self):
        status = self.process.wait(timeout=60)
        while self.read(0):
            pass
        return status


class Passphrases(CryptTest):
    PROMPT = rb"(?i)passphrase[^\r\n]*: ?"

    def sealed(self, text=TEXT):
        return self.write("sealed", support.made_by_python(text, passphrase=PASSPHRASE))

    def test_ways_to_give_it(self):
        self.sealed()
        for ending in (b"", b"\n", b"\r\n"):
            with self.subTest(ending=ending):
                self.write("secret", PASSPHRASE.encode() + ending)
                os.chmod(self.folder / "secret", 0o600)
                done = self.expect(DONE, "decrypt", "--passphrase-file", "secret", "sealed")
                self.assertEqual(done.stdout, TEXT)
                args, more = self.with_passphrase(PASSPHRASE.encode() + ending)
                self.assertEqual(self.expect(DONE, "decrypt", *args, "sealed", **more).stdout, TEXT)
        self.write("secret", PASSPHRASE.encode() + b"\nanother line\n")
        self.assertEqual(self.expect(DONE, "decrypt", "--passphrase-file", "secret", "sealed").stdout, TEXT)
        done = self.expect(DONE, "decrypt", "--passphrase-env", "SECRET", "sealed", env={"SECRET": PASSPHRASE})
        self.assertEqual(done.stdout, TEXT)
        # Standard input is a descriptor like others, when it is not the input.
        done = self.expect(DONE, "decrypt", "--passphrase-fd", "0", "sealed", stdin=PASSPHRASE.encode() + b"\n")
        self.assertEqual(done.stdout, TEXT)
        self.expect(USAGE, "decrypt", "--passphrase-fd", "0", stdin=PASSPHRASE.encode() + b"\n")

    def test_what_is_no_passphrase(self):
        """Not empty, not longer than 1024 bytes."""
        for bad in (b"", b"\n", b"\r\n", b"x" * 1025, b"x" * 100000 + b"\n"):
            with self.subTest(size=len(bad)):
                self.write("secret", bad)
                os.chmod(self.folder / "secret", 0o600)
                done = self.expect(USAGE, "encrypt", "--passphrase-file", "secret", stdin=b"text")
                self.assertEqual(done.stdout, b"")
        self.expect(USAGE, "encrypt", "--passphrase-env", "SECRET", env={"SECRET": ""}, stdin=b"text")
        self.write("secret", b"x" * 1024 + b"\r\n")
        data = self.expect(DONE, "encrypt", "--passphrase-file", "secret", stdin=b"text").stdout
        args, more = self.with_passphrase("x" * 1024)
        self.assertEqual(self.expect(DONE, "decrypt", *args, stdin=data, **more).stdout, b"text")

    def test_it_is_seen_nowhere(self):
        """Not in the arguments, not in what is written; and there is no option that takes it."""
        self.write("secret", PASSPHRASE.encode())
        os.chmod(self.folder / "secret", 0o600)
        process = self.start("encrypt", "--passphrase-file", "secret")
        process.stdin.write(TEXT)
        process.stdin.flush()
        with open(f"/proc/{process.pid}/cmdline", "rb") as arguments:
            self.assertNotIn(PASSPHRASE.encode(), arguments.read())
        with open(f"/proc/{process.pid}/environ", "rb") as variables:
            self.assertNotIn(PASSPHRASE.encode(), variables.read())
        out, error = process.communicate()
        self.assertEqual((process.returncode, error), (DONE, b""))
        self.assertNotIn(PASSPHRASE.encode(), out)
        for args in ([f"--passphrase={PASSPHRASE}"], ["--passphrase", PASSPHRASE, "in"], [f"-p{PASSPHRASE}"]):
            done = self.run_tool("encrypt", *args, stdin=b"text")
            self.assertNotEqual(done.returncode, DONE)
            self.assertEqual(done.stdout, b"")
        args, more = self.with_passphrase("a wrong secret")
        done = self.expect(UNVERIFIED, "decrypt", *args, self.sealed(), **more)
        self.assertNotIn(b"a wrong secret", done.stderr + done.stdout)

    def test_asked_at_a_terminal(self):
        self.sealed()
        terminal = Terminal(self, "decrypt", "-p", "-o", "out", "sealed")
        terminal.until(self.PROMPT)
        self.assertTrue(terminal.quiet())
        terminal.type(PASSPHRASE.encode() + b"\n")
        self.assertEqual(terminal.ended(), DONE, terminal.shown)
        self.assertTrue(terminal.echoes())
        self.assertEqual(self.read("out"), TEXT)
        self.assertNotIn(PASSPHRASE.encode(), terminal.shown)
        self.assertEqual(terminal.process.stdout.read(), b"")

    def test_asked_while_standard_input_is_the_input(self):
        self.sealed()
        terminal = Terminal(self, "decrypt", "-p")
        terminal.process.stdin.write(self.read("sealed"))
        terminal.process.stdin.close()
        terminal.until(self.PROMPT)
        self.assertTrue(terminal.quiet())
        terminal.type(PASSPHRASE.encode() + b"\n")
        self.assertEqual(terminal.process.stdout.read(), TEXT)
        self.assertEqual(terminal.ended(), DONE)

    def test_asked_twice_for_encryption(self):
        self.write("in", TEXT)
        terminal = Terminal(self, "encrypt", "-p", "-o", "out", "in")
        for times in (1, 2):
            terminal.until(self.PROMPT, times)
            self.assertTrue(terminal.quiet())
            terminal.type(PASSPHRASE.encode() + b"\n")
        self.assertEqual(terminal.ended(), DONE, terminal.shown)
        self.assertTrue(terminal.echoes())
        self.assertNotIn(PASSPHRASE.encode(), terminal.shown)
        args, more = self.with_passphrase()
        self.assertEqual(self.expect(DONE, "decrypt", *args, "out", **more).stdout, TEXT)

    def test_two_that_differ(self):
        self.write("in", TEXT)
        before = self.names()
        terminal = Terminal(self, "encrypt", "-p", "-o", "out", "in")
        terminal.until(self.PROMPT)
        self.assertTrue(terminal.quiet())
        terminal.type(b"one\n")
        terminal.until(self.PROMPT, 2)
        self.assertTrue(terminal.quiet())
        terminal.type(b"other\n")
        self.assertEqual(terminal.ended(), USAGE)
        self.assertTrue(terminal.echoes())
        self.assertEqual(self.names(), before)

    def test_wrong_at_a_terminal(self):
        self.sealed()
        before = self.names()
        terminal = Terminal(self, "decrypt", "-p", "-o", "out", "sealed")
        terminal.until(self.PROMPT)
        self.assertTrue(terminal.quiet())
        terminal.type(b"wrong\n")
        self.assertEqual(terminal.ended(), UNVERIFIED)
        self.assertEqual(self.names(), before)

    def test_end_of_file_at_a_terminal(self):
        self.sealed()
        terminal = Terminal(self, "decrypt", "-p", "sealed")
        terminal.until(self.PROMPT)
        self.assertTrue(terminal.quiet())
        terminal.type(b"\x04")
        self.assertIn(terminal.ended(), (USAGE, INPUT_OUTPUT))
        self.assertTrue(terminal.echoes())

    def test_interrupted_at_the_prompt(self):
        """Control-C, and what else ends a program: the terminal shows again what is typed, and nothing is left."""
        self.sealed()
        self.write("in", TEXT)
        before = self.names()
        for args in (["decrypt", "-p", "-o", "out", "sealed"], ["encrypt", "-p", "-o", "out", "in"]):
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
                with self.subTest(args=args, number=number):
                    terminal = Terminal(self, *args)
                    terminal.until(self.PROMPT)
                    self.assertTrue(terminal.quiet())
                    if number == signal.SIGINT:
                        terminal.type(b"half\x03")
                    else:
                        os.kill(terminal.process.pid, number)
                    self.assertIn(terminal.ended(), (-number, 128 + number))
                    self.assertTrue(terminal.echoes())
                    self.assertEqual(self.names(), before)

    def test_no_terminal_to_ask_at(self):
        self.write("in", TEXT)
        done = self.expect(USAGE, "encrypt", "-p", "-o", "out", "in", start_new_session=True)
        self.assertIn(b"terminal", done.stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_binary_is_not_for_terminals(self):
        self.write("in", TEXT)
        terminal = Terminal(self, "encrypt", "-k", "key", "in", streams=("stdout",))
        self.assertEqual(terminal.ended(), USAGE)
        self.assertEqual(terminal.shown, b"")
        self.assertRegex(terminal.process.stderr.read(), b"terminal")
        terminal = Terminal(self, "keygen", streams=("stdout",))
        self.assertEqual(terminal.ended(), USAGE)
        self.assertEqual(terminal.shown, b"")
        terminal = Terminal(self, "encrypt", "-k", "key", "--armor", "in", streams=("stdout",))
        terminal.until(b"-----END HWACHA ENCRYPTED FILE-----")
        self.assertEqual(terminal.ended(), DONE)
        self.assertEqual(f.decode(terminal.shown, keys=[KEY]), TEXT)

    def test_progress_is_for_terminals(self):
        self.write("in", TEXT)
        self.expect(DONE, "encrypt", "-k", "key", "--progress", "-o", "out", "in")
        terminal = Terminal(self, "encrypt", "-k", "key", "--progress", "-o", "out2", streams=("stderr",))
        for _ in range(18):
            terminal.process.stdin.write(bytes(200000))
            terminal.process.stdin.flush()
            time.sleep(0.1)
        terminal.process.stdin.close()
        self.assertEqual(terminal.ended(), DONE)
        self.assertRegex(terminal.shown, rb"[0-9]")
        process = self.start("encrypt", "-k", "key", "--progress")
        process.stdin.write(bytes(200000))
        process.stdin.flush()
        time.sleep(1.5)
        out, error = process.communicate()
        self.assertEqual((process.returncode, error), (DONE, b""))
        self.assertEqual(f.decode(out, keys=[KEY]), bytes(200000))

    def test_passphrase_file_that_others_may_read(self):
        self.sealed()
        self.write("secret", PASSPHRASE.encode())
        for mode in (0o644, 0o604, 0o640):
            os.chmod(self.folder / "secret", mode)
            done = self.run_tool("decrypt", "--passphrase-file", "secret", "sealed")
            self.assertIn(done.returncode, (DONE, USAGE))
            self.assertRegex(done.stderr, b"(?i)others|mode|permission")


if __name__ == "__main__":
    support.main()
