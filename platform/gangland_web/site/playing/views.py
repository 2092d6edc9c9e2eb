"""`/play`: a person opens a table with bots and plays a game, with forms alone.

Nothing of a table goes to a browser during a game but what a bot in the person's seat would get: pages are made of the
person's view, story and question.  Its rows and seed never are.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any, Final

from flask import Blueprint, abort, make_response, redirect, render_template, request, url_for
from sqlmodel import Session, select
from werkzeug.wrappers import Response

from gangland.faults import IllegalDecision
from gangland.games import game_named
from gangland_ladder.playing.parts import NoSuchPart
from gangland_ladder.playing.standing import NotOpen, Standing
from gangland_ladder.viewer.addressing import as_order
from gangland_ladder.viewer.film import film_of
from gangland_ladder.viewer.turning import result_of
from gangland_ladder.viewer.verdicts import percent
from gangland_web.base.clock import now_s
from gangland_web.base.formats import GAME_TITLES
from gangland_web.base.text import shown, whole_number
from gangland_web.models.jobs import OPEN_TABLES, SEEN_EVERY_S, HintState, PlayTable, TableState
from gangland_web.queries.analyses import analysis_of_table
from gangland_web.services.play import (
    LEFT,
    ROUND_LIMIT,
    Person,
    TableRefused,
    answer,
    checked_answer,
    end_table,
    names_as_shared,
    open_table,
    opponents_of,
    rematch,
    rows_of,
    see_person,
    setup_of,
    share,
    standings,
)
from gangland_web.site.playing.access import person_here as _person
from gangland_web.site.playing.access import visible_table as _table
from gangland_web.site.playing.broker import match_slots, request_bots
from gangland_web.site.playing.drawing import AMOUNT, Drawn, amounts_of, drawn
from gangland_web.site.playing.forms import TableForm, read_form
from gangland_web.site.playing.hints import can_practise, hint_at
from gangland_web.site.responses import form_page
from gangland_web.site.viewer_files import film_markup
from gangland_web.web.caching import cached_page
from gangland_web.web.requests import settings
from gangland_web.web.sessions import database, reading, visitor

pages = Blueprint("play", __name__)

WAITS_S: Final = 2.0
"""So long an answer waits for the bots; a page that is shown earlier asks again by itself."""
LOOKS_EVERY_S: Final = 0.04
MOST_PARTS: Final = 200
HINT_TAKEN: Final = "a hint was taken"


@dataclass(frozen=True, slots=True)
class TablePage:
    """A table as its person sees it.

    Attributes:
        problem: why an answer was refused.
    """

    table: PlayTable
    standing: Standing
    seat: int
    drawn: Drawn
    problem: str

    @property
    def bots_decide(self) -> bool:
        """Whether bots are asked at the moment."""
        return self.table.state in (TableState.BOTS, TableState.LEASED)

    @property
    def hint_waits(self) -> bool:
        """Whether a hint was asked for and is not there yet."""
        hint = None if self.drawn.prompt is None else self.drawn.prompt.hint
        return hint is not None and hint.state in (HintState.WAITING, HintState.LEASED)


pages.app_template_filter("order")(as_order)
pages.app_template_filter("share")(percent)


@pages.get("/play")
def index() -> Response:
    """Show what can be played, and the person's own table if one is open."""
    return _form(TableForm(_game(request.args.get("game") or next(iter(GAME_TITLES)))))


@pages.post("/play")
def begin() -> Response:
    """Open a table."""
    form = read_form(_game(request.form.get("game")), request.form)
    if form.practice and not can_practise(form.game):
        form.errors["table"] = "This site gives no hints."
    elif len(form.bots) + 1 not in game_named(form.game).table_sizes:
        form.errors["table"] = f"Choose 1 to {form.most} opponents, not {len(form.bots)}."
    elif (options := form.options()) is not None:
        chosen: dict[str, Any] = {"slots": match_slots(), "options": options, "practice": form.practice}
        try:
            with database().write() as db:
                token = open_table(db, _person(make=True), form.game, form.bots, **chosen).token
        except TableRefused as refused:
            form.errors["table"] = str(refused)
        else:
            return _lead_to_table(token)
    return _form(form)


@pages.get("/play/<token>")
def table(token: str) -> Response:
    """Show a table to its person; a game that was shared to everybody who knows the address."""
    with reading() as db:
        found = _table(db, token, shared=True)
    if found.state in OPEN_TABLES:
        if found.active_at < now_s() - SEEN_EVERY_S:
            with database().write() as db:
                see_person(db, found)
        if request.method == "HEAD":  # the script of the open page, which says that it is
            return Response(status=204, headers={"Cache-Control": "no-store"})
    with reading() as db:
        return _page(db, found)


@pages.post("/play/<token>")
def decide(token: str) -> Response:
    """Take the answer to the question that is open."""
    number = whole_number(request.form.get("number", ""), digits=6) or 0
    try:
        with reading() as db:
            found = _table(db, token)
            with standings.lend(db, found) as standing:
                (seat,) = standing.setup.persons
                chosen = _chosen(standing, seat, number)
                given = checked_answer(found, standing, number, chosen)
        with database().write() as db:
            answer(db, db.get_one(PlayTable, found.id), given)
    except (NotOpen, NoSuchPart, IllegalDecision) as refused:
        why = shown(str(refused), limit=300)
        problem = f"This answer does not count: {why}{'' if why.endswith('.') else '.'}"
        with reading() as db:
            return _page(db, _table(db, token), problem, 409 if isinstance(refused, NotOpen) else 422)
    return _lead_to_table(token, "question")


@pages.post("/play/<token>/leave")
def leave(token: str) -> Response:
    """End a table before its game is over."""
    with database().write() as db:
        found = _table(db, token)
        end_table(db, found, LEFT)
        game = setup_of(found).game
    return redirect(url_for("play.index", game=game, left=1), 303)


@pages.post("/play/<token>/share")
def sharing(token: str) -> Response:
    """Let everybody who knows the address see a game that is over, or nobody else any more."""
    try:
        with database().write() as db:
            share(db, _table(db, token), shared=request.form.get("shared") == "1", name=request.form.get("name", ""))
    except TableRefused as refused:
        with reading() as db:
            return _page(db, _table(db, token), str(refused), 422)
    return redirect(url_for("play.table", token=token), 303)


@pages.post("/play/<token>/rematch")
def again(token: str) -> Response:
    """Open a table with the same bots, everybody one seat further."""
    try:
        with database().write() as db:
            opened = rematch(db, _person(make=True), _table(db, token), slots=match_slots()).token
    except TableRefused as refused:
        with reading() as db:
            return _page(db, _table(db, token), str(refused), 422)
    return _lead_to_table(opened)


def _lead_to_table(token: str, part: str | None = None) -> Response:
    """Have the bots asked, wait a moment for them, and lead to the table, or to a part of its page."""
    request_bots()
    deadline = time.monotonic() + WAITS_S
    chosen = select(PlayTable.state).where(PlayTable.token == token)
    while time.monotonic() < deadline:
        with database().read() as db:
            if db.exec(chosen).one() not in (TableState.BOTS, TableState.LEASED):
                break
        time.sleep(LOOKS_EVERY_S)
    return redirect(url_for("play.table", token=token, _anchor=part), 303)


def _chosen(standing: Standing, seat: int, number: int) -> Any:
    """Return the decision that a form stands for: one of the list, or one that is put together of parts."""
    question = standing.open_question(seat)
    if question.number != number:
        raise NotOpen(f"question {number} is not open, question {question.number} is")
    if "choice" in request.form:
        current = standing.question(seat)
        choices = () if current is None else current.choices
        index = whole_number(request.form["choice"], digits=6)
        if index is None or index >= len(choices):
            raise NoSuchPart("choose one of the list")
        return choices[index].decision
    if "amount" in request.form:
        return _amount(standing, seat, whole_number(request.form["amount"], digits=6))
    made = standing.narrowed(seat, request.form.getlist("part")[:MOST_PARTS]).made
    if made is None or ("part" not in request.form and "nothing" not in request.form):
        raise NoSuchPart("it is not a whole decision yet")
    return made.decision


def _amount(standing: Standing, seat: int, amount: int | None) -> Any:
    current = standing.question(seat)
    amounts = None if current is None else amounts_of(current)
    if amounts is None or amount not in amounts:
        raise NoSuchPart("choose a number" if amounts is None else f"choose {amounts[0]} to {amounts[-1]}")
    made = standing.narrowed(seat, [f"{AMOUNT}:{amount}"]).made
    if made is None:
        raise NoSuchPart("it is not a whole decision yet")
    return made.decision


def _page(db: Session, found: PlayTable, problem: str = "", status: int = 200) -> Response:
    if found.state == TableState.OVER:
        answered = _end(db, found, problem)
    else:
        with standings.lend(db, found) as standing:
            (seat,) = standing.setup.persons
            page = _table_page(db, found, standing, seat, problem)
            answered = make_response(render_template("table.html", page=page))
    if problem:
        answered.status_code = status
    answered.headers["Cache-Control"] = "no-store"
    answered.headers["X-Robots-Tag"] = "noindex"
    return answered


def _table_page(db: Session, found: PlayTable, standing: Standing, seat: int, problem: str) -> TablePage:
    asks = found.state == TableState.PERSON
    chosen = request.args.getlist("part")[:MOST_PARTS] if request.method == "GET" else []
    try:
        shown_table = drawn(standing, seat, chosen, asks=asks)
    except NoSuchPart as refused:
        shown_table, problem = drawn(standing, seat, asks=asks), shown(str(refused), limit=300)
    if (prompt := shown_table.prompt) is not None:
        prompt = replace(prompt, hint=hint_at(db, found, standing, prompt))
        shown_table = replace(shown_table, prompt=prompt)
    return TablePage(found, standing, seat, shown_table, problem)


def _end(db: Session, found: PlayTable, problem: str) -> Response:
    """Show a game that is over; the page of a long one costs much, and is kept."""
    current, analysis = analysis_of_table(db, found, is_on=settings().analysis_workers > 0)
    mine = _person().owns(found)
    owner = _person().visitor if mine else None
    typed = request.form.get("name", "") if problem else ""

    def make() -> str:
        standing = Standing(setup_of(found), rows_of(db, found))
        (seat,) = standing.setup.persons
        numbers = [number for number, row in zip(standing.decisions, standing.rows, strict=True) if row.hint]
        notes = {number: HINT_TAKEN for number in numbers if number is not None}
        names = names_as_shared(found, standing.setup)
        film = film_of(standing.played().replay, names, notes=notes, analysis=analysis, you=seat if mine else None)
        own = [stop.at for stop in film.stops if stop.seat == seat] if mine else []
        return render_template(
            "table_over.html",
            options=standing.setup.options,
            table=found,
            result=result_of(film, seat) if mine else "",
            seat=seat,
            mine=mine,
            problem=problem,
            typed=typed,
            standing=current,
            hints=len(numbers),
            **film_markup(film, start=own[-1] if own else None),
        )

    shown_at_end = f"{found.token} {found.shared_at} {found.shared_name} {mine} {owner} {problem} {typed!r} {current!r}"
    # What is the same for all strangers is kept once, however many cookies they bring.
    return cached_page(shown_at_end, make, has_query=False, keep_own=mine or visitor() is not None)


def _form(form: TableForm) -> Response:
    person = _person()
    with reading() as db:
        bots = [bot for bot, _ in opponents_of(db, form.game)]
        mine = _open_table(db, person)
    choices = [
        replace(each, hint=f"1 to {ROUND_LIMIT}") if each.name == "round_limit" else each
        for each in game_named(form.game).choices_of_options
    ]
    practice = can_practise(form.game)
    return form_page("play.html", form, bots=bots, choices=choices, mine=mine, practice=practice)


def _open_table(db: Session, person: Person) -> PlayTable | None:
    is_open = [state.value for state in OPEN_TABLES]
    if person.owner_id is not None:
        whose = PlayTable.owner_id == person.owner_id
    elif person.visitor is not None:
        whose = PlayTable.visitor == person.visitor
    else:
        return None
    return db.exec(select(PlayTable).where(PlayTable.state.in_(is_open), whose)).first()  # type: ignore[attr-defined]


def _game(name: str | None) -> str:
    if name not in GAME_TITLES:
        abort(404, f"There is no game of that name; there are {' and '.join(GAME_TITLES)}.")
    return name
