"""Drafts in the organiser's console: made, changed, tried out and thrown away."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from gangland.games import GAME_NAMES, game_named
from gangland_web.base.formats import GAME_TITLES
from gangland_web.base.text import normal_name, sentence, whole_number
from gangland_web.models.accounts import Act
from gangland_web.models.columns import stored
from gangland_web.models.tournaments import Tournament
from gangland_web.queries.organising import allowed
from gangland_web.services.corrections import DirectiveRefused
from gangland_web.services.rules import (
    DEADLINES,
    EVERY,
    RANDOMNESS,
    VALUE_FORMS,
    Estimate,
    RulesForm,
    change_draft,
    create_draft,
    create_event,
    delete_draft,
    empty_form,
    estimate,
    form_of,
    read_rules,
    rehearse,
    zones,
)
from gangland_web.site.guards import fresh_first, here, organiser_first
from gangland_web.site.organising.console import refused_page
from gangland_web.site.responses import form_page
from gangland_web.web.sessions import database, reading, signed_in

pages = Blueprint("drafts", __name__, url_prefix="/organise")
pages.register_error_handler(DirectiveRefused, refused_page)


@pages.route("/new", methods=["GET", "POST"])
@organiser_first
def new() -> Response:
    """Make a draft: choose, see what it costs, and keep it."""
    copied = whole_number(request.args.get("from") or request.form.get("from"))
    if request.method == "GET":
        return _wizard(_copy_of(copied) if copied is not None else empty_form())
    if copied is not None:
        with reading() as db:
            allowed(db, Act.SEE_AUDIT_LOG, copied, signed_in())
    form = read_rules(request.form, events=True)
    if form.rules is None or "estimate" in request.form:
        return _wizard(form)
    if form.also:
        with database().write() as db:
            event = create_event(db, here(), normal_name(form.given["name"]), [form.rules, *form.also])
            number = stored(event.id)
        flash(f"{event.name} has a draft for each game: only you see the drafts until they are announced.")
        return redirect(url_for("organise_events.console", event_id=number), 303)
    with database().write() as db:
        made = create_draft(db, here(), form.rules, copied_from=copied)
        number = stored(made.id)
    flash(f"{form.rules.name} is a draft: only you see it until it is announced.")
    return redirect(url_for("organise.console", tournament_id=number), 303)


@pages.route("/<number:tournament_id>/edit", methods=["GET", "POST"])
@organiser_first
def edit(tournament_id: int) -> Response:
    """Change a draft."""
    with reading() as db:
        found = allowed(db, Act.EDIT_DRAFT, tournament_id, signed_in())
    if request.method == "GET":
        return _wizard(form_of(found), of=found)
    form = read_rules(request.form)
    if form.rules is None or "estimate" in request.form:
        return _wizard(form, of=found)
    try:
        with database().write() as db:
            change_draft(db, here(), allowed(db, Act.EDIT_DRAFT, tournament_id, signed_in()), form.rules)
    except DirectiveRefused as announced:
        form.errors["name"] = sentence(str(announced))
        return _wizard(form, of=found)
    flash("The draft is saved.")
    return redirect(url_for("organise.console", tournament_id=tournament_id), 303)


@pages.post("/<number:tournament_id>/delete")
@fresh_first
def drop(tournament_id: int) -> Response:
    """Throw a draft away."""
    with database().write() as db:
        delete_draft(db, here(), allowed(db, Act.DELETE_DRAFT, tournament_id, signed_in()))
    flash("The draft is deleted.")
    return redirect(url_for("organise.index"), 303)


@pages.post("/<number:tournament_id>/rehearse")
@fresh_first
def try_out(tournament_id: int) -> Response:
    """Play its rules once between house bots."""
    with database().write() as db:
        made = rehearse(db, here(), allowed(db, Act.MOVE_TOURNAMENT, tournament_id, signed_in()))
        number = stored(made.id)
    flash("The rehearsal begins within seconds.")
    return redirect(url_for("organise.console", tournament_id=number), 303)


def _wizard(form: RulesForm, *, of: Tournament | None = None) -> Response:
    estimates: list[tuple[str, Estimate]] = []
    if form.rules is not None:
        with reading() as db:
            estimates = [(rules.game, estimate(db, rules, form.expected)) for rules in (form.rules, *form.also)]
    every = "Both" if len(GAME_TITLES) == 2 else "All"
    games = [*GAME_TITLES.items(), *([] if of else [(EVERY, f"{every} games, as one event")])]
    options = {name: game_named(name).choices_of_options for name in sorted(GAME_NAMES)}
    given = {"options": options, "deadlines": DEADLINES, "zones": zones(), "games": games, "value_forms": VALUE_FORMS}
    return form_page("organise_new.html", form, estimates=estimates, of=of, **given)


def _copy_of(number: int) -> RulesForm:
    """Return the form filled in with a tournament's rules, without its name and times."""
    with reading() as db:
        form = form_of(allowed(db, Act.SEE_AUDIT_LOG, number, signed_in()))
    for name in ("name", *DEADLINES, *RANDOMNESS):
        form.given.pop(name, None)
    return replace(form)
