"""LSH, HMAC, HKDF, PBKDF2, LEA and GCM from their standards, in Python alone. For tests: slow, and not constant-time.

tests/format/format_test.py holds them to vectors/*.kat. They share nothing with src/.
"""

import struct
from functools import lru_cache


class LshFamily:
    """LSH-256 or LSH-512 of KS X 3262: a wide-pipe hash on 16 words, in two halves of eight."""

    def __init__(self, width, steps, alpha, beta, gamma, first_constants):
        self.width = width
        self.mask = (1 << width) - 1
        self.block = width * 4  # 32 words
        self.alpha, self.beta, self.gamma = alpha, beta, gamma
        constants = [list(first_constants)]
        while len(constants) < steps:
            constants.append([(c + self.rotated(c, 8)) & self.mask for c in constants[-1]])
        self.constants = constants
        self.layout = struct.Struct("<32" + ("I" if width == 32 else "Q"))

    def rotated(self, word, distance):
        return (word << distance | word >> self.width - distance) & self.mask

    def compress(self, chain, words):
        mask, width = self.mask, self.width
        even, odd = list(words[:16]), list(words[16:])
        left, right = list(chain[:8]), list(chain[8:])
        for step, constants in enumerate(self.constants):
            alpha, beta = self.alpha[step & 1], self.beta[step & 1]
            alpha_rest, beta_rest = width - alpha, width - beta
            new_left, new_right = [], []
            for x, y, m, n, constant, gamma in zip(left, right, even, even[8:], constants, self.gamma):
                y ^= n
                x = (x ^ m) + y & mask
                x = (x << alpha & mask | x >> alpha_rest) ^ constant
                y = x + y & mask
                y = y << beta & mask | y >> beta_rest
                new_left.append(x + y & mask)
                new_right.append(y << gamma & mask | y >> width - gamma)
            # Word permutation: left from left[6 4 5 7] and right[4 7 6 5], right from left[2 0 1 3] and right[0 3 2 1].
            a, b, c, d, e, f, g, h = new_left
            p, q, r, s, t, u, v, w = new_right
            left = [g, e, f, h, t, w, v, u]
            right = [c, a, b, d, p, s, r, q]
            # Message expansion: M[j] = M[j-1] + M[j-2] permuted, in each half by 3 2 0 1 and 7 4 5 6.
            a, b, c, d, e, f, g, h, p, q, r, s, t, u, v, w = even
            permuted = (d, c, a, b, h, e, f, g, s, r, p, q, w, t, u, v)
            even, odd = odd, [x + y & mask for x, y in zip(odd, permuted)]
        return [x ^ y for x, y in zip(left + right, even)]

    @lru_cache(maxsize=None)
    def initial(self, bits):
        return tuple(self.compress([self.width, bits] + [0] * 14, [0] * 32))

    def absorb(self, chain, data):
        for block in self.layout.iter_unpack(data):
            chain = self.compress(chain, block)
        return chain

    def digest(self, chain, bits, last, bit_count=None):
        """The chain value after all whole blocks, and what follows them: bit_count bits, all of `last` unless given."""
        bit_count = 8 * len(last) if bit_count is None else bit_count
        padded = bytearray(self.block)
        padded[: len(last)] = last
        padded[bit_count // 8] = padded[bit_count // 8] & 0xFF00 >> bit_count % 8 | 0x80 >> bit_count % 8
        chain = self.absorb(chain, bytes(padded))
        words = [x ^ y for x, y in zip(chain[:8], chain[8:])]
        return b"".join(word.to_bytes(self.width // 8, "little") for word in words)[: bits // 8]


LSH256 = LshFamily(
    32,
    26,
    (29, 5),
    (1, 17),
    (0, 8, 16, 24, 24, 16, 8, 0),
    struct.unpack(">8I", bytes.fromhex("917caf906c1b10a26f352943cf7782432ceb747229e96ff28a9ba4282eeb2642")),
)
LSH512 = LshFamily(
    64,
    28,
    (23, 7),
    (59, 3),
    (0, 16, 32, 48, 8, 24, 40, 56),
    struct.unpack(
        ">8Q",
        bytes.fromhex(
            "97884283c938982aba1fca93533e2355c519a2e87aeb1c039a0fc95462af17b1"
            "fc3dda8ab019a82b02825d079a89540779f2d0a7ee06a6f7d76d15eed9fdf5fe"
        ),
    ),
)


def lsh(family, bits, data, bit_count=None):
    """The digest of `bits` bits; bit_count is the length of the message when it is no multiple of 8."""
    bit_count = 8 * len(data) if bit_count is None else bit_count
    whole = bit_count // 8 // family.block * family.block
    chain = family.absorb(family.initial(bits), data[:whole])
    return family.digest(chain, bits, data[whole:], bit_count - 8 * whole)


def hash256(data):
    return lsh(LSH256, 256, data)


def hash512(data):
    return lsh(LSH512, 512, data)


class Hmac:
    """RFC 2104 with the full digest of a family. Keyed once, used often."""

    def __init__(self, family, key):
        self.family, self.bits = family, 8 * family.width
        if len(key) > family.block:
            key = lsh(family, self.bits, key)
        key = key.ljust(family.block, b"\0")
        start = family.initial(self.bits)
        self.inner = family.absorb(start, bytes(b ^ 0x36 for b in key))
        self.outer = family.absorb(start, bytes(b ^ 0x5C for b in key))

    def __call__(self, data):
        family = self.family
        whole = len(data) // family.block * family.block
        inner = family.digest(family.absorb(self.inner, data[:whole]), self.bits, data[whole:])
        return family.digest(self.outer, self.bits, inner)


def hkdf(key, salt, info, size):
    """RFC 5869 with HMAC-LSH-512-512."""
    expand = Hmac(LSH512, Hmac(LSH512, salt)(key))
    out = last = b""
    while len(out) < size:
        last = expand(last + info + bytes([len(out) // 64 + 1]))
        out += last
    return out[:size]


@lru_cache(maxsize=64)
def pbkdf2(passphrase, salt, iterations, size):
    """RFC 8018 with HMAC-LSH-512-512."""
    prf = Hmac(LSH512, passphrase)
    out = b""
    while len(out) < size:
        last = prf(salt + (len(out) // 64 + 1).to_bytes(4, "big"))
        total = int.from_bytes(last, "big")
        for _ in range(iterations - 1):
            last = prf(last)
            total ^= int.from_bytes(last, "big")
        out += total.to_bytes(64, "big")
    return out[:size]


LEA_DELTA = struct.unpack(">8I", bytes.fromhex("c3efe9db44626b0279e27c8a78df30ec715ea49ec785da0ae04ef22ae5c40957"))


def rotated32(word, distance):
    distance %= 32
    return (word << distance | word >> 32 - distance) & 0xFFFFFFFF


class Lea:
    """LEA of KS X 3246. Many blocks at a time: word w of block i is bits 64 i and up of one long number."""

    def __init__(self, key):
        words = list(struct.unpack(f"<{len(key) // 4}I", key))
        count = len(words)
        self.round_keys = []
        for i in range({4: 24, 6: 28, 8: 32}[count]):
            chosen = [(6 * i + j) % 8 for j in range(6)] if count == 8 else list(range(count))
            for j, at in enumerate(chosen):
                delta = rotated32(LEA_DELTA[i % count], i + j)
                words[at] = rotated32(words[at] + delta & 0xFFFFFFFF, (1, 3, 6, 11, 13, 17)[j])
            a, b, c, d, *rest = (words[at] for at in chosen)
            self.round_keys.append((a, b, c, b, d, b) if count == 4 else (a, b, c, d, *rest))

    def encrypt(self, data):
        """Every 16-byte block of the data."""
        blocks = len(data) // 16
        ones = int.from_bytes(b"\1\0\0\0\0\0\0\0" * blocks, "little")
        mask = 0xFFFFFFFF * ones

        def rotated(value, distance):
            return (value << distance | value >> 32 - distance) & mask

        state = []
        for word in range(4):
            spread = bytearray(8 * blocks)
            for byte in range(4):
                spread[byte::8] = data[4 * word + byte :: 16]
            state.append(int.from_bytes(spread, "little"))
        a, b, c, d = state
        for k0, k1, k2, k3, k4, k5 in self.round_keys:
            a, b, c, d = (
                rotated((a ^ k0 * ones) + (b ^ k1 * ones) & mask, 9),
                rotated((b ^ k2 * ones) + (c ^ k3 * ones) & mask, 27),
                rotated((c ^ k4 * ones) + (d ^ k5 * ones) & mask, 29),
                a,
            )
        out = bytearray(16 * blocks)
        for word, value in enumerate((a, b, c, d)):
            spread = value.to_bytes(8 * blocks, "little")
            for byte in range(4):
                out[4 * word + byte :: 16] = spread[byte::8]
        return bytes(out)


class AuthenticationError(Exception):
    """A tag that does not fit."""


class LeaGcm:
    """GCM of NIST SP 800-38D with LEA and 16-byte tags."""

    def __init__(self, key):
        self.lea = Lea(key)
        # products[i][b]: the product of H and the block whose byte i is b, all others zero. (6.3, bits are reflected)
        power = int.from_bytes(self.lea.encrypt(bytes(16)), "big")
        powers = []
        for _ in range(128):
            powers.append(power)
            power = power >> 1 ^ (0xE1 << 120 if power & 1 else 0)
        self.products = []
        for byte in range(16):
            row = [0]
            for power in reversed(powers[8 * byte : 8 * byte + 8]):
                row += [power ^ old for old in row]
            self.products.append(row)

    def ghash(self, *parts):
        value = 0
        for part in parts:
            for at in range(0, len(part), 16):
                value ^= int.from_bytes(part[at : at + 16].ljust(16, b"\0"), "big")
                product = 0
                for row, byte in zip(self.products, value.to_bytes(16, "big")):
                    product ^= row[byte]
                value = product
        return value

    def counted(self, start, data):
        """The data under the keystream, and the block that hides the tag."""
        count = int.from_bytes(start[12:], "big")
        blocks = -(-len(data) // 16)
        counters = b"".join(start[:12] + (count + i & 0xFFFFFFFF).to_bytes(4, "big") for i in range(blocks + 1))
        stream = self.lea.encrypt(counters)
        mixed = int.from_bytes(data, "little") ^ int.from_bytes(stream[16 : 16 + len(data)], "little")
        return mixed.to_bytes(len(data), "little"), stream[:16]

    def start(self, nonce):
        if len(nonce) == 12:
            return nonce + b"\0\0\0\1"
        return self.ghash(nonce, (8 * len(nonce)).to_bytes(16, "big")).to_bytes(16, "big")

    def tag(self, cover, aad, ciphertext):
        lengths = struct.pack(">QQ", 8 * len(aad), 8 * len(ciphertext))
        return (self.ghash(aad, ciphertext, lengths) ^ int.from_bytes(cover, "big")).to_bytes(16, "big")

    def seal(self, nonce, aad, plaintext):
        ciphertext, cover = self.counted(self.start(nonce), plaintext)
        return ciphertext + self.tag(cover, aad, ciphertext)

    def open(self, nonce, aad, sealed):
        if len(sealed) < 16:
            raise AuthenticationError("no room for a tag")
        ciphertext, tag = sealed[:-16], sealed[-16:]
        plaintext, cover = self.counted(self.start(nonce), ciphertext)
        if self.tag(cover, aad, ciphertext) != tag:
            raise AuthenticationError("the tag does not fit")
        return plaintext
