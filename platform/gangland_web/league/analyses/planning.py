"""Which games are analysed without anybody's asking: those of another version of the reference, and a sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from sqlmodel import Session, col, func, or_, select

from gangland.games import GAME_NAMES
from gangland_ladder.analysis.games import has_reference, reference_version
from gangland_web.base.clock import DAY_S, now_s
from gangland_web.league.analyses.asking import ask, game_rows
from gangland_web.league.matches.retention import Trimmed
from gangland_web.models.columns import stored
from gangland_web.models.jobs import AnalysisSeat, AnalysisState, GameAnalysis, RequestedBy
from gangland_web.models.matches import Match, MatchSeat, MatchState, PlayedGame
from gangland_web.models.site import maintenance
from gangland_web.models.tournaments import Entry, Tournament

AT_ONCE: Final = 20
"""So many games are planned in one act."""
LATEST: Final = 60
"""A version's sample is taken out of so many of its latest matches."""
_ENDED: Final = (AnalysisState.DONE.value, AnalysisState.FAILED.value)


def plan_analyses(session: Session, *, sample: int, budget_s: float) -> int:
    """Plan what is analysed while nothing waits, and return how many games that are.

    Args:
        sample: games of each active version, game and table size.
        budget_s: CPU seconds that samples may take in 24 hours.
    """
    if maintenance(session) is not None or _something_waits(session):
        return 0
    return _plan_outdated(session) or (_plan_sample(session, sample) if _spent_s(session) < budget_s else 0)


def _something_waits(session: Session) -> bool:
    waiting = select(GameAnalysis.game_id).where(GameAnalysis.state == AnalysisState.WAITING.value)
    return session.exec(waiting.limit(1)).first() is not None


def _spent_s(session: Session) -> float:
    spent = select(func.sum(GameAnalysis.cpu_s)).where(GameAnalysis.requested_by == RequestedBy.SAMPLE.value)
    return session.exec(spent.where(col(GameAnalysis.done_at) > now_s() - DAY_S)).one() or 0.0


def _plan_outdated(session: Session) -> int:
    """Have games analysed anew that another version of the reference judged; what it said is shown until then."""
    outdated = [
        (col(Tournament.game) == game) & or_(col(GameAnalysis.version).is_(None), GameAnalysis.version != version)
        for game in GAME_NAMES
        if (version := reference_version(game)) is not None
    ]
    chosen = game_rows().where(col(GameAnalysis.state).in_(_ENDED), or_(*outdated))
    rows = session.exec(
        chosen.order_by(col(GameAnalysis.requested_at).desc(), GameAnalysis.game_id).limit(AT_ONCE)
    ).all()
    for analysis, *_ in rows:
        analysis.state, analysis.attempt, analysis.failed_for = AnalysisState.WAITING.value, 0, None
        analysis.requested_by = RequestedBy.SAMPLE.value  # nobody waits for it, and what is opened goes before it
        session.add(analysis)
    session.flush()
    return len(rows)


def _plan_sample(session: Session, sample: int) -> int:
    """Ask for a game of each of a few versions of which too few are analysed, the one with the fewest first."""
    return sum(_plan_one(session, entry) for entry in _short_of(session, sample))


def _short_of(session: Session, sample: int) -> Sequence[Entry]:
    analysed: Any = func.count(col(AnalysisSeat.game_id))
    games = [name for name in GAME_NAMES if has_reference(name)]
    chosen = (
        select(Entry)
        .join(Tournament, col(Tournament.id) == Entry.tournament_id)
        .outerjoin(AnalysisSeat, col(AnalysisSeat.entry_id) == Entry.id)
        .where(Tournament.kind == "ladder", col(Tournament.game).in_(games))
        .where(col(Entry.active).is_(True))
        .group_by(col(Entry.id))
        .having(analysed < sample, analysed < col(Entry.games))
        .order_by(analysed, col(Entry.id))
    )
    return session.exec(chosen.limit(AT_ONCE)).all()


def _plan_one(session: Session, entry: Entry) -> bool:
    """Ask for a game of a version against those whom it was analysed least against."""
    latest = (
        select(Match.id)
        .join(MatchSeat, col(MatchSeat.match_id) == Match.id)
        .where(MatchSeat.entry_id == entry.id, Match.state == MatchState.DONE.value)
        .where(col(Match.trimmed) < Trimmed.REPLAYS)
        .order_by(col(Match.id).desc())
        .limit(LATEST)
    )
    ids = session.exec(latest).all()
    met = select(MatchSeat.match_id, MatchSeat.entry_id).where(col(MatchSeat.match_id).in_(ids))
    others: dict[int, list[int]] = {}
    for match_id, other in session.exec(met).all():
        if other != entry.id:
            others.setdefault(match_id, []).append(other)
    known = _met_in_sample(session, entry)
    for match_id in sorted(others, key=lambda each: (sum(known[other] for other in others[each]), -each)):
        game_id = _unknown_game(session, match_id, sum(known.values()))
        if game_id is not None:
            match = session.get_one(Match, match_id)
            tournament = session.get_one(Tournament, match.tournament_id)
            return ask(session, match, tournament, game_id, RequestedBy.SAMPLE) is None
    return False


def _met_in_sample(session: Session, entry: Entry) -> Counter[int]:
    """Return how often each other entry sat in a version's analysed games."""
    own = select(AnalysisSeat.game_id).where(AnalysisSeat.entry_id == entry.id)
    chosen = select(AnalysisSeat.entry_id, func.count()).where(col(AnalysisSeat.game_id).in_(own))
    chosen = chosen.where(AnalysisSeat.entry_id != entry.id).group_by(col(AnalysisSeat.entry_id))
    return Counter(dict(session.exec(chosen).all()))


def _unknown_game(session: Session, match_id: int, turn: int) -> int | None:
    """Return a game of a match that is not analysed, another one of them each turn; None if all are."""
    known = select(GameAnalysis.game_id).where(GameAnalysis.game_id == PlayedGame.id)
    chosen = select(PlayedGame.id).where(PlayedGame.match_id == match_id, ~known.exists())
    games = session.exec(chosen.order_by(col(PlayedGame.block), col(PlayedGame.rotation))).all()
    return stored(games[turn % len(games)]) if games else None
