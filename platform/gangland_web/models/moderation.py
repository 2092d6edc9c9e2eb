"""The table of what administrators did to a person or a bot, until it is undone."""

from enum import StrEnum
from typing import Any

from sqlalchemy import CheckConstraint, Text
from sqlmodel import Field

from gangland_web.models.columns import Table, json_column, one_of


class Measure(StrEnum):
    """What can be done to a person or a bot.

    Whatever is hidden, retired or suspended leaves the ladders.  A hidden one loses its name on pages, a suspended
    person cannot sign in, and nothing is uploaded for a hidden or suspended bot.
    """

    RENAME = "rename"
    HIDE = "hide"
    RETIRE = "retire"
    SUSPEND = "suspend"


class Moderation(Table, table=True):
    """A measure with the reason that the owner reads; `details` is what is needed to undo it."""

    __tablename__ = "moderations"
    __table_args__ = (
        one_of("kind", Measure, "kind"),
        CheckConstraint("(user_id IS NULL) <> (bot_id IS NULL)", name="of_one"),
        CheckConstraint("(undone_at IS NULL) = (undone_by IS NULL)", name="undone"),
    )

    id: int | None = Field(default=None, primary_key=True)
    kind: str = Field(max_length=16)
    user_id: int | None = Field(default=None, foreign_key="users.id", index=True)
    bot_id: int | None = Field(default=None, foreign_key="bots.id", index=True)
    reason: str = Field(sa_type=Text)
    details: dict[str, Any] = Field(sa_column=json_column())
    ordered_by: int = Field(foreign_key="users.id")
    ordered_at: float
    undone_by: int | None = Field(default=None, foreign_key="users.id")
    undone_at: float | None = Field(default=None)
