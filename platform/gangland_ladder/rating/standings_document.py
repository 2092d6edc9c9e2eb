"""The final standings as a document; it has no numpy in it, as whoever shows a schema needs none."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from gangland_ladder.common.documents import Count, Document, Interval, Number, Part, Probability


class StandingsRow(Part):
    """One entry's line.

    Attributes:
        range: the ranks that it may have in truth.
        holds: the probability that the range holds the true rank.
        best: the probability that it is the best of all; null where too few games were played.
        next_below: the next entry below from which it is not separated; null if it is from all.
        next_above: the same above.
        strength: logit.
        error: how far the true strength is from it, as a standard deviation.
        rank_before: of an entry of the final table, its rank before that.
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
    """An entry that plays outside the ranking: a house bot, unless the organizer ranks them.

    Attributes:
        strength: logit, on the scale of the ranked ones.
    """

    entry: Count
    blocks: Count
    won: Count
    tied: Count
    lost: Count
    block_score: float | None
    strength: float


class FinalTable(Part):
    """The final table, which decided the places of its entries; all but ranks is of the matches before it.

    Attributes:
        match: its number.
        effect: what it decides, as it was announced.
        rows: its entries, best first.
    """

    match: Number
    blocks: Count
    effect: str
    rows: list[FinalTableRow]


class FinalTableRow(Part):
    """An entry of the final table.

    Attributes:
        rank: the one that it has for it; rank_before: the one before.
        mean_place: over all games of the final table.
    """

    entry: Count
    rank: Number
    rank_before: Number
    mean_place: float


class Top(Part):
    """What is known of who is among the first k.

    Attributes:
        inside: entries that are among the first k, upward: each is separated from so many below it.
        open: entries that may be, upward.
        games_needed: games that are likely to settle it, 0 if it is settled; null if no sensible number is.
    """

    k: Number
    settled: bool
    inside: list[Count]
    open: list[Count]
    games_needed: Count | None


class StandingsDocument(Document, tag="gangland/standings/1"):
    """Ranks with their ranges, who is separated from whom, and how sure the first places are.

    Rows bear `bot` in a ladder's stream.

    Attributes:
        level: with which ranges hold on average, or more: `holds` says with how much.
        holds: the mean of what the ranges' probabilities are.
        enough_blocks: with fewer blocks of one of the podium `best` is not said.
        enough: whether the podium has so many.
        podium: the entries of the first three ranks, best first; the first rank is the winner's.
        final_table: where one was played.
        outside: entries outside the ranking, the strongest first, where there are any.
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
