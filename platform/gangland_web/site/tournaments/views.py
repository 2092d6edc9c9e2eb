"""Pages of tournaments: all of them, one of them, its matches, and entering."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response

from gangland_ladder.tournaments.lifecycle import Viewer, may_enter
from gangland_web.base.formats import Form
from gangland_web.base.text import sentence, whole_number
from gangland_web.models.bots import Bot
from gangland_web.models.columns import stored
from gangland_web.models.tournaments import Tournament
from gangland_web.queries.tables import TableData
from gangland_web.queries.tournament_pages import tournament_page
from gangland_web.queries.tournament_tables import (
    TOURNAMENT_LIST,
    amendments_table,
    cross_rows_table,
    entries_table,
    freeze_table,
    progress_picture,
    progress_table,
    schedule_table,
    so_far_table,
)
from gangland_web.queries.tournaments import (
    Tournaments,
    bots_to_enter,
    found_tournament,
    listed,
    tables_of,
    tournament_detail,
    tournament_list,
)
from gangland_web.queries.visibility import (
    is_announced,
    is_over_in_steps,
    results_visible,
    shown_over,
    shown_secret,
    viewer_of,
)
from gangland_web.services.ladder_days import announced_for
from gangland_web.services.matches import final_terms_of
from gangland_web.services.tournaments import JOIN_CODE_CHARS, EntryRefused, enter_bot, withdraw_bot
from gangland_web.site.markup import is_part
from gangland_web.site.requested import requested_number
from gangland_web.site.responses import document, page_or_part, part, table_file
from gangland_web.web.address import next_page
from gangland_web.web.sessions import current_user, database, is_mine, reading, sign_in_first, visitor

pages = Blueprint("tournaments", __name__)

LISTED = 50
TABLES = 100
LIVE_S, LIST_LIVE_S, SETTLED_LIVE_S = 2, 5, 10
"""How often an open page asks for what is new: before the final standings are there, and after; lists of them."""


@pages.app_template_filter("over_in_steps")
def _over_in_steps(tournament: Tournament) -> bool:
    return is_over_in_steps(tournament, current_user())


@pages.app_template_filter("shown_over")
def _shown_over(tournament: Tournament) -> int:
    return shown_over(tournament, current_user())


@pages.get("/tournaments")
@pages.get("/tournaments/live", endpoint="index_live")
def index() -> Response:
    """List the tournaments."""
    before = requested_number("before")
    return page_or_part(render_template("tournaments.html", listed=_list(), before=before, live_s=LIST_LIVE_S))


@pages.get("/tournaments.json")
def index_json() -> Response:
    """Return the list of tournaments; 304 when nothing has changed."""
    return document("tournament-list", _list())


@pages.get("/tournaments.csv")
def index_csv() -> Response:
    """Return the list of tournaments for a spreadsheet."""
    table = TableData("tournament-list-rows", "Newest first", TOURNAMENT_LIST, _list().tournaments)
    return table_file(table, Form.CSV, "tournaments")


def _list() -> Tournaments:
    with reading() as db:
        found = listed(db, current_user(), LISTED + 1, before=requested_number("before"))
        more = stored(found[LISTED - 1].id) if len(found) > LISTED else None
        return tournament_list(found[:LISTED], current_user(), next_page(before=more))


@pages.get("/tournaments/<number:tournament_id>")
def tournament(tournament_id: int) -> str:
    """Show a tournament: its state, rules, entries, matches and standings."""
    return _page(tournament_id)


@pages.get("/tournaments/<number:tournament_id>.json")
def tournament_json(tournament_id: int) -> Response:
    """Return the tournament as the API does; 304 when nothing has changed."""
    with reading() as db:
        found = found_tournament(db, tournament_id, current_user())
        return document("tournament-page", tournament_detail(db, found, current_user()))


@pages.get("/tournaments/<number:tournament_id>/matches")
@pages.get("/tournaments/<number:tournament_id>/matches/live", endpoint="matches_live")
def matches(tournament_id: int) -> Response:
    """List the matches in order of their numbers, those of one entry if asked for."""
    after, entry = requested_number("after") or 0, requested_number("entry")
    with reading() as db:
        found = found_tournament(db, tournament_id, current_user())
        tables = tables_of(db, found, current_user(), TABLES + 1, after=after, entry=entry)
        shown = results_visible(found, current_user())
    markup = render_template(
        "tournament_matches.html",
        live_s=LIST_LIVE_S,
        tournament=found,
        shown=shown,
        tables=tables[:TABLES],
        table=schedule_table(found, tables[:TABLES], results=shown, beyond=None, after=after or None, entry=entry),
        more=tables[TABLES - 1].number if len(tables) > TABLES else None,
        after=after,
        entry=entry,
    )
    return page_or_part(markup)


@pages.post("/tournaments/<number:tournament_id>/enter")
@sign_in_first
def enter(tournament_id: int) -> Response:
    """Enter a bot of the visitor's."""
    code = request.form.get("join_code", "")[:JOIN_CODE_CHARS]
    with database().write() as db:
        found = found_tournament(db, tournament_id, current_user())
        bot = own_bot(db, request.form.get("bot"))
        enter_bot(db, found, bot, code)
    flash(f"{bot.name} is entered.")
    return redirect(url_for("tournaments.tournament", tournament_id=tournament_id), 303)


@pages.post("/tournaments/<number:tournament_id>/leave")
@sign_in_first
def leave_again(tournament_id: int) -> Response:
    """Take a bot of the visitor's out again."""
    with database().write() as db:
        found = found_tournament(db, tournament_id, current_user())
        bot = own_bot(db, request.form.get("bot"))
        left = withdraw_bot(db, found, bot)
    flash(f"{bot.name} is withdrawn." if left else f"{bot.name} was not entered.")
    return redirect(url_for("tournaments.tournament", tournament_id=tournament_id), 303)


@pages.get("/tournaments/<number:tournament_id>/live")
def live(tournament_id: int) -> Response:
    """Return the page's content, the same for everybody but its organiser; 304 when nothing has changed."""
    with reading() as db:
        found = found_tournament(db, tournament_id, current_user())
    return part(_page(tournament_id), for_all=_is_for_all(found))


def _is_for_all(tournament: Tournament) -> bool:
    """Tell whether whoever looks sees what everybody sees, but for which bots are theirs."""
    return is_announced(tournament) and viewer_of(tournament, current_user()) is Viewer.PUBLIC


def _page(tournament_id: int, problem: str = "") -> str:
    who = visitor()
    with reading() as db:
        found = found_tournament(db, tournament_id, current_user())
        whole = tournament_page(db, found, who)
        for_all = _is_for_all(found)
        if for_all and is_part():
            who = None
        open_now = who is not None and may_enter(whole.state)
        mine = bots_to_enter(db, found, who.id) if who is not None and open_now else []
    return render_template(
        "tournament.html",
        whole=whole,
        visitor=who,
        secret=shown_secret(found),
        final_terms=final_terms_of(found),
        live_s=SETTLED_LIVE_S if whole.is_settled else LIVE_S,
        live_for_all=for_all,
        mine_bots=[part.bot_id for part in whole.parts if who is not None and is_mine(part)],
        so_far_table=so_far_table(found, whole.so_far),
        entered=entries_table(found, whole.parts, results=whole.shown),
        amended=amendments_table(found, whole.amendments),
        freeze=freeze_table(found, whole.left_out),
        randomness=announced_for(found),
        met=cross_rows_table(found, whole.parts, whole.cross),
        pace={"table": progress_table(found, whole.progress), "picture": progress_picture(found, whole.progress)},
        mine=mine,
        problem=problem,
        is_mine=lambda part: who is not None and is_mine(part),
    )


@pages.errorhandler(EntryRefused)
def refused(why: EntryRefused) -> tuple[str, int]:
    """Show the page of the tournament with why a bot cannot be entered or withdrawn."""
    return _page((request.view_args or {})["tournament_id"], sentence(str(why))), 422


def own_bot(db: Session, given: str | None) -> Bot:
    """Return the bot that a form names, if it is the visitor's.  Raises EntryRefused."""
    number = whole_number(given)
    bot = None if number is None else db.get(Bot, number)
    if bot is None or not is_mine(bot):
        raise EntryRefused("choose one of your own bots")
    return bot
