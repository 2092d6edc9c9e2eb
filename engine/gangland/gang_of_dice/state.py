"""The state of a game: what is fixed while a round is played, and what moves with each decision.

Both are named tuples: nothing can change them, and they are made three times as fast as frozen
dataclasses.  What stays the same is shared between the states of a round and between the views
of its decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, NamedTuple

from gangland.gang_of_dice.warnings import DECKS, WARNINGS, WarningCard
from gangland.view import unchangeable

ROUNDS = 12
ROLLS = 3
"""A first roll and up to two rerolls."""
POOLS = {2: 48, 3: 48, 4: 36}
"""Dice that each seat begins with, by the number of seats."""
BONUS = {10: 3, 11: 6, 12: 9}
"""Dice from the supply that are put on the table at the start of these rounds (D17)."""

Dice = tuple[int, ...]
"""The faces of dice, sorted upward, the gangster (0) first: dice are alike (D7)."""

Rolls = tuple[Dice, ...]
"""All dice of one seat as they lay after its first roll and after each reroll."""

Pools = tuple[int, ...]
"""The dice that each seat holds, by seat."""

TurnWire = tuple[int, Rolls, int, bool]
"""A finished turn: seat, rolls, total of the final dice, bust."""

Turns = tuple[TurnWire, ...]
"""The finished turns of a round, in playing order."""

BestWire = tuple[int, int, int]
"""The roll that leads the round: total, dice staked, seat."""

NOBODY = -1
"""In place of a seat: nobody's turn, for the game is over; nobody leads."""

NO_BEST: BestWire = (-1, 0, NOBODY)
"""Nobody has a valid final roll yet; any total, 0 too, is higher (D14)."""

ResultWire = tuple[int, int, Turns, BestWire, int, tuple[int, ...]]
"""A finished round: number, card, turns, best roll, dice that were on the table, seats eliminated."""

FIRST_PLAYERS = ("next", "winner")


@unchangeable
@dataclass(frozen=True, slots=True)
class Options:
    """The organiser's choices.

    Attributes:
        deck: "w24", this project's deck of 24 warnings; or "box18", the printed box's 18 in two backs.
        first_player: who begins later rounds (D3): "next", the next surviving seat clockwise after
            the one that began; or "winner", the winner of the round before (all bust: as "next").
    """

    deck: str = "w24"
    first_player: str = "next"

    @classmethod
    def of(cls, given: Mapping[str, object]) -> Options:
        """Return the options with defaults filled in.

        Raises:
            ValueError: an unknown option or value; the message lists what is allowed.
        """
        allowed = {"deck": tuple(DECKS), "first_player": FIRST_PLAYERS}
        chosen: dict[str, str] = {}
        for name, value in given.items():
            if name not in allowed:
                raise ValueError(f"Gang of Dice has the options {', '.join(allowed)}, not {name!r:.80}")
            if not isinstance(value, str) or value not in allowed[name]:
                raise ValueError(f"the option {name} is one of {', '.join(allowed[name])}, not {value!r:.80}")
            chosen[name] = value
        return cls(**chosen)

    def to_dict(self) -> dict[str, object]:
        """Return the options that differ from their defaults."""
        return {each.name: value for each in fields(self) if (value := getattr(self, each.name)) != each.default}


_new = tuple.__new__


class Round(NamedTuple):
    """What a round begins with; nothing of it changes before the round is over.

    Attributes:
        deck: the numbers of the cards of all rounds, in playing order; hidden from the next round on.
        order: the seats that play this round, clockwise from the one that begins (D4); empty
            when the game is over.
        out: the round in which each seat was eliminated, 0 for a seat in play.
        carried: dice left on the table by rounds in which all were bust (D16).
        bonus: dice added from the supply (D17).
        last: the round before.
        card: the warning of this round.
        wire: what every seat knows of all this.
    """

    options: Options
    deck: tuple[int, ...]
    number: int
    order: tuple[int, ...]
    out: tuple[int, ...]
    carried: int
    bonus: int
    last: ResultWire | None
    card: WarningCard
    wire: tuple[Any, ...]


def round_of(
    options: Options,
    deck: tuple[int, ...],
    number: int,
    order: tuple[int, ...],
    out: tuple[int, ...],
    carried: int,
    bonus: int,
    last: ResultWire | None,
) -> Round:
    """Return the round with its card and its part of a view's wire."""
    shown = deck[:number]
    wire = ((options.deck, options.first_player), number, shown, order, out, carried, bonus, last)
    return _new(Round, (options, deck, number, order, out, carried, bonus, last, WARNINGS[shown[-1]], wire))


class State(NamedTuple):
    """One moment of a game: a seat has to decide, or the game is over by its rules.

    Attributes:
        pools: dice that each seat holds, those on the table left out (public: D5).
        turns: the finished turns of this round, in playing order.
        best: the best valid roll among them.
        seat: the seat whose turn it is, `NOBODY` when the game is over by its rules.
        rolls: its rolls so far; empty until it has chosen its dice.
    """

    round: Round
    pools: Pools
    turns: Turns
    best: BestWire
    seat: int
    rolls: Rolls

    @property
    def table(self) -> int:
        """Dice on the table: carried, bonus and staked."""
        return self.round.carried + self.round.bonus + staked(self.turns) + (len(self.rolls[0]) if self.rolls else 0)


state_of: Callable[[tuple[Round, Pools, Turns, BestWire, int, Rolls]], State] = partial(_new, State)
"""Makes a state of its parts, in half the time that `State(...)` takes."""


def staked(turns: Turns) -> int:
    """Return how many dice were staked in these turns."""
    dice = 0
    for _, rolls, _, _ in turns:
        dice += len(rolls[0])
    return dice
