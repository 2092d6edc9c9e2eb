"""The organizer's console: tournaments and events from the first draft to the printed standings."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from itertools import chain
from typing import Any, Final

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from sqlmodel import Session, select
from werkzeug.wrappers import Response

from gangland.games import GAME_NAMES, game_named
from gangland_ladder.common.texts import counted
from gangland_ladder.proof.randomness import VALUE_CHARS
from gangland_ladder.tournaments import lifecycle
from gangland_web.base.formats import GAME_TITLES, now_s
from gangland_web.base.text import normal_name, sentence, whole_number
from gangland_web.models.accounts import Act
from gangland_web.models.columns import row_id
from gangland_web.models.matches import Match
from gangland_web.models.organizing import ActionKind
from gangland_web.models.tournaments import Entry, Tournament
from gangland_web.queries import organizing, tables, tournaments
from gangland_web.queries.tournament_pages import game_ends_at, premiere_of
from gangland_web.services import corrections, entries, final_tables, ladder_days, rules, settling
from gangland_web.services import organizing as acts
from gangland_web.services.tournaments import deadlines_of
from gangland_web.site.serving import actor, as_file, flash_redirect, form_page, fresh_first, html_page, organizer_first
from gangland_web.site.tournaments import event_tabs
from gangland_web.web.address import printed_url
from gangland_web.web.caching import cached_page
from gangland_web.web.sessions import database, reading, signed_in

pages = Blueprint("organizing", __name__, url_prefix="/organize")


# The list of tournaments, and an organizer's actions.

_LISTED = 50
Action = tuple[ActionKind, dict[str, Any]]  # an action with its details


@pages.get("")
@organizer_first
def index() -> str:
    """List the visitor's tournaments; for an admin, all tournaments."""
    user = signed_in()
    with reading() as db:
        tournaments = organizing.organized_by(db, user, user, _LISTED + 1, before=_before())
    older = None
    if len(tournaments) > _LISTED:
        older = url_for("organizing.index", before=tournaments[_LISTED - 1].id)
    caption = f"{'All' if user.is_admin else 'Your'} tournaments, newest first"
    files = tables.file_urls("organizing.index_file", before=request.args.get("before"))
    table = organizing.ORGANIZED_LIST.of(tournaments[:_LISTED], caption, **files)
    return render_template("organizing/organize.html", tab="tournaments", table=table, older=older)


@pages.get("/tournaments.<any(csv,json):form>")
@organizer_first
@as_file("organized")
def index_file(db: Session) -> tables.TableData:
    """Return the list of the visitor's tournaments as a file."""
    user = signed_in()
    return organizing.ORGANIZED_LIST.of(organizing.organized_by(db, user, user, _LISTED, before=_before()))


@pages.get("/<number:tournament_id>")
@pages.get("/<number:tournament_id>/live", endpoint="console_live")
@pages.get("/events/<number:event_id>", endpoint="event")
@pages.get("/events/<number:event_id>/live", endpoint="event_live")
@organizer_first
def console(tournament_id: int | None = None, event_id: int | None = None) -> Response:
    """Show the console of a tournament, or of all tournaments of an event together."""
    return _console(tournament_id, event_id)


def sends_action(act: Act) -> Callable[[Callable[[int], Action]], Callable[..., Response]]:
    """Decorate a view that returns an action: check permission, call it, send the action, and show the console."""

    def decorate(view: Callable[[int], Action]) -> Callable[..., Response]:
        @fresh_first
        @wraps(view)
        def send(tournament_id: int) -> Response:
            _allowed_tournament(act, tournament_id)
            kind, details = view(tournament_id)
            with database().write() as db:
                tournament = organizing.allowed(db, act, tournament_id, signed_in())
                acts.send_action(db, actor(), kind, tournament, reason=request.form.get("reason", ""), **details)
            return _redirect_to_console("Action sent. The result will appear here.", tournament_id)

        return send

    return decorate


@pages.post("/<number:tournament_id>/move")
@sends_action(Act.MOVE_TOURNAMENT)
def move(_tournament_id: int) -> Action:
    """Request a change of state, settling of the first places, or the next step of a premiere."""
    state = request.form.get("state", "")
    if state == final_tables.PREMIERE:
        after = whole_number(request.form.get("after"))
        if after is None:
            abort(422)
        return ActionKind.MOVE, {"state": state, "after": after}
    if state not in {*lifecycle.State, settling.SETTLE}:
        abort(422)
    wait = {"wait": True} if state == lifecycle.State.FROZEN and request.form.get("wait") else {}
    return ActionKind.MOVE, {"state": state, **wait}


@pages.post("/<number:tournament_id>/deadline")
@sends_action(Act.MOVE_DEADLINE)
def deadline(_tournament_id: int) -> Action:
    """Send a new deadline, with a notice."""
    name = request.form.get("name", "")
    if name not in rules.DEADLINES:
        raise corrections.ActionRefused("Choose one of the deadlines.")
    try:
        at = rules.read_moment(request.form.get("at", "")[:40], request.form.get("zone", "UTC")[:60])
    except ValueError as mistake:
        raise corrections.ActionRefused(str(mistake)) from mistake
    return ActionKind.DEADLINE, {"name": name, "at": at}


@pages.post("/<number:tournament_id>/randomness")
@sends_action(Act.MOVE_TOURNAMENT)
def randomness(tournament_id: int) -> Action:
    """Send the public value for the dice."""
    text = request.form.get("value", "")[: VALUE_CHARS + 1].strip()
    announced = ladder_days.announcement_of(_allowed_tournament(Act.MOVE_TOURNAMENT, tournament_id))
    try:
        return ActionKind.RANDOMNESS, {"value": announced.read(text) if announced is not None else text}
    except ValueError as mistake:
        raise corrections.ActionRefused(str(mistake)) from mistake


@pages.post("/<number:tournament_id>/matches")
@sends_action(Act.VOID_MATCH)
def change_match(tournament_id: int) -> Action:
    """Send an action that re-runs or voids a match."""
    kind = {"rerun": ActionKind.RERUN, "void": ActionKind.VOID}.get(request.form.get("what", ""))
    if kind is None:
        abort(422)
    if kind is ActionKind.RERUN:
        _allowed_tournament(Act.RERUN_MATCH, tournament_id)
    text = request.form.get("number", "")
    number = whole_number(text)
    query = select(Match).where(Match.tournament_id == tournament_id, Match.number == number)
    with reading() as db:
        match = None if number is None else db.exec(query).first()
    if match is None:
        raise corrections.ActionRefused(f"This tournament has no match {text[:20]!r}.")
    return kind, {"match": match}


@pages.post("/<number:tournament_id>/disqualify")
@sends_action(Act.DISQUALIFY)
def disqualify(tournament_id: int) -> Action:
    """Request the disqualification of a bot."""
    number = whole_number(request.form.get("entry"))
    with reading() as db:
        entry = None if number is None else db.get(Entry, number)
    if entry is None or entry.tournament_id != tournament_id:
        raise corrections.ActionRefused("Choose one of the bots that take part.")
    return ActionKind.DISQUALIFY, {"entry": entry}


@pages.post("/<number:tournament_id>/enter")
@fresh_first
def enter(tournament_id: int) -> Response:
    """Enter a house bot or a bot of an account that the organizer created, or withdraw one."""
    number = whole_number(request.form.get("bot")) or 0
    try:
        with database().write() as db:
            tournament = organizing.allowed(db, Act.ENTER_FOR_OTHERS, tournament_id, signed_in())
            if request.form.get("what") == "out":
                message = f"{acts.withdraw_bot_for(db, actor(), tournament, number).name} has been withdrawn."
            else:
                message = f"{acts.enter_bot_for(db, actor(), tournament, number).name} has been entered."
    except entries.EntryRefused as refused:
        return _console(tournament_id, problem=sentence(str(refused)))
    return _redirect_to_console(message, tournament_id)


@pages.post("/<number:tournament_id>/browser-only")
@pages.post("/events/<number:event_id>/browser-only", endpoint="event_browser_only")
@fresh_first
def browser_only(tournament_id: int | None = None, event_id: int | None = None) -> Response:
    """Make tournaments accept only bots written in the browser, or all bots."""
    with database().write() as db:
        _, tournaments = _subject(db, Act.MOVE_TOURNAMENT, tournament_id, event_id)
        message = acts.set_browser_only(db, actor(), tournaments, on=request.form.get("on") == "1")
    return _redirect_to_console(message, tournament_id, event_id)


@pages.post("/<number:tournament_id>/handout")
@pages.post("/events/<number:event_id>/handout", endpoint="event_handout")
@organizer_first
def handout(tournament_id: int | None = None, event_id: int | None = None) -> Response:
    """Show a printable sheet with a URL, the join code and instructions."""
    with reading() as db:
        name, tournaments = _subject(db, Act.SEE_STUCK_WORK, tournament_id, event_id)
    if event_id is None:
        entry_url = printed_url("tournaments.tournament", tournament_id=tournament_id)
    else:
        entry_url = printed_url("tournaments.event", event_id=event_id)
    values: dict[str, Any] = {"name": name, "tournaments": tournaments, "code": join_codes(tournaments)}
    values |= {"entry_url": entry_url, "back": _console_url(tournament_id, event_id)}
    return html_page("organizing/handout.html", is_private=True, **values)


def join_codes(tournaments: Sequence[Tournament]) -> str:
    """Return the stored join codes of these tournaments, separated by commas; "" without any."""
    return ", ".join(sorted({tournament.join_code for tournament in tournaments if tournament.join_code}))


@pages.get("/<number:tournament_id>/people.<any(csv,json):form>")
@organizer_first
@as_file("people-{tournament_id}")
def people_file(db: Session, tournament_id: int) -> tables.TableData:
    """Return the people of a tournament as a file, and whether each has entered a bot."""
    tournament = organizing.allowed(db, Act.SEE_STUCK_WORK, tournament_id, signed_in())
    return organizing.participants_table(organizing.participants_in(db, [tournament], tournament.organizer_id))


@pages.get("/<number:tournament_id>/<any(orders,stuck):what>.<any(csv,json):form>")
@organizer_first
@as_file("{what}-{tournament_id}")
def table(db: Session, tournament_id: int, what: str) -> tables.TableData:
    """Return the actions or the stuck matches of a tournament as a file."""
    tournament = organizing.allowed(db, Act.SEE_STUCK_WORK, tournament_id, signed_in())
    if what == "stuck":
        return organizing.STUCK_MATCHES.of(organizing.stuck_in(db, tournament))
    return organizing.ACTIONS.of(organizing.actions_in(db, tournament_id, _LATEST_ACTIONS))


def _files(what: str, tournament_id: int, endpoint: str = "organizing.table") -> dict[str, Any]:
    return tables.file_urls(endpoint, tournament_id=tournament_id, what=what)


def _before() -> int | None:
    return whole_number(request.args.get("before"))


def _allowed_tournament(act: Act, tournament_id: int) -> Tournament:
    with reading() as db:
        return organizing.allowed(db, act, tournament_id, signed_in())


def _subject(db: Session, act: Act, tournament_id: int | None, event_id: int | None) -> tuple[str, list[Tournament]]:
    """Return the name and the tournaments of an event or a tournament, if the visitor may act on them."""
    if event_id is not None:
        event, tournaments = organizing.allowed_event(db, act, event_id, signed_in())
        return event.name, tournaments
    tournament = organizing.allowed(db, act, tournament_id or 0, signed_in())
    return tournament.name, [tournament]


def _console_url(tournament_id: int | None, event_id: int | None) -> str:
    if event_id is not None:
        return url_for("organizing.event", event_id=event_id)
    return url_for("organizing.console", tournament_id=tournament_id)


def _redirect_to_console(message: str, tournament_id: int | None, event_id: int | None = None) -> Response:
    """Redirect to the console that sent an action: the tournament's, or that of the event named in the form."""
    flash(message)
    if tournament_id is not None:
        event_id = _named_event(tournament_id)
    return redirect(_console_url(tournament_id, event_id), 303)


def _named_event(tournament_id: int) -> int | None:
    """Return the number of the event in the form if the tournament belongs to it, else None."""
    number = whole_number(request.form.get("event"))
    with reading() as db:
        tournament = None if number is None else db.get(Tournament, tournament_id)
    return None if tournament is None or tournament.event_id != number else number


# The console of a tournament or an event: all its views show it, with the reason if an action was refused.

_LATEST_ACTIONS = 30
_LIVE_S: Final = (10, 2)  # seconds between two updates of an open console: normally, and while work is under way


@pages.errorhandler(corrections.ActionRefused)
def _refused_page(refused: corrections.ActionRefused) -> Response:
    address = request.view_args or {}
    tournament_id, event_id = address.get("tournament_id"), address.get("event_id")
    if tournament_id is not None:
        event_id = _named_event(tournament_id)
    return _console(None if event_id is not None else tournament_id, event_id, str(refused))


def _console(tournament_id: int | None, event_id: int | None = None, problem: str = "") -> Response:
    """Return a live console; with `problem`, the 422 response to a refused form."""
    user, act, is_open, playing = signed_in(), Act.SEE_STUCK_WORK, lifecycle.State.OPEN, lifecycle.State.PLAYING
    with reading() as db:
        subject = None if tournament_id is None else organizing.allowed(db, act, tournament_id, user)
        event, tournaments = None, [] if subject is None else [subject]
        tabs: list[tuple[str | int, str, str]] = []
        if (number := event_id if subject is None else subject.event_id) is not None:
            event, of_event = organizing.allowed_event(db, act, number, user)
            tabs = event_tabs(event, of_event, "organizing.event", "organizing.console")
            tournaments = tournaments or of_event
        lists = [organizing.actions_in(db, row_id(tournament.id), _LATEST_ACTIONS) for tournament in tournaments]
        orders = list(chain(*lists))
        waits = any(order.done_at is None for order in orders)
        before_freeze = all(tournament.state in entries.BEFORE_FREEZE for tournament in tournaments)
        organizer = tournaments[0].organizer_id if event is None else event.organizer_id
        participants = organizing.participants_in(db, tournaments, organizer) if before_freeze else []
        values: dict[str, Any] = {
            "subject": subject,
            "event": event,
            "tabs_of_event": tabs,
            "actions": [_next_action(db, tournament, in_event=subject is None) for tournament in tournaments],
            "moves": organizing.moves_of(db, tournaments),
            "unready": [
                bot
                for tournament in tournaments
                if tournament.state == is_open
                for bot in entries.unready_bots(db, tournament)
            ],
            "can": {},
        }
        if subject is not None:
            values |= _details(db, subject, orders)
    if subject is None:
        files = tables.file_urls("organizing.event_people_file", event_id=event_id)
    else:
        files = tables.file_urls("organizing.people_file", tournament_id=tournament_id)
    values |= {
        "waits": waits,
        "address": _console_url(tournament_id, event_id),
        "watch": organizing.participants_table(participants, **files),
        "code": join_codes(tournaments),
        "asks_code": any(tournament.join_code_hash is not None for tournament in tournaments),
        "before_freeze": before_freeze,
        "live_s": _LIVE_S[waits or any(tournament.state == playing for tournament in tournaments)],
    }
    if problem:
        return html_page("organizing/console.html", 422, **values, problem=problem)
    return cached_page(repr(values), lambda: render_template("organizing/console.html", **values))


def _next_action(db: Session, tournament: Tournament, *, in_event: bool) -> dict[str, Any]:
    now, stuck = now_s(), len(organizing.stuck_in(db, tournament))
    is_frozen = tournament.state == lifecycle.State.FROZEN
    return {
        "tournament": tournament,
        "step": organizing.next_step(db, tournament, stuck=stuck, in_event=in_event),
        "premiere": premiere_of(db, tournament, now),
        "plays_until": game_ends_at(db, tournament, now),
        "moves": acts.allowed_moves(db, tournament),
        "randomness": ladder_days.announcement_of(tournament),
        "can_enter_value": is_frozen and ladder_days.awaits_value(tournament) and ladder_days.is_published(tournament),
    }


def _details(db: Session, tournament: Tournament, orders: Sequence[organizing.ActionDetail]) -> dict[str, Any]:
    state, deadlines, number = lifecycle.State(tournament.state), deadlines_of(tournament), row_id(tournament.id)
    parts = tournaments.parts_of(db, tournament)
    return {
        "parts": parts,
        "offered": acts.bots_to_enter(db, tournament, tournament.organizer_id) if state is lifecycle.State.OPEN else [],
        "zones": rules.zone_names(),
        "players": organizing.PLAYERS.of(parts, **_files("entries", number, "tournaments.table")),
        "ordered": organizing.ACTIONS.of(
            orders, "Newest first. Actions are carried out within seconds", **_files("orders", number)
        ),
        "delayed": organizing.STUCK_MATCHES.of(
            organizing.stuck_in(db, tournament),
            "Matches that have waited for more than two minutes",
            **_files("stuck", number),
        ),
        "ahead": lifecycle.remaining_deadlines(state),
        "deadlines": {name: (label, getattr(deadlines, name)) for name, label in rules.DEADLINES.items()},
        "can": {
            "edit": lifecycle.may_edit_rules(state),
            "rerun": lifecycle.may_rerun(state),
            "void": lifecycle.may_void(state),
            "disqualify": lifecycle.may_disqualify(state),
            "rehearse": tournament.rehearsal_of is None and state in entries.BEFORE_FREEZE,
        },
    }


# Drafts: created, changed, rehearsed and deleted.


@pages.route("/new", methods=["GET", "POST"])
@organizer_first
def new_draft() -> Response:
    """Show the form for a draft with its estimate, or save the draft."""
    copied = whole_number(request.args.get("from") or request.form.get("from"))
    if request.method == "GET":
        if copied is not None:
            return _wizard(_copy_of(copied))
        preset = request.args.get("preset", "one")
        return _wizard(rules.new_form(preset if preset in rules.PRESETS else "one"), preset=preset)
    if copied is not None:
        _allowed_tournament(Act.SEE_AUDIT_LOG, copied)
    form = rules.read_rules(request.form, events=True)
    if form.rules is None or "estimate" in request.form:
        return _wizard(form)
    if form.others:
        with database().write() as db:
            event = rules.create_event(db, actor(), normal_name(form.fields["name"]), [form.rules, *form.others])
            number = row_id(event.id)
        flash(f"{event.name} has a draft for each game. Only you see them until you announce them.")
        return redirect(_console_url(None, number), 303)
    with database().write() as db:
        number = row_id(rules.create_draft(db, actor(), form.rules, copied_from=copied).id)
    return _redirect_to_console(f"{form.rules.name} is a draft: only you see it until it is announced.", number)


@pages.route("/<number:tournament_id>/edit", methods=["GET", "POST"])
@organizer_first
def edit_draft(tournament_id: int) -> Response:
    """Change a draft."""
    draft = _allowed_tournament(Act.EDIT_DRAFT, tournament_id)
    if request.method == "GET":
        return _wizard(rules.form_of(draft), draft=draft)
    form = rules.read_rules(request.form)
    if form.rules is None or "estimate" in request.form:
        return _wizard(form, draft=draft)
    try:
        with database().write() as db:
            rules.change_draft(
                db, actor(), organizing.allowed(db, Act.EDIT_DRAFT, tournament_id, signed_in()), form.rules
            )
    except corrections.ActionRefused as announced:
        form.errors["name"] = sentence(str(announced))
        return _wizard(form, draft=draft)
    return _redirect_to_console("The draft has been saved.", tournament_id)


@pages.post("/<number:tournament_id>/delete")
@fresh_first
def delete_draft(tournament_id: int) -> Response:
    """Delete a draft."""
    with database().write() as db:
        rules.delete_draft(db, actor(), organizing.allowed(db, Act.DELETE_DRAFT, tournament_id, signed_in()))
    return flash_redirect("The draft has been deleted.", "organizing.index")


@pages.post("/<number:tournament_id>/rehearse")
@fresh_first
def rehearse_draft(tournament_id: int) -> Response:
    """Play a rehearsal of a draft: house bots play once by its rules."""
    with database().write() as db:
        rehearsal = rules.rehearse(db, actor(), organizing.allowed(db, Act.MOVE_TOURNAMENT, tournament_id, signed_in()))
        number = row_id(rehearsal.id)
    return _redirect_to_console("The rehearsal begins within seconds.", number)


def _wizard(form: rules.RulesForm, *, draft: Tournament | None = None, preset: str = "") -> Response:
    estimates: list[tuple[str, rules.Estimate]] = []
    if form.rules is not None:
        with reading() as db:
            estimates = [(part.game, rules.estimate(db, part, form.expected)) for part in (form.rules, *form.others)]
    quantity = "Both" if len(GAME_TITLES) == 2 else "All"
    games = GAME_TITLES | ({} if draft else {rules.EVERY_GAME: f"{quantity} games, as one event"})
    value_form, value_forms = form.fields.get("randomness_form"), rules.RULES["randomness_form"].choices
    if value_form and value_form not in value_forms:
        value_forms = {**value_forms, value_form: value_form}
    values = {
        "choices": {"game": games, "randomness_form": value_forms},
        "options": {name: game_named(name).choices_of_options for name in sorted(GAME_NAMES)},
        "sections": rules.SECTIONS,
        "opened": {section.key for section in rules.SECTIONS if any(_is_set(form, rule) for rule in section.rules)},
        "more": any(rule.is_rare and _is_set(form, rule) for rule in rules.RULES.values()),
        "zones": rules.zone_names(),
        "presets": [
            (name, title, url_for("organizing.new_draft", preset=name)) for name, (title, _) in rules.PRESETS.items()
        ],
    }
    return form_page("organizing/draft.html", form, estimates=estimates, of=draft, preset=preset, **values)


def _is_set(form: rules.RulesForm, rule: rules.Rule) -> bool:
    return rule.name in form.errors or form.fields.get(rule.name, "") not in ("", str(rule.default))


def _copy_of(number: int) -> rules.RulesForm:
    """Return a form filled in with a tournament's rules, but not with its name and times."""
    form = rules.form_of(_allowed_tournament(Act.SEE_AUDIT_LOG, number))
    for name in ("name", *rules.DEADLINES, *rules.RANDOMNESS):
        form.fields.pop(name, None)
    return replace(form)


# Events: changes of all their tournaments together, and their participants.


@pages.get("/events/<number:event_id>/people.<any(csv,json):form>")
@organizer_first
@as_file("event-{event_id}")
def event_people_file(db: Session, event_id: int) -> tables.TableData:
    """Return the people of an event as a file, and whether each has entered a bot."""
    event, tournaments = organizing.allowed_event(db, Act.SEE_STUCK_WORK, event_id, signed_in())
    return organizing.participants_table(organizing.participants_in(db, tournaments, event.organizer_id))


@pages.post("/events/<number:event_id>/move")
@fresh_first
def move_event(event_id: int) -> Response:
    """Change the state of all tournaments of an event that may make this change."""
    state = request.form.get("state", "")
    with database().write() as db:
        tournaments = organizing.allowed_event(db, Act.MOVE_TOURNAMENT, event_id, signed_in())[1]
        if state not in set(lifecycle.State):
            abort(422)
        wait = state == lifecycle.State.FROZEN and bool(request.form.get("wait"))
        moved = acts.move_all(
            db, actor(), tournaments, lifecycle.State(state), request.form.get("reason", ""), wait=wait
        )
    message = f"Action sent for {counted(len(moved), 'tournament')}. The result will appear here."
    return _redirect_to_console(message, None, event_id)
