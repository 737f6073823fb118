#!/usr/bin/env python3
"""Counts what test runs reported.

results.py count LOG        "passed failed" of one log: ctest's Testing/Temporary/LastTest.log or a test program's own output
results.py tables LOG...    one line per algorithm and level with the number of checks, added over the logs

A ctest test that is a GoogleTest program counts as its test cases, any other as one. The lines looked for are GoogleTest's
summary and the test program's `tables: ALGORITHM LEVEL CHECKS`.
"""
import collections
import pathlib
import re
import sys

BLOCK = re.compile(r"^\d+/\d+ Testing: (.*)$", re.MULTILINE)
PASSED = re.compile(r"^\[  PASSED  \] (\d+) tests?\.", re.MULTILINE)
FAILED = re.compile(r"^\[  FAILED  \] (\d+) tests?, listed below", re.MULTILINE)
TABLES = re.compile(r"^tables: (.+) (\S+) (\d+)\s*$", re.MULTILINE)
COLOUR = re.compile(r"\x1b\[[0-9;]*[mK]")


def total(pattern, text):
    return sum(int(number) for number in pattern.findall(text))


def count(text):
    pieces = BLOCK.split(text)
    if len(pieces) == 1:
        return total(PASSED, text), total(FAILED, text)
    passed = failed = 0
    for block in pieces[2::2]:
        good = re.search(r"^Test Passed\.$", block, re.MULTILINE) is not None
        cases, bad = total(PASSED, block), total(FAILED, block)
        if not cases and not bad:
            cases, bad = (1, 0) if good else (0, 1)
        elif not good and not bad:  # it died, or refused what ran
            bad = 1
        passed += cases
        failed += bad
    return passed, failed


def main():
    what, *logs = sys.argv[1:]
    texts = [COLOUR.sub("", pathlib.Path(log).read_text(encoding="utf-8", errors="replace")) for log in logs]
    if what == "count":
        print(*map(sum, zip(*map(count, texts))))
    elif what == "tables":
        checks = collections.Counter()
        for text in texts:
            for algorithm, level, number in TABLES.findall(text):
                checks[algorithm, level] += int(number)
        for (algorithm, level), number in checks.items():
            print(f"{algorithm}\t{level}\t{number}")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
