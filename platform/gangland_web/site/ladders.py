"""Ladder pages of a game: the leaderboard with seasons and days, and games to watch."""

from typing import Any, Final

from flask import Blueprint, abort, render_template, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response

from gangland_web.base.formats import Format, read_day
from gangland_web.base.text import shown
from gangland_web.models.tournaments import Season, Tournament
from gangland_web.queries import channels, hall_of_fame, ladders, match_lists, tables
from gangland_web.queries import seasons as season_pages
from gangland_web.site import serving, tv
from gangland_web.web.address import next_page
from gangland_web.web.caching import cached_page
from gangland_web.web.sessions import reading, visitor

pages = Blueprint("ladders", __name__)


# Standings, as pages and as files.

LIVE_S: Final = 5  # seconds between two updates of an open page
WATCH_LIVE_S: Final = 2  # the same for a page with a running game
_PAGE_ROWS, _PAGE_MATCHES = 50, 20  # the number of bots and matches on a page; its files have more


@pages.get("/<game:game>/leaderboard")
@pages.get("/<game:game>/leaderboard/live", endpoint="ladder_live")
def ladder(game: str) -> Response:
    """Show a page of a ladder; if requested, the standings of a season, or the days."""
    seats, user = serving.ladder_seats(game), visitor()
    if "season" in request.args:
        return serving.page_or_part(_season_page(game, seats, serving.requested_number("season") or 0))
    if "proof" in request.args:
        return serving.page_or_part(_days_page(game, seats, serving.requested_number("before")))
    window, columns = _window(), "all" if request.args.get("columns") == "all" else None
    with reading() as db:
        state = serving.row_or_404(ladders.ladder_state(db, game, seats))

        def render() -> str:
            page = ladders.ladder_page(db, state, window, size=_PAGE_ROWS)
            own_entries = [] if user is None else ladders.own_entries(db, state.id, game, user.party)
            ids = {row.bot_id for row in page.rows}
            files = {form: _page_url(f"ladders.ladder_{form}", state, window) for form in ("csv", "json")}
            return _leaderboard(
                game,
                seats,
                live_s=LIVE_S,
                table=ladders.board_table(page, **files),
                seasons=season_pages.season_list(db, state.id, game, seats),
                provisional_matches=ladders.PROVISIONAL_MATCHES,
                ladder=state,
                columns=_page_url("ladders.ladder", state, window, columns=None if columns else "all"),
                hidden=() if columns else ladders.MORE_COLUMNS,
                first=window == ladders.FIRST_PAGE,
                above=_page_url("ladders.ladder", state, page.above, columns=columns),
                below=_page_url("ladders.ladder", state, page.below, columns=columns),
                mine=[
                    (row, "" if row.bot_id in ids else _page_url("ladders.ladder", state, row.window))
                    for row in own_entries
                ],
                mine_ids={row.bot_id for row in own_entries},
            )

        return cached_page(_cache_key(state), render)


def _leaderboard(game: str, seats: int, **values: Any) -> str:
    return render_template("ladders/leaderboard.html", game=game, seats=seats, sizes=ladders.SEATS, **values)


def _page_url(endpoint: str, state: ladders.LadderState, window: ladders.Window | None, **query: Any) -> str | None:
    if window is None:
        return None
    if window.key is not None:
        query["before" if window.upwards else "after"] = window.key.text
    return url_for(endpoint, game=state.game, seats=state.seats, **query)


def _cache_key(state: ladders.LadderState) -> str:
    return f"{state.id} {state.revision}"


@pages.get("/ladders/<game>.json")
def ladder_json(game: str) -> Response:
    """Return a page of a ladder's rows and the URL of the next page; 304 if nothing has changed."""
    seats, window = serving.ladder_seats(game), _window()
    with reading() as db:
        state = serving.row_or_404(ladders.ladder_state(db, game, seats))

        def render() -> str:
            return b"".join(_table(db, state, window).pieces(Format.JSON)).decode()

        return cached_page(_cache_key(state), render, mimetype="application/json", personal=False)


@pages.get("/ladders/<game>.csv")
def ladder_csv(game: str) -> Response:
    """Return a page of a ladder's rows as CSV."""
    seats, window = serving.ladder_seats(game), _window()
    with reading() as db:
        state = serving.row_or_404(ladders.ladder_state(db, game, seats))
        return serving.table_file(_table(db, state, window), Format.CSV, f"{game}-{seats}-ladder")


def _table(db: Session, state: ladders.LadderState, window: ladders.Window) -> tables.TableData:
    page = ladders.ladder_page(db, state, window)
    return ladders.board_table(page, next_page(after=page.next_key))


def _window() -> ladders.Window:
    keys = {name: request.args[name] for name in ("after", "before") if name in request.args}
    if len(keys) > 1:
        abort(400, "use either after or before, not both")
    for name, key in keys.items():
        try:
            return ladders.Window(ladders.read_key(key), upwards=name == "before")
        except ValueError:
            abort(400, f"{name} must be RATING:NUMBER, as in the links on the page, not {shown(key, limit=40)!r}")
    return ladders.FIRST_PAGE


# Days: the commitment and its time, the matches whose dice follow from the secret, and the secret once it is public.

_DAYS_LISTED = 30


def _days_page(game: str, seats: int, before: int | None) -> str:
    with reading() as db:
        days = ladders.days_of(
            db, serving.row_or_404(ladders.ladder_of(db, game, seats)), _DAYS_LISTED + 1, before=before
        )
    files = tables.file_urls("exports.ladder_table", game=game, seats=seats, what="days")
    table = ladders.DAY_LINES.of(days[:_DAYS_LISTED], **files)
    older = read_day(days[_DAYS_LISTED - 1].day) if len(days) > _DAYS_LISTED else None
    return _leaderboard(game, seats, days=True, table=table, older=older)


# Seasons: the final standings of each season.


def _season_page(game: str, seats: int, number: int) -> str:
    with reading() as db:
        ladder, season, placed = _season(db, game, seats, number)
        detail = season_pages.season_detail(db, ladder, season, placed)
        table = season_pages.season_table(ladder, season, placed)
    return _leaderboard(game, seats, season=detail, table=table)


@pages.get("/ladders/<game>/<number:seats>/seasons/<number:number>.<any(csv,json):form>")
def season_file(game: str, seats: int, number: int, form: str) -> Response:
    """Return a season as a file: JSON in the API's format, or the standings as CSV."""
    with reading() as db:
        ladder, season, placed = _season(db, game, seats, number)
        if form == Format.CSV:
            table = season_pages.season_table(ladder, season, placed)
            return serving.table_file(table, Format.CSV, f"{game}-{seats}-season-{number}")
        return serving.document("ladder-season", season_pages.season_detail(db, ladder, season, placed))


def _season(db: Session, game: str, seats: int, number: int) -> tuple[Tournament, Season, list[season_pages.SeasonRow]]:
    ladder = ladders.get_ladder(db, game, seats)
    season = season_pages.get_season(db, ladder, number)
    return ladder, season, season_pages.season_rows(db, season)


# Games to watch, and a ladder's finished matches as a file.


@pages.get("/<game:game>/watch")
@pages.get("/<game:game>/watch/live", endpoint="watch_live")
def watch(game: str) -> Response:
    """Show the running game, three records, and a ladder's latest finished matches."""
    seats, before = serving.ladder_seats(game), serving.requested_before()
    parameters: dict[str, Any] = {"game": game, "seats": seats}
    with reading() as db:
        channel = channels.ladders_channel(db, game)
        state = serving.row_or_404(ladders.ladder_state(db, game, seats))
        listed = match_lists.latest_of_tournament(db, state.id, _PAGE_MATCHES, before=before)
        records = hall_of_fame.game_records(db, game)
    files = tables.file_urls("ladders.matches_file", **parameters)
    markup = render_template(
        "ladders/watch.html",
        live_s=WATCH_LIVE_S,
        live_for_all=True,
        sizes=ladders.SEATS,
        records=records,
        titles=hall_of_fame.TITLES,
        table=match_lists.MATCH_LINES.of(listed.rows, match_lists.LIST_CAPTION, **files),
        older=None if listed.next_key is None else url_for("ladders.watch", before=listed.next_key, **parameters),
        **tv.playing_values(channel),
        **parameters,
    )
    return serving.page_or_part(markup, for_all=True)


@pages.get("/ladders/<game>/matches.<any(csv,json):form>")
def matches_file(game: str, form: str) -> Response:
    """Return a page of a ladder's finished matches as a file."""
    seats, before = serving.ladder_seats(game), serving.requested_before()
    with reading() as db:
        state = serving.row_or_404(ladders.ladder_state(db, game, seats))
        listed = match_lists.matches_of_ladder(db, state.id, match_lists.PAGE_SIZE, before=before)
    table = match_lists.matches_table(listed.rows, next_page(before=listed.next_key))
    return serving.table_file(table, Format(form), f"{game}-{seats}-matches")
