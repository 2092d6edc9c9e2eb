"""What follows when a match has ended: trials go on, bots go into quarantine, audits are drawn, ratings are folded.

Each runs in the transaction that ended the match, and the caller holds the versions.
"""

from collections.abc import Iterable

from sqlmodel import Session

from gangland_ladder.matches.judging import Judged
from gangland_ladder.matches.orders import CheckReport
from gangland_web.league.audits.drawing import draw
from gangland_web.league.ratings.fold import fold
from gangland_web.league.versions.trials import match_ended_void, plan_next, trial_checked, trial_played
from gangland_web.models.bots import Version
from gangland_web.models.matches import RATED, Match, MatchState
from gangland_web.models.tournaments import Tournament


def after_check(session: Session, match: Match, check: CheckReport | None) -> None:
    """A short check found nothing: the trials of the version come next."""
    if check is not None:
        trial_checked(session, match, check)
    plan_next(session, session.get_one(Version, match.trial_version_id))


def after_play(
    session: Session,
    match: Match,
    tournament: Tournament,
    judged: Judged,
    check: CheckReport | None,
    audit_percent: int,
) -> None:
    """A match was played and its result is written: a trial's version goes on, an audit may be drawn, ratings fold."""
    if match.trial_version_id is not None:
        if check is not None:
            trial_checked(session, match, check)
        trial_played(session, match, judged)
    if match.purpose in RATED:
        draw(session, tournament, match, audit_percent)
    fold(session, tournament)


def after_void(session: Session, ended: Iterable[Match]) -> None:
    """Leases have ended: those of their matches that are void for it have their consequences."""
    for match in ended:
        if match.state == MatchState.VOID.value:
            match_ended_void(session, match)
            fold(session, session.get_one(Tournament, match.tournament_id))
