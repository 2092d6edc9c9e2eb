"""Tables of whom people follow, what they have read of it, and the secret of their feed."""

from typing import Any

from sqlalchemy import CheckConstraint, UniqueConstraint
from sqlmodel import Field

from gangland_web.store.columns import Table, json_column

_ONE = " + ".join(f"CASE WHEN {column} IS NULL THEN 0 ELSE 1 END" for column in ("bot_id", "person_id", "team_id"))


class Follow(Table, table=True):
    """A bot, a person or a team that somebody follows; nobody else is told."""

    __tablename__ = "follows"
    __table_args__ = (
        UniqueConstraint("user_id", "bot_id"),
        UniqueConstraint("user_id", "person_id"),
        UniqueConstraint("user_id", "team_id"),
        CheckConstraint(f"{_ONE} = 1", name="one"),
    )

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id")
    bot_id: int | None = Field(default=None, foreign_key="bots.id", index=True)
    person_id: int | None = Field(default=None, foreign_key="users.id", index=True)
    team_id: int | None = Field(default=None, foreign_key="teams.id")
    since: float


class FollowMark(Table, table=True):
    """Until when somebody has read what happened to whom they follow.

    `ranks` are those that were shown then, by "BOT.SEATS".  `feed_hash` is the SHA-256 of the secret in the address of
    their feed, None without one.
    """

    __tablename__ = "follow_marks"
    __table_args__ = (CheckConstraint("length(feed_hash) = 64", name="feed_hash_length"),)

    user_id: int = Field(primary_key=True, foreign_key="users.id")
    read_at: float
    ranks: dict[str, Any] = Field(sa_column=json_column())
    feed_hash: str | None = Field(default=None, max_length=64)
