"""docs/FORMAT.md a second time: reads and writes encrypted files and secret keys. For tests; whole files in memory.

The writer takes every field, so that it can write files that the format does not allow. Sections are those of FORMAT.md.
"""

import base64
import binascii
import re
import struct
from dataclasses import dataclass

from primitives import LSH256, AuthenticationError, Hmac, LeaGcm, hash256, hash512, hkdf, pbkdf2

MAGIC = b"\x93HWA\r\n\x1a\n"
ENCRYPTED, SECRET_KEY = 1, 2
LABELS = {ENCRYPTED: b"HWACHA ENCRYPTED FILE", SECRET_KEY: b"HWACHA SECRET KEY"}
PASSPHRASE_SLOT, KEY_SLOT = 1, 2
CRITICAL = 1
TAG = 16
ITERATIONS_LIMIT = 10_000_000

# Why a reader refuses.
NOT_OURS = "not a Hwacha file"
FORMAT = "not allowed by the format"
UNSUPPORTED = "a version, suite or slot that a reader of version 1 does not know"
HEADER_DAMAGED = "header damaged"
HEADER_FORGED = "header altered: its MAC does not fit"
SLOT_DAMAGED = "slot damaged or altered"
WRONG_KEY = "no slot for this passphrase or key"
TOO_MANY_ITERATIONS = "more iterations than the reader is ready for"
TRUNCATED = "cut off"
CHUNK_DAMAGED = "chunk damaged, moved or not of this file"
TRAILING = "bytes after the end"
ARMOR = "armor damaged"


class Refused(Exception):
    def __init__(self, cause, detail=""):
        super().__init__(f"{cause}: {detail}" if detail else cause)
        self.cause = cause


def demand(condition, cause, detail=""):
    if not condition:
        raise Refused(cause, detail)


# Reading.


@dataclass(frozen=True)
class Slot:
    type: int
    flags: int
    head: bytes
    body: bytes


@dataclass(frozen=True)
class Header:
    raw: bytes
    comment: str
    log2: int
    slots: tuple
    salt: bytes

    @property
    def chunk(self):
        return 1 << self.log2


def read_head(data, wanted):
    """Section 1: the comment, and the offset behind it."""
    demand(data[:8] == MAGIC[: len(data)] and data, NOT_OURS, "the magic number")
    demand(len(data) >= 12, TRUNCATED, "in the container head")
    demand(data[8] == 1, UNSUPPORTED, f"version {data[8]}")
    demand(data[9] == wanted, NOT_OURS, f"type {data[9]} where {wanted} was expected")
    size = int.from_bytes(data[10:12], "little")
    demand(size <= 1024, FORMAT, f"a comment of {size} bytes")
    demand(len(data) >= 12 + size, TRUNCATED, "in the comment")
    return data[12 : 12 + size], 12 + size


def read_comment(raw):
    try:
        text = raw.decode("utf-8", "strict")
    except UnicodeDecodeError as error:
        raise Refused(FORMAT, f"comment: {error}") from error
    demand(not re.search("[\0-\x1f\x7f-\x9f]", text), FORMAT, "a control character in the comment")
    return text


def read_slots(data, count):
    slots, at = [], 0
    while at < len(data):
        demand(len(data) - at >= 8, FORMAT, "the slots do not fill their bytes")
        kind, flags, reserved, size = struct.unpack_from("<HBBI", data, at)
        demand(size <= len(data) - at - 8, FORMAT, "a slot goes beyond the slots")
        demand(flags & ~CRITICAL == 0 and reserved == 0, FORMAT, "reserved bits of a slot head")
        slots.append(Slot(kind, flags, data[at : at + 8], data[at + 8 : at + 8 + size]))
        at += 8 + size
    demand(len(slots) == count, FORMAT, f"{len(slots)} slots, {count} announced")
    for slot in slots:
        if slot.type == PASSPHRASE_SLOT:
            demand(slot.flags == 0 and len(slot.body) == 104, FORMAT, "flags or size of a passphrase slot")
            demand(slot.body[0] == 1, UNSUPPORTED, f"key derivation function {slot.body[0]}")
            demand(slot.body[1:4] == b"\0\0\0", FORMAT, "reserved bytes of a passphrase slot")
            demand(iterations(slot) >= 1000, FORMAT, f"{iterations(slot)} iterations")
        elif slot.type == KEY_SLOT:
            demand(slot.flags == 0 and len(slot.body) == 96, FORMAT, "flags or size of a key slot")
        else:
            demand(not slot.flags & CRITICAL, UNSUPPORTED, f"critical slot of type {slot.type}")
    return tuple(slots)


def iterations(slot):
    return int.from_bytes(slot.body[4:8], "little")


def read_header(data):
    """Section 2, up to and with the check sum; the MAC needs the file key."""
    raw_comment, at = read_head(data, ENCRYPTED)
    demand(len(data) >= at + 40, TRUNCATED, "in the header")
    suite, log2, count, slots_size = struct.unpack_from("<BBHI", data, at)
    demand(slots_size <= 65536, FORMAT, f"{slots_size} bytes of slots")
    at += 40
    end = at + slots_size
    demand(len(data) >= end + 48, TRUNCATED, "in the header")
    demand(data[end : end + 16] == hash256(data[:end])[:16], HEADER_DAMAGED)
    comment = read_comment(raw_comment)
    demand(suite == 1, UNSUPPORTED, f"suite {suite}")
    demand(12 <= log2 <= 24, FORMAT, f"chunks of 2^{log2} bytes")
    demand(1 <= count <= 64, FORMAT, f"{count} slots")
    return Header(data[: end + 48], comment, log2, read_slots(data[at:end], count), data[at - 32 : at])


def read_slot(slot, passphrases, keys, left):
    """The file key, or None; and the iterations left."""
    if slot.type == PASSPHRASE_SLOT:
        bound, salt, secrets = 56, slot.body[8:40], passphrases
    elif slot.type == KEY_SLOT:
        bound, salt, secrets = 48, slot.body[:32], keys
    else:
        return None, left
    for secret in secrets:
        if slot.type == PASSPHRASE_SLOT:
            left -= iterations(slot)
            demand(left >= 0, TOO_MANY_ITERATIONS)
            derived = pbkdf2(secret, salt, iterations(slot), 48)
        else:
            derived = hkdf(secret, salt, b"hwacha/1 key slot", 48)
        if derived[32:] == slot.body[bound - 16 : bound]:
            try:
                return LeaGcm(derived[:32]).open(bytes(12), slot.head + slot.body[:bound], slot.body[bound:]), left
            except AuthenticationError:
                raise Refused(SLOT_DAMAGED) from None
    return None, left


def find_file_key(header, passphrases=(), keys=(), limit=ITERATIONS_LIMIT):
    for slot in header.slots:
        file_key, limit = read_slot(slot, passphrases, keys, limit)
        if file_key is not None:
            break
    else:
        raise Refused(WRONG_KEY)
    mac_key = hkdf(file_key, header.salt, b"hwacha/1 header", 32)
    demand(Hmac(LSH256, mac_key)(header.raw[:-32]) == header.raw[-32:], HEADER_FORGED)
    return file_key


class Chunks:
    """Section 2.2: seals and opens the chunks of one file."""

    def __init__(self, header_raw, file_key):
        self.header_id = hash512(header_raw)
        derived = hkdf(file_key, self.header_id, b"hwacha/1 payload", 39)
        self.cipher, self.prefix = LeaGcm(derived[:32]), derived[32:]

    def nonce(self, number, last):
        return self.prefix + number.to_bytes(4, "big") + bytes([last])

    def seal(self, number, last, text):
        return self.cipher.seal(self.nonce(number, last), self.header_id, text)

    def open(self, number, last, sealed):
        return self.cipher.open(self.nonce(number, last), self.header_id, sealed)

    def opens(self, number, last, sealed):
        try:
            self.open(number, last, sealed)
        except AuthenticationError:
            return False
        return True


def read_payload(payload, header, file_key):
    """Yields the text of chunk after chunk; raises at the first that is not right."""
    demand(len(payload) >= TAG, TRUNCATED, f"{len(payload)} bytes of payload")
    size = header.chunk + TAG
    chunks = Chunks(header.raw, file_key)
    pieces = [payload[at : at + size] for at in range(0, len(payload), size)]
    demand(len(pieces) <= 1 << 32, FORMAT, "more than 2^32 chunks")
    for number, piece in enumerate(pieces):
        last = number == len(pieces) - 1
        try:
            text = chunks.open(number, last, piece)
        except AuthenticationError:
            where = f"chunk {number + 1} of {len(pieces)}"
            if chunks.opens(number, not last, piece):
                raise Refused(TRUNCATED if last else TRAILING, f"after {where}") from None
            raise Refused(CHUNK_DAMAGED, where) from None
        demand(text or not number, FORMAT, "an empty last chunk")
        yield text


def read_armor(data):
    """Section 4: the bytes inside."""
    lines = data.lstrip(b" \t\r\n").rstrip(b" \t\r\n").split(b"\n")
    lines = [line[:-1] if line.endswith(b"\r") else line for line in lines]
    match = re.fullmatch(b"-----BEGIN ([A-Z ]+)-----", lines[0])
    demand(match and match[1] in LABELS.values(), NOT_OURS, "no BEGIN line")
    demand(len(lines) > 1 and lines[-1] == b"-----END " + match[1] + b"-----", ARMOR, "no END line")
    body = lines[1:-1]
    demand(body and all(len(line) == 64 for line in body[:-1]), ARMOR, "length of a line")
    demand(1 <= len(body[-1]) <= 64, ARMOR, "length of the last line")
    text = b"".join(body)
    try:
        inside = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise Refused(ARMOR, str(error)) from error
    demand(base64.b64encode(inside) == text, ARMOR, "base64 is not canonical")
    demand(len(inside) < 10 or LABELS.get(inside[9]) == match[1], ARMOR, "the label is not that of the content")
    return inside


def plain_bytes(data):
    return read_armor(data) if data.lstrip(b" \t\r\n")[:1] == b"-" else data


def decode(data, passphrases=(), keys=(), limit=ITERATIONS_LIMIT):
    """The text of an encrypted file, armored or not."""
    data = plain_bytes(data)
    header = read_header(data)
    file_key = find_file_key(header, passphrases, keys, limit)
    return b"".join(read_payload(data[len(header.raw) :], header, file_key))


def decode_key(data, passphrases=(), keys=()):
    """Section 3: the 32 bytes of a key file, armored, encrypted or plain."""
    data = plain_bytes(data)
    if data[:8] == MAGIC and data[9:10] == bytes([ENCRYPTED]):
        data = decode(data, passphrases, keys)
        demand(len(data) <= 4096, FORMAT, f"a key file of {len(data)} bytes")
    comment, at = read_head(data, SECRET_KEY)
    demand(len(data) >= at + 52, TRUNCATED, "in the key")
    demand(data[at + 36 : at + 52] == hash256(data[: at + 36])[:16], HEADER_DAMAGED)
    demand(len(data) == at + 52, TRAILING)
    read_comment(comment)
    demand(data[at] == 1, UNSUPPORTED, f"a key of kind {data[at]}")
    demand(data[at + 1 : at + 4] == b"\0\0\0", FORMAT, "reserved bytes")
    return data[at + 4 : at + 36]


# Writing.


class Randomness:
    """Bytes that look random and are the same in every run."""

    def __init__(self, label):
        self.label, self.count = label.encode(), 0

    def __call__(self, size):
        out = b""
        while len(out) < size:
            out += hash256(self.label + self.count.to_bytes(8, "little"))
            self.count += 1
        return out[:size]


def write_head(kind, comment=b"", version=1, magic=MAGIC, size=None):
    return magic + bytes([version, kind]) + struct.pack("<H", len(comment) if size is None else size) + comment


def write_slot(kind, body, flags=0, reserved=0, size=None):
    return struct.pack("<HBBI", kind, flags, reserved, len(body) if size is None else size) + body


def write_wrapped(kind, front, derived, file_key, flags=0, reserved=0):
    front += derived[32:48]
    head = write_slot(kind, front + bytes(48), flags, reserved)[:8]
    return head + front + LeaGcm(derived[:32]).seal(bytes(12), head + front, file_key)


def write_passphrase_slot(file_key, passphrase, salt, count=1000, kdf=1, kdf_reserved=bytes(3), **head):
    front = bytes([kdf]) + kdf_reserved + struct.pack("<I", count) + salt
    return write_wrapped(PASSPHRASE_SLOT, front, pbkdf2(passphrase, salt, count or 1, 48), file_key, **head)


def write_key_slot(file_key, key, salt, **head):
    return write_wrapped(KEY_SLOT, salt, hkdf(key, salt, b"hwacha/1 key slot", 48), file_key, **head)


def seal_header(front, file_key, salt):
    """The check sum and the MAC behind everything else."""
    front += hash256(front)[:16]
    return front + Hmac(LSH256, hkdf(file_key, salt, b"hwacha/1 header", 32))(front)


def write_header(file_key, salt, slots, comment=b"", log2=12, suite=1, slot_count=None, slots_size=None, **head):
    fields = struct.pack(
        "<BBHI",
        suite,
        log2,
        len(slots) if slot_count is None else slot_count,
        sum(map(len, slots)) if slots_size is None else slots_size,
    )
    front = write_head(ENCRYPTED, comment, **head) + fields + salt + b"".join(slots)
    return seal_header(front, file_key, salt)


def cut(text, size):
    return [text[at : at + size] for at in range(0, len(text), size)] or [b""]


def write_payload(header_raw, file_key, text, log2=12):
    chunks, pieces = Chunks(header_raw, file_key), cut(text, 1 << log2)
    return [chunks.seal(number, number == len(pieces) - 1, piece) for number, piece in enumerate(pieces)]


def encode(text, make_slots, randomness, **fields):
    """A whole file. make_slots(file_key) gives the list of its slots."""
    file_key, salt = randomness(32), randomness(32)
    header = write_header(file_key, salt, make_slots(file_key), **fields)
    return header + b"".join(write_payload(header, file_key, text, fields.get("log2", 12)))


def encode_key(key, comment=b"", kind=1, reserved=bytes(3), **head):
    front = write_head(SECRET_KEY, comment, **head) + bytes([kind]) + reserved + key
    return front + hash256(front)[:16]


def write_armor(data, label=None, line_end=b"\n"):
    label = label or LABELS[data[9]]
    lines = [b"-----BEGIN " + label + b"-----", *cut(base64.b64encode(data), 64), b"-----END " + label + b"-----", b""]
    return line_end.join(lines)
