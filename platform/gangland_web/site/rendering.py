"""Template output: safe values, filters, functions, and fast markup for long tables."""

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

import segno
from flask import Flask, g, request, url_for
from flask_wtf.csrf import generate_csrf
from jinja2 import StrictUndefined, nodes, pass_context
from jinja2.compiler import CodeGenerator
from jinja2.ext import Extension
from jinja2.runtime import Context
from markupsafe import Markup, escape
from werkzeug.security import safe_join

from gangland.games import FIRST_GAME
from gangland.words import join_and
from gangland_ladder.common.texts import counted
from gangland_ladder.errors import fault_title
from gangland_ladder.playing.lessons.lesson import lesson_of
from gangland_ladder.viewer.assets import MAIN, STAGE
from gangland_ladder.viewer.sample_rounds import sample_of
from gangland_sandbox.intake import BOT_NAME_CHARS
from gangland_web.base import charts, formats
from gangland_web.base.text import anchor_of, finalize, shown
from gangland_web.queries.tables import Column, Kind, TableData, address_before, reader
from gangland_web.site.viewer import SPRITE, viewer_file
from gangland_web.web.sessions import visitor


def init_rendering(app: Flask) -> None:
    """Give templates safe output, filters and functions; call it before the first template is compiled."""
    environment = app.jinja_env
    environment.code_generator_class = SafeCodeGenerator
    environment.extend(safe_text=safe_text, row_templates={})
    environment.add_extension(FormFields)
    environment.finalize = finalize
    environment.trim_blocks = environment.lstrip_blocks = True
    filters: list[Any] = [anchor_of, as_typed, link_editors, fault_title, formats.fault_label, lines, join_and, shapes]
    filters.append(shown)
    filters += [formats.day, formats.moment, formats.number, formats.seconds, formats.signed, formats.state_label]
    filters.append(formats.whole)
    environment.filters |= {function.__name__: function for function in filters}
    environment.filters["counted"] = lambda count, noun: counted(count, noun, ",")
    environment.filters["inside"] = lambda row, path: reader(path)(row)
    functions = (address_before, csrf_field, die, export, exports, is_part, live_page, live_scripts, qr_code, sent_to)
    environment.globals |= {function.__name__: function for function in functions}
    environment.globals |= {"game_titles": formats.GAME_TITLES, "viewer_file": viewer_file}
    environment.globals |= {"viewer_main": MAIN, "viewer_stage": STAGE, "first_game": FIRST_GAME}
    environment.globals["bot_name_chars"] = BOT_NAME_CHARS
    environment.globals["has_lesson"] = lambda game: lesson_of(game) is not None
    environment.globals["has_rules"] = lambda game: sample_of(game) is not None
    environment.extend(strict=environment.overlay(undefined=StrictUndefined))

    @cache
    def file_digest(filename: str) -> str:
        path = safe_join(app.static_folder or "", filename)
        return sha256(Path(path).read_bytes()).hexdigest()[:8] if path and Path(path).is_file() else ""

    @app.url_defaults
    def add_digest(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static" and "filename" in values:
            values.setdefault("v", file_digest(values["filename"]))


# Values are cleaned and escaped in one step, because a page of a hundred rows has thousands of values.
#
# The value of a form field is only escaped: it will be sent back, and must not change.

# Printable ASCII without markup characters. Most values match, and need no escaping.
is_plain: Final = re.compile(r"[ !#-%(-;=?-~]*").fullmatch

_VALUE: Final = re.compile(r"\{\{(.*?)\}\}")
# The value of an input, or the text of a text area, in a template.
_FIELD: Final = re.compile(r'(?<!<option) value="(?:[^"{]|\{\{.*?\}\}|\{%.*?%\})*"|>\s*\{\{[^{}]*\}\}(?=</textarea>)')


def safe_text(value: Any) -> str:
    """Return a value as text for a page: markup unchanged, all else escaped, invisible characters shown."""
    kind = type(value)
    if kind is Markup:
        return value  # type: ignore[no-any-return]
    if kind is int or kind is float:
        return repr(value)
    if kind is not str:
        return escape(value)
    return value if is_plain(value) else escape(shown(value))


def as_typed(value: Any) -> Markup:
    """Return the value of a field, escaped and otherwise unchanged; carriage returns survive the HTML parser."""
    return Markup(escape(value).replace("\r", "&#13;"))  # noqa: S704 (escaped)


class FormFields(Extension):
    """A Jinja extension that writes form fields with `as_typed`."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Return a template's source with the `as_typed` filter added to every field."""
        return _FIELD.sub(lambda field: _VALUE.sub(r"{{ (\1) | as_typed }}", field[0]), source)


class SafeCodeGenerator(CodeGenerator):
    """Jinja's code generator with `safe_text` for values that are unknown at compile time."""

    def _output_child_pre(self, node: nodes.Expr, frame: Any, finalize: Any) -> None:
        if frame.eval_ctx.autoescape and not frame.eval_ctx.volatile:
            self.write("(environment.safe_text(")
        else:
            super()._output_child_pre(node, frame, finalize)


# Small pieces of markup, and the URLs of live parts.

LIVE: Final = "/live"  # the suffix of the URLs of live parts


def link_editors(text: str) -> Markup:
    """Return a text with the URLs of editors as links."""
    linked = escape(text)
    for game in formats.GAME_TITLES:
        address = url_for("editor.page", game=game)
        linked = linked.replace(address, Markup('<a href="{0}">{0}</a>').format(address))
    return linked


def csrf_field() -> Markup:
    """Return the hidden field with the CSRF token of a form."""
    return Markup('<input type="hidden" name="csrf_token" value="{}">').format(generate_csrf())


def die(face: str | int, label: str = "") -> Markup:
    """Return a die that shows `face` (1 to 5, gangster, gavel, cocktail, gun or finger).

    Without a label, the die is hidden from screen readers.
    """
    role = Markup('role="img" aria-label="{}"').format(label) if label else Markup('aria-hidden="true"')
    return Markup('<svg class="die" width="24" height="24" {}><use href="{}#face-{}"/></svg>').format(
        role, viewer_file(SPRITE), face
    )


def export(table: str, csv: str, json: str) -> str:
    """Add the URLs of a table's files to the page's Export menu; tables with the same files share an entry."""
    _, tables = exports().setdefault(csv, (json, []))
    if table not in tables:
        tables.append(table)
    return ""


def exports() -> dict[str, tuple[str, list[str]]]:
    """Return this page's exports by CSV URL: the JSON URL and the table names."""
    files: dict[str, tuple[str, list[str]]] = g.setdefault("exports", {})
    return files


def live_scripts() -> Markup:
    """Return the `<head>` elements of a page with live parts."""
    return Markup('<script type="module" src="{}"></script>').format(url_for("static", filename="js/live.js"))


def live_page(*, for_all: bool = False) -> str | None:
    """Return the URL for updates of the page's content, or None for the response to a form.

    `for_all`: all visitors get the same content; otherwise signed-in users get their own.
    """
    if request.method != "GET":
        return None
    path = request.path if is_part() else f"{request.path.rstrip('/')}{LIVE}"
    arguments = request.args.to_dict()
    if visitor() is not None and not for_all:
        arguments["own"] = "1"  # the public response is cached at the URL without a query string
    query = f"?{urlencode(arguments)}" if arguments else ""
    return f"{request.script_root}{path}{query}"


def sent_to(address: str, problem: str, **fixed: object) -> dict[str, str]:
    """Return the sent values if the form with this URL and these hidden fields was refused, else an empty dict."""
    if not problem or request.method != "POST" or request.path != address:
        return {}
    sent = request.form.to_dict()
    return sent if all(sent.get(name) == str(value) for name, value in fixed.items()) else {}


def is_part() -> bool:
    """Return whether the request is for only the content of a page."""
    return request.url_rule is not None and request.url_rule.rule.endswith(LIVE)


@lru_cache(maxsize=64)
def qr_code(address: str) -> Markup:
    """Return a URL as a QR code: black on white, with the border that scanners need."""
    drawn = segno.make(address, error="m", micro=False).svg_inline(border=4, light="#fff", omitsize=True, svgclass="qr")
    labeled = f'<svg role="img" aria-label="QR code: {escape(address)}"'
    return Markup(drawn.replace("<svg", labeled, 1))  # noqa: S704  # drawn by segno; the label is escaped


# Shapes of charts and cells of lists: a page has hundreds, too many for macros.


def shapes(elements: Iterable[charts.Shape]) -> Markup:
    """Return the elements of a picture as markup."""
    return Markup("\n".join(_shape(shape) for shape in elements))  # noqa: S704  # every part of it is escaped


def _shape(shape: charts.Shape) -> str:
    write = str if is_plain("".join((shape.css, shape.text, shape.hint, *shape.attributes.values()))) else safe_text
    at = "".join([f' {name}="{write(value)}"' for name, value in shape.attributes.items()])
    hint = f"<title>{write(shape.hint)}</title>" if shape.hint else ""
    return f'<{shape.tag} class="{write(shape.css)}"{at}>{hint}{write(shape.text)}</{shape.tag}>'


_CELLS: Final = Path(__file__).parent / "templates" / "cells.html"
_CELL: Final = re.compile(r"\{% macro (\w+)\(row\) %\}(.*)\{% endmacro %\}")
# Templates for the contents of cells, by kind.
_DEFAULT_CELLS: Final[Mapping[Kind, str]] = {
    Kind.TEXT: "<bdi>{{ value }}</bdi>",
    Kind.OWNER: "{{ owner(value) }}",
    Kind.WHOLE: "{{ value | whole }}",
    Kind.INDEX: "{{ value + 1 }}",
    Kind.NUMBER: "{{ value | number(DIGITS) }}",
    Kind.SIGNED: "{{ value | signed }}",
    Kind.SHARE: "{{ (100 * value) | number(DIGITS) }}%",
    Kind.MOMENT: "{{ value | moment }}",
    Kind.FLAG: "{{ 'yes' if value else 'no' }}",
    Kind.FAULT: "{{ value | fault_label }}",
}
# Columns of whole numbers that serve as names, written without thousands separators.
_IDENTIFIER_KEYS: Final = frozenset({"match", "version", "seat"})


def cells_by_name() -> dict[str, str]:
    """Return the macros of cells.html by name.  Rows contain copies, because a macro call takes as long as a cell."""
    return dict(_CELL.findall(_CELLS.read_text(encoding="utf-8")))


@pass_context
def lines(context: Context, table: TableData, hidden: Collection[str] = ()) -> Markup:
    """Return the rows of a list as markup, without the columns whose headings are in `hidden`."""
    columns, environment = table.page_columns(hidden), context.environment
    key = (columns, table.table.attributes)
    template = environment.row_templates.get(key)  # type: ignore[attr-defined]
    if template is None:
        row_heads, cells = [column for column in columns if column.names_row] or columns[:1], cells_by_name()
        cells_markup = "".join([_cell(column, cells, column in row_heads) for column in columns])
        source = f"{_BEFORE_ROWS}{{% for row in rows %}}<tr{table.table.attributes}>{cells_markup}</tr>\n{{% endfor %}}"
        template = environment.row_templates[key] = environment.strict.from_string(source)  # type: ignore[attr-defined]
    return Markup(template.render(context.get_all(), rows=table.rows))  # noqa: S704  # the output of a template


_BEFORE_ROWS: Final = """\
{% from "macros.html" import bot_link, owner, owner_link, state_tag, new_version_at %}\
{% from "charts.html" import meter %}\
{% set to_bot, to_match = address_before("bots.bot", "bot_id"), address_before("matches.match", "match_id") %}"""


def _cell(column: Column, cells: Mapping[str, str], heads_row: bool) -> str:
    tag, scope = ("th", ' scope="row"') if heads_row else ("td", "")
    css = ("num" if column.is_figure else "") if column.css is None else column.css
    attributes = scope + (f' class="{css}"' if css else "")
    return f"<{tag}{attributes}>{cells[column.cell] if column.cell else _default_cell(column)}</{tag}>"


def _default_cell(column: Column) -> str:
    is_identifier = column.kind is Kind.WHOLE and column.key in _IDENTIFIER_KEYS
    shows = "{{ value }}" if is_identifier else _DEFAULT_CELLS[column.kind]
    shows = shows.replace("DIGITS", str(column.digits))
    value = f"row | inside('{column.path}')" if "." in column.path else f"row.{column.path}"
    if column.kind is not Kind.OWNER:  # a house bot has None
        shows = f"{{% if value is not none %}}{shows}{{% endif %}}"
    return f"{{% set value = {value} %}}{shows}"
