"""Which answers are legal: the one place that knows.

`choices` lists them in canonical form, `check` accepts exactly those, `words` tells them to people.
Bids are pairs (token, favor), an exchange is two counts by colour, a stake, a dump and a take are colours.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from itertools import combinations, permutations, product
from typing import Any

from gangland.faults import IllegalDecision
from gangland.game import Decision
from gangland.gangster_dice.cards import (
    COLOUR_NAMES,
    COLOURS,
    EXCHANGE_LIMIT,
    INVESTIGATOR,
    LAWYER,
    NO_DICE,
    SPEAKEASY,
    SYMBOL_NAMES,
    TOKEN_NAMES,
    TOKENS,
    Dice,
)
from gangland.gangster_dice.state import Position, left

SHOWN_CHARACTERS = 120


def asked_kind(position: Position, seat: int) -> str:
    """Return what a seat is asked now.

    Raises:
        ValueError: it is asked nothing.
    """
    for question in position.questions:
        if question.seat == seat:
            return question.kind
    raise ValueError(f"seat {seat!r} has no decision to make now")


def choices(position: Position, seat: int, kind: str) -> Collection[Decision]:
    """Return every legal answer in canonical form and order."""
    if kind == "bids":
        return _bid_choices(showing(position.symbols[seat]), position.hands[seat], bids_required(position, seat))
    if kind == "exchange":
        return list(_exchanges(position.stashes[seat], position.dice[SPEAKEASY]))
    if kind == "stake":
        return [None, *_colours(left(position, seat))]  # G19: the last one too
    if kind == "dump":
        if position.options.investigator_colour == "any":
            return COLOURS  # G23: a colour that one lacks places nothing
        return _colours(left(position, seat)) or [None]
    lying = _colours(position.dice[INVESTIGATOR])
    return [None, *lying] if position.control[LAWYER] == seat else lying  # G25, G26


def is_forced(position: Position, seat: int, kind: str) -> bool:
    """Return whether there is but one legal answer, which is then not asked (G41)."""
    if kind == "bids":
        hand = position.hands[seat]
        return hand[0] == hand[-1] and len(showing(position.symbols[seat])) == bids_required(position, seat)
    if kind == "exchange":
        return position.stashes[seat] == NO_DICE or position.dice[SPEAKEASY] == NO_DICE
    return len(choices(position, seat, kind)) == 1


def default(position: Position, seat: int, kind: str) -> Decision:
    """Return what is played for a seat at fault (G38)."""
    if kind == "bids":
        tokens = showing(position.symbols[seat])
        return tuple(zip(tokens[: bids_required(position, seat)], position.hands[seat], strict=False))
    if kind == "exchange":
        return (NO_DICE, NO_DICE)
    if kind == "stake":
        return None
    if kind == "dump":
        return _most(left(position, seat))
    return None if position.control[LAWYER] == seat else _most(position.dice[INVESTIGATOR])


def check(position: Position, seat: int, kind: str, answer: object) -> Decision:
    """Return the answer in canonical form.

    Raises:
        IllegalDecision: it is not legal; the message says what came and what is legal.
    """
    decision: Decision = _canonical(kind, answer)
    if decision is _GARBLED or decision not in choices(position, seat, kind):
        raise IllegalDecision(f"{_shown(answer)} is not allowed. {words(position, seat, kind)}")
    return decision


def words(position: Position, seat: int, kind: str) -> str:
    """Return in words which answers are legal, by the seat's own dice and cards."""
    if kind == "bids":
        symbols = position.symbols[seat]
        count = bids_required(position, seat)
        what = "one bid" if count == 1 else f"{count} bids on different tokens, each"
        shown = ", ".join(
            f"{symbols[token]} {SYMBOL_NAMES[token]} ({TOKEN_NAMES[token]} = {token})" for token in showing(symbols)
        )
        return (
            f"Your dice show {shown}; your favors are {list(position.hands[seat])}. "
            f"Allowed: a list of {what} a pair (token, favor), on a token that shows, with a favor of your hand."
        )
    if kind == "exchange":
        return (
            f"You have {_dice_words(position.stashes[seat])}; on the Speakeasy lie "
            f"{_dice_words(position.dice[SPEAKEASY])}. Allowed: (given, taken), each three counts (white, red, blue), "
            f"equally many dice on both sides, 0 to {EXCHANGE_LIMIT}."
        )
    colours = ", ".join(
        "None" if choice is None else f"{choice} ({COLOUR_NAMES[choice]})"  # type: ignore[index]
        for choice in choices(position, seat, kind)
    )
    if kind == "take":
        return f"On the Investigator lie {_dice_words(position.dice[INVESTIGATOR])}. Allowed: {colours}."
    return f"You may still give {_dice_words(left(position, seat))}. Allowed: {colours}."


def showing(symbols: tuple[int, ...]) -> tuple[int, ...]:
    """Return the tokens whose symbol shows at least once, in token order."""
    return tuple([token for token in TOKENS if symbols[token]])


def bids_required(position: Position, seat: int) -> int:
    """Return how many bids the seat makes: two heads-up if two symbols show (G9), else one."""
    return 2 if len(position.stashes) == 2 and len(showing(position.symbols[seat])) > 1 else 1


@cache
def _bid_choices(tokens: tuple[int, ...], hand: tuple[int, ...], required: int) -> dict[Decision, None]:
    """Return all sets of bids, sorted; different symbols (G8), each favor as often as it is held (G6)."""
    deals = sorted(set(permutations(hand, required)))
    pairings = product(combinations(tokens, required), deals)
    return {tuple(zip(chosen, favors, strict=True)): None for chosen, favors in pairings}


def _exchanges(stash: Dice, lying: Dice) -> Iterator[Decision]:
    """Yield every exchange: equally many given and taken, the same colour on both sides too (G18)."""
    for size in range(EXCHANGE_LIMIT + 1):
        yield from product(_multisets(stash, size), _multisets(lying, size))


@cache
def _multisets(dice: Dice, size: int) -> tuple[Dice, ...]:
    """Return every way to pick `size` of the dice, as counts by colour."""
    picks = product(*(range(min(count, size) + 1) for count in dice))
    return tuple([(w, r, b) for w, r, b in picks if w + r + b == size])


def _colours(dice: Dice) -> list[int]:
    return [colour for colour in COLOURS if dice[colour]]


def _most(dice: Dice) -> int:
    """Return the colour with most dice; equal ones in the order white, red, blue (G38)."""
    return dice.index(max(dice))


_GARBLED: Any = object()


def _canonical(kind: str, answer: object) -> Any:
    """Return an answer as tuples of numbers, bids sorted, whatever it says; `_GARBLED` if it has no such form."""
    if kind == "bids":
        if not isinstance(answer, (list, tuple)) or not 1 <= len(answer) <= len(TOKENS):
            return _GARBLED
        bids = [_numbers(bid, 2) for bid in answer]
        return _GARBLED if _GARBLED in bids else tuple(sorted(bids))
    if kind == "exchange":
        if not isinstance(answer, (list, tuple)) or len(answer) != 2:
            return _GARBLED
        sides = tuple([_numbers(side, len(COLOURS)) for side in answer])
        return _GARBLED if _GARBLED in sides else sides
    return None if answer is None else _number(answer)


def _numbers(value: object, count: int) -> Any:
    if not isinstance(value, (list, tuple)) or len(value) != count:
        return _GARBLED
    numbers = tuple([_number(item) for item in value])
    return _GARBLED if _GARBLED in numbers else numbers


def _number(value: object) -> Any:
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else _GARBLED


def _shown(answer: object) -> str:
    """Return what came, cut short; it may be nested or long beyond what can be shown."""
    try:
        text = repr(answer)
    except (RecursionError, ValueError):
        return f"an answer of type {type(answer).__name__} that cannot be shown"
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}..."


def _dice_words(dice: Dice) -> str:
    return ", ".join(f"{count} {name}" for count, name in zip(dice, COLOUR_NAMES, strict=True))
