"""Ladders: the standings of a game at a table size, as pages and as their JSON twins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from flask import Blueprint, abort, render_template, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response

from gangland_web.core.formats import GAME_TITLES
from gangland_web.core.table_formats import Form
from gangland_web.core.text import shown
from gangland_web.http.cache import marked
from gangland_web.http.paging import next_page
from gangland_web.http.sessions import reading, visitor
from gangland_web.resources.ladders.board import board_sheet, page_moves, settled_games
from gangland_web.resources.ladders.moves import Mine, Move, mine_on
from gangland_web.resources.ladders.paging import FIRST_PAGE, Window, read_key
from gangland_web.resources.ladders.queries import SEATS, LadderPage, LadderState, ladder_page, ladder_state
from gangland_web.resources.tables import Sheet
from gangland_web.site.responses import sheet_file

pages = Blueprint("leaderboard", __name__)

LIVE_S: Final = 5
"""How often an open page asks for what is new."""
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
@pages.get("/ladders/<game>/live", endpoint="ladder_live")
def ladder(game: str) -> Response:
    """Show a page of a ladder, with a tab for each table size."""
    asked, who = _asked(game), visitor()
    with reading() as db:
        state = ladder_state(db, game, asked.seats)

        def make() -> str:
            page = _page(db, state, asked)
            mine = mine_on(db, state.id, game, who.party) if state is not None and who is not None else []
            return _rendered(asked, state, page, page_moves(db, page), mine)

        return marked(state_mark(state), make)


@pages.get("/ladders/<game>.json")
def ladder_json(game: str) -> Response:
    """Return a page of a ladder's rows and where the next one is; 304 when nothing has changed."""
    asked = _asked(game)
    with reading() as db:
        state = ladder_state(db, game, asked.seats)

        def make() -> str:
            return b"".join(_sheet(db, state, asked).pieces(Form.JSON)).decode()

        return marked(state_mark(state), make, mimetype="application/json", personal=False)


@pages.get("/ladders/<game>.csv")
def ladder_csv(game: str) -> Response:
    """Hand out a page of a ladder's rows for a spreadsheet."""
    asked = _asked(game)
    with reading() as db:
        state = ladder_state(db, game, asked.seats)
        return sheet_file(_sheet(db, state, asked), Form.CSV, f"{game}-{asked.seats}-ladder")


def _sheet(db: Session, state: LadderState | None, asked: Asked) -> Sheet:
    page = _page(db, state, asked)
    return board_sheet(db, state, page, asked.seats, next_page(after=page.next_key))


def state_mark(state: LadderState | None) -> str:
    """Return a word for all that the pages of a ladder show now."""
    return "" if state is None else f"{state.id} {state.revision}"


def _page(db: Session, state: LadderState | None, asked: Asked) -> LadderPage:
    return NOBODY if state is None else ladder_page(db, state.id, asked.window)


def _rendered(
    asked: Asked, state: LadderState | None, page: LadderPage, moves: dict[int, Move], mine: list[Mine]
) -> str:
    here = {row.bot_id for row in page.rows}
    return render_template(
        "ladder.html",
        live_s=LIVE_S,
        game=asked.game,
        seats=asked.seats,
        sizes=SEATS,
        rows=page.rows,
        moves=moves,
        settled_games=settled_games(state, asked.seats),
        ladder=state,
        first=asked.window == FIRST_PAGE,
        above=asked.url("leaderboard.ladder", page.above),
        below=asked.url("leaderboard.ladder", page.below),
        csv=asked.url("leaderboard.ladder_csv", asked.window),
        json=asked.url("leaderboard.ladder_json", asked.window),
        bots=url_for("bots.bot", bot_id=0).removesuffix("0"),
        matches=url_for("matches.match", match_id=0).removesuffix("0"),
        mine=[(one, "" if one.bot_id in here else asked.url("leaderboard.ladder", one.window)) for one in mine],
        mine_ids={one.bot_id for one in mine},
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
