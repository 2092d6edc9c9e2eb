"""The final table: scheduled when round robin, settling and their audits are over, and nothing is played after it.

All of it goes by itself.  The record worker settles the first places where that was announced, schedules the final
table once, and finishes the tournament when it and its audits are over.
"""

from __future__ import annotations

import logging
from typing import NamedTuple

from sqlmodel import Session, col, select

from gangland_ladder.matches.seeds import schedule_seed
from gangland_ladder.rating.final_standings import standings
from gangland_ladder.tournaments.final_table import finalists, seating_order
from gangland_ladder.tournaments.lifecycle import State
from gangland_web.league.matches.final_match import final_match, final_terms_of, waits_for_organiser
from gangland_web.league.matches.plan import plan_tables
from gangland_web.league.open_audits import is_audited
from gangland_web.league.tournaments.final import block_results
from gangland_web.league.tournaments.running import is_played, move_tournament
from gangland_web.league.tournaments.seating import outside_ranking, owned_entries
from gangland_web.league.tournaments.settle import planned_by, tables_to_play
from gangland_web.models.columns import stored
from gangland_web.models.database import Database
from gangland_web.models.locks import hold_tournament, hold_versions
from gangland_web.models.matches import Purpose
from gangland_web.models.tournaments import Entry, Tournament

log = logging.getLogger("gangland_web.tournaments")


class Step(NamedTuple):
    """What comes next at the end of a tournament: settling, a final table of these entries, or neither: it is over."""

    settles: bool = False
    finalists: tuple[int, ...] = ()


def play_finals(database: Database) -> int:
    """Take the next step of each tournament with a final table of which all so far is over; return how many moved on.

    The standings are fitted outside of any transaction that others wait for.
    """
    chosen = select(Tournament.id).where(
        Tournament.kind == "tournament",
        Tournament.state == State.PLAYING.value,
        col(Tournament.final_seats).is_not(None),
    )
    with database.read() as session:
        ids = [stored(one) for one in session.exec(chosen.order_by(col(Tournament.id))).all()]
    return sum(_play(database, tournament_id) for tournament_id in ids)


def _play(database: Database, tournament_id: int) -> bool:
    with database.read() as session:
        tournament = session.get_one(Tournament, tournament_id)
        if not (is_played(session, tournament) and is_audited(session, tournament_id)):
            return False
        by, step = planned_by(session, tournament), _next_step(session, tournament)
    if step is None:
        return False
    with database.write() as session:
        hold_versions(session)  # first, as whoever records a result does, so that the two cannot wait for each other
        tournament = session.get_one(Tournament, tournament_id)
        hold_tournament(session, tournament)
        if tournament.state != State.PLAYING.value or planned_by(session, tournament) != by:
            return False  # something came between
        _take(session, tournament, step)
    return True


def _next_step(session: Session, tournament: Tournament) -> Step | None:
    """Return what comes next; None while settling goes on, a finalist is on trial or the organiser decides."""
    final, terms = final_match(session, tournament), final_terms_of(tournament)
    if final is not None or terms is None:
        return None if final is not None and waits_for_organiser(session, final) else Step()
    if tables_to_play(session, tournament):
        return Step(settles=True) if tournament.settle_round is None else None
    there = (Entry.tournament_id == tournament.id, col(Entry.disqualified_at).is_(None))
    ids = sorted(map(stored, session.exec(select(Entry.id).where(*there)).all()))
    blocks, outside = block_results(session, stored(tournament.id)), outside_ranking(session, tournament)
    ranks = {row.entry: row.rank for row in standings(blocks, ids, outside=outside).rows}
    order = seating_order(ranks, schedule_seed(tournament.roster_digest, tournament.public_value))
    seated = finalists(order, owned_entries(session, tournament), terms.seats)
    return None if _is_on_trial(session, seated) else Step(finalists=seated)


def _is_on_trial(session: Session, entries: tuple[int, ...]) -> bool:
    """Tell whether one of these has a version in quarantine, be it of a ladder: it may have to leave everywhere."""
    versions = select(Entry.version_id).where(col(Entry.id).in_(entries))
    held = select(Entry.id).where(col(Entry.quarantined).is_(True), col(Entry.active).is_(True))
    return session.exec(held.where(col(Entry.version_id).in_(versions)).limit(1)).first() is not None


def _take(session: Session, tournament: Tournament, step: Step) -> None:
    if step.settles:
        tournament.settle_round = 0
        log.info("%s is being settled", tournament.name)
    elif step.finalists:
        plan_tables(session, tournament, [step.finalists], purpose=Purpose.TOURNAMENT, is_final=True)
        log.info("%s: the final table is scheduled", tournament.name)
    else:
        move_tournament(session, tournament, State.FINISHED, by_itself=True)
    session.add(tournament)
    session.flush()
