"""How often two bots of a match tie on mean place: the draw probabilities of `gangland_ladder.ratings`.

Plays matches of 12 blocks between all house bots of a game at every table size, in the jail,
and prints the share of pairs that tie, with the number of pairs.

    python -m benchmarks.draws [MATCHES A TABLE]
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from fractions import Fraction
from importlib.resources import files
from itertools import combinations
from typing import Any

from gangland.games import GAME_NAMES, game_named
from gangland_ladder.cli.matches import local_order
from gangland_ladder.judging import judge
from gangland_ladder.local_bots import LocalBot
from gangland_ladder.orders import Order
from gangland_ladder.pairing import tables
from gangland_ladder.referee import play_match
from gangland_ladder.tables import Tables
from gangland_sandbox.pool import Pool

BLOCKS = 12


def house_bots(game: str) -> list[LocalBot]:
    """Return the house bots of a game."""
    folder = files("gangland_bots") / game.replace("-", "_")
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".py") and file.name[0] != "_")
    return [LocalBot(name.removesuffix(".py"), name, (folder / name).read_bytes()) for name in names]


def places_of(pool: Pool, order: Order, codes: Mapping[str, bytes]) -> list[tuple[int, Fraction]]:
    """Return (entry, mean place) of one match; a job for a table."""
    return [(score.entry, score.mean_place) for score in judge(order, play_match(order, codes, pool=pool)).scores]


def measure(at_tables: Tables, game: str, seats: int, matches: int) -> tuple[int, int]:
    """Return how many of how many pairs tied."""
    bots = house_bots(game)
    orders = [
        local_order(game, bots, table, seed=1000 + repeat, number=number, blocks=BLOCKS)
        for repeat in range(matches)
        for number, table in enumerate(tables(range(len(bots)), seats), 1)
    ]
    calls: list[tuple[Any, ...]] = [
        (order, {bots[s.entry].code: bots[s.entry].source for s in order.seats}) for order in orders
    ]
    pairs = [pair for places in at_tables.run(places_of, calls) for pair in combinations(places, 2)]
    return sum(one[1] == other[1] for one, other in pairs), len(pairs)


def main() -> None:
    """Print one line a game and table size."""
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    with Tables() as at_tables:
        for game in GAME_NAMES:
            for seats in game_named(game).table_sizes:
                tied, pairs = measure(at_tables, game, seats, matches)
                sys.stdout.write(f"{game:14} {seats} seats: {tied} of {pairs} pairs tied, {tied / max(pairs, 1):.3f}\n")


if __name__ == "__main__":
    main()
