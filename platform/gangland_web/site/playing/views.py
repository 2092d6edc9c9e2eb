"""`/play`: a person opens a table with bots and plays a game, with forms alone.

Nothing of a table goes to a browser during a game but what a bot in the person's seat would get: pages are made of the
person's view, story and question.  Its rows and seed never are.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from flask import Blueprint, abort, make_response, redirect, render_template, request, url_for
from sqlmodel import Session, select
from werkzeug.wrappers import Response

from gangland.faults import IllegalDecision
from gangland.games import game_named
from gangland_ladder.playing.addressing import as_order
from gangland_ladder.playing.parts import NoSuchPart
from gangland_ladder.playing.standing import NotOpen, Standing
from gangland_ladder.viewer.film import film_of
from gangland_web.core.formats import GAME_TITLES
from gangland_web.core.text import shown, whole_number
from gangland_web.http.configured import settings
from gangland_web.http.sessions import database, reading
from gangland_web.league.playing.tables import (
    LEFT,
    Person,
    TableRefused,
    answer,
    end_table,
    open_table,
    opponents_of,
    rematch,
    rows_of,
    setup_of,
    share,
)
from gangland_web.resources.analysis.games import analysis_of_table
from gangland_web.site.playing.access import person_here as _person
from gangland_web.site.playing.access import visible_table as _table
from gangland_web.site.playing.broker import match_slots, request_bots
from gangland_web.site.playing.drawing import Drawn, drawn
from gangland_web.site.viewer_files import film_markup
from gangland_web.store.lifecycles.play_tables import OPEN, TableState
from gangland_web.store.models.play_tables import PlayTable

pages = Blueprint("play", __name__)

OPPONENTS: Final = 3
WAITS_S: Final = 2.0
"""So long an answer waits for the bots; a page that is shown earlier asks again by itself."""
LOOKS_EVERY_S: Final = 0.04
MOST_PARTS: Final = 200


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


pages.app_template_filter("order")(as_order)


@pages.get("/play")
def index() -> str:
    """Show what can be played, and the person's own table if one is open."""
    return _form()


@pages.post("/play")
def begin() -> Response:
    """Open a table."""
    game = _game(request.form.get("game"))
    given = [request.form.get(f"opponent{number + 1}", "") for number in range(OPPONENTS)]
    bots = [whole_number(each) or 0 for each in given if each]
    try:
        with database().write() as db:
            token = open_table(db, _person(make=True), game, bots, slots=match_slots()).token
    except TableRefused as refused:
        return make_response(_form(game, given, str(refused)), 422)
    return _lead_to_table(token)


@pages.get("/play/<token>")
def table(token: str) -> Response:
    """Show a table to its person; a game that was shared to everybody who knows the address."""
    with reading() as db:
        found = _table(db, token, shared=True)
        return _page(db, found)


@pages.post("/play/<token>")
def decide(token: str) -> Response:
    """Take the answer to the question that is open."""
    number = whole_number(request.form.get("number", ""), digits=6) or 0
    with reading() as db:
        found = _table(db, token)
        standing = Standing(setup_of(found), rows_of(db, found))
    (seat,) = standing.setup.persons
    try:
        chosen = _chosen(standing, seat, number)
        with database().write() as db:
            answer(db, db.get_one(PlayTable, found.id), number, chosen)
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
        end_table(db, _table(db, token), LEFT)
    return redirect(url_for("play.index"), 303)


@pages.post("/play/<token>/share")
def sharing(token: str) -> Response:
    """Let everybody who knows the address see a game that is over, or nobody else any more."""
    with database().write() as db:
        share(db, _table(db, token), shared=request.form.get("shared") == "1")
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
    made = standing.narrowed(seat, request.form.getlist("part")[:MOST_PARTS]).made
    if made is None or ("part" not in request.form and "nothing" not in request.form):
        raise NoSuchPart("it is not a whole decision yet")
    return made.decision


def _page(db: Session, found: PlayTable, problem: str = "", status: int = 200) -> Response:
    standing = Standing(setup_of(found), rows_of(db, found))
    (seat,) = standing.setup.persons
    if found.state == TableState.OVER:
        answered = make_response(_end(db, found, standing, seat, problem), status)
    else:
        answered = make_response(
            render_template("table.html", page=_table_page(found, standing, seat, problem)), status
        )
    answered.headers["Cache-Control"] = "no-store"
    answered.headers["X-Robots-Tag"] = "noindex"
    return answered


def _table_page(found: PlayTable, standing: Standing, seat: int, problem: str) -> TablePage:
    asks = found.state == TableState.PERSON
    chosen = request.args.getlist("part")[:MOST_PARTS] if request.method == "GET" else []
    try:
        shown_table = drawn(standing, seat, chosen, asks=asks)
    except NoSuchPart as refused:
        shown_table, problem = drawn(standing, seat, asks=asks), shown(str(refused), limit=300)
    return TablePage(found, standing, seat, shown_table, problem)


def _end(db: Session, found: PlayTable, standing: Standing, seat: int, problem: str) -> str:
    played = standing.played()
    current, analysis = analysis_of_table(db, found, is_on=settings().analysis_workers > 0)
    film = film_of(played.replay, standing.setup.names, analysis=analysis)
    mine = _person().owns(found)
    return render_template(
        "table_over.html", table=found, seat=seat, mine=mine, problem=problem, standing=current, **film_markup(film)
    )


def _form(game: str | None = None, given: Sequence[str] = (), problem: str = "") -> str:
    game = game or _game(request.args.get("game") or next(iter(GAME_TITLES)))
    person = _person()
    with reading() as db:
        bots = [bot for bot, _ in opponents_of(db, game)]
        mine = _open_table(db, person)
    return render_template(
        "play.html",
        game=game,
        bots=bots,
        given=[*given, *[""] * OPPONENTS][:OPPONENTS],
        most=max(game_named(game).table_sizes) - 1,
        mine=mine,
        problem=problem,
    )


def _open_table(db: Session, person: Person) -> PlayTable | None:
    is_open = [state.value for state in OPEN]
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
