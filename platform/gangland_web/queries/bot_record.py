"""The ladder record of a bot: ratings over its life, opponents, matches and games, each bounded."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from sqlalchemy import Float, Integer, TextualSelect, bindparam, case, cast, column, select, text
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func

from gangland_web.base.charts import Rated
from gangland_web.models.bots import Bot, Version, owner_shown
from gangland_web.models.columns import literal_number
from gangland_web.models.matches import Match, MatchSeat, PlayedGame
from gangland_web.models.tournaments import Entry

# The ladder record: bounded, and off an index.
#
# A version's matches at one table size are those of one entry, and `(entry_id, match_id)` is an index: the latest are
# read from its end, and a history is read at points spread over it.


POINTS = 160
"""A history has at most this many matches, over all versions."""
HISTORY_VERSIONS = 8
FEW = 2 * POINTS
"""Up to this many matches are all read, not looked up one by one."""
MET = 1_000
"""Rivals are those of at most this many of a version's latest matches."""
DRAWN = 200
"""At most this many of the latest matches are drawn one by one."""
GAMES = 1_200
"""Places by seat are those of about this many of its latest games."""
_PROBE = ("entry", "since")
_POINT = (
    *(column("entry_id", Integer), column("mu_after", Float), column("sigma_after", Float)),
    *(column("match_id", Integer), column("done_at", Float)),
)
_FROM_EACH = """
SELECT seat.entry_id, seat.mu_after, seat.sigma_after, seat.match_id, matches.done_at
FROM probes
JOIN match_seats AS seat ON seat.entry_id = probes.entry AND seat.match_id = (
    SELECT first.match_id FROM match_seats AS first
    WHERE first.entry_id = probes.entry AND first.match_id >= probes.since AND first.mu_after IS NOT NULL
    ORDER BY first.match_id LIMIT 1
)
JOIN matches ON matches.id = seat.match_id
"""


class Rival(NamedTuple):
    """What a version's matches against one other bot came to.

    Attributes:
        won, shared, lost: of games at two seats, of matches at more: which of both was ahead there.
        mean_place, their_mean_place: over those matches.
        faulty_matches: in which it failed; `their_faulty_matches` those in which the other did.
    """

    bot_id: int
    bot: str
    owner: str | None
    matches: int
    won: int
    shared: int
    lost: int
    mean_place: float
    their_mean_place: float
    faulty_matches: int
    their_faulty_matches: int


class Played(NamedTuple):
    """One match of a version that is over."""

    match: int
    at: float
    luck: float
    place: float
    faults: int
    think: Mapping[str, int] | None


class EntryGame(NamedTuple):
    """One game of a version: its seat from 0, all places and luck by seat, and whether it failed there."""

    match: int
    block: int
    rotation: int
    seat: int
    places: tuple[int, ...]
    luck: tuple[float, ...]
    failed: bool


def history_of(db: Session, versions: Mapping[int, int], matches: int) -> list[Rated]:
    """Return ratings after matches spread over the whole life of a bot's latest versions, in the order of matches.

    Args:
        versions: the number of the version behind each entry, at one table size.
        matches: about how many those have played: where they are few, all are read rather than looked up one by one.
    """
    latest = _newest(versions)
    return _history(_near_points(_lives(db, latest)) if matches <= FEW else _far_points(db, latest), versions)


def life_of(db: Session, versions: Mapping[int, int], matches: int, entry: int) -> tuple[list[Rated], list[Played]]:
    """Return what `history_of` does of some versions and what `played_of` does of one of them, read together."""
    latest = _newest(versions)
    if matches > FEW or entry not in latest:
        return history_of(db, versions, matches), played_of(db, entry)
    lives = _lives(db, latest)
    played = [row for row in lives if row.entry_id == entry][-DRAWN:]
    return _history(_near_points(lives), versions), [_played(row) for row in played]


def _newest(versions: Mapping[int, int]) -> list[int]:
    return sorted(versions, key=lambda entry: -versions[entry])[:HISTORY_VERSIONS]


def _history(points: Iterable[Any], versions: Mapping[int, int]) -> list[Rated]:
    """Return points that were read, a match of a version once, in the order of matches."""
    ratings = {
        Rated(row.done_at, versions[row.entry_id], row.match_id, row.mu_after, row.sigma_after) for row in points
    }
    return sorted(ratings, key=attrgetter("match", "version"))


def _lives(db: Session, entries: Sequence[int]) -> Sequence[Any]:
    """Return all matches of some entries that are over."""
    return db.connection().execute(_LIVES, {"entries": list(entries)}).all()


def _near_points(lives: Iterable[Any]) -> list[Any]:
    """Return the first rated match from each probe on, out of all."""
    rated = (row for row in lives if row.mu_after is not None)
    of = {entry: list(those) for entry, those in groupby(rated, key=attrgetter("entry_id"))}
    ends = [(entry, those[0].match_id, those[-1].match_id) for entry, those in of.items()]
    matches = {entry: [row.match_id for row in those] for entry, those in of.items()}
    return [of[entry][bisect_left(matches[entry], since)] for entry, since in _probes(ends)]


def _far_points(db: Session, entries: Sequence[int]) -> list[Any]:
    """Return the first rated match from each probe on, each read by itself."""
    rows: Any = db.connection().execute(_ENDS, {"entries": list(entries)})
    probes = _probes([(entry, first, last) for entry, first, last in rows if first is not None])
    if not probes:
        return []
    parameters = {
        f"{name}{at}": value for at, probe in enumerate(probes) for name, value in zip(_PROBE, probe, strict=True)
    }
    return list(db.connection().execute(_at(len(probes)), parameters).all())


def _probes(ends: Sequence[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """Return (entry, match) from which on to look for a match: evenly spread, both ends included."""
    each = max(2, POINTS // max(1, len(ends)))
    probes = []
    for entry, first, last in ends:
        wanted = {first + (last - first) * number // (each - 1) for number in range(each)}
        probes += [(entry, match) for match in sorted(wanted)]
    return probes


@lru_cache(maxsize=POINTS)
def _at(count: int) -> TextualSelect:
    """Select the first rated match from each of `count` probes on: (entry0, since0) and so on.

    As text, which is compiled once for each count: SQLAlchemy keeps no statement with a list of values, and compiling
    this one took longer than all else that a bot's page asks.
    """
    probes = ", ".join(f"(:entry{number}, :since{number})" for number in range(count))
    return text(f"WITH probes (entry, since) AS (VALUES {probes}) {_FROM_EACH}").columns(*_POINT)


def rivals_of(
    db: Session, entry: int, seats: int, games_a_match: int, most: int | None = None
) -> tuple[list[Rival], int]:
    """Return whom an entry has met in its latest matches, most met first, and how many those are in all.

    Args:
        games_a_match: blocks times seats.
        most: how many of them are returned at most.
    """
    given = {"entry": entry, "latest": MET, "most": MET * seats if most is None else most}
    rows: Any = db.connection().execute(_RIVALS, given).all()
    rivals = [_rival(row, seats, games_a_match) for row in rows]
    return sorted(rivals, key=lambda rival: (-rival.matches, rival.bot_id)), rows[0].total if rows else 0


def _rival(row: Any, seats: int, games_a_match: int) -> Rival:
    won, shared, lost = row.ahead, row.matches - row.ahead - row.behind, row.behind
    if seats == 2:  # a shared game counts as won for both
        games = row.matches * games_a_match
        won, shared, lost = games - row.their_wins, row.wins + row.their_wins - games, games - row.wins
    return Rival(
        bot_id=row.bot_id,
        bot=row.bot,
        owner=row.owner,
        matches=row.matches,
        won=won,
        shared=shared,
        lost=lost,
        mean_place=row.place / row.matches,
        their_mean_place=row.their_place / row.matches,
        faulty_matches=row.faults,
        their_faulty_matches=row.their_faults,
    )


def played_of(db: Session, entry: int) -> list[Played]:
    """Return an entry's latest matches that are over, in their order."""
    rows = db.connection().execute(_PLAYED, {"entry": entry, "latest": DRAWN}).all()
    return [_played(row) for row in reversed(rows)]


def _played(row: Any) -> Played:
    return Played(row.match_id, row.done_at, row.luck, row.place, row.faults, row.think)


def games_of_entry(db: Session, entry: int, matches: int) -> list[EntryGame]:
    """Return the games of at most `matches` latest matches of an entry, by match, block and rotation."""
    rows: Any = db.connection().execute(_GAMES, {"entry": entry, "latest": matches})
    games = []
    for row in rows:
        seat = row.seating.index(row.position)
        failed = any(fault["seat"] == seat for fault in row.faults)
        places = (tuple(row.places), tuple(row.luck))
        games.append(EntryGame(row.match_id, row.block, row.rotation, seat, *places, failed))
    return games


_entry = bindparam("entry", type_=Integer)
_many: Any = bindparam("entries", expanding=True)
_latest = literal_number("latest")
_PLAYED_THERE = col(MatchSeat.mean_place_num).is_not(None)
"""The match is over, in the ratings or not: an entry's games are counted by the same rule."""


def _end(order: Any) -> Any:
    """Select the first or last rated match of an entry."""
    seat = aliased(MatchSeat)
    query = select(col(seat.match_id)).where(col(seat.entry_id) == col(Entry.id), col(seat.mu_after).is_not(None))
    return query.order_by(order(col(seat.match_id))).limit(1).correlate(Entry).scalar_subquery()


LAST_MATCH: Any = _end(lambda key: key.desc())
"""The last rated match of an entry."""
_ENDS: Any = select(col(Entry.id), _end(lambda key: key.asc()).label("first"), LAST_MATCH.label("last")).where(
    col(Entry.id).in_(_many)
)


def _place(seat: Any) -> Any:
    return cast(col(seat.mean_place_num), Float) / cast(col(seat.mean_place_den), Float)


_mine = (
    select(
        *(col(column) for column in (MatchSeat.match_id, MatchSeat.position, MatchSeat.entry_id)),
        *(col(column) for column in (MatchSeat.mean_place_num, MatchSeat.mean_place_den)),
        *(col(column) for column in (MatchSeat.luck, MatchSeat.wins, MatchSeat.faults, MatchSeat.think)),
    )
    .where(col(MatchSeat.entry_id) == _entry, _PLAYED_THERE)
    .order_by(col(MatchSeat.match_id).desc())
    .limit(_latest)
    .subquery("mine")
)
_them = aliased(MatchSeat)
_my_place = cast(_mine.c.mean_place_num, Float) / cast(_mine.c.mean_place_den, Float)
_mine_first = _mine.c.mean_place_num * col(_them.mean_place_den) - col(_them.mean_place_num) * _mine.c.mean_place_den


def _times(condition: Any) -> Any:
    return func.sum(case((condition, 1), else_=0))


_met = (
    select(
        col(Version.bot_id),
        func.count().label("matches"),
        _times(_mine_first < 0).label("ahead"),
        _times(_mine_first > 0).label("behind"),
        func.sum(_my_place).label("place"),
        func.sum(_place(_them)).label("their_place"),
        func.sum(_mine.c.wins).label("wins"),
        func.sum(col(_them.wins)).label("their_wins"),
        _times(_mine.c.faults > 0).label("faults"),
        _times(col(_them.faults) > 0).label("their_faults"),
        func.count().over().label("total"),
    )
    .select_from(_mine)
    .join(_them, (col(_them.match_id) == _mine.c.match_id) & (col(_them.position) != _mine.c.position))
    .join(Entry, col(Entry.id) == col(_them.entry_id))
    .join(Version, col(Version.id) == Entry.version_id)
    .group_by(col(Version.bot_id))
    .order_by(func.count().desc(), col(Version.bot_id))
    .limit(literal_number("most"))
    .subquery("met")
)
_RIVALS: Any = select(_met, col(Bot.name).label("bot"), owner_shown().label("owner")).join(
    Bot, col(Bot.id) == _met.c.bot_id
)
_PLAYED: Any = (
    select(_mine.c.match_id, col(Match.done_at), _mine.c.luck, _my_place.label("place"), _mine.c.faults, _mine.c.think)
    .select_from(_mine)
    .join(Match, col(Match.id) == _mine.c.match_id)
    .order_by(_mine.c.match_id.desc())
)
_RATED = (col(MatchSeat.entry_id), col(MatchSeat.mu_after), col(MatchSeat.sigma_after))
_LIVES: Any = (
    select(
        *_RATED,
        *(col(MatchSeat.match_id), col(Match.done_at), col(MatchSeat.luck)),
        *(_place(MatchSeat).label("place"), col(MatchSeat.faults), col(MatchSeat.think)),
    )
    .select_from(MatchSeat)
    .join(Match, col(Match.id) == MatchSeat.match_id)
    .where(col(MatchSeat.entry_id).in_(_many), _PLAYED_THERE)
    .order_by(col(MatchSeat.entry_id), col(MatchSeat.match_id))
)
_GAMES: Any = (
    select(
        *(_mine.c.match_id, _mine.c.position),
        *(col(column) for column in (PlayedGame.block, PlayedGame.rotation, PlayedGame.seating, PlayedGame.places)),
        *(col(column) for column in (PlayedGame.luck, PlayedGame.faults)),
    )
    .select_from(_mine)
    .join(PlayedGame, col(PlayedGame.match_id) == _mine.c.match_id)
    .order_by(_mine.c.match_id, col(PlayedGame.block), col(PlayedGame.rotation))
)
