"""The final standings as a document. This module does not import numpy, so its schema can be printed without it."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from gangland_ladder.common.documents import Count, Document, Interval, Number, Part, Probability


class StandingsRow(Part):
    """One entry's line.

    Attributes:
        range: the range of the true rank.
        holds: the probability that the range contains the true rank.
        best: the probability that the entry is the best of all; null if too few games were played.
        next_below, next_above: the nearest entry below or above that is not separated from it; null if there is none.
        strength: logit.
        error: the standard deviation of the strength.
        rank_before: for an entry of the final table, its rank before that table.
        bot: the bot's name, in a ladder's stream.
    """

    entry: Count
    rank: Number
    range: str
    holds: Probability
    best: Probability | None
    next_below: Count | None
    next_above: Count | None
    blocks: Count
    won: Count
    tied: Count
    lost: Count
    block_score: float | None
    against_all: Interval | None
    strength: float
    error: float
    rank_before: Number | UnsetType = UNSET
    bot: str | UnsetType = UNSET


class OutsideRow(Part):
    """An entry outside the ranking, on the scale of the ranked ones: a house bot, unless the organizer ranks those."""

    entry: Count
    blocks: Count
    won: Count
    tied: Count
    lost: Count
    block_score: float | None
    strength: float


class FinalTable(Part):
    """The final table, which decided the ranks of its entries; every other figure is from the matches before it.

    Attributes:
        effect: the places that it decides, as announced.
        rows: its entries, best first.
    """

    match: Number
    blocks: Count
    effect: str
    rows: list[FinalTableRow]


class FinalTableRow(Part):
    """An entry of the final table, with its rank after and before it, and its mean place over all games there."""

    entry: Count
    rank: Number
    rank_before: Number
    mean_place: float


class Top(Part):
    """Which entries are among the first k.

    Attributes:
        inside: entries that are among the first k, ascending; each is separated from enough entries below it.
        open: entries that may be among the first k, ascending.
        games_needed: number of games likely to settle it, 0 if it is settled; null if unknown or too high.
    """

    k: Number
    settled: bool
    inside: list[Count]
    open: list[Count]
    games_needed: Count | None


class StandingsDocument(Document, tag="gangland/standings/1"):
    """Ranks with their ranges, which entries are separated, and how certain the first places are.

    Attributes:
        level: ranges hold on average with at least this probability; `holds` has the exact one.
        holds: the mean of the rows' `holds`.
        enough_blocks: `best` is null if an entry on the podium has fewer blocks.
        enough: whether each entry on the podium has at least this number of blocks.
        podium: the entries of the first three ranks, best first; the first rank is the winner's.
        outside: entries outside the ranking, strongest first; left out if there are none.
    """

    title = "Final standings"

    level: float
    holds: Probability | None
    blocks: Count
    games: Count
    enough_blocks: Count
    enough: bool
    podium: list[Count]
    rows: list[StandingsRow]
    top: list[Top]
    final_table: FinalTable | UnsetType = UNSET
    outside: list[OutsideRow] | UnsetType = UNSET
