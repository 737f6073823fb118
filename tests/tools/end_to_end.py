#!/usr/bin/env python3
"""The tool from outside, where GNU's program is no judge: algorithms, lists of mixed ones, other commands, many files.

    end_to_end.py TOOL [unittest arguments]
"""

import os
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

# The six digests of "abc" and that of the empty message. (KS X 3262)
ABC = {
    "LSH-256-224": "f7c53ba4034e708e74fba42e55997ca5126bb7623688f85342f73732",
    "LSH-256-256": "5fbf365daea5446a7053c52b57404d77a07a5f48a1f7c1963a0898ba1b714741",
    "LSH-512-224": "d1683234513ec5698394571ead128a8cd5373e97661ba20dcf89e489",
    "LSH-512-256": "cd892310532602332b613f1ec11a6962fca61ea09ecffcd4bcf75858d802edec",
    "LSH-512-384": "5f344efaa0e43ccd2e5e194d6039794b4fb431f10fb4b65fd45e9da4ecde0f27b66e8dbdfa47252e0d0b741bfd91f9fe",
    "LSH-512-512": "a3d93cfe60dc1aacdd3bd4bef0a6985381a396c7d49d9fd177795697c3535208"
    "b5c57224bef21084d42083e95a4bd8eb33e869812b65031c428819a1e7ce596d",
}
EMPTY = "f3cd416a03818217726cb47f4e4d2881c9c29fd445c18b66fb19dea1a81007c1"
# LSH-256-256 and LSH-512-512 of 1,000,000 bytes i mod 251.
MILLION = {
    "LSH-256-256": "76462d793accfcee63daa75108d324068d8715465bb6c1047c89a928d3ee8a5f",
    "LSH-512-512": "ff29dc67023d5c9ffb1f3afd6f01887205e4472be620f51cb6f1cf3051feed53"
    "16bc2809adc06f0f15beca8c99fec9d3d2891605dd53f2a7225bc71260b35e2e",
}
ALIASES = {
    "LSH256-256": "LSH-256-256",
    "LSH-256_256": "LSH-256-256",
    "lsh-256": "LSH-256-256",
    "LSH-512": "LSH-512-512",
    "LSH-224": "LSH-256-224",
    "Lsh-384": "LSH-512-384",
    "lsh-512-256": "LSH-512-256",
}

TOOL = ""


class ToolTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, content):
        (self.folder / name).write_bytes(content)

    def run_tool(self, *args, stdin=b"", program=None, env=None, **more):
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
        environment = {k: v for k, v in os.environ.items() if k != "HWACHA_CPU"}
        return subprocess.run(
            [program or TOOL, *args],
            input=stdin,
            cwd=self.folder,
            env={**environment, **(env or {})},
            timeout=300,
            **streams,
        )

    def expect(self, status, *args, **more):
        done = self.run_tool(*args, **more)
        self.assertEqual(done.returncode, status, done)
        return done


class Algorithms(ToolTest):
    def test_known_answers(self):
        for name, digest in ABC.items():
            for form in (
                ["-a", name],
                [f"-a{name}"],
                ["--algorithm", name],
                [f"--algorithm={name}"],
                [f"--alg={name}"],
            ):
                self.assertEqual(self.expect(0, "sum", *form, stdin=b"abc").stdout, f"{digest}  -\n".encode())
            self.assertEqual(
                self.expect(0, "sum", "-a", name, "--tag", stdin=b"abc").stdout, f"{name} (-) = {digest}\n".encode()
            )
        self.assertEqual(self.expect(0, "sum").stdout, f"{EMPTY}  -\n".encode())
        self.write("million", bytes(i % 251 for i in range(1000000)))
        for name, digest in MILLION.items():
            self.assertEqual(self.expect(0, "sum", "-a", name, "million").stdout, f"{digest}  million\n".encode())

    def test_default_and_last_one_hold(self):
        self.assertEqual(self.expect(0, "sum", stdin=b"abc").stdout.split()[0].decode(), ABC["LSH-256-256"])
        done = self.expect(0, "sum", "-a", "LSH-512", "-a", "LSH-224", stdin=b"abc")
        self.assertEqual(done.stdout.split()[0].decode(), ABC["LSH-256-224"])

    def test_aliases(self):
        for alias, name in ALIASES.items():
            self.assertEqual(
                self.expect(0, "sum", "-a", alias, "--tag", stdin=b"abc").stdout, f"{name} (-) = {ABC[name]}\n".encode()
            )

    def test_unknown_algorithm_names_the_six(self):
        for args in (["-a", "SHA256"], ["--algorithm=LSH-256-512"], ["-a", ""], ["-a", "LSH\n"]):
            done = self.expect(1, "sum", *args, stdin=b"abc")
            self.assertEqual(done.stdout, b"")
            for name in ABC:
                self.assertIn(name.encode(), done.stderr)
        self.expect(1, "sum", "-a")

    def test_tags_name_their_algorithm(self):
        self.write("f", b"abc")
        text = "".join(f"{name} (f) = {digest}\n" for name, digest in ABC.items())
        text += "".join(f"{alias} (f) = {ABC[name]}\n" for alias, name in ALIASES.items())
        self.write("list", text.encode())
        for name in ABC:
            done = self.expect(0, "sum", "-c", "-a", name, "--strict", "list")
            self.assertEqual(done.stdout, b"f: OK\n" * (len(ABC) + len(ALIASES)))

    def test_untagged_lines_are_of_the_algorithm_asked_for(self):
        self.write("f", b"abc")
        for listed, digest in ABC.items():
            self.write("list", f"{digest}  f\n".encode())
            for asked, other in ABC.items():
                done = self.run_tool("sum", "-c", "-a", asked, "list")
                if listed == asked:
                    self.assertEqual((done.returncode, done.stdout), (0, b"f: OK\n"))
                elif len(digest) == len(other):
                    self.assertEqual((done.returncode, done.stdout), (1, b"f: FAILED\n"))
                else:
                    self.assertEqual((done.returncode, done.stdout), (1, b""))
                    self.assertIn(b"no properly formatted", done.stderr)

    def test_b93_every_bad_line_is_counted_and_others_checked(self):
        self.write("f", b"abc")
        good = ABC["LSH-256-256"]
        bad = [
            good[:-1] + "  f",
            good[:-2] + "  f",
            good + "00  f",
            good + good + "00  f",
            f"LSH-256-256 (f) = {good}{good}",
            f"SHA256 (f) = {good}",
            f"LSH-256-512 (f) = {good}",
        ]
        self.write("list", "\n".join(bad + [f"LSH-256-256 (f) = {good}"]).encode())
        done = self.expect(0, "sum", "-c", "-w", "list")
        self.assertEqual(done.stdout, b"f: OK\n")
        for number in range(1, len(bad) + 1):
            self.assertIn(f"list:{number}: improperly formatted".encode(), done.stderr)
        self.assertIn(b"improperly formatted lines: %d\n" % len(bad), done.stderr)
        self.expect(1, "sum", "-c", "--strict", "list")
        for line in bad:
            self.write("list", line.encode())
            self.expect(1, "sum", "-c", "list")

    def test_b91_message_tells_the_byte_order_mark(self):
        line = f"{ABC['LSH-256-256']}  f\n"
        self.write("f", b"abc")
        for encoding in ("utf-8-sig", "utf-16"):
            self.write("list", line.encode(encoding))
            self.assertIn(b"byte-order mark", self.expect(1, "sum", "-c", "list").stderr)
            self.assertIn(b"list:1: improperly formatted line", self.expect(1, "sum", "-cw", "list").stderr)

    def test_b103_bytes_are_hashed_raw(self):
        self.write("t", b"\r\n\x1a\r\n")
        text = self.expect(0, "sum", "t").stdout
        self.assertEqual(text.split()[0], self.expect(0, "sum", stdin=b"\r\n\x1a\r\n").stdout.split()[0])
        self.assertEqual(text.split()[0], self.expect(0, "sum", "-t", "t").stdout.split()[0])
        self.assertEqual(self.expect(0, "sum", "-c", stdin=text).stdout, b"t: OK\n")


class ManyFiles(ToolTest):
    def test_list_and_check_a_hundred_files(self):
        randomness = random.Random(1)
        sizes = [0, 1, 127, 128, 129, 255, 256, 257, 262143, 262144, 262145, 524288, 1000000]
        names = []
        for i in range(100):
            size = sizes[i] if i < len(sizes) else randomness.randrange(50000)
            names.append(f"file {i:03}")
            self.write(names[-1], randomness.randbytes(size))
        for options in ([], ["-a", "LSH-512-384"], ["--tag", "-a", "LSH-512-224"]):
            with self.subTest(options=options):
                listed = self.expect(0, "sum", *options, *names)
                check = ["-c"] + [o for o in options if o != "--tag"]
                good = "".join(f"{name}: OK\n" for name in names).encode()
                self.assertEqual(self.expect(0, "sum", *check, stdin=listed.stdout).stdout, good)

                victim = self.folder / names[42]
                content = bytearray(victim.read_bytes())
                content[len(content) // 2] ^= 1
                victim.write_bytes(content)
                done = self.expect(1, "sum", *check, stdin=listed.stdout)
                self.assertEqual(done.stdout, good.replace(b"file 042: OK", b"file 042: FAILED"))
                self.assertIn(b"do NOT match: 1\n", done.stderr)
                self.assertEqual(
                    self.expect(1, "sum", *check, "--quiet", stdin=listed.stdout).stdout, b"file 042: FAILED\n"
                )
                content[len(content) // 2] ^= 1
                victim.write_bytes(content)

    def test_read_sizes_do_not_matter(self):
        content = random.Random(2).randbytes(700001)
        self.write("f", content)
        whole = self.expect(0, "sum", "f").stdout.split()[0]
        with subprocess.Popen([TOOL, "sum"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            place = 0
            while place < len(content):
                size = random.Random(place).randrange(1, 70000)
                process.stdin.write(content[place : place + size])
                process.stdin.flush()
                place += size
            process.stdin.close()
            self.assertEqual(process.stdout.read().split()[0], whole)

    def test_every_level_agrees(self):
        content = random.Random(3).randbytes(100003)
        expected = {name: self.expect(0, "sum", "-a", name, stdin=content).stdout for name in ABC}
        ran = 0
        for level in ("portable", "ssse3", "avx2", "avx512", "neon"):
            if self.run_tool("info", env={"HWACHA_CPU": level}).returncode == 0:
                ran += 1
                for name, line in expected.items():
                    self.assertEqual(
                        self.expect(0, "sum", "-a", name, stdin=content, env={"HWACHA_CPU": level}).stdout, line
                    )
        self.assertGreaterEqual(ran, 1)


class Commands(ToolTest):
    def test_lshsum_is_sum(self):
        lshsum = str(Path(TOOL).with_name("lshsum"))
        self.write("a", b"abc")
        for args in (["a"], ["--tag", "a"], ["absent"], ["-c", "a"], ["--bogus"], ["info"], ["sum"]):
            under_tool, alone = self.run_tool("sum", *args), self.run_tool(*args, program=lshsum)
            self.assertEqual((under_tool.returncode, under_tool.stdout), (alone.returncode, alone.stdout))
            self.assertEqual(under_tool.stderr.replace(b"hwacha sum", b"lshsum"), alone.stderr)
        self.assertEqual(
            self.expect(1, "absent", program=lshsum).stderr, b"lshsum: absent: No such file or directory\n"
        )
        self.assertEqual(self.expect(1, "sum", "absent").stderr, b"hwacha sum: absent: No such file or directory\n")
        # Even where a link has another folder.
        (self.folder / "lshsum").symlink_to(TOOL)
        self.assertEqual(
            self.expect(0, "a", program=str(self.folder / "lshsum")).stdout[:64].decode(), ABC["LSH-256-256"]
        )

    def test_messages_do_not_reach_the_terminal_as_control_characters(self):
        done = self.expect(1, "sum", "\x1b[31m\nred")
        self.assertEqual(done.stderr, b"hwacha sum: \\033[31m\\012red: No such file or directory\n")
        for args in (["sum", "--\x1b"], ["sum", "-\x1b"], ["sum", "-a", "\x1b"], ["\x1b"]):
            self.assertNotIn(b"\x1b", self.run_tool(*args).stderr)

    def test_b116_usage(self):
        for args in (
            [],
            ["bogus"],
            ["--bogus"],
            ["info", "--bogus"],
            ["info", "extra"],
            ["info", "selftest"],
            ["selftest", "x"],
            ["--sum"],
            [""],
            ["-"],
            ["--"],
        ):
            with self.subTest(args=args):
                done = self.expect(2, *args)
                self.assertEqual(done.stdout, b"")
                self.assertIn(b"hwacha", done.stderr)
                self.assertIn((args or ["no command"])[-1].encode(), done.stderr)
        for args in (
            ["--help"],
            ["-h"],
            ["--version"],
            ["info", "--help"],
            ["selftest", "--help"],
            ["sum", "--help"],
            ["sum", "--version"],
        ):
            with self.subTest(args=args):
                done = self.expect(0, *args)
                self.assertIn(b"hwacha", done.stdout)
                self.assertEqual(done.stderr, b"")

    def test_info(self):
        text = self.expect(0, "info").stdout.decode()
        self.assertTrue(text.startswith("Hwacha "))
        for algorithm in ("LSH-256", "LSH-512"):
            rows = [line.split() for line in text.splitlines() if line.startswith(f"{algorithm} ")]
            self.assertEqual([row[2] for row in rows].count("chosen"), 1)
            self.assertIn("portable", [row[1] for row in rows])
        capped = self.expect(0, "info", env={"HWACHA_CPU": "portable"}).stdout.decode()
        rows = [line.split() for line in capped.splitlines() if line.startswith("LSH-")]
        self.assertEqual({row[1] for row in rows if row[2] == "chosen"}, {"portable"})

    def test_selftest(self):
        done = self.expect(0, "selftest")
        lines = done.stdout.decode().splitlines()
        self.assertIn("total:", lines[-1])
        self.assertTrue(lines[-1].endswith("passed"))
        total = sum(int(line.split(": ")[1].split()[0]) for line in lines[:-1])
        self.assertEqual(int(lines[-1].split()[1]), total)
        self.assertGreater(total, 0)

    def test_unknown_cpu_level(self):
        for args, status in ((["info"], 2), (["selftest"], 2), (["sum"], 1), (["sum", "-c"], 1)):
            done = self.expect(status, *args, env={"HWACHA_CPU": "pentium"})
            self.assertIn(b"HWACHA_CPU", done.stderr)
            self.assertIn(b"pentium", done.stderr)
        self.assertEqual(self.expect(1, "sum", env={"HWACHA_CPU": "pentium"}).stdout, b"")
        self.expect(0, "sum", "--help", env={"HWACHA_CPU": "pentium"})

    def test_b101_lost_output(self):
        with open("/dev/full", "wb") as full:
            for args in (["info"], ["selftest"], ["--help"], ["--version"]):
                done = self.run_tool(*args, stdout=full)
                self.assertEqual(done.returncode, 3)
                self.assertIn(b"No space left", done.stderr)


if __name__ == "__main__":
    TOOL = os.path.abspath(sys.argv.pop(1))
    unittest.main()
