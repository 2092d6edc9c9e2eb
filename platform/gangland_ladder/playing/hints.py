"""What the reference player would do in a person's place, from what the person may know."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from gangland_ladder.analysis.games import reference_of
from gangland_ladder.common.documents import Part, Probability
from gangland_ladder.playing.standing import Standing
from gangland_ladder.viewer.games import decision_in_words

SHOWN = 3
"""So many decisions a hint names."""


class Hint(Part):
    """A decision as the reference judges it.

    Attributes:
        value: the share of the table that the seat can expect after it; with two seats, the chance to win.
        odds: chances by name, such as "bust".
    """

    words: str
    value: float
    odds: Mapping[str, Probability]


def hints(standing: Standing, seat: int, *, seed: int = 0) -> list[Hint]:
    """Return the best decisions of a seat that is asked, best first; none where the reference has no word to say.

    What is hidden from the seat is drawn anew before the reference looks, so that it cannot give it away.

    Args:
        seed: for that, and for what the reference samples.

    Raises:
        NotOpen: the seat is asked nothing.
    """
    game, setup = standing.game, standing.setup
    question = standing.open_question(seat)
    reference = reference_of(game.name, len(setup.seats), standing.table.options, seed)
    if reference is None:
        return []
    position = standing.view(seat).sample(Random(seed))
    options = reference.options(position, seat, standing.table.shown)[:SHOWN]
    return [
        Hint(decision_in_words(game.name, question.kind, each.decision), each.value, dict(each.odds or {}))
        for each in options
    ]
