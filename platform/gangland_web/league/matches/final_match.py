"""The final table among a tournament's matches: what was announced of it, which match it is, and of what size."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from sqlmodel import Session, case, col, select

from gangland_ladder.tournaments.final_table import FinalTerms
from gangland_web.models.matches import ATTEMPTS, Match, MatchSeat, MatchState
from gangland_web.models.tournaments import Entry, Tournament


class Size(NamedTuple):
    """How many seats and blocks a match has, and the limits of its bots."""

    seats: int
    blocks: int
    limits: dict[str, Any]


SIZE: Final = tuple(
    case((col(Match.is_final), col(getattr(Tournament, f"final_{name}"))), else_=col(getattr(Tournament, name))).label(
        name
    )
    for name in ("seats", "blocks")
)
"""The columns of a match's seats and blocks, in statements that read matches with their tournaments."""


def final_terms_of(tournament: Tournament) -> FinalTerms | None:
    """Return the final table as it is announced, None if there is none."""
    seats, blocks = tournament.final_seats, tournament.final_blocks
    return None if seats is None or blocks is None else FinalTerms(seats, blocks)


def final_match(session: Session, tournament: Tournament) -> Match | None:
    """Return the match of a tournament's final table, None if none is scheduled."""
    if tournament.final_seats is None:
        return None
    its = (Match.tournament_id == tournament.id, col(Match.is_final).is_(True))
    return session.exec(select(Match).where(*its)).first()


def size_of(tournament: Tournament, match: Match) -> Size:
    """Return the size of a match: the tournament's, but for its final table."""
    final = final_terms_of(tournament) if match.is_final else None
    if final is None:
        return Size(tournament.seats, tournament.blocks, tournament.limits)
    return Size(final.seats, final.blocks, final.limits(tournament.limits))


def waits_for_organiser(session: Session, final: Match) -> bool:
    """Tell whether a final table failed by the platform's fault and can still be played: again, or void for good."""
    if not final.is_final or final.state != MatchState.VOID.value or final.attempt < ATTEMPTS:
        return False
    gone = select(Entry.id).join(MatchSeat, col(MatchSeat.entry_id) == Entry.id)
    gone = gone.where(MatchSeat.match_id == final.id, col(Entry.active).is_(False))
    return session.exec(gone.limit(1)).first() is None
