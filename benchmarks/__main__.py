"""What things cost, as ratios measured side by side in one run: `make bench` prints the table.

These machines are noisy, so every figure is taken in turns with what it is compared to, and
the median of the turns counts.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from random import Random

from gangland.chance import SeededChance
from gangland.games import GAME_NAMES, game_named
from gangland_ladder.judging import judge
from gangland_ladder.orders import Order, Seat
from gangland_ladder.referee import play_match
from gangland_ladder.seeds import block_seed, local_secret, rng_key
from gangland_ladder.tables import Tables
from gangland_sandbox.asking import Mode
from gangland_sandbox.limits import Limits

TURNS = 5
SECRET = local_secret(1)
BOTS = {
    "gangster-dice": b"""
from gangland import gangster_dice
from gangland.gangster_dice import Bid
class Plain(gangster_dice.Bot):
    def choose_bids(self, view):
        tokens, favors = sorted(view.legal_tokens), sorted(view.hand)
        return [Bid(t, f) for t, f in zip(tokens[:view.bids_required], favors)]
""",
    "gang-of-dice": b"""
from gangland import gang_of_dice
class Plain(gang_of_dice.Bot):
    def choose_dice(self, view):
        return min(3, view.pool)
""",
}


def random_game(name: str, seats: int, number: int) -> int:
    """Play one game by random decisions in this process, an observation a decision; return the decisions."""
    game, seed = game_named(name), block_seed(SECRET, b"bench", seats, number)
    chance, chooser, asked = SeededChance(seed), Random(seed), 0
    state, _ = game.start(seats, game.options({}), chance)
    while game.outcome(state) is None:
        decisions = {}
        for question in game.pending(state):
            game.observe(state, question.seat)
            decisions[question.seat] = chooser.choice(game.choices(state, question.seat))
            asked += 1
        state, _ = game.resolve(state, decisions, chance)
    return asked


def order_of(name: str, seats: int, blocks: int) -> Order:
    """Return a match of equal plain bots."""
    return Order(
        id=1,
        token="bench",  # noqa: S106 (no secret: nobody records it)
        until=0.0,
        game=name,
        options={},
        blocks=[block_seed(SECRET, b"bench", 1, block).hex() for block in range(blocks)],
        rng_key=rng_key(SECRET, 1).hex(),
        seats=[Seat(entry=entry, name=f"bot{entry}", code="0" * 64) for entry in range(seats)],
        limits=Limits.plain(blocks).to_dict(),
    )


def match_seconds(name: str, seats: int, blocks: int, mode: Mode) -> tuple[float, int]:
    """Play a match in this process and return its seconds and its decisions."""
    order = order_of(name, seats, blocks)
    began = time.perf_counter()
    result = play_match(order, {"0" * 64: BOTS[name]}, mode=mode)
    seconds = time.perf_counter() - began
    decisions = sum(len(game.replay.decisions) for game in judge(order, result).games)
    return seconds, decisions


def pipe_turn_s(turns: int) -> float:
    """Return the seconds of one bare round trip over two pipes to a child on the same core."""
    there, here, back_there, back_here = *os.pipe(), *os.pipe()
    child = os.fork()
    if child == 0:
        for _ in range(turns):
            os.write(back_here, os.read(there, 65536))
        os._exit(0)
    began = time.perf_counter()
    for _ in range(turns):
        os.write(here, b"x" * 200)
        os.read(back_there, 65536)
    seconds = time.perf_counter() - began
    os.waitpid(child, 0)
    for end in (there, here, back_there, back_here):
        os.close(end)
    return seconds / turns


def per_decision_us(name: str, seats: int, mode: Mode) -> float:
    """Return microseconds a decision of the whole referee, starts of processes taken out by a difference."""
    long_s, long_n = match_seconds(name, seats, 60, mode)
    short_s, short_n = match_seconds(name, seats, 10, mode)
    return 1e6 * (long_s - short_s) / (long_n - short_n)


def engine_us(name: str, seats: int) -> float:
    """Return microseconds a decision of random play in this process, with observation."""
    began = time.perf_counter()
    decisions = sum(random_game(name, seats, number) for number in range(40))
    return 1e6 * (time.perf_counter() - began) / decisions


def median(measure: Callable[[], float]) -> float:
    """Return the median of the turns."""
    return statistics.median(measure() for _ in range(TURNS))


def measure_all() -> list[tuple[str, float, str]]:
    """Return (what, figure, what it is compared to) for every measurement; runs in a table's process."""
    pipe_us = 1e6 * median(lambda: pipe_turn_s(5000))
    rows = [("a bare round trip over pipes, us", pipe_us, "the yardstick")]
    for name in GAME_NAMES:
        for seats in (2, 4):
            alone = median(lambda name=name, seats=seats: engine_us(name, seats))  # type: ignore[misc]
            rows.append((f"{name}, {seats} seats: engine with observation, us a decision", alone, ""))
            jailed = median(lambda name=name, seats=seats: per_decision_us(name, seats, Mode.JAIL))  # type: ignore[misc]
            rows.append(
                (f"{name}, {seats} seats: the whole referee, us a decision", jailed, f"{jailed / pipe_us:.2f} x pipe")
            )
    return rows


def main() -> None:
    """Print the table."""
    with Tables(workers=1) as tables:
        (rows,) = tables.run(measure_all, [()])
    for what, figure, compared in rows:
        sys.stdout.write(f"{what:70} {figure:9.1f}  {compared}\n")


if __name__ == "__main__":
    main()
