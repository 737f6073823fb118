#!/usr/bin/env python3
"""The repository names no folder of anybody's machine, and its sources are ASCII.

check_tree.py ROOT
"""
import pathlib
import re
import subprocess
import sys

SOURCES = {".cpp", ".hpp", ".c", ".h", ".def", ".in", ".cmake", ".py", ".sh", ".map", ".json"}
OWN_FOLDERS = re.compile(r"(?<![\w.$}*/~-])/(home|root|Users|mnt|media|srv|work|workspace|builds?|farm)/[\w.]")
LARGEST = 4 << 20


def files(root):
    listing = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"], capture_output=True, check=False
    )
    if listing.returncode == 0:
        yield from (root / name for name in listing.stdout.decode().split("\0") if name)
    else:  # a source archive
        yield from (path for path in root.rglob("*") if not {"build", ".git", "__pycache__"} & set(path.relative_to(root).parts))


def main():
    root = pathlib.Path(sys.argv[1])
    lines = []
    for path in sorted(files(root)):
        name = path.relative_to(root)
        if not path.is_file() or path.stat().st_size > LARGEST:
            continue
        data = path.read_bytes()
        if b"\0" in data:
            continue
        text = data.decode("utf-8", "replace")
        is_source = path.suffix in SOURCES or name.name == "CMakeLists.txt" or data.startswith(b"#!")
        for number, line in enumerate(text.splitlines(), 1):
            if OWN_FOLDERS.search(line):
                lines.append(f"{name}:{number}: a path of one machine: {line.strip()[:100]}")
            if is_source and not line.isascii():
                lines.append(f"{name}:{number}: not ASCII: {ascii(line.strip()[:100])}")
    print("\n".join(lines) or "the tree is clean")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
