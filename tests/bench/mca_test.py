#!/usr/bin/env python3
"""bench/mca: loops out of assembly with known answers, the port simulator on loops with known answers, llvm-mca, and
the kernels themselves.

    mca_test.py [unittest arguments]
"""

import contextlib
import dataclasses
import io
import json
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench" / "driver"))
import mca  # pylint: disable=wrong-import-position
import ports  # pylint: disable=wrong-import-position

ICE_LAKE, SAPPHIRE_RAPIDS, ZEN3, ZEN4 = (ports.CORES[n] for n in ("tigerlake", "sapphirerapids", "znver3", "znver4"))
needs_llvm = unittest.skipUnless(
    shutil.which(mca.MCA) and shutil.which(mca.COMPILER), f"{mca.MCA} or {mca.COMPILER} is missing: scripts/deps bench"
)


def function(code, name="f"):
    """Assembly of a function: one line an instruction or a label."""
    lines = [line.strip() for line in code.strip().splitlines()]
    text = "\n".join(line if line.endswith(":") else "\t" + line.replace(" ", "\t", 1) for line in lines)
    return f"\t.type\t{name},@function\n{name}:\n{text}\n.Lfunc_end0:\n"


def turns(code, architecture=mca.X86, **more):
    return list(mca.turns(mca.functions(function(code), architecture)["f"], architecture, **more))


def cycles(core, *lines, before=()):
    return ports.simulate([ports.parse(one) for one in lines], core, [ports.parse(one) for one in before]).cycles


class Loops(unittest.TestCase):
    def test_unrolled(self):
        (turn,) = turns(
            """
            movl $3, %eax                   # not a part of it
            .L1:
            vpaddd (%rsi), %ymm0, %ymm0     # nor this comment: (%rdi)
            vpaddd 32(%rsi), %ymm0, %ymm0
            subq $-128, %rsi
            decq %rdx
            jne .L1
            retq"""
        )
        self.assertEqual((len(turn.lines), turn.bytes, turn.known), (5, 128, True))
        self.assertEqual([line.mnemonic for line in turn.before], ["movl"])

    def test_inner_loop_with_constant_bounds(self):
        (turn,) = turns(
            """
            .L1:
            movl $-4, %eax
            movq %r15, %rdx
            .L2:
            vpxord (%rdx), %zmm0, %zmm0
            addq $96, %rdx
            addl $4, %eax
            cmpl $20, %eax
            jb .L2
            vmovdqu64 %zmm0, (%r14)
            addq $512, %r14
            cmpq $31, %rbx
            ja .L1
            retq""",
            stores=True,
        )
        self.assertEqual((len(turn.lines), turn.bytes, turn.known), (2 + 6 * 5 + 4, 512, True))

    def test_steps_of_stores(self):
        code = """
            .L1:
            movq %rdi, %r8
            shlq $9, %r8
            vmovdqu (%rsi,%r8), %ymm0
            leaq 256(%rcx,%r8), %r9
            vmovdqu %ymm0, (%r9)
            leaq 1(%rdi), %rdi
            cmpq %rax, %rdi
            jne .L1
            .L2:
            vpxor (%rdx), %ymm0, %ymm0
            addq $96, %rdx
            jne .L2
            retq"""
        self.assertEqual([turn.bytes for turn in turns(code, stores=True)], [512])
        self.assertEqual(sorted(turn.bytes for turn in turns(code)), [96, 512])

    def test_three_deep(self):
        (turn,) = turns(
            """
            .L1:
            movl $3, %eax
            .L2:
            movl $5, %ecx
            .L3:
            decl %ecx
            jne .L3
            subl $1, %eax
            jne .L2
            vmovdqu (%rsi), %xmm0
            addq $16, %rsi
            decq %rdx
            jne .L1
            retq"""
        )
        self.assertEqual(len(turn.lines), 1 + 3 * (1 + 5 * 2 + 2) + 4)

    ROTATED = """
            jmp .L2
            .L1:
            addq $64, %rsi
            decq %rdx
            je .L4
            .L2:
            vmovdqu (%rsi), %ymm0
            testl %ebx, %ebx
            je .L1
            xorl %eax, %eax
            .L3:
            vpaddd %ymm0, %ymm0, %ymm0
            addl $4, %eax
            cmpl %ebx, %eax
            jb .L3
            jmp .L1
            .L4:
            retq"""

    def test_bounds_in_a_register_and_a_way_past_the_inner_loop(self):
        (turn,) = turns(self.ROTATED, default=7)
        self.assertEqual((len(turn.lines), turn.bytes, turn.known), (4 + 7 * 4 + 1 + 3, 64, False))
        with self.assertRaisesRegex(mca.Failure, "how often"):
            turns(self.ROTATED)

    def test_aarch64(self):
        (turn,) = turns(
            """
            .L1:
            mov w8, #-4
            mov x9, x20                     // the keys
            .L2:
            ld1r { v0.4s }, [x9], #4
            add w8, w8, #4
            cmp w8, #20
            eor v1.16b, v1.16b, v0.16b
            b.lo .L2
            lsl x10, x11, #7
            add x10, x3, x10
            stp q0, q1, [x10, #32]
            add x11, x11, #1
            subs x4, x4, #8
            b.ne .L1
            ret""",
            mca.ARM,
            stores=True,
        )
        self.assertEqual((len(turn.lines), turn.bytes, turn.known), (2 + 6 * 5 + 6, 128, True))
        for step in ("ldp q0, q1, [x1], #32", "ldr q0, [x1, #32]!"):
            (turn,) = turns(f".L1:\n{step}\ncbnz x2, .L1\nret", mca.ARM)
            self.assertEqual(turn.bytes, 32)

    def test_conditions(self):
        for branch, count in {"jne": 10, "jb": 10, "jbe": 11, "jl": 10, "jle": 11, "je": 1, "ja": 1, "jae": 1}.items():
            (turn,) = turns(
                f""".L1:\nxorl %eax, %eax\n.L2:\nincl %eax\ncmpl $10, %eax\n{branch} .L2
                vmovdqu (%rsi), %xmm0\naddq $16, %rsi\ndecq %rdx\njne .L1\nretq"""
            )
            self.assertEqual(len(turn.lines), 1 + 3 * count + 4, branch)

    def test_the_hot_loop_of_a_kernel(self):
        kernel = mca.Kernel("test", "", "^f$", 16)
        small, large = (
            f"{n}:\nvmovdqu (%rsi), %ymm0\naddq ${s}, %rsi\njne {n}\n" for n, s in ((".L1", 32), (".L2", 64))
        )
        self.assertEqual(mca.hot_loop(function(small + large + "retq"), mca.X86, kernel).bytes, 64)
        for assembly in (function("retq"), function("retq", "g"), function(small.replace("32", "24") + "retq")):
            with self.assertRaises(mca.Failure):
                mca.hot_loop(assembly, mca.X86, kernel)


class Simulator(unittest.TestCase):
    def check(self, core, expected, *lines, **more):
        self.assertAlmostEqual(cycles(core, *lines, **more), expected, delta=0.02 * expected, msg=(core.name, lines))

    def test_chains(self):
        for core in (ICE_LAKE, SAPPHIRE_RAPIDS, ZEN3, ZEN4):
            self.check(core, 4, *["vpaddd %ymm1, %ymm0, %ymm0"] * 4)
            self.check(core, 4, *["addq %rbx, %rax"] * 4)
            late = cycles(core, "vpxor 32(%rsi), %xmm0, %xmm0", "addq $32, %rsi")
            self.assertLess(late, 1.3, core.name)  # the load waits for nobody
        clmul = "vpclmulqdq $0, %{0}mm1, %{0}mm0, %{0}mm0"
        for core, latency, width in ((ICE_LAKE, 6, "x"), (ICE_LAKE, 8, "z"), (SAPPHIRE_RAPIDS, 3, "z"), (ZEN3, 4, "y")):
            self.check(core, latency, clmul.format(width))
        for core, latency in ((ICE_LAKE, 5), (SAPPHIRE_RAPIDS, 5), (ZEN4, 4)):
            self.check(core, latency, "movq (%rax), %rax")
        self.check(ZEN3, 6, "vpermq $78, %ymm0, %ymm0")

    def test_throughput(self):
        adds = {w: [f"vpaddd %{w}mm15, %{w}mm{i}, %{w}mm{i}" for i in range(12)] for w in "yz"}
        for core, narrow, wide in ((ICE_LAKE, 4, 6), (SAPPHIRE_RAPIDS, 4, 6), (ZEN4, 3, 6)):
            self.check(core, narrow, *adds["y"])
            self.check(core, wide, *adds["z"])
        self.check(ICE_LAKE, 6.5, *adds["y"], "vpaddd %zmm15, %zmm14, %zmm14")  # port 1 is closed
        self.check(ICE_LAKE, 6, *(f"vprold $3, %ymm15, %ymm{i}" for i in range(12)))
        for core, each in ((ICE_LAKE, 1), (ZEN3, 2)):
            self.check(core, 4 * each, *(f"vpclmulqdq $0, %xmm15, %xmm14, %xmm{i}" for i in range(4)))
        for core, each in ((ICE_LAKE, 2), (SAPPHIRE_RAPIDS, 3)):
            self.check(core, 12 / each, *(f"vmovdqu {32 * i}(%rsi), %ymm{i}" for i in range(12)))
        self.check(ICE_LAKE, 4, *(f"vmovdqu64 %zmm0, {64 * i}(%rsi)" for i in range(4)))

    def test_renaming(self):
        moves = [f"vmovdqa %ymm15, %ymm{i}" for i in range(14)]
        self.check(ICE_LAKE, 3, *moves, "vpxor %ymm15, %ymm15, %ymm15")  # 15 slots, no port
        self.check(ICE_LAKE, 2, *["vpaddd %ymm1, %ymm0, %ymm1", "vmovdqa %ymm1, %ymm0"] * 2)
        self.assertLess(cycles(ICE_LAKE, "vpxor %xmm0, %xmm0, %xmm0", *["vpaddd %xmm1, %xmm0, %xmm0"] * 6), 3)
        self.check(ICE_LAKE, 2, "movq %rax, %rbx", "movq %rbx, %rax")
        self.check(SAPPHIRE_RAPIDS, 2 / 6, "movq %rax, %rbx", "movq %rbx, %rax")
        self.check(ICE_LAKE, 1, "decq %rcx", "jne .L1")

    def test_memory(self):
        store, load = "vmovdqu %xmm0, (%rcx)", "vmovdqu {}(%rbx), %xmm0"
        both = ["leaq 64(%rcx), %rbx"]
        self.check(SAPPHIRE_RAPIDS, 7, store, load.format(-64), before=both)
        self.check(SAPPHIRE_RAPIDS, 0.5, store, load.format(-48), before=both)
        self.check(SAPPHIRE_RAPIDS, 7, "vmovdqu %ymm0, (%rcx)", "movq %rcx, %rbx", load.format(16))
        self.check(SAPPHIRE_RAPIDS, 0.5, store, load.format(0))  # nothing is known of %rbx
        with self.assertRaisesRegex(ports.Unknown, "part of a store"):
            cycles(ICE_LAKE, store, "vmovdqu (%rcx), %ymm0")

    def test_a_port_gives_one_result_a_cycle(self):
        port, cost = ports.Port(), ports.Cost("5", 1, 1, 1)
        ops = [ports.MicroOp(age, "5", cost, latency, True, 0) for age, latency in enumerate((3, 1, 1))]
        port.coming = [(0, 0, ops[0]), (2, 1, ops[1]), (2, 2, ops[2])]
        self.assertEqual([port.start(now) for now in range(5)], [ops[0], None, None, ops[1], ops[2]])

    def test_window(self):
        body = ["movq (%rax), %rax", *(f"vpaddd %ymm15, %ymm15, %ymm{i % 8}" for i in range(24))]
        small = dataclasses.replace(ICE_LAKE, window=8)
        self.check(ICE_LAKE, 8, *body)
        self.assertGreater(cycles(small, *body), 9)

    def test_bottleneck(self):
        body = [ports.parse("vpaddd %ymm1, %ymm0, %ymm0")] * 4
        self.assertEqual(ports.simulate(body, ICE_LAKE).bottleneck, "latency")
        body = [ports.parse(f"vpclmulqdq $0, %xmm15, %xmm15, %xmm{i}") for i in range(4)]
        self.assertEqual(ports.simulate(body, ICE_LAKE).bottleneck, "ports 5")

    def test_unknown(self):
        for line in (
            "vaesenc %xmm0, %xmm1, %xmm2",
            "vpaddd %zmm0, %zmm1, %zmm2{%k1}",
            "movq %rax, (%rbx)",
            "vpbroadcastd %eax, %zmm0",
            "imulq %rax, %rbx",
            "callq memcpy@PLT",
        ):
            with self.assertRaisesRegex(ports.Unknown, line.split()[0]):
                ports.parse(line)
        with self.assertRaisesRegex(ports.Unknown, "Zen 3 has no alu of 512 bits"):
            cycles(ZEN3, "vpaddd %zmm0, %zmm0, %zmm0")

    def test_insertions(self):
        kinds = {"(%rsi)": ("alu", 16), "%xmm1": ("halves", 32)}
        for source, (kind, size) in kinds.items():
            one = ports.parse(f"vinsertf128 $1, {source}, %ymm0, %ymm0")
            self.assertEqual((one.kind, one.size), (kind, size))
        self.assertEqual(ports.parse("vinserti64x4 $1, (%rsi), %zmm0, %zmm0").size, 32)

    def test_parts(self):
        one = ports.parse("\tvpxord\t-4(%rsp,%r8d,8){1to16}, %zmm3, %zmm7")
        self.assertEqual((one.kind, one.width, one.size, one.reads, one.writes), ("alu", 512, 4, ["v3"], ["v7"]))
        self.assertEqual(one.memory, (-4, "", "%rsp", "%r8", 8))
        self.assertEqual(ports.parse("vpternlogq $150, %xmm1, %xmm2, %xmm0").reads, ["v1", "v2", "v0"])
        self.assertEqual(ports.parse("cmpq $7, %rcx").writes, ["flags"])
        self.assertEqual(ports.parse("vpshufb .LCPI0_1(%rip), %xmm1, %xmm1").memory, (0, ".LCPI0_1", None, None, 1))
        self.assertEqual(ports.parse("vpermq %zmm3, %zmm0, %zmm3").kind, "choose")
        self.assertEqual(ports.parse("vpermt2d %ymm3, %ymm0, %ymm3").reads, ["v3", "v0", "v3"])


class Answers(unittest.TestCase):
    def answer(self, iterations, total, usage):
        info = [{"InstructionIndex": 0, "ResourceIndex": 0, "ResourceUsage": 99.0}]
        info += [{"InstructionIndex": 1, "ResourceIndex": i, "ResourceUsage": use} for i, use in enumerate(usage)]
        view = {"Iterations": iterations, "TotalCycles": total, "TotaluOps": 12 * iterations, "DispatchWidth": 6}
        region = {"Instructions": ["x"], "SummaryView": view, "ResourcePressureView": {"ResourcePressureInfo": info}}
        return {"CodeRegions": [region], "TargetInfo": {"Resources": ["ICXPort0", "ICXPort1.\x01"]}}

    def test_read(self):
        read = lambda usage: mca.read_mca(self.answer(20, 110, usage), self.answer(60, 310, usage))
        self.assertEqual(read([2.0, 4.9]), (5.0, "ICXPort1", "IceLakeModel"))
        self.assertEqual(read([2.0, 3.0]), (5.0, "dependencies", "IceLakeModel"))
        with mock.patch.dict(mca.MODELS, clear=True), self.assertRaises(mca.Failure):
            read([1.0])

    @needs_llvm
    def test_probes(self):
        chain = [mca.Line(f"\tvpaddd\t%xmm{i}, %xmm0, %xmm0", "", ()) for i in (1, 2, 3, 4)]
        probes = [chain] + [
            [mca.Line(text, "", ())] for text in ("\tvpermq $1, %ymm0, %ymm1", "\tvpsllq $1, %ymm0, %ymm1")
        ]
        models = {}
        for cpu, levels in mca.CPUS.items():
            if "avx2" in levels:
                found = [mca.mca(lines, mca.X86, cpu) for lines in probes]
                self.assertEqual(found[0][:2], (4.0, "dependencies"), cpu)
                # Processors that are said to share a model get the same answers.
                self.assertEqual(models.setdefault(found[0][2], found), found, cpu)
        self.assertEqual(mca.mca(chain, mca.X86, "tigerlake")[2], "IceLakeModel")
        self.assertEqual(mca.mca(chain, mca.X86, "znver5")[2], "Znver4Model")
        self.assertEqual(mca.mca([mca.Line("add v0.4s, v0.4s, v1.4s", "", ())], mca.ARM, "apple-m1")[2], "CycloneModel")


TIGER_LAKE = {"model": "Core of tests", "vendor": "GenuineIntel", "family": "6", "model_number": "140"}


def summary(machine):
    """Of bench/run, as far as it is read: half a tick a byte for all, but for what must not be taken."""

    def cell(operation, size, **ticks):
        names = {"hwacha": "hwacha@clang:avx512", "lanes": "hwacha@clang:avx512, lanes 16"}
        names |= {"gcc": "hwacha@gcc:avx512", "peer": "cryptopp:avx512", "threads": "hwacha@clang:avx512, threads 2"}
        variants = [{"variant": names[name], "median": each * size} for name, each in ticks.items()]
        return {"operation": operation, "size": size, "variants": variants + [{"variant": "hwacha@clang:avx2", "n": 0}]}

    cells = [cell("LEA-128-CTR", 64, hwacha=9), cell("LEA-128-CTR", 4096, gcc=9, hwacha=0.5, peer=9)]
    cells += [cell("LEA-192-CTR", 4096, hwacha=9), cell("LSH-256-256", 4096, hwacha=0.5)]
    cells += [cell("LSH-256-256 x2", 4096, lanes=9), cell("LSH-256-256 x2", 8192, threads=9, hwacha=9, lanes=0.5)]
    return {"environment": {"core_cycles_per_tick": 1.5, "cpu": machine}, "cells": cells}


class Against(unittest.TestCase):
    def measured(self, content, *models):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "summary.json").write_text(json.dumps(content), encoding="utf-8")
            return mca.measured(folder, list(models))

    def test_figures(self):
        cpu, found, said = self.measured(summary(TIGER_LAKE))
        self.assertEqual(cpu, "tigerlake")
        names = ("LEA-128-CTR", "LSH-256", "LSH-256, lanes 16")
        self.assertEqual(found, {(name, "avx512"): 0.75 for name in names})
        self.assertIn("Core of tests (GenuineIntel, 6, 140), tigerlake by its numbers; 1.5000 cycles a tick", said)
        one = {"kernel": "LSH-256", "level": "avx512", "measured": None}
        rows = [{**one, "cpu": name} for name in ("tigerlake", "znver4")]
        mca.set_against(rows, cpu, found)
        self.assertEqual([one["measured"] for one in rows], [0.75, None])

    def test_which_processor(self):
        unknown = summary({**TIGER_LAKE, "model_number": "999"})
        self.assertEqual(self.measured(unknown, "znver4")[0], "znver4")
        self.assertEqual(self.measured(summary(TIGER_LAKE), "znver4", "znver3")[0], "tigerlake")
        for models in ((), ("znver3", "znver4")):
            with self.assertRaisesRegex(mca.Failure, "999.*--model"):
                self.measured(unknown, *models)

    def test_unreadable(self):
        for content in ([], {}, {"environment": {}, "cells": []}, {**summary(TIGER_LAKE), "cells": [{}]}):
            with self.assertRaisesRegex(mca.Failure, "no summary"):
                self.measured(content)
        with self.assertRaisesRegex(mca.Failure, "nothing of ours"):
            self.measured({**summary(TIGER_LAKE), "cells": []})
        with self.assertRaisesRegex(mca.Failure, "no summary"):
            mca.measured("/nowhere", [])


@needs_llvm
class Kernels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="mca_test."))
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def files(self, architecture):
        if problem := mca.missing_headers(architecture):
            self.skipTest(problem)
        return mca.kernel_files(self.folder, architecture)

    # Cycles a byte at 4 KiB of an Emerald Rapids, clang 19.1.7: medians of a run of suite seed-tables.
    MEASURED = {
        **{("LSH-256", "avx2"): 2.93, ("LSH-512", "avx2"): 2.31, ("LEA-128-CTR", "avx2"): 1.18},
        **{("LSH-256", "avx512"): 2.02, ("LSH-512", "avx512"): 1.57, ("LEA-128-CTR", "avx512"): 0.61},
    }

    def test_near_what_was_measured(self):
        files = self.files(mca.X86)
        for kernel in mca.KERNELS:
            for level in ("avx2", "avx512"):
                if measured := self.MEASURED.get((kernel.name, level)) if not kernel.word else None:
                    for one in mca.estimate(kernel, level, files[f"{kernel.file}_{level}"](), ["sapphirerapids"]):
                        ratio = one["cycles_per_byte_4096"] / measured
                        low, high = (0.8, 1.2) if one["suitable"] else (0.3, 3)
                        self.assertTrue(low < ratio < high, f"{kernel.name} {level} {one['method']}: {ratio:.2f}x")

    def test_fused_loop_at_its_limit(self):
        files = self.files(mca.X86)
        for kernel in (one for one in mca.KERNELS if one.file == "lea_gcm"):
            rows = mca.estimate(kernel, "avx512-vpclmul", files["lea_gcm_avx512_vpclmul"](), ["sapphirerapids"])
            found = {one["method"]: one["cycles_per_byte"] for one in rows}
            self.assertLessEqual(found["llvm-mca"], 0.66, kernel.name)

    def test_loops(self):
        seen = set()
        for architecture, level, blocks in ((mca.X86, "avx512", 32), (mca.ARM, "neon", 8)):
            with self.subTest(level):
                files = self.files(architecture)
                known = {"LSH-256": 128, "LSH-512": 256}
                known |= {f"LSH-256, lanes {blocks // 2}": 64 * blocks, f"LSH-512, lanes {blocks // 4}": 64 * blocks}
                known |= {"LSH-256, paper 000, dual": 256, "LSH-512, paper 000": 256, "LSH-512, paper 000, dual": 512}
                known["LSH-256, paper 003, two"] = 256
                for kernel in (kernel.at(level) for kernel in mca.KERNELS):
                    if compiled := files.get(f"{kernel.file}_{level}"):
                        turn = mca.hot_loop(compiled(), architecture, kernel)
                        seen.add(kernel.name)
                        wanted = known.get(kernel.name, 16 * blocks if kernel.rounds else 128)
                        self.assertEqual(turn.bytes, wanted, kernel.name)
                        if "CTR" in kernel.name:  # three rotations of two groups in each round
                            name = "vprold" if architecture == mca.X86 else "sri"
                            count = sum(line.mnemonic == name for line in turn.lines)
                            self.assertEqual(count, 6 * kernel.rounds, kernel.name)
        self.assertLessEqual({kernel.name for kernel in mca.KERNELS if "paper" in kernel.name}, seen)

    def test_command(self):
        file = self.folder / "rows.json"
        words = ["mca", "--build", self.folder, "--json", file]
        words += ["--level", "avx512-vpclmul", "--level", "avx512", "--model", "tigerlake", "--against", self.folder]
        self.files(mca.X86)
        (self.folder / "summary.json").write_text(json.dumps(summary(TIGER_LAKE)), encoding="utf-8")
        gcm_and_parts = [one for one in mca.KERNELS if one.name in ("LEA-128-CTR", "GHASH", "LEA-128-GCM")]
        with mock.patch("sys.argv", [str(word) for word in words]), mock.patch("mca.KERNELS", gcm_and_parts):
            with contextlib.redirect_stdout(io.StringIO()) as out:
                self.assertEqual(mca.main(), 0)
        rows = json.loads(file.read_text(encoding="utf-8"))["rows"]
        self.assertEqual({one["kind"] for one in rows}, {"estimate"})
        self.assertEqual({one["method"] for one in rows}, {"llvm-mca", "port simulator"})
        self.assertEqual({one["published"]["cycles_per_byte"] for one in rows if one["published"]}, {3.03})
        lines = [line for line in out.getvalue().splitlines() if re.match(r"(LEA|GHASH).* tigerlake ", line)]
        self.assertEqual(len(lines), len(rows))
        ctr = [one for one in rows if one["kernel"] == "LEA-128-CTR"]
        self.assertEqual({one["measured"] for one in ctr}, {0.75})
        ratio = ctr[0]["cycles_per_byte_4096"] / 0.75
        self.assertTrue(any(line.endswith(f" 0.75 ({ratio:.2f}x)") for line in lines))
        self.assertRegex(out.getvalue(), r"(?m)^measured: .*Core of tests \(GenuineIntel, 6, 140\), tigerlake by its")
        self.assertTrue(all("estimate" in line for line in lines))


if __name__ == "__main__":
    unittest.main()
