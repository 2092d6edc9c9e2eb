"""Update ratings in rating order, as results arrive or in a rebuild, which uses the same code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

from sqlalchemy import BindParameter, Select, bindparam, delete, select, update
from sqlalchemy.orm import aliased
from sqlalchemy.orm.attributes import set_committed_value
from sqlmodel import Session, col, func
from sqlmodel import select as select_model

from gangland_ladder.rating.trueskill import Rating, shown
from gangland_ladder.rating.updater import FinishedMatch, RatingChange, RatingUpdater
from gangland_web.models import tournaments
from gangland_web.models.columns import row_id, table_of
from gangland_web.models.matches import Match, MatchSeat, MatchState
from gangland_web.models.site import Import
from gangland_web.models.tournaments import RATED_KINDS, Entry, StoredStandings, Tournament
from gangland_web.services.hall_of_fame import schedule_recount

# Live ratings: recorded matches are rated in rating order, not in the order they finish.
#
# A call makes a few queries, and reads only the matches that it rates, not those that wait behind a gap. It locks the
# tournament's row, so that two transactions never rate the same tournament at the same time.

BATCH = 500  # number of matches read and written at a time


def update_ratings(session: Session, tournament: Tournament) -> int:
    """Rate all matches before the first unsettled one, and return how many positions the cursor moved."""
    if tournament.kind not in RATED_KINDS:  # such as trials and challenges
        return 0
    session.flush()
    tournament_id = row_id(tournament.id)
    cursor = _lock_cursor(session, tournament_id)
    updater = _apply_from(session, tournament, cursor)
    _refresh(session, tournament, updater.cursor)
    return updater.cursor - cursor


def update_ratings_from(session: Session, tournament: Tournament, position: int | None) -> int:
    """Go back to a position in the rating order whose result has changed or become void, and rate all matches from it.

    Later ratings are reverted first, and stored standings are deleted.  Nothing is reverted for a position beyond the
    cursor, which is not rated yet, or for a match without a position (None).  Returns the cursor, which is lower than
    before if a match must be replayed.
    """
    session.flush()
    tournament_id = row_id(tournament.id)
    cursor = _lock_cursor(session, tournament_id)
    session.connection().execute(delete(StoredStandings).where(col(StoredStandings.tournament_id) == tournament_id))
    if position is not None and position < cursor:
        _write_entries(session, _ratings_before(session, tournament_id, position))
        cursor = position
        _write_cursor(session, tournament_id, cursor)
    if tournament.kind == "ladder":
        schedule_recount(session, tournament_id)
    updater = _apply_from(session, tournament, cursor)
    _clear_seats(session, tournament_id, updater.cursor)
    _refresh(session, tournament, updater.cursor)
    return updater.cursor


def _lock_cursor(session: Session, tournament_id: int) -> int:
    cursor: int = session.connection().execute(_CURSOR, {"b_id": tournament_id}).scalar_one()
    return cursor


_CURSOR: Final = (
    select(col(Tournament.cursor)).where(col(Tournament.id) == bindparam("b_id")).with_for_update(key_share=True)
)


def _apply_from(session: Session, tournament: Tournament, cursor: int) -> RatingUpdater:
    tournament_id = row_id(tournament.id)
    updater = RatingUpdater(tournament.game, tournament.seats, tournament.blocks, cursor=cursor)
    end = _settled_end(session, tournament_id, cursor)
    _apply_tables(session, updater, tournament_id, end, load=True)
    if updater.cursor > cursor:
        _write_entries(session, ((int(entry), rating) for entry, rating in updater.ratings().items()))
        _write_cursor(session, tournament_id, updater.cursor)
    return updater


def _ratings_before(session: Session, tournament_id: int, position: int) -> list[tuple[int, Rating]]:
    first = (
        select(col(MatchSeat.entry_id), func.min(Match.rating_order).label("place"))
        .join(Match, col(Match.id) == MatchSeat.match_id)
        .where(
            col(Match.tournament_id) == tournament_id,
            col(Match.rating_order) >= position,
            col(MatchSeat.mu_before).is_not(None),
        )
        .group_by(col(MatchSeat.entry_id))
        .subquery()
    )
    query = (
        select(col(MatchSeat.entry_id), col(MatchSeat.mu_before), col(MatchSeat.sigma_before))
        .join(Match, col(Match.id) == MatchSeat.match_id)
        .join(first, (first.c.entry_id == MatchSeat.entry_id) & (first.c.place == Match.rating_order))
        .where(col(Match.tournament_id) == tournament_id)
    )
    rows: Any = session.connection().execute(query)
    return [(entry, Rating(mu, sigma)) for entry, mu, sigma in rows]


def _refresh(session: Session, tournament: Tournament, cursor: int) -> None:
    # Core statements have changed the rows of objects that the session has loaded.
    set_committed_value(tournament, "cursor", cursor)
    for loaded in list(session.identity_map.values()):
        if isinstance(loaded, Entry | MatchSeat):
            session.expire(loaded)


# The rebuild, which recomputes all ratings in the same way as the live ratings.
#
# It is one transaction with the same locks as the record worker's, in the same order: the trials tournaments, then all
# others. Results that arrive in the meantime wait.


@dataclass(frozen=True, slots=True)
class RebuildSummary:
    """A summary of a tournament's recomputed ratings."""

    id: int
    name: str
    kind: str
    game: str
    seats: int
    folded: int  # number of matches applied, including void ones
    waiting: int  # number of matches from the first one that is not settled
    cursor_was: int
    cursor: int
    seats_changed: int  # number of matches' seats whose stored ratings were different
    entries_changed: int
    largest: float  # the largest change of an entry's mu

    @property
    def differed(self) -> bool:
        """Whether a stored rating or the cursor was different."""
        return bool(self.seats_changed or self.entries_changed or self.cursor != self.cursor_was)


def rebuild(session: Session) -> Iterator[RebuildSummary]:
    """Recompute all ratings, store those that differ, and yield a summary of each ladder and tournament."""
    tournaments.lock_versions(session)
    tournaments.lock_tournaments(session, condition=True)
    query = select_model(Tournament).where(col(Tournament.kind).in_(RATED_KINDS)).order_by(col(Tournament.id))
    query = query.where(col(Tournament.id).not_in(select(col(Import.tournament_id))))  # verified on import
    query = query.execution_options(populate_existing=True)
    for tournament in session.exec(query).all():
        yield _rebuild(session, tournament)


def _rebuild(session: Session, tournament: Tournament) -> RebuildSummary:
    tournament_id, cursor_was = row_id(tournament.id), tournament.cursor
    updater = RatingUpdater(tournament.game, tournament.seats, tournament.blocks)
    end = _settled_end(session, tournament_id, 1)
    if tournament.seats == 2:
        seats_changed = _apply_pairs(session, updater, tournament_id, end)
    else:
        seats_changed = _apply_tables(session, updater, tournament_id, end)
    seats_changed += _clear_seats(session, tournament_id, updater.cursor)
    differences = _write_changed(session, tournament_id, updater)
    if seats_changed and tournament.kind == "ladder":
        schedule_recount(session, tournament_id)
    if updater.cursor != cursor_was:
        _write_cursor(session, tournament_id, updater.cursor)
    return RebuildSummary(
        id=tournament_id,
        name=tournament.name,
        kind=tournament.kind,
        game=tournament.game,
        seats=tournament.seats,
        folded=updater.cursor - 1,
        waiting=_count_waiting(session, tournament_id, updater.cursor),
        cursor_was=cursor_was,
        cursor=updater.cursor,
        seats_changed=seats_changed,
        entries_changed=len(differences),
        largest=max(differences, default=0.0),
    )


def _apply_tables(session: Session, updater: RatingUpdater, tournament_id: int, end: int, *, load: bool = False) -> int:
    """Apply all matches before position `end`, and return the number of seats whose ratings change.

    `load`: whether to start from the entries' stored ratings.
    """
    seats_changed = 0
    while (first := updater.cursor) < end:
        matches = list(_read_settled(session, tournament_id, first, min(first + BATCH, end)))
        if load:
            unrated = {entry for match in matches for entry in match.result.entries if not updater.has_rating(entry)}
            rows: Any = session.connection().execute(_CURRENT_RATINGS, {"met": list(unrated)})
            for entry, mu, sigma in rows:
                updater.set_rating(entry, Rating(mu, sigma))
        seats_changed += _apply_batch(session, updater, matches)
        if updater.cursor == first:
            break
    return seats_changed


def _write_changed(session: Session, tournament_id: int, updater: RatingUpdater) -> list[float]:
    columns = select(col(Entry.id), col(Entry.mu), col(Entry.sigma), col(Entry.rating))
    rows: Any = session.connection().execute(columns.where(col(Entry.tournament_id) == tournament_id)).all()
    changed: list[tuple[int, Rating]] = []
    differences = []
    for entry, mu, sigma, figure in rows:
        rating = updater.rating(entry)
        if (mu, sigma, figure) != (rating.mu, rating.sigma, shown(rating.mu, rating.sigma)):
            changed.append((entry, rating))
            differences.append(abs(rating.mu - mu))
    _write_entries(session, changed)
    return differences


def _count_waiting(session: Session, tournament_id: int, cursor: int) -> int:
    conditions = col(Match.tournament_id) == tournament_id, col(Match.rating_order) >= cursor
    count: int = session.connection().execute(select(func.count()).select_from(Match).where(*conditions)).scalar_one()
    return count


# Matches with two seats, which a rebuild reads in large batches.
#
# A rebuild spends most of its time on reading. Reading one plain tuple for each match takes a third of the time of
# reading two rows for each match through the mapper.

_PAIRS_AT_ONCE = 20_000  # 10 MB


def _apply_pairs(session: Session, updater: RatingUpdater, tournament_id: int, end: int) -> int:
    changed = 0
    while (first := updater.cursor) < end:
        rows = _read_pairs(session, tournament_id, first, min(first + _PAIRS_AT_ONCE, end))
        seats = list(_changed_pairs(rows, updater))
        _write_seats(session, seats)
        changed += len(seats)
        if updater.cursor == first:
            break
    return changed


def _read_pairs(session: Session, tournament_id: int, first: int, end: int) -> Sequence[tuple[Any, ...]]:
    left, right = aliased(MatchSeat), aliased(MatchSeat)
    columns: list[Any] = [col(Match.rating_order), col(Match.state) == MatchState.DONE.value, col(Match.id)]
    columns += [col(seat.entry_id) for seat in (left, right)]
    columns += [column for seat in (left, right) for column in (col(seat.mean_place_num), col(seat.mean_place_den))]
    for seat in (left, right):
        columns += [col(seat.mu_before), col(seat.sigma_before), col(seat.mu_after), col(seat.sigma_after)]
    query = (
        select(*columns)
        .join_from(Match, left, (col(left.match_id) == Match.id) & (col(left.position) == 0))
        .join(right, (col(right.match_id) == Match.id) & (col(right.position) == 1))
        .where(col(Match.tournament_id) == tournament_id)
        .where(col(Match.rating_order) >= first, col(Match.rating_order) < end)
        .order_by(col(Match.rating_order))
    )
    # A plain cursor is used, because SQLAlchemy's result rows cost more than the rating. It needs the statement as a
    # text that includes all values.
    connection = session.connection()
    statement = str(query.compile(connection.engine, compile_kwargs={"literal_binds": True}))  # only whole numbers
    cursor: Any = connection.connection.cursor()
    try:
        cursor.execute(statement)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    finally:
        cursor.close()
    return rows


def _changed_pairs(
    rows: Sequence[tuple[Any, ...]], updater: RatingUpdater
) -> Iterator[tuple[tuple[int, int], _SeatRatings | RatingChange]]:
    for row, (_, changes) in zip(rows, updater.apply(map(_pair_result, rows)), strict=False):
        first, second = changes or (_UNRATED, _UNRATED)
        if row[3] > row[4]:
            first, second = second, first
        if row[9:13] != first:
            yield (row[2], 0), first
        if row[13:] != second:
            yield (row[2], 1), second


def _pair_result(row: tuple[Any, ...]) -> FinishedMatch:
    position, done, match_id, first, second, num, den, other_num, other_den = row[:9]
    if not done:
        return FinishedMatch(position, (first, second), ())
    if den is None or other_den is None:
        raise ValueError(f"match {match_id} is done, but a seat of it has no mean place")
    if first > second:
        return FinishedMatch(position, (second, first), ((other_num, other_den), (num, den)))
    return FinishedMatch(position, (first, second), ((num, den), (other_num, other_den)))


# Settled matches, read and written back in batches.

_SETTLED_STATES = frozenset({MatchState.DONE, MatchState.VOID})
_UNRATED = (None, None, None, None)  # a seat's ratings while its match is not rated

_SeatRatings = tuple[float | None, float | None, float | None, float | None]


class _SettledMatch(NamedTuple):
    result: FinishedMatch
    seats: tuple[tuple[int, int], ...]  # the seats' keys, in the order of their entries
    stored: tuple[_SeatRatings, ...]


def _settled_end(session: Session, tournament_id: int, cursor: int) -> int:
    """Return the first position from the cursor on whose match is not settled, or else the first without a match."""
    *waiting, last = session.connection().execute(_END, {"b_tournament": tournament_id, "first": cursor}).one()
    return min((position for position in waiting if position is not None), default=max(cursor, (last or 0) + 1))


def _read_settled(session: Session, tournament_id: int, first: int, end: int) -> Iterator[_SettledMatch]:
    """Yield the matches at the positions from `first` to before `end`, in order; all of them must be settled."""
    rows = map(
        tuple, session.connection().execute(_SETTLED, {"b_tournament": tournament_id, "first": first, "end": end})
    )
    for _, seats in groupby(rows, key=itemgetter(0)):
        yield _settled_match(list(seats))


def _settled_match(rows: Sequence[Any]) -> _SettledMatch:
    position, state, match_id = rows[0][:3]
    places = [] if state == MatchState.VOID else [row[5:7] for row in rows]
    if (None, None) in places:
        raise ValueError(f"match {match_id} is {state!r}, but a seat of it has no mean place")
    return _SettledMatch(
        FinishedMatch(position, tuple([row[4] for row in rows]), tuple(places)),
        tuple([row[2:4] for row in rows]),
        tuple([row[7:] for row in rows]),
    )


def _from_place(tournament_id: int | BindParameter[int], first: int | BindParameter[int]) -> tuple[Any, Any]:
    return col(Match.tournament_id) == tournament_id, col(Match.rating_order) >= first


def _apply_batch(session: Session, updater: RatingUpdater, matches: Sequence[_SettledMatch]) -> int:
    changed: list[tuple[tuple[int, int], _SeatRatings | RatingChange]] = []
    for match, (_, moves) in zip(matches, updater.apply(match.result for match in matches), strict=False):
        for key, old, new in zip(match.seats, match.stored, moves or [_UNRATED] * len(match.seats), strict=True):
            if old != new:
                changed.append((key, new))
    _write_seats(session, changed)
    return len(changed)


def _write_seats(session: Session, changed: Iterable[tuple[tuple[int, int], _SeatRatings | RatingChange]]) -> None:
    names = ("mu_before", "sigma_before", "mu_after", "sigma_after")
    rows = [
        {"b_match": key[0], "b_position": key[1], **dict(zip(names, ratings, strict=True))} for key, ratings in changed
    ]
    if rows:
        session.connection().execute(_SEATS, rows)


def _clear_seats(session: Session, tournament_id: int, first: int) -> int:
    matches = select(col(Match.id)).where(*_from_place(tournament_id, first))
    rated = col(MatchSeat.match_id).in_(matches) & col(MatchSeat.mu_before).is_not(None)
    cleared = update(MatchSeat).where(rated).values(mu_before=None, sigma_before=None, mu_after=None, sigma_after=None)
    return session.connection().execute(cleared).rowcount


def _write_entries(session: Session, ratings: Iterable[tuple[int, Rating]]) -> None:
    rows = [
        {"b_id": entry, "mu": rating.mu, "sigma": rating.sigma, "rating": shown(rating.mu, rating.sigma)}
        for entry, rating in ratings
    ]
    if rows:
        session.connection().execute(_ENTRIES, rows)


def _write_cursor(session: Session, tournament_id: int, cursor: int) -> None:
    session.connection().execute(_SETTLED_CURSOR, {"b_id": tournament_id, "cursor": cursor})


def _waiting_query() -> Select[Any]:
    """Return the query for each unsettled state's lowest position, from a given one on, and for the highest of all."""
    # Each state has its own subquery, which reads one row of ix_matches_fold; `IN` would read all waiting matches.
    tournament: BindParameter[int] = bindparam("b_tournament")
    first: BindParameter[int] = bindparam("first")
    lowest = select(func.min(Match.rating_order)).where(*_from_place(tournament, first))
    waiting = [lowest.where(col(Match.state) == state.value) for state in MatchState if state not in _SETTLED_STATES]
    highest = select(func.max(Match.rating_order)).where(col(Match.tournament_id) == tournament)
    return select(*(each.scalar_subquery() for each in (*waiting, highest)))


_END: Final = _waiting_query()
_SETTLED: Final = (
    select(
        col(Match.rating_order),
        col(Match.state),
        col(Match.id),
        col(MatchSeat.position),
        col(MatchSeat.entry_id),
        col(MatchSeat.mean_place_num),
        col(MatchSeat.mean_place_den),
        col(MatchSeat.mu_before),
        col(MatchSeat.sigma_before),
        col(MatchSeat.mu_after),
        col(MatchSeat.sigma_after),
    )
    .join(MatchSeat, col(MatchSeat.match_id) == Match.id)
    .where(*_from_place(bindparam("b_tournament"), bindparam("first")), col(Match.rating_order) < bindparam("end"))
    .order_by(col(Match.rating_order), col(MatchSeat.entry_id))
)
_CURRENT_RATINGS: Final = select(col(Entry.id), col(Entry.mu), col(Entry.sigma)).where(
    col(Entry.id).in_(bindparam("met", expanding=True))
)
_SETTLED_CURSOR: Final = (
    update(table_of(Tournament)).where(col(Tournament.id) == bindparam("b_id")).values(cursor=bindparam("cursor"))
)
_seats_table, _entries_table = table_of(MatchSeat), table_of(Entry)
_SEATS = _seats_table.update().where(
    _seats_table.c.match_id == bindparam("b_match"), _seats_table.c.position == bindparam("b_position")
)
_ENTRIES = _entries_table.update().where(_entries_table.c.id == bindparam("b_id"))
