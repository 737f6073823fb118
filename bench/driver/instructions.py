#!/usr/bin/env python3
"""Instructions that a run executes, counted under valgrind: the same on every machine, whatever else it does.

    instructions.py SAMPLER MODULE [OPERATION:SIZE...]     prints JSON

Counts one run of every variant that valgrind can execute (it knows no AVX-512), for two sizes, so that the cost of a byte
comes out without that of a call: {"rows": [{"operation", "variant", "size", "instructions", "instructions_per_byte"}]}.
"""

import json
import re
import subprocess
import sys
import tempfile

DEFAULT = ("LSH-256-256:4096", "LSH-512-512:4096", "LEA-128-CTR:4096", "LEA-128-GCM:4096", "GHASH:4096")


class CountingFailed(Exception):
    pass


def valgrind(*arguments):
    """The whole output of a program under callgrind, which counts only inside the adapter's run."""
    with tempfile.NamedTemporaryFile(prefix="callgrind.") as out:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out.name}",
                   "--toggle-collect=hwacha_peer_run", *arguments]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except FileNotFoundError:
            raise CountingFailed("no valgrind (Debian: valgrind)") from None
    if done.returncode != 0:
        raise CountingFailed(f"{' '.join(arguments)}: {done.stderr.strip().splitlines()[-1:]}")
    return done.stdout, done.stderr


def count_run(sampler, module, operation, variant, size):
    _, report = valgrind(sampler, "--once", module, operation, variant, str(size))
    found = re.search(r"Collected *: *(\d+)", report)
    if not found or int(found.group(1)) == 0:
        raise CountingFailed(f"{operation} {variant}: valgrind counted nothing")
    return int(found.group(1))


def count(sampler, module, wanted=DEFAULT):
    listed, _ = valgrind(sampler, "--list", module)
    offered = json.loads(listed)[0]["operations"]
    rows = []
    for text in wanted:
        operation, size = text.rsplit(":", 1)
        variants = [o["variant"] for o in offered if o["operation"] == operation]
        if not variants:
            raise CountingFailed(f"{module} does not offer {operation}")
        for variant in variants:
            small, large = (count_run(sampler, module, operation, variant, n * int(size)) for n in (1, 2))
            rows.append({"operation": operation, "variant": variant, "size": int(size), "instructions": small,
                         "instructions_per_byte": (large - small) / int(size)})
    return {"rows": rows}


def main(arguments):
    if len(arguments) < 2 or arguments[0].startswith("-"):
        print(__doc__.strip())
        return 0 if arguments[:1] in (["-h"], ["--help"]) else 2
    try:
        print(json.dumps(count(arguments[0], arguments[1], arguments[2:] or DEFAULT), indent=1))
    except (CountingFailed, ValueError) as problem:
        print(f"instructions.py: {problem}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
