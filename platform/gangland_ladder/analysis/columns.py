"""Recorded games as two tables for analysis: a row a game and seat, and a row a decision.

All that is in them comes from playing the replays again.  docs/research.md has the columns.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple, cast

from gangland.game import Outcome
from gangland.games import game_named
from gangland.gang_of_dice.views import View as GangOfDiceView
from gangland.gangster_dice.views import View as GangsterDiceView
from gangland.luck import luck_from
from gangland.replay import FAULT, Replay, Step, verify_events

Kind = Literal["int", "float", "bool", "text", "ints"]
"""What a column holds; "ints" is a list of whole numbers.  Every column may be empty in a row."""
Row = dict[str, Any]


class Column(NamedTuple):
    """A column: its name and what it holds."""

    name: str
    kind: Kind


def _columns(text: str) -> tuple[Column, ...]:
    kinds = {"int", "float", "bool", "text", "ints"}
    pairs = [each.partition(":") for each in text.split()]
    assert all(kind in kinds for _, _, kind in pairs)
    return tuple(Column(name, cast(Kind, kind)) for name, _, kind in pairs)


_WHICH: Final = "game_id:int game:text match:int block:int rotation:int"
SEATS: Final = _columns(
    f"{_WHICH} rules:int seats:int options:text seed:text seat:int bot:text code:text place:int mean_place:float "
    "won:bool luck:float fault:text fault_decision:int asked:int rounds:int reason:text digest:text"
)
"""The table of games and seats."""
DECISIONS: Final = _columns(
    f"{_WHICH} number:int round:int seat:int bot:text method:text decision:text failed:bool legal:int "
    "pool:int table:int card:text best_total:int best_stake:int dice:ints total:int triggered:bool rerolls_left:int "
    "stash:ints symbols:ints hand:ints others:ints controls:ints investigator:ints"
)
"""The table of decisions; from `pool` on what the seat saw, in Gang of Dice, then in Gangster Dice."""
TABLES: Final[Mapping[str, tuple[Column, ...]]] = {"seats": SEATS, "decisions": DECISIONS}


@dataclass(frozen=True, slots=True)
class Recorded:
    """A game as it was found in a file.

    Attributes:
        bots, codes: names and the SHA-256 of their code, in seat order; empty where the file has none.
        match, block, rotation: which game of which match it is, as far as it is known.
        faults: kinds by seat, as far as they are known.
    """

    replay: Replay
    bots: Sequence[str] = ()
    codes: Sequence[str] = ()
    match: int | None = None
    block: int | None = None
    rotation: int | None = None
    faults: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GameRows:
    """The rows of one game in each table."""

    seats: list[Row]
    decisions: list[Row]


def rows_of(recorded: Recorded, game_id: int) -> GameRows:
    """Play a game again and return its rows.

    Args:
        game_id: counts the games, from 1, and joins the tables.

    Raises:
        ReplayError: it does not come out as recorded.
    """
    replay = recorded.replay
    which: Row = {
        "game_id": game_id,
        "game": replay.game,
        "match": recorded.match,
        "block": recorded.block,
        "rotation": recorded.rotation,
    }
    decisions: list[Row] = []

    def seen(step: Step) -> None:
        decisions.extend(_decided(recorded, step, which))

    outcome, events = verify_events(replay, seen)
    luck = luck_from(replay.game, replay.seats, events)
    asked = Counter(row["seat"] for row in decisions)
    return GameRows([_seat(recorded, seat, which, outcome, luck, asked) for seat in range(replay.seats)], decisions)


def _seat(
    recorded: Recorded,
    seat: int,
    which: Row,
    outcome: Outcome,
    luck: Sequence[float],
    asked: Mapping[int, int],
) -> Row:
    replay = recorded.replay
    failed = dict(replay.faults)
    return {
        **which,
        "rules": replay.rules,
        "seats": replay.seats,
        "options": json.dumps(replay.options, sort_keys=True),
        "seed": replay.seed,
        "seat": seat,
        "bot": _at(recorded.bots, seat),
        "code": _at(recorded.codes, seat),
        "place": outcome.places[seat],
        "mean_place": float(outcome.mean_places()[seat]),
        "won": seat in outcome.winners,
        "luck": luck[seat],
        "fault": recorded.faults.get(seat, FAULT if seat in failed else None),
        "fault_decision": failed.get(seat),
        "asked": asked.get(seat, 0),
        "rounds": replay.rounds,
        "reason": outcome.reason.value,
        "digest": replay.digest,
    }


def _at(values: Sequence[str], seat: int) -> str | None:
    return values[seat] if seat < len(values) else None


def _decided(recorded: Recorded, step: Step, which: Row) -> list[Row]:
    replay = recorded.replay
    game = game_named(replay.game)
    rows = []
    for answer in step.answers:
        if answer.number is None:
            continue  # a seat at fault is not asked any more
        failed = replay.decisions[answer.number] == FAULT
        rows.append(
            {
                **which,
                "number": answer.number,
                "round": step.round,
                "seat": answer.seat,
                "bot": _at(recorded.bots, answer.seat),
                "method": f"choose_{answer.kind}",
                "decision": None if failed else json.dumps(answer.decision),
                "failed": failed,
                "legal": len(game.choices(step.before, answer.seat)),
                **_SAW[replay.game](game.observe(step.before, answer.seat, step.defaulting)),
            }
        )
    return rows


def _gang_of_dice(view: GangOfDiceView) -> Row:
    return {
        "pool": view.pool,
        "table": view.table,
        "card": view.card.id,
        "best_total": view.best_total,
        "best_stake": view.best_stake,
        "dice": list(view.dice),
        "total": view.total,
        "triggered": view.triggered,
        "rerolls_left": view.rerolls_left,
    }


def _gangster_dice(view: GangsterDiceView) -> Row:
    return {
        "stash": list(view.dice),
        "symbols": list(view.symbols),
        "hand": list(view.hand),
        "others": [sum(player.dice) for player in view.opponents],
        "controls": [int(token.token) for token in view.tokens if token.holder == view.seat],
        "investigator": list(view.investigator.dice),
    }


_SAW: Final[dict[str, Callable[[Any], Row]]] = {"gang-of-dice": _gang_of_dice, "gangster-dice": _gangster_dice}
