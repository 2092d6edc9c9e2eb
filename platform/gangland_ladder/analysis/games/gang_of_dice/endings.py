"""What the end of a round is worth, and a position before one: scores where the game is over, else the networks'."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from gangland.gang_of_dice.state import ROUNDS, Options
from gangland.gang_of_dice.warnings import DECKS
from gangland_ladder.analysis.games.gang_of_dice.multisets import Floats, Ints
from gangland_ladder.analysis.games.gang_of_dice.network import Networks, chances_of

_IN_PLAY: Final = 1000
"""Ranks seats in play above those that are out, which go by their round (D23)."""
_AT_FAULT: Final = -1
"""Ranks seats at fault below all others (D31)."""


@dataclass(frozen=True)
class Setting:
    """What a round cannot change.

    Attributes:
        out: by seat of the table, the round in which it was eliminated, 0 for none.
        at_fault: seats that play by default; they rank last.
        drawn: numbers of the warnings turned up until now, in their order.
    """

    options: Options
    networks: Networks
    out: tuple[int, ...]
    at_fault: frozenset[int]
    drawn: tuple[int, ...]

    @cached_property
    def left_over(self) -> tuple[int, ...]:
        """The warnings of the deck that have not been turned up."""
        return tuple(card for stack in DECKS[self.options.deck] for card in stack.cards if card not in self.drawn)

    def may_come(self, number: int) -> tuple[int, ...]:
        """Return the warnings left over of which one is turned up in a round."""
        last = 0
        for stack in DECKS[self.options.deck]:
            last += stack.rounds
            if number <= last:
                return tuple(card for card in stack.cards if card not in self.drawn)
        raise ValueError(f"no round {number}")

    def before(self, number: int, order: Sequence[int], dice: Ints, carried: Ints, card: int | None = None) -> Floats:
        """Return (positions, seats of the table): what positions before a round are worth to each seat.

        Args:
            order: the seats in play, in the order of their turns.
            dice: (positions, seats in play), in that order.
            carried: (positions,).
            card: the warning of the round, one of those left over; None before it is turned up.
        """
        turned_up = self.may_come(number) if card is None else (card,)
        shares = self.networks[len(order), number].shares(dice, carried, chances_of(turned_up, self.left_over))
        ranks = np.tile([out or _IN_PLAY for out in self.out], (len(dice), 1))
        return self._scores(ranks, order, shares)

    def ended(self, number: int, order: Sequence[int], dice: Ints) -> Floats:
        """Return (ends, seats of the table): the scores of games that are over after a round.

        Args:
            order, dice: the seats that played the round, and what they have now.
        """
        ranks = np.tile(self.out, (len(dice), 1))
        ranks[:, order] = np.where(dice > 0, _IN_PLAY + dice, number)
        return self._scores(ranks, (), np.zeros((len(dice), 0)))

    def _scores(self, ranks: Ints, going: Sequence[int], shares: Floats) -> Floats:
        """Return the scores of seats with these ranks, those that play on by the shares of each other."""
        ranks[:, sorted(self.at_fault)] = _AT_FAULT
        ahead = (ranks[:, :, None] > ranks[:, None, :]) + 0.5 * (ranks[:, :, None] == ranks[:, None, :])
        scores: Floats = ahead.sum(axis=2) - 0.5
        faultless = [place for place, seat in enumerate(going) if seat not in self.at_fault]
        if len(faultless) == len(going):
            scores[:, list(going)] += (shares - 0.5) * (len(going) - 1)
        else:  # how seats without faults fare among themselves, as far as their shares of all tell
            left = np.clip(shares[:, faultless], 1e-6, None)
            against = left[:, :, None] / (left[:, :, None] + left[:, None, :])
            scores[:, [going[place] for place in faultless]] += (against - 0.5).sum(axis=2)
        return scores / (len(self.out) - 1)


@dataclass(frozen=True)
class RoundEnd:
    """The ends of one round, as `rounds.Ending`: values by seat of the table, and whether `watched` won the round.

    Attributes:
        dice: by turn, what its seat had before it staked.
        on_table: dice on the table then: carried and bonus.
        watched: a turn, -1 for none.
    """

    setting: Setting
    number: int
    order: tuple[int, ...]
    dice: tuple[int, ...]
    on_table: int
    watched: int = -1

    @cached_property
    def _turns(self) -> Ints:
        return np.arange(len(self.order))

    def __call__(self, stakes: Ints, winners: Ints) -> Floats:
        """Return the values of some ends; see `rounds.Ending`."""
        taken = (winners[:, None] == self._turns) * (self.on_table + stakes.sum(axis=1))[:, None]
        dice = np.array(self.dice) - stakes + taken
        carried = np.where(winners < 0, self.on_table + stakes.sum(axis=1), 0)
        begins = self._begins(winners)
        kinds = (dice > 0) @ (1 << self._turns) * len(self.order) + begins
        values = np.empty((len(stakes), len(self.setting.out) + 1))
        values[:, -1] = (winners == self.watched) & (self.watched >= 0)
        for kind in np.unique(kinds):
            rows = np.flatnonzero(kinds == kind)
            turns = np.roll(self._turns, -int(begins[rows[0]]))
            values[rows, :-1] = self._of_kind(
                [turn for turn in turns if dice[rows[0], turn]], dice[rows], carried[rows]
            )
        return values

    def _begins(self, winners: Ints) -> Ints:
        """Return the turn from which the next round's order goes on (D3)."""
        if self.setting.options.first_player == "winner":
            return np.where(winners < 0, 1, winners) % len(self.order)
        return np.full(len(winners), 1 % len(self.order))

    def _of_kind(self, left: Sequence[int], dice: Ints, carried: Ints) -> Floats:
        """Return the values of ends after which these turns' seats are left, in the order of the next round."""
        if self.number == ROUNDS or len(left) <= 1:
            return self.setting.ended(self.number, self.order, dice)
        out = list(self.setting.out)
        for turn, seat in enumerate(self.order):
            if turn not in left:
                out[seat] = self.number
        later = replace(self.setting, out=tuple(out))
        return later.before(self.number + 1, [self.order[turn] for turn in left], dice[:, left], carried)
