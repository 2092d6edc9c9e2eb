"""The final standings: fitted once by the record worker when all is played, and kept.

A fit of two hundred bots takes most of a second and reads every game, so no page makes one.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from json import loads
from operator import itemgetter
from typing import Any

from msgspec import to_builtins
from sqlalchemy import Text, cast
from sqlmodel import Session, col, func, select

from gangland.game import EndReason, Outcome
from gangland_ladder.rating.final_standings import BlockResult, standings
from gangland_ladder.rating.final_standings.counts import GamePlaces, blocks_of
from gangland_ladder.tournaments.lifecycle import State
from gangland_ladder.tournaments.official_order import FinalResult, with_final_table
from gangland_web.base.clock import now_s
from gangland_web.league.tournaments.seating import outside_ranking
from gangland_web.models.columns import stored
from gangland_web.models.database import Database
from gangland_web.models.locks import hold_tournaments
from gangland_web.models.matches import Match, MatchSeat, MatchState, PlayedGame
from gangland_web.models.site import Import
from gangland_web.models.tournaments import Entry, StoredStandings, Tournament

OVER = (State.FINISHED.value, State.REVEALED.value)
ROWS = 2_000
"""Games that are read at a time."""


def final_standings(session: Session, tournament: Tournament) -> dict[str, Any] | None:
    """Return the standings of a finished tournament as in gangland/standings/1, None while it is played.

    Those that are kept, or fitted here if the record worker has not come to it yet.
    """
    if tournament.state not in OVER or session.exec(_without().where(Import.tournament_id == tournament.id)).first():
        return None
    kept = stored_standings(session, stored(tournament.id))
    return kept if kept is not None else fitted(session, stored(tournament.id))


def stored_standings(session: Session, tournament_id: int) -> dict[str, Any] | None:
    """Return the standings that are kept of a tournament, None if there are none yet."""
    found = session.get(StoredStandings, tournament_id)
    return None if found is None else found.body


def fitted(session: Session, tournament_id: int) -> dict[str, Any]:
    """Fit the standings of all blocks that count, and let the final table decide; the disqualified have no place."""
    there = (Entry.tournament_id == tournament_id, col(Entry.disqualified_at).is_(None))
    ids = session.exec(select(Entry.id).where(*there)).all()
    outside = outside_ranking(session, session.get_one(Tournament, tournament_id))
    document = standings(block_results(session, tournament_id), sorted(map(stored, ids)), outside=outside).document()
    if (final := final_result(session, tournament_id)) is not None:
        document = with_final_table(document, final)
    body: dict[str, Any] = to_builtins(document)
    return body


def final_result(session: Session, tournament_id: int) -> FinalResult | None:
    """Return what the final table came to; None if none was played, or it is void."""
    done = (Match.tournament_id == tournament_id, Match.state == MatchState.DONE.value)
    number = session.exec(select(Match.number).where(*done, col(Match.is_final).is_(True))).first()
    if number is None:
        return None
    return FinalResult(number, tuple(block_results(session, tournament_id, is_final=True)))


def store_standings(database: Database) -> int:
    """Fit and keep the standings that finished tournaments lack; return how many.

    They are fitted outside of any transaction that others wait for, and kept only if nothing was
    taken out of the results meanwhile.
    """
    made = 0
    with database.read() as session:
        lacking = list(session.exec(_lacking()).all())
    for tournament_id in map(stored, lacking):
        with database.read() as session:
            mark, body = _mark(session, tournament_id), fitted(session, tournament_id)
        with database.write() as session:
            hold_tournaments(session, Tournament.id == tournament_id)
            still = session.exec(_lacking().where(Tournament.id == tournament_id)).first() is not None
            if still and _mark(session, tournament_id) == mark:
                session.add(StoredStandings(tournament_id=tournament_id, body=body, made_at=now_s()))
                made += 1
    return made


def _lacking() -> Any:
    kept = select(StoredStandings.tournament_id).where(StoredStandings.tournament_id == Tournament.id)
    chosen = select(Tournament.id).where(Tournament.kind == "tournament", col(Tournament.state).in_(OVER))
    chosen = chosen.where(~kept.exists(), col(Tournament.id).not_in(_without()))
    return chosen.order_by(col(Tournament.id))


def _without() -> Any:
    """What was imported without standings, such as a day of a ladder, has none."""
    return select(Import.tournament_id).where(col(Import.standings).is_(None))


def _mark(session: Session, tournament_id: int) -> int:
    """How many matches count: once a tournament is finished, results can only be taken out."""
    counted = select(func.count()).select_from(Match).where(Match.tournament_id == tournament_id)
    return session.exec(counted.where(Match.state == MatchState.DONE.value)).one()


def block_results(session: Session, tournament_id: int, *, is_final: bool = False) -> Iterator[BlockResult]:
    """Yield the blocks of all matches that are done, in order of match and block; no replay is read.

    Args:
        is_final: whether those of the final table are wanted, and not those of all others.
    """
    done = select(Match.id).where(Match.tournament_id == tournament_id, Match.state == MatchState.DONE.value)
    done = done.where(col(Match.is_final).is_(is_final))
    games = (
        select(
            col(PlayedGame.match_id),
            col(PlayedGame.block),
            cast(col(PlayedGame.seating), Text),
            cast(col(PlayedGame.places), Text),
        )
        .where(col(PlayedGame.match_id).in_(done))
        .order_by(col(PlayedGame.match_id), col(PlayedGame.block), col(PlayedGame.rotation))
        .execution_options(yield_per=ROWS)
    )
    tables = _tables(session, tournament_id)
    for (match_id, _), rows in groupby(session.exec(games), key=itemgetter(0, 1)):
        places = _block_places(tuple((seating, places) for _, _, seating, places in rows))
        yield BlockResult(tables[match_id], places)


def _tables(session: Session, tournament_id: int) -> dict[int, tuple[int, ...]]:
    """The entries at each table, by match."""
    chosen = (
        select(MatchSeat.match_id, MatchSeat.entry_id)
        .join(Match, col(Match.id) == MatchSeat.match_id)
        .where(Match.tournament_id == tournament_id)
        .order_by(col(MatchSeat.match_id), col(MatchSeat.position))
    )
    rows = session.exec(chosen).all()
    return {match: tuple(entry for _, entry in seats) for match, seats in groupby(rows, key=itemgetter(0))}


@lru_cache(maxsize=4096)
def _block_places(games: tuple[tuple[str, str], ...]) -> tuple[Fraction | int, ...]:
    """The mean places of a block by position in the match, given its games' seating and places as JSON."""
    played = [GamePlaces(0, tuple(loads(seating)), _mean_places(loads(places))) for seating, places in games]
    (block,) = blocks_of(range(len(played[0].seating)), played)
    return block.mean_places


def _mean_places(places: list[int]) -> tuple[Fraction, ...]:
    return Outcome(tuple(places), (), EndReason.COMPLETED).mean_places()
