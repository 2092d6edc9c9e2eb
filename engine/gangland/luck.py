"""Luck: the value of each seat's dice beyond their expected value.

The luck of a roll is its value minus the mean value just before it, when all earlier events and the decisions of that
moment are known.  A seat's luck is the sum over its own rolls.  Its mean is 0 for any decisions, so results can be
adjusted for luck without bias (a control variate).  Each game has its own unit (`Game.luck_unit`) and model (its `luck`
module); without a model the luck is 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gangland.game import Event
from gangland.games import game_named
from gangland.replay import Replay, expand


def luck_of(replay: Replay) -> tuple[float, ...]:
    """Return each seat's luck in the game's unit.  Raises ReplayError: the replay cannot be played."""
    return luck_from(replay.game, replay.seats, (event for step in expand(replay) for event in step.events))


def luck_from(game: str, seats: int, events: Iterable[Event]) -> tuple[float, ...]:
    """Return each seat's luck, in seat order and the game's unit, after these events from the start of a game.

    It is the same on every machine, to the last bit.  Raises ValueError: there is no such game.
    """
    luck = (0.0,) * seats
    for luck in luck_course(game, seats, events):  # noqa: B007
        pass
    return luck


def luck_course(game: str, seats: int, events: Iterable[Event]) -> Iterator[tuple[float, ...]]:
    """Yield all seats' luck after each event, one tuple per event.  Raises ValueError: there is no such game."""
    return game_named(game).luck_course(seats, events)
