"""The kinds of events in a game.  An event is a plain tuple: the kind, then the fields of its class."""

from __future__ import annotations

from typing import Literal, NamedTuple

from gangland.game import Event

HIDDEN_KINDS: frozenset[str] = frozenset()
"""The kinds of events that some seats may not see: empty, because only the order of the deck is hidden (D5)."""

TieBreak = Literal["", "dice", "turn"]
"""The tie break between equal totals (D15): no tie break, more dice, or the earlier turn."""


class RoundBegan(NamedTuple):
    """A round begins: its warning is revealed and bonus dice are added.  `order`: the seats in playing order."""

    kind: Literal["round"]
    number: int
    card: str
    order: tuple[int, ...]
    carried: int
    bonus: int


class Rolled(NamedTuple):
    """A seat rolls all its dice (`roll` 1, `again` empty) or rerolls the faces in `again` (`roll` 2 or 3).

    The new faces are `drawn`, in the order of their positions; `dice` has all of the seat's dice, sorted.
    """

    kind: Literal["rolled"]
    seat: int
    roll: int
    again: tuple[int, ...]
    drawn: tuple[int, ...]
    dice: tuple[int, ...]


class Stood(NamedTuple):
    """A turn ends with a valid roll."""

    kind: Literal["stood"]
    seat: int
    total: int


class Busted(NamedTuple):
    """A turn ends by triggering the warning."""

    kind: Literal["busted"]
    seat: int


class RoundWon(NamedTuple):
    """The best roll takes all dice on the table."""

    kind: Literal["won"]
    seat: int
    total: int
    dice: int
    tie_break: TieBreak


class AllBust(NamedTuple):
    """All seats are bust: these dice stay on the table (D16)."""

    kind: Literal["all_bust"]
    dice: int


class Eliminated(NamedTuple):
    """These seats have no dice left, and are out (D19)."""

    kind: Literal["eliminated"]
    seats: tuple[int, ...]


class Ended(NamedTuple):
    """The game is over by its rules; `unclaimed` dice stay on the table (D18, D21, D22)."""

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
    """Return the event with named fields.  Raises ValueError: not an event of this game."""
    try:
        return _TYPES[event[0]](*event)
    except (KeyError, IndexError, TypeError) as error:
        raise ValueError(f"not an event of Gang of Dice: {event!r}") from error
