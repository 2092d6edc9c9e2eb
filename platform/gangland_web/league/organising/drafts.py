"""Drafts: made, changed, copied and thrown away while nobody has been told of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import Final

from sqlmodel import Session, col, func, select

from gangland_ladder.pairing.costs import Cost, cost
from gangland_ladder.tournaments.deadlines import NEVER, Deadlines
from gangland_ladder.tournaments.lifecycle import State, may_delete, may_edit_rules
from gangland_sandbox.limits import Limits
from gangland_web.base.clock import now_s
from gangland_web.league.matches.final_match import final_terms_of
from gangland_web.league.organising.directives import give
from gangland_web.league.organising.results import DirectiveRefused
from gangland_web.league.tournaments.public_values import announced_for
from gangland_web.league.tournaments.running import (
    Rules,
    announced_deadlines,
    columns_of,
    make_tournament,
    move_tournament,
    terms_of,
)
from gangland_web.models.bots import Bot
from gangland_web.models.locks import hold_tournament, hold_versions
from gangland_web.models.log import Actor, note_act
from gangland_web.models.tournaments import DirectiveKind, Event, Tournament

REHEARSAL_BLOCKS: Final = 1
REHEARSAL: Final = "A rehearsal between house bots: it does not count, and only its organiser sees it."


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a tournament would come to with so many bots.

    Attributes:
        bots: all that would play, the house's among them.
    """

    bots: int
    house: int
    cost: Cost


def estimate(session: Session, rules: Rules, expected: int) -> Estimate:
    """Return what a tournament would cost with so many bots of authors."""
    house = _house_bots(session, rules.game) if rules.house_bots else 0
    bots = expected + house
    every = comb(bots, rules.seats)
    tables = every if rules.tables is None or rules.seats == 2 else min(every, rules.tables)
    return Estimate(bots, house, cost(rules.game, rules.seats, tables, limits=rules.limits, blocks=rules.blocks))


def create_draft(session: Session, actor: Actor, rules: Rules, *, copied_from: int | None = None) -> Tournament:
    """Make a draft of the actor's own."""
    made = make_tournament(session, rules, organiser_id=actor.id)
    details = {} if copied_from is None else {"copied_from": copied_from}
    note_act(session, actor, "created a draft", tournament_id=made.id, subject=made.name, **details)
    return made


def create_event(session: Session, actor: Actor, name: str, rules: Sequence[Rules]) -> Event:
    """Make an event of the actor's own with a draft for each of the rules."""
    event = Event(name=name, organiser_id=actor.id, created_at=now_s())
    session.add(event)
    session.flush()
    for each in rules:
        made = create_draft(session, actor, each)
        made.event_id = event.id
        session.add(made)
    session.flush()
    return event


def change_draft(session: Session, actor: Actor, tournament: Tournament, rules: Rules) -> None:
    """Give a draft other rules; an empty join code keeps the one that it has.

    Raises:
        DirectiveRefused: it is no draft any more.
    """
    hold_tournament(session, tournament)
    if not may_edit_rules(State(tournament.state)):
        raise DirectiveRefused(f"{tournament.name} is {tournament.state}: its rules are announced and stay")
    tournament.sqlmodel_update(columns_of(rules, tournament.secret))
    session.add(tournament)
    session.flush()
    note_act(session, actor, "changed a draft", tournament_id=tournament.id, subject=tournament.name)


def delete_draft(session: Session, actor: Actor, tournament: Tournament) -> None:
    """Give up a draft that nobody was told of: it becomes cancelled, and is on no list.

    Raises:
        DirectiveRefused: it is no draft any more.
    """
    hold_versions(session)  # first, as whoever records a result does, so that the two cannot wait for each other
    hold_tournament(session, tournament)
    if not may_delete(State(tournament.state)):
        raise DirectiveRefused(f"{tournament.name} is {tournament.state}: it can be cancelled, and stays on the list")
    move_tournament(session, tournament, State.CANCELLED)
    note_act(session, actor, "deleted a draft", tournament_id=tournament.id, subject=tournament.name)


def rehearse(session: Session, actor: Actor, tournament: Tournament) -> Tournament:
    """Play the rules once between house bots: one block a match, seen by its organiser alone.

    Raises:
        DirectiveRefused: a rehearsal of a rehearsal, or fewer house bots of the game than sit at a table.
    """
    if tournament.rehearsal_of is not None:
        raise DirectiveRefused(f"{tournament.name} is a rehearsal itself")
    house = _house_bots(session, tournament.game)
    if house < tournament.seats:
        raise DirectiveRefused(f"the site has {house} house bots of this game, and {tournament.seats} play at a table")
    rules = replace(
        rules_of(tournament),
        name=f"Rehearsal: {tournament.name}"[:80],
        blocks=REHEARSAL_BLOCKS,
        limits=Limits.of(Limits.from_dict(tournament.limits).profile, REHEARSAL_BLOCKS),
        house_bots=True,
        house_ranked=True,
        join_code=None,
        final=False,
        settle=None,
        final_table=None,
        has_premiere=False,
        deadlines=Deadlines(embargo_until=NEVER),
        randomness=None,
    )
    made = make_tournament(session, rules, organiser_id=tournament.organiser_id)
    made.rehearsal_of, made.note = tournament.id, REHEARSAL
    session.add(made)
    session.flush()
    note_act(session, actor, "ordered a rehearsal", tournament_id=tournament.id, subject=tournament.name)
    for state in (State.ANNOUNCED, State.OPEN, State.FROZEN, State.PLAYING):
        give(session, actor, DirectiveKind.MOVE, made, state=state.value)
    return made


def rules_of(tournament: Tournament) -> Rules:
    """Return a tournament's rules; of its join code only the hash is kept, so there is none in them."""
    return Rules(
        name=tournament.name,
        game=tournament.game,
        seats=tournament.seats,
        blocks=tournament.blocks,
        limits=Limits.from_dict(tournament.limits),
        options=tournament.options,
        tables=tournament.tables,
        house_bots=tournament.house_bots,
        house_ranked=tournament.house_ranked,
        browser_only=tournament.browser_only,
        final=tournament.audit_percent == 100,
        settle=terms_of(tournament),
        final_table=final_terms_of(tournament),
        has_premiere=tournament.has_premiere,
        deadlines=announced_deadlines(tournament),
        randomness=announced_for(tournament),
    )


def _house_bots(session: Session, game: str) -> int:
    there = (Bot.game == game, col(Bot.is_house).is_(True), col(Bot.active_version_id).is_not(None))
    return session.exec(select(func.count()).select_from(Bot).where(*there)).one()
