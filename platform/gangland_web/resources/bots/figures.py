"""The figures of a bot's page: its tables, each with its files, and the charts that are drawn from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from flask import url_for
from sqlmodel import Session

from gangland.games import game_named
from gangland_ladder.common.plurals import counted
from gangland_ladder.matches.thinking import limit_s, within_s
from gangland_web.charts.bars import ORDINALS, Bar, columns, places
from gangland_web.charts.history import Rated, history
from gangland_web.charts.pictures import Picture
from gangland_web.charts.scatter import Dealt, luck_against_place
from gangland_web.resources.bots.queries import RatingRow
from gangland_web.resources.bots.record import (
    DRAWN,
    GAMES,
    MET,
    Played,
    Rival,
    SeenGame,
    games_seen,
    history_of,
    played_of,
    rivals_of,
)
from gangland_web.resources.confidence import Lead, lead, share_of
from gangland_web.resources.tables import Column, Kind, Sheet
from gangland_web.store.columns import stored
from gangland_web.store.models.bots import Bot
from gangland_web.store.owners import HOUSE

RIVALS_SHOWN: Final = 25
VERSIONS_SHOWN: Final = 12

HISTORY: Final = (
    Column("match", "Match", Kind.WHOLE),
    Column("over_at", "Over", Kind.MOMENT),
    Column("version", "Version", Kind.WHOLE),
    Column("mu", "mu", Kind.NUMBER),
    Column("sigma", "sigma", Kind.NUMBER),
    Column("rating", "Rating", Kind.NUMBER),
)
RIVALS: Final = (
    Column("bot_id", "Number", Kind.WHOLE, quiet=True),
    Column("bot", "Against"),
    Column("owner", "Owner", quiet=True),
    Column("matches", "Matches", Kind.WHOLE),
    Column("games", "Games", Kind.WHOLE),
    Column("won", "Won", Kind.WHOLE),
    Column("shared", "Shared", Kind.WHOLE),
    Column("lost", "Lost", Kind.WHOLE),
    Column("mean_place", "Mean place", Kind.NUMBER),
    Column("their_mean_place", "Theirs", Kind.NUMBER),
    Column("share", "Share", Kind.SHARE, 0),
    Column("share_low", "At least", Kind.SHARE, 0),
    Column("share_high", "At most", Kind.SHARE, 0),
    Column("faulty_matches", "Matches with faults", Kind.WHOLE),
    Column("their_faulty_matches", "Matches with their faults", Kind.WHOLE, quiet=True),
    Column("confidence", "Certainty"),
)
PLACES: Final = (
    Column("seat", "Seat", Kind.INDEX),
    Column("games", "Games", Kind.WHOLE),
    *(Column(f"place_{number}", word, Kind.WHOLE) for number, word in enumerate(ORDINALS, 1)),
    Column("mean_place", "Mean place", Kind.NUMBER),
)
LUCK: Final = (
    Column("match", "Match", Kind.WHOLE),
    Column("over_at", "Over", Kind.MOMENT),
    Column("luck", "Luck a game", Kind.SIGNED),
    Column("mean_place", "Mean place", Kind.NUMBER),
    Column("faults", "Faults", Kind.WHOLE),
)
THINKING: Final = (
    Column("most_ms", "At most (ms)", Kind.NUMBER, 3),
    Column("decisions", "Decisions", Kind.WHOLE),
    Column("share", "Share", Kind.SHARE, 1),
)
FAULTS: Final = (
    Column("version", "Version", Kind.WHOLE),
    Column("games", "Games", Kind.WHOLE),
    Column("faults", "Games with a fault", Kind.WHOLE),
    Column("share", "Share", Kind.SHARE, 2),
)
SHEETS: Final[Mapping[str, tuple[Column, ...]]] = {
    "history": HISTORY,
    "rivals": RIVALS,
    "places": PLACES,
    "luck": LUCK,
    "thinking": THINKING,
    "faults": FAULTS,
}
"""The tables of a bot at one table size, by the word that their files' addresses have."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A table and the chart that is drawn from it; the chart is None where there is too little to draw."""

    sheet: Sheet
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
        rows: its versions there, newest first; `row` is the one on the ladder, else the newest that has played.
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
    played = played_of(db, subject.entry)
    games = _games(db, subject, played)
    best, worst = picks(games)
    return {
        "history": _history(db, subject),
        "rivals": _rivals(db, subject),
        "places": _placed(subject, games),
        "luck": _lucky(subject, played),
        "thinking": _thought(subject, played),
        "faults": _failed(db, subject),
        "best": best,
        "worst": worst,
        "games": len(games),
    }


def _sheet(subject: Subject, what: str, caption: str, rows: Sequence[Mapping[str, Any]], **more: Any) -> Sheet:
    where: Any = {"bot_id": subject.bot.id, "what": what, "seats": subject.seats}
    return Sheet(
        f"bot-{what}",
        caption,
        SHEETS[what],
        rows,
        csv=url_for("bot_figures.table", form="csv", **where),
        json=url_for("bot_figures.table", form="json", **where),
        **more,
    )


def _match_link(match: int) -> dict[str, str]:
    return {"match": url_for("matches.match", match_id=match)}


def _history(db: Session, subject: Subject) -> Figure:
    points = history_of(db, {stored(row.entry.id): row.version for row in subject.rows if row.entry.games})
    rows = [
        {
            "match": point.match,
            "over_at": point.at,
            "version": point.version,
            "mu": point.mu,
            "sigma": point.sigma,
            "rating": point.mu - 3 * point.sigma,
        }
        for point in points
    ]
    caption = "Its rating after matches spread over its life, of each version on its own"
    sheet = _sheet(subject, "history", caption, rows, links=[_match_link(point.match) for point in points])
    return Figure(sheet, history("history", subject.bot.name, _in_time(points)))


def _in_time(points: Sequence[Rated]) -> list[Rated]:
    """Return points that never go back in time: a match counts when all before it do, not when it was over."""
    found, latest = [], 0.0
    for point in points:
        latest = max(latest, point.at)
        found.append(point._replace(at=latest))
    return found


def _rivals(db: Session, subject: Subject) -> Figure:
    found = rivals_of(db, subject.entry, subject.seats, subject.games_a_match)
    rows = [_rival_row(rival, subject) for rival in found]
    caption = (
        f"Version {subject.row.version} in its latest {MET:,} matches or fewer. "
        + ("Won, shared, lost: games. " if subject.seats == 2 else "Won, shared, lost: matches in which it had the ")
        + ("" if subject.seats == 2 else "better, the same or the worse mean place. ")
        + "Share: how far ahead it was, 50% is level."
    )
    links = [{"bot": url_for("bots.bot", bot_id=rival.bot_id)} for rival in found]
    return Figure(_sheet(subject, "rivals", caption, rows, links=links, shown=RIVALS_SHOWN))


def lead_over(rival: Rival, subject: Subject) -> Lead:
    """Return how far ahead of another bot a version is, and how sure that is."""
    share = share_of(rival.place, rival.their_place, subject.seats)
    return lead(share, rival.matches * subject.blocks)


def _rival_row(rival: Rival, subject: Subject) -> dict[str, Any]:
    found = lead_over(rival, subject)
    return {
        "bot_id": rival.bot_id,
        "bot": rival.bot,
        "owner": rival.owner or HOUSE,
        "matches": rival.matches,
        "games": rival.matches * subject.games_a_match,
        "won": rival.wins,
        "shared": rival.shared,
        "lost": rival.losses,
        "mean_place": rival.place,
        "their_mean_place": rival.their_place,
        "share": found.share,
        "share_low": found.low,
        "share_high": found.high,
        "faulty_matches": rival.faults,
        "their_faulty_matches": rival.their_faults,
        "confidence": found.words,
    }


def _games(db: Session, subject: Subject, played: Sequence[Played]) -> list[SeenGame]:
    """Return about so many of its latest games as are looked at one by one."""
    wanted = max(1, GAMES // subject.games_a_match)
    return games_seen(db, subject.entry, [one.match for one in played[-wanted:]])


def _placed(subject: Subject, games: Sequence[SeenGame]) -> Figure:
    counts = [[0] * subject.seats for _ in range(subject.seats)]
    for game in games:
        counts[game.seat][game.places[game.seat] - 1] += 1
    rows: list[dict[str, Any]] = [
        {
            "seat": seat,
            "games": sum(row),
            **{f"place_{number + 1}": row[number] if number < len(row) else None for number in range(4)},
            "mean_place": sum(count * place for place, count in enumerate(row, 1)) / sum(row) if any(row) else None,
        }
        for seat, row in enumerate(counts)
    ]
    latest = counted(len(games), "game", ",")
    caption = f"Version {subject.row.version} in its latest {latest}; a shared place is the better one"
    picture = places(
        "places",
        "Places by seat",
        "; ".join(f"seat {row['seat'] + 1}: first in {row['place_1']} of {row['games']}" for row in rows) + ".",
        [(f"Seat {seat + 1}", row) for seat, row in enumerate(counts)],
    )
    return Figure(_sheet(subject, "places", caption, rows), picture)


def _lucky(subject: Subject, played: Sequence[Played]) -> Figure:
    rows: list[dict[str, Any]] = [
        {"match": one.match, "over_at": one.at, "luck": one.luck, "mean_place": one.place, "faults": one.faults}
        for one in reversed(played)
    ]
    caption = f"Version {subject.row.version} in its latest {DRAWN} matches or fewer, the newest first; "
    caption += f"luck in {subject.unit}"
    picture = luck_against_place(
        "luck",
        "Luck against result",
        [Dealt(one.match, one.luck, one.place, one.faults > 0) for one in played],
        subject.seats,
        subject.unit,
    )
    return Figure(_sheet(subject, "luck", caption, rows, links=[_match_link(row["match"]) for row in rows]), picture)


def _thought(subject: Subject, played: Sequence[Played]) -> Figure:
    counts = Counter[int]()
    for one in played:
        counts.update({int(octave): count for octave, count in (one.think or {}).items()})
    whole = sum(counts.values())
    span = range(min(counts), max(counts) + 1) if counts else ()
    rows = [
        {"most_ms": limit_s(octave) * 1000, "decisions": counts[octave], "share": counts[octave] / whole}
        for octave in span
    ]
    caption = (
        f"Decisions of version {subject.row.version} in its latest {DRAWN} matches or fewer, by the CPU time they took"
    )
    return Figure(_sheet(subject, "thinking", caption, rows), _thinking_picture(counts, whole, span))


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
    told = f"Half of {decisions} took at most {duration(half)}, 99 of 100 at most {duration(most)}."
    return columns("thinking", "Think time", told, bars, "CPU a decision, at most", "% of decisions")


def duration(seconds: float) -> str:
    """Return a short time as an axis names it."""
    if seconds < 0.001:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def _failed(_db: Session, subject: Subject) -> Figure:
    played = [row for row in reversed(subject.rows) if row.entry.games]
    rows = [
        {
            "version": row.version,
            "games": row.entry.games,
            "faults": row.entry.faults,
            "share": row.entry.faults / row.entry.games,
        }
        for row in played
    ]
    bars = [
        Bar(
            f"v{row['version']}",
            100 * row["share"],
            str(row["faults"]),
            f"Version {row['version']}: a fault in {row['faults']} of {counted(row['games'], 'game')}",
            strong=row["faults"] > 0,
        )
        for row in rows[-VERSIONS_SHOWN:]
    ]
    told = "; ".join(
        f"v{row['version']}: {row['faults']} of {counted(row['games'], 'game')}" for row in rows[-VERSIONS_SHOWN:]
    )
    picture = columns("faults-by-version", "Faults by version", f"{told}.", bars, "version", "% of games with a fault")
    caption = "Every version that has played at this table size, and in how many of its games it failed"
    return Figure(_sheet(subject, "faults", caption, rows), picture if any(bar.value for bar in bars) else None)


def picks(games: Sequence[SeenGame]) -> tuple[Pick | None, Pick | None]:
    """Return the game won alone with the worst dice, and the one that came last with the best; without faults.

    Luck is counted against the table's mean; of equals, the later game is picked.
    """
    best: tuple[float, Pick] | None = None
    worst: tuple[float, Pick] | None = None
    for game in games:
        place, net = game.places[game.seat], game.luck[game.seat] - sum(game.luck) / len(game.luck)
        pick = Pick(game.match, game.block, game.rotation, place, net)
        if game.failed:
            continue
        if place == 1 and game.places.count(1) == 1 and (best is None or net <= best[0]):
            best = net, pick
        if place == max(game.places) and place > 1 and (worst is None or net >= worst[0]):
            worst = net, pick
    return best and best[1], worst and worst[1]


_MAKERS: Final[Mapping[str, Callable[[Session, Subject], Figure]]] = {
    "history": _history,
    "rivals": _rivals,
    "places": lambda db, subject: _placed(subject, _games(db, subject, played_of(db, subject.entry))),
    "luck": lambda db, subject: _lucky(subject, played_of(db, subject.entry)),
    "thinking": lambda db, subject: _thought(subject, played_of(db, subject.entry)),
    "faults": _failed,
}
