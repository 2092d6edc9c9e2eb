"""What is said of a game that was played on from a decision."""

from __future__ import annotations

from collections.abc import Sequence

from gangland_ladder.analysis.continuation import Continuation
from gangland_ladder.analysis.figures import recorded
from gangland_ladder.viewer.film import Stop
from gangland_ladder.viewer.games import decision_in_words


def what_if_words(found: Continuation, stop: Stop, names: Sequence[str]) -> str:
    """Return in sentences what is different; `stop` is the decision in the recorded game."""
    best = decision_in_words(found.replay.game, found.kind, recorded(found.decision))
    did = stop.did if not stop.fault else "failed"
    return (
        f"at {stop.at} {names[found.seat]} {best}; as recorded: {did}. "
        "Then the reference player plays every seat, on the same dice."
    )
