"""What the pages ask about ladders: where a ladder stands, and a page of it, two statements off an index.

A page is read from the index by rating, with one entry beyond either end: whether an order is settled hangs on the
neighbours.  Where it begins and the ranks are those of the ladder's whole order, which each process keeps.

How far its last match moved a bot is counted among those who stand there now: its rank is compared with the one that it
would have had that match not counted for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from sqlalchemy import Float, Integer, String, bindparam, case, literal_column, select, true, tuple_
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func
from sqlmodel import select as select_model

from gangland_ladder.rating.trueskill import SIGMA
from gangland_web.base.formats import GAME_TITLES
from gangland_web.models.bots import Bot, Version
from gangland_web.models.matches import Match, MatchSeat, MatchState
from gangland_web.models.owners import owner_shown
from gangland_web.models.tournaments import Entry, SeasonPlace, Tournament
from gangland_web.resources.ladders.order import Order, order_of
from gangland_web.resources.ladders.paging import FIRST_PAGE, Key, Window
from gangland_web.resources.visibility import NotVisible

SEATS = (2, 3, 4)
"""The table sizes of ladders."""
PAGE = 100
"""Rows of a page."""
PROVISIONAL_MATCHES = 24
"""A rating of fewer matches is provisional: after ten, mu - 3 sigma is still far below where the bot belongs."""


class LadderRow(NamedTuple):
    """One line of a leaderboard; `owner` is None for a house bot, `rating` is mu - 3 sigma.

    Attributes:
        settled: its range overlaps with neither neighbour's.
        tied_first, tied_last: the best and the worst rank of the bots that it is tied with, None without any
            (`order.brackets`).
        last_match: the last match in its rating, None before the first, as is what follows.
        places_moved, points_moved: how many ranks it rose by that match, of its first match 0, and its rating.
        first_match: whether that was its first.
        former_rank, former_rating: at the end of the last season, if it had a rating then; without a season before, the
            rating when this one began.
    """

    rank: int
    entry: int
    bot_id: int
    bot: str
    version: int
    owner: str | None
    owner_id: int | None
    team_id: int | None
    mu: float
    sigma: float
    rating: float
    games: int
    wins: int
    faults: int
    probation: bool
    settled: bool
    tied_first: int | None
    tied_last: int | None
    last_match: int | None
    last_match_at: float | None
    places_moved: int | None
    points_moved: float | None
    first_match: bool
    former_rank: int | None
    former_rating: float | None


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


def ladder_page(session: Session, ladder: LadderState, window: Window = FIRST_PAGE, *, size: int = PAGE) -> LadderPage:
    """Return a page of a ladder's active entries, best first; equal ratings share a rank.

    Near either end a page has fewer rows: what stands beyond the key and no more.

    Args:
        ladder: as the same session has read it.
    """
    order = order_of(session, ladder.id, ladder.revision)
    begin, end = order.span(window, size)
    is_lower, is_upper = begin > 0, end < len(order.keys)
    if begin == end:
        return LadderPage((), window._replace(upwards=True) if is_upper and not window.upwards else None, None)
    rating, entry = order.keys[end if is_upper else end - 1]
    lowest, _ = order.keys[begin - is_lower]
    given = {"ladder": ladder.id, "rating": rating, "entry": entry, "lowest": lowest}
    found = session.connection().execute(_from(is_upper + end - begin + is_lower), given).all()
    ranges = [(row.mu - 2 * row.sigma, row.mu + 2 * row.sigma) for row in found]
    apart = [upper >= lower for (upper, _), (_, lower) in pairwise(ranges)]
    apart = [True] * (not is_upper) + apart + [True] * (not is_lower)
    shown = found[is_upper : is_upper + end - begin]
    return LadderPage(
        tuple([_row(order, row, upper and lower) for row, (upper, lower) in zip(shown, pairwise(apart), strict=True)]),
        Window(Key(*order.keys[end - 1]), upwards=True) if is_upper else None,
        Window(Key(*order.keys[begin])) if is_lower else None,
    )


def ranks_of(session: Session, ladder: LadderState, entries: Sequence[int]) -> dict[int, int]:
    """Return the ranks of those of these entries that stand on a ladder, as the same session has read it."""
    if not entries:
        return {}
    order = order_of(session, ladder.id, ladder.revision)
    chosen = select(col(Entry.id), col(Entry.rating)).where(col(Entry.tournament_id) == ladder.id)
    rows = session.execute(chosen.where(col(Entry.id).in_(entries), col(Entry.active) == true())).all()
    return {entry: order.rank(rating) for entry, rating in rows}


def _row(order: Order, row: Any, settled: bool) -> LadderRow:
    *shown, match, at, mu_before, sigma_before, former_rank, former_rating = row
    rating: float = row.rating
    moved: tuple[int | None, float | None, bool] = None, None, False
    if match is not None:
        before, first = mu_before - 3 * sigma_before, sigma_before == SIGMA  # for a sigma only ever shrinks
        moved = 0 if first else order.passed(before, rating), rating - before, first
    tied = order.brackets.get(row.id, (None, None))
    return LadderRow._make((order.rank(rating), *shown, settled, *tied, match, at, *moved, former_rank, former_rating))


_former = aliased(Entry)
_last = aliased(MatchSeat)
_LAST_MATCH = (
    select(col(_last.match_id))
    .where(col(_last.entry_id) == col(Entry.id), col(_last.mu_after).is_not(None))
    .order_by(col(_last.match_id).desc())
    .limit(literal_column("1"))
    .correlate(Entry)
    .scalar_subquery()
)
_KEY: Any = tuple_(bindparam("rating", type_=Float), bindparam("entry", type_=Integer))


@cache
def _from(count: int) -> Any:
    """Select all that is shown of so many entries, the first of which has a key: off the index `ix_entries_board`.

    Where the last of them stands and how many they are is said as well: a plan that is made ahead has to know how
    little is wanted, or PostgreSQL makes a new one each time, which takes half as long as reading.
    """
    return (
        select(
            *(col(Entry.id), col(Bot.id), col(Bot.name), col(Version.number), owner_shown()),
            *(col(Bot.owner_id), col(Bot.team_id)),
            *(col(column) for column in (Entry.mu, Entry.sigma, Entry.rating)),
            *(col(column) for column in (Entry.games, Entry.wins, Entry.faults, Entry.probation)),
            *(col(column) for column in (MatchSeat.match_id, Match.done_at)),
            *(col(column) for column in (MatchSeat.mu_before, MatchSeat.sigma_before)),
            col(SeasonPlace.rank),
            func.coalesce(col(SeasonPlace.rating), case((col(_former.sigma) < SIGMA, col(_former.rating)))),
        )
        .select_from(Entry)
        .outerjoin(_former, col(_former.id) == col(Entry.former_id))
        .outerjoin(SeasonPlace, col(SeasonPlace.entry_id) == col(Entry.former_id))
        .join(Version, col(Version.id) == Entry.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .outerjoin(MatchSeat, (col(MatchSeat.entry_id) == col(Entry.id)) & (col(MatchSeat.match_id) == _LAST_MATCH))
        .outerjoin(Match, col(Match.id) == MatchSeat.match_id)
        .where(col(Entry.tournament_id) == bindparam("ladder", type_=Integer), col(Entry.active) == true())
        .where(tuple_(col(Entry.rating), col(Entry.id)) <= _KEY)
        .where(col(Entry.rating).between(bindparam("lowest", type_=Float), bindparam("rating", type_=Float)))
        .order_by(col(Entry.rating).desc(), col(Entry.id).desc())
        .limit(literal_column(str(count)))
    )


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
