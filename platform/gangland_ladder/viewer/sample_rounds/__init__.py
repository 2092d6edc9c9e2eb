"""Sample rounds for the games' rules pages.  Each game with a sample has a folder that defines `SAMPLE`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from gangland.game import Event
from gangland.games import package_of
from gangland.replay import Replay, load
from gangland_ladder.common.game_modules import module_of
from gangland_ladder.viewer.timeline import Timeline, timeline_of

NAMES: Final = ("Fox", "Owl", "Crow")  # The bots' names.


@dataclass(frozen=True, slots=True)
class Sample:
    """A round of the recorded game, and the function that turns it into the template's data."""

    round: int
    draw: Callable[[Timeline, int], Any]


def sample_of(game: str) -> Sample | None:
    """Return a game's sample; None if the game has no sample or does not exist."""
    module = module_of(__name__, game)
    return None if module is None else module.SAMPLE


def recorded_game(game: str) -> Replay:
    """Return the recorded game of a sample."""
    return load((files(__package__) / package_of(game) / "round.json").read_text(encoding="utf-8"))


@cache
def sample_round(game: str) -> Any:
    """Return the data of a game's sample for the template; None if the game has no sample."""
    sample = sample_of(game)
    return sample and sample.draw(timeline_of(recorded_game(game), NAMES), sample.round)


def events_and_dice(timeline: Timeline, number: int) -> tuple[Sequence[Event], list[tuple[int, int]]]:
    """Return the events of a round, and each seat's dice before and after the round."""
    dice = dict(timeline.counts)
    return timeline.events[number], list(zip(dice[number], dice[number + 1], strict=True))
