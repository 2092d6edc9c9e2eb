"""The console of an event: its tournaments moved together, its people, and the sheet to hand out."""

from __future__ import annotations

from flask import Blueprint, abort, flash, redirect, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response

from gangland_ladder.common.texts import counted
from gangland_ladder.tournaments.lifecycle import State
from gangland_web.base.clock import now_s
from gangland_web.models.accounts import Act
from gangland_web.models.columns import stored
from gangland_web.models.tournaments import Tournament
from gangland_web.queries.organising import (
    allowed_event,
    moves_of,
    next_step,
    ordered_in,
    stuck_in,
    watched_in,
    watched_table,
)
from gangland_web.queries.tables import TableData, file_urls
from gangland_web.queries.tournament_pages import plays_until, premiere_of
from gangland_web.services.corrections import DirectiveRefused
from gangland_web.services.organising import move_all, set_browser_only
from gangland_web.site.guards import fresh_first, here, organiser_first
from gangland_web.site.organising.console import console_answer, live_s, unready_in
from gangland_web.site.organising.handout import WRONG_CODE, handout, known_code
from gangland_web.site.responses import as_file
from gangland_web.web.address import printed
from gangland_web.web.sessions import database, reading, signed_in

pages = Blueprint("organise_events", __name__, url_prefix="/organise/events")


@pages.get("/<number:event_id>")
@pages.get("/<number:event_id>/live", endpoint="live")
@organiser_first
def console(event_id: int) -> Response:
    """Show all tournaments of an event with what can be done with them together."""
    return _console(event_id)


@pages.get("/<number:event_id>/people.<any(csv,json):form>")
@organiser_first
@as_file("event-{event_id}")
def people(db: Session, event_id: int) -> TableData:
    """Hand out who has a bot in, and who has not."""
    event, tournaments = allowed_event(db, Act.SEE_STUCK_WORK, event_id, signed_in())
    return watched_table(watched_in(db, tournaments, event.organiser_id))


@pages.post("/<number:event_id>/move")
@fresh_first
def move(event_id: int) -> Response:
    """Order a move of all tournaments of an event that may make it."""
    with reading() as db:
        allowed_event(db, Act.MOVE_TOURNAMENT, event_id, signed_in())
    state = request.form.get("state", "")
    if state not in set(State):
        abort(422)
    try:
        with database().write() as db:
            tournaments = allowed_event(db, Act.MOVE_TOURNAMENT, event_id, signed_in())[1]
            wait = state == State.FROZEN and bool(request.form.get("wait"))
            moved = move_all(db, here(), tournaments, State(state), request.form.get("reason", ""), wait=wait)
    except DirectiveRefused as refused:
        return _console(event_id, str(refused))
    flash(f"Action sent for {counted(len(moved), 'tournament')}. This page shows when it is carried out.")
    return redirect(url_for("organise_events.console", event_id=event_id), 303)


@pages.post("/<number:event_id>/browser-only")
@fresh_first
def browser_only(event_id: int) -> Response:
    """Have all tournaments of an event take bots written in the browser alone, or any again."""
    with reading() as db:
        allowed_event(db, Act.MOVE_TOURNAMENT, event_id, signed_in())
    try:
        with database().write() as db:
            tournaments = allowed_event(db, Act.MOVE_TOURNAMENT, event_id, signed_in())[1]
            done = set_browser_only(db, here(), tournaments, on=request.form.get("on") == "1")
    except DirectiveRefused as refused:
        return _console(event_id, str(refused))
    flash(done)
    return redirect(url_for("organise_events.console", event_id=event_id), 303)


@pages.post("/<number:event_id>/handout")
@organiser_first
def handout_page(event_id: int) -> Response:
    """Show a sheet to print with the event's address and its join code, which is checked and not kept."""
    with reading() as db:
        event, tournaments = allowed_event(db, Act.SEE_STUCK_WORK, event_id, signed_in())
    way_in = printed("tournaments.event", event_id=event_id)
    made = handout(event.name, tournaments, way_in, url_for("organise_events.console", event_id=event_id))
    return made or _console(event_id, WRONG_CODE)


def _standing(db: Session, tournaments: list[Tournament]) -> dict[str, object]:
    """Return where the tournaments stand, what may be ordered of them, and whether an order waits."""
    waits = any(one.done_at is None for tournament in tournaments for one in ordered_in(db, stored(tournament.id), 10))
    return {
        "tournaments": tournaments,
        "steps": {
            tournament.id: next_step(db, tournament, stuck=len(stuck_in(db, tournament)), in_event=True)
            for tournament in tournaments
        },
        "premieres": {
            tournament.id: (premiere_of(db, tournament, now_s()), plays_until(db, tournament, now_s()))
            for tournament in tournaments
        },
        "moves": moves_of(db, tournaments),
        "waits": waits,
        "unready": [each for tournament in tournaments for each in unready_in(db, tournament)],
        "live_s": live_s(waits or any(tournament.state == State.PLAYING.value for tournament in tournaments)),
    }


def _console(event_id: int, problem: str = "") -> Response:
    """Return the console, which is live; with a problem, the answer to what was refused."""
    with reading() as db:
        event, tournaments = allowed_event(db, Act.SEE_STUCK_WORK, event_id, signed_in())
        rows = watched_in(db, tournaments, event.organiser_id)
        given = {"event": event, "rows": rows, **_standing(db, tournaments)}
    given |= {
        "table": watched_table(rows, **file_urls("organise_events.people", event_id=event_id)),
        "code": known_code(tournaments),
        "asks_code": any(tournament.join_code_hash is not None for tournament in tournaments),
    }
    return console_answer("organise_event.html", given, problem)
