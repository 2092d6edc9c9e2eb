"""Answers as they come from outside, in canonical form: tuples of numbers, bids sorted (G41)."""

from __future__ import annotations

from typing import Any, Final

from gangland.gangster_dice.cards import COLOURS, TOKENS

GARBLED: Final[Any] = object()
"""In place of an answer that has no canonical form."""

_SHOWN_CHARACTERS: Final = 120


def canonical(kind: str, answer: object) -> Any:
    """Return an answer as tuples of plain numbers, whatever it says; `GARBLED` if it has no such form."""
    if kind == "bids":
        return _bids(answer)
    if kind == "exchange":
        if not isinstance(answer, (list, tuple)) or len(answer) != 2:
            return GARBLED
        sides = tuple([_numbers(side, len(COLOURS)) for side in answer])
        return GARBLED if GARBLED in sides else sides
    if answer is None:
        return None
    if kind in ("reroll", "swap"):
        return _numbers(answer, 2)
    if kind == "dump" and isinstance(answer, (list, tuple)):
        return _numbers(answer, len(COLOURS))
    return _number(answer)


def in_words(answer: object) -> str:
    """Return what came, cut short; it may be nested or long beyond what can be shown."""
    try:
        text = repr(answer)
    except (RecursionError, ValueError):
        return f"an answer of type {type(answer).__name__} that cannot be shown"
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}..."


def _bids(answer: object) -> Any:
    if not isinstance(answer, (list, tuple)) or not 1 <= len(answer) <= len(TOKENS):
        return GARBLED
    bids = []
    for bid in answer:
        if not isinstance(bid, (list, tuple)) or len(bid) != 2:
            return GARBLED
        token, favor = bid
        if type(token) is not int or type(favor) is not int:
            token, favor = _number(token), _number(favor)
            if token is GARBLED or favor is GARBLED:
                return GARBLED
        bids.append((token, favor))
    return tuple(sorted(bids))


def _numbers(value: object, count: int) -> Any:
    if not isinstance(value, (list, tuple)) or len(value) != count:
        return GARBLED
    numbers = tuple([_number(item) for item in value])
    return GARBLED if GARBLED in numbers else numbers


def _number(value: object) -> Any:
    if type(value) is int:
        return value
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else GARBLED
