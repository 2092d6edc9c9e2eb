"""How often two bots of a match tie on mean place: the data of `gangland_ladder.analysis.games`.

Plays long matches between all house bots of a game at every table size, and takes from them, for each pair at a
table, how far apart its places over one block are.  The blocks of a match are drawn independently, so the chance
that the differences of so many blocks add up to 0 follows by convolution: for every number of blocks at once, and far
more exactly than by counting the ties of whole matches, which stand beside it.  Prints each chance with its standard
error (jackknife over eighths of the blocks), a line of the data for each game and table size, and the tied matches.

    python -m benchmarks.draws [BLOCKS A TABLE]
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib.resources import files
from itertools import combinations
from typing import Any

import numpy as np

from gangland.games import GAME_NAMES, game_named
from gangland_ladder.local.bots import LocalBot
from gangland_ladder.local.orders import local_order
from gangland_ladder.local.processes import Tables
from gangland_ladder.matches.judging import judge
from gangland_ladder.matches.orders import Order
from gangland_ladder.matches.referee import play_match
from gangland_ladder.pairing.tables import tables
from gangland_sandbox.jail import Mode
from gangland_sandbox.pool import Pool

MATCH_BLOCKS = 50
MEASURED = (*range(1, 13), 16, 24, 32, 48, 64, 96)
COUNTED = 12
"""Blocks of the matches whose ties are counted, too."""
PARTS = 8


def house_bots(game: str) -> list[LocalBot]:
    """Return the house bots of a game."""
    folder = files("gangland_bots") / game.replace("-", "_")
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".py") and file.name[0] != "_")
    return [LocalBot(name.removesuffix(".py"), name, (folder / name).read_bytes()) for name in names]


def places_of(pool: Pool, order: Order, codes: Mapping[str, bytes]) -> list[list[int]]:
    """Return twice the sum of places, one list a block, one number a bot of the order; a job for a table."""
    totals = [[0] * len(order.seats) for _ in order.blocks]
    for game in judge(order, play_match(order, codes, pool=pool)).games:
        places = game.outcome.mean_places()
        for seat, index in enumerate(game.record.seating):
            totals[game.record.block][index] += int(2 * places[seat])
    return totals


def differences(at_tables: Tables, game: str, seats: int, blocks: int) -> list[list[int]]:
    """Return for each pair at each table how far apart its places were, in halves of a place, one number a block."""
    bots = house_bots(game)
    met = tables(range(len(bots)), seats)
    orders = [
        local_order(game, bots, table, seed=1000 + repeat, salt=b"", number=number, blocks=MATCH_BLOCKS)
        for number, table in enumerate(met, 1)
        for repeat in range(-(-blocks // MATCH_BLOCKS))
    ]
    calls: list[tuple[Any, ...]] = [
        (order, {bots[s.entry].code: bots[s.entry].source for s in order.seats}) for order in orders
    ]
    played = list(at_tables.run(places_of, calls))
    a_table = len(played) // len(met)
    pairs = []
    for first in range(0, len(played), a_table):
        totals = [block for match in played[first : first + a_table] for block in match]
        pairs += [[block[one] - block[other] for block in totals] for one, other in combinations(range(seats), 2)]
    return pairs


def chance_of_tie(pairs: Sequence[Sequence[int]], blocks: int) -> float:
    """Return the mean over pairs of the chance that so many blocks, drawn from theirs, cancel out."""
    chances = []
    for pair in pairs:
        reach = max(map(abs, pair), default=0)
        once = np.bincount(np.asarray(pair) + reach, minlength=2 * reach + 1) / len(pair)
        spread = np.ones(1)
        for _ in range(blocks):
            spread = np.convolve(spread, once)
        chances.append(float(spread[len(spread) // 2]))
    return sum(chances) / len(chances)


def standard_error(pairs: Sequence[Sequence[int]], blocks: int) -> float:
    """Return the jackknife's estimate, leaving out every eighth of the blocks in turn."""
    without = [
        chance_of_tie([[d for number, d in enumerate(pair) if number % PARTS != part] for pair in pairs], blocks)
        for part in range(PARTS)
    ]
    mean = sum(without) / PARTS
    return float(((PARTS - 1) / PARTS * sum((chance - mean) ** 2 for chance in without)) ** 0.5)


def tied(pairs: Sequence[Sequence[int]], blocks: int) -> tuple[int, int]:
    """Return how many of how many whole matches of so many blocks tied."""
    sums = [sum(pair[at : at + blocks]) for pair in pairs for at in range(0, len(pair) - blocks + 1, blocks)]
    return sums.count(0), len(sums)


def main() -> None:
    """Print a line a game, table size and number of blocks, and the data's own line after them."""
    blocks = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    with Tables(mode=Mode.TRUSTED) as at_tables:
        for game in GAME_NAMES:
            for seats in game_named(game).table_sizes:
                pairs = differences(at_tables, game, seats, blocks)
                chances = {count: chance_of_tie(pairs, count) for count in MEASURED}
                for count, chance in chances.items():
                    error = standard_error(pairs, count)
                    sys.stdout.write(f"{game:14} {seats} seats {count:3} blocks: {chance:.5f} +- {error:.5f}\n")
                ties, matches = tied(pairs, COUNTED)
                sys.stdout.write(f"  counted at {COUNTED} blocks: {ties} of {matches}, {ties / max(matches, 1):.5f}\n")
                data = ", ".join(f"{chance:.3g}" for chance in chances.values())
                sys.stdout.write(f'  ("{game}", {seats}): ({data}),\n')
                sys.stdout.flush()


if __name__ == "__main__":
    main()
