"""An analysis as it is kept and sent: numbers to five digits, as JSON, packed; checked when it is read."""

from __future__ import annotations

from typing import Any, Final, TypeVar

import msgspec
import zstandard

from gangland_ladder.analysis.account import Analysis
from gangland_ladder.analysis.continuation import Continued
from gangland_ladder.analysis.figures import GameFigures

DIGITS: Final = 5
CLOSE_WHEN_ROUNDED: Final = 1e-3
"""Sums of rounded numbers differ by less: a step of a game has some dozens of changes at most."""
MOST_BYTES: Final = 4 * 1024 * 1024
"""Of an analysis as JSON: several times what the longest game of 100 rounds comes to."""
_LEVEL: Final = 6

Kept = Analysis | GameFigures | list[Continued]
KeptT = TypeVar("KeptT", Analysis, GameFigures, list[Continued])


class NotKept(ValueError):
    """What was stored is no analysis; the message says where it differs from one."""


def pack(kept: Kept) -> bytes:
    """Return it as it is stored: zstd over JSON."""
    return zstandard.compress(msgspec.json.encode(rounded(kept)), _LEVEL)


def unpack(stored: bytes, kind: type[KeptT]) -> KeptT:
    """Return what was packed.

    Raises:
        NotKept: it is no such thing.
    """
    try:
        text = zstandard.ZstdDecompressor().decompress(stored, max_output_size=MOST_BYTES)
        return msgspec.json.decode(text, type=kind)
    except (zstandard.ZstdError, msgspec.MsgspecError, RecursionError) as error:
        raise NotKept(f"what is stored is no {kind}: {error}") from error


def rounded(value: Any) -> Any:
    """Return an analysis, or a part of one, as plain JSON values with its numbers rounded."""
    return _rounded(msgspec.to_builtins(value))


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rounded(each) for each in value]
    return value
