"""The report's tables: built once from a summary, written as HTML, Markdown and CSV.

Lanes and threads, when a suite measures them: the operation is "NAME xN", N equal messages, or "NAME xN KIND", N of
unequal lengths; the cell's size is that of all of them. Variants "LEVEL" (one after the other), "LEVEL, lanes L" and
"LEVEL, threads T" fill the forms of tables 3, 4 and A2, and the tables of many messages.
"""
import collections
import csv
import dataclasses
import html
import io
import json
import math
import pathlib
import re

from summary import LEVELS, NAMES, Ratio, factor, number, ratio_of, variant

PUBLISHED = pathlib.Path(__file__).resolve().parents[1] / "published"
TIMES, DELTA, MINUS, NARROW = "\u00d7", "\u03b4", "\u2212", "\u202f"
MEASURED, PAPER, ESTIMATE = "measured", "published", "estimate"


# ---- Values as text -------------------------------------------------------------------------------------------------


def grouped(value):
    text = f"{value:,.0f}" if abs(value) >= 10000 else f"{value:.0f}"
    return text.replace(",", NARROW).replace("-", MINUS)


def figure(value, digits=3):
    """Three significant digits, never fewer than the integer part has."""
    if value == 0:
        return "0"
    text = f"{value:.{digits}g}"
    if "e" in text or abs(value) >= 10 ** (digits - 1):
        if abs(value) < 1e-3:
            return text.replace("-", MINUS)
        return grouped(value)
    decimals = digits - 1 - int(f"{value:.{digits - 1}e}".split("e")[1])
    return f"{value:.{decimals}f}".replace("-", MINUS)


def escaped(text):
    """As Markdown: no HTML in it, outside of `code`."""
    parts = re.split(r"(`[^`\n]+`)", text)
    return "".join(part if i % 2 else html.escape(part, quote=False) for i, part in enumerate(parts))


def size_text(size):
    for unit, name in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if size >= unit and size % unit == 0 and size >= 16384:
            return f"{size // unit} {name}"
    return str(size)


def bytes_text(size):
    text = size_text(size)
    return text if " " in text else f"{text} bytes"


def ratio_text(ratio, interval=True):
    """Value and interval with the same decimals: three near 1, else three digits of the value."""
    known = [v for v in (ratio.value, ratio.low, ratio.high) if v is not None]
    decimals = 3 if any(0.9 <= v < 1.1 for v in known) else max(0, 2 - math.floor(math.log10(ratio.value)))
    mark = "\u2248 " if ratio.real is False else ""
    text = f"{mark}{ratio.value:.{decimals}f}{TIMES}"
    if not interval or len(known) < 3:
        return text
    return f"{mark}{ratio.value:.{decimals}f}{TIMES} [{ratio.low:.{decimals}f}, {ratio.high:.{decimals}f}]"


FORMATS = {
    "text": str,
    "code": str,
    "list": lambda v: ", ".join(v[:5]) + (f" and {len(v) - 5} more" if len(v) > 5 else ""),
    "figure": figure,
    "count": grouped,
    "size": size_text,
    "ratio": ratio_text,
    "factor": lambda v: ratio_text(v).replace(TIMES, ""),
    "fixed1": lambda v: f"{v:.1f}",
    "fixed2": lambda v: f"{v:.2f}",
    "fixed3": lambda v: f"{v:.3f}",
    "fixed2x": lambda v: f"{v:.2f}{TIMES}",
    "about": lambda v: v if isinstance(v, str) else f"{v:.2f}",
    "signed": lambda v: f"{v:+.3f}".replace("-", MINUS),
    "power": lambda v: f"{v:.1f}".replace("-", MINUS) if v > -10 else grouped(v),
    "percent": lambda v: f"{100 * v:+.2f}{NARROW}%".replace("-", MINUS),
}


@dataclasses.dataclass
class Column:
    key: str  # of the CSV file
    head: str
    form: str = "text"  # of FORMATS
    group: str = ""
    paper: bool = False
    hidden: bool = False  # in the CSV file only

    def text(self, value):
        return "" if value is None else FORMATS[self.form](value)

    @property
    def left(self):
        return self.form in ("text", "code", "list")


@dataclasses.dataclass
class Table:
    name: str
    title: str
    caption: str
    columns: list
    rows: list
    marks: tuple = (MEASURED,)
    repeat: int = 0  # so many leading columns are left blank where they repeat the row above
    tall: bool = False  # scrolls on the screen

    def __post_init__(self):
        for i, c in enumerate(self.columns):
            c.hidden = c.hidden or all(row[i] in (None, "", []) for row in self.rows)

    @property
    def visible(self):
        return [c for c in self.columns if not c.hidden]

    def shown(self):
        """(first of the leading columns that differs from the row above, texts) for every row."""
        last = None
        for row in self.rows:
            texts = [c.text(v) for c, v in zip(self.columns, row) if not c.hidden]
            lead = texts[: self.repeat]
            new = next((i for i in range(self.repeat) if last is None or lead[i] != last[i]), None)
            for i in range(self.repeat):
                if last is not None and lead[: i + 1] == last[: i + 1]:
                    texts[i] = ""
            last = lead
            yield new, texts

    def csv(self):
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        heads = []
        for c in self.columns:
            heads += [c.key, f"{c.key}_low", f"{c.key}_high"] if c.form in ("ratio", "factor") else [c.key]
        writer.writerow(heads)
        for row in self.rows:
            fields = []
            for c, v in zip(self.columns, row):
                fields += (
                    (["", "", ""] if v is None else [v.value, v.low, v.high])
                    if c.form in ("ratio", "factor")
                    else ["; ".join(v) if c.form == "list" else v]
                )
            writer.writerow(fields)
        return out.getvalue()

    def markdown(self):
        def plain(text):
            return html.escape(text, quote=False).replace("|", "\\|").replace("\n", " ").replace(NARROW, " ")

        heads = [plain(f"{c.group}: {c.head}" if c.group else c.head) for c in self.visible]
        lines = [
            "| " + " | ".join(heads) + " |",
            "|" + "|".join("---" if c.left else "---:" for c in self.visible) + "|",
        ]
        lines += ["| " + " | ".join(plain(t) for t in texts) + " |" for _, texts in self.shown()]
        marks = f" ({', '.join(self.marks)})" if self.marks else ""
        return f"**{plain(self.title)}**{marks}\n\n" + "\n".join(lines) + f"\n\n{plain(self.caption)}\n"

    def html(self):
        def classes(column, *more):
            names = [
                *more,
                *(["l"] if column.left else []),
                *([column.form] if column.form in ("code", "list") else []),
                *(["pub"] if column.paper else []),
            ]
            return f' class="{" ".join(names)}"' if names else ""

        columns = self.visible
        starts = [i == 0 or c.group != columns[i - 1].group for i, c in enumerate(columns)]
        head = []
        if any(c.group for c in columns):
            cells, i = [], 0
            while i < len(columns):
                span = 1
                while i + span < len(columns) and not starts[i + span]:
                    span += 1
                name = html.escape(columns[i].group)
                named = (["group"] if name else []) + (["pub"] if columns[i].paper else []) + (["edge"] if i else [])
                cells.append(f'<th colspan="{span}" class="{" ".join(named)}">{name}</th>')
                i += span
            head.append("<tr>" + "".join(cells) + "</tr>")
        edges = [["edge"] if start and i and any(c.group for c in columns) else [] for i, start in enumerate(starts)]
        cells = (f"<th{classes(c, *e)}>{html.escape(c.head)}</th>" for c, e in zip(columns, edges))
        head.append("<tr>" + "".join(cells) + "</tr>")
        body = []
        for (new, texts), row in zip(self.shown(), self.rows):
            cells = []
            values = [v for c, v in zip(self.columns, row) if not c.hidden]
            for c, e, text, value in zip(columns, edges, texts, values):
                weak = ["weak"] if isinstance(value, Ratio) and value.real is False else []
                cells.append(
                    f"<td{classes(c, *e, *weak)}>{marked(text) if isinstance(value, Ratio) else html.escape(text)}</td>"
                )
            rule = "" if new is None or not body else "next" if new else "first"
            body.append((f'<tr class="{rule}">' if rule else "<tr>") + "".join(cells) + "</tr>")
        marks = " ".join(f'<span class="mark {m}">{m}</span>' for m in self.marks)
        box = ["scroll"] + (["tall"] if self.tall else []) + (["wide"] if len(columns) > 12 else [])
        more = " All rows by scrolling or in print." if self.tall else ""
        return (
            f'<figure class="table" id="t-{self.name}"><figcaption><b>{html.escape(self.title)}</b> {marks}'
            f'<span class="note">{html.escape(self.caption + more)}</span></figcaption>'
            f'<div class="{" ".join(box)}"><table><thead>{"".join(head)}</thead>'
            f'<tbody>{"".join(body)}</tbody></table></div></figure>'
        )


def marked(text):
    """The interval of a ratio stands back behind it."""
    value, bracket, interval = text.partition(" [")
    return html.escape(value) + (f' <span class="ci">[{html.escape(interval)}</span>' if bracket else "")


# ---- What the tables share ------------------------------------------------------------------------------------------


def published(name):
    return json.loads((PUBLISHED / f"{name}.json").read_text(encoding="utf-8"))


def module_title(summary, v):
    info = next((m.get("info") or {} for m in summary.modules if variant(m["name"] + ":").module == v.module), {})
    return f"{NAMES.get(v.module, v.module)} {info.get('version', '')}".strip()


def levels_of(summary, operations, compiler):
    found = {
        v.label
        for o in operations
        for s in summary.sizes(o)
        for v in summary.of_cell(summary.index(o, s))
        if v.own and v.compiler == compiler and "," not in v.label
    }
    return sorted(found, key=lambda level: LEVELS.index(level) if level in LEVELS else len(LEVELS))


def marks_of(summary, *more):
    """Of a table with cycles."""
    return (MEASURED, *([] if summary.counters else [ESTIMATE]), *more)


def own(compiler, label):
    return f"hwacha@{compiler}:{label}" if compiler else f"hwacha:{label}"


# ---- Controls -------------------------------------------------------------------------------------------------------


def controls(summary):
    again = summary.of_kind("again")
    known = summary.of_kind("known")
    tables = []
    if known:
        rows = []
        for c in known:
            r, expected = ratio_of(c), number(c.get("expected"))
            rows.append(
                [
                    variant(c["slow"]).label + " : " + variant(c["fast"]).label,
                    expected,
                    r,
                    r.value / expected - 1 if expected else None,
                ]
            )
        tables.append(
            Table(
                "known-ratios",
                "Known ratios",
                "Loops of dependent multiplications whose numbers of turns stand in exactly this ratio.",
                [
                    Column("work", "Work"),
                    Column("expected", "Expected", "fixed2x"),
                    Column("ratio", "Measured", "ratio"),
                    Column("error", "Error", "percent"),
                ],
                rows,
            )
        )
    if again:
        worst = sorted(again, key=lambda c: -abs(number(c["ratio"]) - 1))[:6]
        rows = [
            [
                summary.cells[c["cell"]]["operation"],
                summary.cells[c["cell"]]["size"],
                variant(c["slow"]).short(),
                ratio_of(c),
                number(c.get("cliffs_delta")),
                number(c.get("log10_p")),
            ]
            for c in worst
        ]
        which = f"the {len(rows)} largest of {len(again)} differences" if len(rows) < len(again) else "all differences"
        tables.append(
            Table(
                "again",
                f"Identical code under two names: {which}",
                "What a difference of nothing looks like here: the floor below which no effect is called real. "
                "Note p and Cliff's delta: tests of significance alone find differences in identical code.",
                [
                    Column("operation", "Operation"),
                    Column("size", "Input (B)", "size"),
                    Column("variant", "Variant"),
                    Column("ratio", "Ratio", "ratio"),
                    Column("delta", f"Cliff's {DELTA}", "signed"),
                    Column("log10_p", "log10 p", "power"),
                ],
                rows,
            )
        )
    return tables


# ---- The forms of the LSH and LEA-GCM paper -------------------------------------------------------------------------


CHOSEN = (
    "Ours is the table that the library chooses on this machine, also where another was faster; if one really was, "
    "'faster here' names it with the ratio."
)


def faster_text(summary, cell, best):
    found = summary.faster(cell, best)
    return f"{found[0].label} {ratio_text(Ratio(found[1].value))}" if found else None


def single_message(summary, compiler, number_, modes):
    paper = published("seed000")["single_message"]
    theirs = {(r[0], r[1]): r for r in paper["rows"]}
    modes = [m for m in modes if m in summary.operations and summary.best(m, compiler)]
    peers = [summary.peer(summary.index(m, size)) for m in modes for size in summary.sizes(m)]
    if not any(peers):
        return None
    best = {m: summary.best(m, compiler) for m in modes}
    others = [
        own(compiler, level)
        for level in levels_of(summary, modes, compiler)
        if any(best[m].label != level for m in modes)
    ]
    reference = module_title(summary, next(filter(None, peers)))
    by = f" by {compiler}" if compiler else ""
    columns = [
        Column("mode", "Mode"),
        Column("input", "Input (B)", "size"),
        Column("peer_mib_s", "MiB/s", "figure", reference),
        Column("peer_cpb", "CPB", "figure", reference),
        Column("table", "table", "text", f"Hwacha{by}"),
        Column("ours_mib_s", "MiB/s", "figure", f"Hwacha{by}"),
        Column("ours_cpb", "CPB", "figure", f"Hwacha{by}"),
        Column("speedup", "Speed\u2011up [95\u00a0%]", "ratio", f"Hwacha{by}"),
        Column("faster", "faster here", "text", f"Hwacha{by}"),
    ]
    columns += [Column(f"{variant(o).label}_cpb", variant(o).label, "figure", "Other tables, CPB") for o in others]
    columns += [
        Column(f"{c}_cpb", f"chosen, {c}", "figure", "Other tables, CPB") for c in summary.compilers if c != compiler
    ]
    group = "Paper, i7-1165G7"
    columns += [
        Column("paper_reference_mib_s", "AVX2 MiB/s", "fixed1", group, True),
        Column("paper_reference_cpb", "CPB", "fixed2", group, True),
        Column("paper_avx512_mib_s", "AVX-512 MiB/s", "fixed1", group, True),
        Column("paper_avx512_cpb", "CPB", "fixed2", group, True),
        Column("paper_speedup", "Speed\u2011up", "fixed2x", group, True),
    ]
    rows = []
    for m in modes:
        for size in summary.sizes(m):
            cell = summary.index(m, size)
            peer, ours = summary.peer(cell), best[m]
            row = [m, size]
            row += (
                [summary.mib_per_second(cell, peer.text), summary.cycles_per_byte(cell, peer.text)]
                if peer
                else [None, None]
            )
            row += [
                ours.label,
                summary.mib_per_second(cell, ours.text),
                summary.cycles_per_byte(cell, ours.text),
                summary.ratio(cell, peer.text, ours.text) if peer else None,
                faster_text(summary, cell, ours),
            ]
            row += [None if o == ours.text else summary.cycles_per_byte(cell, o) for o in others]
            for other in (c for c in summary.compilers if c != compiler):
                chosen = summary.best(m, other)
                row.append(summary.cycles_per_byte(cell, chosen.text) if chosen else None)
            t = theirs.get((m, size))
            row += [t[2], t[4], t[6], t[8], t[10]] if t else [None] * 5
            rows.append(row)
    return Table(
        f"table-{number_}",
        f"Single message, in the form of the paper's table {number_}",
        f"Reference is {reference}, not KISA's code, which is not distributed with this project. {CHOSEN} Medians; "
        "the interval belongs to the speed-up. The paper's "
        "columns: means of 30 trials, KISA's AVX2 code against its AVX-512 code, on another processor and with "
        "another compiler; figures of the two machines cannot be set against each other.",
        columns,
        rows,
        marks_of(summary, PAPER),
        1,
    )


@dataclasses.dataclass(frozen=True)
class Batch:
    """What an operation "NAME xN" or "NAME xN KIND" is about."""

    mode: str
    messages: int
    lengths: str  # "" for equal ones


def side_by_side(summary, messages=None):
    """{Batch: [(mean size of a message, cell)]}."""
    found = {}
    for i, c in enumerate(summary.cells):
        match = re.fullmatch(r"(.+) x(\d+)(?: (\w+))?", c["operation"])
        if not match or not int(match[2]):
            continue
        batch = Batch(match[1], int(match[2]), match[3] or "")
        if messages is None or (messages == batch.messages and not batch.lengths):
            found.setdefault(batch, []).append((round(c["size"] / batch.messages), i))
    return {batch: sorted(cells) for batch, cells in found.items()}


MISSING = "not measured"


def with_missing(rows, theirs, modes, width):
    """In the order of the paper's rows; those that this run has not are there, and say so."""
    ours = {(row[0], row[1]): row for row in rows}
    wanted = {key: t for key, t in theirs.items() if modes is None or key[0] in modes}
    for (mode, size), t in wanted.items():
        if (mode, size) not in ours:
            blank = [None] * (width - 2 - len(t))
            blank[0] = MISSING
            ours[mode, size] = [mode, size, *blank, *t]
    order = list(theirs)
    return sorted(ours.values(), key=lambda r: order.index((r[0], r[1])) if (r[0], r[1]) in theirs else len(order))


def of_paper(summary, cell, ending):
    """The variant of module paper whose label ends so."""
    return next((v for v in summary.of_cell(cell, lambda v: v.paper and v.label.endswith(ending))), None)


def two_messages(summary, compiler):
    theirs = {(r[0], r[1]): [r[2], r[4], r[6]] for r in published("seed000")["two_messages"]["rows"]}
    rows = []
    for batch, cells in side_by_side(summary, 2).items():
        for size, cell in cells:
            at_once, single = summary.at_once(cell, compiler), summary.chosen(cell, compiler, single=True)
            if not at_once or not single or not summary.median(cell, at_once.text):
                continue
            peer, dual = summary.peer(cell), of_paper(summary, cell, "dual")
            rows.append(
                [
                    batch.mode,
                    size,
                    at_once.label,
                    summary.mib_per_second(cell, peer.text) if peer else None,
                    summary.mib_per_second(cell, single.text),
                    summary.mib_per_second(cell, at_once.text),
                    summary.ratio(cell, peer.text, at_once.text) if peer else None,
                    summary.ratio(cell, single.text, at_once.text),
                    summary.mib_per_second(cell, dual.text) if dual else None,
                    summary.ratio(cell, dual.text, at_once.text) if dual else None,
                ]
                + theirs.get((batch.mode, size), [None] * 3)
            )
    if not rows:
        return None
    ours, form, group = "Hwacha, MiB/s", "Paper's form here, MiB/s", "Paper, i7-1165G7, MiB/s"
    columns = [
        Column("mode", "Mode"),
        Column("input", "Input (B)", "size"),
        Column("table", "table", "text", ours),
        Column("peer_mib_s", f"2 {TIMES} peer", "figure", ours),
        Column("single_mib_s", f"2 {TIMES} single", "figure", ours),
        Column("dual_mib_s", "at once", "figure", ours),
        Column("speedup", "over the peer [95\u00a0%]", "ratio", ours),
        Column("over_single", "over single [95\u00a0%]", "ratio", ours),
        Column("form_mib_s", "dual", "figure", form),
        Column("over_form", "ours over it [95\u00a0%]", "ratio", form),
        Column("paper_reference", f"2 {TIMES} AVX2", "fixed1", group, True),
        Column("paper_dual", "dual", "fixed1", group, True),
        Column("paper_speedup", "Speed\u2011up", "fixed2x", group, True),
    ]
    return Table(
        "table-3",
        "Two messages at once, in the form of the paper's table 3",
        "Throughput over both messages, on the machine named above. The peer and our single-message table hash the two "
        "one after the other; 'lanes 1' says that the library does so too on this level. Paper's form: our reading of "
        "it (bench/paper), built and run here. The paper's own columns: its reference is KISA's AVX2 code called "
        "twice, on another processor. Blank: not measured.",
        columns,
        with_missing(rows, theirs, None, len(columns)),
        (MEASURED, PAPER),
        1,
    )


LENGTHS = {"": "equal", "uniform": "0 to 8191", "records": "16 to 1024"}


def many_messages(summary, compiler):
    """Every form with lanes, beside the loop over the same level's single-message table, and beside the peer."""
    rows = []
    for batch, cells in side_by_side(summary).items():
        for size, cell in cells:
            peer = summary.peer(cell)
            for v in summary.of_cell(cell, lambda v: (v.own and v.compiler == compiler) or v.paper):
                match = re.search(r", lanes (\d+)$", v.label)
                if not (v.together or v.paper) or not summary.median(cell, v.text):
                    continue
                chosen = summary.chosen(cell, compiler, single=True)
                single = (chosen.text if chosen else "") if v.paper else own(compiler, v.level)
                rows.append(
                    [
                        batch.mode,
                        batch.messages,
                        LENGTHS.get(batch.lengths, batch.lengths),
                        size,
                        summary.mib_per_second(cell, peer.text) if peer else None,
                        v.short(False) if v.paper else v.level,
                        summary.mib_per_second(cell, single),
                        int(match[1]) if match else None,
                        summary.ticks_per_byte(cell, v.text),
                        summary.mib_per_second(cell, v.text),
                        summary.ratio(cell, single, v.text),
                        summary.ratio(cell, peer.text, v.text) if peer else None,
                    ]
                )
    group = "Hwacha" + (f" by {compiler}" if compiler else "")
    return (
        Table(
            "many-messages",
            "Many messages at once",
            "One thread. Throughput over all messages of a call; the input is that of one message, the mean where "
            "lengths are not equal. The peer and our single-message table of the same level (for a paper's form: the "
            "library's) take the messages one after the other, lanes so many at once; without lanes, records as "
            "seal_batch and open_batch take them.",
            [
                Column("mode", "Mode"),
                Column("messages", "Messages", "count"),
                Column("lengths", "Lengths (B)", hidden=all(row[2] == LENGTHS[""] for row in rows)),
                Column("input", "Input (B)", "size"),
                Column("peer_mib_s", "peer", "figure", "MiB/s"),
                Column("level", "table", "text", group),
                Column("single_mib_s", "single, MiB/s", "figure", group),
                Column("lanes", "lanes", "count", group),
                Column("ticks_per_byte", "ticks/B", "figure", group),
                Column("lanes_mib_s", "MiB/s", "figure", group),
                Column("over_single", "over single [95\u00a0%]", "ratio", group),
                Column("over_peer", "over the peer [95\u00a0%]", "ratio", group),
            ],
            rows,
            (MEASURED,),
            5,
            len(rows) > 40,
        )
        if rows
        else None
    )


def by_threads(summary, cell, compiler):
    """{threads: variant} of a cell; one thread without a pool where no pool of one was measured."""
    found = {}
    for v in summary.of_cell(cell, lambda v: v.own and v.compiler == compiler and summary.median(cell, v.text)):
        if match := re.search(r", threads (\d+)$", v.label):
            found.setdefault(int(match[1]), v)
    if found and 1 not in found:
        levels = {v.level for v in found.values()}
        single = summary.of_cell(cell, lambda v: v.own and v.compiler == compiler and v.level in levels)
        found |= {1: v for v in reversed(single) if v.together and summary.median(cell, v.text)}
    return dict(sorted(found.items()))


def threads(summary, compiler, number_, modes):
    paper = published("seed000")["threads"]
    theirs = {(r[0], r[1]): [r[2], r[4], r[6], r[8], r[10]] for r in paper["rows"]}
    found = [
        (batch, size, cell, by_threads(summary, cell, compiler))
        for batch, cells in side_by_side(summary, paper["messages"]).items()
        if modes is None or batch.mode in modes
        for size, cell in cells
    ]
    found = [f for f in found if f[3]]
    if not found:
        return None
    counts = sorted({n for *_, pools in found for n in pools})
    most = max(counts)
    usable = summary.environment.get("cpus")
    rows = []
    for batch, size, cell, pools in found:
        row = [batch.mode, size, pools[max(pools)].level]
        row += [summary.mib_per_second(cell, pools[n].text) if n in pools else None for n in counts]
        row.append(summary.ratio(cell, pools[1].text, pools[2].text) if {1, 2} <= set(pools) else None)
        widest = most > 2 and {1, most} <= set(pools)
        row.append(summary.ratio(cell, pools[1].text, pools[most].text) if widest else None)
        rows.append(row + theirs.get((batch.mode, size), [None] * 5))
    ours, group = "Hwacha, threads, MiB/s", "Paper, i7-1165G7, threads, MiB/s"
    columns = [
        Column("mode", "Mode"),
        Column("input", "Input (B)", "size"),
        Column("table", "Table"),
        *[Column(f"threads_{n}_mib_s", str(n), "figure", ours) for n in counts],
        Column("speedup_2", "1 to 2 [95\u00a0%]", "ratio", ours),
        Column(f"speedup_{most}", f"1 to {most} [95\u00a0%]", "ratio", ours),
        *[Column(f"paper_{n}_mib_s", str(n), "fixed1", group, True) for n in (1, 2, 4, 8)],
        Column("paper_speedup", "1 to 8", "fixed2x", group, True),
    ]
    return Table(
        f"table-{number_}",
        f"Threads, in the form of the paper's table {number_}",
        f"Throughput over all of {grouped(paper['messages'])} messages of a call, in a pool of so many threads, each "
        f"with the same lanes. This machine has {f'{usable} processors' if usable else 'its own processors'}: more "
        "threads than that are there to show what too many cost. The paper's machine has 4 cores with 8 hardware "
        f"threads, and takes one message at a time on each; batches of {paper['batch']}. Blank: not measured.",
        columns,
        with_missing(rows, theirs, modes, len(columns)),
        (MEASURED, PAPER),
        1,
    )


def scaling(summary, compiler):
    """Batches that were measured in pools, but for those in the form of the paper."""
    messages = published("seed000")["threads"]["messages"]
    found = []
    for batch, cells in side_by_side(summary).items():
        for size, cell in cells:
            pools = by_threads(summary, cell, compiler)
            if pools and (batch.messages != messages or batch.lengths):
                found.append((batch, size, cell, pools))
    if not found:
        return None
    counts = sorted({n for *_, pools in found for n in pools})
    rows = []
    for batch, size, cell, pools in found:
        peer, single = summary.peer(cell), summary.chosen(cell, compiler, single=True)
        at_once = summary.at_once(cell, compiler)
        row = [batch.mode, batch.messages, LENGTHS.get(batch.lengths, batch.lengths), size]
        row += [summary.ticks_per_byte(cell, v.text) if v else None for v in (peer, single, at_once)]
        row += [summary.ticks_per_byte(cell, pools[n].text) if n in pools else None for n in counts]
        row.append(summary.ratio(cell, single.text, at_once.text) if single and at_once else None)
        row.append(summary.ratio(cell, pools[1].text, pools[2].text) if {1, 2} <= set(pools) else None)
        rows.append(row)
    one, many = "One thread, ticks/B", "In a pool of, ticks/B"
    return Table(
        "scaling",
        "Lanes and threads by size",
        "Ticks a byte of all messages. Peer and single take one message after the other, lanes as many as the library "
        "chooses. Input: of one message; the mean where lengths are not equal.",
        [
            Column("mode", "Mode"),
            Column("messages", "Messages", "count"),
            Column("lengths", "Lengths (B)"),
            Column("input", "Input (B)", "size"),
            Column("peer", "peer", "figure", one),
            Column("single", "single", "figure", one),
            Column("lanes", "lanes", "figure", one),
            *[Column(f"threads_{n}", f"{n} thread{'s' * (n > 1)}", "figure", many) for n in counts],
            Column("over_single", "lanes over single [95\u00a0%]", "ratio", "Speed-up"),
            Column("two_threads", "2 threads over 1 [95\u00a0%]", "ratio", "Speed-up"),
        ],
        rows,
        (MEASURED,),
        3,
    )


def bars(summary):
    found = summary.of_kind("bar")
    stems = [(c.get("name") or "").rpartition(", ")[0] for c in found]  # without the size: rows that belong together
    rows = []
    for _, c in sorted(zip(stems, found), key=lambda f: stems.index(f[0])):
        i, slow, fast = c["cell"], variant(c["slow"]), variant(c["fast"])
        limit = [f"{sign} {c[key]:g}{TIMES}" for key, sign in (("least", "\u2265"), ("most", "\u2264")) if number(c.get(key))]
        both = slow.compiler != fast.compiler and slow.own
        row = [c.get("name"), slow.short(both), fast.short(both), summary.ticks_per_byte(i, c["slow"])]
        rows.append(row + [summary.ticks_per_byte(i, c["fast"]), ratio_of(c), ", ".join(limit), c.get("verdict")])
    if not rows:
        return None
    return Table(
        "bars",
        "Bars",
        "Time of the first over that of the second. Met or missed: the whole interval is; undecided: the bar lies in "
        "it. Without a bar: for information.",
        [
            Column("bar", "What"),
            Column("slow", "First"),
            Column("fast", "Second"),
            Column("slow_ticks", "first", "figure", "ticks/B"),
            Column("fast_ticks", "second", "figure", "ticks/B"),
            Column("ratio", "Ratio [95\u00a0%]", "ratio"),
            Column("limit", "Bar"),
            Column("verdict", ""),
        ],
        rows,
    )


def of_goals(summary, cell, compiler):
    """Our tables that the goals are for: of a processor with AVX2. Each with its row, where it was observed."""
    found = summary.of_cell(cell, lambda v: v.own and v.compiler == compiler and v.level.startswith("avx"))
    rows = ((v, summary.row(cell, v.text)) for v in found)
    return [(v, r) for v, r in rows if None not in (number(r.get(key)) for key in ("min", "median", "mad"))]


def chosen_text(summary, cell, v):
    return "chosen" if v == summary.chosen(cell, v.compiler) else ""


def goals(summary, compiler):
    """Minima against bench/published/goals.json, for each of our tables that they are for."""
    given, rows = published("goals"), []
    for operation, size, bar, stretch in [*given["rows"], *in_proportion(given)]:
        cell = summary.index(operation, size)
        for v, row in of_goals(summary, cell, compiler) if cell is not None else []:
            by, unit = (1, "ticks") if operation.endswith("key setup") else (size, "ticks/B")
            minimum, median, spread = (row[key] / by for key in ("min", "median", "mad"))
            verdict = "not met" if minimum > bar else "stretch met" if minimum <= stretch else "met"
            key_size = size if unit == "ticks/B" else None
            rows.append([operation, key_size, v.label, chosen_text(summary, cell, v), minimum, median, spread])
            rows[-1] += [bar, stretch, minimum / bar - 1, verdict, unit]
    if not rows or summary.suite != "lea-gcm":
        return None
    return Table(
        "goals",
        "LEA-GCM against its goals",
        "Ticks a byte; of key setup, ticks a call. The goals are for a processor with AVX2, so those of our tables "
        "that need more have it easier. They are minima, by which a row is met or not met: noise is one-sided. Median "
        "and median absolute deviation beside them. LEA-192 and LEA-256: the goals of LEA-128, the share that CTR has "
        "of them at 4096 bytes multiplied by 28 and 32 rounds over 24.",
        [
            Column("operation", "Operation"),
            Column("input", "Input (B)", "size"),
            Column("table", "Table"),
            Column("chosen", ""),
            Column("minimum", "Minimum", "figure"),
            Column("median", "Median", "figure"),
            Column("mad", "MAD", "figure"),
            Column("bar", "Bar", "figure"),
            Column("stretch", "Stretch", "figure"),
            Column("over_bar", "to the bar", "percent"),
            Column("verdict", ""),
            Column("unit", "Unit", hidden=True),
        ],
        rows,
        (MEASURED,),
        2,
        len(rows) > 40,
    )


def opening(summary, compiler):
    """Decryption against encryption, by minima, for the same tables."""
    most, rows = published("goals")["open_over_seal"], []
    for i, c in enumerate(summary.cells):
        sealing, _, rest = c["operation"].partition(" open")
        seal = summary.index(sealing, c["size"]) if sealing != c["operation"] and not rest else None
        if seal is None:
            continue
        sealed = dict(of_goals(summary, seal, compiler))
        for v, row in of_goals(summary, i, compiler):
            if v in sealed:
                one, other = sealed[v]["min"], row["min"]
                medians = row["median"] / sealed[v]["median"]
                rows.append([sealing, c["size"], v.label, chosen_text(summary, i, v), one / c["size"]])
                rows[-1] += [other / c["size"], other / one, medians, most, "met" if other <= most * one else "not met"]
    if not rows or summary.suite != "lea-gcm":
        return None
    return Table(
        "opening",
        "Opening against sealing",
        f"At most {most:g}{TIMES} the time, by minima.",
        [
            Column("operation", "Operation"),
            Column("input", "Input (B)", "size"),
            Column("table", "Table"),
            Column("chosen", ""),
            Column("seal", "seal", "figure", "Minimum, ticks/B"),
            Column("open", "open", "figure", "Minimum, ticks/B"),
            Column("ratio", "of minima", "fixed3", "Open over seal"),
            Column("medians", "of medians", "fixed3", "Open over seal"),
            Column("bar", "bar", "figure", "Open over seal"),
            Column("verdict", ""),
        ],
        rows,
        (MEASURED,),
        2,
    )


def in_proportion(given):
    """Goals of longer keys: those of LEA-128, with counter mode's share of them, which is that at 4096 bytes, by the
    rounds instead of 24."""
    rows = {(name, size): limits for name, size, *limits in given["rows"]}
    shares = [ctr / gcm for ctr, gcm in zip(rows["LEA-128-CTR", 4096], rows["LEA-128-GCM", 4096])]
    for operation, rounds in given["rounds"].items():
        for (name, size), limits in rows.items():
            if name == "LEA-128-GCM":
                longer = (limit * (1 + share * (rounds / 24 - 1)) for limit, share in zip(limits, shares))
                yield [operation, size, *longer]


# Operation, form of module paper, row of the paper's ratios.
NEON_FORMS = (
    ("LSH-256-256", "word permutation", 0),
    ("LSH-256-256", "placement", 0),
    ("LSH-256-256 x2", "two messages", 1),
    ("LSH-256-256 x4", "four lanes", 2),
)


def neon_paper(summary, compiler):
    """The ratios of the paper on NEON beside those of our reading of its forms, and beside what the library does."""
    paper = published("seed003")["rows"]
    if not any(v.paper or v.level == "neon" for v in summary.variants):
        return None

    def first(cell, start):
        return next((v for v in summary.of_cell(cell, lambda v: v.paper and v.label.startswith(start))), None)

    rows = []
    for operation, form, at in NEON_FORMS:
        what, reference, low, high = paper[at]
        sizes = summary.sizes(operation)
        printed = f"{low:.2f} to {high:.2f}{TIMES}" if low != high else f"about {low:.1f}{TIMES}"
        before = len(rows)
        for size in sizes:
            cell = summary.index(operation, size)
            over, variant_ = first(cell, "003, plain C"), first(cell, f"003, {form}")
            if not over or not variant_:
                continue
            ours = summary.at_once(cell, compiler) or summary.chosen(cell, compiler, single=True)
            messages = int(operation.partition(" x")[2] or 1)
            rows.append(
                [
                    what,
                    form,
                    size // messages,
                    variant_.label.rpartition(", ")[2],
                    summary.ticks_per_byte(cell, over.text),
                    summary.ticks_per_byte(cell, variant_.text),
                    summary.ratio(cell, over.text, variant_.text),
                    ours.label if ours else None,
                    summary.ratio(cell, over.text, ours.text) if ours else None,
                    printed,
                ]
            )
        if len(rows) == before:
            rows.append([what, form, None, MISSING, None, None, None, None, None, printed])
    form, ours = "Its forms as we read them, here", "The library here"
    return Table(
        "neon-paper",
        f"Over plain C: {published('seed003')['title']}",
        "The abstract's ratios refer to KISA's portable C, ours to the definition in plain C (bench/paper), both by "
        "clang -O3. On x86 the same arrangements run in its 128-bit registers (ssse3): that says something of the "
        "arrangement and nothing of NEON, for which bench/mca --level neon prints estimates. The library's column: "
        "what it takes on this machine.",
        [
            Column("what", "What"),
            Column("form", "Form"),
            Column("input", "Input (B)", "size"),
            Column("level", "level", "text", form),
            Column("plain_ticks", "plain C, ticks/B", "figure", form),
            Column("form_ticks", "ticks/B", "figure", form),
            Column("ratio", "Ratio [95\u00a0%]", "ratio", form),
            Column("table", "table", "text", ours),
            Column("ours", "Ratio [95\u00a0%]", "ratio", ours),
            Column("paper", "ARMv8\u2011A", "text", "Paper", True),
        ],
        rows,
        (MEASURED, PAPER),
        2,
    )


def lea_gcm(summary, compiler):
    paper = published("seed000")
    theirs = {r[0]: r for r in paper["lea_gcm"]["rows"]}
    parts = paper["lea_gcm_parts"]
    rows = []
    operations = [
        o for o in ("LEA-128-GCM", "LEA-128-CTR", "GHASH") if o in summary.operations and summary.best(o, compiler)
    ]
    peers = [summary.peer(summary.index(o, size)) for o in operations for size in summary.sizes(o)]
    if "LEA-128-GCM" not in operations or not any(peers):
        return None
    for operation in operations:
        best = summary.best(operation, compiler)
        for size in summary.sizes(operation):
            cell = summary.index(operation, size)
            software, sse, peer = own(compiler, "portable"), own(compiler, "ssse3"), summary.peer(cell)
            row = [
                operation,
                size,
                summary.cycles_per_byte(cell, software),
                summary.cycles_per_byte(cell, sse),
                best.label,
                summary.cycles_per_byte(cell, best.text),
                faster_text(summary, cell, best),
                summary.ratio(cell, sse, best.text) if best.text != sse else None,
                summary.cycles_per_byte(cell, peer.text) if peer else None,
                summary.ratio(cell, peer.text, best.text) if peer else None,
            ]
            t = theirs.get(size)
            if operation == "LEA-128-GCM" and t:
                row += [t[1], t[3], t[5], t[7]]
            elif size == parts["input_bytes"] and operation == "LEA-128-CTR":
                row += [None, f"about {parts['sse_ctr_cpb']}", None, None]
            elif size == parts["input_bytes"] and operation == "GHASH":
                row += [None, f"about {parts['sse_ghash_cpb']}", None, None]
            else:
                row += [None] * 4
            rows.append(row)
    group, peer_name, theirs_ = "Hwacha, CPB", module_title(summary, next(filter(None, peers))), "Paper, i7-1165G7, CPB"
    return Table(
        f"table-5",
        f"LEA-GCM and its two halves, in the form of the paper's table 5",
        "SW and SSE are here our own portable and ssse3 tables: the first with GHASH in integer arithmetic, the "
        "second with PCLMULQDQ and, unlike the paper's SSE column, with LEA in vectors, so that our speed-up from "
        f"SSE leaves out what the paper's gains there. {CHOSEN} The paper adds 13 bytes of associated "
        "data, we none. Of the "
        f"paper's {parts['ctr_avx512_ghash_vpclmul_cpb']:.2f} CPB at 4096 bytes, its text says: vector CTR alone "
        f"gives {parts['ctr_avx512_only_cpb']:.2f}, VPCLMULQDQ the rest. Blank: not measured, or not in the paper.",
        [
            Column("operation", "Operation"),
            Column("input", "Input (B)", "size"),
            Column("sw_cpb", "SW (portable)", "figure", group),
            Column("sse_cpb", "SSE (ssse3)", "figure", group),
            Column("table", "table", "text", group),
            Column("ours_cpb", "CPB", "figure", group),
            Column("faster", "faster here", "text", group),
            Column("speedup", "SSE to it [95\u00a0%]", "ratio", group),
            Column("peer_cpb", "CPB", "figure", peer_name),
            Column("over_peer", "Speed\u2011up [95\u00a0%]", "ratio", peer_name),
            Column("paper_sw_cpb", "SW", "fixed2", theirs_, True),
            Column("paper_sse_cpb", "SSE", "about", theirs_, True),
            Column("paper_avx_cpb", "AVX", "fixed2", theirs_, True),
            Column("paper_speedup", "Speed\u2011up", "fixed2x", theirs_, True),
        ],
        rows,
        marks_of(summary, PAPER),
        1,
    )


def paper_forms(summary):
    paper = published("seed000")
    modes = list(dict.fromkeys(r[0] for r in paper["single_message"]["rows"]))
    few = paper["representative"]["modes"]
    if not summary.compilers:
        return []
    compiler = summary.compilers[0]
    tables = [single_message(summary, compiler, "2", few)]
    if any(m in summary.operations for m in modes if m not in few):
        tables.append(single_message(summary, compiler, "A1", modes))
    tables += [two_messages(summary, compiler), threads(summary, compiler, "4", few)]
    if any(b.mode not in few for b in side_by_side(summary, paper["threads"]["messages"])):
        tables.append(threads(summary, compiler, "A2", None))
    tables += [lea_gcm(summary, compiler), neon_paper(summary, compiler)]
    return [t for t in tables if t and t.rows]


# ---- All cells ------------------------------------------------------------------------------------------------------


def all_cells(summary):
    rows = []
    for i, c in enumerate(summary.cells):
        peer = summary.peer(i)
        several = collections.Counter(v.compiler for v in summary.of_cell(i, lambda v: v.own))
        for v in summary.of_cell(i):
            r = summary.row(i, v.text)
            chosen = v.own and several[v.compiler] > 1 and v == summary.chosen(i, v.compiler)
            remarks = ["chosen"] * chosen + ["short"] * (not r.get("target_met", True))
            against = peer is not None and v.text != peer.text and v.module != "control"
            rows.append(
                [
                    c["operation"],
                    c["size"],
                    v.short(),
                    r.get("n"),
                    r.get("total"),
                    number(r.get("min")),
                    number(r.get("median")),
                    number(r.get("mad")),
                    summary.ticks_per_byte(i, v.text),
                    summary.cycles_per_byte(i, v.text),
                    summary.mib_per_second(i, v.text),
                    summary.ratio(i, peer.text, v.text) if against else None,
                    ", ".join(remarks),
                ]
            )
    cycles = "counted by the processor" if summary.counters else f"ticks {TIMES} {figure(summary.cycles_per_tick or 1)}"
    columns = [
        Column("operation", "Operation"),
        Column("size", "Input (B)", "size"),
        Column("variant", "Variant"),
        Column("n", "n", "count"),
        Column("total", "of", "count"),
        Column("min", "min", "figure", "ticks a call"),
        Column("median", "median", "figure", "ticks a call"),
        Column("mad", "MAD", "figure", "ticks a call"),
        Column("ticks_per_byte", "ticks/B", "figure"),
        Column("cycles_per_byte", "cycles/B", "figure"),
        Column("mib_s", "MiB/s", "figure"),
        Column("speedup", "over the peer [95\u00a0%]", "ratio"),
        Column("remark", ""),
    ]
    return Table(
        "all-cells",
        "Medians and spread",
        "n accepted of all blocks; a block holds many calls, its time is given a call. Cycles are "
        f"{cycles}. 'chosen': of our variants, the one that the library takes on this machine. 'short': fewer accepted "
        "blocks than wanted.",
        columns,
        rows,
        marks_of(summary),
        2,
        len(rows) > 40,
    )


def comparisons(summary, kinds, name, title, caption):
    found = summary.of_kind(*kinds)
    rows = [
        [
            summary.cells[c["cell"]]["operation"],
            summary.cells[c["cell"]]["size"],
            variant(c["slow"]).short(),
            variant(c["fast"]).short(),
            ratio_of(c),
            number(c.get("cliffs_delta")),
            c.get("effect"),
            number(c.get("log10_p_holm", c.get("log10_p"))),
        ]
        for c in found
    ]
    return (
        Table(
            name,
            title,
            caption,
            [
                Column("operation", "Operation"),
                Column("size", "Input (B)", "size"),
                Column("slow", "From"),
                Column("fast", "To"),
                Column("ratio", "Ratio [95\u00a0%]", "ratio"),
                Column("delta", f"Cliff's {DELTA}", "signed"),
                Column("effect", "Class"),
                Column("log10_p", "log10 p, Holm", "power"),
            ],
            rows,
            (MEASURED,),
            2 if len({tuple(r[:2]) for r in rows}) < len(rows) else 1,
            len(rows) > 40,
        )
        if rows
        else None
    )


# ---- Decomposition --------------------------------------------------------------------------------------------------


def chain_name(chain):
    level, _, compiler = chain.partition("@")
    return f"{level} ({compiler})" if compiler else level


def chain_rank(summary, cell, chain):
    level, _, compiler = chain.partition("@")
    return (
        summary.operations.index(summary.cells[cell]["operation"]),
        summary.cells[cell]["size"],
        compiler,
        LEVELS.index(level) if level in LEVELS else len(LEVELS),
        chain,
    )


FACTORS = ("compiler", "one TU", "auto-vectoriser", "wider ISA", "side by side", "hand SIMD", "lanes", "threads")


def ordered_chains(summary):
    chains = summary.chains()
    return {key: chains[key] for key in sorted(chains, key=lambda k: chain_rank(summary, *k))}


def factors_of(chains):
    used = {factor(s) for steps in chains.values() for s in steps}
    return [f for f in FACTORS if f in used] + sorted(used - set(FACTORS))


def one_size(rows, at=1):
    """', 4096 bytes' if that is so of all rows, else ''."""
    sizes = {row[at] for row in rows}
    return f", {bytes_text(sizes.pop())}" if len(sizes) == 1 else ""


def decomposition(summary):
    chains = ordered_chains(summary)
    if not chains:
        return None
    names = factors_of(chains)
    rows, wrong = [], []
    for (cell, chain), steps in chains.items():
        by_name = {factor(s): ratio_of(s) for s in steps}
        product = math.prod(number(s["ratio"]) for s in steps)
        ends = summary.ratio(cell, steps[0]["slow"], steps[-1]["fast"])
        if ends is None or abs(product / ends.value - 1) > 1e-6:
            wrong.append(f"{summary.cells[cell]['operation']} {chain_name(chain)}")
        rows.append(
            [summary.cells[cell]["operation"], summary.cells[cell]["size"], chain_name(chain)]
            + [by_name.get(n) for n in names]
            + [product, ends.value if ends else None]
        )
    agree = "Not so: " + "; ".join(wrong) if wrong else f"All {len(rows)} products agree with it"
    return Table(
        "decomposition",
        "The factors" + one_size(rows),
        "Each factor is the ratio of two medians of variants that ran side by side [95\u00a0%]; they multiply to "
        f"the total, which the last column has from the first and the last variant alone. {agree}. Below 1, the "
        "step made it slower; a step without a variant is left out.",
        [
            Column("operation", "Operation"),
            Column("size", "Input (B)", "size", hidden=one_size(rows) != ""),
            Column("chain", "To"),
        ]
        + [Column(n.replace(" ", "_").replace("-", "_"), n, "factor") for n in names]
        + [Column("product", "product", "figure"), Column("ends", "first to last", "figure")],
        rows,
        (MEASURED,),
        1,
    )


def paper_mode(summary):
    """The table that the ML-KEM paper prints, one a compiler."""
    by_compiler = {}
    for (cell, chain), steps in summary.chains(paper=True).items():
        by_compiler.setdefault(chain.partition("@")[2], []).append((cell, steps))
    names = {"scalar-O0-apart": "refo", "scalar-O3-novec-apart": "refnv", "scalar-O3-apart": "ref"}
    tables = []
    for compiler, found in sorted(by_compiler.items()):
        longest = max(found, key=lambda f: len(f[1]))[1]
        same = len({summary.cells[cell]["size"] for cell, _ in found}) == 1
        columns = [Column("operation", "Operation"), Column("size", "Input (B)", "size", hidden=same)]
        for s in longest:
            a, b = (names.get(v.module, v.label) for v in (variant(s["slow"]), variant(s["fast"])))
            group, key = f"{a} \u2192 {b}", f"{a}_{b}"
            columns += [
                Column(key, "ratio [95\u00a0%]", "factor", group),
                Column(f"{key}_n", "n", "count", group),
                Column(f"{key}_log10_p", "log10 p", "power", group),
                Column(f"{key}_delta", DELTA, "signed", group),
                Column(f"{key}_class", "class", "text", group),
            ]
        rows = []
        for cell, steps in found:
            row = [summary.cells[cell]["operation"], summary.cells[cell]["size"]]
            for s in steps:
                n = min(summary.row(cell, s["slow"]).get("n") or 0, summary.row(cell, s["fast"]).get("n") or 0)
                row += [ratio_of(s), n, number(s.get("log10_p")), number(s.get("cliffs_delta")), s.get("effect")]
            rows.append(row + [None] * (len(columns) - len(row)))
        tables.append(
            Table(
                f"paper-mode-{compiler}",
                f"In the form of the ML-KEM paper, {compiler}{one_size(rows)}",
                "refo: -O0; refnv: -O3 without auto-vectoriser; ref: -O3, all three in separate files and for the "
                "baseline instruction set; avx2: hand-written. n of the smaller group; two-sided Mann-Whitney U; "
                f"{DELTA}: Cliff's delta.",
                columns,
                rows,
                (MEASURED,),
                1,
            )
        )
    return tables


PAPER_PAIR = ("scalar-O3-novec-apart", "scalar-O3-apart")  # refnv, ref


def last_factor(summary):
    """What refnv -> avx2 is made of, where the whole chain to the same table was measured."""
    whole = {}
    for (cell, chain), steps in ordered_chains(summary).items():
        start = next((i for i, s in enumerate(steps) if variant(s["slow"]).module == PAPER_PAIR[0]), None)
        if chain.startswith("avx2@") and start is not None:
            whole[cell, chain.partition("@")[2]] = steps[start:]
    found = []
    for (cell, chain), steps in summary.chains(paper=True).items():
        compiler = chain.partition("@")[2]
        short = {variant(s["fast"]).module: ratio_of(s) for s in steps}
        auto, hand, inside = short.get(PAPER_PAIR[1]), short.get("hwacha"), whole.get((cell, compiler))
        if auto and hand and inside:
            c = summary.cells[cell]
            found.append([c["operation"], c["size"], compiler, auto, hand, {factor(s): ratio_of(s) for s in inside}])
    if not found:
        return None
    found.sort(key=lambda r: (summary.operations.index(r[0]), r[1], r[2]))
    used = {name for *_, parts in found for name in parts}
    names = [f for f in FACTORS if f in used] + sorted(used - set(FACTORS))
    rows, wrong = [], []
    for operation, size, compiler, auto, hand, parts in found:
        left, right = auto.value * hand.value, math.prod(r.value for r in parts.values())
        if abs(left / right - 1) > 1e-6:
            wrong.append(f"{operation} ({compiler}), {figure(left)} and {figure(right)}")
        rows.append([operation, size, compiler, auto, hand, left] + [parts.get(n) for n in names] + [right])
    agree = "Not so: " + "; ".join(wrong) if wrong else f"All {len(rows)} pairs of products agree"
    left, right = "as in the paper", "in steps"
    return Table(
        "last-factor",
        "What the last factor is made of" + one_size(rows),
        "Left, the last two factors of the table above; right, the same way in the steps of the decomposition. Both "
        f"products are the time of refnv over that of avx2. {agree}.",
        [
            Column("operation", "Operation"),
            Column("size", "Input (B)", "size", hidden=one_size(rows) != ""),
            Column("compiler", "Compiler"),
            Column("refnv_ref", "refnv \u2192 ref", "factor", left),
            Column("ref_avx2", "ref \u2192 avx2", "factor", left),
            Column("product", "product", "figure", left),
        ]
        + [Column(n.replace(" ", "_").replace("-", "_"), n, "factor", right) for n in names]
        + [Column("steps_product", "product", "figure", right)],
        rows,
        (MEASURED,),
        1,
    )


def kem_published():
    paper = published("seed004")["ref_to_avx2"]
    rows = [[r[0], r[1], r[4], r[7]] for r in paper["rows"]]
    return Table(
        "kem-published",
        "The ML-KEM paper's own figures, ref \u2192 avx2",
        "Ratios of medians on a Xeon Platinum 8268 with GCC 13.3.",
        [Column("operation", "Operation")]
        + [Column(f"m{k}", f"ML-KEM-{k}", "fixed2x", paper=True) for k in (512, 768, 1024)],
        rows,
        (PAPER,),
    )
