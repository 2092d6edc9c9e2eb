"""The rows of the longest tables as markup: a template takes three times as long for thousands of cells."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from flask import Flask
from markupsafe import Markup

from gangland_web.base.formats import GAME_TITLES, number, signed, whole, written_time
from gangland_web.queries.authors import author_page
from gangland_web.queries.ladders import LadderRow
from gangland_web.queries.match_lists import ListedMatch
from gangland_web.queries.tables import address_before
from gangland_web.site.writing import written


def init_rows(app: Flask) -> None:
    """Make them known to the templates."""
    app.jinja_env.filters.update(board_rows=board_rows, match_rows=match_rows, rival_rows=rival_rows)


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
<td class="num"><strong>{number(row.rating)}</strong>{_former(row, settled_games)}</td>
<td class="num">{number(row.mu - 2 * row.sigma, 1)} to {number(row.mu + 2 * row.sigma, 1)}</td>
<td>{_last_change(row, matches)}</td>
<td>{_owner(row)}</td>
<td class="num">{whole(row.games)}</td>
<td class="num">{f"{number(100 * row.wins / row.games, 0)}%" if played else ""}</td>
<td class="num">{_faults(row) if played else ""}</td>
<td class="nowrap small">{_order(row, settled_games)}</td>
<td class="small">{written_time(row.last_match_at)}</td>
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
    return f'<br><span class="soft small">before {number(row.former_rating)}{rank}</span>'


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
            f'<span class="soft small">{number(seat.mean_place)}</span></span>'
            for seat in match.bots
        ]
        rows.append(f"""<tr>
<th scope="row" class="nowrap"><a href="{to_matches}{match.id}">Match {match.id}</a></th>
<td class="wide">{", ".join(bots)}</td>
<td class="nowrap">{GAME_TITLES[match.game]}, {match.seats} seats</td>
<td>{written_time(match.done_at)}</td>
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
      <td class="num">{whole(row["games"])}</td><td class="num">{row["won"]}</td><td class="num">{row["shared"]}</td>\
<td class="num">{row["lost"]}</td>
      <td class="num">{number(row["mean_place"])}</td><td class="num">{number(row["their_mean_place"])}</td>\
<td class="num">{row["faulty_matches"]}</td>
      <td class="meter"><svg viewBox="0 0 100 16" width="100" height="16" aria-hidden="true">\
<path class="track" d="M0 8H100"/><path class="half" d="M50 2V14"/>\
<path class="span" d="M{round(low, 1)} 8H{round(high, 1)}"/><circle class="at" cx="{round(share, 1)}" cy="8" r="4"/>\
</svg> {number(share, 0)}%<span class="vh">, from {number(low, 0)} to {number(high, 0)}%</span></td>
      <td class="nowrap"><a href="{to_both}{row["bot_id"]}?seats={seats}">{written(row["confidence"])}</a></td>
    </tr>
""")
    return Markup("".join(rows))  # noqa: S704  # every part of it is escaped
