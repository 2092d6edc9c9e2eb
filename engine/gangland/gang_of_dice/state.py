"""The state of a game.  All states and views of a round share the part that is constant during the round."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple

from gangland.gang_of_dice.counts import TESTS, Counts, Dice, Test, dice_of
from gangland.gang_of_dice.warnings import DECKS, WARNINGS, Condition, WarningCard
from gangland.view import unchangeable

ROUNDS = 12
ROLLS = 3
"""A first roll and up to two rerolls."""
POOLS = {2: 48, 3: 48, 4: 36}
"""The dice of each seat at the start, by number of seats."""
BONUS = {10: 3, 11: 6, 12: 9}
"""The dice added from the supply at the start of these rounds (D17)."""

Move = tuple[int, Counts]
"""An answer as the rules use it: the number of dice to roll (0 to stop), and for a reroll their counts by face."""

Rolls = tuple[Counts, ...]
"""All dice of one seat after its first roll and after each reroll."""

Pools = tuple[int, ...]
"""The dice that each seat holds, by seat."""

Best = tuple[int, int, int]
"""The roll that leads the round: total, dice staked, seat."""

FinishedTurn = tuple[int, int, Rolls, int, bool]
"""A finished turn: seat, dice staked, rolls, total of the final dice, bust."""

Turns = tuple[FinishedTurn, ...]
"""The finished turns of a round, in playing order."""

RollsWire = tuple[Dice, ...]

TurnWire = tuple[int, RollsWire, int, bool]
"""A finished turn: seat, rolls, total of the final dice, bust."""

TurnsWire = tuple[TurnWire, ...]

ResultWire = tuple[int, int, TurnsWire, Best, int, tuple[int, ...]]
"""A finished round: number, card, turns, best roll, dice on the table, seats eliminated."""

NOBODY = -1
"""Used in place of a seat if no seat has a turn, because the game is over, or if no seat leads."""

NO_BEST: Best = (-1, 0, NOBODY)
"""The best roll before any valid final one; every total, even 0, is higher (D14)."""

FIRST_PLAYERS = ("next", "winner")


@unchangeable
@dataclass(frozen=True, slots=True)
class Options:
    """The organizer's choices."""

    # "w24", this project's deck of 24 warnings; or "box18", the printed box's 18 cards with two kinds of backs.
    deck: str = "w24"
    # The seat that begins later rounds (D3): "next", the next surviving seat clockwise; or "winner", the winner of the
    # previous round (the same as "next" if all seats were bust).
    first_player: str = "next"

    @classmethod
    def of(cls, values: Mapping[str, object]) -> Options:
        """Return the options, with defaults.  Raises ValueError: one is unknown; the message lists the allowed ones."""
        allowed = {"deck": tuple(DECKS), "first_player": FIRST_PLAYERS}
        options: dict[str, str] = {}
        for name, value in values.items():
            if name not in allowed:
                raise ValueError(f"Gang of Dice has no option {name!r:.80}; it has {', '.join(allowed)}")
            if not isinstance(value, str) or value not in allowed[name]:
                raise ValueError(f"the option {name} must be one of {', '.join(allowed[name])}, not {value!r:.80}")
            options[name] = value
        return cls(**options)

    def to_dict(self) -> dict[str, object]:
        """Return the options that differ from their defaults."""
        return {field.name: value for field in fields(self) if (value := getattr(self, field.name)) != field.default}


_new = tuple.__new__


@lru_cache(maxsize=8)
def turns_wire(turns: Turns) -> TurnsWire:
    """Return finished turns as plain values, dice one by one; all views of a turn share them."""
    return tuple([(seat, tuple(map(dice_of, rolls)), total, bust) for seat, _, rolls, total, bust in turns])


class FinishedRound:
    """A finished round.  The plain values are built when they are first read, and all views share them."""

    __slots__ = ("_wire", "best", "card", "dice", "eliminated", "number", "turns")

    def __init__(
        self, number: int, card: int, turns: Turns, best: Best, dice: int, eliminated: tuple[int, ...]
    ) -> None:
        self.number: Final = number
        self.card: Final = card
        self.turns: Final = turns
        self.best: Final = best
        self.dice: Final = dice
        self.eliminated: Final = eliminated
        self._wire: ResultWire | None = None

    @property
    def wire(self) -> ResultWire:
        """The round as plain values."""
        if self._wire is None:
            self._wire = (self.number, self.card, turns_wire(self.turns), self.best, self.dice, self.eliminated)
        return self._wire

    def __reduce__(self) -> tuple[Any, ...]:
        return (FinishedRound, (self.number, self.card, self.turns, self.best, self.dice, self.eliminated))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FinishedRound) and other.wire == self.wire

    def __hash__(self) -> int:
        return hash(self.wire)


class Round:
    """The constant part of a round."""

    __slots__ = (
        *("bonus", "card", "carried", "condition", "deck", "last", "number", "options", "order", "out"),
        *("public", "test", "yellow"),
    )

    def __init__(
        self,
        options: Options,
        deck: tuple[int, ...],
        number: int,
        order: tuple[int, ...],
        out: tuple[int, ...],
        carried: int,
        bonus: int,
        last: FinishedRound | None,
    ) -> None:
        self.options: Final = options
        # The numbers of the cards of all rounds, in playing order; later rounds' cards are hidden.
        self.deck: Final = deck
        self.number: Final = number
        # The seats that play this round, clockwise from the first one (D4); empty when the game is over.
        self.order: Final = order
        self.out: Final = out  # the round of each seat's elimination, 0 for a seat in play
        self.carried: Final = carried  # dice left on the table by rounds without a winner (D16)
        self.bonus: Final = bonus  # dice added from the supply (D17)
        self.last: Final = last  # the previous round
        self.card: Final[WarningCard] = WARNINGS[deck[number - 1]]
        self.yellow: Final[bool] = self.card.yellow  # whether the warning is checked after every roll (D11)
        self.condition: Final[Condition] = self.card.condition
        self.test: Final[Test] = TESTS[self.condition.kind]  # returns whether counted dice meet the condition
        rules = (options.deck, options.first_player)
        # Values that all seats may know.
        self.public: Final[tuple[Any, ...]] = (rules, number, deck[:number], order, out, carried, bonus, last)

    def __reduce__(self) -> tuple[Any, ...]:
        arguments = (self.options, self.deck, self.number, self.order, self.out, self.carried, self.bonus, self.last)
        return (Round, arguments)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Round) and (other.deck, other.public) == (self.deck, self.public)

    def __hash__(self) -> int:
        return hash((self.deck, self.public))


class State(NamedTuple):
    """A state of a game: a seat has to decide, or the game is over by its rules."""

    round: Round
    pools: Pools  # the dice of each seat, without those on the table (public: D5)
    turns: Turns  # the finished turns of this round, in playing order
    best: Best  # the best valid roll among them
    seat: int  # the seat whose turn it is, `NOBODY` when the game is over by its rules
    rolls: Rolls  # its rolls so far; empty until it has chosen its dice

    @property
    def table(self) -> int:
        """Dice on the table: carried, bonus and staked."""
        return self.round.carried + self.round.bonus + staked(self.turns) + (sum(self.rolls[0]) if self.rolls else 0)


state_of: Callable[[tuple[Round, Pools, Turns, Best, int, Rolls]], State] = partial(_new, State)
"""Builds a state from its parts in half the time that `State(...)` takes."""


def staked(turns: Turns) -> int:
    """Return the number of dice staked in these turns."""
    dice = 0
    for _, stake, _, _, _ in turns:
        dice += stake
    return dice
