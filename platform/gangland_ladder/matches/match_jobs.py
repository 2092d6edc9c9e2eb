"""Messages between the record worker and a referee: a match to play, and its result."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil, log2
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta, Struct

# Jobs and results.
#
# Both are JSON. A result comes from an untrusted sender: here it is decoded strictly and its size is limited, and
# `judging` replays each of its games before the result counts.


MAX_BLOCKS = 1000
HIGHEST_OCTAVE = 40  # The last class of think time, for decisions that take over 6 days; no time limit allows them.
MAX_DECISIONS = 1_000_000  # Maximum number of decisions of one class in a result; larger counts are capped.
# Maximum size of a result in a queue, as `queued_bytes` counts it; the gate in front of the record worker allows more.
RESULT_BYTES = 40 * 1024 * 1024
REMOVED_LOG = "... log removed: the logs of this match are larger than a result allows"
LOG_CHARS = 70_000  # Maximum length of a bot's log of one game; a line has at least two characters, with its newline.
Digest = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
NO_NUL = r"\A[^\x00]*\Z"  # Pattern for untrusted text: PostgreSQL does not allow NUL in text.
Name = Annotated[str, Meta(min_length=1, max_length=80, pattern=NO_NUL)]
HIGHEST_ID = 2**31 - 1
MESSAGE_CHARS = 4000
Message = Annotated[str, Meta(max_length=MESSAGE_CHARS, pattern=NO_NUL)]
Release = Annotated[str, Meta(max_length=80, pattern=NO_NUL)]
Token = Annotated[str, Meta(max_length=64, pattern=NO_NUL)]
Id = Annotated[int, Meta(ge=1, le=HIGHEST_ID)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
SeatIndex = Annotated[int, Meta(ge=0, le=3)]
Octave = Annotated[int, Meta(ge=0, le=HIGHEST_OCTAVE)]
DecisionCount = Annotated[int, Meta(ge=0, le=MAX_DECISIONS)]


class Seat(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry at the table: its id, its name, and the SHA-256 of its code."""

    entry: int
    name: Name
    code: Digest
    bot: int | None = None  # the bot's id on a site, used only in logs


class MatchJob(Struct, frozen=True, forbid_unknown_fields=True):
    """A match to play."""

    id: int
    game: str
    options: dict[str, Any]
    # one seed per block, 64 hexadecimal digits
    blocks: Annotated[list[Digest], Meta(min_length=1, max_length=MAX_BLOCKS)]
    rng_key: Digest  # the key of the bots' own generators, 64 hexadecimal digits
    # in the order of the entries; `gangland.blocks.seating` returns the seating of each game
    seats: Annotated[list[Seat], Meta(min_length=1, max_length=4)]
    limits: dict[str, Any]
    check: int | None = None  # index of the seat whose bot is checked before play (trials)
    check_only: bool = False  # only check the bot, with a short time limit; the result is the report of the check


class FaultRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's fault in a game; see `gangland.faults.Fault`."""

    seat: SeatIndex
    kind: Annotated[str, Meta(max_length=32, pattern=NO_NUL)]
    message: Message
    round: Count
    decision: Count | None


class GameRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """A game of a match."""

    block: Count
    rotation: SeatIndex
    # for each seat, the index of its bot in the job's seats
    seating: Annotated[list[SeatIndex], Meta(min_length=2, max_length=4)]
    # as JSON text, exactly as `Replay.to_json` writes it
    replay: Annotated[str, Meta(max_length=1_000_000, pattern=NO_NUL)]
    views: Digest  # the digest of the observations sent; see `gangland_ladder.matches.judging`
    faults: Annotated[list[FaultRecord], Meta(max_length=16)]
    logs: Annotated[list[Annotated[str, Meta(max_length=LOG_CHARS)]], Meta(max_length=4)]  # of the bots, in seat order
    # by seat, the part of the log that belongs to each decision
    log_marks: Annotated[
        list[Annotated[list[tuple[Count, Count, Count]], Meta(max_length=LOG_CHARS // 2)]], Meta(max_length=4)
    ] = []


class Problem(Struct, frozen=True, forbid_unknown_fields=True):
    """A finding of a check: its catalog code, the problem, and its location.

    Attributes:
        message: the first line states the problem, the others have details.
        line: in the bot's file.
        method: the kind of decision, such as dice for choose_dice; empty if no method is at fault.
        view: number of the first view with the problem, from 1, for --view.
        times: number of views with the problem.
    """

    code: Annotated[str, Meta(max_length=8, pattern=NO_NUL)]
    message: Message  # may come from the bot, so `to_message` is applied to it
    line: int | None = None
    method: Annotated[str, Meta(max_length=32, pattern=NO_NUL)] = ""
    view: Count | None = None
    times: Count = 1

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "message", to_message(self.message))


class FailingView(Struct, frozen=True, forbid_unknown_fields=True):
    """A view in which a problem occurred, as the bot saw it."""

    number: Count  # position of the view in the check, from 1; a `Problem` refers to it
    seat: SeatIndex
    seats: Annotated[int, Meta(ge=2, le=4)]
    round: Count
    # all fields of the view, as pairs of name and text; see `gangland_ladder.common.texts`
    fields: Annotated[list[tuple[Name, Message]], Meta(max_length=64)]


class MethodTimes(Struct, frozen=True, forbid_unknown_fields=True):
    """CPU seconds of the answers to one kind of decision: their median, 99th percentile and maximum."""

    method: Annotated[str, Meta(max_length=32, pattern=NO_NUL)]
    views: Count
    p50_s: float
    p99_s: float
    max_s: float


class CheckReport(Struct, frozen=True, forbid_unknown_fields=True):
    """The report of a check; a bot without problems is accepted."""

    bot: Annotated[str, Meta(max_length=80, pattern=NO_NUL)]  # the name of the bot's class
    # the stages that the bot passed: imported, legal, timed
    stages: Annotated[list[Annotated[str, Meta(max_length=16, pattern=NO_NUL)]], Meta(max_length=8)]
    problems: Annotated[list[Problem], Meta(max_length=100)]
    import_s: float
    slowest_s: float  # CPU seconds of the slowest decision
    decisions: Count
    methods: Annotated[list[MethodTimes], Meta(max_length=32)] = []  # the times by kind of decision
    bank_share: float = 0.0  # the largest used share of a time bank (CPU or wall time)
    # findings of a thorough check about a bot that is legal but at risk
    warnings: Annotated[list[Problem], Meta(max_length=100)] = []
    failing: Annotated[list[FailingView], Meta(max_length=100)] = []  # the views that problems refer to


class Result(Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a match job."""

    games: Annotated[list[GameRecord], Meta(max_length=MAX_BLOCKS * 4)]
    check: CheckReport | None = None
    void: Message | None = None  # why the match could not be played, through no bot's fault; it then has no games
    # The following fields are informational only.
    cpu_s: Annotated[list[float], Meta(max_length=4)] = []  # CPU seconds of each bot in the job's seats
    wall_s: Annotated[list[float], Meta(max_length=4)] = []  # seconds that each bot used of its wall bank
    seconds: float = 0.0  # duration of the match
    match_cpu_s: float = 0.0  # CPU seconds of the referee and the bots' processes in the match
    # for each bot, number of decisions by `octave`
    think: Annotated[list[dict[Octave, DecisionCount]], Meta(max_length=4)] = []
    jails: Count = 0  # number of jails opened for the match


# Sending and receiving messages: their size is limited to what a queue allows, and they are read strictly.


def to_message(text: str) -> str:
    """Return a text as a `Message`: at most `MESSAGE_CHARS` long, and without NULs or lone surrogates."""
    return text[:MESSAGE_CHARS].replace("\0", "\ufffd").encode("utf-8", "replace").decode()


def shrink(result: Result) -> Result:
    """Return the result without the logs of some games if it is too large for a queue."""
    if queued_bytes(result) <= RESULT_BYTES:
        return result
    replace = msgspec.structs.replace
    bare_games = [replace(game, logs=[REMOVED_LOG for _ in game.logs], log_marks=[]) for game in result.games]
    left_bytes = RESULT_BYTES - queued_bytes(replace(result, games=bare_games))
    games = []
    for full_game, bare_game in zip(result.games, bare_games, strict=True):
        left_bytes -= queued_bytes(full_game) - queued_bytes(bare_game)
        games.append(full_game if left_bytes >= 0 else bare_game)
    return replace(result, games=games)


def queued_bytes(message: Result | GameRecord) -> int:
    """Return about the maximum size of a message in a queue, where its JSON is encoded a second time, in base64."""
    data = msgspec.json.encode(message)
    not_ascii = len(data) - len(data.translate(None, bytes(range(128, 256))))
    return (len(data) + data.count(b'"') + data.count(b"\\") + 2 * not_ascii) * 4 // 3


def encode(message: MatchJob | Result) -> bytes:
    """Return the message as JSON."""
    return msgspec.json.encode(message)


def decode_match_job(data: bytes | str) -> MatchJob:
    """Read a match job. Raises ValueError: the message is invalid; the error names the field."""
    return _JOB.decode(data)


def decode_result(data: bytes | str) -> Result:
    """Read a result. Raises ValueError: the message is invalid; the error names the field."""
    return _RESULT.decode(data)


_JOB = msgspec.json.Decoder(MatchJob)
_RESULT = msgspec.json.Decoder(Result)


# Logs: the text that a bot logged in one game, divided by decision.
#
# The referee marks the position in the log before each question and after the answer.


# A decision's number in the game, and the start and end of its part of the log, in characters.
LogMark = tuple[int, int, int]
LogPart = tuple[int | None, str]  # A part of a log and its decision; None before, between and after decisions.


class Log(NamedTuple):
    """A bot's log of one game; its marks ascend both by decision and by position in the text."""

    text: str
    marks: list[LogMark]


def log_parts(text: str, marks: Sequence[LogMark]) -> list[LogPart]:
    """Return a log split at its marks, without empty parts; unmarked parts have no newlines at their ends."""
    return [part for part in _split(text, marks) if part[1]]


def _split(text: str, marks: Sequence[LogMark]) -> Iterator[LogPart]:
    at = 0
    for decision, begin, end in marks:
        yield None, text[at:begin].strip("\n")
        yield decision, text[begin:end]
        at = end
    yield None, text[at:].strip("\n")


# Decision times: the number of decisions in each class; the limits of the classes are powers of two in microseconds.


def octave(seconds: float) -> int:
    """Return the class of a decision that took at most 2**class microseconds of CPU time, and more than half of that.

    The first class also includes all faster decisions, and the last class all slower ones.
    """
    return min(HIGHEST_OCTAVE, max(0, ceil(log2(max(seconds, 1e-6) * 1e6))))


def octaves(decisions: Iterable[float]) -> dict[int, int]:
    """Return the number of decisions in each class, fastest first; `decisions` are CPU seconds."""
    ordered, counts, begin = sorted(decisions), {}, 0
    while begin < len(ordered):
        bucket = octave(ordered[begin])
        end = bisect_right(ordered, bucket, lo=begin, key=octave)
        counts[bucket], begin = min(end - begin, MAX_DECISIONS), end
    return counts


def limit_s(octave: int) -> float:
    """Return the maximum CPU seconds of a decision in a class."""
    return float(2**octave / 1e6)


def quantile_limit_s(counts: Mapping[int, int], share: float) -> float | None:
    """Return the limit, in seconds, of the lowest class that covers this share of decisions; None if there are none."""
    remaining = share * sum(counts.values())
    for octave in sorted(counts):
        remaining -= counts[octave]
        if remaining <= 1e-9 and counts[octave]:
            return limit_s(octave)
    return None
