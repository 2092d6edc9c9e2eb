"""A recorded game analysed: played again step by step beside the game's reference."""

from __future__ import annotations

from collections.abc import Callable

from gangland.game import Outcome
from gangland.games import game_named
from gangland.replay import Replay, expand
from gangland_ladder.analysis.account import Analysis, scores_of
from gangland_ladder.analysis.games import reference_of


class NotAnalysed(ValueError):
    """The game has no reference, or none for this table."""


def analyse(replay: Replay, *, seed: int = 0, in_time: Callable[[], bool] = lambda: True) -> Analysis:
    """Return the account of a game.

    Args:
        seed: for what the reference samples.
        in_time: asked before every step; once it says no, the rest is left out.

    Raises:
        NotAnalysed: nothing is known of this game and table.
        ReplayError: the replay does not play.
    """
    game = game_named(replay.game)
    reference = reference_of(replay.game, replay.seats, game.options(replay.options), seed)
    if reference is None:
        raise NotAnalysed(f"there is no analysis of {game.title} for {replay.seats} seats")
    moments, complete = [], True
    for step in expand(replay):
        complete = complete and in_time()
        if complete:
            moments.append(reference.follow(step))
    outcome: Outcome | None = game.outcome(step.after, frozenset(seat for seat, _ in replay.faults))
    assert outcome is not None
    return Analysis(replay.game, replay.seats, reference.start, tuple(moments), scores_of(outcome), complete)
