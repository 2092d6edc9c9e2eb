"""What waits for audits."""

from typing import Any

from sqlmodel import Session, col, select

from gangland_web.audits.lifecycle import AuditState
from gangland_web.audits.models import Audit
from gangland_web.hosts.models import WorkerHost
from gangland_web.matches.models import Match


def open_audits(which: Any) -> Any:
    """Return the statement of the open audits of matches of which a condition holds."""
    chosen = select(Audit.id).join(Match, col(Match.id) == Audit.match_id)
    return chosen.where(Audit.state == AuditState.OPEN.value, which)


def is_audited(session: Session, tournament_id: int) -> bool:
    """Tell whether no audit of a tournament's matches is open any more, and no result waits to be taken back."""
    doubted = select(WorkerHost.id).where(col(WorkerHost.doubted_from).is_not(None))
    if session.exec(doubted.limit(1)).first() is not None:
        return False
    return session.exec(open_audits(Match.tournament_id == tournament_id).limit(1)).first() is None
