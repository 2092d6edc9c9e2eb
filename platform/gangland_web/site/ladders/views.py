"""Ladders: the standings of a game at a table size, as pages and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from flask import Blueprint, abort, render_template, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response

from gangland_web.base.formats import Form
from gangland_web.base.text import shown
from gangland_web.queries.ladders import (
    FIRST_PAGE,
    PROVISIONAL_MATCHES,
    SEATS,
    LadderPage,
    LadderState,
    Mine,
    Window,
    board_table,
    ladder_page,
    ladder_state,
    mine_on,
    read_key,
    settled_games,
)
from gangland_web.queries.seasons import SeasonSummary, season_list
from gangland_web.queries.tables import TableData
from gangland_web.site.requested import ladder_seats
from gangland_web.site.responses import table_file
from gangland_web.web.address import next_page
from gangland_web.web.caching import cached_page
from gangland_web.web.sessions import reading, visitor

pages = Blueprint("leaderboard", __name__)

LIVE_S: Final = 5
"""How often an open page asks for what is new."""
NOBODY = LadderPage((), None, None)


@dataclass(frozen=True, slots=True)
class LadderAddress:
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
    address, who = _address(game), visitor()
    with reading() as db:
        state = ladder_state(db, game, address.seats)

        def make() -> str:
            mine = mine_on(db, state.id, game, who.party) if state is not None and who is not None else []
            seasons = [] if state is None else season_list(db, state.id, game, address.seats)
            return _rendered(address, state, _page(db, state, address), mine, seasons)

        return cached_page(state_mark(state), make)


@pages.get("/ladders/<game>.json")
def ladder_json(game: str) -> Response:
    """Return a page of a ladder's rows and where the next one is; 304 when nothing has changed."""
    address = _address(game)
    with reading() as db:
        state = ladder_state(db, game, address.seats)

        def make() -> str:
            return b"".join(_table(db, state, address).pieces(Form.JSON)).decode()

        return cached_page(state_mark(state), make, mimetype="application/json", personal=False)


@pages.get("/ladders/<game>.csv")
def ladder_csv(game: str) -> Response:
    """Hand out a page of a ladder's rows for a spreadsheet."""
    address = _address(game)
    with reading() as db:
        state = ladder_state(db, game, address.seats)
        return table_file(_table(db, state, address), Form.CSV, f"{game}-{address.seats}-ladder")


def _table(db: Session, state: LadderState | None, address: LadderAddress) -> TableData:
    page = _page(db, state, address)
    return board_table(state, page, address.seats, next_page(after=page.next_key))


def state_mark(state: LadderState | None) -> str:
    """Return a word for all that the pages of a ladder show now."""
    return "" if state is None else f"{state.id} {state.revision}"


def _page(db: Session, state: LadderState | None, address: LadderAddress) -> LadderPage:
    return NOBODY if state is None else ladder_page(db, state, address.window)


def _rendered(
    address: LadderAddress,
    state: LadderState | None,
    page: LadderPage,
    mine: list[Mine],
    seasons: list[SeasonSummary],
) -> str:
    here = {row.bot_id for row in page.rows}
    return render_template(
        "ladder.html",
        live_s=LIVE_S,
        game=address.game,
        seats=address.seats,
        sizes=SEATS,
        rows=page.rows,
        seasons=seasons,
        settled_games=settled_games(state, address.seats),
        provisional_matches=PROVISIONAL_MATCHES,
        ladder=state,
        first=address.window == FIRST_PAGE,
        above=address.url("leaderboard.ladder", page.above),
        below=address.url("leaderboard.ladder", page.below),
        csv=address.url("leaderboard.ladder_csv", address.window),
        json=address.url("leaderboard.ladder_json", address.window),
        mine=[(one, "" if one.bot_id in here else address.url("leaderboard.ladder", one.window)) for one in mine],
        mine_ids={one.bot_id for one in mine},
    )


def _address(game: str) -> LadderAddress:
    return LadderAddress(game, ladder_seats(game), _window())


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
