"""Play games step by step with the reference, without replays and with any decision function in each seat."""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

from gangland import game, games, replay
from gangland.chance import SeededChance
from gangland.gangster_dice.state import State
from gangland_ladder.analysis.account import Analysis, scores_of
from gangland_ladder.analysis.games.gangster_dice.reference import GangsterReference, reference

GAME = games.game_named("gangster-dice")
Decides = Callable[[State, int, Random], game.Decision]


def any_legal(state: State, seat: int, rng: Random) -> game.Decision:
    return rng.choice(GAME.choices(state, seat))


def steps_of(
    seats: int, options: Mapping[str, object], number: int, decides: Decides = any_legal, faults: float = 0.0
) -> Iterator[replay.Step]:
    """Yield steps as `gangland.replay.expand` does; `faults` is the probability of a fault at each decision."""
    rng = Random(number)
    chance = SeededChance(rng.randbytes(32))
    state, events = GAME.start(seats, GAME.options(options), chance)
    out: frozenset[int] = frozenset()
    shown, count = out, 0
    yield replay.Step(1, None, state, (), events, out)
    while GAME.outcome(state, out) is None:
        if not GAME.half_answered(state):
            shown = out
        answers, failed = [], out
        for question in GAME.pending(state):
            seat, decision_number = question.seat, None if question.seat in out else count
            count += decision_number is not None
            fails = decision_number is not None and rng.random() < faults
            failed |= {seat} if fails else set()
            by_default = decision_number is None or fails
            decision = GAME.default(state, seat) if by_default else decides(state, seat, rng)
            answers.append(replay.StepAnswer(seat, question.kind, decision_number, decision, by_default))
        out = failed
        after, events = GAME.resolve(state, {answer.seat: answer.decision for answer in answers}, chance)
        yield replay.Step(GAME.round(state), state, after, tuple(answers), events, shown)
        state = after


def analyzed(
    seats: int, options: Mapping[str, object], number: int, decides: Decides | None = None, faults: float = 0.0
) -> Analysis:
    """Return the analysis of a game; without `decides` the reference plays in all seats."""
    followed = reference(seats, GAME.options(options), number)
    moments, out, step = [], frozenset[int](), None
    for step in steps_of(seats, options, number, decides or followed.decide, faults):
        out |= {answer.seat for answer in step.answers if answer.by_default}
        moments.append(followed.follow(step))
    assert step is not None
    outcome = GAME.outcome(step.after, out)
    assert outcome is not None
    return Analysis(GAME.name, seats, followed.start, tuple(moments), scores_of(outcome), True, "1", step.round, ())


def asking(seats: int, options: Mapping[str, object], number: int) -> Iterator[tuple[State, frozenset[int]]]:
    """Yield every state of a random game with a pending question, and the seats at fault."""
    for step in steps_of(seats, options, number):
        if step.before is not None:
            yield step.before, step.defaulting


def fresh(seats: int, options: Mapping[str, Any]) -> GangsterReference:
    return reference(seats, GAME.options(options), 0)
