"""The table of identities: which of the provider's people is which of ours."""

from sqlalchemy import UniqueConstraint
from sqlmodel import Field

from gangland_web.store.columns import Table


class Identity(Table, table=True):
    """One of the provider's people, by issuer and subject, which never change; no name of theirs is kept."""

    __tablename__ = "identities"
    __table_args__ = (UniqueConstraint("issuer", "subject", name="uq_identities_issuer_subject"),)

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id", index=True)
    issuer: str = Field(max_length=255)
    subject: str = Field(max_length=255)
    created_at: float
