"""What templates write with: values made safe, filters, functions, and the longest tables as markup."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

import segno
from flask import Flask, request, url_for
from flask_wtf.csrf import generate_csrf
from jinja2 import nodes
from jinja2.compiler import CodeGenerator
from jinja2.ext import Extension
from markupsafe import Markup, escape
from werkzeug.security import safe_join

from gangland.words import listed
from gangland_ladder.common.texts import counted
from gangland_ladder.errors import fault_title
from gangland_ladder.viewer.assets import MAIN, STAGE
from gangland_web.base import formats
from gangland_web.base.charts import Shape
from gangland_web.base.text import finalize, shown
from gangland_web.queries.authors import author_page
from gangland_web.queries.ladders import LadderRow
from gangland_web.queries.match_lists import ListedMatch
from gangland_web.queries.tables import Column, Kind, TableData, address_before
from gangland_web.site.viewer import SPRITE, viewer_file
from gangland_web.web.sessions import visitor


def init_rendering(app: Flask) -> None:
    """Have templates write values safely, and give them filters and functions; call it before the first is compiled."""
    environment = app.jinja_env
    environment.code_generator_class = Code
    environment.extend(written=written)
    environment.add_extension(Fields)
    environment.finalize = finalize
    environment.trim_blocks = environment.lstrip_blocks = True
    environment.filters.update(
        as_typed=as_typed,
        board_rows=board_rows,
        counted=lambda count, what: counted(count, what, ","),
        day=formats.day,
        editors_linked=editors_linked,
        fault_title=fault_title,
        lines=lines,
        listed=listed,
        match_rows=match_rows,
        moment=formats.moment,
        number=formats.number,
        rival_rows=rival_rows,
        seconds=formats.seconds,
        shapes=shapes,
        shown=shown,
        signed=formats.signed,
        state_words=formats.state_words,
        whole=formats.whole,
    )
    environment.globals.update(
        csrf_field=csrf_field,
        die=die,
        game_titles=formats.GAME_TITLES,
        is_part=is_part,
        live_page=live_page,
        live_scripts=live_scripts,
        qr_code=qr_code,
        sent_to=sent_to,
        viewer_file=viewer_file,
        viewer_main=MAIN,
        viewer_stage=STAGE,
    )

    @cache
    def mark(filename: str) -> str:
        """Return a few characters that change with the file, so that no browser keeps an old one."""
        path = safe_join(app.static_folder or "", filename)
        return sha256(Path(path).read_bytes()).hexdigest()[:8] if path and Path(path).is_file() else ""

    @app.url_defaults
    def add_mark(endpoint: str, values: dict[str, Any]) -> None:
        """Add the mark to addresses of static files."""
        if endpoint == "static" and "filename" in values:
            values.setdefault("v", mark(values["filename"]))


# Values: made safe to show and escaped in one step, for a page of a hundred rows has thousands.
#
# What a form's field holds is only escaped: it is sent back, and must come back as it was typed.


is_plain: Final = re.compile(r"[ !#-%(-;=?-~]*").fullmatch
"""Printable ASCII without what stands for markup: what most values are, and needs nothing."""

_VALUE: Final = re.compile(r"\{\{(.*?)\}\}")
_FIELD: Final = re.compile(r'(?<!<option) value="(?:[^"{]|\{\{.*?\}\}|\{%.*?%\})*"|>\s*\{\{[^{}]*\}\}(?=</textarea>)')
"""The value of an input, or the text of a text area, with what a template writes there."""


def written(value: Any) -> str:
    """Return what stands in a page for a value: markup of ours as it is, all else as text that can be seen."""
    kind = type(value)
    if kind is Markup:
        return value  # type: ignore[no-any-return]
    if kind is int or kind is float:
        return repr(value)
    if kind is not str:
        return escape(value)
    return value if is_plain(value) else escape(shown(value))


def as_typed(value: Any) -> Markup:
    """Return what a field holds, with every character: escaped, and a carriage return kept from the page's reader."""
    return Markup(escape(value).replace("\r", "&#13;"))  # noqa: S704 (escaped)


class Fields(Extension):
    """Has templates write what stands in a field of a form by `as_typed`."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Return a template's source with that filter at every field."""
        return _FIELD.sub(lambda field: _VALUE.sub(r"{{ (\1) | as_typed }}", field[0]), source)


class Code(CodeGenerator):
    """Jinja's code, but for how it writes what is not known before."""

    def _output_child_pre(self, node: nodes.Expr, frame: Any, finalize: Any) -> None:
        if frame.eval_ctx.autoescape and not frame.eval_ctx.volatile:
            self.write("(environment.written(")
        else:
            super()._output_child_pre(node, frame, finalize)


# Small pieces of markup, and the addresses of live parts.


LIVE: Final = "/live"
"""The end of the addresses of live parts."""


def editors_linked(text: str) -> Markup:
    """Return a text in which the addresses of editors are links."""
    made = escape(text)
    for game in formats.GAME_TITLES:
        address = url_for("editor.page", game=game)
        made = made.replace(address, Markup('<a href="{0}">{0}</a>').format(address))
    return made


def csrf_field() -> Markup:
    """Return the hidden field that proves that a form was ours."""
    return Markup('<input type="hidden" name="csrf_token" value="{}">').format(generate_csrf())


def die(face: str | int, label: str = "") -> Markup:
    """Return a die that shows `face` (1 to 5, gangster, gavel, cocktail, gun or finger).

    Without a label it is an ornament, unseen by screen readers.
    """
    role = Markup('role="img" aria-label="{}"').format(label) if label else Markup('aria-hidden="true"')
    return Markup('<svg class="die" width="24" height="24" {}><use href="{}#face-{}"/></svg>').format(
        role, viewer_file(SPRITE), face
    )


def live_scripts() -> Markup:
    """Return what the head of a page with live parts needs."""
    return Markup('<script type="module" src="{}"></script>').format(url_for("static", filename="js/live.js"))


def live_page(*, for_all: bool = False) -> str | None:
    """Return the address at which the page's content alone is asked for anew, None for an answer to a form.

    Args:
        for_all: it is the same for every visitor; else it is made for the user who is signed in.
    """
    if request.method != "GET":
        return None
    path = request.path if is_part() else f"{request.path.rstrip('/')}{LIVE}"
    arguments = request.args.to_dict()
    if visitor() is not None and not for_all:
        arguments["own"] = "1"  # the answer for everybody is kept under the address without a query
    query = f"?{urlencode(arguments)}" if arguments else ""
    return f"{request.script_root}{path}{query}"


def sent_to(address: str, problem: str, **fixed: object) -> dict[str, str]:
    """Return what was typed into the form that is answered with a problem, empty for all other forms of the page.

    Args:
        address: to which the form is sent.
        fixed: its hidden fields, which tell it from other forms that are sent to the same address.
    """
    if not problem or request.method != "POST" or request.path != address:
        return {}
    sent = request.form.to_dict()
    return sent if all(sent.get(name) == str(value) for name, value in fixed.items()) else {}


def is_part() -> bool:
    """Return whether the content of a page is asked for without the page around it."""
    return request.path.endswith(LIVE)


@lru_cache(maxsize=64)
def qr_code(address: str) -> Markup:
    """Return an address as a picture, black on white whatever the page's colors, with the border that readers need."""
    drawn = segno.make(address, error="m", micro=False).svg_inline(border=4, light="#fff", omitsize=True, svgclass="qr")
    named = f'<svg role="img" aria-label="QR code: {escape(address)}"'
    return Markup(drawn.replace("<svg", named, 1))  # noqa: S704  # drawn by segno; the label is escaped


# The many small parts of charts and tables: hundreds of shapes and cells a page, too many for macros.


_NUMBERS_OF_THINGS = frozenset({"match", "version", "seat"})
"""Columns of whole numbers that are names, and so are written without separators."""


def shapes(of: Iterable[Shape]) -> Markup:
    """Return the elements of a picture, one after the other."""
    return Markup("\n".join(_shape(shape) for shape in of))  # noqa: S704  # every part of it is escaped


def lines(table: TableData) -> Markup:
    """Return the rows of a table that stand on the page."""
    columns = [_cells(table, column, at == 0) for at, column in enumerate(table.visible_columns)]
    return Markup("".join([f"<tr>{''.join(cells)}</tr>\n" for cells in zip(*columns, strict=True)]))  # noqa: S704  # every part of it is escaped


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
            return formats.written_time
        case Kind.NUMBER:
            return lambda value: formats.number(value, digits)
        case Kind.SIGNED:
            return formats.signed
        case Kind.SHARE:
            return lambda value: f"{formats.number(100 * value, digits)}%"
        case Kind.WHOLE:
            return str if column.key in _NUMBERS_OF_THINGS else formats.whole
        case Kind.FAULT:
            return formats.fault_words
        case Kind.INDEX:
            return lambda value: f"{value + 1}"
        case Kind.FLAG:
            return lambda value: "yes" if value else "no"
    return lambda value: f"<bdi>{written(value)}</bdi>"


# The rows of the longest tables: a template takes three times as long for thousands of cells.


def board_rows(rows: Iterable[LadderRow], settled_games: int, mine: Collection[int]) -> Markup:
    """Return the rows of a leaderboard.

    Args:
        settled_games: how many games make a rating no longer provisional.
        mine: the reader's own bots.
    """
    bots, matches = address_before("bots.bot", "bot_id"), address_before("matches.match", "match_id")
    return Markup("".join([_board_row(row, settled_games, row.bot_id in mine, bots, matches) for row in rows]))  # noqa: S704


def _board_row(row: LadderRow, settled_games: int, own: bool, bots: str, matches: str) -> str:
    played, mine = row.games > 0, own * ' <span class="tag">yours</span>'
    probation = row.probation * ' <span class="tag bad">on probation</span>'
    return f"""<tr id="bot-{row.bot_id}" class="here{own * " mine"}">
<td class="rank">{row.rank}{_tied(row)}</td>
<th scope="row"><a href="{bots}{row.bot_id}"><bdi>{written(row.bot)}</bdi></a> \
<span class="soft small">v{row.version}</span>{mine}{probation}</th>
<td class="num"><strong>{formats.number(row.rating)}</strong>{_former(row, settled_games)}</td>
<td class="num">{formats.number(row.mu - 2 * row.sigma, 1)} to {formats.number(row.mu + 2 * row.sigma, 1)}</td>
<td>{_last_change(row, matches)}</td>
<td>{_owner(row)}</td>
<td class="num">{formats.whole(row.games)}</td>
<td class="num">{f"{formats.number(100 * row.wins / row.games, 0)}%" if played else ""}</td>
<td class="num">{_faults(row) if played else ""}</td>
<td class="nowrap small">{_order(row, settled_games)}</td>
<td class="small">{formats.written_time(row.last_match_at)}</td>
</tr>
"""


def _tied(row: LadderRow) -> str:
    if row.tied_first is None:
        return ""
    ranks = f'<span class="vh">tied, ranks </span>[{row.tied_first}\u2013{row.tied_last}]'
    return f'<br><span class="soft small nowrap">{ranks}</span>'


def _former(row: LadderRow, settled_games: int) -> str:
    """Return what its rating was before the present season, until it has enough games in this one."""
    if row.former_rating is None or row.games >= settled_games:
        return ""
    rank = "" if row.former_rank is None else f",<br>rank {row.former_rank}"
    return f'<br><span class="soft small">before {formats.number(row.former_rating)}{rank}</span>'


def _owner(row: LadderRow) -> str:
    if not row.owner:
        return '<span class="soft">Gangland</span>'
    name, page = f"<bdi>{written(row.owner)}</bdi>", author_page(row)
    return name if page is None else f'<a href="{page}">{name}</a>'


def _last_change(row: LadderRow, matches: str) -> str:
    moved = row.places_moved
    if moved is None or row.points_moved is None:
        return ""
    css, words = "", '<span aria-hidden="true">=</span><span class="vh">same rank</span>'
    if row.first_match:
        words = '<span aria-hidden="true">✦</span> first match'
    elif moved > 0:
        css, words = " up", f'<span aria-hidden="true">▲</span> {moved}<span class="vh"> up</span>'
    elif moved < 0:
        css, words = " down", f'<span aria-hidden="true">▼</span> {-moved}<span class="vh"> down</span>'
    points = f'<span class="soft">{formats.signed(row.points_moved)}</span>'
    by = f'<span class="vh"> points by match {row.last_match}</span>'
    return f'<a class="moved{css}" href="{matches}{row.last_match}">{words} {points}{by}</a>'


def _faults(row: LadderRow) -> str:
    return f"{formats.number(100 * row.faults / row.games, 1)}%" if row.faults else '<span class="soft">none</span>'


def _order(row: LadderRow, settled_games: int) -> str:
    if not row.games:
        return '<span class="soft">new</span>'
    if row.games < settled_games:
        return '<span class="tag">provisional</span>'
    if row.tied_first is not None:
        return f'<span class="soft">too close to call:<br>ranks {row.tied_first} to {row.tied_last}</span>'
    return "settled" if row.settled else '<span class="soft"><span aria-hidden="true">≈ </span>not settled</span>'


def match_rows(matches: Iterable[ListedMatch]) -> Markup:
    """Return the rows of a list of matches."""
    to_bots, to_matches = address_before("bots.bot", "bot_id"), address_before("matches.match", "match_id")
    rows = []
    for match in matches:
        bots = [
            f'<span class="nowrap"><a href="{to_bots}{seat.bot_id}"><bdi>{written(seat.bot)}</bdi></a> '
            f'<span class="soft small">{formats.number(seat.mean_place)}</span></span>'
            for seat in match.bots
        ]
        rows.append(f"""<tr>
<th scope="row" class="nowrap"><a href="{to_matches}{match.id}">Match {match.id}</a></th>
<td class="wide">{", ".join(bots)}</td>
<td class="nowrap">{formats.GAME_TITLES[match.game]}, {match.seats} seats</td>
<td>{formats.written_time(match.done_at)}</td>
</tr>
""")
    return Markup("".join(rows))  # noqa: S704  # every part of it is escaped


def rival_rows(rivals: Iterable[Mapping[str, Any]], bot_id: int, seats: int) -> Markup:
    """Return the rows of the table of whom a bot has met (`gangland_web.queries.bot_figures.RIVALS`)."""
    to_bots, rows = address_before("bots.bot", "bot_id"), []
    to_both = address_before("bots.comparison", "other_id", bot_id=bot_id)
    for row in rivals:
        sure = row["confidence"].partition(" ")[0].replace("clearly", "clear")
        share, low, high = (100 * row[name] for name in ("share", "share_low", "share_high"))
        rows.append(f"""    <tr class="sure-{written(sure)}">
      <th scope="row"><a href="{to_bots}{row["bot_id"]}"><bdi>{written(row["bot"])}</bdi></a></th>
      <td class="num">{formats.whole(row["games"])}</td><td class="num">{row["won"]}</td>\
<td class="num">{row["shared"]}</td><td class="num">{row["lost"]}</td>
      <td class="num">{formats.number(row["mean_place"])}</td>\
<td class="num">{formats.number(row["their_mean_place"])}</td><td class="num">{row["faulty_matches"]}</td>
      <td class="meter"><svg viewBox="0 0 100 16" width="100" height="16" aria-hidden="true">\
<path class="track" d="M0 8H100"/><path class="half" d="M50 2V14"/>\
<path class="span" d="M{round(low, 1)} 8H{round(high, 1)}"/><circle class="at" cx="{round(share, 1)}" cy="8" r="4"/>\
</svg> {formats.number(share, 0)}%\
<span class="vh">, from {formats.number(low, 0)} to {formats.number(high, 0)}%</span></td>
      <td class="nowrap"><a href="{to_both}{row["bot_id"]}?seats={seats}">{written(row["confidence"])}</a></td>
    </tr>
""")
    return Markup("".join(rows))  # noqa: S704  # every part of it is escaped
