"""Schemas of the JSON that `gangland ladder`, `duel` and `rate` print with `--json` or `--ndjson`."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from gangland_ladder.common import documents
from gangland_ladder.rating.duels import DuelVerdict
from gangland_ladder.rating.standings_document import StandingsDocument
from gangland_sandbox.limits import Profile

# Ladders.


class RunHead(documents.Part, kw_only=True):
    """The settings that ladders and duels share."""

    game: documents.GameName
    seats: documents.Seats
    options: documents.Options
    profile: Annotated[Profile, Meta(description="What bots may import and use.")]
    seed: documents.Seed
    salt: documents.Salt


class LadderHead(RunHead, kw_only=True):
    """The settings of a ladder; the blocks are per table."""

    blocks: documents.Count


class LadderRun(LadderHead, kw_only=True):
    """The start of a ladder, with the total number of games."""

    matches: documents.Count
    games: documents.Count


class RankRange(documents.Part):
    """The ranks that are plausible for a bot's strength."""

    low: documents.Number
    high: documents.Number


class LadderRow(documents.Part):
    """A bot's row in the standings.

    Attributes:
        rank: the rank by mean place; null without a game.
        wins: a tie for first place counts as part of a win.
        mean_place: the mean place over its games; lower is better.
        score: the expected share of the table that it beats, against all others, with a 95% range; null without a game.
        ranks: its plausible ranks, at 95% for all bots together; null without a game.
    """

    rank: documents.Number | None
    bot: str
    games: documents.Count
    wins: float
    win_share: float | None
    mean_place: float | None
    mu: float
    sigma: float
    faults: documents.Count
    fault_kinds: documents.FaultKinds
    score: documents.Interval | None
    ranks: RankRange | None


class Pair(documents.Part):
    """Two bots that met, and the share of games in which the first was ahead; a tie counts half."""

    bot: str
    other: str
    games: documents.Count
    ahead: float
    level: float
    behind: float
    share: float


class LadderMatch(documents.Part, kw_only=True):
    """A played match, or a void one with the reason why it does not count."""

    number: documents.Number
    bots: list[str]
    blocks: documents.Number
    void: str | None
    mean_places: list[float]
    wins: list[float]
    faults: list[documents.Count]


class Ladder(documents.Document, LadderHead, tag="gangland/ladder/1", kw_only=True):
    """The standings of a round robin.

    Attributes:
        standings: best bot first, bots without a game last.
        head_to_head: each pair of bots that met; the better one is the first of the pair.
        matches: every played match, by number; left out if the ladder is part of another document.
    """

    title = "gangland ladder --json"

    games: documents.Count
    seconds: float
    standings: list[LadderRow]
    head_to_head: list[Pair]
    matches: list[LadderMatch] | UnsetType = UNSET


class LadderLine(documents.Document, tag="gangland/ladder-stream/1"):
    """One JSON line: first the run, then each match after it is played, then the results."""

    title = "gangland ladder --ndjson"


class RunLine(LadderLine, LadderRun):
    """The first line: the settings of the run."""

    type: Literal["run"] = "run"


class MatchLine(LadderLine, LadderMatch):
    """A played or void match."""

    type: Literal["match"] = "match"


class PairsLine(LadderLine, kw_only=True):
    """The results of each pair of bots."""

    type: Literal["head_to_head"] = "head_to_head"
    pairs: list[Pair]


class RangesLine(LadderLine, kw_only=True):
    """The plausible ranks of each bot."""

    type: Literal["ranges"] = "ranges"
    standings: StandingsDocument


class TimesLine(LadderLine, kw_only=True):
    """For each bot, the CPU milliseconds within which 99% of its decisions were made."""

    type: Literal["times"] = "times"
    p99_ms: dict[str, float | None]


class EndLine(LadderLine, kw_only=True):
    """The last line: all other results."""

    type: Literal["end"] = "end"
    interrupted: bool
    ladder: Ladder


# Duels.


class DuelSide(documents.Part):
    """One of the two bots."""

    bot: str
    code: documents.BotCode
    faults: documents.Count
    fault_kinds: documents.FaultKinds


class SequentialTest(documents.Part):
    """The test of a duel; it is decided when the log-likelihood `ratio` reaches `lower` or `upper`."""

    elo0: float
    elo1: float
    alpha: float
    beta: float
    lower: float
    upper: float
    ratio: float


class DuelDocument(documents.Document, RunHead, tag="gangland/duel/1", kw_only=True):
    """The state of a sequential test of NEW against OLD.

    Attributes:
        verdict: open if the duel was interrupted before it was decided.
        block_scores: each block score and its count.
        better: the probability that NEW is better.
        new_alone: with more than two seats, the mean place of a single NEW among OLD.
        old_alone: the same for a single OLD among NEW.
    """

    title = "gangland duel --json"

    new: DuelSide
    old: DuelSide
    verdict: DuelVerdict
    test: SequentialTest
    max_blocks: documents.Number
    blocks: documents.Count
    games: documents.Count
    block_scores: list[tuple[float, documents.Count]]
    score: documents.Interval | None
    elo: documents.Interval | None
    better: float | None
    new_alone: documents.Interval | None
    old_alone: documents.Interval | None
    seconds: float


# Ratings.


class RatingRow(documents.Part, kw_only=True):
    """An entry's rating.

    Attributes:
        entry: its number or name, as in the file.
        bot: the bot's name, if the file has it.
        shown: mu - 3 sigma.
    """

    rank: documents.Number
    entry: int | str
    bot: str | UnsetType = UNSET
    mu: float
    sigma: float
    shown: float
    matches: documents.Count


class Rate(documents.Document, tag="gangland/rate/1"):
    """Ratings from matches, up to the first missing number (the cursor); `folded` counts the rated matches."""

    title = "gangland rate --json"

    game: documents.GameName
    seats: documents.Seats
    blocks: documents.Count
    folded: documents.Count
    void: documents.Count
    waiting: documents.Count
    cursor: documents.Count
    ratings: list[RatingRow]


class RebuiltRatings(documents.Part):
    """The recomputed ratings of a ladder or a tournament, and the largest change of a mu."""

    id: documents.Count
    name: str
    kind: Annotated[str, documents.one_of("ladder", "tournament")]
    game: documents.GameName
    seats: documents.Seats
    folded: documents.Count
    waiting: documents.Count
    cursor_was: documents.Count
    cursor: documents.Count
    seats_changed: documents.Count
    entries_changed: documents.Count
    largest: float
    differed: bool


class RateRebuild(documents.Document, tag="gangland/rate-rebuild/1"):
    """The recomputed ratings of a site."""

    title = "gangland rate --rebuild --json"

    differed: bool
    tournaments: list[RebuiltRatings]
