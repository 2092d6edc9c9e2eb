"""The page of one tournament in the organiser's console, which every view of it shows, also with what was wrong."""

from __future__ import annotations

from typing import Any

from flask import render_template, url_for
from sqlmodel import Session

from gangland_ladder.tournaments.deadlines import still_ahead
from gangland_ladder.tournaments.lifecycle import State, may_disqualify, may_edit_rules, may_rerun, may_void
from gangland_web.http.sessions import reading, signed_in
from gangland_web.league.organising.entering import enterable
from gangland_web.league.organising.forms import DEADLINES, zones
from gangland_web.league.organising.moves import moves_from
from gangland_web.league.tournaments.public_values import announced_for, awaits_value, is_published
from gangland_web.league.tournaments.running import deadlines_of
from gangland_web.resources.organising.access import allowed
from gangland_web.resources.organising.participants import watched_in, watched_sheet
from gangland_web.resources.organising.queries import ordered_in, stuck_in
from gangland_web.resources.organising.steps import next_step
from gangland_web.resources.tournaments.queries import entrants_of, pinned_of
from gangland_web.store.columns import stored
from gangland_web.store.models.tournaments import Tournament
from gangland_web.store.roles import Act

ORDERED = 30
WATCHED = (State.ANNOUNCED.value, State.OPEN.value)
"""States in which an organiser waits for people."""


def next_of(db: Session, cup: Tournament) -> dict[str, Any]:
    """Return where a tournament stands, what may be ordered of it, and whether an order waits."""
    waits = any(one.directive.done_at is None for one in ordered_in(db, stored(cup.id), ORDERED))
    return {
        "cup": cup,
        "state": State(cup.state),
        "step": next_step(db, cup, stuck=len(stuck_in(db, cup))),
        "moves": moves_from(cup),
        "waits": waits,
        "randomness": announced_for(cup),
        "can_enter_value": State(cup.state) is State.FROZEN and awaits_value(cup) and is_published(cup),
        "live": waits or cup.state == State.PLAYING.value,
    }


def console_page(tournament_id: int, problem: str = "") -> str:
    """Return all that can be done with a tournament, and what was ordered; 404 to whoever may not see it."""
    with reading() as db:
        found = allowed(db, Act.SEE_STUCK_WORK, tournament_id, signed_in())
        parts = pinned_of(db, found) or entrants_of(db, found)
        ordered, stuck = ordered_in(db, tournament_id, ORDERED), stuck_in(db, found)
        watched = watched_in(db, [found], found.organiser_id) if found.state in WATCHED else []
        offered = enterable(db, found, found.organiser_id) if found.state == State.OPEN.value else []
        given = next_of(db, found)
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
        ahead=still_ahead(state),
        deadlines={name: (label, getattr(deadlines_of(found), name)) for name, label in DEADLINES.items()},
        can={
            "edit": may_edit_rules(state),
            "rerun": may_rerun(state),
            "void": may_void(state),
            "disqualify": may_disqualify(state),
            "rehearse": found.rehearsal_of is None,
        },
    )
