"""The values of positions in Gang of Dice: between rounds, as estimated by networks, and at the end of a round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

import numpy as np

from gangland.gang_of_dice.state import POOLS, ROUNDS, Options
from gangland.gang_of_dice.warnings import DECKS, WARNINGS
from gangland_ladder.analysis.games.gang_of_dice.turns import Floats, Ints

# Networks: one for each number of seats in play and each round.
#
# Their input is the information that all seats have before the warning is turned up: each seat's dice in the order of
# the turns, and the dice on the table. The warning enters linearly, as a vector of its own, and so do the warnings that
# may come later. So the value for the mean of these vectors is exactly the mean over all warnings that may come next.

# Lengths of a warning's vectors: for being turned up now, and for possibly coming later.
CURRENT_TRAITS: Final = 6
LATER_TRAITS: Final = 10
TRAITS: Final = CURRENT_TRAITS + LATER_TRAITS
_MAX_DICE: Final = max(seats * dice for seats, dice in POOLS.items())
_LEADS: Final = (4.0, 12.0, 30.0)  # Number of dice in a small, a medium and a large lead.
CLOSE_RACE: Final = 30


@dataclass(frozen=True, slots=True)
class Network:
    """The network for the values before one round at one number of seats."""

    # weights, biases: for each layer: two layers of hidden units, and the output layer of strengths and leanings
    weights: tuple[Floats, Floats, Floats]
    biases: tuple[Floats, Floats, Floats]
    traits: Floats  # (warnings, TRAITS), the vectors of each warning: for being turned up, and for coming later
    totals: Ints  # the two seats' total numbers of dice for which `close` has a correction; empty for more seats
    # (totals, leads, warnings), the correction for the first of two seats by its lead from -CLOSE_RACE to CLOSE_RACE,
    # if no dice are carried over: near the end, every die of the lead matters
    close: Floats
    # The network was trained with the default options of the game. For other options, the seats' dice are changed
    # first: by a factor for the differences from the mean, then by a number of dice for each turn. See `changed_dice`.
    options: Mapping[tuple[str, str], Floats] = field(default_factory=dict)

    @property
    def arrays(self) -> tuple[Floats, ...]:
        """All trained arrays."""
        return (*self.weights, *self.biases, self.traits)

    def shares(self, dice: Ints, carried: Ints, warnings: Floats, change: Floats | None = None) -> Floats:
        """Return (positions, seats): the share of the other seats in play that each seat will finish ahead of.

        Args:
            dice: (positions, seats), in the order of the turns.
            carried: (positions,), dice on the table before bonus dice.
            warnings: from `chances_of`, the same for all positions.
            change: the change of the dice, from `options`; None for no change.
        """
        traits = traits_of(self, warnings)  # the traits are applied to the weights first
        seats = len(self.biases[2]) // (1 + TRAITS)

        def blend(parts: Floats) -> Floats:
            leanings = np.tensordot(parts[..., seats:].reshape(-1, TRAITS, seats), traits, ([1], [0]))
            return np.concatenate([parts[..., :seats].reshape(-1, seats), centered(leanings)], axis=1)

        worth = dice if change is None else changed_dice(dice, change)
        hidden = np.tanh(features_of(worth, carried) @ self.weights[0] + self.biases[0])
        out = np.tanh(hidden @ self.weights[1] + self.biases[1]) @ blend(self.weights[2]) + blend(self.biases[2])
        return self.corrected(mean_ahead(chances_ahead(out[:, :seats])) + out[:, seats:], dice, carried, warnings[0])

    def corrected(self, shares: Floats, dice: Ints, carried: Ints, up: Floats) -> Floats:
        """Return the output of the layers, corrected for close races and clipped to the range from 0 to 1.

        Args:
            up: (warnings,) or (positions, warnings), the probability that each warning is the round's warning.
        """
        lead, total = dice[:, 0] - dice[:, 1], dice.sum(axis=1)
        up = np.broadcast_to(up, (len(dice), len(WARNINGS)))
        for number, all_dice in enumerate(self.totals):
            rows = np.flatnonzero((carried == 0) & (total == all_dice) & (abs(lead) <= CLOSE_RACE))
            correction = (self.close[number, lead[rows] + CLOSE_RACE] * up[rows]).sum(axis=1)
            shares[rows] += np.stack([correction, -correction], axis=1)
        return clipped_shares(shares)


def changed_dice(dice: Ints, change: Floats) -> Floats:
    """Return (positions, seats): the dice after a change from `Network.options`."""
    mean = dice.mean(axis=1, keepdims=True)
    changed: Floats = np.maximum(mean + change[0] * (dice - mean) + change[1:], 0.0)
    return changed


def clipped_shares(shares: Floats) -> Floats:
    """Return the shares clipped to the range from 0 to 1, without changing their sum over each table."""
    within = np.clip(shares, 0.0, 1.0)
    missing = shares.sum(axis=1, keepdims=True) - within.sum(axis=1, keepdims=True)
    room = np.where(missing > 0, 1.0 - within, within)
    total = room.sum(axis=1, keepdims=True)
    return np.clip(within + missing * room / np.where(total > 0, total, 1.0), 0.0, 1.0)


def chances_of(turned_up: Sequence[int], remaining: Sequence[int]) -> Floats:
    """Return (2, warnings): the probability that each is the round's warning, and its share of the later warnings.

    Args:
        turned_up: the possible warnings of the round, which are equally likely.
        remaining: all warnings that were not turned up before, including `turned_up`.
    """
    up, later = np.zeros(len(WARNINGS)), np.zeros(len(WARNINGS))
    up[list(turned_up)] = 1 / len(turned_up)
    later[list(remaining)] = 1.0
    chances: Floats = np.stack([up, (later - up) / (len(remaining) - 1)])
    return chances


def features_of(dice: Ints | Floats, carried: Ints) -> Floats:
    """Return (positions, features): the dice as shares of all dice, in finer steps for few dice, and the leads."""
    all_dice = np.concatenate([dice, carried[:, None]], axis=1)
    total = all_dice.sum(axis=1, keepdims=True)
    first, second = np.triu_indices(dice.shape[1], 1)
    leads = (dice[:, first] - dice[:, second])[:, :, None] / np.array(_LEADS)
    of_leads = np.tanh(leads).reshape(len(dice), -1)
    features: Floats = np.concatenate(
        [2 * all_dice / total, np.log1p(all_dice) / 2 - 1, total / _MAX_DICE, of_leads], axis=1
    )
    return features


def traits_of(network: Network, warnings: Floats) -> Floats:
    """Return the weighted vector of warnings: (TRAITS,) or (positions, TRAITS)."""
    up, later = warnings[..., 0, :], warnings[..., 1, :]
    current, upcoming = np.split(network.traits, [CURRENT_TRAITS], axis=1)
    return np.concatenate([up @ current, later @ upcoming], axis=-1)


def centered(leanings: Floats) -> Floats:
    """Return leanings minus their mean over the seats."""
    return leanings - leanings.mean(axis=-1, keepdims=True)


def chances_ahead(strengths: Floats) -> Floats:
    """Return (positions, seats, seats): each seat's probability to finish ahead of each other seat; 1/2 for itself."""
    return 1 / (1 + np.exp(strengths[:, None, :] - strengths[:, :, None]))


def mean_ahead(ahead: Floats) -> Floats:
    """Return (positions, seats): the share of the other seats that each seat finishes ahead of."""
    return (ahead.sum(axis=2) - 0.5) / (ahead.shape[1] - 1)


Networks = Mapping[tuple[int, int], Network]  # by number of seats in play and round


# The end of a round: the scores if the game is over, else the network's values for the position before the next round.

_IN_PLAY: Final = 1000  # Ranks seats in play above eliminated seats, which rank by the round of elimination (D23).
_AT_FAULT: Final = -1  # Ranks seats at fault below all others (D31).


@dataclass(frozen=True)
class Setting:
    """The facts that do not change during a round."""

    options: Options
    networks: Networks
    out: tuple[int, ...]  # by seat of the table, the round of its elimination; 0 for none
    at_fault: frozenset[int]  # these seats rank last
    drawn: tuple[int, ...]  # numbers of the warnings turned up so far, in order

    @cached_property
    def remaining(self) -> tuple[int, ...]:
        """The warnings of the deck that have not been turned up."""
        return tuple(card for stack in DECKS[self.options.deck] for card in stack.cards if card not in self.drawn)

    def possible_warnings(self, number: int) -> tuple[int, ...]:
        """Return the warnings that may be turned up in a round."""
        last = 0
        for stack in DECKS[self.options.deck]:
            last += stack.rounds
            if number <= last:
                return tuple(card for card in stack.cards if card not in self.drawn)
        raise ValueError(f"expected a round from 1 to {last}, not {number}")

    def warnings(self, number: int, card: int | None = None) -> Floats:
        """Return `chances_of` for a round whose warning is `card`; for None, before its warning is turned up."""
        turned_up = self.possible_warnings(number) if card is None else (card,)
        warnings = chances_of(turned_up, self.remaining)
        if len(DECKS[self.options.deck]) > 1:
            warnings[1] = self._later_shares(number, turned_up)
        return warnings

    def _later_shares(self, number: int, turned_up: Sequence[int]) -> Floats:
        """Return (warnings,): each one's share of the later warnings, for a deck with several stacks."""
        shares, last = np.zeros(len(WARNINGS)), 0
        for stack in DECKS[self.options.deck]:
            first, last = last, last + stack.rounds
            cards = [card for card in stack.cards if card not in self.drawn and (card,) != tuple(turned_up)]
            shares[cards] = max(0, last - max(number, first)) / len(cards)
            if number == ROUNDS:
                shares[cards] = last == ROUNDS
        return shares / shares.sum()

    def values(self, number: int, order: Sequence[int], dice: Ints, carried: Ints, card: int | None = None) -> Floats:
        """Return (positions, seats of the table): the values of positions before a round.

        Args:
            order: the seats in play, in the order of their turns.
            dice: (positions, seats in play), in that order.
            carried: (positions,), dice on the table before bonus dice.
            card: the round's warning, which was not turned up before; None before it is turned up.
        """
        network = self.networks[len(order), number]
        change = network.options.get((self.options.deck, self.options.first_player))
        shares = network.shares(dice, carried, self.warnings(number, card), change)
        ranks = np.tile([out or _IN_PLAY for out in self.out], (len(dice), 1))
        return self._scores(ranks, order, shares)

    def end_scores(self, number: int, order: Sequence[int], dice: Ints) -> Floats:
        """Return (ends, seats of the table): the scores if the game ends after this round with these dice."""
        ranks = np.tile(self.out, (len(dice), 1))
        ranks[:, order] = np.where(dice > 0, _IN_PLAY + dice, number)
        return self._scores(ranks, (), np.zeros((len(dice), 0)))

    def _scores(self, ranks: Ints, in_play: Sequence[int], shares: Floats) -> Floats:
        """Return the scores of seats with these ranks; the seats in play divide their part by `shares`."""
        ranks[:, sorted(self.at_fault)] = _AT_FAULT
        ahead = (ranks[:, :, None] > ranks[:, None, :]) + 0.5 * (ranks[:, :, None] == ranks[:, None, :])
        scores: Floats = ahead.sum(axis=2) - 0.5
        faultless = [place for place, seat in enumerate(in_play) if seat not in self.at_fault]
        if len(faultless) == len(in_play):
            scores[:, list(in_play)] += (shares - 0.5) * (len(in_play) - 1)
        else:  # the seats without faults divide their part by their shares among all seats in play
            weights = np.clip(shares[:, faultless], 1e-6, None)
            against = weights[:, :, None] / (weights[:, :, None] + weights[:, None, :])
            scores[:, [in_play[place] for place in faultless]] += (against - 0.5).sum(axis=2)
        return scores / (len(self.out) - 1)


@dataclass(frozen=True)
class RoundEnd:
    """A `rounds.Ending` for one round: the values of each seat of the table, and whether `watched` won the round."""

    setting: Setting
    number: int
    order: tuple[int, ...]
    dice: tuple[int, ...]  # by turn, the number of dice of its seat before it staked
    on_table: int  # number of dice on the table at that time: carried and bonus
    watched: int = -1  # index of a turn, -1 for none

    @cached_property
    def _turns(self) -> Ints:
        return np.arange(len(self.order))

    def __call__(self, stakes: Ints, winners: Ints) -> Floats:
        """Return the values at each end of the round; see `rounds.Ending`."""
        winnings = (winners[:, None] == self._turns) * (self.on_table + stakes.sum(axis=1))[:, None]
        dice = np.array(self.dice) - stakes + winnings
        carried = np.where(winners < 0, self.on_table + stakes.sum(axis=1), 0)
        begins = self._first_turns(winners)
        kinds = (dice > 0) @ (1 << self._turns) * len(self.order) + begins
        values = np.empty((len(stakes), len(self.setting.out) + 1))
        values[:, -1] = (winners == self.watched) & (self.watched >= 0)
        for kind in np.unique(kinds):
            rows = np.flatnonzero(kinds == kind)
            turns = np.roll(self._turns, -int(begins[rows[0]]))
            values[rows, :-1] = self._values_of_kind(
                [turn for turn in turns if dice[rows[0], turn]], dice[rows], carried[rows]
            )
        return values

    def _first_turns(self, winners: Ints) -> Ints:
        """Return for each end the turn of this round whose seat begins the next round (D3)."""
        if self.setting.options.first_player == "winner":
            return np.where(winners < 0, 1, winners) % len(self.order)
        return np.full(len(winners), 1 % len(self.order))

    def _values_of_kind(self, left: Sequence[int], dice: Ints, carried: Ints) -> Floats:
        """Return the values if the seats of these turns are left in play, in the order of the next round."""
        if self.number == ROUNDS or len(left) <= 1:
            return self.setting.end_scores(self.number, self.order, dice)
        out = list(self.setting.out)
        for turn, seat in enumerate(self.order):
            if turn not in left:
                out[seat] = self.number
        later = replace(self.setting, out=tuple(out))
        return later.values(self.number + 1, [self.order[turn] for turn in left], dice[:, left], carried)
