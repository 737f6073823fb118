"""What the compiler made of each function: vector instructions, calls in loops, identical code.

objects.py [NAME=]MODULE.so...     prints JSON; NAME is the file's, without .so, where it is not given

Of Hwacha's own functions with at least 20 instructions, from objdump (or what OBJDUMP names):
  unit            source file of a function that is local to it, else null
  instructions    without padding
  packed          what computes in vector registers, shuffles included, by the widest register of each instruction:
                  xmm, ymm, zmm; on AArch64 v and, of SVE, z
  vector_moves    loads, stores, copies, broadcasts, insertions, extractions and clearing of vector registers
                  (scalars in vector registers are neither)
  calls           calls_in_loops names the callees of those that run again; jump tables are not followed
  hash            of the disassembly without addresses
`identical` lists functions of one name that are the same code in two modules: comparing them compares a function with
itself.
"""

import bisect
import hashlib
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

LEAST = 20
OURS = re.compile(r"_ZNK?6hwacha(?!5bench)")  # mangled: in namespace hwacha, but not the harness itself
X86, AARCH64 = 62, 183  # e_machine

Instruction = namedtuple("Instruction", "address mnemonic operands target symbol")
Function = namedtuple("Function", "symbol name unit code")


# ---- Disassembly ---------------------------------------------------------------------------------------------------


def machine_of(path):
    with open(path, "rb") as file:
        head = file.read(20)
    if len(head) < 20 or head[:4] != b"\x7fELF":
        raise ValueError(f"{path} is not an ELF file")
    return int.from_bytes(head[18:20], "little" if head[5] == 1 else "big")


def disassemblers(machine):
    if os.environ.get("OBJDUMP"):
        return [os.environ["OBJDUMP"]]
    cross = ["aarch64-linux-gnu-objdump"] if machine == AARCH64 else []
    return ["objdump", *cross, "llvm-objdump", *(f"llvm-objdump-{n}" for n in range(25, 13, -1))]


def disassemble(path, machine):
    """The disassembly with symbols as they are and with readable ones, and the table of symbols."""
    said, plain = "no objdump", {**os.environ, "LC_ALL": "C"}
    for program in filter(shutil.which, disassemblers(machine)):
        texts = []
        for wanted in (["-d"], ["-d", "-C"], ["-t"]):
            command = [program, *wanted, "--no-show-raw-insn", str(path)]
            done = subprocess.run(command, capture_output=True, text=True, check=False, env=plain)
            if done.returncode != 0:
                said = f"{program}: {done.stderr.strip()}"
                break
            texts.append(done.stdout)
        else:
            return texts
    raise ValueError(f"{path} cannot be disassembled: {said}")


HEAD = re.compile(r"([0-9a-f]{8,}) <(.*)>:")
SYMBOL = re.compile(r"([0-9a-f]{8,}) l +(df|F) \S+\s+[0-9a-f]{8,}\s*(.*)")
LINE = re.compile(r"\s*([0-9a-f]+):\s+(\S.*)")
COMMENT = {X86: re.compile(r"\s+#.*"), AARCH64: re.compile(r"\s+(//|;).*")}
TARGET = re.compile(r"(?:^|(?<=[\s,]))(?:0x)?([0-9a-f]+) <([^>]+)>$")
PREFIX = re.compile(r"lock|rep(n?[ez])?|bnd|notrack|data16|addr32|rex(\.\w+)?|[c-gs]s|\{\w+\}")
PADDING = re.compile(r"nop[wlq]?|int3|udf|\(bad\)")
BRANCH = re.compile(r"j\w+|loop\w*|b|bc?\.\w+|[ct]bn?z")
CALL = re.compile(r"call[qlw]?|blr?\w*")
NO_NEXT = re.compile(r"jmp[qlw]?|ret\w*|b|br\w*|hlt|ud2")
NEVER_RETURNS = re.compile(r"_Unwind_Resume|__cxa_(re)?throw|__stack_chk_fail|abort|_ZSt\d+(__throw_|terminate)")


def instruction_of(line, machine):
    """None for anything else, and for padding."""
    found = LINE.fullmatch(line)
    if not found:
        return None
    text = COMMENT[machine].sub("", found[2]) if machine in COMMENT else found[2]
    mnemonic, _, operands = text.replace("\t", " ").partition(" ")
    while operands and PREFIX.fullmatch(mnemonic):
        mnemonic, _, operands = operands.lstrip().partition(" ")
    operands = operands.strip()
    if PADDING.fullmatch(mnemonic) or (mnemonic, operands) == ("xchg", "%ax,%ax"):
        return None
    target = symbol = None
    place = TARGET.search(operands)
    if place and (BRANCH.fullmatch(mnemonic) or CALL.fullmatch(mnemonic)):
        target, symbol = int(place[1], 16), place[2]
    return Instruction(int(found[1], 16), mnemonic, operands, target, symbol)


def units_of(symbols):
    """Source files by the address of their local functions: each file's name precedes its symbols."""
    units, unit = {}, None
    for line in symbols.splitlines():
        found = SYMBOL.match(line)
        if found and found[2] == "df":
            unit = found[3] or None
        elif found and found[2] == "F":
            units[int(found[1], 16)] = unit
    return units


def functions_of(path, machine):
    """All functions of the file, and the readable names by address."""
    plain, readable, symbols = disassemble(path, machine)
    names = {int(m[1], 16): m[2] for m in map(HEAD.fullmatch, readable.splitlines()) if m}
    units = units_of(symbols)
    functions = []
    for line in plain.splitlines():
        head = HEAD.fullmatch(line)
        if head:
            address = int(head[1], 16)
            functions.append(Function(head[2], names.get(address, head[2]), units.get(address), []))
        elif functions:
            one = instruction_of(line, machine)
            if one:
                functions[-1].code.append(one)
    return functions, names


def callee(one, names):
    if one.target is None:
        return "indirect"
    return names.get(one.target, one.symbol).removesuffix("@plt")


# ---- Vector instructions -------------------------------------------------------------------------------------------

X86_REGISTER = re.compile(r"%([xyz]mm)\d+")
X86_MOVE = re.compile(
    r"v?(mov(dq[au]|[au]p[sd]|nt\w+|hlps|lhps|[hl]p[sd]|ddup|s[hl]dup)(8|16|32|64)?|lddqu)"
    r"|v?p?(broadcast|ins|extr|gather|scatter|maskmov)\w+"
)
X86_SCALAR = re.compile(r"v?mov[dq]|v?cvtt?(s[sd]|u?si)2\w+|(?!v?p)\w+s[sd]")
X86_CONSTANT = re.compile(r"v?(p?xor\w*|pcmpeq[bwdq]|pternlog[dq])")  # of a register with itself

ARM_REGISTER = re.compile(r"\b([vz])\d+\.\d*[bhsdq]\b")
ARM_MEMORY = re.compile(r"(ld|st)\w+")
ARM_MOVE = re.compile(r"f?mov|movi|mvni|movprfx|dup|ins|[us]mov")


def x86_vector(one):
    registers = X86_REGISTER.findall(one.operands)
    if not registers:
        return None, None
    width = max(registers)
    if X86_MOVE.fullmatch(one.mnemonic):
        return "move", width
    if X86_SCALAR.fullmatch(one.mnemonic):
        return None, None
    sources = re.findall(r"%[xyz]mm\d+", one.operands)[:2]
    if X86_CONSTANT.fullmatch(one.mnemonic) and len(sources) == 2 and sources[0] == sources[1]:
        return "move", width
    return "packed", width


def arm_vector(one):
    registers = ARM_REGISTER.findall(one.operands)
    if ARM_MEMORY.fullmatch(one.mnemonic):
        return ("move", "v") if registers or re.match(r"q\d", one.operands) else (None, None)
    if not registers:
        return None, None
    return "move" if ARM_MOVE.fullmatch(one.mnemonic) else "packed", max(registers)


# By machine: widths, and what an instruction is to them.
VECTORS = {X86: (("xmm", "ymm", "zmm"), x86_vector), AARCH64: (("v", "z"), arm_vector)}
NO_VECTORS = ((), lambda one: (None, None))


# ---- Loops and identity --------------------------------------------------------------------------------------------


def inner_targets(code):
    """For each instruction the index of the one that it names, if that is in the same function. Padding before an
    instruction belongs to it."""
    addresses = [one.address for one in code]

    def index(target):
        inside = target is not None and addresses[0] <= target <= addresses[-1]
        return bisect.bisect_left(addresses, target) if inside else None

    return [index(one.target) for one in code]


def calls_that_repeat(code):
    """The calls that control can come back to."""
    targets = inner_targets(code)
    following = []
    for i, one in enumerate(code):
        ends = NO_NEXT.fullmatch(one.mnemonic) or NEVER_RETURNS.match(one.symbol or "") or i + 1 == len(code)
        following.append([] if ends else [i + 1])
        if BRANCH.fullmatch(one.mnemonic) and targets[i] is not None:
            following[i].append(targets[i])

    def comes_back(start):
        seen, waiting = set(), list(following[start])
        while waiting:
            i = waiting.pop()
            if i not in seen:
                seen.add(i)
                waiting += following[i]
        return start in seen

    return [one for i, one in enumerate(code) if CALL.fullmatch(one.mnemonic) and comes_back(i)]


def without_addresses(code, names, machine):
    """Text that is the same wherever the function and its constants lie."""
    paged = set()  # AArch64: registers with the page of an address, the rest of which comes in a later instruction
    for one, inner in zip(code, inner_targets(code)):
        operands = one.operands
        if one.target is not None:
            operands = TARGET.sub(callee(one, names) if inner is None else f"@{inner}", operands)
        elif machine == X86:
            operands = re.sub(r"-?0x[0-9a-f]+\(%rip\)", "(%rip)", operands)
        elif machine == AARCH64:
            if one.mnemonic.startswith("adr"):
                operands = operands.partition(",")[0]
            elif paged & set(re.findall(r"\bx\d+\b", operands)):
                operands = re.sub(r"#(0x)?[0-9a-f]+", "#", operands)
            written = re.match(r"x\d+\b", operands)
            if written and not one.mnemonic.startswith("st"):
                paged.discard(written[0])
                if one.mnemonic == "adrp":
                    paged.add(written[0])
        yield f"{one.mnemonic} {operands}"


# ---- Report --------------------------------------------------------------------------------------------------------


def counted(function, names, machine):
    widths, kind_of = VECTORS.get(machine, NO_VECTORS)
    kinds = [kind_of(one) for one in function.code]
    text = "\n".join(without_addresses(function.code, names, machine))
    return {
        "name": function.name,
        "unit": function.unit,
        "instructions": len(function.code),
        "packed": {width: kinds.count(("packed", width)) for width in widths},
        "vector_moves": sum(kind == "move" for kind, _ in kinds),
        "calls": sum(CALL.fullmatch(one.mnemonic) is not None for one in function.code),
        "calls_in_loops": sorted({callee(one, names) for one in calls_that_repeat(function.code)}),
        "hash": hashlib.sha256(text.encode()).hexdigest()[:16],
    }


def count(path, least=LEAST):
    """{"functions": [...]} of a file. ValueError: it cannot be read or disassembled."""
    machine = machine_of(path)
    functions, names = functions_of(path, machine)
    ours = [f for f in functions if OURS.match(f.symbol) and len(f.code) >= least]
    return {"functions": sorted((counted(f, names, machine) for f in ours), key=lambda f: (f["name"], f["unit"] or ""))}


def identical(modules):
    """Pairs of [module, function] of one name and code in different modules of [{"module":, "functions":}...]."""
    places = {}
    for module in modules:
        for function in module["functions"]:
            same = places.setdefault((function["name"], function["hash"]), {})
            same[module["module"]] = [module["module"], function["name"]]
    return [list(pair) for _, same in sorted(places.items()) for pair in itertools.combinations(same.values(), 2)]


def report(paths):
    """The whole report, of {module name: path}."""
    modules = [{"module": name, **count(path)} for name, path in paths.items()]
    return {"modules": modules, "identical": identical(modules)}


def main(words):
    if not words or words[0].startswith("-"):
        asked = words in (["-h"], ["--help"])
        print(__doc__.strip(), file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 2
    named = [word.rpartition("=") for word in words]
    try:
        print(json.dumps(report({name or Path(path).stem: path for name, _, path in named}), indent=1))
    except (OSError, ValueError) as error:
        print(f"objects: {error}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
