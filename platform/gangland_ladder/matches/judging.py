"""Judge the result of a match by replaying every game from its decisions."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from gangland.blocks import seating
from gangland.faults import FaultKind
from gangland.game import Event, Game, Outcome
from gangland.games import game_named
from gangland.luck import luck_from
from gangland.replay import OnRound, Replay, ReplayError, Step, load, verify_events
from gangland.view import View
from gangland_ladder.analysis.luck import SeatLuck, match_luck
from gangland_ladder.common.texts import match_game_at
from gangland_ladder.matches.match_jobs import FaultRecord, GameRecord, MatchJob, Result
from gangland_sandbox.wire import question_bytes

# Judging a result.


_WIN_PARTS = 12  # Parts of a win, which up to four winners can share evenly.
_KINDS = frozenset(kind.value for kind in FaultKind)


class ResultRefused(ValueError):
    """The result is void, does not fit its job, or is not confirmed by a replay."""


@dataclass(slots=True)
class EntryScore:
    """One entry's result in a match. Lower places are better; tied bots get the average of the places they share."""

    entry: int
    mean_place: Fraction = Fraction(0)
    wins: int = 0
    win_share: Fraction = Fraction(0)
    games: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    block_places: list[Fraction] = field(default_factory=list)
    luck: SeatLuck | None = None

    @property
    def mean_luck(self) -> float:
        """Mean luck per game, in the game's unit, as the nearest float."""
        return float(self._luck.luck)

    @property
    def adjusted(self) -> float:
        """The mean place without net luck, as the nearest float."""
        return float(self._luck.adjusted)

    @property
    def _luck(self) -> SeatLuck:
        if self.luck is None:
            raise ValueError(f"the mean luck of entry {self.entry} has not been computed yet")
        return self.luck


@dataclass(frozen=True, slots=True)
class RefereedGame:
    """A game with the outcome that its referee reported."""

    record: GameRecord
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class JudgedGame:
    """A game confirmed by replay, with its outcome and its luck by seat, in the game's unit."""

    record: GameRecord
    replay: Replay
    outcome: Outcome
    luck: tuple[float, ...]
    lead_changes: int  # number of changes of the lead, compared at the beginning of each round and at the end


@dataclass(frozen=True, slots=True)
class JudgedMatch:
    """A confirmed result: one score per entry, in the order of the job's seats, and the games in canonical order."""

    scores: tuple[EntryScore, ...]
    games: tuple[JudgedGame, ...]


def judge(job: MatchJob, result: Result, *, rotations: int | None = None) -> JudgedMatch:
    """Replay every game of a result and return its scores. Raises ResultRefused: it is void or not confirmed."""
    if result.void is not None:
        raise ResultRefused(f"a void match has no score: {result.void}")
    expected = [(b, r) for b in range(len(job.blocks)) for r in range(rotations or len(job.seats))]
    if [(game.block, game.rotation) for game in result.games] != expected:
        raise ResultRefused(f"the games of match {job.id} must be exactly one per block and rotation, in order")
    games = tuple(_judge_game(job, record) for record in result.games)
    return JudgedMatch(_with_luck(job, games, scores_of(job, games)), games)


def match_digest(job: MatchJob, judged: JudgedMatch) -> str:
    """Return the SHA-256 of a match's result; times, tokens, attempts, logs and messages do not affect it."""
    document = {
        "codes": [seat.code for seat in job.seats],
        "blocks": job.blocks,
        "games": [
            [game.record.block, game.record.rotation, game.record.seating, game.record.replay, game.record.views]
            + [[fault.seat, fault.kind, fault.round, fault.decision] for fault in game.record.faults]
            for game in judged.games
        ],
    }
    return sha256(json.dumps(document, separators=(",", ":")).encode()).hexdigest()


def _judge_game(job: MatchJob, record: GameRecord) -> JudgedGame:
    label = match_game_at(job.id, record.block, record.rotation)
    seats = len(job.seats)
    if tuple(record.seating) != seating(record.block, record.rotation, seats):
        raise ResultRefused(f"{label}: {record.seating!r} is not the seating of this game")
    game = game_named(job.game)
    leads, rounds = _LeadCounter(game), dict[int, int]()

    def note_rounds(step: Step) -> None:
        rounds.update((answer.number, step.round) for answer in step.answers if answer.number is not None)

    try:
        replay = load(record.replay)
        options = game.options
        header = (replay.game, replay.seats, replay.seed, options(replay.options))
        if header != (job.game, seats, job.blocks[record.block], options(job.options)):
            raise ResultRefused(f"{label}: the replay does not belong to this game of the job")
        if replay.to_json() != record.replay:
            raise ResultRefused(f"{label}: the replay is not in canonical form")
        outcome, views, events = verify_views(replay, note_rounds if replay.faults else None, leads.add)
    except ReplayError as error:
        raise ResultRefused(f"{label}: {error}") from error
    if views != record.views:
        raise ResultRefused(f"{label}: the views sent have the digest {record.views}, but the game gives {views}")
    _check_faults(label, record, replay, rounds)
    if len(record.log_marks) > len(record.logs):
        raise ResultRefused(f"{label}: there are marks for {len(record.log_marks)} logs, not {len(record.logs)}")
    for log, marks in zip(record.logs, record.log_marks, strict=False):
        last, at = -1, 0
        for decision, begin, end in marks:
            if not (last < decision < len(replay.decisions) and at <= begin < end <= len(log)):
                mark = (decision, begin, end)
                raise ResultRefused(f"{label}: {mark} is not a valid next mark in a log of {len(log)} characters")
            last, at = decision, end
    return JudgedGame(record, replay, outcome, luck_from(replay.game, replay.seats, events), leads.changes)


class _LeadCounter:
    """Counts the changes of the lead between the states of a game; a state with a shared lead changes nothing."""

    def __init__(self, game: Game[Any]) -> None:
        self.changes = 0
        self._game = game
        self._leader: int | None = None

    def add(self, state: Any) -> None:
        amounts = self._game.held(state)
        best = (max if self._game.unit.more_is_better else min)(amounts)
        if amounts.count(best) > 1:
            return
        leader = amounts.index(best)
        self.changes += self._leader not in (None, leader)
        self._leader = leader


def _check_faults(label: str, record: GameRecord, replay: Replay, rounds: dict[int, int]) -> None:
    """Check that every fault in the replay is recorded; other records must be for bots that failed after the end."""
    game_faults, end_faults = record.faults[: len(replay.faults)], record.faults[len(replay.faults) :]
    recorded = [(fault.seat, fault.decision) for fault in game_faults]
    if recorded != list(replay.faults):
        raise ResultRefused(f"{label}: the faults are {recorded!r}, but the replay has {list(replay.faults)!r}")
    if any(fault.decision is not None for fault in end_faults):
        raise ResultRefused(f"{label}: a fault is recorded at a decision, but the replay has no fault there")
    seats = [fault.seat for fault in record.faults]
    if len(set(seats)) < len(seats):
        raise ResultRefused(
            f"{label}: a seat can have only one fault per game, but there are faults for the seats {seats!r}"
        )
    for fault in record.faults:
        if fault.kind not in _KINDS or fault.seat >= replay.seats:
            raise ResultRefused(f"{label}: a fault cannot have the kind {fault.kind!r} and the seat {fault.seat + 1}")
    for fault in game_faults:
        _check_round(label, fault, 0 if fault.decision is None else rounds[fault.decision])
    for fault in end_faults:
        _check_round(label, fault, replay.rounds)


def _check_round(label: str, fault: FaultRecord, number: int) -> None:
    if fault.round != number:
        raise ResultRefused(f"{label}: the fault of seat {fault.seat + 1} must be in round {number}, not {fault.round}")


def scores_of(job: MatchJob, games: Sequence[RefereedGame | JudgedGame]) -> tuple[EntryScore, ...]:
    """Return the scores of a match, one per entry in the order of the job's seats."""
    scores = tuple(EntryScore(seat.entry) for seat in job.seats)
    blocks, shares = [[0] * len(job.blocks) for _ in scores], [0] * len(scores)
    for game in games:
        _count(game, scores, blocks, shares)
    for score, places, share in zip(scores, blocks, shares, strict=True):
        score.block_places = [Fraction(doubled * len(places), 2 * score.games) for doubled in places]
        score.mean_place = Fraction(sum(places), 2 * score.games)
        score.win_share = Fraction(share, _WIN_PARTS * score.games)
    return scores


def _with_luck(job: MatchJob, games: Sequence[JudgedGame], scores: tuple[EntryScore, ...]) -> tuple[EntryScore, ...]:
    game_luck: list[list[float]] = [[] for _ in scores]
    for game in games:
        for seat, index in enumerate(game.record.seating):
            game_luck[index].append(game.luck[seat])
    for score, luck in zip(scores, match_luck(job.game, game_luck, [each.mean_place for each in scores]), strict=True):
        score.luck = luck
    return scores


def _count(
    game: RefereedGame | JudgedGame, scores: tuple[EntryScore, ...], blocks: Sequence[list[int]], shares: list[int]
) -> None:
    """Add twice a game's places to `blocks`, by entry and block, and the parts of its win to `shares`, by entry."""
    places, winners = game.outcome.places, game.outcome.winners
    for seat, index in enumerate(game.record.seating):
        score = scores[index]
        score.games += 1
        blocks[index][game.record.block] += 2 * places[seat] + places.count(places[seat]) - 1
        if seat in winners:
            score.wins += 1
            shares[index] += _WIN_PARTS // len(winners)
    for fault in game.record.faults:
        faults = scores[game.record.seating[fault.seat]].faults
        faults[fault.kind] = faults.get(fault.kind, 0) + 1


# The digest of all views of a game. Anyone can recompute it from the replay.
#
# It is the SHA-256 of all questions of the game in order, including those that ended in a fault. A question is one byte
# for its seat, from 0, followed by its kind and the view's wire form in marshal version 2: the same bytes that the bot
# received. The bot's clock is not part of it.


class ViewsMismatch(ReplayError):
    """The views of a replay differ from those that the game's bots received."""


class ViewsDigest:
    """The digest of a game's views, updated with each question."""

    __slots__ = ("_hash",)

    def __init__(self) -> None:
        self._hash = sha256()

    def of_seat(self, seat: int) -> Callable[[bytes], None]:
        """Return a function that adds a question for this seat, given as the bytes from `wire.question_bytes`."""
        mark, update = bytes([seat]), self._hash.update

        def add(question: bytes) -> None:
            update(mark + question)

        return add

    def hexdigest(self) -> str:
        """Return the digest of all views so far, as 64 hexadecimal digits."""
        return self._hash.hexdigest()


class Verified(NamedTuple):
    """A game confirmed by replay: its outcome, the digest of its views, and all events."""

    outcome: Outcome
    views: str
    events: list[Event]


def verify_views(
    replay: Replay, on_step: Callable[[Step], None] | None = None, on_round: OnRound | None = None
) -> Verified:
    """Replay a game; see `verify_events`. Raises ReplayError: the replay differs from the recording."""
    digest = ViewsDigest()
    adders = [digest.of_seat(seat) for seat in range(replay.seats)]

    def add(seat: int, kind: str, view: View) -> None:
        adders[seat](question_bytes(kind, view.wire))

    outcome, events = verify_events(replay, on_step, msgspec.json.encode, add, on_round)
    return Verified(outcome, digest.hexdigest(), events)


def views_digest(replay: Replay) -> str:
    """Return the digest of a replay's views. Raises ReplayError: the replay differs from the recording."""
    return verify_views(replay).views


def check_views(digest: str, sent: str | None) -> None:
    """Compare a replay's digest of views with the recorded one, if any. Raises ViewsMismatch: they differ."""
    if sent is not None and digest != sent:
        raise ViewsMismatch(f"the views sent have the digest {sent}, but in the replay they have {digest}")
