"""Measures what is left of the jailed referee's own rate on the whole platform.

    python -m benchmarks.platform_rate                          both games at all table sizes: some ten minutes
    python -m benchmarks.platform_rate --game gangster-dice --seats 2 --rounds 5
    python -m benchmarks.platform_rate --into benchmarks/results/speed.md     into the tables of that page

The same matches of house bots are played in turn by the referee alone, on every core, and by `gangland up` as
anybody starts it.  Ends with status 1 if a table falls short of what is aimed at.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from itertools import product
from pathlib import Path

from benchmarks.platform_rate.alone import play_alone
from benchmarks.platform_rate.databases import fresh_database
from benchmarks.platform_rate.figures import AIM, Round, rates, text
from benchmarks.platform_rate.fixture import fill, orders_of
from benchmarks.platform_rate.whole import play_through
from benchmarks.report import columns, pipes, put
from gangland.games import GAME_NAMES, game_named

MATCHES = {2: 120, 3: 60, 4: 40}
"""How many are measured by the number of seats: some ten seconds of a quiet machine with two cores."""
WARM_UP_A_SLOT = 3


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.platform_rate", description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=GAME_NAMES, action="append", help="this game only")
    parser.add_argument("--seats", type=int, choices=(2, 3, 4), action="append", help="so many seats only")
    parser.add_argument("--rounds", type=int, default=3, help="how often each way is measured (3)")
    parser.add_argument("--matches", type=int, help="so many a run (120, 60 and 40 by seats)")
    parser.add_argument("--slots", type=int, default=os.cpu_count() or 1, help="match workers (one a core)")
    parser.add_argument(
        "--postgresql", metavar="ADDRESS", help="on this server, where databases may be made; else SQLite"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--into", type=Path, metavar="PAGE", help="put the tables into a page, between its marks")
    return parser.parse_args(given)


def measure(chosen: argparse.Namespace) -> list[Round]:
    """Measure what was chosen, each round of a table with the referee alone and the platform in turn."""
    rounds = []
    for number in range(chosen.rounds):
        for game, seats in product(chosen.game or GAME_NAMES, chosen.seats or (2, 3, 4)):
            if seats in game_named(game).table_sizes:
                rounds.append(_one_round(chosen, game, seats, chosen.matches or MATCHES[seats]))
                print(f"round {number + 1}: {rounds[-1].sentence}", file=sys.stderr, flush=True)
    return rounds


def _one_round(chosen: argparse.Namespace, game: str, seats: int, matches: int) -> Round:
    warm_up = WARM_UP_A_SLOT * chosen.slots
    with tempfile.TemporaryDirectory(prefix="gangland-rate-") as folder:
        data = Path(folder) / "data"
        data.mkdir()
        with fresh_database(data, chosen.postgresql) as (database, servers):
            ids = fill(database, game, seats, matches, warm_up)
            first, rest = (orders_of(database, tournament) for tournament in ids)
            alone = play_alone(first, rest, chosen.slots)
            counted = list(zip(ids, (warm_up, matches), strict=True))
            whole = play_through(data, database, counted, chosen.slots, servers=servers)
    return Round(game, seats, matches, alone, whole)


def main() -> int:
    """Measure, print, and return the exit status."""
    chosen = arguments()
    rounds = measure(chosen)
    found = rates(rounds)
    if chosen.json:
        whole = {"aim": AIM, "rates": [asdict(row) for row in found], "rounds": [asdict(one) for one in rounds]}
        sys.stdout.write(json.dumps(whole, indent=2) + "\n")
    elif chosen.into:
        put(chosen.into, "platform rate", text(rounds, pipes))
    else:
        sys.stdout.write(text(rounds, columns))
    return 0 if all(row.met for row in found) else 1


if __name__ == "__main__":
    sys.exit(main())
