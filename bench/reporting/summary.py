"""A result folder as the report asks for it: cells, variants, ratios, chains (bench/schema)."""
import csv
import dataclasses
import json
import math
import re
import statistics

LEVELS = ("portable", "ssse3", "avx2", "avx2-vpclmul", "avx512", "avx512-vpclmul", "neon")
NAMES = {"cryptopp": "Crypto++", "openssl": "OpenSSL", "hwacha": "Hwacha", "paper": "paper"}
SCALARS = ("scalar-O0-apart", "scalar-O3-novec-apart", "scalar-O3-apart", "scalar-O3-novec", "scalar-O3")
LARGE_EFFECT = 0.03  # a smaller effect is never called real, however narrow its interval


class Unreadable(Exception):
    """The folder holds no summary that this report can read; the text says why."""


@dataclasses.dataclass(frozen=True)
class Variant:
    """'hwacha@clang:avx512' in its parts."""

    text: str
    module: str
    compiler: str
    label: str

    @property
    def own(self):
        return self.module == "hwacha"

    @property
    def build(self):
        return self.module in ("base", "new")

    @property
    def scalar(self):
        return self.module.startswith("scalar-")

    @property
    def paper(self):
        """Our reading of a form that a paper describes (bench/paper)."""
        return self.module == "paper"

    @property
    def peer(self):
        ours = self.own or self.build or self.scalar or self.paper
        return not (ours or self.module in ("hwacha-again", "base-again", "control"))

    @property
    def together(self):
        """Several messages at once, on one thread and without a pool."""
        return re.search(r", (lanes \d+|batch)$", self.label) is not None

    @property
    def level(self):
        return self.label.split(",")[0]

    @property
    def rank(self):
        order, name = (SCALARS, self.module) if self.scalar else (LEVELS, self.level)
        known = order.index(name) if name in order else len(order)
        kind = (self.module == "cryptopp", self.peer, self.paper, self.scalar, True).index(True)
        return (kind, known, self.module, self.label, self.compiler)

    def short(self, compiler=True):
        if self.own:
            name = self.label
        elif self.module == "hwacha-again":
            name = f"{self.label} again"
        elif self.scalar:
            name = self.module.removeprefix("scalar-").replace("-", " ")
        elif self.label in ("package", "evp"):
            name = NAMES.get(self.module, self.module)
        else:
            name = f"{NAMES.get(self.module, self.module)} {self.label}"
        return f"{name} ({self.compiler})" if compiler and self.compiler else name


def variant(text):
    module, _, label = text.partition(":")
    stem, _, compiler = module.partition("@")
    return Variant(text, stem, compiler, label)


@dataclasses.dataclass(frozen=True)
class Ratio:
    """median(slow) / median(fast); without an interval where the summary has none."""

    value: float
    low: float = None
    high: float = None
    real: bool = None


def number(value):
    """A finite number, or None."""
    good = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    return value if good else None


class Summary:
    def __init__(self, data, folder=None):
        check(data)
        self.data = data
        self.folder = folder
        self.suite = data["suite"]
        self.environment = data["environment"]
        self.modules = data["modules"]
        self.cells = data["cells"]
        self.comparisons = data["comparisons"]
        self.controls = data.get("controls") or {}
        self.objects = data.get("objects") or {}
        self.spread = number(self.controls.get("again_spread"))
        self.floor = max(LARGE_EFFECT, self.spread or 0)
        self.cycles_per_tick = number(self.environment.get("core_cycles_per_tick"))
        self.ticks_per_second = number(self.environment.get("ticks_per_second"))
        self.operations = list(dict.fromkeys(c["operation"] for c in self.cells))
        self._rows = {(i, v["variant"]): v for i, c in enumerate(self.cells) for v in c["variants"]}
        self._ratios = {(c["cell"], c["slow"], c["fast"]): c for c in reversed(self.comparisons)}
        self._index = {(c["operation"], c["size"]): i for i, c in enumerate(self.cells)}
        found = {variant(v["variant"]) for c in self.cells for v in c["variants"]}
        self.variants = sorted(found, key=lambda v: v.rank)
        tables = [v.compiler for v in self.variants if v.own]
        self.compilers = sorted(set(tables), key=lambda c: (-tables.count(c), c))
        self.counters = any(number(v.get("cycles")) for c in self.cells for v in c["variants"])

    def index(self, operation, size):
        return self._index.get((operation, size))

    def sizes(self, operation):
        return sorted(c["size"] for c in self.cells if c["operation"] == operation)

    def row(self, cell, text):
        return self._rows.get((cell, text))

    def of_cell(self, cell, wanted=lambda v: True):
        found = (variant(v["variant"]) for v in self.cells[cell]["variants"])
        return sorted((v for v in found if wanted(v)), key=lambda v: v.rank)

    def median(self, cell, text):
        row = self.row(cell, text)
        return number(row.get("median")) if row else None

    def ticks_per_byte(self, cell, text):
        median, size = self.median(cell, text), self.cells[cell]["size"]
        return median / size if median and size else None

    def cycles_per_byte(self, cell, text):
        row, size = self.row(cell, text), self.cells[cell]["size"]
        counted = number(row.get("cycles")) if row else None
        if counted and size:
            return counted / size
        ticks = self.ticks_per_byte(cell, text)
        return ticks * self.cycles_per_tick if ticks and self.cycles_per_tick else None

    def mib_per_second(self, cell, text):
        ticks = self.ticks_per_byte(cell, text)
        return self.ticks_per_second / ticks / 2**20 if ticks and self.ticks_per_second else None

    def ratio(self, cell, slow, fast):
        found = self._ratios.get((cell, slow, fast))
        if found:
            return ratio_of(found)
        back = self._ratios.get((cell, fast, slow))
        back = ratio_of(back) if back else None
        if back and back.value:
            low, high = (1 / back.high, 1 / back.low) if back.low and back.high else (None, None)
            return Ratio(1 / back.value, low, high, back.real)
        above, below = self.median(cell, slow), self.median(cell, fast)
        return Ratio(above / below) if above and below else None

    def peer(self, cell):
        """What the cell's speed-ups refer to: Crypto++, or else the first other peer."""
        peers = self.of_cell(cell, lambda v: v.peer)
        if len(peers) == len(self.cells[cell]["variants"]):
            return None
        return next((v for v in peers if v.module == "cryptopp"), peers[0] if peers else None)

    def chosen(self, cell, compiler, single=False):
        """Our variant that the library chooses: modules offer the best first, and the cell keeps that order. `single`:
        of those for one message."""
        ours = (variant(v["variant"]) for v in self.cells[cell]["variants"])
        ours = (v for v in ours if v.own and v.compiler == compiler and not (single and "," in v.label))
        return next(ours, None)

    def at_once(self, cell, compiler):
        """Our variant for several messages that the library chooses: on one thread, without a pool."""
        ours = (variant(v["variant"]) for v in self.cells[cell]["variants"])
        return next((v for v in ours if v.own and v.compiler == compiler and v.together), None)

    def best(self, operation, compiler):
        """The table for one message that the library chooses."""
        return self.chosen(self.index(operation, self.sizes(operation)[-1]), compiler, single=True)

    def faster(self, cell, best):
        """(variant, Ratio) of the other table for one message that is faster than `best` in this cell by most; None if
        none is by more than the floor, or the two cannot be told apart."""
        others = self.of_cell(cell, lambda v: v.own and v.compiler == best.compiler and "," not in v.label)
        found = [(v, self.ratio(cell, best.text, v.text)) for v in others if v != best]
        found = [(v, r) for v, r in found if r and r.value > 1 + self.floor and self.apart(cell, best, v, r)]
        return max(found, key=lambda f: f[1].value, default=None)

    def apart(self, cell, slow, fast, ratio):
        """Whether the suite's comparison calls the difference real; without one, whether the medians' intervals do."""
        if ratio.real is not None:
            return ratio.real
        low, high = number(self.row(cell, slow.text).get("low")), number(self.row(cell, fast.text).get("high"))
        return low is not None and high is not None and high < low

    def of_kind(self, *kinds):
        return [c for c in self.comparisons if c["kind"] in kinds and number(c["ratio"])]

    def chains(self, paper=False):
        """{(cell, chain): comparisons in order}: each step starts where the one before it ended."""
        found = {}
        for c in self.of_kind("step"):
            chain = c.get("chain") or ""
            if chain.startswith("paper@") == paper:
                found.setdefault((c["cell"], chain), []).append(c)
        return {key: linked(steps) for key, steps in found.items()}

    def cluster_medians(self, cells):
        """{(cell, variant): [ticks a call, one per process]} from raw/, of undisturbed blocks."""
        try:
            plan = json.loads((self.folder / "plan.json").read_text())["cells"]
            files = sorted((self.folder / "raw").glob("*.csv"))
        except (OSError, ValueError, KeyError, TypeError):
            return {}
        probe = self.data.get("probe") or {}
        reference, tolerance = number(probe.get("reference")), number(probe.get("tolerance"))
        if not reference or not tolerance:
            return {}
        names = {}
        for i, c in enumerate(plan):
            cell = self.index(c["operation"], c["size"])
            if cell in cells:
                names.update({(str(i), str(k)): (cell, v) for k, v in enumerate(c["variants"])})
        medians = {}
        for file in files:
            if not file.with_suffix(".json").exists():  # a process that was stopped
                continue
            blocks = {}
            with file.open(newline="") as rows:
                for row in csv.DictReader(rows):
                    key = names.get((row["cell"], row["variant"]))
                    if not key or row["switches"] != "0":
                        continue
                    own = number(self.row(*key).get("probe_reference")) or reference
                    if max(float(row["probe_before"]), float(row["probe_after"])) * tolerance <= own:
                        blocks.setdefault(key, []).append(float(row["ticks"]) / float(row["calls"]))
            for key, ticks in blocks.items():
                medians.setdefault(key, []).append(statistics.median(ticks))
        return medians


def ratio_of(comparison):
    value = number(comparison["ratio"])
    low, high = number(comparison.get("low")), number(comparison.get("high"))
    return Ratio(value, low, high, comparison.get("real")) if value else None


def linked(steps):
    """The steps in chain order, whatever order they stand in."""
    follows = {s["slow"]: s for s in steps}
    ends = {s["fast"] for s in steps}
    at = next((s["slow"] for s in steps if s["slow"] not in ends), None)
    ordered = []
    while at in follows and len(ordered) < len(steps):
        ordered.append(follows[at])
        at = follows[at]["fast"]
    return ordered if len(ordered) == len(steps) else steps


def factor(step):
    """What a step of a chain changes, by what it ends with."""
    slow, fast = variant(step["slow"]), variant(step["fast"])
    if fast.label == "side-by-side":
        return "side by side"
    if fast.own or slow.own:
        found = re.search(r", (lanes|threads) \d+$", fast.label)
        return found[1] if found else "hand SIMD"
    known = {"scalar-O3-novec-apart": "compiler", "scalar-O3-novec": "one TU", "scalar-O3-apart": "auto-vectoriser"}
    if fast.module in known:
        return known[fast.module]
    if re.fullmatch(r"scalar-O3-(v\d|.*arch.*)", fast.module):
        return "wider ISA"
    return "auto-vectoriser" if fast.module == "scalar-O3" else step.get("step") or "other"


def load(folder):
    path = folder / "summary.json"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Unreadable(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise Unreadable(f"{path}: not JSON: {error}") from error
    try:
        return Summary(data, folder)
    except Unreadable as error:
        raise Unreadable(f"{path}: {error}") from error


COUNTS = ("n", "total")
TIMES = ("calls", "min", "p5", "p25", "median", "p75", "p95", "mad", "low", "high", "cycles", "instructions")
TIMES += ("probe_reference",)
RESULTS = ("ratio", "low", "high", "log10_p", "log10_p_holm", "cliffs_delta", "expected", "least", "most")


def check(data):
    """Enough of the schema that nothing below stumbles."""

    def want(condition, text):
        if not condition:
            raise Unreadable(text)

    def texts(value, *keys):
        return isinstance(value, dict) and all(isinstance(value.get(k), str) for k in keys)

    def fields(value, keys, kind, what):
        """Absent or null is allowed. JSON has no other numbers than finite ones, but Python reads them."""
        for key in keys:
            x = value.get(key)
            good = x is None or isinstance(x, kind) and (kind in (bool, str) or number(x) is not None)
            want(good, f"not a summary: '{key}' of {what} is {x!r}")

    want(isinstance(data, dict) and "format" in data and "cells" in data, "not a summary")
    want(data["format"] == 1, f"format {data['format']!r}, this report reads format 1")
    for key, kind in (("suite", str), ("environment", dict), ("modules", list), ("cells", list), ("comparisons", list)):
        want(isinstance(data.get(key), kind), f"not a summary: '{key}' is missing or of the wrong type")
    for key in ("controls", "probe", "objects"):
        want(isinstance(data.get(key) or {}, dict), f"not a summary: '{key}' is of the wrong type")
    reasons = data.get("reasons") or []
    want(isinstance(reasons, list) and all(isinstance(r, str) for r in reasons), "not a summary: 'reasons'")
    environment, controls, probe = (data.get(key) or {} for key in ("environment", "controls", "probe"))
    fields(data, ("clusters", "target", "seed"), int, "the summary")
    fields(environment, ("ticks_per_second", "core_cycles_per_tick", "granularity"), (int, float), "the environment")
    fields(controls, ("again_spread",), (int, float), "the controls")
    fields(probe, ("reference", "tolerance", "blocks", "accepted"), (int, float), "the probe")
    for m in data["modules"]:
        want(texts(m, "name"), "not a summary: a module without a name")
        info = m.get("info") or {}
        want(isinstance(info, dict), f"not a summary: 'info' of module {m['name']}")
        fields(info, info, str, f"module {m['name']}")
    known = []
    for c in data["cells"]:
        want(
            texts(c, "operation") and isinstance(c.get("variants"), list),
            "not a summary: a cell without operation or variants",
        )
        size = c.get("size")
        want(type(size) is int and size >= 0, f"not a summary: size of a cell of {c['operation']}")
        want(
            all(texts(v, "variant") for v in c["variants"]),
            f"not a summary: a variant of {c['operation']} without a name",
        )
        for v in c["variants"]:
            what = f"{v['variant']}, {c['operation']}"
            fields(v, COUNTS, int, what)
            fields(v, TIMES, (int, float), what)
            fields(v, ("target_met",), bool, what)
            bars = v.get("histogram") or {}
            counts = bars.get("counts") or [] if isinstance(bars, dict) else None
            want(
                isinstance(counts, list) and all(type(n) is int and n >= 0 for n in counts),
                f"not a summary: 'histogram' of {what}",
            )
            fields(bars, ("from", "to"), (int, float), f"the histogram of {what}")
        known.append({v["variant"] for v in c["variants"]})
    for c in data["comparisons"]:
        want(
            texts(c, "slow", "fast", "kind") and "ratio" in c,
            "not a summary: a comparison without slow, fast, kind or ratio",
        )
        cell = c.get("cell")
        want(type(cell) is int and 0 <= cell < len(known), "not a summary: a comparison of no cell")
        want(
            {c["slow"], c["fast"]} <= known[cell],
            f"not a summary: a comparison of variants not measured: {c['slow']}, {c['fast']}",
        )
        what = f"the comparison of {c['slow']} and {c['fast']}"
        fields(c, RESULTS, (int, float), what)
        fields(c, ("chain", "step", "effect", "name", "verdict"), str, what)
        fields(c, ("real",), bool, what)
