"""Figures of a bot: its tables at one table size, and the charts drawn from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, Final, NamedTuple

from sqlmodel import Session

from gangland.games import game_named
from gangland_ladder.common.texts import counted
from gangland_ladder.matches.match_orders import limit_s, within_s
from gangland_web.base.charts import ORDINALS, Bar, Dealt, Picture, Rated, columns, history, luck_against_place, places
from gangland_web.models.bots import HOUSE, Bot
from gangland_web.models.columns import stored
from gangland_web.queries.bot_record import (
    DRAWN,
    GAMES,
    MET,
    EntryGame,
    Played,
    Rival,
    games_of_entry,
    history_of,
    life_of,
    played_of,
    rivals_of,
)
from gangland_web.queries.bots import RatingRow
from gangland_web.queries.tables import Column, Kind, Lead, TableData, file_urls, lead, several, share_of, table_of

# Tables at one table size, each with its files, and the charts drawn from them.


RIVALS_SHOWN: Final = 25
VERSIONS_SHOWN: Final = 12


class RivalRow(NamedTuple):
    """An opponent, the games with it, and how far ahead of it a version is."""

    rival: Rival
    games: int
    lead: Lead

    @property
    def owner(self) -> str:
        """The opponent's owner, as files and the API have it."""
        return self.rival.owner or HOUSE


class SeatPlaces(NamedTuple):
    """How often a bot came in each place from one seat; None for places that its table does not have."""

    seat: int
    games: int
    mean_place: float | None
    place_1: int
    place_2: int
    place_3: int | None = None
    place_4: int | None = None


class ThinkClass(NamedTuple):
    """Decisions that took at most a time."""

    most_ms: float
    decisions: int
    share: float


class VersionFaults(NamedTuple):
    """In how many of its games a version failed."""

    version: int
    games: int
    faults: int

    @property
    def share(self) -> float:
        """The share of its games in which it failed."""
        return self.faults / self.games


HISTORY: Final = table_of(
    *("bot-history", Rated, "/bots/N/history"),
    "Ratings after matches spread over the life of each of its latest eight versions. (`?seats=`)",
    *(Column("match", "Match", Kind.WHOLE, "match"), Column("over_at", "Over", Kind.MOMENT, of="at")),
    Column("version", "Version", Kind.WHOLE),
    *several(Kind.NUMBER, mu="mu", sigma="sigma", rating="Rating"),
)
RIVALS: Final = table_of(
    *("bot-rivals", RivalRow, "/bots/N/rivals"),
    "The results of its version on the ladder against each opponent of its latest 1,000 matches. (`?seats=`)",
    Column("bot_id", "Number", Kind.WHOLE, quiet=True, of="rival.bot_id"),
    *(Column("bot", "Against", cell="rival", of="rival.bot"), Column("owner", "Owner", quiet=True)),
    *(Column("matches", "Matches", Kind.WHOLE, quiet=True, of="rival.matches"), Column("games", "Games", Kind.WHOLE)),
    *several(Kind.WHOLE, "rival", won="Won", shared="Shared", lost="Lost"),
    *several(Kind.NUMBER, "rival", mean_place="Mean place", their_mean_place="Theirs"),
    Column("", "Faulty matches", Kind.WHOLE, of="rival.faulty_matches"),
    Column("share", "Share", Kind.SHARE, "rival_share", of="lead.share", css="meter"),
    Column("share_low", "At least", Kind.SHARE, quiet=True, of="lead.low"),
    Column("share_high", "At most", Kind.SHARE, quiet=True, of="lead.high"),
    *several(
        *(Kind.WHOLE, "rival"),
        quiet=True,
        faulty_matches="Matches with faults",
        their_faulty_matches="Matches with their faults",
    ),
    Column("confidence", "Certainty", cell="rival_certainty", of="lead.words", css="nowrap"),
    attributes=' class="sure-{{ row.lead.sure }}"',
)
PLACES: Final = table_of(
    *("bot-places", SeatPlaces, "/bots/N/places"),
    "How often it came in each place in its latest games (about 1,200), by seat. (`?seats=`)",
    *(Column("seat", "Seat", Kind.INDEX), Column("games", "Games", Kind.WHOLE)),
    *(Column(f"place_{number}", word, Kind.WHOLE) for number, word in enumerate(ORDINALS, 1)),
    Column("mean_place", "Mean place", Kind.NUMBER),
)
LUCK: Final = table_of(
    *("bot-luck", Played, "/bots/N/luck", "Its latest 200 matches, one a row. (`?seats=`)"),
    *(Column("match", "Match", Kind.WHOLE, "match"), Column("over_at", "Over", Kind.MOMENT, of="at")),
    *(Column("luck", "Luck a game", Kind.SIGNED), Column("mean_place", "Mean place", Kind.NUMBER, of="place")),
    Column("faults", "Faults", Kind.WHOLE),
)
THINKING: Final = table_of(
    *("bot-thinking", ThinkClass, "/bots/N/thinking"),
    "Its decisions in its latest 200 matches by CPU time; each class is twice the one before. (`?seats=`)",
    *(Column("most_ms", "At most (ms)", Kind.NUMBER, digits=3), Column("decisions", "Decisions", Kind.WHOLE)),
    Column("share", "Share", Kind.SHARE, digits=1),
)
FAULTS: Final = table_of(
    *("bot-faults", VersionFaults, "/bots/N/faults", "In how many of its games each version failed. (`?seats=`)"),
    *several(Kind.WHOLE, version="Version", games="Games", faults="Games with a fault"),
    Column("share", "Share", Kind.SHARE),
)
TABLES_AT_A_SIZE: Final = {
    table.name.removeprefix("bot-"): table for table in (HISTORY, RIVALS, PLACES, LUCK, THINKING, FAULTS)
}
"""The tables of a bot at one table size, by the word that their files' addresses have."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A table and the chart that is drawn from it; the chart is None where there is too little to draw."""

    table: TableData
    picture: Picture | None = None


@dataclass(frozen=True, slots=True)
class Pick:
    """A game that stands out: where it is, and how lucky the bot was there, beyond the table's mean."""

    match: int
    block: int
    rotation: int
    place: int
    luck: float


@dataclass(frozen=True, slots=True)
class Subject:
    """Whose figures they are: a bot at one table size.

    Attributes:
        rows: its versions there, newest first, of each its latest season first; `row` is the one on the ladder, else
            the newest that has played.
        blocks: of a match.
    """

    bot: Bot
    seats: int
    blocks: int
    rows: tuple[RatingRow, ...]
    row: RatingRow

    @property
    def entry(self) -> int:
        """The entry that most figures are about."""
        return stored(self.row.entry.id)

    @property
    def games_a_match(self) -> int:
        """How many games a match has."""
        return self.blocks * self.seats

    @property
    def unit(self) -> str:
        """What luck is counted in."""
        return game_named(self.bot.game).luck_unit


def subject_of(bot: Bot, ratings: Sequence[RatingRow], seats: int | None) -> Subject | None:
    """Return whose figures to show: at a table size, or where most was played; None if nothing was."""
    sizes = Counter[int]()
    for row in ratings:
        sizes[row.seats] += row.entry.games
    chosen = seats if seats is not None else max(sizes, key=lambda size: (sizes[size], -size), default=2)
    rows = tuple(row for row in ratings if row.seats == chosen)
    played = [row for row in rows if row.entry.games]
    if not played:
        return None
    row = next((row for row in rows if row.entry.active and row.entry.games), played[0])
    return Subject(bot, chosen, row.blocks, rows, row)


def figure(db: Session, subject: Subject, what: str) -> Figure:
    """Return one of the tables with its chart."""
    return _MAKERS[what](db, subject)


def figures(db: Session, subject: Subject) -> dict[str, Any]:
    """Return all tables and charts of a bot at a table size, and the games that stand out."""
    points, played = life_of(db, *life(subject), subject.entry)
    games = _games(db, subject)
    best, worst = picks(games)
    return {
        "history": _drawn_history(subject, points),
        "rivals": _rivals(db, subject, RIVALS_SHOWN),
        "places": _placed(subject, games),
        "luck": _lucky(subject, played),
        "thinking": _thought(subject, played),
        "faults": _failed(db, subject),
        "best": best,
        "worst": worst,
        "games": len(games),
    }


def _table(subject: Subject, what: str, caption: str, rows: Sequence[Any], **more: Any) -> TableData:
    files = file_urls("bots.size_table", bot_id=subject.bot.id, what=what, seats=subject.seats)
    return TABLES_AT_A_SIZE[what].of(rows, caption, **files, **more)


def life(subject: Subject) -> tuple[dict[int, int], int]:
    """Return the versions that have played, by entry, and about how many matches."""
    played = [row for row in subject.rows if row.entry.games]
    matches = sum(row.entry.games for row in played) // subject.games_a_match
    return {stored(row.entry.id): row.version for row in played}, matches


def _drawn_history(subject: Subject, points: Sequence[Rated]) -> Figure:
    caption = "Its rating after matches spread over its life, of each version on its own"
    return Figure(_table(subject, "history", caption, points), history("history", subject.bot.name, in_time(points)))


def in_time(points: Sequence[Rated]) -> list[Rated]:
    """Return points that never go back in time: a match counts when all before it do, not when it was over."""
    ordered, latest = [], 0.0
    for point in points:
        latest = max(latest, point.at)
        ordered.append(point._replace(at=latest))
    return ordered


def _rivals(db: Session, subject: Subject, most: int | None = None) -> Figure:
    rivals, total = rivals_of(db, subject.entry, subject.seats, subject.games_a_match, most)
    rows = [RivalRow(rival, rival.matches * subject.games_a_match, lead_over(rival, subject)) for rival in rivals]
    caption = (
        f"Version {subject.row.version} in its latest {MET:,} matches or fewer. "
        + ("Won, shared, lost: games. " if subject.seats == 2 else "Won, shared, lost: matches in which it had the ")
        + ("" if subject.seats == 2 else "better, the same or the worse mean place. ")
        + "Share: how far ahead it was, by mean places, 50% is level; "
        "the comparison of two bots counts how often instead, in their latest matches with each other."
    )
    return Figure(_table(subject, "rivals", caption, rows, total=total))


def lead_over(rival: Rival, subject: Subject) -> Lead:
    """Return how far ahead of another bot a version is, and how sure that is."""
    share = share_of(rival.mean_place, rival.their_mean_place, subject.seats)
    return lead(share, rival.matches * subject.blocks)


def _games(db: Session, subject: Subject) -> list[EntryGame]:
    """Return its latest games, about `GAMES` of them."""
    return games_of_entry(db, subject.entry, min(DRAWN, max(1, GAMES // subject.games_a_match)))


def _placed(subject: Subject, games: Sequence[EntryGame]) -> Figure:
    counts = [[0] * subject.seats for _ in range(subject.seats)]
    for game in games:
        counts[game.seat][game.places[game.seat] - 1] += 1
    rows = []
    for seat, row in enumerate(counts):
        mean = sum(count * place for place, count in enumerate(row, 1)) / sum(row) if any(row) else None
        rows.append(SeatPlaces(seat, sum(row), mean, *row))
    latest = counted(len(games), "game", ",")
    caption = f"Version {subject.row.version} in its latest {latest}; a shared place is the better one"
    picture = places(
        "places",
        "Places by seat",
        "; ".join(f"seat {row.seat + 1}: first in {row.place_1} of {row.games}" for row in rows) + ".",
        [(f"Seat {seat + 1}", row) for seat, row in enumerate(counts)],
    )
    return Figure(_table(subject, "places", caption, rows), picture)


def _lucky(subject: Subject, played: Sequence[Played]) -> Figure:
    rows = played[::-1]
    caption = f"Version {subject.row.version} in its latest {DRAWN} matches or fewer, the newest first; "
    caption += f"luck in {subject.unit}"
    picture = luck_against_place(
        "luck",
        "Luck against result",
        [Dealt(one.match, one.luck, one.place, one.faults > 0) for one in played],
        subject.seats,
        subject.unit,
    )
    return Figure(_table(subject, "luck", caption, rows), picture)


def think_counts(played: Iterable[Played]) -> Counter[int]:
    """Return decisions counted by the CPU time that they took (`gangland_ladder.matches.match_orders`)."""
    counts = Counter[int]()
    for one in played:
        if one.think:
            counts.update({int(octave): count for octave, count in one.think.items()})
    return counts


def _thought(subject: Subject, played: Sequence[Played]) -> Figure:
    counts = think_counts(played)
    whole = sum(counts.values())
    span = range(min(counts), max(counts) + 1) if counts else ()
    rows = [ThinkClass(limit_s(octave) * 1000, counts[octave], counts[octave] / whole) for octave in span]
    caption = (
        f"Decisions of version {subject.row.version} in its latest {DRAWN} matches or fewer, by the CPU time they took"
    )
    return Figure(_table(subject, "thinking", caption, rows), _thinking_picture(counts, whole, span))


def _thinking_picture(counts: Counter[int], whole: int, span: Sequence[int]) -> Picture | None:
    if not whole:
        return None
    half, most = within_s(counts, 0.5) or 0.0, within_s(counts, 0.99) or 0.0
    decisions = counted(whole, "decision", ",")
    bars = [
        Bar(
            duration(limit_s(octave)),
            100 * counts[octave] / whole,
            "",
            f"{counts[octave]} of {decisions}: at most {duration(limit_s(octave))}, and more than half of that",
        )
        for octave in span
    ]
    summary = f"Half of {decisions} took at most {duration(half)}, 99 of 100 at most {duration(most)}."
    return columns("thinking", "Think time", summary, bars, "CPU a decision, at most", "% of decisions")


def duration(seconds: float) -> str:
    """Return a short time as an axis names it."""
    if seconds < 0.001:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def _failed(_db: Session, subject: Subject) -> Figure:
    games, faults = Counter[int](), Counter[int]()
    for row in reversed(subject.rows):  # a version has a row for each season
        games[row.version] += row.entry.games
        faults[row.version] += row.entry.faults
    rows = [VersionFaults(version, count, faults[version]) for version, count in games.items() if count]
    bars = [
        Bar(
            f"v{row.version}",
            100 * row.share,
            str(row.faults),
            f"Version {row.version}: a fault in {row.faults} of {counted(row.games, 'game')}",
            strong=row.faults > 0,
        )
        for row in rows[-VERSIONS_SHOWN:]
    ]
    summary = "; ".join(
        f"v{row.version}: {row.faults} of {counted(row.games, 'game')}" for row in rows[-VERSIONS_SHOWN:]
    )
    picture = columns(
        "faults-by-version", "Faults by version", f"{summary}.", bars, "version", "% of games with a fault"
    )
    caption = "Every version that has played at this table size, and in how many of its games it failed"
    return Figure(_table(subject, "faults", caption, rows), picture if any(bar.value for bar in bars) else None)


def picks(games: Sequence[EntryGame]) -> tuple[Pick | None, Pick | None]:
    """Return the game won alone with the worst dice, and the one that came last with the best; none with faults.

    Luck is counted against the table's mean; of equals, the later game is picked.
    """
    best: tuple[float, Pick] | None = None
    worst: tuple[float, Pick] | None = None
    for game in games:
        place, net = game.places[game.seat], game.luck[game.seat] - fsum(game.luck) / len(game.luck)
        pick = Pick(game.match, game.block, game.rotation, place, net)
        if game.failed:
            continue
        if place == 1 and game.places.count(1) == 1 and (best is None or net <= best[0]):
            best = net, pick
        if place == max(game.places) and place > 1 and (worst is None or net >= worst[0]):
            worst = net, pick
    return best and best[1], worst and worst[1]


_MAKERS: Final[Mapping[str, Callable[[Session, Subject], Figure]]] = {
    "history": lambda db, subject: _drawn_history(subject, history_of(db, *life(subject))),
    "rivals": _rivals,
    "places": lambda db, subject: _placed(subject, _games(db, subject)),
    "luck": lambda db, subject: _lucky(subject, played_of(db, subject.entry)),
    "thinking": lambda db, subject: _thought(subject, played_of(db, subject.entry)),
    "faults": _failed,
}
