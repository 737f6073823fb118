#!/usr/bin/env python3
"""The driver of the harness (bench/run, bench/compare) over a sampler, an analyser and modules that are made up here.

    driver_test.py [unittest arguments]

A made-up module is an ELF header with JSON behind it: what it says of itself, and ticks a call by operation and
variant.
"""

import json
import math
import os
import shutil
import statistics
import sys
import time
from pathlib import Path

ELF = b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x03\x00"  # 64 bits, little-endian, shared library
X86_64, AARCH64 = b"\x3e\x00", b"\xb7\x00"
LEVELS = {"avx2": 100, "ssse3": 200, "portable": 400}  # best first
CONTROL = {"control": {"base": 1000, "same": 1000, "1.08x": 1080, "2x": 2000}}


# ---- Made-up programs ----------------------------------------------------------------------------------------------


def fail(status, text):
    print(text, file=sys.stderr)
    sys.exit(status)


def read_module(path):
    if not Path(path).exists():
        fail(3, f"hwacha_sample: {path}: cannot open shared object file")
    module = json.loads(Path(path).read_bytes()[20:])
    if module["abi"] != 1:
        fail(3, f"hwacha_sample: {path}: adapter interface {module['abi']}, expected 1")
    return module


def option(words, name, default=None):
    return words[words.index(name) + 1] if name in words else default


def play_sampler(words):
    if words[0] == "--list":
        module = read_module(words[1])
        offers = [{"operation": o, "variant": v} for o, variants in module["ticks"].items() for v in variants]
        print(json.dumps([{"module": words[1], "info": module["info"], "operations": offers}]))
        return
    with open(os.environ["FAKE_LOG"], "a", encoding="utf-8") as log:
        log.write(" ".join(words) + "\n")
    plan = json.loads(Path(option(words, "--plan")).read_text(encoding="utf-8"))
    if "FAKE_PLAN" in os.environ:
        shutil.copyfile(option(words, "--plan"), os.environ["FAKE_PLAN"])
    modules = {m["name"]: read_module(m["path"]) for m in plan["modules"]}
    number = int(option(words, "--cluster"))
    stem = Path(option(words, "--out")) / f"{number:02}"
    rows = int(os.environ.get("FAKE_ROWS") or math.ceil(plan["target"] / plan["clusters"]))
    with open(f"{stem}.csv", "w", encoding="ascii") as out:
        out.write("cell,variant,round,calls,ticks,probe_before,probe_after,switches,input_offset,output_offset,")
        out.write("stack_offset,cycles,instructions\n")
        out.flush()
        for i, cell in enumerate(plan["cells"]):
            for k, variant in enumerate(cell["variants"]):
                name, _, label = variant.partition(":")
                if label not in modules[name]["ticks"].get(cell["operation"], {}):
                    fail(3, f"hwacha_sample: {variant} does not offer {cell['operation']} on this machine")
                ticks = modules[name]["ticks"][cell["operation"]][label]
                for r in range(int(os.environ.get("FAKE_CONTROL_ROWS", rows)) if name == "control" else rows):
                    out.write(f"{i},{k},{r},10,{ticks * 10 + r % 3},1000,1000,0,0,0,0,,\n")
            sys.stderr.write(f"\r{i + 1} of {len(plan['cells'])} cells")
    sys.stderr.write("\n")
    if number == int(os.environ.get("FAKE_FAIL_AT", -1)):
        fail(1, "hwacha_sample: LSH-256-256 of 64 bytes: a and b write different outputs")
    if number == int(os.environ.get("FAKE_WAIT_AT", -1)):
        time.sleep(60)
    facts = {"probe_fast_end": 1000.0 - number, "wall_seconds": 1, "outputs": []}
    facts["modules"] = [{"name": name, "info": module["info"]} for name, module in modules.items()]
    Path(f"{stem}.json").write_text(json.dumps(facts), encoding="utf-8")


def play_analyser(words):
    folder = Path(words[0])
    plan, machine = (json.loads((folder / f"{name}.json").read_text()) for name in ("plan", "environment"))
    samples, clusters, modules, blocks = {}, 0, [], 0
    for facts in sorted((folder / "raw").glob("*.json")):
        modules = json.loads(facts.read_text())["modules"]
        clusters += 1
        for row in facts.with_suffix(".csv").read_text().splitlines()[1:]:
            blocks += 1
            cell, variant, _, calls, ticks, *_ = row.split(",")
            samples.setdefault((int(cell), int(variant)), []).append(float(ticks) / float(calls))
    cells, comparisons, spread = [], [], None
    for i, cell in enumerate(plan["cells"]):
        medians, variants = {}, []
        for k, name in enumerate(cell["variants"]):
            n = len(samples[i, k])
            medians[name] = m = statistics.median(samples[i, k])
            variants.append({"variant": name, "n": n, "median": m, "low": m * 0.999, "high": m * 1.001})
        cells.append({"operation": cell["operation"], "size": cell["size"], "variants": variants})
        for c in cell["comparisons"]:
            ratio = medians[c["slow"]] / medians[c["fast"]]
            numbers = {"ratio": ratio, "low": ratio * 0.998, "high": ratio * 1.002, "real": abs(ratio - 1) > 0.03}
            comparisons.append({"cell": i, "chain": None, "step": None, "expected": None, **c, **numbers})
            if c["kind"] == "bar":
                comparisons[-1]["verdict"] = os.environ.get("FAKE_VERDICT")
            if c["kind"] == "again":
                spread = max(spread or 0, abs(ratio - 1))
    reasons = [text for text in os.environ.get("FAKE_REASONS", "").split(";") if text]
    machine.update(clock="rdtsc", ticks_per_second=1e9, core_cycles_per_tick=1.3)
    summary = {"format": 1, "suite": plan["suite"], "environment": machine, "modules": modules, "clusters": clusters}
    summary.update(cells=cells, comparisons=comparisons, controls={"again_spread": spread})
    summary.update(reliable=not reasons, reasons=reasons, probe={"blocks": blocks, "accepted": blocks - 1})
    (folder / "summary.json").write_text(json.dumps(summary), encoding="utf-8")


if __name__ == "__main__" and sys.argv[1:2] == ["--play"]:
    {"sample": play_sampler, "analyse": play_analyser}[sys.argv[2]](sys.argv[3:])
    sys.exit()  # before the imports of the tests, which take longer than the play

import getpass  # noqa: E402
import io  # noqa: E402
import re  # noqa: E402
import shlex  # noqa: E402
import signal  # noqa: E402
import socket  # noqa: E402
import subprocess  # noqa: E402
import tarfile  # noqa: E402
import tempfile  # noqa: E402
import unittest  # noqa: E402
import unittest.mock  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent.parent
DRIVER = ROOT / "bench" / "driver"
sys.path.insert(0, str(DRIVER))
sys.dont_write_bytecode = True

import compare  # noqa: E402
import environment  # noqa: E402
import run  # noqa: E402
import suites  # noqa: E402


# ---- A made-up machine ---------------------------------------------------------------------------------------------


def info(name="hwacha", compiler="Clang 19", flags="-O3"):
    return {"name": name, "version": "1", "compiler": compiler, "flags": flags}


class DriverTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.log = self.folder / "log"
        self.programs = programs = self.folder / "programs"
        programs.mkdir()
        for role in ("sample", "analyse"):
            program = programs / f"hwacha_{role}"
            program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S -B "{__file__}" --play {role} "$@"\n')
            program.chmod(0o755)
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("HWACHA_", "FAKE_"))}
        self.environment = {**kept, "FAKE_LOG": str(self.log)}
        self.builds = self.folder / "builds"
        both = {"LSH-256-256": LEVELS, "LEA-128-GCM": LEVELS}
        for compiler, slower in (("clang", 1), ("gcc", 1.5)):
            ticks = {o: {v: t * slower for v, t in levels.items()} for o, levels in both.items()}
            self.module(f"bench-{compiler}", "hwacha", ticks, info(compiler=compiler))
            self.module(f"bench-{compiler}", "cryptopp", {"LSH-256-256": {"package": 300}}, info("Crypto++"))
            self.module(f"bench-{compiler}", "control", CONTROL, info("control"))
        self.suite = {
            "description": "for this test",
            "clusters": 3,
            "target": 30,
            "box_seconds": 1,
            "minutes": 1,
            "require": ["hwacha@clang"],
            "groups": [
                {
                    "operations": {"LSH-256-256": [64, 4096], "LEA-128-GCM": [0]},
                    "variants": ["hwacha@clang:*", "hwacha@gcc:best", "cryptopp:*", "peers:*"],
                    "comparisons": {
                        "peer": [["cryptopp:*", "hwacha@clang:*"], ["peers:*", "hwacha@clang:*"]],
                        "compiler": [["hwacha@gcc:best", "hwacha@clang:best"]],
                    },
                }
            ],
        }

    def module(self, build, name, ticks, about, abi=1, machine=X86_64, root=None):
        path = (root or self.builds) / build / "bench" / "modules" / f"{name}.so"
        path.parent.mkdir(parents=True, exist_ok=True)
        content = json.dumps({"abi": abi, "info": about, "ticks": ticks})
        path.write_bytes(ELF + machine + content.encode())
        return path

    def command(self, script, *words):
        return [sys.executable, "-B", str(DRIVER / script), "--programs", str(self.programs), *map(str, words)]

    def suite_file(self):
        path = self.folder / "mine.json"
        path.write_text(json.dumps(self.suite))
        return path

    def driver(self, script, *words, status=0, **more):
        done = subprocess.run(
            self.command(script, *words),
            capture_output=True,
            text=True,
            check=False,
            cwd=self.folder,
            env={**self.environment, **more},
        )
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        return done

    def run_suite(self, *words, folder="out", status=0, **more):
        where = self.folder / folder
        return self.driver(
            "run.py", self.suite_file(), "--builds", self.builds, "-o", where, *words, status=status, **more
        )

    def json(self, name, folder="out"):
        return json.loads((self.folder / folder / name).read_text())

    def sampled(self):
        return self.log.read_text().splitlines() if self.log.exists() else []


# ---- Suites --------------------------------------------------------------------------------------------------------


class Plan(DriverTest):
    def test_cells_variants_and_comparisons(self):
        self.run_suite()
        cells = self.json("plan.json")["cells"]
        self.assertEqual(
            [(c["operation"], c["size"]) for c in cells],
            [("LSH-256-256", 64), ("LSH-256-256", 4096), ("LEA-128-GCM", 0), ("control", 4000)],
        )
        ours = [f"hwacha@clang:{level}" for level in LEVELS]
        self.assertEqual(
            cells[0]["variants"], [*ours, "hwacha@gcc:avx2", "cryptopp:package", "hwacha-again@clang:avx2"]
        )
        expected = [("peer", "cryptopp:package", variant) for variant in ours]
        expected += [("compiler", "hwacha@gcc:avx2", ours[0]), ("again", "hwacha-again@clang:avx2", ours[0])]
        self.assertEqual([(c["kind"], c["slow"], c["fast"]) for c in cells[0]["comparisons"]], expected)
        self.assertNotIn("cryptopp:package", cells[2]["variants"])  # which has no LEA here
        known = {c["slow"]: c["expected"] for c in cells[3]["comparisons"]}
        self.assertEqual(known, {"control:same": 1, "control:1.08x": 1.08, "control:2x": 2})

    def test_only_modules_in_use_are_loaded(self):
        self.module("bench-clang", "openssl", {"SHA-256": {"evp": 10}}, info("OpenSSL"))
        self.run_suite()
        names = [module["name"] for module in self.json("plan.json")["modules"]]
        self.assertCountEqual(
            names, ["hwacha@clang", "hwacha@gcc", "cryptopp", "control", "hwacha-again@clang"]
        )  # not openssl, not gcc's copies of the others

    def test_again_is_a_copy_of_the_file_that_does_not_stay(self):
        self.run_suite(FAKE_PLAN=str(self.folder / "plan while running"))
        plan = json.loads((self.folder / "plan while running").read_text())
        path = {module["name"]: Path(module["path"]) for module in plan["modules"]}
        self.assertEqual(path["hwacha-again@clang"].parent.parent, (self.folder / "out").resolve())
        self.assertEqual(path["hwacha-again@clang"].name, path["hwacha@clang"].name)
        self.assertFalse(path["hwacha-again@clang"].exists())
        self.assertCountEqual(
            [entry.name for entry in (self.folder / "out").iterdir()],
            ["plan.json", "environment.json", "raw", "summary.json"]
            + (["objects.json"] if (self.folder / "out" / "objects.json").exists() else []),
        )

    def test_chains(self):
        scalar = {"LSH-256-256": {"scalar": 5000}}
        names = ["O0-apart", "O3-novec-apart", "O3-apart", "O3-novec", "O3", "O3-v2", "O3-v3", "O3-v4"]
        for name in names:
            self.module("bench-clang", f"scalar-{name}", scalar, info("scalar"))
        modules = run.built_modules(self.builds)
        for module in modules:
            listed = read_module(module.path)["ticks"]
            module.offers = {operation: list(variants) for operation, variants in listed.items()}
        given = suites.load("decomposition")
        given["require"] = []
        given["groups"][0]["operations"] = {"LSH-256-256": [4096]}
        (cell, _), _ = suites.expand(given, modules)
        chains = {}
        for c in cell["comparisons"]:
            if c["kind"] == "step":
                chains.setdefault(c["chain"], []).append((c["slow"], c["step"], c["fast"]))
        self.assertEqual(list(chains), ["avx2@clang", "ssse3@clang", "paper@clang"])  # gcc built no scalar code
        self.assertEqual([step for _, step, _ in chains["paper@clang"]], ["refnv", "ref", "avx2"])
        steps = chains["avx2@clang"]
        self.assertEqual(steps[0][0], "scalar-O0-apart@clang:scalar")
        self.assertEqual(steps[-1][2], "hwacha@clang:avx2")
        self.assertEqual(steps[-2][2], "scalar-O3-v3@clang:scalar")
        for one, next_one in zip(steps, steps[1:]):
            self.assertEqual(one[2], next_one[0])  # the factors multiply to the whole
        self.assertEqual(chains["ssse3@clang"][-2][2], "scalar-O3-v2@clang:scalar")

        # A link that is not there is left out, and the chain stays one.
        rest = [module for module in modules if module.name != "scalar-O3@clang"]
        (cell, _), _ = suites.expand(given, rest)
        steps = [c for c in cell["comparisons"] if c.get("chain") == "avx2@clang"]
        self.assertEqual(len(steps), 4)
        for one, next_one in zip(steps, steps[1:]):
            self.assertEqual(one["fast"], next_one["slow"])

    def test_no_wide_step_where_the_suite_knows_none(self):
        modules = [
            suites.Module("hwacha@clang", Path(), "", offers={"GHASH": ["neon", "portable"]}),
            suites.Module("scalar-O3@clang", Path(), "", offers={"GHASH": ["scalar"]}),
        ]
        found = list(suites.chains_of(suites.load("decomposition")["chains"]["hand"], "GHASH", modules))
        links = [(name, [variant for _, variant in links]) for name, links in found]
        self.assertEqual(links, [("neon@clang", ["scalar-O3@clang:scalar", "hwacha@clang:neon"])])

    def test_every_suite_of_the_repository_can_be_loaded(self):
        self.assertLessEqual({"batch", "decomposition", "lea-gcm", "quick", "seed-tables", "smoke"}, set(suites.names()))
        for name in suites.names():
            suite = suites.load(name)
            self.assertTrue(suite["description"])
            if name != "smoke":
                self.assertGreaterEqual(suite["clusters"], 10)
                self.assertGreaterEqual(suite["target"], 2000)

    def test_fields_that_nobody_reads_are_errors(self):
        for where, field in ((self.suite, "cluster"), (self.suite["groups"][0], "operation")):
            where[field] = 1
            self.assertIn(f"nobody reads '{field}'", self.run_suite(status=3).stderr)
            del where[field]
        self.suite["groups"][0]["comparisons"]["versus"] = []
        self.assertIn("versus", self.run_suite(status=3).stderr)
        self.assertEqual(self.sampled(), [])

    def refusal(self, text):
        path = self.folder / "mine.json"
        path.write_text(text)
        with self.assertRaises(suites.Stop) as caught:
            suites.load(str(path))
        words = str(caught.exception)
        self.assertEqual(caught.exception.status, 3, words)
        self.assertTrue(words.startswith(f"{path}: "), words)
        self.assertEqual(len(words.splitlines()), 1, words)
        return words

    def test_types_and_values_of_a_suite(self):
        chain = {"name": "{level}", "compilers": ["clang"], "links": [["a", "x:{level}"], ["b", "y:z"]]}
        good = {**self.suite, "chains": {"c": chain}}
        good["groups"][0]["chains"] = ["c"]
        bar = {"name": "a", "operation": "LSH-256-256", "size": 64, "slow": "x:y", "fast": "x:z", "most": 1.5}
        good["bars"] = [bar]
        text = json.dumps(good)
        (self.folder / "good.json").write_text(text)
        suites.load(str(self.folder / "good.json"))
        group = "groups/0/"
        sizes = group + "operations/LSH-256-256"
        integer = "an integer from 0 to 4294967296 (bytes) expected"
        for where, value, wanted in (
            ("", [], "[] given, a suite"),
            ("description", 1, "description: 1 given, a text expected"),
            ("clusters", 0, "clusters: 0 given, an integer from 1 to 99 expected"),
            ("clusters", "a", 'clusters: "a" given, an integer from 1 to 99'),
            ("clusters", True, "clusters: true given"),
            ("clusters", 100, "clusters: 100 given, an integer from 1 to 99"),
            ("target", 0, "target: 0 given"),
            ("target", 1.5, "target: 1.5 given"),
            ("box_seconds", 0, "box_seconds: 0 given, a number above 0"),
            ("minutes", math.nan, "minutes: NaN given"),
            ("seed", -1, "seed: -1 given"),
            ("require", "hwacha", 'require: "hwacha" given, a list of modules'),
            ("require", [1], "require[0]: 1 given"),
            ("groups", [], "groups: [] given, a list of at least one group"),
            ("groups", {}, "groups: {} given"),
            ("groups", [1], "groups[0]: 1 given"),
            (group + "operations", {}, "groups[0]: operations: {} given"),
            (group + "operations", {"control": [1]}, "'control' is in every run"),
            (sizes, 64, "LSH-256-256: 64 given, a list of at least one size expected"),
            (sizes, [], "LSH-256-256: [] given, a list of at least one size expected"),
            (sizes, [64, 64.5], f"LSH-256-256[1]: 64.5 given, {integer}"),
            (sizes, [64.0], f"64.0 given, {integer}"),
            (sizes, ["64"], f'"64" given, {integer}'),
            (sizes, [-1], f"-1 given, {integer}"),
            (sizes, [2**64 - 1], f"18446744073709551615 given, {integer}"),
            (sizes, [True], f"true given, {integer}"),
            (sizes, [64, 64], "64 bytes of LSH-256-256 are given twice"),
            ("groups", [*good["groups"], *good["groups"]], "groups[1]: operations: LSH-256-256[0]: 64 bytes"),
            (group + "variants", [], "variants: [] given"),
            (group + "variants", ["hwacha@clang"], "variants[0]: \"hwacha@clang\" given, a text 'MODULE:VARIANT'"),
            (group + "variants", ["{level}:x"], "only none expected"),
            (group + "comparisons", [], "comparisons: [] given"),
            (group + "comparisons/peer", [["a:b"]], 'peer[0]: ["a:b"] given, a pair [slow, fast] expected'),
            (group + "comparisons/peer", [["a:b", 1]], "peer[0][1]: 1 given"),
            (group + "chains", ["d"], 'chains[0]: "d" given, of the suite\'s chains one of c expected'),
            (group + "optional", 1, "optional: 1 given, true or false expected"),
            ("bars", 1, "bars: 1 given, a list of bars expected"),
            ("bars", [{}], "bars[0]: no 'name'"),
            ("bars", [{**bar, "least": 0}], "least: 0 given, a number above 0 and at most 1000 expected"),
            ("bars", [{**bar, "slow": "x"}], "slow: \"x\" given, a text 'MODULE:VARIANT'"),
            ("bars", [{**bar, "size": 65}], "bars[0]: no group has 65 bytes of LSH-256-256"),
            ("bars", [{**bar, "size": [64]}], f"size: [64] given, {integer}"),
            ("bars", [{**bar, "operation": {}}], "operation: {} given, a text expected"),
            ("chains", [], "chains: [] given"),
            ("chains/c/name", "{levle}@x", 'c: name: "{levle}@x" given, of words in braces only {compiler}, {level}'),
            ("chains/c/name", "{", 'name: "{" given, no brace'),
            ("chains/c/compilers", ["icc"], 'compilers[0]: "icc" given, one of clang, gcc expected'),
            ("chains/c/levels", "avx2", "levels: "),
            ("chains/c/wide", {"avx2": 3}, "wide: avx2: 3 given"),
            ("chains/c/links", [["a", "x:y"]], "a list of at least two links expected"),
            ("chains/c/links", [["a"], ["b", "x:y"]], 'links[0]: ["a"] given, [step, variant] expected'),
            ("chains/c/links", [["a", "{module}:y"], ["b", "x:y"]], "of words in braces only"),
        ):
            with self.subTest(where=where, value=value):
                changed = json.loads(text)
                at, *keys = [changed, *filter(None, where.split("/"))]
                for key in keys[:-1]:
                    at = at[int(key) if isinstance(at, list) else key]
                if keys:
                    at[keys[-1]] = value
                self.assertIn(wanted, self.refusal(json.dumps(changed if keys else value)))
        for missing, where in (("operations", good["groups"][0]), ("links", chain), ("groups", good)):
            kept = where.pop(missing)
            self.assertIn(f"no '{missing}'", self.refusal(json.dumps(good)))
            where[missing] = kept
        del good["groups"][0]["variants"], good["groups"][0]["chains"]
        self.assertIn("neither 'variants' nor 'chains'", self.refusal(json.dumps(good)))

    def test_a_field_given_twice_and_no_json(self):
        self.assertIn("'seed' is given twice", self.refusal('{"seed": 1, "seed": 2}'))
        self.refusal("{")
        self.refusal("[" * 100_000)

    def test_time_box_shrinks_to_the_minutes(self):
        self.run_suite("--minutes", "0.1")
        self.assertAlmostEqual(self.json("plan.json")["box_seconds"], 0.1 * 60 / (3 * 4))


# ---- Modules -------------------------------------------------------------------------------------------------------


class Modules(DriverTest):
    def test_a_module_that_was_not_built(self):
        self.suite["require"].append("scalar-O3@clang")
        self.assertIn("scalar-O3@clang", self.run_suite(status=3).stderr)

    def test_a_required_module_that_offers_nothing(self):
        self.suite["require"].append("cryptopp")
        self.module("bench-clang", "cryptopp", {}, info("Crypto++"))
        self.assertIn("cryptopp, which offers nothing", self.run_suite(status=3).stderr)

    def test_no_control_no_run(self):
        (self.builds / "bench-clang/bench/modules/control.so").unlink()
        self.assertIn("control", self.run_suite(status=3).stderr)

    def test_an_operation_that_nothing_offers(self):
        self.suite["groups"].append({"operations": {"SHA-256": [64]}, "variants": ["openssl:*"]})
        self.assertIn("nothing here offers SHA-256", self.run_suite(status=3).stderr)
        self.suite["groups"][-1]["optional"] = True
        self.assertIn("SHA-256; left out", self.run_suite().stderr)

    def test_a_broken_module_is_named(self):
        self.module("bench-gcc", "hwacha", {}, info(), abi=2)
        self.assertRegex(self.run_suite(status=3).stderr, r"hwacha@gcc: .*adapter interface 2")

    def test_no_programs(self):
        shutil.rmtree(self.folder / "programs")
        self.assertIn("was the harness built?", self.run_suite(status=3).stderr)

    def test_peer_from_the_environment(self):
        ticks = {"LSH-256-256": {"fast": 150, "slow": 900}}
        peer = self.module("elsewhere", "libmine", ticks, info("mine"), root=self.folder)
        printed = self.run_suite(HWACHA_PEER_MY_OWN=str(peer)).stdout
        cell = self.json("plan.json")["cells"][0]
        self.assertLess({"my_own:fast", "my_own:slow"}, set(cell["variants"]))
        against = {(c["slow"], c["fast"]) for c in cell["comparisons"] if c["kind"] == "peer"}
        self.assertIn(("my_own:slow", "hwacha@clang:portable"), against)
        self.assertIn("my_own 1.50 [", printed)

    def test_peer_that_is_missing_or_wrong(self):
        self.assertIn(
            "HWACHA_PEER_X: /no/lib.so: no such file", self.run_suite(status=3, HWACHA_PEER_X="/no/lib.so").stderr
        )
        old = self.module("elsewhere", "old", {}, info(), abi=7, root=self.folder)
        words = self.run_suite(status=3, HWACHA_PEER_OLD=str(old)).stderr
        self.assertRegex(words, r"HWACHA_PEER_OLD: .*adapter interface 7, expected 1")
        for taken in ("CRYPTOPP", "CONTROL", "PEERS", "HWACHA"):
            self.assertIn("is taken", self.run_suite(status=2, **{f"HWACHA_PEER_{taken}": str(old)}).stderr)
        self.assertEqual(self.sampled(), [])

    def test_peer_under_a_name_that_is_none(self):
        for name, value, wanted in (
            ("HWACHA_PEER_Foo", "x.so", "HWACHA_PEER_Foo: HWACHA_PEER_<NAME> expected, NAME of A-Z, 0-9 and _"),
            ("HWACHA_PEER_", "x.so", "HWACHA_PEER_: HWACHA_PEER_<NAME> expected"),
            ("HWACHA_PEER_A-B", "x.so", "HWACHA_PEER_A-B: "),
            ("HWACHA_PEER_X", "", "HWACHA_PEER_X is empty: a library expected"),
        ):
            with self.subTest(name):
                self.assertIn(wanted, self.run_suite("--check-arguments", status=2, **{name: value}).stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_peer_that_offers_nothing_of_the_suite(self):
        peer = self.module("elsewhere", "other", {"SHA-1": {"c": 9}}, info("other"), root=self.folder)
        self.assertIn("HWACHA_PEER_OTHER offers nothing", self.run_suite(HWACHA_PEER_OTHER=str(peer)).stderr)


# ---- A run ---------------------------------------------------------------------------------------------------------


class Clusters(DriverTest):
    def test_each_is_a_process_with_its_seed_and_the_best_probe_so_far(self):
        self.run_suite("--cpu", str(min(os.sched_getaffinity(0))))
        words = [line.split() for line in self.sampled()]
        self.assertEqual([option(line, "--cluster") for line in words], ["0", "1", "2"])
        self.assertEqual([option(line, "--seed") for line in words], ["1000", "1001", "1002"])
        self.assertEqual([option(line, "--probe-best") for line in words], [None, "1000.0", "999.0"])
        self.assertTrue(all(option(line, "--cpu") == str(min(os.sched_getaffinity(0))) for line in words))

    def test_more_until_the_target_is_met(self):
        done = self.run_suite(FAKE_ROWS="6")  # 3 clusters give 18 of 30
        self.assertEqual(len(self.sampled()), 5)
        self.assertEqual(self.json("summary.json")["clusters"], 5)
        self.assertIn("short of 30: 2 more clusters", done.stderr)
        self.assertIn("cluster 5 of 5", done.stderr)

    def test_no_more_when_the_time_is_up(self):
        self.run_suite("--minutes", "0.001", FAKE_ROWS="6")
        self.assertEqual(len(self.sampled()), 3)

    def test_cells_with_an_operation_above_a_millisecond_are_boxed_by_time(self):
        slow = {operation: {"avx2": 500_000, "portable": 2_000_000} for operation in ("LSH-256-256", "LEA-128-GCM")}  # at 1 GHz
        self.module("bench-clang", "hwacha", slow, info())
        self.suite["groups"][0]["variants"] = ["hwacha@clang:*"]
        done = self.run_suite(FAKE_ROWS="6", FAKE_CONTROL_ROWS="10")
        self.assertEqual(len(self.sampled()), 3)
        self.assertNotIn("short of", done.stderr)
        self.assertIn("| 18 |", done.stdout)  # n is told

    def test_options_over_the_suite(self):
        self.run_suite("--clusters", "2", "--target", "50")
        self.assertEqual(len(self.sampled()), 2)
        plan = self.json("plan.json")
        self.assertEqual((plan["clusters"], plan["target"]), (2, 50))

    def test_unreliable_is_said_and_no_failure(self):
        done = self.run_suite(FAKE_REASONS="planted noise;a second reason")
        self.assertRegex(done.stderr, "NOT RELIABLE:\n  planted noise\n  a second reason")
        self.assertNotIn("NOT RELIABLE", self.run_suite(folder="quiet").stderr)

    def test_table_and_folder_at_the_end(self):
        lines = self.run_suite().stdout.splitlines()
        self.assertEqual(lines[-1], str(self.folder / "out"))
        self.assertRegex(lines[2], r"^\| LSH-256-256 \| 64 \| hwacha@clang:avx2 \| 1\.564 \| 30 \|  \| cryptopp 3\.00 \[")
        self.assertRegex(lines[4], r"^\| LEA-128-GCM \| 0 \| hwacha@clang:avx2 \| 100 a call \| 30 \|  \|  \|$")
        self.assertFalse(any("control" in line for line in lines))

    def test_a_lower_median_is_not_the_choice(self):
        """The first one is; another is named if it is faster by more than the floor."""
        for ticks, said in ((98, ""), (80, "ssse3 1.25")):
            self.module("bench-clang", "hwacha", {"LSH-256-256": {**LEVELS, "ssse3": ticks}}, info())
            del self.suite["groups"][0]["operations"]
            self.suite["groups"][0]["operations"] = {"LSH-256-256": [64]}
            lines = self.run_suite(folder=f"out{ticks}").stdout.splitlines()
            self.assertIn(f"| hwacha@clang:avx2 | 1.564 | 30 | {said} | cryptopp 3.00 [", lines[2])

    def test_bars(self):
        self.suite["bars"] = [
            {**bar, "operation": "LSH-256-256", "size": 64, "slow": "hwacha@clang:portable", "fast": fast}
            for bar, fast in (
                ({"name": "wide", "least": 3}, "hwacha@clang:single"),
                ({"name": "for information"}, "hwacha@clang:best"),
                ({"name": "not here", "most": 1}, "hwacha@clang:*, threads 2"),
            )
        ]
        done = self.run_suite(FAKE_VERDICT="met")
        self.assertIn("nothing here offers bar 'not here'; left out", done.stderr)
        lines = done.stdout.splitlines()
        ratio = "4.00 [3.99, 4.00]"
        self.assertEqual(lines[8:10], [f"| wide | {ratio} | 3 |  | met |", f"| for information | {ratio} |  |  | met |"])
        planned = [c for c in self.json("plan.json")["cells"][0]["comparisons"] if c["kind"] == "bar"]
        limits = [("wide", 3, None), ("for information", None, None)]
        self.assertEqual([(c["name"], c["least"], c["most"]) for c in planned], limits)
        self.assertFalse([c for c in self.json("plan.json")["cells"][1]["comparisons"] if c["kind"] == "bar"])

    def test_progress_of_a_log(self):
        lines = [line for line in self.run_suite().stderr.splitlines() if line.startswith("cluster ")]
        self.assertEqual(len(lines), 3)
        self.assertRegex(lines[0], r"^cluster 1 of 3, 4 cells, [\d,]+ blocks, about \d+ s left$")
        self.assertRegex(lines[2], r"^cluster 3 of 3, 4 cells, [\d,]+ blocks$")

    def test_accepted_blocks_are_the_analysis_s(self):
        done = self.run_suite()
        blocks = self.json("summary.json")["probe"]["blocks"]
        self.assertIn(f"{blocks - 1:,} of {blocks:,} blocks accepted\n", done.stderr)
        self.assertIn(f"cluster 3 of 3, 4 cells, {blocks:,} blocks\n", done.stderr)

    def test_outputs_that_differ(self):
        done = self.run_suite(status=3, FAKE_FAIL_AT="1")
        self.assertIn("cluster 1: LSH-256-256 of 64 bytes: a and b write different outputs", done.stderr)
        self.assertEqual(sorted(p.name for p in (self.folder / "out/raw").iterdir()), ["00.csv", "00.json"])
        self.assertIn("out has 1 of 3 clusters, none analysed\n", done.stderr)

    def test_a_run_that_measured_nothing_leaves_nothing(self):
        self.assertIn("nothing is kept", self.run_suite(status=3, FAKE_FAIL_AT="0").stderr)
        self.assertFalse((self.folder / "out").exists())
        (self.folder / "out").mkdir()
        self.run_suite(status=3, FAKE_FAIL_AT="0")
        self.assertEqual(list((self.folder / "out").iterdir()), [])  # which was there
        self.run_suite()

    def interrupt(self, number, wait_at):
        with subprocess.Popen(
            self.command("run.py", self.suite_file(), "--builds", self.builds, "-o", self.folder / "out"),
            env={**self.environment, "FAKE_WAIT_AT": str(wait_at)},
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as program:
            part = self.folder / f"out/raw/{wait_at:02}.csv"
            for _ in range(600):
                if part.exists():
                    break
                time.sleep(0.05)
            begun = time.monotonic()
            program.send_signal(number)
            _, words = program.communicate(timeout=60)
            self.assertLess(time.monotonic() - begun, 40)  # the sampler waits for 60
        self.assertFalse((self.folder / "out/again.tmp").exists())
        self.assertFalse(part.exists())
        self.assertNotIn("Traceback", words)
        return program.returncode, words

    def test_control_c_leaves_what_is_finished_analysed(self):
        status, words = self.interrupt(signal.SIGINT, wait_at=2)
        self.assertEqual(status, 130)
        self.assertIn("2 of 3 clusters, analysed", words)
        self.assertEqual(self.json("summary.json")["clusters"], 2)
        self.assertIsNotNone(self.json("environment.json")["end"])

    def test_control_c_before_anything_is_finished(self):
        status, words = self.interrupt(signal.SIGINT, wait_at=0)
        self.assertEqual(status, 130)
        self.assertIn("no cluster was finished: nothing is kept", words)
        self.assertFalse((self.folder / "out").exists())

    def test_termination(self):
        self.assertEqual(self.interrupt(signal.SIGTERM, wait_at=1)[0], 143)


class Usage(DriverTest):
    def test_arguments(self):
        for words in (
            ["--clusters", "0"],
            ["--clusters", "100"],
            ["--target", "-1"],
            ["--target", str(2**64)],
            ["--minutes", "nan"],
            ["--minutes", "x"],
            ["--cpu", "99999"],
            ["--cpu", "x"],
            ["--what"],
            ["more"],
        ):
            with self.subTest(words):
                self.assertRegex(self.run_suite(*words, status=2).stderr, r"^run: .*\(see --help\)$")
        self.assertIn("lea-gcm, quick", self.driver("run.py", "nosuch", status=2).stderr)
        self.driver("run.py", status=2)
        self.assertEqual(self.sampled(), [])

    def test_a_folder_with_something_in_it(self):
        (self.folder / "out").mkdir()
        self.run_suite("--check-arguments")
        self.run_suite()
        self.assertIn("not an empty folder", self.run_suite(status=2).stderr)

    def test_folders_of_the_same_second(self):
        places = run.ROOT, run.datetime
        self.addCleanup(lambda: (setattr(run, "ROOT", places[0]), setattr(run, "datetime", places[1])))

        class Noon(places[1]):
            @classmethod
            def now(cls, zone=None):
                return cls(2024, 1, 2, 12, tzinfo=zone)

        run.ROOT, run.datetime = self.folder, Noon
        first, second = run.Results(None, "x"), run.Results(None, "x")
        names = [results.claim().name for results in (first, second, run.Results(None, "x"))]
        self.assertEqual(names, ["x-20240102T120000Z", "x-20240102T120000Z-2", "x-20240102T120000Z-3"])
        second.clear()
        self.assertTrue(first.folder.exists())
        self.assertFalse(second.folder.exists())
        (self.folder / "out").rename(self.folder / "elsewhere")
        (self.folder / "out").symlink_to("nowhere")
        with self.assertRaises(OSError):
            run.Results(None, "x").claim()

    def test_pack_of_the_folder_one_is_in(self):
        (self.folder / "here").mkdir()
        words = [self.suite_file(), "--builds", self.builds, "-o", ".", "--pack"]

        def here(status):
            command = self.command("run.py", *words)
            more = {"capture_output": True, "text": True, "check": False, "env": self.environment}
            done = subprocess.run(command, cwd=self.folder / "here", **more)
            self.assertEqual(done.returncode, status, done.stderr)
            return done

        self.assertIn(str(self.folder / "here.tar.xz"), here(0).stdout)
        with tarfile.open(self.folder / "here.tar.xz") as archive:
            self.assertIn("here/summary.json", archive.getnames())
        # An archive is not written over, and that is said before anything is measured.
        shutil.rmtree(self.folder / "here")
        (self.folder / "here").mkdir()
        self.assertIn("here.tar.xz is there already", here(2).stderr)
        self.assertEqual(len(self.sampled()), 3)

    def test_output_that_cannot_be_written(self):
        line = " ".join(map(shlex.quote, self.command("run.py", self.suite_file(), "--builds", str(self.builds))))
        more = {"capture_output": True, "text": True, "check": False, "env": self.environment, "cwd": self.folder}
        done = subprocess.run(["sh", "-c", f"exec {line} -o out >&-"], **more)
        self.assertEqual(done.returncode, 3)
        self.assertIn("standard output is closed", done.stderr)
        self.assertFalse((self.folder / "out").exists())
        if Path("/dev/full").exists():
            done = subprocess.run(["sh", "-c", f"exec {line} -o out >/dev/full"], **more)
            self.assertEqual(done.returncode, 3)
            self.assertIn("No space left", done.stderr)
            self.assertTrue((self.folder / "out/summary.json").exists())
        done = subprocess.run(["sh", "-c", f"exec {line} -o quiet 2>&-"], **more)
        self.assertEqual(done.returncode, 0)
        self.assertNotIn("cluster 1", done.stdout)

    def test_an_accident_is_never_status_1(self):
        def accident(_):
            raise TypeError("one\ntwo")

        with unittest.mock.patch("sys.stderr", io.StringIO()) as words, unittest.mock.patch.object(
            run, "catch_signals"
        ):
            self.assertEqual(run.guarded(accident), 3)
            self.assertRegex(words.getvalue(), r"^\w+: unexpected TypeError at driver_test.py:\d+: one two\n$")

    def test_check_arguments_does_nothing_else(self):
        self.run_suite("--check-arguments")
        self.assertFalse((self.folder / "out").exists())

    def test_fronts(self):
        for name in ("run", "compare"):
            front = ROOT / "bench" / name
            for words in (["--help"], ["-o", "x", "-h"]):
                done = subprocess.run([front, *words], capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stdout, rf"^{name} [A-Z].*\n")
                self.assertIn("Exit status: 0", done.stdout)
        done = subprocess.run([ROOT / "bench/run", "nosuch", "--no-build"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)


# ---- What results tell ---------------------------------------------------------------------------------------------


class Privacy(DriverTest):
    def test_environment_is_complete_and_anonymous(self):
        facts = environment.begin()
        environment.end(facts)
        for key in ("cpu", "cpus", "kernel", "os", "load_start", "load_end", "date", "end", "compilers", "python"):
            self.assertIsNotNone(facts[key], key)
        self.assertRegex(facts["date"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual(
            facts["hwacha_version"], re.search(r"hwacha VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
        )
        reserved = {"clock", "counters", "granularity", "empty_block", "ticks_per_second", "core_cycles_per_tick"}
        self.assertFalse(reserved & facts.keys())  # the analysis adds them

        def texts(value):
            if isinstance(value, dict):
                value = [*value.values()]
            if isinstance(value, list):
                return [text for item in value for text in texts(item)]
            return [value] if isinstance(value, str) else []

        for text in texts(facts):
            self.assertNotRegex(text, r"(^|\s)/\w")
            self.assertFalse({getpass.getuser(), socket.gethostname()} & set(re.findall(r"[\w.-]+", text)), text)

    def test_what_cannot_be_read_is_null(self):
        paths = environment.CPU, environment.read
        self.addCleanup(lambda: (setattr(environment, "CPU", paths[0]), setattr(environment, "read", paths[1])))
        environment.CPU, environment.read = self.folder / "nothing", lambda path: None
        facts = environment.begin()
        environment.end(facts)
        for key in (
            "smt",
            "siblings",
            "hypervisor",
            "caches",
            "governor",
            "boost",
            "clocksource",
            "memory_mib",
            "mhz_end",
        ):
            self.assertIsNone(facts[key], key)
        self.assertIsNone(facts["cpu"]["model"])
        json.dumps(facts, allow_nan=False)

    def test_no_path_stays_in_the_folder_and_names_not_in_the_archive(self):
        peer = self.module("elsewhere", "libmine", {"LSH-256-256": {"c": 150}}, info("mine"), root=self.folder)
        self.assertIn("out.tar.xz", self.run_suite("--pack", HWACHA_PEER_MINE=str(peer)).stdout)
        files = [path for path in (self.folder / "out").rglob("*") if path.is_file()]
        self.assertGreater(len(files), 8)
        for path in files:
            self.assertNotIn(str(self.folder), path.read_text(), path.name)
        paths = {module["name"]: module["path"] for module in self.json("plan.json")["modules"]}
        self.assertEqual(paths["hwacha@gcc"], "bench-gcc/bench/modules/hwacha.so")
        self.assertEqual(paths["mine"], "libmine.so")
        with tarfile.open(self.folder / "out.tar.xz") as archive:
            entries = archive.getmembers()
        self.assertEqual(len([entry for entry in entries if entry.isfile()]), len(files))
        self.assertEqual({(entry.uname, entry.gname, entry.uid) for entry in entries}, {("", "", 0)})


# ---- Comparisons ---------------------------------------------------------------------------------------------------


class CompareBuilds(DriverTest):
    def setUp(self):
        super().setUp()
        for name in ("base", "new"):
            self.build(name)

    def build(self, name, factor=1.0, about=None, machine=X86_64, operations=("LSH-256-256", "GHASH"), levels=LEVELS):
        ticks = {o: {v: t * factor for v, t in levels.items()} for o in operations}
        self.module(name, "hwacha", ticks, about or info(), root=self.folder, machine=machine)
        self.module(name, "control", CONTROL, info("control"), root=self.folder)

    def compare(self, *words, status, **more):
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        return self.driver("compare.py", "base", "new", "-o", "out", *words, status=status, **more)

    def test_no_difference(self):
        done = self.compare(status=0)
        self.assertIn("0 slower, 0 faster, 8 without a difference", done.stdout)
        cells = self.json("plan.json")["cells"]
        self.assertEqual([c["size"] for c in cells], [64, 4096, 64, 4096, 4000])
        # The two best tables, and identical code twice.
        wanted = ["base:avx2", "new:avx2", "base:ssse3", "new:ssse3", "base-again:avx2"]
        self.assertEqual(cells[0]["variants"], wanted)
        self.assertEqual([c["kind"] for c in cells[0]["comparisons"]], ["build", "build", "again"])
        self.assertEqual(len(self.sampled()), 10)
        self.assertFalse((self.folder / "out/again.tmp").exists())
        for module in self.json("plan.json")["modules"]:
            self.assertFalse(Path(module["path"]).is_absolute())

    def test_the_clone_of_the_script_is_not_what_was_measured(self):
        self.compare(status=0)
        facts = self.json("environment.json")
        for key in ("commit", "modified", "hwacha_version"):
            self.assertIsNone(facts[key], key)

    def test_slower_and_faster(self):
        self.build("new", 1.1)
        done = self.compare("--json", "verdict.json", status=1)
        self.assertRegex(done.stdout, r"\| LSH-256-256 \| 64 \| avx2 \| 1\.10\d \| 1\.09\d to 1\.10\d \| slower \|")
        outcome = json.loads((self.folder / "verdict.json").read_text())
        self.assertEqual({c["verdict"] for c in outcome["comparisons"]}, {"slower"})
        self.assertEqual((outcome["form"], outcome["floor"], outcome["reliable"]), ("builds", 0.03, True))
        self.compare("--threshold", "15", status=0)
        self.build("new", 0.9)
        self.assertIn("8 faster", self.compare(status=0).stdout)

    def test_operations_sizes_and_clusters(self):
        words = ["--operations", "^GH", "--sizes", "16,24,160", "--clusters", "2", "--target", "20"]
        self.compare(*words, status=0)
        plan = self.json("plan.json")
        # All tables; GHASH does not take 24 bytes.
        self.assertEqual([(c["operation"], c["size"]) for c in plan["cells"][:-1]], [("GHASH", 16), ("GHASH", 160)])
        self.assertIn("new:portable", plan["cells"][0]["variants"])
        self.assertEqual((plan["clusters"], plan["target"]), (2, 20))
        self.compare("--operations", "nosuch", status=2)
        self.compare("--operations", "GHASH", "--sizes", "3", status=2)

    def test_tables_that_only_one_has(self):
        self.build("new", levels={"avx512": 50, **LEVELS})
        done = self.compare(status=0)
        self.assertIn("only one of the builds has avx512", done.stderr)
        self.assertNotIn("avx512", done.stdout)
        self.build("new", operations=("LSH-512-512",))
        self.compare(status=2)

    def test_refuses_unlike_builds_and_says_why(self):
        self.build("new", about=info(compiler="GNU 12", flags="-O2"))
        words = self.compare(status=2).stderr
        self.assertIn("compiler: 'Clang 19' and 'GNU 12'", words)
        self.assertIn("flags: '-O3' and '-O2'", words)
        self.assertEqual(self.sampled(), [])
        self.compare("--allow-unlike", status=0)

    def test_refuses_the_same_file(self):
        self.assertIn("the same build", self.driver("compare.py", "base", "./base", status=2).stderr)
        shutil.rmtree(self.folder / "new")
        (self.folder / "new").symlink_to("base")
        self.assertIn("the same build", self.compare(status=2).stderr)
        (self.folder / "new").unlink()
        self.build("new")
        (self.folder / "new" / compare.MODULE).unlink()
        os.link(self.folder / "base" / compare.MODULE, self.folder / "new" / compare.MODULE)
        self.assertIn("the same build", self.compare(status=2).stderr)

    def test_refuses_other_processors(self):
        self.build("new", machine=AARCH64)
        self.assertIn("different kinds of processors", self.compare("--allow-unlike", status=2).stderr)
        (self.folder / "new" / compare.MODULE).write_text("not a library, but long enough for a header")
        self.assertIn("not a shared library", self.compare(status=3).stderr)

    def test_missing(self):
        self.assertIn("neither a build folder", self.driver("compare.py", "base", "nosuch", status=3).stderr)
        self.compare("--json", "no/such/folder.json", status=3)
        self.assertEqual(self.sampled(), [])

    def test_usage(self):
        for words in (
            ["--threshold", "1"],
            ["--sizes", "a"],
            ["--sizes", "-1"],
            ["--operations", "("],
            ["--sizes", str(2**32 + 1)],
            ["--clusters", "0"],
            ["--clusters", "100"],
        ):
            with self.subTest(words):
                self.compare(*words, status=2)
        self.driver("compare.py", "base", status=2)

    def test_unreliable_is_said(self):
        self.assertIn("NOT RELIABLE", self.compare(status=0, FAKE_REASONS="noise").stderr)


class CompareResults(DriverTest):
    measured = None

    def setUp(self):
        super().setUp()
        if not CompareResults.measured:
            self.run_suite(folder="base")
            CompareResults.measured = (self.folder / "base/summary.json").read_text()
        for name in ("base", "new"):
            (self.folder / name).mkdir(exist_ok=True)
            (self.folder / name / "summary.json").write_text(self.measured)

    def change(self, function, folder="new"):
        path = self.folder / folder / "summary.json"
        summary = json.loads(path.read_text())
        function(summary)
        path.write_text(json.dumps(summary))

    def compare(self, *words, status):
        return self.driver("compare.py", "base", "new", *words, status=status)

    def scale(self, factor, ours="hwacha@"):
        def scaled(summary):
            for cell in summary["cells"]:
                for variant in cell["variants"]:
                    if variant["variant"].startswith(ours):
                        for key in ("median", "low", "high"):
                            variant[key] *= factor

        self.change(scaled)

    def test_the_same_figures(self):
        done = self.compare(status=0)
        self.assertIn("the weaker form", done.stdout)
        self.assertIn("0 slower, 0 faster", done.stdout)
        self.assertNotIn("hwacha-again", done.stdout)

    def test_slower(self):
        self.scale(1.05)
        self.assertIn("| slower |", self.compare(status=1).stdout)
        self.compare("--threshold", "6", status=0)
        self.assertNotIn("LSH", self.compare("--operations", "LEA", status=1).stdout)
        self.compare("--operations", "LEA", "--sizes", "64", status=2)

    def test_the_spread_of_identical_code_is_a_floor(self):
        self.scale(1.05)
        self.change(lambda summary: summary["controls"].update(again_spread=0.08), "base")
        self.assertIn("more than 8.0 %", self.compare(status=0).stdout)

    def test_drift_of_what_did_not_change(self):
        self.scale(1.2, "cryptopp")
        self.assertIn("compare two build folders instead", self.compare(status=0).stderr)

    def test_refuses_unlike_machines_and_says_why(self):
        def environment_of(**more):
            return lambda summary: summary["environment"].update(more)

        base = json.loads(self.measured)
        processor = base["environment"]["cpu"]
        for wanted, change in (
            ("processor's model", environment_of(cpu={**processor, "model": "Another"})),
            ("processor's microcode", environment_of(cpu={**processor, "microcode": "0xffff"})),
            ("virtualisation", environment_of(virtualisation="another")),
            ("hypervisor", environment_of(hypervisor="another")),
            ("clock", environment_of(clock="steady_clock")),
            ("ticks_per_second", environment_of(ticks_per_second=1.1e9)),
            ("core_cycles_per_tick", environment_of(core_cycles_per_tick=1.5)),
            ("governor", environment_of(governor="another")),
            ("clang++-19", environment_of(compilers={"clang++-19": "another"})),
            ("suite", lambda summary: summary.update(suite="another")),
            ("cells", lambda summary: summary["cells"].pop()),
            ("modules", lambda summary: summary["modules"].pop()),
            ("hwacha@clang's flags", lambda s: [m["info"].update(flags="-O1") for m in s["modules"]]),
            ("hwacha@clang's compiler", lambda s: [m["info"].update(compiler="?") for m in s["modules"]]),
        ):
            with self.subTest(wanted):
                new = json.loads(self.measured)
                change(new)
                self.assertTrue(any(line.startswith(f"{wanted}: ") for line in compare.unlikeness(base, new)))
        self.change(environment_of(clock="steady_clock"))
        self.assertIn('\n  clock: "rdtsc" and "steady_clock"', self.compare(status=2).stderr)
        self.compare("--allow-unlike", status=0)

    def test_what_does_not_make_results_unlike(self):
        self.change(lambda s: s["environment"].update(ticks_per_second=1.001e9, load_start=[9, 9, 9], commit="another"))
        self.change(lambda s: s["environment"].update(HWACHA_CPU="avx2"))  # which the modules do not heed
        self.compare(status=0)

    def test_a_ratio_and_its_inverse_are_as_far_from_1(self):
        for ratio, wanted in (
            (1.031, "slower"),
            (1 / 1.031, "faster"),
            (1.029, "no difference"),
            (1 / 1.029, "no difference"),
            (0.9705, "faster"),  # 3.04 % by 1 / ratio, 2.95 % by the other count
        ):
            self.assertEqual(compare.verdict({"ratio": ratio, "real": True}, 0.03), wanted, ratio)
        self.assertEqual(compare.verdict({"ratio": 2, "real": False}, 0.03), "no difference")

    def test_refuses_the_same_result_and_mixtures(self):
        self.driver("compare.py", "base", "base/../base", status=2)
        build = self.builds / "bench-clang"
        self.assertIn("the other a result folder", self.driver("compare.py", "base", build, status=2).stderr)
        self.assertIn("nothing is measured", self.compare("--clusters", "3", status=2).stderr)

    def test_a_summary_that_cannot_be_read(self):
        (self.folder / "new/summary.json").write_text("{")
        self.compare(status=3)
        whole = json.loads(self.measured)
        for broken in (
            {"format": 2},
            {"format": 1},
            [],
            1,
            {**whole, "cells": [1]},
            {**whole, "cells": [{"operation": "x", "size": 1, "variants": [{}]}]},
            {**whole, "cells": [{"operation": "x", "size": 1, "variants": [{"variant": "a:b", "median": 1}]}]},
            {
                **whole,
                "cells": [{**whole["cells"][0], "variants": [{"variant": "a", "median": 1, "low": 0, "high": 1}]}],
            },
            {**whole, "modules": [{"name": "x"}]},
            {**whole, "controls": {}},
            {**whole, "controls": {"again_spread": "x"}},
        ):
            with self.subTest(broken):
                (self.folder / "new/summary.json").write_text(json.dumps(broken))
                words = self.compare(status=3).stderr
                self.assertRegex(words, r"^compare: new/summary.json: .*\n$")

    def test_an_accident_is_not_called_slower(self):
        self.change(lambda summary: summary["environment"].update(cpu=1))
        self.assertRegex(self.compare(status=3).stderr, r"^compare: unexpected AttributeError at compare.py:\d+: .*\n$")

    def test_unreliable_is_said(self):
        self.change(lambda summary: summary.update(reliable=False, reasons=["planted noise"]))
        self.assertIn("NEW is NOT RELIABLE: planted noise", self.compare(status=0).stderr)


if __name__ == "__main__":
    unittest.main()
