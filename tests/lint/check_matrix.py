#!/usr/bin/env python3
"""The table 'Which kernel where' of README.md is what src/cpu/levels.def and the files src/*/isa/ say.

    check_matrix.py [--update] [REPOSITORY]     exit 1 if they differ; --update rewrites the table
"""
import pathlib
import re
import sys

ALGORITHMS = (
    ("LSH-256", "lsh", "lsh256"),
    ("LSH-512", "lsh", "lsh512"),
    ("LSH-256 lanes", "lsh", "lsh256_lanes"),
    ("LSH-512 lanes", "lsh", "lsh512_lanes"),
    ("LEA", "lea", "lea"),
    ("GHASH", "ghash", "ghash"),
    ("LEA-GCM", "gcm", "lea_gcm"),
)
BEGIN, END = "<!-- matrix: begin", "<!-- matrix: end -->"


def matrix(root):
    rows = re.findall(r'^HWACHA_LEVEL\((\w+), +"([^"]+)"', (root / "src/cpu/levels.def").read_text(), re.M)
    if not rows:
        sys.exit("src/cpu/levels.def: no levels found")
    known = {f.stem for f in root.glob("src/*/isa/*.cpp")}
    wanted = {f"{stem}_{level}" for _, _, stem in ALGORITHMS for level, _ in rows}
    if known - wanted:
        sys.exit(f"files of no known algorithm and level: {', '.join(sorted(known - wanted))}")
    lines = ["| | " + " | ".join(name for _, name in rows) + " |", "|---" * (len(rows) + 1) + "|"]
    for algorithm, folder, stem in ALGORITHMS:
        marks = ["yes" if (root / f"src/{folder}/isa/{stem}_{level}.cpp").exists() else "" for level, _ in rows]
        lines.append(f"| {algorithm} | " + " | ".join(marks) + " |")
    return "\n".join(lines)


def main():
    words = [w for w in sys.argv[1:] if w != "--update"]
    root = pathlib.Path(words[0]) if words else pathlib.Path(__file__).resolve().parents[2]
    readme = root / "README.md"
    text = readme.read_text()
    start = text.index("\n", text.index(BEGIN)) + 1
    end = text.index(END)
    wanted = matrix(root) + "\n"
    if text[start:end] == wanted:
        return 0
    if "--update" in sys.argv:
        readme.write_text(text[:start] + wanted + text[end:])
        return 0
    print("README.md: the kernel table differs from the sources; run tests/lint/check_matrix.py --update", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
