"""Bring bots' answers into canonical form: tuples of numbers, with bids sorted (G41)."""

from __future__ import annotations

from typing import Any, Final

from gangland.answers import items
from gangland.gangster_dice.cards import COLORS, TOKENS, Colour, Token

GARBLED: Final[Any] = object()
"""Used in place of an answer that has no canonical form."""

_ENUMS: Final = (Token, Colour)


def canonical(kind: str, answer: object) -> Any:
    """Return an answer, legal or not, as tuples of plain numbers; `GARBLED` if it has no such form."""
    if kind == "bids":
        return _bids(answer)
    if kind == "exchange":
        both = items(answer)
        if both is None or len(both) != 2:
            return GARBLED
        sides = tuple([_numbers(side, len(COLORS)) for side in both])
        return GARBLED if GARBLED in sides else sides
    if answer is None:
        return None
    if kind in ("reroll", "swap"):
        return _numbers(answer, 2)
    if kind == "dump" and items(answer) is not None:
        return _numbers(answer, len(COLORS))
    return _number(answer)


def _bids(answer: object) -> Any:
    answers = items(answer)
    if answers is None or not 1 <= len(answers) <= len(TOKENS):
        return GARBLED
    bids: list[tuple[Any, Any]] = []
    for bid in answers:
        pair = items(bid)
        if pair is None or len(pair) != 2:
            return GARBLED
        token, favor = pair
        if type(token) is not int or type(favor) is not int:
            token, favor = _number(token), _number(favor)
            if token is GARBLED or favor is GARBLED:
                return GARBLED
        bids.append((token, favor))
    return tuple(sorted(bids))


def _numbers(value: object, count: int) -> Any:
    values = items(value)
    if values is None or len(values) != count:
        return GARBLED
    numbers = tuple([_number(item) for item in values])
    return GARBLED if GARBLED in numbers else numbers


def _number(value: object) -> Any:
    if type(value) is int:
        return value
    is_ours = any(type(value) is kind for kind in _ENUMS)  # `==` would call the answer's metaclass
    return int.__index__(value) if is_ours else GARBLED  # type: ignore[arg-type]
