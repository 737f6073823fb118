"""A small simulator of out-of-order x86 cores, for loops that wait for latencies: cycles a turn in the steady state.

It knows the instructions of our hot loops; any other is an error. Modelled: renaming, moves and zeroing idioms that
need no execution, dispatch width, reorder window, scheduler, ports, latencies, loads that take an earlier store's data.
Not modelled: fetch and decode, caches, bank conflicts, mispredicted branches, changes of the clock.

A micro-op gets its port when it is dispatched, before anybody knows when its operands will be ready. The rule is that
of Abel and Reineke for Ice Lake (uiCA, ICS 2022, doi:10.1145/3524059.3532396): of the micro-ops of one cycle with the
same choice of ports, the k-th takes the port with the k-th fewest waiting micro-ops (the highest number first among
equals), leaving out ports with five more than the least. A port gives one result a cycle, so operations of different
latency get into each other's way (Agner Fog, The microarchitecture of Intel, AMD and VIA CPUs): without this rule
LSH-512 on Sapphire Rapids comes out 16 to 20 % too fast. Other cores than Ice Lake are taken to do the same.
"""

import re
from bisect import insort
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import combinations


class Unknown(Exception):
    """An instruction or operand that the tables below do not have."""


# ---- Cores ---------------------------------------------------------------------------------------------------------

# Costs at 128, 256 and 512 bits, or at every width: ports:latency/cycles that the port is busy, the latter two 1 unless
# written; 2* means two such micro-ops, one after the other; - means that no loop of ours has it.
#
# Intel: ports as uops.info writes them (A, B: 10, 11). Sources: uops.info for Ice Lake, Tiger Lake and the P-core of
# Alder Lake; Intel's Optimization Reference Manual for widths and windows. Of Sapphire Rapids the rows of vectors were
# measured, by chains and by independent instructions.
# AMD: 0 to 3 are FP0 to FP3, i to l the integer units, a to c loads, s and t store addresses. Sources: AMD's Software
# Optimization Guides for family 19h; uops.info; LLVM 19 for choose and clmul. Measured on Zen 3: permute 6 cycles,
# halves 3, clmul one in two cycles at 128 and 256 bits, a 256-bit store takes a slot of FP0 to FP3. Of Zen 4 nothing
# was measured: 512 bits are two passes, and LLVM 19 charges its rotations 2 cycles where this table has 1.
INTEL = """
    alu            015       015     05
    shift          01        01      0
    shuffle        15        15      5
    align          5
    halves         5:3
    permute        5:3
    choose         5:3
    branch         06
    store address  78
    store data     49        49      4
"""
AMD = """
    alu            0123      0123    0123:1/2
    shift          12        12      12:1/2
    shuffle        12        12      12:1/2
    align          12        12      12:1/2
    halves         12:3
    permute        -         2*12:3  -
    choose         -         12:4/2  12:5/2
    clmul          0:4/2
    scalar         ijkl
    branch         il
    load integer   abc:4
    load           ab:7      ab:7    ab:7/2
    store address  st        st      s:1/2
    store data     0123      0123    0123:1/2
"""


@dataclass(frozen=True)
class Cost:
    ports: str
    latency: int
    busy: int
    micro_ops: int


def costs(text):
    def one(entry):
        if entry == "-":
            return None
        count, ports, latency, busy = re.fullmatch(r"(?:(\d)\*)?(\w+)(?::(\d+))?(?:/(\d))?", entry).groups()
        return Cost(ports, int(latency or 1), int(busy or 1), int(count or 1))

    found = {}
    for kind, entries in re.findall(r"^ +([a-z]+(?: [a-z]+)?)  +(.+)$", text, re.M):
        entries = [one(entry) for entry in entries.split()]
        found[kind] = dict(zip((64, 128, 256, 512), [entries[0], *entries] if len(entries) > 1 else entries * 4))
    return found


@dataclass(frozen=True)
class Core:
    name: str
    width: int  # instructions dispatched a cycle
    window: int  # micro-ops between dispatch and retirement
    scheduler: int  # operations waiting for execution; loads and stores wait elsewhere
    forward: int  # latency of a load that takes a store's data
    costs: dict
    widest: int = 512
    one_closes: bool = True  # vectors cannot use port 1 in a loop with 512-bit operations
    integer_moves: bool = True  # eliminated at renaming

    def cost(self, kind, width):
        found = self.costs[kind][width] if width <= self.widest else None
        if not found:
            raise Unknown(f"{self.name} has no {kind} of {width} bits")
        return found


ICE_LAKE_ROWS = """
    clmul          5:6       5:8     5:8
    load           23:6      23:7    23:7
    load integer   23:5
    scalar         0156
"""
SAPPHIRE_RAPIDS_ROWS = """
    clmul          5:3
    load           23A:7     23A:8   23:8
    load integer   23A:5
    scalar         0156B
"""
ICE_LAKE = Core("Ice Lake", 5, 352, 160, 6, costs(INTEL + ICE_LAKE_ROWS), integer_moves=False)  # microcode forbids it
SAPPHIRE_RAPIDS = Core("Sapphire Rapids", 6, 512, 97, 6, costs(INTEL + SAPPHIRE_RAPIDS_ROWS))
ZEN3 = Core("Zen 3", 6, 256, 128, 8, costs(AMD), widest=256, one_closes=False)
ZEN4 = Core("Zen 4", 6, 320, 128, 8, costs(AMD), one_closes=False)
# By the names that compilers have for processors.
CORES = {"tigerlake": ICE_LAKE, "icelake-server": ICE_LAKE, "sapphirerapids": SAPPHIRE_RAPIDS}
CORES |= {"znver3": ZEN3, "znver4": ZEN4}


# ---- Instructions --------------------------------------------------------------------------------------------------

KINDS = {
    "alu": "vpxor vpxord vpxorq vxorps vxorpd vpor vpord vporq vpand vpandd vpandq vpaddd vpaddq vpsubd vpsubq "
    "vpblendd vpternlogd vpternlogq",
    "shift": "vpslld vpsllq vpsrld vpsrlq vprold vprolq vprord vprorq vprolvd vprolvq",
    "shuffle": "vpshufb vpshufd vpshufhw vpshuflw vpunpckldq vpunpckhdq vpunpcklqdq vpunpckhqdq vshufps vshufpd "
    "vpslldq vpsrldq vunpcklps vunpckhps vunpcklpd vunpckhpd vmovlhps vmovhlps",
    "align": "vpalignr",
    "halves": "vperm2i128 vextracti128 vextracti64x4 vextracti32x4 vinserti128 vinsertf128 vinserti32x4 vinsertf32x4 "
    "vinserti64x4 vinsertf64x4 "  # from memory, the insertions are blends
    "vmovd vmovq",  # from general registers
    "permute": "vpermq vpermd",
    "choose": "vpermt2q vpermt2d",  # and vpermq and vpermd with the order in a register
    "clmul": "vpclmulqdq",
    "move": "vmovdqu vmovdqa vmovdqu32 vmovdqa32 vmovdqu64 vmovdqa64 vmovups vmovaps vmovupd vmovapd",
    "broadcast": "vpbroadcastd vpbroadcastq vbroadcastss vbroadcastsd vbroadcasti128 vbroadcasti32x4 vbroadcasti64x2",
}
KIND_OF = {name: kind for kind, names in KINDS.items() for name in names.split()}
BYTES = {"vpbroadcastd": 4, "vbroadcastss": 4, "vpbroadcastq": 8, "vbroadcastsd": 8}  # of broadcasts; others 16
READS_TARGET = {"vpternlogd", "vpternlogq", "vpermt2q", "vpermt2d"}
ZEROING = {"vpxor", "vpxord", "vpxorq", "vxorps", "vxorpd", "vpsubd", "vpsubq", "xor", "sub"}
INTEGER = re.compile(r"(add|sub|and|or|xor|cmp|test|inc|dec|neg|not|lea|mov|shl|shr|sar)[lq]?$")
FUSES = {"cmp", "test", "add", "sub", "and", "inc", "dec"}  # with a conditional branch behind it
GENERAL = [f"r{name}" for name in ("ax", "bx", "cx", "dx", "si", "di", "bp", "sp", *range(8, 16))]


def register(name):
    """The whole register that a name is a part of: v0 for vectors, else the 64-bit name."""
    if vector := re.match(r"%[xyz]mm(\d+)$", name):
        return f"v{vector[1]}"
    name = re.sub(r"^%(bp|sp|si|di)l$", r"%r\1", name)
    full = re.sub(r"^%(r\d+)[dwb]$", r"%\1", re.sub(r"^%(?:e|(?=[abcd]l$))(\w)l?", r"%r\1", name))
    full += "x" if re.fullmatch(r"%r[abcd]", full) else ""
    if full[1:] not in GENERAL:
        raise Unknown(f"register {name}")
    return full


def parse_memory(operand):
    """(displacement, label, base, index, scale)"""
    match = re.match(r"([^(]*)\((%\w+)?(?:,\s*(%\w+)(?:,\s*([1248]))?)?\)$", operand)
    if not match:
        raise Unknown(f"operand {operand}")
    number = re.fullmatch(r"-?(0x[0-9a-f]+|\d+)|", match[1])
    base, index = (register(name) if name and name != "%rip" else None for name in match.group(2, 3))
    return int(match[1] or "0", 0) if number else 0, "" if number else match[1], base, index, int(match[4] or 1)


@dataclass
class Instruction:
    text: str
    operands: list
    kind: str  # of KINDS, or: scalar, branch, move, zero, load, store
    base: str = ""  # an integer instruction without its suffix
    width: int = 64  # bits
    reads: list = field(default_factory=list)  # but for the address
    writes: list = field(default_factory=list)
    memory: tuple = None
    size: int = 0  # bytes in memory

    @property
    def address(self):
        return [part for part in self.memory[2:4] if part] if self.memory else []

    @property
    def loads(self):
        return self.memory is not None and self.kind != "store" and self.base != "lea"


def parse(text):
    """A line of AT&T assembly, without a comment, as an Instruction."""
    mnemonic, *rest = text.split(None, 1)
    operands = [part.strip() for part in re.split(r",(?![^(]*\))", rest[0] if rest else "") if part.strip()]
    if mnemonic.startswith("j"):
        return Instruction(text, operands, "branch", reads=[] if mnemonic == "jmp" else ["flags"])
    widest = max(re.findall(r"%([xyz])mm", text), default="")
    integer, kind = INTEGER.match(mnemonic), KIND_OF.get(mnemonic)
    if not (kind or integer and not widest) or re.search(r"%k\d|\{z\}", text):
        raise Unknown(f"instruction: {text.strip()}")
    repeated = "{1to" in text
    operands = [re.sub(r"\{1to\d+\}", "", operand) for operand in operands]
    *sources, target = operands
    to_memory = "(" in target
    one = Instruction(
        text, operands, kind, integer[1] if integer else "", {"x": 128, "y": 256, "z": 512}.get(widest, 64)
    )
    one.memory = next((parse_memory(operand) for operand in operands if "(" in operand), None)
    one.reads = [register(source) for source in sources if source[0] == "%"]
    one.writes = [] if to_memory else [register(target)]
    if integer:
        compares = one.base in ("cmp", "test")
        one.kind = "move" if one.base == "mov" and sources[0][0] == "%" else "scalar"
        one.size = 4 if mnemonic == one.base + "l" else 8
        if one.base not in ("mov", "lea"):
            one.reads += one.writes
            one.writes = [] if compares else one.writes
            one.writes += [] if one.base == "not" else ["flags"]
        impossible = to_memory and not compares
    else:
        one.size = (8 if mnemonic[-1] == "q" else 4) if repeated else one.width // 8
        if kind == "broadcast":
            one.size = BYTES.get(mnemonic, 16)
        if kind in ("move", "broadcast"):
            one.kind = "store" if to_memory else "load" if one.memory else kind
        if mnemonic.startswith("vinsert") and one.memory:
            one.kind, one.size = "alu", 32 if mnemonic.endswith("64x4") else 16
        if kind == "permute" and sources[0][0] != "$":
            one.kind = "choose"
        one.reads += one.writes if mnemonic in READS_TARGET else []
        impossible = one.kind == "broadcast" or to_memory and one.kind != "store"
    if impossible:
        raise Unknown(f"instruction: {text.strip()}")
    same = sources == [target] if integer else len(sources) == 2 and sources[0] == sources[1]
    if same and (one.base or mnemonic) in ZEROING:
        one.kind, one.reads = "zero", []
    return one


# ---- Simulation ----------------------------------------------------------------------------------------------------


@dataclass
class Result:
    cycles: float  # a turn
    chain: float  # what latencies alone demand
    pressure: float  # what the busiest set of ports demands
    busiest: str
    front: float  # what the dispatch width demands

    @property
    def bottleneck(self):
        limit, name = max((self.chain, "latency"), (self.pressure, f"ports {self.busiest}"), (self.front, "dispatch"))
        return name if limit > 0.9 * self.cycles else f"conflicts over {name}"


@dataclass
class MicroOp:
    age: int
    port: str
    cost: Cost
    latency: int
    counted: bool  # by the scheduler
    ready: int
    waits: int = 0  # for so many operands
    done: int = None
    users: list = field(default_factory=list)


class Port:
    def __init__(self):
        self.bound = 0  # micro-ops that were given this port and have not been started
        self.free = 0  # the first cycle in which it takes another
        self.results = set()  # cycles in which a result leaves it
        self.coming = []  # heap of (ready, age, micro-op), all operands known
        self.ready = []  # (age, micro-op), oldest first

    def start(self, now):
        """Starts the oldest micro-op that is ready and whose result does not meet another one."""
        while self.coming and self.coming[0][0] <= now:
            insort(self.ready, heappop(self.coming)[1:])
        for place, (_, op) in enumerate(self.ready if self.free <= now else ()):
            if now + op.latency not in self.results:
                del self.ready[place]
                op.done = now + op.latency
                self.results.add(op.done)
                self.free = now + op.cost.busy
                self.bound -= 1
                return op
        return None


class Addresses:
    """General registers as a symbol plus a number, so that a load finds the store that it reads from."""

    def __init__(self):
        self.values = {}
        self.symbols = 0

    def of(self, name):
        return self.values.setdefault(name, (name, 0))

    def place(self, memory):
        displacement, label, base, index, scale = memory
        symbol, number = self.of(base) if base else ("", 0)
        if index:
            other, more = self.of(index)
            symbol, number = (symbol, other, scale), number + scale * more
        return (label, symbol) if label else symbol, number + displacement

    def step(self, one):
        target = next((name for name in one.writes if name[0] == "%"), None)
        if not target:
            return
        first = one.operands[0]
        amount = 1 if one.base in ("inc", "dec") else int(first[1:], 0) if re.match(r"\$-?\d", first) else None
        if one.kind == "move":
            self.values[target] = self.of(register(first))
        elif one.base == "lea":
            self.values[target] = self.place(one.memory)
        elif one.base in ("add", "sub", "inc", "dec") and amount is not None:
            symbol, number = self.of(target)
            self.values[target] = (symbol, number + (amount if one.base in ("add", "inc") else -amount))
        else:
            self.symbols += 1
            self.values[target] = (f"{target} {self.symbols}", 0)


class Values:
    """Which micro-op makes what an instruction reads, in a register or in memory."""

    def __init__(self, core, preamble):
        self.core = core
        self.addresses = Addresses()
        for one in preamble:
            self.addresses.step(one)
        self.registers = {}
        self.stores = defaultdict(lambda: deque(maxlen=64))  # symbol -> (from, to, micro-op of the data), newest first

    def instruction(self, one, plan, add):
        """Calls add(role, cost, latency, operands), which returns a micro-op, for each of `plan`."""
        address = [self.registers.get(name) for name in one.address]
        operands = [self.registers.get(name) for name in one.reads] + (address if one.base == "lea" else [])
        result = operands[0] if one.kind == "move" else None
        for role, cost in plan:
            if role == "load":
                latency, data = self.load(one, cost.latency)
                result = add(role, cost, latency, [*address, data])
                operands.append(result)
            elif role == "address":
                add(role, cost, cost.latency, address)
            elif role == "data":
                symbol, start = self.addresses.place(one.memory)
                data = add(role, cost, cost.latency, operands)
                self.stores[symbol].appendleft((start, start + one.size, data))
            else:
                result = add(role, cost, cost.latency, operands)
                operands = [result]
        self.registers |= dict.fromkeys(one.writes, result)
        self.addresses.step(one)

    def load(self, one, latency):
        symbol, start = self.addresses.place(one.memory)
        for low, high, data in self.stores[symbol]:
            if low <= start and start + one.size <= high:
                return self.core.forward, data
            if low < start + one.size and start < high:
                raise Unknown(f"a load of part of a store: {one.text.strip()}")
        return latency, None


def micro_ops(one, core, narrow):
    """(role, Cost) of an instruction; `narrow`: port 1 is closed to vectors."""
    roles = []
    if one.loads:
        roles.append(("load", "load" if one.width > 64 else "load integer"))
    if one.kind == "store":
        roles += [("address", "store address"), ("data", "store data")]
    elif one.kind == "move" and one.width == 64 and not core.integer_moves:
        roles.append(("operation", "scalar"))
    elif one.kind not in ("move", "zero", "load") and not (one.base == "mov" and one.loads):
        roles.append(("operation", one.kind))
    for role, kind in roles:
        cost = core.cost(kind, one.width)
        if narrow and one.width > 64 and len(cost.ports) > 1:
            cost = Cost(cost.ports.replace("1", ""), cost.latency, cost.busy, cost.micro_ops)
        yield from [(role, cost)] * cost.micro_ops


def prepare(body, core):
    """(instruction, its micro-ops, slots that it takes at dispatch) for each of `body`."""
    narrow = core.one_closes and any(one.width == 512 for one in body)
    before = ""
    for one in body:
        plan = list(micro_ops(one, core, narrow))
        fused = one.kind == "branch" and before in FUSES
        yield one, [] if fused else plan, 0 if fused else max(1, sum(role == "operation" for role, _ in plan))
        before = one.base


def busiest(prepared):
    """(cycles, ports) of the set of ports that has the most to do."""
    work = Counter()
    for _, plan, _ in prepared:
        for _, cost in plan:
            work[frozenset(cost.ports)] += cost.busy
    unions = {frozenset().union(*sets) for count in (1, 2, 3, 4) for sets in combinations(work, count)}
    loads = [(sum(n for ports, n in work.items() if ports <= u) / len(u), "".join(sorted(u))) for u in unions]
    return max(loads, default=(0, ""))


def chain(prepared, core, preamble, turns):
    """Cycles a turn if every micro-op ran as soon as its operands are there."""
    values = Values(core, preamble)
    last, ends = 0, []

    def add(_, __, latency, operands):
        nonlocal last
        done = max((operand or 0 for operand in operands), default=0) + latency
        last = max(last, done)
        return done

    for _ in range(turns):
        for one, plan, _ in prepared:
            values.instruction(one, plan, add)
        ends.append(last)
    return (ends[-1] - ends[turns // 2]) / (turns - 1 - turns // 2)


def simulate(body, core, preamble=()):
    """Cycles of one turn of a loop `body`; `preamble` (what ran before it) tells what addresses have in common."""
    prepared = list(prepare(body, core))
    turns = 6 + 6 * core.window // len(body)  # the first half fills the window
    values = Values(core, preamble)
    ports, window = defaultdict(Port), deque()
    now = age = position = turn = waiting = 0
    starts, taken, bound = [], Counter(), {}

    def add(role, cost, latency, operands):
        nonlocal age, waiting
        order = sorted(cost.ports, key=lambda name: (bound.get(name, 0), -ord(name)))
        order = [name for name in order if bound.get(name, 0) < bound.get(order[0], 0) + 5]
        op = MicroOp(age, order[taken[cost.ports] % len(order)], cost, latency, role == "operation", now + 1)
        taken[cost.ports] += 1
        for operand in operands:
            if operand and operand.done is None:
                operand.users.append(op)
                op.waits += 1
            elif operand:
                op.ready = max(op.ready, operand.done)
        ports[op.port].bound += 1
        if not op.waits:
            heappush(ports[op.port].coming, (op.ready, op.age, op))
        window.append(op)
        age += 1
        waiting += op.counted
        return op

    while turn < turns:
        while window and window[0].done is not None and window[0].done <= now:
            window.popleft()
        bound = {name: port.bound for name, port in ports.items()}
        for op in [op for port in list(ports.values()) if (op := port.start(now))]:
            waiting -= op.counted
            for user in op.users:
                user.waits -= 1
                user.ready = max(user.ready, op.done)
                if not user.waits:
                    heappush(ports[user.port].coming, (user.ready, user.age, user))
        taken.clear()
        slots = core.width
        while slots > 0 and turn < turns and len(window) < core.window and waiting < core.scheduler:
            if position == 0:
                starts.append(now)
            one, plan, needed = prepared[position]
            values.instruction(one, plan, add)
            slots -= needed
            position = (position + 1) % len(body)
            turn += position == 0
        now += 1
    half = turns // 2
    cycles = (starts[-1] - starts[half]) / (turns - 1 - half)
    front = sum(needed for _, _, needed in prepared) / core.width
    return Result(cycles, chain(prepared, core, preamble, turns), *busiest(prepared), front)
