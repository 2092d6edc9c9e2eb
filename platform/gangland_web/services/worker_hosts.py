"""Worker hosts: creating, renewing, limiting, revoking, stopping and resuming them."""

import re
from collections.abc import Iterable, Sequence

from sqlmodel import Session, col, select

from gangland_web.base.formats import now_s
from gangland_web.broker.access import HostAccess, stored_hash
from gangland_web.models.columns import add_row
from gangland_web.models.matches import MAX_SLOTS, NAME_CHARS, WorkerHost

NAME_PATTERN = re.compile(rf"[a-z0-9](?:[a-z0-9-]{{0,{NAME_CHARS - 2}}}[a-z0-9])?")
LAST_SEEN_INTERVAL_S = 30.0


class HostRefused(ValueError):
    """A host cannot be created or changed; the message explains what input is expected."""


def create_host(session: Session, name: str, password: str, *, slot_limit: int = MAX_SLOTS) -> WorkerHost:
    """Create a host.  Raises HostRefused: the name or the limit is not allowed, or the name was already used."""
    if not NAME_PATTERN.fullmatch(name):
        raise HostRefused(
            f"a host's name must have 1 to {NAME_CHARS} lowercase letters, digits and inner hyphens, not {name[:60]!r}"
        )
    existing = session.exec(select(WorkerHost).where(WorkerHost.name == name)).first()
    if existing is not None:
        state = "was revoked" if existing.revoked_at is not None else "already exists"
        raise HostRefused(f"the host {name} {state}: `gangland admin worker renew {name}` gives it another password")
    limit = _checked_limit(slot_limit)
    host = WorkerHost(name=name, password_sha256=stored_hash(password), slot_limit=limit, created_at=now_s())
    return add_row(session, host)


def ensure_host(session: Session, name: str, password: str) -> WorkerHost:
    """Create a host, or set the password of an existing one, and return it; a revoked host stays revoked.

    This is for the site's own machine, whose password file may have been replaced.  Raises HostRefused.
    """
    host = session.exec(select(WorkerHost).where(WorkerHost.name == name)).first()
    if host is None:
        return create_host(session, name, password)
    if host.password_sha256 != stored_hash(password):
        host.password_sha256 = stored_hash(password)
        session.add(host)
    return host


def renew_host(session: Session, name: str, password: str) -> WorkerHost:
    """Set a new password for a host, and undo a revocation."""
    host = host_named(session, name)
    host.password_sha256, host.revoked_at = stored_hash(password), None
    session.add(host)
    return host


def limit_host(session: Session, name: str, slot_limit: int) -> WorkerHost:
    """Set the maximum number of matches that a host may play at a time."""
    host = host_named(session, name)
    host.slot_limit = _checked_limit(slot_limit)
    session.add(host)
    return host


def revoke_host(session: Session, name: str) -> WorkerHost:
    """Revoke a host; the record worker then removes it from the broker and requeues its jobs."""
    host = host_named(session, name)
    host.revoked_at = host.revoked_at if host.revoked_at is not None else now_s()
    session.add(host)
    return host


def stop_host(session: Session, host: WorkerHost, reason: str) -> None:
    """Stop a host until the operator resumes it; an earlier stop is left unchanged."""
    if host.stopped_at is None:
        host.stopped_at, host.stopped_for = now_s(), reason
        session.add(host)


def resume_host(session: Session, name: str) -> WorkerHost:
    """Resume a stopped host; its earlier audits no longer count."""
    host = host_named(session, name)
    if host.stopped_at is not None:
        host.trusted_from = now_s()
    host.stopped_at = host.stopped_for = host.suspected_at = None
    session.add(host)
    return host


def host_named(session: Session, name: str) -> WorkerHost:
    """Return the host with this name.  Raises HostRefused: there is no such host."""
    host = session.exec(select(WorkerHost).where(WorkerHost.name == name)).first()
    if host is None:
        names = ", ".join(session.exec(select(WorkerHost.name).order_by(col(WorkerHost.name))).all()) or "none"
        raise HostRefused(f"there is no worker host {name[:60]!r}; the hosts are: {names}")
    return host


def playing_hosts(session: Session) -> Sequence[WorkerHost]:
    """Return the hosts that may play now, ordered by id."""
    query = select(WorkerHost).where(col(WorkerHost.revoked_at).is_(None), col(WorkerHost.stopped_at).is_(None))
    return session.exec(query.order_by(col(WorkerHost.id))).all()


def broker_access(session: Session) -> list[HostAccess]:
    """Return the broker's credentials and slot limits for the hosts that may play now."""
    return [HostAccess(host.name, host.password_sha256, host.slot_limit) for host in playing_hosts(session)]


def update_last_seen(session: Session, hosts: Iterable[WorkerHost]) -> None:
    """Record that hosts were seen now, unless this was recorded only a short while ago."""
    now = now_s()
    for host in hosts:
        if host.last_seen_at is None or not now - LAST_SEEN_INTERVAL_S < host.last_seen_at <= now:
            host.last_seen_at = now
            session.add(host)


def _checked_limit(slots: int) -> int:
    if not 1 <= slots <= MAX_SLOTS:
        raise HostRefused(f"a host's limit must be 1 to {MAX_SLOTS} matches at a time, not {slots}")
    return slots
