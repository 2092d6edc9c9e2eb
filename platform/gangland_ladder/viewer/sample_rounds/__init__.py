"""A recorded round of each game, as the page of its rules draws it: a folder a game, with `SAMPLE` in its `__init__`.

A game without a folder has no such page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from gangland.game import Event
from gangland.games import package_of
from gangland.replay import Replay, load
from gangland_ladder.common.runtime import module_of
from gangland_ladder.viewer.timeline import Timeline, timeline_of

NAMES: Final = ("Fox", "Owl", "Crow")
"""What the bots at the drawn tables are called."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Which round of the recorded game is drawn, and what makes of it what the template of the page shows."""

    round: int
    draw: Callable[[Timeline, int], Any]


def sample_of(game: str) -> Sample | None:
    """Return which round of a game is drawn; None if it has no folder or there is no such game."""
    module = module_of(__name__, game)
    return None if module is None else module.SAMPLE


def recorded_game(game: str) -> Replay:
    """Return the game of which a round is drawn."""
    return load((files(__package__) / package_of(game) / "round.json").read_text(encoding="utf-8"))


@cache
def sample_round(game: str) -> Any:
    """Return what the page of a game's rules shows of its round; `game` has a sample."""
    sample = sample_of(game)
    return sample and sample.draw(timeline_of(recorded_game(game), NAMES), sample.round)


def events_and_dice(timeline: Timeline, number: int) -> tuple[Sequence[Event], list[tuple[int, int]]]:
    """Return the events of a round, and of each seat how many dice it had before the round and after it."""
    dice = dict(timeline.dice)
    return timeline.events[number], list(zip(dice[number], dice[number + 1], strict=True))
