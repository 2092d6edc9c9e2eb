"""Strengths from all blocks at once: the model of Bradley and Terry, with clustered intervals.

Entry i is expected to be ahead of entry j in the share 1 / (1 + exp(s_j - s_i)) of their games, a tie
being half.  A block of k seats has k(k-1)/2 pairs with the weight 2/k each; what an entry's pairs come to
together is k less its mean place, so mean places are all that is asked of a block.  Strengths make the
(pseudo-)likelihood greatest; how sure they are comes from how much blocks differ among themselves, a block
being one observation however many games and pairs it has (the sandwich estimate, clustered by block).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gangland_ladder.rating.final_standings.counts import Counts, Kind

ASSUMED_BLOCKS = 1.0
"""So many blocks each entry is taken to have played besides, half won and half lost, against those
it met.  It keeps the strength of the unbeaten finite, and their intervals honest."""
ASSUMED_DISPERSION = 0.5
"""What two games with dice of their own would give, and more than mirrored games mostly do."""
ASSUMED_COMPARISONS = 4.0
MAX_STEPS = 200
ENOUGH = 1e-8
"""No two that met move by more in the last step; Newton's steps square the error, so the next would be nothing."""


@dataclass(frozen=True, slots=True)
class Fit:
    """What was fitted, one an entry in the order of `Counts.entries`.

    Attributes:
        strength: logits, with mean 0 over each part of the schedule.
        variance: of the difference of two strengths, entries x entries; infinite between parts.
        part: entries joined by blocks, directly or by way of others, have the same number.
        weight: how many comparisons each two made, entries x entries; a block of k entries makes k - 1.
        score: what an entry's comparisons came to, a tie being half.
        dispersion: how much blocks vary among themselves, where 1 is what as many coin tosses as comparisons would.
        freedom: on how many comparisons `dispersion` rests, the assumed ones included.
    """

    strength: np.ndarray
    variance: np.ndarray
    part: np.ndarray
    weight: np.ndarray
    score: np.ndarray
    dispersion: float
    freedom: float


def fit(counts: Counts) -> Fit:
    """Fit strengths to all blocks.

    Raises:
        ArithmeticError: the fit does not settle, which no set of blocks is known to bring about.
    """
    size = len(counts.entries)
    tables = _by_seats(counts.kinds)
    weight, score = np.zeros((size, size)), np.zeros(size)
    for kinds in tables:
        _add(kinds, weight, score)
    part = _parts(weight > 0)
    assumed = _assumed(weight)
    held = (part[:, None] == part[None, :]).astype(float)
    strength, share, slope = _strengths(weight + assumed, score + assumed.sum(axis=1) / 2, held)
    bread = np.linalg.inv(_laplacian(slope) + held)
    meat = _laplacian(assumed * (share**2 + (1 - share) ** 2) / 2)
    for kinds in tables:
        meat += _clustered(kinds, share)
    spread = bread @ meat @ bread * _few(counts.kinds, part)[:, None]
    spread = (spread + spread.T) / 2
    own = np.diag(spread)
    variance = np.where(held > 0, own[:, None] + own[None, :] - 2 * spread, np.inf)
    np.fill_diagonal(variance, 0.0)
    fitted = len(part) - len(set(part.tolist()))
    return Fit(strength, variance, part, weight, score, *_dispersion(tables, share, fitted))


@dataclass(frozen=True, slots=True)
class _Tables:
    """Kinds of blocks of one table size.

    Attributes:
        tables: positions of entries, kinds x seats.
        ahead: of how many others each was ahead in a game, on average, in units of 1 / (2 x seats); kinds x seats.
        blocks: how many of each kind.
    """

    seats: int
    tables: np.ndarray
    ahead: np.ndarray
    blocks: np.ndarray


def _by_seats(kinds: Sequence[Kind]) -> list[_Tables]:
    sizes = sorted({len(kind.table) for kind in kinds})
    return [_tables(seats, [kind for kind in kinds if len(kind.table) == seats]) for seats in sizes]


def _tables(seats: int, kinds: Sequence[Kind]) -> _Tables:
    return _Tables(
        seats,
        np.array([kind.table for kind in kinds], dtype=np.int64),
        2.0 * seats * seats - np.array([kind.places for kind in kinds], dtype=float),
        np.array([kind.blocks for kind in kinds], dtype=float),
    )


def _add(kinds: _Tables, weight: np.ndarray, score: np.ndarray) -> None:
    """Add the weight of each pair, and what each entry's pairs came to; sums are whole before they are weighted."""
    size, each = len(weight), 2 / kinds.seats
    for a in range(kinds.seats):
        mine = kinds.tables[:, a]
        score += np.bincount(mine, kinds.blocks * kinds.ahead[:, a], size) * (each / (2 * kinds.seats))
        for b in range(kinds.seats):
            if a != b:
                weight += (
                    np.bincount(mine * size + kinds.tables[:, b], kinds.blocks, size * size).reshape(size, size) * each
                )


def _parts(met: np.ndarray) -> np.ndarray:
    """Return for each entry the lowest position that it is joined to."""
    part = np.arange(len(met))
    while True:
        lowest = np.where(met, part[None, :], len(met)).min(axis=1, initial=len(met))
        after = np.minimum(part, lowest)
        after = after[after]
        if (after == part).all():
            return part
        part = after


def _assumed(weight: np.ndarray) -> np.ndarray:
    """Spread each entry's assumed blocks over those it met, as often as it met them."""
    total = weight.sum(axis=1)
    inverse = np.divide(ASSUMED_BLOCKS, total, out=np.zeros_like(total), where=total > 0)
    return weight * (inverse[:, None] + inverse[None, :]) / 2


def _few(kinds: Sequence[Kind], part: np.ndarray) -> np.ndarray:
    """Return for each entry by how much its variance is raised because strengths were fitted to the same blocks.

    With so many blocks and entries in a part, (blocks + entries) / (blocks + 1): as n / (n - fitted)
    for a regression, the assumed blocks being observations too.
    """
    blocks = np.zeros(len(part))
    for kind in kinds:
        blocks[part[kind.table[0]]] += kind.blocks
    entries = np.bincount(part, minlength=len(part))
    factors: np.ndarray = ((blocks + entries) / (blocks + 1))[part]
    return factors


def _strengths(weight: np.ndarray, score: np.ndarray, held: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Climb by Newton's steps, shortened where they overshoot; return strengths, shares and slopes."""
    strength, met, longest = np.zeros(len(weight)), weight > 0, 0.0
    share, slope = _curve(strength, weight)
    for _ in range(MAX_STEPS):
        uphill = score - (weight * share).sum(axis=1)
        step = np.linalg.solve(_laplacian(slope) + held, uphill)
        longest = float(np.abs(step[:, None] - step[None, :]).max(initial=0.0, where=met))
        strength = strength + step / max(1.0, longest)
        share, slope = _curve(strength, weight)
        if longest < ENOUGH:
            return strength, share, slope
    raise ArithmeticError(f"strengths did not settle in {MAX_STEPS} steps; the last was {longest!r}")


def _curve(strength: np.ndarray, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the share that each is expected to take from each, and how the blocks played bend the likelihood."""
    share = (1 + np.tanh((strength[:, None] - strength[None, :]) / 2)) / 2
    return share, weight * share * (1 - share)


def _laplacian(weight: np.ndarray) -> np.ndarray:
    return np.diag(weight.sum(axis=1)) - weight


def _clustered(kinds: _Tables, share: np.ndarray) -> np.ndarray:
    """Return the sum over blocks of the outer product of what each adds to the slope."""
    size, pulls = len(share), _pulls(kinds, share)
    meat = np.zeros(size * size)
    for a in range(kinds.seats):
        for b in range(kinds.seats):
            cells = kinds.tables[:, a] * size + kinds.tables[:, b]
            meat += np.bincount(cells, kinds.blocks * pulls[:, a] * pulls[:, b], size * size)
    return meat.reshape(size, size)


def _pulls(kinds: _Tables, share: np.ndarray) -> np.ndarray:
    """Return by how much each entry of each kind of block did better than expected; kinds x seats."""
    expected = share[kinds.tables[:, :, None], kinds.tables[:, None, :]].sum(axis=2) - 0.5  # less each against itself
    pulls: np.ndarray = (kinds.ahead / (2 * kinds.seats) - expected) * (2 / kinds.seats)
    return pulls


def _dispersion(tables: Sequence[_Tables], share: np.ndarray, fitted: int) -> tuple[float, float]:
    """Return how much blocks vary for what is expected of them, and on how many comparisons that rests.

    The squares of what was not expected, over their mean if each comparison were a toss of its own.  A few
    comparisons of `ASSUMED_DISPERSION` are put to those that were made, so that few blocks cannot look sure.
    """
    squares = expected = comparisons = 0.0
    for kinds in tables:
        squares += float((kinds.blocks[:, None] * _pulls(kinds, share) ** 2).sum())
        mine = share[kinds.tables[:, :, None], kinds.tables[:, None, :]]
        slopes = (mine * (1 - mine)).sum(axis=(1, 2)) - kinds.seats / 4  # less each against itself
        expected += float((kinds.blocks * slopes).sum()) * 2 / kinds.seats
        comparisons += float(kinds.blocks.sum()) * (kinds.seats - 1)
    left = max(0.0, comparisons - fitted)
    if not left:
        return ASSUMED_DISPERSION, ASSUMED_COMPARISONS
    made = 2 * expected * left / comparisons  # as many even comparisons would say as much
    found = 2 * squares + ASSUMED_COMPARISONS * ASSUMED_DISPERSION
    return found / (made + ASSUMED_COMPARISONS), made + ASSUMED_COMPARISONS
