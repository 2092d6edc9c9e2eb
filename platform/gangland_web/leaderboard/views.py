"""Ladders: the standings of a game at a table size, as a page and as its JSON twin."""

from __future__ import annotations

from itertools import pairwise

from flask import Blueprint, abort, render_template, request
from werkzeug.wrappers import Response

from gangland_web.leaderboard.queries import LadderRow, ladder_of, ladder_progress, ladder_rows
from gangland_web.web.formats import GAME_TITLES
from gangland_web.web.sessions import reading, visitor
from gangland_web.web.text import shown
from gangland_web.web.twins import twin

pages = Blueprint("leaderboard", __name__)

SEATS = (2, 3, 4)
HOUSE = "house"
"""The owner of house bots in the JSON twin."""


@pages.get("/ladders/<game>")
def ladder(game: str) -> str:
    """Show a ladder with a tab for each table size."""
    seats = _asked(game)
    with reading() as db:
        rows = ladder_rows(db, game, seats)
        tournament = ladder_of(db, game, seats)
        progress = ladder_progress(db, tournament) if tournament is not None else None
    who = visitor()
    return render_template(
        "ladder.html",
        game=game,
        seats=seats,
        sizes=SEATS,
        rows=rows,
        tournament=tournament,
        progress=progress,
        me=who.name if who else None,
        unsettled=_unsettled(rows),
    )


@pages.get("/ladders/<game>.json")
def ladder_json(game: str) -> Response:
    """Return a ladder's rows; 304 when nothing has changed."""
    seats = _asked(game)
    with reading() as db:
        rows = ladder_rows(db, game, seats)
    return twin({"rows": [_plain(row) for row in rows]})


def _asked(game: str) -> int:
    """Return the table size that was asked for, 2 if none was."""
    if game not in GAME_TITLES:
        abort(404, f"There is no game of that name; there are {' and '.join(GAME_TITLES)}.")
    given = request.args.get("seats", "2")
    if given not in [str(size) for size in SEATS]:
        abort(400, f"seats must be 2, 3 or 4, not {shown(given, limit=20)!r}")
    return int(given)


def _plain(row: LadderRow) -> dict[str, object]:
    return {
        "rank": row.rank,
        "bot": shown(row.bot),
        "version": row.version,
        "owner": HOUSE if row.owner is None else shown(row.owner),
        "mu": row.mu,
        "sigma": row.sigma,
        "rating": row.rating,
        "games": row.games,
        "faults": row.faults,
    }


def _unsettled(rows: list[LadderRow]) -> set[int]:
    """Return the bots whose range overlaps with the next one's, up or down: their order is not settled."""
    found: set[int] = set()
    for upper, lower in pairwise(rows):
        if upper.mu - 2 * upper.sigma < lower.mu + 2 * lower.sigma:
            found |= {upper.bot_id, lower.bot_id}
    return found
