"""The figures behind a table or a chart: said once, shown as a table, handed out as CSV and JSON, told by the API."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from keyword import iskeyword
from operator import attrgetter, itemgetter
from typing import Annotated, Any, Final, get_args, get_type_hints

import msgspec
from flask import url_for
from msgspec import Meta

from gangland_web.base.clock import timestamp
from gangland_web.base.formats import Form, Row, Value, encoded
from gangland_web.resources.fields import Model, Moment, Path, is_moment


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
        of: the attribute of a row that it shows, where that is not named like the column.
    """

    key: str
    heading: str
    kind: Kind = Kind.TEXT
    digits: int = 2
    quiet: bool = False
    of: str = ""

    def reader(self, row: Any) -> Callable[[Any], Any]:
        """Return what reads this column's value off a row of the same type: asked once a table, not for each cell."""
        name = self.of or self.key
        return itemgetter(name) if isinstance(row, Mapping) else attrgetter(name)

    @property
    def is_figure(self) -> bool:
        """Whether its cells stand at the right, one below the other."""
        return self.kind in (Kind.WHOLE, Kind.INDEX, Kind.NUMBER, Kind.SIGNED, Kind.SHARE)


@dataclass(frozen=True, slots=True)
class TableData:
    """A table: its rows are mappings or objects, all of one type, that have a value for each column.

    Attributes:
        name: what the rows are, such as "bot-history": the JSON document's schema is gangland/bot-history/1.
        caption: the sentence above it.
        links: of each row, where a column's cell leads; as many as there are rows, or none.
        total: how many rows its files have, where the page has the first of them alone.
        csv, json: addresses of its files.
        paged: it is a page of a list; `next` is the address of the page that follows, None if there is no more.
    """

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: Sequence[Any]
    links: Sequence[Mapping[str, str]] = field(default=())
    total: int | None = None
    csv: str = ""
    json: str = ""
    paged: bool = False
    next: str | None = None

    @property
    def visible_columns(self) -> tuple[Column, ...]:
        """The columns that stand on the page."""
        return tuple(column for column in self.columns if not column.quiet)

    def pieces(self, form: Form, *, spreadsheet: bool = False) -> Iterator[bytes]:
        """Yield the whole table as a file; `encoded` says what `spreadsheet` is."""
        keys = [column.key for column in self.columns]
        return encoded(form, self.name, keys, self._values(), self.head, spreadsheet=spreadsheet)

    @property
    def head(self) -> dict[str, str | None]:
        """What the JSON document says beside its rows."""
        return {"next": self.next} if self.paged else {}

    @property
    def plain(self) -> list[Row]:
        """The whole table as files have it."""
        return list(self._values())

    def _values(self) -> Iterator[Row]:
        if not self.rows:
            return
        keys = [column.key for column in self.columns]
        reads = [column.reader(self.rows[0]) for column in self.columns]
        odd = [column for column in self.columns if column.kind in _WRITERS]
        for row in self.rows:
            values = dict(zip(keys, [read(row) for read in reads], strict=True))
            for column in odd:
                values[column.key] = _WRITERS[column.kind](values[column.key])
            yield values


def _written_moment(value: Any) -> Value:
    """Return a moment as files have it: in UTC, to the second."""
    return timestamp(value) if isinstance(value, int | float) else value


def _written_text(value: Any) -> Value:
    """Return a text as files have it: a list as its words."""
    return " ".join(value) if type(value) is list else value


_WRITERS: Final[dict[Kind, Callable[[Any], Value]]] = {Kind.MOMENT: _written_moment, Kind.TEXT: _written_text}
"""What writes the values of a kind into files, where that is not as they are."""


def file_urls(endpoint: str, **where: Any) -> dict[str, Any]:
    """Return the addresses of a table's files by their forms: `csv` and `json`."""
    return {form: url_for(endpoint, form=form, **where) for form in ("csv", "json")}


def columns_of(model: type[Model], **headings: str) -> tuple[Column, ...]:
    """Return the members of a model as columns, in its order.

    Args:
        headings: words of the page, where they are not the member's name.
    """
    hints = get_type_hints(model, include_extras=True)
    return tuple(Column(name, headings.get(name, name), _kind(hint)) for name, hint in hints.items())


def _kind(hint: Any) -> Kind:
    """Return what stands in a column whose values are of a type, that or nothing."""
    if is_moment(hint):
        return Kind.MOMENT
    plain = {getattr(each, "__origin__", each) for each in (hint, *get_args(hint))}
    return next((kind for each, kind in _PLAIN.items() if each in plain), Kind.TEXT)


def table_model(name: str, about: str, columns: Sequence[Column], *, paged: bool = False) -> Any:
    """Return the model of a table with these columns.

    Args:
        about: a sentence on its rows.
        paged: there may be more behind `next`.
    """
    row = msgspec.defstruct(
        f"{name}Row",
        [
            (_attribute(column.key), Annotated[_TYPES[column.kind] | None, Meta(description=column.heading)])
            for column in columns
        ],
        bases=(Model,),
        namespace={"__doc__": about},
        rename={_attribute(column.key): column.key for column in columns},
        kw_only=True,
    )
    members: list[Any] = [("rows", list[row])]  # type: ignore[valid-type]
    if paged:
        members.append(("next", Path | None))
    return msgspec.defstruct(name, members, bases=(Model,), namespace={"__doc__": about}, kw_only=True)


def table(data: TableData) -> dict[str, Any]:
    """Return a table as its model has it."""
    return {**data.head, "rows": data.plain}


def _attribute(key: str) -> str:
    return f"{key}_" if iskeyword(key) else key


def document_schema(name: str, model: Any) -> dict[str, Any]:
    """Return the JSON Schema of the document gangland/NAME/1, which has the members of a model."""
    schema = msgspec.json.schema(model)
    known = schema["$defs"]
    top = known.pop(schema["$ref"].rpartition("/")[2])
    members = {"schema": {"const": f"gangland/{name}/1"}, **top["properties"]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **top,
        "title": f"gangland/{name}/1",
        "required": ["schema", *top["required"]],
        "properties": members,
        "$defs": known,
    }
