"""Lists of ladder matches: off an index, however many matches there are.

What has pages begins with the highest number.  A page goes on below a key, the number or id of the last match of the
page before it, so it costs the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from sqlalchemy import Integer, bindparam, literal_column, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func

from gangland_web.models.bots import Bot, Version
from gangland_web.models.matches import Match, MatchSeat, MatchState, Purpose
from gangland_web.models.tournaments import ChannelItem, Entry, Tournament
from gangland_web.resources.tables import Column, Kind, TableData
from gangland_web.services.matches import SIZE
from gangland_web.services.retention import Trimmed

PAGE = 50
"""Matches of a page."""
LATEST = 2**31 - 1
"""The key above every match."""
MATCHES: Final = (
    Column("number", "Number", Kind.WHOLE),
    Column("match", "Match", Kind.WHOLE, of="id"),
    Column("game", "Game"),
    Column("seats", "Seats", Kind.WHOLE),
    Column("state", "State"),
    Column("over_at", "Over", Kind.MOMENT, of="done_at"),
    Column("position", "Position", Kind.INDEX),
    Column("bot_id", "Number", Kind.WHOLE),
    Column("bot", "Bot"),
    Column("mean_place", "Mean place", Kind.NUMBER),
)
"""A row for each match and bot, the best of a match first."""


class ListedSeat(NamedTuple):
    """A bot at a listed match; `mu` and `sigma` are its rating before it, None where it had none."""

    position: int
    bot_id: int
    bot: str
    mean_place: float
    mu: float | None
    sigma: float | None


class ListedMatch(NamedTuple):
    """One line of a list of matches; `bots` are the seats, best first."""

    id: int
    number: int
    game: str
    seats: int
    state: str
    done_at: float | None
    bots: tuple[ListedSeat, ...]


@dataclass(frozen=True, slots=True)
class MatchList:
    """A page of matches, and the key of the next one; None where there is no more."""

    rows: tuple[ListedMatch, ...]
    older: int | None


def latest_matches(db: Session, limit: int) -> tuple[ListedMatch, ...]:
    """Return the matches of all ladders that were over last, the latest first."""
    return _listed(db, db.connection().execute(_LATEST, {"limit": limit}).all())


def matches_of_ladder(db: Session, ladder_id: int, limit: int, *, before: int = LATEST) -> MatchList:
    """Return finished matches of a ladder with numbers below `before`."""
    given = {"ladder": ladder_id, "before": before, "limit": limit + 1}
    found = db.connection().execute(_OF_LADDER, given).all()
    return MatchList(_listed(db, found[:limit]), found[limit - 1].number if len(found) > limit else None)


def matches_of_tournament(db: Session, tournament_id: int, limit: int) -> tuple[ListedMatch, ...]:
    """Return the matches of a tournament that were finished last, the latest first."""
    return _listed(db, db.connection().execute(_OF_TOURNAMENT, {"ladder": tournament_id, "limit": limit}).all())


def unshown_matches(db: Session, tournament_id: int, channel: str, limit: int) -> tuple[ListedMatch, ...]:
    """Return finished matches of a tournament or ladder that a channel has not shown, the latest in the rating order.

    Their replays are kept.
    """
    given = {"ladder": tournament_id, "channel": channel, "limit": limit}
    return _listed(db, db.connection().execute(_UNSHOWN, given).all())


def matches_of_entries(db: Session, entries: Sequence[int], limit: int, *, before: int = LATEST) -> MatchList:
    """Return finished matches of a bot's entries with ids below `before`.

    A match that was played and is void now is left out, so a page may have fewer rows than there is room for.
    """
    given = {"entries": list(entries), "before": before, "limit": limit + 1, "last": limit}
    found = db.connection().execute(_OF_ENTRIES, given).all()
    rows = [row for row in found[:limit] if row.state == MatchState.DONE]
    return MatchList(_listed(db, rows), found[limit - 1].id if len(found) > limit else None)


def matches_table(
    found: Sequence[ListedMatch], beyond: str | None = None, caption: str = "Highest number first"
) -> TableData:
    """Return a list of matches as a table with a row for each bot in each; `beyond` is the address of earlier ones."""
    rows = [{**match._asdict(), **seat._asdict()} for match in found for seat in match.bots]
    return TableData("match-list", caption, MATCHES, rows, paged=True, next=beyond)


def _listed(db: Session, matches: Sequence[Any]) -> tuple[ListedMatch, ...]:
    seats = _seats(db, [match.id for match in matches])
    return tuple(
        ListedMatch(match.id, match.number, match.game, match.seats, match.state, match.done_at, seats[match.id])
        for match in matches
    )


def _seats(db: Session, match_ids: Iterable[int]) -> dict[int, tuple[ListedSeat, ...]]:
    found: dict[int, list[tuple[float, int, ListedSeat]]] = {match_id: [] for match_id in match_ids}
    rows: Any = db.connection().execute(_SEATS, {"matches": list(found)})
    for match, position, count, of, bot_id, bot, mu, sigma in rows:
        place = count / of if of else 0.0
        found[match].append((place, position, ListedSeat(position, bot_id, bot, place, mu, sigma)))
    return {match: tuple(seat for _, _, seat in sorted(seats)) for match, seats in found.items()}


def _number(name: str) -> Any:
    """A parameter that stands in the statement as a number, so that a plan made ahead knows how little is wanted."""
    return bindparam(name, type_=Integer, literal_execute=True)


_DONE: Any = literal_column(f"'{MatchState.DONE}'")
_LISTED = (col(Match.id), col(Match.number), col(Match.state), col(Match.done_at))
_OF_WHAT = (col(Tournament.game), SIZE[0])
_ALL = select(*_LISTED, *_OF_WHAT).join_from(Match, Tournament, col(Tournament.id) == Match.tournament_id)
_LATEST = (
    _ALL.where(col(Match.state) == _DONE, col(Match.purpose) == literal_column(f"'{Purpose.LADDER}'"))
    .order_by(col(Match.done_at).desc(), col(Match.id).desc())
    .limit(_number("limit"))
)
_before = bindparam("before", type_=Integer)
_OF_LADDER = (
    _ALL.where(col(Match.tournament_id) == bindparam("ladder", type_=Integer), col(Match.state) == _DONE)
    .where(col(Match.number) < _before)
    .order_by(col(Match.number).desc())
    .limit(_number("limit"))
)
_OF_TOURNAMENT = (
    _ALL.where(col(Match.tournament_id) == bindparam("ladder", type_=Integer), col(Match.state) == _DONE)
    .order_by(col(Match.done_at).desc(), col(Match.id).desc())
    .limit(_number("limit"))
)
_UNSHOWN = (
    _ALL.where(col(Match.tournament_id) == bindparam("ladder", type_=Integer), col(Match.state) == _DONE)
    .where(col(Match.rating_order).is_not(None), col(Match.trimmed) < literal_column(str(int(Trimmed.REPLAYS))))
    .where(
        ~select(col(ChannelItem.id))
        .where(col(ChannelItem.match_id) == col(Match.id), col(ChannelItem.channel) == bindparam("channel"))
        .exists()
    )
    .order_by(col(Match.rating_order).desc())
    .limit(_number("limit"))
)
_nth = aliased(MatchSeat)
_lowest = (
    select(col(_nth.match_id))
    .where(col(_nth.entry_id) == col(Entry.id), col(_nth.match_id) < _before, col(_nth.mean_place_num).is_not(None))
    .order_by(col(_nth.match_id).desc())
    .limit(1)
    .offset(_number("last"))
    .correlate(Entry)
    .scalar_subquery()
)
_entries: Any = bindparam("entries", expanding=True)
_OF_ENTRIES = (
    select(*_LISTED, *_OF_WHAT)
    .select_from(Entry)
    .join(MatchSeat, (col(MatchSeat.entry_id) == Entry.id) & (col(MatchSeat.match_id) >= func.coalesce(_lowest, 0)))
    .join(Match, col(Match.id) == MatchSeat.match_id)
    .join(Tournament, col(Tournament.id) == Match.tournament_id)
    .where(col(Entry.id).in_(_entries), col(MatchSeat.match_id) < _before, col(MatchSeat.mean_place_num).is_not(None))
    .order_by(col(MatchSeat.match_id).desc())
    .limit(_number("limit"))
)
"""Of each entry the latest matches alone, found by their index; then the latest of those.

It says nothing of the matches' state: SQLite would begin with all that are done.
"""
_SEATS = (
    select(
        col(MatchSeat.match_id),
        col(MatchSeat.position),
        col(MatchSeat.mean_place_num),
        col(MatchSeat.mean_place_den),
        col(Bot.id),
        col(Bot.name),
        col(MatchSeat.mu_before),
        col(MatchSeat.sigma_before),
    )
    .join(Entry, col(Entry.id) == MatchSeat.entry_id)
    .join(Version, col(Version.id) == Entry.version_id)
    .join(Bot, col(Bot.id) == Version.bot_id)
    .where(col(MatchSeat.match_id).in_(bindparam("matches", expanding=True)))
)
