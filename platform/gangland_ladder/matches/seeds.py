"""Derive all randomness of a tournament from one secret, so that anyone can verify every die (docs/proof.md)."""

import hmac
from collections.abc import Mapping
from functools import cache
from hashlib import pbkdf2_hmac, sha256

import msgspec

LOCAL_ITERATIONS = 200_000


# The commitment proves that its publisher did not choose the secret afterwards. It does not prove that the dice are
# fair: the operator of a site knows the secret before the entries are fixed, so the operator could try many versions of
# a bot and enter the one with the best dice. A public value that is fixed after the entries prevents that
# (`dice_secret`).


def commitment(secret: bytes, promised: bytes = b"") -> str:
    """Return the value that is published before play: the SHA-256 of the secret and the promise."""
    return sha256(secret + promised).hexdigest()


def promise(announced: Mapping[str, object]) -> bytes:
    """Return the bytes that a commitment covers besides the secret: JSON without spaces, with sorted names, or b""."""
    return msgspec.json.encode(announced, order="sorted") if announced else b""


def dice_secret(secret: bytes, value: str | None) -> bytes:
    """Return the secret for the dice: the secret itself, or its HMAC of the normalized public value, if any."""
    return secret if value is None else hmac.digest(secret, f"public|{value}".encode(), "sha256")


def schedule_seed(digest: str, value: str | None) -> str:
    """Return the seed for the schedule and the final table's seating, from the entries' digest in hexadecimal."""
    return digest if value is None else sha256(f"{digest}|{value}".encode()).hexdigest()


def entries_digest(codes: list[str]) -> bytes:
    """Return the digest of the frozen entries, from the SHA-256 of each entry's code in the order of the entries."""
    return sha256("\n".join(codes).encode()).digest()


def block_seed(secret: bytes, digest: bytes, match: int, block: int) -> bytes:
    """Return the 32-byte seed of one block."""
    # The entries' digest is included, so that a secret cannot be prepared in advance for a set of entries.
    return hmac.digest(secret, b"|".join([b"block", digest, str(match).encode(), str(block).encode()]), "sha256")


def rng_key(secret: bytes, match: int) -> bytes:
    """Return the key of the bots' generators in one match; bots never see it."""
    return hmac.digest(secret, f"rng|{match}".encode(), "sha256")


def rng_seed(key: bytes, block: int, rotation: int, seat: int) -> bytes:
    """Return the 32-byte seed of one bot's generator in one game."""
    return hmac.digest(key, f"{block}|{rotation}|{seat}".encode(), "sha256")


@cache
def local_secret(seed: int, salt: bytes) -> bytes:
    """Return the secret for `--seed`; it is unpredictable without the salt of the author's machine."""
    # Deliberately slow: a bot that has the salt and its own generator's seed could otherwise try all small seeds.
    key = hmac.digest(salt, str(seed).encode(), "sha256")
    return pbkdf2_hmac("sha256", key, b"gangland local seed", LOCAL_ITERATIONS)
