"""Rolls of all seats: how likely each is, and even samples of them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from gangland.gangster_dice.cards import DIE_FACES, TOKENS, Dice
from gangland_ladder.analysis.games.gangster_dice.positions import Array, Floats

_FACES = 6


@lru_cache(maxsize=20_000)
def symbols_of(dice: Dice) -> tuple[Array, Floats]:
    """Return every roll of a stash as counts of symbols by token, upward, and how likely each is."""
    found: dict[tuple[int, ...], float] = {(0,) * len(TOKENS): 1.0}
    for colour, count in enumerate(dice):
        for _ in range(count):
            after: dict[tuple[int, ...], float] = {}
            for symbols, chance in found.items():
                for token in TOKENS:
                    shown = DIE_FACES[colour].count(token)
                    more = (*symbols[:token], symbols[token] + 1, *symbols[token + 1 :])
                    after[more] = after.get(more, 0.0) + chance * shown / _FACES
            found = after
    counts = sorted(found)
    return np.array(counts), np.array([found[each] for each in counts])


def sampled(stashes: Array, rows: int, rng: np.random.Generator) -> Array:
    """Return rolls by row, seat and token; each seat's are spread evenly over all it can roll, and mixed.

    Each row by itself is a fair roll.
    """
    rolls = np.empty((rows, len(stashes), len(TOKENS)), dtype=np.int64)
    for seat, stash in enumerate(stashes):
        white, red, blue = map(int, stash)
        counts, chances = symbols_of((white, red, blue))
        points = (np.arange(rows) + rng.random()) / rows
        chosen = np.searchsorted(np.cumsum(chances), points, side="right")
        rolls[:, seat] = counts[rng.permutation(np.minimum(chosen, len(counts) - 1))]
    return rolls
