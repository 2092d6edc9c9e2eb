"""The legal answers to each question: `choices` lists them, `check` accepts exactly these, `describe` describes them.

Bids are pairs (token, favor), an exchange is two counts by color, a reroll is a color and a token, a swap is two
colors.  A stake, a dump or a take is a color; a favor to keep or discard is given by its value.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import combinations, permutations, product
from typing import Any, Final

from gangland.answers import short_repr
from gangland.faults import IllegalDecision
from gangland.game import Decision, Question
from gangland.gangster_dice.answers import GARBLED, canonical
from gangland.gangster_dice.cards import (
    COLORS,
    COLOUR_NAMES,
    EXCHANGE_LIMIT,
    INVESTIGATOR,
    LAWYER,
    NO_DICE,
    SPEAKEASY,
    SYMBOL_NAMES,
    TOKEN_NAMES,
    TOKENS,
    Dice,
    minus,
)
from gangland.gangster_dice.state import Position, givable_dice

_CACHED_LISTS: Final = 2_000
"""The maximum number of lists of choices in a cache; the longest lists take a few kilobytes."""


def asked_kind(questions: Sequence[Question], seat: int) -> str:
    """Return the kind of the seat's pending question.  Raises ValueError: it has none."""
    for question in questions:
        if question.seat == seat:
            return question.kind
    raise ValueError(f"seat {seat!r} has no decision to make now")


def choices(position: Position, seat: int, kind: str) -> Sequence[Decision]:
    """Return every legal answer in canonical form and order."""
    if kind == "bids":
        return bids(position.opening.symbols[seat], position.hands[seat], position.setting.heads_up)[0]
    if kind == "exchange":
        return _exchanges(position.stashes[seat], position.dice[SPEAKEASY])
    if kind == "stake":
        return _colors_or_none(givable_dice(position, seat))  # G19: even the last die
    if kind == "dump":
        return _dumps(position, seat)
    if kind == "take":
        may_decline = position.control[LAWYER] == seat  # G26
        dice = position.dice[INVESTIGATOR]
        return _colors_or_none(dice) if may_decline else _colors(dice)  # G25
    return _trait_choices(position, seat, kind)


def _dumps(position: Position, seat: int) -> Sequence[Decision]:
    """Return the colors (G22, G23), and the sets of dice that the seat's character may place instead."""
    dice, count = givable_dice(position, seat), position.setting.cast[seat].places
    any_color = position.setting.options.investigator_colour == "any"
    colors: Sequence[Decision] = COLORS if any_color else _colors(dice)  # G23: a missing color places nothing
    if count and sum(dice) >= count:
        return [*colors, *_multisets(dice, count)]
    return colors or (None,)


def _trait_choices(position: Position, seat: int, kind: str) -> Sequence[Decision]:
    if kind == "reroll":
        faces = position.opening.faces[seat]
        return [None, *((color, token) for color in COLORS for token in sorted(set(faces[color])))]
    if kind == "swap":
        unlocked = minus(position.stashes[seat], position.locked[seat])
        return [None, *product(_colors(unlocked), _colors(position.dice[SPEAKEASY]))]
    if kind == "keep":
        return sorted(set(position.rare.pair))
    if kind == "discard":
        return [None, *sorted(set(position.hands[seat]))]
    raise ValueError(f"Gangster Dice has no decision of kind {kind!r}")


def is_forced(position: Position, seat: int, kind: str) -> bool:
    """Return whether there is only one legal answer; then the seat is not asked (G41)."""
    if kind == "bids":
        hand = position.hands[seat]
        tokens = shown_tokens(position.opening.symbols[seat])
        return hand[0] == hand[-1] and len(tokens) == _bid_count(tokens, position.setting.heads_up)
    if kind == "exchange":
        return position.stashes[seat] == NO_DICE or position.dice[SPEAKEASY] == NO_DICE
    if kind == "stake":
        return givable_dice(position, seat) == NO_DICE
    return len(choices(position, seat, kind)) == 1


def only_choice(position: Position, seat: int, kind: str) -> Decision:
    """Return the one legal answer of a seat that is not asked (G41)."""
    return choices(position, seat, kind)[0]


def default(position: Position, seat: int, kind: str) -> Decision:
    """Return the decision played for a seat at fault (G38)."""
    if kind == "bids":
        tokens = shown_tokens(position.opening.symbols[seat])
        return tuple(zip(tokens[: bids_required(position, seat)], position.hands[seat], strict=False))
    if kind == "exchange":
        return (NO_DICE, NO_DICE)
    if kind == "dump":
        return _main_color(givable_dice(position, seat))
    if kind == "take":
        return None if position.control[LAWYER] == seat else _main_color(position.dice[INVESTIGATOR])
    if kind == "keep":
        return max(position.rare.pair)
    return None  # no reroll, stake, swap or discard


def check(position: Position, seat: int, kind: str, answer: object) -> Decision:
    """Return the answer in canonical form.  Raises IllegalDecision: it is illegal; the message lists the legal ones."""
    decision = canonical(kind, answer)
    if decision is GARBLED or decision not in _allowed_answers(position, seat, kind):
        raise IllegalDecision(f"{short_repr(answer)} is not legal. {describe(position, seat, kind)}")
    return decision  # type: ignore[no-any-return]


def _allowed_answers(position: Position, seat: int, kind: str) -> Collection[Decision]:
    if kind == "bids":  # by far the most frequent kind, so it has a set too
        return bids(position.opening.symbols[seat], position.hands[seat], position.setting.heads_up)[1]
    return choices(position, seat, kind)


@lru_cache(maxsize=_CACHED_LISTS)
def shown_tokens(symbols: tuple[int, ...]) -> tuple[int, ...]:
    """Return the tokens with at least one symbol, in token order."""
    return tuple([token for token in TOKENS if symbols[token]])


def bids_required(position: Position, seat: int) -> int:
    """Return the number of bids that the seat makes: two if heads-up and two symbols show (G9), else one."""
    return _bid_count(shown_tokens(position.opening.symbols[seat]), position.setting.heads_up)


def _bid_count(tokens: tuple[int, ...], heads_up: bool) -> int:
    return 2 if heads_up and len(tokens) > 1 else 1


def bids(
    symbols: tuple[int, ...], hand: tuple[int, ...], heads_up: bool
) -> tuple[tuple[Decision, ...], frozenset[Decision]]:
    """Return all legal bids, as a list and as a set, shared between equal rolls and hands."""
    return _bid_choices(shown_tokens(symbols), hand, heads_up)


@lru_cache(maxsize=4 * _CACHED_LISTS)
def _bid_choices(
    tokens: tuple[int, ...], hand: tuple[int, ...], heads_up: bool
) -> tuple[tuple[Decision, ...], frozenset[Decision]]:
    """Return all sets of bids, sorted: different symbols (G8), and each favor at most as often as it is held (G6)."""
    required = _bid_count(tokens, heads_up)
    deals = sorted(set(permutations(hand, required)))
    pairings = product(combinations(tokens, required), deals)
    bids: tuple[Decision, ...] = tuple([tuple(zip(targets, favors, strict=True)) for targets, favors in pairings])
    return bids, frozenset(bids)


@lru_cache(maxsize=_CACHED_LISTS)
def _exchanges(stash: Dice, offer: Dice) -> tuple[Decision, ...]:
    """Return every exchange: the same number of dice on both sides, also of the same color (G18)."""
    return tuple(
        [
            exchange
            for size in range(EXCHANGE_LIMIT + 1)
            for exchange in product(_multisets(stash, size), _multisets(offer, size))
        ]
    )


@lru_cache(maxsize=_CACHED_LISTS)
def _multisets(dice: Dice, size: int) -> tuple[Dice, ...]:
    """Return every way to pick `size` of the dice, as counts by color."""
    picks = product(*(range(min(count, size) + 1) for count in dice))
    return tuple([(w, r, b) for w, r, b in picks if w + r + b == size])


@lru_cache(maxsize=_CACHED_LISTS)
def _colors(dice: Dice) -> tuple[int, ...]:
    return tuple([color for color in COLORS if dice[color]])


@lru_cache(maxsize=_CACHED_LISTS)
def _colors_or_none(dice: Dice) -> tuple[int | None, ...]:
    return (None, *_colors(dice))


def _main_color(dice: Dice) -> int:
    """Return the most frequent color; if several are, the first in the order white, red, blue (G38)."""
    return dice.index(max(dice))


def describe(position: Position, seat: int, kind: str) -> str:
    """Return a description of the legal answers, with the seat's own dice and cards."""
    if kind == "bids":
        return _bid_text(position, seat)
    if kind == "exchange":
        return (
            f"You have {_dice_text(position.stashes[seat])}; the Speakeasy has "
            f"{_dice_text(position.dice[SPEAKEASY])}. Allowed: (given, taken), each three counts (white, red, blue), "
            f"the same number of dice on both sides, 0 to {EXCHANGE_LIMIT}."
        )
    allowed = ", ".join([_choice_text(kind, choice) for choice in choices(position, seat, kind)])
    return f"{_situation(position, seat, kind)} Allowed: {allowed}."


def _bid_text(position: Position, seat: int) -> str:
    symbols = position.opening.symbols[seat]
    count = bids_required(position, seat)
    number_of_bids = "one bid," if count == 1 else f"{count} bids on different tokens, each"
    symbols_text = ", ".join(
        f"{symbols[token]} {SYMBOL_NAMES[token]} ({TOKEN_NAMES[token]} = {token})" for token in shown_tokens(symbols)
    )
    return (
        f"Your dice show {symbols_text}; your favors are {list(position.hands[seat])}. "
        f"Allowed: a list of {number_of_bids} a pair (token, favor), on a token that shows, with a favor of your hand."
    )


def _situation(position: Position, seat: int, kind: str) -> str:
    if kind == "reroll":
        return "You may reroll one of your dice: (color, token shown)."
    if kind == "swap":
        return (
            f"You may swap one of {_dice_text(minus(position.stashes[seat], position.locked[seat]))} for one of "
            f"{_dice_text(position.dice[SPEAKEASY])} on the Speakeasy: (color given, color taken)."
        )
    if kind == "keep":
        return f"You drew the favors {list(position.rare.pair)} and keep one."
    if kind == "discard":
        return f"You may discard one of your favors {list(position.hands[seat])} instead of taking a die."
    if kind == "take":
        return f"The Investigator has {_dice_text(position.dice[INVESTIGATOR])}."
    return f"You may still give {_dice_text(givable_dice(position, seat))}."


def _choice_text(kind: str, choice: Any) -> str:
    if kind in ("stake", "dump", "take") and isinstance(choice, int):
        return f"{choice} ({COLOUR_NAMES[choice]})"
    if kind == "dump" and choice is not None:
        return f"{choice} ({_dice_text(choice)})"
    if kind == "reroll" and choice is not None:
        color, token = choice
        return f"{choice} ({COLOUR_NAMES[color]} {SYMBOL_NAMES[token]})"
    return str(choice)


def _dice_text(dice: Dice) -> str:
    return ", ".join(f"{count} {name}" for count, name in zip(dice, COLOUR_NAMES, strict=True))
