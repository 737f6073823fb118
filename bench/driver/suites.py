"""Suites: what is measured, as files, and the plan that follows from one on this machine (bench/suites/README.md)."""

import dataclasses
import fnmatch
import json
import re
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "suites"
USAGE, BROKEN = 2, 3  # exit statuses

OURS, AGAIN, CONTROL, PEERS = "hwacha@clang", "hwacha-again@clang", "control", "peers"
CONTROL_SIZE = 4000
KNOWN = {"same": 1.0, "1.08x": 1.08, "2x": 2.0}  # variant of the control: work against that of "base"


class Stop(Exception):
    """Ends the program with this status and message."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


@dataclasses.dataclass
class Module:
    """A loadable library and what it offers on this machine."""

    name: str
    path: Path
    shown: str  # the path as results may tell it
    peer: bool = False  # named by HWACHA_PEER_...
    info: dict = dataclasses.field(default_factory=dict)
    offers: dict = dataclasses.field(default_factory=dict)  # operation: variants, best first


# ---- Files ---------------------------------------------------------------------------------------------------------

NUMBERS = {"clusters": 10, "target": 2000, "box_seconds": 2, "minutes": 10, "seed": 1}
FIELDS = {"description", "require", "chains", "groups", *NUMBERS}
GROUP_FIELDS = {"operations", "variants", "comparisons", "chains", "optional"}
CHAIN_FIELDS = {"name", "compilers", "levels", "wide", "links"}
KINDS = {"peer", "compiler", "level"}


def names():
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def check_fields(where, given, known, needed=()):
    for field in given:
        if field not in known:
            raise Stop(USAGE, f"{where}: nobody reads '{field}'")
    for field in needed:
        if field not in given:
            raise Stop(USAGE, f"{where}: no '{field}'")


def load(name):
    """A suite by its name or its file; its name is the file's."""
    path = Path(name) if name.endswith(".json") else FOLDER / f"{name}.json"
    if not path.is_file():
        raise Stop(USAGE, f"no suite is called '{name}' ({', '.join(names())}, or a file .json)")
    try:
        suite = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise Stop(USAGE, f"{path}: {error}") from error
    check_fields(path, suite, FIELDS, ["description", "groups"])
    for group in suite["groups"]:
        check_fields(path, group, GROUP_FIELDS, ["operations"])
        check_fields(f"{path}: comparisons", group.get("comparisons", {}), KINDS)
        check_fields(f"{path}: chains", group.get("chains", []), suite.get("chains", {}))
    for chain in suite.get("chains", {}).values():
        check_fields(path, chain, CHAIN_FIELDS, ["name", "compilers", "links"])
    return {**NUMBERS, **suite, "name": path.stem}


def module_patterns(suite):
    """Which modules a suite may ask."""
    found = {CONTROL, OURS, PEERS, *suite.get("require", [])}
    for group in suite["groups"]:
        found.update(pattern.partition(":")[0] for pattern in group.get("variants", []))
    for chain in suite.get("chains", {}).values():
        found.update(re.sub(r"\{\w+\}", "*", pattern).partition(":")[0] for _, pattern in chain["links"])
        found.update(f"hwacha@{compiler}" for compiler in chain["compilers"])
    return found


# ---- Patterns ------------------------------------------------------------------------------------------------------


def fits(module, pattern):
    return module.peer if pattern == PEERS else fnmatch.fnmatchcase(module.name, pattern)


def resolve(pattern, operation, modules):
    """'MODULE:VARIANT' -> variants of the operation on this machine. Both halves may have wildcards; the module 'peers'
    is any that HWACHA_PEER_... names, the variant 'best' the first that the module offers."""
    module_pattern, _, variant_pattern = pattern.partition(":")
    found = []
    for module in modules:
        if fits(module, module_pattern):
            offered = module.offers.get(operation, [])
            chosen = offered[:1] if variant_pattern == "best" else fnmatch.filter(offered, variant_pattern)
            found += [f"{module.name}:{variant}" for variant in chosen]
    return found


def chains_of(chain, operation, modules):
    """(name, [(step, variant)...]) for every compiler and hand-written level that offers the operation here. Steps
    without a variant are left out, so the factors multiply to the whole."""
    by_name = {module.name: module for module in modules}
    for compiler in chain["compilers"]:
        ours = by_name.get(f"hwacha@{compiler}")
        offered = ours.offers.get(operation, []) if ours else []
        hand_written = [variant for variant in offered if variant != "portable" and "," not in variant]
        for level in hand_written:
            if level not in chain.get("levels", hand_written):
                continue
            words = {"compiler": compiler, "level": level, "wide": chain.get("wide", {}).get(level, "")}
            links = []
            for step, pattern in chain["links"]:
                if "{wide}" in pattern and not words["wide"]:
                    continue
                variants = resolve(pattern.format(**words), operation, modules)
                if variants:
                    links.append((step, variants[0]))
            if len(links) > 1:
                yield chain["name"].format(**words), links


# ---- Cells ---------------------------------------------------------------------------------------------------------


def comparison(slow, fast, kind, **more):
    return {"slow": slow, "fast": fast, "kind": kind, **more}


def cell_of(suite, group, operation, modules):
    variants, comparisons = [], []
    for pattern in group.get("variants", []):
        variants += resolve(pattern, operation, modules)
    for kind, pairs in group.get("comparisons", {}).items():
        for slow_pattern, fast_pattern in pairs:
            for slow in resolve(slow_pattern, operation, modules):
                for fast in resolve(fast_pattern, operation, modules):
                    if slow != fast and slow in variants and fast in variants:
                        comparisons.append(comparison(slow, fast, kind))
    for name in group.get("chains", []):
        for chain, links in chains_of(suite["chains"][name], operation, modules):
            variants += [variant for _, variant in links]
            for (_, slow), (step, fast) in zip(links, links[1:]):
                comparisons.append(comparison(slow, fast, "step", chain=chain, step=step))
    return list(dict.fromkeys(variants)), comparisons


def with_again(variants, comparisons, ours=OURS, again=AGAIN):
    """Identical code under another name, for the first of our variants: modules and so cells are ordered best first."""
    mine = [variant for variant in variants if variant.startswith(f"{ours}:")]
    if not mine:
        return variants, comparisons
    copy = again + mine[0][len(ours) :]
    return [*variants, copy], [*comparisons, comparison(copy, mine[0], "again")]


def control_cell():
    variants = [f"{CONTROL}:{variant}" for variant in ("base", *KNOWN)]
    comparisons = [comparison(f"{CONTROL}:{v}", variants[0], "known", expected=ratio) for v, ratio in KNOWN.items()]
    return {"operation": "control", "size": CONTROL_SIZE, "variants": variants, "comparisons": comparisons}


def expand(suite, modules):
    """(cells, operations that nothing offers here and that may be absent). Controls included."""
    cells, absent = [], []
    for group in suite["groups"]:
        for operation, sizes in group["operations"].items():
            variants, comparisons = cell_of(suite, group, operation, modules)
            if not variants:
                if not group.get("optional"):
                    raise Stop(BROKEN, f"suite {suite['name']}: nothing here offers {operation}")
                absent.append(operation)
                continue
            variants, comparisons = with_again(variants, comparisons)
            for size in sizes:
                cells.append({"operation": operation, "size": size, "variants": variants, "comparisons": comparisons})
    used = {variant.partition(":")[0] for cell in cells for variant in cell["variants"]}
    for pattern in suite.get("require", []):
        fitting = [module.name for module in modules if fits(module, pattern)]
        if not fitting:
            raise Stop(BROKEN, f"suite {suite['name']} needs module {pattern}, which was not built")
        for name in fitting:
            if name not in used:
                raise Stop(BROKEN, f"suite {suite['name']} needs module {name}, which offers nothing of it here")
    if not any(module.name == CONTROL and "base" in module.offers.get("control", []) for module in modules):
        raise Stop(BROKEN, "no module 'control': without known ratios a run proves nothing")
    return [*cells, control_cell()], absent
