"""Gang of Dice in numbers.

Every action is a number of dice.  Asked for its stake, an agent names it in one action.  Asked what to roll again, it
says so in parts, one action for each face that shows, upward from the gangster: how many dice of that face.
Every number that the mask allows is legal whatever the other parts are, and zeros alone stop.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, cast

from gangland.game import Decision
from gangland.gang_of_dice.state import BONUS, FIRST_PLAYERS, POOLS, ROLLS, ROUNDS, Options
from gangland.gang_of_dice.views import RoundResult, Turn
from gangland.gang_of_dice.warnings import DECKS, FACES, WARNINGS, WarningCard
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
    one_hot,
    per_seat,
    per_seat_and,
)

KINDS = ("dice", "reroll")
_BEST_FACE = max(FACES)
_NO_TURN = Turn(-1, 0, (), 0, False, False)


class GangOfDice(Encoding):
    """Gang of Dice at one table size."""

    def __init__(self, seats: int) -> None:
        dice = most_dice(seats)
        self.actions = dice + 1
        self.layout = Layout(_fields(seats, dice))

    def legal(self, agent: AgentState) -> list[int]:
        """Return how many dice may be named now."""
        if agent.kind == "dice":
            return list(cast("Sequence[int]", agent.choices))
        return list(range(_showing(agent).count(_face(agent)) + 1))

    def is_whole(self, agent: AgentState) -> bool:
        """Return whether the stake, or a number for every face that shows, is named."""
        return len(agent.parts) == (1 if agent.kind == "dice" else len(_faces(_showing(agent))))

    def decision(self, agent: AgentState) -> Decision:
        """Return the stake, or the faces to roll again."""
        return agent.parts[0] if agent.kind == "dice" else _again(agent)

    def actions_for(self, agent: AgentState, decision: Decision) -> tuple[int, ...]:
        """Return the stake, or how many dice of each face that shows roll again."""
        if isinstance(decision, int):
            return (decision,)
        again = cast("tuple[int, ...]", decision)
        return tuple(again.count(face) for face in _faces(_showing(agent)))


def most_dice(seats: int) -> int:
    """Return how many dice there can be at a table of so many seats, all bonus dice among them."""
    return seats * POOLS[seats] + sum(BONUS.values())


def _showing(agent: AgentState) -> tuple[int, ...]:
    return cast("tuple[int, ...]", agent.view.dice) if agent.kind == "reroll" else ()


@lru_cache(maxsize=5_000)
def _faces(dice: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(set(dice)))


def _face(agent: AgentState) -> int | None:
    shown = _faces(_showing(agent))
    return shown[len(agent.parts)] if len(agent.parts) < len(shown) else None


def _again(agent: AgentState) -> tuple[int, ...]:
    shown = _faces(_showing(agent))
    return tuple([face for face, dice in zip(shown, agent.parts, strict=False) for _ in range(dice)])


@lru_cache(maxsize=5_000)
def _counts(dice: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([dice.count(face) for face in FACES])


def _turns(agent: AgentState) -> list[Turn]:
    turns = {turn.seat: turn for turn in agent.view.turns}
    return [turns.get(seat, _NO_TURN) for seat in range(len(agent.around))]


def _showing_in(turn: Turn) -> tuple[int, ...]:
    return _counts(turn.dice if turn.rolls else ())


def _last_round(agent: AgentState) -> RoundResult | None:
    return cast("RoundResult | None", agent.view.last_round)


def _last_turns(agent: AgentState) -> list[Turn]:
    result = agent.once(_last_round)
    turns = {turn.seat: turn for turn in result.turns} if result else {}
    return [turns.get(seat, _NO_TURN) for seat in range(len(agent.around))]


def _places_in_order(agent: AgentState) -> list[int]:
    order = agent.view.order
    return [order.index(seat) + 1 if seat in order else 0 for seat in range(len(agent.around))]


def _fields(seats: int, dice: int) -> tuple[Field, ...]:
    return (*_table_fields(seats, dice), *_card_fields(), *_seat_fields(seats, dice), *_last_fields(seats, dice))


def _table_fields(seats: int, dice: int) -> tuple[Field, ...]:
    total, faces = _BEST_FACE * dice, one_hot(FACES)
    return (
        kind_field(KINDS),
        Field(columns("face", FACES), 0, 1, lambda agent: faces[_face(agent)]),
        Field(columns("again", FACES), 0, dice, lambda agent: _counts(_again(agent))),
        *flags({"deck": tuple(DECKS), "first_player": FIRST_PLAYERS}, lambda agent: agent.once(_options)),
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


def _options(agent: AgentState) -> Options:
    return cast(Options, agent.view.options)


def _card_fields() -> tuple[Field, ...]:
    ids = [card.id for card in WARNINGS]
    return (
        Field(columns("card", ids), 0, 1, lambda agent: agent.once(_cards)[0]),
        Field(columns("gone", ids), 0, 1, lambda agent: agent.once(_cards)[1]),
        Field(columns("to_come", ids), 0, 1, lambda agent: agent.once(_cards)[2]),
    )


def _cards(agent: AgentState) -> tuple[list[int], ...]:
    """Return the card of the round, those gone, and those to come, each as a row over all cards; the same all round."""
    _, (options, _, shown, *_), *_ = agent.wire
    rows = _ROWS.get((options, shown))
    if rows is None:
        if len(_ROWS) == _ROWS_KEPT:
            _ROWS.clear()
        view = agent.view
        rows = _among((view.card,)), _among(view.cards_gone), _among(view.cards_to_come)
        _ROWS[options, shown] = rows
    return rows


_ROWS_KEPT = 1000
_ROWS: dict[tuple[Any, ...], tuple[list[int], ...]] = {}
"""By options and the cards that were turned up."""


def _among(cards: Iterable[WarningCard]) -> list[int]:
    found = {card.id for card in cards}
    return [int(card.id in found) for card in WARNINGS]


def _seat_fields(seats: int, dice: int) -> tuple[Field, ...]:
    return (
        per_seat("pool", seats, dice, lambda agent: agent.view.pools),
        per_seat("eliminated_in", seats, ROUNDS, lambda agent: [out or 0 for out in agent.view.eliminated_in]),
        per_seat("at_fault", seats, 1, lambda agent: [int(seat in agent.view.defaulting) for seat in range(seats)]),
        per_seat("turn", seats, seats, _places_in_order),
        per_seat("stake", seats, dice, lambda agent: [turn.stake for turn in agent.once(_turns)]),
        per_seat("rolls", seats, ROLLS, lambda agent: [len(turn.rolls) for turn in agent.once(_turns)]),
        per_seat("total", seats, _BEST_FACE * dice, lambda agent: [turn.total for turn in agent.once(_turns)]),
        per_seat("final", seats, 1, lambda agent: [int(turn.final) for turn in agent.once(_turns)]),
        per_seat("bust", seats, 1, lambda agent: [int(turn.bust) for turn in agent.once(_turns)]),
        per_seat_and("dice", seats, FACES, dice, lambda agent: list(map(_showing_in, agent.once(_turns)))),
    )


def _last_fields(seats: int, dice: int) -> tuple[Field, ...]:
    total = _BEST_FACE * dice
    return (
        of_seat("last_winner", seats, lambda agent: result.winner if (result := agent.once(_last_round)) else None),
        one("last_table", dice, lambda agent: result.dice if (result := agent.once(_last_round)) else 0),
        per_seat("last_stake", seats, dice, lambda agent: [turn.stake for turn in agent.once(_last_turns)]),
        per_seat("last_total", seats, total, lambda agent: [turn.total for turn in agent.once(_last_turns)]),
        per_seat("last_bust", seats, 1, lambda agent: [int(turn.bust) for turn in agent.once(_last_turns)]),
    )


ENCODING = GangOfDice
