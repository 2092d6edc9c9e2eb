"""What all queries share: fields of models, tables with their files, links, JSON, and intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from keyword import iskeyword
from math import isfinite, sqrt
from operator import attrgetter, itemgetter
from statistics import NormalDist
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeVar, get_args, get_type_hints

import msgspec
from flask import url_for
from msgspec import Meta

from gangland.games import GAME_NAMES
from gangland_ladder.matches.match_orders import HIGHEST_ID
from gangland_web.base.formats import Form, Row, Value, encoded, timestamp
from gangland_web.base.text import shown

# Models and their fields, with what the schemas say of them.


BASE: Final = "/api/v1"
"""Where the API is."""
PAGE_MOST: Final = 100

Number = Annotated[int, Meta(ge=1, le=HIGHEST_ID)]
"""The number of a row, from 1."""
Count = Annotated[int, Meta(ge=0)]
Block = Annotated[int, Meta(ge=0, le=HIGHEST_ID, description="Counted from 0.")]
Rotation = Annotated[int, Meta(ge=0, le=3, description="In which order they sit, counted from 0.")]
if TYPE_CHECKING:
    Game = str
else:
    Game = Literal[tuple(sorted(GAME_NAMES))]
Seats = Literal[2, 3, 4]
Moment = Annotated[
    str,
    Meta(
        pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$",
        description="A time in UTC, to the second.",
        examples=["2027-03-01T18:00:00Z"],
        extra_json_schema={"format": "date-time"},
    ),
]
Day = Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}$", description="A day in UTC.", examples=["2027-03-01"])]
Path = Annotated[str, Meta(pattern=r"^/", description="An address on this site.")]
Hex64 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$", description="A SHA-256 in hexadecimal digits.")]
Code = Annotated[str, Meta(pattern=r"^[EW]\d{3}$", description="A code of the catalogue of errors.")]
PLAIN: Final = r"^[^\u0000-\u001f\u007f]*$"
"""A line of text that is sent in: no control characters."""
Name = Annotated[str, Meta(min_length=1, max_length=64, pattern=PLAIN)]
Key = Annotated[str, Meta(max_length=64, pattern=r"^[!-~]*$")]
"""Where a page begins, as the page before it says."""
Limit = Annotated[int, Meta(ge=1, le=PAGE_MOST, description="How many rows a page has at most.")]


class Model(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What is sent or answered; members that are not named here are refused."""


M = TypeVar("M", bound=Model)


def model_from(model: type[M], source: object, **members: Any) -> M:
    """Return an instance of a model: `members` as given, all others read off the source by their names.

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
    """No members at all."""


class NewestFirst(Model):
    """Which page of a list, the newest first."""

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
        quiet: only in files.
        of: the attribute of a row that it shows, where that is not named like the column.
    """

    key: str
    heading: str
    kind: Kind = Kind.TEXT
    digits: int = 2
    quiet: bool = False
    of: str = ""

    def reader(self, row: Any) -> Callable[[Any], Any]:
        """Return a function that reads this column off rows of the same type: made once a table, not for each cell."""
        name = self.of or self.key
        return itemgetter(name) if isinstance(row, Mapping) else attrgetter(name)

    @property
    def is_figure(self) -> bool:
        """Whether its cells are aligned at the right."""
        return self.kind in (Kind.WHOLE, Kind.INDEX, Kind.NUMBER, Kind.SIGNED, Kind.SHARE)


@dataclass(frozen=True, slots=True)
class TableData:
    """A table: its rows are mappings or objects, all of one type, that have a value for each column.

    Attributes:
        name: what the rows are, such as "bot-history": the JSON document's schema is gangland/bot-history/1.
        caption: the sentence above it.
        links: of each row, where a column's cell leads; as many as there are rows, or none.
        total: how many rows its files have, where the page has only the first of them.
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
        """The columns of the page."""
        return tuple(column for column in self.columns if not column.quiet)

    def pieces(self, form: Form, *, spreadsheet: bool = False) -> Iterator[bytes]:
        """Yield the whole table as a file; `encoded` says what `spreadsheet` is."""
        keys = [column.key for column in self.columns]
        return encoded(form, self.name, keys, self._values(), self.head, spreadsheet=spreadsheet)

    @property
    def head(self) -> dict[str, str | None]:
        """The members of the JSON document next to its rows."""
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
"""How values of a kind are written into files, where not as they are."""


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
    """Return the kind of a column whose values are of a type, optional or not."""
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


# Links that end in a number, for tables of hundreds of them: `url_for` is slow.


def address_before(endpoint: str, name: str, **others: int) -> str:
    """Return the address of an endpoint up to its last parameter `name`, a number."""
    number: dict[str, Any] = {name: 0, **others}
    return url_for(endpoint, **number).removesuffix("0")


# JSON values, each through its model, so that none can differ from the schemas.


def serialize(value: Any, model: Any = None) -> Any:
    """Return a value as JSON values, validated by its model, its text made safe to show.

    Args:
        model: its type if it is no instance of a model.

    Raises:
        msgspec.ValidationError: it does not fit the model: our mistake, and no user sees such an answer.
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


# Intervals: how sure it is that one bot is ahead of another, for any table size and any ties.
#
# A block has one dice seed in every seat rotation, so blocks count as independent. A block's share, 0 to 1, varies at
# most as if the block were won or lost whole; so Wilson's interval for that holds for shares too, and is rather too
# wide than too narrow.


CLEAR, LIKELY = 0.95, 0.80
"""The levels of the intervals: from which on a lead is clear, and likely."""


class Sure(StrEnum):
    """How sure it is who is ahead; the word stands on pages and is the weight of a cell."""

    CLEAR = "clear"
    LIKELY = "likely"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Lead:
    """Who is ahead by a share, and how sure that is.

    Attributes:
        share: 0 to 1, from the first bot's side; one half is level.
        low, high: the 95% interval of it.
    """

    share: float
    low: float
    high: float
    sure: Sure

    @property
    def side(self) -> str:
        """Which way it leans: ahead, level or behind."""
        return "level" if abs(self.share - 0.5) < 1e-9 else "ahead" if self.share > 0.5 else "behind"

    @property
    def words(self) -> str:
        """What is known, in a few words."""
        if self.sure is Sure.OPEN:
            return "open"
        return f"{self.sure} {self.side}" if self.sure is Sure.LIKELY else f"clearly {self.side}"


def share_of(mean_place: float, other_mean_place: float, seats: int) -> float:
    """Return how far one bot was ahead of another, 0 to 1: at two seats the share of games won, a tie as half."""
    return 0.5 + (other_mean_place - mean_place) / (2 * (seats - 1))


def lead(share: float, blocks: int) -> Lead:
    """Return what a share over `blocks` blocks says.

    Raises:
        ValueError: no block was played, or the share is not from 0 to 1.
    """
    if blocks < 1 or not -1e-9 <= share <= 1 + 1e-9:
        raise ValueError(f"a lead needs at least one block and a share from 0 to 1, not {blocks} and {share!r}")
    share = min(1.0, max(0.0, share))
    low, high = wilson(share, blocks, CLEAR)
    under, over = wilson(share, blocks, LIKELY)
    likely = Sure.OPEN if under <= 0.5 <= over else Sure.LIKELY
    return Lead(share, low, high, likely if low <= 0.5 <= high else Sure.CLEAR)


def wilson(share: float, count: int, level: float) -> tuple[float, float]:
    """Return Wilson's interval for a share of `count` trials."""
    z = _z(level)
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return max(0.0, middle - half), min(1.0, middle + half)


@cache
def _z(level: float) -> float:
    return NormalDist().inv_cdf((1 + level) / 2)
