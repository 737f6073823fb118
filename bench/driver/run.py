"""Measures a suite: plan, clusters one after another as fresh processes, analysis, more clusters while the target is
not met. bench/run is the command; compare.py shares the parts.

run.py SUITE --builds FOLDER [options of bench/run]
"""

import argparse
import itertools
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import traceback
from datetime import datetime, timezone
from pathlib import Path

import environment
import objects
import suites
from suites import BROKEN, MOST_CLUSTERS, USAGE, Module, Stop

ROOT = environment.ROOT
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(KeyboardInterrupt):
    """SIGINT, SIGTERM or SIGHUP."""

    def __init__(self, number):
        super().__init__()
        self.status = 128 + number


def catch_signals():
    def interrupt(number, _):
        raise Interrupted(number)

    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, interrupt)


def warn(text):
    print(f"{Path(sys.argv[0]).stem}: {text}", file=sys.stderr)


def count(n, noun):
    return f"{n} {noun}{'' if n == 1 else 's'}"


def guarded(main):
    """main's exit status, or that of what ended it. Never 1 for an accident: compare's 1 means slower."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")
    if sys.stdout is None:
        warn("standard output is closed: nobody would see the figures")
        return BROKEN
    status = ended(main)
    try:
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # where the interpreter's own flush succeeds
        if status in (0, 1):
            warn(f"standard output: {error}")
            return BROKEN
    return status


def ended(main):
    try:
        catch_signals()
        return main(sys.argv[1:])
    except Stop as stop:
        warn(stop)
        return stop.status
    except Interrupted as stop:
        warn("interrupted")
        return stop.status
    except OSError as error:
        warn(error)
    except Exception as error:
        *_, at = traceback.extract_tb(error.__traceback__)
        warn(" ".join(f"unexpected {type(error).__name__} at {Path(at.filename).name}:{at.lineno}: {error}".split()))
    return BROKEN


class Parser(argparse.ArgumentParser):
    def __init__(self, **more):
        super().__init__(add_help=False, allow_abbrev=False, **more)

    def error(self, message):
        raise Stop(USAGE, f"{message} (see --help)")


def positive(kind, most):
    def parse(text):
        value = kind(text)
        if not 0 < value <= most:
            raise argparse.ArgumentTypeError(f"'{text}' is not above 0 and at most {most}")
        return value

    parse.__name__ = "number"
    return parse


def cpu_number(text):
    cpu = int(text)
    usable = environment.usable_cpus()
    if usable is not None and cpu not in usable:
        raise argparse.ArgumentTypeError(f"processor {cpu} is not usable here ({', '.join(map(str, usable))} are)")
    return cpu


cpu_number.__name__ = "number"


def write_json(path, value):
    path.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")


def read_json(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise Stop(BROKEN, f"{path}: {error}") from error


# ---- Programs and modules ------------------------------------------------------------------------------------------


class Programs:
    """hwacha_sample and hwacha_analyse."""

    def __init__(self, folder):
        self.sample, self.analyse = folder / "hwacha_sample", folder / "hwacha_analyse"
        for program in (self.sample, self.analyse):
            if not os.access(program, os.X_OK):
                raise Stop(BROKEN, f"{program}: no such program; was the harness built?")

    def ask(self, module, blame=""):
        """What a module says of itself and offers on this machine."""
        done = subprocess.run(
            [self.sample, "--list", module.path], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
        )
        if done.returncode != 0:
            raise Stop(BROKEN, f"{blame or module.name}: {last_words(done.returncode, done.stderr)}")
        try:
            (listed,) = json.loads(done.stdout)
            module.info = listed["info"]
            for offer in listed["operations"]:
                module.offers.setdefault(offer["operation"], []).append(offer["variant"])
        except (ValueError, KeyError, TypeError) as error:
            raise Stop(BROKEN, f"{blame or module.name}: cannot read what it lists ({error!r})") from error
        return module


def last_words(status, text):
    """Why a program failed, in one line."""
    if status < 0:
        return f"ended by {signal.Signals(-status).name}"
    lines = text.strip().splitlines()
    return (
        lines[-1].removeprefix("hwacha_sample: ").removeprefix("hwacha_analyse: ") if lines else f"exit status {status}"
    )


def built_modules(builds):
    """Modules of both compilers' folders. What only one of them needs to have comes from clang's, without a suffix."""
    found = []
    for compiler in suites.COMPILERS:
        name = f"bench-{compiler}/bench/modules"
        for path in sorted((builds / name).glob("*.so")):
            ours = path.stem == "hwacha" or path.stem.startswith("scalar-")
            if ours or compiler == "clang":
                module_name = f"{path.stem}@{compiler}" if ours else path.stem
                found.append(Module(module_name, path.resolve(), f"{name}/{path.name}"))
    return found


def peer_libraries():
    """[(variable, name, library)] of HWACHA_PEER_<NAME>=library."""
    found = []
    for variable, value in sorted(os.environ.items()):
        if not variable.startswith("HWACHA_PEER_"):
            continue
        match = re.fullmatch(r"HWACHA_PEER_([A-Z0-9_]+)", variable)
        if not match:
            raise Stop(USAGE, f"{variable}: HWACHA_PEER_<NAME> expected, NAME of A-Z, 0-9 and _")
        if not value:
            raise Stop(USAGE, f"{variable} is empty: a library expected")
        if not Path(value).is_file():
            raise Stop(BROKEN, f"{variable}: {value}: no such file")
        found.append((variable, match[1].lower(), Path(value)))
    return found


def peers_named(taken):
    """HWACHA_PEER_<NAME>=library -> (module <name>, variable)."""
    found = []
    for variable, name, path in peer_libraries():
        if name in taken or name == suites.PEERS:
            raise Stop(USAGE, f"{variable}: the name '{name}' is taken")
        found.append((Module(name, path.resolve(), path.name, peer=True), variable))
    return found


def modules_for(suite, builds, programs):
    patterns = suites.module_patterns(suite)
    built = [module for module in built_modules(builds) if any(suites.fits(module, pattern) for pattern in patterns)]
    peers = peers_named({module.name for module in built} | {"cryptopp", "openssl", "control", "hwacha"})
    return [programs.ask(module) for module in built] + [programs.ask(module, variable) for module, variable in peers]


def plan_of(suite, cells, modules):
    used = {variant.partition(":")[0] for cell in cells for variant in cell["variants"]}
    return {
        "format": 1,
        **{key: suite[key] for key in ("seed", "clusters", "target", "box_seconds")},
        "suite": suite["name"],
        "modules": [{"name": module.name, "path": str(module.path)} for module in modules if module.name in used],
        "cells": cells,
    }


def object_counts(modules):
    """What the compilers made of our functions, in each module that they built; null if that cannot be told."""
    counted = []
    for module in modules:
        if "@" in module.name and module.name != suites.AGAIN:
            try:
                counted.append({"module": module.name, **objects.count(module.path)})
            except (OSError, ValueError) as error:
                warn(f"{module.name}: no instructions counted: {error}")
    return {"modules": counted, "identical": objects.identical(counted)} if counted else None


# ---- Progress ------------------------------------------------------------------------------------------------------


def duration(seconds):
    return f"{max(1, seconds):.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


def rows_of(path):
    """Blocks of a finished cluster."""
    with open(path, "rb") as rows:
        return max(0, sum(1 for _ in rows) - 1)


class Progress:
    """One line that is rewritten on a terminal, a line a cluster elsewhere; on standard error."""

    def __init__(self, plan):
        self.cells, self.at_most = len(plan["cells"]), len(plan["cells"]) * plan["box_seconds"]
        self.planned, self.done, self.seconds = plan["clusters"], 0, 0.0
        self.blocks = 0
        self.terminal = sys.stderr.isatty()

    def a_cluster(self):
        return self.seconds / self.done if self.done else self.at_most

    def rewrite(self, text):
        if self.terminal:
            columns = shutil.get_terminal_size().columns - 1
            print(f"\r\033[K{text[:columns]}", end="", file=sys.stderr, flush=True)

    def parts(self, cells_done=None):
        yield f"cluster {self.done + (cells_done is not None)} of {self.planned}"
        yield count(self.cells, "cell") if cells_done is None else f"cell {cells_done} of {self.cells}"
        if self.blocks:
            yield f"{self.blocks:,} blocks"
        left = self.a_cluster() * (self.planned - self.done - (cells_done or 0) / self.cells)
        if left > 0:
            yield f"{'about' if self.done else 'at most'} {duration(left)} left"

    def cell(self, cells_done):
        self.rewrite(", ".join(self.parts(cells_done)))

    def cluster(self, seconds, blocks):
        self.done += 1
        self.seconds += seconds
        self.blocks += blocks
        text = ", ".join(self.parts())
        if self.terminal:
            self.rewrite(text)
        else:
            print(text, file=sys.stderr, flush=True)

    def say(self, text):
        """A remark of its own."""
        self.clear()
        print(text, file=sys.stderr, flush=True)

    def clear(self):
        self.rewrite("")


# ---- A run ---------------------------------------------------------------------------------------------------------


class Run:
    """A result folder from its plan to its summary."""

    def __init__(self, results, plan, modules, programs, cpu, minutes, of_clone=True):
        self.results, self.plan, self.programs, self.cpu = results, plan, programs, cpu
        self.modules = [module for module in modules if module.name in {m["name"] for m in plan["modules"]}]
        self.seconds = minutes * 60
        self.facts = environment.begin(of_clone)
        self.progress = Progress(plan)
        self.summary, self.analysed = None, 0

    def copy(self, name, original):
        """A module's file once more, under another name: the control of identical code. Removed when the run ends."""
        folder = self.folder / "again.tmp"
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(original.path, folder / original.path.name)
        self.plan["modules"].append({"name": name, "path": str((folder / original.path.name).resolve())})
        self.modules.append(Module(name, original.path, original.shown))

    def carry_out(self, copies, count_objects=True):
        """Summary of the planned clusters and of what the time allows beyond."""
        try:
            self.folder = self.results.claim()
            self.raw = self.folder / "raw"
            self.raw.mkdir()
            for name, original in copies:
                self.copy(name, original)
            write_json(self.folder / "plan.json", self.plan)
            write_json(self.folder / "environment.json", self.facts)
            if count_objects:
                counted = object_counts(self.modules)
                if counted is not None:
                    write_json(self.folder / "objects.json", counted)
            self.begun = time.monotonic()
            self.clusters(self.plan["clusters"])
            self.analyse()
            self.top_up()
        except BaseException as error:
            self.close_early(isinstance(error, KeyboardInterrupt))
            raise
        finally:
            self.progress.clear()
            self.tidy()
        return self.summary

    def close_early(self, interrupted):
        """Analyses what is finished if that can be done, and says what is left."""
        done = self.progress.done
        if done == 0:
            self.progress.say("no cluster was finished: nothing is kept")
            return
        if interrupted and self.analysed < done:
            try:
                self.analyse()
            except (KeyboardInterrupt, Stop, OSError):
                pass
        state = "analysed" if self.analysed == done else f"{self.analysed or 'none'} analysed"
        self.progress.say(f"{self.folder} has {done} of {self.progress.planned} clusters, {state}")

    def tidy(self):
        """Leaves nothing that loads, and no path of this machine; nothing at all if nothing was measured, so that the
        same command can be given again."""
        handlers = {number: signal.signal(number, signal.SIG_IGN) for number in SIGNALS}
        try:
            if self.progress.done == 0:
                self.results.clear()
                return
            shutil.rmtree(self.folder / "again.tmp", ignore_errors=True)
            shown = {module.name: module.shown for module in self.modules}
            for module in self.plan["modules"]:
                module["path"] = shown[module["name"]]
            write_json(self.folder / "plan.json", self.plan)
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)

    def clusters(self, n):
        for _ in range(n):
            self.cluster(self.progress.done)

    def cluster(self, number):
        begun = time.monotonic()
        command = [
            self.programs.sample,
            "--plan",
            self.folder / "plan.json",
            "--out",
            self.raw,
            "--cluster",
            str(number),
        ]
        command += ["--seed", str(1000 * self.plan["seed"] + number), "--progress"]
        if self.cpu is not None:
            command += ["--cpu", str(self.cpu)]
        seen = [
            facts["probe_fast_end"] for facts in map(read_json, self.raw.glob("*.json")) if facts.get("probe_fast_end")
        ]
        if seen:
            command += ["--probe-best", repr(min(seen))]
        try:
            self.run(command, f"cluster {number}", self.progress.cell)
        except BaseException:
            for part in self.raw.glob(f"{number:02}.*"):
                part.unlink()
            raise
        rows, facts = self.raw / f"{number:02}.csv", self.raw / f"{number:02}.json"
        if not rows.is_file() or not facts.is_file():
            raise Stop(BROKEN, f"cluster {number}: {self.programs.sample} left no {rows.name} and {facts.name}")
        self.progress.cluster(time.monotonic() - begun, rows_of(rows))

    def run(self, command, what, cell_done=lambda n: None):
        """A program of the harness. In a session of its own, so that Ctrl-C reaches only us and we end it."""
        messages = []
        with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
        ) as program:
            try:
                rest = b""
                while chunk := os.read(program.stderr.fileno(), 65536):
                    *lines, rest = re.split(rb"[\r\n]", rest + chunk)
                    for line in (*lines, rest):
                        if found := re.fullmatch(rb"(\d+) of \d+ cells", line):
                            cell_done(int(found[1]))
                    messages += [line.decode(errors="replace") for line in lines if not re.match(rb"\d+ of \d+ ", line)]
                program.wait()
            except BaseException:
                program.terminate()
                try:
                    program.wait(5)
                except subprocess.TimeoutExpired:
                    program.kill()
                raise
        if program.returncode != 0:
            messages.append(rest.decode(errors="replace"))
            raise Stop(BROKEN, f"{what}: {last_words(program.returncode, chr(10).join(messages))}")

    def analyse(self):
        self.progress.rewrite(f"analysing {count(self.progress.done, 'cluster')}")
        environment.end(self.facts)
        write_json(self.folder / "environment.json", self.facts)
        self.run([self.programs.analyse, self.folder], "analysis")
        self.summary = read_json(self.folder / "summary.json")
        self.analysed = self.progress.done
        probe = self.summary["probe"]
        self.progress.say(f"{probe['accepted']:,} of {probe['blocks']:,} blocks accepted")

    def unmet(self):
        """Accepted observations, by cell and variant, of what is short of the target. Cells with an operation above a
        millisecond are boxed by time, since variants take turns, and do not count."""
        millisecond = self.summary["environment"]["ticks_per_second"] / 1000
        found = {}
        for i, cell in enumerate(self.summary["cells"]):
            if any(variant.get("median", 0) >= millisecond for variant in cell["variants"]):
                continue
            for variant in cell["variants"]:
                if variant["n"] < self.plan["target"]:
                    found[i, variant["variant"]] = variant["n"]
        return found

    def top_up(self):
        """More clusters, at most as many again each time, until the target is met or the time used up."""
        while short := self.unmet():
            done = self.progress.done
            left = self.seconds - (time.monotonic() - self.begun)
            affordable = min(int(left / max(self.progress.a_cluster(), 1e-3)), MOST_CLUSTERS - done)
            if affordable < 1:
                return
            needed = max(math.ceil((self.plan["target"] - n) * done / n) if n else done for n in short.values())
            more = min(needed, affordable, done)
            self.progress.planned = done + more
            self.progress.say(
                f"{count(len(short), 'variant')} short of {self.plan['target']}: {count(more, 'more cluster')}"
            )
            self.clusters(more)
            self.analyse()
            now = self.unmet()
            if all(now.get(key, math.inf) <= n for key, n in short.items()):
                return  # nothing gained


# ---- What is said at the end ---------------------------------------------------------------------------------------


def figure(x):
    """Three digits."""
    return f"{x:.{max(0, 2 - math.floor(math.log10(x)))}f}"


def interval(c):
    """'3.55 [3.52, 3.58]'."""
    low, high = c.get("low"), c.get("high")
    return figure(c["ratio"]) if low is None else f"{figure(c['ratio'])} [{figure(low)}, {figure(high)}]"


def faster_than(variant, others, floor):
    """Those that are faster by more than the floor, their medians' intervals apart: fastest first."""

    def apart(other):
        low, high = variant.get("low"), other.get("high")
        return other["median"] * (1 + floor) < variant["median"] and (None in (low, high) or high < low)

    return sorted(filter(apart, others), key=lambda other: other["median"])


def table(summary):
    """Markdown: for each cell what the library would choose, which of our variants really was faster, and how far the
    chosen one is ahead of each peer."""
    floor = max(0.03, summary["controls"].get("again_spread") or 0)
    yield "| operation | bytes | chosen | ticks/byte | n | faster here | peer's time against the chosen one [95 %] |"
    yield "|---|--:|---|--:|--:|---|---|"
    for i, cell in enumerate(summary["cells"]):
        offered = [variant for variant in cell["variants"] if variant["variant"].startswith(f"{suites.OURS}:")]
        chosen, *mine = offered or cell["variants"]  # modules offer the best first
        if cell["operation"] == "control":
            continue
        if "median" not in chosen:
            yield f"| {cell['operation']} | {cell['size']} | {chosen['variant']} | not measured | 0 |  |  |"
            continue
        mine = [variant for variant in mine if "median" in variant]
        speed = f"{chosen['median'] / cell['size']:.3f}" if cell["size"] else f"{chosen['median']:.0f} a call"
        faster = [
            f"{other['variant'].partition(':')[2]} {figure(chosen['median'] / other['median'])}"
            for other in faster_than(chosen, mine, floor)[:1]
        ]
        against = [
            f"{c['slow'].partition(':')[0]} {interval(c)}{'' if c['real'] else ' (no real difference)'}"
            for c in summary["comparisons"]
            if c["cell"] == i and c["kind"] == "peer" and c["fast"] == chosen["variant"]
        ]
        row = [cell["operation"], cell["size"], chosen["variant"], speed, chosen["n"], *(faster or [""])]
        yield f"| {' | '.join(map(str, [*row, ', '.join(against)]))} |"


def bars(summary):
    """Markdown: the suite's bars."""
    found = [c for c in summary["comparisons"] if c["kind"] == "bar"]
    if not found:
        return
    yield "| bar | ratio [95 %] | at least | at most | |"
    yield "|---|--:|--:|--:|---|"
    for c in found:
        limits = ["" if c.get(limit) is None else f"{c[limit]:g}" for limit in ("least", "most")]
        yield f"| {' | '.join([c['name'], interval(c), *limits, c['verdict'] or ''])} |"


def warn_if_unreliable(summary):
    if not summary["reliable"]:
        warn("NOT RELIABLE:")
        for reason in summary["reasons"]:
            print(f"  {reason}", file=sys.stderr)


def archive_of(folder):
    return folder.with_name(folder.name + ".tar.xz")


def pack(folder):
    """FOLDER.tar.xz, without the names of user and group."""

    def anonymous(entry):
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        return entry

    archive = archive_of(folder)
    with tarfile.open(archive, "w:xz") as out:
        out.add(folder, arcname=folder.name, filter=anonymous)
    return archive


class Results:
    """Where a run leaves what it finds: the folder given, or out/bench/NAME-TIME. Nothing is made before claim()."""

    def __init__(self, given, name):
        stamp = datetime.now(timezone.utc).strftime("%Y%m%dT%H%M%SZ")
        self.given = bool(given)
        self.folder = Path(given).resolve() if given else ROOT / "out" / "bench" / f"{name}-{stamp}"
        self.claimed = self.made = False
        if given and self.folder.exists() and (not self.folder.is_dir() or any(self.folder.iterdir())):
            raise Stop(USAGE, f"{self.folder} is there already and not an empty folder")

    def check_archive(self):
        """Before hours are spent on what goes into it."""
        if not self.folder.name:
            raise Stop(USAGE, f"{self.folder} has no name that an archive could have")
        if os.path.lexists(archive_of(self.folder)):
            raise Stop(USAGE, f"{archive_of(self.folder)} is there already")
        parent = self.folder.parent
        if parent.exists() and not os.access(parent, os.W_OK):
            raise Stop(BROKEN, f"{archive_of(self.folder)}: cannot be written there")

    def claim(self):
        """The folder, made, so that no other run takes it."""
        if not (self.given and self.folder.is_dir()):
            first = self.folder
            for n in itertools.count(2):
                try:
                    self.folder.mkdir(parents=True)
                    break
                except FileExistsError:
                    if self.given or not os.path.lexists(self.folder):
                        raise
                    self.folder = first.with_name(f"{first.name}-{n}")
            self.made = True
        elif any(self.folder.iterdir()):
            raise Stop(USAGE, f"{self.folder} is no longer empty")
        self.claimed = True
        return self.folder

    def clear(self):
        """Removes what a run has made."""
        if self.made:
            shutil.rmtree(self.folder, ignore_errors=True)
        elif self.claimed:
            for entry in self.folder.iterdir():
                shutil.rmtree(entry, ignore_errors=True) if entry.is_dir() else entry.unlink()


# ---- Command -------------------------------------------------------------------------------------------------------


def arguments(words):
    parser = Parser()
    parser.add_argument("suite", metavar="SUITE")
    parser.add_argument("-o", dest="folder", metavar="FOLDER")
    parser.add_argument("--cpu", type=cpu_number)
    parser.add_argument("--clusters", type=positive(int, suites.NUMBERS["clusters"].most))
    parser.add_argument("--target", type=positive(int, suites.NUMBERS["target"].most))
    parser.add_argument("--minutes", type=positive(float, suites.NUMBERS["minutes"].most))
    parser.add_argument("--no-build", action="store_true")
    parser.add_argument("--pack", action="store_true")
    # Of the front only.
    parser.add_argument("--builds", type=Path, default=ROOT / "build")
    parser.add_argument("--check-arguments", action="store_true")
    # Of the tests only: the folder of other programs in the place of hwacha_sample and hwacha_analyse.
    parser.add_argument("--programs", type=Path)
    return parser.parse_args(words)


def main(words):
    given = arguments(words)
    suite = suites.load(given.suite)
    results = Results(given.folder, suite["name"])
    if given.pack:
        results.check_archive()
    peer_libraries()
    if given.check_arguments:
        return 0
    for key in ("clusters", "target", "minutes"):
        if getattr(given, key) is not None:
            suite[key] = getattr(given, key)

    programs = Programs(given.programs or given.builds / "bench-clang/bench")
    modules = modules_for(suite, given.builds, programs)
    cells, absent = suites.expand(suite, modules)
    suite["box_seconds"] = min(suite["box_seconds"], suite["minutes"] * 60 / (suite["clusters"] * len(cells)))
    plan = plan_of(suite, cells, modules)
    for operation in absent:
        warn(f"nothing here offers {operation}; left out")
    for module in modules:
        if module.peer and module.name not in {m["name"] for m in plan["modules"]}:
            warn(f"HWACHA_PEER_{module.name.upper()} offers nothing of suite {suite['name']}")

    again = [(suites.AGAIN, module) for module in modules if module.name == suites.OURS]
    used = any(variant.startswith(f"{suites.AGAIN}:") for cell in cells for variant in cell["variants"])
    run = Run(results, plan, modules, programs, given.cpu, suite["minutes"])
    packed = None
    try:
        summary = run.carry_out(again if used else [])
    finally:
        if given.pack and run.summary is not None:
            packed = pack(results.folder)
    print("\n".join(table(summary)))
    if found := list(bars(summary)):
        print("", *found, sep="\n")
    print(f"\n{results.folder}")
    if packed:
        print(packed)
    warn_if_unreliable(summary)
    return 0


if __name__ == "__main__":
    sys.exit(guarded(main))
