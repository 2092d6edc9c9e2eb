"""What strengths may be in truth, given all blocks: draws from their posterior, the same on every machine.

The likelihood is that of `fit`, its logarithm divided by the dispersion of blocks.  The prior is weak and
stated: strengths spread around a common middle as Cauchy's distribution does, most of them close together and
some far off, with a width that is itself unknown (half-Cauchy of `WIDTH`), cut off as by a normal distribution of
`FAR`.  So bots that did about equally well are taken for about equal until blocks say otherwise, and one that wins
or loses everything has a strength that is known as well as any.

Many chains of Metropolis' steps run side by side from a normal approximation.  All chance comes from one fixed
seed, by a generator whose stream never changes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gangland_ladder.rating.final_standings.fit import Fit

WIDTH = 0.1
"""Of the prior on the width of strengths, in logits: half of it lies below."""
FAR = 2.0
"""Of the normal distribution that keeps strengths finite, in logits."""
SETTLE_SWEEPS, KEPT, BETWEEN = 16, 16, 2
"""Sweeps before the first state is kept, how many states of a chain are, and sweeps from one to the next."""
_SEED = 20_260_301
_REACH = 2.3
"""A step's length over the error that a strength has by itself, at which about 45 of 100 steps are taken."""


def draws(fitted: Fit) -> np.ndarray:
    """Return draws of all strengths: draws x entries, those of each part of the schedule around their mean."""
    entries = len(fitted.strength)
    if not entries:
        return np.zeros((1, 0))
    chains = _Chains.begin(fitted, 256 if entries <= 64 else 64 if entries <= 256 else 16)
    kept = []
    for sweep in range(SETTLE_SWEEPS + KEPT * BETWEEN):
        chains.step()
        if sweep >= SETTLE_SWEEPS and (sweep - SETTLE_SWEEPS) % BETWEEN == BETWEEN - 1:
            kept.append(chains.strength.T.copy())
    found = np.concatenate(kept)
    for part in np.unique(fitted.part):
        of_it = fitted.part == part
        found[:, of_it] -= found[:, of_it].mean(axis=1, keepdims=True)
    return found


@dataclass(slots=True)
class _Chains:
    """Where all chains stand; arrays end with an axis of chains.

    Attributes:
        strength: entries x chains.
        width: of the prior, in each chain.
        dispersion: of blocks, in each chain: how well it is known is part of the doubt.
    """

    fitted: Fit
    random: np.random.RandomState
    strength: np.ndarray
    width: np.ndarray
    dispersion: np.ndarray
    slope: np.ndarray
    met: list[np.ndarray]
    total: np.ndarray

    @classmethod
    def begin(cls, fitted: Fit, count: int) -> _Chains:
        random = np.random.RandomState(_SEED)
        dispersion = fitted.dispersion * fitted.freedom / random.chisquare(fitted.freedom, count)
        spread = max(0.1, float(np.std(fitted.strength)) / 2)
        width = spread * np.exp(random.standard_normal(count) / 2)
        share = (1 + np.tanh((fitted.strength[:, None] - fitted.strength[None, :]) / 2)) / 2
        slope = fitted.weight * share * (1 - share)
        # Every chain begins near the fit, by a draw from the normal approximation: without it the few sweeps before the
        # first state is kept would not be enough to forget where a chain began.
        sure = np.diag(slope.sum(axis=1) / fitted.dispersion + _prior_slope(fitted.strength, spread))
        root = np.linalg.cholesky(np.linalg.inv(sure - slope / fitted.dispersion))
        normal = random.standard_normal((len(slope), count))
        strength = fitted.strength[:, None] + root @ normal
        met = [np.nonzero(row)[0] for row in fitted.weight]
        return cls(fitted, random, strength, width, dispersion, slope.sum(axis=1), met, fitted.weight.sum(axis=1))

    def step(self) -> None:
        """Move each strength in turn, and then all of them together."""
        entries, count = self.strength.shape
        normal = self.random.standard_normal((entries + 3, count))
        chance = np.log(self.random.random_sample((entries + 3, count)))
        for entry in range(entries):
            self._one(entry, normal[entry], chance[entry])
        self._shift(normal[entries], chance[entries])
        self._widen(normal[entries + 1], chance[entries + 1])
        self._stretch(normal[entries + 2], chance[entries + 2])

    def _one(self, entry: int, normal: np.ndarray, chance: np.ndarray) -> None:
        fitted, now = self.fitted, self.strength[entry]
        sure = self.slope[entry] / self.dispersion + _prior_slope(fitted.strength[entry], self.width)
        then = now + _REACH * normal / np.sqrt(sure)
        others = self.strength[self.met[entry]]
        weight = fitted.weight[entry, self.met[entry]][:, None]
        lost = (weight * (_softplus(others - then) - _softplus(others - now))).sum(axis=0)
        gain = ((fitted.score[entry] - self.total[entry]) * (then - now) - lost) / self.dispersion
        gain += _log_prior(then, self.width) - _log_prior(now, self.width)
        self.strength[entry] = np.where(chance < gain, then, now)

    def _shift(self, normal: np.ndarray, chance: np.ndarray) -> None:
        """Move all strengths by as much, which changes no comparison."""
        then = self.strength + 1.5 * normal * self.width / np.sqrt(len(self.strength))
        gain = (_log_prior(then, self.width) - _log_prior(self.strength, self.width)).sum(axis=0)
        self.strength = np.where(chance < gain, then, self.strength)

    def _widen(self, normal: np.ndarray, chance: np.ndarray) -> None:
        """Change the prior's width alone."""
        entries = len(self.strength)
        then = self.width * np.exp(1.8 * normal / np.sqrt(entries))
        gain = (_log_prior(self.strength, then) - _log_prior(self.strength, self.width)).sum(axis=0)
        gain += _log_width(then) - _log_width(self.width) - entries * np.log(then / self.width)
        self.width = np.where(chance < gain, then, self.width)

    def _stretch(self, normal: np.ndarray, chance: np.ndarray) -> None:
        """Change the prior's width, and all strengths with it."""
        factor = np.exp(0.35 * normal)
        then = self.strength * factor
        gain = (self._log_likelihood(then) - self._log_likelihood(self.strength)) / self.dispersion
        gain += _log_width(self.width * factor) - _log_width(self.width)
        gain += (_log_prior(then, self.width * factor) - _log_prior(self.strength, self.width)).sum(axis=0)
        self.strength = np.where(chance < gain, then, self.strength)
        self.width = np.where(chance < gain, self.width * factor, self.width)

    def _log_likelihood(self, strength: np.ndarray) -> np.ndarray:
        found = (self.fitted.score[:, None] * strength).sum(axis=0)
        for entry, met in enumerate(self.met):
            below = met[met < entry]
            weight = self.fitted.weight[entry, below][:, None]
            found -= (weight * (strength[entry] + _softplus(strength[below] - strength[entry]))).sum(axis=0)
        return found


def _softplus(gap: np.ndarray) -> np.ndarray:
    found: np.ndarray = np.maximum(gap, 0) + np.log1p(np.exp(-np.abs(gap)))
    return found


def _log_prior(strength: np.ndarray, width: np.ndarray) -> np.ndarray:
    found: np.ndarray = -np.log1p((strength / width) ** 2) - (strength / FAR) ** 2 / 2
    return found


def _prior_slope(strength: np.ndarray, width: np.ndarray | float) -> np.ndarray:
    """Return how much the prior holds a strength, roughly: enough to choose the length of a step."""
    found: np.ndarray = 2 / (width**2 + strength**2) + FAR**-2
    return found


def _log_width(width: np.ndarray) -> np.ndarray:
    """The logarithm of the prior on the width, by the logarithm of the width."""
    found: np.ndarray = np.log(width) - np.log1p((width / WIDTH) ** 2)
    return found
