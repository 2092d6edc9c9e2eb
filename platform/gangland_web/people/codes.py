"""One-time codes: easy to type from paper or a mail, and kept as hashes alone."""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

_ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Nothing that is taken for something else on a printed slip."""
_IN_A_GROUP: Final = 4


def new_code(groups: int = 3) -> str:
    """Return a code such as `k7mp-2xqa-9vbd`: nearly 20 random bits a group, easy to type from paper."""
    drawn = ("".join(secrets.choice(_ALPHABET) for _ in range(_IN_A_GROUP)) for _ in range(groups))
    return "-".join(drawn)


def normal_code(typed: str) -> str:
    """Return a code as it was made, whatever the case and the spaces in which it was typed."""
    chars = "".join(char for char in typed.casefold()[:64] if char in _ALPHABET)
    return "-".join(chars[start : start + _IN_A_GROUP] for start in range(0, len(chars), _IN_A_GROUP))


def hash_code(code: str) -> str:
    """Return the SHA-256 (hex) under which a code is kept; spaces around it do not matter."""
    return hashlib.sha256(code.strip().encode()).hexdigest()
