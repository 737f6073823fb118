#!/usr/bin/env python3
"""CMakeLists.txt, the top entry of CHANGELOG.md and hwacha_version() name the same version.

check_versions.py ROOT [LIBRARY]
"""
import ctypes
import pathlib
import re
import sys


def first(pattern, path):
    match = re.search(pattern, path.read_text(encoding="utf-8"), re.MULTILINE) if path.is_file() else None
    return match[1] if match else "none"


def main():
    root = pathlib.Path(sys.argv[1])
    versions = {
        "CMakeLists.txt": first(r"^project\([^)]*?\bVERSION\s+([0-9.]+)", root / "CMakeLists.txt"),
        "CHANGELOG.md": first(r"^## \[?v?([0-9]+\.[0-9]+\.[0-9]+)", root / "CHANGELOG.md"),
    }
    if len(sys.argv) > 2:
        library = ctypes.CDLL(sys.argv[2])
        library.hwacha_version.restype = ctypes.c_char_p
        versions["hwacha_version()"] = library.hwacha_version().decode()
    print(", ".join(f"{where}: {version}" for where, version in versions.items()))
    return 0 if len(set(versions.values())) == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
