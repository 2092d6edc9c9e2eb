"""Gang of Dice in numbers.

Every action is a number of dice.  Asked for its stake, an agent names it in one action.  Asked what to roll again, it
says so in parts, one action for each face that shows, upward from the gangster: how many dice of that face.
Every number that the mask allows is legal whatever the other parts are, and zeros alone stop.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from gangland.game import Decision
from gangland.gang_of_dice.state import BONUS, FIRST_PLAYERS, POOLS, ROLLS, ROUNDS
from gangland.gang_of_dice.views import RoundResult, Turn, View
from gangland.gang_of_dice.warnings import DECKS, FACES, WARNINGS
from gangland_ladder.research.encoding import (
    Encoding,
    Field,
    Layout,
    Seen,
    asked,
    columns,
    flags,
    of_seat,
    one,
    per_seat,
    per_seat_and,
)

KINDS = ("dice", "reroll")
_BEST_FACE = max(FACES)
_NO_TURN = Turn(-1, 0, ((),), 0, False, False)


class GangOfDice(Encoding):
    """Gang of Dice at one table size."""

    def __init__(self, seats: int) -> None:
        dice = most_dice(seats)
        self.actions = dice + 1
        self.layout = Layout(_fields(seats, dice))

    def legal(self, seen: Seen) -> list[int]:
        """Return how many dice may be named now."""
        if seen.kind == "dice":
            return [cast(int, dice) for dice in seen.choices]
        return list(range(_showing(seen).count(_face(seen)) + 1))

    def is_whole(self, seen: Seen) -> bool:
        """Return whether the stake, or a number for every face that shows, is named."""
        return len(seen.parts) == (1 if seen.kind == "dice" else len(set(_showing(seen))))

    def decision(self, seen: Seen) -> Decision:
        """Return the stake, or the faces to roll again."""
        return seen.parts[0] if seen.kind == "dice" else _again(seen)

    def actions_for(self, seen: Seen, decision: Decision) -> tuple[int, ...]:
        """Return the stake, or how many dice of each face that shows roll again."""
        if isinstance(decision, int):
            return (decision,)
        again = cast("tuple[int, ...]", decision)
        return tuple(again.count(face) for face in sorted(set(_showing(seen))))


def most_dice(seats: int) -> int:
    """Return how many dice there can be at a table of so many seats, all bonus dice among them."""
    return seats * POOLS[seats] + sum(BONUS.values())


def _showing(seen: Seen) -> tuple[int, ...]:
    """Return the dice that may be rolled again: the last of all legal rerolls is all of them."""
    return cast("tuple[int, ...]", seen.choices[-1]) if seen.kind == "reroll" else ()


def _face(seen: Seen) -> int | None:
    """Return the face whose dice the next part is about."""
    shown = sorted(set(_showing(seen)))
    return shown[len(seen.parts)] if len(seen.parts) < len(shown) else None


def _again(seen: Seen) -> tuple[int, ...]:
    """Return the faces that are to be rolled again, as far as they are named."""
    shown = sorted(set(_showing(seen)))
    return tuple(face for face, dice in zip(shown, seen.parts, strict=False) for _ in range(dice))


def _counts(dice: Iterable[int]) -> list[int]:
    shown = list(dice)
    return [shown.count(face) for face in FACES]


def _turn(seen: Seen, seat: int) -> Turn:
    turns: tuple[Turn, ...] = seen.once("turns")
    return next((turn for turn in turns if turn.seat == seat), _NO_TURN)


def _last(seen: Seen, seat: int) -> Turn:
    result: RoundResult | None = seen.once("last_round")
    turns = () if result is None else result.turns
    return next((turn for turn in turns if turn.seat == seat), _NO_TURN)


def _place_in_order(seen: Seen, seat: int) -> int:
    order = seen.view.order
    return order.index(seat) + 1 if seat in order else 0


def _fields(seats: int, dice: int) -> tuple[Field, ...]:
    return (*_table_fields(seats, dice), *_card_fields(), *_seat_fields(seats, dice), *_last_fields(seats, dice))


def _table_fields(seats: int, dice: int) -> tuple[Field, ...]:
    total = _BEST_FACE * dice
    return (
        asked(KINDS),
        Field(columns("face", FACES), 0, 1, lambda seen: [int(face == _face(seen)) for face in FACES]),
        Field(columns("again", FACES), 0, dice, lambda seen: _counts(_again(seen))),
        *flags({"deck": tuple(DECKS), "first_player": FIRST_PLAYERS}, lambda view: cast(View, view).options),
        one("round", ROUNDS, lambda seen: seen.view.round),
        one("rerolls_left", ROLLS - 1, lambda seen: seen.view.rerolls_left),
        one("triggered", 1, lambda seen: int(seen.view.triggered)),
        one("carried", dice, lambda seen: seen.view.carried),
        one("bonus", max(BONUS.values()), lambda seen: seen.view.bonus),
        one("table", dice, lambda seen: seen.view.table),
        one("best_total", total, lambda seen: seen.view.best_total, low=-1),
        one("best_stake", dice, lambda seen: seen.view.best_stake),
        of_seat("best", seats, lambda seen: seen.view.best_seat),
    )


def _card_fields() -> tuple[Field, ...]:
    ids = [card.id for card in WARNINGS]
    return (
        Field(columns("card", ids), 0, 1, lambda seen: [int(card == seen.view.card) for card in WARNINGS]),
        Field(columns("gone", ids), 0, 1, lambda seen: _among(seen.view.cards_gone)),
        Field(columns("to_come", ids), 0, 1, lambda seen: _among(seen.view.cards_to_come)),
    )


def _among(cards: Iterable[object]) -> list[int]:
    found = list(cards)
    return [int(card in found) for card in WARNINGS]


def _seat_fields(seats: int, dice: int) -> tuple[Field, ...]:
    return (
        per_seat("pool", seats, dice, lambda seen, seat: seen.view.pools[seat]),
        per_seat("eliminated_in", seats, ROUNDS, lambda seen, seat: seen.view.eliminated_in[seat] or 0),
        per_seat("at_fault", seats, 1, lambda seen, seat: int(seat in seen.view.defaulting)),
        per_seat("turn", seats, seats, _place_in_order),
        per_seat("stake", seats, dice, lambda seen, seat: _turn(seen, seat).stake),
        per_seat("rolls", seats, ROLLS, lambda seen, seat: len([roll for roll in _turn(seen, seat).rolls if roll])),
        per_seat("total", seats, _BEST_FACE * dice, lambda seen, seat: _turn(seen, seat).total),
        per_seat("final", seats, 1, lambda seen, seat: int(_turn(seen, seat).final)),
        per_seat("bust", seats, 1, lambda seen, seat: int(_turn(seen, seat).bust)),
        per_seat_and("dice", seats, FACES, dice, lambda seen, seat: _counts(_turn(seen, seat).dice)),
    )


def _last_fields(seats: int, dice: int) -> tuple[Field, ...]:
    return (
        of_seat("last_winner", seats, lambda seen: seen.once("last_round") and seen.once("last_round").winner),
        one("last_table", dice, lambda seen: seen.once("last_round").dice if seen.once("last_round") else 0),
        per_seat("last_stake", seats, dice, lambda seen, seat: _last(seen, seat).stake),
        per_seat("last_total", seats, _BEST_FACE * dice, lambda seen, seat: _last(seen, seat).total),
        per_seat("last_bust", seats, 1, lambda seen, seat: int(_last(seen, seat).bust)),
    )


ENCODING = GangOfDice
