"""All chance of a tournament out of one secret, so that a stranger can prove every die."""

from __future__ import annotations

import hmac
from functools import cache
from hashlib import pbkdf2_hmac, sha256

LOCAL_ITERATIONS = 200_000


def commitment(secret: bytes) -> str:
    """Return what is published before play: the SHA-256 of the secret, in hexadecimal."""
    return sha256(secret).hexdigest()


def entries_digest(codes: list[str]) -> bytes:
    """Return the digest of the frozen entries, given the SHA-256 of each one's code in entry order."""
    return sha256("\n".join(codes).encode()).digest()


def block_seed(secret: bytes, digest: bytes, match: int, block: int) -> bytes:
    """Return the 32-byte seed of one block.

    The digest of the entries goes in, so that whoever knows the secret early still cannot
    know the dice before the entries are frozen.
    """
    return hmac.digest(secret, b"|".join([b"block", digest, str(match).encode(), str(block).encode()]), "sha256")


def rng_key(secret: bytes, match: int) -> bytes:
    """Return the key of one match's bot generators; it is never a bot's own to see."""
    return hmac.digest(secret, f"rng|{match}".encode(), "sha256")


def rng_seed(key: bytes, block: int, rotation: int, seat: int) -> bytes:
    """Return the 32-byte seed of one bot's own generator in one game."""
    return hmac.digest(key, f"{block}|{rotation}|{seat}".encode(), "sha256")


@cache
def local_secret(seed: int) -> bytes:
    """Return the secret that stands behind `--seed` on an author's own machine.

    It is slow on purpose: a bot knows its own generator's seed, and could otherwise try out all
    small numbers within its time and know the dice.
    """
    return pbkdf2_hmac("sha256", str(seed).encode(), b"gangland local seed", LOCAL_ITERATIONS)
