"""How fast ratings are computed: a ladder's results folded from the first on, beside the trueskill package.

Folds a million results of two seats between a thousand entries, of which one in twenty-five is a draw and some are
upsets, and rates a sample of the same ones with the package as it comes, in turns of one run.  All figures are
CPU time; the results lie in memory, the moves are taken as they come.

    python -m benchmarks.ratings [RESULTS]
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Sequence
from random import Random
from typing import Any

import trueskill

from gangland_ladder.rating.closed_form import BETA
from gangland_ladder.rating.draw_probability import DEFAULT_BLOCKS, draw_probability
from gangland_ladder.rating.folding import EntryId, Folding, Result
from gangland_ladder.rating.trueskill import MU, SIGMA

GAME = "gangster-dice"
ENTRIES = 1000
DRAWS = 0.04
SAMPLE = 2000
TURNS = 5
ALLOWED_S = 3.0
"""What a million results may take."""


def results(count: int, *, seats: int = 2, seed: int = 1) -> list[Result]:
    """Return so many results between entries of different strength, numbered from 1."""
    chance = Random(seed)
    made = []
    for number in range(1, count + 1):
        table = tuple(sorted(chance.sample(range(ENTRIES), seats)))
        counts = [round(24 * chance.gauss((1 + seats) / 2 - entry / ENTRIES, 0.3)) for entry in table]
        if chance.random() < DRAWS:
            counts[1] = counts[0]
        made.append(Result(number, table, tuple((count, 24) for count in counts)))
    return made


def fold_s(played: Sequence[Result], seats: int = 2) -> float:
    """Return the CPU seconds of folding the results from the first on."""
    folding = Folding(GAME, seats, DEFAULT_BLOCKS)
    began = time.process_time()
    deque(folding.take(played), maxlen=0)
    took = time.process_time() - began
    if folding.cursor != len(played) + 1:
        raise RuntimeError(f"folded up to {folding.cursor} of {len(played)} results")
    return took


def package_s(played: Sequence[Result], seats: int = 2) -> float:
    """Return the CPU seconds of the package, as it comes, on the same results."""
    environment = trueskill.TrueSkill(
        mu=MU,
        sigma=SIGMA,
        beta=BETA,
        tau=0.0,
        draw_probability=draw_probability(GAME, seats, DEFAULT_BLOCKS),
        backend=None,
    )
    ratings: dict[EntryId, Any] = {entry: environment.create_rating() for entry in range(ENTRIES)}
    began = time.process_time()
    for _, entries, places in played:
        groups = [(ratings[entry],) for entry in entries]
        after = environment.rate(groups, ranks=[count / of for count, of in places])
        ratings.update({entry: new for entry, (new,) in zip(entries, after, strict=True)})
    return time.process_time() - began


def main() -> None:
    """Print the whole fold beside what it may take, then each number of seats beside the package."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    whole = fold_s(results(count))
    allowed = ALLOWED_S * count / 1_000_000
    sys.stdout.write(f"{count} results of two seats folded in {whole:.2f} s of CPU, of {allowed:.2f} s allowed\n")
    sys.stdout.flush()
    for seats in (2, 3, 4):
        sample = results(SAMPLE, seats=seats)
        turns = [(fold_s(sample, seats), package_s(sample, seats)) for _ in range(TURNS)]
        ours, theirs = (min(turn) / SAMPLE for turn in zip(*turns, strict=True))
        rates = f"{1 / ours:9.0f} results/s, the package {1 / theirs:6.0f} results/s"
        sys.stdout.write(f"{seats} seats: {rates}: {theirs / ours:.1f} times\n")


if __name__ == "__main__":
    main()
