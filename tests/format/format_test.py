#!/usr/bin/env python3
"""Holds the Python implementation of the file format to vectors/*.kat, and the files in files/ to their manifest.

    format_test.py [unittest arguments]
"""

import json
import unittest
from pathlib import Path

import hwacha_format as f
import make_files
from primitives import LSH256, LSH512, Hmac, Lea, LeaGcm, hash256, hkdf, lsh, pbkdf2

VECTORS = Path(__file__).resolve().parents[2] / "vectors"


def records(name):
    """The records of a file of known answers (vectors/README.md): dictionaries of numbers and bytes."""
    head, *blocks = (VECTORS / f"{name}.kat").read_text(encoding="ascii").strip().split("\n\n")
    found = []
    for block in blocks:
        fields = dict(line.split(" =") for line in block.splitlines())
        record = {}
        for field, value in fields.items():
            if field in ("bits", "iterations"):
                record[field] = int(value)
            elif field == "pattern":
                period = {"counting": 256, "mod251": 251}[value.strip()]
                record["message"] = bytes(i % period for i in range(-(-int(fields["bits"]) // 8)))
            else:
                record[field] = bytes.fromhex(value)
        found.append(record)
    announced = int(head.split("records = ")[1])
    if len(found) != announced or not found:
        raise ValueError(f"{name}: {len(found)} records, {announced} announced")
    return found


class Primitives(unittest.TestCase):
    def test_lsh(self):
        for family, name, sizes in ((LSH256, "256", (224, 256)), (LSH512, "512", (224, 256, 384, 512))):
            for bits in sizes:
                for record in records(f"LSH-{name}-{bits}"):
                    self.assertEqual(lsh(family, bits, record["message"], record["bits"]), record["digest"])

    def test_hmac(self):
        for family, name in ((LSH256, "256-256"), (LSH512, "512-512")):
            for record in records(f"HMAC-LSH-{name}"):
                self.assertEqual(Hmac(family, record["key"])(record["message"]), record["mac"])
        # Of a key longer than a block, its digest is the key.
        self.assertEqual(Hmac(LSH256, b"k" * 129)(b"m"), Hmac(LSH256, hash256(b"k" * 129))(b"m"))

    def test_lea(self):
        for bits in (128, 192, 256):
            for record in records(f"LEA-{bits}-ECB"):
                lea = Lea(record["key"])
                text = record["plaintext"]
                for _ in range(record.get("iterations", 1)):
                    text = lea.encrypt(text)
                self.assertEqual(text, record["ciphertext"])

    def test_gcm(self):
        for bits in (128, 192, 256):
            for record in records(f"LEA-{bits}-GCM"):
                gcm = LeaGcm(record["key"])
                sealed = record["ciphertext"] + record["tag"]
                self.assertEqual(len(record["tag"]), 16)
                self.assertEqual(gcm.seal(record["nonce"], record["aad"], record["plaintext"]), sealed)
                self.assertEqual(gcm.open(record["nonce"], record["aad"], sealed), record["plaintext"])
                with self.assertRaises(f.AuthenticationError):
                    gcm.open(record["nonce"], record["aad"] + b"\0", sealed)

    def test_key_derivation(self):
        """HKDF and PBKDF2 spelled out with HMAC, which has known answers."""
        extracted = Hmac(LSH512, b"salt")(b"key")
        first = Hmac(LSH512, extracted)(b"info\1")
        second = Hmac(LSH512, extracted)(first + b"info\2")
        self.assertEqual(hkdf(b"key", b"salt", b"info", 100), (first + second)[:100])
        prf = Hmac(LSH512, b"passphrase")
        u1 = prf(b"salt\0\0\0\1")
        u2 = prf(u1)
        u3 = prf(u2)
        self.assertEqual(pbkdf2(b"passphrase", b"salt", 1, 48), u1[:48])
        self.assertEqual(pbkdf2(b"passphrase", b"salt", 3, 64), bytes(a ^ b ^ c for a, b, c in zip(u1, u2, u3)))


class Files(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows = json.loads((make_files.FILES / "manifest.json").read_text(encoding="ascii"))["files"]

    def read(self, name):
        return (make_files.FILES / name).read_bytes()

    def secrets(self, way):
        if "key" in way:
            return {"keys": [f.decode_key(self.read(way["key"]))]}
        return {"passphrases": [way["passphrase"].encode()]}

    def test_they_are_what_is_made(self):
        contents = make_files.make_all()
        self.assertEqual({path.name for path in make_files.FILES.iterdir()}, set(contents))
        for name, data in contents.items():
            self.assertEqual(self.read(name), data, name)
        self.assertLess(sum(map(len, contents.values())), 200_000)

    def test_good_ones_open_in_every_way(self):
        opened = 0
        for name, row in self.rows.items():
            if row["must"] != "open":
                continue
            for way in row["ways"]:
                with self.subTest(name=name, way=way):
                    text = f.decode(self.read(name), **self.secrets(way))
                    self.assertEqual((len(text), hash256(text).hex()), (row["size"], row["lsh_256_256"]))
                    self.assertEqual(text, make_files.text(row["size"]))
                    opened += 1
        self.assertGreater(opened, 25)

    def test_bad_ones_are_refused_for_their_cause(self):
        refused = 0
        for name, row in self.rows.items():
            if row["must"] != "refuse":
                continue
            for way in row["ways"]:
                with self.subTest(name=name, way=way):
                    with self.assertRaises(f.Refused) as raised:
                        f.decode(self.read(name), **self.secrets(way))
                    self.assertEqual(raised.exception.cause, row["cause"], raised.exception)
                    refused += 1
        self.assertGreater(refused, 100)

    def test_keys(self):
        for name, row in self.rows.items():
            with self.subTest(name=name):
                if row["must"] == "be a key":
                    for way in row["ways"] or [{}]:
                        secrets = self.secrets(way) if way else {}
                        self.assertEqual(f.decode_key(self.read(name), **secrets).hex(), row["key"])
                elif row["must"] == "be no key":
                    with self.assertRaises(f.Refused) as raised:
                        f.decode_key(self.read(name))
                    self.assertEqual(raised.exception.cause, row["cause"])

    def test_largest_header(self):
        """65,536 bytes of slots, the most that there may be, and one more."""
        parts = make_files.Parts("largest", 5)
        room = 65536 - len(parts.slots[0]) - 8
        for extra, good in ((0, True), (1, False)):
            slots, parts.slots = parts.slots, [f.write_slot(9, bytes(room + extra)), *parts.slots]
            data = parts.file()
            parts.slots = slots
            if good:
                self.assertEqual(f.decode(data, keys=[make_files.KEY]), parts.text)
            else:
                with self.assertRaises(f.Refused):
                    f.decode(data, keys=[make_files.KEY])

    def test_every_byte_of_a_small_file_counts(self):
        parts = make_files.Parts("every byte", 1)
        data = parts.file()
        for at in range(len(data)):
            damaged = bytearray(data)
            damaged[at] ^= 1 << at % 8
            with self.assertRaises(f.Refused):
                f.decode(bytes(damaged), keys=[make_files.KEY])


if __name__ == "__main__":
    unittest.main()
