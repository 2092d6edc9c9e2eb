"""Analyze recorded games with the game's reference player, and continue games from one of their decisions."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from msgspec import Struct, json

from gangland.faults import BotFault, FaultKind
from gangland.game import Decision, Outcome
from gangland.games import game_named
from gangland.match import FinishedGame, Player, Table
from gangland.replay import FAULT, Replay, Step, StepAnswer, expand, verify
from gangland.view import View
from gangland_ladder.analysis.account import MISTAKES, Analysis, Judged, Moment, Option, Values, scores_of
from gangland_ladder.analysis.games import Reference, reference_of
from gangland_ladder.common.texts import address

# Analyzing a game: the game is replayed step by step, and the reference follows it.


class AnalysisUnavailable(ValueError):
    """The game has no reference, or the reference does not cover this table or decision."""


# Called after each step with the reference and all moments so far.
StepCallback = Callable[[Reference[Any], Sequence[Moment]], None]


def analyze(
    replay: Replay, *, seed: int = 0, has_time: Callable[[], bool] = lambda: True, on_step: StepCallback | None = None
) -> Analysis:
    """Return the analysis of a game.

    Args:
        has_time: called before every step; once it returns False, the remaining steps are not analyzed.

    Raises AnalysisUnavailable: this game and table have no reference; ReplayError: the replay is invalid.
    """
    reference = reference_for(replay, seed)
    moments: list[Moment] = []
    complete = True
    steps = list(expand(replay))
    for step in steps:
        complete = complete and has_time()
        if not complete:
            break
        moments.append(reference.follow(step))
        if on_step is not None:
            on_step(reference, moments)
    return assemble_analysis(
        replay, steps, ReferencePart(reference.version, tuple(reference.start), tuple(moments), complete=complete)
    )


@dataclass(frozen=True, slots=True)
class ReferencePart:
    """The reference's part of an `Analysis`, for a game or its first steps; the replay has the rest."""

    version: str
    start: Values
    moments: tuple[Moment, ...]
    complete: bool


def assemble_analysis(replay: Replay, steps: Sequence[Step], known: ReferencePart) -> Analysis:
    """Return the analysis of a game from its steps and the reference's part. Raises ValueError: it is not over."""
    addresses: list[str] = []
    counted: Counter[tuple[int, int]] = Counter()
    for step in steps:
        for answer in step.answers:
            if answer.number is not None:
                counted[step.round, answer.seat] += 1
                addresses.append(address(step.round, answer.seat, counted[step.round, answer.seat]))
    at_fault = frozenset(seat for seat, _ in replay.faults)
    outcome: Outcome | None = game_named(replay.game).outcome(steps[-1].after, at_fault)
    if outcome is None:
        raise ValueError("expected the steps of a whole game")
    return Analysis(
        game=replay.game,
        seats=replay.seats,
        start=known.start,
        moments=known.moments,
        scores=scores_of(outcome),
        complete=known.complete,
        version=known.version,
        rounds=replay.rounds,
        addresses=tuple(addresses),
    )


def options_at(replay: Replay, number: int, *, seed: int = 0) -> tuple[Step, StepAnswer, Sequence[Option]]:
    """Return the step of a recorded decision, the decision, and all options of its seat, best first.

    Raises AnalysisUnavailable: the table has no reference, or it does not judge this decision; ReplayError: the replay
    is invalid; ValueError: there is no such decision.
    """
    reference = reference_for(replay, seed)
    step, answer = decision_at(replay, number)
    options = reference.options(step.before, answer.seat, step.defaulting)
    if not options:
        raise AnalysisUnavailable("the reference does not judge this decision, because solving it would take too long")
    return step, answer, options


def decision_at(replay: Replay, number: int) -> tuple[Step, StepAnswer]:
    """Return a recorded decision and its step. Raises ReplayError; ValueError: there is no such decision."""
    for step in expand(replay):
        for answer in step.answers:
            if answer.number == number:
                return step, answer
    raise ValueError(f"expected a decision from 0 to {len(replay.decisions) - 1}, not {number}")


def reference_for(replay: Replay, seed: int) -> Reference[Any]:
    """Return a reference at the start of a recorded game. Raises AnalysisUnavailable: its table has no reference."""
    game = game_named(replay.game)
    reference = reference_of(replay.game, replay.seats, game.options(replay.options), seed)
    if reference is None:
        raise AnalysisUnavailable(f"there is no analysis of {game.title} for {replay.seats} seats")
    return reference


# Continuations: the game is continued from one decision, with the best decision in its place and the same dice.
#
# A die depends only on the seed, the round, the seat, the roll and its position in the roll. So a die that is rolled at
# the same point as in the recorded game shows the same face.

PER_SEAT: Final = 3  # Maximum number of continuations per seat when a game is shown with its analysis.


@dataclass(frozen=True, slots=True)
class Continuation:
    """A recorded game that is continued from one of its decisions.

    Attributes:
        number: the number of the first decision that differs; `seat` made it.
        kind: the kind of question that the decision answers.
        decision: the decision in the continuation.
        replay: the continued game.
        recorded, scores: scores by seat, in the recorded game and in the continued one.
    """

    number: int
    seat: int
    kind: str
    decision: Decision
    replay: Replay
    recorded: Values
    scores: Values


class StoredContinuation(Struct):
    """The stored form of a continuation: all decisions from `number` on."""

    number: int
    decisions: list[Any]


class OutOfTime(Exception):
    """The time limit was reached before a continuation was finished."""


class NoContinuation(ValueError):
    """The decisions do not continue the recorded game; the message says why."""


def continue_game(
    replay: Replay,
    number: int,
    *,
    best: Decision | None = None,
    seed: int = 0,
    has_time: Callable[[], bool] = lambda: True,
) -> Continuation:
    """Return a recorded game continued from a decision with the best decision; then the reference plays every seat.

    Before that decision, and for seats that decide at the same time, the recorded decisions are used.

    Raises AnalysisUnavailable: the table has no reference, or it does not judge this decision; OutOfTime: `has_time`
    returned False; ReplayError: the replay is invalid; ValueError: there is no such decision.
    """
    if best is None:
        best = options_at(replay, number, seed=seed)[2][0].decision
    step, _ = decision_at(replay, number)
    fixed = {answer.number for answer in step.answers if answer.number is not None}
    reference = reference_for(replay, seed)

    def decide(table: Table, seat: int, current: int) -> object:
        if current == number:
            return best
        if current < number or current in fixed:
            return _recorded_decision(replay.decisions[current])
        if not has_time():
            raise OutOfTime
        return reference.decide(table.state, seat, Random(f"{seed} {current}"), table.defaulting)

    return _continuation(replay, number, best, _play(replay, decide))


def stored_form(continuation: Continuation) -> StoredContinuation:
    """Return the stored form of a continuation."""
    return StoredContinuation(continuation.number, list(continuation.replay.decisions[continuation.number :]))


def load_continuation(replay: Replay, stored: StoredContinuation) -> Continuation:
    """Return a continuation from its stored form. Raises the same errors as `continued_replay`."""
    played = continued_replay(replay, stored)
    return _continuation(replay, stored.number, played.replay.decisions[stored.number], played)


def continued_replay(replay: Replay, stored: StoredContinuation) -> FinishedGame:
    """Play a continuation from its stored form.

    Raises NoContinuation: a decision is illegal, or decisions are missing.
    """
    if not 0 <= stored.number < len(replay.decisions):
        raise NoContinuation(f"expected a decision from 0 to {len(replay.decisions) - 1}, not {stored.number}")
    decisions = [*replay.decisions[: stored.number], *stored.decisions]

    def decide(_table: Table, _seat: int, current: int) -> object:
        if current >= len(decisions):
            raise NoContinuation(f"the game is not over after its {len(decisions)} decisions")
        return _recorded_decision(decisions[current])

    played = _play(replay, decide)
    if json.encode(played.replay.decisions) != json.encode(decisions):
        raise NoContinuation("a decision is not legal, or comes after the end of the game")
    return played


def costliest(judged: Iterable[Judged], limit: int = PER_SEAT) -> list[Judged]:
    """Return the decisions at which to start continuations: each seat's costliest decisions marked as mistakes."""
    by_seat: dict[int, list[Judged]] = {}
    for decision in sorted(judged, key=lambda decision: -decision.cost):
        is_mistake = decision.mark in MISTAKES and decision.best.decision != decision.chosen.decision
        if decision.number is not None and is_mistake:
            by_seat.setdefault(decision.seat, []).append(decision)
    return [decision for decisions in by_seat.values() for decision in decisions[:limit]]


def _continuation(replay: Replay, number: int, best: Any, played: FinishedGame) -> Continuation:
    _, answer = decision_at(replay, number)
    before, after = scores_of(verify(replay)), scores_of(played.outcome)
    return Continuation(number, answer.seat, answer.kind, best, played.replay, before, after)


def _play(replay: Replay, decide: Callable[[Table, int, int], object]) -> FinishedGame:

    class Seat:
        def __init__(self, seat: int) -> None:
            self.seat = seat

        def decide(self, _kind: str, _view: View, current: int) -> object:
            return decide(table, self.seat, current)

    seats: Sequence[Player] = [Seat(seat) for seat in range(replay.seats)]
    failed: Mapping[int, BotFault] = {seat: _recorded_fault() for seat, decision in replay.faults if decision is None}
    seed = bytes.fromhex(replay.seed)
    table = Table(game_named(replay.game), seats, seed, options=replay.options, early_faults=failed)
    while table.outcome is None:
        table.play_ply()
    return table.finished_game()


def _recorded_decision(decision: object) -> object:
    if decision == FAULT:
        raise _recorded_fault()
    return decision


def _recorded_fault() -> BotFault:
    return BotFault(FaultKind.CRASHED, "failed in the recorded game")
