#!/usr/bin/env python3
"""Makes the compact known-answer files of this folder from the official ones.

    generate.py OFFICIAL            writes *.kat beside this script
    generate.py OFFICIAL --check    says which of them differ from what it would write (exit status 1)

OFFICIAL is a folder with lsh-cavp, lsh-kisa, lea-cavp and lea-kisa (README.md names their origin). Every value comes from
there: this script selects and renames, it computes nothing. README.md describes the format.
"""
import pathlib
import re
import sys

FORMAT = "hwacha known answers 1"
VERSION = "1"
HERE = pathlib.Path(__file__).resolve().parent

LSH_CAVP = "LSH validation files in KCMVP style, from ilwoong/MockupCrypto testvector/lsh"
LSH_KISA = "examples of KISA's LSH package (NSR), from sjnst217/KISA_LSH"
LEA_CAVP = "LEA validation files in KCMVP style, from mingiiiiiiii/MGCrypto blockcipher/testvector/LEA"
LEA_KISA = "KISA's LEA package, lea_vs.c, from koeuiseok/Crytpography"
MIT = "MIT"
NSR = "MIT-style (NSR 2016)"
NONE = "none stated; the numbers are the reference answers that KISA published for implementers"


def read(path):
    """The records of an official file as dictionaries."""
    text = path.read_text(encoding="ascii").replace("\r", "")
    records = []
    for group in re.split(r"\n\s*\n", text):
        lines = [line for line in group.split("\n") if line and not line.startswith("#")]
        fields = dict(re.fullmatch(r"(\w+) =(?: (\w*))?", line).groups() for line in lines)
        if fields:
            records.append({k: (v or "").lower() for k, v in fields.items()})
    return records


def kat(algorithm, sources, licences, records):
    header = {"format": FORMAT, "algorithm": algorithm, "source": "; ".join(sources), "licence": "; ".join(licences),
              "version": VERSION, "generator": "vectors/generate.py", "records": str(len(records))}
    return "\n".join("".join(f"{k} = {v}".rstrip() + "\n" for k, v in r.items()) for r in [header, *records])


def lsh(official, name):
    """Short messages around every boundary, some long ones, and KISA's messages of a number of bits."""
    _, core, bits = name.split("-")
    block = 128 if core == "256" else 256
    wanted = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 20, 31, 32, 33, 47, 48, 49, 63, 64, 65, 80, 95, 96, 97, 100, 111, 112, 113,
              120, 124, 125, 126, 127, 128}
    if block == 256:
        wanted |= {129, 160, 191, 192, 193, 224, 240, 248, 252, 253, 254, 255, 256}
    sources, licences, records = [LSH_CAVP], [MIT], []

    def add(r):
        records.append({"bits": r["Len"], "message": "" if r["Len"] == "0" else r["Msg"], "digest": r["MD"]})

    short = read(official / "lsh-cavp" / f"LSH{core}-{bits}_ShortMsg.txt")[1:]
    for r in short:
        if int(r["Len"]) // 8 in wanted:
            add(r)
    long_file = official / "lsh-cavp" / f"LSH{core}-{bits}_LongMsg.txt"
    if long_file.exists():
        chosen = read(long_file)[1:]
        for r in chosen[:6] + chosen[20:21] + chosen[40:41]:
            add(r)
    bit_file = official / "lsh-kisa" / f"{name}_bitlen.rsp"
    if bit_file.exists():
        sources, licences = sources + [LSH_KISA], licences + [NSR]
        for r in read(bit_file):
            size = (int(r["Len"]) + 7) // 8
            if size == 0:
                continue
            assert r["Msg"] == bytes(i & 0xFF for i in range(size)).hex()
            records.append({"bits": r["Len"], "pattern": "counting", "digest": r["MD"]})
    return kat(name, sources, licences, records)


def hmac(official, name):
    records = [{"key": r["Key"], "message": r["Msg"], "mac": r["Mac"]} for r in read(official / "lsh-kisa" / f"{name}.rsp")]
    return kat(name, [LSH_KISA], [NSR], records)


def lea(official, size, mode):
    """Every 12th of the one-block answers, all messages of several blocks, the first two Monte Carlo outputs."""
    stem = f"LEA-{size}_({mode})"

    def renamed(r, **more):
        out = {"key": r["KEY"]}
        if mode != "ECB":
            out["iv"] = r["IV"]
        return out | {"plaintext": r["PT"], "ciphertext": r["CT"]} | more

    cavp = official / "lea-cavp"
    records = [renamed(r) for r in read(cavp / f"{stem}_KAT.fax")[::12]]
    records += [renamed(r) for r in read(cavp / f"{stem}_MMT.fax")]
    records += [renamed(r) for r in read(official / "lea-kisa" / f"LEA{size}_{mode}_MMT.rsp")]
    records += [renamed(r, iterations="1000") for r in read(cavp / f"{stem}_MCT.fax")[:2]]
    return kat(f"LEA-{size}-{mode}", [LEA_CAVP, LEA_KISA], [MIT, NONE], records)


def lea_kisa(official, size, mode):
    """The modes of which only KISA published answers: all of them."""
    records = [{"key": r["KEY"], "iv": r["IV"], "plaintext": r["PT"], "ciphertext": r["CT"]}
               for r in read(official / "lea-kisa" / f"LEA{size}_{mode}_MMT.rsp")]
    return kat(f"LEA-{size}-{mode}", [LEA_KISA], [NONE], records)


def aead(official, size, mode, kind):
    records = [{"key": r["KEY"], "nonce": r["NONCE"], "aad": r["AAD"], "plaintext": r["PT"], "ciphertext": r["CT"],
                "tag": r["TAG"]} for r in read(official / "lea-kisa" / f"LEA{size}_{mode}_{kind}.rsp")]
    return kat(f"LEA-{size}-{mode}", [LEA_KISA], [NONE], records)


def cmac(official, size):
    records = [{"key": r["KEY"], "message": r["MSG"], "mac": r["TAG"]}
               for r in read(official / "lea-kisa" / f"LEA{size}_CMAC_GEN.rsp")]
    return kat(f"LEA-{size}-CMAC", [LEA_KISA], [NONE], records)


def everything(official):
    for name in ("LSH-256-224", "LSH-256-256", "LSH-512-224", "LSH-512-256", "LSH-512-384", "LSH-512-512"):
        yield name, lsh(official, name)
    for name in ("HMAC-LSH-256-256", "HMAC-LSH-512-512"):
        yield name, hmac(official, name)
    for size in (128, 192, 256):
        for mode in ("ECB", "CBC", "CTR"):
            yield f"LEA-{size}-{mode}", lea(official, size, mode)
        for mode in ("CFB128", "OFB"):
            yield f"LEA-{size}-{mode}", lea_kisa(official, size, mode)
        yield f"LEA-{size}-GCM", aead(official, size, "GCM", "AE")
        yield f"LEA-{size}-CCM", aead(official, size, "CCM", "GE")
        yield f"LEA-{size}-CMAC", cmac(official, size)


def main(arguments):
    if not arguments or arguments[1:] not in ([], ["--check"]) or arguments[0].startswith("-"):
        sys.exit(__doc__)
    different = 0
    for name, text in everything(pathlib.Path(arguments[0])):
        path = HERE / f"{name}.kat"
        if arguments[1:]:
            if not path.exists() or path.read_text(encoding="ascii") != text:
                print(f"differs: {path.name}")
                different = 1
        else:
            path.write_text(text, encoding="ascii", newline="\n")
    return different


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
