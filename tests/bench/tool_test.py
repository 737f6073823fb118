#!/usr/bin/env python3
"""What `hwacha bench` prints; nothing about how fast.

tool_test.py TOOL
"""
import json
import os
import re
import subprocess
import sys
import unittest

TOOL = sys.argv.pop(1)
SIXES = [f"LSH-{core}-{bits}" for core, sizes in ((256, (224, 256)), (512, (224, 256, 384, 512))) for bits in sizes]


def run(*words, **environment):
    done = subprocess.run(
        [TOOL, "bench", "--seconds", "0.001", *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )
    return done.returncode, done.stdout, done.stderr


class Bench(unittest.TestCase):
    def results(self, *words, **environment):
        status, out, err = run("--json", *words, **environment)
        self.assertEqual((status, err), (0, ""))
        return json.loads(out)["results"]

    def test_one_message_unless_batches_are_asked_for(self):
        found = self.results("--size", "64")
        names = [f"LEA-{bits}-{mode}" for bits in (128, 192, 256) for mode in ("ECB", "CTR", "GCM")]
        self.assertEqual([one["operation"] for one in found], SIXES + names)
        self.assertEqual({one["messages"] for one in found}, {1})
        self.assertFalse([one for one in found if "threads" in one])

    def test_batches(self):
        found = self.results("BATCH", "--size", "64,65536", "--size", "1048576")
        self.assertEqual(list(dict.fromkeys(one["operation"] for one in found)), [f"batch-{name}" for name in SIXES])
        usable = len(os.sched_getaffinity(0))
        threads = sorted({one["threads"] for one in found})
        self.assertEqual(threads[:2], [0, 1])
        self.assertTrue(threads[-1] <= usable)
        self.assertEqual(len(found), len(SIXES) * 3 * len(threads))
        messages = {(one["size"], one["messages"]) for one in found}
        self.assertEqual(messages, {(64, 1024), (65536, 256), (1048576, 64)})
        for one in found:
            self.assertTrue(one["ticks_per_byte"] > 0 and one["mebibytes_per_second"] > 0 and one["blocks"] >= 1)
            self.assertIn("no pool" if one["threads"] == 0 else "thread", one["kernels"])

    def test_table(self):
        status, out, err = run("batch-LSH-512-384", "--size", "16")
        self.assertEqual((status, err), (0, ""))
        lines = out.splitlines()
        self.assertRegex(lines[0], r"^operation +kernels +16 bytes$")
        self.assertRegex(lines[2], r"^batch-LSH-512-384 +\S+ lanes, no pool +[\d.]+ +[\d.]+~?$")
        self.assertRegex(lines[3], r"^batch-LSH-512-384 +\S+ lanes, 1 thread +[\d.]+ +[\d.]+~?$")
        self.assertIn("A batch: 1024 messages of so many bytes; fewer, at least 64, above 16 MiB in all.", lines)
        self.assertNotIn("A batch", run("LSH-512-384", "--size", "16")[1])

    def test_a_capped_level(self):
        (one,) = (one for one in self.results("batch-LSH-256-256", HWACHA_CPU="portable") if one["threads"] == 0
                  and one["size"] == 64)
        self.assertEqual(one["kernels"], "portable lanes, no pool")

    def test_usage(self):
        status, out, err = run("batch-LEA")
        self.assertEqual((status, out), (2, ""))
        self.assertTrue(re.match(r"hwacha.*: no operation begins with 'batch-LEA'; there are LSH-256-224", err), err)
        status, out, err = run("batch", "--size", str(2**63))
        self.assertEqual((status, out), (3, ""))
        self.assertIn(f"no memory for messages of {2**63} bytes", err)
        self.assertEqual(run("batch", "--size", "0")[0], 2)


if __name__ == "__main__":
    unittest.main()
