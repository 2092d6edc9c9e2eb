"""Expand and verify replays by playing their decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from gangland.chance import SeededChance
from gangland.faults import IllegalDecision
from gangland.game import IMMEDIATE_ENDS, ROUND_BEGAN, Decision, Event, Game, Outcome
from gangland.games import game_named
from gangland.replay_form import FAULT as FAULT
from gangland.replay_form import SCHEMA as SCHEMA
from gangland.replay_form import JsonWriter as JsonWriter
from gangland.replay_form import RecordedDecision as RecordedDecision
from gangland.replay_form import Replay as Replay
from gangland.replay_form import ReplayError as ReplayError
from gangland.replay_form import digest_of as digest_of
from gangland.replay_form import from_dict as from_dict
from gangland.replay_form import load as load
from gangland.replay_form import parse_json as parse_json
from gangland.replay_form import with_digest as with_digest
from gangland.view import View

OnView = Callable[[int, str, View], None]
OnRound = Callable[[Any], None]


class StepAnswer(NamedTuple):
    """One seat's answer in a step; `by_default`: the seat is at fault; `number`: None if it already was."""

    seat: int
    kind: str
    number: int | None
    decision: Decision
    by_default: bool


class Step(NamedTuple):
    """One ply of a replay: the answers to the questions of `before`, and their effect.  The first step asks nothing.

    `defaulting` has the seats at fault that the views of this ply showed.
    """

    round: int
    before: Any
    after: Any
    answers: tuple[StepAnswer, ...]
    events: tuple[Event, ...]
    defaulting: frozenset[int]


def played_events(events: tuple[Event, ...], outcome: Outcome | None) -> tuple[Event, ...]:
    """Return the events of a ply, without the start of the next round if a fault ended the game before it."""
    if outcome is None or outcome.reason not in IMMEDIATE_ENDS:
        return events
    begun = next((index for index, event in enumerate(events) if event[0] == ROUND_BEGAN), len(events))
    return events[:begun]


def expand(replay: Replay) -> Iterator[Step]:
    """Yield every ply of a replay, the setup first.  Raises ReplayError: the replay cannot be played."""
    player = _Replayer(replay)
    yield player.first
    while player.outcome is None:
        yield player.step()
    player.finish()


def verify(replay: Replay, on_step: Callable[[Step], None] | None = None) -> Outcome:
    """Play the replay, check its recorded result, and return the outcome.  Raises ReplayError: the first difference.

    Args:
        on_step: called with every ply that asked something, in order.
    """
    return verify_events(replay, on_step)[0]


def verify_events(
    replay: Replay,
    on_step: Callable[[Step], None] | None = None,
    json_writer: JsonWriter | None = None,
    on_view: OnView | None = None,
    on_round: OnRound | None = None,
) -> tuple[Outcome, list[Event]]:
    """Verify the replay as `verify` does; return the outcome and all events of the game, from the setup on.

    It is faster without faults and `on_step`, because then it makes no steps.

    Args:
        json_writer: see `replay_form.digest_of`.
        on_view: called with seat, kind and view of every question, in the order in which they are asked.
        on_round: called with the first state of every round, and with the last state of the game.
    """
    if on_step is None and not replay.faults:
        outcome, rounds, events = _play_without_faults(replay, on_view, on_round)
    else:
        outcome, rounds, events = _play_in_steps(replay, on_step, on_view, on_round)
    recorded = (list(replay.places), replay.reason, replay.rounds, replay.digest)
    replayed = (list(outcome.places), outcome.reason.value, rounds, digest_of(replay, events, json_writer))
    for name, wrong, right in zip(("places", "reason", "rounds", "digest"), recorded, replayed, strict=True):
        if wrong != right:
            raise ReplayError(f"the replay records {name} {wrong!r}, but playing it gives {right!r}")
    return outcome, events


def _play_without_faults(
    replay: Replay, on_view: OnView | None, on_round: OnRound | None
) -> tuple[Outcome, int, list[Event]]:
    """Return outcome, rounds and events of a replay without faults, like `_Replayer` but without making steps."""
    game, chance, recorded = game_named(replay.game), SeededChance(bytes.fromhex(replay.seed)), replay.decisions
    pending, observe, resolve = game.pending, game.observe, game.resolve
    state, first_events = _start(game, replay, chance)
    events, number, last_round = list(first_events), 0, 0
    while (outcome := game.outcome(state)) is None:
        if on_round is not None and game.round(state) != last_round:
            last_round = game.round(state)
            on_round(state)
        decisions = {}
        for question in pending(state):
            seat, kind = question.seat, question.kind
            decisions[seat] = _decision(game, state, seat, kind, recorded, number)
            if on_view is not None:
                on_view(seat, kind, observe(state, seat))
            number += 1
        state, new_events = resolve(state, decisions, chance)
        events += new_events
    _check_all_used(recorded, number)
    if on_round is not None:
        on_round(state)
    return outcome, game.round(state), events


def _play_in_steps(
    replay: Replay, on_step: Callable[[Step], None] | None, on_view: OnView | None, on_round: OnRound | None
) -> tuple[Outcome, int, list[Event]]:
    player, last_round = _Replayer(replay), 0
    events = list(player.first.events)
    while player.outcome is None:
        step = player.step()
        events += step.events
        if on_round is not None and step.round != last_round:
            last_round = step.round
            on_round(step.before)
        if on_view is not None:
            for seat, kind, number, _, _ in step.answers:
                if number is not None:
                    on_view(seat, kind, player.game.observe(step.before, seat, step.defaulting))
        if on_step is not None:
            on_step(step)
    player.finish()
    if on_round is not None:
        on_round(player.state)
    return player.outcome, player.rounds, events


def _start(game: Game[Any], replay: Replay, chance: SeededChance) -> tuple[Any, tuple[Event, ...]]:
    try:
        return game.start(replay.seats, game.options(replay.options), chance)
    except ValueError as error:
        raise ReplayError(str(error)) from error


def _decision(
    game: Game[Any], state: Any, seat: int, kind: str, recorded: Sequence[RecordedDecision], number: int
) -> Decision:
    """Return the decision with this number in canonical form.  Raises ReplayError: it is not legal for the seat."""
    if number >= len(recorded):
        raise ReplayError(f"the replay ends after {number} decisions, in the middle of the game")
    answer = recorded[number]
    if answer == FAULT:
        raise ReplayError(f"decision {number} is a fault of seat {seat + 1}, but the list of faults lacks it")
    try:
        decision = game.check(state, seat, answer)
    except IllegalDecision as error:
        raise ReplayError(f"decision {number} of seat {seat + 1}, choose_{kind}: {error}") from error
    if decision != answer:
        raise ReplayError(f"decision {number} of seat {seat + 1} is {answer!r}, in canonical form {decision!r}")
    return decision


def _check_all_used(recorded: Sequence[RecordedDecision], number: int) -> None:
    if number != len(recorded):
        raise ReplayError(f"the game was over after {number} of {len(recorded)} decisions")


class _Replayer:
    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.game: Game[Any] = game_named(replay.game)
        self.chance = SeededChance(bytes.fromhex(replay.seed))
        self.failures = {decision: seat for seat, decision in replay.faults if decision is not None}
        self.defaulting = frozenset(seat for seat, decision in replay.faults if decision is None)
        self.shown = self.defaulting
        self.asked = 0
        self.state, events = _start(self.game, replay, self.chance)
        self.outcome = self.game.outcome(self.state, self.defaulting)
        self.rounds = self.round
        self.first = Step(self.round, None, self.state, (), events, self.defaulting)

    @property
    def round(self) -> int:
        return self.game.round(self.state)

    def step(self) -> Step:
        game, before, defaulting, number = self.game, self.state, self.defaulting, self.rounds
        if self.shown is not defaulting and not game.half_answered(before):
            self.shown = defaulting
        answers, decisions = [], {}
        for question in game.pending(before):
            answer = self._answer(question.seat, question.kind, defaulting)
            answers.append(answer)
            decisions[question.seat] = answer.decision
        self.state, events = game.resolve(before, decisions, self.chance)
        self.outcome = game.outcome(self.state, self.defaulting)
        if self.outcome is not None:
            played = played_events(events, self.outcome)
            self.rounds = self.round if played == events else number
            events = played
        else:
            self.rounds = self.round
        return Step(number, before, self.state, tuple(answers), events, self.shown)

    def _answer(self, seat: int, kind: str, defaulting: frozenset[int]) -> StepAnswer:
        if seat in defaulting:
            return StepAnswer(seat, kind, None, self.game.default(self.state, seat), True)
        number, recorded = self.asked, self.replay.decisions
        self.asked += 1
        if self.failures.get(number) == seat and recorded[number : number + 1] == (FAULT,):
            self.defaulting |= {seat}
            return StepAnswer(seat, kind, number, self.game.default(self.state, seat), True)
        return StepAnswer(seat, kind, number, _decision(self.game, self.state, seat, kind, recorded, number), False)

    def finish(self) -> None:
        _check_all_used(self.replay.decisions, self.asked)
        for number in self.failures:
            if number >= self.asked or self.replay.decisions[number] != FAULT:
                raise ReplayError(f"the list of faults has decision {number}, which is not a fault")
