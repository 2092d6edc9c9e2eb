"""Pages of tournaments and events, their tables as files, and the forms to enter bots."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final
from urllib.parse import urlencode

from flask import Blueprint, abort, make_response, redirect, render_template, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response

from gangland_ladder.tournaments.lifecycle import State, Viewer, may_enter
from gangland_web.base.formats import GAME_TITLES, Format
from gangland_web.base.text import sentence, whole_number
from gangland_web.models.bots import Bot
from gangland_web.models.columns import row_id
from gangland_web.models.tournaments import Event, Tournament
from gangland_web.queries import standings, tournament_pages, tournament_tables, visibility
from gangland_web.queries import tournaments as tournament_queries
from gangland_web.queries.tables import TableData, file_urls
from gangland_web.queries.tournament_pages import TournamentPage
from gangland_web.services.entries import JOIN_CODE_CHARS, EntryRefused, enter_bot, withdraw_bot
from gangland_web.services.ladder_days import announcement_of
from gangland_web.services.matches import final_terms_of
from gangland_web.services.rules import rule_lines
from gangland_web.services.settling import ENDED_STATES
from gangland_web.site import serving
from gangland_web.site.rendering import is_part
from gangland_web.web.address import next_page
from gangland_web.web.caching import cached_page
from gangland_web.web.sessions import Visitor, current_user, database, is_own, reading, require_sign_in, visitor

pages = Blueprint("tournaments", __name__)


# Tournaments: the list, the page of a tournament, its matches, and entries.

LISTED = 50
_PAGE_SIZE = 100  # the number of matches on a page
# Seconds between two updates of an open page: before the final standings are known, after that, and for a list.
LIVE_S, LIST_LIVE_S, SETTLED_LIVE_S = 2, 5, 10


@pages.get("/tournaments")
@pages.get("/tournaments/live", endpoint="index_live")
def index() -> Response:
    """List events with their tournaments, then tournaments without an event."""
    before = serving.requested_number("before")
    with reading() as db:
        listed = _tournaments(db)
        events = tournament_queries.events_of(db, listed.tournaments)
    files = {form: url_for(f"tournaments.index_{form}", before=before) for form in ("csv", "json")}
    single = [tournament for tournament in listed.tournaments if tournament.event is None]
    table = tournament_tables.TOURNAMENT_LIST.of(single, "Newest first", **files)
    values = {"listed": listed, "events": events, "table": table, "live_s": LIST_LIVE_S}
    return serving.page_or_part(render_template("tournaments/tournaments.html", **values))


@pages.get("/tournaments.json")
def index_json() -> Response:
    """Return the list of tournaments; 304 if it has not changed."""
    with reading() as db:
        return serving.document("tournament-list", _tournaments(db))


@pages.get("/tournaments.csv")
def index_csv() -> Response:
    """Return the list of tournaments as CSV."""
    with reading() as db:
        listed = _tournaments(db).tournaments
    return serving.table_file(tournament_tables.TOURNAMENT_LIST.of(listed), Format.CSV, "tournaments")


def _tournaments(db: Session) -> tournament_queries.Tournaments:
    before = serving.requested_number("before")
    tournaments = tournament_queries.listed_tournaments(db, current_user(), LISTED + 1, before=before)
    more = row_id(tournaments[LISTED - 1].id) if len(tournaments) > LISTED else None
    return tournament_queries.tournament_list(tournaments[:LISTED], current_user(), next_page(before=more))


@pages.get("/tournaments/<number:tournament_id>")
@pages.get("/tournaments/<number:tournament_id>/live", endpoint="tournament_live")
def tournament(tournament_id: int) -> Response:
    """Show a tournament: its state, its rules, and the table that `?table=` selects from `TABLES`."""
    return _tournament_page(tournament_id)


@pages.get("/tournaments/<number:tournament_id>.json")
def tournament_json(tournament_id: int) -> Response:
    """Return the tournament in the API's format; 304 if it has not changed."""
    with reading() as db:
        tournament = tournament_queries.get_tournament(db, tournament_id, current_user())
        return serving.document("tournament-page", tournament_queries.tournament_detail(db, tournament, current_user()))


@pages.get("/tournaments/<number:tournament_id>/matches")
def matches(tournament_id: int) -> Response:
    """Redirect to the matches on the tournament's page."""
    with reading() as db:
        tournament_queries.get_tournament(db, tournament_id, current_user())
    query = urlencode(request.args.to_dict() | {"table": "matches"})
    return redirect(f"{url_for('tournaments.tournament', tournament_id=tournament_id)}?{query}", 301)


@pages.post("/tournaments/<number:tournament_id>/enter")
@require_sign_in
def enter(tournament_id: int) -> Response:
    """Enter one of the visitor's bots."""
    code = request.form.get("join_code", "")[:JOIN_CODE_CHARS]
    with database().write() as db:
        tournament = tournament_queries.get_tournament(db, tournament_id, current_user())
        bot = _own_bot(db, request.form.get("bot"))
        enter_bot(db, tournament, bot, code)
    message = f"{bot.name} has been entered."
    return serving.flash_redirect(message, "tournaments.tournament", tournament_id=tournament_id)


@pages.post("/tournaments/<number:tournament_id>/leave")
@require_sign_in
def withdraw(tournament_id: int) -> Response:
    """Withdraw one of the visitor's bots."""
    with database().write() as db:
        tournament = tournament_queries.get_tournament(db, tournament_id, current_user())
        bot = _own_bot(db, request.form.get("bot"))
        withdrawn = withdraw_bot(db, tournament, bot)
    message = f"{bot.name} has been withdrawn." if withdrawn else f"{bot.name} was not entered."
    return serving.flash_redirect(message, "tournaments.tournament", tournament_id=tournament_id)


def _is_for_all(tournament: Tournament) -> bool:
    return visibility.is_announced(tournament) and visibility.viewer_of(tournament, current_user()) is Viewer.PUBLIC


def _tournament_page(tournament_id: int, problem: str = "") -> Response:
    """Return a tournament's page, or only its live content, which is the same for all visitors except organizers."""
    user = visitor()
    with reading() as db:
        tournament = tournament_queries.get_tournament(db, tournament_id, current_user())
        event, of_event = None, [tournament]
        if tournament.event_id is not None:
            event, of_event = tournament_queries.visible_event(db, tournament.event_id, current_user())
        page = tournament_pages.tournament_page(db, tournament, user)
        for_all = all(map(_is_for_all, of_event))
        if for_all and is_part():
            user = None
        open_games = [_entry_form_values(db, tournament, user)] if may_enter(page.state) else []
        offered = _offered_tables(page)
        table = request.args.get("table", offered[0])
        if table not in TABLES:
            abort(400, f"table must be one of {', '.join(TABLES)}")
        table = table if table in offered else offered[0]
        values = _table_values(db, page, table)
    address = url_for("tournaments.tournament", tournament_id=tournament_id)
    markup = render_template(
        "tournaments/event.html",
        event=event,
        tabs_of_event=_tabs(event, of_event),
        tab=tournament_id,
        page=page,
        visitor=user,
        table=table,
        tables=[(name, TABLES[name], f"{address}?table={name}#{name}") for name in offered],
        secret=visibility.shown_secret(tournament),
        final_terms=final_terms_of(tournament),
        rules=rule_lines(tournament),
        live_s=SETTLED_LIVE_S if page.is_settled else LIVE_S,
        live_for_all=for_all,
        mine_bots=[part.bot_id for part in page.parts if user is not None and is_own(part)],
        amended=tournament_tables.amendments_table(tournament, page.amendments),
        randomness=announcement_of(tournament),
        open_games=open_games,
        problem=problem,
        is_own=lambda part: user is not None and is_own(part),
        organizes=user is not None and visibility.viewer_of(tournament, current_user()) is Viewer.ORGANIZER,
        **values,
    )
    return make_response(markup, 422) if problem else serving.page_or_part(markup, for_all=for_all)


# The table on a tournament's page: the available tables, and the contents of each.

# The values of `?table=`, with their titles.
TABLES: Final = {"standings": "Standings", "entries": "Entries", "cross": "Cross table", "matches": "Matches"}


def _offered_tables(page: TournamentPage) -> list[str]:
    """Return the tables that the visitor may choose from; the first one is the default."""
    is_offered = {
        "standings": page.board is not None or bool(page.interim),
        "entries": True,
        "cross": page.has_cross,
        "matches": bool(page.tournament.matches_planned),
    }
    return [name for name in TABLES if is_offered[name]]


def _table_values(db: Session, page: TournamentPage, table: str) -> dict[str, Any]:
    tournament, number = page.tournament, row_id(page.tournament.id)
    if table == "standings" and page.board is not None:
        return {
            "standings": standings.standings_table(page.board, number),
            "certainty": standings.certainty_table(page.board, number),
        }
    if table == "standings":
        return {"so_far": tournament_tables.interim_table(tournament, page.interim)}
    if table == "cross":
        cells = standings.cross_table(db, tournament) if page.shows_results else {}
        return {"cross": cells, "met": tournament_tables.cross_rows_table(tournament, page.parts, cells)}
    if table == "entries":
        no_results = () if page.is_pinned and page.shows_results else tournament_tables.RESULT_HEADINGS
        return {
            "entered": tournament_tables.entries_table(tournament, page.parts, results=page.shows_results),
            "freeze": tournament_tables.freeze_table(tournament, page.left_out),
            "not_yet": (*(() if page.is_pinned else tournament_tables.VERSION_HEADINGS), *no_results),
        }
    after, entry = serving.requested_number("after"), serving.requested_number("entry")
    rows = tournament_queries.schedule(db, tournament, current_user(), _PAGE_SIZE + 1, after=after or 0, entry=entry)
    return {
        "schedule": tournament_tables.schedule_lines(
            tournament, rows[:_PAGE_SIZE], results=page.shows_results, after=after or None, entry=entry
        ),
        "more": rows[_PAGE_SIZE - 1].number if len(rows) > _PAGE_SIZE else None,
        "after": after,
        "entry": entry,
        "shown": page.shows_results,
    }


@pages.errorhandler(EntryRefused)
def show_refusal(refusal: EntryRefused) -> Response:
    """Show the page of the tournament or event with the reason why an entry or withdrawal was refused."""
    address, problem = request.view_args or {}, sentence(str(refusal))
    if "event_id" in address:
        return serving.html_page("tournaments/event.html", 422, problem=problem, **_event_values(address["event_id"]))
    return _tournament_page(address["tournament_id"], problem)


def _own_bot(db: Session, text: str | None) -> Bot:
    """Return the bot selected in a form.  Raises EntryRefused: it is not the visitor's bot."""
    bot = db.get(Bot, whole_number(text) or 0)
    if bot is None or not is_own(bot):
        raise EntryRefused("choose one of your own bots")
    return bot


@pages.app_template_filter("over_in_steps")
def _over_in_steps(tournament: Tournament) -> bool:
    return visibility.is_count_rounded(tournament, current_user())


@pages.app_template_filter("shown_over")
def _shown_over(tournament: Tournament) -> int:
    return visibility.finished_matches(tournament, current_user())


@pages.get(
    f"/tournaments/<number:tournament_id>/<any({','.join(tournament_tables.TOURNAMENT_TABLES)}):what>.<any(csv,json):form>"
)
@serving.as_file("tournament-{tournament_id}-{what}")
def table(db: Session, tournament_id: int, what: str) -> TableData:
    """Return a table of a tournament's page as a file."""
    tournament = tournament_queries.get_tournament(db, tournament_id, current_user())
    if what != "schedule":
        return tournament_tables.tournament_table(db, tournament, what, current_user())
    after, entry = serving.requested_number("after"), serving.requested_number("entry")
    tables = tournament_queries.schedule(db, tournament, current_user(), _PAGE_SIZE + 1, after=after or 0, entry=entry)
    next_url = next_page(after=tables[_PAGE_SIZE - 1].number if len(tables) > _PAGE_SIZE else None)
    results = visibility.results_visible(tournament, current_user())
    return tournament_tables.schedule_table(
        tournament, tables[:_PAGE_SIZE], results=results, next_url=next_url, after=after, entry=entry
    )


# Events: tournaments that belong together, one form to enter all of them, and a ranking over all games.


@pages.get("/events/<number:event_id>")
@pages.get("/events/<number:event_id>/live", endpoint="event_live")
def event(event_id: int) -> Response:
    """Show an event: its tournaments, the form to enter bots, and the winners."""
    values = _event_values(event_id)
    return cached_page(repr(values), lambda: render_template("tournaments/event.html", **values))


@pages.get("/events/<number:event_id>/ranking")
def class_ranking(event_id: int) -> str:
    """Show a printable ranking of the class over all finished games, without house bots."""
    with reading() as db:
        event, tournaments, ranked = _ranking(db, event_id)
        of_event = tournament_queries.visible_event(db, event_id, current_user())[1]
    return render_template(
        "tournaments/event.html",
        event=event,
        tabs_of_event=_tabs(event, of_event),
        tab="ranking",
        tournaments=tournaments,
        ranked=ranked,
        waits=[tournament for tournament in of_event if tournament not in tournaments],
        **file_urls("tournaments.class_ranking_file", event_id=event_id),
    )


def event_tabs(
    event: Event | None, tournaments: Sequence[Tournament], all_games: str, one_game: str
) -> list[tuple[str | int, str, str]]:
    """Return the name, title and URL of each tab of an event's page or console; empty without an event.

    `all_games` and `one_game` are the endpoints for the event and for one of its tournaments.
    """
    if event is None:
        return []
    games = [tournament.game for tournament in tournaments]
    tabs: list[tuple[str | int, str, str]] = [("event", "All games", url_for(all_games, event_id=event.id))]
    for tournament in tournaments:
        title = GAME_TITLES[tournament.game] if games.count(tournament.game) == 1 else tournament.name
        tabs.append((row_id(tournament.id), title, url_for(one_game, tournament_id=tournament.id)))
    return tabs


def _tabs(event: Event | None, tournaments: Sequence[Tournament]) -> list[tuple[str | int, str, str]]:
    tabs = event_tabs(event, tournaments, "tournaments.event", "tournaments.tournament")
    if event is not None and any(
        item.state in ENDED_STATES and visibility.results_visible(item, current_user()) for item in tournaments
    ):
        tabs.append(("ranking", "Ranking", url_for("tournaments.class_ranking", event_id=event.id)))
    return tabs


@pages.get("/events/<number:event_id>/ranking.<any(csv,json):form>")
@serving.as_file("event-{event_id}-ranking")
def class_ranking_file(db: Session, event_id: int) -> TableData:
    """Return the class ranking as a file."""
    _, tournaments, ranked = _ranking(db, event_id)
    return tournament_tables.ranking_table(
        ranked, [(row_id(tournament.id), tournament.game) for tournament in tournaments]
    )


def _ranking(db: Session, event_id: int) -> tuple[Event, list[Tournament], list[tournament_tables.RankingLine]]:
    """Return an event, its tournaments with visible results, and the ranking over these."""
    event, tournaments = tournament_queries.visible_event(db, event_id, current_user())
    over, games = [], []
    for tournament in tournaments:
        final = standings.visible_standings(db, tournament, current_user())
        if final is not None:
            over.append(tournament)
            games.append(tournament_tables.FinishedGame(tournament_queries.frozen_parts(db, tournament), final["rows"]))
    return event, over, tournament_tables.ranking(games)


@pages.post("/events/<number:event_id>/enter")
@require_sign_in
def enter_event(event_id: int) -> Response:
    """Enter the chosen bots of the visitor in the tournaments of an event, either all or none."""
    code, entered = request.form.get("join_code", "")[:JOIN_CODE_CHARS], []
    with database().write() as db:
        for tournament in tournament_queries.visible_event(db, event_id, current_user())[1]:
            text = request.form.get(f"bot{tournament.id}")
            bot = _own_bot(db, text) if text else None
            if bot is not None and may_enter(State(tournament.state)):
                enter_bot(db, tournament, bot, code)
                entered.append(bot.name)
        if not entered:
            raise EntryRefused("choose a bot for at least one of the games")
    return serving.flash_redirect(sentence(f"Entered: {', '.join(entered)}"), "tournaments.event", event_id=event_id)


def _event_values(event_id: int) -> dict[str, Any]:
    """Return the contents of an event's page; its ETag depends on nothing else."""
    with reading() as db:
        event, tournaments = tournament_queries.visible_event(db, event_id, current_user())
        games = [_game_values(db, tournament) for tournament in tournaments]
    tabs = _tabs(event, tournaments)
    return {
        "event": event,
        "tabs_of_event": tabs,
        "titles": {name: title for name, title, _ in tabs},
        "tab": "event",
        "games": games,
        "open_games": [game for game in games if may_enter(game["tournament"].state)],
        "organizes": all(visibility.viewer_of(each, current_user()) is Viewer.ORGANIZER for each in tournaments),
        "live_s": LIVE_S,
    }


def _game_values(db: Session, tournament: Tournament) -> dict[str, Any]:
    parts = tournament_queries.parts_of(db, tournament)
    final = standings.visible_standings(db, tournament, current_user())
    board = standings.board(final, parts) if final else None
    return {
        **_entry_form_values(db, tournament, visitor()),
        "finished_at": tournament.finished_at,
        "parts": parts if board else [replace(part, entry=None) for part in parts],
        "board": board,
    }


def _entry_form_values(db: Session, tournament: Tournament, user: Visitor | None) -> dict[str, Any]:
    """Return a tournament for the entry form, with the visitor's bots that may enter it and whether they have."""
    may_choose = user is not None and may_enter(State(tournament.state))
    return {
        "tournament": tournament_queries.tournament_summary(tournament, current_user()),
        "mine": tournament_queries.bots_to_enter(db, tournament, user.id) if user is not None and may_choose else [],
        "editor_only": tournament.browser_only,
        "asks_code": tournament.entry_rule == "code",
    }
