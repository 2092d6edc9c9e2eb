"""The fold over a whole ladder of two seats, as a rebuild reads it: one row a match, straight from the driver.

A rebuild spends its time on reading, not on folding: both seats of a match in one row, and rows as plain tuples, take a
third of the time that two rows a match through the mapper take.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from gangland_ladder.rating.folding import Folding, Move, Result
from gangland_web.league.ratings.settled import UNRATED, Kept, write_seats
from gangland_web.models.matches import Match, MatchSeat, MatchState

STEP = 20_000
"""Matches that are read at a time; 10 MB."""


def fold_pairs(session: Session, folding: Folding, tournament_id: int, end: int) -> int:
    """Take in all matches of a ladder of two seats before place `end`; return how many seats kept other ratings."""
    changed = 0
    while (first := folding.cursor) < end:
        rows = _read(session, tournament_id, first, min(first + STEP, end))
        seats = list(_differing(rows, folding))
        write_seats(session, seats)
        changed += len(seats)
        if folding.cursor == first:
            break
    return changed


def _read(session: Session, tournament_id: int, first: int, end: int) -> Sequence[tuple[Any, ...]]:
    """Read matches in the rating order, the lower entry first."""
    one, other = aliased(MatchSeat), aliased(MatchSeat)
    columns: list[Any] = [col(Match.rating_order), col(Match.state) == MatchState.DONE.value, col(Match.id)]
    columns += [col(seat.entry_id) for seat in (one, other)]
    columns += [column for seat in (one, other) for column in (col(seat.mean_place_num), col(seat.mean_place_den))]
    for seat in (one, other):
        columns += [col(seat.mu_before), col(seat.sigma_before), col(seat.mu_after), col(seat.sigma_after)]
    chosen = (
        select(*columns)
        .join_from(Match, one, (col(one.match_id) == Match.id) & (col(one.position) == 0))
        .join(other, (col(other.match_id) == Match.id) & (col(other.position) == 1))
        .where(col(Match.tournament_id) == tournament_id)
        .where(col(Match.rating_order) >= first, col(Match.rating_order) < end)
        .order_by(col(Match.rating_order))
    )
    # Past SQLAlchemy's result rows, which cost more than the fold: so the statement has its values in its text.
    connection = session.connection()
    statement = str(chosen.compile(connection.engine, compile_kwargs={"literal_binds": True}))  # whole numbers alone
    cursor: Any = connection.connection.cursor()
    try:
        cursor.execute(statement)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    finally:
        cursor.close()
    return found


def _differing(rows: Sequence[tuple[Any, ...]], folding: Folding) -> Iterator[tuple[tuple[int, int], Kept | Move]]:
    """Take in the rows and yield each seat whose ratings are not those that it keeps, with what they are."""
    for row, (_, moves) in zip(rows, folding.take(map(_result, rows)), strict=False):
        one, other = moves or (UNRATED, UNRATED)
        if row[3] > row[4]:
            one, other = other, one
        if row[9:13] != one:
            yield (row[2], 0), one
        if row[13:] != other:
            yield (row[2], 1), other


def _result(row: tuple[Any, ...]) -> Result:
    place, done, match_id, one, other, count, of, other_count, other_of = row[:9]
    if not done:
        return Result(place, (one, other), ())
    if of is None or other_of is None:
        raise ValueError(f"match {match_id} is done, but a seat of it has no mean place")
    if one > other:
        return Result(place, (other, one), ((other_count, other_of), (count, of)))
    return Result(place, (one, other), ((count, of), (other_count, other_of)))
