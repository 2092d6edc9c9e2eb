"""A recorded game analysed: played again step by step beside the game's reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gangland.game import Outcome
from gangland.games import game_named
from gangland.replay import Answered, Replay, Step, expand
from gangland_ladder.analysis.account import Analysis, Moment, Option, Values, scores_of
from gangland_ladder.analysis.games import reference_of
from gangland_ladder.analysis.reference import Reference
from gangland_ladder.common.where import address


class NotAnalysed(ValueError):
    """The game has no reference, or none for this table or decision."""


Following = Callable[[Reference[Any], Sequence[Moment]], None]
"""Called after each step with the reference and the moments so far."""


def analyse(
    replay: Replay,
    *,
    seed: int = 0,
    in_time: Callable[[], bool] = lambda: True,
    following: Following | None = None,
) -> Analysis:
    """Return the account of a game.

    Args:
        seed: for what the reference samples.
        in_time: asked before every step; once it says no, the rest is left out.
        following: for whoever shows what is known before the game's end.

    Raises:
        NotAnalysed: nothing is known of this game and table.
        ReplayError: the replay does not play.
    """
    reference = reference_for(replay, seed)
    moments: list[Moment] = []
    complete = True
    steps = list(expand(replay))
    for step in steps:
        complete = complete and in_time()
        if not complete:
            break
        moments.append(reference.follow(step))
        if following is not None:
            following(reference, moments)
    return account_of(
        replay, steps, Known(reference.version, tuple(reference.start), tuple(moments), complete=complete)
    )


@dataclass(frozen=True, slots=True)
class Known:
    """What a reference says of a game, or of its first steps; all else in an `Analysis` the replay says.

    Attributes:
        version: of the reference; start, moments, complete: as in `Analysis`.
    """

    version: str
    start: Values
    moments: tuple[Moment, ...]
    complete: bool


def account_of(replay: Replay, steps: Sequence[Step], known: Known) -> Analysis:
    """Return the account of a game, given its steps and what the reference says of them."""
    addresses: list[str] = []
    counted: Counter[tuple[int, int]] = Counter()
    for step in steps:
        for answer in step.answers:
            if answer.number is not None:
                counted[step.round, answer.seat] += 1
                addresses.append(address(step.round, answer.seat, counted[step.round, answer.seat]))
    at_fault = frozenset(seat for seat, _ in replay.faults)
    outcome: Outcome | None = game_named(replay.game).outcome(steps[-1].after, at_fault)
    assert outcome is not None
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


def options_at(replay: Replay, number: int, *, seed: int = 0) -> tuple[Step, Answered, Sequence[Option]]:
    """Return a recorded decision's step, the decision, and every option that its seat had, best first.

    Args:
        number: of the decision in the replay.

    Raises:
        NotAnalysed: nothing is known of this game and table, or the reference does not judge this decision.
        ReplayError: the replay does not play.
    """
    reference = reference_for(replay, seed)
    step, answer = decision_at(replay, number)
    options = reference.options(step.before, answer.seat, step.defaulting)
    if not options:
        raise NotAnalysed("the reference does not judge this decision: there is too much to work out")
    return step, answer, options


def decision_at(replay: Replay, number: int) -> tuple[Step, Answered]:
    """Return a recorded decision's step, and the decision.

    Raises:
        ReplayError: the replay does not play.
    """
    for step in expand(replay):
        for answer in step.answers:
            if answer.number == number:
                return step, answer
    raise ValueError(f"the replay has {len(replay.decisions)} decisions, no decision {number}")


def reference_for(replay: Replay, seed: int) -> Reference[Any]:
    """Return a reference that stands at the beginning of a recorded game.

    Raises:
        NotAnalysed: nothing is known of this game and table.
    """
    game = game_named(replay.game)
    reference = reference_of(replay.game, replay.seats, game.options(replay.options), seed)
    if reference is None:
        raise NotAnalysed(f"there is no analysis of {game.title} for {replay.seats} seats")
    return reference
