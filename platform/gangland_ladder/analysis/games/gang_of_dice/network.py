"""What a position between two rounds is worth: a small network for each number of seats in play and each round.

It takes what all seats see before the warning is turned up: dice by turn of the round, and those that lie on the table.
The warning enters linearly, by a few numbers of its own, and so do those that may come later.  So the mean over all
warnings that may be turned up next, whichever are gone, is the value for the mean of these numbers, exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from gangland.gang_of_dice.state import POOLS
from gangland.gang_of_dice.warnings import WARNINGS
from gangland_ladder.analysis.games.gang_of_dice.multisets import Floats, Ints

HIDDEN: Final = 48
_OF_WARNING: Final = 6
_OF_REST: Final = 10
"""By how many numbers a warning is known that is turned up, and one that may be later."""
TRAITS: Final = _OF_WARNING + _OF_REST
_MOST: Final = max(seats * dice for seats, dice in POOLS.items())
_LEADS: Final = (4.0, 12.0, 30.0)
"""About so many dice are a small, a middling and a large lead."""
CLOSE_RACE: Final = 30
_STRONGER: Final = 3.0
"""The mean of many warnings' numbers varies less than each: so much larger they begin."""
_STEP: Final = 0.004
BATCH: Final = 256


@dataclass(frozen=True, slots=True)
class Network:
    """The values of one number of seats before one round.

    Attributes:
        weights, biases: of the layers: dice to hidden units, twice, and to strengths and leanings.
        traits: (warnings, TRAITS), the numbers of each warning: if it is turned up, and if it may be later.
        totals: all dice of two seats, for which `close` says more; none of more seats.
        close: (totals, leads, warnings), what the first of two seats has beyond what the layers say, by its lead from
            -CLOSE_RACE to CLOSE_RACE if nothing is carried over: towards the end each die of a lead counts.
    """

    weights: tuple[Floats, Floats, Floats]
    biases: tuple[Floats, Floats, Floats]
    traits: Floats
    totals: Ints
    close: Floats

    @property
    def arrays(self) -> tuple[Floats, ...]:
        """All that is fitted."""
        return (*self.weights, *self.biases, self.traits)

    def shares(self, dice: Ints, carried: Ints, warnings: Floats) -> Floats:
        """Return (positions, seats): the share of the others in play that each seat will finish ahead of.

        Args:
            dice: (positions, seats), in the order of the turns.
            carried: (positions,), on the table before bonus dice.
            warnings: as `chances_of` returns them, for all positions alike or (positions, 2, warnings).
        """
        features = _features(dice, carried)
        shares = _Pass(self, features, warnings).shares if warnings.ndim > 2 else self._shares(features, warnings)
        if len(self.totals):
            lead, total = dice[:, 0] - dice[:, 1], dice.sum(axis=1)
            for number, each in enumerate(self.totals):
                rows = np.flatnonzero((carried == 0) & (total == each) & (abs(lead) <= CLOSE_RACE))
                up = np.broadcast_to(warnings[..., 0, :], (len(dice), len(WARNINGS)))[rows]
                more = (self.close[number, lead[rows] + CLOSE_RACE] * up).sum(axis=1)
                shares[rows] += np.stack([more, -more], axis=1)
        return bounded(shares)

    def _shares(self, features: Floats, warnings: Floats) -> Floats:
        """Return what `_Pass` does where all warnings are alike: their traits go into the weights first."""
        traits = _traits(self, warnings)
        seats = len(self.biases[2]) // (1 + TRAITS)

        def known(parts: Floats) -> Floats:
            leanings = np.tensordot(parts[..., seats:].reshape(-1, TRAITS, seats), traits, ([1], [0]))
            return np.concatenate([parts[..., :seats].reshape(-1, seats), _centered(leanings)], axis=1)

        hidden = np.tanh(features @ self.weights[0] + self.biases[0])
        out = np.tanh(hidden @ self.weights[1] + self.biases[1]) @ known(self.weights[2]) + known(self.biases[2])
        return _mean_ahead(_ahead(out[:, :seats])) + out[:, seats:]


def bounded(shares: Floats) -> Floats:
    """Return shares from 0 to 1, which the layers do not know about, with the sum that they have of every table."""
    within = np.clip(shares, 0.0, 1.0)
    missing = shares.sum(axis=1, keepdims=True) - within.sum(axis=1, keepdims=True)
    room = np.where(missing > 0, 1.0 - within, within)
    total = room.sum(axis=1, keepdims=True)
    return np.clip(within + missing * room / np.where(total > 0, total, 1.0), 0.0, 1.0)


def chances_of(turned_up: Sequence[int], left_over: Sequence[int]) -> Floats:
    """Return (2, warnings): the chance of each to be that of the round, and its part in those that may come later.

    Args:
        turned_up: the warnings of which one is that of the round, each as likely as another.
        left_over: all that have not been turned up before, these among them.
    """
    up, later = np.zeros(len(WARNINGS)), np.zeros(len(WARNINGS))
    up[list(turned_up)] = 1 / len(turned_up)
    later[list(left_over)] = 1.0
    found: Floats = np.stack([up, (later - up) / (len(left_over) - 1)])
    return found


def _features(dice: Ints, carried: Ints) -> Floats:
    """Return (positions, features): dice as parts of all, few dice more finely, and leads, small and large ones."""
    all_dice = np.concatenate([dice, carried[:, None]], axis=1)
    total = all_dice.sum(axis=1, keepdims=True)
    first, second = np.triu_indices(dice.shape[1], 1)
    leads = (dice[:, first] - dice[:, second])[:, :, None] / np.array(_LEADS)
    of_leads = np.tanh(leads).reshape(len(dice), -1)
    found: Floats = np.concatenate([2 * all_dice / total, np.log1p(all_dice) / 2 - 1, total / _MOST, of_leads], axis=1)
    return found


def _traits(network: Network, warnings: Floats) -> Floats:
    """Return (TRAITS,) of warnings, or (positions, TRAITS)."""
    up, later = warnings[..., 0, :], warnings[..., 1, :]
    return np.concatenate([up @ network.traits[:, :_OF_WARNING], later @ network.traits[:, _OF_WARNING:]], axis=-1)


def _centered(leanings: Floats) -> Floats:
    return leanings - leanings.mean(axis=-1, keepdims=True)


def _ahead(strengths: Floats) -> Floats:
    """Return (positions, seats, seats): the chance of each seat to finish ahead of each, a half of itself."""
    return 1 / (1 + np.exp(strengths[:, None, :] - strengths[:, :, None]))


def _mean_ahead(ahead: Floats) -> Floats:
    return (ahead.sum(axis=2) - 0.5) / (ahead.shape[1] - 1)


class _Pass:
    """The network's answer for some positions, and what the answer hangs on."""

    def __init__(self, network: Network, features: Floats, warnings: Floats) -> None:
        first, second, last = network.weights
        self.network = network
        self.features = features
        self.warnings = warnings
        self.traits = _traits(network, warnings)
        self.hidden = np.tanh(features @ first + network.biases[0])
        self.deeper = np.tanh(self.hidden @ second + network.biases[1])
        out = self.deeper @ last + network.biases[2]
        seats = out.shape[1] // (1 + TRAITS)
        self.leanings = _centered(out[:, seats:].reshape(-1, TRAITS, seats))
        self.ahead = _ahead(out[:, :seats])
        self.others = seats - 1
        self.shares: Floats = _mean_ahead(self.ahead) + np.einsum("nt,nts->ns", self.traits, self.leanings)

    def gradients(self, wrong: Floats) -> tuple[Floats, ...]:
        """Return by how much the sum of `wrong` times the shares grows with all that is learned."""
        steep = self.ahead * (1 - self.ahead)
        of_strengths = (steep * (wrong[:, :, None] - wrong[:, None, :])).sum(axis=2) / self.others
        of_leanings = self.traits[:, :, None] * (wrong - wrong.mean(axis=1, keepdims=True))[:, None, :]
        out = np.concatenate([of_strengths, of_leanings.reshape(len(wrong), -1)], axis=1)
        deeper = (out @ self.network.weights[2].T) * (1 - self.deeper**2)
        hidden = (deeper @ self.network.weights[1].T) * (1 - self.hidden**2)
        weights = (self.features.T @ hidden, self.hidden.T @ deeper, self.deeper.T @ out)
        biases = (hidden.sum(axis=0), deeper.sum(axis=0), out.sum(axis=0))
        known = np.einsum("ns,nts->nt", wrong, self.leanings)
        up, later = self.warnings[:, 0], self.warnings[:, 1]
        traits = np.concatenate([up.T @ known[:, :_OF_WARNING], later.T @ known[:, _OF_WARNING:]], axis=1)
        return (*weights, *biases, traits)


def fitted(
    dice: Ints,
    carried: Ints,
    warnings: Floats,
    shares: Floats,
    epochs: int,
    rng: np.random.Generator,
    upcoming: Network | None,
) -> Network:
    """Return a network that gives positions these shares, by least squares.

    Args:
        dice, carried, warnings: as for `Network.shares`.
        shares: (positions, seats).
        upcoming: that of the round after it: what warnings are like there is what counts of those that may be later.
    """
    features, seats = _features(dice, carried), dice.shape[1]
    network = _random(features.shape[1], seats, rng)
    if upcoming is not None:
        later = upcoming.traits[:, :_OF_REST]
        network.traits[:, _OF_WARNING:] = _STRONGER * (later - later.mean(axis=0)) / (later.std(axis=0) + 1e-6)
    first = [np.zeros_like(each) for each in network.arrays]
    second = [np.zeros_like(each) for each in network.arrays]
    steps = epochs * -(-len(features) // BATCH)
    for number, rows in enumerate(_batches(len(features), epochs, rng), 1):
        tried = _Pass(network, features[rows], warnings[rows])
        gradients = tried.gradients((tried.shares - shares[rows]) / len(rows))
        step = _STEP * 0.5 * (1 + np.cos(np.pi * number / steps))
        for array, gradient, mean, square in zip(network.arrays, gradients, first, second, strict=True):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            array -= step * (mean / (1 - 0.9**number)) / (np.sqrt(square / (1 - 0.999**number)) + 1e-8)
    return network


def _batches(count: int, epochs: int, rng: np.random.Generator) -> Iterator[Ints]:
    for _ in range(epochs):
        order = rng.permutation(count)
        for first in range(0, count, BATCH):
            yield order[first : first + BATCH]


def _random(features: int, seats: int, rng: np.random.Generator) -> Network:
    sizes = (features, HIDDEN, HIDDEN, seats * (1 + TRAITS))
    first, second, last = [rng.normal(0, few**-0.5, (few, many)) for few, many in pairwise(sizes)]
    return Network(
        (first, second, last * 0.1),
        (np.zeros(HIDDEN), np.zeros(HIDDEN), np.zeros(sizes[-1])),
        rng.normal(0, 1, (len(WARNINGS), TRAITS)),
        np.zeros(0, dtype=np.int64),
        np.zeros((0, 2 * CLOSE_RACE + 1, len(WARNINGS))),
    )


Networks = Mapping[tuple[int, int], Network]
"""By seats in play and round."""
