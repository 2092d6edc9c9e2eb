"""Fill an empty database with a plausible site, to test a large one.

    python -m benchmarks.fill --database sqlite:////tmp/large/gangland.sqlite3
    python -m benchmarks.fill --bots 10000 --matches 1000000 --database postgresql://gangland@localhost/large

The data fulfill all constraints of the tables.  Bots have authors, code and versions, one in ten is in its second.
A ladder has days, rounds and matches with results between bots of similar strength.  Ratings are those of the record
worker, so `gangland rate --rebuild` changes nothing; the last matches are not played yet.

There are no passwords (so no author can sign in), no trials, no logs and no luck (0 everywhere), and games only of the
newest matches.  Those are real games of random bots, the same in every match, unrelated to its result.
"""

import argparse
import sys
import time

from benchmarks.fill.site import NotEmpty, SiteSize, fill
from benchmarks.harness import say
from gangland.games import GAME_NAMES
from gangland_web.models.database import Database


def main() -> int:
    """Fill the database and print the time; return 2 if it is not empty."""
    line = argparse.ArgumentParser(prog="python -m benchmarks.fill", description="A site of any size.")
    line.add_argument("--database", required=True, help="its address, as in DATABASE_URL; it has to be empty")
    line.add_argument("--bots", type=int, default=10_000, help="one an author (10000)")
    line.add_argument("--matches", type=int, default=1_000_000, help="of one ladder (1000000)")
    line.add_argument("--game", choices=GAME_NAMES, default="gang-of-dice")
    line.add_argument("--seats", type=int, choices=(2, 3, 4), default=2)
    line.add_argument("--waiting", type=int, default=100, help="of the matches, how many are not played yet (100)")
    line.add_argument("--with-games", type=int, default=300, help="of the newest matches, how many have games (300)")
    line.add_argument("--seed", type=int, default=1)
    options = vars(line.parse_args())
    database, began = Database(options.pop("database")), time.monotonic()
    try:
        fill(database, SiteSize(**options))
    except (NotEmpty, ValueError) as refused:
        say(str(refused))
        return 2
    finally:
        database.close()
    sys.stdout.write(f"filled in {time.monotonic() - began:.0f} s\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
