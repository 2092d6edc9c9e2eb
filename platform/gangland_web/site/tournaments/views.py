"""Pages of tournaments: all of them, one of them, its matches, and entering."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response

from gangland_ladder.tournaments.deadlines import DueMove, next_deadline
from gangland_ladder.tournaments.lifecycle import State, Viewer, may_enter, versions_are_pinned
from gangland_web.core.table_formats import Form
from gangland_web.core.text import whole_number
from gangland_web.http.sessions import database, is_mine, reading, sign_in_first, visitor
from gangland_web.league.tournaments.final import OVER, kept_standings
from gangland_web.league.tournaments.public_values import announced_for
from gangland_web.league.tournaments.running import EntryRefused, deadlines_of, enter_bot, leave
from gangland_web.resources.tournaments.board import Board, board
from gangland_web.resources.tournaments.cross import Cell, cross_table, crossed, progress_of
from gangland_web.resources.tournaments.documents import told_list, told_whole
from gangland_web.resources.tournaments.figures import (
    amendments_sheet,
    cross_sheet,
    entries_sheet,
    list_sheet,
    progress_picture,
    progress_sheet,
    schedule_sheet,
    so_far_sheet,
)
from gangland_web.resources.tournaments.queries import (
    Amendment,
    Part,
    amendments_of,
    bots_to_enter,
    entrants_of,
    listed,
    pinned_of,
    tables_of,
)
from gangland_web.resources.tournaments.so_far import SoFar, so_far
from gangland_web.resources.visibility.tournaments import (
    is_public,
    is_seen,
    over_told,
    results_come_at_once,
    results_seen,
    shown_secret,
    viewer_of,
)
from gangland_web.site.markup import is_part
from gangland_web.site.responses import page_or_part, part, sheet_file, twin
from gangland_web.store.columns import stored
from gangland_web.store.models.bots import Bot
from gangland_web.store.models.tournaments import Tournament

pages = Blueprint("tournaments", __name__)
pages.add_app_template_filter(over_told)

LISTED = 50
TABLES = 100
LIVE_S, LIST_LIVE_S, SETTLED_LIVE_S = 2, 5, 10
"""How often an open page asks for what is new: before the final standings are there, and after; lists of them."""
CODE_CHARS = 100


@dataclass(frozen=True, slots=True)
class Whole:
    """All that a tournament's page shows; results only where the visitor may see them."""

    tournament: Tournament
    state: State
    next_move: DueMove | None
    shown: bool
    parts: tuple[Part, ...]
    board: Board | None = None
    standings: dict[str, Any] | None = None
    cross: dict[int, dict[int, Cell]] = field(default_factory=dict)
    progress: tuple[tuple[float, int], ...] = ()
    amendments: tuple[Amendment, ...] = ()
    so_far: tuple[SoFar, ...] = ()
    has_cross: bool = False

    @property
    def is_settled(self) -> bool:
        """Whether all that is left to change is what an organiser changes."""
        return self.state is State.CANCELLED or (self.board is not None and self.state is State.REVEALED)

    @property
    def pinned(self) -> bool:
        """Whether the parts are frozen entries."""
        return versions_are_pinned(self.state) or bool(self.tournament.roster_digest)


@pages.get("/tournaments")
@pages.get("/tournaments/live", endpoint="index_live")
def index() -> Response:
    """List the tournaments."""
    found, more = _listed()
    before = asked_number("before")
    return page_or_part(
        render_template("tournaments.html", tournaments=found, more=more, before=before, live_s=LIST_LIVE_S)
    )


@pages.get("/tournaments.json")
def index_json() -> Response:
    """Return the list of tournaments; 304 when nothing has changed."""
    found, more = _listed()
    return twin(told_list(found, more))


@pages.get("/tournaments.csv")
def index_csv() -> Response:
    """Return the list of tournaments for a spreadsheet."""
    return sheet_file(list_sheet(_listed()[0]), Form.CSV, "tournaments")


@pages.get("/tournaments/<number:tournament_id>")
def tournament(tournament_id: int) -> str:
    """Show a tournament: its state, rules, entries, matches and standings."""
    return _page(tournament_id)


@pages.get("/tournaments/<number:tournament_id>.json")
def tournament_json(tournament_id: int) -> Response:
    """Return what the page shows; 304 when nothing has changed."""
    with reading() as db:
        whole = whole_of(db, found_tournament(db, tournament_id))
    return twin(told_whole(whole))


@pages.get("/tournaments/<number:tournament_id>/matches")
@pages.get("/tournaments/<number:tournament_id>/matches/live", endpoint="matches_live")
def matches(tournament_id: int) -> Response:
    """List the matches in order of their numbers, those of one entry if asked for."""
    after, entry = asked_number("after") or 0, asked_number("entry")
    with reading() as db:
        found = found_tournament(db, tournament_id)
        tables = tables_of(db, found, TABLES + 1, after=after, entry=entry)
        shown = results_seen(found)
    markup = render_template(
        "tournament_matches.html",
        live_s=LIST_LIVE_S,
        tournament=found,
        shown=shown,
        tables=tables[:TABLES],
        sheet=schedule_sheet(found, tables[:TABLES], results=shown, after=after or None, entry=entry),
        more=tables[TABLES - 1].number if len(tables) > TABLES else None,
        after=after,
        entry=entry,
    )
    return page_or_part(markup)


@pages.post("/tournaments/<number:tournament_id>/enter")
@sign_in_first
def enter(tournament_id: int) -> Response | tuple[str, int]:
    """Enter a bot of the visitor's."""
    code = request.form.get("join_code", "")[:CODE_CHARS]
    try:
        with database().write() as db:
            found = found_tournament(db, tournament_id)
            bot = _own_bot(db)
            enter_bot(db, found, bot, code)
    except EntryRefused as refused:
        return _page(tournament_id, str(refused)), 422
    flash(f"{bot.name} is entered.")
    return redirect(url_for("tournaments.tournament", tournament_id=tournament_id), 303)


@pages.post("/tournaments/<number:tournament_id>/leave")
@sign_in_first
def leave_again(tournament_id: int) -> Response | tuple[str, int]:
    """Take a bot of the visitor's out again."""
    try:
        with database().write() as db:
            found = found_tournament(db, tournament_id)
            bot = _own_bot(db)
            left = leave(db, found, bot)
    except EntryRefused as refused:
        return _page(tournament_id, str(refused)), 422
    flash(f"{bot.name} is withdrawn." if left else f"{bot.name} was not entered.")
    return redirect(url_for("tournaments.tournament", tournament_id=tournament_id), 303)


def _listed() -> tuple[list[Tournament], int | None]:
    """Return tournaments, and before which the next page begins."""
    who = visitor()
    with reading() as db:
        organiser = who.id if who is not None and who.organises else None
        found = listed(db, organiser, LISTED + 1, admin=bool(who and who.is_admin), before=asked_number("before"))
        more = stored(found[LISTED - 1].id) if len(found) > LISTED else None
        return found[:LISTED], more


@pages.get("/tournaments/<number:tournament_id>/live")
def live(tournament_id: int) -> Response:
    """Return the page's content, the same for everybody but its organiser; 304 when nothing has changed."""
    with reading() as db:
        found = found_tournament(db, tournament_id)
    return part(_page(tournament_id), for_all=_is_for_all(found))


def _is_for_all(tournament: Tournament) -> bool:
    """Tell whether whoever looks sees what everybody sees, but for which bots are theirs."""
    return is_public(tournament) and viewer_of(tournament) is Viewer.PUBLIC


def _page(tournament_id: int, problem: str = "") -> str:
    who = visitor()
    with reading() as db:
        found = found_tournament(db, tournament_id)
        whole = whole_of(db, found)
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
        live_s=SETTLED_LIVE_S if whole.is_settled else LIVE_S,
        live_for_all=for_all,
        mine_bots=[part.bot_id for part in whole.parts if who is not None and is_mine(part)],
        so_far_sheet=so_far_sheet(found, whole.so_far),
        entered=entries_sheet(found, whole.parts, results=whole.shown),
        amended=amendments_sheet(found, whole.amendments),
        randomness=announced_for(found),
        met=cross_sheet(found, whole.parts, whole.cross),
        pace={"sheet": progress_sheet(found, whole.progress), "picture": progress_picture(found, whole.progress)},
        mine=mine,
        problem=problem,
        is_mine=lambda part: who is not None and is_mine(part),
    )


def found_tournament(db: Session, tournament_id: int) -> Tournament:
    """Return a tournament that whoever looks may know of; ends in 404 without it."""
    found = db.get(Tournament, tournament_id)
    if found is None or found.kind != "tournament" or not is_seen(found):
        abort(404)
    return found


def whole_of(db: Session, found: Tournament) -> Whole:
    """Return all that a tournament's page shows to whoever looks."""
    state, number = State(found.state), stored(found.id)
    parts = pinned_of(db, found) or entrants_of(db, found)
    shown, at_once, goes_on = results_seen(found), results_come_at_once(found), state is not State.CANCELLED
    standings = kept_standings(db, number) if shown and found.state in OVER else None
    ranked = board(standings, parts) if standings else None
    if ranked is not None:  # who is ahead stands first in the cross table too, who is disqualified last
        ahead = [row.part for row in ranked.rows]
        parts = [*ahead, *(part for part in parts if part not in ahead)]
    return Whole(
        tournament=found,
        state=state,
        next_move=next_deadline(state, deadlines_of(found)),
        shown=shown,
        parts=tuple(parts),
        board=ranked,
        standings=standings,
        cross=cross_table(db, found) if shown and crossed(found, len(parts)) else {},
        amendments=tuple(amendments_of(db, found)) if shown and found.announced_at is not None else (),
        progress=tuple(progress_of(db, found)) if shown and found.matches_over else (),
        so_far=so_far(db, found, parts, shown=shown) if ranked is None and at_once and goes_on else (),
        has_cross=at_once and (goes_on or bool(found.matches_over)) and crossed(found, len(parts)),
    )


def _own_bot(db: Session) -> Bot:
    """Return the bot that a form names, if it is the visitor's.  Raises EntryRefused."""
    given = whole_number(request.form.get("bot"))
    bot = None if given is None else db.get(Bot, given)
    if bot is None or not is_mine(bot):
        raise EntryRefused("choose one of your own bots")
    return bot


def asked_number(name: str) -> int | None:
    """Return a number from the address, None if there is none; anything else is refused."""
    given = request.args.get(name)
    if given is None:
        return None
    number = whole_number(given)
    if number is None:
        abort(400, f"{name} must be a whole number of at most nine digits")
    return number
