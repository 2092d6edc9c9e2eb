"""Ladders: the standings of a game at a table size, as pages and as their JSON twins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, abort, json, render_template, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response

from gangland_web.leaderboard.paging import FIRST_PAGE, Window, read_key
from gangland_web.leaderboard.queries import LadderPage, LadderRow, LadderState, ladder_page, ladder_state
from gangland_web.web.formats import GAME_TITLES
from gangland_web.web.marks import marked
from gangland_web.web.sessions import reading, visitor
from gangland_web.web.text import shown

pages = Blueprint("leaderboard", __name__)

SEATS = (2, 3, 4)
HOUSE = "house"
"""The owner of house bots in the JSON twin."""
NOBODY = LadderPage((), None, None)


@dataclass(frozen=True, slots=True)
class Asked:
    """Which page of which ladder an address names."""

    game: str
    seats: int
    window: Window

    def url(self, endpoint: str, window: Window | None) -> str | None:
        """Return the address of another page of the ladder, None if there is none."""
        if window is None:
            return None
        beyond: dict[str, Any] = (
            {} if window.key is None else {"before" if window.upwards else "after": window.key.text}
        )
        return url_for(endpoint, game=self.game, seats=self.seats, **beyond)


@pages.get("/ladders/<game>")
def ladder(game: str) -> Response:
    """Show a page of a ladder, with a tab for each table size."""
    asked, who = _asked(game), visitor()
    with reading() as db:
        state = ladder_state(db, game, asked.seats)
        return marked(
            state_mark(state), lambda: _rendered(asked, state, _page(db, state, asked), who.name if who else None)
        )


@pages.get("/ladders/<game>.json")
def ladder_json(game: str) -> Response:
    """Return a page of a ladder's rows and where the next one is; 304 when nothing has changed."""
    asked = _asked(game)
    with reading() as db:
        state = ladder_state(db, game, asked.seats)

        def make() -> str:
            page = _page(db, state, asked)
            beyond = asked.url("leaderboard.ladder_json", page.below)
            rows = {"rows": [_plain(row) for row in page.rows]}
            return json.dumps(rows if beyond is None else {**rows, "next": beyond}) + "\n"

        return marked(state_mark(state), make, mimetype="application/json", personal=False)


def state_mark(state: LadderState | None) -> str:
    """Return a word for all that the pages of a ladder show now."""
    return "" if state is None else f"{state.id} {state.revision}"


def _page(db: Session, state: LadderState | None, asked: Asked) -> LadderPage:
    return NOBODY if state is None else ladder_page(db, state.id, asked.window)


def _rendered(asked: Asked, state: LadderState | None, page: LadderPage, me: str | None) -> str:
    return render_template(
        "ladder.html",
        game=asked.game,
        seats=asked.seats,
        sizes=SEATS,
        rows=page.rows,
        ladder=state,
        first=asked.window == FIRST_PAGE,
        above=asked.url("leaderboard.ladder", page.above),
        below=asked.url("leaderboard.ladder", page.below),
        bots=url_for("bots.bot", bot_id=0).removesuffix("0"),
        me=me,
    )


def _asked(game: str) -> Asked:
    return Asked(game, asked_ladder(game), _window())


def asked_ladder(game: str) -> int:
    """Return the seats of the ladder of a game that was asked for, 2 if none were; ends in 404 or 400 without it."""
    if game not in GAME_TITLES:
        abort(404, f"There is no game of that name; there are {' and '.join(GAME_TITLES)}.")
    given = request.args.get("seats", "2")
    if given not in [str(size) for size in SEATS]:
        abort(400, f"seats must be 2, 3 or 4, not {shown(given, limit=20)!r}")
    return int(given)


def _window() -> Window:
    given = [name for name in ("after", "before") if name in request.args]
    if not given:
        return FIRST_PAGE
    if len(given) > 1:
        abort(400, "a page begins after one entry or ends before one, not both")
    text = request.args[given[0]]
    try:
        return Window(read_key(text), upwards=given[0] == "before")
    except ValueError:
        abort(400, f"{given[0]} must be RATING:NUMBER, as the links of a page have it, not {shown(text, limit=40)!r}")


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
