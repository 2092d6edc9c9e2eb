"""Which results are audited: drawn once they are recorded, so that no host can know it when it sends them."""

import secrets
from typing import Final

from sqlmodel import Session, col, select

from gangland_ladder.tournaments.lifecycle import State, may_record
from gangland_web.base.clock import now_s
from gangland_web.models.columns import stored
from gangland_web.models.matches import SUSPECTS_PERCENT, Audit, Match, MatchState, WorkerHost
from gangland_web.models.tournaments import Epoch, Tournament

PERCENT: Final = 2
"""So many of 100 rated matches are audited where nobody says otherwise."""
MOST_MORE: Final = 400
"""Of so many of a host's latest results half are drawn when it becomes suspected."""
_RECORDED: Final = tuple(state.value for state in State if may_record(state))


def draw_more(session: Session, host: WorkerHost) -> int:
    """Draw half of what a host played that has just become suspected and that can still be played again.

    Returns:
        How many audits were drawn.
    """
    playing = select(Tournament.id).where(Tournament.kind == "tournament", col(Tournament.state).in_(_RECORDED))
    secret = select(Epoch.id).where(col(Epoch.revealed_at).is_(None))
    audited = select(Audit.id).where(Audit.match_id == Match.id, Audit.digest == Match.digest)
    chosen = select(Match).where(
        Match.host_id == host.id,
        Match.state == MatchState.DONE.value,
        col(Match.tournament_id).in_(playing) | col(Match.epoch_id).in_(secret),
        col(Match.done_at) > (host.trusted_from or 0.0),
        ~audited.exists(),
    )
    latest = session.exec(chosen.order_by(col(Match.done_at).desc(), col(Match.id)).limit(MOST_MORE)).all()
    drawn = [match for match in latest if secrets.randbelow(100) < SUSPECTS_PERCENT]
    for match in drawn:
        _note(session, match)
    session.flush()
    return len(drawn)


def draw(session: Session, tournament: Tournament, match: Match, percent: int) -> bool:
    """Draw whether a rated match whose result was just recorded is audited, and note it if so.

    Args:
        percent: of the site; the tournament may have its own, such as 100 in a final.
    """
    share = percent if tournament.audit_percent is None else tournament.audit_percent
    if share and match.host_id is not None and session.get_one(WorkerHost, match.host_id).suspected_at is not None:
        share = max(share, SUSPECTS_PERCENT)
    if match.digest is None or not share or secrets.randbelow(100) >= share:
        return False
    _note(session, match)
    session.flush()
    return True


def _note(session: Session, match: Match) -> None:
    digest = match.digest or ""
    session.add(Audit(match_id=stored(match.id), digest=digest, host_id=match.host_id, created_at=now_s()))
