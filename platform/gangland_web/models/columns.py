"""Column types, constraints and helpers that all tables share."""

from collections.abc import Iterable
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.types import JSON
from sqlmodel import Session, SQLModel

from gangland_web.base.text import look_key, search_key

RowT = TypeVar("RowT", bound="Table")
# Names of constraints, which are the same on both databases, so that a migration can refer to them.
NAMING = {
    "ix": "ix_%(column_0_N_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Table(SQLModel):
    """The base class of all tables.  Models do not validate rows, so each invariant is a database constraint."""

    metadata = sa.MetaData(naming_convention=NAMING)

    def __repr_args__(self) -> list[tuple[str | None, Any]]:
        """Return the fields for `repr` in column order, so that all processes derive the same ETags from it."""
        return [(name, self.__dict__[name]) for name in type(self).model_fields if name in self.__dict__]


def table_of(model: type[Table]) -> Any:
    """Return the table of a model, for statements that are prepared in advance or executed for many rows."""
    return model.__table__  # type: ignore[attr-defined]


def literal_number(name: str) -> sa.BindParameter[int]:
    """Return a parameter that is inlined as a number, so that the query planner sees that few rows are needed."""
    return sa.bindparam(name, type_=sa.Integer, literal_execute=True)


def json_column(*, nullable: bool = False) -> sa.Column[Any]:
    """Return a column for a JSON value; None is SQL NULL."""
    return sa.Column(JSON(none_as_null=True), nullable=nullable)


def bytes_column(*, nullable: bool = False) -> sa.Column[bytes]:
    """Return a column for bytes."""
    return sa.Column(sa.LargeBinary, nullable=nullable)


def search_column() -> sa.Column[str]:
    """Return a column for searching by name, which is computed from the name."""
    return sa.Column(sa.Text, nullable=False, default=lambda row: search_key(row.get_current_parameters()["name"]))


def look_column() -> sa.Column[str]:
    """Return a column for finding names that look alike, which is computed from the name."""
    default = lambda row: look_key(row.get_current_parameters()["name"])  # noqa: E731 (like the column above)
    return sa.Column(sa.Text, nullable=False, server_default="", index=True, default=default)


def key_column(parent: str | None = None) -> sa.Column[int]:
    """Return a primary key without autoincrement: a number, or the id of a row in `parent`, whose deletion cascades."""
    parents = () if parent is None else (sa.ForeignKey(parent, ondelete="CASCADE"),)
    return sa.Column(sa.Integer, *parents, primary_key=True, autoincrement=False)


def one_of(column: str, values: Iterable[str], name: str) -> sa.CheckConstraint:
    """Return a CHECK constraint that requires a text column to have one of these values."""
    literals = ", ".join(f"'{value}'" for value in values)
    return sa.CheckConstraint(f"{column} IN ({literals})", name=name)


def index_where(name: str, *columns: str, where: str, unique: bool = False) -> sa.Index:
    """Return a partial index of the rows that meet a condition, for both databases."""
    return sa.Index(name, *columns, unique=unique, sqlite_where=sa.text(where), postgresql_where=sa.text(where))


def row_id(number: int | None) -> int:
    """Return the id of a stored row.  Raises ValueError: the row was never stored, so it has no id."""
    if number is None:
        raise ValueError("the row has no id before it is stored")
    return number


def add_row(session: Session, row: RowT) -> RowT:
    """Add a row, flush it so that it has an id, and return it."""
    session.add(row)
    session.flush()
    return row
