"""Tables of pages as models: what a page's table says of a column is what the API says of the member."""

from __future__ import annotations

from collections.abc import Sequence
from keyword import iskeyword
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from gangland_web.api.framework.fields import Model, Moment, Path
from gangland_web.resources.tables import Column, Kind, Sheet

_TYPES: Final[dict[Kind, Any]] = {
    Kind.TEXT: str,
    Kind.WHOLE: int,
    Kind.NUMBER: float,
    Kind.SIGNED: float,
    Kind.SHARE: float,
    Kind.MOMENT: Moment,
    Kind.FLAG: bool,
}


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


def table(sheet: Sheet, **more: Any) -> dict[str, Any]:
    """Return a table as its model has it."""
    return {"rows": sheet.plain, **more}


def _attribute(key: str) -> str:
    return f"{key}_" if iskeyword(key) else key


def _meta(column: Column) -> Meta:
    return Meta(description=column.heading)
