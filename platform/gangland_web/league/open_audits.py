"""What is asked of audits: what is open, whose word counts, and which bots do not decide alike."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import and_, or_
from sqlmodel import Session, col, select

from gangland_ladder.proof.auditing.verdicts import Verdict
from gangland_web.models.matches import Audit, AuditDifference, AuditState, Match, WorkerHost
from gangland_web.models.tournaments import Entry


def open_audits(which: Any) -> Any:
    """Return the statement of the open audits of matches of which a condition holds."""
    chosen = select(Audit.id).join(Match, col(Match.id) == Audit.match_id)
    return chosen.where(Audit.state == AuditState.OPEN.value, which)


def without_stopped(*hosts: Any) -> Any:
    """Return the condition that none of these columns of an audit names a host whose word counts for nothing.

    That is one which is stopped, or was stopped after the audit was drawn and goes on by the operator's leave.
    """
    since = or_(col(WorkerHost.stopped_at).is_not(None), col(WorkerHost.trusted_from) >= col(Audit.created_at))
    distrusted = select(WorkerHost.id).where(since).correlate(Audit)
    return and_(*(or_(host.is_(None), host.not_in(distrusted)) for host in hosts))


def results_doubted(session: Session) -> bool:
    """Tell whether results of a stopped host wait to be taken back."""
    doubted = select(WorkerHost.id).where(col(WorkerHost.doubted_from).is_not(None))
    return session.exec(doubted.limit(1)).first() is not None


def is_audited(session: Session, tournament_id: int) -> bool:
    """Tell whether no audit of a tournament's matches is open any more, and no result waits to be taken back."""
    if results_doubted(session):
        return False
    return session.exec(open_audits(Match.tournament_id == tournament_id).limit(1)).first() is None


def unsteady_versions(session: Session, versions: Iterable[int]) -> set[int]:
    """Return which of some versions decided differently when their matches were played again.

    A difference that is held against a host which was stopped says nothing of a bot.
    """
    chosen = select(Entry.version_id).join(AuditDifference, col(AuditDifference.entry_id) == Entry.id)
    chosen = chosen.join(Audit, col(Audit.id) == AuditDifference.audit_id)
    hosts = without_stopped(col(Audit.host_id), col(Audit.second_host_id), col(Audit.third_host_id))
    decided = col(AuditDifference.verdict).not_in([Verdict.OPEN.value, Verdict.UNCLEAR.value])
    return set(session.exec(chosen.where(col(Entry.version_id).in_(list(versions)), decided, hosts)).all())
