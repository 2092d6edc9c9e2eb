"""The measured ways of random play, by name, and their shared parts."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from random import Random
from typing import Any, Final

from gangland.game import Outcome

Batch = Callable[[range], int]
"""A function that plays the games with these numbers and returns the number of decisions."""

Prepare = Callable[[str, int], Batch]
"""A function that prepares a game, by name and number of seats, for play."""


@dataclass(frozen=True)
class Way:
    """One way to play: `made_by` is "module:function"; the function prepares a game for its seats.

    Attributes:
        subject: the name for `--only`.
        peer: whether it needs a framework of the peers' environment.
        compiled: whether it plays with the compiled engine.
    """

    name: str
    subject: str
    made_by: str
    peer: bool = False
    compiled: bool = False

    def prepare(self) -> Prepare:
        """Import the code of this way.  Raises ImportError: the framework is not installed."""
        module, function = self.made_by.split(":")
        prepare: Prepare = getattr(import_module(module), function)
        return prepare


HAND_TUNED: Final = "hand-tuned loop"
ENGINE: Final = "engine"

WAYS: Final = (
    Way(HAND_TUNED, "base", "benchmarks.engine:hand_tuned"),
    Way(ENGINE, "base", "benchmarks.engine:rollout"),
    Way("engine, compiled", "engine", "benchmarks.engine:rollout", compiled=True),
    Way("engine, step by step", "engine", "benchmarks.engine:stepped"),
    Way("engine, answers checked", "engine", "benchmarks.engine:checked"),
    Way("match.play", "engine", "benchmarks.engine:match_play"),
    Way("replay verified", "engine", "benchmarks.engine:replay_verified"),
    Way("PettingZoo AEC", "peers", "benchmarks.peers.pettingzoo_aec:prepare", peer=True),
    Way("OpenSpiel", "peers", "benchmarks.peers.openspiel:prepare", peer=True),
    Way("kaggle-environments", "peers", "benchmarks.peers.kaggle:prepare", peer=True),
)


def seed(number: int) -> bytes:
    """Return the seed of a game by its number."""
    return sha256(f"benchmark {number}".encode()).digest()


def random_players(seats: int) -> list[Callable[[Any, int], int]]:
    """Return one player per seat, which chooses a random index of the legal answers."""
    return [_player(Random(seat).random) for seat in range(seats)]


def _player(draw: Callable[[], float]) -> Callable[[Any, int], int]:
    def pick(_observation: Any, choices: int) -> int:
        return int(draw() * choices)

    return pick


def utilities(outcome: Outcome) -> list[float]:
    """Return each seat's distance from the middle place, positive if better: a zero-sum reward."""
    middle = (len(outcome.places) + 1) / 2
    return [middle - float(place) for place in outcome.mean_places()]
