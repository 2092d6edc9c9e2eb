"""The events of a game: one class for each kind.

The engine passes events as plain tuples, `(kind, ...)`; `typed` converts one to its class.  Seats are numbers from 0,
dice are counts by color (white, red, blue).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, cast, get_args

from gangland.gangster_dice.cards import Dice
from gangland.gangster_dice.characters import BY_KEY, Character

HIDDEN_KINDS: Final = frozenset({"dealt", "paired", "drew"})
"""The kinds of events that show cards of a hand; only the seat itself and spectators see them."""


class Seated(NamedTuple):
    """A seat has a character: its key in `characters.HOUSE_SET` (G34)."""

    seat: int
    key: str

    @property
    def character(self) -> Character:
        """The character with this key."""
        return BY_KEY[self.key]


class Dealt(NamedTuple):
    """A seat gets its first hand.  Hidden."""

    seat: int
    cards: tuple[int, ...]


class Round(NamedTuple):
    """A round begins."""

    number: int


class Rolled(NamedTuple):
    """A seat rolls its stash: by color, the token whose symbol each die shows."""

    seat: int
    faces: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


class Rerolled(NamedTuple):
    """A seat rerolls one of its dice: its color, the token that it showed, and the one that it shows now."""

    seat: int
    colour: int
    old: int
    new: int


class Revealed(NamedTuple):
    """A seat's bids are revealed, each as (token, favor, score); the score includes all bonuses."""

    seat: int
    bids: tuple[tuple[int, int, int], ...]


class Won(NamedTuple):
    """A seat influences a token.  `over`: the seats that tied with it and lost."""

    token: int
    seat: int
    score: int
    over: tuple[int, ...]


class Tied(NamedTuple):
    """These seats tie for a token, so no seat influences it."""

    token: int
    seats: tuple[int, ...]
    score: int


class Took(NamedTuple):
    """The Lawyer, the Speakeasy or the Streets changes hands; `previous` is None if no seat had the token."""

    token: int
    seat: int
    previous: int | None


class Moved(NamedTuple):
    """The Investigator moves with its dice; `previous` is None if no seat held it."""

    previous: int | None
    seat: int


class Exchanged(NamedTuple):
    """A seat gives dice to the Speakeasy and takes the same number, perhaps 0."""

    seat: int
    given: Dice
    taken: Dice


class Staked(NamedTuple):
    """A seat puts a die of this color on the Streets; None for no die."""

    seat: int
    colour: int | None


class Dumped(NamedTuple):
    """A seat puts all its unlocked dice of one color on the Investigator: `dice` of them, perhaps 0."""

    seat: int
    colour: int | None
    dice: int


class Placed(NamedTuple):
    """A seat puts these unlocked dice on the Investigator."""

    seat: int
    dice: Dice


class Swapped(NamedTuple):
    """A seat swaps a die with one on the Speakeasy, by color; both None for no swap."""

    seat: int
    given: int | None
    taken: int | None


class Special(NamedTuple):
    """A seat takes a +4 favor from the stack."""

    seat: int


class Reshuffled(NamedTuple):
    """The deck was empty, so this number of discards became the new deck."""

    cards: int


class Paired(NamedTuple):
    """A seat draws two favors, in ascending order, to keep one of them.  Hidden."""

    seat: int
    cards: tuple[int, ...]


class Passed(NamedTuple):
    """A seat discards this favor of a pair face up."""

    seat: int
    favor: int


class Drew(NamedTuple):
    """A seat draws favors, in this order; of a pair, only the one that it keeps.

    Hidden, but others know the number of favors from the seat's bids.
    """

    seat: int
    cards: tuple[int, ...]


class Dropped(NamedTuple):
    """A seat discards a favor face up instead of taking a die; its hand limit falls by one."""

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
    """Return a plain event as an object of its class.  Raises ValueError: it is not an event of this game."""
    kind, *values = event
    try:
        return cast(TypedEvent, KINDS[kind](*values))
    except (KeyError, TypeError):
        raise ValueError(f"not an event of Gangster Dice: {event!r:.80}") from None
