"""What travels between the record worker and a referee: a match to play, and its result."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil, log2
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta, Struct

# Orders and results.
#
# Both are JSON. A result is input from a stranger: it is decoded strictly and bounded here, and `judging` plays every
# game of it again before it counts.


MAX_BLOCKS = 1000
HIGHEST_OCTAVE = 40
"""The last class of think time; its decisions took 13 days and more, which no limit allows."""
MOST_THOUGHTS = 1_000_000
"""At most this many decisions of a class are counted; a result may tell of no more."""
RESULT_BYTES = 40 * 1024 * 1024
"""What a result may take in a queue, as `queued_bytes` counts; the gate in front of the record worker lets in more."""
CUT = "... cut: the logs of this match take more room than its result has"
LOG_CHARS = 70_000
"""The most that a bot's log of one game may have; each line has two characters at least, with its end."""
Digest = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
NO_NUL = r"\A[^\x00]*\Z"
"""What a stranger's text must look like to be kept: PostgreSQL takes no NUL in a text."""
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
Thought = Annotated[int, Meta(ge=0, le=MOST_THOUGHTS)]


class Seat(Struct, frozen=True, forbid_unknown_fields=True):
    """One entry at the table: its id, what to call it, and the SHA-256 of its code.

    Attributes:
        bot: the id of its bot on a site, for the log alone.
    """

    entry: int
    name: Name
    code: Digest
    bot: int | None = None


class Order(Struct, frozen=True, forbid_unknown_fields=True):
    """One match to play.

    Attributes:
        id: of the match.
        blocks: one seed a block, 64 hexadecimal digits each.
        rng_key: the key of the bots' own generators, 64 hexadecimal digits.
        seats: in entry order; `gangland.blocks.seating` says who sits where in each game.
        check: index of the seat whose bot is checked before anything is played (trials).
        check_only: nothing is played; the bot is checked for a short time, and its report is the answer.
    """

    id: int
    game: str
    options: dict[str, Any]
    blocks: Annotated[list[Digest], Meta(min_length=1, max_length=MAX_BLOCKS)]
    rng_key: Digest
    seats: Annotated[list[Seat], Meta(min_length=1, max_length=4)]
    limits: dict[str, Any]
    check: int | None = None
    check_only: bool = False


class FaultRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's failure in a game; see `gangland.faults.Fault`."""

    seat: SeatIndex
    kind: Annotated[str, Meta(max_length=32, pattern=NO_NUL)]
    message: Message
    round: Count
    decision: Count | None


class GameRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """One game of a match.

    Attributes:
        seating: for each seat, the index of its bot in the order's seats.
        replay: a replay as JSON text, in the one form that `Replay.to_json` gives it.
        views: the digest of the observations sent; see `gangland_ladder.matches.judging`.
        logs: what each bot logged, in seat order.
        log_marks: by seat, which part of its log was written at which decision.
    """

    block: Count
    rotation: SeatIndex
    seating: Annotated[list[SeatIndex], Meta(min_length=2, max_length=4)]
    replay: Annotated[str, Meta(max_length=1_000_000, pattern=NO_NUL)]
    views: Digest
    faults: Annotated[list[FaultRecord], Meta(max_length=16)]
    logs: Annotated[list[Annotated[str, Meta(max_length=LOG_CHARS)]], Meta(max_length=4)]
    log_marks: Annotated[
        list[Annotated[list[tuple[Count, Count, Count]], Meta(max_length=LOG_CHARS // 2)]], Meta(max_length=4)
    ] = []


class Problem(Struct, frozen=True, forbid_unknown_fields=True):
    """One finding of a check: its code in the catalogue, what is wrong, and where.

    Attributes:
        code: of the error catalogue.
        message: the first line says what is wrong, those after it what else there is to know.
        line: in the bot's file.
        method: the kind of decision, such as dice for choose_dice; empty where none is at fault.
        view: the first view of the check at which it was found, from 1, for --view.
        times: at how many views it was found.

    The words may be a bot's own, so whoever makes a problem makes one that can be sent: the message is made
    `sendable`.
    """

    code: Annotated[str, Meta(max_length=8, pattern=NO_NUL)]
    message: Message
    line: int | None = None
    method: Annotated[str, Meta(max_length=32, pattern=NO_NUL)] = ""
    view: Count | None = None
    times: Count = 1

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "message", sendable(self.message))


class FailingView(Struct, frozen=True, forbid_unknown_fields=True):
    """What a bot saw where a check found something.

    Attributes:
        number: of the view in the check, from 1; a `Problem` names it.
        fields: all that can be read off the view, as name and text; see `gangland_ladder.common.texts`.
    """

    number: Count
    seat: SeatIndex
    seats: Annotated[int, Meta(ge=2, le=4)]
    round: Count
    fields: Annotated[list[tuple[Name, Message]], Meta(max_length=64)]


class MethodTimes(Struct, frozen=True, forbid_unknown_fields=True):
    """How long the answers to one kind of decision took, in CPU seconds.

    Attributes:
        method: the kind of decision.
        views: how many were asked.
        p50_s: median, in seconds.
        p99_s: 99th percentile, in seconds.
        max_s: in seconds.
    """

    method: Annotated[str, Meta(max_length=32, pattern=NO_NUL)]
    views: Count
    p50_s: float
    p99_s: float
    max_s: float


class CheckReport(Struct, frozen=True, forbid_unknown_fields=True):
    """What a check found; no problem means accepted.

    Attributes:
        bot: the name of the class, as the bot gave it.
        stages: the stages that were passed, of imported, legal, timed.
        slowest_s: the most CPU seconds that one decision took.
        methods: the times by kind of decision.
        bank_share: the largest share of the CPU or wall bank that one process used.
        warnings: of a thorough check; the bot is legal, but in danger.
        failing: what the bot saw, of each problem that names a view.
    """

    bot: Annotated[str, Meta(max_length=80, pattern=NO_NUL)]
    stages: Annotated[list[Annotated[str, Meta(max_length=16, pattern=NO_NUL)]], Meta(max_length=8)]
    problems: Annotated[list[Problem], Meta(max_length=100)]
    import_s: float
    slowest_s: float
    decisions: Count
    methods: Annotated[list[MethodTimes], Meta(max_length=32)] = []
    bank_share: float = 0.0
    warnings: Annotated[list[Problem], Meta(max_length=100)] = []
    failing: Annotated[list[FailingView], Meta(max_length=100)] = []


class Result(Struct, frozen=True, forbid_unknown_fields=True):
    """The result of an order.

    Attributes:
        void: why nobody is to blame, when the match could not be played; no games then.
        cpu_s: CPU seconds of each bot, in the order's seats; informative.
        wall_s: seconds off the wall bank of each bot; informative.
        seconds: how long the match took; informative.
        match_cpu_s: CPU seconds of the match, of the referee and of the bots' processes; informative.
        think: of each bot, how many decisions took how long, by `octave`; informative.
        jails: how many jails were opened for the match; informative.
    """

    games: Annotated[list[GameRecord], Meta(max_length=MAX_BLOCKS * 4)]
    check: CheckReport | None = None
    void: Message | None = None
    cpu_s: Annotated[list[float], Meta(max_length=4)] = []
    wall_s: Annotated[list[float], Meta(max_length=4)] = []
    seconds: float = 0.0
    match_cpu_s: float = 0.0
    think: Annotated[list[dict[Octave, Thought]], Meta(max_length=4)] = []
    jails: Count = 0


# Messages on their way: cut to what a queue takes, and read strictly.


def sendable(text: str) -> str:
    """Return text that a `Message` may hold: cut to its length, without NUL and lone surrogates."""
    return text[:MESSAGE_CHARS].replace("\0", "\ufffd").encode("utf-8", "replace").decode()


def fitted(result: Result) -> Result:
    """Return a result that a queue takes: where its logs are too much, those of its last games are left out."""
    if queued_bytes(result) <= RESULT_BYTES:
        return result
    replace = msgspec.structs.replace
    bare = [replace(game, logs=[CUT for _ in game.logs], log_marks=[]) for game in result.games]
    left_bytes = RESULT_BYTES - queued_bytes(replace(result, games=bare))
    games = []
    for whole, without in zip(result.games, bare, strict=True):
        left_bytes -= queued_bytes(whole) - queued_bytes(without)
        games.append(whole if left_bytes >= 0 else without)
    return replace(result, games=games)


def queued_bytes(message: Result | GameRecord) -> int:
    """Return the most bytes that a message takes in a queue: as JSON, in ASCII, in JSON once more, and in base64."""
    data = msgspec.json.encode(message)
    not_ascii = len(data) - len(data.translate(None, bytes(range(128, 256))))
    return (len(data) + data.count(b'"') + data.count(b"\\") + 2 * not_ascii) * 4 // 3


def encode(message: Order | Result) -> bytes:
    """Return the message as JSON."""
    return msgspec.json.encode(message)


def decode_order(data: bytes | str) -> Order:
    """Read an order.  Raises ValueError: not an order; the message says where it differs from one."""
    return _ORDER.decode(data)


def decode_result(data: bytes | str) -> Result:
    """Read a result.  Raises ValueError: not a result; the message says where it differs from one."""
    return _RESULT.decode(data)


_ORDER = msgspec.json.Decoder(Order)
_RESULT = msgspec.json.Decoder(Result)


# Logs: what a bot logged in one game, and at which decision.
#
# The referee marks where the log is before each question and after its answer. What a bot writes about its decisions
# is text like all else.


LogMark = tuple[int, int, int]
"""A decision's number in the game, and where the log of it begins and ends, in characters."""
LogPart = tuple[int | None, str]
"""A piece of a log and the decision at which it was written; None between decisions, before and after them."""


class Log(NamedTuple):
    """A bot's log of one game; the marks go forward, in the game and in the text."""

    text: str
    marks: list[LogMark]


def log_parts(text: str, marks: Sequence[LogMark]) -> list[LogPart]:
    """Return a log cut up at its marks, in order; line ends between the parts, and empty ones, are left out."""
    return [part for part in _cut(text, marks) if part[1]]


def _cut(text: str, marks: Sequence[LogMark]) -> Iterator[LogPart]:
    at = 0
    for decision, begin, end in marks:
        yield None, text[at:begin].strip("\n")
        yield decision, text[begin:end]
        at = end
    yield None, text[at:].strip("\n")


# Think time: decisions counted by the power of two of CPU microseconds within which they were given.


def octave(seconds: float) -> int:
    """Return the class of a decision: it took at most 2**class microseconds, and more than half of that."""
    return min(HIGHEST_OCTAVE, max(0, ceil(log2(max(seconds, 1e-6) * 1e6))))


def octaves(decisions: Iterable[float]) -> dict[int, int]:
    """Return how many of some decisions, given in CPU seconds, are in each class, the quickest first."""
    ordered, counts, begin = sorted(decisions), {}, 0
    while begin < len(ordered):
        each = octave(ordered[begin])
        end = bisect_right(ordered, each, lo=begin, key=octave)
        counts[each], begin = min(end - begin, MOST_THOUGHTS), end
    return counts


def limit_s(octave: int) -> float:
    """Return the most CPU seconds that a decision of a class took."""
    return float(2**octave / 1e6)


def within_s(counts: Mapping[int, int], share: float) -> float | None:
    """Return the upper end of the class within which this share of the decisions was given, None without any."""
    left = share * sum(counts.values())
    for each in sorted(counts):
        left -= counts[each]
        if left <= 1e-9 and counts[each]:
            return limit_s(each)
    return None
