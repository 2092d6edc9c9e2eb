"""The many small parts of charts and tables as markup: hundreds of shapes and cells a page, too many for macros."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flask import Flask
from markupsafe import Markup, escape

from gangland_web.charts.pictures import Shape
from gangland_web.core.formats import fault_words, moment, number, signed
from gangland_web.core.text import finalize
from gangland_web.resources.tables import Column, Kind, Sheet

_NUMBERS_OF_THINGS = frozenset({"match", "version", "seat"})
"""Columns of whole numbers that are names, and so are written without separators."""


def shapes(of: Iterable[Shape]) -> Markup:
    """Return the elements of a picture, one after the other."""
    return Markup("\n".join(_shape(shape) for shape in of))  # noqa: S704  # every part of it is escaped


def lines(sheet: Sheet) -> Markup:
    """Return the rows of a sheet that stand on the page."""
    columns = [(column, 'th scope="row"' if at == 0 else "td") for at, column in enumerate(sheet.seen)]
    written = [
        "".join(_cell(row[column.key], links.get(column.key), column, tag) for column, tag in columns)
        for row, links in sheet.lines
    ]
    return Markup("".join(f"<tr>{row}</tr>\n" for row in written))  # noqa: S704  # every part of it is escaped


def init_written(app: Flask) -> None:
    """Make both known to the templates."""
    app.jinja_env.filters.update(shapes=shapes, lines=lines)


def _shape(shape: Shape) -> str:
    at = "".join(f' {escape(name)}="{escape(value)}"' for name, value in shape.at.items())
    hint = f"<title>{_safe(shape.hint)}</title>" if shape.hint else ""
    return f'<{shape.tag} class="{escape(shape.css)}"{at}>{hint}{_safe(shape.text)}</{shape.tag}>'


def _cell(value: Any, link: str | None, column: Column, tag: str) -> str:
    number_like = ' class="num"' if column.is_figure else ""
    said = _said(value, column)
    inner = f'<a href="{escape(link)}">{said}</a>' if link else said
    return f"<{tag}{number_like}>{inner}</{tag[:2]}>"


def _said(value: Any, column: Column) -> str:
    """Return what a cell says."""
    if value is None:
        return ""
    match column.kind:
        case Kind.MOMENT:
            return str(moment(value))
        case Kind.NUMBER:
            return number(value, column.digits)
        case Kind.SIGNED:
            return signed(value)
        case Kind.SHARE:
            return f"{number(100 * value, column.digits)}%"
        case Kind.WHOLE:
            return f"{value}" if column.key in _NUMBERS_OF_THINGS else f"{value:,}"
        case Kind.FAULT:
            return fault_words(value)
        case Kind.INDEX:
            return f"{value + 1}"
        case Kind.FLAG:
            return "yes" if value else "no"
    return f"<bdi>{_safe(value)}</bdi>"


def _safe(text: Any) -> str:
    """Return a text as pages print it: unseen characters made visible, markup of strangers taken as text."""
    return str(escape(finalize(text)))
