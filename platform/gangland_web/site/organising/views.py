"""The organiser's console: tournaments from the first draft to the printed standings."""

from __future__ import annotations

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from sqlmodel import select
from werkzeug.wrappers import Response

from gangland_ladder.proof.randomness import VALUE_CHARS
from gangland_ladder.tournaments.lifecycle import State
from gangland_web.core.table_formats import Form
from gangland_web.core.text import whole_number
from gangland_web.http.address import printed
from gangland_web.http.sessions import database, reading, signed_in
from gangland_web.league.organising.directives import give
from gangland_web.league.organising.entering import enter_for, take_out_for
from gangland_web.league.organising.forms import DEADLINES, read_moment
from gangland_web.league.organising.results import DirectiveRefused
from gangland_web.league.tournaments.running import EntryRefused
from gangland_web.league.tournaments.settle import SETTLE
from gangland_web.resources.organising.access import allowed
from gangland_web.resources.organising.participants import watched_in, watched_sheet
from gangland_web.resources.organising.queries import ordered_in, organised_by, stuck_in
from gangland_web.resources.organising.tables import ordered_sheet, organised_sheet, stuck_sheet
from gangland_web.site.organising.access import fresh_first, here, organiser_first
from gangland_web.site.organising.console import ORDERED, console_page, next_of
from gangland_web.site.organising.handout import WRONG_CODE, handout
from gangland_web.site.responses import part, sheet_file
from gangland_web.store.columns import stored
from gangland_web.store.models.matches import Match
from gangland_web.store.models.organising import DirectiveKind
from gangland_web.store.models.tournaments import Entry
from gangland_web.store.roles import Act

pages = Blueprint("organise", __name__, url_prefix="/organise")

LISTED = 50
Answer = str | Response | tuple[str, int]


@pages.get("")
@organiser_first
def index() -> str:
    """List the visitor's tournaments; an admin's are all."""
    who = signed_in()
    with reading() as db:
        found = organised_by(db, None if who.is_admin else who.id, LISTED + 1, before=_before())
    more = stored(found[LISTED - 1].tournament.id) if len(found) > LISTED else None
    return render_template("organise.html", found=found[:LISTED], more=more)


@pages.get("/tournaments.<any(csv,json):form>")
@organiser_first
def index_file(form: str) -> Response:
    """Hand out the list of the visitor's tournaments."""
    who = signed_in()
    with reading() as db:
        found = organised_by(db, None if who.is_admin else who.id, LISTED, before=_before())
    return sheet_file(organised_sheet(found), Form(form), "organised")


@pages.get("/<number:tournament_id>")
@organiser_first
def console(tournament_id: int) -> str:
    """Show all that can be done with a tournament, and what was ordered."""
    return console_page(tournament_id)


@pages.post("/<number:tournament_id>/move")
@fresh_first
def move(tournament_id: int) -> Answer:
    """Order a move of the lifecycle, or that the first places are settled."""
    _need(Act.MOVE_TOURNAMENT, tournament_id)
    state = request.form.get("state", "")
    if state not in {*State, SETTLE}:
        abort(422)
    return _order(tournament_id, Act.MOVE_TOURNAMENT, DirectiveKind.MOVE, state=state)


@pages.post("/<number:tournament_id>/deadline")
@fresh_first
def deadline(tournament_id: int) -> Answer:
    """Order a deadline to be moved, with a notice."""
    _need(Act.MOVE_DEADLINE, tournament_id)
    name = request.form.get("name", "")
    try:
        if name not in DEADLINES:
            raise ValueError("Choose one of the deadlines.")
        at = read_moment(request.form.get("at", "")[:40], request.form.get("zone", "UTC")[:60])
    except ValueError as mistake:
        return console_page(tournament_id, str(mistake)), 422
    return _order(tournament_id, Act.MOVE_DEADLINE, DirectiveKind.DEADLINE, name=name, at=at)


@pages.post("/<number:tournament_id>/randomness")
@fresh_first
def randomness(tournament_id: int) -> Answer:
    """Order the public value for the dice to be entered."""
    _need(Act.MOVE_TOURNAMENT, tournament_id)
    value = request.form.get("value", "")[: VALUE_CHARS + 1].strip()
    return _order(tournament_id, Act.MOVE_TOURNAMENT, DirectiveKind.RANDOMNESS, value=value)


@pages.post("/<number:tournament_id>/matches")
@fresh_first
def on_match(tournament_id: int) -> Answer:
    """Order a match to be played again, or to be taken out of the results."""
    _need(Act.VOID_MATCH, tournament_id)
    kind = {"rerun": DirectiveKind.RERUN, "void": DirectiveKind.VOID}.get(request.form.get("what", ""))
    if kind is None:
        abort(422)
    act = Act.RERUN_MATCH if kind is DirectiveKind.RERUN else Act.VOID_MATCH
    given = request.form.get("number", "")
    number = whole_number(given)
    with reading() as db:
        chosen = select(Match).where(Match.tournament_id == tournament_id, Match.number == number)
        match = None if number is None else db.exec(chosen).first()
    if match is None:
        return console_page(tournament_id, f"This tournament has no match {given[:20]!r}."), 422
    return _order(tournament_id, act, kind, match=match)


@pages.post("/<number:tournament_id>/enter")
@fresh_first
def enter(tournament_id: int) -> Answer:
    """Enter a bot of the house's or of somebody whose account the organiser made, or take one out again."""
    _need(Act.ENTER_FOR_OTHERS, tournament_id)
    number = whole_number(request.form.get("bot")) or 0
    try:
        with database().write() as db:
            found = allowed(db, Act.ENTER_FOR_OTHERS, tournament_id, signed_in())
            if request.form.get("what") == "out":
                told = f"{take_out_for(db, here(), found, number).name} is withdrawn."
            else:
                told = f"{enter_for(db, here(), found, number).name} is entered."
    except EntryRefused as refused:
        return console_page(tournament_id, _sentence(refused)), 422
    flash(told)
    return redirect(url_for("organise.console", tournament_id=tournament_id), 303)


def _sentence(refused: EntryRefused) -> str:
    text = str(refused)
    return f"{text[:1].upper()}{text[1:]}."


@pages.post("/<number:tournament_id>/sheet")
@organiser_first
def sheet(tournament_id: int) -> Answer:
    """Show a sheet to print with the tournament's address and its join code, which is checked and not kept."""
    with reading() as db:
        found = allowed(db, Act.SEE_STUCK_WORK, tournament_id, signed_in())
    way_in = printed("tournaments.tournament", tournament_id=tournament_id)
    made = handout(found.name, [found], way_in, url_for("organise.console", tournament_id=tournament_id))
    return made or (console_page(tournament_id, WRONG_CODE), 422)


@pages.post("/<number:tournament_id>/disqualify")
@fresh_first
def disqualify(tournament_id: int) -> Answer:
    """Order a bot to be disqualified."""
    _need(Act.DISQUALIFY, tournament_id)
    number = whole_number(request.form.get("entry"))
    with reading() as db:
        entry = None if number is None else db.get(Entry, number)
    if entry is None or entry.tournament_id != tournament_id:
        return console_page(tournament_id, "Choose one of the bots that take part."), 422
    return _order(tournament_id, Act.DISQUALIFY, DirectiveKind.DISQUALIFY, entry=entry)


@pages.get("/<number:tournament_id>/live")
@organiser_first
def live(tournament_id: int) -> Response:
    """Return the part of the console that changes while orders are carried out and matches played."""
    with reading() as db:
        found = allowed(db, Act.SEE_STUCK_WORK, tournament_id, signed_in())
        return part(render_template("organise_next.html", **next_of(db, found)))


@pages.get("/<number:tournament_id>/people.<any(csv,json):form>")
@organiser_first
def people(tournament_id: int, form: str) -> Response:
    """Hand out who has a bot in, and who has not."""
    with reading() as db:
        found = allowed(db, Act.SEE_STUCK_WORK, tournament_id, signed_in())
        sheet = watched_sheet(watched_in(db, [found], found.organiser_id), "", "")
    return sheet_file(sheet, Form(form), f"people-{tournament_id}")


@pages.get("/<number:tournament_id>/<any(orders,stuck):what>.<any(csv,json):form>")
@organiser_first
def table(tournament_id: int, what: str, form: str) -> Response:
    """Hand out what was ordered in a tournament, or which of its matches are stuck."""
    with reading() as db:
        found = allowed(db, Act.SEE_STUCK_WORK, tournament_id, signed_in())
        orders = what == "orders"
        sheet = ordered_sheet(ordered_in(db, tournament_id, ORDERED)) if orders else stuck_sheet(stuck_in(db, found))
    return sheet_file(sheet, Form(form), f"{what}-{tournament_id}")


def _before() -> int | None:
    return whole_number(request.args.get("before"))


def _need(act: Act, tournament_id: int) -> None:
    """Turn away whoever may not do this, before anything that they sent is looked at."""
    with reading() as db:
        allowed(db, act, tournament_id, signed_in())


def _order(
    tournament_id: int,
    act: Act,
    kind: DirectiveKind,
    *,
    match: Match | None = None,
    entry: Entry | None = None,
    **details: object,
) -> Answer:
    """Write an order if the visitor may give it, and show the console again."""
    try:
        with database().write() as db:
            found = allowed(db, act, tournament_id, signed_in())
            give(db, here(), kind, found, match=match, entry=entry, reason=request.form.get("reason", ""), **details)
    except (DirectiveRefused, EntryRefused) as refused:
        return console_page(tournament_id, str(refused)), 422
    flash("The action is queued. It is carried out within seconds.")
    return redirect(url_for("organise.console", tournament_id=tournament_id), 303)
