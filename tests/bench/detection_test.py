#!/usr/bin/env python3
"""Does the harness find what is there, and only that? Measures for real, so it wants a machine that is not too busy.

    detection_test.py BUILD [--repeats N]

BUILD is a build folder with the harness (cmake -DHWACHA_BENCH=ON) and the planted module. A kernel that does 8 % more work
must be called slower by bench/compare, identical builds must not, noise on the same processor must not pass unnoticed.
One repeat of each here; scripts/prove wants 19 of 20 (--repeats 20).
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

DRIVER = Path(__file__).resolve().parents[2] / "bench" / "driver"
SIZE = 12800  # 100 blocks, so that 8 % of them is a whole number
BUSY = "import os, sys\nos.sched_setaffinity(0, {int(sys.argv[1])})\nwhile True: pass"


def build_folder(where, build, module):
    """A build folder as compare.py wants it, with another library in the place of ours."""
    modules = where / "bench" / "modules"
    modules.mkdir(parents=True)
    for program in ("hwacha_sample", "hwacha_analyse"):
        (where / "bench" / program).symlink_to((build / "bench" / program).resolve())
    shutil.copy(build / "bench" / "modules" / "control.so", modules)
    shutil.copy(module, modules / "hwacha.so")
    return where


def compare(base, new, folder):
    """(exit status, outcome) of one comparison of the two best tables."""
    outcome = folder / "outcome.json"
    command = [sys.executable, "-B", DRIVER / "compare.py", base, new, "--operations", "^LSH-256-256$", "--sizes", str(SIZE),
               "--target", "300", "--json", outcome, "-o", folder / "results"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"compare.py failed: {done.stderr}")
    return done.returncode, json.loads(outcome.read_text())


def repeat(what, times, base, new, fits):
    """How many of `times` comparisons do not fit."""
    misses = 0
    for i in range(times):
        with tempfile.TemporaryDirectory() as folder:
            status, outcome = compare(base, new, Path(folder))
        fit = fits(status, outcome)
        misses += not fit
        ratios = ", ".join(f"{c['variant']} {c['ratio']:.4f} {c['verdict']}" for c in outcome["comparisons"])
        print(f"{what} {i + 1} of {times}: {'ok' if fit else 'NO'}: {ratios}", flush=True)
    print(f"{what}: {times - misses} of {times} as they should be", flush=True)
    return misses


def noise(build):
    """A busy process on the sampler's processor: the run must call itself unreliable, yet tell no difference in a copy."""
    processor = max(os.sched_getaffinity(0))
    busy = subprocess.Popen([sys.executable, "-c", BUSY, str(processor)])
    try:
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-B", DRIVER / "compare.py", build["base"], build["again"], "--operations",
                       "^LSH-256-256$", "--sizes", str(SIZE), "--target", "100", "--clusters", "3", "--cpu",
                       str(processor), "--json", Path(folder) / "outcome.json", "-o", Path(folder) / "results"]
            subprocess.run(command, capture_output=True, check=False)
            outcome = json.loads((Path(folder) / "outcome.json").read_text())
    finally:
        busy.kill()
        busy.wait()
    print(f"busy neighbour: reliable {outcome['reliable']}: {'; '.join(outcome['reasons'])}", flush=True)
    different = [c for c in outcome["comparisons"] if c["verdict"] != "no difference"]
    return int(outcome["reliable"]) + len(different)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("--repeats", type=int, default=1)
    given = parser.parse_args()
    modules = given.build / "bench" / "modules"
    with tempfile.TemporaryDirectory() as folder:
        folders = {
            "base": build_folder(Path(folder) / "base", given.build, modules / "hwacha.so"),
            "again": build_folder(Path(folder) / "again", given.build, modules / "hwacha.so"),
            "slower": build_folder(Path(folder) / "slower", given.build, given.build / "tests" / "bench" / "planted.so"),
        }

        def all_slower(status, outcome):
            return status == 1 and all(c["verdict"] == "slower" for c in outcome["comparisons"])

        def none_different(status, outcome):
            return status == 0 and all(c["verdict"] == "no difference" for c in outcome["comparisons"])

        missed = repeat("planted 8 %", given.repeats, folders["base"], folders["slower"], all_slower)
        alarms = repeat("identical", given.repeats, folders["base"], folders["again"], none_different)
        unnoticed = noise(folders)
    allowed = given.repeats // 20
    sys.exit(0 if missed <= allowed and alarms <= allowed and unnoticed == 0 else 1)


if __name__ == "__main__":
    main()
