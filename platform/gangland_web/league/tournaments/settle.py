"""Settling the first places of a finished tournament: more matches, by terms that were announced with the rules.

An organiser starts it; the record worker plans its rounds (`gangland_ladder.tournaments.settling_rounds`)
and finishes the tournament again.  Its matches are numbered after the schedule's, so their dice follow from
the same secret.
"""

import logging
from typing import Final

from sqlmodel import Session, col, delete, func, select

from gangland_ladder.pairing.tables import Table
from gangland_ladder.rating.final_standings import standings
from gangland_ladder.tournaments.lifecycle import State, may_edit_rules, may_settle
from gangland_ladder.tournaments.settling_rounds import Terms, next_tables
from gangland_web.league.matches.final_match import final_match, final_terms_of
from gangland_web.league.matches.plan import plan_tables
from gangland_web.league.open_audits import is_audited
from gangland_web.league.tournaments.final import block_results
from gangland_web.league.tournaments.public_values import announced_for
from gangland_web.league.tournaments.running import EntryRefused, ending_columns, is_played, move_tournament, terms_of
from gangland_web.league.tournaments.seating import outside_ranking, owned_entries
from gangland_web.models.columns import stored
from gangland_web.models.database import Database
from gangland_web.models.locks import hold_tournament, hold_versions
from gangland_web.models.matches import Match, MatchState, Purpose
from gangland_web.models.tournaments import Entry, StoredStandings, Tournament

log = logging.getLogger("gangland_web.tournaments")

SETTLE: Final = "settle"
"""What stands in an order in place of a state: play on until the first are settled."""


def set_terms(session: Session, tournament: Tournament, terms: Terms) -> None:
    """Put into a draft how the first places are going to be settled; its commitment binds it.

    Raises:
        EntryRefused: the rules are announced, or the terms do not fit them.
    """
    hold_tournament(session, tournament)
    if not may_edit_rules(State(tournament.state)):
        raise EntryRefused(
            f"how places are settled is announced with the rules; {tournament.name} is {tournament.state}"
        )
    if not terms.rounds(tournament.blocks):
        raise EntryRefused(f"a match has {tournament.blocks} blocks, more than the {terms.blocks} that may be played")
    final = final_terms_of(tournament)
    tournament.sqlmodel_update(ending_columns(tournament.secret, announced_for(tournament), terms, final))
    session.add(tournament)
    session.flush()


def start_settling(session: Session, tournament: Tournament) -> None:
    """Have a finished tournament played on by its terms; the caller holds it.

    Raises:
        EntryRefused: no terms were announced, it settles by itself, it is not finished, or its secret is public.
    """
    terms = terms_of(tournament)
    if tournament.final_seats is not None:
        before = "the first places were settled by themselves before it" if terms else "no place is settled after it"
        raise EntryRefused(f"{tournament.name} has a final table: {before}, and nothing is played after it")
    if terms is None:
        raise EntryRefused(f"{tournament.name} was announced without settling, so its results stand")
    if not may_settle(State(tournament.state)):
        message = f"places are settled when all is played and before the secret is public; {tournament.name}"
        raise EntryRefused(f"{message} is {tournament.state}")
    if not tables_to_play(session, tournament):
        raise EntryRefused(f"nothing is left to settle of the first {terms.first}, or all rounds are played")
    tournament.state, tournament.settle_round = State.PLAYING.value, tournament.settle_round or 0
    session.exec(delete(StoredStandings).where(col(StoredStandings.tournament_id) == tournament.id))
    session.add(tournament)
    session.flush()
    log.info("%s is being settled", tournament.name)


def tables_to_play(session: Session, tournament: Tournament) -> tuple[Table, ...]:
    """Return the tables of the next round of a tournament, none if it is settled or its rounds are played.

    There are none either once its final table is scheduled.
    """
    terms = terms_of(tournament)
    if terms is None or final_match(session, tournament) is not None:
        return ()
    there = (Entry.tournament_id == tournament.id, col(Entry.disqualified_at).is_(None))
    ids = sorted(map(stored, session.exec(select(Entry.id).where(*there)).all()))
    return next_tables(
        standings(block_results(session, stored(tournament.id)), ids, outside=outside_ranking(session, tournament)),
        terms,
        blocks=tournament.blocks,
        seats=tournament.seats,
        entrants=owned_entries(session, tournament),
        played=tournament.settle_round or 0,
    )


def settle_on(database: Database) -> int:
    """Plan the next round of each tournament that is being settled, or finish it; return how many moved on.

    The standings are fitted outside of any transaction that others wait for.
    """
    chosen = select(Tournament.id).where(
        Tournament.kind == "tournament",
        Tournament.state == State.PLAYING.value,
        col(Tournament.settle_round).is_not(None),
    )
    with database.read() as session:
        ids = [stored(one) for one in session.exec(chosen.order_by(col(Tournament.id))).all()]
    return sum(_settle(database, tournament_id) for tournament_id in ids)


def _settle(database: Database, tournament_id: int) -> bool:
    with database.read() as session:
        tournament = session.get_one(Tournament, tournament_id)
        if not (is_played(session, tournament) and is_audited(session, tournament_id)):
            return False
        by, tables = planned_by(session, tournament), tables_to_play(session, tournament)
        if not tables and tournament.final_seats is not None:
            return False  # the final table is next (`final_table.play_finals`)
    with database.write() as session:
        hold_versions(session)  # first, as whoever records a result does, so that the two cannot wait for each other
        tournament = session.get_one(Tournament, tournament_id)
        hold_tournament(session, tournament)
        if tournament.state != State.PLAYING.value or planned_by(session, tournament) != by:
            return False  # something came between
        if not tables:
            move_tournament(session, tournament, State.FINISHED, by_itself=True)
            return True
        plan_tables(session, tournament, tables, purpose=Purpose.TOURNAMENT)
        tournament.settle_round = (tournament.settle_round or 0) + 1
        session.add(tournament)
        session.flush()
        log.info("%s: %d matches to settle its first places", tournament.name, len(tables))
        return True


def planned_by(session: Session, tournament: Tournament) -> tuple[int | None, int, int]:
    """Return what a plan rests on: the round, how many matches there are, and how many of them count."""
    count = select(func.count()).select_from(Match).where(Match.tournament_id == tournament.id)
    done = session.exec(count.where(Match.state == MatchState.DONE.value)).one()
    return tournament.settle_round, session.exec(count).one(), done
