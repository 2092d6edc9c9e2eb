"""The days of a ladder: what was promised when, which matches hang on it, and the secret once it is public."""

from __future__ import annotations

from flask import Blueprint, abort, render_template, request

from gangland_web.core.clock import read_day
from gangland_web.core.formats import GAME_TITLES
from gangland_web.core.text import shown, whole_number
from gangland_web.http.sessions import reading
from gangland_web.resources.ladders.days import days_of
from gangland_web.resources.ladders.queries import SEATS, ladder_of

pages = Blueprint("days", __name__)

LISTED = 30


@pages.get("/ladders/<game>/days")
def days(game: str) -> str:
    """List the days of a ladder, the newest first."""
    seats, before = _asked(game)
    with reading() as db:
        ladder = ladder_of(db, game, seats)
        if ladder is None:
            abort(404)
        found = days_of(db, ladder, LISTED + 1, before=before)
    return render_template(
        "days.html",
        game=game,
        seats=seats,
        sizes=SEATS,
        days=found[:LISTED],
        more=read_day(found[LISTED - 1].day) if len(found) > LISTED else None,
    )


def _asked(game: str) -> tuple[int, int | None]:
    if game not in GAME_TITLES:
        abort(404, f"There is no game of that name; there are {' and '.join(GAME_TITLES)}.")
    seats, before = request.args.get("seats", "2"), request.args.get("before")
    if seats not in [str(size) for size in SEATS]:
        abort(400, f"seats must be 2, 3 or 4, not {shown(seats, limit=20)!r}")
    number = whole_number(before)
    if before is not None and number is None:
        abort(400, f"before must be a day's number, not {shown(before, limit=20)!r}")
    return int(seats), number
