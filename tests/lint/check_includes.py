#!/usr/bin/env python3
"""Includes point down, never across an algorithm, and nobody includes from below the waist (docs/ARCHITECTURE.md).

check_includes.py ROOT       checks src/ and tools/ of the repository
check_includes.py --self-test
"""
import pathlib
import re
import sys
import tempfile

# What may be included above the waist: a folder of src/ -> other folders of src/. Public headers count as the folder that
# implements them, so that base cannot reach an algorithm through <hwacha/...> either.
ABOVE = {
    "base": "",
    "cpu": "base",
    "lsh": "base cpu",
    "lea": "base cpu",
    "ghash": "base cpu",
    "gcm": "base cpu lea ghash",
    "mac": "base cpu lsh lea",
    "kdf": "base cpu lsh lea mac batch pool",
    "modes": "base cpu lea",
    "pool": "base",
    "batch": "base cpu lsh lea ghash gcm mac pool",
    "api": "base cpu lsh lea ghash gcm mac modes kdf pool batch",
}
PUBLIC = {
    "hwacha/hwacha.h": "",
    "hwacha/export.h": "",
    "hwacha/bytes.hpp": "",
    "hwacha/status.hpp": "",
    "hwacha/random.hpp": "base",
    "hwacha/kdf.hpp": "kdf",
    "hwacha/cpu.hpp": "cpu",
    "hwacha/lsh.hpp": "lsh",
    "hwacha/executor.hpp": "pool",
    "hwacha/lsh_batch.hpp": "batch",
    "hwacha/lea_batch.hpp": "batch",
    "hwacha/hmac_lsh.hpp": "mac",
    "hwacha/cmac_lea.hpp": "mac",
    "hwacha/gmac_lea.hpp": "gcm",
    "hwacha/lea.hpp": "lea",
    "hwacha/lea_gcm.hpp": "gcm",
    "hwacha/lea_ccm.hpp": "modes",
    "hwacha/lea_modes.hpp": "modes",
    "hwacha/selftest.hpp": "api",
    "hwacha/hwacha.hpp": "api",
}
# What `hwacha bench` uses of bench/.
MEASURING = {"core/sampler.hpp", "stats/quantiles.hpp"}
# Kernels that interleave two algorithms: what of them their own folder may include below the waist.
MEETS = {"gcm": ("lea/blocks.inl.hpp", "ghash/clmul.inl.hpp", "ghash/messages.inl.hpp", "ghash/kernels.hpp")}
ALGORITHMS = {"lsh", "lea", "ghash", "gcm"}

# Below the waist no C++ library: its inline functions would be compiled with a kernel's flags and merged with others'.
KERNEL_SYSTEM = {"stddef.h", "stdint.h", "string.h", "immintrin.h", "tmmintrin.h", "emmintrin.h", "wmmintrin.h", "arm_neon.h"}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)


def is_kernel_text(path):
    """Is src/`path` compiled into kernel objects (or only there)?"""
    return (
        path.parts[0] == "simd"
        or "isa" in path.parts
        or path.name.endswith(".inl.hpp")
        or path.name == "definition.hpp"
    )


def why_not_from_kernel(path, quoted, target):
    folder = path.parts[0]
    if not quoted:
        return None if target in KERNEL_SYSTEM else "below the waist only C's basic headers and intrinsics"
    if target.startswith("simd/") or target == "cpu/levels.hpp":
        return None
    if folder == "simd":
        return "the vocabulary includes only itself"
    if target in MEETS.get(folder, ()):
        return None
    own = re.fullmatch(folder + r"/([^/]+\.inl\.hpp|kernels\.hpp|definition\.hpp)", target)
    return None if own else "below the waist only simd/ and the kernels.hpp, definition.hpp and *.inl.hpp of the same algorithm"


def why_not_from_above(path, quoted, target):
    folder = path.parts[0]
    if target.startswith("hwacha/"):
        if target not in PUBLIC:
            return "no row for this public header in check_includes.py"
        owner = PUBLIC[target]
    elif not quoted:
        return None
    else:
        owner = target.split("/")[0]
        name = target.split("/")[-1]
        if owner == "simd":
            return "the vector vocabulary is for kernels only"
        if owner != folder and (name == "kernels.hpp" or name.endswith(".inl.hpp") or name == "definition.hpp"):
            return f"{owner}'s kernels are its own; include its tables or its public header"
    if folder not in ABOVE:
        return f"no row for src/{folder} in check_includes.py"
    if owner in ("", folder) or owner in ABOVE[folder].split():
        return None
    return f"{folder} may include {ABOVE[folder] or 'nothing of src/'}, not {owner}"


def problems(root):
    for file in sorted((root / "src").rglob("*")):
        if file.suffix not in (".cpp", ".hpp", ".h", ".def"):
            continue
        path = file.relative_to(root / "src")
        for bracket, target in INCLUDE.findall(file.read_text(encoding="utf-8")):
            quoted = bracket == '"'
            if quoted and not (root / "src" / target).is_file():
                why = "not a file of src/: write the path from src/"
            elif "/isa/" in target:
                why = "nothing includes a kernel file"
            elif path.parts[0] in ALGORITHMS and path.name == "kernels.hpp":
                fits = target in ("cpu/levels.hpp", "stddef.h", "stdint.h")
                fits = fits or (target.endswith("/kernels.hpp") and target in MEETS.get(path.parts[0], ()))
                why = None if fits else "a kernels.hpp is plain types over cpu/levels.hpp"
            elif is_kernel_text(path):
                why = why_not_from_kernel(path, quoted, target)
            else:
                why = why_not_from_above(path, quoted, target)
            if why:
                yield f"src/{path}: includes {target}: {why}"
    for file in sorted((root / "tools").rglob("*")):
        if file.suffix not in (".cpp", ".hpp", ".h"):
            continue
        for bracket, target in INCLUDE.findall(file.read_text(encoding="utf-8")):
            own = (file.parent / target).is_file() or (root / "tools" / target).is_file()
            if bracket == '"' and not own and target not in MEASURING:
                yield f"{file.relative_to(root)}: includes {target}: tools use their own headers and <hwacha/...> only"


def self_test():
    good = {
        "src/base/bytes.hpp": "#include <hwacha/bytes.hpp>\n#include <bit>\n",
        "src/cpu/levels.hpp": "#include <stdint.h>\n",
        "src/lsh/kernels.hpp": '#include <stddef.h>\n#include "cpu/levels.hpp"\n',
        "src/lsh/definition.hpp": "#include <stdint.h>\n",
        "src/lsh/rows.inl.hpp": '#include "lsh/definition.hpp"\n#include "simd/vec.hpp"\n',
        "src/lsh/isa/lsh256_avx2.cpp": '#include "lsh/kernels.hpp"\n#include "lsh/rows.inl.hpp"\n#include "simd/vec.hpp"\n',
        "src/lsh/lsh.cpp": '#include <hwacha/lsh.hpp>\n#include "base/bytes.hpp"\n#include "lsh/kernels.hpp"\n',
        "src/simd/vec.hpp": "#include <immintrin.h>\n#include <string.h>\n",
        "src/gcm/gcm.cpp": "#include <hwacha/lea.hpp>\n",
        "src/lea/isa/lea_avx2.cpp": "#include <stdint.h>\n",
        "tools/main.cpp": '#include <hwacha/hwacha.hpp>\n#include "sum.hpp"\n',
        "tools/sum.hpp": "",
    }
    bad = {
        "a kernel with the C++ library": ("src/lsh/isa/lsh256_avx2.cpp", "#include <array>\n"),
        "a kernel with a base header": ("src/lsh/isa/lsh256_avx2.cpp", '#include "base/bytes.hpp"\n'),
        "a kernel of another algorithm": ("src/lea/isa/lea_avx2.cpp", '#include "lsh/rows.inl.hpp"\n'),
        "a fused kernel with a third algorithm": ("src/gcm/isa/lea_gcm_avx2.cpp", '#include "lsh/rows.inl.hpp"\n'),
        "the vocabulary above the waist": ("src/lsh/lsh.cpp", '#include "simd/vec.hpp"\n'),
        "the vocabulary with an algorithm": ("src/simd/vec.hpp", '#include "lsh/kernels.hpp"\n'),
        "a kernel file included": ("src/lsh/lsh.cpp", '#include "lsh/isa/lsh256_avx2.cpp"\n'),
        "foreign kernels.hpp": ("src/gcm/gcm.cpp", '#include "lsh/kernels.hpp"\n'),
        "base with an algorithm": ("src/base/bytes.hpp", "#  include <hwacha/lsh.hpp>\n"),
        "across algorithms": ("src/lea/lea.cpp", "#include <hwacha/lsh.hpp>\n"),
        "a header by its bare name": ("src/lsh/lsh.cpp", '#include "kernels.hpp"\n'),
        "kernels.hpp with the C++ library": ("src/lsh/kernels.hpp", "#include <span>\n"),
        "a folder without a row": ("src/new/new.cpp", '#include "base/bytes.hpp"\n'),
        "a tool with the library's inside": ("tools/main.cpp", '#include "lsh/kernels.hpp"\n'),
    }

    def found(files):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            return list(problems(root))

    failures = [f"the good tree: {line}" for line in found(good)]
    for title, (name, text) in bad.items():
        if len(found({**good, name: text})) != 1:
            failures.append(f"not flagged exactly once: {title}")
    return failures


def main():
    lines = self_test() if sys.argv[1:] == ["--self-test"] else list(problems(pathlib.Path(sys.argv[1])))
    print("\n".join(lines) or "includes: all as they should be")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
