"""Play pages: people play a game against bots, or learn one in a lesson, with plain forms.

Of a game, pages show only what the player's view, story and question contain, never hidden state such as the seed, so a
browser gets only the information that a bot in the player's seat would get.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Any, Final

from flask import Blueprint, abort, make_response, redirect, render_template, request, url_for
from flask import Response as FlaskResponse
from sqlmodel import Session, col, select
from werkzeug.wrappers import Response

from gangland.faults import IllegalDecision
from gangland.game import Choice as GameOption
from gangland.games import game_named
from gangland_ladder.analysis.games import has_reference
from gangland_ladder.playing.lessons.lesson import MAX_DECISIONS, PLAYER, Lesson, LessonState, WrongDecision, lesson_of
from gangland_ladder.playing.questions import NoSuchPart
from gangland_ladder.playing.table_state import LiveTable, NotOpen
from gangland_ladder.viewer.commentary import percent
from gangland_ladder.viewer.presentation import as_order
from gangland_web.base.formats import GAME_TITLES, now_s
from gangland_web.base.text import shown, whole_number
from gangland_web.broker.link import ask_for_page, count_slots
from gangland_web.models.bots import Bot
from gangland_web.models.jobs import OPEN_TABLES, PRESENCE_INTERVAL_S, PlayTable, TableState
from gangland_web.queries.challenges import challenges_of, own_active_bots
from gangland_web.queries.play import AMOUNT, TablePage, amounts_of, hint_at, player_view
from gangland_web.services import analyses, challenges, play, rules
from gangland_web.site.matches import game_page
from gangland_web.site.serving import form_page, known_game, requested_game, row_or_404
from gangland_web.site.viewer import SPRITE, viewer_file
from gangland_web.web.requests import allowance, analyzes_games, dispatch_soon, settings
from gangland_web.web.sessions import browser_key, database, reading, require_sign_in, signed_in, visitor

pages = Blueprint("play", __name__)


# Tables: `/play`.

# The maximum time that a response waits for the bots; after that, the page is shown and updates itself.
_WAIT_LIMIT_S: Final = 2.0
_POLL_S: Final = 0.04
_MAX_PARTS: Final = 200

pages.app_template_filter("order")(as_order)
pages.app_template_filter("share")(percent)


@pages.get("/<game:game>")
def index(game: str) -> Response:
    """Show the form for an unrated game, with the visitor's open table and latest games."""
    return _form(read_form(game))


@pages.post("/play")
def begin() -> Response:
    """Open a table, or start a match for the visitor's bot."""
    form = read_form(known_game(request.form.get("game")))
    return _open_table(form) if form.player == YOU else _start_match(form)


def _open_table(form: GameForm) -> Response:
    if form.practice and not _can_practice(form.game):
        form.errors["table"] = "Hints are not available for this game."
    elif len(form.opponents) + 1 not in game_named(form.game).table_sizes:
        form.errors["table"] = f"Choose 1 to {form.max_opponents} opponents, not {len(form.opponents)}."
    elif (options := form.options()) is not None:
        terms: dict[str, Any] = {"slots": match_slots(), "options": options, "practice": form.practice}
        try:
            with database().write() as db:
                token = play.open_table(db, _table_owner(create=True), form.game, form.opponents, **terms).token
        except play.TableRefused as refused:
            form.errors["table"] = str(refused)
        else:
            return _redirect_to_table(token)
    return _form(form)


@require_sign_in
def _start_match(form: GameForm) -> Response:
    """Start an unrated match for the visitor's bot, like the API call."""
    try:
        with database().write() as db:
            bots = [bot for number in form.opponents if (bot := db.get(Bot, number)) and bot.game == form.game]
            if len(bots) < len(form.opponents):
                raise challenges.ChallengeRefused(f"Choose opponents that play {GAME_TITLES[form.game]}.")
            names, bot_id = [bot.name for bot in bots], whole_number(form.player) or 0
            match_id = challenges.create_challenge(db, signed_in().id, bot_id, names, allowance())
    except challenges.ChallengeRefused as refused:
        form.errors["table"] = str(refused)
        response = _form(form)
        if isinstance(refused, challenges.TooManyChallenges):
            response.status_code = 429
            if refused.wait_s is not None:
                response.headers["Retry-After"] = str(ceil(refused.wait_s))
        return response
    return redirect(url_for("matches.match", match_id=match_id), 303)


@pages.get("/play/<token>")
def table(token: str) -> Response:
    """Show a table to its player, or redirect to the game's page once the game is over."""
    with reading() as db:
        row = _visible_table(db, token, shared=True)
    if row.state in OPEN_TABLES:
        if row.active_at < now_s() - PRESENCE_INTERVAL_S:
            with database().write() as db:
                play.record_presence(db, row)
        if request.method == "HEAD":  # the page's script reports that the page is still open
            return Response(status=204, headers={"Cache-Control": "no-store"})
    with reading() as db:
        return _page(db, _visible_table(db, token, shared=True))


def _game_page(token: str) -> str:
    return url_for("matches.game", match_id=token, block=0, rotation=0)


@pages.post("/play/<token>")
def decide(token: str) -> Response:
    """Record the answer to the open question."""
    number = whole_number(request.form.get("number", ""), digits=6) or 0
    try:
        with reading() as db:
            row = _visible_table(db, token)
            if row.state == TableState.OVER:  # the last answer of the game was sent twice
                return redirect(_game_page(token), 303)
            with play.live_tables.lend(db, row) as live_table:
                (seat,) = live_table.setup.humans
                question = live_table.open_question(seat)
                if question.number != number:
                    raise NotOpen("it is for a different question")
                checked = play.checked_answer(row, live_table, number, _sent_decision(live_table, seat))
        with database().write() as db:
            play.store_answer(db, db.get_one(PlayTable, row.id), checked)
    except (NotOpen, NoSuchPart, IllegalDecision) as refused:
        problem = "The game has moved on." if isinstance(refused, NotOpen) else f"Not possible: {_with_period(refused)}"
        with reading() as db:
            return _page(db, _visible_table(db, token), problem, 409 if isinstance(refused, NotOpen) else 422)
    return _redirect_to_table(token, "question")


@pages.post("/play/<token>/leave")
def leave(token: str) -> Response:
    """End a table before its game is over."""
    with database().write() as db:
        row = _visible_table(db, token)
        play.end_table(db, row, play.LEFT_REASON)
        game = play.setup_of(row).game
    return redirect(url_for("play.index", game=game, left=1), 303)


@pages.post("/play/<token>/share")
def sharing(token: str) -> Response:
    """Share a finished game with anyone who knows its URL, or stop sharing it."""
    shared, name = request.form.get("shared") == "1", request.form.get("name", "")
    with database().write() as db:
        play.set_sharing(db, _visible_table(db, token), is_shared=shared, name=name)
    return redirect(_game_page(token), 303)


@pages.post("/play/<token>/rematch")
def open_rematch(token: str) -> Response:
    """Open a table with the same bots, each moved by one seat."""
    with database().write() as db:
        new_token = play.rematch(db, _table_owner(create=True), _visible_table(db, token), slots=match_slots()).token
    return _redirect_to_table(new_token)


@pages.errorhandler(play.TableRefused)
def show_refusal(refusal: play.TableRefused) -> Response:
    """Show the page of the table, or of its game, with the reason for a refusal."""
    token = (request.view_args or {})["token"]
    with reading() as db:
        row = _visible_table(db, token)
        if row.state != TableState.OVER:
            return _page(db, row, str(refusal), 422)
    response = make_response(game_page(*requested_game(token, 0, 0), problem=str(refusal)))
    response.status_code = 422
    return response


def _redirect_to_table(token: str, part: str | None = None) -> Response:
    """Let the bots decide, wait briefly for them, and redirect to the table or to a part of its page."""
    dispatch_soon()
    deadline = time.monotonic() + _WAIT_LIMIT_S
    state = select(PlayTable.state).where(PlayTable.token == token)
    while time.monotonic() < deadline:
        with database().read() as db:
            current = db.exec(state).one()
        if current == TableState.OVER:
            return redirect(_game_page(token), 303)
        if current != TableState.BOTS:
            break
        time.sleep(_POLL_S)
    return redirect(url_for("play.table", token=token, _anchor=part), 303)


def _sent_decision(live_table: LiveTable, seat: int) -> Any:
    """Return the decision in a form: chosen from the list, or composed of parts."""
    current = live_table.question(seat)
    if "choice" in request.values:
        choices = () if current is None else current.choices
        index = whole_number(request.values["choice"], digits=6)
        if index is None or index >= len(choices):
            raise NoSuchPart("choose one from the list")
        return choices[index].decision
    if "amount" in request.values:
        amount = whole_number(request.values["amount"], digits=6)
        amounts = None if current is None else amounts_of(current)
        if amounts is None or amount not in amounts:
            raise NoSuchPart("choose a number" if amounts is None else f"choose {amounts[0]} to {amounts[-1]}")
        parts = [f"{AMOUNT}:{amount}"]
    else:
        parts = [] if "nothing" in request.values else request.values.getlist("part")[:_MAX_PARTS]
    composed = live_table.narrowed(seat, parts).complete
    if composed is None or not {"amount", "part", "nothing"} & {*request.values}:
        raise NoSuchPart("your choice is not complete")
    return composed.decision


def _page(db: Session, row: PlayTable, problem: str = "", status: int = 200) -> Response:
    if row.state == TableState.OVER:
        return redirect(_game_page(row.token))
    with play.live_tables.lend(db, row) as live_table:
        (seat,) = live_table.setup.humans
        page = _table_page(db, row, live_table, seat, problem)
        response = make_response(render_template("play/table.html", page=page))
    if problem:
        response.status_code = status
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _table_page(db: Session, row: PlayTable, live_table: LiveTable, seat: int, problem: str) -> TablePage:
    asks = row.state == TableState.PERSON
    part_ids = request.args.getlist("part")[:_MAX_PARTS] if request.method == "GET" else []
    sprite = viewer_file(SPRITE)
    try:
        shown_table = player_view(live_table, seat, sprite, part_ids, with_prompt=asks)
    except NoSuchPart as refused:
        shown_table, problem = player_view(live_table, seat, sprite, with_prompt=asks), shown(str(refused), limit=300)
    if (prompt := shown_table.prompt) is not None:
        prompt = replace(prompt, hint=hint_at(db, row, live_table, prompt))
        shown_table = replace(shown_table, prompt=prompt)
    return TablePage(row, live_table, seat, shown_table, problem)


# The form for an unrated game: player, opponents and options.

YOU: Final = "you"  # the visitor plays, not one of their bots
_FIELD_CHARS: Final = 200
_LISTED_BOTS: Final = 50  # bots to choose from; pages of other bots link to the form with that bot selected
_LATEST: Final = 5


@dataclass(frozen=True, slots=True)
class GameForm:
    """A filled-in form for an unrated game."""

    game: str
    player: str = YOU  # `YOU`, or the id of the bot that plays
    opponents: Sequence[int] = ()
    fields: Mapping[str, str] = field(default_factory=dict)  # all fields, truncated to `_FIELD_CHARS`
    errors: dict[str, str] = field(default_factory=dict)  # by field; "table" has the reason why no game was started

    @property
    def max_opponents(self) -> int:
        """The maximum number of opponents."""
        return max(game_named(self.game).table_sizes) - 1

    @property
    def practice(self) -> bool:
        """Whether the player wants hints."""
        return bool(self.fields.get("practice"))

    @property
    def choices(self) -> list[GameOption]:
        """The options of the game."""
        return [
            replace(option, hint=f"1 to {play.ROUND_LIMIT}") if option.name == "round_limit" else option
            for option in game_named(self.game).choices_of_options
        ]

    def options(self) -> dict[str, object] | None:
        """Return the options that differ from their defaults; None if they are invalid, with the reason in `errors`."""
        try:
            return rules.read_options(self.game, len(self.opponents) + 1, self.fields)
        except ValueError as mistake:
            self.errors["options"] = rules.sentence(mistake)
            return None


def read_form(game: str) -> GameForm:
    """Return the submitted form, or one prefilled from the query string; an opponent that is not a number becomes 0."""
    sent = {name: value[:_FIELD_CHARS] for name, value in request.values.items() if name != "csrf_token"}
    # More opponents than fit at a table are refused, so at most one too many is looked up.
    sent_opponents = request.values.getlist("opponent")[: max(game_named(game).table_sizes)]
    opponents = [whole_number(text) or 0 for text in sent_opponents if text]
    return GameForm(game, sent.get("who", YOU), opponents, sent)


def possible_opponents(db: Session, form: GameForm) -> list[Bot]:
    """Return the bots to choose opponents from: those in the form, house bots, and others by name."""
    named = select(Bot).where(Bot.game == form.game, col(Bot.id).in_(form.opponents), col(Bot.active_version_id) > 0)
    listed = [bot for bot, _ in play.opponents_of(db, form.game, limit=_LISTED_BOTS)]
    return [*(bot for bot in db.exec(named).all() if bot not in listed), *listed]


def _form(form: GameForm) -> FlaskResponse:
    person, user = _table_owner(), visitor()
    with reading() as db:
        bots = possible_opponents(db, form)
        open_table = next(iter(play.open_tables_of(db, person)), None)
        own_bots = [] if user is None else [bot for bot in own_active_bots(db, user.id) if bot.game == form.game]
        games = play.games_of(db, person, form.game, _LATEST)
        matches = [] if user is None else challenges_of(db, user.id, _LATEST, game=form.game)
    return form_page(
        "play/form.html",
        form,
        bots=bots,
        own_bots=own_bots,
        open_table=open_table,
        games=[(table, play.setup_of(table).seats) for table in games],
        matches=matches,
        practice=_can_practice(form.game),
        allowance=allowance(),
        obstacle="" if match_slots() else play.NO_WORKER,
    )


# Hints at practice tables: the table's page shows a hint once it is computed.


@pages.post("/play/<token>/hint")
def hint(token: str) -> Response:
    """Request a hint; do nothing if the question is no longer open."""
    if not analyzes_games():
        abort(503, analyses.NotAnalyzedReason.OFF.value)
    number = whole_number(request.form.get("number", ""), digits=6) or 0
    with suppress(NotOpen):
        with reading() as db:
            try:
                play.check_hint(db, _visible_table(db, token), number)
            except play.HintsUnavailable as refused:
                abort(422, str(refused))
        with database().write() as db:
            play.request_hint(db, _visible_table(db, token), number)
    dispatch_soon()
    part_ids = request.form.getlist("part")[:_MAX_PARTS]
    return redirect(url_for("play.table", token=token, part=part_ids, _anchor="question"), 303)


def _can_practice(game: str) -> bool:
    return analyzes_games() and has_reference(game)


# People: the owner of a table, and the permission to see it.


def _visible_table(db: Session, token: str, *, shared: bool = False) -> PlayTable:
    row = db.exec(select(PlayTable).where(PlayTable.token == token)).first() if "\0" not in token else None
    if row is None or not (_table_owner().owns(row) or (shared and row.shared_at is not None)):
        abort(404, "There is no such game, or it is private.")
    return row


def _table_owner(*, create: bool = False) -> play.TableOwner:
    """Return the owner of the visitor's tables: the account or this browser, whose cookie `create` sets if missing."""
    user = visitor()
    return play.table_owner(None if user is None else user.id, browser_key(create=create and user is None))


# Requests to the broker.


def match_slots() -> int:
    """Return the number of matches that can be played at the same time now; 0 if the broker does not respond."""
    return ask_for_page(settings().redis_url, count_slots) or 0


# Lessons: `/GAME/learn` teaches a game by playing its first rounds.
#
# Nothing is stored: the URL contains the player's decisions so far, each in the notation for typing in a terminal.

# A URL with one of these fields contains a complete decision, not only chosen parts.
_DECISION_FIELDS: Final = {"amount", "choice", "made", "nothing"}


@pages.get("/<game:game>/learn")
def lesson(game: str) -> Response:
    """Show the lesson after the decisions in the URL, with the next question."""
    lesson_plan = row_or_404(lesson_of(game))
    state, problem = _state_after(lesson_plan, request.args.getlist("d"))
    live_table, table, sprite = state.live_table, None, viewer_file(SPRITE)
    if state.kind is not None:
        try:
            table = player_view(live_table, PLAYER, sprite, request.args.getlist("part")[:_MAX_PARTS])
            if not problem and _DECISION_FIELDS & {*request.args}:
                text = live_table.spelling(PLAYER).text_of(_sent_decision(live_table, PLAYER))
                return redirect(url_for("play.lesson", game=game, d=[*state.decisions, text]), 303)
        except NoSuchPart as refused:
            refusal = _with_period(refused)
            table, problem = table or player_view(live_table, PLAYER, sprite), refusal[:1].upper() + refusal[1:]
    page = render_template("play/lesson.html", game=game, lesson=lesson_plan, place=state, table=table, problem=problem)
    response = make_response(page, 422 if problem else 200)
    if request.args:
        response.headers["X-Robots-Tag"] = "noindex"
    return response


def _state_after(lesson: Lesson, decisions: Sequence[str]) -> tuple[LessonState, str]:
    """Return the state before the first impossible decision, and the problem with it."""
    decisions = decisions[: MAX_DECISIONS + 1]
    try:
        return LessonState(lesson, decisions), ""
    except WrongDecision as wrong:
        state = LessonState(lesson, decisions[: wrong.number - 1])
        return state, f"Decision {wrong.number} is not possible: {_with_period(wrong)}"


def _with_period(refusal: Exception) -> str:
    text = shown(str(refusal), limit=300)
    return text if text.endswith(".") else f"{text}."
