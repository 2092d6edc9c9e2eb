"""What of a tournament the ratings are made from: its settled matches, read and written back in batches."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

from sqlalchemy import BindParameter, Select, bindparam, select, update
from sqlmodel import Session, col, func

from gangland_ladder.rating.folding import Folding, Move, Result
from gangland_ladder.rating.trueskill import Rating, shown
from gangland_web.models.columns import table_of
from gangland_web.models.matches import Match, MatchSeat, MatchState
from gangland_web.models.tournaments import Entry, Tournament

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
    session.connection().execute(_CURSOR, {"its_id": tournament_id, "cursor": cursor})


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
_CURSOR: Final = (
    update(table_of(Tournament)).where(col(Tournament.id) == bindparam("its_id")).values(cursor=bindparam("cursor"))
)
_seats, _entries = table_of(MatchSeat), table_of(Entry)
_SEATS = _seats.update().where(
    _seats.c.match_id == bindparam("its_match"), _seats.c.position == bindparam("its_position")
)
_ENTRIES = _entries.update().where(_entries.c.id == bindparam("its_id"))
