"""The site's shared values, maintenance, stored responses to API calls, and imported tournaments."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from sqlalchemy import CheckConstraint, Text
from sqlmodel import Field, Session

from gangland_web.base.formats import now_s
from gangland_web.models.columns import Table, json_column

# Facts: named values that all processes share.


class SiteFact(Table, table=True):
    """A value that all processes share, such as the time of the newest backup."""

    __tablename__ = "site_facts"

    name: str = Field(primary_key=True, max_length=32)
    value: dict[str, Any] = Field(sa_column=json_column())
    at: float  # Unix time since which the fact has been true


class Fact(StrEnum):
    """The facts of a site."""

    BACKUP = "backup"  # the newest backup, or the backup from which this database was restored
    MAINTENANCE = "maintenance"  # the reason, while maintenance is on
    RELEASE = "release"  # the release of the latest record worker
    LEASE_KEY = "lease_key"  # the key for signing leases' tokens
    SIGN_UPS = "sign_ups"  # who may sign up, and the invitations


def fact(session: Session, name: Fact) -> SiteFact | None:
    """Return a fact, or None."""
    return session.get(SiteFact, name.value)


def store_fact(session: Session, name: Fact, value: Mapping[str, Any], *, at: float | None = None) -> None:
    """Store a fact, replacing its previous value."""
    session.merge(SiteFact(name=name.value, value=dict(value), at=now_s() if at is None else at))


# Maintenance: pages can be read, but users cannot change anything, and no new match is sent.

REASON_CHARS = 200


def maintenance(session: Session) -> str | None:
    """Return the reason for maintenance, or None if the site is not under maintenance."""
    current = fact(session, Fact.MAINTENANCE)
    return None if current is None else str(current.value["reason"])


def begin_maintenance(session: Session, reason: str) -> None:
    """Begin maintenance, or change its reason.  Raises ValueError: the reason is empty or too long."""
    line = " ".join(reason.split())
    if not 1 <= len(line) <= REASON_CHARS:
        raise ValueError(f"the reason, which is public, must have 1 to {REASON_CHARS} characters, not {len(line)}")
    current = fact(session, Fact.MAINTENANCE)
    store_fact(session, Fact.MAINTENANCE, {"reason": line}, at=None if current is None else current.at)


def end_maintenance(session: Session) -> None:
    """End maintenance, if it is on."""
    current = fact(session, Fact.MAINTENANCE)
    if current is not None:
        session.delete(current)


# Stored responses to API calls, so that a repeated call is not carried out twice.


class StoredAnswer(Table, table=True):
    """The response to a user's call with an Idempotency-Key."""

    __tablename__ = "stored_answers"
    __table_args__ = (
        CheckConstraint("length(key) BETWEEN 1 AND 64", name="key_length"),
        CheckConstraint("length(fingerprint) = 64", name="fingerprint_length"),
        CheckConstraint("status BETWEEN 200 AND 499", name="status"),
    )

    owner_id: int = Field(foreign_key="users.id", primary_key=True)
    key: str = Field(max_length=64, primary_key=True)
    fingerprint: str = Field(max_length=64)  # the SHA-256 (hex) of the whole request
    status: int
    answer: str = Field(sa_type=Text)  # the body as JSON
    created_at: float


# Imported tournaments and the names of their entries.


class Import(Table, table=True):
    """The archive from which a tournament was imported, so that it can be exported unchanged."""

    __tablename__ = "imports"
    __table_args__ = (CheckConstraint("length(sha256) = 64", name="sha256"),)

    tournament_id: int = Field(primary_key=True, foreign_key="tournaments.id")
    sha256: str = Field(max_length=64, unique=True)
    # The archive's documents with these names; `standings` is None if the archive did not have any.
    header: dict[str, Any] = Field(sa_column=json_column())
    standings: dict[str, Any] | None = Field(default=None, sa_column=json_column(nullable=True))
    imported_at: float


class ImportedEntry(Table, table=True):
    """An imported entry's original number, and its rating before the first match."""

    __tablename__ = "imported_entries"
    __table_args__ = (
        CheckConstraint("number >= 0", name="number"),
        CheckConstraint("start_sigma > 0", name="start_sigma"),
    )

    entry_id: int = Field(primary_key=True, foreign_key="entries.id")
    number: int
    start_mu: float
    start_sigma: float
