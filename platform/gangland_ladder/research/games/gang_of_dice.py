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
    AgentState,
    Encoding,
    Field,
    Layout,
    columns,
    flags,
    kind_field,
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

    def legal(self, agent: AgentState) -> list[int]:
        """Return how many dice may be named now."""
        if agent.kind == "dice":
            return [cast(int, dice) for dice in agent.choices]
        return list(range(_showing(agent).count(_face(agent)) + 1))

    def is_whole(self, agent: AgentState) -> bool:
        """Return whether the stake, or a number for every face that shows, is named."""
        return len(agent.parts) == (1 if agent.kind == "dice" else len(set(_showing(agent))))

    def decision(self, agent: AgentState) -> Decision:
        """Return the stake, or the faces to roll again."""
        return agent.parts[0] if agent.kind == "dice" else _again(agent)

    def actions_for(self, agent: AgentState, decision: Decision) -> tuple[int, ...]:
        """Return the stake, or how many dice of each face that shows roll again."""
        if isinstance(decision, int):
            return (decision,)
        again = cast("tuple[int, ...]", decision)
        return tuple(again.count(face) for face in sorted(set(_showing(agent))))


def most_dice(seats: int) -> int:
    """Return how many dice there can be at a table of so many seats, all bonus dice among them."""
    return seats * POOLS[seats] + sum(BONUS.values())


def _showing(agent: AgentState) -> tuple[int, ...]:
    """Return the dice that may be rolled again: the last of all legal rerolls is all of them."""
    return cast("tuple[int, ...]", agent.choices[-1]) if agent.kind == "reroll" else ()


def _face(agent: AgentState) -> int | None:
    """Return the face whose dice the next part is about."""
    shown = sorted(set(_showing(agent)))
    return shown[len(agent.parts)] if len(agent.parts) < len(shown) else None


def _again(agent: AgentState) -> tuple[int, ...]:
    """Return the faces that are to be rolled again, as far as they are named."""
    shown = sorted(set(_showing(agent)))
    return tuple(face for face, dice in zip(shown, agent.parts, strict=False) for _ in range(dice))


def _counts(dice: Iterable[int]) -> list[int]:
    shown = list(dice)
    return [shown.count(face) for face in FACES]


def _turn(agent: AgentState, seat: int) -> Turn:
    turns: tuple[Turn, ...] = agent.once("turns")
    return next((turn for turn in turns if turn.seat == seat), _NO_TURN)


def _last(agent: AgentState, seat: int) -> Turn:
    result: RoundResult | None = agent.once("last_round")
    turns = () if result is None else result.turns
    return next((turn for turn in turns if turn.seat == seat), _NO_TURN)


def _place_in_order(agent: AgentState, seat: int) -> int:
    order = agent.view.order
    return order.index(seat) + 1 if seat in order else 0


def _fields(seats: int, dice: int) -> tuple[Field, ...]:
    return (*_table_fields(seats, dice), *_card_fields(), *_seat_fields(seats, dice), *_last_fields(seats, dice))


def _table_fields(seats: int, dice: int) -> tuple[Field, ...]:
    total = _BEST_FACE * dice
    return (
        kind_field(KINDS),
        Field(columns("face", FACES), 0, 1, lambda agent: [int(face == _face(agent)) for face in FACES]),
        Field(columns("again", FACES), 0, dice, lambda agent: _counts(_again(agent))),
        *flags({"deck": tuple(DECKS), "first_player": FIRST_PLAYERS}, lambda view: cast(View, view).options),
        one("round", ROUNDS, lambda agent: agent.view.round),
        one("rerolls_left", ROLLS - 1, lambda agent: agent.view.rerolls_left),
        one("triggered", 1, lambda agent: int(agent.view.triggered)),
        one("carried", dice, lambda agent: agent.view.carried),
        one("bonus", max(BONUS.values()), lambda agent: agent.view.bonus),
        one("table", dice, lambda agent: agent.view.table),
        one("best_total", total, lambda agent: agent.view.best_total, low=-1),
        one("best_stake", dice, lambda agent: agent.view.best_stake),
        of_seat("best", seats, lambda agent: agent.view.best_seat),
    )


def _card_fields() -> tuple[Field, ...]:
    ids = [card.id for card in WARNINGS]
    return (
        Field(columns("card", ids), 0, 1, lambda agent: [int(card == agent.view.card) for card in WARNINGS]),
        Field(columns("gone", ids), 0, 1, lambda agent: _among(agent.view.cards_gone)),
        Field(columns("to_come", ids), 0, 1, lambda agent: _among(agent.view.cards_to_come)),
    )


def _among(cards: Iterable[object]) -> list[int]:
    found = list(cards)
    return [int(card in found) for card in WARNINGS]


def _seat_fields(seats: int, dice: int) -> tuple[Field, ...]:
    return (
        per_seat("pool", seats, dice, lambda agent, seat: agent.view.pools[seat]),
        per_seat("eliminated_in", seats, ROUNDS, lambda agent, seat: agent.view.eliminated_in[seat] or 0),
        per_seat("at_fault", seats, 1, lambda agent, seat: int(seat in agent.view.defaulting)),
        per_seat("turn", seats, seats, _place_in_order),
        per_seat("stake", seats, dice, lambda agent, seat: _turn(agent, seat).stake),
        per_seat("rolls", seats, ROLLS, lambda agent, seat: len([roll for roll in _turn(agent, seat).rolls if roll])),
        per_seat("total", seats, _BEST_FACE * dice, lambda agent, seat: _turn(agent, seat).total),
        per_seat("final", seats, 1, lambda agent, seat: int(_turn(agent, seat).final)),
        per_seat("bust", seats, 1, lambda agent, seat: int(_turn(agent, seat).bust)),
        per_seat_and("dice", seats, FACES, dice, lambda agent, seat: _counts(_turn(agent, seat).dice)),
    )


def _last_fields(seats: int, dice: int) -> tuple[Field, ...]:
    return (
        of_seat("last_winner", seats, lambda agent: agent.once("last_round") and agent.once("last_round").winner),
        one("last_table", dice, lambda agent: agent.once("last_round").dice if agent.once("last_round") else 0),
        per_seat("last_stake", seats, dice, lambda agent, seat: _last(agent, seat).stake),
        per_seat("last_total", seats, _BEST_FACE * dice, lambda agent, seat: _last(agent, seat).total),
        per_seat("last_bust", seats, 1, lambda agent, seat: int(_last(agent, seat).bust)),
    )


ENCODING = GangOfDice
