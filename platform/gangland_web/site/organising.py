"""The organizer's console: tournaments and events from the first draft to the printed standings."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, Final

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from sqlmodel import Session, select
from werkzeug.wrappers import Response

from gangland.games import GAME_NAMES, game_named
from gangland_ladder.common.texts import counted
from gangland_ladder.proof.randomness import VALUE_CHARS, Randomness
from gangland_ladder.tournaments import lifecycle
from gangland_web.base.formats import GAME_TITLES, now_s
from gangland_web.base.text import normal_name, sentence, whole_number
from gangland_web.models.accounts import Act
from gangland_web.models.columns import stored
from gangland_web.models.matches import Match
from gangland_web.models.organising import DirectiveKind
from gangland_web.models.tournaments import Entry, Tournament
from gangland_web.queries import organising, tournaments
from gangland_web.queries.tables import TableData, file_urls
from gangland_web.queries.tournament_pages import Premiere, plays_until, premiere_of
from gangland_web.services import corrections, entries, final_tables, rules, settling
from gangland_web.services.entries import unready
from gangland_web.services.ladder_days import announced_for, awaits_value, is_published
from gangland_web.services.organising import (
    enter_for,
    enterable,
    give_directive,
    move_all,
    set_browser_only,
    withdraw_for,
)
from gangland_web.services.tournaments import deadlines_of
from gangland_web.site.serving import as_file, form_page, fresh_first, here, organiser_first, rendered
from gangland_web.site.tournaments import event_tabs
from gangland_web.web.address import printed
from gangland_web.web.caching import cached_page
from gangland_web.web.sessions import database, reading, signed_in

pages = Blueprint("organising", __name__, url_prefix="/organise")


# The list of tournaments, and what an organizer does with one.

_LISTED = 50
Order = tuple[DirectiveKind, dict[str, Any]]
"""What an organizer orders, with its details."""


@pages.get("")
@organiser_first
def index() -> str:
    """List the visitor's tournaments; an admin's are all."""
    who = signed_in()
    with reading() as db:
        tournaments = organising.organised_by(db, who, who, _LISTED + 1, before=_before())
    older = None
    if len(tournaments) > _LISTED:
        older = url_for("organising.index", before=tournaments[_LISTED - 1].id)
    caption = f"{'All' if who.is_admin else 'Your'} tournaments, newest first"
    files = file_urls("organising.index_file", before=request.args.get("before"))
    table = organising.ORGANISED.of(tournaments[:_LISTED], caption, **files)
    return render_template("organising/organise.html", tab="tournaments", table=table, older=older)


@pages.get("/tournaments.<any(csv,json):form>")
@organiser_first
@as_file("organised")
def index_file(db: Session) -> TableData:
    """Return the list of the visitor's tournaments as a file."""
    who = signed_in()
    return organising.ORGANISED.of(organising.organised_by(db, who, who, _LISTED, before=_before()))


@pages.get("/<number:tournament_id>")
@pages.get("/<number:tournament_id>/live", endpoint="console_live")
@organiser_first
def console(tournament_id: int) -> Response:
    """Show all that can be done with a tournament, and what was ordered."""
    return _console(tournament_id)


def ordering(act: Act) -> Callable[[Callable[[int], Order]], Callable[..., Response]]:
    """Have the order that a view returns written, and the console shown again.

    The permission is checked before anything that was sent is read.
    """

    def decorated(view: Callable[[int], Order]) -> Callable[..., Response]:
        @fresh_first
        @wraps(view)
        def order(tournament_id: int) -> Response:
            _allowed(act, tournament_id)
            kind, details = view(tournament_id)
            with database().write() as db:
                tournament = organising.allowed(db, act, tournament_id, signed_in())
                give_directive(db, here(), kind, tournament, reason=request.form.get("reason", ""), **details)
            return _done("Action sent. This page shows when it is carried out.", tournament_id)

        return order

    return decorated


@pages.post("/<number:tournament_id>/move")
@ordering(Act.MOVE_TOURNAMENT)
def move(_tournament_id: int) -> Order:
    """Order a move of the lifecycle, that the first places are settled, or the next step of a premiere."""
    state = request.form.get("state", "")
    if state == final_tables.PREMIERE:
        after = whole_number(request.form.get("after"))
        if after is None:
            abort(422)
        return DirectiveKind.MOVE, {"state": state, "after": after}
    if state not in {*lifecycle.State, settling.SETTLE}:
        abort(422)
    wait = {"wait": True} if state == lifecycle.State.FROZEN and request.form.get("wait") else {}
    return DirectiveKind.MOVE, {"state": state, **wait}


@pages.post("/<number:tournament_id>/deadline")
@ordering(Act.MOVE_DEADLINE)
def deadline(_tournament_id: int) -> Order:
    """Order a deadline to be moved, with a notice."""
    name = request.form.get("name", "")
    if name not in rules.DEADLINES:
        raise corrections.DirectiveRefused("Choose one of the deadlines.")
    try:
        at = rules.read_moment(request.form.get("at", "")[:40], request.form.get("zone", "UTC")[:60])
    except ValueError as mistake:
        raise corrections.DirectiveRefused(str(mistake)) from mistake
    return DirectiveKind.DEADLINE, {"name": name, "at": at}


@pages.post("/<number:tournament_id>/randomness")
@ordering(Act.MOVE_TOURNAMENT)
def randomness(tournament_id: int) -> Order:
    """Order the public value for the dice to be entered."""
    typed = request.form.get("value", "")[: VALUE_CHARS + 1].strip()
    announced = announced_for(_allowed(Act.MOVE_TOURNAMENT, tournament_id))
    try:
        return DirectiveKind.RANDOMNESS, {"value": announced.read(typed) if announced is not None else typed}
    except ValueError as mistake:
        raise corrections.DirectiveRefused(str(mistake)) from mistake


@pages.post("/<number:tournament_id>/matches")
@ordering(Act.VOID_MATCH)
def on_match(tournament_id: int) -> Order:
    """Order a match to be played again, or to be taken out of the results."""
    kind = {"rerun": DirectiveKind.RERUN, "void": DirectiveKind.VOID}.get(request.form.get("what", ""))
    if kind is None:
        abort(422)
    if kind is DirectiveKind.RERUN:
        _allowed(Act.RERUN_MATCH, tournament_id)
    typed = request.form.get("number", "")
    number = whole_number(typed)
    query = select(Match).where(Match.tournament_id == tournament_id, Match.number == number)
    with reading() as db:
        match = None if number is None else db.exec(query).first()
    if match is None:
        raise corrections.DirectiveRefused(f"This tournament has no match {typed[:20]!r}.")
    return kind, {"match": match}


@pages.post("/<number:tournament_id>/disqualify")
@ordering(Act.DISQUALIFY)
def disqualify(tournament_id: int) -> Order:
    """Order a bot to be disqualified."""
    number = whole_number(request.form.get("entry"))
    with reading() as db:
        entry = None if number is None else db.get(Entry, number)
    if entry is None or entry.tournament_id != tournament_id:
        raise corrections.DirectiveRefused("Choose one of the bots that take part.")
    return DirectiveKind.DISQUALIFY, {"entry": entry}


@pages.post("/<number:tournament_id>/enter")
@fresh_first
def enter(tournament_id: int) -> Response:
    """Enter a house bot or a bot of an account that the organizer made, or withdraw one."""
    number = whole_number(request.form.get("bot")) or 0
    try:
        with database().write() as db:
            tournament = organising.allowed(db, Act.ENTER_FOR_OTHERS, tournament_id, signed_in())
            if request.form.get("what") == "out":
                message = f"{withdraw_for(db, here(), tournament, number).name} is withdrawn."
            else:
                message = f"{enter_for(db, here(), tournament, number).name} is entered."
    except entries.EntryRefused as refused:
        return _console(tournament_id, sentence(str(refused)))
    return _done(message, tournament_id)


@pages.post("/<number:tournament_id>/browser-only")
@fresh_first
def browser_only(tournament_id: int) -> Response:
    """Have a tournament accept only bots written in the browser, or any bots again."""
    with database().write() as db:
        tournament = organising.allowed(db, Act.MOVE_TOURNAMENT, tournament_id, signed_in())
        message = set_browser_only(db, here(), [tournament], on=request.form.get("on") == "1")
    return _done(message, tournament_id)


@pages.post("/<number:tournament_id>/handout")
@organiser_first
def handout_page(tournament_id: int) -> Response:
    """Show a sheet to print with the tournament's address and its join code, which is checked and not kept."""
    tournament = _allowed(Act.SEE_STUCK_WORK, tournament_id)
    address = printed("tournaments.tournament", tournament_id=tournament_id)
    handout = _handout(
        tournament.name, [tournament], address, url_for("organising.console", tournament_id=tournament_id)
    )
    return handout or _console(tournament_id, WRONG_CODE)


@pages.get("/<number:tournament_id>/people.<any(csv,json):form>")
@organiser_first
@as_file("people-{tournament_id}")
def people_file(db: Session, tournament_id: int) -> TableData:
    """Return as a file which people have entered a bot, and which have not."""
    tournament = organising.allowed(db, Act.SEE_STUCK_WORK, tournament_id, signed_in())
    return organising.watched_table(organising.watched_in(db, [tournament], tournament.organiser_id))


@pages.get("/<number:tournament_id>/<any(orders,stuck):what>.<any(csv,json):form>")
@organiser_first
@as_file("{what}-{tournament_id}")
def table(db: Session, tournament_id: int, what: str) -> TableData:
    """Return the orders in a tournament as a file, or its stuck matches."""
    tournament = organising.allowed(db, Act.SEE_STUCK_WORK, tournament_id, signed_in())
    if what == "stuck":
        return organising.STUCK.of(organising.stuck_in(db, tournament))
    return organising.ORDERED.of(organising.ordered_in(db, tournament_id, _LATEST_ORDERS))


def _files(what: str, tournament_id: int, endpoint: str = "organising.table") -> dict[str, Any]:
    return file_urls(endpoint, tournament_id=tournament_id, what=what)


def _before() -> int | None:
    return whole_number(request.args.get("before"))


def _allowed(act: Act, tournament_id: int) -> Tournament:
    """Return a tournament to which the visitor may do this; ends in 403 or 404 for all others."""
    with reading() as db:
        return organising.allowed(db, act, tournament_id, signed_in())


def _done(message: str, tournament_id: int) -> Response:
    flash(message)
    event_id = _sent_from_event()
    if event_id is not None:
        return redirect(url_for("organising.event", event_id=event_id), 303)
    return redirect(url_for("organising.console", tournament_id=tournament_id), 303)


def _sent_from_event() -> int | None:
    """Return the event on whose console an order for one of its tournaments was given, None for any other order."""
    return whole_number(request.form.get("event"))


# The console of a tournament or an event: every view of one shows it, also with the reason why something was refused.

_LATEST_ORDERS = 30
_LIVE_S: Final = (10, 2)  # how often an open console asks for what is new, and while work is under way
_WATCHED = (lifecycle.State.ANNOUNCED.value, lifecycle.State.OPEN.value)
"""States in which an organizer waits for people."""


_CONSOLES: Final = ("organising.event", "organising.console")


@dataclass(frozen=True, slots=True)
class NextAction:
    """What comes next in a tournament.

    Attributes:
        step: in one sentence.
        plays_until: when screens have played out the game that the premiere shows.
        can_enter_value: whether the public value for the dice is published, and not entered yet.
    """

    tournament: Tournament
    step: str
    premiere: Premiere | None
    plays_until: float | None
    randomness: Randomness | None
    can_enter_value: bool


@pages.errorhandler(corrections.DirectiveRefused)
def _refused_page(refused: corrections.DirectiveRefused) -> Response:
    where = request.view_args or {}
    event_id = where.get("event_id", _sent_from_event())
    if event_id is not None:
        return _event_console(event_id, str(refused))
    return _console(where["tournament_id"], str(refused))


def _console(tournament_id: int, problem: str = "") -> Response:
    """Return the console of a tournament; ends in 403 or 404 for users who may not see it."""
    with reading() as db:
        tournament = organising.allowed(db, Act.SEE_STUCK_WORK, tournament_id, signed_in())
        state = lifecycle.State(tournament.state)
        event, of_event = None, [tournament]
        if tournament.event_id is not None:
            event, of_event = organising.allowed_event(db, Act.SEE_STUCK_WORK, tournament.event_id, signed_in())
        orders, stuck = organising.ordered_in(db, tournament_id, _LATEST_ORDERS), organising.stuck_in(db, tournament)
        watched = organising.watched_in(db, [tournament], tournament.organiser_id) if state in _WATCHED else []
        values = {
            **_next_values(db, [tournament], orders),
            "subject": tournament,
            "event": event,
            "tabs_of_event": event_tabs(event, of_event, *_CONSOLES),
            "parts": tournaments.parts_of(db, tournament),
            "offered": enterable(db, tournament, tournament.organiser_id) if state is lifecycle.State.OPEN else [],
        }
    deadlines = deadlines_of(tournament)
    values |= {
        "address": url_for("organising.console", tournament_id=tournament_id),
        "zones": rules.zones(),
        "watch": organising.watched_table(watched, **file_urls("organising.people_file", tournament_id=tournament_id)),
        "players": organising.PLAYERS.of(values["parts"], **_files("entries", tournament_id, "tournaments.table")),
        "ordered": organising.ORDERED.of(
            orders, "Newest first. Actions are carried out within seconds", **_files("orders", tournament_id)
        ),
        "delayed": organising.STUCK.of(
            stuck, "Matches that have waited for more than two minutes", **_files("stuck", tournament_id)
        ),
        "ahead": lifecycle.still_ahead(state),
        "deadlines": {name: (label, getattr(deadlines, name)) for name, label in rules.DEADLINES.items()},
        "can": {
            "edit": lifecycle.may_edit_rules(state),
            "rerun": lifecycle.may_rerun(state),
            "void": lifecycle.may_void(state),
            "disqualify": lifecycle.may_disqualify(state),
            "rehearse": tournament.rehearsal_of is None and state in entries.BEFORE_FREEZE,
        },
    }
    return _live_page(values, problem)


def _next_values(
    db: Session, tournaments: Sequence[Tournament], orders: Sequence[organising.OrderDetail], *, in_event: bool = False
) -> dict[str, Any]:
    """Return what both consoles show at their top: what comes next, and what may be done about it."""
    waits, states = any(order.done_at is None for order in orders), {each.state for each in tournaments}
    return {
        "actions": [_next_action(db, each, in_event=in_event) for each in tournaments],
        "moves": organising.moves_of(db, tournaments),
        "unready": [bot for each in tournaments if each.state == lifecycle.State.OPEN for bot in unready(db, each)],
        "waits": waits,
        "live_s": _LIVE_S[waits or lifecycle.State.PLAYING.value in states],
        "code": known_code(tournaments),
        "asks_code": any(each.join_code_hash is not None for each in tournaments),
        "before_freeze": states <= set(entries.BEFORE_FREEZE),
    }


def _next_action(db: Session, tournament: Tournament, *, in_event: bool) -> NextAction:
    now, stuck = now_s(), len(organising.stuck_in(db, tournament))
    can_enter = tournament.state == lifecycle.State.FROZEN and awaits_value(tournament) and is_published(tournament)
    return NextAction(
        tournament,
        organising.next_step(db, tournament, stuck=stuck, in_event=in_event),
        premiere_of(db, tournament, now),
        plays_until(db, tournament, now),
        announced_for(tournament),
        can_enter,
    )


def _live_page(values: dict[str, Any], problem: str) -> Response:
    """Return a console, which is live, or with a problem the answer 422 to what was refused."""
    if problem:
        return rendered("organising/console.html", 422, **values, problem=problem)
    return cached_page(repr(values), lambda: render_template("organising/console.html", **values))


# Drafts: created, changed, rehearsed and deleted.


@pages.route("/new", methods=["GET", "POST"])
@organiser_first
def new_draft() -> Response:
    """Create a draft: fill in the form, see the estimate, and save it."""
    copied = whole_number(request.args.get("from") or request.form.get("from"))
    if request.method == "GET":
        if copied is not None:
            return _wizard(_copy_of(copied))
        preset = request.args.get("preset", "one")
        return _wizard(rules.new_form(preset if preset in rules.PRESETS else "one"), preset=preset)
    if copied is not None:
        _allowed(Act.SEE_AUDIT_LOG, copied)
    form = rules.read_rules(request.form, events=True)
    if form.rules is None or "estimate" in request.form:
        return _wizard(form)
    if form.also:
        with database().write() as db:
            event = rules.create_event(db, here(), normal_name(form.given["name"]), [form.rules, *form.also])
            number = stored(event.id)
        flash(f"{event.name} has a draft for each game: only you see the drafts until they are announced.")
        return redirect(url_for("organising.event", event_id=number), 303)
    with database().write() as db:
        number = stored(rules.create_draft(db, here(), form.rules, copied_from=copied).id)
    return _done(f"{form.rules.name} is a draft: only you see it until it is announced.", number)


@pages.route("/<number:tournament_id>/edit", methods=["GET", "POST"])
@organiser_first
def edit_draft(tournament_id: int) -> Response:
    """Change a draft."""
    draft = _allowed(Act.EDIT_DRAFT, tournament_id)
    if request.method == "GET":
        return _wizard(rules.form_of(draft), of=draft)
    form = rules.read_rules(request.form)
    if form.rules is None or "estimate" in request.form:
        return _wizard(form, of=draft)
    try:
        with database().write() as db:
            rules.change_draft(
                db, here(), organising.allowed(db, Act.EDIT_DRAFT, tournament_id, signed_in()), form.rules
            )
    except corrections.DirectiveRefused as announced:
        form.errors["name"] = sentence(str(announced))
        return _wizard(form, of=draft)
    return _done("The draft is saved.", tournament_id)


@pages.post("/<number:tournament_id>/delete")
@fresh_first
def drop_draft(tournament_id: int) -> Response:
    """Delete a draft."""
    with database().write() as db:
        rules.delete_draft(db, here(), organising.allowed(db, Act.DELETE_DRAFT, tournament_id, signed_in()))
    flash("The draft is deleted.")
    return redirect(url_for("organising.index"), 303)


@pages.post("/<number:tournament_id>/rehearse")
@fresh_first
def try_out_draft(tournament_id: int) -> Response:
    """Play a rehearsal of a draft: its rules once between house bots."""
    with database().write() as db:
        rehearsal = rules.rehearse(db, here(), organising.allowed(db, Act.MOVE_TOURNAMENT, tournament_id, signed_in()))
        number = stored(rehearsal.id)
    return _done("The rehearsal begins within seconds.", number)


def _wizard(form: rules.RulesForm, *, of: Tournament | None = None, preset: str = "") -> Response:
    estimates: list[tuple[str, rules.Estimate]] = []
    if form.rules is not None:
        with reading() as db:
            estimates = [(each.game, rules.estimate(db, each, form.expected)) for each in (form.rules, *form.also)]
    every = "Both" if len(GAME_TITLES) == 2 else "All"
    games = GAME_TITLES | ({} if of else {rules.EVERY: f"{every} games, as one event"})
    value_form, value_forms = form.given.get("randomness_form"), rules.RULES["randomness_form"].choices
    if value_form and value_form not in value_forms:
        value_forms = {**value_forms, value_form: value_form}
    values = {
        "choices": {"game": games, "randomness_form": value_forms},
        "options": {name: game_named(name).choices_of_options for name in sorted(GAME_NAMES)},
        "sections": rules.SECTIONS,
        "opened": {section.key for section in rules.SECTIONS if any(_is_set(form, rule) for rule in section.rules)},
        "more": any(rule.is_rare and _is_set(form, rule) for rule in rules.RULES.values()),
        "zones": rules.zones(),
        "presets": [
            (name, title, url_for("organising.new_draft", preset=name)) for name, (title, _) in rules.PRESETS.items()
        ],
    }
    return form_page("organising/draft.html", form, estimates=estimates, of=of, preset=preset, **values)


def _is_set(form: rules.RulesForm, rule: rules.Rule) -> bool:
    return rule.name in form.errors or form.given.get(rule.name, "") not in ("", str(rule.default))


def _copy_of(number: int) -> rules.RulesForm:
    """Return the form filled in with a tournament's rules, without its name and times."""
    form = rules.form_of(_allowed(Act.SEE_AUDIT_LOG, number))
    for name in ("name", *rules.DEADLINES, *rules.RANDOMNESS):
        form.given.pop(name, None)
    return replace(form)


# Events: their tournaments moved together, their people, and the sheet to hand out.


@pages.get("/events/<number:event_id>")
@pages.get("/events/<number:event_id>/live", endpoint="event_live")
@organiser_first
def event(event_id: int) -> Response:
    """Show all tournaments of an event with what can be done with them together."""
    return _event_console(event_id)


@pages.get("/events/<number:event_id>/people.<any(csv,json):form>")
@organiser_first
@as_file("event-{event_id}")
def event_people_file(db: Session, event_id: int) -> TableData:
    """Return as a file which people have entered a bot, and which have not."""
    event, tournaments = organising.allowed_event(db, Act.SEE_STUCK_WORK, event_id, signed_in())
    return organising.watched_table(organising.watched_in(db, tournaments, event.organiser_id))


@pages.post("/events/<number:event_id>/move")
@fresh_first
def move_event(event_id: int) -> Response:
    """Order a move of all tournaments of an event that may make it."""
    state = request.form.get("state", "")
    with database().write() as db:
        tournaments = organising.allowed_event(db, Act.MOVE_TOURNAMENT, event_id, signed_in())[1]
        if state not in set(lifecycle.State):
            abort(422)
        wait = state == lifecycle.State.FROZEN and bool(request.form.get("wait"))
        moved = move_all(db, here(), tournaments, lifecycle.State(state), request.form.get("reason", ""), wait=wait)
    flash(f"Action sent for {counted(len(moved), 'tournament')}. This page shows when it is carried out.")
    return redirect(url_for("organising.event", event_id=event_id), 303)


@pages.post("/events/<number:event_id>/browser-only")
@fresh_first
def event_browser_only(event_id: int) -> Response:
    """Have all tournaments of an event accept only bots written in the browser, or any bots again."""
    with database().write() as db:
        tournaments = organising.allowed_event(db, Act.MOVE_TOURNAMENT, event_id, signed_in())[1]
        message = set_browser_only(db, here(), tournaments, on=request.form.get("on") == "1")
    flash(message)
    return redirect(url_for("organising.event", event_id=event_id), 303)


@pages.post("/events/<number:event_id>/handout")
@organiser_first
def event_handout(event_id: int) -> Response:
    """Show a sheet to print with the event's address and its join code, which is checked and not kept."""
    with reading() as db:
        event, tournaments = organising.allowed_event(db, Act.SEE_STUCK_WORK, event_id, signed_in())
    address = printed("tournaments.event", event_id=event_id)
    handout = _handout(event.name, tournaments, address, url_for("organising.event", event_id=event_id))
    return handout or _event_console(event_id, WRONG_CODE)


def _event_console(event_id: int, problem: str = "") -> Response:
    """Return the console of an event; ends in 403 or 404 for users who may not see it."""
    with reading() as db:
        event, tournaments = organising.allowed_event(db, Act.SEE_STUCK_WORK, event_id, signed_in())
        rows = organising.watched_in(db, tournaments, event.organiser_id)
        orders = [order for each in tournaments for order in organising.ordered_in(db, stored(each.id), 10)]
        values = {
            **_next_values(db, tournaments, orders, in_event=True),
            "subject": None,
            "can": {},
            "event": event,
            "tabs_of_event": event_tabs(event, tournaments, *_CONSOLES),
        }
    values |= {
        "address": url_for("organising.event", event_id=event_id),
        "watch": organising.watched_table(rows, **file_urls("organising.event_people_file", event_id=event_id)),
    }
    return _live_page(values, problem)


# The sheet to hand out: the address, the join code and what to do, on one page to print.

CODE_CHARS: Final = 100
WRONG_CODE: Final = "That is not the join code."


def known_code(tournaments: Sequence[Tournament]) -> str:
    """Return the join code that lets a bot into all of these, empty if there is none or it cannot be read."""
    codes = {tournament.join_code for tournament in tournaments if tournament.join_code_hash is not None}
    return next(iter(codes)) or "" if len(codes) == 1 else ""


def _handout(name: str, tournaments: Sequence[Tournament], way_in: str, back: str) -> Response | None:
    """Return the sheet with the join code, as it is kept or was sent; None if that is not the one."""
    code = known_code(tournaments) or request.form.get("join_code", "").strip()[:CODE_CHARS]
    wanted = {tournament.join_code_hash for tournament in tournaments if tournament.join_code_hash is not None}
    if not all(entries.is_code(code, each) for each in wanted):
        return None
    values: dict[str, Any] = {"name": name, "tournaments": tournaments, "way_in": way_in, "back": back}
    return rendered("organising/handout.html", is_private=True, code=code if wanted else "", **values)
