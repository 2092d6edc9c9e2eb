"""Holds a framework's game against the engine before it is measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.playing import Batch, seed, utilities
from gangland.chance import Chance, SeededChance
from gangland.game import Decision, Game
from gangland.games import game_named

PlayOne = Callable[[Game[Any], int, int], tuple[int, list[float]]]
"""Plays the game with this number by a framework: its decisions, and what the framework says each seat got."""


class Witness:
    """A game that notes every decision which the framework hands to the engine."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self.seen: list[dict[int, Decision]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def resolve(self, state: Any, decisions: Mapping[int, Decision], chance: Chance) -> Any:
        """Note the decisions and let the engine go on."""
        self.seen.append(dict(decisions))
        return self._game.resolve(state, decisions, chance)


def proven(play_one: PlayOne, name: str, seats: int) -> Batch:
    """Return the batch of a framework that has played one whole game as the engine plays it.

    Raises:
        RuntimeError: it has not.
    """
    game = game_named(name)
    witness: Any = Witness(game)
    counted, reported = play_one(witness, seats, 0)
    chance = SeededChance(seed(0))
    state, _ = game.start(seats, game.options({}), chance)
    for decisions in witness.seen:
        for question in game.pending(state):
            game.check(state, question.seat, decisions[question.seat])
        state, _ = game.resolve(state, decisions, chance)
    outcome = game.outcome(state)
    if outcome is None or reported != utilities(outcome) or counted != sum(map(len, witness.seen)):
        raise RuntimeError(f"{play_one.__module__} does not play {name} as the engine does: {reported!r}, {outcome!r}")
    return lambda numbers: sum([play_one(game, seats, number)[0] for number in numbers])
