#!/usr/bin/env python3
"""Makes the known-answer files of this folder for which no official answers exist: key derivation with LSH and LEA, GMAC.

    derive.py             writes them beside this script
    derive.py --check     says which of them differ from what it would write (exit status 1)

Every value is computed here, from the text of RFC 8018, RFC 5869, NIST SP 800-108r1, 38B and 38D, over LSH and LEA of
tests/format/primitives.py, which shares nothing with src/ and is held to the official answers. README.md describes the
format.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "format"))
from primitives import LSH256, LSH512, Lea, LeaGcm, lsh  # noqa: E402

NAMES = ("LSH-256-224", "LSH-256-256", "LSH-512-224", "LSH-512-256", "LSH-512-384", "LSH-512-512")


def counting(size, first=0):
    return bytes((first + i) & 0xFF for i in range(size))


def digest_size(name):
    return int(name.split("-")[2]) // 8


def xor(a, b):
    return bytes(x ^ y for x, y in zip(a, b))


class Hmac:
    """RFC 2104."""

    def __init__(self, name, key):
        self.family = LSH256 if name.startswith("LSH-256") else LSH512
        self.size = digest_size(name)
        self.bits = 8 * self.size
        if len(key) > self.family.block:
            key = lsh(self.family, self.bits, key)
        self.key = key + bytes(self.family.block - len(key))

    def __call__(self, data):
        inner = lsh(self.family, self.bits, bytes(k ^ 0x36 for k in self.key) + data)
        return lsh(self.family, self.bits, bytes(k ^ 0x5C for k in self.key) + inner)


class Cmac:
    """SP 800-38B section 6."""

    size = 16

    def __init__(self, key):
        self.lea = Lea(key)
        double = lambda x: (x << 1) % (1 << 128) ^ (0x87 if x >> 127 else 0)
        k1 = double(int.from_bytes(self.lea.encrypt(bytes(16)), "big"))
        self.k1, self.k2 = k1.to_bytes(16, "big"), double(k1).to_bytes(16, "big")

    def __call__(self, data):
        whole = data != b"" and len(data) % 16 == 0
        if not whole:
            data += b"\x80"
            data += bytes(-len(data) % 16)
        data = data[:-16] + xor(data[-16:], self.k1 if whole else self.k2)
        chain = bytes(16)
        for i in range(0, len(data), 16):
            chain = self.lea.encrypt(xor(chain, data[i : i + 16]))
        return chain


def pbkdf2(name, password, salt, iterations, size):
    """RFC 8018 section 5.2."""
    prf, out, i = Hmac(name, password), b"", 1
    while len(out) < size:
        u = t = prf(salt + i.to_bytes(4, "big"))
        for _ in range(iterations - 1):
            u = prf(u)
            t = xor(t, u)
        out, i = out + t, i + 1
    return out[:size]


def hkdf_expand(name, key, info, size):
    """RFC 5869 section 2.3."""
    prf, out, t, i = Hmac(name, key), b"", b"", 1
    while len(out) < size:
        t = prf(t + info + bytes([i]))
        out, i = out + t, i + 1
    return out[:size]


def kbkdf(prf, before, after, counter_bits, size):
    """SP 800-108r1 section 4.1."""
    out, i = b"", 1
    while len(out) < size:
        out, i = out + prf(before + i.to_bytes(counter_bits // 8, "big") + after), i + 1
    return out[:size]


def kat(algorithm, source, records):
    header = {"format": "hwacha known answers 1", "algorithm": algorithm, "source": f"computed from {source}",
              "licence": "as the repository", "version": "1", "generator": "vectors/derive.py",
              "records": str(len(records))}
    text = lambda v: v.hex() if isinstance(v, bytes) else str(v)
    return "\n".join("".join(f"{k} = {text(v)}".rstrip() + "\n" for k, v in r.items()) for r in [header, *records])


def pbkdf2_records():
    """The shapes of RFC 6070, then no password and no salt, keys around a block and many blocks."""
    for name in NAMES:
        size, block = digest_size(name), 128 if name.startswith("LSH-256") else 256
        shapes = [(b"password", b"salt", 1, 20), (b"password", b"salt", 2, 20), (b"password", b"salt", 100, size),
                  (b"passwordPASSWORDpassword", b"saltSALTsaltSALTsaltSALTsaltSALTsalt", 3, 25),
                  (b"pass\0word", b"sa\0lt", 5, 16), (b"", b"", 2, 1), (counting(block), counting(block - 4), 2, size + 1),
                  (counting(block + 1), counting(300), 1, 3 * size), (counting(9), counting(8), 3, 19 * size + 5)]
        if name == "LSH-512-512":
            shapes.append((b"password", b"salt", 1000, 64))
        for password, salt, iterations, out in shapes:
            yield {"hash": name, "password": password, "salt": salt, "iterations": iterations,
                   "output": pbkdf2(name, password, salt, iterations, out)}


def hkdf_records():
    """The shapes of RFC 5869, then an empty key, a long key and salt, the longest output."""
    for name in NAMES:
        size = digest_size(name)
        shapes = [(b"\x0b" * 22, counting(13), counting(10, 0xF0), 42),
                  (counting(80), counting(80, 0x60), counting(80, 0xB0), 82), (b"\x0b" * 22, b"", b"", 42),
                  (b"", b"", b"", 1), (counting(300), counting(257), counting(200), 3 * size)]
        if name in ("LSH-256-224", "LSH-512-512"):
            shapes.append((counting(32), counting(32), b"info", 255 * size))
        for key, salt, info, out in shapes:
            extracted = Hmac(name, salt)(key)
            yield {"hash": name, "key": key, "salt": salt, "info": info, "pseudorandom_key": extracted,
                   "output": hkdf_expand(name, extracted, info, out)}


def kbkdf_records(names, make_prf, key_sizes):
    for name in names:
        for n, key_size in enumerate(key_sizes):
            key = counting(key_size, 0x40 + n)
            prf = make_prf(name, key)
            common = {"hash": name} if name else {}
            for label, context, size in ((b"label", b"context", prf.size), (b"", b"", 1), (counting(40), counting(100), 100),
                                         (b"key expansion", b"", 3 * prf.size)):
                fixed = label + b"\0" + context + (8 * size).to_bytes(4, "big")
                yield common | {"key": key, "label": label, "context": context,
                                "output": kbkdf(prf, b"", fixed, 32, size)}
            for before, after, bits in ((b"", counting(60), 8), (counting(60), b"", 16), (counting(10), counting(50), 24),
                                        (counting(25), counting(13), 32)):
                yield common | {"key": key, "before": before, "after": after, "counter_bits": bits,
                                "output": kbkdf(prf, before, after, bits, 70)}


def gmac_records():
    for key_size in (16, 24, 32):
        gcm = LeaGcm(counting(key_size))
        for nonce_size, size in ((12, 0), (12, 1), (12, 16), (12, 300), (1, 20), (16, 33), (40, 128)):
            nonce, data = counting(nonce_size, 0x80), counting(size, 0x11)
            cover = gcm.counted(gcm.start(nonce), b"")[1]
            yield {"key": counting(key_size), "nonce": nonce, "data": data, "mac": gcm.tag(cover, data, b"")}


def everything():
    yield "PBKDF2-HMAC-LSH", "RFC 8018", pbkdf2_records()
    yield "HKDF-HMAC-LSH", "RFC 5869", hkdf_records()
    yield "KBKDF-HMAC-LSH", "NIST SP 800-108r1", kbkdf_records(NAMES, Hmac, (0, 32, 300))
    yield "KBKDF-CMAC-LEA", "NIST SP 800-108r1", kbkdf_records((None,), lambda _, key: Cmac(key), (16, 24, 32))
    yield "GMAC-LEA", "NIST SP 800-38D", gmac_records()


def main(arguments):
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    different = 0
    for name, source, records in everything():
        path, text = HERE / f"{name}.kat", kat(name, source, list(records))
        if arguments:
            if not path.exists() or path.read_text(encoding="ascii") != text:
                print(f"differs: {path.name}")
                different = 1
        else:
            path.write_text(text, encoding="ascii", newline="\n")
    return different


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
