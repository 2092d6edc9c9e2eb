"""The organiser's console: tournaments from the first draft to the printed standings."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from sqlmodel import Session, select
from werkzeug.wrappers import Response

from gangland_ladder.proof.randomness import VALUE_CHARS
from gangland_ladder.tournaments.lifecycle import State
from gangland_web.base.text import sentence, whole_number
from gangland_web.models.accounts import Act
from gangland_web.models.matches import Match
from gangland_web.models.tournaments import DirectiveKind, Entry
from gangland_web.queries.organising import (
    ORDERED,
    ORGANISED,
    STUCK,
    allowed,
    ordered_in,
    organised_by,
    stuck_in,
    watched_in,
    watched_table,
)
from gangland_web.queries.tables import TableData
from gangland_web.services.corrections import DirectiveRefused
from gangland_web.services.final_tables import PREMIERE
from gangland_web.services.ladder_days import announced_for
from gangland_web.services.organising import enter_for, give_directive, set_browser_only, withdraw_for
from gangland_web.services.rules import DEADLINES, read_moment
from gangland_web.services.settling import SETTLE
from gangland_web.services.tournaments import EntryRefused
from gangland_web.site.guards import fresh_first, here, organiser_first
from gangland_web.site.organising.console import LATEST_ORDERS, console_page, refused_page
from gangland_web.site.organising.handout import WRONG_CODE, handout
from gangland_web.site.responses import as_file
from gangland_web.web.address import printed
from gangland_web.web.sessions import database, reading, signed_in

pages = Blueprint("organise", __name__, url_prefix="/organise")
pages.register_error_handler(DirectiveRefused, refused_page)

LISTED = 50
Given = tuple[DirectiveKind, dict[str, Any]]
"""An order: its kind and its details."""


@pages.get("")
@organiser_first
def index() -> str:
    """List the visitor's tournaments; an admin's are all."""
    who = signed_in()
    with reading() as db:
        found = organised_by(db, who, who, LISTED + 1, before=_before())
    more = found[LISTED - 1].id if len(found) > LISTED else None
    return render_template("organise.html", found=found[:LISTED], more=more)


@pages.get("/tournaments.<any(csv,json):form>")
@organiser_first
@as_file("organised")
def index_file(db: Session) -> TableData:
    """Hand out the list of the visitor's tournaments."""
    who = signed_in()
    rows = organised_by(db, who, who, LISTED, before=_before())
    return TableData("organised-list", "Newest first", ORGANISED, rows)


@pages.get("/<number:tournament_id>")
@pages.get("/<number:tournament_id>/live", endpoint="live")
@organiser_first
def console(tournament_id: int) -> Response:
    """Show all that can be done with a tournament, and what was ordered."""
    return console_page(tournament_id)


def ordering(act: Act) -> Callable[[Callable[[int], Given]], Callable[..., Response]]:
    """Have the order that a view returns written, and the console shown again.

    Whoever may not give it is turned away before anything that they sent is read.
    """

    def decorated(view: Callable[[int], Given]) -> Callable[..., Response]:
        @fresh_first
        @wraps(view)
        def order(tournament_id: int) -> Response:
            with reading() as db:
                allowed(db, act, tournament_id, signed_in())
            kind, details = view(tournament_id)
            with database().write() as db:
                found = allowed(db, act, tournament_id, signed_in())
                give_directive(db, here(), kind, found, reason=request.form.get("reason", ""), **details)
            flash("Action sent. This page shows when it is carried out.")
            return redirect(url_for("organise.console", tournament_id=tournament_id), 303)

        return order

    return decorated


@pages.post("/<number:tournament_id>/move")
@ordering(Act.MOVE_TOURNAMENT)
def move(_tournament_id: int) -> Given:
    """Order a move of the lifecycle, that the first places are settled, or the next step of a premiere."""
    state = request.form.get("state", "")
    if state == PREMIERE:
        after = whole_number(request.form.get("after"))
        if after is None:
            abort(422)
        return DirectiveKind.MOVE, {"state": state, "after": after}
    if state not in {*State, SETTLE}:
        abort(422)
    wait = {"wait": True} if state == State.FROZEN and request.form.get("wait") else {}
    return DirectiveKind.MOVE, {"state": state, **wait}


@pages.post("/<number:tournament_id>/deadline")
@ordering(Act.MOVE_DEADLINE)
def deadline(_tournament_id: int) -> Given:
    """Order a deadline to be moved, with a notice."""
    name = request.form.get("name", "")
    if name not in DEADLINES:
        raise DirectiveRefused("Choose one of the deadlines.")
    try:
        at = read_moment(request.form.get("at", "")[:40], request.form.get("zone", "UTC")[:60])
    except ValueError as mistake:
        raise DirectiveRefused(str(mistake)) from mistake
    return DirectiveKind.DEADLINE, {"name": name, "at": at}


@pages.post("/<number:tournament_id>/randomness")
@ordering(Act.MOVE_TOURNAMENT)
def randomness(tournament_id: int) -> Given:
    """Order the public value for the dice to be entered."""
    typed = request.form.get("value", "")[: VALUE_CHARS + 1].strip()
    with reading() as db:
        announced = announced_for(allowed(db, Act.MOVE_TOURNAMENT, tournament_id, signed_in()))
    try:
        return DirectiveKind.RANDOMNESS, {"value": announced.read(typed) if announced is not None else typed}
    except ValueError as mistake:
        raise DirectiveRefused(str(mistake)) from mistake


@pages.post("/<number:tournament_id>/matches")
@ordering(Act.VOID_MATCH)
def on_match(tournament_id: int) -> Given:
    """Order a match to be played again, or to be taken out of the results."""
    kind = {"rerun": DirectiveKind.RERUN, "void": DirectiveKind.VOID}.get(request.form.get("what", ""))
    if kind is None:
        abort(422)
    given = request.form.get("number", "")
    number = whole_number(given)
    with reading() as db:
        if kind is DirectiveKind.RERUN:
            allowed(db, Act.RERUN_MATCH, tournament_id, signed_in())
        chosen = select(Match).where(Match.tournament_id == tournament_id, Match.number == number)
        match = None if number is None else db.exec(chosen).first()
    if match is None:
        raise DirectiveRefused(f"This tournament has no match {given[:20]!r}.")
    return kind, {"match": match}


@pages.post("/<number:tournament_id>/disqualify")
@ordering(Act.DISQUALIFY)
def disqualify(tournament_id: int) -> Given:
    """Order a bot to be disqualified."""
    number = whole_number(request.form.get("entry"))
    with reading() as db:
        entry = None if number is None else db.get(Entry, number)
    if entry is None or entry.tournament_id != tournament_id:
        raise DirectiveRefused("Choose one of the bots that take part.")
    return DirectiveKind.DISQUALIFY, {"entry": entry}


@pages.post("/<number:tournament_id>/enter")
@fresh_first
def enter(tournament_id: int) -> Response:
    """Enter a bot of the house's or of somebody whose account the organiser made, or take one out again."""
    with reading() as db:
        allowed(db, Act.ENTER_FOR_OTHERS, tournament_id, signed_in())
    number = whole_number(request.form.get("bot")) or 0
    try:
        with database().write() as db:
            found = allowed(db, Act.ENTER_FOR_OTHERS, tournament_id, signed_in())
            if request.form.get("what") == "out":
                message = f"{withdraw_for(db, here(), found, number).name} is withdrawn."
            else:
                message = f"{enter_for(db, here(), found, number).name} is entered."
    except EntryRefused as refused:
        return console_page(tournament_id, sentence(str(refused)))
    flash(message)
    return redirect(url_for("organise.console", tournament_id=tournament_id), 303)


@pages.post("/<number:tournament_id>/browser-only")
@fresh_first
def browser_only(tournament_id: int) -> Response:
    """Have a tournament take bots written in the browser alone, or any again."""
    with reading() as db:
        allowed(db, Act.MOVE_TOURNAMENT, tournament_id, signed_in())
    with database().write() as db:
        found = allowed(db, Act.MOVE_TOURNAMENT, tournament_id, signed_in())
        flash(set_browser_only(db, here(), [found], on=request.form.get("on") == "1"))
    return redirect(url_for("organise.console", tournament_id=tournament_id), 303)


@pages.post("/<number:tournament_id>/handout")
@organiser_first
def handout_page(tournament_id: int) -> Response:
    """Show a sheet to print with the tournament's address and its join code, which is checked and not kept."""
    with reading() as db:
        found = allowed(db, Act.SEE_STUCK_WORK, tournament_id, signed_in())
    way_in = printed("tournaments.tournament", tournament_id=tournament_id)
    made = handout(found.name, [found], way_in, url_for("organise.console", tournament_id=tournament_id))
    return made or console_page(tournament_id, WRONG_CODE)


@pages.get("/<number:tournament_id>/people.<any(csv,json):form>")
@organiser_first
@as_file("people-{tournament_id}")
def people(db: Session, tournament_id: int) -> TableData:
    """Hand out who has a bot in, and who has not."""
    found = allowed(db, Act.SEE_STUCK_WORK, tournament_id, signed_in())
    return watched_table(watched_in(db, [found], found.organiser_id))


@pages.get("/<number:tournament_id>/<any(orders,stuck):what>.<any(csv,json):form>")
@organiser_first
@as_file("{what}-{tournament_id}")
def table(db: Session, tournament_id: int, what: str) -> TableData:
    """Hand out what was ordered in a tournament, or which of its matches are stuck."""
    found = allowed(db, Act.SEE_STUCK_WORK, tournament_id, signed_in())
    if what == "stuck":
        return TableData("stuck-matches", "Longest first", STUCK, stuck_in(db, found))
    return TableData("orders", "Newest first", ORDERED, ordered_in(db, tournament_id, LATEST_ORDERS))


def _before() -> int | None:
    return whole_number(request.args.get("before"))
