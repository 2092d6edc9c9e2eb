"""The rows of the longest tables as markup: a template takes three times as long for thousands of cells."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from flask import Flask
from markupsafe import Markup

from gangland_web.core.formats import GAME_TITLES, number, signed, whole, written_time
from gangland_web.resources.ladders.queries import LadderRow
from gangland_web.resources.links import address_before
from gangland_web.resources.matches.lists import ListedMatch
from gangland_web.site.writing import written


def init_rows(app: Flask) -> None:
    """Make them known to the templates."""
    app.jinja_env.filters.update(board_rows=board_rows, match_rows=match_rows)


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
<td class="rank">{row.rank}</td>
<th scope="row"><a href="{bots}{row.bot_id}"><bdi>{written(row.bot)}</bdi></a> \
<span class="soft small">v{row.version}</span>{mine}{probation}</th>
<td class="num"><strong>{number(row.rating)}</strong></td>
<td class="num">{number(row.mu - 2 * row.sigma, 1)} to {number(row.mu + 2 * row.sigma, 1)}</td>
<td>{_last_change(row, matches)}</td>
<td>{f"<bdi>{written(row.owner)}</bdi>" if row.owner else '<span class="soft">Gangland</span>'}</td>
<td class="num">{whole(row.games)}</td>
<td class="num">{f"{number(100 * row.wins / row.games, 0)}%" if played else ""}</td>
<td class="num">{_faults(row) if played else ""}</td>
<td class="nowrap small">{_order(row, settled_games)}</td>
<td class="small">{written_time(row.last_match_at)}</td>
</tr>
"""


def _last_change(row: LadderRow, matches: str) -> str:
    moved = row.places_moved
    if moved is None or row.points_moved is None:
        return ""
    css, words = "", '<span aria-hidden="true">=</span><span class="vh">same rank</span>'
    if row.first_match:
        words = '<span aria-hidden="true">✦</span> first'
    elif moved > 0:
        css, words = " up", f'<span aria-hidden="true">▲</span> {moved}<span class="vh"> up</span>'
    elif moved < 0:
        css, words = " down", f'<span aria-hidden="true">▼</span> {-moved}<span class="vh"> down</span>'
    points = f'<span class="soft">{signed(row.points_moved)}</span>'
    by = f'<span class="vh"> points by match {row.last_match}</span>'
    return f'<a class="moved{css}" href="{matches}{row.last_match}">{words} {points}{by}</a>'


def _faults(row: LadderRow) -> str:
    return f"{number(100 * row.faults / row.games, 1)}%" if row.faults else '<span class="soft">none</span>'


def _order(row: LadderRow, settled_games: int) -> str:
    if not row.games:
        return '<span class="soft">new</span>'
    if row.games < settled_games:
        return '<span class="tag">provisional</span>'
    return "settled" if row.settled else '<span class="soft"><span aria-hidden="true">≈ </span>not settled</span>'


def match_rows(matches: Iterable[ListedMatch]) -> Markup:
    """Return the rows of a list of matches."""
    to_bots, to_matches = address_before("bots.bot", "bot_id"), address_before("matches.match", "match_id")
    rows = []
    for match in matches:
        bots = [
            f'<span class="nowrap"><a href="{to_bots}{seat.bot_id}"><bdi>{written(seat.bot)}</bdi></a> '
            f'<span class="soft small">{number(seat.mean_place)}</span></span>'
            for seat in match.bots
        ]
        rows.append(f"""<tr>
<th scope="row" class="nowrap"><a href="{to_matches}{match.id}">Match {match.id}</a></th>
<td class="nowrap">{GAME_TITLES[match.game]}, {match.seats} seats</td>
<td class="wide">{", ".join(bots)}</td>
<td>{written_time(match.done_at)}</td>
</tr>
""")
    return Markup("".join(rows))  # noqa: S704  # every part of it is escaped
