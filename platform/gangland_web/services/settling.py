"""Settle the first places of tournaments by playing more matches, and fit the final standings."""

import logging
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from json import loads
from operator import itemgetter
from typing import Any, Final

from msgspec import to_builtins
from sqlalchemy import Text, cast
from sqlmodel import Session, col, delete, func, select

from gangland.game import EndReason, Outcome
from gangland_ladder.pairing.permitted_tables import Table
from gangland_ladder.rating.bradley_terry import BlockResult, block_of
from gangland_ladder.rating.final_standings import FinalStandings, standings
from gangland_ladder.tournaments import lifecycle, official_order, settling_rounds
from gangland_web.base.formats import now_s, state_label
from gangland_web.models.columns import add_row, row_id
from gangland_web.models.database import Database
from gangland_web.models.matches import Match, MatchSeat, MatchState, PlayedGame
from gangland_web.models.site import Import
from gangland_web.models.tournaments import Entry, StoredStandings, Tournament, lock_tournaments
from gangland_web.services.entries import EntryRefused, owned_entries, unranked_entries
from gangland_web.services.matches import final_match
from gangland_web.services.tournaments import terms_of

# Settling the first places of a finished tournament, on terms that were announced with the rules.
#
# An organizer starts settling, which before a final table starts by itself. The record worker plans the rounds
# (`gangland_ladder.tournaments.settling_rounds`), and then finishes the tournament once more. The numbers of these
# matches follow those of the schedule, and their dice come from the same secret.

log = logging.getLogger("gangland_web.tournaments")

SETTLE: Final = "settle"  # the value of an action that starts settling, in place of a state


def start_settling(session: Session, tournament: Tournament) -> None:
    """Start settling the first places of a finished tournament, which the caller has locked.  Raises EntryRefused."""
    terms = terms_of(tournament)
    if tournament.final_seats is not None:
        raise EntryRefused(f"{tournament.name} has a final table, and nothing is played after it")
    if terms is None:
        raise EntryRefused(f"{tournament.name} was announced without settling")
    if not lifecycle.may_settle(lifecycle.State(tournament.state)):
        raise EntryRefused(f"no place can be settled now ({state_label(tournament.state)})")
    if not tables_to_play(session, tournament):
        raise EntryRefused(f"nothing is left to settle among the first {terms.first}")
    tournament.state, tournament.settle_round = lifecycle.State.PLAYING.value, tournament.settle_round or 0
    session.exec(delete(StoredStandings).where(col(StoredStandings.tournament_id) == tournament.id))
    add_row(session, tournament)
    log.info("%s is being settled", tournament.name)


def tables_to_play(session: Session, tournament: Tournament) -> tuple[Table, ...]:
    """Return the tables of the next settling round.

    There are none without terms, if the places are settled, after the last round, or once the final table is scheduled.
    """
    terms = terms_of(tournament)
    if terms is None or final_match(session, tournament) is not None:
        return ()
    return settling_rounds.next_tables(
        standings_so_far(session, tournament),
        terms,
        blocks=tournament.blocks,
        seats=tournament.seats,
        entrants=owned_entries(session, tournament),
        played=tournament.settle_round or 0,
    )


# Final standings, which the record worker fits and stores after all matches have been played.
#
# A fit for 200 bots takes almost a second and reads all games, so pages seldom fit standings.

ENDED_STATES = (lifecycle.State.FINISHED.value, lifecycle.State.REVEALED.value)
BATCH = 2_000  # number of games per batch


def final_standings(session: Session, tournament: Tournament) -> dict[str, Any] | None:
    """Return a finished tournament's standings in the form of gangland/standings/1, or None if it is not finished.

    If the record worker has not stored the standings yet, they are fitted here.
    """
    if (
        tournament.state not in ENDED_STATES
        or session.exec(_without_standings().where(Import.tournament_id == tournament.id)).first()
    ):
        return None
    return stored_standings(session, row_id(tournament.id)) or fit_standings(session, row_id(tournament.id))


def stored_standings(session: Session, tournament_id: int) -> dict[str, Any] | None:
    """Return the stored standings of a tournament, or None."""
    row = session.get(StoredStandings, tournament_id)
    return None if row is None else row.body


def store_standings(database: Database) -> int:
    """Fit and store the standings that finished tournaments still lack, and return their number."""
    count = 0
    with database.read() as session:
        tournament_ids = list(session.exec(_tournaments_to_fit()).all())
    for tournament_id in map(row_id, tournament_ids):  # fitted without locks, and stored only if no result was removed
        with database.read() as session:
            done_count, body = _count_done(session, tournament_id), fit_standings(session, tournament_id)
        with database.write() as session:
            lock_tournaments(session, Tournament.id == tournament_id)
            is_lacking = session.exec(_tournaments_to_fit().where(Tournament.id == tournament_id)).first() is not None
            if is_lacking and _count_done(session, tournament_id) == done_count:
                session.add(StoredStandings(tournament_id=tournament_id, body=body, made_at=now_s()))
                count += 1
    return count


def _tournaments_to_fit() -> Any:
    standings = select(StoredStandings.tournament_id).where(StoredStandings.tournament_id == Tournament.id)
    query = select(Tournament.id).where(Tournament.kind == "tournament", col(Tournament.state).in_(ENDED_STATES))
    query = query.where(~standings.exists(), col(Tournament.id).not_in(_without_standings()))
    return query.order_by(col(Tournament.id))


def _without_standings() -> Any:
    return select(Import.tournament_id).where(col(Import.standings).is_(None))


def _count_done(session: Session, tournament_id: int) -> int:
    # After a tournament has finished, this number can only decrease.
    query = select(func.count()).select_from(Match).where(Match.tournament_id == tournament_id)
    return session.exec(query.where(Match.state == MatchState.DONE.value)).one()


def fit_standings(session: Session, tournament_id: int) -> dict[str, Any]:
    """Fit the final standings: the standings of all blocks, adjusted to the result of the final table."""
    document = standings_so_far(session, session.get_one(Tournament, tournament_id)).document()
    if (final := final_result(session, tournament_id)) is not None:
        document = official_order.with_final_table(document, final)
    body: dict[str, Any] = to_builtins(document)
    return body


def standings_so_far(session: Session, tournament: Tournament) -> FinalStandings:
    """Fit the standings of all blocks without the final table; disqualified bots do not get a place."""
    conditions = (Entry.tournament_id == tournament.id, col(Entry.disqualified_at).is_(None))
    entries = sorted(map(row_id, session.exec(select(Entry.id).where(*conditions)).all()))
    unranked = unranked_entries(session, tournament)
    return standings(block_results(session, row_id(tournament.id)), entries, outside=unranked)


def final_result(session: Session, tournament_id: int) -> official_order.FinalResult | None:
    """Return the result of the final table, or None if it was not played or is void."""
    conditions = (Match.tournament_id == tournament_id, Match.state == MatchState.DONE.value)
    number = session.exec(select(Match.number).where(*conditions, col(Match.is_final).is_(True))).first()
    if number is None:
        return None
    return official_order.FinalResult(number, tuple(block_results(session, tournament_id, is_final=True)))


def block_results(session: Session, tournament_id: int, *, is_final: bool = False) -> Iterator[BlockResult]:
    """Yield the blocks of all matches with a result, in order of match and block, without reading replays.

    `is_final`: whether to yield the blocks of the final table instead of all others.
    """
    match_ids = select(Match.id).where(Match.tournament_id == tournament_id, Match.state == MatchState.DONE.value)
    match_ids = match_ids.where(col(Match.is_final).is_(is_final))
    games = (
        select(
            col(PlayedGame.match_id),
            col(PlayedGame.block),
            cast(col(PlayedGame.seating), Text),
            cast(col(PlayedGame.places), Text),
        )
        .where(col(PlayedGame.match_id).in_(match_ids))
        .order_by(col(PlayedGame.match_id), col(PlayedGame.block), col(PlayedGame.rotation))
        .execution_options(yield_per=BATCH)
    )
    tables = _entries_by_match(session, tournament_id)
    for (match_id, _), rows in groupby(session.exec(games), key=itemgetter(0, 1)):
        places = _block_places(tuple((seating, places) for _, _, seating, places in rows))
        yield BlockResult(tables[match_id], places)


def _entries_by_match(session: Session, tournament_id: int) -> dict[int, tuple[int, ...]]:
    query = (
        select(MatchSeat.match_id, MatchSeat.entry_id)
        .join(Match, col(Match.id) == MatchSeat.match_id)
        .where(Match.tournament_id == tournament_id)
        .order_by(col(MatchSeat.match_id), col(MatchSeat.position))
    )
    rows = session.exec(query).all()
    return {match: tuple(entry for _, entry in seats) for match, seats in groupby(rows, key=itemgetter(0))}


@lru_cache(maxsize=4096)
def _block_places(games: tuple[tuple[str, str], ...]) -> tuple[Fraction | int, ...]:
    """Return a block's mean places by position in the match, from the games' seating and places as JSON."""
    played = [
        (loads(seating), Outcome(tuple(loads(places)), (), EndReason.COMPLETED).mean_places())
        for seating, places in games
    ]
    return block_of(range(len(played[0][0])), played).mean_places
