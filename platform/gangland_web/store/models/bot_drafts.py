"""The table of drafts: bots that are being written in the browser."""

from sqlalchemy import CheckConstraint, Text, UniqueConstraint
from sqlmodel import Field

from gangland_web.store.columns import Table

DRAFT_BYTES = 256 * 1024
"""The most bytes of UTF-8 that a draft may have: as many as a bot's file."""


class BotDraft(Table, table=True):
    """A bot that somebody writes in the browser, for them alone to read.

    `version` counts what was saved, so that of two tabs none writes over what the other one saved.
    """

    __tablename__ = "bot_drafts"
    __table_args__ = (
        UniqueConstraint("user_id", "game", "name"),
        CheckConstraint("length(name) BETWEEN 1 AND 64", name="name_length"),
        CheckConstraint("length(text) <= 262144", name="text_length"),
        CheckConstraint("version >= 1", name="version_from_one"),
    )

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id")
    game: str = Field(max_length=32)
    name: str = Field(max_length=64)
    text: str = Field(sa_type=Text)
    version: int = Field(default=1)
    saved_at: float
    passed_at: float | None = Field(default=None)
    """When its last check found nothing; None where there was none, or it found something."""
