#!/usr/bin/env python3
"""What must hold of any run of the smoke suite, however noisy the machine: never a bar on time.

    smoke_test.py FOLDER BUILD     result folder of `bench/run smoke` with its report, and the build folder it came from

Schema, controls, completeness, and instruction counts under valgrind, which depend on no clock.
"""

import csv
import json
import sys
import unittest
from pathlib import Path

import jsonschema

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench" / "driver"))
import instructions  # noqa: E402

FOLDER, BUILD = Path(), Path()

# Instructions a byte of the portable table over those of another, at least: half of what both compilers reach.
FEWER = {
    ("LSH-256-256", "avx2"): 2.2,
    ("LSH-256-256", "ssse3"): 1.9,
    ("LSH-512-512", "avx2"): 2.2,
    ("LEA-128-CTR", "avx2"): 1.4,
    ("LEA-128-GCM", "avx2"): 4,
    ("GHASH", "avx2"): 20,
    ("GHASH", "ssse3"): 20,
}


class Smoke(unittest.TestCase):
    def setUp(self):
        self.summary = json.loads((FOLDER / "summary.json").read_text())

    def test_summary_fits_the_schema(self):
        schema = json.loads((ROOT / "bench/schema/summary.schema.json").read_text())
        jsonschema.Draft7Validator.check_schema(schema)
        jsonschema.validate(self.summary, schema)

    def test_every_variant_was_observed(self):
        self.assertGreaterEqual(self.summary["clusters"], 2)
        for cell in self.summary["cells"]:
            for variant in cell["variants"]:
                self.assertGreater(variant["total"], 0, f"{cell['operation']} {variant['variant']}")

    def test_controls_are_there_and_near_what_is_known(self):
        controls = self.summary["controls"]
        self.assertGreater(len(controls["again"]), 0)
        self.assertEqual(len(controls["known"]), 3)
        for index in controls["known"]:
            comparison = self.summary["comparisons"][index]
            # A tenth, on any machine: the ratios are 1, 1.08 and 2.
            self.assertAlmostEqual(comparison["ratio"] / comparison["expected"], 1, delta=0.1)

    def test_hand_written_kernels_are_faster_with_a_wide_margin(self):
        cell = next(c for c in self.summary["cells"] if c["operation"] == "LSH-256-256")
        minima = {v["variant"]: v["min"] for v in cell["variants"] if "min" in v}
        portable = minima.pop("hwacha@clang:portable", None)
        ours = [t for name, t in minima.items() if name.startswith("hwacha@clang:")]
        if portable is None or not ours:
            self.skipTest("only portable tables run here")
        self.assertGreater(portable / min(ours), 1.3)

    def test_raw_rows_keep_the_rejected_blocks(self):
        rows = 0
        for path in (FOLDER / "raw").glob("*.csv"):
            with open(path, newline="", encoding="ascii") as file:
                for row in csv.DictReader(file):
                    rows += 1
                    self.assertGreater(int(row["ticks"]), 0)
        self.assertEqual(rows, self.summary["probe"]["blocks"])
        self.assertEqual(rows, sum(v["total"] for c in self.summary["cells"] for v in c["variants"]))

    def test_unreliable_has_reasons(self):
        self.assertEqual(self.summary["reliable"], not self.summary["reasons"])

    def test_the_report_is_one_file(self):
        page = (FOLDER / "report.html").read_text()
        self.assertIn("</html>", page)
        for word in ("src=\"http", "href=\"http", "@import", "nan", "inf "):
            self.assertNotIn(word, page.replace("information", ""))

    def test_instruction_counts(self):
        sampler, module = BUILD / "bench/hwacha_sample", BUILD / "bench/modules/hwacha.so"
        counted = instructions.count(str(sampler), str(module))
        a_byte = {(r["operation"], r["variant"]): r["instructions_per_byte"] for r in counted["rows"]}
        for (operation, variant), factor in FEWER.items():
            if (operation, variant) in a_byte:
                self.assertGreater(a_byte[operation, "portable"] / a_byte[operation, variant], factor,
                                   f"{operation} {variant}")
        again = instructions.count_run(str(sampler), str(module), "GHASH", "portable", 4096)
        self.assertIn(again, [r["instructions"] for r in counted["rows"]], "the same run, another count")


if __name__ == "__main__":
    FOLDER, BUILD = map(Path, sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
