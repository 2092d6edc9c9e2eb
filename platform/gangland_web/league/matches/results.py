"""Rows that a counted result writes: games with their replays, and each seat's score."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import zstandard
from sqlalchemy import bindparam, insert
from sqlmodel import Session, col, update

from gangland_ladder.matches.judging import Judged, JudgedGame
from gangland_ladder.matches.logs import LogPart, log_parts
from gangland_web.models.matches import MatchSeat, PlayedGame
from gangland_web.models.tournaments import Entry

_SCORE: Final = ("mean_place_num", "mean_place_den", "luck", "adjusted")
_SEATS: Final = (
    update(MatchSeat)
    .where(col(MatchSeat.match_id) == bindparam("its_match"), col(MatchSeat.entry_id) == bindparam("its_entry"))
    .values({name: bindparam(name) for name in (*_SCORE, "wins", "faults", "think")})
)
_ENTRIES: Final = (
    update(Entry)
    .where(col(Entry.id) == bindparam("its_entry"))
    .values(
        games=col(Entry.games) + bindparam("more_games"),
        wins=col(Entry.wins) + bindparam("wins"),
        faults=col(Entry.faults) + bindparam("faults"),
    )
)


def keep_games(session: Session, match_id: int, judged: Judged) -> None:
    """Write the games of a match with their replays and what the bots logged."""
    session.connection().execute(insert(PlayedGame), [_row(match_id, game) for game in judged.games])


def _row(match_id: int, game: JudgedGame) -> dict[str, Any]:
    record = game.record
    packed = None
    if any(record.logs):
        by_position: list[list[LogPart]] = [[] for _ in record.seating]
        for seat, log in enumerate(record.logs):
            marks = record.log_marks[seat] if seat < len(record.log_marks) else []
            by_position[record.seating[seat]] = log_parts(log, marks)
        packed = zstandard.compress(json.dumps(by_position).encode())
    return {
        "match_id": match_id,
        "block": record.block,
        "rotation": record.rotation,
        "replay": record.replay,
        "views": record.views,
        "seating": list(record.seating),
        "places": list(game.outcome.places),
        "luck": list(game.luck),
        "leads": game.leads,
        "faults": [
            {"seat": f.seat, "kind": f.kind, "message": f.message, "round": f.round, "decision": f.decision}
            for f in record.faults
        ],
        "logs": packed,
    }


def keep_scores(session: Session, match_id: int, judged: Judged, think: Sequence[Mapping[int, int]]) -> None:
    """Write the seats' results and count them for their entries; sums, so that order cannot matter.

    Nothing of either has been read in this session yet, so nothing in it is out of date afterwards.
    """
    thinking = think if len(think) == len(judged.scores) else [{}] * len(judged.scores)
    rows = [
        {
            "its_match": match_id,
            "its_entry": score.entry,
            "mean_place_num": score.mean_place.numerator,
            "mean_place_den": score.mean_place.denominator,
            "luck": score.mean_luck,
            "adjusted": score.adjusted,
            "wins": score.wins,
            "faults": sum(score.faults.values()),
            "more_games": score.games,
            "think": {str(octave): count for octave, count in times.items()} or None,
        }
        for score, times in zip(judged.scores, thinking, strict=True)
    ]
    session.connection().execute(_SEATS, rows)
    session.connection().execute(_ENTRIES, rows)
