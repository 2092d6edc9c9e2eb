"""Ratings: matches folded in their order, live and rebuilt alike."""

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

from gangland_ladder.rating.folding import Folding, Move, Result
from gangland_ladder.rating.trueskill import Rating, shown
from gangland_web.models.columns import stored, table_of
from gangland_web.models.locks import hold_tournaments, hold_versions
from gangland_web.models.matches import Match, MatchSeat, MatchState
from gangland_web.models.site import Import
from gangland_web.models.tournaments import RATED_KINDS, Entry, StoredStandings, Tournament
from gangland_web.services.hall_of_fame import count_again

# Settled matches, read and written back in batches.


BATCH = 500
"""Matches that are read, and written, at a time."""
SETTLED = frozenset({MatchState.DONE, MatchState.VOID})
UNRATED = (None, None, None, None)
"""What a seat keeps of its ratings while its match is not taken in."""

Kept = tuple[float | None, float | None, float | None, float | None]


class SettledMatch(NamedTuple):
    """A match for the fold, the keys of its seats in the entries' order, and what they keep of their ratings."""

    result: Result
    seats: tuple[tuple[int, int], ...]
    kept: tuple[Kept, ...]


def settled_end(session: Session, tournament_id: int, cursor: int) -> int:
    """Return the lowest place from the cursor on whose match is not settled, or else the first that no match has."""
    found = session.connection().execute(_END, {"its_tournament": tournament_id, "first": cursor}).one()
    *waiting, last = found
    return min((place for place in waiting if place is not None), default=max(cursor, (last or 0) + 1))


def read_settled(session: Session, tournament_id: int, first: int, end: int) -> Iterator[SettledMatch]:
    """Yield the matches at the places from `first` to before `end`, in order; all of them have to be settled."""
    rows = map(
        tuple,
        session.connection().execute(_SETTLED, {"its_tournament": tournament_id, "first": first, "end": end}),
    )
    for _, seats in groupby(rows, key=itemgetter(0)):
        yield _settled(list(seats))


def _settled(rows: Sequence[Any]) -> SettledMatch:
    place, state, match_id = rows[0][:3]
    places = [] if state == MatchState.VOID else [row[5:7] for row in rows]
    if (None, None) in places:
        raise ValueError(f"match {match_id} is {state!r}, but a seat of it has no mean place")
    return SettledMatch(
        Result(place, tuple([row[4] for row in rows]), tuple(places)),
        tuple([row[2:4] for row in rows]),
        tuple([row[7:] for row in rows]),
    )


def _from(tournament_id: int | BindParameter[int], first: int | BindParameter[int]) -> tuple[Any, Any]:
    return col(Match.tournament_id) == tournament_id, col(Match.rating_order) >= first


def know(session: Session, folding: Folding, matches: Iterable[SettledMatch]) -> None:
    """Tell a fold the present ratings of the matches' entries that it does not know yet."""
    met = {entry for match in matches for entry in match.result.entries if not folding.knows(entry)}
    rows: Any = session.connection().execute(_PRESENT, {"met": list(met)})
    for entry, mu, sigma in rows:
        folding.put(entry, Rating(mu, sigma))


def fold_batch(session: Session, folding: Folding, matches: Sequence[SettledMatch]) -> int:
    """Take the matches in, write what changes for their seats, and return how many seats that are."""
    changed: list[tuple[tuple[int, int], Kept | Move]] = []
    for match, (_, moves) in zip(matches, folding.take(match.result for match in matches), strict=False):
        for key, old, new in zip(match.seats, match.kept, moves or [UNRATED] * len(match.seats), strict=True):
            if old != new:
                changed.append((key, new))
    write_seats(session, changed)
    return len(changed)


def write_seats(session: Session, changed: Iterable[tuple[tuple[int, int], Kept | Move]]) -> None:
    """Write what seats, by match and position, keep of their ratings."""
    names = ("mu_before", "sigma_before", "mu_after", "sigma_after")
    rows = [
        {"its_match": key[0], "its_position": key[1], **dict(zip(names, kept, strict=True))} for key, kept in changed
    ]
    if rows:
        session.connection().execute(_SEATS, rows)


def forget(session: Session, tournament_id: int, first: int) -> int:
    """Take from all seats of matches from a place on what they keep of ratings; return how many kept anything."""
    of_them = select(col(Match.id)).where(*_from(tournament_id, first))
    kept = col(MatchSeat.match_id).in_(of_them) & col(MatchSeat.mu_before).is_not(None)
    emptied = update(MatchSeat).where(kept).values(mu_before=None, sigma_before=None, mu_after=None, sigma_after=None)
    return session.connection().execute(emptied).rowcount


def write_entries(session: Session, ratings: Iterable[tuple[int, Rating]]) -> None:
    """Write the entries' ratings, with the figure that leaderboards are ordered by."""
    rows = [
        {"its_id": entry, "mu": rating.mu, "sigma": rating.sigma, "rating": shown(rating.mu, rating.sigma)}
        for entry, rating in ratings
    ]
    if rows:
        session.connection().execute(_ENTRIES, rows)


def write_cursor(session: Session, tournament_id: int, cursor: int) -> None:
    """Write how far a tournament's matches are taken in."""
    session.connection().execute(_SETTLED_CURSOR, {"its_id": tournament_id, "cursor": cursor})


def _first_waiting() -> Select[Any]:
    """Return the statement of the lowest place from one on in each state that is not settled, and the highest of all.

    A query a state: each reads one row of ix_matches_fold, where `IN` reads all that wait.
    """
    its: BindParameter[int] = bindparam("its_tournament")
    first: BindParameter[int] = bindparam("first")
    lowest = select(func.min(Match.rating_order)).where(*_from(its, first))
    waiting = [lowest.where(col(Match.state) == state.value) for state in MatchState if state not in SETTLED]
    highest = select(func.max(Match.rating_order)).where(col(Match.tournament_id) == its)
    return select(*(each.scalar_subquery() for each in (*waiting, highest)))


_END: Final = _first_waiting()
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
    .where(*_from(bindparam("its_tournament"), bindparam("first")), col(Match.rating_order) < bindparam("end"))
    .order_by(col(Match.rating_order), col(MatchSeat.entry_id))
)
_PRESENT: Final = select(col(Entry.id), col(Entry.mu), col(Entry.sigma)).where(
    col(Entry.id).in_(bindparam("met", expanding=True))
)
_SETTLED_CURSOR: Final = (
    update(table_of(Tournament)).where(col(Tournament.id) == bindparam("its_id")).values(cursor=bindparam("cursor"))
)
_seats, _entries = table_of(MatchSeat), table_of(Entry)
_SEATS = _seats.update().where(
    _seats.c.match_id == bindparam("its_match"), _seats.c.position == bindparam("its_position")
)
_ENTRIES = _entries.update().where(_entries.c.id == bindparam("its_id"))


# The live fold: recorded matches in their order, whichever finished first.
#
# Each call costs a handful of queries and the matches that it takes in, however many wait behind a gap. It holds the
# tournament's row, so no two transactions fold one tournament at once.


def fold(session: Session, tournament: Tournament) -> int:
    """Take in every match before which all others are done or void; return how far the cursor went.

    Trials and challenges are not rated, so there is nothing to take in.
    """
    if tournament.kind not in RATED_KINDS:
        return 0
    session.flush()
    tournament_id = stored(tournament.id)
    cursor = _hold(session, tournament_id)
    folding = _fold_from(session, tournament, cursor)
    _refresh(session, tournament, folding.cursor)
    return folding.cursor - cursor


def fold_again(session: Session, tournament: Tournament, place: int | None) -> int:
    """Go back to a match that was taken in and is void now, or other than it was, and fold again from there.

    What the matches from there on had done is taken back first, and standings that are kept are dropped.  A match
    beyond the cursor changes nothing that was folded, so then this is `fold`.

    Args:
        place: of the match in the rating order; None if it was never sent.

    Returns:
        The cursor: lower than before if the match, or a later one, is now to be played again.
    """
    session.flush()
    tournament_id = stored(tournament.id)
    cursor = _hold(session, tournament_id)
    session.connection().execute(delete(StoredStandings).where(col(StoredStandings.tournament_id) == tournament_id))
    if place is not None and place < cursor:
        write_entries(session, _before(session, tournament_id, place))
        cursor = place
        write_cursor(session, tournament_id, cursor)
    if tournament.kind == "ladder":
        count_again(session, tournament_id)
    folding = _fold_from(session, tournament, cursor)
    forget(session, tournament_id, folding.cursor)
    _refresh(session, tournament, folding.cursor)
    return folding.cursor


def _hold(session: Session, tournament_id: int) -> int:
    """Keep other writers off the tournament until the transaction ends, and return its cursor as it is then."""
    cursor: int = session.connection().execute(_CURSOR, {"its_id": tournament_id}).scalar_one()
    return cursor


_CURSOR: Final = (
    select(col(Tournament.cursor)).where(col(Tournament.id) == bindparam("its_id")).with_for_update(key_share=True)
)


def _fold_from(session: Session, tournament: Tournament, cursor: int) -> Folding:
    tournament_id = stored(tournament.id)
    folding = Folding(tournament.game, tournament.seats, tournament.blocks, cursor=cursor)
    end = settled_end(session, tournament_id, cursor)
    while folding.cursor < end:
        first = folding.cursor
        matches = list(read_settled(session, tournament_id, first, min(first + BATCH, end)))
        know(session, folding, matches)
        fold_batch(session, folding, matches)
        if folding.cursor == first:
            break
    if folding.cursor > cursor:
        write_entries(session, ((int(entry), rating) for entry, rating in folding.ratings().items()))
        write_cursor(session, tournament_id, folding.cursor)
    return folding


def _before(session: Session, tournament_id: int, place: int) -> list[tuple[int, Rating]]:
    """Return the ratings that entries had before a match, of all whom it or a later one moved."""
    moved = (
        select(col(MatchSeat.entry_id), func.min(Match.rating_order).label("place"))
        .join(Match, col(Match.id) == MatchSeat.match_id)
        .where(
            col(Match.tournament_id) == tournament_id,
            col(Match.rating_order) >= place,
            col(MatchSeat.mu_before).is_not(None),
        )
        .group_by(col(MatchSeat.entry_id))
        .subquery()
    )
    chosen = (
        select(col(MatchSeat.entry_id), col(MatchSeat.mu_before), col(MatchSeat.sigma_before))
        .join(Match, col(Match.id) == MatchSeat.match_id)
        .join(moved, (moved.c.entry_id == MatchSeat.entry_id) & (moved.c.place == Match.rating_order))
        .where(col(Match.tournament_id) == tournament_id)
    )
    rows: Any = session.connection().execute(chosen)
    return [(entry, Rating(mu, sigma)) for entry, mu, sigma in rows]


def _refresh(session: Session, tournament: Tournament, cursor: int) -> None:
    """Let objects that the session has loaded show what was written beside them."""
    set_committed_value(tournament, "cursor", cursor)
    for loaded in list(session.identity_map.values()):
        if isinstance(loaded, Entry | MatchSeat):
            session.expire(loaded)


# A ladder of two seats in one pass, for a rebuild.
#
# A rebuild spends its time on reading: one row a match as a plain tuple takes a third of the time of two rows a match
# through the mapper.


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


# The rebuild: every rating computed again by the live fold.
#
# It is one transaction that locks what the record worker locks, in its order: the trials tournaments, then all others.
# Results that arrive meanwhile wait.


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What computing a tournament's ratings again came to.

    Attributes:
        folded: matches that were taken in, void ones among them.
        waiting: matches that lie beyond the first one that is not settled.
        cursor_was: how far the matches were taken in before; `cursor` is how far they are now.
        seats_changed: seats of matches that had kept other ratings.
        entries_changed: entries that had another rating.
        largest: the largest change of an entry's mu, in points.
    """

    id: int
    name: str
    kind: str
    game: str
    seats: int
    folded: int
    waiting: int
    cursor_was: int
    cursor: int
    seats_changed: int
    entries_changed: int
    largest: float

    @property
    def differed(self) -> bool:
        """Whether anything that was kept was not what comes out."""
        return bool(self.seats_changed or self.entries_changed or self.cursor != self.cursor_was)


def rebuild(session: Session) -> Iterator[Rebuilt]:
    """Compute all ratings again, write what differs, and yield what each ladder and tournament came to."""
    hold_versions(session)
    hold_tournaments(session, which=True)
    chosen = select_model(Tournament).where(col(Tournament.kind).in_(RATED_KINDS)).order_by(col(Tournament.id))
    chosen = chosen.where(col(Tournament.id).not_in(select(col(Import.tournament_id))))  # proven when they came
    chosen = chosen.execution_options(populate_existing=True)
    for tournament in session.exec(chosen).all():
        yield _rebuild(session, tournament)


def _rebuild(session: Session, tournament: Tournament) -> Rebuilt:
    tournament_id, cursor_was = stored(tournament.id), tournament.cursor
    folding = Folding(tournament.game, tournament.seats, tournament.blocks)
    end = settled_end(session, tournament_id, 1)
    fold_all = fold_pairs if tournament.seats == 2 else _fold_tables
    seats_changed = fold_all(session, folding, tournament_id, end)
    seats_changed += forget(session, tournament_id, folding.cursor)
    moved = _write_entries(session, tournament_id, folding)
    if seats_changed and tournament.kind == "ladder":
        count_again(session, tournament_id)
    if folding.cursor != cursor_was:
        write_cursor(session, tournament_id, folding.cursor)
    return Rebuilt(
        id=tournament_id,
        name=tournament.name,
        kind=tournament.kind,
        game=tournament.game,
        seats=tournament.seats,
        folded=folding.cursor - 1,
        waiting=_beyond(session, tournament_id, folding.cursor),
        cursor_was=cursor_was,
        cursor=folding.cursor,
        seats_changed=seats_changed,
        entries_changed=len(moved),
        largest=max(moved, default=0.0),
    )


def _fold_tables(session: Session, folding: Folding, tournament_id: int, end: int) -> int:
    """Take in all matches before place `end`; return how many seats kept other ratings."""
    seats_changed = 0
    while (first := folding.cursor) < end:
        matches = list(read_settled(session, tournament_id, first, min(first + BATCH, end)))
        seats_changed += fold_batch(session, folding, matches)
        if folding.cursor == first:
            break
    return seats_changed


def _write_entries(session: Session, tournament_id: int, folding: Folding) -> list[float]:
    """Write the ratings of the entries that had others, and return how far the mu of each moves."""
    columns = select(col(Entry.id), col(Entry.mu), col(Entry.sigma), col(Entry.rating))
    kept: Any = session.connection().execute(columns.where(col(Entry.tournament_id) == tournament_id)).all()
    changed: list[tuple[int, Rating]] = []
    moved = []
    for entry, mu, sigma, figure in kept:
        rating = folding.rating(entry)
        if (mu, sigma, figure) != (rating.mu, rating.sigma, shown(rating.mu, rating.sigma)):
            changed.append((entry, rating))
            moved.append(abs(rating.mu - mu))
    write_entries(session, changed)
    return moved


def _beyond(session: Session, tournament_id: int, cursor: int) -> int:
    there = col(Match.tournament_id) == tournament_id, col(Match.rating_order) >= cursor
    count: int = session.connection().execute(select(func.count()).select_from(Match).where(*there)).scalar_one()
    return count
