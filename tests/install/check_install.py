#!/usr/bin/env python3
"""Installs the built library into a scratch folder, moves it, and uses it in every way that README.md offers.

check_install.py STEP SCRATCH; the steps are the functions step_* below, `prepare` first. The environment tells the rest:
HWACHA_BUILD, HWACHA_SOURCE, CMAKE, CC, CXX, LAUNCHER (may be empty).
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

BUILD = pathlib.Path(os.environ["HWACHA_BUILD"])
SOURCE = pathlib.Path(os.environ["HWACHA_SOURCE"])
CMAKE, CC, CXX = os.environ["CMAKE"], os.environ["CC"], os.environ["CXX"]
LAUNCHER = os.environ.get("LAUNCHER", "")
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wno-sign-conversion", "-Wshadow", "-Werror"]

EXAMPLE = re.compile(r"^<!-- example: (\S+) -->\n+```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run(*command, **options):
    print("+", *command, flush=True)
    return subprocess.run([str(word) for word in command], check=True, **options)


def output(*command, **options):
    return run(*command, stdout=subprocess.PIPE, text=True, **options).stdout


def extract_examples(readme, folder):
    folder.mkdir(parents=True)
    for name, language, text in EXAMPLE.findall(readme.read_text(encoding="utf-8")):
        if not name.endswith("." + language):
            sys.exit(f"{readme.name}: the example {name} is marked as {language}")
        (folder / name).write_text(text, encoding="utf-8")
    for kind in ("*.cpp", "*.c"):
        if not list(folder.glob(kind)):
            sys.exit(f"{readme.name} has no example {kind}: <!-- example: NAME --> on the line before a fenced block")


class Scratch:
    def __init__(self, folder):
        self.root = folder
        self.examples = folder / "examples"
        self.prefix = folder / "moved here"

    def environment(self):
        libraries = next(self.prefix.glob("lib*/**/libhwacha.so")).parent
        return {
            **os.environ,
            "PKG_CONFIG_PATH": str(next(self.prefix.glob("lib*/**/hwacha.pc")).parent),
            "LD_LIBRARY_PATH": str(libraries),
        }

    def use_with_cmake(self, name, *arguments):
        build = self.root / name
        shutil.rmtree(build, ignore_errors=True)
        run(CMAKE, "-G", "Ninja", "-S", SOURCE / "tests/install/consumer", "-B", build, f"-DEXAMPLES={self.examples}",
            f"-DCMAKE_C_COMPILER={CC}", f"-DCMAKE_CXX_COMPILER={CXX}", f"-DCMAKE_C_COMPILER_LAUNCHER={LAUNCHER}",
            f"-DCMAKE_CXX_COMPILER_LAUNCHER={LAUNCHER}", "-DCMAKE_BUILD_TYPE=Release", *arguments)
        run(CMAKE, "--build", build, "--parallel", "2")
        for example in sorted(self.examples.iterdir()):
            run(build / example.stem)
        return build


def step_prepare(scratch):
    shutil.rmtree(scratch.root, ignore_errors=True)
    scratch.root.mkdir(parents=True)
    run(CMAKE, "--install", BUILD, "--prefix", scratch.root / "first", stdout=subprocess.DEVNULL)
    (scratch.root / "first").rename(scratch.prefix)
    extract_examples(SOURCE / "README.md", scratch.examples)
    for text in [*scratch.prefix.rglob("*.cmake"), *scratch.prefix.rglob("*.pc")]:
        for path in (BUILD, SOURCE, scratch.root):
            if str(path) in text.read_text(encoding="utf-8"):
                sys.exit(f"{text.name} names {path}: it could not be moved")


def step_static(scratch):
    build = scratch.use_with_cmake("static", f"-DCMAKE_PREFIX_PATH={scratch.prefix}", "-DUSE=hwacha::hwacha-static")
    if "libhwacha" in output("readelf", "-d", build / next(scratch.examples.iterdir()).stem):
        sys.exit("the static example needs the shared library")


def step_shared(scratch):
    build = scratch.use_with_cmake("shared", f"-DCMAKE_PREFIX_PATH={scratch.prefix}", "-DUSE=hwacha::hwacha-shared")
    if "libhwacha.so.0" not in output("readelf", "-d", build / next(scratch.examples.iterdir()).stem):
        sys.exit("the shared example does not need libhwacha.so.0")


def step_default(scratch):
    for shared in ("OFF", "ON"):
        scratch.use_with_cmake("default", f"-DCMAKE_PREFIX_PATH={scratch.prefix}", f"-DBUILD_SHARED_LIBS={shared}")


def step_version(scratch):
    """A version that was not promised to fit is refused."""
    for version, good in (("0.1", True), ("0.2", False), ("1.0", False), ("0.0", False)):
        build = scratch.root / "version"
        shutil.rmtree(build, ignore_errors=True)
        done = subprocess.run(
            [CMAKE, "-G", "Ninja", "-S", SOURCE / "tests/install/consumer", "-B", build, f"-DCMAKE_PREFIX_PATH={scratch.prefix}",
             f"-DEXAMPLES={scratch.examples}", f"-DVERSION={version}", f"-DCMAKE_C_COMPILER={CC}", f"-DCMAKE_CXX_COMPILER={CXX}"],
            capture_output=True, check=False)
        if (done.returncode == 0) != good:
            sys.exit(f"find_package(hwacha {version}): status {done.returncode}\n{done.stderr.decode()}")


def step_pkgconfig(scratch):
    environment = scratch.environment()
    for example in sorted(scratch.examples.iterdir()):
        compiler = [CXX, "-std=c++20"] if example.suffix == ".cpp" else [CC, "-std=c11"]
        for kind in ([], ["-static"]):
            query = ["pkg-config", "--cflags", "--libs", *(["--static"] if kind else []), "hwacha"]
            # The folder's name holds a blank, so pkg-config's escapes must be read as a shell reads them.
            flags = output("sh", "-c", 'for word in ' + output(*query, env=environment).strip() + '; do echo "$word"; done').splitlines()
            program = scratch.root / f"{example.stem}-pkgconfig"
            run(*compiler, *kind, example, "-o", program, *flags, env=environment)
            run(program, env=environment)


def step_subdirectory(scratch):
    build = scratch.use_with_cmake("subdirectory", f"-DHWACHA_SOURCE={SOURCE}",
                                   "-DHWACHA_DISABLE_ISAS=ssse3;avx2;avx2-vpclmul;avx512;avx512-vpclmul;neon")
    unwanted = [str(path) for pattern in ("**/hwacha_tests", "**/lshsum", "**/hwacha.pc") for path in build.glob(pattern)]
    if unwanted:
        sys.exit(f"as a part of another project, hwacha also makes {unwanted}")


def step_c_only(scratch):
    """A project without C++ links the shared library."""
    for example in scratch.examples.glob("*.c"):
        build = scratch.root / "c_only"
        shutil.rmtree(build, ignore_errors=True)
        run(CMAKE, "-G", "Ninja", "-S", SOURCE / "tests/install/consumer", "-B", build, "-DONLY_C=ON", f"-DEXAMPLES={scratch.examples}",
            f"-DCMAKE_PREFIX_PATH={scratch.prefix}", f"-DCMAKE_C_COMPILER={CC}", "-DUSE=hwacha::hwacha-shared")
        run(CMAKE, "--build", build)
        run(build / example.stem)


def step_headers(scratch):
    """Every public header compiles alone, and twice; hwacha.h as C and as C++."""
    folder = scratch.root / "headers"
    folder.mkdir(exist_ok=True)
    include = scratch.prefix / "include"
    for header in sorted((include / "hwacha").iterdir()):
        ways = [("cpp", [CXX, "-std=c++20"])]
        if header.suffix == ".h":
            ways += [("c", [CC, "-std=c11"]), ("cpp", [CXX, "-std=c++11"])]
        for suffix, compiler in ways:
            source = folder / f"{header.stem}.{suffix}"
            source.write_text(f"#include <hwacha/{header.name}>\n" * 2 + "extern int unused;\n", encoding="utf-8")
            run(*compiler, *WARNINGS, "-fsyntax-only", "-I", include, source)


def step_tool(scratch):
    programs = scratch.prefix / "bin"
    if "hwacha" not in output(programs / "hwacha", "--version"):
        sys.exit("hwacha --version does not say what it is")
    if output(programs / "lshsum", SOURCE / "README.md") != output(programs / "hwacha", "sum", SOURCE / "README.md"):
        sys.exit("lshsum is not hwacha sum")


def main():
    step, folder = sys.argv[1:]
    try:
        globals()["step_" + step](Scratch(pathlib.Path(folder)))
    except subprocess.CalledProcessError as error:
        sys.exit(f"{step}: status {error.returncode}")


if __name__ == "__main__":
    main()
