#!/usr/bin/env python3
"""objects.py on functions whose machine code is known.

    objects_test.py [unittest arguments]      CXX names the compiler (default: g++)
"""

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "bench" / "driver" / "objects.py"
sys.path.insert(0, str(SCRIPT.parent))
import objects  # noqa: E402

CXX = os.environ.get("CXX", "g++").split()
X86 = platform.machine() in ("x86_64", "AMD64")
CROSS = "aarch64-linux-gnu-g++"
ARM = platform.machine() in ("aarch64", "arm64")

# The code is never run. NOTHING: 24 instructions that only `instructions` counts.
SHELL = r"""
#define ASM(text) __asm__ volatile(text)
#ifdef __aarch64__
#define NOTHING ".rept 24\n add x9, x9, 1\n .endr\n"
#define BRANCH "b.ne "
#else
#define NOTHING ".rept 24\n add $1, %rax\n .endr\n"
#define BRANCH "jne "
#endif
namespace hwacha {
void outside(int*);
namespace { LOCAL }
TEXT
void small(int* p) { *p = 1; }
}
namespace other { void long_one(int* p) { ASM(NOTHING); *p = 1; } }
namespace hwacha::bench { void adapter(int* p) { ASM(NOTHING); *p = 1; } }
"""

X86_VECTORS = r"""
void vectors(int* p) {
    ASM(NOTHING
        "paddd %xmm1, %xmm2\n pshufd $1, %xmm1, %xmm2\n pxor %xmm1, %xmm2\n aesenc %xmm1, %xmm2\n mulps (%rsp), %xmm2\n"
        "vpaddd %ymm1, %ymm2, %ymm3\n vpmovzxbd %xmm1, %ymm2\n vpermq $1, %ymm1, %ymm2\n"
        "vprold $3, %zmm1, %zmm2\n vpdpbusd %zmm1, %zmm2, %zmm3\n");
    ASM("movdqu (%rsp), %xmm1\n movaps %xmm1, %xmm2\n pinsrd $1, %eax, %xmm1\n vbroadcastss (%rsp), %xmm1\n"
        "vpbroadcastq %xmm1, %ymm2\n vextracti128 $1, %ymm1, %xmm2\n vmovdqu64 %zmm1, %zmm2\n"
        "pxor %xmm3, %xmm3\n vpxor %xmm3, %xmm3, %xmm4\n pcmpeqd %xmm3, %xmm3\n");
    ASM("movd %eax, %xmm1\n movq %xmm1, %rax\n movss (%rsp), %xmm1\n vmovsd (%rsp), %xmm1\n addsd %xmm1, %xmm2\n"
        "vfmadd213ss %xmm1, %xmm2, %xmm3\n cvtsi2sd %rax, %xmm1\n cvttss2si %xmm1, %eax\n ucomisd %xmm1, %xmm2\n"
        "kmovw %k1, %eax\n");
    *p = 1;
}
"""
X86_PACKED, X86_MOVES = {"xmm": 5, "ymm": 3, "zmm": 2}, 10

ARM_VECTORS = r"""
void vectors(int* p) {
    ASM(NOTHING
        "add v1.4s, v2.4s, v3.4s\n tbl v1.16b, {v2.16b}, v3.16b\n eor v1.8b, v2.8b, v3.8b\n addv s1, v2.4s\n"
        "shl v1.2d, v2.2d, 3\n mul v1.4s, v2.4s, v3.4s\n");
    ASM("ldr q1, [sp]\n str q1, [sp, -16]\n ld1 {v1.16b}, [sp]\n mov v1.16b, v2.16b\n movi v1.4s, 0\n dup v1.4s, w9\n"
        "umov w9, v1.s[1]\n");
    ASM("ldr d1, [sp]\n fmov x9, d1\n fadd d1, d2, d3\n");
    *p = 1;
}
"""
ARM_PACKED, ARM_MOVES = {"v": 6, "z": 0}, 7

CALLS = """
void once(int* p) { ASM(NOTHING); outside(p); outside(p + 1); ASM(NOTHING); }
void in_loop(int* p, int n) {
    outside(p);
    for (int i = 0; i < n; ++i) { ASM(NOTHING); outside(p + i); }
    ASM(NOTHING);
}
void indirect(int* p, int n, void (*f)(int*)) { for (int i = 0; i < n; ++i) { ASM(NOTHING); f(p + i); } *p = 2; }
"""
LOCAL = "__attribute__((noinline)) int local(int* p) { ASM(NOTHING); return *p; }"
USE_LOCAL = "int calls_local(int* p) { ASM(NOTHING); return local(p) + 1; }"
# A table and branches, so that addresses differ with what else is in the file.
SAME = """
static const int table[4] = {3, 5, 7, 9};
int same(const int* p, int n) {
    int sum = 0;
    for (int i = 0; i < n; ++i) { ASM(NOTHING); sum += table[p[i] & 3]; }
    return sum;
}
"""
BEFORE = "extern const int text[8]; const int text[8] = {1, 2, 3, 4, 5, 6, 7, 8}; const int* get() { return text + 1; }"
JUMP = r'void jump(int* p) { ASM("1:\n" NOTHING "2:\n" NOTHING BRANCH "1b\n"); *p = 1; }'


class ObjectsTest(unittest.TestCase):
    compiler, arm = CXX, ARM

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def made(self, name, text, local="", flags=("-O2",)):
        source, library = self.folder / f"{name}.cpp", self.folder / f"{name}.so"
        source.write_text(SHELL.replace("LOCAL", local).replace("TEXT", text), encoding="ascii")
        command = [*self.compiler, "-std=c++20", *flags, "-fPIC", "-shared", "-nostdlib", source, "-o", library]
        subprocess.run(command, check=True)
        return library

    def counted(self, name, text, **more):
        return {f["name"].split("(")[0]: f for f in objects.count(self.made(name, text, **more))["functions"]}


@unittest.skipUnless(X86 or ARM, "the code is for x86-64 or AArch64")
class Counts(ObjectsTest):
    def test_vector_instructions(self):
        for flags in (["-O2"], ["-O0"]):
            found = self.counted("vectors", ARM_VECTORS if self.arm else X86_VECTORS, flags=flags)["hwacha::vectors"]
            self.assertEqual(found["packed"], ARM_PACKED if self.arm else X86_PACKED)
            self.assertEqual(found["vector_moves"], ARM_MOVES if self.arm else X86_MOVES)
            self.assertGreater(found["instructions"], 40)
            self.assertEqual((found["calls"], found["calls_in_loops"]), (0, []))

    def test_calls(self):
        for flags in (["-O2"], ["-O0"]):
            found = self.counted("calls", CALLS, flags=flags)
            self.assertEqual(set(found), {"hwacha::once", "hwacha::in_loop", "hwacha::indirect"})
            self.assertEqual((found["hwacha::once"]["calls"], found["hwacha::once"]["calls_in_loops"]), (2, []))
            self.assertEqual(found["hwacha::in_loop"]["calls"], 2)
            self.assertEqual(found["hwacha::in_loop"]["calls_in_loops"], ["hwacha::outside(int*)"])
            self.assertEqual(found["hwacha::indirect"]["calls_in_loops"], ["indirect"])
            self.assertEqual(sum(found["hwacha::in_loop"]["packed"].values()), 0)

    def test_only_long_functions_of_the_namespace(self):
        made = self.made("names", USE_LOCAL, local=LOCAL)
        found = {f["name"]: f for f in objects.count(made)["functions"]}
        self.assertEqual(set(found), {"hwacha::calls_local(int*)", "hwacha::(anonymous namespace)::local(int*)"})
        self.assertEqual(found["hwacha::(anonymous namespace)::local(int*)"]["unit"], "names.cpp")
        self.assertIsNone(found["hwacha::calls_local(int*)"]["unit"])
        self.assertEqual(found["hwacha::calls_local(int*)"]["calls"], 1)
        self.assertIn("hwacha::small(int*)", {f["name"] for f in objects.count(made, least=1)["functions"]})

    def test_identical_functions(self):
        for flags in (["-O2"], ["-O0"]):
            plain = self.made("plain", SAME, flags=flags)
            moved = self.made("moved", BEFORE + CALLS + SAME, local=LOCAL, flags=flags)
            other = self.made("other", SAME.replace("& 3", "& 1"), flags=flags)
            report = objects.report({"one": plain, "two": moved, "three": other, "four": plain})
            self.assertEqual([m["module"] for m in report["modules"]], ["one", "two", "three", "four"])
            name = "hwacha::same(int const*, int)"
            expected = [[[a, name], [b, name]] for a, b in (("one", "two"), ("one", "four"), ("two", "four"))]
            self.assertEqual(report["identical"], expected)

    def test_branches_to_elsewhere_differ(self):
        report = objects.report({"one": self.made("one", JUMP), "two": self.made("two", JUMP.replace("1b", "2b"))})
        self.assertEqual([len(m["functions"]) for m in report["modules"]], [1, 1])
        self.assertEqual(report["identical"], [])

    def test_command(self):
        plain = self.made("plain", SAME)
        told = json.loads(subprocess.check_output([sys.executable, SCRIPT, plain, f"again={plain}"]))
        self.assertEqual([m["module"] for m in told["modules"]], ["plain", "again"])
        self.assertEqual(len(told["identical"]), 1)
        self.assertEqual(subprocess.run([sys.executable, SCRIPT], capture_output=True, check=False).returncode, 2)

    def test_what_cannot_be_read(self):
        text = self.folder / "text.so"
        text.write_text("no object")
        with self.assertRaises(ValueError):
            objects.count(text)
        with self.assertRaises(OSError):
            objects.count(self.folder / "absent.so")
        for path in (text, self.folder / "absent.so"):
            done = subprocess.run([sys.executable, SCRIPT, path], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (3, ""))
            self.assertIn(path.name, done.stderr)
        os.environ["OBJDUMP"] = "no-such-program"
        self.addCleanup(os.environ.pop, "OBJDUMP")
        with self.assertRaises(ValueError):
            objects.count(self.made("plain", SAME))


@unittest.skipUnless(shutil.which(CROSS) and not ARM, f"no {CROSS}")
class CountsForAArch64(Counts):
    compiler, arm = [CROSS], True


if __name__ == "__main__":
    unittest.main(verbosity=1)
