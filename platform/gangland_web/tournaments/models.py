"""Tables of tournaments and of the versions entered in them."""

from typing import Any

from sqlalchemy import CheckConstraint, Index, UniqueConstraint
from sqlmodel import Field

from gangland_web.columns import Table, bytes_column, json_column, one_of

KINDS = ("trials", "ladder")


class Tournament(Table, table=True):
    """A set of matches of one game and table size with one secret, numbered and folded in number order.

    `cursor` is the lowest match number that the ratings have not taken in yet.  `rounds` counts the
    round robins planned for the set of active entries that `roster_digest` stands for.
    """

    __tablename__ = "tournaments"
    __table_args__ = (
        UniqueConstraint("kind", "game", "seats"),
        one_of("kind", KINDS, "kind"),
        CheckConstraint("seats BETWEEN 2 AND 4", name="seats"),
        CheckConstraint("blocks >= 1", name="blocks"),
        CheckConstraint("cursor >= 1", name="cursor"),
        CheckConstraint("rounds >= 0", name="rounds"),
        CheckConstraint("length(commitment) = 64", name="commitment"),
    )

    id: int | None = Field(default=None, primary_key=True)
    kind: str = Field(max_length=16)
    game: str = Field(max_length=32)
    seats: int
    name: str = Field(max_length=80)
    options: dict[str, Any] = Field(sa_column=json_column())
    blocks: int
    limits: dict[str, Any] = Field(sa_column=json_column())
    secret: bytes = Field(sa_column=bytes_column())
    commitment: str = Field(max_length=64)
    cursor: int = Field(default=1)
    roster_digest: str = Field(default="", max_length=64)
    rounds: int = Field(default=0)
    created_at: float


class Entry(Table, table=True):
    """A version's part in a tournament: its rating and its counters, written only by the record worker."""

    __tablename__ = "entries"
    __table_args__ = (
        UniqueConstraint("tournament_id", "version_id"),
        CheckConstraint("sigma > 0", name="sigma_positive"),
        CheckConstraint("games >= 0 AND wins >= 0 AND faults >= 0", name="counters"),
        Index("ix_entries_board", "tournament_id", "active", "rating", "id"),
        Index("ix_entries_version_id", "version_id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    tournament_id: int = Field(foreign_key="tournaments.id")
    version_id: int = Field(foreign_key="versions.id")
    mu: float
    sigma: float
    rating: float
    """mu - 3 sigma, kept so that a leaderboard is read from an index."""
    games: int = Field(default=0)
    wins: int = Field(default=0)
    faults: int = Field(default=0)
    active: bool = Field(default=True)
    quarantined: bool = Field(default=False)
    """A match of it could not be played: it is in no further one until its version has passed a solo trial."""
    created_at: float
