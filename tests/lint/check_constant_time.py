#!/usr/bin/env python3
"""Does the machine code of a kernel branch on data, or address memory by data?

check_constant_time.py OBJECT...              objects of kernels (others are passed over), x86-64 or AArch64
check_constant_time.py --self-test COMPILER

Follows, through every instruction of every kernel that a table names, which registers and stack slots may hold data: all
that is loaded from memory is data, unless it comes from constants, from a stack slot that held something public, or from
the memory listed in PUBLIC_MEMORY. Reported are: a conditional or indirect jump whose condition or target is data, a load
or store whose address is data, a division, a gather or scatter, a call with data for a pointer or a length, and every
instruction that this script does not know. What is not reported are operations whose time depends on data on some
processors only (multiplications), and it trusts that data that are stored through a computed address into the stack do not reach what the
compiler keeps there: a place where it has put something public that is no constant.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Types of parameters that point to public memory: numbers of rounds, and pointers whose targets are data again.
PUBLIC_MEMORY = ("lea_gcm_keys const*", "gcm_messages const*", "* const*", "**")

NM = os.environ.get("NM", "nm")
OBJDUMP = os.environ.get("OBJDUMP", "objdump")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


# ---- values: (is it data, region), the region being what a pointer points to
#   None           anything: a load gives data
#   ("ro",)        constants of the object: a load gives something public
#   ("pub",)       memory of PUBLIC_MEMORY: likewise
#   ("sp", f, o)   the stack, o bytes from the base of frame f; with a fourth member, o bytes or more
#   ("fn", p)      functions, one of the places p
#   ("n", c)       no pointer but the number c
#   ("k",)         no pointer but something out of constants
PUBLIC = (False, None)
DATA = (True, None)


def signed(c):
    return (c + (1 << 63)) % (1 << 64) - (1 << 63)


def number(c):
    return (False, ("n", signed(c)))


def kind(value):
    return value[1][0] if value[1] else None


def join(a, b):
    if a == b:
        return a
    region = None
    if a[1] == b[1]:
        region = a[1]
    elif kind(a) == kind(b) == "sp" and a[1][1] == b[1][1]:
        region = ("sp", a[1][1], min(a[1][2], b[1][2]), "on")
    elif kind(a) == kind(b) == "fn":
        region = ("fn", a[1][1] | b[1][1])
    return (a[0] or b[0], region)


def add(a, b, sign=1):
    data = a[0] or b[0]
    if kind(a) == kind(b) == "n":
        return (data, ("n", signed(a[1][1] + sign * b[1][1])))
    if sign == 1 and kind(a) in (None, "n") and kind(b) in ("sp", "ro", "pub"):
        a, b = b, a
    if kind(a) == "sp":
        if kind(b) == "n":
            return (data, a[1][:2] + (a[1][2] + sign * b[1][1],) + a[1][3:])
        return (data, None if sign < 0 else a[1][:3] + ("on",))
    if kind(a) in ("ro", "pub") and kind(b) in (None, "n"):
        return (data, a[1])
    return (data, None)


class State:
    """Registers, and what lies in stack slots: (frame, offset) -> (size, value)."""

    def __init__(self, registers=None, slots=None):
        self.registers = registers or {}
        self.slots = slots or {}

    def copy(self):
        return State(dict(self.registers), dict(self.slots))

    def get(self, name):
        return self.registers.get(name, PUBLIC)

    def key(self):
        return (frozenset(self.registers.items()), frozenset(self.slots.items()))

    def join(self, other):
        """True if this changed."""
        before = (len(self.slots), dict(self.registers))
        changed = False
        for name in set(self.registers) | set(other.registers):
            value = join(self.get(name), other.get(name))
            if value != self.get(name):
                self.registers[name] = value
                changed = True
        for place in list(self.slots):
            mine, theirs = self.slots[place], other.slots.get(place)
            if theirs is None or theirs[0] != mine[0]:
                del self.slots[place]
                changed = True
            elif theirs != mine:
                both = (mine[0], join(mine[1], theirs[1]))
                changed |= both != mine
                self.slots[place] = both
        return changed or before[0] != len(self.slots)

    def load(self, address, size):
        region = address[1]
        if kind(address) in ("ro", "pub"):
            return (False, ("k",)) if kind(address) == "ro" else PUBLIC
        if kind(address) != "sp" or len(region) > 3:
            return DATA
        frame, low = region[1:3]
        exact = self.slots.get((frame, low))
        if exact and exact[0] == size:
            return exact[1]
        value, covered = PUBLIC, set()
        for (f, at), (n, v) in self.slots.items():
            if f == frame and at < low + size and low < at + n:
                value = (value[0] or v[0], None)
                covered.update(range(max(at, low), min(at + n, low + size)))
        if len(covered) == size:
            return value
        if frame == "entry" and low >= 8:  # an argument that came on the stack
            return PUBLIC
        return DATA

    def store(self, address, size, value):
        if kind(address) != "sp":
            return
        region = address[1]
        frame, low = region[1:3]
        if len(region) > 3 or size is None:
            if value[0]:
                for place, (n, v) in list(self.slots.items()):
                    if place[0] == frame and place[1] + n > low and kind(v) in ("n", "k"):
                        self.slots[place] = (n, (True, None))
            return
        for (f, at), (n, v) in list(self.slots.items()):
            if f == frame and at < low + size and low < at + n:
                del self.slots[(f, at)]
                if at < low:
                    self.slots[(f, at)] = (low - at, (v[0], None))
                if at + n > low + size:
                    self.slots[(f, low + size)] = (at + n - low - size, (v[0], None))
        self.slots[(frame, low)] = (size, value)


class Instruction:
    def __init__(self, address, text, relocation, comment=""):
        self.address = address
        self.comment = comment
        self.relocation = relocation
        self.text = text
        mnemonic, _, rest = text.partition(" ")
        self.prefix = ""
        while mnemonic in ("rep", "repz", "repnz", "lock", "data16", "cs", "ds", "bnd", "notrack", "{evex}", "{vex}"):
            self.prefix = mnemonic if mnemonic.startswith("rep") else self.prefix
            mnemonic, _, rest = rest.strip().partition(" ")
        self.mnemonic = mnemonic
        self.rest = rest.strip()
        self.operands = split_operands(self.rest)


def split_operands(text):
    parts, depth, current = [], 0, ""
    for c in text:
        depth += c in "[{("
        depth -= c in "]})"
        if c == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += c
    return parts + [current.strip()] if current.strip() else parts


LINE = re.compile(r"^\s+([0-9a-f]+):\t([^\t]*?)\s*(?:\t(.*))?$")
HEAD = re.compile(r"^([0-9a-f]+) <(.+)>:$")
RELOCATION = re.compile(r"R_\w+\t(\S+)")


class Object:
    def __init__(self, path):
        self.functions = {}  # (section, address) -> (name, [Instruction])
        options = ["--disassemble", "--reloc", "--no-show-raw-insn", "--wide"]
        header = run(OBJDUMP, "--file-headers", str(path))
        if "elf64-x86-64" in header:
            self.machine = X86(self)
            options += ["-M", "intel"]
        elif "elf64-littleaarch64" in header:
            self.machine = Arm(self)
        else:
            raise ValueError(f"{path}: neither x86-64 nor AArch64")
        section, current = None, None
        self.names, self.starts = {}, {}
        for line in run(OBJDUMP, *options, str(path)).splitlines():
            if line.startswith("Disassembly of section "):
                section = line.split()[-1].rstrip(":")
            elif m := HEAD.match(line):
                current = []
                self.functions[(section, int(m[1], 16))] = (m[2], current)
                self.names[m[2]] = (section, int(m[1], 16))
            elif m := LINE.match(line):
                text, comment = self.machine.parts(m[2], m[3] or "")
                found = RELOCATION.search(line)
                current.append(Instruction(int(m[1], 16), text.strip(), found[1] if found else None, comment))
        self.roots = self.find_roots(path)

    def place(self, text, section, bias):
        """Where `name`, `name+0x10` or `.text+0x10-0x4` is."""
        m = re.match(r"^(.+?)((?:[+-]0x[0-9a-f]+)*)$", text)
        offset = sum(int(o, 16) for o in re.findall(r"[+-]0x[0-9a-f]+", m[2])) + bias
        if m[1] in self.names:
            base = self.names[m[1]]
            return (base[0], base[1] + offset)
        if m[1].startswith(".text"):
            return (m[1], offset)
        return None

    def find_roots(self, path):
        roots, wanted = [], False
        for line in run(OBJDUMP, "--reloc", "--wide", str(path)).splitlines():
            if line.startswith("RELOCATION RECORDS FOR"):
                wanted = re.search(r"\[\.(data|rodata)", line) is not None
            elif wanted and (m := re.match(r"^[0-9a-f]+ R_\w*(?:64|ABS64)\s+(\S+)$", line)):
                place = self.place(m[1], None, 0)
                if place in self.functions and place not in roots:
                    roots.append(place)
        return roots


class Machine:
    """What the two instruction sets share: memory, flags, calls."""

    def __init__(self, obj):
        self.object = obj
        self.problems = {}
        self.reached = set()
        self.memo = {}
        self.active = []

    def problem(self, what, i):
        self.problems.setdefault((self.active[-1], i.address), f"{what}: {re.sub(' <.*', '', i.text)}")

    def address_is_public(self, i, value):
        if value[0]:
            self.problem("address depends on data", i)

    @staticmethod
    def jumps(i):
        return i.mnemonic.startswith(("j", "b", "cb", "tb")) and " <" in i.rest

    # Runs a function from a state on; returns the joined state of its ends, or None.
    def function(self, place, entry):
        key = (place, entry.key())
        if key in self.memo:
            return self.memo[key]
        name, code = self.object.functions[place]
        if place in [p for p, _ in self.active]:
            raise ValueError(f"{name} calls itself")
        self.reached.add(place)
        self.active.append((place, name))
        index = {i.address: n for n, i in enumerate(code)}
        # States are kept where code can be reached in more than one way, and followed from there.
        joints = {self.jump_target(i, index, place)[1] for i in code if self.jumps(i) and self.jump_target(i, index, place)}
        states = {0: entry.copy()}
        work, end, rounds = [0], None, {}
        while work:
            n = work.pop()
            rounds[n] = rounds.get(n, 0) + 1
            if rounds[n] > 2000:
                raise ValueError(f"{name}: no end at {code[n].text}")
            state = states[n].copy()
            follow = self.step(code[n], state, index, place)
            while follow == ["next"] and n + 1 < len(code) and n + 1 not in joints:
                n += 1
                follow = self.step(code[n], state, index, place)
            ends = [state] if follow == "return" else [f for f in follow if isinstance(f, State)]
            for other in ends:
                if end is None:
                    end = other
                else:
                    end.join(other)
            for target in [] if follow == "return" else follow:
                if isinstance(target, State):
                    continue
                to = n + 1 if target == "next" else target
                if to >= len(code):
                    continue  # padding, or behind a call that does not return
                if to not in states:
                    states[to] = state.copy()
                elif rounds.get(to, 0) > 200:
                    widened = state.copy()
                    for r, v in widened.registers.items():
                        if kind(v) == "sp" and len(v[1]) > 3:
                            widened.registers[r] = (v[0], v[1][:2] + (-(1 << 40), "on"))
                    if not states[to].join(widened):
                        continue
                elif not states[to].join(state):
                    continue
                work.append(to)
        self.active.pop()
        self.memo[key] = end
        return end

    def jump_target(self, i, index, place):
        """('in', n) within the function, ('out', place) elsewhere, None unknown."""
        if i.relocation:
            where = self.object.place(i.relocation, place[0], self.call_bias)
        else:
            m = re.search(r"([0-9a-f]+) <", i.rest)
            where = (place[0], int(m[1], 16)) if m else None
        if where is None:
            return None
        if where[0] == place[0] and where[1] in index:
            return ("in", index[where[1]])
        return ("out", where)

    def call(self, i, state, index, place, tail):
        target = self.jump_target(i, index, place)
        external = i.relocation.split("-")[0].split("+")[0].split("@")[0] if i.relocation else None
        if external in ("memcpy", "memmove", "memset"):
            to, source, size = (state.get(r) for r in self.arguments[:3])
            for v in (to, size) + (() if external == "memset" else (source,)):
                if v[0]:
                    self.problem(f"{external} with data for a pointer or a length", i)
            length = size[1][1] if kind(size) == "n" else None
            value = (source[0], None) if external == "memset" else state.load(source, length or 1 << 62)
            state.store(to, length, value)
            for r in self.clobbered:
                state.registers[r] = DATA
            state.registers[self.result] = to
            self.returned(state)
            return "return" if tail else ["next"]
        if external == "__stack_chk_fail":
            return []
        callee = self.register(i.operands[0]) if len(i.operands) == 1 else None
        if callee and kind(state.get(callee)) == "fn" and not state.get(callee)[0]:
            ends = [e for e in (self.function(p, state) for p in sorted(state.get(callee)[1][1])) if e]
            if not ends:
                return []
            end = ends[0].copy()
            for other in ends[1:]:
                end.join(other)
            state.registers, state.slots = end.registers, end.slots
            return "return" if tail else ["next"]
        if target is None or target[0] == "in" or target[1] not in self.object.functions:
            # A call of the function itself would be recursion; of anything else, check_kernel_objects.py speaks.
            self.problem("call of something unknown", i)
            return "return" if tail else ["next"]
        end = self.function(target[1], state)
        if end is None:
            return []
        state.registers, state.slots = dict(end.registers), dict(end.slots)
        return "return" if tail else ["next"]

    def examine(self):
        for place in self.object.roots:
            name, _ = self.object.functions[place]
            self.active = []
            self.function(place, self.entry(name))
        for place, (name, _) in self.object.functions.items():
            if place not in self.reached:
                self.problems[((place, name), 0)] = "no table leads to it, so it was not examined"
        lines, told = [], {}
        for ((_, name), _), what in sorted(self.problems.items(), key=str):
            told[name] = told.get(name, 0) + 1
            if told[name] <= 3:
                lines.append(f"{demangled(name)}: {what}")
        return lines + [f"{demangled(name)}: {n - 3} more" for name, n in told.items() if n > 3]

    def entry(self, name):
        state = State({self.stack_pointer: (False, ("sp", "entry", 0))})
        signature = demangled(name)
        at = 0
        for parameter in parameters(signature):
            if "__vector" in parameter and "*" not in parameter:
                continue
            if at < len(self.arguments) and parameter.endswith(PUBLIC_MEMORY):
                state.registers[self.arguments[at]] = (False, ("pub",))
            at += 1
        return state


def demangled(name):
    return run("c++filt", name.split(".")[0]).strip() if name.startswith("_Z") else name


def parameters(signature):
    if not signature.endswith(")"):
        return []
    depth, start = 0, len(signature)
    for at in range(len(signature) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(signature[at], 0)
        if depth == 0:
            start = at
            break
    parts, depth, current = [], 0, ""
    for c in signature[start + 1:-1]:
        depth += {"<": 1, "(": 1, ">": -1, ")": -1}.get(c, 0)
        if c == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += c
    return parts + [current.strip()] if current.strip() else parts


# ---- x86-64

GENERAL = {}
for base in "abcd":
    for form in (f"r{base}x", f"e{base}x", f"{base}x", f"{base}l", f"{base}h"):
        GENERAL[form] = f"r{base}x"
for base in ("si", "di", "bp", "sp"):
    for form in (f"r{base}", f"e{base}", base, f"{base}l"):
        GENERAL[form] = f"r{base}"
for k in range(8, 16):
    for form in ("", "d", "w", "b"):
        GENERAL[f"r{k}{form}"] = f"r{k}"

SIZES = {"BYTE": 1, "WORD": 2, "DWORD": 4, "QWORD": 8, "XMMWORD": 16, "YMMWORD": 32, "ZMMWORD": 64}


def words(text):
    return frozenset(text.split())


# First operand written and not read.
MOVES = words("mov movabs movzx movsx movsxd movd movq movdqa movdqu movaps movups movapd movupd lddqu movddup movntdq"
              " movshdup movsldup pshufd pshuflw pshufhw rorx shlx shrx sarx andn bzhi bextr blsr blsi blsmsk pdep pext"
              " tzcnt lzcnt popcnt bsf bsr movbe pmovmskb movmskps pextrb pextrw pextrd pextrq kmovb kmovw kmovd kmovq"
              " pabsb pabsw pabsd ptest vptest")
# Written and read.
UPDATES = words("add sub and or xor adc sbb shl shr sar sal rol ror rcl rcr shld shrd inc dec neg not bswap imul"
                " bts btr btc movss movsd movhps movlps movhpd movlpd movhlps movlhps xorps xorpd andps andpd andnps orps orpd"
                " unpcklps unpckhps unpcklpd unpckhpd shufps shufpd palignr blendps blendpd blendvps")
FLAGS_ONLY = words("cmp test bt ptest vptest vtestps vtestpd comisd comiss ucomisd ucomiss vcomisd vucomisd"
                   " kortestb kortestw kortestd kortestq ktestb ktestw ktestd ktestq")
SETS_ALL_FLAGS = FLAGS_ONLY | words("add sub and or xor adc sbb shl shr sar sal shld shrd neg imul mul andn bzhi bextr blsr blsi"
                                    " blsmsk tzcnt lzcnt popcnt bsf bsr bts btr btc")
SETS_CARRY = words("rol ror rcl rcr")
SETS_REST = words("inc dec")
NOTHING = words("nop endbr64 vzeroupper vzeroall pause lfence mfence sfence prefetcht0 prefetcht1 prefetcht2 prefetchnta prefetchw")
# VEX forms whose first operand is read too.
VEX_UPDATES = re.compile(r"^v(fn?m(add|sub)|pternlog|perm[ti]2|pdp|psh[lr]dv|pmadd52)")
VARIABLE_TIME = re.compile(r"^(i?div|v?(div|sqrt)[ps][sd]|v?p?(gather|scatter)\w*|f(div|sqrt)\w*|[us]div)$")
CARRY = words("b ae c nc nae nb")
BOTH = words("a be na nbe")


class X86(Machine):
    stack_pointer = "rsp"
    arguments = ("rdi", "rsi", "rdx", "rcx", "r8", "r9")
    result = "rax"
    clobbered = ("rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "carry", "flags") + tuple(
        f"v{n}" for n in range(32)) + tuple(f"k{n}" for n in range(8))
    call_bias = 4

    def register(self, text):
        text = re.sub(r"\{.*", "", text).strip()
        if text in GENERAL:
            return GENERAL[text]
        if m := re.match(r"^[xyz]mm(\d+)$", text):
            return f"v{m[1]}"
        if re.match(r"^k[0-7]$", text):
            return text
        return None

    @staticmethod
    def parts(first, second):
        text, _, comment = first.partition("#")
        return text, comment + second

    def address(self, i, text, state):
        if "[rip" in text:
            if i.relocation:
                where = self.object.place(i.relocation, None, 4)
            else:
                m = re.search(r"\b([0-9a-f]+) <", i.comment)
                where = (self.active[-1][0][0], int(m[1], 16)) if m else None
            if where in self.object.functions:
                return (False, ("fn", frozenset([where])))
            return (False, ("ro",))
        inside = re.search(r"\[(.*)\]", text)[1]
        value = number(0)
        for sign, term in re.findall(r"([+-]?)([^+-]+)", inside):
            base, _, scale = term.partition("*")
            if base in GENERAL:
                part = state.get(GENERAL[base])
                if scale and scale != "1":
                    part = (part[0], None)
            elif base in ("riz", "eiz"):
                part = number(0)
            else:
                part = number(int(base, 0))
            value = add(value, part, -1 if sign == "-" else 1)
        return value

    def size(self, text, registers):
        if m := re.match(r"^(\w+) (?:PTR|BCST)", text):
            return SIZES.get(m[1])
        return None

    def read(self, i, text, state):
        if "[" in text:
            at = self.address(i, text, state)
            self.address_is_public(i, at)
            size = self.size(text, None)
            value = state.load(at, size) if size else DATA
        elif name := self.register(text):
            value = state.get(name)
        else:
            m = re.match(r"^-?(0x)?[0-9a-f]+$", text)
            value = number(int(text, 0)) if m else PUBLIC
        if "{k" in text:
            value = (value[0] or state.get(re.search(r"\{(k\d)\}", text)[1])[0], None)
        return value

    def write(self, i, text, state, value):
        if "[" in text:
            at = self.address(i, text, state)
            self.address_is_public(i, at)
            state.store(at, self.size(text, None), value)
        elif name := self.register(text):
            if "{k" in text:
                value = (value[0] or state.get(re.search(r"\{(k\d)\}", text)[1])[0], None)
                if "{z}" not in text:
                    value = join(value, state.get(name))
            state.registers[name] = value

    def step(self, i, state, index, place):
        m, ops = i.mnemonic, i.operands
        if m in NOTHING or m.startswith("nop") or (m == "xchg" and ops[0] == ops[1]):
            return ["next"]
        if m == "ret":
            self.returned(state)
            return "return"
        if m in ("ud2", "hlt", "int3"):
            return []
        if VARIABLE_TIME.match(m):
            self.problem("variable-time instruction", i)
            return ["next"]
        if m == "jmp":
            target = self.jump_target(i, index, place)
            if target and target[0] == "in":
                return [target[1]]
            if target or i.relocation:
                return self.call(i, state, index, place, True)
            if len(ops) == 1 and self.register(ops[0]) and kind(state.get(self.register(ops[0]))) == "fn":
                return self.call(i, state, index, place, True)
            self.problem("indirect jump", i)
            return []
        if m.startswith("j"):
            if m in ("jrcxz", "jecxz"):
                condition = state.get("rcx")
            else:
                condition = self.condition(m[1:], state)
            if condition[0]:
                self.problem("branch depends on data", i)
            target = self.jump_target(i, index, place)
            if target and target[0] == "in":
                return ["next", target[1]]
            elsewhere = state.copy()
            return ["next", elsewhere] if self.call(i, elsewhere, index, place, True) == "return" else ["next"]
        if m == "call":
            state.registers["rsp"] = add(state.get("rsp"), number(-8))
            return self.call(i, state, index, place, False)
        if m == "push":
            value = self.read(i, ops[0], state)
            state.registers["rsp"] = add(state.get("rsp"), number(-8))
            state.store(state.get("rsp"), 8, value)
            return ["next"]
        if m == "pop":
            value = state.load(state.get("rsp"), 8)
            state.registers["rsp"] = add(state.get("rsp"), number(8))
            self.write(i, ops[0], state, value)
            return ["next"]
        if m == "leave":
            state.registers["rsp"] = add(state.get("rbp"), number(8))
            state.registers["rbp"] = state.load(state.get("rbp"), 8)
            return ["next"]
        if m == "lea":
            self.write(i, ops[0], state, self.address(i, ops[1], state))
            return ["next"]
        if m in ("stos", "movs"):
            return self.string(i, state)
        if m == "xchg":
            a, b = (self.read(i, o, state) for o in ops)
            self.write(i, ops[0], state, b)
            self.write(i, ops[1], state, a)
            return ["next"]
        if m in ("cqo", "cdq"):
            state.registers["rdx"] = (state.get("rax")[0], None)
            return ["next"]
        if m in ("cdqe", "cwde"):
            state.registers["rax"] = (state.get("rax")[0], None)
            return ["next"]
        if m in ("mul", "mulx") or (m == "imul" and len(ops) == 1):
            other = state.get("rdx" if m == "mulx" else "rax")
            product = (self.read(i, ops[-1], state)[0] or other[0], None)
            for r in ("rdx", "rax") if m != "mulx" else (self.register(ops[0]), self.register(ops[1])):
                state.registers[r] = product
            if m != "mulx":
                state.registers["flags"] = state.registers["carry"] = product
            return ["next"]
        if m.startswith("set"):
            self.write(i, ops[0], state, (self.condition(m[3:], state)[0], None))
            return ["next"]
        if m.startswith("cmov"):
            both = join(self.read(i, ops[0], state), self.read(i, ops[1], state))
            self.write(i, ops[0], state, (both[0] or self.condition(m[4:], state)[0], both[1]))
            return ["next"]
        return self.plain(i, state)

    def returned(self, state):
        state.registers["rsp"] = add(state.get("rsp"), number(8))

    def condition(self, code, state):
        parts = ["carry"] if code in CARRY else ["carry", "flags"] if code in BOTH else ["flags"]
        return (any(state.get(p)[0] for p in parts), None)

    def string(self, i, state):
        moved = ["rdi"] + (["rsi"] if i.mnemonic == "movs" else [])
        for r in moved + (["rcx"] if i.prefix else []):
            if state.get(r)[0]:
                self.problem("address or length depends on data", i)
        count = state.get("rcx") if i.prefix else number(1)
        width = SIZES[i.operands[0].split()[0]]
        length = count[1][1] * width if kind(count) == "n" else None
        value = state.get("rax") if i.mnemonic == "stos" else state.load(state.get("rsi"), length or 1 << 62)
        state.store(state.get("rdi"), length, (value[0], None))
        for r in moved:
            state.registers[r] = add(state.get(r), number(length) if length is not None else PUBLIC)
        if i.prefix:
            state.registers["rcx"] = number(0)
        return ["next"]

    def plain(self, i, state):
        m, ops = i.mnemonic, i.operands
        vector = m not in MOVES | UPDATES | FLAGS_ONLY and (m.startswith(("v", "p", "k")) or m.startswith("sha"))
        if not (vector or m in MOVES or m in UPDATES or m in FLAGS_ONLY):
            self.problem("unknown instruction", i)
            return ["next"]
        registers = [self.register(o) for o in ops]
        zero = (m in ("xor", "sub", "pxor", "xorps", "xorpd") and ops[0] == ops[1]) or (
            m in ("vpxor", "vpxord", "vpxorq", "vxorps", "vxorpd") and len(ops) == 3 and ops[1] == ops[2]) or (
            m in ("pcmpeqd", "pcmpeqb", "vpcmpeqd", "vpcmpeqb") and registers[-1] and ops[-1] == ops[-2])
        if zero:
            value = number(0)
        else:
            reads_first = m in UPDATES or m in FLAGS_ONLY or (vector and not m.startswith(("v", "k"))) or (
                VEX_UPDATES.match(m) is not None)
            if m in ("movss", "movsd") and ("[" in i.rest):
                reads_first = False
            if m == "imul" and len(ops) == 3:
                reads_first = False
            sources = [self.read(i, o, state) for o in (ops if reads_first else ops[1:])]
            if m in ("adc", "sbb", "rcl", "rcr"):
                sources.append((state.get("carry")[0], None))
            value = (any(s[0] for s in sources), None)
            if m in ("mov", "movabs", "movq", "vmovq", "movdqa", "movaps", "vmovdqa", "vmovdqu", "movdqu", "movups", "vmovaps",
                     "vmovups", "vmovdqa64", "vmovdqu64"):
                value = sources[0]
                if m == "mov" and ops[0][0] == "e":
                    value = (value[0], value[1] if kind(value) == "n" else None)
            elif m in ("add", "sub"):
                value = add(sources[0], sources[1], 1 if m == "add" else -1)
            elif m in ("inc", "dec"):
                value = add(sources[0], number(1), 1 if m == "inc" else -1)
            elif m == "and" and registers[0] and kind(sources[0]) == "sp":
                # An aligned address: of a frame of its own where it becomes the stack pointer.
                value = (False, ("sp", ("aligned",) + tuple(p for p, _ in self.active) + (i.address,), 0) + (
                    () if registers[0] == "rsp" or len(sources[0][1]) == 3 else ("on",)))
        data = (value[0], None)
        if m in SETS_ALL_FLAGS or m in SETS_CARRY:
            state.registers["carry"] = data
        if m in SETS_ALL_FLAGS or m in SETS_REST:
            state.registers["flags"] = data
        if m not in FLAGS_ONLY:
            self.write(i, ops[0], state, value)
        return ["next"]


# ---- AArch64

ARM_NOTHING = words("nop bti paciasp autiasp prfm hint dmb isb yield")
ARM_FLAGS_ONLY = words("cmp cmn tst fcmp ccmp ccmn")
ARM_SETS_FLAGS = ARM_FLAGS_ONLY | words("adds subs ands bics negs adcs sbcs")
ARM_READS_FLAGS = words("csel cset csetm csinc csinv csneg cinc cinv cneg adc sbc adcs sbcs ccmp ccmn fcsel")
ARM_READS_FIRST = words("sri sli bsl bit bif mla mls movk tbx bfi bfxil ins umlal umlal2 umlsl smlal sha512h sha512h2 sha512su0"
                        " sha512su1 aese aesd ssra usra shrn2 xtn2 addhn2 fmla fmls")
ARM_PLAIN = words("mov movi mvni movz movn fmov dup umov smov add sub and orr eor bic orn eon mvn neg mul madd msub umulh smulh umull"
                  " smull umaddl lsl lsr asr ror extr ubfx ubfm ubfiz sbfiz sbfx sxtw uxtw uxtb uxth sxtb sxth rev rev16 rev32 rev64 rbit clz"
                  " csel cset csetm csinc csinv csneg cinc cinv cneg adc sbc adds subs ands bics negs adcs sbcs fcsel adr adrp"
                  " shl ushr sshr ushl sshl sshll ushll sshll2 ushll2 uxtl uxtl2 zip1 zip2 uzp1 uzp2 trn1 trn2 ext tbl pmull pmull2 xar"
                  " eor3 bcax rax1 cmeq cmhi cmhs cmgt cmge cmtst addv addp umaxv not xtn shrn cnt sqdmulh") | ARM_READS_FIRST
CONDITIONS = words("eq ne cs hs cc lo mi pl vs vc hi ls ge lt gt le al")


class Arm(Machine):
    stack_pointer = "sp"
    arguments = tuple(f"x{n}" for n in range(8))
    result = "x0"
    clobbered = tuple(f"x{n}" for n in range(1, 19)) + ("x30", "flags") + tuple(f"v{n}" for n in range(32))
    call_bias = 0

    def register(self, text):
        text = text.strip()
        if text in ("xzr", "wzr"):
            return "zero"
        if text in ("sp", "wsp"):
            return "sp"
        if m := re.match(r"^[xw](\d+)$", text):
            return f"x{m[1]}"
        if m := re.match(r"^[vqdshb](\d+)(\.\w+)?(\[\d+\])?$", text):
            return f"v{m[1]}"
        return None

    def get(self, name, state):
        return number(0) if name == "zero" else state.get(name)

    def put(self, text, state, value):
        name = self.register(text)
        if name == "zero" or name is None:
            return
        if name == "sp" and kind(value) != "sp":
            value = (False, ("sp", ("aligned",) + tuple(p for p, _ in self.active), 0))
        if re.search(r"\.\w+\[\d+\]$", text):  # one element
            value = join(value, state.get(name))
        state.registers[name] = value

    def value(self, text, state):
        if name := self.register(text):
            return self.get(name, state)
        if text.startswith("#"):
            m = re.match(r"^#(-?(?:0x)?[0-9a-f]+)$", text)
            return number(int(m[1], 0)) if m else PUBLIC
        if text.startswith("{"):
            return (any(self.get(r, state)[0] for r in self.list_of(text)), None)
        if m := re.match(r"^-?0x[0-9a-f]+$", text):
            return number(int(text, 16))
        return PUBLIC  # shifts and conditions

    def list_of(self, text):
        inside, names = text.strip("{}").split("}")[0], []
        for part in inside.split(","):
            low, dash, high = part.strip().partition("-")
            first = int(re.match(r"^v(\d+)", low.strip())[1])
            last = int(re.match(r"^\s*v(\d+)", high)[1]) if dash else first
            names += [f"v{n}" for n in range(first, last + 1)]
        return names

    def width(self, i, text):
        if i.mnemonic.endswith("b") and i.mnemonic.startswith(("ldr", "str", "ldur", "stur")):
            return 1
        if i.mnemonic.endswith("h") and i.mnemonic.startswith(("ldr", "str", "ldur", "stur")):
            return 2
        if i.mnemonic.endswith("sw"):
            return 4
        if m := re.match(r"^v\d+\.(\d*)([bhsd])(\[)?", text):
            return {"b": 1, "h": 2, "s": 4, "d": 8}[m[2]] * (int(m[1] or 1))
        return {"x": 8, "w": 4, "q": 16, "d": 8, "s": 4, "h": 2, "b": 1}[text[0]]

    def returned(self, state):
        pass

    @staticmethod
    def parts(first, second):
        operands = "" if second.startswith("R_") or "R_AARCH64" in second.split("\t")[0] else second.split("\t")[0]
        return first + " " + operands.split("//")[0], ""

    def memory(self, i, state):
        """The address of an access, and what is to be added to its base afterwards."""
        at = next(n for n, o in enumerate(i.operands) if o.startswith("["))
        text = i.operands[at]
        parts = split_operands(text.strip("!")[1:-1])
        base_name = self.register(parts[0])
        base = self.get(base_name, state)
        value = base
        if len(parts) > 1:
            offset = self.value(parts[1], state)
            if len(parts) > 2 and self.register(parts[1]):
                offset = (offset[0], None)
            value = add(base, offset)
        if i.relocation:
            value = (base[0], ("ro",))
        self.address_is_public(i, value)
        if text.endswith("!"):
            state.registers[base_name] = value
        elif len(i.operands) > at + 1:
            state.registers[base_name] = add(base, self.value(i.operands[at + 1], state))
        return value, i.operands[:at]

    def step(self, i, state, index, place):
        m, ops = i.mnemonic, i.operands
        if m in ARM_NOTHING:
            return ["next"]
        if m == "ret":
            return "return"
        if m in ("udf", "brk"):
            return []
        if VARIABLE_TIME.match(m):
            self.problem("variable-time instruction", i)
            return ["next"]
        if m == "b" or m.startswith("b."):
            if m != "b" and state.get("flags")[0]:
                self.problem("branch depends on data", i)
            target = self.jump_target(i, index, place)
            more = [] if m == "b" else ["next"]
            if target and target[0] == "in":
                return more + [target[1]]
            elsewhere = state if m == "b" else state.copy()
            follow = self.call(i, elsewhere, index, place, True)
            return follow if m == "b" else more + ([elsewhere] if follow == "return" else [])
        if m in ("cbz", "cbnz", "tbz", "tbnz"):
            if self.value(ops[0], state)[0]:
                self.problem("branch depends on data", i)
            target = self.jump_target(i, index, place)
            return ["next"] + ([target[1]] if target and target[0] == "in" else [])
        if m == "bl":
            return self.call(i, state, index, place, False)
        if m in ("br", "blr"):
            if kind(self.value(ops[0], state)) == "fn":
                return self.call(i, state, index, place, m == "br")
            self.problem("indirect jump", i)
            return []
        if re.match(r"^(ldr|ldur|ldp|ldnp|ld[1-4])", m):
            return self.load(i, state)
        if re.match(r"^(str|stur|stp|stnp|st[1-4])", m):
            at, sources = self.memory(i, state)
            for n, text, source in self.pieces(i, sources):
                width = self.width(i, text)
                state.store(self.moved(at, n * width), width, self.get(source, state))
            return ["next"]
        if m in ARM_FLAGS_ONLY:
            data = any(self.value(o, state)[0] for o in ops) or (m in ARM_READS_FLAGS and state.get("flags")[0])
            state.registers["flags"] = (data, None)
            return ["next"]
        vector = re.match(r"^v\d+\.", ops[0]) is not None if ops else False
        if m not in ARM_PLAIN and not vector:
            self.problem("unknown instruction", i)
            return ["next"]
        if m in ("adrp", "adr") or (m == "add" and i.relocation):
            where = self.object.place(i.relocation, None, 0) if i.relocation else None
            known = where in self.object.functions
            self.put(ops[0], state, (False, ("fn", frozenset([where])) if known else ("ro",)))
            return ["next"]
        sources = [self.value(o, state) for o in ops[1:]]
        if m in ARM_READS_FIRST or m not in ARM_PLAIN:
            sources.append(self.value(ops[0], state))
        if m in ARM_READS_FLAGS:
            sources.append((state.get("flags")[0], None))
        value = (any(s[0] for s in sources), None)
        if m in ("eor", "sub") and len(ops) == 3 and ops[1] == ops[2]:
            value = number(0)
        elif m == "mov":
            value = sources[0]
        elif m in ("add", "sub", "adds", "subs") and len(ops) == 3 and not ops[0].startswith("v"):
            value = add(sources[0], sources[1], -1 if m.startswith("sub") else 1)
        elif m in ("csel", "csinc"):
            value = (value[0], join(sources[0], sources[1])[1] if m == "csel" else None)
        if m in ARM_SETS_FLAGS:
            state.registers["flags"] = (value[0], None)
        self.put(ops[0], state, value)
        return ["next"]

    def pieces(self, i, texts):
        n = 0
        for text in texts:
            if text.startswith("{"):
                shape = re.search(r"\.\w+", text)[0] + ("[0]" if text.endswith("]") else "")
                for name in self.list_of(text):
                    yield n, name + shape, name
                    n += 1
            elif name := self.register(text):
                yield n, text, name
                n += 1

    def moved(self, at, by):
        return add(at, number(by))

    def load(self, i, state):
        at, targets = self.memory(i, state)
        for n, text, name in list(self.pieces(i, targets)):
            width = self.width(i, text)
            value = state.load(self.moved(at, n * width), width)
            if "[" in text:
                value = join(value, state.get(name))
            if name != "zero":
                state.registers[name] = value
        return ["next"]


def problems_of(path):
    obj = Object(path)
    if not obj.functions:
        return [], 0  # a table without functions of its own
    if not obj.roots:
        return [f"{path.name}: no table in it names a function"], 0
    return [f"{path.name}: {line}" for line in obj.machine.examine()], len(obj.machine.reached)


COMMON = """
#ifdef __x86_64__
#include <emmintrin.h>
#endif
#include <stddef.h>
#include <stdint.h>
#include <string.h>
namespace hwacha {
struct lea_gcm_keys { const uint32_t* round_keys; uint32_t rounds; const uint8_t* powers; };
struct keys { const uint32_t* round_keys; uint32_t rounds; };
namespace {
"""
# (what must be found, or None; parameters; body; what stands before it). `a`, `b`: data, `n`: a length.
PLAIN = "const uint8_t* a, uint8_t* b, size_t n"
CASES = [
    (None, PLAIN, "for (size_t i = 0; i < n; ++i) b[i] ^= a[i];"),
    (None, PLAIN, "uint32_t s[8]; memcpy(s, a, 32); uint32_t m = 0 - (s[0] & 1); "
     "__asm__(\"\" : \"+r\"(m)); for (auto& x : s) x ^= m & s[7]; memcpy(b, s, 32);"),
    (None, PLAIN, "for (size_t i = 0; i < n; ++i) { uint64_t x = a[i]; x = (x - 9) >> 63; b[i] = static_cast<uint8_t>(x); }"),
    (None, "const lea_gcm_keys* a, uint8_t* b, size_t n",
     "for (uint32_t r = 0; r < a->rounds; ++r) b[r] += static_cast<uint8_t>(a->round_keys[r] + n);"),
    (None, "const uint8_t* const* a, uint8_t* const* b, size_t n", "for (size_t i = 0; i < n; ++i) b[i][7] = a[i][9];"),
    (None, PLAIN, "for (size_t i = 0; i < n; ++i) b[i] = twice(a[i]);",
     "__attribute__((noinline)) uint8_t twice(uint8_t x) { __asm__ volatile(\"\"); return static_cast<uint8_t>(x * 2); }"),
    (None, PLAIN, "uint8_t last[16] = {}; memcpy(last, a, n); for (int i = 0; i < 16; ++i) last[i] ^= 3; memcpy(b, last, n);"),
    ("branch depends on data", PLAIN, "if (a[0] == 0) memset(b, 1, n);"),
    ("branch depends on data", PLAIN, "while (n != 0 && a[n - 1] == 0) --n; b[0] = static_cast<uint8_t>(n);"),
    ("branch depends on data", PLAIN, "uint64_t x; memcpy(&x, a, 8); while (x != 0) { x >>= 1; volatile int v = 0; (void)v; } b[0] = 1;"),
    ("branch depends on data", PLAIN, "for (size_t i = 0; i < n; ++i) b[i] = pick(a[i]);",
     "__attribute__((noinline)) uint8_t pick(uint8_t x) { if (x > 9) __asm__ volatile(\"nop\"); return x; }"),
    ("branch depends on data", PLAIN,
     "__m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(a)); if (_mm_movemask_epi8(_mm_cmpeq_epi8(x, x + x)) == 0xffff) memset(b, 0, n);"),
    ("branch depends on data", PLAIN,
     "uint8_t t[64]; memcpy(t, a, n); volatile size_t at = 5; if (t[at] != 0) memset(b, 0, n);"),
    ("branch depends on data", "const keys* a, uint8_t* b, size_t n", "for (uint32_t r = 0; r < a->rounds; ++r) b[r] += 3;"),
    ("address depends on data", PLAIN, "static const uint8_t t[256] = {7, 1, 4, 9}; for (size_t i = 0; i < n; ++i) b[i] = t[a[i]];"),
    ("address depends on data", PLAIN, "for (size_t i = 0; i < n; ++i) b[a[i]] = 1;"),
    ("address depends on data", PLAIN, "uint8_t t[256]; memcpy(t, a, 256); for (size_t i = 0; i < n; ++i) b[i] = t[a[i]];"),
    ("address depends on data", PLAIN, "const uint8_t* p; memcpy(&p, a, sizeof p); b[0] = p[n];"),
    ("for a pointer or a length|address or length|branch depends", PLAIN, "memcpy(b, a + 8, a[0]);"),
    ("variable-time instruction", PLAIN, "b[0] = static_cast<uint8_t>(a[0] % (n + 1));"),
    ("unknown|indirect", PLAIN, "uint64_t x; memcpy(&x, a, 8); reinterpret_cast<void (*)()>(x)();"),
]


def self_test(compiler):
    failures = []
    for flags in ("-O1", "-O2", "-O3"):
        for number, (wanted, parameters_, body, *before) in enumerate(CASES):
            if "_mm_" in body and "aarch64" in compiler:
                continue
            types = ", ".join(p.strip().rpartition(" ")[0] for p in parameters_.split(","))
            text = (COMMON + "".join(before) + f"\nvoid kernel({parameters_}) {{ {body} }}\n}}\n"
                    f"struct t {{ void (*f)({types}); }}; extern const t alg_x; const t alg_x = {{kernel}};\n}}\n")
            with tempfile.TemporaryDirectory() as folder:
                source = pathlib.Path(folder, "isa", "alg_x.cpp")
                source.parent.mkdir()
                source.write_text(text, encoding="utf-8")
                made = source.with_suffix(".cpp.o")
                run(compiler, "-std=c++20", "-fPIC", flags, "-c", str(source), "-o", str(made))
                found, _ = problems_of(made)
            if wanted is None and found:
                failures.append(f"case {number} {flags} is good, but: {found}")
            elif wanted is not None and not any(re.search(wanted, line) for line in found):
                failures.append(f"case {number} {flags} should be flagged with '{wanted}', got {found}")
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--self-test", metavar="COMPILER")
    parser.add_argument("objects", nargs="*")
    options = parser.parse_args()
    if options.self_test:
        lines = self_test(options.self_test)
        print("\n".join(lines) or f"{len(CASES)} cases at three levels: flags what it must and nothing else")
        return 1 if lines else 0
    lines, functions = [], 0
    kernels = [pathlib.Path(name) for name in options.objects if "/isa/" in name]
    for path in kernels:
        found, count = problems_of(path)
        lines += found
        functions += count
    if not kernels:
        lines.append("no kernel object was given")
    print("\n".join(lines) or f"{len(kernels)} kernel objects, {functions} functions: no branch and no address depends on data")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
