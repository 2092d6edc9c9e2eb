"""Tables of teams: who is in one and was, how one gets in, and the names that people and teams share."""

from typing import Any

from sqlalchemy import CheckConstraint, Column, ForeignKey, Integer
from sqlmodel import Field, col

from gangland_web.store.columns import Table, index_where, look_column, search_column


class Team(Table, table=True):
    """People who share bots under one name.  Its name stays when it is deleted, for what was played is the team's."""

    __tablename__ = "teams"
    __table_args__ = (CheckConstraint("length(name) BETWEEN 1 AND 64", name="name_length"),)

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(max_length=64)
    name_key: str = Field(max_length=64, unique=True)
    search_key: str | None = Field(default=None, sa_column=search_column())
    look_key: str | None = Field(default=None, sa_column=look_column())
    captain_id: int = Field(foreign_key="users.id")
    created_at: float
    deleted_at: float | None = Field(default=None)


class Membership(Table, table=True):
    """A person's time in a team; nobody is in two at once."""

    __tablename__ = "memberships"
    __table_args__ = (index_where("uq_memberships_one_team", "user_id", where="left_at IS NULL", unique=True),)

    id: int | None = Field(default=None, primary_key=True)
    team_id: int = Field(foreign_key="teams.id", index=True)
    user_id: int = Field(foreign_key="users.id", index=True)
    joined_at: float
    left_at: float | None = Field(default=None)


def is_in(user_id: Any) -> Any:
    """Return the condition that a membership is somebody's present one, given their number or its column."""
    return (col(Membership.user_id) == user_id) & col(Membership.left_at).is_(None)


class Invitation(Table, table=True):
    """A code by which some people may join; only its SHA-256 is kept."""

    __tablename__ = "invitations"
    __table_args__ = (
        CheckConstraint("length(code_hash) = 64", name="code_hash_length"),
        CheckConstraint("places >= 1 AND taken BETWEEN 0 AND places", name="places"),
    )

    id: int | None = Field(default=None, primary_key=True)
    team_id: int = Field(foreign_key="teams.id", index=True)
    code_hash: str = Field(max_length=64, unique=True)
    made_at: float
    expires_at: float
    places: int
    """How many people may join by it."""
    taken: int = Field(default=0)
    revoked_at: float | None = Field(default=None)


class OwnerName(Table, table=True):
    """A name that a person or a team has.  Triggers of the database keep it, so that no two ever share one."""

    __tablename__ = "owner_names"
    __table_args__ = (CheckConstraint("(user_id IS NULL) <> (team_id IS NULL)", name="of_one"),)

    name_key: str = Field(primary_key=True, max_length=64)
    user_id: int | None = Field(
        default=None, sa_column=Column(Integer, ForeignKey("users.id", ondelete="CASCADE"), unique=True)
    )
    team_id: int | None = Field(
        default=None, sa_column=Column(Integer, ForeignKey("teams.id", ondelete="CASCADE"), unique=True)
    )
