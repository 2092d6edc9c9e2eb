"""What columns of tables are."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, cast

Kind = Literal["int", "float", "bool", "text", "ints"]
"""What a column holds; "ints" is a list of whole numbers.  Every column may be empty in a row."""
Row = dict[str, Any]


class Column(NamedTuple):
    """A column: its name and what it holds."""

    name: str
    kind: Kind


def columns_of(text: str) -> tuple[Column, ...]:
    """Return the columns of a text of "name:kind", spaces between."""
    kinds = {"int", "float", "bool", "text", "ints"}
    pairs = [each.partition(":") for each in text.split()]
    assert all(kind in kinds for _, _, kind in pairs)
    return tuple(Column(name, cast(Kind, kind)) for name, _, kind in pairs)
