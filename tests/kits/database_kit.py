"""Read and write a test's database in one line; each call is a separate transaction."""

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar, overload

from sqlmodel import Session
from sqlmodel.sql.expression import SelectOfScalar

from gangland_web.models.database import Database

T = TypeVar("T")
R = TypeVar("R")
P = ParamSpec("P")


class HasDatabase:
    """A base class for objects with a database.  Functions for `read` and `write` must not be generators."""

    database: Database

    @overload
    def rows(self, query: SelectOfScalar[T]) -> list[T]: ...
    @overload
    def rows(self, query: Any) -> list[Any]: ...
    def rows(self, query: Any) -> list[Any]:
        with self.database.read() as session:
            return list(session.exec(query))

    @overload
    def row(self, query: SelectOfScalar[T]) -> T: ...
    @overload
    def row(self, query: Any) -> Any: ...
    def row(self, query: Any) -> Any:
        [only] = self.rows(query)
        return only

    def get(self, table: type[T], key: object) -> T:
        with self.database.read() as session:
            return session.get_one(table, key)

    def read(self, act: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        with self.database.read() as session:
            return act(session, *args, **kwargs)

    def read_row(
        self,
        act: Callable[Concatenate[Session, R, P], T],
        table: type[R],
        key: object,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Call a function with a session, the row of a table with this key, and the other arguments."""
        with self.database.read() as session:
            return act(session, session.get_one(table, key), *args, **kwargs)

    def write(self, act: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        with self.database.write() as session:
            return act(session, *args, **kwargs)

    def write_row(
        self,
        act: Callable[Concatenate[Session, R, P], T],
        table: type[R],
        key: object,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        with self.database.write() as session:
            return act(session, session.get_one(table, key), *args, **kwargs)

    def change(self, table: type[Any], key: object, /, **values: object) -> None:
        with self.database.write() as session:
            row = session.get_one(table, key)
            for name, value in values.items():
                assert hasattr(row, name), name
                setattr(row, name, value)

    def add(self, row: object) -> None:
        with self.database.write() as session:
            session.add(row)

    def execute(self, statement: Any, values: dict[str, object] | None = None) -> None:
        with self.database.write() as session:
            session.connection().execute(statement, values)
