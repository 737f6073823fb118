#!/usr/bin/env python3
"""The tool and the second implementation read each other's files, and the tool its own.

    crypt_interchange.py TOOL [unittest arguments]
"""

import os
import re

import crypt_support as support
from crypt_support import (
    DONE,
    FILES,
    INPUT_OUTPUT,
    KEY,
    PASSPHRASE,
    ROWS,
    UNVERIFIED,
    USAGE,
    CryptTest,
    count,
    f,
    noise,
)

# What the message says, by the cause for which the format's second implementation refuses.
WORDS = {
    f.NOT_OURS: "not an? |is a secret key|is an encrypted file|empty",
    f.UNSUPPORTED: "version|suite|critical|not known|unknown|type|kind|does not know|derivation",
    f.HEADER_DAMAGED: "damaged",
    f.HEADER_FORGED: "altered|MAC|damaged",
    f.SLOT_DAMAGED: "slot|damaged|altered",
    f.WRONG_KEY: "passphrase|key",
    f.TOO_MANY_ITERATIONS: "iterations",
    f.TRUNCATED: "cut|truncated|incomplete|ends",
    f.CHUNK_DAMAGED: "chunk",
    f.TRAILING: "after|end|trailing",
}


class FilesOfTheFormat(CryptTest):
    def way(self, way):
        if "key" in way:
            return ["-k", FILES / way["key"]], {}
        return self.with_passphrase(way["passphrase"])

    def test_good_files_open(self):
        opened = 0
        for name, row in ROWS.items():
            for way in row["ways"] if row["must"] == "open" else []:
                with self.subTest(name=name, way=way):
                    args, more = self.way(way)
                    self.expect(DONE, "decrypt", *args, "-o", "out", FILES / name, **more)
                    self.assertEqual(self.read("out"), support.make_files.text(row["size"]))
                    os.remove(self.folder / "out")
                    opened += 1
        self.assertGreater(opened, 25)

    def test_bad_files_are_refused(self):
        """No output, status 1, and a message that fits the cause. (B106, B108)"""
        before = self.names()
        refused = 0
        for name, row in ROWS.items():
            for way in row["ways"] if row["must"] == "refuse" else []:
                with self.subTest(name=name, way=way, about=row["about"]):
                    args, more = self.way(way)
                    done = self.expect(UNVERIFIED, "decrypt", *args, "-o", "out", FILES / name, **more)
                    self.assertEqual(self.names(), before)
                    self.assertEqual(done.stdout, b"")
                    self.assertIn(name.encode(), done.stderr)
                    message = done.stderr.decode().replace(name, "")
                    self.assertRegex(message, WORDS.get(row["cause"], "."))
                    refused += 1
        self.assertGreater(refused, 100)

    def test_bad_files_from_standard_input(self):
        """Nothing but chunks that were verified, in their order from the first."""
        for name, row in ROWS.items():
            if row["must"] != "refuse" or "key" not in row["ways"][0]:
                continue
            with self.subTest(name=name, about=row["about"]):
                args, more = self.way(row["ways"][0])
                with open(FILES / name, "rb") as data:
                    done = self.expect(UNVERIFIED, "decrypt", *args, stdin=data, **more)
                verified = self.verified(FILES / name, row["ways"][0])
                self.assertIn(done.stdout, verified)

    def verified(self, path, way):
        """What may be written before the fault is found: nothing, one chunk, two chunks, and so on."""
        found = [b""]
        try:
            data = f.plain_bytes(path.read_bytes())
            header = f.read_header(data)
            file_key = f.find_file_key(header, keys=[f.decode_key((FILES / way["key"]).read_bytes())])
            for text in f.read_payload(data[len(header.raw) :], header, file_key):
                found.append(found[-1] + text)
        except f.Refused:
            pass
        return found

    def test_keys(self):
        self.write("for key", support.made_by_python(b"by the first key"))
        other = f.Randomness("for the other key")
        slots = lambda file_key: [f.write_key_slot(file_key, support.OTHER_KEY, other(32))]
        self.write("for other", f.encode(b"by the second key", slots, other))
        seen = 0
        for name, row in ROWS.items():
            with self.subTest(name=name, about=row["about"]):
                if row["must"] == "be a key":
                    args, more = self.way(row["ways"][0]) if row["ways"] else ([], {})
                    fits = "for key" if row["key"] == KEY.hex() else "for other"
                    text = b"by the first key" if fits == "for key" else b"by the second key"
                    done = self.expect(DONE, "decrypt", "-k", FILES / name, *args, fits, **more)
                    self.assertEqual(done.stdout, text)
                elif row["must"] == "be no key":
                    for command in ("encrypt", "decrypt"):
                        done = self.expect(UNVERIFIED, command, "-k", FILES / name, "for key")
                        self.assertEqual(done.stdout, b"")
                        self.assertIn(name.encode(), done.stderr)
                else:
                    continue
                seen += 1
        self.assertGreater(seen, 12)

    def test_inspect(self):
        """Of good files the facts, with no key at hand; of headers that are bad the fault."""
        for name, row in ROWS.items():
            if row["must"] not in ("open", "refuse") or name == "type_key.hwa":
                continue
            with self.subTest(name=name, about=row["about"]):
                data = (FILES / name).read_bytes()
                try:
                    header = f.read_header(f.plain_bytes(data))
                except f.Refused:
                    done = self.expect(UNVERIFIED, "inspect", FILES / name)
                    self.assertNotIn(b"\x1b", done.stdout + done.stderr)
                    continue
                done = self.run_tool("inspect", FILES / name)
                self.assertIn(done.returncode, (DONE, UNVERIFIED), done)
                if row["must"] == "open":
                    self.assertEqual((done.returncode, done.stderr), (DONE, b""))
                    said = done.stdout.decode()
                    if header.comment.isprintable():
                        self.assertIn(header.comment, said)
                    self.assertIn(str(header.chunk), re.sub("[, ]", "", said))
        for secret in (KEY.hex(), PASSPHRASE):
            self.assertNotIn(secret, self.expect(DONE, "inspect", FILES / "first.key").stdout.decode())


class FilesOfTheTool(CryptTest):
    def sizes(self, chunk):
        return (0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 3 * chunk + 7)

    def test_the_second_implementation_reads_them(self):
        for log2 in count((12, 13), (12, 13, 14, 15, 16, 17)):
            for size in self.sizes(1 << log2):
                for armor in ([], ["--armor"]):
                    with self.subTest(log2=log2, size=size, armor=armor):
                        text = noise(size, size)
                        data = self.encrypted(text, "--chunk-size", str(1 << log2), *armor)
                        self.assertEqual(data.startswith(b"-----BEGIN"), bool(armor))
                        self.assertEqual(f.read_header(f.plain_bytes(data)).log2, log2)
                        self.assertEqual(f.decode(data, keys=[KEY]), text)

    def test_big_chunks(self):
        for log2 in count((20,), (20, 24)):
            text = noise((1 << log2) + 1, log2)
            data = self.encrypted(text, "--chunk-size", str(1 << log2))
            self.assertEqual(f.decode(data, keys=[KEY]), text)

    def test_default_chunks(self):
        self.assertEqual(f.read_header(self.encrypted(b"")).log2, 20)

    def test_sizes_of_chunks(self):
        """4 KiB to 16 MiB, in powers of two."""
        for log2 in range(12, 25):
            data = self.encrypted(b"text", "--chunk-size", str(1 << log2))
            self.assertEqual(f.read_header(data).log2, log2)
            self.assertEqual(self.decrypted(data), b"text")
        for size in ("0", "1", "2048", "4097", "6000", "33554432", "-4096", "4096x", "", "18446744073709555712"):
            with self.subTest(size=size):
                self.expect(USAGE, "encrypt", "-k", "key", "--chunk-size", size, stdin=b"text")

    def test_passphrase(self):
        args, more = self.with_passphrase()
        text = noise(5000)
        self.write("in", text)
        self.expect(DONE, "encrypt", *args, "--iterations", "210000", "-k", "key", "-o", "both", "in", **more)
        data = self.read("both")
        slots = f.read_header(data).slots
        self.assertEqual({slot.type for slot in slots}, {f.PASSPHRASE_SLOT, f.KEY_SLOT})
        self.assertEqual([f.iterations(s) for s in slots if s.type == f.PASSPHRASE_SLOT], [210000])
        self.assertEqual(f.decode(data, keys=[KEY]), text)
        args, more = self.with_passphrase()
        self.assertEqual(self.expect(DONE, "decrypt", *args, "both", **more).stdout, text)
        self.assertEqual(self.expect(DONE, "decrypt", "-k", "key", "both").stdout, text)
        args, more = self.with_passphrase(PASSPHRASE + " ")
        done = self.expect(UNVERIFIED, "decrypt", *args, "both", **more)
        self.assertEqual(done.stdout, b"")
        if support.FULL:  # two minutes
            self.assertEqual(f.decode(data, passphrases=[PASSPHRASE.encode()]), text)

    def test_default_iterations(self):
        args, more = self.with_passphrase()
        data = self.expect(DONE, "encrypt", *args, stdin=b"text", **more).stdout
        self.assertGreaterEqual(f.iterations(f.read_header(data).slots[0]), 210000)

    def test_too_few_iterations_are_not_written(self):
        for number in ("0", "1", "999", "209999", "-1", "many", "4294967296"):
            with self.subTest(number=number):
                args, more = self.with_passphrase()
                self.expect(USAGE, "encrypt", *args, "--iterations", number, stdin=b"text", **more)

    def test_several_keys(self):
        data = self.encrypted(b"for two", "-k", "other.key")
        self.assertEqual(f.decode(data, keys=[support.OTHER_KEY]), b"for two")
        self.assertEqual(f.decode(data, keys=[KEY]), b"for two")
        self.assertEqual(self.decrypted(data), b"for two")

    def test_comment(self):
        korean = support.make_files.KOREAN
        data = self.encrypted(b"text", "--comment", korean)
        self.assertEqual(f.read_header(data).comment, korean)
        self.write("in", data)
        self.assertIn(korean.encode(), self.expect(DONE, "inspect", "in").stdout)
        for bad in ("a\nb", "\x1b[2J", "x" * 1025, b"\xff"):
            with self.subTest(bad=bad):
                self.expect(USAGE, "encrypt", "-k", "key", "--comment", bad, stdin=b"text")

    def test_nothing_is_used_twice(self):
        """File salt, slot salt, and with them all keys."""
        seen = set()
        for _ in range(20):
            header = f.read_header(self.encrypted(b"the same"))
            seen |= {header.salt, header.slots[0].body[:32], header.raw[-32:], f.find_file_key(header, keys=[KEY])}
        self.assertEqual(len(seen), 80)

    def test_keygen(self):
        keys = set()
        for armor in ([], ["--armor"]):
            for name in ("new 1", "new 2"):
                self.expect(DONE, "keygen", *armor, "--comment", "of a test", "-o", name)
                data = self.read(name)
                self.assertEqual(data.startswith(b"-----BEGIN HWACHA SECRET KEY-----\n"), bool(armor))
                keys.add(f.decode_key(data))
                self.assertEqual(f.read_head(f.plain_bytes(data), f.SECRET_KEY)[0], b"of a test")
                sealed = self.expect(DONE, "encrypt", "-k", name, stdin=b"text").stdout
                self.assertEqual(f.decode(sealed, keys=[f.decode_key(data)]), b"text")
                os.remove(self.folder / name)
        self.assertEqual(len(keys), 4)

    def test_keygen_under_a_passphrase(self):
        args, more = self.with_passphrase()
        self.expect(DONE, "keygen", *args, "-o", "sealed", **more)
        self.assertEqual(f.read_header(self.read("sealed")).slots[0].type, f.PASSPHRASE_SLOT)
        args, more = self.with_passphrase()
        data = self.expect(DONE, "encrypt", *args, "-k", "sealed", stdin=b"text", **more).stdout
        self.assertEqual([slot.type for slot in f.read_header(data).slots], [f.KEY_SLOT])
        args, more = self.with_passphrase()
        self.assertEqual(self.expect(DONE, "decrypt", *args, "-k", "sealed", stdin=data, **more).stdout, b"text")
        args, more = self.with_passphrase("wrong")
        self.assertEqual(self.expect(UNVERIFIED, "decrypt", *args, "-k", "sealed", stdin=data, **more).stdout, b"")

    def test_from_and_to_everything(self):
        """Files, pipes and `-`, with 1, 2 and 8 threads."""
        for size in count((0, 3 << 12, 300000), (0, 1, 3 << 12, 300000, 5 << 20)):
            text = noise(size, size)
            self.write("in", text)
            for jobs in ("-j1", "-j2", "-j8"):
                for chunk in ("4096", "65536", "1048576"):
                    with self.subTest(size=size, jobs=jobs, chunk=chunk):
                        sealing = ["encrypt", "-k", "key", jobs, "--chunk-size", chunk]
                        opening = ["decrypt", "-k", "key", jobs]
                        self.expect(DONE, *sealing, "-o", "out", "in")
                        from_file = self.read("out")
                        self.assertEqual(self.expect(DONE, *opening, "-o", "back", "out").stdout, b"")
                        self.assertEqual(self.read("back"), text)
                        self.assertEqual(self.expect(DONE, *opening, "out").stdout, text)
                        piped = self.expect(DONE, *sealing, stdin=text).stdout
                        self.assertEqual(len(piped), len(from_file))
                        self.assertEqual(self.expect(DONE, *opening, "-", stdin=piped).stdout, text)
                        self.expect(DONE, *opening, "-o", "again", stdin=piped)
                        self.assertEqual(self.read("again"), text)
                        for name in ("out", "back", "again"):
                            os.remove(self.folder / name)

    def test_a_slow_pipe(self):
        """Input that comes a few bytes at a time."""
        text = noise(30000)
        for command, data, check in (
            ("encrypt", text, lambda out: f.decode(out, keys=[KEY])),
            ("decrypt", support.made_by_python(text), bytes),
        ):
            process = self.start(command, "-k", "key", "-o", "out", "--force")
            for at in range(0, len(data), 1999):
                process.stdin.write(data[at : at + 1999])
                process.stdin.flush()
            process.stdin.close()
            self.assertEqual(process.wait(), DONE)
            self.assertEqual(check(self.read("out")), text)

    def test_every_size_around_chunks(self):
        chunk = 4096
        edges = [k * chunk + d for k in (0, 1, 2, 3) for d in (-17, -16, -1, 0, 1, 15, 16, 17) if k * chunk + d >= 0]
        for size in edges + [support.random.Random(3).randrange(5 * chunk) for _ in range(count(5, 300))]:
            with self.subTest(size=size):
                text = noise(size, size)
                data = self.encrypted(text, "--chunk-size", "4096", "-j2")
                header, pieces = support.chunks_of(data)
                self.assertEqual(len(data), len(header) + size + 16 * max(1, -(-size // chunk)))
                self.assertEqual(len(pieces), max(1, -(-size // chunk)))
                self.assertEqual(self.decrypted(data, "-j2"), text)

    def test_missing_files(self):
        for args in (["encrypt", "-k", "key", "absent"], ["decrypt", "-k", "key", "absent"], ["inspect", "absent"]):
            done = self.expect(INPUT_OUTPUT, *args)
            self.assertIn(b"absent", done.stderr)
            self.assertIn(b"No such file", done.stderr)


if __name__ == "__main__":
    support.main()
