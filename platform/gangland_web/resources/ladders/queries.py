"""What the pages ask about ladders: three statements a page, all off an index, however many bots there are.

A page is read from the index by rating, downwards or upwards from a key, with one entry beyond either end: whether
an order is settled hangs on the neighbours.  The ranks are counted from the index, so they are right on every page.

How far its last match moved a bot is counted among those who stand there now: its rank is compared with the one that it
would have had that match not counted for it.  Nothing is kept for this; the ratings between are read from the index.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, NamedTuple

from sqlalchemy import Float, Integer, String, bindparam, literal, select, true, tuple_, union_all
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func
from sqlmodel import select as select_model

from gangland_ladder.rating.trueskill import SIGMA
from gangland_web.core.formats import GAME_TITLES
from gangland_web.resources.ladders.paging import FIRST_PAGE, Key, Window
from gangland_web.resources.visibility import NotVisible
from gangland_web.store.lifecycles.matches import MatchState
from gangland_web.store.models.bots import Bot, Version
from gangland_web.store.models.matches import Match, MatchSeat
from gangland_web.store.models.tournaments import Entry, Tournament
from gangland_web.store.owners import owner_shown

SEATS = (2, 3, 4)
"""The table sizes of ladders."""
PAGE = 100
"""Rows of a page."""
PROVISIONAL_MATCHES = 10
"""A rating of fewer matches is provisional."""


class LadderRow(NamedTuple):
    """One line of a leaderboard; `owner` is None for a house bot, `rating` is mu - 3 sigma.

    Attributes:
        settled: its range overlaps with neither neighbour's.
        last_match: the last match in its rating, None before the first, as is what follows.
        places_moved, points_moved: how many ranks it rose by that match, of its first match 0, and its rating.
        first_match: whether that was its first.
    """

    rank: int
    entry: int
    bot_id: int
    bot: str
    version: int
    owner: str | None
    mu: float
    sigma: float
    rating: float
    games: int
    wins: int
    faults: int
    probation: bool
    settled: bool
    last_match: int | None
    last_match_at: float | None
    places_moved: int | None
    points_moved: float | None
    first_match: bool


@dataclass(frozen=True, slots=True)
class LadderPage:
    """Some rows of a leaderboard, best first, and the windows above and below them; None where there is no more."""

    rows: tuple[LadderRow, ...]
    above: Window | None
    below: Window | None

    @property
    def next_key(self) -> str | None:
        """After which key the page below begins, None without one."""
        return None if self.below is None or self.below.key is None else self.below.key.text


class LadderState(NamedTuple):
    """A ladder in figures.

    Attributes:
        revision: rises whenever anything changes that the ladder's pages show.
        scheduled: matches that were written; `over` are done or void.
        waiting: played matches that are not in the ratings yet, because one that was sent before them is not over.
    """

    id: int
    blocks: int
    revision: int
    scheduled: int
    over: int
    waiting: int


def ladder_of(session: Session, game: str, seats: int) -> Tournament | None:
    """Return the ladder of a game and table size, or None if there is none."""
    chosen = select_model(Tournament).where(Tournament.kind == "ladder", Tournament.game == game)
    return session.exec(chosen.where(Tournament.seats == seats)).first()


def found_ladder(session: Session, game: str, seats: int) -> Tournament:
    """Return the ladder of a game and table size.  Raises NotVisible: there is none."""
    found = ladder_of(session, game, seats) if game in GAME_TITLES and seats in SEATS else None
    if found is None:
        raise NotVisible
    return found


def ladder_state(session: Session, game: str, seats: int) -> LadderState | None:
    """Return where the ladder of a game and table size stands, or None if there is none."""
    row = session.connection().execute(_STATE, {"game": game, "seats": seats}).first()
    return None if row is None else LadderState._make(row)


def ladder_page(session: Session, ladder_id: int, window: Window = FIRST_PAGE, *, size: int = PAGE) -> LadderPage:
    """Return a page of a ladder's active entries, best first; equal ratings share a rank.

    Near either end a page has fewer rows: what stands beyond the key and no more.
    """
    # A key is a place, not a row: its entry may have moved or left, so rows are compared with it by (rating, id), and
    # one more is read beyond either end, by which an order is settled or not and by which there is a next page.
    given: dict[str, Any] = {"ladder": ladder_id, "beyond": size + 1, "last": size - 1}
    if window.key is None:
        return _page(session, ladder_id, _read(session, _FIRST, given), 0, size)
    given |= window.key._asdict()
    found = _read(session, _UPWARDS if window.upwards else _DOWNWARDS, given)
    if not window.upwards:
        begin = sum((row.rating, row.id) >= window.key for row in found)
        return _page(session, ladder_id, found, begin, size, window.key)
    end = sum((row.rating, row.id) > window.key for row in found)
    return _page(session, ladder_id, found, max(0, end - size), min(end, size))


def _read(session: Session, statement: Any, given: dict[str, Any]) -> list[Any]:
    """Return what a window holds, best first."""
    rows = session.connection().execute(statement, given).all()
    return sorted(rows, key=lambda row: (row.rating, row.id), reverse=True)


def _page(
    session: Session, ladder_id: int, found: list[Any], begin: int, size: int, beyond: Key | None = None
) -> LadderPage:
    """Make a page of the rows from `begin` on; what is read around them are the neighbours."""
    shown = found[begin : begin + size]
    if not shown:
        return LadderPage((), Window(beyond, upwards=True) if beyond is not None and found else None, None)
    first, last = shown[0], shown[-1]
    shared = begin > 0 and found[begin - 1].rating == first.rating
    places = max(0, first.places)  # fewer than a page stand above a key near the top
    ranks = [places + 1 - (first.equals if shared else 0)]
    for place, (upper, lower) in enumerate(pairwise(shown), places + 2):
        ranks.append(ranks[-1] if upper.rating == lower.rating else place)
    apart = [True, *(_apart(upper, lower) for upper, lower in pairwise(found)), True]
    settled = [upper and lower for upper, lower in pairwise(apart)][begin : begin + size]
    ratings = _ratings_around(session, ladder_id, shown)
    return LadderPage(
        tuple(_row(row, rank, apart, ratings) for row, rank, apart in zip(shown, ranks, settled, strict=True)),
        Window(Key(first.rating, first.id), upwards=True) if places > 0 else None,
        Window(Key(last.rating, last.id)) if len(found) > begin + size else None,
    )


def _apart(upper: Any, lower: Any) -> bool:
    return bool(upper.mu - 2 * upper.sigma >= lower.mu + 2 * lower.sigma)


def _ratings_around(session: Session, ladder_id: int, shown: list[Any]) -> list[float]:
    """Return all ratings on the ladder between those before and after the last matches of some rows, in order."""
    moved = [rating for row in shown if _moved(row) for rating in (row.rating, _before(row))]
    if not moved:
        return []
    given = {"ladder": ladder_id, "low": min(moved), "high": max(moved)}
    return list(session.connection().execute(_BETWEEN, given).scalars())


def _moved(row: Any) -> bool:
    """Tell whether a match took an entry from one rank to another: its first did not."""
    return row.sigma_before is not None and row.sigma_before != SIGMA  # a sigma only ever shrinks


def _before(row: Any) -> float:
    return float(row.mu_before - 3 * row.sigma_before)


def _row(row: Any, rank: int, settled: bool, ratings: list[float]) -> LadderRow:
    shown = (rank, *row[:_MATCH], settled, row.last_match, row.done_at)
    if row.last_match is None:
        return LadderRow._make((*shown, None, None, False))
    rating, before, moved = row.rating, _before(row), 0
    if _moved(row) and rating > before:
        moved = bisect_left(ratings, rating) - bisect_right(ratings, before)
    elif _moved(row):
        moved = bisect_right(ratings, rating) - bisect_left(ratings, before)
    return LadderRow._make((*shown, moved, rating - before, not _moved(row)))


_MATCH: Final = 12
"""Before which of a row's columns those of its last match begin."""
_last = aliased(MatchSeat)
_LAST_MATCH = (
    select(col(_last.match_id))
    .where(col(_last.entry_id) == col(Entry.id), col(_last.mu_after).is_not(None))
    .order_by(col(_last.match_id).desc())
    .limit(1)
    .correlate(Entry)
    .scalar_subquery()
)
_ENTRY = (
    *(col(column) for column in (Entry.id, Entry.version_id, Entry.rating, Entry.mu, Entry.sigma)),
    *(col(column) for column in (Entry.games, Entry.wins, Entry.faults, Entry.probation)),
    _LAST_MATCH.label("last_match"),
)
_PLACE = tuple_(col(Entry.rating), col(Entry.id))
_KEY_RATING, _KEY_ENTRY = bindparam("rating", type_=Float), bindparam("entry", type_=Integer)
_KEY: Any = tuple_(_KEY_RATING, _KEY_ENTRY)
# How many is said in the statement itself: a plan that is made ahead has to know how little is wanted.
_BEYOND = bindparam("beyond", type_=Integer, literal_execute=True)
_LAST = bindparam("last", type_=Integer, literal_execute=True)


def _placed(*columns: Any) -> Any:
    """Select from the entries that stand on the ladder, all off the index `ix_entries_board`."""
    here = col(Entry.tournament_id) == bindparam("ladder", type_=Integer), col(Entry.active) == true()
    return select(*columns).where(*here)


def _down(*conditions: Any, limit: Any) -> Any:
    """The best of those who fulfil the conditions."""
    order = col(Entry.rating).desc(), col(Entry.id).desc()
    return _placed(*_ENTRY).where(*conditions).order_by(*order).limit(limit)


def _up(*conditions: Any, limit: Any) -> Any:
    """The worst of those who fulfil the conditions."""
    order = col(Entry.rating), col(Entry.id)
    return _placed(*_ENTRY).where(*conditions).order_by(*order).limit(limit)


def _rows(places: Any, equals: Any, *windows: Any) -> Any:
    """Select all that is shown of the entries in the windows.

    With each comes how many stand above the page, and how many of those have the same rating as its first, if any has.
    """
    inner = [select(window.subquery()) for window in windows]
    # With a limit of its own SQLite reads all windows before the rest, and counts the places once, not in each window.
    there = (inner[0] if len(inner) == 1 else union_all(*inner).limit(_BEYOND + 1)).subquery()
    return (
        select(
            *(there.c.id, col(Bot.id).label("bot_id"), col(Bot.name).label("bot"), col(Version.number)),
            *(owner_shown().label("owner"), there.c.mu, there.c.sigma, there.c.rating),
            *(there.c.games, there.c.wins, there.c.faults, there.c.probation),
            *(there.c.last_match, col(Match.done_at), col(MatchSeat.mu_before), col(MatchSeat.sigma_before)),
            *(places.label("places"), equals.label("equals")),
        )
        .select_from(there)
        .join(Version, col(Version.id) == there.c.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .outerjoin(MatchSeat, (col(MatchSeat.entry_id) == there.c.id) & (col(MatchSeat.match_id) == there.c.last_match))
        .outerjoin(Match, col(Match.id) == there.c.last_match)
    )


def _count(*conditions: Any) -> Any:
    return _placed(func.count()).where(*conditions).scalar_subquery()


_UNRATED = (
    select(func.count())
    .select_from(Match)
    .where(col(Match.tournament_id) == col(Tournament.id), col(Match.state) == MatchState.DONE.value)
    .where(col(Match.rating_order) >= col(Tournament.cursor))
)
_STATE = (
    select(
        col(Tournament.id),
        col(Tournament.blocks),
        col(Tournament.revision),
        col(Tournament.matches_planned),
        col(Tournament.matches_over),
        _UNRATED.correlate(Tournament).scalar_subquery(),
    )
    .where(col(Tournament.kind) == "ladder", col(Tournament.game) == bindparam("game", type_=String))
    .where(col(Tournament.seats) == bindparam("seats", type_=Integer))
)
_low, _high = bindparam("low", type_=Float), bindparam("high", type_=Float)
_BETWEEN = _placed(col(Entry.rating)).where(col(Entry.rating) > _low, col(Entry.rating) < _high).order_by(Entry.rating)
_FIRST = _rows(literal(0), literal(0), _down(limit=_BEYOND))
_DOWNWARDS = _rows(
    _count(_PLACE >= _KEY),
    _count(col(Entry.rating) == _KEY_RATING, col(Entry.id) >= _KEY_ENTRY),
    _up(_PLACE >= _KEY, limit=1),
    _down(_PLACE < _KEY, limit=_BEYOND),
)
_TOP = _placed(col(Entry.rating)).where(_PLACE > _KEY).order_by(col(Entry.rating), col(Entry.id))
_TOP = _TOP.limit(1).offset(_LAST)
_ABOVE = _count(_PLACE > _KEY) - _LAST - 1
_UPWARDS = _rows(
    _ABOVE,
    _ABOVE - _count(col(Entry.rating) > _TOP.scalar_subquery()),
    _up(_PLACE > _KEY, limit=_BEYOND),
    _down(_PLACE <= _KEY, limit=1),
)
