"""Tables of what was imported: where a tournament came from, and what its entries were called there."""

from typing import Any

from sqlalchemy import JSON, CheckConstraint, Column
from sqlmodel import Field

from gangland_web.store.columns import Table, json_column


class Import(Table, table=True):
    """The archive that a tournament was imported from, so that it can be exported again as it was.

    `header` and `standings` are the archive's documents of these names; the latter is None if it had none.
    """

    __tablename__ = "imports"
    __table_args__ = (CheckConstraint("length(sha256) = 64", name="sha256"),)

    tournament_id: int = Field(primary_key=True, foreign_key="tournaments.id")
    sha256: str = Field(max_length=64, unique=True)
    header: dict[str, Any] = Field(sa_column=json_column())
    standings: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    imported_at: float


class ImportedEntry(Table, table=True):
    """What an imported entry's number was where it played, and its rating before the first match."""

    __tablename__ = "imported_entries"
    __table_args__ = (
        CheckConstraint("number >= 0", name="number"),
        CheckConstraint("start_sigma > 0", name="start_sigma"),
    )

    entry_id: int = Field(primary_key=True, foreign_key="entries.id")
    number: int
    start_mu: float
    start_sigma: float
