"""Which host is to play an audit: another than played the match before, as far as there is one."""

from collections.abc import Mapping

from sqlmodel import Session, select

from gangland_web.store.models.audits import Audit
from gangland_web.store.models.matches import Match


def ranks(session: Session, play: Match) -> Mapping[int, int]:
    """Return by host id how late a host's turn is to make a play of an audit; hosts that are not named come first.

    Where a third host is wanted and there is none, the elder of the two that played takes the third play: with two
    hosts its word counts, for no vote can be taken.
    """
    if play.audit_of is None:
        return {}
    chosen = select(Audit).where((Audit.second_id == play.id) | (Audit.third_id == play.id))
    audit = session.exec(chosen).first()
    if audit is None:
        return {}
    if audit.second_id == play.id:
        return {} if audit.host_id is None else {audit.host_id: 1}
    played = sorted({host for host in (audit.host_id, audit.second_host_id) if host is not None})
    return {host: later for later, host in enumerate(played, 1)}
