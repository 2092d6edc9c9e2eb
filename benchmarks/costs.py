"""What a match costs in CPU: the figures of `gangland_ladder.pairing.costs`.

Plays matches of house bots in the jail, short and long ones, so that what a match costs
whatever its length and what a game costs in it come apart; then records the long ones.

    python -m benchmarks.costs [TABLES]
"""

from __future__ import annotations

import resource
import sys
import time
from importlib import import_module

from benchmarks.draws import house_bots
from gangland.games import GAME_NAMES, game_named
from gangland_ladder.local.bots import LocalBot
from gangland_ladder.local.orders import local_order
from gangland_ladder.matches.judging import judge
from gangland_ladder.matches.orders import Order, Result
from gangland_ladder.matches.referee import play_match
from gangland_ladder.pairing.round_robin import round_robin
from gangland_ladder.pairing.tables import Entrant
from gangland_sandbox.jail import Mode
from gangland_sandbox.pool import Pool
from gangland_sandbox.privileges import drop, is_root
from gangland_sandbox.runtime import prepare

SHORT, LONG = 2, 12
"""Blocks of a match."""


def cpu_s() -> float:
    """Return the CPU seconds of this process and of all its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def play(
    game: str, bots: list[LocalBot], seats: int, count: int, blocks: int
) -> tuple[float, list[tuple[Order, Result]]]:
    """Return the CPU seconds of a match, referee, jails and bots together, and the matches."""
    entrants = [Entrant(entry) for entry in range(len(bots))]
    at = round_robin(entrants, seats, seed="costs", sample=count).tables
    played = []
    began = cpu_s()
    pool = Pool(Mode.JAIL)
    for number, table in enumerate(at, 1):
        order = local_order(game, bots, table, seed=5, salt=b"", number=number, blocks=blocks)
        played.append((order, play_match(order, {bots[e].code: bots[e].source for e in table}, pool=pool)))
    pool.close()
    if void := [result.void for _, result in played if result.void is not None]:
        raise RuntimeError(f"matches could not be played: {void[0]}")
    return (cpu_s() - began) / count, played


def main() -> None:
    """Print one line a game and table size, as it stands in `gangland_ladder.pairing.costs`."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    bots = {game: house_bots(game) for game in GAME_NAMES}
    prepare()
    if is_root():
        import_module("importlib.readers")
        drop()
    for game in GAME_NAMES:
        for seats in game_named(game).table_sizes:
            short, _ = play(game, bots[game], seats, count, SHORT)
            long, played = play(game, bots[game], seats, count, LONG)
            each = (long - short) / (seats * (LONG - SHORT))
            began = time.process_time()
            for order, result in played:
                judge(order, result)
            record = (time.process_time() - began) / (count * seats * LONG)
            start = short - SHORT * seats * each
            sys.stdout.write(f'    ("{game}", {seats}): Seconds({start:.3f}, {each:.4f}, {record:.4f}),\n')
            sys.stdout.flush()


if __name__ == "__main__":
    main()
