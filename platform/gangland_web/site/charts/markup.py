"""The many small parts of charts and tables as markup: hundreds of shapes and cells a page, too many for macros."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from flask import Flask
from markupsafe import Markup, escape

from gangland_web.charts.pictures import Shape
from gangland_web.core.formats import fault_words, moment, number, signed, whole
from gangland_web.resources.tables import Column, Kind, TableData
from gangland_web.site.writing import written

_NUMBERS_OF_THINGS = frozenset({"match", "version", "seat"})
"""Columns of whole numbers that are names, and so are written without separators."""


def shapes(of: Iterable[Shape]) -> Markup:
    """Return the elements of a picture, one after the other."""
    return Markup("\n".join(_shape(shape) for shape in of))  # noqa: S704  # every part of it is escaped


def lines(table: TableData) -> Markup:
    """Return the rows of a table that stand on the page."""
    rows = []
    columns = [_column(column, table.rows[0], "td") for column in table.visible_columns] if table.rows else []
    columns[:1] = [_column(table.visible_columns[0], table.rows[0], 'th scope="row"')] if columns else []
    for row, links in table.lines:
        cells = []
        for key, read, write, begin, end in columns:
            value, link = read(row), links.get(key)
            text = "" if value is None else write(value)
            cells.append(f'{begin}<a href="{escape(link)}">{text}</a>{end}' if link else f"{begin}{text}{end}")
        rows.append(f"<tr>{''.join(cells)}</tr>\n")
    return Markup("".join(rows))  # noqa: S704  # every part of it is escaped


def init_charts(app: Flask) -> None:
    """Make both known to the templates."""
    app.jinja_env.filters.update(shapes=shapes, lines=lines)


def _shape(shape: Shape) -> str:
    at = "".join([f' {name}="{written(value)}"' for name, value in shape.at.items()])
    hint = f"<title>{written(shape.hint)}</title>" if shape.hint else ""
    return f'<{shape.tag} class="{written(shape.css)}"{at}>{hint}{written(shape.text)}</{shape.tag}>'


def _column(column: Column, row: Any, tag: str) -> tuple[str, Callable[[Any], Any], Callable[[Any], str], str, str]:
    """Return all that writing a column of such rows takes: its key, what reads a value, what writes it, its tags."""
    begin = f'<{tag} class="num">' if column.is_figure else f"<{tag}>"
    return column.key, column.reader(row), _writer(column), begin, f"</{tag[:2]}>"


def _writer(column: Column) -> Callable[[Any], str]:
    """Return what writes a value of a column as a cell says it."""
    digits = column.digits
    match column.kind:
        case Kind.MOMENT:
            return moment
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
