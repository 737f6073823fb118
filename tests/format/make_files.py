#!/usr/bin/env python3
"""Makes the test files of the format, good and bad, from fixed randomness.

    make_files.py            writes files/ and files/manifest.json anew
    make_files.py --check    fails if they are not what would be written

Of each bad file one thing is wrong, and check sums, MACs and tags are made anew around it, unless they are the thing.
"""

import base64
import json
import struct
import sys
from pathlib import Path

import hwacha_format as f
from primitives import hash256

FILES = Path(__file__).resolve().parent / "files"
CHUNK = 4096
KEY = f.Randomness("the first key")(32)
OTHER_KEY = f.Randomness("the second key")(32)
PASSPHRASE = "correct horse battery staple"
KOREAN = "\ud654\ucc28\ub294 \uc870\uc120\uc758 \ub2e4\uc5f0\uc7a5 \ub85c\ucf13 \ud3ec"
LONG = "0123456789abcde\n"[:15] * 68 + "four"  # 1024 bytes, longer than a block of the hash
PASSPHRASES = {"passphrase": PASSPHRASE, "korean": KOREAN, "long": LONG}


def text(size):
    """Period 251, so that no two chunks are alike."""
    return bytes(i % 251 for i in range(size))


class Maker:
    def __init__(self):
        self.contents, self.rows = {}, {}

    def add(self, name, data, **row):
        if name in self.contents:
            raise ValueError(f"two files are called {name}")
        self.contents[name] = data
        self.rows[name] = row

    def good(self, name, about, data, plain, ways):
        self.add(
            name,
            data,
            about=about,
            must="open",
            ways=ways,
            size=len(plain),
            lsh_256_256=hash256(plain).hex(),
        )

    def bad(self, name, about, data, cause, ways=({"key": "first.key"},), case=None):
        row = {"about": about, "must": "refuse", "cause": cause, "ways": list(ways)}
        self.add(name, data, **row, **({"case": case} if case else {}))

    def key(self, name, about, data, key, ways=()):
        self.add(name, data, about=about, must="be a key", key=key.hex(), ways=list(ways))


BY_KEY = {"key": "first.key"}
BY_OTHER_KEY = {"key": "second.key"}


def by(passphrase):
    return {"passphrase": passphrase}


class Parts:
    """A file in its parts, each of which may be made otherwise."""

    def __init__(self, label, size=0, log2=12):
        self.random = f.Randomness(label)
        self.file_key, self.salt = self.random(32), self.random(32)
        self.text, self.log2 = text(size), log2
        self.slots = [f.write_key_slot(self.file_key, KEY, self.random(32))]

    def header(self, **fields):
        return f.write_header(self.file_key, self.salt, self.slots, **{"log2": self.log2, **fields})

    def pieces(self, header):
        return f.write_payload(header, self.file_key, self.text, min(self.log2, 24))

    def file(self, **fields):
        header = self.header(**fields)
        return header + b"".join(self.pieces(header))

    def resealed(self, front):
        """A header that begins with these bytes, whatever they are, and the payload that belongs to it."""
        header = f.seal_header(front, self.file_key, self.salt)
        return header + b"".join(self.pieces(header))


def key_slot_only(random):
    return lambda file_key: [f.write_key_slot(file_key, KEY, random(32))]


def add_keys(make):
    make.key("first.key", "a secret key", f.encode_key(KEY), KEY)
    make.key(
        "second.key",
        "another, armored, with a comment",
        f.write_armor(f.encode_key(OTHER_KEY, b"for tests")),
        OTHER_KEY,
    )
    random = f.Randomness("key under a passphrase")
    sealed = f.encode(
        f.encode_key(KEY, KOREAN.encode()),
        lambda file_key: [f.write_passphrase_slot(file_key, PASSPHRASE.encode(), random(32))],
        random,
    )
    make.key("sealed.key", "the first key under a passphrase", sealed, KEY, [by(PASSPHRASE)])

    good = f.encode_key(KEY)
    bad = lambda name, about, data, cause: make.add(name, data, about=about, must="be no key", cause=cause)
    bad("key_sum.key", "wrong check sum", good[:-1] + bytes([good[-1] ^ 1]), f.HEADER_DAMAGED)
    bad("key_bit.key", "one bit of the key", good[:20] + bytes([good[20] ^ 4]) + good[21:], f.HEADER_DAMAGED)
    bad("key_trailing.key", "a byte after the end", good + b"\n", f.TRAILING)
    bad("key_cut.key", "one byte is missing", good[:-1], f.TRUNCATED)
    bad("key_kind.key", "kind 2", f.encode_key(KEY, kind=2), f.UNSUPPORTED)
    bad("key_reserved.key", "a reserved byte is 1", f.encode_key(KEY, reserved=b"\0\1\0"), f.FORMAT)
    bad("key_version.key", "version 2", f.encode_key(KEY, version=2), f.UNSUPPORTED)
    bad("key_comment.key", "a line feed in the comment", f.encode_key(KEY, b"a\nb"), f.FORMAT)
    bad("key_type.key", "an encrypted file without a key in it", Parts("key_type", 20).file(), f.WRONG_KEY)
    bad("key_raw.key", "32 bytes and nothing else", KEY, f.NOT_OURS)
    bad("key_empty.key", "an empty file", b"", f.NOT_OURS)
    bad("key_label.key", "the label of an encrypted file", f.write_armor(good, b"HWACHA ENCRYPTED FILE"), f.ARMOR)


def add_good(make):
    for name, about, size in (
        ("empty", "the empty text", 0),
        ("one_byte", "one byte", 1),
        ("chunk_less_one", "one chunk less a byte", CHUNK - 1),
        ("chunk", "exactly one chunk", CHUNK),
        ("chunk_and_one", "one chunk and a byte", CHUNK + 1),
        ("many_chunks", "four chunks", 3 * CHUNK + 300),
    ):
        parts = Parts(name, size)
        make.good(f"{name}.hwa", about, parts.file(), parts.text, [BY_KEY])
    for log2 in (13, 16, 20, 24):
        parts = Parts(f"log2 {log2}", 300, log2)
        make.good(f"log2_{log2}.hwa", f"chunks of 2^{log2} bytes", parts.file(), parts.text, [BY_KEY])
    for name, about, comment in (
        ("comment", "a comment in Korean", KOREAN),
        ("comment_1024", "the longest comment", "x" * 1021 + "\uc7a5"),
        ("comment_edges", "characters beside those that are not allowed", " ~\xa0\u2028\ufeff\U0001f680"),
    ):
        parts = Parts(name, 77)
        make.good(f"{name}.hwa", about, parts.file(comment=comment.encode()), parts.text, [BY_KEY])

    for name, passphrase in PASSPHRASES.items():
        parts = Parts(name, 500)
        parts.slots = [f.write_passphrase_slot(parts.file_key, passphrase.encode(), parts.random(32))]
        make.good(f"{name}.hwa", "a passphrase, 1,000 iterations", parts.file(), parts.text, [by(passphrase)])
    parts = Parts("both", 600)
    parts.slots.insert(0, f.write_passphrase_slot(parts.file_key, PASSPHRASE.encode(), parts.random(32), 1234))
    make.good("both.hwa", "a passphrase and a key", parts.file(), parts.text, [by(PASSPHRASE), BY_KEY])
    parts = Parts("several", 700)
    parts.slots += [
        f.write_key_slot(parts.file_key, OTHER_KEY, parts.random(32)),
        f.write_passphrase_slot(parts.file_key, PASSPHRASE.encode(), parts.random(32)),
        f.write_passphrase_slot(parts.file_key, KOREAN.encode(), parts.random(32)),
    ]
    make.good(
        "several.hwa",
        "two keys and two passphrases",
        parts.file(),
        parts.text,
        [BY_KEY, BY_OTHER_KEY, by(PASSPHRASE), by(KOREAN)],
    )
    parts = Parts("unknown", 800)
    parts.slots = [
        f.write_slot(7, b"from a later version"),
        f.write_slot(0xFFFE, b""),
        *parts.slots,
        f.write_slot(0, bytes(100)),
    ]
    make.good("unknown_slots.hwa", "slots of unknown types that are not critical", parts.file(), parts.text, [BY_KEY])
    parts = Parts("64 slots", 10)
    parts.slots = [f.write_slot(9, b"")] * 63 + parts.slots
    make.good("slots_64.hwa", "64 slots, the last one fits", parts.file(), parts.text, [BY_KEY])
    parts = Parts("costly", 10)
    costly = bytes([1, 0, 0, 0]) + struct.pack("<I", 0xFFFFFFFF) + parts.random(96)
    parts.slots = [f.write_slot(f.PASSPHRASE_SLOT, costly), *parts.slots]
    make.good("costly.hwa", "4,294,967,295 iterations, and a key", parts.file(), parts.text, [BY_KEY])
    make.bad("costly_only.hwa", "the same, by passphrase", parts.file(), f.TOO_MANY_ITERATIONS, [by(PASSPHRASE)])

    parts = Parts("armor", CHUNK + 100)
    make.good("armor.asc", "armored", f.write_armor(parts.file()), parts.text, [BY_KEY])
    parts = Parts("armor CR LF", 100)
    crlf = b" \r\n\t" + f.write_armor(parts.file(), line_end=b"\r\n") + b"\r\n \t\n"
    make.good("armor_crlf.asc", "lines with CR LF, white space around", crlf, parts.text, [BY_KEY])
    for pad in range(3):
        # The size decides how many pad characters there are; the last line has 64 characters at pad 0.
        parts = Parts(f"armor {pad}")
        while (-len(parts.file())) % 3 != pad or (pad == 0 and len(parts.file()) % 48):
            parts.text = text(len(parts.text) + 1)
        data = f.write_armor(parts.file()).rstrip(b"\n")
        make.good(f"armor_pad_{pad}.asc", f"{pad} pad characters, no line end at the end", data, parts.text, [BY_KEY])


def add_bad_headers(make):
    good = Parts("header", 100)
    whole = good.file()
    bad = lambda name, about, data, cause=f.FORMAT, **more: make.bad(f"{name}.hwa", about, data, cause, **more)

    bad("nothing", "0 bytes", b"", f.NOT_OURS, case="B106")
    bad("text", "not of this format", b"Meet me at the fountain.\n" * 20, f.NOT_OURS)
    bad("magic_bit", "one bit of the magic", b"\x92" + whole[1:], f.NOT_OURS)
    bad("magic_unix", "CR LF turned into LF", whole.replace(b"\r\n", b"\n"), f.NOT_OURS)
    bad("space_before", "white space before the magic", b"\n" + whole, f.NOT_OURS)
    bad("version_0", "version 0", good.file(version=0), f.UNSUPPORTED)
    bad("version_2", "version 2", good.file(version=2), f.UNSUPPORTED)
    bad("type_key", "a secret key", f.encode_key(KEY), f.NOT_OURS)
    bad("type_3", "type 3", good.resealed(good.header()[:-48].replace(b"\n\1\1", b"\n\1\3", 1)), f.NOT_OURS)
    for size in (5, 11, 50, 99, 171, 203):
        bad(f"header_cut_{size}", f"the first {size} bytes", whole[:size], f.TRUNCATED)

    bad("comment_1025", "a comment of 1025 bytes", good.file(comment=b"x" * 1025))
    bad("comment_beyond", "a comment beyond the end", f.write_head(1, b"short", size=1000), f.TRUNCATED)
    for name, comment in (
        ("tab", b"a\tb"),
        ("zero", b"\0"),
        ("escape", b"\x1b[2J"),
        ("delete", b"\x7f"),
        ("c1", "\x9b".encode()),
        ("latin", b"caf\xe9"),
        ("overlong", b"\xc0\xaf"),
        ("surrogate", b"\xed\xa0\x80"),
        ("beyond_unicode", b"\xf4\x90\x80\x80"),
        ("unfinished", b"\xec\x9e"),
    ):
        bad(f"comment_{name}", f"comment {comment!r}", good.file(comment=comment))

    bad("suite_0", "suite 0", good.file(suite=0), f.UNSUPPORTED)
    bad("suite_2", "suite 2", good.file(suite=2), f.UNSUPPORTED)
    for log2 in (0, 11, 25, 255):
        bad(f"log2_{log2}", f"chunks of 2^{log2} bytes", good.file(log2=log2))
    bad("slots_0", "no slot", good.resealed(f.write_header(good.file_key, good.salt, [])[:-48]))
    bad("slots_65", "65 slots", Parts("65").resealed(f.write_header(KEY, KEY, [f.write_slot(9, b"")] * 65)[:-48]))
    bad("slots_more", "one slot more than announced", good.file(slot_count=2))
    parts = Parts("fewer")
    parts.slots.append(f.write_slot(9, b""))
    bad("slots_fewer", "a slot that is not announced", parts.file(slot_count=1))
    bad("slots_size", "65,537 bytes of slots", good.file(slots_size=65537))
    bad("slots_size_huge", "4,294,967,295 bytes of slots", good.file(slots_size=0xFFFFFFFF))

    def with_slots(name, about, slots, cause=f.FORMAT, **more):
        parts = Parts(name, 50)
        parts.slots = slots(parts) if callable(slots) else [*slots, *parts.slots]
        bad(name, about, parts.file(), cause, **more)

    with_slots("slot_gap", "7 bytes that are no slot", lambda p: [p.slots[0] + bytes(7)])
    with_slots("slot_beyond", "a slot that ends beyond the slots", lambda p: [*p.slots, f.write_slot(9, b"", size=1)])
    with_slots(
        "slot_huge", "a slot of 4,294,967,295 bytes", lambda p: [*p.slots, f.write_slot(9, b"", size=0xFFFFFFFF)]
    )
    with_slots("slot_critical", "an unknown slot that is critical", [f.write_slot(7, b"!", flags=1)], f.UNSUPPORTED)
    with_slots("slot_critical_last", "the same behind the slot that fits",
               lambda p: [*p.slots, f.write_slot(7, b"!", flags=1)], f.UNSUPPORTED)  # fmt: skip
    with_slots("slot_flags", "a reserved flag of an unknown slot", [f.write_slot(7, b"!", flags=2)])
    with_slots("slot_reserved", "the reserved byte of a slot", [f.write_slot(7, b"!", reserved=1)])
    key_slot = lambda **more: lambda p: [f.write_key_slot(p.file_key, KEY, p.random(32), **more)]
    with_slots("key_slot_critical", "a key slot with flag 1", key_slot(flags=1))
    with_slots("key_slot_reserved", "a key slot with its reserved byte 1", key_slot(reserved=1))
    with_slots("key_slot_short", "a key slot of 95 bytes", [f.write_slot(2, bytes(95))])
    with_slots("key_slot_long", "a key slot of 97 bytes", [f.write_slot(2, bytes(97))])
    with_slots("passphrase_slot_short", "a passphrase slot of 103 bytes", [f.write_slot(1, b"\1" + bytes(102))])

    def with_passphrase(name, about, cause=f.FORMAT, **more):
        def slots(p):
            return [f.write_passphrase_slot(p.file_key, PASSPHRASE.encode(), p.random(32), **more), *p.slots]

        with_slots(name, about, slots, cause, ways=[by(PASSPHRASE), BY_KEY])

    with_passphrase("kdf_0", "key derivation function 0", f.UNSUPPORTED, kdf=0)
    with_passphrase("kdf_2", "key derivation function 2", f.UNSUPPORTED, kdf=2)
    with_passphrase("kdf_reserved", "a reserved byte of a passphrase slot", kdf_reserved=b"\0\0\1")
    with_passphrase("iterations_0", "no iterations", count=0)
    with_passphrase("iterations_999", "999 iterations", count=999)
    with_passphrase("passphrase_critical", "a passphrase slot with flag 1", flags=1)

    with_slots("wrong_key", "a slot for another key", lambda p: [f.write_key_slot(p.file_key, OTHER_KEY, p.random(32))],
               f.WRONG_KEY, ways=[BY_KEY, by(PASSPHRASE)])  # fmt: skip
    with_slots("wrong_passphrase", "a slot for another passphrase",
               lambda p: [f.write_passphrase_slot(p.file_key, b"another", p.random(32))], f.WRONG_KEY,
               ways=[BY_KEY, by(PASSPHRASE)])  # fmt: skip
    with_slots("passphrase_line_end", "a slot for the passphrase with a line end",
               lambda p: [f.write_passphrase_slot(p.file_key, PASSPHRASE.encode() + b"\n", p.random(32))], f.WRONG_KEY,
               ways=[by(PASSPHRASE)])  # fmt: skip
    flip = lambda data, at: data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
    with_slots("check_value", "one bit of a check value", lambda p: [flip(p.slots[0], 8 + 40)], f.WRONG_KEY)
    with_slots("wrapped", "one bit of a wrapped key", lambda p: [flip(p.slots[0], 8 + 50)], f.SLOT_DAMAGED)
    with_slots("wrapped_tag", "one bit of a wrapped key's tag", lambda p: [flip(p.slots[0], 8 + 95)], f.SLOT_DAMAGED)

    front = good.header()[:-48]
    total, mac = good.header()[-48:-32], good.header()[-32:]
    payload = whole[len(front) + 48 :]
    bad("sum", "one bit of the check sum", front + flip(total, 15) + mac + payload, f.HEADER_DAMAGED)
    bad("salt_bit", "one bit of the salt", flip(front, 25) + total + mac + payload, f.HEADER_DAMAGED)
    bad("slot_bit", "one bit of a slot", flip(front, 80) + total + mac + payload, f.HEADER_DAMAGED)
    bad("mac_first", "the first bit of the MAC", front + total + flip(mac, 0) + payload, f.HEADER_FORGED)
    bad("mac_last", "one bit of the last byte of the MAC", front + total + flip(mac, 31) + payload, f.HEADER_FORGED)
    bad("mac_zero", "a MAC of zeros", front + total + bytes(32) + payload, f.HEADER_FORGED)
    altered = front[:24] + good.random(28) + front[52:]
    bad(
        "salt_sum", "another salt, with its check sum", altered + hash256(altered)[:16] + mac + payload, f.HEADER_FORGED
    )
    altered = good.header(comment=b"forged")[:-32] + mac
    bad("comment_added", "a comment added, with its check sum", altered + payload, f.HEADER_FORGED)
    other = f.Randomness("other file key")(32)
    header = f.seal_header(front, other, good.salt)
    bad("mac_other_key", "all made with another file key than the slot's",
        header + b"".join(f.write_payload(header, other, good.text)), f.HEADER_FORGED)  # fmt: skip


def add_bad_payloads(make):
    parts = Parts("payload", 3 * CHUNK + 500)
    header = parts.header()
    c1, c2, _, c4 = parts.pieces(header)
    t1, t2, t3, _ = f.cut(parts.text, CHUNK)
    seal = f.Chunks(header, parts.file_key).seal
    flip = lambda data, at: data[:at] + bytes([data[at] ^ 0x80]) + data[at + 1 :]

    def bad(name, about, pieces, cause=f.CHUNK_DAMAGED, case="B106"):
        make.bad(f"{name}.hwa", about, header + b"".join(pieces), cause, case=case)

    bad("no_payload", "the header alone", [], f.TRUNCATED)
    bad("payload_15", "15 bytes of payload", [c1[:15]], f.TRUNCATED)
    bad("cut_1", "cut after chunk 1", [c1], f.TRUNCATED)
    bad("cut_in_1", "cut in chunk 1", [c1[:2000]])
    bad("cut_in_2", "cut 5 bytes into chunk 2", [c1, c2[:5]])
    bad("cut_byte", "the last byte is missing", [seal(0, 1, t1[:50])[:-1]])
    bad("swapped", "chunks 1 and 2 swapped", [c2, c1, c4])
    bad("repeated", "chunk 1 twice", [c1, c1, seal(1, 1, t2[:50])])
    bad("dropped", "chunks 2 and 3 left out", [c1, c4])
    bad("dropped_first", "chunk 1 left out", [seal(1, 1, t2[:50])])
    bad("last_alone", "the last chunk alone", [c4])
    other = Parts("another file with the same key", CHUNK + 200)
    bad("other_file", "chunk 2 of another file with the same key", [c1, other.pieces(other.header())[1]])
    bad(
        "last_in_the_middle",
        "chunk 2 of 3 flagged last",
        [c1, seal(1, 1, t2), seal(2, 1, t3[:50])],
        f.TRAILING,
        case="B108",
    )
    bad("last_first", "chunk 1 of 2 flagged last", [seal(0, 1, t1), seal(1, 1, t2[:50])], f.TRAILING, case="B108")
    bad("not_last", "the last chunk not flagged last", [c1, seal(1, 0, t2[:9])], f.TRUNCATED, case="B108")
    bad("no_last", "one full chunk, not flagged last", [seal(0, 0, t1)], f.TRUNCATED, case="B108")
    bad("flag_2", "the last flag is 2", [seal(0, 2, t1[:50])], case="B108")
    bad("empty_last", "an empty chunk at the end", [c1, seal(1, 1, b"")], f.FORMAT, case=None)
    bad("short_middle", "a short chunk in the middle", [seal(0, 0, t1[:100]), seal(1, 1, t2[:100])], case=None)
    bad("counter_end", "the number of a chunk in little-endian", [c1, seal(1 << 24, 1, t2[:50])], case=None)
    bad("bit_first", "one bit of the first byte", [flip(seal(0, 1, t1[:50]), 0)], case="B110")
    bad("bit_tag", "one bit of a tag", [flip(seal(0, 1, t1[:50]), 65)], case="B110")
    bad("bit_last", "one bit of the last chunk", [c1, flip(seal(1, 1, t2[:9]), 3)], case="B110")
    bad("byte_after", "a byte after the end", [seal(0, 1, t1[:50]), b"\0"], case=None)
    bad("byte_after_full", "a byte after a full last chunk", [seal(0, 1, t1), b"\0"], f.TRAILING, case=None)
    bad("file_after", "a file after the end", [seal(0, 1, t1), header, c1[:100]], f.TRAILING, case=None)
    plain = Parts("other aad", 50)
    cipher = f.Chunks(plain.header(), plain.file_key)
    cipher.header_id = b""
    make.bad(
        "no_aad.hwa", "chunks not bound to the header", plain.header() + cipher.seal(0, 1, plain.text), f.CHUNK_DAMAGED
    )


def add_bad_armor(make):
    parts = Parts("armored", 101)
    while len(parts.file()) % 3 != 1:
        parts.text = text(len(parts.text) + 1)
    inside = parts.file()
    good = f.write_armor(inside)
    lines = good.split(b"\n")
    bad = lambda name, about, data, cause=f.ARMOR: make.bad(f"{name}.asc", about, data, cause)
    join = b"\n".join
    body = base64.b64encode(inside)
    begin, end = lines[0], lines[-2]

    at = good.index(b"==\n") - 1
    bad("armor_bits", "bits that encode nothing are set", good[:at] + bytes([good[at] + 1]) + good[at + 1 :])
    bad("armor_no_pad", "no pad characters", good.replace(b"==\n", b"\n"))
    bad("armor_one_pad", "one pad character of two", good.replace(b"==\n", b"=\n"))
    bad("armor_inner_pad", "pad characters in the middle", join([begin, body[:60] + b"AA==", body[64:124], end, b""]))
    bad("armor_65", "65 characters in a line", join([begin, *f.cut(body, 65), end, b""]))
    bad("armor_60", "60 characters in a line", join([begin, *f.cut(body, 60), end, b""]))
    bad("armor_one_line", "all in one line", join([begin, body, end, b""]))
    bad("armor_blank", "a blank line", join([begin, b"", *lines[1:]]))
    bad("armor_blank_last", "a blank line before the END line", join([*lines[:-2], b"", end, b""]))
    bad("armor_space", "a space at the end of a line", join([begin, lines[1] + b" ", *lines[2:]]))
    bad("armor_indented", "a space before a line", join([begin, b" " + lines[1], *lines[2:]]))
    bad("armor_url", "the other alphabet", join([begin, b"-_" + lines[1][2:], *lines[2:]]))
    bad("armor_cr", "lines ended by CR alone", good.replace(b"\n", b"\r"), f.NOT_OURS)
    bad("armor_no_end", "no END line", join(lines[:-2]) + b"\n")
    bad("armor_cut", "cut in a line", good[: len(good) // 2])
    bad(
        "armor_end_label",
        "another label at the end",
        good.replace(b"END HWACHA ENCRYPTED FILE", b"END HWACHA SECRET KEY"),
    )
    bad("armor_label", "the label of a key", f.write_armor(inside, b"HWACHA SECRET KEY"))
    bad("armor_label_other", "a label of somebody else's", f.write_armor(inside, b"PGP MESSAGE"), f.NOT_OURS)
    bad("armor_label_case", "a label in small letters", good.replace(b"HWACHA", b"Hwacha"), f.NOT_OURS)
    bad("armor_dashes", "six dashes", b"-" + good, f.NOT_OURS)
    bad("armor_before", "text before the BEGIN line", b"Hello,\n" + good, f.NOT_OURS)
    bad("armor_after", "text after the END line", good + b"Yours,\n")
    bad("armor_twice", "two of them", good + good)
    bad("armor_empty", "nothing inside", join([begin, end, b""]))
    bad("armor_bit", "one bit of the text inside", f.write_armor(inside[:-3] + b"\0\0\0"), f.CHUNK_DAMAGED)
    bad("armor_nested", "armor inside armor", f.write_armor(good, b"HWACHA ENCRYPTED FILE"), f.ARMOR)


def write_manifest(rows):
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items())
    head = {
        "format": "hwacha test files 1",
        "generator": "tests/format/make_files.py",
        "plaintext": "byte i is i mod 251",
    }
    front = "".join(f" {json.dumps(name)}: {json.dumps(value)},\n" for name, value in head.items())
    return f'{{\n{front} "files": {{\n{lines}\n }}\n}}\n'.encode()


def make_all():
    make = Maker()
    for add in (add_keys, add_good, add_bad_headers, add_bad_payloads, add_bad_armor):
        add(make)
    make.contents["manifest.json"] = write_manifest(make.rows)
    return make.contents


def main():
    contents = make_all()
    present = {path.name: path.read_bytes() for path in FILES.iterdir()} if FILES.is_dir() else {}
    if sys.argv[1:] == ["--check"]:
        wrong = sorted(name for name in present.keys() | contents.keys() if present.get(name) != contents.get(name))
        print(*(f"{name} is not what make_files.py makes" for name in wrong), sep="\n")
        return 1 if wrong else 0
    if sys.argv[1:]:
        sys.exit(__doc__)
    FILES.mkdir(exist_ok=True)
    for name in present.keys() - contents.keys():
        (FILES / name).unlink()
    for name, data in contents.items():
        (FILES / name).write_bytes(data)
    print(f"{len(contents)} files, {sum(map(len, contents.values()))} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
