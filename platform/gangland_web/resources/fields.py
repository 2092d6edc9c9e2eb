"""Kinds of values that the models of what is read and sent share, with what schemas say of them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeVar, get_args

import msgspec
from msgspec import Meta

from gangland.games import GAME_NAMES
from gangland_web.base.clock import timestamp

BASE: Final = "/api/v1"
"""Where the API is."""
MOST: Final = 2**31 - 1
PAGE_MOST: Final = 100

Number = Annotated[int, Meta(ge=1, le=MOST)]
"""The number of a row, from 1."""
Count = Annotated[int, Meta(ge=0)]
Block = Annotated[int, Meta(ge=0, le=MOST, description="Counted from 0.")]
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
Day = Annotated[
    str,
    Meta(pattern=r"^\d{4}-\d{2}-\d{2}$", description="A day in UTC.", examples=["2027-03-01"]),
]
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
    """Tell whether a type is `Moment`, or that or nothing."""
    return Moment in (hint, *get_args(hint))


class Nothing(Model):
    """No members at all."""


class NewestFirst(Model):
    """Which page of a list, the newest first."""

    before: Annotated[int, Meta(ge=1, le=MOST, description="Rows with lower numbers than this one.")] | None = None
    limit: Limit = 50


class File(msgspec.Struct):
    """A file that is sent in a form, with its name."""

    name: str
    content: bytes
