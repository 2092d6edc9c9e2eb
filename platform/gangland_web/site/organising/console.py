"""The page of one tournament in the organiser's console, which every view of it shows, also with what was wrong."""

from __future__ import annotations

from typing import Any

from flask import make_response, render_template, request
from sqlmodel import Session
from werkzeug.wrappers import Response

from gangland_ladder.tournaments.deadlines import still_ahead
from gangland_ladder.tournaments.lifecycle import State, may_disqualify, may_edit_rules, may_rerun, may_void
from gangland_web.base.clock import now_s
from gangland_web.models.accounts import Act
from gangland_web.models.columns import stored
from gangland_web.models.tournaments import Tournament
from gangland_web.queries.organising import allowed, next_step, ordered_in, stuck_in, watched_in, watched_table
from gangland_web.queries.tables import file_urls
from gangland_web.queries.tournament_pages import plays_until, premiere_of
from gangland_web.queries.tournaments import parts_of
from gangland_web.services.ladder_days import announced_for, awaits_value, is_published
from gangland_web.services.organising import enterable, moves_from
from gangland_web.services.rules import DEADLINES, zones
from gangland_web.services.tournaments import Unready, deadlines_of, unready
from gangland_web.site.organising.handout import known_code
from gangland_web.web.caching import cached_page
from gangland_web.web.sessions import reading, signed_in

LATEST_ORDERS = 30
WATCHED = (State.ANNOUNCED.value, State.OPEN.value)
"""States in which an organiser waits for people."""


def next_of(db: Session, tournament: Tournament) -> dict[str, Any]:
    """Return where a tournament stands, what may be ordered of it, and whether an order waits."""
    waits = any(one.done_at is None for one in ordered_in(db, stored(tournament.id), LATEST_ORDERS))
    return {
        "tournament": tournament,
        "state": State(tournament.state),
        "step": next_step(db, tournament, stuck=len(stuck_in(db, tournament))),
        "moves": moves_from(db, tournament),
        "unready": unready_in(db, tournament),
        "waits": waits,
        "premiere": premiere_of(db, tournament, now_s()),
        "plays_until": plays_until(db, tournament, now_s()),
        "randomness": announced_for(tournament),
        "can_enter_value": State(tournament.state) is State.FROZEN
        and awaits_value(tournament)
        and is_published(tournament),
        "live_s": live_s(waits or tournament.state == State.PLAYING.value),
    }


def unready_in(db: Session, tournament: Tournament) -> list[Unready]:
    """Return the entered bots that a freeze would leave out or take in an older version."""
    return unready(db, tournament) if tournament.state == State.OPEN.value else []


def live_s(busy: bool) -> int:
    """Return how often an open console asks for what is new: while work is under way, or while people enter."""
    return 2 if busy else 10


def console_answer(template: str, given: dict[str, Any], problem: str) -> Response:
    """Return a console, which is live, or with a problem the answer 422 to what was refused."""
    if problem:
        return make_response(render_template(template, **given, problem=problem), 422)
    return cached_page(repr(given), lambda: render_template(template, **given))


def refused_page(refused: Exception) -> Response:
    """Answer for an order that is refused: the console of its tournament, with the reason."""
    return console_page((request.view_args or {})["tournament_id"], str(refused))


def console_page(tournament_id: int, problem: str = "") -> Response:
    """Answer with all that can be done with a tournament, and what was ordered; 404 to whoever may not see it."""
    with reading() as db:
        found = allowed(db, Act.SEE_STUCK_WORK, tournament_id, signed_in())
        parts = parts_of(db, found)
        ordered, stuck = ordered_in(db, tournament_id, LATEST_ORDERS), stuck_in(db, found)
        watched = watched_in(db, [found], found.organiser_id) if found.state in WATCHED else []
        offered = enterable(db, found, found.organiser_id) if found.state == State.OPEN.value else []
        given = next_of(db, found)
    state = State(found.state)
    given |= {
        "code": known_code([found]),
        "watched": watched,
        "offered": offered,
        "zones": zones(),
        "watch": watched_table(watched, **file_urls("organise.people", tournament_id=tournament_id)),
        "parts": parts,
        "ordered": ordered,
        "stuck": stuck,
        "ahead": still_ahead(state),
        "deadlines": {name: (label, getattr(deadlines_of(found), name)) for name, label in DEADLINES.items()},
        "can": {
            "edit": may_edit_rules(state),
            "rerun": may_rerun(state),
            "void": may_void(state),
            "disqualify": may_disqualify(state),
            "rehearse": found.rehearsal_of is None,
        },
    }
    return console_answer("organise_tournament.html", given, problem)
