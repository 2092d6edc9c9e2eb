"""The figures behind a table or a chart: said once, shown as a table, handed out as CSV and JSON, told by the API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from keyword import iskeyword
from typing import Annotated, Any, Final, get_args, get_type_hints

import msgspec
from msgspec import Meta

from gangland_web.core.clock import timestamp
from gangland_web.core.table_formats import Form, Row, Value, encoded
from gangland_web.resources.fields import Model, Moment, Path


class Kind(StrEnum):
    """What stands in a column: an index from 0, on pages from 1; a kind of fault, on pages its word."""

    TEXT = "text"
    WHOLE = "whole"
    INDEX = "index"
    NUMBER = "number"
    SIGNED = "signed"
    SHARE = "share"
    MOMENT = "moment"
    FLAG = "flag"
    FAULT = "fault"


_TYPES: Final[dict[Kind, Any]] = {
    Kind.TEXT: str,
    Kind.WHOLE: int,
    Kind.INDEX: int,
    Kind.NUMBER: float,
    Kind.SIGNED: float,
    Kind.SHARE: float,
    Kind.MOMENT: Moment,
    Kind.FLAG: bool,
    Kind.FAULT: str,
}
_PLAIN: Final[dict[Any, Kind]] = {bool: Kind.FLAG, int: Kind.WHOLE, float: Kind.NUMBER}


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name in files, its words on the page and what is in it.

    Attributes:
        digits: decimals on the page; files have all there are.
        quiet: in files alone.
    """

    key: str
    heading: str
    kind: Kind = Kind.TEXT
    digits: int = 2
    quiet: bool = False

    @property
    def is_figure(self) -> bool:
        """Whether its cells stand at the right, one below the other."""
        return self.kind in (Kind.WHOLE, Kind.INDEX, Kind.NUMBER, Kind.SIGNED, Kind.SHARE)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table: its rows have a value for each column.

    Attributes:
        name: what the rows are, such as "bot-history": the JSON document's schema is gangland/bot-history/1.
        caption: the sentence above it.
        links: of each row, where a column's cell leads; as many as there are rows, or none.
        shown: how many of the rows stand on the page; files have all of them.
        csv, json: addresses of its files.
        paged: it is a page of a list; `next` is the address of the page that follows, None if there is no more.
    """

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: Sequence[Mapping[str, Value]]
    links: Sequence[Mapping[str, str]] = field(default=())
    shown: int | None = None
    csv: str = ""
    json: str = ""
    paged: bool = False
    next: str | None = None

    @property
    def lines(self) -> list[tuple[Mapping[str, Value], Mapping[str, str]]]:
        """The rows that stand on the page, each with where its cells lead."""
        links = self.links or [{} for _ in self.rows]
        return list(zip(self.rows, links, strict=True))[: self.shown]

    @property
    def seen(self) -> tuple[Column, ...]:
        """The columns that stand on the page."""
        return tuple(column for column in self.columns if not column.quiet)

    def pieces(self, form: Form) -> Iterator[bytes]:
        """Yield the whole table as a file."""
        return encoded(form, self.name, [column.key for column in self.columns], map(self._plain, self.rows), self.head)

    @property
    def head(self) -> dict[str, str | None]:
        """What the JSON document says beside its rows."""
        return {"next": self.next} if self.paged else {}

    @property
    def plain(self) -> list[Row]:
        """The whole table as files have it."""
        return [self._plain(row) for row in self.rows]

    def _plain(self, row: Mapping[str, Value]) -> Row:
        return {column.key: _told(row[column.key], column.kind) for column in self.columns}


def _told(value: Value, kind: Kind) -> Value:
    """Return a value as files have it: a moment in UTC, to the second."""
    if kind is Kind.MOMENT and isinstance(value, int | float):
        return timestamp(value)
    return value


def columns_of(model: type[Model], **headings: str) -> tuple[Column, ...]:
    """Return the members of a model as columns, in its order.

    Args:
        headings: words of the page, where they are not the member's name.
    """
    found = []
    for name, hint in get_type_hints(model).items():
        kind = next((kind for plain, kind in _PLAIN.items() if plain in (hint, *get_args(hint))), Kind.TEXT)
        found.append(Column(name, headings.get(name, name), kind))
    return tuple(found)


def table_model(name: str, about: str, columns: Sequence[Column], *, paged: bool = False) -> Any:
    """Return the model of a table with these columns.

    Args:
        about: a sentence on its rows.
        paged: there may be more behind `next`.
    """
    row = msgspec.defstruct(
        f"{name}Row",
        [(_attribute(column.key), Annotated[_TYPES[column.kind] | None, _meta(column)]) for column in columns],
        bases=(Model,),
        namespace={"__doc__": about},
        rename={_attribute(column.key): column.key for column in columns},
        kw_only=True,
    )
    members: list[Any] = [("rows", list[row])]  # type: ignore[valid-type]
    if paged:
        members.append(("next", Path | None))
    return msgspec.defstruct(name, members, bases=(Model,), namespace={"__doc__": about}, kw_only=True)


def table(sheet: Sheet) -> dict[str, Any]:
    """Return a table as its model has it."""
    return {**sheet.head, "rows": sheet.plain}


def _attribute(key: str) -> str:
    return f"{key}_" if iskeyword(key) else key


def _meta(column: Column) -> Meta:
    return Meta(description=column.heading)


def document_schema(name: str, model: Any) -> dict[str, Any]:
    """Return the JSON Schema of the document gangland/NAME/1, which has the members of a model."""
    told = msgspec.json.schema(model)
    known = told["$defs"]
    top = known.pop(told["$ref"].rpartition("/")[2])
    members = {"schema": {"const": f"gangland/{name}/1"}, **top["properties"]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **top,
        "title": f"gangland/{name}/1",
        "required": ["schema", *top["required"]],
        "properties": members,
        "$defs": known,
    }
