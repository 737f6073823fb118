#!/usr/bin/env python3
"""What the compiled objects of the library may contain.

check_kernel_objects.py OBJECT...            objects named <folder>/.../<file>.o, kernels in a folder isa/
check_kernel_objects.py --self-test COMPILER

A kernel object is compiled for processors that the caller may not have. It exports its table and nothing else: any weak
symbol in it could be the copy that the linker keeps for everybody, and any code before main would run everywhere.
Its instructions take the same time for all operands: no division, no gather.
Of all objects: no code before main, no IFUNC, and no memcmp where tags are compared.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Functions that a compiler may call of its own accord, in every process.
RUNTIME = {"memcpy", "memmove", "memset", "__stack_chk_fail", "__stack_chk_fail_local", "_GLOBAL_OFFSET_TABLE_"}
VERIFYING_FOLDERS = {"gcm", "mac", "modes", "kdf", "lea"}
COMPARISONS = {"memcmp", "bcmp", "strcmp", "strncmp"}

NM = os.environ.get("NM", "nm")
READELF = os.environ.get("READELF", "readelf")
OBJDUMP = os.environ.get("OBJDUMP", "objdump")
# x86: div, idiv, vpgatherdd and their like; AArch64: udiv, sdiv.
VARIABLE_TIME = re.compile(r"^\s+[0-9a-f]+:\s+(i?div[bwlq]?|[us]div|v?p?gather\w+)\b", re.M)


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def symbols(path):
    """(type letter of nm, name) of each symbol."""
    for line in run(NM, "--format=posix", str(path)).splitlines():
        name, letter = line.split()[:2]
        yield letter, name


def table_symbol(path):
    stem = path.name.split(".")[0]
    return f"_ZN6hwacha{len(stem)}{stem}E"


def problems_of(path):
    found = list(symbols(path))
    for letter, name in found:
        if "_GLOBAL__sub_I" in name or "__cxx_global_var_init" in name:
            yield f"static initialiser {name}"
        if letter == "i":
            yield f"IFUNC {name}"
    for line in run(READELF, "--wide", "--sections", str(path)).splitlines():
        for section in (".init_array", ".preinit_array", ".ctors"):
            if section in line and ".rela" not in line:
                yield f"static initialiser: section {section}"

    if VERIFYING_FOLDERS & set(path.parts[:-1]):
        for letter, name in found:
            if letter in "Uw" and name.split("@")[0] in COMPARISONS:
                yield f"calls {name}: tags are compared in constant time"

    if "isa" not in path.parts:
        return
    exported = [(letter, name) for letter, name in found if letter.isupper() and letter not in "UWV"]
    if [name for _, name in exported] != [table_symbol(path)]:
        names = ", ".join(name for _, name in exported) or "nothing"
        yield f"exports {names}; it should be {table_symbol(path)} alone"
    for letter, name in found:
        if letter in "WVuwv":
            yield f"weak symbol {name}"
        if letter == "U" and name not in RUNTIME:
            yield f"needs {name} from outside"
    for mnemonic in sorted(set(VARIABLE_TIME.findall(run(OBJDUMP, "-d", "--no-show-raw-insn", str(path))))):
        yield f"variable-time instruction {mnemonic}"


def problems(paths):
    return [f"{path}: {what}" for path in paths for what in problems_of(pathlib.Path(path))]


def self_test(compiler):
    table = "namespace hwacha { struct t { int (*f)(int); }; extern const t alg_x; "
    cases = [
        ("alg/isa/alg_x.cpp", table + "static int f(int a) { return a; } const t alg_x = {f}; }", None),
        ("alg/other.cpp", "int one() { return 1; } int two() { return 2; }", None),
        ("alg/isa/alg_x.cpp", table + "inline int f(int a) { return a; } const t alg_x = {f}; }", "weak symbol"),
        ("alg/isa/alg_x.cpp", table + "template <class T> T f(T a) { return a; } const t alg_x = {f<int>}; }", "weak symbol"),
        ("alg/isa/alg_x.cpp", table + "int g(int); static int f(int a) { return g(a); } const t alg_x = {f}; }", "from outside"),
        ("alg/isa/alg_x.cpp", table + "int f(int a) { return a; } const t alg_x = {f}; }", "exports"),
        ("alg/isa/alg_x.cpp", table + "static int f(int a) { return 100 / a; } const t alg_x = {f}; }", "variable-time"),
        ("alg/isa/alg_y.cpp", table + "static int f(int a) { return a; } const t alg_x = {f}; }", "exports"),
        ("alg/isa/alg_x.cpp", table + "int g(); volatile int v; static int h() { return v; } static int s = h();"
         " static int f(int a) { return a + s; } const t alg_x = {f}; }", "static initialiser"),
        ("alg/other.cpp", "int g(); static int s = g(); int one() { return s; }", "static initialiser"),
        ("gcm/open.cpp", '#include <string.h>\nbool f(const char* a, const char* b, size_t n) { return memcmp(a, b, n) == 0; }',
         "constant time"),
        ("alg/other.cpp", 'extern "C" { int one() { return 1; } int (*pick())() { return one; } int f() __attribute__((ifunc("pick"))); }',
         "IFUNC"),
    ]
    failures = []
    for flags in ("-O0", "-O2"):
        for number, (name, text, wanted) in enumerate(cases):
            with tempfile.TemporaryDirectory() as folder:
                source = pathlib.Path(folder, name)
                source.parent.mkdir(parents=True)
                source.write_text(text, encoding="utf-8")
                made = source.with_suffix(".cpp.o")
                run(compiler, "-std=c++20", "-fPIC", flags, "-c", str(source), "-o", str(made))
                found = problems([made])
            if wanted is None and found:
                failures.append(f"case {number} {flags} is good, but: {found}")
            elif wanted is not None and not any(wanted in line for line in found):
                failures.append(f"case {number} {flags} should be flagged with '{wanted}', got {found}")
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--self-test", metavar="COMPILER")
    parser.add_argument("objects", nargs="*")
    options = parser.parse_args()
    if options.self_test:
        lines = self_test(options.self_test)
        print("\n".join(lines) or "the checker flags what it must")
    else:
        kernels = [name for name in options.objects if "/isa/" in name]
        lines = problems(options.objects)
        if not kernels:
            lines.append("no kernel object was given")
        print("\n".join(lines) or f"{len(options.objects)} objects, {len(kernels)} of them kernels: all as they should be")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
