"""Fills an empty database with a plausible site, to see what a large one is like.

    python -m benchmarks.fill --database sqlite:////tmp/large/gangland.sqlite3
    python -m benchmarks.fill --bots 10000 --matches 1000000 --database postgresql://gangland@localhost/large

What is written holds all that the tables check: bots with authors, code and versions, one in ten in its second; a
ladder's days, rounds and matches with results between bots of near strength; ratings folded as the record worker
folds them, so `gangland rate --rebuild` finds nothing to change; the last matches still to be played.

Left out: passwords (nobody can sign in as one of the authors), trials, logs, luck (0 everywhere), and the games of all
but the newest matches.  Those games are real ones of random bots, the same in every match: they say nothing of its
result.
"""

import argparse
import sys
import time

from benchmarks.fill.site import NotEmpty, Wanted, fill
from benchmarks.harness import say
from gangland.games import GAME_NAMES
from gangland_web.models.database import Database


def main() -> int:
    """Fill the database and say how long it took; 2 if it is not empty."""
    line = argparse.ArgumentParser(prog="python -m benchmarks.fill", description="A site of any size.")
    line.add_argument("--database", required=True, help="its address, as in DATABASE_URL; it has to be empty")
    line.add_argument("--bots", type=int, default=10_000, help="one an author (10000)")
    line.add_argument("--matches", type=int, default=1_000_000, help="of one ladder (1000000)")
    line.add_argument("--game", choices=GAME_NAMES, default="gang-of-dice")
    line.add_argument("--seats", type=int, choices=(2, 3, 4), default=2)
    line.add_argument("--waiting", type=int, default=100, help="of the matches, how many are not played yet (100)")
    line.add_argument("--with-games", type=int, default=300, help="of the newest matches, how many have games (300)")
    line.add_argument("--seed", type=int, default=1)
    given = vars(line.parse_args())
    database, began = Database(given.pop("database")), time.monotonic()
    try:
        fill(database, Wanted(**given))
    except (NotEmpty, ValueError) as refused:
        say(str(refused))
        return 2
    finally:
        database.close()
    sys.stdout.write(f"filled in {time.monotonic() - began:.0f} s\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
