"""Measures a suite: plan, clusters one after another as fresh processes, analysis, more clusters while the target is
not met. bench/run is the command; compare.py shares the parts.

run.py SUITE --builds FOLDER [options of bench/run]
"""

import argparse
import csv
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
from datetime import datetime, timezone
from pathlib import Path

import environment
import suites
from suites import BROKEN, USAGE, Module, Stop

ROOT = environment.ROOT
PROBE_TOLERANCE = 0.955  # core/probe.hpp
MOST_CLUSTERS = 99


class Interrupted(KeyboardInterrupt):
    """SIGINT, SIGTERM or SIGHUP."""

    def __init__(self, number):
        super().__init__()
        self.status = 128 + number


def catch_signals():
    def interrupt(number, _):
        raise Interrupted(number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, interrupt)


def warn(text):
    print(f"{Path(sys.argv[0]).stem}: {text}", file=sys.stderr)


def count(n, noun):
    return f"{n} {noun}{'' if n == 1 else 's'}"


def guarded(main):
    """main's exit status, or that of what ended it."""
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
        return BROKEN


class Parser(argparse.ArgumentParser):
    def __init__(self, **more):
        super().__init__(add_help=False, allow_abbrev=False, **more)

    def error(self, message):
        raise Stop(USAGE, f"{message} (see --help)")


def positive(kind):
    def parse(text):
        value = kind(text)
        if not 0 < value < math.inf:
            raise argparse.ArgumentTypeError(f"'{text}' is not above 0")
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
    """hwacha_sample and hwacha_analyse of a build folder; HWACHA_BENCH_PROGRAMS names another place."""

    def __init__(self, build):
        folder = Path(os.environ.get("HWACHA_BENCH_PROGRAMS") or build / "bench")
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
    for compiler in ("clang", "gcc"):
        name = f"bench-{compiler}/bench/modules"
        for path in sorted((builds / name).glob("*.so")):
            ours = path.stem == "hwacha" or path.stem.startswith("scalar-")
            if ours or compiler == "clang":
                module_name = f"{path.stem}@{compiler}" if ours else path.stem
                found.append(Module(module_name, path.resolve(), f"{name}/{path.name}"))
    return found


def peers_named(taken):
    """HWACHA_PEER_<NAME>=library -> module <name>."""
    found = []
    for variable, value in sorted(os.environ.items()):
        match = re.fullmatch(r"HWACHA_PEER_([A-Z][A-Z0-9_]*)", variable)
        if not match or not value:
            continue
        name, path = match[1].lower(), Path(value)
        if name in taken or name == suites.PEERS:
            raise Stop(USAGE, f"{variable}: the name '{name}' is taken")
        if not path.is_file():
            raise Stop(BROKEN, f"{variable}: {value}: no such file")
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
    try:
        import objects
    except ImportError:
        return None
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


def accepted_rows(path, fast_end):
    """(accepted, all) blocks of a finished cluster, by that process's own measure."""
    accepted = total = 0
    with open(path, newline="", encoding="ascii") as rows:
        for row in csv.DictReader(rows):
            total += 1
            slowest = max(float(row["probe_before"]), float(row["probe_after"]))
            accepted += row["switches"] == "0" and slowest * PROBE_TOLERANCE <= fast_end
    return accepted, total


class Progress:
    """One line that is rewritten on a terminal, a line a cluster elsewhere; on standard error."""

    def __init__(self, plan):
        self.cells, self.at_most = len(plan["cells"]), len(plan["cells"]) * plan["box_seconds"]
        self.planned, self.done, self.seconds = plan["clusters"], 0, 0.0
        self.accepted = self.total = 0
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
        if self.total:
            yield f"{self.accepted:,} of {self.total:,} blocks accepted"
        left = self.a_cluster() * (self.planned - self.done - (cells_done or 0) / self.cells)
        if left > 0:
            yield f"{'about' if self.done else 'at most'} {duration(left)} left"

    def cell(self, cells_done):
        self.rewrite(", ".join(self.parts(cells_done)))

    def cluster(self, seconds, accepted, total):
        self.done += 1
        self.seconds += seconds
        self.accepted += accepted
        self.total += total
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

    def __init__(self, folder, plan, modules, programs, cpu, minutes):
        self.folder, self.plan, self.programs, self.cpu = folder, plan, programs, cpu
        self.modules = [module for module in modules if module.name in {m["name"] for m in plan["modules"]}]
        self.seconds = minutes * 60
        self.raw = folder / "raw"
        self.facts = environment.begin()
        self.progress = Progress(plan)
        self.summary = None

    def copy(self, name, original):
        """A module's file once more, under another name: the control of identical code. Removed when the run ends."""
        folder = self.folder / "again.tmp"
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(original.path, folder / original.path.name)
        self.plan["modules"].append({"name": name, "path": str((folder / original.path.name).resolve())})
        self.modules.append(Module(name, original.path, original.shown))

    def carry_out(self, copies, count_objects=True):
        """Summary of the planned clusters and of what the time allows beyond."""
        self.raw.mkdir(parents=True)
        try:
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
        except KeyboardInterrupt:
            self.close_early()
            raise
        finally:
            self.progress.clear()
            self.tidy()
        return self.summary

    def close_early(self):
        if self.progress.done == 0:
            self.progress.say(f"no cluster was finished: {self.folder} has no summary")
            return
        try:
            self.analyse()
        except KeyboardInterrupt:
            return
        self.progress.say(f"{self.folder} has {self.progress.done} of {self.progress.planned} clusters, analysed")

    def tidy(self):
        """Leaves nothing that loads, and no path of this machine."""
        handlers = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGINT, signal.SIGTERM)}
        shutil.rmtree(self.folder / "again.tmp", ignore_errors=True)
        shown = {module.name: module.shown for module in self.modules}
        for module in self.plan["modules"]:
            module["path"] = shown[module["name"]]
        write_json(self.folder / "plan.json", self.plan)
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
        counted = accepted_rows(rows, read_json(facts).get("probe_fast_end") or math.inf)
        self.progress.cluster(time.monotonic() - begun, *counted)

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

    def unmet(self):
        """Accepted observations, by cell and variant, of what is short of the target. Operations above a millisecond
        are boxed by time and do not count."""
        millisecond = self.summary["environment"]["ticks_per_second"] / 1000
        found = {}
        for i, cell in enumerate(self.summary["cells"]):
            for variant in cell["variants"]:
                if variant["n"] < self.plan["target"] and variant.get("median", 0) < millisecond:
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


def table(summary):
    """Markdown: for each cell the fastest of our tables, and how far it is ahead of each peer."""
    yield "| operation | bytes | fastest | ticks/byte | n | peer's time against it, with its 95 % interval |"
    yield "|---|--:|---|--:|--:|---|"
    for i, cell in enumerate(summary["cells"]):
        measured = [variant for variant in cell["variants"] if "median" in variant]
        mine = [variant for variant in measured if variant["variant"].startswith(f"{suites.OURS}:")] or measured
        if cell["operation"] == "control" or not mine:
            continue
        best = min(mine, key=lambda variant: variant["median"])
        speed = f"{best['median'] / cell['size']:.3f}" if cell["size"] else f"{best['median']:.0f} a call"
        against = [
            f"{c['slow'].partition(':')[0]} {interval(c)}{'' if c['real'] else ' (no real difference)'}"
            for c in summary["comparisons"]
            if c["cell"] == i and c["kind"] == "peer" and c["fast"] == best["variant"]
        ]
        row = [cell["operation"], cell["size"], best["variant"], speed, best["n"], ", ".join(against)]
        yield f"| {' | '.join(map(str, row))} |"


def warn_if_unreliable(summary):
    if not summary["reliable"]:
        warn("NOT RELIABLE:")
        for reason in summary["reasons"]:
            print(f"  {reason}", file=sys.stderr)


def pack(folder):
    """FOLDER.tar.xz, without the names of user and group."""

    def anonymous(entry):
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        return entry

    archive = folder.with_name(folder.name + ".tar.xz")
    with tarfile.open(archive, "w:xz") as out:
        out.add(folder, arcname=folder.name, filter=anonymous)
    return archive


def result_folder(given, name):
    """The folder that a run may fill."""
    stamp = datetime.now(timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    folder = Path(given) if given else ROOT / "out" / "bench" / f"{name}-{stamp}"
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Stop(USAGE, f"{folder} is there already and not an empty folder")
    return folder


# ---- Command -------------------------------------------------------------------------------------------------------


def arguments(words):
    parser = Parser()
    parser.add_argument("suite", metavar="SUITE")
    parser.add_argument("-o", dest="folder", metavar="FOLDER")
    parser.add_argument("--cpu", type=cpu_number)
    parser.add_argument("--clusters", type=positive(int))
    parser.add_argument("--target", type=positive(int))
    parser.add_argument("--minutes", type=positive(float))
    parser.add_argument("--no-build", action="store_true")
    parser.add_argument("--pack", action="store_true")
    # Of the front only.
    parser.add_argument("--builds", type=Path, default=ROOT / "build")
    parser.add_argument("--check-arguments", action="store_true")
    return parser.parse_args(words)


def main(words):
    given = arguments(words)
    suite = suites.load(given.suite)
    folder = result_folder(given.folder, suite["name"])
    if given.clusters is not None and given.clusters > MOST_CLUSTERS:
        raise Stop(USAGE, f"more than {MOST_CLUSTERS} clusters")
    if given.check_arguments:
        return 0
    for key in ("clusters", "target", "minutes"):
        if getattr(given, key) is not None:
            suite[key] = getattr(given, key)

    programs = Programs(given.builds / "bench-clang")
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
    run = Run(folder, plan, modules, programs, given.cpu, suite["minutes"])
    packed = None
    try:
        summary = run.carry_out(again if used else [])
    finally:
        if given.pack and run.summary is not None:
            packed = pack(folder)
    print("\n".join(table(summary)))
    print(f"\n{folder}")
    if packed:
        print(packed)
    warn_if_unreliable(summary)
    return 0


if __name__ == "__main__":
    sys.exit(guarded(main))
