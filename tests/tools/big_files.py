#!/usr/bin/env python3
"""B06: sizes at which 32-bit counters of bits and bytes overflow.

A sparse file, read by name with the kernel in use, must have the digest that standard input gives with the portable
kernel.

    big_files.py TOOL
"""

import os
import subprocess
import sys
import tempfile


def digest(tool, args, cap=None, **streams):
    environment = {k: v for k, v in os.environ.items() if k != "HWACHA_CPU"}
    if cap:
        environment["HWACHA_CPU"] = cap
    return subprocess.run(
        [tool, "sum", *args], env=environment, stdout=subprocess.PIPE, check=True, **streams
    ).stdout.split()[0]


def main():
    tool = os.path.abspath(sys.argv[1])
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "sparse")
        for size in (2**29 - 1, 2**29, 2**29 + 1, 2**32, 2**32 + 1):
            with open(path, "wb") as file:
                file.truncate(size)
            by_name = digest(tool, [path])
            with open(path, "rb") as file:
                by_stdin = digest(tool, [], "portable", stdin=file)
            same = by_name == by_stdin
            failures += not same
            verdict = "same" if same else f"but {by_stdin.decode()} from standard input"
            print(f"{size} bytes: {by_name.decode()} {verdict}", flush=True)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
