"""Is NEW slower than BASE? Two build folders, interleaved in one process, or, weaker, two result folders. bench/compare
is the command.

compare.py BASE NEW [options of bench/compare]
"""

import argparse
import json
import math
import re
import struct
import sys
from pathlib import Path

import run
import suites
from run import Parser, Programs, Run, count, guarded, positive, warn
from suites import BROKEN, USAGE, Module, Stop

MODULE = Path("bench/modules/hwacha.so")
CONTROL = Path("bench/modules/control.so")
# What is compared unless --operations says otherwise: every kernel family once.
REPRESENTATIVE = ("LSH-256-256", "LSH-512-512", "LEA-128-CTR", "LEA-128-GCM", "GHASH")
TABLES = 2
SIZES = [64, 4096]
WHOLE_BLOCKS = re.compile(r"(LEA-\d+-(ECB|CTR)|GHASH)$")  # multiples of 16 bytes only
BOX_SECONDS = 1.0
LEAST_THRESHOLD = 3.0  # per cent; least_effect in stats/statistics.hpp, below which the analysis calls nothing real
CLUSTERS, TARGET = 10, 2000
MACHINE = "architecture hypervisor virtualisation clock clocksource governor frequency_driver boost smt".split()
PROCESSOR = "model vendor family model_number stepping microcode".split()
RATES = {"ticks_per_second": 0.01, "core_cycles_per_tick": 0.05}  # and how much they may differ
WEAKER_FORM = """Two runs at different times: the weaker form. Only what exceeds the larger of the threshold and both
runs' spread of identical code counts; two build folders, interleaved in one process, decide smaller questions.
"""


# ---- Verdicts ------------------------------------------------------------------------------------------------------


def off(ratio):
    """How far from 1, the same for a ratio and its inverse (stats/statistics.hpp)."""
    return max(ratio, 1 / ratio) - 1


def verdict(result, floor):
    """`result` is NEW's time over BASE's."""
    ratio = result["ratio"]
    if not result["real"] or off(ratio) <= floor:
        return "no difference"
    return "slower" if ratio > 1 else "faster"


def report(report_of, given):
    """Prints the table, writes the JSON; exit status."""
    results = report_of["comparisons"]
    print("| operation | bytes | variant | new/base | 95 % interval | |")
    print("|---|--:|---|--:|---|---|")
    for r in results:
        print(
            f"| {r['operation']} | {r['size']} | {r['variant']} | {r['ratio']:.3f} | {r['low']:.3f} to {r['high']:.3f} "
            f"| {r['verdict']} |"
        )
    slower = [r for r in results if r["verdict"] == "slower"]
    faster = [r for r in results if r["verdict"] == "faster"]
    alike = len(results) - len(slower) - len(faster)
    print(
        f"\n{len(slower)} slower, {len(faster)} faster, {alike} without a difference. "
        f"It counts when the interval excludes 1 and the ratio is off by more than {100 * report_of['floor']:.1f} %."
    )
    if given.json:
        run.write_json(given.json, report_of)
    return 1 if slower else 0


# ---- Two build folders ---------------------------------------------------------------------------------------------


def machine_of(path):
    """What kind of processor a library is for: class, byte order and machine of its ELF header."""
    with open(path, "rb") as file:
        head = file.read(20)
    if len(head) < 20 or head[:4] != b"\x7fELF":
        raise Stop(BROKEN, f"{path}: not a shared library of this system")
    order = "<" if head[5] == 1 else ">"
    return head[4], head[5], struct.unpack(order + "H", head[18:20])[0]


def refuse_unlike_builds(base, new, allowed):
    differences = [
        f"{key}: '{base.info.get(key)}' and '{new.info.get(key)}'"
        for key in ("compiler", "flags")
        if base.info.get(key) != new.info.get(key)
    ]
    if differences and not allowed:
        raise Stop(
            USAGE,
            "the builds differ in more than the source (--allow-unlike compares them):\n  " + "\n  ".join(differences),
        )
    return differences


def chosen_operations(base, new, pattern):
    """{operation: tables that both have}, in NEW's order."""
    common = {}
    for operation, tables in new.offers.items():
        both = [table for table in tables if table in base.offers.get(operation, [])]
        if not (pattern.search(operation) if pattern else operation in REPRESENTATIVE):
            continue
        if alone := set(tables) ^ set(base.offers.get(operation, [])):
            warn(f"{operation}: only one of the builds has {', '.join(sorted(alone))}")
        if both:
            common[operation] = both if pattern else both[:TABLES]
    if not common:
        raise Stop(
            USAGE, "no operation that both builds offer " + ("fits" if pattern else "is among the representative ones")
        )
    return common


def build_cells(operations, sizes):
    cells = []
    for operation, tables in operations.items():
        variants, comparisons = [], []
        for table in tables:
            variants += [f"base:{table}", f"new:{table}"]
            comparisons.append(suites.comparison(f"new:{table}", f"base:{table}", "build"))
        variants, comparisons = suites.with_again(variants, comparisons, ours="base", again="base-again")
        for size in sizes:
            if size % 16 == 0 or not WHOLE_BLOCKS.match(operation):
                cells.append({"operation": operation, "size": size, "variants": variants, "comparisons": comparisons})
    if not cells:
        raise Stop(USAGE, "none of these operations takes one of these sizes (multiples of 16 bytes)")
    return [*cells, suites.control_cell()]


def compare_builds(given):
    paths = [folder / MODULE for folder in (given.base, given.new)]
    if paths[0].samefile(paths[1]):
        raise Stop(USAGE, f"{given.base} and {given.new} are the same build")
    machines = [machine_of(path) for path in paths]
    if machines[0] != machines[1]:
        raise Stop(USAGE, "the builds are for different kinds of processors")
    control = given.new / CONTROL
    if not control.is_file():
        raise Stop(BROKEN, f"{control}: no such file")

    programs = Programs(given.programs or given.new / "bench")
    modules = [Module(name, path.resolve(), f"{name}/{MODULE}") for name, path in zip(("base", "new"), paths)]
    modules.append(Module(suites.CONTROL, control.resolve(), f"new/{CONTROL}"))
    for module in modules:
        programs.ask(module)
    base, new, _ = modules
    differences = refuse_unlike_builds(base, new, given.allow_unlike)
    cells = build_cells(chosen_operations(base, new, given.operations), given.sizes or SIZES)

    clusters, target = given.clusters or CLUSTERS, given.target or TARGET
    suite = {"name": "compare", "seed": 1, "clusters": clusters, "target": target, "box_seconds": BOX_SECONDS}
    plan = run.plan_of(suite, cells, modules)
    minutes = max(2, len(cells) * clusters * BOX_SECONDS / 60)
    place = run.Results(given.folder, "compare")
    measured = Run(place, plan, modules, programs, given.cpu, minutes, of_clone=False)
    summary = measured.carry_out([("base-again", base)], count_objects=False)

    floor = max(given.threshold / 100, summary["controls"]["again_spread"] or 0)
    results = []
    for c in summary["comparisons"]:
        if c["kind"] == "build" and "low" in c:
            cell = summary["cells"][c["cell"]]
            result = {
                "operation": cell["operation"],
                "size": cell["size"],
                "variant": c["fast"].partition(":")[2],
                **{key: c[key] for key in ("ratio", "low", "high", "real")},
            }
            results.append({**result, "verdict": verdict(result, floor)})
    planned = sum(c["kind"] == "build" for cell in cells for c in cell["comparisons"])
    if len(results) < planned:
        warn(f"{count(planned - len(results), 'comparison')} without any undisturbed observation")
    status = report(
        {
            "format": 1,
            "form": "builds",
            "base": base.info,
            "new": new.info,
            "unlike": differences,
            "floor": floor,
            "again_spread": summary["controls"]["again_spread"],
            "reliable": summary["reliable"],
            "reasons": summary["reasons"],
            "comparisons": results,
        },
        given,
    )
    print(measured.folder)
    run.warn_if_unreliable(summary)
    return status


# ---- Two result folders --------------------------------------------------------------------------------------------


SUMMARY = {
    "suite": str,
    "environment": dict,
    "controls": dict,
    "modules": list,
    "cells": list,
    "reliable": bool,
    "reasons": list,
}


def usable(variant):
    """A variant of a summary: with all its times or with none."""
    times = [variant[key] for key in ("median", "low", "high")] if "median" in variant else []
    return isinstance(variant["variant"], str) and all(0 < time < math.inf for time in times)


def read_summary(path):
    """A summary, as far as it is needed here."""
    summary = run.read_json(path)
    if not isinstance(summary, dict) or summary.get("format") != 1:
        raise Stop(BROKEN, f"{path}: format 1 of a summary expected")
    for field, kind in SUMMARY.items():
        if not isinstance(summary.get(field), kind):
            raise Stop(BROKEN, f"{path}: not a whole summary: '{field}' is missing or of another type")
    try:
        fine = all(
            isinstance(module["name"], str) and isinstance(module["info"], dict) for module in summary["modules"]
        ) and all(
            isinstance(cell["operation"], str) and isinstance(cell["size"], int) and all(map(usable, cell["variants"]))
            for cell in summary["cells"]
        )
        fine = fine and (summary["controls"]["again_spread"] or 0) >= 0
    except (KeyError, TypeError) as error:
        raise Stop(BROKEN, f"{path}: not a whole summary: {error!r}") from error
    if not fine:
        raise Stop(BROKEN, f"{path}: not a whole summary: a module, a cell or a time is of another type")
    return summary


def unlikeness(base, new):
    """What makes two results incomparable, as lines."""
    machines = [base["environment"], new["environment"]]
    found = []

    def same(what, values):
        if values[0] != values[1]:
            found.append(f"{what}: {json.dumps(values[0])} and {json.dumps(values[1])}")

    for key in PROCESSOR:
        same(f"processor's {key}", [(machine.get("cpu") or {}).get(key) for machine in machines])
    for key in MACHINE:
        same(key, [machine.get(key) for machine in machines])
    for key, tolerance in RATES.items():
        rates = [machine.get(key) for machine in machines]
        if None in rates or abs(rates[0] / rates[1] - 1) > tolerance:
            same(key, rates)
    for compiler in sorted({name for machine in machines for name in machine.get("compilers") or {}}):
        same(compiler, [(machine.get("compilers") or {}).get(compiler) for machine in machines])
    same("suite", [base["suite"], new["suite"]])
    same("cells", [[[cell["operation"], cell["size"]] for cell in summary["cells"]] for summary in (base, new)])
    infos = [{module["name"]: module["info"] for module in summary["modules"]} for summary in (base, new)]
    same("modules", [sorted(info) for info in infos])
    for name in sorted(infos[0].keys() & infos[1].keys()):
        for key in ("compiler", "flags"):
            same(f"{name}'s {key}", [info[name].get(key) for info in infos])
    return found


def quotient(base, new):
    """NEW's median over BASE's. Different runs are not paired: the interval is all that their two intervals allow."""
    return {
        "ratio": new["median"] / base["median"],
        "low": new["low"] / base["high"],
        "high": new["high"] / base["low"],
    }


def chosen_cells(summary, given):
    for cell in summary["cells"]:
        if cell["operation"] == "control" or given.operations and not given.operations.search(cell["operation"]):
            continue
        if not given.sizes or cell["size"] in given.sizes:
            yield cell


def compare_results(given):
    for option in ("target", "clusters", "cpu", "folder"):
        if getattr(given, option) is not None:
            raise Stop(
                USAGE,
                f"{'-o' if option == 'folder' else '--' + option} is for two build folders: nothing is measured here",
            )
    paths = [folder / "summary.json" for folder in (given.base, given.new)]
    if paths[0].samefile(paths[1]):
        raise Stop(USAGE, f"{given.base} and {given.new} are the same result")
    base, new = map(read_summary, paths)
    differences = unlikeness(base, new)
    if differences and not given.allow_unlike:
        raise Stop(
            USAGE,
            "the results cannot be compared (--allow-unlike does it all the same):\n  " + "\n  ".join(differences),
        )

    floor = max(given.threshold / 100, *(summary["controls"]["again_spread"] or 0 for summary in (base, new)))
    others = {(cell["operation"], cell["size"]): cell for cell in base["cells"]}
    results, unchanged, missing = [], [], 0
    for cell in chosen_cells(new, given):
        before = {v["variant"]: v for v in others.get((cell["operation"], cell["size"]), {"variants": []})["variants"]}
        for variant in cell["variants"]:
            name = variant["variant"]
            old = before.get(name, {})
            if name.startswith("hwacha-again@"):
                continue
            if "median" not in variant or "median" not in old:
                missing += 1
                continue
            result = {"operation": cell["operation"], "size": cell["size"], "variant": name, **quotient(old, variant)}
            result["real"] = not result["low"] <= 1 <= result["high"]
            if name.startswith("hwacha@"):
                results.append({**result, "verdict": verdict(result, floor)})
            else:
                unchanged.append(off(result["ratio"]))
    if not results:
        raise Stop(USAGE, "no variant of ours was measured in both")

    print(WEAKER_FORM)
    status = report(
        {
            "format": 1,
            "form": "results",
            "unlike": differences,
            "floor": floor,
            "again_spread": [summary["controls"]["again_spread"] for summary in (base, new)],
            "drift": max(unchanged, default=None),
            "reliable": base["reliable"] and new["reliable"],
            "reasons": [*base["reasons"], *new["reasons"]],
            "comparisons": results,
        },
        given,
    )
    if missing:
        warn(f"{count(missing, 'variant')} measured in one of them only")
    if unchanged:
        print(f"peers and scalar code between the runs: {100 * max(unchanged):.1f} % at most")
        if max(unchanged) > floor:
            warn("what did not change differs by more than that between the runs: compare two build folders instead")
    for name, summary in (("BASE", base), ("NEW", new)):
        if not summary["reliable"]:
            warn(f"{name} is NOT RELIABLE: {'; '.join(summary['reasons'])}")
    return status


# ---- Command -------------------------------------------------------------------------------------------------------


def sizes(text):
    found = [int(size) for size in text.split(",")]
    if not all(map(suites.BYTES.allows, found)):
        raise ValueError
    return list(dict.fromkeys(found))


def threshold(text):
    value = float(text)
    if not LEAST_THRESHOLD <= value < math.inf:
        raise argparse.ArgumentTypeError(f"at least {LEAST_THRESHOLD:g} per cent")
    return value


def regex(text):
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"'{text}': {error}") from error


def arguments(words):
    parser = Parser()
    parser.add_argument("base", metavar="BASE", type=Path)
    parser.add_argument("new", metavar="NEW", type=Path)
    parser.add_argument("-o", dest="folder", metavar="FOLDER")
    parser.add_argument("--operations", type=regex)
    parser.add_argument("--sizes", type=sizes)
    parser.add_argument("--target", type=positive(int, suites.NUMBERS["target"].most))
    parser.add_argument("--clusters", type=positive(int, suites.NUMBERS["clusters"].most))
    parser.add_argument("--cpu", type=run.cpu_number)
    parser.add_argument("--threshold", type=threshold, default=LEAST_THRESHOLD)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--allow-unlike", action="store_true")
    parser.add_argument("--programs", type=Path)  # as in run.py, of the tests only
    return parser.parse_args(words)


def kind_of(folder):
    if (folder / MODULE).is_file():
        return compare_builds
    if (folder / "summary.json").is_file():
        return compare_results
    raise Stop(BROKEN, f"{folder}: neither a build folder ({MODULE}) nor a result folder (summary.json)")


def main(words):
    given = arguments(words)
    if given.json and not given.json.absolute().parent.is_dir():
        raise Stop(BROKEN, f"{given.json}: no folder to write it to")
    kinds = [kind_of(folder) for folder in (given.base, given.new)]
    if kinds[0] is not kinds[1]:
        raise Stop(USAGE, "one is a build folder, the other a result folder")
    return kinds[0](given)


if __name__ == "__main__":
    sys.exit(guarded(main))
