"""The table of mails that wait to be sent: to whom and of which kind, and no secret."""

from enum import StrEnum

from sqlalchemy import Index
from sqlmodel import Field

from gangland_web.core.email_addresses import ADDRESS_CHARS
from gangland_web.store.columns import Table, one_of


class Kind(StrEnum):
    """What a mail is about."""

    CONFIRM = "confirm"
    """Whether the address is really somebody's."""
    RECOVER = "recover"
    """A new password was asked for, by an address that may be nobody's."""
    PASSWORD = "password"  # noqa: S105 (a kind of mail)
    """The password was changed."""
    ADDRESS = "address"
    """This address is not the account's any more."""


class Mail(Table, table=True):
    """A mail that waits.  The row goes when the mail has been taken or is given up.

    A link in it has its secret drawn in the moment of sending: here there is none.  `user_id` is empty for a recovery,
    since whoever asks for it must not learn from us whether the address is known.
    """

    __tablename__ = "mails"
    __table_args__ = (one_of("kind", Kind, "kind"), Index("ix_mails_next_at", "next_at"))

    id: int | None = Field(default=None, primary_key=True)
    kind: str = Field(max_length=16)
    address: str = Field(max_length=ADDRESS_CHARS)
    user_id: int | None = Field(default=None, foreign_key="users.id", index=True)
    created_at: float
    next_at: float
    """When it is tried next."""
    tries: int = Field(default=0)
