"""Recorded games as two tables for analysis: a row a game and seat, and a row a decision.

All that is in them comes from playing the replays again.  docs/research.md has the columns.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from gangland.game import Outcome
from gangland.games import GAME_NAMES, game_named
from gangland.luck import luck_from
from gangland.replay import FAULT, Replay, Step, verify_events
from gangland_ladder.analysis.games import Column, Row, analysis_of, columns_of

_WHICH: Final = "game_id:int game:text match:int block:int rotation:int"
SEATS: Final = columns_of(
    f"{_WHICH} rules:int seats:int options:text seed:text seat:int bot:text code:text place:int mean_place:float "
    "won:bool luck:float fault:text fault_decision:int asked:int rounds:int reason:text digest:text"
)
"""The table of games and seats."""
DECISIONS: Final = columns_of(
    f"{_WHICH} number:int round:int seat:int bot:text method:text decision:text failed:bool legal:int"
) + tuple(column for game in sorted(GAME_NAMES) for column in getattr(analysis_of(game), "COLUMNS", ()))
"""The table of decisions; from `legal` on what the seat saw, game by game."""
TABLES: Final[Mapping[str, tuple[Column, ...]]] = {"seats": SEATS, "decisions": DECISIONS}


@dataclass(frozen=True, slots=True)
class Recorded:
    """A game as it was found in a file.

    Attributes:
        bots, codes: names and the SHA-256 of their code, in seat order; empty where the file has none.
        match, block, rotation: which game of which match it is, as far as it is known.
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

    def add_decisions(step: Step) -> None:
        decisions.extend(_decided(recorded, step, which))

    outcome, events = verify_events(replay, add_decisions)
    luck = luck_from(replay.game, replay.seats, events)
    decided = Counter(row["seat"] for row in decisions)
    return GameRows([_seat(recorded, seat, which, outcome, luck, decided) for seat in range(replay.seats)], decisions)


def _seat(
    recorded: Recorded, seat: int, which: Row, outcome: Outcome, luck: Sequence[float], decided: Mapping[int, int]
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
        "asked": decided.get(seat, 0),
        "rounds": replay.rounds,
        "reason": outcome.reason.value,
        "digest": replay.digest,
    }


def _at(values: Sequence[str], seat: int) -> str | None:
    return values[seat] if seat < len(values) else None


def _decided(recorded: Recorded, step: Step, which: Row) -> list[Row]:
    replay = recorded.replay
    game, analysis = game_named(replay.game), analysis_of(replay.game)
    rows = []
    for answer in step.answers:
        if answer.number is None:
            continue  # a seat at fault is not asked any more
        failed = replay.decisions[answer.number] == FAULT
        view = game.observe(step.before, answer.seat, step.defaulting)
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
                **({} if analysis is None else analysis.row(view)),
            }
        )
    return rows
