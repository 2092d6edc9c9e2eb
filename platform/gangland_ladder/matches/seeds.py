"""All chance of a tournament out of one secret, so that a stranger can prove every die.

What that proves: whoever published the commitment could not choose the secret afterwards.  It does not prove that
nobody chose the dice.  Whoever holds the secret before the entries are fixed (the site's operator) can try out many
versions of an own bot and enter the one that the dice favor.  A public value that is fixed after the entries ends
that (`dice_secret`, `randomness`); without one, the operator has to be trusted.  docs/proof.md says so.
"""

import hmac
from collections.abc import Mapping
from functools import cache
from hashlib import pbkdf2_hmac, sha256

import msgspec

LOCAL_ITERATIONS = 200_000


def commitment(secret: bytes, promised: bytes = b"") -> str:
    """Return what is published before play: the SHA-256 of the secret and of what was promised with it."""
    return sha256(secret + promised).hexdigest()


def promise(announced: Mapping[str, object]) -> bytes:
    """Return what a commitment binds besides the secret: JSON without spaces, names in alphabetical order.

    Args:
        announced: by name, each thing that is promised before the entries are fixed; nothing for an empty one.
    """
    return msgspec.json.encode(announced, order="sorted") if announced else b""


def dice_secret(secret: bytes, value: str | None) -> bytes:
    """Return what stands in the secret's place when dice are drawn: the secret itself where no public value goes in.

    Args:
        value: the public value in its one spelling, entered after the entries were fixed.
    """
    return secret if value is None else hmac.digest(secret, f"public|{value}".encode(), "sha256")


def schedule_seed(digest: str, value: str | None) -> str:
    """Return the seed of a round robin, which decides who meets whom where only a sample of tables is played.

    Args:
        digest: of the entries, in hexadecimal; value: the public value, None where there is none.
    """
    return digest if value is None else sha256(f"{digest}|{value}".encode()).hexdigest()


def entries_digest(codes: list[str]) -> bytes:
    """Return the digest of the frozen entries, given the SHA-256 of each one's code in entry order."""
    return sha256("\n".join(codes).encode()).digest()


def block_seed(secret: bytes, digest: bytes, match: int, block: int) -> bytes:
    """Return the 32-byte seed of one block.

    The digest of the entries goes in, so that a secret drawn up beforehand fits no set of entries.  Whoever knows
    the secret while bots may still be entered can try out what an own entry would make of the dice, though.
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
