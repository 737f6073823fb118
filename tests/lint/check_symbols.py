#!/usr/bin/env python3
"""The exported symbols of the shared library are the committed list, and its C functions are those of hwacha.h.

check_symbols.py [--update] LIBRARY ROOT
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

NM = os.environ.get("NM", "nm")
READELF = os.environ.get("READELF", "readelf")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def exported(library):
    """Demangled names, without the version's own symbol."""
    lines = (line.split() for line in run(NM, "-D", "--defined-only", "--format=posix", library).splitlines())
    mangled = [words[0].split("@")[0] for words in lines if words[1] != "A"]
    # Not nm's own -C: LLVM's nm has none in this format.
    return set(run("c++filt", *mangled).splitlines())


def declared(header):
    text = re.sub(r"/\*.*?\*/", "", header.read_text(encoding="utf-8"), flags=re.DOTALL)
    return set(re.findall(r"\b(hwacha_\w+)\s*\(", " ".join(re.findall(r"HWACHA_API\b([^;]*);", text))))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="write the list instead of comparing with it")
    parser.add_argument("library")
    parser.add_argument("root", type=pathlib.Path)
    options = parser.parse_args()

    names = exported(options.library)
    listing = options.root / "tests/lint/exported_symbols.txt"
    if options.update:
        listing.write_text("".join(f"{name}\n" for name in sorted(names)), encoding="utf-8")
    listed = set(listing.read_text(encoding="utf-8").splitlines()) if listing.is_file() else set()
    lines = [f"exported, but not in {listing.name}: {name}" for name in sorted(names - listed)]
    lines += [f"in {listing.name}, but not exported: {name}" for name in sorted(listed - names)]

    functions = {name for name in names if "::" not in name}
    in_header = declared(options.root / "include/hwacha/hwacha.h")
    lines += [f"exported, but not declared in hwacha.h: {name}" for name in sorted(functions - in_header)]
    lines += [f"declared in hwacha.h, but not exported: {name}" for name in sorted(in_header - functions)]
    lines += [f"not of this library: {name}" for name in sorted(names) if not re.match(r"hwacha_|(\w+ (name )?for )?hwacha::", name)]
    if "IRELATIV" in run(READELF, "--wide", "--relocs", options.library):
        lines.append("the library has IRELATIVE relocations (an IFUNC)")
    print("\n".join(lines) or f"{len(names)} exported symbols, {len(functions)} of them C functions: as listed")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
