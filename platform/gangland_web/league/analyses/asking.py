"""Which games may be analysed, and asking for one."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, or_
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, func, select

from gangland_ladder.analysis.games import has_reference
from gangland_ladder.tournaments.lifecycle import State, Viewer, is_listed, results_are_shown
from gangland_web.base.clock import now_s
from gangland_web.league.matches.retention import Trimmed
from gangland_web.models.columns import stored
from gangland_web.models.jobs import OPENED_LIMIT, AnalysisSeat, AnalysisState, GameAnalysis, RequestedBy
from gangland_web.models.matches import RATED, Match, MatchSeat, MatchState, PlayedGame
from gangland_web.models.tournaments import Entry, Tournament


class WhyNotAnalysed(StrEnum):
    """Why a game is not analysed, in a sentence for its page."""

    OFF = "This site analyses no games; `gangland analyse` does it on your own machine."
    NO_REFERENCE = "There is no analysis of this game."
    NOT_PUBLIC = "Only games that everybody may see are analysed here; `gangland analyse` does it on your own machine."
    FULL = "Too many games wait to be analysed already; try again later."


def is_shown_to_all(tournament: Tournament) -> bool:
    """Tell whether everybody may see what came of a tournament's or a ladder's matches now."""
    if tournament.kind != "tournament":
        return tournament.kind == "ladder"
    listed = is_listed(State(tournament.state)) and tournament.announced_at is not None
    shown = results_are_shown(State(tournament.state), Viewer.PUBLIC, tournament.embargo_until, now_s())
    return listed and tournament.rehearsal_of is None and shown


def why_not_analysed(match: Match, tournament: Tournament) -> WhyNotAnalysed | None:
    """Return why a match's games are not analysed, None if they may be."""
    if not has_reference(tournament.game):
        return WhyNotAnalysed.NO_REFERENCE
    kept = match.state == MatchState.DONE.value and match.trimmed < Trimmed.REPLAYS
    if match.purpose not in RATED or not kept or not is_shown_to_all(tournament):
        return WhyNotAnalysed.NOT_PUBLIC
    return None


def ask(
    session: Session, match: Match, tournament: Tournament, game_id: int, requested_by: RequestedBy
) -> WhyNotAnalysed | None:
    """Have a game analysed; one that is already waits no longer than before.  Returns why not, None if it is."""
    if (why := why_not_analysed(match, tournament)) is not None:
        return why
    known = session.get(GameAnalysis, game_id)
    if known is not None:
        return _ask_sooner(session, known, requested_by)
    if requested_by is RequestedBy.OPENED and _is_full(session):
        return WhyNotAnalysed.FULL
    try:
        with session.begin_nested():
            session.add(GameAnalysis(game_id=game_id, requested_by=requested_by.value, requested_at=now_s()))
            session.flush()
            session.add_all(_seats(session, game_id))
            session.flush()
    except IntegrityError:  # somebody else asked at the same moment
        session.expire_all()
    return None


def _ask_sooner(session: Session, known: GameAnalysis, requested_by: RequestedBy) -> WhyNotAnalysed | None:
    """Have a game of a sample go before the others once somebody opens it."""
    sample = known.requested_by == RequestedBy.SAMPLE.value and requested_by is RequestedBy.OPENED
    waiting = known.state == AnalysisState.WAITING.value
    if sample and (waiting or known.state == AnalysisState.LEASED.value):
        if waiting and _is_full(session):
            return WhyNotAnalysed.FULL
        known.requested_by, known.requested_at = requested_by.value, now_s()
        session.add(known)
        session.flush()
    return None


def _is_full(session: Session) -> bool:
    waiting = (GameAnalysis.state == AnalysisState.WAITING.value, GameAnalysis.requested_by == RequestedBy.OPENED.value)
    return session.exec(select(func.count()).where(*waiting)).one() >= OPENED_LIMIT


def _seats(session: Session, game_id: int) -> list[AnalysisSeat]:
    """Return the seats of a game, without what they cost."""
    chosen = (
        select(PlayedGame.seating, MatchSeat.position, Entry.id, Entry.version_id)
        .join(MatchSeat, col(MatchSeat.match_id) == PlayedGame.match_id)
        .join(Entry, col(Entry.id) == MatchSeat.entry_id)
        .where(PlayedGame.id == game_id)
    )
    rows = session.exec(chosen).all()
    by_position = {position: (stored(entry), version) for _, position, entry, version in rows}
    seating = rows[0][0] if rows else []
    return [
        AnalysisSeat(game_id=game_id, seat=seat, seats=len(seating), entry_id=entry, version_id=version)
        for seat, (entry, version) in enumerate(by_position[position] for position in seating)
    ]


def game_rows() -> Any:
    """Select analyses with their game, match and tournament."""
    return (
        select(GameAnalysis, PlayedGame, Match, Tournament)
        .join(PlayedGame, col(PlayedGame.id) == GameAnalysis.game_id)
        .join(Match, col(Match.id) == PlayedGame.match_id)
        .join(Tournament, col(Tournament.id) == Match.tournament_id)
    )


def sent_before(analysis: GameAnalysis) -> ColumnElement[bool]:
    """Return the condition of the waiting analyses that are sent before one."""
    earlier = and_(
        col(GameAnalysis.requested_by) == analysis.requested_by,
        or_(
            col(GameAnalysis.requested_at) < analysis.requested_at,
            and_(col(GameAnalysis.requested_at) == analysis.requested_at, col(GameAnalysis.game_id) < analysis.game_id),
        ),
    )
    if analysis.requested_by == RequestedBy.SAMPLE.value:
        earlier = or_(earlier, col(GameAnalysis.requested_by) == RequestedBy.OPENED.value)
    return and_(col(GameAnalysis.state) == AnalysisState.WAITING.value, earlier)


QUEUE_ORDER: Final = (col(GameAnalysis.requested_by), col(GameAnalysis.requested_at), col(GameAnalysis.game_id))
"""The names of who asked are in the order in which they are sent: opened, sample."""
