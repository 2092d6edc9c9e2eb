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
def local_secret(seed: int, salt: bytes) -> bytes:
    """Return the secret that stands behind `--seed` and the salt of an author's own machine.

    Without the salt it cannot be worked out beforehand.  It is slow on purpose: a bot that was given the
    salt, and knows its own generator's seed, could otherwise try out all small numbers within its time.
    """
    salted = hmac.digest(salt, str(seed).encode(), "sha256")
    return pbkdf2_hmac("sha256", salted, b"gangland local seed", LOCAL_ITERATIONS)
