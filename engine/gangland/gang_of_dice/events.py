"""What happens in a game, kind by kind.  An event is a plain tuple: its kind, then these fields."""

from __future__ import annotations

from typing import Literal, NamedTuple

from gangland.game import Event

HIDDEN_KINDS: frozenset[str] = frozenset()
"""Kinds of events that not every seat may see: none, for all but the order of the deck is public (D5)."""

TieBreak = Literal["", "dice", "turn"]
"""What decided between equal totals (D15): nothing to decide, more dice, or the earlier turn."""


class RoundBegan(NamedTuple):
    """A warning is turned up and bonus dice are put down.  `order`: the seats from the first on."""

    kind: Literal["round"]
    number: int
    card: str
    order: tuple[int, ...]
    carried: int
    bonus: int


class Rolled(NamedTuple):
    """A seat rolled: all its dice (`roll` 1, `again` empty) or some of them again (`roll` 2 and 3).

    `drawn` are the new faces in the order of their positions, `dice` all of the seat's dice after
    the roll, sorted.
    """

    kind: Literal["rolled"]
    seat: int
    roll: int
    again: tuple[int, ...]
    drawn: tuple[int, ...]
    dice: tuple[int, ...]


class Stood(NamedTuple):
    """A turn ended with a valid roll."""

    kind: Literal["stood"]
    seat: int
    total: int


class Busted(NamedTuple):
    """A turn ended by triggering the warning."""

    kind: Literal["busted"]
    seat: int


class RoundWon(NamedTuple):
    """The best roll took all dice on the table."""

    kind: Literal["won"]
    seat: int
    total: int
    dice: int
    tie_break: TieBreak


class AllBust(NamedTuple):
    """Nobody won the round: these dice stay on the table (D16)."""

    kind: Literal["all_bust"]
    dice: int


class Eliminated(NamedTuple):
    """These seats have no dice left (D19)."""

    kind: Literal["eliminated"]
    seats: tuple[int, ...]


class Ended(NamedTuple):
    """The game is over by its rules; `unclaimed` dice on the table belong to nobody (D18, D21, D22)."""

    kind: Literal["ended"]
    pools: tuple[int, ...]
    unclaimed: int


TypedEvent = RoundBegan | Rolled | Stood | Busted | RoundWon | AllBust | Eliminated | Ended

_TYPES: dict[str, type[TypedEvent]] = {
    "round": RoundBegan,
    "rolled": Rolled,
    "stood": Stood,
    "busted": Busted,
    "won": RoundWon,
    "all_bust": AllBust,
    "eliminated": Eliminated,
    "ended": Ended,
}


def typed(event: Event) -> TypedEvent:
    """Return the event with its fields named.  Raises ValueError: no event of this game."""
    try:
        return _TYPES[event[0]](*event)
    except (KeyError, IndexError, TypeError) as error:
        raise ValueError(f"no event of Gang of Dice: {event!r}") from error
