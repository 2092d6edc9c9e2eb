"""How long bots think, counted by classes."""

from collections import Counter
from random import Random

from gangland_ladder.matches.thinking import octave, octaves


def test_decisions_in_any_order_are_counted_in_the_class_of_each() -> None:
    rng = Random(1)
    decisions = [0.0, 1e-6, 2e-6, 4e-6, 1e9, *(rng.lognormvariate(-9, 3) for _ in range(500))]
    rng.shuffle(decisions)
    assert octaves(decisions) == Counter(map(octave, decisions))
    assert list(octaves(decisions)) == sorted(set(map(octave, decisions)))
    assert octaves([]) == {}
