"""Ladders: the standings of a game at a table size, their days and seasons, and the records of all of them."""

from dataclasses import dataclass
from typing import Any, Final

from flask import Blueprint, abort, render_template, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response

from gangland_web.base.formats import Form, read_day
from gangland_web.base.text import shown
from gangland_web.models.tournaments import Season, Tournament
from gangland_web.queries import ladders, tables
from gangland_web.queries import seasons as season_pages
from gangland_web.queries.hall_of_fame import PROOFS, RECORD_ROWS, TITLES, records
from gangland_web.site.serving import document, existing, ladder_seats, requested_number, table_file
from gangland_web.web.address import next_page
from gangland_web.web.caching import cached_page
from gangland_web.web.sessions import reading, visitor

pages = Blueprint("ladders", __name__)


# Standings, as pages and as files.

LIVE_S: Final = 5
"""How often an open page asks for what is new."""
_EMPTY_PAGE = ladders.LadderPage((), None, None)


@dataclass(frozen=True, slots=True)
class LadderAddress:
    """Which page of which ladder an address names."""

    game: str
    seats: int
    window: ladders.Window

    def url(self, endpoint: str, window: ladders.Window | None) -> str | None:
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
        state = ladders.ladder_state(db, game, address.seats)

        def make() -> str:
            mine = ladders.mine_on(db, state.id, game, who.party) if state is not None and who is not None else []
            seasons = [] if state is None else season_pages.season_list(db, state.id, game, address.seats)
            return _rendered(address, state, _page(db, state, address), mine, seasons)

        return cached_page(state_mark(state), make)


@pages.get("/ladders/<game>.json")
def ladder_json(game: str) -> Response:
    """Return a page of a ladder's rows and where the next one is; 304 when nothing has changed."""
    address = _address(game)
    with reading() as db:
        state = ladders.ladder_state(db, game, address.seats)

        def make() -> str:
            return b"".join(_table(db, state, address).pieces(Form.JSON)).decode()

        return cached_page(state_mark(state), make, mimetype="application/json", personal=False)


@pages.get("/ladders/<game>.csv")
def ladder_csv(game: str) -> Response:
    """Return a page of a ladder's rows for a spreadsheet."""
    address = _address(game)
    with reading() as db:
        state = ladders.ladder_state(db, game, address.seats)
        return table_file(_table(db, state, address), Form.CSV, f"{game}-{address.seats}-ladder")


def state_mark(state: ladders.LadderState | None) -> str:
    """Return a mark that changes with all that the pages of a ladder show."""
    return "" if state is None else f"{state.id} {state.revision}"


def _table(db: Session, state: ladders.LadderState | None, address: LadderAddress) -> tables.TableData:
    page = _page(db, state, address)
    return ladders.board_table(page, next_page(after=page.next_key))


def _page(db: Session, state: ladders.LadderState | None, address: LadderAddress) -> ladders.LadderPage:
    return _EMPTY_PAGE if state is None else ladders.ladder_page(db, state, address.window)


def _rendered(
    address: LadderAddress,
    state: ladders.LadderState | None,
    page: ladders.LadderPage,
    mine: list[ladders.Mine],
    seasons: list[season_pages.SeasonSummary],
) -> str:
    here = {row.bot_id for row in page.rows}
    return render_template(
        "ladders/ladder.html",
        live_s=LIVE_S,
        game=address.game,
        seats=address.seats,
        sizes=ladders.SEATS,
        table=ladders.board_table(
            page,
            csv=address.url("ladders.ladder_csv", address.window),
            json=address.url("ladders.ladder_json", address.window),
        ),
        seasons=seasons,
        provisional_matches=ladders.PROVISIONAL_MATCHES,
        ladder=state,
        first=address.window == ladders.FIRST_PAGE,
        above=address.url("ladders.ladder", page.above),
        below=address.url("ladders.ladder", page.below),
        mine=[(one, "" if one.bot_id in here else address.url("ladders.ladder", one.window)) for one in mine],
        mine_ids={one.bot_id for one in mine},
    )


def _address(game: str) -> LadderAddress:
    return LadderAddress(game, ladder_seats(game), _window())


def _window() -> ladders.Window:
    given = [name for name in ("after", "before") if name in request.args]
    if not given:
        return ladders.FIRST_PAGE
    if len(given) > 1:
        abort(400, "a page begins after one entry or ends before one, not both")
    text = request.args[given[0]]
    try:
        return ladders.Window(ladders.read_key(text), upwards=given[0] == "before")
    except ValueError:
        abort(400, f"{given[0]} must be RATING:NUMBER, as the links of a page have it, not {shown(text, limit=40)!r}")


# Days: the commitment and its time, the matches whose dice follow from it, and the secret once it is public.

_DAYS_LISTED = 30


@pages.get("/ladders/<game>/days")
def days(game: str) -> str:
    """List the days of a ladder, the newest first."""
    seats, before = ladder_seats(game), requested_number("before")
    with reading() as db:
        found = ladders.days_of(db, existing(ladders.ladder_of(db, game, seats)), _DAYS_LISTED + 1, before=before)
    files = tables.file_urls("exports.ladder_table", game=game, seats=seats, what="days")
    return render_template(
        "ladders/days.html",
        game=game,
        seats=seats,
        sizes=ladders.SEATS,
        table=ladders.DAY_LINES.of(found[:_DAYS_LISTED], **files),
        more=read_day(found[_DAYS_LISTED - 1].day) if len(found) > _DAYS_LISTED else None,
    )


# Seasons: the standings that each ended with.


@pages.get("/ladders/<game>/<number:seats>/seasons/<number:number>")
def season(game: str, seats: int, number: int) -> str:
    """Show a season: its days, and its standings once they are fixed."""
    with reading() as db:
        ladder, found, placed = _season(db, game, seats, number)
        detail = season_pages.season_detail(db, ladder, found, placed)
        table = season_pages.season_table(ladder, found, placed)
    return render_template("ladders/season.html", game=game, seats=seats, season=detail, placed=placed, table=table)


@pages.get("/ladders/<game>/<number:seats>/seasons/<number:number>.<any(csv,json):form>")
def season_file(game: str, seats: int, number: int, form: str) -> Response:
    """Return a season as a file: all that the API says of it as JSON, the standings alone as CSV."""
    with reading() as db:
        ladder, found, placed = _season(db, game, seats, number)
        if form == Form.CSV:
            return table_file(
                season_pages.season_table(ladder, found, placed), Form.CSV, f"{game}-{seats}-season-{number}"
            )
        return document("ladder-season", season_pages.season_detail(db, ladder, found, placed))


def _season(db: Session, game: str, seats: int, number: int) -> tuple[Tournament, Season, list[season_pages.Placed]]:
    ladder = ladders.found_ladder(db, game, seats)
    found = season_pages.found_season(db, ladder, number)
    return ladder, found, season_pages.placed_in(db, found)


# Records of all ladders.


@pages.get("/records")
def hall_of_fame() -> Response:
    """Show the records of all ladders, and what each is proven by."""
    with reading() as db:
        found = records(db)
    ongoing = [(row.bot_id, row.words) for row in found.records if row.going_on]

    def make() -> str:
        files = {"csv": url_for("ladders.hall_of_fame_csv"), "json": url_for("ladders.hall_of_fame_json")}
        tables = {
            kind: RECORD_ROWS.of([row for row in found.records if row.kind == kind.value], **files) for kind in TITLES
        }
        return render_template("ladders/records.html", found=found, titles=TITLES, proofs=PROOFS, tables=tables)

    return cached_page(repr(([row for row in found.records if not row.going_on], ongoing, found.uncounted)), make)


@pages.get("/records.json")
def hall_of_fame_json() -> Response:
    """Return the records as the API does; 304 when nothing has changed."""
    with reading() as db:
        return document("records", records(db))


@pages.get("/records.csv")
def hall_of_fame_csv() -> Response:
    """Return the records as a file."""
    with reading() as db:
        found = records(db).records
    return table_file(RECORD_ROWS.of(found), Form.CSV, "records")
