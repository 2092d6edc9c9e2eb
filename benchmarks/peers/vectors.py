"""An observation as numbers, read off the engine's view: what a framework's observation space holds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gangland.gang_of_dice import FACES, WARNINGS

BIDS = 2
"""Bids that a seat can make."""
MOST_EXCHANGES = 146
"""Most legal answers of one Gangster Dice decision: exchanges of 0 to 3 dice on either side."""
MOST_DICE = 162
"""Most dice that a Gang of Dice player can hold: all of four players and the bonus dice."""
LENGTH = {
    "gangster-dice": lambda seats: 41 + (9 + 3 * BIDS) * seats,
    "gang-of-dice": lambda seats: 42 + 7 * seats,
}
"""How long an observation is, by the number of seats."""


def vector(name: str, view: Any) -> list[int]:
    """Return a view as numbers, always as many for a game and its seats; absent seats are 0."""
    return _gangster_dice(view) if name == "gangster-dice" else _gang_of_dice(view)


def _gangster_dice(view: Any) -> list[int]:
    numbers = [view.seat, view.round, view.bids_required, view.deck, view.specials]
    numbers += view.discards
    numbers += [view.hand.count(favor) for favor in range(5)]
    numbers += view.locked
    for player in view.players:
        numbers += player.dice
        numbers += player.symbols
        numbers += (player.hand_size, player.specials)
    for token in view.tokens:
        numbers += token.dice
        numbers += (_seat(token.holder), _seat(token.holder_before), _seat(token.winner))
    for made in view.bids or ((),) * view.seats:
        for bid in made:
            numbers += (1 + bid.token, bid.favor, bid.score)
        numbers += [0] * (3 * (BIDS - len(made)))
    return numbers


def _gang_of_dice(view: Any) -> list[int]:
    numbers = [view.seat, view.round, view.carried, view.bonus, view.rerolls_left, view.best_total, view.best_stake]
    numbers += (_seat(view.best_seat), _seat(view.first_seat), int(view.triggered), view.total)
    numbers += _counts(view.dice, FACES)
    gone = {card.id for card in view.cards_gone}
    numbers += [int(card.id in gone) for card in WARNINGS]
    numbers.append(WARNINGS.index(view.card))
    eliminated, turns = view.eliminated_in, {turn.seat: turn for turn in view.turns}
    for seat, pool in enumerate(view.pools):
        turn = turns.get(seat)
        numbers += (pool, eliminated[seat] or 0)
        numbers += (turn.stake, turn.total, len(turn.rolls), turn.final, turn.bust) if turn else (0, 0, 0, 0, 0)
    return numbers


def _seat(seat: int | None) -> int:
    return 0 if seat is None else seat + 1


def _counts(dice: tuple[int, ...], faces: Iterable[int]) -> list[int]:
    return [dice.count(face) for face in faces]


def limits(view: Any) -> list[int]:
    """Return the most that each of the six numbers of a Gang of Dice action may be.

    To choose dice the first number is how many beside one, the others are 0; to reroll they are how many of
    each face, gangsters first.
    """
    return _counts(view.dice, FACES) if view.dice else [view.pool - 1, 0, 0, 0, 0, 0]


def dice_decision(action: Iterable[int], *, rerolls: bool) -> int | tuple[int, ...]:
    """Return the decision that such an action stands for: dice to roll again, or how many to roll."""
    counts = [int(count) for count in action]
    return tuple([face for face in FACES for _ in range(counts[face])]) if rerolls else 1 + counts[0]
