"""The table of answers that are kept, so that a call that is sent again is not carried out again."""

from sqlalchemy import CheckConstraint, Text
from sqlmodel import Field

from gangland_web.store.columns import Table


class StoredAnswer(Table, table=True):
    """What a person's call under an Idempotency-Key was answered with.

    `fingerprint` is the SHA-256 (hex) of all that was sent; `answer` the body, as JSON text.
    """

    __tablename__ = "stored_answers"
    __table_args__ = (
        CheckConstraint("length(key) BETWEEN 1 AND 64", name="key_length"),
        CheckConstraint("length(fingerprint) = 64", name="fingerprint_length"),
        CheckConstraint("status BETWEEN 200 AND 499", name="status"),
    )

    owner_id: int = Field(foreign_key="users.id", primary_key=True)
    key: str = Field(max_length=64, primary_key=True)
    fingerprint: str = Field(max_length=64)
    status: int
    answer: str = Field(sa_type=Text)
    created_at: float
