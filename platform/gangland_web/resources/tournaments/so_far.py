"""The standings of a tournament while it is played: what the matches that are over came to, without any statistics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Float, Integer, bindparam, cast, select
from sqlmodel import Session, col, func

from gangland_web.models.columns import stored
from gangland_web.models.matches import Match, MatchSeat, MatchState, Purpose
from gangland_web.models.tournaments import Tournament
from gangland_web.resources.tournaments.queries import Part


@dataclass(frozen=True, slots=True)
class SoFar:
    """One line; `rank` and `score` are None before its first match is over, and a bot outside the ranking has no rank.

    Attributes:
        score: the mean share of the others at its tables that it was ahead of, a tie as half.
    """

    part: Part
    rank: int | None
    score: float | None
    matches: int


def so_far(db: Session, tournament: Tournament, parts: Sequence[Part], *, shown: bool) -> tuple[SoFar, ...]:
    """Return frozen entries by their score so far, best first; those without a match last, in their order.

    House bots follow the others, unless the organizer ranks them.

    Args:
        shown: whether results may be shown; without it nobody has a score, and nobody is left out as disqualified.
    """
    there = [part for part in parts if part.entry is not None and not (shown and part.entry.disqualified_at)]
    rows: Any = db.connection().execute(_PLACES, {"tournament": stored(tournament.id)}).all() if shown else ()
    played = {entry: (matches, places / matches) for entry, matches, places in rows}
    scores = {
        part.bot_id: (tournament.seats - played[part.entry.id][1]) / (tournament.seats - 1)
        for part in there
        if part.entry is not None and part.entry.id in played
    }
    outside = {part.bot_id for part in there if part.is_house and not tournament.house_ranked}
    ranked = [score for bot_id, score in scores.items() if bot_id not in outside]
    lines = []
    for part in sorted(there, key=lambda part: (part.bot_id in outside, -scores.get(part.bot_id, -1.0))):
        score = scores.get(part.bot_id)
        rank = None if score is None or part.bot_id in outside else 1 + sum(other > score for other in ranked)
        matches = played[part.entry.id][0] if part.entry is not None and score is not None else 0
        lines.append(SoFar(part, rank, score, matches))
    return tuple(lines)


_PLACES: Any = (
    select(
        col(MatchSeat.entry_id),
        func.count(),
        func.sum(cast(col(MatchSeat.mean_place_num), Float) / col(MatchSeat.mean_place_den)),
    )
    .join(Match, col(Match.id) == MatchSeat.match_id)
    .where(col(Match.tournament_id) == bindparam("tournament", type_=Integer))
    .where(col(Match.purpose) == Purpose.TOURNAMENT.value, col(Match.state) == MatchState.DONE.value)
    .where(col(MatchSeat.mean_place_num).is_not(None), col(Match.is_final).is_(False))
    .group_by(col(MatchSeat.entry_id))
)
