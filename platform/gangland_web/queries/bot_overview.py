"""Read the first tab of a bot's page: progress since the previous version, costliest mistakes, latest games."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot
from statistics import NormalDist
from typing import Final

from sqlmodel import Session

from gangland_ladder.common.texts import counted
from gangland_ladder.viewer.commentary import percent, signed
from gangland_web.models.columns import row_id
from gangland_web.queries import analyses, bot_figures, ladders, match_lists, tables
from gangland_web.queries.bots import BotPage, RatingRow, played_sizes, ratings_of

MAX_MATCHES: Final = 5  # the number of latest matches listed
MAX_OPPONENTS: Final = 6  # the number of most frequent opponents listed


@dataclass(frozen=True, slots=True)
class Overview:
    """The overview of a bot."""

    ratings: Sequence[RatingRow]  # of all versions at all table sizes
    subject: bot_figures.Subject | None  # None before the bot has played
    sizes: Sequence[int]  # the table sizes at which it has played
    progress: str  # a comparison with the previous version; empty before the bot has played
    headline: analyses.Headline | None  # the costliest kind of mistake; None before a game is analyzed
    analyzed_sizes: Sequence[int]  # other table sizes with an analyzed game; empty if there is a headline
    worst: analyses.WorstGame | None  # the costliest game
    matches: Sequence[match_lists.ListedMatch]


def overview(db: Session, page: BotPage, seats: int | None) -> Overview:
    """Return the overview of a bot at a table size, by default the one with the most games."""
    ratings = ratings_of(db, row_id(page.bot.id))
    subject = bot_figures.subject_of(page.bot, ratings, seats)
    headline = analyses.headline(db, subject.entry) if subject else None
    return Overview(
        ratings=ratings,
        subject=subject,
        sizes=played_sizes(ratings),
        progress=progress_of(subject) if subject else "",
        headline=headline,
        analyzed_sizes=[] if subject is None or headline else _analyzed_sizes(db, page, ratings),
        worst=analyses.worst_game(db, subject.entry, headline.costliest) if subject and headline else None,
        matches=match_lists.latest_of_entries(db, [row_id(row.entry.id) for row in ratings], MAX_MATCHES),
    )


def _analyzed_sizes(db: Session, page: BotPage, ratings: Sequence[RatingRow]) -> list[int]:
    subjects = [bot_figures.subject_of(page.bot, ratings, size) for size in played_sizes(ratings)]
    return [subject.seats for subject in subjects if subject and analyses.headline(db, subject.entry)]


def progress_of(subject: bot_figures.Subject) -> str:
    """Return a sentence on whether a version is better than the previous one, and how certain that is."""
    version = subject.row.version
    newest = subject.rows[0]
    if newest.entry.active and newest.version > version:
        return f"Version {newest.version} has not played at {subject.seats} seats yet; this is version {version}."
    earlier = [row for row in subject.rows if row.version < version and row.entry.games]
    if not earlier:
        return f"No earlier version has played at {subject.seats} seats."
    previous = next((row.version for row in earlier if not row.is_provisional), earlier[0].version)
    new, old = _comparable(subject.rows, version, previous)
    for row in (new, old):
        if row.is_provisional:
            played = f"{row.matches} of {counted(ladders.PROVISIONAL_MATCHES, 'match')}"
            verb = "has" if row.entry.active else "stopped at"
            return f"Too few games to compare with version {previous}: version {row.version} {verb} {played}."
    gain = new.entry.mu - old.entry.mu
    chance = NormalDist().cdf(gain / hypot(new.entry.sigma, old.entry.sigma))
    difference, confidence = f"{signed(gain, 1)} strength", max(chance, 1 - chance)
    if confidence < tables.LIKELY:
        return f"Too close to call with version {previous}: {difference} ({percent(chance, 0)} sure)."
    adverb = "" if confidence >= tables.CLEAR else "probably "
    verdict = "better" if chance > 0.5 else "weaker"
    text = f"Version {version} is {adverb}{verdict} than version {previous}: {difference}"
    return f"{text} ({percent(min(confidence, 0.99), 0)} sure)."


def _comparable(rows: Sequence[RatingRow], version: int, previous: int) -> tuple[RatingRow, RatingRow]:
    """Return the ratings of two versions, from the same season if possible."""
    pairs = [
        (new, old)
        for new in rows
        for old in rows
        if (new.version, old.version) == (version, previous) and new.entry.games and old.entry.games
    ]
    return max(pairs, key=lambda pair: pair[0].entry.period == pair[1].entry.period)
