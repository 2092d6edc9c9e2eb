"""Schemas of the JSON that `gangland play`, `replay`, `verify`, `diff` and `analyze` print with `--json`."""

from typing import Annotated, Any, Self

from msgspec import UNSET, Meta, UnsetType

from gangland.replay import Replay as RecordedReplay
from gangland_ladder.analysis.account import GameFigures, Mark, Share
from gangland_ladder.analysis.comparison import Comparison
from gangland_ladder.analysis.summary import PlayerSummary
from gangland_ladder.common import documents

# Recorded games.

Places = Annotated[list[documents.Number], Meta(description="Each seat's place, from 1; equal places are shared.")]
NumberInFile = Annotated[documents.Number, Meta(description="The replay's number in the file, from 1.")]
LineInFile = Annotated[documents.Number, Meta(description="The line on which it begins.")]
Method = Annotated[str, Meta(description="The bot's method.")]
Address = Annotated[str, Meta(description="The place in the replay, such as r7.s2.d1.")]
SeatNumber = Annotated[documents.Count, Meta(description="The seat's number, from 0.")]
DecisionNumber = Annotated[documents.Count, Meta(description="The decision's number in the replay, from 0.")]
Partial = Annotated[bool, Meta(description="Whether it was interrupted.")]


class Replay(documents.Document, tag="gangland/replay/1"):
    """One game: its header and its decisions, which are enough to replay it.

    Attributes:
        rules: the version of the game's rules.
        seed: the game's seed, hexadecimal.
        decisions: all decisions in order, in the game's notation.
        faults: the seat and decision number of each fault; the number is null before the first decision.
        reason: why the game ended.
        digest: SHA-256 that seals the replay.
    """

    title = "A replay"

    game: documents.GameName
    rules: documents.Count
    seats: documents.Seats
    options: documents.Options
    seed: str
    decisions: list[Any]
    faults: list[tuple[documents.Count, documents.Count | None]]
    rounds: documents.Count
    places: Places
    reason: str
    digest: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]

    @classmethod
    def of(cls, replay: RecordedReplay) -> Self:
        """Return the document of a replay."""
        values = replay.to_dict()
        return cls(*(values[name] for name in cls.__struct_fields__))


class Fault(documents.Part):
    """The fault of a seat.

    Attributes:
        code: the error code, for `gangland explain`.
        message: what happened, and what was expected.
        round: the round, from 1; 0 before the game.
        decision: the number of the decision in the game, from 0.
    """

    kind: str
    code: Annotated[str, Meta(pattern="^E[0-9]{3}$")] | None
    message: str
    round: documents.Count
    decision: documents.Count | None


class Logged(documents.Part):
    """A bot's log and output at a decision."""

    decision: documents.Count | None
    text: str


class GameSeat(documents.Part, kw_only=True):
    """A seat and its result.

    Attributes:
        log: the bot's log and output; only with --log.
        logged: the same by decision.
        person: whether a human sat there; `bot` is then the player's name.
        hints: numbers of the decisions for which a practicing player used a hint.
        differing: addresses of decisions that the bot made differently when a saved game was resumed; the replay
            has the valid ones.
    """

    bot: str
    code: documents.BotCode | UnsetType = UNSET
    place: documents.Number
    fault: Fault | UnsetType | None = UNSET
    log: str | UnsetType = UNSET
    logged: list[Logged] | UnsetType = UNSET
    person: bool | UnsetType = UNSET
    hints: list[documents.Count] | UnsetType = UNSET
    differing: list[str] | UnsetType = UNSET


class Game(documents.Document, tag="gangland/game/1", kw_only=True):
    """One game, its places and its replay; a file from a site has no seed, code, faults or views.

    Attributes:
        seats: the seats, in order.
        views: a digest of all views of the bots.
        rng_seeds: the seed of each seat's own `rng`.
        python: the minor version of Python that the bots ran on, such as 3.11.
    """

    title = "gangland play --json"

    game: documents.GameName
    seed: documents.Seed | UnsetType = UNSET
    salt: documents.Salt | UnsetType = UNSET
    options: documents.Options
    seats: list[GameSeat]
    rounds: documents.Count
    decisions: documents.Count
    views: str | UnsetType = UNSET
    rng_seeds: list[str] | UnsetType = UNSET
    python: str | UnsetType = UNSET
    replay: Replay


class StoryLine(documents.Part):
    """A sentence, and the number of the decision that caused it, from 0."""

    round: documents.Count
    seat: documents.Count | None
    decision: documents.Count | None
    text: str


class Story(documents.Document, tag="gangland/story/1"):
    """A recorded game, sentence by sentence."""

    title = "gangland replay --json"

    game: documents.GameName
    seats: documents.Seats
    lines: list[StoryLine]


class ListedReplay(documents.Part):
    """A replay in a file of several, or the reason why it cannot be read.

    Attributes:
        match: the match's number for `gangland reproduce`, if the game is in an archive.
        block, rotation: from 0, if the game is in an archive.
        bots: the bots in seat order, if the file names them.
        message: why the replay cannot be read; the other members are then left out.
    """

    number: NumberInFile
    line: LineInFile
    match: documents.Number | UnsetType = UNSET
    block: documents.Count | UnsetType = UNSET
    rotation: documents.Count | UnsetType = UNSET
    bots: list[str] | UnsetType = UNSET
    game: documents.GameName | UnsetType = UNSET
    seats: documents.Seats | UnsetType = UNSET
    options: documents.Options | UnsetType = UNSET
    rounds: documents.Count | UnsetType = UNSET
    places: Places | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    message: str | UnsetType = UNSET


GAME_MEMBERS = ("game", "seats", "options", "rounds", "places", "reason")
_ONE_OF = {"oneOf": [{"required": list(GAME_MEMBERS)}, {"required": ["message"]}]}


class Replays(documents.Document, tag="gangland/replays/1"):
    """The replays in a file of several, with the numbers that select them."""

    title = "gangland replay --json"

    replays: list[Annotated[ListedReplay, Meta(extra_json_schema=_ONE_OF)]]


class Failure(documents.Part):
    """A replay that differs from the record when it is replayed."""

    number: NumberInFile
    line: LineInFile
    message: str


class Verify(documents.Document, tag="gangland/verify/1"):
    """Whether replaying the decisions gives the recorded games.

    Attributes:
        verified: null if the check was interrupted without a failure.
        failures: the first 1000.
    """

    title = "gangland verify --json"

    verified: bool | None
    replays: documents.Count
    failed: documents.Count
    failures: list[Failure]


# Comparisons of two versions of a bot in recorded games.


class ComparedVersion(documents.Part):
    """One of the two versions; `deterministic` is null if there is no difference."""

    bot: str
    code: documents.BotCode
    faults: documents.FaultKinds
    deterministic: bool | None


class MethodCounts(documents.Part):
    """The decisions of a method, and those that differ."""

    method: Method
    decisions: documents.Count
    differing: documents.Count


class SituationCounts(documents.Part):
    """The decisions of a method in one kind of situation, and those that differ."""

    method: Method
    situation: str
    decisions: documents.Count
    differing: documents.Count


class Unusable(documents.Part):
    """A recording that cannot be used."""

    file: str
    game: documents.Count
    message: str


class AnswerFault(documents.Part):
    """The fault of a version."""

    kind: str
    message: str


class Answered(documents.Part):
    """The answer of a version: a decision or a fault."""

    decision: Any
    fault: AnswerFault | None


class DifferingDecision(documents.Part):
    """A decision that the versions make differently; unsteady versions changed their answer when asked twice."""

    file: str
    game: documents.Number
    at: Address | None
    round: documents.Count
    seat: SeatNumber
    method: Method
    decision: documents.Count | None
    situation: str
    view: str
    recorded: Any
    old: Answered
    new: Answered
    unsteady: list[Annotated[str, documents.one_of("new", "old")]]


class Diff(documents.Document, tag="gangland/diff/1"):
    """Where two versions would decide differently in recorded games.

    Attributes:
        python: the minor version of Python that both ran on, such as 3.11.
        recorded_on: the Python versions of the recorded games, if known; on another one, bots may decide differently.
        unusable: the first recordings that cannot be used.
        comparison: the costs of both versions' decisions, with --analyze; else null.
    """

    title = "gangland diff --json"

    game: documents.GameName
    new: ComparedVersion
    old: ComparedVersion
    partial: Partial
    games: documents.Count
    decisions: documents.Count
    differing: documents.Count
    python: str
    recorded_on: list[str]
    methods: list[MethodCounts]
    situations: list[SituationCounts]
    unusable: list[Unusable]
    differences: list[DifferingDecision]
    comparison: Comparison | None


# Games with judged decisions.


class AnalyzedGame(documents.Document, tag="gangland/analyzed-game/1"):
    """A line of the `--out` file: the figures of one game, its replay's SHA-256, and the seed of the samples."""

    title = "gangland analyze --out"

    replay: str
    seed: documents.Count
    figures: GameFigures


class Analyzed(documents.Document, tag="gangland/analysis/1"):
    """An analysis of recorded games: the cost of each bot's decisions.

    Attributes:
        seed: the seed of the samples.
        games: the number of games analyzed.
        unfinished: the number of games cut off by the time limit.
        unusable: the first games that cannot be used.
        players: one per bot, or one per seat for a single game.
        comparison: the comparison of two bots with --compare; else null.
    """

    title = "gangland analyze --json"

    seed: documents.Count
    partial: Partial
    games: documents.Count
    unfinished: documents.Count
    unusable: list[Unusable]
    players: list[PlayerSummary]
    comparison: Comparison | None


class RankedOption(documents.Part):
    """A legal decision.

    Attributes:
        words: the decision as text.
        value: the seat's value after it.
        cost: the loss compared with the best decision.
        error: the cost's standard error.
        odds: the probabilities of named outcomes.
        played: whether this decision was played.
    """

    rank: documents.Number
    decision: Any
    words: str
    value: Share
    cost: Share
    error: Share
    mark: Mark
    odds: dict[str, documents.Probability]
    played: bool


class AnalyzedDecision(documents.Document, tag="gangland/analyzed-decision/1"):
    """Every legal decision at one place of a recorded game, best first, with a summary of the seat's view."""

    title = "gangland analyze --decision --json"

    game: documents.GameName
    seats: documents.Seats
    at: Address
    round: documents.Count
    seat: SeatNumber
    number: DecisionNumber
    method: Method
    view: str
    fault: Annotated[bool, Meta(description="Whether the seat failed here.")]
    options: Annotated[list[RankedOption], Meta(min_length=1)]


class ContinuedGame(documents.Document, tag="gangland/continued-game/1"):
    """A recorded game continued from a decision: the best one there, then the reference player at every seat.

    Attributes:
        recorded: the decision played.
        decision: the best one.
        recorded_scores, scores: by seat, the share of the table that it finished ahead of (a tie counts half), in the
            recorded game and in this one.
    """

    title = "gangland analyze --from-here --json"

    at: Address
    seat: SeatNumber
    number: DecisionNumber
    recorded: Any
    decision: Any
    recorded_scores: list[documents.Probability]
    scores: list[documents.Probability]
    replay: Replay
