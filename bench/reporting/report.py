#!/usr/bin/env python3
"""Draws what a result folder's summary.json says.

report.py [FOLDER] [-o FILE]

Writes FOLDER/report.html (or FILE), one page that needs nothing else; FOLDER/report.md with the same tables;
FOLDER/tables/*.csv and FOLDER/figures/*.svg.

Exit status: 0 written, 2 usage, 3 no summary that can be read, or no place to write to.
"""
import argparse
import dataclasses
import html
import pathlib
import re
import sys

import machine_code
import summary as results
import tables
from summary import LARGE_EFFECT, NAMES, Unreadable, number, variant
from tables import NARROW, TIMES, Table, escaped, figure, grouped

HERE = pathlib.Path(__file__).resolve().parent
STYLE = HERE / "style.css"
RESULTS = HERE.parents[1] / "out" / "bench"


# ---- What a page is made of -----------------------------------------------------------------------------------------


@dataclasses.dataclass
class Text:
    text: str

    def html(self):
        return f"<p>{coded(self.text)}</p>"

    def markdown(self):
        return escaped(self.text) + "\n"


@dataclasses.dataclass
class Items:
    items: list

    def html(self):
        return "<ul>" + "".join(f"<li>{coded(i)}</li>" for i in self.items) + "</ul>"

    def markdown(self):
        return "\n".join(f"- {escaped(i)}" for i in self.items) + "\n"


@dataclasses.dataclass
class Facts:
    facts: list  # of (name, value)
    small: bool = False

    def html(self):
        rows = "".join(f"<dt>{html.escape(k)}</dt><dd>{html.escape(v)}</dd>" for k, v in self.facts)
        return f'<dl class="{"small" if self.small else "facts"}">{rows}</dl>'

    def markdown(self):
        return "\n".join(escaped(f"- {k}: {v}") for k, v in self.facts) + "\n"


@dataclasses.dataclass
class Banner:
    title: str
    reasons: list

    def html(self):
        items = "".join(f"<li>{html.escape(r)}</li>" for r in self.reasons)
        return f'<div class="banner" role="alert"><b>{html.escape(self.title)}</b><ul>{items}</ul></div>'

    def markdown(self):
        return f"> **{self.title}**\n" + "".join(f">\n> - {escaped(r)}\n" for r in self.reasons)


@dataclasses.dataclass
class Picture:
    name: str
    title: str
    caption: str
    svg: str

    def html(self):
        import figures

        label = html.escape(self.title, quote=True)
        return (
            f'<figure id="f-{self.name}"><figcaption><b>{html.escape(self.title)}</b>'
            f'<span class="note">{html.escape(self.caption)}</span></figcaption>'
            f"{figures.inline(self.svg, label)}</figure>"
        )

    def markdown(self):
        title = escaped(self.title)
        return f"**{title}**\n\n![{title}](figures/{self.name}.svg)\n\n{escaped(self.caption)}\n"


@dataclasses.dataclass
class Section:
    name: str
    title: str
    blocks: list


def coded(text):
    """Escaped, with `code`."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))


# ---- Sections -------------------------------------------------------------------------------------------------------


def compares_builds(summary):
    """Then the commit is that of the scripts' clone; the builds have theirs."""
    return summary.suite == "compare" or any(c["kind"] == "build" for c in summary.comparisons)


def about(summary):
    data, e = summary.data, summary.environment
    cpu = e.get("cpu") if isinstance(e.get("cpu"), dict) else {}
    facts = [("Suite", summary.suite)]
    if cpu.get("model"):
        place = (
            e.get("virtualisation")
            if e.get("virtualisation") not in (None, "none")
            else "virtual machine"
            if e.get("hypervisor")
            else ""
        )
        cores = f"{e['cpus']} processors" if e.get("cpus") else ""
        facts.append(("Processor", ", ".join(filter(None, [cpu["model"], cores, place and f"guest of {place}"]))))
    if summary.ticks_per_second:
        clock = f"{e.get('clock', 'counter')}: {summary.ticks_per_second / 1e9:.3f} GHz"
        if number(e.get("granularity")):
            clock += f", steps of {e['granularity']:g} ticks"
        if summary.cycles_per_tick:
            core = summary.cycles_per_tick * summary.ticks_per_second / 1e9
            clock += f"; the core ran {summary.cycles_per_tick:.3f} cycles a tick ({core:.2f} GHz)"
        facts.append(("Clock", clock))
    compilers = {}
    for m in summary.modules:
        info, v = m.get("info") or {}, variant(m["name"] + ":")
        if v.own or v.build:
            compilers.setdefault((info.get("compiler", ""), info.get("flags", "")), []).append(m["name"])
    for (compiler, flags), names in compilers.items():
        facts.append((f"Compiler of {', '.join(names)}", f"{compiler}  {flags}".strip()))
    peers = [tables.module_title(summary, v) for v in {v.module: v for v in summary.variants if v.peer}.values()]
    if peers:
        facts.append(("Peers", ", ".join(peers)))
    if isinstance(data.get("created"), str) and data["created"]:
        facts.append(("Date", data["created"].replace("T", " ").replace("Z", " UTC")))
    if isinstance(e.get("commit"), str) and not compares_builds(summary):
        facts.append(("Commit", e["commit"][:12] + (", with uncommitted changes" if e.get("modified") else "")))
    probe = data.get("probe") or {}
    counted = f"{data.get('clusters', '?')} processes"
    if number(probe.get("blocks")) and number(probe.get("accepted")) is not None:
        counted += (
            f"; {grouped(probe['accepted'])} of {grouped(probe['blocks'])} blocks accepted "
            f"({100 * probe['accepted'] / probe['blocks']:.0f}{NARROW}%)"
        )
    facts.append(("Samples", counted))
    blocks = [Facts(facts)]
    if data.get("reliable") is False:
        blocks.insert(
            0, Banner("Not reliable. These figures must not be quoted.", data.get("reasons") or ["no reason is given"])
        )
    return Section("about", "What was measured", blocks)


def reading(summary):
    spread = f"{100 * summary.spread:.2f}{NARROW}%" if summary.spread is not None else "not measured"
    cycles = (
        "counted by the processor"
        if summary.counters
        else f"ticks {TIMES} {figure(summary.cycles_per_tick or 1)}, the core's clock "
        "over the counter's as measured in this run: an estimate"
    )
    return Section(
        "reading",
        "How to read it",
        [
            Text(
                "Times are ticks of the counter, over blocks of many calls; a block counts if the contention "
                "probes before and after it were fast and no other process came between. `n` is the number of "
                "accepted blocks. All variants of an operation ran in the same processes, in random order, on "
                f"inputs at random offsets, and gave equal outputs. Values are medians. Cycles are {cycles}."
            ),
            Text(
                f"A ratio is a ratio of medians; above 1, the second is faster. [a, b] is its 95{NARROW}% interval "
                "from a hierarchical bootstrap: processes first, then blocks, since blocks of one process share "
                "its memory layout. A difference is called real only if the interval excludes 1 and the effect "
                f"exceeds the larger of {100 * LARGE_EFFECT:g}{NARROW}% and the spread of identical code "
                f"({spread} here); \u2248 marks those that are not. Significance alone is not "
                "enough: with thousands of blocks every layout effect is significant."
            ),
            Marks(),
        ],
    )


class Marks:
    """The legend of the marks."""

    TEXTS = (
        (tables.MEASURED, "in this run"),
        (tables.PAPER, "by others, on their machine; grey columns"),
        (tables.ESTIMATE, "computed: cycles from ticks and one measured ratio"),
    )

    def html(self):
        return (
            '<p class="marks">'
            + " ".join(f'<span><span class="mark {m}">{m}</span> {t}</span>' for m, t in self.TEXTS)
            + "</p>"
        )

    def markdown(self):
        return "Marks: " + "; ".join(f"*{m}*: {t}" for m, t in self.TEXTS) + ".\n"


def controls(summary, draw):
    blocks = tables.controls(summary)
    drawing = draw("again", figures_of().again, summary)
    if drawing:
        blocks.append(
            Picture(
                "again", "Identical code under two names", "Difference of the medians and its 95 % interval.", drawing
            )
        )
    return Section("controls", "Controls", blocks)


def paper_forms(summary):
    blocks = tables.paper_forms(summary)
    if any(b.name == "neon-paper" for b in blocks):
        paper = tables.published("seed003")
        blocks.append(
            Text(
                f"{paper['title']} ({paper['source']}) also reports: "
                + "; ".join(
                    f"{what} over {reference}: {low:g}{TIMES}" + (f" to {high:g}{TIMES}" if high != low else "")
                    for what, reference, low, high in paper["rows"]
                    if "SPHINCS" in what
                )
                + "."
            )
        )
    return Section("tables", "The tables of the papers", blocks)


def batches(summary, draw):
    if not summary.compilers:
        return Section("batches", "Many messages", [])
    compiler = summary.compilers[0]
    blocks = [tables.goals(summary, compiler), tables.opening(summary, compiler), tables.bars(summary)]
    drawing = draw("scaling", figures_of().scaling, summary)
    if drawing:
        blocks.append(
            Picture(
                "scaling",
                "Throughput by size and threads",
                "All messages of a call. Grey: one after the other, on one thread; light to dark: lanes without a "
                "pool, then pools of more and more threads. Logarithmic.",
                drawing,
            )
        )
    blocks += [tables.scaling(summary, compiler), tables.many_messages(summary, compiler)]
    title = "Goals and bars" if summary.suite == "lea-gcm" else "Many messages"
    return Section("batches", title, [b for b in blocks if b])


def cells(summary):
    extra = [
        tables.comparisons(
            summary,
            ("build",),
            "builds",
            "New build against base",
            "Time of the new build over that of the base: above 1, it became slower.",
        ),
        tables.comparisons(
            summary, ("compiler",), "compilers", "Compilers", "The same table built by each, unless their names differ."
        ),
        tables.comparisons(
            summary, ("level",), "levels", "Levels", "What a wider table gains over those of older processors, or several messages at once over a loop."
        ),
    ]
    return Section("cells", "All cells", [tables.all_cells(summary)] + [t for t in extra if t])


def pictures(summary, draw):
    f = figures_of()
    cycles = "counted" if summary.counters else f"ticks {TIMES} {figure(summary.cycles_per_tick or 1)}"
    both = " Dashed: the other compiler." if len(summary.compilers) > 1 else ""
    plans = [
        ("throughput", "Throughput by size", "Medians." + both, f.throughput, ()),
        ("cycles", "Cycles a byte by size", f"Medians; cycles are {cycles}. Logarithmic." + both, f.cycles, ()),
        (
            "ratios",
            "Speed-up over the peer",
            "Dot: ratio of medians; line: 95 % interval, often narrower than the dot. Grey: what is not called real.",
            f.ratios,
            (("peer",), "times faster"),
        ),
        (
            "builds-ratio",
            "New build against base",
            "Time of new over time of base: right of 1 is slower.",
            f.ratios,
            (("build",), "new over base"),
        ),
        (
            "distributions",
            "Distributions",
            "Largest input of chosen operations. Left: share of blocks up to a time. Right: histograms around each "
            "variant's own median, given in ticks a call; the slowest 1 % is in the last bin.",
            f.distributions,
            (),
        ),
        (
            "cliff",
            "Cliff's delta",
            "+1: every accepted block of the second variant was faster than every one of the first. It says how "
            "surely, not how much.",
            f.cliff,
            (("peer", "compiler", "build"),),
        ),
    ]
    blocks = []
    for name, title, caption, function, more in plans:
        drawing = draw(name, function, summary, *more)
        if drawing:
            blocks.append(Picture(name, title, caption, drawing))
    return Section("figures", "Figures", blocks)


def decomposition(summary, draw):
    table = tables.decomposition(summary)
    if not table:
        return Section("decomposition", "Decomposition", [])
    f = figures_of()
    several = any(results.factor(s) == "side by side" for steps in summary.chains().values() for s in steps)
    aside = "where a source has it, many blocks side by side in the same scalar code (side by side); " * several
    before = "the step before it" if several else "the best that the compiler does with the same source"
    sizes = sorted({summary.cells[cell]["size"] for cell, _ in summary.chains()}, reverse=True)
    blocks = [
        Text(
            "From `-O0` to hand-written vectors in steps that change one thing each: the optimiser without its "
            "vectoriser (compiler); the same sources in one translation unit, so that calls can be inlined (one "
            "TU); the auto-vectoriser with the baseline's instructions; the same with the hand-written table's "
            f"instructions (wider ISA); {aside}and the table itself (hand SIMD). That factor is what writing by hand "
            f"buys over {before}, with the same instructions."
        )
    ]
    for size in sizes[:4]:
        name = "factors" if len(sizes) == 1 else f"factors-{size}"
        drawing = draw(name, f.decomposition, summary, size)
        if drawing:
            blocks.append(
                Picture(
                    name,
                    f"Decomposition, {tables.bytes_text(size)}",
                    "Each bar is a chain; segments multiply to the total. Hatched, going "
                    "back: that step made it slower. Grey numbers: not called real.",
                    drawing,
                )
            )
    blocks.append(table)
    drawing = draw("cliff-steps", f.cliff, summary, ("step",))
    if drawing:
        blocks.append(
            Picture(
                "cliff-steps", "Cliff's delta of the steps", "Blue: the step made it faster; brown: slower.", drawing
            )
        )
    return Section("decomposition", "Decomposition", blocks + machine_code.tables_of(summary))


HIDDEN = (
    "What such a table hides. `refnv` to `ref` and `ref` to `avx2` read as what the auto-vectoriser and what "
    "hand-written vectors do. With the sources in separate files they are more than that, or less:"
)


def paper_mode(summary):
    found = tables.paper_mode(summary)
    if not found:
        return Section("paper-mode", "The ML-KEM paper's way", [])
    blocks = [
        *found,
        Text(HIDDEN),
        Items(machine_code.paper_findings(summary)),
        *filter(None, [machine_code.refnv_and_ref(summary), tables.last_factor(summary)]),
    ]
    if any(o.startswith("ML-KEM") for o in summary.operations):
        blocks.append(tables.kem_published())
    else:
        blocks.append(
            Text("No ML-KEM operation is in this run; the paper's own figures are in `bench/published/seed004.json`.")
        )
    return Section("paper-mode", "The ML-KEM paper's way", blocks)


def flat(value, name=""):
    """Nested facts as (name, text)."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from flat(inner, f"{name}.{key}" if name else key)
    elif isinstance(value, list) and any(isinstance(v, dict) for v in value):
        for i, inner in enumerate(value):
            yield f"{name}.{i}", ", ".join(f"{k} {v}" for k, v in flat(inner))
    elif isinstance(value, list):
        yield name, ", ".join(map(str, value))
    else:
        yield name, "unknown" if value is None else ("no", "yes")[value] if isinstance(value, bool) else str(value)


def details(summary):
    modules = Table(
        "modules",
        "Modules",
        "",
        [
            tables.Column("name", "Module", "code"),
            tables.Column("of", "Code"),
            tables.Column("version", "Version"),
            tables.Column("compiler", "Compiler"),
            tables.Column("flags", "Flags", "code"),
        ],
        [
            [m["name"], NAMES.get((m.get("info") or {}).get("name"), (m.get("info") or {}).get("name"))]
            + [(m.get("info") or {}).get(k) for k in ("version", "compiler", "flags")]
            for m in summary.modules
        ],
        (),
    )
    data = summary.data
    command = f"bench/run {summary.suite}"
    for option, key in (("--clusters", "clusters"), ("--target", "target")):
        if isinstance(data.get(key), int):
            command += f" {option} {data[key]}"
    facts = summary.environment
    place = "at the commit named above; "
    if compares_builds(summary):
        command, place = "bench/compare BASE NEW", "with the two builds; "
        facts = {k: v for k, v in facts.items() if k not in ("commit", "modified", "hwacha_version")}
    again = [
        Text(
            f"`{command}`, then `bench/report FOLDER`, {place}seed {data.get('seed', '?')}. Of "
            "the folder, `raw/` has every block, accepted or not, and `summary.json` what is shown here."
        )
    ]
    papers = []
    for name in ("seed000", "seed003", "seed004"):
        p = tables.published(name)
        papers.append(
            f"{', '.join(p['authors']) + ': ' if p['authors'] else ''}{p['title']}, {p['year']} ({p['source']}); "
            f"{p['machine']['processor']}."
        )
    return [
        Section("again-yourself", "To reproduce", again),
        Section("papers", "The papers", [Items(papers)]),
        Section("environment", "Environment", [modules, Facts([(k, v) for k, v in flat(facts)], True)]),
    ]


def figures_of():
    """Matplotlib takes a second to load: not before the summary is known to be good."""
    import figures

    return figures


# ---- The page -------------------------------------------------------------------------------------------------------


def sections(summary, draw):
    found = [
        about(summary),
        reading(summary),
        controls(summary, draw),
        paper_forms(summary),
        batches(summary, draw),
        cells(summary),
        pictures(summary, draw),
        decomposition(summary, draw),
        paper_mode(summary),
        *details(summary),
    ]
    return [s for s in found if s.blocks]


def page(title, parts):
    links = "".join(f'<a href="#{s.name}">{html.escape(s.title)}</a>' for s in parts)
    body = "".join(
        f'<section id="{s.name}"><h2>{html.escape(s.title)}</h2>{"".join(b.html() for b in s.blocks)}</section>\n'
        for s in parts
    )
    style = STYLE.read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{html.escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{html.escape(title)}</h1>\n<nav>{links}</nav>\n{body}</main>\n</body>\n</html>\n"
    )


def markdown(title, parts):
    texts = (f"## {s.title}\n\n" + "\n".join(b.markdown() for b in s.blocks) for s in parts)
    return f"# {escaped(title)}\n\n" + "\n".join(texts)


def emptied(folder, suffix):
    folder.mkdir(exist_ok=True)
    for old in folder.glob(f"*{suffix}"):
        old.unlink()
    return folder


def write(folder, target):
    summary = results.load(folder)
    drawn = {}

    def draw(name, function, *arguments):
        drawing = function(*arguments)
        if drawing is not None:
            drawn[name] = figures_of().svg(drawing, name)
        return drawn.get(name)

    parts = sections(summary, draw)
    title = f"Hwacha, measured: {summary.suite}"
    target.write_text(page(title, parts), encoding="utf-8")
    (folder / "report.md").write_text(markdown(title, parts), encoding="utf-8")
    place = emptied(folder / "figures", ".svg")
    for name, text in drawn.items():
        (place / f"{name}.svg").write_text(text, encoding="utf-8")
    place = emptied(folder / "tables", ".csv")
    for block in (b for s in parts for b in s.blocks if isinstance(b, Table)):
        (place / f"{block.name}.csv").write_text(block.csv(), encoding="utf-8")


def latest_result():
    """The folder in out/bench whose summary is newest; None: there is none."""
    found = sorted(RESULTS.glob("*/summary.json"), key=lambda path: path.stat().st_mtime)
    return found[-1].parent if found else None


def main(words):
    parser = argparse.ArgumentParser(prog="report", description="Draws what a result folder's summary.json says.")
    parser.add_argument(
        "folder", metavar="FOLDER", type=pathlib.Path, nargs="?", help="the latest in out/bench unless given"
    )
    parser.add_argument(
        "-o", dest="file", metavar="FILE", type=pathlib.Path, help="the page, instead of FOLDER/report.html"
    )
    given = parser.parse_args(words)
    if given.folder is None:
        given.folder = latest_result()
        if given.folder is None:
            print(f"report: {RESULTS}: no result there; bench/run makes one", file=sys.stderr)
            return 3
    try:
        write(given.folder, given.file or given.folder / "report.html")
    except (Unreadable, OSError) as error:
        print(f"report: {error}", file=sys.stderr)
        return 3
    except ModuleNotFoundError as error:
        print(f"report: {error} (Debian: python3-matplotlib)", file=sys.stderr)
        return 3
    except Exception as error:  # pylint: disable=broad-exception-caught
        said = " ".join(f"{type(error).__name__}: {error}".split())
        print(f"report: {given.folder}: this result cannot be drawn: {said}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
