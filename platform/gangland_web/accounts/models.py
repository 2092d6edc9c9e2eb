"""Tables of people: users, and the setup codes that make the first admin."""

from sqlalchemy import CheckConstraint
from sqlmodel import Field

from gangland_web.columns import Table


class User(Table, table=True):
    """A person who signs in.  `name_key` is the lower-cased name, so that names differ in more than case."""

    __tablename__ = "users"
    __table_args__ = (CheckConstraint("length(name) BETWEEN 2 AND 32", name="name_length"),)

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(max_length=32)
    name_key: str = Field(max_length=32, unique=True)
    password_hash: str = Field(max_length=256)
    is_admin: bool = Field(default=False)
    created_at: float
    """Seconds since the epoch, UTC, as every time in these tables."""
    session_epoch: int = Field(default=0)
    """Raised to end every session of this user at once."""


class SetupCode(Table, table=True):
    """A one-time code that makes its holder the admin; only its SHA-256 is kept."""

    __tablename__ = "setup_codes"

    id: int | None = Field(default=None, primary_key=True)
    code_hash: str = Field(max_length=64, unique=True)
    created_at: float
    used_at: float | None = Field(default=None)
