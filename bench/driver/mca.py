"""Estimates for processors that are not at hand: hot loops out of the assembly, llvm-mca, a port simulator (ports.py).

A turn of a loop is its longest way from the header back to it, inner loops written out as often as they run. How often
follows from the constants in the code or from the kernel's rounds, how many bytes it takes from its addresses, which
are computed for two turns. bench/mca is the command.
"""

import argparse
import functools
import itertools
import json
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path

import ports

ROOT = Path(__file__).resolve().parent.parent.parent
MCA, COMPILER = "llvm-mca-19", "clang++-19"
X86, ARM = "x86_64", "aarch64"


class Failure(Exception):
    """What stops the program, as a sentence."""


@dataclass(frozen=True)
class Kernel:
    name: str
    file: str
    function: str  # in its mangled name
    block: int  # bytes
    rounds: int = 0
    padding: float = 1.0  # blocks of 4 KiB with padding, to those without
    word: int = 0  # bytes: a kernel with one message in each word of a vector
    lanes: int = 0

    def at(self, level):
        """The widest form of a kernel with lanes; any other kernel as it is."""
        if not self.word:
            return self
        lanes = VECTOR[level] // self.word
        name, function = f"{self.name}, lanes {lanes}", self.function.format(lanes=lanes)
        return replace(self, name=name, function=function, lanes=lanes)


KERNELS = (
    Kernel("LSH-256", "lsh256", r"\d+lsh256_compress", 128, padding=33 / 32),
    Kernel("LSH-512", "lsh512", r"\d+lsh512_compress", 256, padding=17 / 16),
    Kernel("LEA-128-ECB", "lea", r"\d+lea_ecbI.*ELb0E", 16, 24),
    Kernel("LEA-128-ECB decrypt", "lea", r"\d+lea_ecbI.*ELb1E", 16, 24),
    Kernel("LEA-128-CTR", "lea", r"\d+lea_ctr32", 16, 24),
    Kernel("LEA-192-CTR", "lea", r"\d+lea_ctr32", 16, 28),
    Kernel("LEA-256-CTR", "lea", r"\d+lea_ctr32", 16, 32),
    Kernel("GHASH", "ghash", r"\d+ghash_absorb", 16),
    Kernel("LEA-128-GCM", "lea_gcm", r"\d+gcm_turnsI.*Lb1ELb1E", 16, 24),
    Kernel("LEA-128-GCM open", "lea_gcm", r"\d+gcm_turnsI.*Lb1ELb0E", 16, 24),
    Kernel("LSH-256", "lsh256_lanes", r"lsh_lanesI.*ELi{lanes}EE\d+compress", 128, padding=33 / 32, word=4),
    Kernel("LSH-512", "lsh512_lanes", r"lsh_lanesI.*ELi{lanes}EE\d+compress", 256, padding=17 / 16, word=8),
)
# Our reading of the forms of two papers (bench/paper); its "placement" and "four lanes" on NEON are the library's own.
CHAINS = r"paper_chainsI.*lsh{core}_coreELi{copies}ELi{sets}EE"
KERNELS += tuple(
    Kernel(f"LSH-{core}, paper 000{name}", "paper000", CHAINS.format(core=core, copies=copies, sets=sets), **more)
    for core, name, copies, sets, more in (
        (256, "", 1, 1, {"block": 128, "padding": 33 / 32, "lanes": 1}),
        (256, ", dual", 2, 1, {"block": 128, "padding": 33 / 32, "lanes": 2}),
        (512, "", 1, 1, {"block": 256, "padding": 17 / 16, "lanes": 1}),
        (512, ", dual", 1, 2, {"block": 256, "padding": 17 / 16, "lanes": 2}),
    )
)
KERNELS += (
    Kernel("LSH-256, paper 003, permutation", "paper003", r"paper_word_permutation", 128, padding=33 / 32, lanes=1),
    Kernel("LSH-256, paper 003, two", "paper003", r"paper_twoI.*compress", 128, padding=33 / 32, lanes=2),
)
VECTOR = {"avx2": 32, "avx512": 64, "neon": 16}  # bytes
LEVELS = {"avx2": X86, "avx2-vpclmul": X86, "avx512": X86, "avx512-vpclmul": X86, "neon": ARM}
CPUS = {
    **dict.fromkeys(("tigerlake", "icelake-server", "sapphirerapids", "znver4"), [*LEVELS][:4]),
    "znver3": ["avx2", "avx2-vpclmul"],
    "haswell": ["avx2"],
    "skylake-avx512": ["avx2", "avx512"],
    **dict.fromkeys(("neoverse-n1", "neoverse-v1", "neoverse-v2", "cortex-a76", "apple-m1"), ["neon"]),
}
# llvm-mca does not name the scheduling model behind a -mcpu, but the names of its resources begin with the model's.
MODELS = {
    **{"ICX": "IceLakeModel", "SPR": "SapphireRapidsModel", "HW": "HaswellModel", "SKX": "SkylakeServerModel"},
    **{"Zn3": "Znver3Model", "Zn4": "Znver4Model", "A57": "CortexA57Model", "Cy": "CycloneModel"},
    **{"N1": "NeoverseN1Model", "V1": "NeoverseV1Model", "V2": "NeoverseV2Model"},
}
# What a summary calls the kernels, and (vendor, family, model) of processors whose core one of CPUS has.
OPERATIONS = {"LSH-256-256": "LSH-256", "LSH-512-512": "LSH-512"}
OPERATIONS |= {name: name for name in ("LEA-128-CTR", "GHASH", "LEA-128-GCM")}
PROCESSORS = {
    **{("GenuineIntel", "6", model): "haswell" for model in ("60", "63", "69", "70")},
    **{("GenuineIntel", "6", model): "icelake-server" for model in ("106", "108")},
    **{("GenuineIntel", "6", model): "tigerlake" for model in ("140", "141")},
    **{("GenuineIntel", "6", model): "sapphirerapids" for model in ("143", "207")},  # 207: Emerald Rapids
    **{("AuthenticAMD", "25", model): "znver3" for model in ("1", "8", "33", "80")},
    **{("AuthenticAMD", "25", model): "znver4" for model in ("17", "24", "97", "116", "160")},
}


# ---- Loops ---------------------------------------------------------------------------------------------------------

COMMENT = {X86: "#", ARM: "//"}
BRANCH = {X86: re.compile(r"j[a-z]+$"), ARM: re.compile(r"(b|b\.[a-z]+|cbn?z|tbn?z)$")}
LEAVES = re.compile(r"(retq?|br|ud2|brk)$")


@dataclass(frozen=True)
class Line:
    text: str
    mnemonic: str
    operands: tuple


@dataclass
class Block:
    lines: list = field(default_factory=list)
    after: list = field(default_factory=list)  # blocks that may follow


@dataclass
class Loop:
    header: int
    nodes: set
    inner: list = field(default_factory=list)


@dataclass
class Turn:
    lines: list
    before: list  # lines that certainly ran before the loop
    bytes: int
    known: bool  # all inner loops have constant bounds


def functions(assembly, architecture):
    """Name of each function -> its basic blocks, in order."""
    names = set(re.findall(r"^\t\.type\t(\S+),[@%]function", assembly, re.M))
    found, blocks, labels = {}, None, {}
    for raw in assembly.splitlines():
        text = raw.split(COMMENT[architecture])[0].rstrip()
        if label := re.match(r"([.\w$]+):$", text):
            if label[1] in names:
                blocks, labels = found.setdefault(label[1], ([Block()], {}))
            elif label[1].startswith(".Lfunc_end"):
                blocks = None
            elif blocks is not None:
                blocks.append(Block())
                labels[label[1]] = len(blocks) - 1
        elif blocks is not None and re.match(r"\t[a-z]", text):
            mnemonic, *rest = text.split(None, 1)
            operands = re.split(r",\s*(?![^(\[{]*[)\]}])", rest[0]) if rest else ()
            blocks[-1].lines.append(Line(text, mnemonic, tuple(operands)))
            if BRANCH[architecture].match(mnemonic) or LEAVES.match(mnemonic):
                blocks.append(Block())
    for blocks, labels in found.values():
        for number, block in enumerate(blocks):
            last = block.lines[-1] if block.lines else None
            if last and BRANCH[architecture].match(last.mnemonic) and last.operands[-1] in labels:
                block.after.append(labels[last.operands[-1]])
            ends = last and (last.mnemonic in ("jmp", "b") or LEAVES.match(last.mnemonic))
            if not ends and number + 1 < len(blocks):
                block.after.append(number + 1)
    return {name: blocks for name, (blocks, _) in found.items()}


def dominators(blocks):
    """For each block that can be reached, the blocks on every way to it; and the blocks before each."""
    before, order = [[] for _ in blocks], [0]
    for number in order:
        for after in blocks[number].after:
            before[after].append(number)
            if after not in order:
                order.append(after)
    over = {number: set(order) for number in order} | {0: {0}}
    changed = True
    while changed:
        new = {n: set.intersection(*(over[b] for b in before[n])) | {n} for n in order if n} | {0: {0}}
        changed, over = new != over, new
    return over, before


def loops(blocks, over, before):
    """The natural loops that are in no other, each with its inner ones."""
    found = {}
    for number in over:
        for header in set(blocks[number].after) & over[number]:
            nodes, work = found.setdefault(header, Loop(header, {header})).nodes, [number]
            while work:
                if (node := work.pop()) not in nodes:
                    nodes.add(node)
                    work += before[node]
    outer = []
    for loop in found.values():
        around = [other for other in found.values() if loop.nodes < other.nodes]
        (min(around, key=lambda other: len(other.nodes)).inner if around else outer).append(loop)
    return outer


def way(blocks, loop):
    """The longest way round: lines, and inner loops as their ways."""
    inner = {one.header: one for one in loop.inner}

    def weight(items):
        return sum(1 if isinstance(item, Line) else 4 * weight(item) for item in items)

    @functools.cache
    def longest(node):
        if child := inner.get(node):
            own = [way(blocks, child)]
            after = {exit for part in child.nodes for exit in blocks[part].after} - child.nodes
        else:
            own, after = blocks[node].lines, set(blocks[node].after)
        ways = [longest(exit) for exit in after & loop.nodes - {loop.header}] + [[]] * (loop.header in after)
        ways = [one for one in ways if one is not None]
        return own + max(ways, key=weight) if ways else None

    return longest(loop.header)


def write_out(items, architecture, registers, default):
    """The lines of a way, inner loops written out; whether the bounds of all these are constants."""
    lines, known = [], True
    for item in items:
        if isinstance(item, Line):
            registers.step(item)
            lines.append(item)
            continue
        body, constant = write_out(item, architecture, Registers(architecture), default)
        trial, count, again = Registers(architecture, registers.values), 0, True
        while again and count < 4096:
            for line in body:
                trial.step(line)
            again, count = trial.taken(body[-1]), count + 1
        if again is None and not default:
            raise Failure(f"nobody knows how often the loop runs that ends in '{body[-1].text.strip()}'")
        known = known and constant and again is False
        copies = body * (default if again is None else count)
        lines += copies
        for line in copies:
            registers.step(line)
    return lines, known


def accesses(lines, registers, stores):
    """The addresses of the loads or the stores of a turn, None where unknown."""
    for line in lines:
        for place, operand in enumerate(line.operands):
            if registers.is_memory(operand) and registers.stores(line, place) == stores:
                yield registers.address(operand)
        registers.step(line)


def stride(lines, architecture, stores=False):
    """By how much the loads or the stores of a turn move on: the most that any does."""
    names = [f"%{name}" for name in ports.GENERAL] if architecture == X86 else [f"x{number}" for number in range(31)]
    registers = Registers(architecture, {name: (place + 1) << 30 for place, name in enumerate(names)})
    turns = [list(accesses(lines, registers, stores)) for _ in range(2)]
    steps = [abs(b - a) for a, b in zip(*turns) if None not in (a, b)]
    return max((step for step in steps if step < 1 << 16), default=0)


def turns(blocks, architecture, default=0, stores=False, size=0):
    """A Turn for each outermost loop of a function whose loads, or stores, step through memory; for every one if it is
    known how many bytes a turn takes (where the addresses come out of memory, nobody sees them move on)."""
    over, before = dominators(blocks)
    for loop in loops(blocks, over, before):
        lines, known = write_out(way(blocks, loop), architecture, Registers(architecture), default)
        ahead = [line for number in sorted(over[loop.header] - loop.nodes) for line in blocks[number].lines]
        if step := size or stride(lines, architecture, stores):
            yield Turn(lines, ahead, step, known)


def hot_loop(assembly, architecture, kernel):
    """The loop of a kernel that takes most bytes a turn; for LEA on the way for its number of rounds."""
    matching = [one for name, one in functions(assembly, architecture).items() if re.search(kernel.function, name)]
    if len(matching) != 1:
        raise Failure(f"{kernel.name}: {len(matching)} functions are called {kernel.function}")
    size = kernel.block * kernel.lanes
    found = list(turns(matching[0], architecture, kernel.rounds // 4, stores=kernel.rounds > 0, size=size))
    if kernel.rounds:  # 24 rounds have loops of their own, with constant bounds
        found = [turn for turn in found if turn.known == (kernel.rounds == 24)]
    if not found:
        raise Failure(f"{kernel.name}: no loop of it steps through memory")
    best = max(found, key=lambda turn: (turn.bytes, len(turn.lines)))
    if best.bytes % kernel.block:
        raise Failure(f"{kernel.name}: {best.bytes} bytes a turn are no whole number of blocks")
    return best


# ---- What the integer registers hold -------------------------------------------------------------------------------

CONDITIONS = {
    "e z eq": lambda a, b, _: a == b,
    "ne nz": lambda a, b, _: a != b,
    "b c nae lo cc": lambda a, b, _: a < b,
    "ae nb nc hs cs": lambda a, b, _: a >= b,
    "a nbe hi": lambda a, b, _: a > b,
    "be na ls": lambda a, b, _: a <= b,
    "l nge lt": lambda a, b, signed: signed(a) < signed(b),
    "ge nl": lambda a, b, signed: signed(a) >= signed(b),
    "g nle gt": lambda a, b, signed: signed(a) > signed(b),
    "le ng": lambda a, b, signed: signed(a) <= signed(b),
}
CONDITION = {name: test for names, test in CONDITIONS.items() for name in names.split()}


class Registers:
    """Follows numbers through moves, additions, shifts and comparisons; whatever else is written becomes unknown."""

    def __init__(self, architecture, values=()):
        self.x86 = architecture == X86
        self.values = dict(values)
        self.flags = None  # (a, b, bits) of the last comparison

    def name(self, operand):
        """(register, bits) of a general register, else None."""
        if self.x86:
            general = operand[0] == "%" and not re.match(r"%([xyz]mm|k\d)", operand)
            return (ports.register(operand), 32 if re.match(r"%e|%r\d+d", operand) else 64) if general else None
        match = re.fullmatch(r"([wx])(\d+)|sp", operand)
        return match and (f"x{match[2]}" if match[2] else "sp", 32 if match[1] == "w" else 64)

    def value(self, operand):
        if match := re.fullmatch(r"[$#]?(-?(?:0x[0-9a-f]+|\d+))", operand):
            return int(match[1], 0)
        register = self.name(operand)
        return 0 if operand in ("xzr", "wzr") else self.values.get(register[0]) if register else None

    def set(self, register, value):
        self.values.pop(register[0], None)
        if value is not None:
            self.values[register[0]] = value % (1 << register[1])

    def compare(self, a, b, bits):
        self.flags = None if None in (a, b) else (a % (1 << bits), b % (1 << bits), bits)

    def is_memory(self, operand):
        return operand.endswith(")") if self.x86 else operand.startswith("[")

    def stores(self, line, place):
        """Whether the memory operand at this place is written."""
        return place == len(line.operands) - 1 and "mov" in line.mnemonic if self.x86 else line.mnemonic[:2] == "st"

    def address(self, operand):
        if self.x86:
            displacement, label, base, index, scale = ports.parse_memory(operand)
            parts = [self.values.get(base) if base else 0, self.values.get(index) if index else 0]
            return None if label or None in parts else displacement + parts[0] + scale * parts[1]
        base, _, offset = operand.strip("[]!").partition(", ")
        parts = [self.value(base), self.value(offset or "#0")]
        return None if None in parts else sum(parts)

    def step(self, line):
        (self.step_x86 if self.x86 else self.step_arm)(line.mnemonic, line.operands)

    def step_x86(self, mnemonic, operands):
        target = self.name(operands[-1]) if operands else None
        base = re.sub(r"(?<=[a-z]{3})[lq]$|absq$", "", mnemonic)
        value = self.value(operands[0]) if operands else None
        old = self.values.get(target[0]) if target else None
        if base in ("cmp", "test"):
            zero = base == "test" and operands[0] == operands[1]
            self.compare(
                self.value(operands[1]), 0 if zero else value if base == "cmp" else None, (target or (0, 64))[1]
            )
        elif target and base in ("mov", "lea"):
            self.set(target, value if base == "mov" else self.address(operands[0]))
        elif target and base in ("add", "sub", "inc", "dec", "shl"):
            amount = 1 if len(operands) == 1 else value
            new = None
            if None not in (old, amount):
                new = old << amount if base == "shl" else old + amount * (1 if base in ("add", "inc") else -1)
            self.compare(*((old, amount) if base == "sub" else (new, 0)), target[1])
            self.set(target, new)
        elif target:
            self.set(target, 0 if base == "xor" and operands[0] == operands[1] else None)
            self.flags = self.flags if mnemonic[0] == "v" else None

    def step_arm(self, mnemonic, operands):
        target = self.name(operands[0]) if operands else None
        values = [self.value(operand) for operand in operands[1:]]
        if mnemonic == "cmp":
            self.compare(self.value(operands[0]), values[0] if len(values) == 1 else None, (target or (0, 64))[1])
        elif target and mnemonic in ("add", "adds", "sub", "subs", "mov", "lsl"):
            new = None
            if None not in values and len(values) == (1 if mnemonic == "mov" else 2):
                a, b = (*values, 0)[:2]
                new = a << b if mnemonic == "lsl" else a - b if mnemonic[:3] == "sub" else a + b
            if mnemonic[-1] == "s":
                self.compare(*(values[:2] if mnemonic == "subs" else (new, 0)), target[1])
            self.set(target, new)
        else:
            for place, operand in enumerate(operands):
                if self.is_memory(operand):  # [x1], #32 and [x1, #32]! move x1 on
                    base, _, offset = operand.strip("[]!").partition(", ")
                    offset = (
                        offset if operand[-1] == "!" else operands[place + 1] if place + 1 < len(operands) else "#0"
                    )
                    old, amount = self.value(base), self.value(offset)
                    self.set((base, 64), None if None in (old, amount) else old + amount)
                elif mnemonic[:2] != "st" and (place == 0 or mnemonic == "ldp") and (register := self.name(operand)):
                    self.set(register, None)
            if re.match(r"(ands|bics|tst|cmn|ccmp|fcmp)$", mnemonic):
                self.flags = None

    def taken(self, branch):
        """Whether a conditional branch is taken; None if nobody knows."""
        if zero := re.match(r"cb(n?)z", branch.mnemonic):
            value = self.value(branch.operands[0])
            return None if value is None else (value != 0) == bool(zero[1])
        test = CONDITION.get(re.sub(r"^(j|b\.)", "", branch.mnemonic))
        if not test or not self.flags:
            return None
        a, b, bits = self.flags
        return test(a, b, lambda x: x - (x >> bits - 1 << bits))


# ---- Compiler and llvm-mca -----------------------------------------------------------------------------------------


def run(*command, text=None, cwd=None):
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True, cwd=cwd, check=False)
    except FileNotFoundError:
        raise Failure(f"{command[0]} is missing: run scripts/deps bench") from None
    if done.returncode:
        shown = shlex.join(map(str, command))[:200]
        raise Failure(f"{shown}\n{(done.stderr or done.stdout).strip()[-1500:]}")
    return done.stdout


def missing_headers(architecture):
    """What kernels for this architecture cannot be compiled without, or None."""
    source = "#include <string.h>\n#include <stdint.h>\n"
    try:
        run(COMPILER, f"--target={architecture}-linux-gnu", "-E", "-x", "c++", "-", text=source)
    except Failure as failure:
        if "file not found" not in str(failure):
            raise
        debian = {ARM: "arm64", X86: "amd64"}[architecture]
        return f"the C headers for {architecture} are missing (Debian: libc6-dev-{debian}-cross)"
    return None


def kernel_files(folder, architecture):
    """Name of each kernel file -> function that compiles it to assembly as the build system compiles the release."""
    folder, target = Path(folder) / architecture, f"{architecture}-linux-gnu"
    options = {
        **{"HWACHA_TESTS": "OFF", "HWACHA_TOOLS": "OFF", "HWACHA_INSTALL": "OFF", "CMAKE_SYSTEM_NAME": "Linux"},
        **{"CMAKE_SYSTEM_PROCESSOR": architecture, "CMAKE_TRY_COMPILE_TARGET_TYPE": "STATIC_LIBRARY"},
        **{"CMAKE_CXX_COMPILER_TARGET": target, "CMAKE_C_COMPILER_TARGET": target},
    }
    defined = [f"-D{name}={value}" for name, value in options.items()]
    run("cmake", "--preset", "release", "-B", folder, *defined, cwd=ROOT)
    found = {}
    for entry in json.loads((folder / "compile_commands.json").read_text(encoding="utf-8")):
        file, words = Path(entry["file"]), shlex.split(entry["command"])
        if file.parent.name == "isa":
            words[words.index("-c")] = "-S"
            words[words.index("-o") + 1] = "-"
            found[file.stem] = functools.partial(run, *words, cwd=entry["directory"])
    # The papers' forms are no part of that build: as the library's files of their level are compiled.
    for file in (ROOT / "bench" / "paper" / "isa").glob("paper*.cpp"):
        level = file.stem.partition("_")[2]
        if like := found.get(f"lsh256_{level}"):
            words = [str(file) if Path(word).stem == f"lsh256_{level}" else word for word in like.args]
            found[file.stem] = functools.partial(run, *words, "-iquote", str(ROOT / "bench"), **like.keywords)
    return found


def mca(lines, architecture, cpu):
    """(cycles a turn, bottleneck, scheduling model) by llvm-mca: two runs, so that filling the pipeline cancels out."""
    text = "".join(f"{line.text}\n" for line in lines)
    options = [f"-mtriple={architecture}", f"-mcpu={cpu}", "-json"] + ["-mattr=+aes"] * (architecture == ARM)
    return read_mca(*(json.loads(run(MCA, *options, f"-iterations={count}", text=text)) for count in (20, 60)))


def read_mca(short, long):
    resources = [re.sub(r"\W.*", "", name) for name in long["TargetInfo"]["Resources"]]
    model = next((model for prefix, model in MODELS.items() if resources[0].startswith(prefix)), None)
    if not model:
        raise Failure(f"no model is known whose resources are called {resources[0]}")
    few, many = (one["CodeRegions"][0]["SummaryView"] for one in (short, long))
    cycles = (many["TotalCycles"] - few["TotalCycles"]) / (many["Iterations"] - few["Iterations"])
    region = long["CodeRegions"][0]
    limits = [(many["TotaluOps"] / many["Iterations"] / many["DispatchWidth"], "dispatch")]
    for use in region["ResourcePressureView"]["ResourcePressureInfo"]:
        if use["InstructionIndex"] == len(region["Instructions"]):  # the row after the instructions has the sums
            limits.append((use["ResourceUsage"], resources[use["ResourceIndex"]]))
    limit, name = max(limits)
    return cycles, name if limit > 0.9 * cycles else "dependencies", model


def suits(model, bottleneck, architecture, lines):
    """Whether llvm-mca 19 can be believed; the reasons are in NOTES."""
    if architecture == ARM:
        return model not in ("CortexA57Model", "CycloneModel")
    closed = model in ("IceLakeModel", "SkylakeServerModel") and any("%zmm" in line.text for line in lines)
    return bottleneck != "dependencies" and not closed and not model.startswith("Znver")


# ---- Rows ----------------------------------------------------------------------------------------------------------


@functools.cache
def published():
    """(kernel, level) -> what a paper says of other code on Tiger Lake."""
    paper = json.loads((ROOT / "bench" / "published" / "seed000.json").read_text(encoding="utf-8"))
    found = {}

    def table(name):
        rows = (dict(zip(paper[name]["columns"], values)) for values in paper[name]["rows"])
        return [values for values in rows if values["input_bytes"] == 4096]

    def add(kernel, level, value, what):
        about = {"code": what, "bytes": 4096, "processor": paper["machine"]["processor"], "source": paper["title"]}
        found[kernel, level] = {"cycles_per_byte": value, **about}

    for values in table("single_message"):
        if values["mode"] in ("LSH-256-256", "LSH-512-512"):
            add(values["mode"][:7], "avx2", values["reference_cpb"], "KISA, AVX2")
            for kernel in (values["mode"][:7], f"{values['mode'][:7]}, paper 000"):
                add(kernel, "avx512", values["avx512_cpb"], "the paper's, AVX-512")
    for values in table("two_messages"):  # MiB/s only; the processor ran at 2.8 GHz, turbo off
        if values["mode"] == "LSH-256-256":
            cycles = 2.8e9 / (values["dual_mib_s"] * 2**20)
            add("LSH-256, paper 000, dual", "avx512", cycles, "the paper's, AVX-512, two messages")
    for values in table("lea_gcm"):
        add("LEA-128-GCM", "avx512-vpclmul", values["avx_cpb"], "the paper's, AVX-512 and VPCLMULQDQ")
    return found


def measured(folder, chosen):
    """(processor of CPUS, {(kernel, level): core cycles a byte at 4 KiB}, a sentence) of a result of bench/run; what
    clang built, since the estimates are of that. `chosen`: the processors that are asked for."""
    path = Path(folder) / "summary.json"
    try:
        summary = json.loads(path.read_text(encoding="utf-8"))
        environment, found = summary["environment"], {}
        ticks = environment["core_cycles_per_tick"]
        for cell in summary["cells"]:
            mode, _, messages = cell["operation"].partition(" x")
            kernel, size = OPERATIONS.get(mode), cell["size"] / int(messages or 1)
            for one in cell["variants"] if kernel and size == 4096 else ():
                module, _, label = one["variant"].partition(":")
                level, _, lanes = label.partition(", ")
                fits = lanes.startswith("lanes ") if messages else not lanes
                if module in ("hwacha", "hwacha@clang") and one.get("median") and fits:
                    name = f"{kernel}, {lanes}" if lanes else kernel
                    found.setdefault((name, level), one["median"] * ticks / cell["size"])
        machine = environment.get("cpu") or {}
        about = [machine.get(key) for key in ("model", "vendor", "family", "model_number")]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Failure(f"{path} is no summary that can be read: {type(error).__name__}: {error}") from error
    known = PROCESSORS.get(tuple(about[1:]))
    cpu = known or (chosen[0] if len(chosen) == 1 else None)
    name = f"{about[0]} ({', '.join(str(part) for part in about[1:])})"
    if not cpu:
        raise Failure(f"{path} was measured on {name}: say with one --model which processor that is")
    if not found:
        raise Failure(f"{path} has nothing of ours, built by clang, at 4096 bytes")
    word = "by its numbers" if known else "as --model says"
    return cpu, found, f"measured: {path} on {name}, {cpu} {word}; {ticks:.4f} cycles a tick"


def set_against(rows, cpu, figures):
    for one in rows:
        if one["cpu"] == cpu:
            one["measured"] = figures.get((one["kernel"], one["level"]))


def row(kernel, level, method, model, cpu, per_byte, padding=1.0, **more):
    return {
        **{"kind": "estimate", "kernel": kernel, "level": level, "method": method, "model": model, "cpu": cpu},
        **{"cycles_per_byte": round(per_byte, 4), "cycles_per_byte_4096": round(per_byte * padding, 4), **more},
        "measured": None,
        "published": published().get((kernel, level)) if cpu == "tigerlake" else None,
    }


def addressing(lines):
    """What ran before a loop, as far as the simulator knows it: it is asked for addresses only."""
    for line in lines:
        try:
            yield ports.parse(line.text)
        except ports.Unknown:
            pass


def estimate(kernel, level, assembly, cpus):
    """The rows of a kernel: llvm-mca for each processor, the simulator for those that it knows."""
    architecture = LEVELS[level]
    turn = hot_loop(assembly, architecture, kernel)

    def one(method, model, cycles, bottleneck, suitable):
        sizes = {"bytes_per_turn": turn.bytes, "instructions_per_turn": len(turn.lines)}
        sizes |= {"cycles_per_turn": round(cycles, 1), "bottleneck": bottleneck, "suitable": suitable}
        return row(kernel.name, level, method, model, cpu, cycles / turn.bytes, kernel.padding, **sizes)

    for cpu in (cpu for cpu in cpus if level in CPUS[cpu]):
        cycles, bottleneck, model = mca(turn.lines, architecture, cpu)
        yield one("llvm-mca", model, cycles, bottleneck, suits(model, bottleneck, architecture, turn.lines))
        if core := ports.CORES.get(cpu):
            body = [ports.parse(line.text) for line in turn.lines]
            result = ports.simulate(body, core, list(addressing(turn.before)))
            yield one("port simulator", core.name, result.cycles, result.bottleneck, True)


HEAD = "kernel|level|processors|method|model|bytes|instr.|cycles|c/B|4 KiB||bottleneck|published|measured".split("|")
NOTES = """
Every figure but the last two columns is an estimate: hot loops only, data in the L1 cache, no clock changes.
  bytes, instr., cycles  of one turn of the loop; c/B: core cycles a byte
  4 KiB                  c/B with the padding block of the hash (33/32, 17/16); setup and output are not in it
  (estimate)             llvm-mca where it does not suit: it starts the load of a memory operand only when the other
                         operand is under way, so loops that wait for dependencies come out up to twice too slow;
                         IceLakeModel and SkylakeServerModel give 512-bit operations port 1, which is closed to them;
                         the models of Zen charge a load that broadcasts a shuffle pipe; Cortex-A76 and Apple M1 get
                         the models of older cores
  published              other code at 4 KiB on a Core i7-1165G7 (Tiger Lake): the paper's AVX-512 code beside our
                         avx512, KISA's AVX2 code beside our avx2; of NEON, ePrint 2026/2351 tells ratios only
  lanes                  as many messages of 4 KiB at once
  paper                  our reading of a paper's form (bench/paper), compiled as the rest
  measured               with --against: this code at 4 KiB, built by clang, and the estimate over it"""


def table(rows):
    """Lines of text; processors that share a model are one."""
    merged = {}
    for one in rows:
        key = one["kernel"], one["level"], one["method"], one["model"], one["cycles_per_byte"]
        merged.setdefault(key, []).append(one)

    def number(value, digits=0):
        return "" if value is None else f"{value:.{digits}f}"

    lines = [HEAD]
    for group in merged.values():
        one, cpus = group[0], ", ".join(each["cpu"] for each in group)
        paper = next((each["published"]["cycles_per_byte"] for each in group if each["published"]), None)
        whole, measured = one["cycles_per_byte_4096"], one["measured"]
        line = [one["kernel"], one["level"], cpus, one["method"], one["model"]]
        line += map(number, (one["bytes_per_turn"], one["instructions_per_turn"], one["cycles_per_turn"]))
        line += [number(one["cycles_per_byte"], 2), number(whole, 2)]
        line += ["estimate" if one["suitable"] else "(estimate)", one["bottleneck"], number(paper, 2)]
        lines.append([*line, f"{measured:.2f} ({whole / measured:.2f}x)" if measured else ""])
    widths = [max(map(len, column)) for column in zip(*lines)]
    formats = [f"{{:{'>' if 5 <= at <= 9 else '<'}{width}}}" for at, width in enumerate(widths)]
    for line in lines:
        yield "  ".join(formats).format(*line).rstrip()


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, f"mca: {message} (see --help)\n")


def main():
    parser = Parser(add_help=False, allow_abbrev=False)
    parser.add_argument("--level", action="append", choices=LEVELS)
    parser.add_argument("--model", action="append", choices=CPUS)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--build", type=Path, required=True)
    options = parser.parse_args()
    levels = [level for level in LEVELS if level in (options.level or LEVELS)]
    against = measured(options.against, options.model or []) if options.against else None
    rows, skipped = [], []
    for architecture, group in itertools.groupby(levels, LEVELS.get):
        if problem := missing_headers(architecture):
            skipped.append(f"left out: {', '.join(group)}: {problem}")
            continue
        files = kernel_files(options.build, architecture)
        for level, kernel in itertools.product(group, KERNELS):
            if compiled := files.get(f"{kernel.file}_{level.replace('-', '_')}"):
                rows += estimate(kernel.at(level), level, compiled(), options.model or CPUS)
    if against:
        set_against(rows, *against[:2])
        skipped.append(against[2] if any(one["measured"] for one in rows) else f"{against[2]}: no row is of that")
    compiler = run(COMPILER, "--version").splitlines()[0]
    version = re.search(r"version (\S+)", run(MCA, "--version"))[1]
    title = f"ESTIMATES: {compiler}, -O3; llvm-mca {version}; a port simulator\n"
    print(title, *table(rows), NOTES, *skipped, sep="\n")
    if options.json:
        about = {"format": 1, "kind": "estimate", "compiler": compiler, "llvm_mca": version, "skipped": skipped}
        options.json.write_text(json.dumps({**about, "rows": rows}, indent=1) + "\n", encoding="utf-8")
    return 0 if rows else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Failure, ports.Unknown, OSError) as failure:
        sys.exit(f"mca: {failure}")
