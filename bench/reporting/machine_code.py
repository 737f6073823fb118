"""What the compilers made of the scalar sources, beside the times: vector instructions, calls in loops, identity."""
import re

from summary import SCALARS, factor, variant
from tables import MEASURED, PAPER_PAIR, Column, Table, own

LEAST_PACKED = 20  # of a function of ours to be listed

# Which functions do the work of an operation, by their short names; keys are set up beforehand.
WORK = (
    (re.compile(r"LSH-256"), re.compile(r"lsh_(?!.*512)")),
    (re.compile(r"LSH-512"), re.compile(r"lsh_(?!.*256)")),
    (re.compile(r"LEA-\d+-ECB"), re.compile(r"lea_(?!expand_key|ctr)")),
    (re.compile(r"LEA-\d+-CTR"), re.compile(r"lea_(?!expand_key|ecb)")),
    (
        re.compile(r"LEA-\d+-GCM"),
        re.compile(r"gcm_seal|lea_(?!expand_key|ecb)|(ghash_(?!expand)|multiply_|reverse_bits)"),
    ),
    (re.compile(r"GHASH"), re.compile(r"ghash_(?!expand)|multiply_|reverse_bits")),
)


def short_name(name):
    """'void a::(anonymous namespace)::f<a::b_core, unsigned>(unsigned&)' -> 'f<b_core>'; 256 or 512 for LSH's word."""
    text = re.sub(r"\(anonymous namespace\)::|\b(hwacha|scalar|bench|simd|std)::|\[\w+ [\w.]+\]", "", name)
    wide = re.search(r"[<(]unsigned long\b", text)
    depth, start, end = 0, 0, len(text)
    for i, letter in enumerate(text):
        depth += (letter == "<") - (letter == ">")
        if depth == 0 and letter == " ":
            start = i + 1
        if depth == 0 and letter == "(":
            end = i
            break
    text = text[start:end]
    if text.startswith("lsh_") and not re.search(r"256|512", text):
        text = re.sub(r"<unsigned (int|long),? ?", "<", text).replace("<>", "")
        head, bracket, rest = text.partition("<")
        return f"{head}<{512 if wide else 256}{', ' + rest if bracket else '>'}"
    return re.sub(r", unsigned (int|long)\b", "", text)


def functions(summary):
    """{module: [function]} of objects.json, without the harness's own."""
    found = {}
    for m in summary.objects.get("modules") or []:
        if isinstance(m, dict) and isinstance(m.get("functions"), list):
            found[m.get("module")] = [
                {**f, "short": short_name(f["name"])}
                for f in m["functions"]
                if isinstance(f, dict)
                and isinstance(f.get("name"), str)
                and isinstance(f.get("packed"), dict)
                and "hwacha::bench::" not in f["name"]
            ]
    return found


def scalar(found):
    return [f for f in found if "hwacha::scalar::" in f["name"]]


def callees(function):
    """Short names of what it calls again and again, of the sources themselves."""
    return [short_name(c) for c in function.get("calls_in_loops") or [] if "hwacha::" in c]


def code_columns(widths):
    packed = [Column(f"packed_{w}", w, "count", "packed") for w in widths]
    return packed + [Column("moves", "vector moves", "count"), Column("calls", "Calls in loops", "list")]


def beside_times(summary, code):
    """Operation by build: time, vector instructions of the functions at work, calls in loops."""
    widths = [w for w in ("xmm", "ymm", "zmm", "v", "z") if any(w in f["packed"] for fs in code.values() for f in fs)]
    rows, order = [], {name: i for i, name in enumerate(SCALARS)}
    for i, c in enumerate(summary.cells):
        at_work = next((names for operations, names in WORK if operations.search(c["operation"])), None)
        chosen = summary.of_cell(i, lambda v: v.scalar and f"{v.module}@{v.compiler}" in code)
        chosen.sort(key=lambda v: (v.compiler, order.get(v.module, len(order)), v.module))
        for v in chosen if at_work else []:
            working = [f for f in scalar(code[f"{v.module}@{v.compiler}"]) if at_work.match(f["short"])]
            if not working:
                continue
            rows.append(
                [c["operation"], c["size"], v.compiler, v.short(False), summary.ticks_per_byte(i, v.text)]
                + [sum(f["packed"].get(w, 0) for f in working) for w in widths]
                + [
                    sum(f.get("vector_moves", 0) for f in working),
                    sorted({name for f in working for name in callees(f)}),
                ]
            )
    return (
        Table(
            "machine-code",
            "Times, and what the compiler made of the source",
            "Instructions in the functions that do the operation's work, counted in the binary, not as executed. "
            "Packed: what computes in vector registers. Calls in loops: those of other functions of the source; "
            "the vectoriser passes by a loop with a call in it.",
            [
                Column("operation", "Operation"),
                Column("size", "Input (B)", "size"),
                Column("compiler", "Compiler"),
                Column("build", "Build"),
                Column("ticks_per_byte", "ticks/B", "figure"),
            ]
            + code_columns(widths),
            rows,
            (MEASURED,),
            3,
            len(rows) > 40,
        )
        if rows
        else None
    )


def compared(summary):
    """Pairs of scalar modules that a step compares, in order."""
    pairs = {}
    for c in summary.of_kind("step"):
        a, b = variant(c["slow"]), variant(c["fast"])
        if a.scalar and b.scalar:
            pairs[a.compiler, a.module, b.module] = factor(c)
    return pairs


def same_and_different(code, one, other):
    """Names of the functions that two modules both have: (the same machine code, other code)."""
    theirs = {f["name"]: f for f in scalar(code.get(other, []))}
    both = [f for f in scalar(code.get(one, [])) if f["name"] in theirs and f.get("hash")]
    same = [f["short"] for f in both if f["hash"] == theirs[f["name"]].get("hash")]
    return same, [f["short"] for f in both if f["short"] not in same]


def identical(summary, code):
    rows = []
    for (compiler, a, b), name in compared(summary).items():
        same, different = same_and_different(code, f"{a}@{compiler}", f"{b}@{compiler}")
        if same:
            rows.append(
                [
                    compiler,
                    variant(f"{a}:").short(),
                    variant(f"{b}:").short(),
                    name,
                    len(same),
                    len(same) + len(different),
                    same,
                ]
            )
    rows.sort(key=lambda r: r[0])
    return (
        Table(
            "identical",
            "Functions that are the same machine code in two builds",
            "Of the functions that both builds have. For an operation whose work is done by these, the step "
            "compares code with itself: its factor is 1 but for where the code lies. Steps without such functions "
            "are left out.",
            [
                Column("compiler", "Compiler"),
                Column("slow", "From"),
                Column("fast", "To"),
                Column("step", "Step"),
                Column("identical", "identical", "count"),
                Column("of", "of", "count"),
                Column("same", "Functions", "list"),
            ],
            rows,
            (MEASURED,),
            1,
        )
        if rows
        else None
    )


def kernels(summary, code):
    rows = []
    widths = [w for w in ("xmm", "ymm", "zmm", "v", "z") if any(w in f["packed"] for fs in code.values() for f in fs)]
    for compiler in summary.compilers:
        for f in code.get(own(compiler, "").rstrip(":"), []):
            if sum(f["packed"].values()) >= LEAST_PACKED:
                rows.append(
                    [compiler, f["short"], f.get("instructions")]
                    + [f["packed"].get(w, 0) for w in widths]
                    + [f.get("vector_moves"), [short_name(c) for c in f.get("calls_in_loops") or []]]
                )
    return (
        Table(
            "kernels",
            "Vector instructions of our kernels",
            "One row a function with at least 20; the same name stands for several tables.",
            [
                Column("compiler", "Compiler"),
                Column("function", "Function", "code"),
                Column("instructions", "instructions", "count"),
            ]
            + code_columns(widths),
            rows,
            (MEASURED,),
            1,
            len(rows) > 30,
        )
        if rows
        else None
    )


def tables_of(summary):
    code = functions(summary)
    return (
        [t for t in (beside_times(summary, code), identical(summary, code), kernels(summary, code)) if t]
        if code
        else []
    )


def paper_compilers(summary):
    return sorted({chain.partition("@")[2] for _, chain in summary.chains(paper=True)})


def refnv_and_ref(summary):
    """Function by function, what the vectoriser changed in the paper's scheme."""
    code, rows = functions(summary), []
    for compiler in paper_compilers(summary):
        before, after = (scalar(code.get(f"{m}@{compiler}", [])) for m in PAPER_PAIR)
        old = {f["name"]: f for f in before}
        for f in after:
            if f["name"] in old and f.get("hash"):
                was = old[f["name"]]
                rows.append(
                    [
                        compiler,
                        f["short"],
                        "the same" if f["hash"] == was.get("hash") else "different",
                        sum(was["packed"].values()),
                        sum(f["packed"].values()),
                        callees(f),
                    ]
                )
    return (
        Table(
            "refnv-ref",
            "refnv and ref, function by function",
            "Packed: vector instructions that compute. Where a loop calls, the vectoriser passes it by.",
            [
                Column("compiler", "Compiler"),
                Column("function", "Function", "code"),
                Column("machine_code", "Machine code"),
                Column("packed_refnv", "refnv", "count", "packed"),
                Column("packed_ref", "ref", "count", "packed"),
                Column("calls", "Calls in loops of ref", "list"),
            ],
            rows,
            (MEASURED,),
            1,
        )
        if rows
        else None
    )


def paper_findings(summary):
    """What the paper's text says, a fact about the code that it measures, and what this run shows of its scheme."""
    items = [
        "The paper says (abstract): GCC's auto-vectoriser contributes \"negligibly or even slightly negatively for "
        'NTT-based operations because the modular reduction step prevents vectorization".',
        "Of the code that it measures, pq-crystals/kyber, anyone can check: in `ref`, the reductions are in `reduce.c` "
        "and the loops of the NTT in `ntt.c`. Without link-time optimisation such a loop holds a call, and no "
        "vectoriser works on a loop with a call in it. What the compiler made of that code is not measured here.",
        "In this run, `refnv` and `ref` have files apart in the same way, and `ref` is built for the baseline "
        "instruction set, `avx2` for its own. So `ref` to `avx2` holds everything that those two differ in.",
    ]
    common = len(items)
    code = functions(summary)
    for compiler in paper_compilers(summary):
        names = [f"{m}@{compiler}" for m in PAPER_PAIR]
        same, different = same_and_different(code, *names)
        if same or different:
            calling = sum(bool(callees(f)) for f in scalar(code[names[1]]))
            items.append(
                f"Here, {compiler}: {len(same)} of {len(same) + len(different)} functions are the same machine code "
                f"in `refnv` and `ref`; in `ref`, {calling} have loops that call another function of the source."
            )
    if len(items) == common:
        items.append(
            "This run has no counts of instructions (`objects.json`), so it cannot show which functions were identical."
        )
    return items
