"""Replays: a header and the decisions, expanded and verified by playing again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from gangland.chance import SeededChance
from gangland.faults import IllegalDecision
from gangland.game import AT_ONCE, ROUND_BEGAN, Decision, Event, Game, Outcome
from gangland.games import game_named
from gangland.replay_form import FAULT as FAULT
from gangland.replay_form import SCHEMA as SCHEMA
from gangland.replay_form import JsonWriter as JsonWriter
from gangland.replay_form import Recorded as Recorded
from gangland.replay_form import Replay as Replay
from gangland.replay_form import ReplayError as ReplayError
from gangland.replay_form import digest_of as digest_of
from gangland.replay_form import from_dict as from_dict
from gangland.replay_form import load as load
from gangland.replay_form import plain as plain
from gangland.replay_form import sealed as sealed
from gangland.view import View


class Answered(NamedTuple):
    """One seat's part in a step.  `number` is None and `by_default` true for a seat already at fault."""

    seat: int
    kind: str
    number: int | None
    decision: Decision
    by_default: bool


class Step(NamedTuple):
    """One ply of a replay: what was asked from `before`, and what it led to.  The first asks nothing.

    `defaulting` are the seats at fault as the views of this ply showed them.
    """

    round: int
    before: Any
    after: Any
    answers: tuple[Answered, ...]
    events: tuple[Event, ...]
    defaulting: frozenset[int]


def played_events(events: tuple[Event, ...], outcome: Outcome | None) -> tuple[Event, ...]:
    """Return what happened in a ply, without the round that the rules went on to though a fault had ended the game."""
    if outcome is None or outcome.reason not in AT_ONCE:
        return events
    begun = next((index for index, event in enumerate(events) if event[0] == ROUND_BEGAN), len(events))
    return events[:begun]


def expand(replay: Replay) -> Iterator[Step]:
    """Play the replay again and yield every ply, the setup first.  Raises ReplayError: the decisions do not fit."""
    player = _Replayer(replay)
    yield player.first
    while player.outcome is None:
        yield player.step()
    player.finish()


def verify(replay: Replay, seen: Callable[[Step], None] | None = None) -> Outcome:
    """Play the replay again and return its outcome, if all comes out as the replay says.

    Args:
        seen: called with every ply in which something was asked, in order.

    Raises ReplayError: the first thing that differs.
    """
    return verify_events(replay, seen)[0]


def verify_events(
    replay: Replay,
    seen: Callable[[Step], None] | None = None,
    written: JsonWriter | None = None,
    shown: Callable[[int, str, View], None] | None = None,
) -> tuple[Outcome, list[Event]]:
    """Do what `verify` does; return all events of the game too, those of the setup first.

    Args:
        written: writes the JSON that the digest is of, see `replay_form.digest_of`.
        shown: called with seat, kind and view of every question that was asked, in the order of asking.
    """
    if seen is None and not replay.faults:
        outcome, rounds, events = _played_without_faults(replay, shown)
    else:
        outcome, rounds, events = _played_in_steps(replay, seen, shown)
    said = (list(replay.places), replay.reason, replay.rounds, replay.digest)
    came = (list(outcome.places), outcome.reason.value, rounds, digest_of(replay, events, written))
    for name, wrong, right in zip(("places", "reason", "rounds", "digest"), said, came, strict=True):
        if wrong != right:
            raise ReplayError(f"the replay says {name} {wrong!r}, but played again it gives {right!r}")
    return outcome, events


def _played_without_faults(
    replay: Replay, shown: Callable[[int, str, View], None] | None
) -> tuple[Outcome, int, list[Event]]:
    """Return outcome, rounds and events of a replay without faults: what `_Replayer` does, and no step is made."""
    game, chance, recorded = game_named(replay.game), SeededChance(bytes.fromhex(replay.seed)), replay.decisions
    pending, observe, resolve = game.pending, game.observe, game.resolve
    state, began = _started(game, replay, chance)
    events, number = list(began), 0
    while (outcome := game.outcome(state)) is None:
        decisions = {}
        for question in pending(state):
            seat, kind = question.seat, question.kind
            decisions[seat] = _recorded(game, state, seat, kind, recorded, number)
            if shown is not None:
                shown(seat, kind, observe(state, seat))
            number += 1
        state, happened = resolve(state, decisions, chance)
        events += happened
    _need_all_used(recorded, number)
    return outcome, game.round(state), events


def _played_in_steps(
    replay: Replay, seen: Callable[[Step], None] | None, shown: Callable[[int, str, View], None] | None
) -> tuple[Outcome, int, list[Event]]:
    player = _Replayer(replay)
    events = list(player.first.events)
    while player.outcome is None:
        step = player.step()
        events += step.events
        if shown is not None:
            for seat, kind, number, _, _ in step.answers:
                if number is not None:
                    shown(seat, kind, player.game.observe(step.before, seat, step.defaulting))
        if seen is not None:
            seen(step)
    player.finish()
    return player.outcome, player.rounds, events


def _started(game: Game[Any], replay: Replay, chance: SeededChance) -> tuple[Any, tuple[Event, ...]]:
    try:
        return game.start(replay.seats, game.options(replay.options), chance)
    except ValueError as error:
        raise ReplayError(str(error)) from error


def _recorded(game: Game[Any], state: Any, seat: int, kind: str, recorded: Sequence[Recorded], number: int) -> Decision:
    """Return the decision of this number, if it is one that the seat may make, in canonical form."""
    if number >= len(recorded):
        raise ReplayError(f"the replay ends after {number} decisions, in the middle of the game")
    answer = recorded[number]
    if answer == FAULT:
        raise ReplayError(f"decision {number} is a fault of seat {seat + 1}, which the list of faults lacks")
    try:
        decision = game.check(state, seat, answer)
    except IllegalDecision as refused:
        raise ReplayError(f"decision {number} of seat {seat + 1}, choose_{kind}: {refused}") from refused
    if decision != answer:
        raise ReplayError(f"decision {number} of seat {seat + 1} is {answer!r}, in canonical form {decision!r}")
    return decision


def _need_all_used(recorded: Sequence[Recorded], number: int) -> None:
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
        self.state, events = _started(self.game, replay, self.chance)
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

    def _answer(self, seat: int, kind: str, defaulting: frozenset[int]) -> Answered:
        if seat in defaulting:
            return Answered(seat, kind, None, self.game.default(self.state, seat), True)
        number, recorded = self.asked, self.replay.decisions
        self.asked += 1
        if self.failures.get(number) == seat and recorded[number : number + 1] == (FAULT,):
            self.defaulting |= {seat}
            return Answered(seat, kind, number, self.game.default(self.state, seat), True)
        return Answered(seat, kind, number, _recorded(self.game, self.state, seat, kind, recorded, number), False)

    def finish(self) -> None:
        _need_all_used(self.replay.decisions, self.asked)
        for number in self.failures:
            if number >= self.asked or self.replay.decisions[number] != FAULT:
                raise ReplayError(f"the list of faults names decision {number}, which was none")
