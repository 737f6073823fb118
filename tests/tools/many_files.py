#!/usr/bin/env python3
"""`hwacha sum` on many files: the same bytes whatever the number of threads, trees, limits of the system.

    many_files.py TOOL [unittest arguments]
"""

import os
import pty
import random
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

TOOL = ""
JOBS = ("1", "2", "8", "0")
UNPRIVILEGED = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all"]


def environment():
    return {k: v for k, v in os.environ.items() if k != "HWACHA_CPU"}


def may_drop_rights():
    if os.geteuid() != 0:
        return False
    if not shutil.which("setpriv"):
        return False
    return subprocess.run(UNPRIVILEGED + [TOOL, "sum", "--version"], capture_output=True, check=False).returncode == 0


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        os.chmod(self.folder, 0o755)
        self.prefix = []

    def drop_rights(self):
        """Modes are no obstacle to root. False: there is no way to be somebody else."""
        if os.geteuid() != 0:
            return True
        self.prefix = UNPRIVILEGED if may_drop_rights() else []
        return bool(self.prefix)

    def write(self, name, content=b""):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return name

    def run_tool(self, *args, stdin=b"", **more):
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
        return subprocess.run(
            [*self.prefix, TOOL, "sum", *args],
            input=stdin,
            cwd=self.folder,
            env=environment(),
            timeout=120,
            check=False,
            **streams,
        )

    def expect(self, status, *args, **more):
        done = self.run_tool(*args, **more)
        self.assertEqual(done.returncode, status, (args[:5], (done.stderr or b"")[:2000]))
        return done

    def both_streams(self, status, *args, **more):
        """Standard output and standard error in the order in which they were written."""
        return self.expect(status, *args, stderr=subprocess.STDOUT, **more).stdout


class SameBytes(Folder):
    def mixed_names(self):
        randomness = random.Random(4)
        names = []
        for i in range(900):
            size = randomness.choice((0, 1, 127, 128, 1000, 1024, 5000, 70000))
            if i % 97 == 0:
                size = randomness.choice((524287, 524288, 524289, 600000, 3000000))
            names.append(self.write(f"file {i}" if i % 50 else f"line\nfeed {i}", randomness.randbytes(size)))
            if i % 40 == 0:
                names.append(f"absent {i}")
            if i % 90 == 0:
                (self.folder / f"folder {i}").mkdir()
                names.append(f"folder {i}")
            if i % 110 == 0:
                names.append(self.write(f"secret {i}", b"secret"))
                os.chmod(self.folder / names[-1], 0)
            if i % 200 == 0:
                names.append("-")
            if i % 130 == 0:
                names.append("/dev/null")
        return names

    def test_mixed_files(self):
        self.drop_rights()
        names = self.mixed_names()
        # Standard input belongs to the first who reads it.
        one_by_one = b""
        content = b"standard input" * 1000
        for name in names:
            one_by_one += self.run_tool("-j1", "--", name, stdin=content, stderr=subprocess.STDOUT).stdout
            if name == "-":
                content = b""
        for jobs in JOBS:
            with self.subTest(jobs=jobs):
                together = self.both_streams(1, f"-j{jobs}", "--", *names, stdin=b"standard input" * 1000)
                self.assertEqual(together, one_by_one)

    def test_check_ten_thousand_lines(self):
        self.drop_rights()
        names = self.mixed_names()
        listed = self.run_tool("-j1", "--", *[n for n in names if n not in ("-", "/dev/null")]).stdout.splitlines()
        randomness = random.Random(5)
        lines = []
        for i in range(10000):
            line = randomness.choice(listed)
            if i % 333 == 0:
                line = b"not a checksum"
            elif i % 100 == 0:
                line = line.replace(line[5:9], b"0000", 1)
            elif i % 77 == 0:
                line += b" absent"
            lines.append(line)
        text = b"\n".join(lines) + b"\n"
        self.write("list", text)
        for options in ([], ["-w"], ["--quiet"], ["--status"], ["--ignore-missing", "--strict"], ["-w", "list"]):
            outputs = {}
            for jobs in JOBS:
                outputs[jobs] = self.both_streams(1, "-c", f"-j{jobs}", *options, "list")
            for jobs in JOBS:
                self.assertEqual(outputs[jobs], outputs["1"], (options, jobs))
        self.assertGreater(len(outputs["1"]), 100000)
        verdicts = self.run_tool("-c", "list").stdout
        self.assertEqual(verdicts.count(b"\n"), sum(line != b"not a checksum" for line in lines))

    def test_algorithms_mixed_in_one_list(self):
        names = [self.write(f"f{i}", random.Random(i).randbytes(i * 37)) for i in range(300)]
        lists = b""
        for i, name in enumerate(names):
            algorithm = ("LSH-256-224", "LSH-256-256", "LSH-512-224", "LSH-512-256", "LSH-512-384", "LSH-512-512")[
                i % 6
            ]
            lists += self.expect(0, "--tag", "-a", algorithm, name).stdout
        for jobs in JOBS:
            done = self.expect(0, "-c", "--strict", f"-j{jobs}", stdin=lists)
            self.assertEqual(done.stdout, b"".join(f"{n}: OK\n".encode() for n in names))


class Trees(Folder):
    def make_tree(self):
        randomness = random.Random(6)
        for i in range(400):
            depth = randomness.randrange(5)
            folders = "/".join(randomness.choice(("a", "b", "a.b", "A", "a b", "\u3147")) for _ in range(depth))
            self.write(
                f"tree/{folders}/{randomness.choice('xyz')}{randomness.randrange(50)}", randomness.randbytes(i * 20)
            )
        self.write("tree/big", randomness.randbytes(2000000))
        self.write("tree/new\nline", b"n")
        self.write(os.fsdecode(b"tree/bad\xff"), b"b")
        (self.folder / "tree/empty").mkdir()

    def files_below(self, root):
        found = []
        for path, _, files in os.walk(os.fsencode(self.folder / root)):
            for name in files:
                full = os.path.join(path, name)
                if os.path.isfile(full) and not os.path.islink(full):
                    found.append(os.path.relpath(full, os.fsencode(self.folder)))
        return sorted(found)

    def test_a_tree_is_its_files_in_order(self):
        self.make_tree()
        expected = self.expect(0, "-j1", "--", *self.files_below("tree")).stdout
        for jobs in JOBS:
            for root in ("tree", "tree/", "tree//"):
                done = self.expect(0, "-r", f"-j{jobs}", root)
                self.assertEqual(done.stdout, expected)
                self.assertEqual(done.stderr, b"")
        self.assertEqual(self.expect(0, "-r").stdout, self.expect(0, "--recursive", ".").stdout)
        self.assertEqual(self.expect(0, "-r", ".").stdout.replace(b" ./", b" "), expected)
        self.assertEqual(self.expect(0, "-c", "--strict", "-j2", stdin=expected).returncode, 0)

    def test_operands_keep_their_order(self):
        self.make_tree()
        self.write("single", b"abc")
        parts = [
            self.both_streams(s, "-r", name, stdin=b"in")
            for s, name in ((0, "single"), (0, "tree/a"), (1, "absent"), (0, "-"), (0, "tree"), (0, "single"))
        ]
        for jobs in JOBS:
            names = ["single", "tree/a", "absent", "-", "tree", "single"]
            self.assertEqual(self.both_streams(1, "-r", f"-j{jobs}", *names, stdin=b"in"), b"".join(parts))

    def test_folders_need_the_option(self):
        self.write("d/f")
        done = self.expect(1, "d")
        self.assertEqual((done.stdout, done.stderr), (b"", b"hwacha sum: d: Is a directory\n"))

    def test_what_is_no_regular_file_is_passed_over(self):
        self.write("d/file", b"abc")
        self.write("outside/secret", b"secret")
        os.symlink("file", self.folder / "d/link")
        os.symlink("../outside", self.folder / "d/out")
        os.symlink(".", self.folder / "d/loop")
        os.mkfifo(self.folder / "d/fifo")
        expected = self.expect(0, "d/file").stdout
        done = self.expect(0, "-r", "d")
        self.assertEqual((done.stdout, done.stderr), (expected, b""))
        # Named on the command line, a link is followed.
        os.symlink("d", self.folder / "named")
        self.assertEqual(self.expect(0, "-r", "named").stdout, expected.replace(b" d/", b" named/"))
        self.assertEqual(self.expect(0, "-r", "d/link").stdout, expected.replace(b"file", b"link"))

    def test_unreadable_folders_are_reported_and_the_rest_done(self):
        if not self.drop_rights():
            self.skipTest("root, and no setpriv that can run the tool")
        for name in ("t/a/1", "t/b/2", "t/c/3", "t/d/4"):
            self.write(name, name.encode())
        os.chmod(self.folder / "t/b", 0)
        os.chmod(self.folder / "t/d/4", 0)
        good = self.expect(0, "t/a/1", "t/c/3").stdout.splitlines(keepends=True)
        expected = (
            good[0] + b"hwacha sum: t/b: Permission denied\n" + good[1] + b"hwacha sum: t/d/4: Permission denied\n"
        )
        for jobs in JOBS:
            self.assertEqual(self.both_streams(1, "-r", f"-j{jobs}", "t"), expected)
        os.chmod(self.folder / "t/b", 0o755)

    def test_a_folder_that_contains_itself(self):
        self.write("t/a/b/hidden")
        self.write("t/f", b"abc")
        inside = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"]), "sh", "-c"]
        mount = inside + ["mount --bind t t/a/b"]
        if subprocess.run(mount, cwd=self.folder, capture_output=True, check=False).returncode != 0:
            self.skipTest("nothing may be mounted here")
        self.prefix = inside + ['mount --bind t t/a/b && exec "$@"', "mounted"]
        done = self.expect(1, "-r", "t")
        self.assertEqual(done.stderr, b"hwacha sum: t/a/b: the folder contains itself; not entered again\n")
        self.prefix = []
        self.assertEqual(done.stdout, self.expect(0, "t/f").stdout)

    def test_not_for_check(self):
        done = self.expect(1, "-r", "-c", "list")
        self.assertIn(b"--recursive", done.stderr)


class Jobs(Folder):
    def test_b77_numbers_of_threads(self):
        names = [self.write(f"f{i}", random.Random(i).randbytes(i)) for i in range(1500)]
        expected = self.expect(0, *names).stdout
        for jobs in (["-j0"], ["-j", "0"], ["--jobs=1"], ["-j", "1024"], ["--jobs", "3"], ["-j2", "-j", "5"]):
            start = time.monotonic()
            self.assertEqual(self.expect(0, *jobs, *names).stdout, expected, jobs)
            self.assertLess(time.monotonic() - start, 60)
        for value in ("-1", "abc", "", " 1", "1 ", "1x", "+1", "0x1", "1.5", "9" * 30):
            for jobs in (["-j", value], [f"--jobs={value}"]):
                done = self.expect(1, *jobs, *names)
                self.assertEqual(done.stdout, b"")
                self.assertIn(b"--jobs", done.stderr)
        self.assertIn(b"--jobs", self.expect(1, "-j").stderr)

    def test_b83_few_descriptors(self):
        names = [self.write(f"t/{i % 30}/{i}", random.Random(i).randbytes(1000)) for i in range(1500)]
        self.write("t/big", bytes(3000000))
        expected = self.expect(0, "-j1", "-r", "t").stdout
        for jobs in ("2", "8", "64"):
            done = self.expect(
                0, f"-j{jobs}", "-r", "t", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (16, 16))
            )
            self.assertEqual(done.stdout, expected)
        self.assertEqual(len(expected.splitlines()), len(names) + 1)

    def test_b83_few_threads(self):
        names = [self.write(f"{i}", random.Random(i).randbytes(1000)) for i in range(1500)]
        names.append(self.write("big", bytes(9000000)))
        expected = self.expect(0, "-j1", *names).stdout
        if self.drop_rights() and self.prefix:  # root has as many as it likes; all others share theirs by user
            self.prefix = [f"--reuid={100000 + os.getpid()}" if "--reuid" in word else word for word in self.prefix]
        limits = (
            lambda: resource.setrlimit(resource.RLIMIT_NPROC, (1, 1)),
            lambda: resource.setrlimit(resource.RLIMIT_AS, (120 << 20, 120 << 20)),
        )
        if os.environ.get("HWACHA_SANITIZED"):
            limits = limits[:1]  # shadow memory needs all of the address space
            options = os.environ.get("ASAN_OPTIONS", "")
            self.addCleanup(os.environ.__setitem__, "ASAN_OPTIONS", options)
            os.environ["ASAN_OPTIONS"] = options + ":detect_leaks=0"  # which starts a thread
        for limit in limits:
            done = self.expect(0, "-j64", *names, preexec_fn=limit)
            self.assertEqual(done.stdout, expected)
            done = self.expect(0, "-j64", "big", preexec_fn=limit)
            self.assertEqual(done.stdout, expected.splitlines(keepends=True)[-1])


class Streams(Folder):
    def start(self, *args, **more):
        streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
        process = subprocess.Popen([TOOL, "sum", *args], cwd=self.folder, env=environment(), **streams)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                self.addCleanup(stream.close)
        return process

    def read_line(self, stream):
        self.assertTrue(select.select([stream], [], [], 30)[0], "nothing came")
        return os.read(stream.fileno(), 4096)

    def test_results_come_before_later_files_are_there(self):
        self.write("a", b"abc")
        os.mkfifo(self.folder / "f")
        line = self.expect(0, "a").stdout
        for jobs in JOBS:
            process = self.start(f"-j{jobs}", "a", "f", "a")
            self.assertEqual(self.read_line(process.stdout), line)
            (self.folder / "f").write_bytes(b"abc")
            rest = process.stdout.read()
            self.assertEqual(rest, line.replace(b"  a", b"  f") + line)
            self.assertEqual(process.wait(), 0)

    def test_a_list_may_come_line_by_line(self):
        self.write("a", b"abc")
        line = self.expect(0, "a").stdout
        for jobs in JOBS:
            process = self.start("-c", f"-j{jobs}")
            for _ in range(3):
                process.stdin.write(line)
                process.stdin.flush()
                self.assertEqual(self.read_line(process.stdout), b"a: OK\n")
            process.stdin.close()
            self.assertEqual(process.wait(), 0)

    def test_a_fifo_named_twice(self):
        os.mkfifo(self.folder / "f")
        self.write("a", b"first")
        self.write("b", b"second")
        expected = self.expect(0, "a", "b").stdout.replace(b"  a", b"  f").replace(b"  b", b"  f")

        def write_twice():
            for content in (b"first", b"second"):
                (self.folder / "f").write_bytes(content)
                time.sleep(0.2)  # the reader has to see the end before

        for jobs in JOBS:
            writer = threading.Thread(target=write_twice)
            writer.start()
            self.assertEqual(self.expect(0, f"-j{jobs}", "f", "f").stdout, expected)
            writer.join()

    def test_big_standard_input(self):
        content = random.Random(7).randbytes(20000000)
        self.write("big", content)
        digest = self.expect(0, "-j1", "big").stdout[:64]
        for jobs in JOBS:
            self.assertEqual(self.expect(0, f"-j{jobs}", stdin=content).stdout[:64], digest)
            self.assertEqual(self.expect(0, f"-j{jobs}", "big").stdout[:64], digest)

    def test_a_file_that_shrinks_and_one_that_grows(self):
        content = random.Random(8).randbytes(30000000)
        for jobs in JOBS:
            self.write("f", content)
            process = self.start(f"-j{jobs}", "f")
            time.sleep(0.002)
            os.truncate(self.folder / "f", 1000)
            out, err = process.communicate()
            self.assertEqual((process.returncode, len(out), err), (0, 68, b""))
            with open(self.folder / "f", "ab") as file:
                process = self.start(f"-j{jobs}", "f")
                for _ in range(20):
                    file.write(content[:100000])
                    file.flush()
            out, err = process.communicate()
            self.assertEqual((process.returncode, len(out), err), (0, 68, b""))

    def test_broken_pipe_and_interrupt_end_it(self):
        for i in range(3000):
            self.write(f"t/{i}", b"x")
        for jobs in JOBS:
            reader, writer = os.pipe()
            process = self.start(f"-j{jobs}", "-r", "t", stdout=writer)
            os.close(writer)
            os.read(reader, 1)
            os.close(reader)
            self.assertEqual(process.wait(30), -signal.SIGPIPE)
            process = self.start(f"-j{jobs}", "t/1", "-")
            self.assertTrue(self.read_line(process.stdout))
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(30), -signal.SIGINT)
            # Once the pool works: its threads must not hide the signal.
            read_end, write_end = os.pipe()
            os.close(read_end)
            process = self.start(f"-j{jobs}", "-r", "t", "t", "t", stdout=write_end)
            os.close(write_end)
            self.assertEqual(process.wait(30), -signal.SIGPIPE)


class Memory(Folder):
    def test_twenty_thousand_files(self):
        randomness = random.Random(9)
        chunk = randomness.randbytes(700000)
        for i in range(20000):
            size = randomness.randrange(3000)
            if i % 200 == 0:
                size = randomness.randrange(700000)
            self.write(f"t/{i % 40}/{i}", chunk[:size])
        peaks = {}
        for jobs in (1, 2):
            process = subprocess.Popen(
                [TOOL, "sum", f"-j{jobs}", "-r", "t"], cwd=self.folder, env=environment(), stdout=subprocess.DEVNULL
            )
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(process.returncode, 0)
            peaks[jobs] = usage.ru_maxrss
        if not os.environ.get("HWACHA_SANITIZED"):
            self.assertLess(peaks[1], 24 * 1024, "KiB")
            self.assertLess(peaks[2], 36 * 1024, "KiB")


class Progress(Folder):
    def test_only_on_a_terminal_unless_forced(self):
        self.write("a", b"abc")
        expected = self.expect(0, "a").stdout
        done = self.expect(0, "--progress", "a")
        self.assertEqual((done.stdout, done.stderr), (expected, b""))
        for jobs in JOBS:
            done = self.expect(0, "--progress=always", f"-j{jobs}", "a")
            self.assertEqual(done.stdout, expected)
            self.assertIn(b" files, 0.0 MiB", done.stderr)
            self.assertTrue(done.stderr.endswith(b"\r\x1b[K"))
        self.expect(1, "--progress=sometimes", "a")

    def test_gone_when_something_else_is_written(self):
        for i in range(300):
            self.write(f"t/{i:03}", bytes(100000))
        names = [f"t/{i:03}" for i in range(300)]
        names.insert(100, "absent")
        plain = self.both_streams(1, *names)
        for jobs in JOBS:
            shown = self.both_streams(1, "--progress=always", f"-j{jobs}", *names)
            self.assertIn(b" files, ", shown)
            kept = b""
            for line in shown.split(b"\n"):
                kept += line.rpartition(b"\r\x1b[K")[2] + b"\n"
            self.assertEqual(kept[:-1], plain)

    def test_on_a_terminal_after_a_second(self):
        master, slave = pty.openpty()
        process = subprocess.Popen(
            [TOOL, "sum", "--progress"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=slave, env=environment()
        )
        os.close(slave)
        for _ in range(14):
            process.stdin.write(bytes(100000))
            process.stdin.flush()
            time.sleep(0.1)
        process.stdin.close()
        out = process.stdout.read()
        process.stdout.close()
        self.assertEqual(process.wait(), 0)
        self.assertEqual(len(out), 68)
        text = b""
        try:
            while piece := os.read(master, 4096):
                text += piece
        except OSError:  # how a terminal ends
            pass
        os.close(master)
        self.assertIn(b"0 files, 1.", text)
        self.assertTrue(text.endswith(b"\r\x1b[K"))


if __name__ == "__main__":
    TOOL = os.path.abspath(sys.argv.pop(1))
    unittest.main()
