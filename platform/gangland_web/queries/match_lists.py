"""Lists of finished matches, and the upsets in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final, NamedTuple

from sqlalchemy import Integer, bindparam, literal_column, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func

from gangland_ladder.matches.match_orders import HIGHEST_ID
from gangland_web.models.bots import Bot, Version
from gangland_web.models.columns import literal_number
from gangland_web.models.matches import Match, MatchSeat, MatchState, Purpose
from gangland_web.models.tournaments import ChannelItem, Entry, Tournament
from gangland_web.queries.tables import Column, Kind, TableData, table_of
from gangland_web.services.matches import SIZE
from gangland_web.services.retention import Trimmed

# Lists of finished matches, a page at a time.
#
# A list begins with the highest number. A page goes on below a key, the number or id of the last match of the page
# before it. Each is read off an index, so every page costs the same.


PAGE = 50
"""Matches of a page."""
LATEST = HIGHEST_ID
"""The key above every match."""


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
    state: str | None
    done_at: float | None
    bots: tuple[ListedSeat, ...]


class MatchBotRow(NamedTuple):
    """A bot in a listed match."""

    match: ListedMatch
    position: int
    bot_id: int
    bot: str
    mean_place: float | None


MATCHES: Final = table_of(
    *("match-list", MatchBotRow, "/matches"),
    "The latest finished matches, a row for each bot; also of a ladder or a bot.",
    *(Column("number", "Number", Kind.WHOLE, of="match.number"), Column("match", "Match", Kind.WHOLE, of="match.id")),
    *(Column("game", "Game", of="match.game"), Column("seats", "Seats", Kind.WHOLE, of="match.seats")),
    *(Column("state", "State", of="match.state"), Column("over_at", "Over", Kind.MOMENT, of="match.done_at")),
    *(Column("position", "Position", Kind.INDEX), Column("bot_id", "Number", Kind.WHOLE), Column("bot", "Bot")),
    Column("mean_place", "Mean place", Kind.NUMBER),
    paged=True,
)
"""As files have it: a row for each match and bot, the best of a match first."""
MATCH_LINES: Final = table_of(
    *("match-lines", ListedMatch, "", ""),
    Column("", "Match", cell="match_id", css="nowrap"),
    Column("", "Bots, best first", cell="match_bots", css="wide"),
    *(Column("", "Game", cell="game_seats", css="nowrap"), Column("", "Played", Kind.MOMENT, of="done_at")),
)
"""As pages have it: a row for each match."""


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
    rows = db.connection().execute(_OF_LADDER, given).all()
    return MatchList(_listed(db, rows[:limit]), rows[limit - 1].number if len(rows) > limit else None)


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


def matches_table(matches: Sequence[ListedMatch], beyond: str | None = None) -> TableData:
    """Return a list of matches as files have it; `beyond` is the address of earlier ones."""
    rows = [
        MatchBotRow(match, seat.position, seat.bot_id, seat.bot, seat.mean_place)
        for match in matches
        for seat in match.bots
    ]
    return MATCHES.of(rows, next=beyond)


def _listed(db: Session, matches: Sequence[Any]) -> tuple[ListedMatch, ...]:
    seats = _seats(db, [match.id for match in matches])
    return tuple(
        ListedMatch(match.id, match.number, match.game, match.seats, match.state, match.done_at, seats[match.id])
        for match in matches
    )


def _seats(db: Session, match_ids: Iterable[int]) -> dict[int, tuple[ListedSeat, ...]]:
    seats_by_match: dict[int, list[ListedSeat]] = {match_id: [] for match_id in match_ids}
    rows: Any = db.connection().execute(_SEATS, {"matches": list(seats_by_match)})
    for row in rows:
        place = row.mean_place_num / row.mean_place_den if row.mean_place_den else 0.0
        seat = ListedSeat(row.position, row.bot_id, row.bot, place, row.mu_before, row.sigma_before)
        seats_by_match[row.match_id].append(seat)
    return {match: tuple(sorted(seats, key=_PLACE)) for match, seats in seats_by_match.items()}


_PLACE: Final = attrgetter("mean_place", "position")
_DONE: Any = literal_column(f"'{MatchState.DONE}'")
_LISTED = (col(Match.id), col(Match.number), col(Match.state), col(Match.done_at))
_OF_WHAT = (col(Tournament.game), SIZE[0])
_ALL = select(*_LISTED, *_OF_WHAT).join_from(Match, Tournament, col(Tournament.id) == Match.tournament_id)
_LATEST = (
    _ALL.where(col(Match.state) == _DONE, col(Match.purpose) == literal_column(f"'{Purpose.LADDER}'"))
    .order_by(col(Match.done_at).desc(), col(Match.id).desc())
    .limit(literal_number("limit"))
)
_FINISHED = _ALL.where(col(Match.tournament_id) == bindparam("ladder", type_=Integer), col(Match.state) == _DONE)
_before = bindparam("before", type_=Integer)
_OF_LADDER = (
    _FINISHED.where(col(Match.number) < _before).order_by(col(Match.number).desc()).limit(literal_number("limit"))
)
_OF_TOURNAMENT = _FINISHED.order_by(col(Match.done_at).desc(), col(Match.id).desc()).limit(literal_number("limit"))
_UNSHOWN = (
    _FINISHED.where(
        col(Match.rating_order).is_not(None), col(Match.trimmed) < literal_column(str(int(Trimmed.REPLAYS)))
    )
    .where(
        ~select(col(ChannelItem.id))
        .where(col(ChannelItem.match_id) == col(Match.id), col(ChannelItem.channel) == bindparam("channel"))
        .exists()
    )
    .order_by(col(Match.rating_order).desc())
    .limit(literal_number("limit"))
)
_nth = aliased(MatchSeat)
_lowest = (
    select(col(_nth.match_id))
    .where(col(_nth.entry_id) == col(Entry.id), col(_nth.match_id) < _before, col(_nth.mean_place_num).is_not(None))
    .order_by(col(_nth.match_id).desc())
    .limit(1)
    .offset(literal_number("last"))
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
    .limit(literal_number("limit"))
)
"""Only the latest matches of each entry, found by their index; then the latest of those.

It says nothing of the matches' state: SQLite would begin with all that are done.
"""
_SEATS: Any = (
    select(
        *(col(MatchSeat.match_id), col(MatchSeat.position), col(MatchSeat.mean_place_num)),
        *(col(MatchSeat.mean_place_den), col(MatchSeat.mu_before), col(MatchSeat.sigma_before)),
        *(col(Bot.id).label("bot_id"), col(Bot.name).label("bot")),
    )
    .join(Entry, col(Entry.id) == MatchSeat.entry_id)
    .join(Version, col(Version.id) == Entry.version_id)
    .join(Bot, col(Bot.id) == Version.bot_id)
    .where(col(MatchSeat.match_id).in_(bindparam("matches", expanding=True)))
)


# Upsets: who finished ahead of a bot that was rated clearly higher before the match.


UPSETS = 4


@dataclass(frozen=True, slots=True)
class Upset:
    """Who finished ahead of whom in a match, though rated clearly lower before it."""

    match: ListedMatch
    winner: ListedSeat
    loser: ListedSeat
    gap: float


def upsets(matches: Iterable[ListedMatch], most: int = UPSETS) -> list[Upset]:
    """Return the upset of each match that had one (`upset_of`), the widest apart first."""
    all_upsets = [upset for match in matches if (upset := upset_of(match)) is not None]
    return sorted(all_upsets, key=lambda upset: (-upset.gap, -upset.match.id))[:most]


def upset_of(match: ListedMatch) -> Upset | None:
    """Return where a bot finished ahead of one whose rating, less its sigma, was above its own, plus its own.

    Of several the widest apart; None if there is none, or ratings are not known.
    """
    best: Upset | None = None
    for at, winner in enumerate(match.bots):
        for loser in match.bots[at + 1 :]:
            if winner.mean_place == loser.mean_place or None in (winner.mu, winner.sigma, loser.mu, loser.sigma):
                continue
            gap = (loser.mu or 0) - (winner.mu or 0)
            if gap > (loser.sigma or 0) + (winner.sigma or 0) and (best is None or gap > best.gap):
                best = Upset(match, winner, loser, gap)
    return best
