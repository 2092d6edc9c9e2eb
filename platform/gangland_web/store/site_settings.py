"""Facts of the house: read and kept by name."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from sqlmodel import Session

from gangland_web.core.clock import now_s
from gangland_web.store.models.site_settings import SiteFact


class Fact(StrEnum):
    """What facts there are.

    `backup`: the newest one that was taken, or that this database was restored from.
    `maintenance`: that it is on, and why.  `release`: of the record worker that gave out matches last.
    `lease_key`: by which the tokens of leases are known again.  `sign_ups`: who may sign up, and by which invitations.
    """

    BACKUP = "backup"
    MAINTENANCE = "maintenance"
    RELEASE = "release"
    LEASE_KEY = "lease_key"
    SIGN_UPS = "sign_ups"


def fact(session: Session, name: Fact) -> SiteFact | None:
    """Return a fact; None if nothing is known of it."""
    return session.get(SiteFact, name.value)


def keep_fact(session: Session, name: Fact, value: Mapping[str, Any], *, at: float | None = None) -> None:
    """Keep a fact in place of the one before."""
    session.merge(SiteFact(name=name.value, value=dict(value), at=now_s() if at is None else at))


def forget_fact(session: Session, name: Fact) -> None:
    """Let a fact be so no longer."""
    known = fact(session, name)
    if known is not None:
        session.delete(known)
