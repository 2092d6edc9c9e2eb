"""Read the figures of a bot at one table size, as tables and charts."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final, NamedTuple

from sqlalchemy import Float, Integer, TextualSelect, bindparam, case, cast, column, select, text
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func

from gangland.games import game_named
from gangland_ladder.common.texts import counted
from gangland_ladder.matches.match_jobs import limit_s, quantile_limit_s
from gangland_web.base import charts
from gangland_web.models.bots import Bot, Version, shown_owner
from gangland_web.models.columns import literal_number, row_id
from gangland_web.models.matches import Match, MatchSeat, PlayedGame
from gangland_web.models.tournaments import Entry
from gangland_web.queries.bots import RatingRow, games_by_size
from gangland_web.queries.tables import Column, Kind, Lead, TableData, file_urls, lead, several, share_of, table_of

# A bot's ladder matches and games, of which a limited number is read from an index.
#
# A version's matches at one table size are those of one entry, and `(entry_id, match_id)` is indexed: the latest
# matches are read from the end of the index, and a history is read at points spread over it.

HISTORY_POINTS = 160  # the maximum number of matches in a history, over all versions
HISTORY_VERSIONS = 8
RIVAL_MATCHES = 1_000  # the maximum number of a version's latest matches in which rivals are counted
DRAWN_MATCHES = 200  # the maximum number of matches drawn as individual points
SEAT_GAMES = 1_200  # places by seat are counted over about this many of the latest games
_PROBE_COLUMNS = ("entry", "since")
_POINT_COLUMNS = (
    *(column("entry_id", Integer), column("mu_after", Float), column("sigma_after", Float)),
    *(column("match_id", Integer), column("done_at", Float)),
)
_FIRST_RATED = """
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
    """The results of a version's matches against one other bot."""

    bot_id: int
    bot: str
    owner: str | None
    matches: int
    won: int  # games at tables of two; at larger tables, matches
    shared: int
    lost: int
    mean_place: float
    their_mean_place: float
    faulty_matches: int
    their_faulty_matches: int


class PlayedMatch(NamedTuple):
    """A finished match of a version."""

    match: int
    at: float
    luck: float
    place: float
    faults: int
    think: Mapping[str, int] | None


class EntryGame(NamedTuple):
    """A game of a version."""

    match: int
    seat: int  # the version's seat, from 0
    place: int


def history_of(db: Session, versions: Mapping[int, int]) -> list[charts.RatingPoint]:
    """Return ratings after matches spread over the life of a bot's latest versions; `versions`: numbers by entry."""
    latest = sorted(versions, key=lambda entry: -versions[entry])[:HISTORY_VERSIONS]
    rows: Any = db.connection().execute(_ENDS, {"entries": latest})
    probes = _probes([(entry, first, last) for entry, first, last in rows if first is not None])
    if not probes:
        return []
    parameters = {
        f"{name}{number}": value
        for number, probe in enumerate(probes)
        for name, value in zip(_PROBE_COLUMNS, probe, strict=True)
    }
    ratings = {
        charts.RatingPoint(row.done_at, versions[row.entry_id], row.match_id, row.mu_after, row.sigma_after)
        for row in db.connection().execute(_first_rated_of(len(probes)), parameters)
    }
    return sorted(ratings, key=attrgetter("match", "version"))


def _probes(ends: Sequence[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """Return evenly spread (entry, match) pairs, including both ends, where searches for a rated match start."""
    count = max(2, HISTORY_POINTS // max(1, len(ends)))
    probes = []
    for entry, first, last in ends:
        matches = {first + (last - first) * number // (count - 1) for number in range(count)}
        probes += [(entry, match) for match in sorted(matches)]
    return probes


@lru_cache(maxsize=HISTORY_POINTS)
def _first_rated_of(count: int) -> TextualSelect:
    # This is text, compiled once for each count: SQLAlchemy does not cache statements with a list of values, and
    # compiling this statement took longer than all other statements of a bot's page.
    probes = ", ".join(f"(:entry{number}, :since{number})" for number in range(count))
    return text(f"WITH probes (entry, since) AS (VALUES {probes}) {_FIRST_RATED}").columns(*_POINT_COLUMNS)


def rivals_of(
    db: Session, entry: int, seats: int, games_per_match: int, limit: int | None = None
) -> tuple[list[Rival], int]:
    """Return the most frequent opponents in an entry's latest matches, and the total number of opponents in these."""
    parameters = {"entry": entry, "latest": RIVAL_MATCHES, "most": RIVAL_MATCHES * seats if limit is None else limit}
    rows: Any = db.connection().execute(_RIVALS, parameters).all()
    rivals = [_rival(row, seats, games_per_match) for row in rows]
    return sorted(rivals, key=lambda rival: (-rival.matches, rival.bot_id)), rows[0].total if rows else 0


def _rival(row: Any, seats: int, games_per_match: int) -> Rival:
    won, shared, lost = row.ahead, row.matches - row.ahead - row.behind, row.behind
    if seats == 2:  # a shared game counts as won for both bots
        games = row.matches * games_per_match
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


def played_matches(db: Session, entry: int) -> list[PlayedMatch]:
    """Return the latest finished matches of an entry, in order."""
    rows = db.connection().execute(_PLAYED, {"entry": entry, "latest": DRAWN_MATCHES}).all()
    return [PlayedMatch(*row) for row in reversed(rows)]


def games_of_entry(db: Session, entry: int, matches: int) -> list[EntryGame]:
    """Return the games of an entry's latest matches, by match, block and rotation."""
    rows: Any = db.connection().execute(_GAMES, {"entry": entry, "latest": matches})
    seats = ((row, row.seating.index(row.position)) for row in rows)
    return [EntryGame(row.match_id, seat, row.places[seat]) for row, seat in seats]


_entry = bindparam("entry", type_=Integer)
_entries: Any = bindparam("entries", expanding=True)
_latest = literal_number("latest")
# Finished matches, rated or not, as in the count of an entry's games.
_IS_FINISHED = col(MatchSeat.mean_place_num).is_not(None)


def _end(order: Any) -> Any:
    seat = aliased(MatchSeat)
    query = select(col(seat.match_id)).where(col(seat.entry_id) == col(Entry.id), col(seat.mu_after).is_not(None))
    return query.order_by(order(col(seat.match_id))).limit(1).correlate(Entry).scalar_subquery()


LAST_MATCH: Any = _end(lambda key: key.desc())  # the last rated match of an entry
_ENDS: Any = select(col(Entry.id), _end(lambda key: key.asc()).label("first"), LAST_MATCH.label("last")).where(
    col(Entry.id).in_(_entries)
)


def _place(seat: Any) -> Any:
    return cast(col(seat.mean_place_num), Float) / cast(col(seat.mean_place_den), Float)


_own = (
    select(
        *(col(column) for column in (MatchSeat.match_id, MatchSeat.position, MatchSeat.entry_id)),
        *(col(column) for column in (MatchSeat.mean_place_num, MatchSeat.mean_place_den)),
        *(col(column) for column in (MatchSeat.luck, MatchSeat.wins, MatchSeat.faults, MatchSeat.think)),
    )
    .where(col(MatchSeat.entry_id) == _entry, _IS_FINISHED)
    .order_by(col(MatchSeat.match_id).desc())
    .limit(_latest)
    .subquery("mine")
)
_other = aliased(MatchSeat)
_own_place = _place(_own.c)
# Below 0 if the version finished ahead.
_difference = _own.c.mean_place_num * col(_other.mean_place_den) - col(_other.mean_place_num) * _own.c.mean_place_den


def _count_where(condition: Any) -> Any:
    return func.sum(case((condition, 1), else_=0))


_opponents = (
    select(
        col(Version.bot_id),
        func.count().label("matches"),
        _count_where(_difference < 0).label("ahead"),
        _count_where(_difference > 0).label("behind"),
        func.sum(_own_place).label("place"),
        func.sum(_place(_other)).label("their_place"),
        func.sum(_own.c.wins).label("wins"),
        func.sum(col(_other.wins)).label("their_wins"),
        _count_where(_own.c.faults > 0).label("faults"),
        _count_where(col(_other.faults) > 0).label("their_faults"),
        func.count().over().label("total"),
    )
    .select_from(_own)
    .join(_other, (col(_other.match_id) == _own.c.match_id) & (col(_other.position) != _own.c.position))
    .join(Entry, col(Entry.id) == col(_other.entry_id))
    .join(Version, col(Version.id) == Entry.version_id)
    .group_by(col(Version.bot_id))
    .order_by(func.count().desc(), col(Version.bot_id))
    .limit(literal_number("most"))
    .subquery("met")
)
_RIVALS: Any = select(_opponents, col(Bot.name).label("bot"), shown_owner().label("owner")).join(
    Bot, col(Bot.id) == _opponents.c.bot_id
)
_PLAYED: Any = (
    select(_own.c.match_id, col(Match.done_at), _own.c.luck, _own_place.label("place"), _own.c.faults, _own.c.think)
    .select_from(_own)
    .join(Match, col(Match.id) == _own.c.match_id)
    .order_by(_own.c.match_id.desc())
)
_GAMES: Any = (
    select(_own.c.match_id, _own.c.position, col(PlayedGame.seating), col(PlayedGame.places))
    .select_from(_own)
    .join(PlayedGame, col(PlayedGame.match_id) == _own.c.match_id)
    .order_by(_own.c.match_id, col(PlayedGame.block), col(PlayedGame.rotation))
)


# Tables for one table size, each with its files, and the charts made from them.

VERSIONS_SHOWN: Final = 12


class RivalRow(NamedTuple):
    """An opponent, and a version's lead over it."""

    rival: Rival
    games: int
    lead: Lead


class SeatPlaces(NamedTuple):
    """How often a version finished in each place from one seat; None for places beyond the table size."""

    seat: int
    games: int
    mean_place: float | None
    place_1: int
    place_2: int
    place_3: int | None = None
    place_4: int | None = None


class ThinkClass(NamedTuple):
    """The number of decisions in a class of CPU times, at most `most_ms`; see `match_jobs.octave`."""

    most_ms: float
    decisions: int
    share: float


class VersionFaults(NamedTuple):
    """The number of a version's games with a fault of its own."""

    version: int
    games: int
    faults: int

    @property
    def share(self) -> float:
        """The share of its games with a fault."""
        return self.faults / self.games


HISTORY: Final = table_of(
    *("bot-history", charts.RatingPoint, "/bots/N/history"),
    "Ratings after matches spread over the life of each of its latest eight versions. (`?seats=`)",
    *(Column("match", "Match", Kind.WHOLE, "match"), Column("over_at", "Finished", Kind.MOMENT, of="at")),
    Column("version", "Version", Kind.WHOLE),
    *several(Kind.NUMBER, mu="mu", sigma="sigma", rating="Rating"),
    phone=("Match", "Version", "Rating"),
)
RIVALS: Final = table_of(
    *("bot-rivals", RivalRow, "/bots/N/rivals"),
    "The results of its version on the ladder against each opponent of its latest 1,000 matches. (`?seats=`)",
    Column("bot_id", "Number", Kind.WHOLE, quiet=True, of="rival.bot_id"),
    *(
        Column("bot", "Against", cell="rival", of="rival.bot"),
        Column("owner", "Owner", Kind.OWNER, quiet=True, of="rival.owner"),
    ),
    *(Column("matches", "Matches", Kind.WHOLE, quiet=True, of="rival.matches"), Column("games", "Games", Kind.WHOLE)),
    *several(Kind.WHOLE, "rival", won="Won", shared="Shared", lost="Lost"),
    *several(Kind.NUMBER, "rival", mean_place="Mean place", their_mean_place="Theirs"),
    Column("", "Faulty matches", Kind.WHOLE, of="rival.faulty_matches"),
    Column("share", "Share", Kind.SHARE, "rival_share", of="lead.share", css="meter"),
    Column("share_low", "At least", Kind.SHARE, quiet=True, of="lead.low"),
    Column("share_high", "At most", Kind.SHARE, quiet=True, of="lead.high"),
    Column("faulty_matches", "Matches with faults", Kind.WHOLE, quiet=True, of="rival.faulty_matches"),
    Column(
        "their_faulty_matches", "Matches with their faults", Kind.WHOLE, quiet=True, of="rival.their_faulty_matches"
    ),
    Column("confidence", "Certainty", cell="rival_certainty", of="lead.text", css="nowrap"),
    attributes=' class="sure-{{ row.lead.certainty }}"',
    phone=("Against", "Share", "Certainty"),
)
PLACES: Final = table_of(
    *("bot-places", SeatPlaces, "/bots/N/places"),
    "How often it finished in each place in its latest games (about 1,200), by seat. (`?seats=`)",
    *(Column("seat", "Seat", Kind.INDEX), Column("games", "Games", Kind.WHOLE)),
    *(Column(f"place_{number}", word, Kind.WHOLE) for number, word in enumerate(charts.ORDINALS, 1)),
    Column("mean_place", "Mean place", Kind.NUMBER),
    phone=("Seat", "Games", "1st", "Mean place"),
)
LUCK: Final = table_of(
    *("bot-luck", PlayedMatch, "/bots/N/luck", "Its latest 200 matches, a row for each. (`?seats=`)"),
    *(Column("match", "Match", Kind.WHOLE, "match"), Column("over_at", "Finished", Kind.MOMENT, of="at")),
    *(Column("luck", "Luck per game", Kind.SIGNED), Column("mean_place", "Mean place", Kind.NUMBER, of="place")),
    Column("faults", "Faults", Kind.WHOLE),
    phone=("Match", "Luck per game", "Mean place"),
)
THINKING: Final = table_of(
    *("bot-thinking", ThinkClass, "/bots/N/thinking"),
    "Its decisions in its latest 200 matches by CPU time; each limit is twice the previous one. (`?seats=`)",
    *(Column("most_ms", "At most (ms)", Kind.NUMBER, digits=3), Column("decisions", "Decisions", Kind.WHOLE)),
    Column("share", "Share", Kind.SHARE, digits=1),
)
FAULTS: Final = table_of(
    *("bot-faults", VersionFaults, "/bots/N/faults", "The games of each version with a fault. (`?seats=`)"),
    *several(Kind.WHOLE, version="Version", games="Games", faults="Games with a fault"),
    Column("share", "Share", Kind.SHARE),
)
# Figures by their name in the URLs of their files.
SIZE_TABLES: Final = {
    table.name.removeprefix("bot-"): table for table in (HISTORY, RIVALS, PLACES, LUCK, THINKING, FAULTS)
}


@dataclass(frozen=True, slots=True)
class Figure:
    """A table and its chart; None if there is not enough data to draw."""

    table: TableData
    picture: charts.Picture | None = None


@dataclass(frozen=True, slots=True)
class Subject:
    """A bot at one table size."""

    bot: Bot
    seats: int
    blocks: int  # per match
    rows: tuple[RatingRow, ...]  # its versions there, newest first; for each version, the latest season first
    row: RatingRow  # the version on the ladder, else the newest that has played

    @property
    def entry(self) -> int:
        """The entry of `row`."""
        return row_id(self.row.entry.id)

    @property
    def versions(self) -> dict[int, int]:
        """The versions that have played, by entry."""
        return {row_id(row.entry.id): row.version for row in self.rows if row.entry.games}

    @property
    def games_per_match(self) -> int:
        """The number of games in a match."""
        return self.blocks * self.seats

    @property
    def unit(self) -> str:
        """The unit of luck."""
        return game_named(self.bot.game).luck_unit


def subject_of(bot: Bot, ratings: Sequence[RatingRow], seats: int | None) -> Subject | None:
    """Return a bot at a table size, by default the one with the most games; None if it has not played there."""
    sizes = games_by_size(ratings)
    size = seats if seats is not None else max(sizes, key=lambda each: (sizes[each], -each), default=2)
    rows = tuple(row for row in ratings if row.seats == size)
    played = [row for row in rows if row.entry.games]
    if not played:
        return None
    row = next((row for row in rows if row.entry.active and row.entry.games), played[0])
    return Subject(bot, size, row.blocks, rows, row)


def figure(db: Session, subject: Subject, name: str) -> Figure:
    """Return the table and chart of this name."""
    return _FIGURES[name](db, subject)


def _table(subject: Subject, name: str, caption: str, rows: Sequence[Any], **members: Any) -> TableData:
    files = file_urls("bots.size_table", bot_id=subject.bot.id, what=name, seats=subject.seats)
    return SIZE_TABLES[name].of(rows, caption, **files, **members)


def _history_figure(subject: Subject, points: Sequence[charts.RatingPoint]) -> Figure:
    caption = "Ratings after matches spread over its life; mu is strength, sigma its uncertainty"
    picture = charts.rating_chart("history", subject.bot.name, sort_by_time(points))
    return Figure(_table(subject, "history", caption, points), picture)


def sort_by_time(points: Sequence[charts.RatingPoint]) -> list[charts.RatingPoint]:
    """Return points in rating order with times that never fall; matches may have ended in a different order."""
    ordered, latest = [], 0.0
    for point in points:
        latest = max(latest, point.at)
        ordered.append(point._replace(at=latest))
    return ordered


def rivals(db: Session, subject: Subject, limit: int | None = None) -> Figure:
    """Return the opponents of a version, most frequent first, with its lead over each."""
    opponents, total = rivals_of(db, subject.entry, subject.seats, subject.games_per_match, limit)
    rows = [RivalRow(rival, rival.matches * subject.games_per_match, lead_over(rival, subject)) for rival in opponents]
    counts = "games" if subject.seats == 2 else "matches, by mean place"
    caption = (
        f"Version {subject.row.version}, its latest {RIVAL_MATCHES:,} matches. Won, shared, lost: {counts}. "
        "With a share above 50%, it was ahead by mean places."
    )
    return Figure(_table(subject, "rivals", caption, rows, total=total))


def lead_over(rival: Rival, subject: Subject) -> Lead:
    """Return the lead of a version over another bot."""
    share = share_of(rival.mean_place, rival.their_mean_place, subject.seats)
    return lead(share, rival.matches * subject.blocks)


def _seat_games(db: Session, subject: Subject) -> list[EntryGame]:
    return games_of_entry(db, subject.entry, min(DRAWN_MATCHES, max(1, SEAT_GAMES // subject.games_per_match)))


def _places_figure(subject: Subject, games: Sequence[EntryGame]) -> Figure:
    counts = [[0] * subject.seats for _ in range(subject.seats)]
    for game in games:
        counts[game.seat][game.place - 1] += 1
    rows = []
    for seat, row in enumerate(counts):
        mean = sum(count * place for place, count in enumerate(row, 1)) / sum(row) if any(row) else None
        rows.append(SeatPlaces(seat, sum(row), mean, *row))
    latest = counted(len(games), "game", ",")
    caption = f"Version {subject.row.version}, its latest {latest}. A shared place counts as the better one."
    picture = charts.place_chart(
        "places",
        "Places by seat",
        "; ".join(f"seat {row.seat + 1}: first in {row.place_1} of {row.games}" for row in rows) + ".",
        [(f"Seat {seat + 1}", row) for seat, row in enumerate(counts)],
    )
    return Figure(_table(subject, "places", caption, rows), picture)


def _luck_figure(subject: Subject, played: Sequence[PlayedMatch]) -> Figure:
    rows = played[::-1]
    latest = f"its latest {DRAWN_MATCHES} matches at most, newest first"
    caption = f"Version {subject.row.version}, {latest}; luck in {subject.unit}"
    picture = charts.luck_against_place(
        "luck",
        "Luck against result",
        [charts.LuckPoint(match.match, match.luck, match.place, match.faults > 0) for match in played],
        subject.seats,
        subject.unit,
    )
    return Figure(_table(subject, "luck", caption, rows), picture)


def think_counts(played: Iterable[PlayedMatch]) -> Counter[int]:
    """Return the number of decisions by CPU time, in the octaves of `gangland_ladder.matches.match_jobs`."""
    counts = Counter[int]()
    for match in played:
        if match.think:
            counts.update({int(octave): count for octave, count in match.think.items()})
    return counts


def _thinking_figure(subject: Subject, played: Sequence[PlayedMatch]) -> Figure:
    counts = think_counts(played)
    total_decisions = sum(counts.values())
    span = range(min(counts), max(counts) + 1) if counts else ()
    rows = [ThinkClass(limit_s(octave) * 1000, counts[octave], counts[octave] / total_decisions) for octave in span]
    caption = f"Decisions of version {subject.row.version} by CPU time, in its latest {DRAWN_MATCHES} matches at most"
    return Figure(_table(subject, "thinking", caption, rows), _thinking_picture(counts, total_decisions, span))


def _thinking_picture(counts: Counter[int], total_decisions: int, span: Sequence[int]) -> charts.Picture | None:
    if not total_decisions:
        return None
    half_s, most_s = quantile_limit_s(counts, 0.5) or 0.0, quantile_limit_s(counts, 0.99) or 0.0
    decisions = counted(total_decisions, "decision", ",")
    bars = [
        charts.Bar(
            duration(limit_s(octave)),
            100 * counts[octave] / total_decisions,
            "",
            f"{counts[octave]} of {decisions}: at most {duration(limit_s(octave))} and more than half of that",
        )
        for octave in span
    ]
    summary = f"Half of {decisions} took at most {duration(half_s)}, 99% at most {duration(most_s)}."
    return charts.bar_chart("thinking", "Think time", summary, bars, "CPU per decision, at most", "% of decisions")


def duration(seconds: float) -> str:
    """Return a short duration as an axis label."""
    if seconds < 0.001:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def _faults_figure(_db: Session, subject: Subject) -> Figure:
    games, faults = Counter[int](), Counter[int]()
    for row in reversed(subject.rows):  # a version has a row for each season
        games[row.version] += row.entry.games
        faults[row.version] += row.entry.faults
    rows = [VersionFaults(version, count, faults[version]) for version, count in games.items() if count]
    bars = [
        charts.Bar(
            f"v{row.version}",
            100 * row.share,
            str(row.faults),
            f"Version {row.version}: a fault in {row.faults} of {counted(row.games, 'game')}",
            is_strong=row.faults > 0,
        )
        for row in rows[-VERSIONS_SHOWN:]
    ]
    summary = "; ".join(
        f"v{row.version}: {row.faults} of {counted(row.games, 'game')}" for row in rows[-VERSIONS_SHOWN:]
    )
    picture = charts.bar_chart(
        "faults-by-version", "Faults by version", f"{summary}.", bars, "version", "% of games with a fault"
    )
    caption = "Every version that has played at this table size"
    return Figure(_table(subject, "faults", caption, rows), picture if any(bar.value for bar in bars) else None)


_FIGURES: Final[Mapping[str, Callable[[Session, Subject], Figure]]] = {
    "history": lambda db, subject: _history_figure(subject, history_of(db, subject.versions)),
    "rivals": rivals,
    "places": lambda db, subject: _places_figure(subject, _seat_games(db, subject)),
    "luck": lambda db, subject: _luck_figure(subject, played_matches(db, subject.entry)),
    "thinking": lambda db, subject: _thinking_figure(subject, played_matches(db, subject.entry)),
    "faults": _faults_figure,
}
