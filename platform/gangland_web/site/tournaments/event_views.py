"""The page of an event: its tournaments together, one form to enter all of them, and all standings on one sheet."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response

from gangland_ladder.tournaments.lifecycle import State, may_enter
from gangland_web.base.text import sentence
from gangland_web.models.bots import Bot
from gangland_web.models.columns import stored
from gangland_web.models.tournaments import Event, Tournament
from gangland_web.queries.standings import Board, board, shown_standings
from gangland_web.queries.tables import TableData, file_urls
from gangland_web.queries.tournament_tables import RANKING, Played, Ranked, ranking, ranking_rows
from gangland_web.queries.tournaments import (
    Part,
    TournamentSummary,
    bots_to_enter,
    parts_of,
    pinned_of,
    tournament_summary,
    visible_event,
)
from gangland_web.services.tournaments import JOIN_CODE_CHARS, EntryRefused, enter_bot
from gangland_web.site.responses import as_file
from gangland_web.site.tournaments.views import LIVE_S, own_bot
from gangland_web.web.caching import cached_page
from gangland_web.web.sessions import current_user, database, is_mine, reading, sign_in_first, visitor

pages = Blueprint("events", __name__)


@dataclass(frozen=True, slots=True)
class Half:
    """A tournament of an event: what its page shows to the visitor, and nothing else, for the page's ETag hangs on it.

    Attributes:
        parts: without their entries, which count each match, unless the standings are shown.
        mine: the visitor's bots that could be entered, and whether each is.
        editor_only: whether bots from files are refused.
    """

    tournament: TournamentSummary
    finished_at: float | None
    parts: tuple[Part, ...]
    board: Board | None
    mine: tuple[tuple[Bot, bool], ...]
    editor_only: bool

    @property
    def is_open(self) -> bool:
        """Whether bots are entered now."""
        return may_enter(self.tournament.state)

    @property
    def is_closed(self) -> bool:
        """Whether entries are frozen and results are still to come."""
        return self.tournament.state in (State.FROZEN, State.PLAYING, State.PAUSED)


@pages.get("/events/<number:event_id>")
@pages.get("/events/<number:event_id>/live", endpoint="live")
def event(event_id: int) -> Response:
    """Show an event: where its tournaments stand, the way in, and the standings."""
    given = _given(event_id)
    return cached_page(repr(given), lambda: render_template("event.html", **given, is_mine=is_mine))


@pages.get("/events/<number:event_id>/ranking")
def class_ranking(event_id: int) -> str:
    """Show the class's own ranking over all games that are over, without house bots, to be printed."""
    with reading() as db:
        found, tournaments, ranked = _ranking(db, event_id)
        waits = [
            tournament for tournament in visible_event(db, event_id, current_user())[1] if tournament not in tournaments
        ]
    files = file_urls("events.ranking_file", event_id=event_id)
    return render_template("ranking.html", event=found, tournaments=tournaments, ranked=ranked, waits=waits, **files)


@pages.get("/events/<number:event_id>/ranking.<any(csv,json):form>")
@as_file("event-{event_id}-ranking")
def ranking_file(db: Session, event_id: int) -> TableData:
    """Hand out that ranking as a file."""
    _, tournaments, ranked = _ranking(db, event_id)
    rows = ranking_rows(ranked, [(stored(tournament.id), tournament.game) for tournament in tournaments])
    return TableData("class-ranking", "First to last", RANKING, rows)


def _ranking(db: Session, event_id: int) -> tuple[Event, list[Tournament], list[Ranked]]:
    """Return an event, those of its tournaments whose results the visitor may see, and the ranking over them."""
    found, tournaments = visible_event(db, event_id, current_user())
    over, games = [], []
    for tournament in tournaments:
        standings = shown_standings(db, tournament, current_user())
        if standings is not None:
            over.append(tournament)
            games.append(Played(pinned_of(db, tournament), standings["rows"]))
    return found, over, ranking(games)


@pages.post("/events/<number:event_id>/enter")
@sign_in_first
def enter(event_id: int) -> Response:
    """Enter bots of the visitor's in the tournaments of an event, all that were picked or none."""
    code, entered = request.form.get("join_code", "")[:JOIN_CODE_CHARS], []
    with database().write() as db:
        for tournament in visible_event(db, event_id, current_user())[1]:
            given = request.form.get(f"bot{tournament.id}")
            bot = own_bot(db, given) if given else None
            if bot is not None and may_enter(State(tournament.state)):
                enter_bot(db, tournament, bot, code)
                entered.append(bot.name)
        if not entered:
            raise EntryRefused("choose a bot for at least one of the games")
    flash(sentence(f"Entered: {', '.join(entered)}"))
    return redirect(url_for("events.event", event_id=event_id), 303)


@pages.errorhandler(EntryRefused)
def refused(why: EntryRefused) -> tuple[str, int]:
    """Show the page of the event with why bots cannot be entered."""
    given = _given((request.view_args or {})["event_id"])
    return render_template("event.html", problem=sentence(str(why)), is_mine=is_mine, **given), 422


def _given(event_id: int) -> dict[str, Any]:
    with reading() as db:
        found, tournaments = visible_event(db, event_id, current_user())
        halves = [_half(db, tournament) for tournament in tournaments]
    asks_code = any(may_enter(State(each.state)) and each.entry_rule == "code" for each in tournaments)
    return {"event": found, "halves": halves, "asks_code": asks_code, "live_s": LIVE_S}


def _half(db: Session, tournament: Tournament) -> Half:
    who, user = visitor(), current_user()
    parts, standings = parts_of(db, tournament), shown_standings(db, tournament, user)
    mine = bots_to_enter(db, tournament, who.id) if who is not None and may_enter(State(tournament.state)) else []
    final = board(standings, parts) if standings else None
    if final is None:
        parts = [replace(part, entry=None) for part in parts]
    summary = tournament_summary(tournament, user)
    return Half(summary, tournament.finished_at, tuple(parts), final, tuple(mine), tournament.browser_only)
