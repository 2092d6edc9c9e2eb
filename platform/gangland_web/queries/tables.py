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
from gangland_web.base.formats import Form, Row, Value, encoded, timestamp
from gangland_web.base.formats import Game as Game
from gangland_web.base.formats import Moment as Moment
from gangland_web.base.formats import Seats as Seats
from gangland_web.base.text import shown

# Models and their fields, with the descriptions of schemas.

BASE: Final = "/api/v1"  # of the API
PAGE_MOST: Final = 100

Number = Annotated[int, Meta(ge=1, le=HIGHEST_ID)]  # of a row, from 1
Count = Annotated[int, Meta(ge=0)]
Block = Annotated[int, Meta(ge=0, le=HIGHEST_ID, description="Counted from 0.")]
Rotation = Annotated[int, Meta(ge=0, le=3, description="In which order they sit, counted from 0.")]
Day = Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}$", description="A day in UTC.", examples=["2027-03-01"])]
Path = Annotated[str, Meta(pattern=r"^/", description="An address on this site.")]
Hex64 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$", description="A SHA-256 in hexadecimal digits.")]
Code = Annotated[str, Meta(pattern=r"^[EW]\d{3}$", description="A code of the catalog of errors.")]
Name = Annotated[str, Meta(min_length=1, max_length=64, pattern=PLAIN)]
Key = Annotated[str, Meta(max_length=64, pattern=r"^[!-~]*$")]  # Where a page begins, as the page before it says.
Limit = Annotated[int, Meta(ge=1, le=PAGE_MOST, description="How many rows a page has at most.")]


class Model(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A message that is sent or received; unknown members are refused."""


M = TypeVar("M", bound=Model)


def model_from(model: type[M], source: object, **members: Any) -> M:
    """Return an instance of a model: `members` as given, all others read from the source by their names.

    Seconds since the epoch become a `Moment` where the model has one.
    """
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
    """A page of a list, the newest first."""

    before: Annotated[int, Meta(ge=1, le=HIGHEST_ID, description="Rows with lower numbers than this one.")] | None = (
        None
    )
    limit: Limit = 50


class File(msgspec.Struct):
    """A file that is sent in a form, with its name."""

    name: str
    content: bytes


# Tables: described once, shown in HTML, and sent as CSV and JSON and by the API.


class Kind(StrEnum):
    """The kind of a column: an index from 0, on pages from 1; a kind of fault, on pages its word."""

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
_FIGURES: Final = (Kind.WHOLE, Kind.INDEX, Kind.NUMBER, Kind.SIGNED, Kind.SHARE)
_PLAIN: Final[dict[Any, Kind]] = {bool: Kind.FLAG, int: Kind.WHOLE, float: Kind.NUMBER}


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name in files, its heading on the page, its kind and its cell.

    Attributes:
        key: its name in files and in the API; empty if it is only on the page.
        cell: the name of its cell in templates/cells.html; the default is that of its kind.
        digits: decimals on the page; files have all.
        quiet: only in files.
        of: the attribute of a row, if it is not named like the column.
        css: the class of its cells, if they are not simply figures or text.
        names_row: its cells are the headings of their rows; by default those of the first column are.
    """

    key: str
    heading: str
    kind: Kind = Kind.TEXT
    cell: str = ""
    _: KW_ONLY
    digits: int = 2
    quiet: bool = False
    of: str = ""
    css: str | None = None
    names_row: bool = False

    @property
    def path(self) -> str:
        """The attribute of a row that it shows."""
        return self.of or self.key

    @property
    def is_figure(self) -> bool:
        """Whether its cells are aligned at the right."""
        return self.css in (None, "rank", "meter", "num noprint") and self.kind in _FIGURES


@dataclass(frozen=True, slots=True)
class Table:
    """A list, described once: head and cells of its page, CSV, JSON and the rows of the API come from its columns.

    Attributes:
        name: of the rows, such as "bot-history": the JSON document's schema is gangland/bot-history/1.
        row: the type of its rows.
        address: of its files, without the ending; empty if it has none.
        about: a sentence on its rows.
        paged: it is a list by the page, and JSON has the address of the next one as `next`.
        attributes: of a row's element on the page, as a template.
        phone: headings of the columns that a phone shows at first; all if empty.
    """

    name: str
    row: type[Any]
    columns: tuple[Column, ...]
    address: str = ""
    about: str = ""
    paged: bool = False
    attributes: str = ""
    phone: tuple[str, ...] = ()

    def of(self, rows: Sequence[Any], caption: str = "", **more: Any) -> TableData:
        """Return the list of some rows; `more` has other members of `TableData`."""
        return TableData(self, rows, caption, **more)

    def renamed(self, headings: Mapping[str, str]) -> Table:
        """Return the same list with other headings of some columns."""
        columns = [replace(column, heading=headings.get(column.heading, column.heading)) for column in self.columns]
        phone = tuple(headings.get(heading, heading) for heading in self.phone)
        return replace(self, columns=tuple(columns), phone=phone)

    @property
    def file_columns(self) -> tuple[Column, ...]:
        """The columns of its files and of the API."""
        return tuple(column for column in self.columns if column.key)

    @property
    def model(self) -> Any:
        """The model of the list in its JSON and the API."""
        return _model(self)


@cache
def _model(table: Table) -> Any:
    name, about = table.name.title().replace("-", ""), table.about.partition(" (`?")[0]
    row = msgspec.defstruct(
        f"{name}Row",
        [
            (_attribute(each.key), Annotated[_TYPES[each.kind] | None, Meta(description=each.heading)])
            for each in table.file_columns
        ],
        bases=(Model,),
        namespace={"__doc__": about},
        rename={_attribute(each.key): each.key for each in table.file_columns},
        kw_only=True,
    )
    members: list[Any] = [("rows", list[row]), *([("next", Path | None)] if table.paged else [])]  # type: ignore[valid-type]
    return msgspec.defstruct(name, members, bases=(Model,), namespace={"__doc__": about}, kw_only=True)


@dataclass(frozen=True, slots=True)
class TableData:
    """A list with its rows.

    Attributes:
        caption: the sentence above it.
        total: the number of rows in its files, where the page has only the first of them.
        csv, json: addresses of its files.
        next: the address of the page that follows, None for the last one.
    """

    table: Table
    rows: Sequence[Any]
    caption: str = ""
    total: int | None = None
    csv: str = ""
    json: str = ""
    next: str | None = None

    def shown(self, hidden: Collection[str] = ()) -> tuple[Column, ...]:
        """Return the columns of the page, without those of some headings."""
        return tuple(each for each in self.table.columns if not each.quiet and each.heading not in hidden)

    def more(self, hidden: Collection[str] = ()) -> list[int]:
        """Return the numbers, from 1, of the columns that a phone shows only on demand."""
        phone = self.table.phone
        return [place for place, column in enumerate(self.shown(hidden), 1) if phone and column.heading not in phone]

    def pieces(self, form: Form, *, spreadsheet: bool = False) -> Iterator[bytes]:
        """Yield the whole list as a file; `spreadsheet` as in `encoded`."""
        keys = [column.key for column in self.table.file_columns]
        return encoded(form, self.table.name, keys, self._values(), self.head, spreadsheet=spreadsheet)

    @property
    def head(self) -> dict[str, str | None]:
        """The members of the JSON document next to its rows."""
        return {"next": self.next} if self.table.paged else {}

    @property
    def plain(self) -> list[Row]:
        """The whole list as in files."""
        return list(self._values())

    def _values(self) -> Iterator[Row]:
        columns = self.table.file_columns
        keys, reads = [column.key for column in columns], [reader(column.path) for column in columns]
        odd = [column for column in columns if column.kind in _WRITERS]
        for row in self.rows:
            values = dict(zip(keys, [read(row) for read in reads], strict=True))
            for column in odd:
                values[column.key] = _WRITERS[column.kind](values[column.key])
            yield values


def reader(path: str) -> Callable[[Any], Any]:
    """Return a function that reads an attribute, or one of an attribute: None where a part of the path is None."""
    if "." not in path:
        return attrgetter(path)
    names = path.split(".")

    def read(value: Any) -> Any:
        for name in names:
            value = None if value is None else getattr(value, name)
        return value

    return read


# Values of a kind in files, where they are changed.
_WRITERS: Final[dict[Kind, Callable[[Any], Value]]] = {
    Kind.MOMENT: lambda value: timestamp(value) if isinstance(value, int | float) else value,
    Kind.TEXT: lambda value: " ".join(value) if type(value) is list else value,
}


def file_urls(endpoint: str, **parameters: Any) -> dict[str, Any]:
    """Return the addresses of a table's files by their forms: `csv` and `json`."""
    return {form: url_for(endpoint, form=form, **parameters) for form in ("csv", "json")}


def table_of(name: str, row: type[Any], address: str, about: str, *columns: Column, **more: Any) -> Table:
    """Return a list with these columns; without an address and a sentence about it, it is only on pages.

    `more` has other members of `Table`.
    """
    return Table(name, row, columns, address, about, **more)


def several(kind: Kind, inside: str = "", *, quiet: bool = False, **headings: str) -> Iterator[Column]:
    """Yield columns of one kind, by their keys; `inside`: the attribute of a row that has the values."""
    for key, heading in headings.items():
        yield Column(key, heading, kind, quiet=quiet, of=f"{inside}.{key}" if inside else "")


def columns_of(row: type[Any], **words: str | Column) -> tuple[Column, ...]:
    """Return the members of a type of rows as columns, in its order.

    `words`: headings, the default is the member's name; or a whole column, whose key is the member.
    """
    hints = {name: hint for name, hint in get_type_hints(row, include_extras=True).items() if name[0] != "_"}
    columns = []
    for name, hint in hints.items():
        word = words.pop(name, name)
        columns.append(replace(word, key=name) if isinstance(word, Column) else Column(name, word, _kind(hint)))
    if words:
        raise TypeError(f"{row.__name__} has no {', '.join(words)}")
    return tuple(columns)


def _kind(hint: Any) -> Kind:
    """Return the kind of a column by the type of its values, optional or not, unless the type names it."""
    if is_moment(hint):
        return Kind.MOMENT
    for each in (hint, *get_args(hint)):
        for named in getattr(each, "__metadata__", ()):
            if isinstance(named, Kind):
                return named
    plain = {getattr(each, "__origin__", each) for each in (hint, *get_args(hint))}
    return next((kind for each, kind in _PLAIN.items() if each in plain), Kind.TEXT)


def table(data: TableData) -> dict[str, Any]:
    """Return a table as in its model."""
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


def address_before(endpoint: str, name: str, **others: int) -> str:
    """Return the address of an endpoint up to its last parameter `name`, a number: `url_for` is slow for hundreds."""
    prefixes: dict[Any, str] = g.setdefault("address_prefixes", {})
    key = (endpoint, name, *others.values())
    if key not in prefixes:
        number: dict[str, Any] = {name: 0, **others}
        prefixes[key] = url_for(endpoint, **number).removesuffix("0")
    return prefixes[key]


# JSON values, each through its model, so that none can differ from the schemas.


def serialize(value: Any, model: Any = None) -> Any:
    """Return a value as JSON values, validated by its model, its text made safe to show.

    `model`: its type if it is no instance of a model.  Raises msgspec.ValidationError: it does not fit the model, a
    mistake of ours.
    """
    return msgspec.to_builtins(msgspec.convert(_clean(msgspec.to_builtins(value)), model or type(value)))


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, dict):
        return {shown(name): _clean(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(each) for each in value]
    if isinstance(value, float) and not isfinite(value):
        raise ValueError(f"{value} is no number of JSON")
    return value


# Intervals: the certainty that one bot is ahead of another, for any table size and any ties.
#
# A block has one dice seed in every seat rotation, so blocks count as independent. A block's share, 0 to 1, varies at
# most as if the block were won or lost whole; so Wilson's interval for that holds for shares too, and is rather too
# wide than too narrow.

CLEAR, LIKELY = 0.95, 0.80  # the levels of the intervals of clear and of likely leads


class Certainty(StrEnum):
    """The certainty of a lead; the word is on pages and is the weight of a cell."""

    CLEAR = "clear"
    LIKELY = "likely"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Lead:
    """A lead by a share, and its certainty.

    Attributes:
        share: 0 to 1, from the first bot's side; one half is level.
        low, high: the 95% interval of it.
    """

    share: float
    low: float
    high: float
    sure: Certainty

    @property
    def side(self) -> str:
        """Its direction: ahead, level or behind."""
        return "level" if abs(self.share - 0.5) < 1e-9 else "ahead" if self.share > 0.5 else "behind"

    @property
    def words(self) -> str:
        """The certainty and direction in a few words."""
        if self.sure is Certainty.OPEN:
            return "open"
        return f"{self.sure} {self.side}" if self.sure is Certainty.LIKELY else f"clearly {self.side}"


def share_of(mean_place: float, other_mean_place: float, seats: int) -> float:
    """Return the lead of one bot over another, 0 to 1: at two seats the share of games won, a tie as half."""
    return 0.5 + (other_mean_place - mean_place) / (2 * (seats - 1))


def lead(share: float, blocks: int) -> Lead:
    """Return the lead by a share over `blocks` blocks.

    Raises ValueError: no block was played, or the share is not from 0 to 1.
    """
    if blocks < 1 or not -1e-9 <= share <= 1 + 1e-9:
        raise ValueError(f"a lead needs at least one block and a share from 0 to 1, not {blocks} and {share!r}")
    share = min(1.0, max(0.0, share))
    low, high = wilson(share, blocks, CLEAR)
    under, over = wilson(share, blocks, LIKELY)
    likely = Certainty.OPEN if under <= 0.5 <= over else Certainty.LIKELY
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
