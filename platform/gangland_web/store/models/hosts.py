"""The table of worker hosts."""

from sqlalchemy import CheckConstraint, Text
from sqlmodel import Field

from gangland_web.store.columns import Table

NAME_CHARS = 32
MOST_SLOTS = 1000
"""Far more than one record worker can keep busy."""


class WorkerHost(Table, table=True):
    """A machine that plays matches, known by its own credential on the broker.

    Rows stay after revocation, for matches name the host that played them.  Of the password its SHA-256 (hex) is kept
    and nothing more.  A host that is revoked or stopped is given no match, and none of its results counts: the operator
    revokes, an audit stops.
    """

    __tablename__ = "worker_hosts"
    __table_args__ = (
        CheckConstraint(f"length(name) BETWEEN 1 AND {NAME_CHARS}", name="name_length"),
        CheckConstraint("length(password_sha256) = 64", name="password_sha256"),
        CheckConstraint(f"slot_limit BETWEEN 1 AND {MOST_SLOTS}", name="slot_limit"),
        CheckConstraint("(stopped_at IS NULL) = (stopped_for IS NULL)", name="stopped"),
    )

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(max_length=NAME_CHARS, unique=True)
    password_sha256: str = Field(max_length=64)
    slot_limit: int = Field(default=MOST_SLOTS)
    """How many matches it is believed to play at a time, at most."""
    created_at: float
    revoked_at: float | None = Field(default=None)
    stopped_at: float | None = Field(default=None)
    stopped_for: str | None = Field(default=None, sa_type=Text)
    """Why it was stopped, in a sentence for the operator."""
    last_seen_at: float | None = Field(default=None)
    """When it last announced a slot, to within half a minute."""
    suspected_at: float | None = Field(default=None)
    """Since when audits speak against it, though not enough to stop it: more of its results are audited meanwhile."""
    doubted_from: float | None = Field(default=None)
    """From which moment on what it played is to be played again, until that is ordered."""
    trusted_from: float | None = Field(default=None)
    """When the operator last let it go on after it was stopped: audits drawn before that are not held against it."""
