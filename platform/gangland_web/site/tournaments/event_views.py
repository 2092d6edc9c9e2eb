"""The page of an event: its tournaments together, one form to enter all of them, and all standings on one sheet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask import Response as FlaskResponse
from sqlmodel import Session
from werkzeug.wrappers import Response

from gangland_ladder.tournaments.lifecycle import State, may_enter
from gangland_web.core.table_formats import Form
from gangland_web.core.text import whole_number
from gangland_web.http.cache import marked
from gangland_web.http.sessions import database, is_mine, looker, reading, sign_in_first, visitor
from gangland_web.league.tournaments.final import OVER, kept_standings
from gangland_web.league.tournaments.running import JOIN_CODE_CHARS, EntryRefused, enter_bot
from gangland_web.resources.tables import Sheet
from gangland_web.resources.tournaments.board import Board, board
from gangland_web.resources.tournaments.queries import Part, bots_to_enter, entrants_of, pinned_of
from gangland_web.resources.tournaments.ranking import COLUMNS, Played, Ranked, ranking, rows_of
from gangland_web.resources.tournaments.seen import seen_event
from gangland_web.resources.visibility import results_seen
from gangland_web.site.responses import sheet_file
from gangland_web.site.tournaments.views import LIVE_S
from gangland_web.store.columns import stored
from gangland_web.store.models.bots import Bot
from gangland_web.store.models.tournaments import Event, Tournament

pages = Blueprint("events", __name__)


@dataclass(frozen=True, slots=True)
class Half:
    """A tournament of an event, as far as the visitor may see it.

    Attributes:
        mine: the visitor's bots that could be entered, and whether each is.
    """

    cup: Tournament
    parts: tuple[Part, ...]
    board: Board | None
    mine: tuple[tuple[Bot, bool], ...]

    @property
    def is_open(self) -> bool:
        """Whether bots are entered now."""
        return may_enter(State(self.cup.state))

    @property
    def is_closed(self) -> bool:
        """Whether entries are frozen and results are still to come."""
        return self.cup.state in (State.FROZEN, State.PLAYING, State.PAUSED)


@pages.get("/events/<number:event_id>")
@pages.get("/events/<number:event_id>/live", endpoint="live")
def event(event_id: int) -> Response:
    """Show an event: where its tournaments stand, the way in, and the standings."""
    given = _given(event_id)
    return marked(repr(given), lambda: render_template("event.html", **given, is_mine=is_mine))


@pages.get("/events/<number:event_id>/ranking")
def class_ranking(event_id: int) -> str:
    """Show the class's own ranking over all games that are over, without house bots, to be printed."""
    with reading() as db:
        found, cups, ranked = _ranking(db, event_id)
        waits = [cup for cup in seen_event(db, event_id, looker())[1] if cup not in cups]
    csv, json = (url_for("events.ranking_file", event_id=event_id, form=form) for form in ("csv", "json"))
    return render_template("ranking.html", event=found, cups=cups, ranked=ranked, waits=waits, csv=csv, json=json)


@pages.get("/events/<number:event_id>/ranking.<any(csv,json):form>")
def ranking_file(event_id: int, form: str) -> FlaskResponse:
    """Hand out that ranking as a file."""
    with reading() as db:
        _, cups, ranked = _ranking(db, event_id)
    rows = rows_of(ranked, [(stored(cup.id), cup.game) for cup in cups])
    return sheet_file(Sheet("class-ranking", "First to last", COLUMNS, rows), Form(form), f"event-{event_id}-ranking")


def _ranking(db: Session, event_id: int) -> tuple[Event, list[Tournament], list[Ranked]]:
    """Return an event, those of its tournaments whose results the visitor may see, and the ranking over them."""
    found, cups = seen_event(db, event_id, looker())
    over, games = [], []
    for cup in cups:
        told = kept_standings(db, stored(cup.id)) if results_seen(cup, looker()) and cup.state in OVER else None
        if told is not None:
            over.append(cup)
            games.append(Played(pinned_of(db, cup), told["rows"]))
    return found, over, ranking(games)


@pages.post("/events/<number:event_id>/enter")
@sign_in_first
def enter(event_id: int) -> Response | tuple[str, int]:
    """Enter bots of the visitor's in the tournaments of an event, all that were picked or none."""
    code, entered = request.form.get("join_code", "")[:JOIN_CODE_CHARS], []
    try:
        with database().write() as db:
            for cup in seen_event(db, event_id, looker())[1]:
                bot = _picked(db, request.form.get(f"bot{cup.id}", ""))
                if bot is not None and may_enter(State(cup.state)):
                    enter_bot(db, cup, bot, code)
                    entered.append(bot.name)
            if not entered:
                raise EntryRefused("choose a bot for at least one of the games")
    except EntryRefused as refused:
        return _page(event_id, str(refused)), 422
    flash(f"Entered: {', '.join(entered)}.")
    return redirect(url_for("events.event", event_id=event_id), 303)


def _picked(db: Session, given: str) -> Bot | None:
    """Return the bot that a form names, None if none.  Raises EntryRefused: it is not the visitor's."""
    if not given:
        return None
    number = whole_number(given)
    bot = None if number is None else db.get(Bot, number)
    if bot is None or not is_mine(bot):
        raise EntryRefused("choose one of your own bots")
    return bot


def _page(event_id: int, problem: str) -> str:
    return render_template("event.html", problem=problem, is_mine=is_mine, **_given(event_id))


def _given(event_id: int) -> dict[str, Any]:
    with reading() as db:
        found, cups = seen_event(db, event_id, looker())
        halves = [_half(db, cup) for cup in cups]
    asks_code = any(half.is_open and half.cup.entry_rule == "code" for half in halves)
    return {"event": found, "halves": halves, "asks_code": asks_code, "live_s": LIVE_S}


def _half(db: Session, cup: Tournament) -> Half:
    who = visitor()
    parts = pinned_of(db, cup) or entrants_of(db, cup)
    told = kept_standings(db, stored(cup.id)) if results_seen(cup, looker()) and cup.state in OVER else None
    mine = bots_to_enter(db, cup, who.id) if who is not None and may_enter(State(cup.state)) else []
    return Half(cup, tuple(parts), board(told, parts) if told else None, tuple(mine))
