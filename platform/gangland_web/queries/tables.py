"""Shared parts of all queries: fields of models, tables with their files, links, JSON, and intervals."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from enum import StrEnum
from functools import cache
from keyword import iskeyword
from math import isfinite, sqrt
from operator import attrgetter
from statistics import NormalDist
from typing import Annotated, Any, Final, TypeVar, get_args, get_type_hints

import msgspec
from flask import g, url_for
from msgspec import Meta

from gangland_ladder.matches.match_jobs import HIGHEST_ID
from gangland_web.base.formats import PLAIN as PLAIN
from gangland_web.base.formats import Format, Row, Value, encode_table, timestamp
from gangland_web.base.formats import Game as Game
from gangland_web.base.formats import Moment as Moment
from gangland_web.base.formats import Seats as Seats
from gangland_web.base.text import shown
from gangland_web.models.bots import HOUSE

# Models and their fields, with descriptions for the schemas.

BASE: Final = "/api/v1"  # of the API
MAX_ROWS: Final = 100

Number = Annotated[int, Meta(ge=1, le=HIGHEST_ID)]  # of a row, from 1
Count = Annotated[int, Meta(ge=0)]
Block = Annotated[int, Meta(ge=0, le=HIGHEST_ID, description="Counted from 0.")]
Rotation = Annotated[int, Meta(ge=0, le=3, description="The order of the seats, counted from 0.")]
Day = Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}$", description="A day in UTC.", examples=["2027-03-01"])]
Path = Annotated[str, Meta(pattern=r"^/", description="An address on this site.")]
Hex64 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$", description="64 hexadecimal digits, such as a SHA-256.")]
Code = Annotated[str, Meta(pattern=r"^[EW]\d{3}$", description="A code in the catalog of errors.")]
Name = Annotated[str, Meta(min_length=1, max_length=64, pattern=PLAIN)]
Key = Annotated[str, Meta(max_length=64, pattern=r"^[!-~]*$")]  # The start of a page, from the previous page.
Limit = Annotated[int, Meta(ge=1, le=MAX_ROWS, description="The maximum number of rows.")]


class Model(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A message in a request or a response; unknown members are rejected."""


M = TypeVar("M", bound=Model)


def model_from(model: type[M], source: object, **members: Any) -> M:
    """Return a model with these members; the others are read from the source, with seconds converted to `Moment`."""
    for name, is_moment in _members(model):
        if name not in members:
            value = getattr(source, name)
            members[name] = timestamp(value) if is_moment and not isinstance(value, str) else value
    return model(**members)


@cache
def _members(model: type[Model]) -> tuple[tuple[str, bool], ...]:
    return tuple((each.name, is_moment(each.type)) for each in msgspec.structs.fields(model))


def is_moment(hint: Any) -> bool:
    """Return whether a type is `Moment`, optional or not."""
    return Moment in (hint, *get_args(hint))


class Nothing(Model):
    """No members."""


class NewestFirst(Model):
    """A page of a list, newest first."""

    before: Annotated[int, Meta(ge=1, le=HIGHEST_ID, description="Only rows with lower numbers.")] | None = None
    limit: Limit = 50


class File(msgspec.Struct):
    """A file in a form: its name and content."""

    name: str
    content: bytes


# Tables: one description for HTML, CSV, JSON and the API.


class Kind(StrEnum):
    """The kind of a column."""

    TEXT = "text"
    OWNER = "owner"  # of a bot; "house" for a house bot
    WHOLE = "whole"
    INDEX = "index"  # counted from 0; pages show it from 1
    NUMBER = "number"
    SIGNED = "signed"
    SHARE = "share"
    MOMENT = "moment"
    FLAG = "flag"
    FAULT = "fault"  # a kind of fault, shown as words


_TYPES: Final[dict[Kind, Any]] = {
    Kind.TEXT: str,
    Kind.OWNER: str,
    Kind.WHOLE: int,
    Kind.INDEX: int,
    Kind.NUMBER: float,
    Kind.SIGNED: float,
    Kind.SHARE: float,
    Kind.MOMENT: Moment,
    Kind.FLAG: bool,
    Kind.FAULT: str,
}
_FIGURES: Final = (Kind.WHOLE, Kind.INDEX, Kind.NUMBER, Kind.SIGNED, Kind.SHARE)
_KINDS: Final[dict[Any, Kind]] = {bool: Kind.FLAG, int: Kind.WHOLE, float: Kind.NUMBER}


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    key: str  # in files and in the API; empty if the column is only on the page
    heading: str
    kind: Kind = Kind.TEXT
    cell: str = ""  # the name of the cell in templates/cells.html; the default depends on the kind
    _: KW_ONLY
    digits: int = 2  # decimals on the page; files have all decimals
    quiet: bool = False  # whether the column is only in files
    of: str = ""  # the attribute of a row, if its name is not the key
    css: str | None = None  # the class of the cells, unless they are plain figures or text
    names_row: bool = False  # whether the cells are row headings; by default, those of the first column are

    @property
    def path(self) -> str:
        """The attribute of a row that the column shows."""
        return self.of or self.key

    @property
    def is_figure(self) -> bool:
        """Whether the cells are aligned to the right."""
        return self.css in (None, "rank", "meter", "num noprint") and self.kind in _FIGURES


@dataclass(frozen=True, slots=True)
class Table:
    """The description of a table: its columns define the HTML, the CSV, the JSON and the rows of the API."""

    name: str  # such as "bot-history"; the JSON document's schema is then gangland/bot-history/1
    row: type[Any]  # the type of its rows
    columns: tuple[Column, ...]
    address: str = ""  # of the files, without the extension; empty if there are no files
    about: str = ""  # a sentence about the rows
    paged: bool = False  # whether the JSON has the URL of the next page as `next`
    attributes: str = ""  # of a row's element on the page, as a template
    phone: tuple[str, ...] = ()  # headings of the columns that phones show at first; all if empty

    def of(self, rows: Sequence[Any], caption: str = "", **more: Any) -> TableData:
        """Return the table with these rows; `more` has other members of `TableData`."""
        return TableData(self, rows, caption, **more)

    def renamed(self, headings: Mapping[str, str]) -> Table:
        """Return the same table with other headings."""
        columns = [replace(column, heading=headings.get(column.heading, column.heading)) for column in self.columns]
        phone = tuple(headings.get(heading, heading) for heading in self.phone)
        return replace(self, columns=tuple(columns), phone=phone)

    @property
    def file_columns(self) -> tuple[Column, ...]:
        """The columns in files and in the API."""
        return tuple(column for column in self.columns if column.key)

    @property
    def model(self) -> Any:
        """The model of the table in JSON and the API."""
        return _model(self)


@cache
def _model(table: Table) -> Any:
    name, about = table.name.title().replace("-", ""), table.about.partition(" (`?")[0]
    row = msgspec.defstruct(
        f"{name}Row",
        [
            (_attribute(column.key), Annotated[_TYPES[column.kind] | None, Meta(description=column.heading)])
            for column in table.file_columns
        ],
        bases=(Model,),
        namespace={"__doc__": about},
        rename={_attribute(column.key): column.key for column in table.file_columns},
        kw_only=True,
    )
    members: list[Any] = [("rows", list[row]), *([("next", Path | None)] if table.paged else [])]  # type: ignore[valid-type]
    return msgspec.defstruct(name, members, bases=(Model,), namespace={"__doc__": about}, kw_only=True)


@dataclass(frozen=True, slots=True)
class TableData:
    """A table with its rows."""

    table: Table
    rows: Sequence[Any]
    caption: str = ""  # the sentence above the table
    total: int | None = None  # the number of rows in the files, if the page has only the first rows
    csv: str = ""  # the URL of the file
    json: str = ""  # the URL of the file
    next: str | None = None  # the URL of the next page, or None on the last one

    def page_columns(self, hidden: Collection[str] = ()) -> tuple[Column, ...]:
        """Return the page's columns, without those with hidden headings.  Raises ValueError: an unknown heading."""
        _check_headings(self.table, hidden)  # otherwise a renamed column would no longer be hidden
        return tuple(column for column in self.table.columns if not column.quiet and column.heading not in hidden)

    def folded_columns(self, hidden: Collection[str] = ()) -> list[int]:
        """Return the numbers, from 1, of the columns that a phone shows only on demand."""
        phone = self.table.phone
        return [
            place for place, column in enumerate(self.page_columns(hidden), 1) if phone and column.heading not in phone
        ]

    def pieces(self, form: Format, *, spreadsheet: bool = False) -> Iterator[bytes]:
        """Yield the table as a file, piece by piece; `spreadsheet` as in `encode_table`."""
        keys = [column.key for column in self.table.file_columns]
        return encode_table(form, self.table.name, keys, self._values(), self.head, spreadsheet=spreadsheet)

    @property
    def head(self) -> dict[str, str | None]:
        """The members of the JSON document other than the rows."""
        return {"next": self.next} if self.table.paged else {}

    @property
    def file_rows(self) -> list[Row]:
        """All rows as in files."""
        return list(self._values())

    def _values(self) -> Iterator[Row]:
        columns = self.table.file_columns
        keys, readers = [column.key for column in columns], [reader(column.path) for column in columns]
        converted_columns = [column for column in columns if column.kind in _WRITERS]
        for row in self.rows:
            values = dict(zip(keys, [read(row) for read in readers], strict=True))
            for column in converted_columns:
                values[column.key] = _WRITERS[column.kind](values[column.key])
            yield values


def reader(path: str) -> Callable[[Any], Any]:
    """Return a function that reads an attribute by a dotted path; None if a part of the path is None."""
    if "." not in path:
        return attrgetter(path)
    names = path.split(".")

    def read(value: Any) -> Any:
        for name in names:
            value = None if value is None else getattr(value, name)
        return value

    return read


# Conversions of values for files, by kind of column.
_WRITERS: Final[dict[Kind, Callable[[Any], Value]]] = {
    Kind.MOMENT: lambda value: timestamp(value) if isinstance(value, int | float) else value,
    Kind.TEXT: lambda value: " ".join(value) if type(value) is list else value,
    Kind.OWNER: lambda value: value or HOUSE,
}


def file_urls(endpoint: str, **parameters: Any) -> dict[str, Any]:
    """Return the URLs of a table's files by format: `csv` and `json`."""
    return {form: url_for(endpoint, form=form, **parameters) for form in ("csv", "json")}


def table_of(name: str, row: type[Any], address: str, about: str, *columns: Column, **more: Any) -> Table:
    """Return a table, without files if address and description are empty.  Raises ValueError: an unknown heading."""
    table = Table(name, row, columns, address, about, **more)
    _check_headings(table, table.phone)
    return table


def _check_headings(table: Table, headings: Collection[str]) -> None:
    if unknown := set(headings) - {column.heading for column in table.columns}:
        raise ValueError(f"the table {table.name} has no {', '.join(sorted(unknown))}")


def several(kind: Kind, inside: str = "", *, quiet: bool = False, digits: int = 2, **headings: str) -> Iterator[Column]:
    """Yield columns of one kind, by key; `inside`: the attribute of a row that has the values."""
    for key, heading in headings.items():
        yield Column(key, heading, kind, quiet=quiet, digits=digits, of=f"{inside}.{key}" if inside else "")


def columns_of(row: type[Any], **headings: str | Column) -> tuple[Column, ...]:
    """Return the members of a row type as columns; `headings` has headings or whole columns by member."""
    hints = {name: hint for name, hint in get_type_hints(row, include_extras=True).items() if name[0] != "_"}
    columns = []
    for name, hint in hints.items():
        heading = headings.pop(name, name)
        column = heading if isinstance(heading, Column) else Column(name, heading, _kind(hint))
        columns.append(replace(column, key=name))
    if headings:
        raise TypeError(f"{row.__name__} has no {', '.join(headings)}")
    return tuple(columns)


def _kind(hint: Any) -> Kind:
    if is_moment(hint):
        return Kind.MOMENT
    for each in (hint, *get_args(hint)):
        for annotation in getattr(each, "__metadata__", ()):
            if isinstance(annotation, Kind):
                return annotation
    types = {getattr(each, "__origin__", each) for each in (hint, *get_args(hint))}
    return next((kind for each, kind in _KINDS.items() if each in types), Kind.TEXT)


def table(data: TableData) -> dict[str, Any]:
    """Return a table as the JSON values of an instance of its model."""
    return {**data.head, "rows": data.file_rows}


def _attribute(key: str) -> str:
    return f"{key}_" if iskeyword(key) else key


def document_schema(name: str, model: Any) -> dict[str, Any]:
    """Return the JSON Schema of the document gangland/NAME/1 with the members of a model."""
    schema = msgspec.json.schema(model)
    definitions = schema["$defs"]
    top = definitions.pop(schema["$ref"].rpartition("/")[2])
    members = {"schema": {"const": f"gangland/{name}/1"}, **top["properties"]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **top,
        "title": f"gangland/{name}/1",
        "required": ["schema", *top["required"]],
        "properties": members,
        "$defs": definitions,
    }


def address_before(endpoint: str, name: str, **others: int) -> str:
    """Return the URL of an endpoint up to its last parameter, a number; `url_for` is too slow for lists."""
    prefixes: dict[Any, str] = g.setdefault("address_prefixes", {})
    key = (endpoint, name, *others.items())
    if key not in prefixes:
        number: dict[str, Any] = {name: 0, **others}
        prefixes[key] = url_for(endpoint, **number).removesuffix("0")
    return prefixes[key]


# JSON values, always converted through a model, so that they cannot differ from the schemas.


def serialize(value: Any, model: Any = None) -> Any:
    """Return a value as JSON values, validated by its model, with text made safe to show."""
    return msgspec.to_builtins(msgspec.convert(_clean(msgspec.to_builtins(value)), model or type(value)))


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, dict):
        return {shown(name): _clean(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(each) for each in value]
    if isinstance(value, float) and not isfinite(value):
        raise ValueError(f"{value} is not a JSON number")
    return value


# Intervals: the certainty that one bot is ahead of another, for any table size and with ties.
#
# All rotations of a block have the same dice seed, so blocks count as independent. The share of a block (0 to 1) varies
# no more than if the whole block were won or lost, so Wilson's interval is also valid for shares, if rather too wide.

CLEAR, LIKELY = 0.95, 0.80  # the confidence levels of clear and of likely leads


class Certainty(StrEnum):
    """The certainty of a lead, as pages show it."""

    CLEAR = "clear"
    LIKELY = "likely"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Lead:
    """A lead of one bot over another, which is negative if the share is below one half, and its certainty."""

    share: float  # 0 to 1, from the first bot's side; one half means level
    low: float  # of the 95% interval of the share
    high: float
    certainty: Certainty

    @property
    def side(self) -> str:
        """The direction: ahead, level or behind."""
        return "level" if abs(self.share - 0.5) < 1e-9 else "ahead" if self.share > 0.5 else "behind"

    @property
    def text(self) -> str:
        """Certainty and direction in a few words."""
        if self.certainty is Certainty.OPEN:
            return "open"
        return f"{self.certainty} {self.side}" if self.certainty is Certainty.LIKELY else f"clearly {self.side}"


def share_of(mean_place: float, other_mean_place: float, seats: int) -> float:
    """Return the lead of one bot over another, 0 to 1: at two seats, the share of games won (a tie counts half)."""
    return 0.5 + (other_mean_place - mean_place) / (2 * (seats - 1))


def lead(share: float, blocks: int) -> Lead:
    """Return the lead for a share in `blocks` blocks.  Raises ValueError: no block, or the share is not from 0 to 1."""
    if blocks < 1 or not -1e-9 <= share <= 1 + 1e-9:
        raise ValueError(f"expected at least one block and a share from 0 to 1, not {blocks} and {share!r}")
    share = min(1.0, max(0.0, share))
    low, high = wilson(share, blocks, CLEAR)
    likely_low, likely_high = wilson(share, blocks, LIKELY)
    likely = Certainty.OPEN if likely_low <= 0.5 <= likely_high else Certainty.LIKELY
    return Lead(share, low, high, likely if low <= 0.5 <= high else Certainty.CLEAR)


def wilson(share: float, count: int, level: float) -> tuple[float, float]:
    """Return Wilson's interval for a share of `count` trials."""
    z = _z(level)
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return max(0.0, middle - half), min(1.0, middle + half)


@cache
def _z(level: float) -> float:
    return NormalDist().inv_cdf((1 + level) / 2)
