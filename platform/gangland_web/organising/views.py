"""The organiser's console: tournaments from the first draft to the printed standings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from sqlmodel import Session, select
from werkzeug.wrappers import Response

from gangland_ladder.lifecycle import State, may_disqualify, may_edit_rules, may_rerun, may_void
from gangland_web.accounts.roles import Act
from gangland_web.columns import stored
from gangland_web.exports.forms import Form
from gangland_web.matches.models import Match
from gangland_web.organising.directives import give
from gangland_web.organising.doors import allowed, fresh_first, here, organiser_first
from gangland_web.organising.drafts import (
    Estimate,
    change_draft,
    create_draft,
    create_event,
    estimate,
    rehearse,
    throw_away,
)
from gangland_web.organising.entering import enter_for, take_out_for
from gangland_web.organising.forms import (
    DEADLINES,
    EVERY,
    OPTIONS,
    RulesForm,
    empty_form,
    form_of,
    read_moment,
    read_rules,
    zones,
)
from gangland_web.organising.handout import WRONG_CODE, handout
from gangland_web.organising.models import DirectiveKind
from gangland_web.organising.page_queries import moves_from, ordered_in, organised_by, stuck_in
from gangland_web.organising.results import DirectiveRefused
from gangland_web.organising.steps import next_step
from gangland_web.organising.tables import ordered_sheet, organised_sheet, stuck_sheet
from gangland_web.organising.watching import enterable, watched_in, watched_sheet
from gangland_web.tournaments.models import Entry, Tournament
from gangland_web.tournaments.page_queries import entrants_of, pinned_of
from gangland_web.tournaments.running import EntryRefused, deadlines_of
from gangland_web.web.formats import GAME_TITLES
from gangland_web.web.sessions import database, reading, signed_in
from gangland_web.web.text import normal_name
from gangland_web.web.twins import part, sheet_file

pages = Blueprint("organise", __name__, url_prefix="/organise")

LISTED = 50
ORDERED = 30
WATCHED = (State.ANNOUNCED.value, State.OPEN.value)
"""States in which an organiser waits for people."""
Answer = str | Response | tuple[str, int]


@pages.get("")
@organiser_first
def index() -> str:
    """List the visitor's tournaments; an admin's are all."""
    who = signed_in()
    with reading() as db:
        found = organised_by(db, None if who.is_admin else who.id, LISTED + 1, before=_number("before"))
    more = stored(found[LISTED - 1].tournament.id) if len(found) > LISTED else None
    return render_template("organise.html", found=found[:LISTED], more=more)


@pages.get("/tournaments.<any(csv,json):form>")
@organiser_first
def index_file(form: str) -> Response:
    """Hand out the list of the visitor's tournaments."""
    who = signed_in()
    with reading() as db:
        found = organised_by(db, None if who.is_admin else who.id, LISTED, before=_number("before"))
    return sheet_file(organised_sheet(found), Form(form), "organised")


@pages.route("/new", methods=["GET", "POST"])
@organiser_first
def new() -> Answer:
    """Make a draft: choose, see what it costs, and keep it."""
    copied = _number("from")
    if request.method == "GET":
        return _wizard(_copy_of(copied) if copied is not None else empty_form())
    if copied is not None:
        _need(Act.SEE_AUDIT_LOG, copied)
    form = read_rules(request.form, events=True)
    if form.rules is None or "estimate" in request.form:
        return _wizard(form)
    if form.also:
        with database().write() as db:
            event = create_event(db, here(), normal_name(form.given["name"]), [form.rules, *form.also])
            number = stored(event.id)
        flash(f"{event.name} is a draft for each game: nobody else sees them before they are announced.")
        return redirect(url_for("organise_events.console", event_id=number), 303)
    with database().write() as db:
        made = create_draft(db, here(), form.rules, copied_from=copied)
        number = stored(made.id)
    flash(f"{form.rules.name} is a draft: nobody else sees it before it is announced.")
    return redirect(url_for("organise.console", tournament_id=number), 303)


@pages.get("/<number:tournament_id>")
@organiser_first
def console(tournament_id: int) -> str:
    """Show all that can be done with a tournament, and what was ordered."""
    return _console(tournament_id)


@pages.route("/<number:tournament_id>/edit", methods=["GET", "POST"])
@organiser_first
def edit(tournament_id: int) -> Answer:
    """Change a draft."""
    with reading() as db:
        found = allowed(db, Act.EDIT_DRAFT, tournament_id)
    if request.method == "GET":
        return _wizard(form_of(found), of=found)
    form = read_rules(request.form)
    if form.rules is None or "estimate" in request.form:
        return _wizard(form, of=found)
    try:
        with database().write() as db:
            change_draft(db, here(), allowed(db, Act.EDIT_DRAFT, tournament_id), form.rules)
    except DirectiveRefused as refused:
        return _console(tournament_id, str(refused)), 422
    flash("The draft is changed.")
    return redirect(url_for("organise.console", tournament_id=tournament_id), 303)


@pages.post("/<number:tournament_id>/throw-away")
@fresh_first
def drop(tournament_id: int) -> Answer:
    """Throw a draft away."""
    try:
        with database().write() as db:
            throw_away(db, here(), allowed(db, Act.DELETE_DRAFT, tournament_id))
    except DirectiveRefused as refused:
        return _console(tournament_id, str(refused)), 422
    flash("The draft is gone.")
    return redirect(url_for("organise.index"), 303)


@pages.post("/<number:tournament_id>/rehearse")
@organiser_first
def try_out(tournament_id: int) -> Answer:
    """Play its rules once between house bots."""
    try:
        with database().write() as db:
            made = rehearse(db, here(), allowed(db, Act.MOVE_TOURNAMENT, tournament_id))
            number = stored(made.id)
    except DirectiveRefused as refused:
        return _console(tournament_id, str(refused)), 422
    flash("The rehearsal is ordered; its matches begin within seconds.")
    return redirect(url_for("organise.console", tournament_id=number), 303)


@pages.post("/<number:tournament_id>/move")
@fresh_first
def move(tournament_id: int) -> Answer:
    """Order a move of the lifecycle."""
    _need(Act.MOVE_TOURNAMENT, tournament_id)
    state = request.form.get("state", "")
    if state not in set(State):
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
            raise ValueError("Pick one of the deadlines.")
        at = read_moment(request.form.get("at", "")[:40], request.form.get("zone", "UTC")[:60])
    except ValueError as mistake:
        return _console(tournament_id, str(mistake)), 422
    return _order(tournament_id, Act.MOVE_DEADLINE, DirectiveKind.DEADLINE, name=name, at=at)


@pages.post("/<number:tournament_id>/matches")
@fresh_first
def on_match(tournament_id: int) -> Answer:
    """Order a match to be played again, or to be taken out of the results."""
    _need(Act.VOID_MATCH, tournament_id)
    kind = {"rerun": DirectiveKind.RERUN, "void": DirectiveKind.VOID}.get(request.form.get("what", ""))
    if kind is None:
        abort(422)
    act = Act.RERUN_MATCH if kind is DirectiveKind.RERUN else Act.VOID_MATCH
    number = request.form.get("number", "")
    with reading() as db:
        chosen = select(Match).where(Match.tournament_id == tournament_id)
        digits = number.isascii() and number.isdigit() and len(number) <= 9
        match = db.exec(chosen.where(Match.number == int(number))).first() if digits else None
    if match is None:
        return _console(tournament_id, f"This tournament has no match {number[:20]!r}."), 422
    return _order(tournament_id, act, kind, match=match)


@pages.post("/<number:tournament_id>/enter")
@fresh_first
def enter(tournament_id: int) -> Answer:
    """Enter a bot of the house's or of somebody whose account the organiser made, or take one out again."""
    _need(Act.ENTER_FOR_OTHERS, tournament_id)
    number = _number("bot") or 0
    try:
        with database().write() as db:
            found = allowed(db, Act.ENTER_FOR_OTHERS, tournament_id)
            if request.form.get("what") == "out":
                told = f"{take_out_for(db, here(), found, number).name} is out again."
            else:
                told = f"{enter_for(db, here(), found, number).name} is entered."
    except EntryRefused as refused:
        return _console(tournament_id, _sentence(refused)), 422
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
        found = allowed(db, Act.SEE_STUCK_WORK, tournament_id)
    way_in = url_for("tournaments.tournament", tournament_id=tournament_id, _external=True)
    made = handout(found.name, [found], way_in, url_for("organise.console", tournament_id=tournament_id))
    return made or (_console(tournament_id, WRONG_CODE), 422)


@pages.post("/<number:tournament_id>/disqualify")
@fresh_first
def disqualify(tournament_id: int) -> Answer:
    """Order a bot to be disqualified."""
    _need(Act.DISQUALIFY, tournament_id)
    number = request.form.get("entry", "")
    with reading() as db:
        entry = db.get(Entry, int(number)) if number.isascii() and number.isdigit() and len(number) <= 9 else None
    if entry is None or entry.tournament_id != tournament_id:
        return _console(tournament_id, "Pick one of the bots that take part."), 422
    return _order(tournament_id, Act.DISQUALIFY, DirectiveKind.DISQUALIFY, entry=entry)


@pages.get("/<number:tournament_id>/live")
@organiser_first
def live(tournament_id: int) -> Response:
    """Return the part of the console that changes while orders are carried out and matches played."""
    with reading() as db:
        found = allowed(db, Act.SEE_STUCK_WORK, tournament_id)
        return part(render_template("organise_next.html", **_next(db, found)))


@pages.get("/<number:tournament_id>/people.<any(csv,json):form>")
@organiser_first
def people(tournament_id: int, form: str) -> Response:
    """Hand out who has a bot in, and who has not."""
    with reading() as db:
        found = allowed(db, Act.SEE_STUCK_WORK, tournament_id)
        sheet = watched_sheet(watched_in(db, [found], found.organiser_id), "", "")
    return sheet_file(sheet, Form(form), f"people-{tournament_id}")


@pages.get("/<number:tournament_id>/<any(orders,stuck):what>.<any(csv,json):form>")
@organiser_first
def table(tournament_id: int, what: str, form: str) -> Response:
    """Hand out what was ordered in a tournament, or which of its matches are stuck."""
    with reading() as db:
        found = allowed(db, Act.SEE_STUCK_WORK, tournament_id)
        orders = what == "orders"
        sheet = ordered_sheet(ordered_in(db, tournament_id, ORDERED)) if orders else stuck_sheet(stuck_in(db, found))
    return sheet_file(sheet, Form(form), f"{what}-{tournament_id}")


def _next(db: Session, cup: Tournament) -> dict[str, Any]:
    """Return where a tournament stands, what may be ordered of it, and whether an order waits."""
    waits = any(one.directive.done_at is None for one in ordered_in(db, stored(cup.id), ORDERED))
    return {
        "cup": cup,
        "state": State(cup.state),
        "step": next_step(db, cup, stuck=len(stuck_in(db, cup))),
        "moves": moves_from(cup),
        "waits": waits,
        "live": waits or cup.state == State.PLAYING.value,
    }


def _need(act: Act, tournament_id: int) -> None:
    """Turn away whoever may not do this, before anything that they sent is looked at."""
    with reading() as db:
        allowed(db, act, tournament_id)


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
            found = allowed(db, act, tournament_id)
            give(db, here(), kind, found, match=match, entry=entry, reason=request.form.get("reason", ""), **details)
    except (DirectiveRefused, EntryRefused) as refused:
        return _console(tournament_id, str(refused)), 422
    flash("It is ordered; the record worker carries it out within seconds.")
    return redirect(url_for("organise.console", tournament_id=tournament_id), 303)


def _console(tournament_id: int, problem: str = "") -> str:
    with reading() as db:
        found = allowed(db, Act.SEE_STUCK_WORK, tournament_id)
        parts = pinned_of(db, found) or entrants_of(db, found)
        ordered, stuck = ordered_in(db, tournament_id, ORDERED), stuck_in(db, found)
        watched = watched_in(db, [found], found.organiser_id) if found.state in WATCHED else []
        offered = enterable(db, found, found.organiser_id) if found.state == State.OPEN.value else []
        given = _next(db, found)
    state = State(found.state)
    csv, json = (url_for("organise.people", tournament_id=tournament_id, form=form) for form in ("csv", "json"))
    return render_template(
        "organise_cup.html",
        **given,
        problem=problem,
        watched=watched,
        offered=offered,
        zones=zones(),
        watch=watched_sheet(watched, csv, json),
        parts=parts,
        ordered=ordered,
        stuck=stuck,
        deadlines={name: (label, getattr(deadlines_of(found), name)) for name, label in DEADLINES.items()},
        can={
            "edit": may_edit_rules(state),
            "rerun": may_rerun(state),
            "void": may_void(state),
            "disqualify": may_disqualify(state),
            "rehearse": found.rehearsal_of is None,
        },
    )


def _wizard(form: RulesForm, *, of: Tournament | None = None) -> Answer:
    told: list[tuple[str, Estimate]] = []
    if form.rules is not None:
        with reading() as db:
            told = [(rules.game, estimate(db, rules, form.expected)) for rules in (form.rules, *form.also)]
    games = [*GAME_TITLES.items(), *([] if of else [(EVERY, "Both games, as one event")])]
    given = {"options": OPTIONS, "deadlines": DEADLINES, "zones": zones(), "games": games}
    page = render_template("organise_new.html", form=form, told=told, of=of, **given)
    return (page, 422) if form.errors else page


def _copy_of(number: int) -> RulesForm:
    """Return the form filled in with a tournament's rules, without its name and times."""
    with reading() as db:
        form = form_of(allowed(db, Act.SEE_AUDIT_LOG, number))
    for name in ("name", *DEADLINES):
        form.given.pop(name, None)
    return replace(form)


def _number(name: str) -> int | None:
    given = request.args.get(name) or request.form.get(name, "")
    return int(given) if given.isascii() and given.isdigit() and len(given) <= 9 else None
