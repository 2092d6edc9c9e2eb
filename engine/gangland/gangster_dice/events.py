"""Everything that happens in a game: one class for each kind of event.

The engine passes events on as plain tuples, `(kind, ...)`; `typed` makes the class of one.
Seats are numbers from 0, dice are counts by colour (white, red, blue).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, cast, get_args

from gangland.gangster_dice.cards import Dice
from gangland.gangster_dice.characters import BY_KEY, Character

HIDDEN_KINDS: Final = frozenset({"dealt", "paired", "drew"})
"""Kinds that show cards of a hand: spectators see them, no seat does."""


class Seated(NamedTuple):
    """A seat has a character: its key in `characters.HOUSE_SET` (G34)."""

    seat: int
    key: str

    @property
    def character(self) -> Character:
        """Who that is."""
        return BY_KEY[self.key]


class Dealt(NamedTuple):
    """A seat gets its first hand.  Hidden."""

    seat: int
    cards: tuple[int, ...]


class Round(NamedTuple):
    """A round begins."""

    number: int


class Rolled(NamedTuple):
    """A seat has rolled its stash: by colour, the token whose symbol each die shows."""

    seat: int
    faces: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


class Rerolled(NamedTuple):
    """A seat has rolled one of its dice again: its colour, the token that it showed, the one that it shows now."""

    seat: int
    colour: int
    old: int
    new: int


class Revealed(NamedTuple):
    """A seat's bids are turned up: (token, favor, score) each, all bonuses in the score."""

    seat: int
    bids: tuple[tuple[int, int, int], ...]


class Won(NamedTuple):
    """A seat influences a token.  `over` are the seats that tied with it and do not control the Streets."""

    token: int
    seat: int
    score: int
    over: tuple[int, ...]


class Tied(NamedTuple):
    """Nobody influences a token: these seats tie for it."""

    token: int
    seats: tuple[int, ...]
    score: int


class Took(NamedTuple):
    """The Lawyer, the Speakeasy or the Streets change hands; `previous` is None when nobody had the token."""

    token: int
    seat: int
    previous: int | None


class Moved(NamedTuple):
    """The Investigator moves with its dice; `previous` is None when nobody held it."""

    previous: int | None
    seat: int


class Exchanged(NamedTuple):
    """A seat gives dice to the Speakeasy and takes as many; none is legal."""

    seat: int
    given: Dice
    taken: Dice


class Staked(NamedTuple):
    """A seat puts a die on the Streets; None when it puts none."""

    seat: int
    colour: int | None


class Dumped(NamedTuple):
    """A seat puts all its unlocked dice of one colour on the Investigator: this many, perhaps none."""

    seat: int
    colour: int | None
    dice: int


class Placed(NamedTuple):
    """A seat puts exactly these unlocked dice on the Investigator."""

    seat: int
    dice: Dice


class Swapped(NamedTuple):
    """A seat swaps a die with one on the Speakeasy, by colour; None for both when it swaps none."""

    seat: int
    given: int | None
    taken: int | None


class Special(NamedTuple):
    """A seat takes a +4 favor from the stack."""

    seat: int


class Reshuffled(NamedTuple):
    """The deck was empty: this many discards are the new one."""

    cards: int


class Paired(NamedTuple):
    """A seat draws two favors, sorted upward, and keeps one of them.  Hidden."""

    seat: int
    cards: tuple[int, ...]


class Passed(NamedTuple):
    """A seat does not keep this favor of a pair: it is discarded face up."""

    seat: int
    favor: int


class Drew(NamedTuple):
    """A seat has drawn favors, in this order; of pairs, those kept.  Hidden; how many is known from its bids."""

    seat: int
    cards: tuple[int, ...]


class Dropped(NamedTuple):
    """A seat discards a favor face up instead of taking a die; its hand stays smaller by one."""

    seat: int
    favor: int


class Received(NamedTuple):
    """A seat takes a die from the Investigator."""

    seat: int
    colour: int


class Declined(NamedTuple):
    """A seat takes no die from the Investigator: the Lawyer protects it."""

    seat: int


class Emptied(NamedTuple):
    """The game is over: these seats have no dice left."""

    seats: tuple[int, ...]


class LimitReached(NamedTuple):
    """The game is over: this was the last round."""

    number: int


_InTheOpen = Seated | Dealt | Round | Rolled | Rerolled | Revealed | Won | Tied | Took | Moved
_InEffects = Exchanged | Staked | Dumped | Placed | Swapped | Special | Reshuffled | Paired | Passed | Drew
_AtTheEnd = Dropped | Received | Declined | Emptied | LimitReached
TypedEvent = _InTheOpen | _InEffects | _AtTheEnd

KINDS: Final[dict[str, type[Any]]] = {
    "limit_reached" if kind is LimitReached else kind.__name__.lower(): kind for kind in get_args(TypedEvent)
}


def typed(event: tuple[Any, ...]) -> TypedEvent:
    """Return a plain event as an object of its class.  Raises ValueError: no event of this game."""
    kind, *values = event
    try:
        return cast(TypedEvent, KINDS[kind](*values))
    except (KeyError, TypeError):
        raise ValueError(f"no event of Gangster Dice: {event!r:.80}") from None
