"""The table of tokens."""

from sqlalchemy import CheckConstraint, false
from sqlmodel import Field

from gangland_web.store.columns import Table


class Token(Table, table=True):
    """A token of a person; of its secret only the SHA-256 is kept.

    It is good until `expires_at`, 1 to 365 days after it was made, unless it was revoked before; one that organises
    for 7 days at most.
    `last_used_at` is written at most once a minute.
    """

    __tablename__ = "tokens"
    __table_args__ = (
        CheckConstraint("length(name) BETWEEN 1 AND 64", name="name_length"),
        CheckConstraint("length(secret_hash) = 64", name="secret_hash_length"),
        CheckConstraint("can_read OR can_upload OR can_write OR can_organise", name="some_scope"),
        CheckConstraint("NOT can_organise OR expires_at <= created_at + 604800", name="organise_days"),
        CheckConstraint("expires_at BETWEEN created_at + 86400 AND created_at + 31536000", name="days"),
        CheckConstraint("last_used_at IS NULL OR last_used_at < expires_at", name="used_while_good"),
    )

    id: int | None = Field(default=None, primary_key=True)
    owner_id: int = Field(foreign_key="users.id", index=True)
    name: str = Field(max_length=64)
    secret_hash: str = Field(max_length=64, unique=True)
    can_read: bool
    can_upload: bool
    can_write: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    can_organise: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    created_at: float
    expires_at: float
    last_used_at: float | None = Field(default=None)
    revoked_at: float | None = Field(default=None)
