"""The days of a ladder: what was promised when, which matches hang on it, and the secret once it is public."""

from __future__ import annotations

from flask import Blueprint, abort, render_template

from gangland_web.base.clock import read_day
from gangland_web.queries.ladders import SEATS, days_of, ladder_of
from gangland_web.site.requested import ladder_seats, requested_number
from gangland_web.web.sessions import reading

pages = Blueprint("days", __name__)

LISTED = 30


@pages.get("/ladders/<game>/days")
def days(game: str) -> str:
    """List the days of a ladder, the newest first."""
    seats, before = ladder_seats(game), requested_number("before")
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
