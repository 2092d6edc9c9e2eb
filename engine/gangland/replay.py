"""Replays: a header and the decisions, expanded and verified by playing again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from gangland.chance import SeededChance
from gangland.faults import IllegalDecision
from gangland.game import AT_ONCE, ROUND_BEGAN, Decision, Event, Game, Outcome
from gangland.games import game_named
from gangland.replay_form import (
    FAULT,
    SCHEMA,
    JsonWriter,
    Recorded,
    Replay,
    ReplayError,
    digest_of,
    from_dict,
    load,
    plain,
    sealed,
)

__all__ = [
    "FAULT",
    "SCHEMA",
    "Answered",
    "JsonWriter",
    "Recorded",
    "Replay",
    "ReplayError",
    "Step",
    "digest_of",
    "expand",
    "from_dict",
    "load",
    "plain",
    "played_events",
    "sealed",
    "verify",
    "verify_events",
]


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
    """Play the replay again and yield every ply, the setup first.

    Raises:
        ReplayError: a decision that was not legal there, too few decisions, or too many.
    """
    player = _Replayer(replay)
    yield player.first
    while player.outcome is None:
        yield player.step()
    player.finish()


def verify(replay: Replay, seen: Callable[[Step], None] | None = None) -> Outcome:
    """Play the replay again and return its outcome, if all comes out as the replay says.

    Args:
        seen: called with every ply in which something was asked, in order.

    Raises:
        ReplayError: the first thing that differs.
    """
    return verify_events(replay, seen)[0]


def verify_events(
    replay: Replay, seen: Callable[[Step], None] | None = None, written: JsonWriter | None = None
) -> tuple[Outcome, list[Event]]:
    """Do what `verify` does; return all events of the game too, those of the setup first.

    Args:
        written: writes the JSON that the digest is of, see `replay_form.digest_of`.
    """
    player = _Replayer(replay)
    events = list(player.first.events)
    while player.outcome is None:
        step = player.step()
        events += step.events
        if seen is not None:
            seen(step)
    player.finish()
    outcome = player.outcome
    said = (list(replay.places), replay.reason, replay.rounds, replay.digest)
    came = (list(outcome.places), outcome.reason.value, player.rounds, digest_of(replay, events, written))
    for name, wrong, right in zip(("places", "reason", "rounds", "digest"), said, came, strict=True):
        if wrong != right:
            raise ReplayError(f"the replay says {name} {wrong!r}, but played again it gives {right!r}")
    return outcome, events


class _Replayer:
    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.game: Game[Any] = game_named(replay.game)
        self.chance = SeededChance(bytes.fromhex(replay.seed))
        self.failures = {decision: seat for seat, decision in replay.faults if decision is not None}
        self.defaulting = frozenset(seat for seat, decision in replay.faults if decision is None)
        self.shown = self.defaulting
        self.asked = 0
        try:
            self.state, events = self.game.start(replay.seats, self.game.options(replay.options), self.chance)
        except ValueError as error:
            raise ReplayError(str(error)) from error
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
        number = self.asked
        if number >= len(self.replay.decisions):
            raise ReplayError(f"the replay ends after {number} decisions, in the middle of the game")
        recorded = self.replay.decisions[number]
        self.asked += 1
        if recorded == FAULT:
            if self.failures.get(number) != seat:
                raise ReplayError(f"decision {number} is a fault of seat {seat + 1}, which the list of faults lacks")
            self.defaulting |= {seat}
            return Answered(seat, kind, number, self.game.default(self.state, seat), True)
        try:
            decision = self.game.check(self.state, seat, recorded)
        except IllegalDecision as refused:
            raise ReplayError(f"decision {number} of seat {seat + 1}, choose_{kind}: {refused}") from refused
        if decision != recorded:
            raise ReplayError(f"decision {number} of seat {seat + 1} is {recorded!r}, in canonical form {decision!r}")
        return Answered(seat, kind, number, decision, False)

    def finish(self) -> None:
        if self.asked != len(self.replay.decisions):
            raise ReplayError(f"the game was over after {self.asked} of {len(self.replay.decisions)} decisions")
        for number in self.failures:
            if number >= self.asked or self.replay.decisions[number] != FAULT:
                raise ReplayError(f"the list of faults names decision {number}, which was none")
