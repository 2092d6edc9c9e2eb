"""The ways of playing that are measured, by name."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Final

from benchmarks.playing import Prepare


@dataclass(frozen=True)
class Way:
    """One way to play: `made_by` is "module:function", which gets a game and its seats ready.

    Attributes:
        subject: what `--only` calls it.
        peer: it needs a framework of the peers' environment.
    """

    name: str
    subject: str
    made_by: str
    peer: bool = False

    def prepare(self) -> Prepare:
        """Import the way.

        Raises:
            ImportError: its framework is not installed.
        """
        module, function = self.made_by.split(":")
        prepare: Prepare = getattr(import_module(module), function)
        return prepare


HAND_TUNED: Final = "hand-tuned loop"
ENGINE: Final = "engine"

WAYS: Final = (
    Way(HAND_TUNED, "base", "benchmarks.engine:hand_tuned"),
    Way(ENGINE, "base", "benchmarks.engine:bare"),
    Way("engine, answers checked", "engine", "benchmarks.engine:checked"),
    Way("match.play", "engine", "benchmarks.engine:match_play"),
    Way("replay verified", "engine", "benchmarks.engine:replay_verified"),
    Way("PettingZoo AEC", "peers", "benchmarks.peers.pettingzoo_aec:prepare", peer=True),
    Way("OpenSpiel", "peers", "benchmarks.peers.openspiel:prepare", peer=True),
    Way("kaggle-environments", "peers", "benchmarks.peers.kaggle:prepare", peer=True),
)


def way_named(name: str) -> Way:
    """Return the way of this name.

    Raises:
        KeyError: no such way.
    """
    return {way.name: way for way in WAYS}[name]
