"""Suites: what is measured, as files, and the plan that follows from one on this machine (bench/suites/README.md)."""

import dataclasses
import fnmatch
import json
import math
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

MOST_BYTES = 2**32  # of a call
MOST_CLUSTERS = 99
COMPILERS = ("clang", "gcc")
KINDS = ("peer", "compiler", "level")
LINK_WORDS = ("compiler", "level", "wide")


@dataclasses.dataclass
class Number:
    """A field or an option: what it may be, and what it is where the file says nothing."""

    default: float
    least: float
    most: float
    whole: bool = True

    def __str__(self):
        if self.whole:
            return f"an integer from {self.least} to {self.most}"
        return f"a number above {self.least} and at most {self.most}"

    def allows(self, value):
        if isinstance(value, bool) or not isinstance(value, int if self.whole else (int, float)):
            return False
        return self.least <= value <= self.most and (self.whole or value > self.least)


NUMBERS = {
    "clusters": Number(10, 1, MOST_CLUSTERS),
    "target": Number(2000, 1, 2**32),
    "box_seconds": Number(2, 0, 3600, whole=False),
    "minutes": Number(10, 0, 100_000, whole=False),
    "seed": Number(1, 0, 2**32),
}
BYTES = Number(0, 0, MOST_BYTES)
BAR = Number(1, 0, 1000, whole=False)


class Checked:
    """A value of a suite file and where it stands; what it must be, or the file is refused."""

    def __init__(self, place, value):
        self.place, self.value = place, value

    def refuse(self, expected):
        given = json.dumps(self.value, ensure_ascii=False)
        raise Stop(
            BROKEN, f"{self.place}: {given if len(given) <= 60 else given[:57] + '...'} given, {expected} expected"
        )

    def be(self, fine, expected):
        if not fine:
            self.refuse(expected)
        return self.value

    def text(self, expected="a text"):
        return self.be(isinstance(self.value, str) and self.value, expected)

    def one_of(self, names, what=""):
        self.be(isinstance(self.value, str) and self.value in names, f"{what}one of {', '.join(names) or 'none'}")

    def items(self, expected, least=0, most=math.inf):
        """Of a list."""
        self.be(isinstance(self.value, list) and least <= len(self.value) <= most, expected)
        return [Checked(f"{self.place}[{i}]", item) for i, item in enumerate(self.value)]

    def fields(self, expected, known=None, needed=(), least=0):
        """{name: value} of an object."""
        self.be(isinstance(self.value, dict) and len(self.value) >= least, expected)
        for name in self.value:
            if known is not None and name not in known:
                raise Stop(BROKEN, f"{self.place}: nobody reads '{name}' ({', '.join(known)} expected)")
        for name in needed:
            if name not in self.value:
                raise Stop(BROKEN, f"{self.place}: no '{name}', which must be given")
        return {name: Checked(f"{self.place}: {name}", item) for name, item in self.value.items()}

    def variant(self, words=()):
        """'MODULE:VARIANT', in which {words} may stand."""
        expected = "a text 'MODULE:VARIANT'"
        module, _, variant = self.filled(words, expected).partition(":")
        self.be(module and variant, expected)

    def filled(self, words, expected):
        """A text with every {word} filled in."""
        text = self.text(expected)
        for word in re.findall(r"\{(\w+)\}", text):
            if word not in words:
                self.refuse(f"of words in braces only {', '.join(f'{{{w}}}' for w in words) or 'none'}")
        rest = re.sub(r"\{\w+\}", "", text)
        return self.be("{" not in rest and "}" not in rest, "no brace but around a word") and re.sub(r"[{}]", "", text)


def check_chain(chain):
    known = ("name", "compilers", "levels", "wide", "links")
    fields = chain.fields("a chain, {field: value},", known, ["name", "compilers", "links"])
    fields["name"].filled(LINK_WORDS, "a text")
    for compiler in fields["compilers"].items("a list of compilers", least=1):
        compiler.one_of(COMPILERS)
    if "levels" in fields:
        for level in fields["levels"].items("a list of levels", least=1):
            level.text()
    if "wide" in fields:
        for word in fields["wide"].fields("{level: text}").values():
            word.text()
    for link in fields["links"].items("a list of at least two links", least=2):
        step, pattern = link.items("[step, variant]", 2, 2)
        step.text()
        pattern.variant(LINK_WORDS)


def check_group(group, chains, cells):
    known = ("operations", "variants", "comparisons", "chains", "optional")
    fields = group.fields("a group, {field: value},", known, ["operations"])
    for name, sizes in fields["operations"].fields("{operation: [bytes...]} with at least one", least=1).items():
        if not name or name == "control":
            raise Stop(BROKEN, f"{sizes.place}: the operation 'control' is in every run, '' in none")
        for size in sizes.items("a list of at least one size", least=1):
            size.be(BYTES.allows(size.value), f"{BYTES} (bytes)")
            if (name, size.value) in cells:
                raise Stop(BROKEN, f"{size.place}: {size.value} bytes of {name} are given twice, once expected")
            cells.add((name, size.value))
    if "variants" not in fields and "chains" not in fields:
        raise Stop(BROKEN, f"{group.place}: neither 'variants' nor 'chains', one of which must be given")
    if "variants" in fields:
        for pattern in fields["variants"].items("a list of at least one variant", least=1):
            pattern.variant()
    if "comparisons" in fields:
        for pairs in fields["comparisons"].fields("{kind: [[slow, fast]...]}", KINDS).values():
            for pair in pairs.items("a list of pairs [slow, fast]"):
                for pattern in pair.items("a pair [slow, fast]", 2, 2):
                    pattern.variant()
    if "chains" in fields:
        for chain in fields["chains"].items("a list of at least one chain", least=1):
            chain.one_of(list(chains), "of the suite's chains ")
    if "optional" in fields:
        fields["optional"].be(isinstance(fields["optional"].value, bool), "true or false")


def check_bar(bar, cells):
    known = ("name", "operation", "size", "slow", "fast", "least", "most")
    fields = bar.fields("a bar, {field: value},", known, known[:5])
    fields["name"].text()
    fields["slow"].variant()
    fields["fast"].variant()
    at = fields["operation"].text(), fields["size"].be(BYTES.allows(fields["size"].value), f"{BYTES} (bytes)")
    for limit in ("least", "most"):
        if limit in fields:
            fields[limit].be(BAR.allows(fields[limit].value), BAR)
    if at not in cells:
        raise Stop(BROKEN, f"{bar.place}: no group has {at[1]} bytes of {at[0]}")


def check(path, suite):
    known = ("description", *NUMBERS, "require", "chains", "groups", "bars")
    fields = Checked(path, suite).fields("a suite, {field: value},", known, ["description", "groups"])
    fields["description"].text()
    for name, number in NUMBERS.items():
        if name in fields:
            fields[name].be(number.allows(fields[name].value), number)
    if "require" in fields:
        for module in fields["require"].items("a list of modules"):
            module.text()
    chains = fields["chains"].fields("{name: chain}") if "chains" in fields else {}
    for chain in chains.values():
        check_chain(chain)
    cells = set()
    for group in fields["groups"].items("a list of at least one group", least=1):
        check_group(group, chains, cells)
    for bar in fields["bars"].items("a list of bars") if "bars" in fields else []:
        check_bar(bar, cells)


def names():
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def only_once(pairs):
    """An object, of which JSON would keep the last of fields that are alike."""
    found = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"'{name}' is given twice in one object, once expected")
        found[name] = value
    return found


def load(name):
    """A suite by its name or its file; its name is the file's."""
    path = Path(name) if name.endswith(".json") else FOLDER / f"{name}.json"
    if not path.is_file():
        raise Stop(USAGE, f"no suite is called '{name}' ({', '.join(names())}, or a file .json)")
    try:
        suite = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=only_once)
    except (ValueError, RecursionError) as error:
        raise Stop(BROKEN, f"{path}: {error}") from error
    check(path, suite)
    return {**{key: number.default for key, number in NUMBERS.items()}, **suite, "name": path.stem}


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
    is any that HWACHA_PEER_... names, the variant 'best' the first that the module offers, 'single' the first that
    takes one message after the other."""
    module_pattern, _, variant_pattern = pattern.partition(":")
    found = []
    for module in modules:
        if fits(module, module_pattern):
            offered = module.offers.get(operation, [])
            if variant_pattern == "best":
                chosen = offered[:1]
            elif variant_pattern == "single":
                chosen = [variant for variant in offered if "," not in variant][:1]
            else:
                chosen = fnmatch.filter(offered, variant_pattern)
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


def bars_of(suite, cell, modules):
    """Comparisons of the suite's bars in this cell, and names of bars that nothing here can be measured by."""
    found, absent = [], []
    for bar in suite.get("bars", []):
        if (bar["operation"], bar["size"]) != (cell["operation"], cell["size"]):
            continue
        ends = [
            [v for v in resolve(bar[end], cell["operation"], modules) if v in cell["variants"]]
            for end in ("slow", "fast")
        ]
        if all(ends) and ends[0][0] != ends[1][0]:
            limits = {limit: bar.get(limit) for limit in ("least", "most")}
            found.append(comparison(ends[0][0], ends[1][0], "bar", name=bar["name"], **limits))
        else:
            absent.append(f"bar '{bar['name']}'")
    return found, absent


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
    """(cells, operations and bars that nothing here offers and that may be absent). Controls included."""
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
                cell = {"operation": operation, "size": size, "variants": variants, "comparisons": comparisons}
                bars, missing = bars_of(suite, cell, modules)
                cells.append({**cell, "comparisons": [*comparisons, *bars]})
                absent += missing
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
