"""JSON documents: base classes for the documents that commands print, and decoding of messages from workers."""

import json
from typing import Annotated, Any, ClassVar, Self, TypeVar

import msgspec
from msgspec import Meta, Struct

# Printed documents: the base classes of their models, and types with descriptions for the schemas. Each member of a
# model is described by its type or in the model's list of attributes.

Count = Annotated[int, Meta(ge=0)]
Number = Annotated[int, Meta(ge=1)]
Probability = Annotated[float, Meta(ge=0, le=1)]
GameName = Annotated[str, Meta(description="Name of the game.")]
Seats = Annotated[int, Meta(ge=2, le=4, description="Seats at a table.")]
Options = Annotated[dict[str, Any], Meta(description="The game's options that differ from their defaults.")]
Seed = Annotated[Count, Meta(description="The seed that reproduces the dice.")]
Salt = Annotated[
    str, Meta(description="A hexadecimal salt that is mixed into all dice; the same seed and salt give the same dice.")
]
BotCode = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="SHA-256 of the bot's code, hexadecimal.")]
FaultKinds = Annotated[dict[str, Count], Meta(description="Number of faults of each kind.")]


def one_of(*values: str) -> Meta:
    """Return the schema for a string that is one of these values."""
    return Meta(extra_json_schema={"enum": list(values)})


class Part(Struct, forbid_unknown_fields=True):
    """An object inside a document."""


class Document(Struct, forbid_unknown_fields=True, tag_field="schema"):
    """A document or a line that a command prints; its tag is the name of its schema."""

    # If a document has several forms, each form is a subclass. A member whose value is `UNSET` is left out.
    title: ClassVar[str]  # the commands that print it


class Interval(Part):
    """A value with its 95% interval."""

    value: float
    low: float
    high: float

    @classmethod
    def rounded(cls, value: float, low: float, high: float) -> Self:
        """Return the interval rounded to six decimal places."""
        return cls(*(round(figure, 6) for figure in (value, low, high)))


def json_text(document: Document) -> str:
    """Return a document as one line of JSON."""
    return json.dumps(msgspec.to_builtins(document))


# Messages from workers, which are untrusted input.

FormT = TypeVar("FormT")


def decode_json(text: str | bytes, form: type[FormT], *, max_chars: int, error_type: type[ValueError]) -> FormT:
    """Decode a message. Raises `error_type`, a ValueError: the message is too long or has the wrong form."""
    if len(text) > max_chars:
        raise error_type(f"it has {len(text)} characters; the limit is {max_chars}")
    try:
        return msgspec.json.decode(text, type=form)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise error_type(f"it is not a valid {form.__name__}: {error}") from error
