"""The console of an event: its tournaments moved together, its people, and the sheet to hand out."""

from __future__ import annotations

from hmac import compare_digest

from flask import Blueprint, abort, flash, make_response, redirect, render_template, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response

from gangland_ladder.lifecycle import State
from gangland_web.accounts.roles import Act, may
from gangland_web.columns import stored
from gangland_web.exports.forms import Form
from gangland_web.organising.directives import give
from gangland_web.organising.doors import fresh_first, here, organiser_first
from gangland_web.organising.models import DirectiveKind
from gangland_web.organising.page_queries import moves_from, ordered_in, stuck_in
from gangland_web.organising.results import DirectiveRefused
from gangland_web.organising.steps import next_step
from gangland_web.organising.watching import watched_in, watched_sheet
from gangland_web.tournaments.event_views import tournaments_in
from gangland_web.tournaments.models import Event, Tournament
from gangland_web.tournaments.running import code_hash
from gangland_web.web.sessions import database, reading, signed_in
from gangland_web.web.twins import part, sheet_file

pages = Blueprint("organise_events", __name__, url_prefix="/organise/events")

CODE_CHARS = 100


@pages.get("/<number:event_id>")
@organiser_first
def console(event_id: int) -> str:
    """Show all tournaments of an event with what can be done with them together."""
    return _console(event_id)


@pages.get("/<number:event_id>/live")
@organiser_first
def live(event_id: int) -> Response:
    """Return the part of the console that changes while orders are carried out and matches played."""
    with reading() as db:
        event, cups = _allowed(db, Act.SEE_STUCK_WORK, event_id)
        return part(render_template("organise_event_live.html", event=event, **_standing(db, cups)))


@pages.get("/<number:event_id>/people.<any(csv,json):form>")
@organiser_first
def people(event_id: int, form: str) -> Response:
    """Hand out who has a bot in, and who has not."""
    with reading() as db:
        event, cups = _allowed(db, Act.SEE_STUCK_WORK, event_id)
        sheet = watched_sheet(watched_in(db, cups, event.organiser_id), "", "")
    return sheet_file(sheet, Form(form), f"event-{event_id}")


@pages.post("/<number:event_id>/move")
@fresh_first
def move(event_id: int) -> Response | tuple[str, int]:
    """Order a move of all tournaments of an event that may make it."""
    with reading() as db:
        _allowed(db, Act.MOVE_TOURNAMENT, event_id)
    state = request.form.get("state", "")
    if state not in set(State):
        abort(422)
    try:
        with database().write() as db:
            moved = [cup for cup in _allowed(db, Act.MOVE_TOURNAMENT, event_id)[1] if State(state) in moves_from(cup)]
            for cup in moved:
                give(db, here(), DirectiveKind.MOVE, cup, reason=request.form.get("reason", ""), state=state)
    except DirectiveRefused as refused:
        return _console(event_id, str(refused)), 422
    flash(f"Ordered for {len(moved)} tournaments; the record worker carries it out within seconds.")
    return redirect(url_for("organise_events.console", event_id=event_id), 303)


@pages.post("/<number:event_id>/sheet")
@organiser_first
def sheet(event_id: int) -> Response:
    """Show a sheet to print with the event's address and its join code, which is checked and not kept."""
    with reading() as db:
        event, cups = _allowed(db, Act.SEE_STUCK_WORK, event_id)
    code = request.form.get("join_code", "").strip()[:CODE_CHARS]
    wanted = {cup.join_code_hash for cup in cups if cup.join_code_hash is not None}
    if any(not compare_digest(code_hash(code), each) for each in wanted):
        return make_response(_console(event_id, "That is not the join code of this event."), 422)
    page = make_response(render_template("organise_sheet.html", event=event, cups=cups, code=code if wanted else ""))
    page.headers["Cache-Control"] = "no-store"
    return page


def _allowed(db: Session, act: Act, event_id: int) -> tuple[Event, list[Tournament]]:
    """Return an event with its tournaments if the visitor may do this to all of them; else there is no such page."""
    event = db.get(Event, event_id)
    cups = tournaments_in(db, event_id)
    if event is None or not cups or not all(may(signed_in(), act, cup) for cup in cups):
        abort(404)
    return event, cups


def _standing(db: Session, cups: list[Tournament]) -> dict[str, object]:
    """Return where the tournaments stand, what may be ordered of them, and whether an order waits."""
    waits = any(one.directive.done_at is None for cup in cups for one in ordered_in(db, stored(cup.id), 10))
    moves = [state for state in State if any(state in moves_from(cup) for cup in cups)]
    return {
        "cups": cups,
        "steps": {cup.id: next_step(db, cup, stuck=len(stuck_in(db, cup))) for cup in cups},
        "moves": moves,
        "waits": waits,
        "live": waits or any(cup.state == State.PLAYING.value for cup in cups),
    }


def _console(event_id: int, problem: str = "") -> str:
    with reading() as db:
        event, cups = _allowed(db, Act.SEE_STUCK_WORK, event_id)
        rows = watched_in(db, cups, event.organiser_id)
        given = _standing(db, cups)
    csv, json = (url_for("organise_events.people", event_id=event_id, form=form) for form in ("csv", "json"))
    return render_template(
        "organise_event.html",
        event=event,
        problem=problem,
        rows=rows,
        sheet=watched_sheet(rows, csv, json),
        asks_code=any(cup.join_code_hash is not None for cup in cups),
        **given,
    )
