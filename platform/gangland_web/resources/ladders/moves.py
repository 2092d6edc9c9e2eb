"""What a ladder's page says of each bot besides its rating: its last match, and what that did to its rank.

A rank is compared with the one that the bot would have now had that match not counted for it: so many stand between
its rating before and its rating now.  Nothing is kept for this, and nothing but the page's own rows is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Integer, bindparam, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func

from gangland_ladder.rating.trueskill import SIGMA
from gangland_web.resources.ladders.paging import Key, Window
from gangland_web.store.models.bots import Bot, Version
from gangland_web.store.models.matches import Match, MatchSeat
from gangland_web.store.models.tournaments import Entry
from gangland_web.store.owners import Party


class Move(NamedTuple):
    """What an entry's last rated match did.

    Attributes:
        at: when it was over.
        places: how many it rose by it, below 0 if it fell; of a first match, 0.
        points: by how much its rating, mu - 3 sigma, changed.
        first: whether it was the first that counted.
    """

    match: int
    at: float
    places: int
    points: float
    first: bool


class Mine(NamedTuple):
    """A visitor's bot on a ladder, its rank, and the window that begins with it."""

    bot_id: int
    bot: str
    rank: int
    window: Window


def moves_of(db: Session, entries: Sequence[int]) -> dict[int, Move]:
    """Return the last rated match of each entry that has one, in one statement."""
    found = {}
    rows: Any = db.connection().execute(_MOVES, {"entries": list(entries)})
    for entry, match, at, mu, sigma, rating, passed, passed_by in rows:
        first = sigma == SIGMA  # a sigma only ever shrinks
        found[entry] = Move(match, at, 0 if first else passed - passed_by, rating - (mu - 3 * sigma), first)
    return found


def mine_on(db: Session, ladder_id: int, game: str, party: Party) -> list[Mine]:
    """Return where the bots stand on a ladder that a person may act for."""
    chosen = _MINE.where(party.theirs())
    found: Any = db.connection().execute(chosen, {"ladder": ladder_id, "game": game})
    return [
        Mine(bot_id, bot, better + 1, Window(Key(rating, entry + 1))) for bot_id, bot, entry, rating, better in found
    ]


_last, _other = aliased(MatchSeat), aliased(Entry)
_LAST = (
    select(col(_last.match_id))
    .where(col(_last.entry_id) == col(Entry.id), col(_last.mu_after).is_not(None))
    .order_by(col(_last.match_id).desc())
    .limit(1)
    .correlate(Entry)
    .scalar_subquery()
)
_BEFORE = col(MatchSeat.mu_before) - 3 * col(MatchSeat.sigma_before)


def _between(low: Any, high: Any) -> Any:
    """Count those on the ladder whose ratings lie between two, read off the index."""
    there = col(_other.tournament_id) == col(Entry.tournament_id), col(_other.active).is_(True)
    chosen = select(func.count()).select_from(_other).where(*there, col(_other.rating) > low, col(_other.rating) < high)
    return chosen.correlate(Entry, MatchSeat).scalar_subquery()


_MOVES: Any = (
    select(
        col(Entry.id),
        col(MatchSeat.match_id),
        col(Match.done_at),
        col(MatchSeat.mu_before),
        col(MatchSeat.sigma_before),
        col(Entry.rating),
        _between(_BEFORE, col(Entry.rating)),
        _between(col(Entry.rating), _BEFORE),
    )
    .select_from(Entry)
    .join(MatchSeat, (col(MatchSeat.match_id) == _LAST) & (col(MatchSeat.entry_id) == col(Entry.id)))
    .join(Match, col(Match.id) == MatchSeat.match_id)
    .where(col(Entry.id).in_(bindparam("entries", expanding=True)))
)
_MINE: Any = (
    select(
        *(col(column) for column in (Bot.id, Bot.name, Entry.id, Entry.rating)),
        select(func.count())
        .select_from(_other)
        .where(col(_other.tournament_id) == col(Entry.tournament_id), col(_other.active).is_(True))
        .where(col(_other.rating) > col(Entry.rating))
        .correlate(Entry)
        .scalar_subquery(),
    )
    .select_from(Bot)
    .join(Version, col(Version.id) == Bot.active_version_id)
    .join(Entry, col(Entry.version_id) == Version.id)
    .where(col(Bot.game) == bindparam("game"))
    .where(col(Entry.tournament_id) == bindparam("ladder", type_=Integer), col(Entry.active).is_(True))
    .order_by(col(Entry.rating).desc())
)
