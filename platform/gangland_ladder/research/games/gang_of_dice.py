"""The encoding of Gang of Dice for learning agents: every action is a number of dice."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, cast

from gangland.game import Decision
from gangland.gang_of_dice.state import BONUS, FIRST_PLAYERS, POOLS, ROLLS, ROUNDS, Options
from gangland.gang_of_dice.views import RoundResult, Turn
from gangland.gang_of_dice.warnings import DECKS, FACES, WARNINGS, WarningCard
from gangland_ladder.research import encoding

# A stake is one action. A reroll has one action for each face that the dice show, in ascending order from the gangster:
# the number of dice with that face to reroll. Any combination of numbers that the mask allows is legal, and zeros for
# all faces mean stopping.
KINDS = ("dice", "reroll")
_BEST_FACE = max(FACES)
_NO_TURN = Turn(-1, 0, (), 0, False, False)


class GangOfDice(encoding.Encoding):
    """Gang of Dice at one table size."""

    def __init__(self, seats: int) -> None:
        dice = max_dice(seats)
        self.actions = dice + 1
        self.layout = encoding.Layout(_fields(seats, dice))

    def legal_actions(self, agent: encoding.AgentState) -> list[int]:
        if agent.kind == "dice":
            return list(cast("Sequence[int]", agent.choices))
        return list(range(_visible_dice(agent).count(_face(agent)) + 1))

    def is_complete(self, agent: encoding.AgentState) -> bool:
        return len(agent.parts) == (1 if agent.kind == "dice" else len(_faces(_visible_dice(agent))))

    def decision(self, agent: encoding.AgentState) -> Decision:
        return agent.parts[0] if agent.kind == "dice" else _to_reroll(agent)

    def actions_for(self, agent: encoding.AgentState, decision: Decision) -> tuple[int, ...]:
        if isinstance(decision, int):
            return (decision,)
        rerolled = cast("tuple[int, ...]", decision)
        return tuple(rerolled.count(face) for face in _faces(_visible_dice(agent)))


def max_dice(seats: int) -> int:
    """Return the maximum number of dice at a table, including all bonus dice."""
    return seats * POOLS[seats] + sum(BONUS.values())


def _visible_dice(agent: encoding.AgentState) -> tuple[int, ...]:
    return cast("tuple[int, ...]", agent.view.dice) if agent.kind == "reroll" else ()


@lru_cache(maxsize=5_000)
def _faces(dice: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(set(dice)))


def _face(agent: encoding.AgentState) -> int | None:
    faces = _faces(_visible_dice(agent))
    return faces[len(agent.parts)] if len(agent.parts) < len(faces) else None


def _to_reroll(agent: encoding.AgentState) -> tuple[int, ...]:
    faces = _faces(_visible_dice(agent))
    return tuple([face for face, dice in zip(faces, agent.parts, strict=False) for _ in range(dice)])


@lru_cache(maxsize=5_000)
def _counts(dice: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([dice.count(face) for face in FACES])


def _turns(agent: encoding.AgentState) -> list[Turn]:
    turns = {turn.seat: turn for turn in agent.view.turns}
    return [turns.get(seat, _NO_TURN) for seat in range(len(agent.seat_order))]


def _turn_counts(turn: Turn) -> tuple[int, ...]:
    return _counts(turn.dice if turn.rolls else ())


def _last_round(agent: encoding.AgentState) -> RoundResult | None:
    return cast("RoundResult | None", agent.view.last_round)


def _last_turns(agent: encoding.AgentState) -> list[Turn]:
    result = agent.memo(_last_round)
    turns = {turn.seat: turn for turn in result.turns} if result else {}
    return [turns.get(seat, _NO_TURN) for seat in range(len(agent.seat_order))]


def _places_in_order(agent: encoding.AgentState) -> list[int]:
    order = agent.view.order
    return [order.index(seat) + 1 if seat in order else 0 for seat in range(len(agent.seat_order))]


def _fields(seats: int, dice: int) -> tuple[encoding.Field, ...]:
    return (*_table_fields(seats, dice), *_card_fields(), *_seat_fields(seats, dice), *_last_fields(seats, dice))


def _table_fields(seats: int, dice: int) -> tuple[encoding.Field, ...]:
    total, faces = _BEST_FACE * dice, encoding.one_hot(FACES)
    return (
        encoding.kind_field(KINDS),
        encoding.Field(encoding.columns("face", FACES), 0, 1, lambda agent: faces[_face(agent)]),
        encoding.Field(encoding.columns("again", FACES), 0, dice, lambda agent: _counts(_to_reroll(agent))),
        *encoding.flags({"deck": tuple(DECKS), "first_player": FIRST_PLAYERS}, lambda agent: agent.memo(_options)),
        encoding.single("round", ROUNDS, lambda agent: agent.view.round),
        encoding.single("rerolls_left", ROLLS - 1, lambda agent: agent.view.rerolls_left),
        encoding.single("triggered", 1, lambda agent: int(agent.view.triggered)),
        encoding.single("carried", dice, lambda agent: agent.view.carried),
        encoding.single("bonus", max(BONUS.values()), lambda agent: agent.view.bonus),
        encoding.single("table", dice, lambda agent: agent.view.table),
        encoding.single("best_total", total, lambda agent: agent.view.best_total, low=-1),
        encoding.single("best_stake", dice, lambda agent: agent.view.best_stake),
        encoding.seat_flag("best", seats, lambda agent: agent.view.best_seat),
    )


def _options(agent: encoding.AgentState) -> Options:
    return cast(Options, agent.view.options)


def _card_fields() -> tuple[encoding.Field, ...]:
    ids = [card.id for card in WARNINGS]
    return (
        encoding.Field(encoding.columns("card", ids), 0, 1, lambda agent: agent.memo(_cards)[0]),
        encoding.Field(encoding.columns("gone", ids), 0, 1, lambda agent: agent.memo(_cards)[1]),
        encoding.Field(encoding.columns("to_come", ids), 0, 1, lambda agent: agent.memo(_cards)[2]),
    )


# The round's card, past cards and coming cards, each as a row over all cards; they do not change during a round.
def _cards(agent: encoding.AgentState) -> tuple[list[int], ...]:
    _, (options, _, turned_up, *_), *_ = agent.wire
    rows = _ROWS.get((options, turned_up))
    if rows is None:
        if len(_ROWS) == _MAX_ROWS:
            _ROWS.clear()
        view = agent.view
        rows = _card_row((view.card,)), _card_row(view.cards_gone), _card_row(view.cards_to_come)
        _ROWS[options, turned_up] = rows
    return rows


_MAX_ROWS = 1000
_ROWS: dict[tuple[Any, ...], tuple[list[int], ...]] = {}  # by options and the cards revealed so far


def _card_row(cards: Iterable[WarningCard]) -> list[int]:
    ids = {card.id for card in cards}
    return [int(card.id in ids) for card in WARNINGS]


def _seat_fields(seats: int, dice: int) -> tuple[encoding.Field, ...]:
    return (
        encoding.per_seat("pool", seats, dice, lambda agent: agent.view.pools),
        encoding.per_seat("eliminated_in", seats, ROUNDS, lambda agent: [out or 0 for out in agent.view.eliminated_in]),
        encoding.per_seat(
            "at_fault", seats, 1, lambda agent: [int(seat in agent.view.defaulting) for seat in range(seats)]
        ),
        encoding.per_seat("turn", seats, seats, _places_in_order),
        encoding.per_seat("stake", seats, dice, lambda agent: [turn.stake for turn in agent.memo(_turns)]),
        encoding.per_seat("rolls", seats, ROLLS, lambda agent: [len(turn.rolls) for turn in agent.memo(_turns)]),
        encoding.per_seat("total", seats, _BEST_FACE * dice, lambda agent: [turn.total for turn in agent.memo(_turns)]),
        encoding.per_seat("final", seats, 1, lambda agent: [int(turn.final) for turn in agent.memo(_turns)]),
        encoding.per_seat("bust", seats, 1, lambda agent: [int(turn.bust) for turn in agent.memo(_turns)]),
        encoding.per_seat_and("dice", seats, FACES, dice, lambda agent: list(map(_turn_counts, agent.memo(_turns)))),
    )


def _last_fields(seats: int, dice: int) -> tuple[encoding.Field, ...]:
    total = _BEST_FACE * dice
    return (
        encoding.seat_flag(
            "last_winner", seats, lambda agent: result.winner if (result := agent.memo(_last_round)) else None
        ),
        encoding.single("last_table", dice, lambda agent: result.dice if (result := agent.memo(_last_round)) else 0),
        encoding.per_seat("last_stake", seats, dice, lambda agent: [turn.stake for turn in agent.memo(_last_turns)]),
        encoding.per_seat("last_total", seats, total, lambda agent: [turn.total for turn in agent.memo(_last_turns)]),
        encoding.per_seat("last_bust", seats, 1, lambda agent: [int(turn.bust) for turn in agent.memo(_last_turns)]),
    )


ENCODING = GangOfDice
