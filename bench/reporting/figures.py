"""The report's figures, as SVG. One colour a variant and one a factor, the same in every figure."""
import io
import math
import re

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib import ticker  # noqa: E402
from matplotlib.colors import LinearSegmentedColormap, to_hex, to_rgb  # noqa: E402

from summary import Ratio, factor, number, ratio_of, variant  # noqa: E402
from tables import (
    MINUS,
    TIMES,
    bytes_text,
    by_threads,
    chain_name,
    factors_of,
    figure,
    ordered_chains,
    ratio_text,
    side_by_side,
    size_text,
)  # noqa: E402

WIDTH = 1060  # of the page's text, px; figures are drawn in px

INK, FAINT, GRID = "#222222", "#767676", "#e6e6e6"
PEER_COLOURS = ("#111111", "#7a7a7a", "#a6761d", "#5a3e1b")
PAPER_COLOURS = ("#b03a48", "#6c3483")  # seed 000, seed 003
LEVEL_COLOURS = {
    "portable": "#9a9a9a",
    "ssse3": "#56b4e9",
    "avx2": "#0072b2",
    "avx2-vpclmul": "#009e73",
    "avx512": "#d55e00",
    "avx512-vpclmul": "#cc79a7",
    "neon": "#e69f00",
}
SCALAR_COLOURS = {
    "scalar-O0-apart": "#d8d0c4",
    "scalar-O3-novec-apart": "#c4b7a3",
    "scalar-O3-apart": "#b3a184",
    "scalar-O3-novec": "#a08a66",
    "scalar-O3": "#8a7149",
    "scalar-O3-v2": "#745c35",
    "scalar-O3-v3": "#5e4826",
    "scalar-O3-v4": "#46351a",
}
FACTOR_COLOURS = {
    "compiler": "#c9c9c9",
    "one TU": "#e5d27a",
    "auto-vectoriser": "#8fd0ee",
    "wider ISA": "#44aa99",
    "side by side": "#cc6677",
    "hand SIMD": "#882255",
    "lanes": "#999933",
    "threads": "#332288",
}
DARK_FACTORS = {"hand SIMD", "threads", "wider ISA", "lanes"}
MARKERS = ("o", "s", "^", "D")

plt.rcParams.update(
    {
        "svg.fonttype": "none",
        "font.size": 11,
        "font.family": "sans-serif",
        "font.sans-serif": ["Helvetica", "Arial", "DejaVu Sans"],
        "text.color": INK,
        "axes.edgecolor": "#b5b5b5",
        "axes.labelcolor": INK,
        "axes.linewidth": 0.8,
        "axes.titlesize": 11,
        "axes.titleweight": "bold",
        "axes.titlelocation": "left",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.color": GRID,
        "grid.linewidth": 0.8,
        "xtick.color": FAINT,
        "ytick.color": FAINT,
        "xtick.labelsize": 10,
        "ytick.labelsize": 10,
        "xtick.major.size": 0,
        "ytick.major.size": 0,
        "xtick.minor.size": 0,
        "ytick.minor.size": 0,
        "legend.frameon": False,
        "legend.fontsize": 11,
        "lines.linewidth": 1.6,
        "lines.markersize": 4.5,
        "lines.solid_capstyle": "round",
    }
)


def colour(v, peers=()):
    if v.own or v.build:
        shade = LEVEL_COLOURS.get(v.level, "#000000")
        several = re.search(r", \w+ (\d+)$", v.label)  # lanes or threads: darker the more
        if v.label.endswith(", batch"):
            return darker(shade, 0.4)
        return darker(shade, 0.12 * math.log2(1 + int(several[1]))) if several else shade
    if v.paper:
        return PAPER_COLOURS[1 if v.label.startswith("003") else 0]
    if v.scalar:
        return SCALAR_COLOURS.get(v.module, "#8a7149")
    if v.module == "cryptopp":
        return PEER_COLOURS[0]
    names = sorted({p.module for p in peers if p.module != "cryptopp"} | {v.module})
    return PEER_COLOURS[1 + names.index(v.module) % (len(PEER_COLOURS) - 1)]


def darker(shade, by):
    return to_hex([c * max(0.2, 1 - by) for c in to_rgb(shade)])


def canvas(height):
    """A figure and a function that adds axes at left, top, width, height in px."""
    drawing = plt.figure(figsize=(WIDTH / 72, height / 72))

    def axes(left, top, width, tall, **more):
        return drawing.add_axes([left / WIDTH, 1 - (top + tall) / height, width / WIDTH, tall / height], **more)

    return drawing, axes


def svg(drawing, name):
    """The same figure gives the same text, whose ids are its own."""
    out = io.StringIO()
    plt.rcParams["svg.hashsalt"] = name
    drawing.savefig(out, format="svg", metadata={"Creator": None, "Date": None, "Format": None, "Type": None})
    plt.close(drawing)
    text = out.getvalue()
    text = re.sub(r'\bid="', f'id="{name}-', text)
    text = re.sub(r'(xlink:href="#|url\(#)', rf"\g<1>{name}-", text)
    text = re.sub(r"<!--.*?-->\n?", "", text, flags=re.DOTALL)
    return re.sub(r"<[^>]*>", lambda tag: re.sub(r"(\d+\.\d{2})\d+", r"\1", tag[0]), text)


def inline(text, label):
    """The same as part of a page."""
    text = text[text.index("<svg") :]
    head, rest = text.split(">", 1)
    box = re.search(r'viewBox="[^"]*"', head)[0]
    return f'<svg {box} role="img" aria-label="{label}">{rest}'


# ---- Axes -----------------------------------------------------------------------------------------------------------


def plain(value, _=None):
    return f"{value:g}" if value < 1000 else f"{value / 1000:g}k" if value < 1e6 else f"{value / 1e6:g}M"


def log_axis(axis, low, high):
    """Round ticks: the first series that has four between the ends, or else any round ones."""
    for steps in ((1, 10), (1, 3), (1, 2, 5), (1, 1.5, 2, 3, 5, 7)):
        ticks = sorted({s * 10.0**e for e in range(-6, 15) for s in steps if low <= s * 10.0**e <= high})
        if len(ticks) >= 4:
            break
    else:
        ticks = [t for t in ticker.MaxNLocator(5, steps=[1, 2, 5, 10]).tick_values(low, high) if low <= t <= high]
    axis.set_major_locator(ticker.FixedLocator(ticks))
    axis.set_major_formatter(ticker.FuncFormatter(plain))
    axis.set_minor_locator(ticker.NullLocator())


def spaced(ticks, limits, px, least, margin=12):
    """Those that lie at least so many px apart on a logarithmic axis, the first ones preferred."""
    per = px / math.log(limits[1] / limits[0])
    kept, edge = [], math.exp(margin / per)
    for t in ticks:
        if limits[0] * edge <= t <= limits[1] / edge and all(abs(math.log(t / k)) * per >= least for k in kept):
            kept.append(t)
    return kept


def size_axis(axes, sizes, px):
    axes.set_xscale("log", base=2)
    axes.set_xlim(min(sizes) / 1.5, max(sizes) * 1.5)
    axes.xaxis.set_major_locator(
        ticker.FixedLocator(spaced([sizes[-1], sizes[0], *sizes[-2:0:-1]], axes.get_xlim(), px, 36, 0))
    )
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda v, _: size_text(round(v))))
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.grid(False, axis="x")


def legend(drawing, handles, top, height):
    """On one line, or on two if it would not fit."""
    wide = sum(44 + 6.2 * len(h.get_label()) for h in handles)
    drawing.legend(
        handles=handles,
        loc="upper left",
        bbox_to_anchor=(0, 1 - top / height),
        borderaxespad=0,
        borderpad=0,
        ncol=math.ceil(len(handles) / 2) if wide > WIDTH else len(handles),
        handlelength=1.6,
        columnspacing=1.6,
        handletextpad=0.5,
    )


def key(summary, variants, compilers=()):
    """Legend: a line a variant; a second compiler by its line."""
    from matplotlib.lines import Line2D

    handles, seen = [], set()
    for v in variants:
        name = v.label if v.build else v.short(False)
        if name not in seen:
            seen.add(name)
            handles.append(Line2D([], [], color=colour(v, summary.variants), marker="o", label=name))
    for compiler, style in compilers:
        handles.append(Line2D([], [], color=FAINT, label=compiler, **style))
    return handles


# ---- By size --------------------------------------------------------------------------------------------------------


def by_size(summary, values, unit, logarithmic):
    """Small multiples: an operation a panel, a variant a line."""
    wanted = {}
    for operation in summary.operations:
        sizes = [s for s in summary.sizes(operation) if s]
        cells = [summary.index(operation, s) for s in sizes]
        shown = {v for c in cells for v in summary.of_cell(c, lambda v: v.own or v.peer)}
        in_pools = any(", threads " in v.label for v in shown)  # another figure's
        if len(sizes) > 1 and shown and not in_pools:
            wanted[operation] = (sizes, sorted(shown, key=lambda v: v.rank))
    if not wanted:
        return None
    columns, panel, gap, top, left = 4, 150, 52, 60, 44
    lines = math.ceil(len(wanted) / columns)
    height = top + lines * (panel + gap)
    drawing, axes_at = canvas(height)
    width = (WIDTH - columns * left - 8) / columns
    styles = dict(zip(summary.compilers, ({"linestyle": "-"}, {"linestyle": (0, (3, 2)), "linewidth": 1.1})))
    for i, (operation, (sizes, variants)) in enumerate(wanted.items()):
        axes = axes_at(left + (i % columns) * (width + left), top + (i // columns) * (panel + gap), width - 6, panel)
        axes.set_title(operation, pad=6)
        seen = []
        for v in variants:
            points = [(s, values(summary.index(operation, s), v.text)) for s in sizes]
            points = [(s, y) for s, y in points if y]
            if points:
                seen += [y for _, y in points]
                second = v.own and len(summary.compilers) > 1 and v.compiler != summary.compilers[0]
                axes.plot(
                    *zip(*points),
                    color=colour(v, summary.variants),
                    marker=None if second else "o",
                    zorder=2 if second else 3,
                    clip_on=False,
                    **(styles.get(v.compiler, {}) if v.own else {}),
                )
        size_axis(axes, sizes, width)
        if logarithmic and seen:
            axes.set_yscale("log")
            axes.set_ylim(min(seen) / 1.25, max(seen) * 1.25)
            log_axis(axes.yaxis, *axes.get_ylim())
        else:
            axes.set_ylim(0, max(seen, default=1) * 1.08)
            axes.yaxis.set_major_locator(ticker.MaxNLocator(5))
        if i % columns == 0:
            axes.set_ylabel(unit, color=FAINT)
        if i + columns >= len(wanted):
            axes.set_xlabel("input, bytes", color=FAINT, labelpad=4)
    all_variants = sorted({v for _, vs in wanted.values() for v in vs}, key=lambda v: v.rank)
    both = list(styles.items()) if len(styles) > 1 else []
    legend(drawing, key(summary, all_variants, both), 0, height)
    return drawing


POOL_COLOURS = ("#7fb3d5", "#2980b9", "#1a5276", "#0b2440")


def scaling(summary):
    """A panel for each algorithm and number of equal messages with pools and several sizes."""
    if not summary.compilers:
        return None
    compiler, wanted = summary.compilers[0], {}
    for batch, cells in side_by_side(summary).items():
        pools = [(size, cell, by_threads(summary, cell, compiler)) for size, cell in cells if size]
        if len(cells) > 1 and not batch.lengths and any(p for *_, p in pools):
            wanted[batch] = pools
    most = max((len(pools) for pools in wanted.values()), default=0)
    wanted = {batch: pools for batch, pools in wanted.items() if len(pools) == most}  # the longest curves
    if not wanted:
        return None
    counts = sorted({n for pools in wanted.values() for *_, p in pools for n in p})
    shades = {n: POOL_COLOURS[min(i, len(POOL_COLOURS) - 1)] for i, n in enumerate(counts)}
    styles = {"single": "#a0a0a0", "lanes": LEVEL_COLOURS["neon"], **shades}
    columns, panel, gap, top, left = 2, 190, 58, 40, 52
    lines = math.ceil(len(wanted) / columns)
    height = top + lines * (panel + gap)
    drawing, axes_at = canvas(height)
    width = (WIDTH - columns * left - 8) / columns
    for i, (batch, pools) in enumerate(wanted.items()):
        axes = axes_at(left + (i % columns) * (width + left), top + (i // columns) * (panel + gap), width - 6, panel)
        axes.set_title(f"{batch.mode}, {batch.messages:,} messages", pad=6)
        seen = []
        for name, shade in styles.items():
            points = []
            for size, cell, by_count in pools:
                if name == "single":
                    v = summary.chosen(cell, compiler, single=True)
                elif name == "lanes":
                    v = summary.at_once(cell, compiler)
                else:
                    v = by_count.get(name)
                speed = summary.mib_per_second(cell, v.text) if v else None
                points += [(size, speed)] if speed else []
            if points:
                seen += [y for _, y in points]
                axes.plot(*zip(*points), color=shade, marker="o", clip_on=False)
        size_axis(axes, [size for size, *_ in pools], width)
        if seen:
            axes.set_yscale("log")
            axes.set_ylim(min(seen) / 1.25, max(seen) * 1.25)
            log_axis(axes.yaxis, *axes.get_ylim())
        if i % columns == 0:
            axes.set_ylabel("MiB/s", color=FAINT)
        if i + columns >= len(wanted):
            axes.set_xlabel("bytes of a message", color=FAINT, labelpad=4)
    from matplotlib.lines import Line2D

    names = {"single": "one after the other", "lanes": "lanes, no pool"}
    names |= {n: f"{n} thread{'s' * (n > 1)}" for n in counts}
    handles = [Line2D([], [], color=shade, marker="o", label=names[name]) for name, shade in styles.items()]
    legend(drawing, handles, 0, height)
    return drawing


def throughput(summary):
    return by_size(summary, summary.mib_per_second, "MiB/s", False)


def cycles(summary):
    return by_size(summary, summary.cycles_per_byte, "cycles/B", True)


# ---- Decomposition --------------------------------------------------------------------------------------------------


def factor_text(value):
    return ratio_text(Ratio(value)).removesuffix(TIMES)


def decomposition(summary, size):
    """A bar a chain, on a log axis: the segments are the factors and multiply to the total."""
    chains = {key: steps for key, steps in ordered_chains(summary).items() if summary.cells[key[0]]["size"] == size}
    if not chains:
        return None
    names = factors_of(chains)
    bar, step, group, top = 15, 21, 26, 44
    operations = list(dict.fromkeys(cell for cell, _ in chains))
    height = top + step * len(chains) + group * len(operations) + 40
    drawing, axes_at = canvas(height)
    label = 150
    ends = [18]  # right edges of the columns of numbers
    for name in [*names, "total"]:
        ends.append(ends[-1] + max(58, 6.4 * len(name) + 16))
    numbers, ends = ends[-1] + 6, ends[1:]
    width = WIDTH - label - numbers
    tall = height - top - 40
    axes = axes_at(label, top, width, tall)
    text = axes_at(label + width, top, numbers, tall)
    text.set_axis_off()
    for a in (axes, text):
        a.set_ylim(tall, 0)
    text.set_xlim(0, numbers)

    extent = [1.0]
    for steps in chains.values():
        at = 1.0
        for s in steps:
            at *= number(s["ratio"])
            extent.append(at)
    low, high = min(extent), max(extent)
    axes.set_xscale("log")
    axes.set_xlim(low / 1.04 if low < 1 else 1, high * 1.12)
    log_axis(axes.xaxis, *axes.get_xlim())
    axes.set_yticks([])
    axes.grid(False, axis="y")
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(f"times faster than {MINUS}O0 with files apart; logarithmic", color=FAINT, labelpad=6)
    per_px = math.log(axes.get_xlim()[1] / axes.get_xlim()[0]) / width

    for name, x in zip([*names, "total"], ends):
        text.text(
            x,
            -12,
            name,
            ha="right",
            va="bottom",
            fontsize=10,
            fontweight="bold" if name == "total" else "normal",
            clip_on=False,
        )
        if name != "total":
            text.plot(
                [x - 40, x],
                [-6, -6],
                color=FACTOR_COLOURS.get(name, "#555555"),
                linewidth=4,
                solid_capstyle="butt",
                clip_on=False,
            )

    y = 0
    for cell in operations:
        y += group
        axes.text(
            0,
            y - 8,
            summary.cells[cell]["operation"],
            fontweight="bold",
            ha="left",
            va="baseline",
            transform=matplotlib.transforms.blended_transform_factory(drawing.transFigure, axes.transData),
        )
        for (_, chain), steps in ((k, s) for k, s in chains.items() if k[0] == cell):
            middle = y + step / 2 - 2
            axes.text(
                -10 / width,
                middle,
                chain_name(chain),
                ha="right",
                va="center",
                fontsize=10,
                color=INK,
                transform=axes.get_yaxis_transform(),
                clip_on=False,
            )
            at = 1.0
            for s in steps:
                name, ratio = factor(s), number(s["ratio"])
                shade = FACTOR_COLOURS.get(name, "#555555")
                end = at * ratio
                if ratio >= 1:
                    axes.barh(middle, end - at, left=at, height=bar, color=shade, edgecolor="white", linewidth=0.6)
                else:  # slower: back over what was there
                    axes.barh(
                        middle + bar / 4,
                        at - end,
                        left=end,
                        height=bar / 2,
                        color="white",
                        edgecolor=shade,
                        linewidth=1,
                        hatch="/////",
                        zorder=5,
                    )
                if abs(math.log(ratio)) / per_px > 34 and ratio >= 1:
                    axes.text(
                        math.sqrt(at * end),
                        middle,
                        factor_text(ratio),
                        ha="center",
                        va="center",
                        fontsize=10,
                        color="white" if name in DARK_FACTORS else INK,
                    )
                at = end
                r = ratio_of(s)
                text.text(
                    ends[names.index(name)],
                    middle,
                    factor_text(ratio),
                    ha="right",
                    va="center",
                    fontsize=10,
                    color=FAINT if r.real is False else INK,
                )
            text.text(ends[-1], middle, figure(at) + TIMES, ha="right", va="center", fontsize=10, fontweight="bold")
            y += step
    return drawing


# ---- Ratios ---------------------------------------------------------------------------------------------------------


def ratios(summary, kinds, caption):
    """Dot and interval of every comparison; the floor is grey."""
    panels = {}
    for c in summary.of_kind(*kinds):
        slow = variant(c["slow"])
        group = (summary.cells[c["cell"]]["operation"], slow.short(False) if c["kind"] == "peer" else "")
        panels.setdefault(group, {}).setdefault(summary.cells[c["cell"]]["size"], []).append(c)
    if not panels:
        return None
    everything = [ratio_of(c) for sizes in panels.values() for cs in sizes.values() for c in cs]
    low = min([r.low or r.value for r in everything] + [1 - summary.floor])
    high = max([r.high or r.value for r in everything] + [1 + summary.floor])
    columns, row, head, top, left = 3, 17, 50, 34, 62
    width = (WIDTH - columns * left) / columns - 10
    lines = [list(panels.items())[i : i + columns] for i in range(0, len(panels), columns)]
    heights = [max(len(sizes) for _, sizes in line) * row + head for line in lines]
    height = top + sum(heights) + 24
    drawing, axes_at = canvas(height)
    y, shown = top, set()
    for n, line in enumerate(lines):
        for i, ((operation, slow), sizes) in enumerate(line):
            axes = axes_at(left + i * (width + left + 10), y + 22, width, len(sizes) * row)
            axes.set_title(operation, pad=5)
            if slow:
                axes.text(
                    1,
                    1,
                    f"over {slow}",
                    transform=axes.transAxes
                    + matplotlib.transforms.ScaledTranslation(0, 5 / 72, drawing.dpi_scale_trans),
                    ha="right",
                    va="baseline",
                    color=FAINT,
                    fontsize=10,
                )
            axes.axvspan(1 - summary.floor, 1 + summary.floor, color="#dddddd", linewidth=0)
            axes.axvline(1, color=FAINT, linewidth=0.8)
            for k, size in enumerate(sorted(sizes)):
                for c in sizes[size]:
                    fast, r = variant(c["fast"]), ratio_of(c)
                    shown.add(fast)
                    place = summary.compilers.index(fast.compiler) if fast.compiler in summary.compilers else 0
                    at = k + (0 if len(summary.compilers) < 2 else (-0.14, 0.14)[place % 2])
                    shade = colour(fast, summary.variants)
                    if r.low and r.high:
                        axes.plot([r.low, r.high], [at, at], color=shade, linewidth=2, zorder=3)
                    axes.plot(
                        [r.value],
                        [at],
                        marker=MARKERS[place % len(MARKERS)],
                        markersize=5,
                        color=shade,
                        zorder=4,
                        markerfacecolor=shade if place == 0 else "white",
                        markeredgewidth=1.1,
                    )
            axes.set_ylim(len(sizes) - 0.5, -0.5)
            axes.set_yticks(range(len(sizes)), [size_text(s) for s in sorted(sizes)])
            axes.set_xscale("log")
            axes.set_xlim(low / 1.05, high * 1.05)
            log_axis(axes.xaxis, *axes.get_xlim())
            axes.spines["left"].set_visible(False)
            if n + 1 == len(lines) or i + columns * (n + 1) >= len(panels):
                axes.set_xlabel(caption, color=FAINT, labelpad=4)
        y += heights[n]
    styles = (
        [
            (c, {"linestyle": "none", "marker": MARKERS[i], "markerfacecolor": FAINT if i == 0 else "white"})
            for i, c in enumerate(summary.compilers)
        ]
        if len({v.compiler for v in shown}) > 1
        else []
    )
    handles = key(summary, sorted(shown, key=lambda v: v.rank), styles)
    for h in handles:
        h.set_linestyle("none")
    legend(drawing, handles, 0, height)
    return drawing


def again(summary):
    """All A/A differences, sorted."""
    found = sorted((ratio_of(c) for c in summary.of_kind("again")), key=lambda r: r.value)
    if len(found) < 4:
        return None
    height = 130
    drawing, axes_at = canvas(height)
    axes = axes_at(52, 12, WIDTH - 60, 84)
    axes.axhline(0, color=FAINT, linewidth=0.8)
    for i, r in enumerate(found):
        if r.low and r.high:
            axes.plot([i, i], [100 * (r.low - 1), 100 * (r.high - 1)], color="#8ab6d6", linewidth=1.6)
        axes.plot([i], [100 * (r.value - 1)], marker="o", markersize=3.5, color="#0072b2")
    reach = 100 * max([0.01] + [abs(e - 1) for r in found for e in (r.low or 1, r.high or 1, r.value)]) * 1.1
    if 100 * summary.floor < reach:
        axes.axhspan(-100 * summary.floor, 100 * summary.floor, color="#eeeeee", linewidth=0)
    axes.set_ylim(-reach, reach)
    axes.set_xlim(-1, len(found))
    axes.set_xticks([])
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda v, _: f"{v:+g} %".replace("-", MINUS)))
    axes.yaxis.set_major_locator(ticker.MaxNLocator(5))
    axes.set_xlabel(f"{len(found)} pairs of identical code, sorted", color=FAINT, labelpad=6)
    return drawing


# ---- Distributions --------------------------------------------------------------------------------------------------

CHOSEN = ("LSH-256-256", "LSH-512-512", "LEA-128-CTR", "LEA-128-GCM", "GHASH", "HMAC-LSH-256-256")


def chosen_cells(summary):
    names = [o for o in CHOSEN if o in summary.operations]
    names += [o for o in summary.operations if o not in CHOSEN and o != "control"]
    return [summary.index(o, summary.sizes(o)[-1]) for o in names[:6]]


def edges_of(histogram):
    try:
        low, high, counts = histogram["from"], histogram["to"], histogram["counts"]
    except (KeyError, TypeError):
        return None
    if not (number(low) and number(high) and 0 < low < high and counts and sum(counts)):
        return None
    step = math.log(high / low) / len(counts)
    return [low * math.exp(step * i) for i in range(len(counts) + 1)], counts


def distributions(summary):
    """A cell a line: cumulative on a common axis, and each variant around its own median."""
    cells, first = [], summary.compilers[0] if summary.compilers else ""
    for cell in chosen_cells(summary):
        shown = [
            v
            for v in summary.of_cell(cell, lambda v: v.own or v.build or v.peer or v.scalar)
            if not v.compiler or v.compiler == first
        ]
        shown = [(v, edges_of(summary.row(cell, v.text).get("histogram"))) for v in shown]
        shown = [(v, h) for v, h in shown if h and summary.median(cell, v.text)]
        if shown:
            cells.append((cell, shown))
    if not cells:
        return None
    by_process = summary.cluster_medians({cell for cell, _ in cells})
    head, foot, top = 26, 34, 0
    tall = [max(len(shown) * (22 if len(shown) < 9 else 17), 90) for _, shown in cells]
    height = top + sum(tall) + (head + foot) * len(cells)
    drawing, axes_at = canvas(height)
    y = top
    for (cell, shown), h in zip(cells, tall):
        operation, size = summary.cells[cell]["operation"], summary.cells[cell]["size"]
        left = axes_at(44, y + head, 450, h)
        left.set_title(f"{operation}, {bytes_text(size)}", pad=6)
        for v, (edges, counts) in shown:
            total, at, steps = sum(counts), 0, [0.0]
            for n in counts:
                at += n
                steps.append(at / total)
            left.plot(edges, steps, color=colour(v, summary.variants), linewidth=1.4)
        left.set_xscale("log")
        low, high = min(e[0] for _, (e, _) in shown), max(e[-1] for _, (e, _) in shown)
        left.set_xlim(low / 1.1, high * 1.1)
        log_axis(left.xaxis, *left.get_xlim())
        left.set_ylim(-0.05, 1.03)
        left.set_yticks([0, 0.5, 1], ["0", "50 %", "100 %"])
        right = axes_at(700, y + head, WIDTH - 708, h)
        low_ = high_ = 1.0
        for k, (v, (edges, counts)) in enumerate(shown):
            median, row = summary.median(cell, v.text), summary.row(cell, v.text)
            base, scale = len(shown) - k - 1, 0.82 / max(counts)
            middles = [math.sqrt(a * b) / median for a, b in zip(edges, edges[1:])]
            shade = colour(v, summary.variants)
            right.fill_between(middles, base, [base + scale * n for n in counts], color=shade, alpha=0.35, linewidth=0)
            right.plot(middles, [base + scale * n for n in counts], color=shade, linewidth=1)
            for m in by_process.get((cell, v.text), []):
                right.plot([m / median] * 2, [base - 0.16, base - 0.02], color=shade, linewidth=0.9, clip_on=True)
            place = matplotlib.transforms.blended_transform_factory(drawing.transFigure, right.transData)
            right.text(
                630 / WIDTH,
                base + 0.08,
                v.short(False),
                transform=place,
                ha="right",
                va="bottom",
                fontsize=10,
                color=INK,
            )
            right.text(
                690 / WIDTH,
                base + 0.08,
                figure(median),
                transform=place,
                ha="right",
                va="bottom",
                fontsize=10,
                color=FAINT,
            )
            low_, high_ = min(low_, edges[0] / median), max(high_, (number(row.get("p95")) or median) / median)
        right.set_xscale("log")
        right.set_xlim(max(0.85, min(0.98, low_ * 0.995)), min(1.35, max(1.03, high_ * 1.01)))
        ticks = spaced([1, 0.98, 1.02, 0.95, 1.05, 0.9, 1.1, 1.2, 1.3], right.get_xlim(), WIDTH - 708, 38)
        right.xaxis.set_major_locator(ticker.FixedLocator(ticks))
        right.xaxis.set_major_formatter(ticker.FuncFormatter(plain))
        right.xaxis.set_minor_locator(ticker.NullLocator())
        right.set_ylim(-0.25, len(shown))
        right.set_yticks([])
        right.spines["left"].set_visible(False)
        if (cell, shown) == cells[-1]:
            left.set_xlabel("ticks a call", color=FAINT, labelpad=4)
            right.set_xlabel(
                "over the variant's median" + ("; marks: medians of processes" if by_process else ""),
                color=FAINT,
                labelpad=4,
            )
        y += h + head + foot
    return drawing


# ---- Cliff's delta --------------------------------------------------------------------------------------------------

DIVERGING = LinearSegmentedColormap.from_list("delta", ["#b35806", "#f7f7f7", "#2166ac"])


def pair_text(slow, fast, compilers):
    if slow.label == fast.label and not slow.scalar:
        return f"{fast.label}: {slow.compiler or slow.module} \u2192 {fast.compiler or fast.module}"
    return f"{slow.short(False)} \u2192 {fast.short(compilers)}"


def cliff(summary, kinds):
    """Operation by comparison; +1: every block of the second was faster than every one of the first."""
    found = {}
    for c in summary.of_kind(*kinds):
        if number(c.get("cliffs_delta")) is not None:
            found.setdefault((variant(c["slow"]), variant(c["fast"])), {})[c["cell"]] = c["cliffs_delta"]
    if not found:
        return None
    cells = sorted(
        {cell for column in found.values() for cell in column},
        key=lambda i: (summary.operations.index(summary.cells[i]["operation"]), summary.cells[i]["size"]),
    )
    reduced = len(cells) > 24
    if reduced:
        cells = [i for i in cells if summary.cells[i]["size"] == summary.sizes(summary.cells[i]["operation"])[-1]]
    pairs = sorted(found, key=lambda p: (not p[0].peer, p[1].compiler, p[0].rank, p[1].rank))
    heads = [pair_text(*pair, len(summary.compilers) > 1) for pair in pairs]
    slant, letter = math.radians(50), 6.2
    row, label, right = 18, 130, 24 + letter * max(map(len, heads)) * math.cos(slant)
    head = 24 + letter * max(map(len, heads)) * math.sin(slant)
    wide = min(56, (WIDTH - label - right) / len(pairs))
    height = head + row * len(cells) + 6
    drawing, axes_at = canvas(height)
    axes = axes_at(label, head, wide * len(pairs), row * len(cells))
    axes.grid(False)
    axes.set_xlim(0, len(pairs))
    axes.set_ylim(len(cells), 0)
    for x, pair in enumerate(pairs):
        for y, cell in enumerate(cells):
            d = found[pair].get(cell)
            if d is None:
                continue
            axes.add_patch(
                plt.Rectangle((x, y), 1, 1, facecolor=DIVERGING((d + 1) / 2), edgecolor="white", linewidth=1)
            )
            shown = f"{d:+.2f}".replace("-", MINUS) if abs(d) < 0.995 else ("+1" if d > 0 else MINUS + "1")
            axes.text(
                x + 0.5,
                y + 0.5,
                shown,
                ha="center",
                va="center",
                fontsize=9 if wide > 36 else 7.5,
                color="white" if abs(d) > 0.6 else INK,
            )
    several = len({summary.cells[i]["operation"] for i in cells}) < len(cells)
    names = [
        summary.cells[i]["operation"] + (f", {size_text(summary.cells[i]['size'])}" if several else "") for i in cells
    ]
    axes.set_yticks([y + 0.5 for y in range(len(cells))], names, color=INK)
    axes.xaxis.tick_top()
    axes.set_xticks(
        [x + 0.5 for x in range(len(pairs))],
        heads,
        rotation=math.degrees(slant),
        ha="left",
        rotation_mode="anchor",
        color=INK,
    )
    for side in axes.spines.values():
        side.set_visible(False)
    return drawing
