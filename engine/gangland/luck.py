"""Luck: what dice brought each seat of a game beyond what it could expect.

For every roll, the worth of what came less its worth on average just before, given all that had
happened, the decisions of that moment among it; a seat's luck is the sum over its own rolls.  Each
term has the mean 0 whatever anybody decides, so the sum has it too, and a result may be adjusted by
it without favour (a control variate).  Each game measures in a unit of its own (`Game.luck_unit`): see its `luck`
module.  A game that measures none has the luck 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gangland.game import Event
from gangland.games import game_named
from gangland.replay import Replay, expand


def luck_of(replay: Replay) -> tuple[float, ...]:
    """Return each seat's luck in the game's unit, by a replay's events.  Raises ReplayError: it does not play."""
    return luck_from(replay.game, replay.seats, (event for step in expand(replay) for event in step.events))


def luck_from(game: str, seats: int, events: Iterable[Event]) -> tuple[float, ...]:
    """Return each seat's luck, in seat order and the game's unit, from all events of a game that was played again.

    The same on every machine, to the last bit.  A first part of the events gives the luck until then.

    Raises ValueError: no such game.
    """
    luck = (0.0,) * seats
    for luck in luck_course(game, seats, events):  # noqa: B007
        pass
    return luck


def luck_course(game: str, seats: int, events: Iterable[Event]) -> Iterator[tuple[float, ...]]:
    """Return each seat's luck as it stands after every event, one tuple an event; see `luck_from`.

    Raises ValueError: no such game.
    """
    return game_named(game).luck_course(seats, events)
