"""The many small parts of charts and tables as markup: hundreds of shapes and cells a page, too many for macros."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from flask import Flask
from markupsafe import Markup

from gangland_web.base.charts import Shape
from gangland_web.base.formats import fault_words, number, signed, whole, written_time
from gangland_web.queries.tables import Column, Kind, TableData
from gangland_web.site.writing import is_plain, written

_NUMBERS_OF_THINGS = frozenset({"match", "version", "seat"})
"""Columns of whole numbers that are names, and so are written without separators."""


def shapes(of: Iterable[Shape]) -> Markup:
    """Return the elements of a picture, one after the other."""
    return Markup("\n".join(_shape(shape) for shape in of))  # noqa: S704  # every part of it is escaped


def lines(table: TableData) -> Markup:
    """Return the rows of a table that stand on the page."""
    columns = [_cells(table, column, at == 0) for at, column in enumerate(table.visible_columns)]
    return Markup("".join([f"<tr>{''.join(cells)}</tr>\n" for cells in zip(*columns, strict=True)]))  # noqa: S704  # every part of it is escaped


def init_charts(app: Flask) -> None:
    """Make both known to the templates."""
    app.jinja_env.filters.update(shapes=shapes, lines=lines)


def _shape(shape: Shape) -> str:
    write = str if is_plain("".join((shape.css, shape.text, shape.hint, *shape.at.values()))) else written
    at = "".join([f' {name}="{write(value)}"' for name, value in shape.at.items()])
    hint = f"<title>{write(shape.hint)}</title>" if shape.hint else ""
    return f'<{shape.tag} class="{write(shape.css)}"{at}>{hint}{write(shape.text)}</{shape.tag}>'


def _cells(table: TableData, column: Column, is_first: bool) -> list[str]:
    """Return the cells of a column."""
    write, tag = _writer(column), "th" if is_first else "td"
    read = column.reader(table.rows[0]) if table.rows else None
    texts = ["" if value is None else write(value) for value in map(read, table.rows)] if read else []
    if table.links:
        links = [links.get(column.key) for links in table.links]
        texts = [
            f'<a href="{written(link)}">{text}</a>' if link else text for text, link in zip(texts, links, strict=True)
        ]
    scope, css = is_first * ' scope="row"', column.is_figure * ' class="num"'
    begin = f"<{tag}{scope}{css}>"
    return [f"{begin}{text}</{tag}>" for text in texts]


def _writer(column: Column) -> Callable[[Any], str]:
    """Return what writes a value of a column as a cell says it."""
    digits = column.digits
    match column.kind:
        case Kind.MOMENT:
            return written_time
        case Kind.NUMBER:
            return lambda value: number(value, digits)
        case Kind.SIGNED:
            return signed
        case Kind.SHARE:
            return lambda value: f"{number(100 * value, digits)}%"
        case Kind.WHOLE:
            return str if column.key in _NUMBERS_OF_THINGS else whole
        case Kind.FAULT:
            return fault_words
        case Kind.INDEX:
            return lambda value: f"{value + 1}"
        case Kind.FLAG:
            return lambda value: "yes" if value else "no"
    return lambda value: f"<bdi>{written(value)}</bdi>"
