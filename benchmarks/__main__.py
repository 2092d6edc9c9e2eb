"""Print how fast games are played: engine alone, played again, by trusted bots, and in jails.

Figures of different runs or machines say little; the ratio to the engine of the same run does. Each way
is measured in turn, several times over, and the median counts.

    python -m benchmarks [--rounds N]
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import Any

from gangland.game import Game
from gangland.games import GAME_NAMES, game_named
from gangland.match import play
from gangland.replay import Replay, verify
from gangland.view import View
from gangland_ladder.cli.matches import local_order
from gangland_ladder.local_bots import LocalBot
from gangland_ladder.referee import play_match
from gangland_ladder.tables import Tables
from gangland_sandbox.asking import Mode

ENGINE_GAMES = 60
BLOCKS = 12

RANDOM_BOTS = {
    "gang-of-dice": b"""
from gangland import gang_of_dice

class RandomBot(gang_of_dice.Bot):
    def choose_dice(self, view):
        return self.rng.randint(1, view.pool)
""",
    "gangster-dice": b"""
from gangland import gangster_dice

class RandomBot(gangster_dice.Bot):
    def choose_bids(self, view):
        count = view.bids_required
        return list(zip(self.rng.sample(view.legal_tokens, count), self.rng.sample(view.hand, count)))
""",
}


@dataclass(frozen=True)
class Way:
    """One way to play: `run` plays some games and returns how many."""

    name: str
    run: Callable[[], int]


class BotInProcess:
    """A player of the engine's own loop: the same random bot, without any process around it."""

    def __init__(self, game: Game[Any], seed: int) -> None:
        space: dict[str, Any] = {"__name__": "random_bot"}
        exec(RANDOM_BOTS[game.name], space)  # noqa: S102 (the bot stands above)
        self.bot = space["RandomBot"]()
        self.bot.rng = Random(seed)
        self.kind_class = game.bot_class

    def decide(self, kind: str, view: View, number: int) -> object:
        """Answer as the harness in the jail would."""
        return self.kind_class.encode(kind, getattr(self.bot, f"choose_{kind}")(view))


def engine(game: Game[Any], seats: int) -> list[Replay]:
    """Play some games by the engine alone and return their replays."""
    players = [BotInProcess(game, seat) for seat in range(seats)]
    seeds = [sha256(str(number).encode()).digest() for number in range(ENGINE_GAMES)]
    return [play(game, players, seed).replay for seed in seeds]


def again(replays: list[Replay]) -> int:
    """Play recorded games again, as the recorder does with every result."""
    for replay in replays:
        verify(replay)
    return len(replays)


def match(game: str, seats: int, mode: Mode, tables: Tables) -> int:
    """Play one match of random bots and return its number of games."""
    source = RANDOM_BOTS[game]
    bots = [LocalBot(f"random_{seat}", f"random_{seat}.py", source) for seat in range(seats)]
    order = local_order(game, bots, range(seats), seed=7, number=1, blocks=BLOCKS)
    codes = {bot.code: bot.source for bot in bots}
    (result,) = tables.run(play_match_in, [(order, codes, mode)])
    return len(result.games)


def play_match_in(order: Any, codes: dict[str, bytes], mode: Mode) -> Any:
    """Play a match in a table's process."""
    return play_match(order, codes, mode=mode)


def measure(ways: list[Way], rounds: int) -> dict[str, float]:
    """Return games a second of each way, the median over rounds in which all are measured in turn."""
    speeds: dict[str, list[float]] = {way.name: [] for way in ways}
    for _ in range(rounds):
        for way in ways:
            began = time.perf_counter()
            games = way.run()
            speeds[way.name].append(games / (time.perf_counter() - began))
    return {name: statistics.median(found) for name, found in speeds.items()}


def main() -> None:
    """Measure both games at two and four seats and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Speed, as ratios within one run.")
    parser.add_argument("--rounds", type=int, default=5, help="how often each way is measured (5)")
    rounds = parser.parse_args().rounds
    sys.stdout.write(f"{'game':<14} {'seats':>5}  {'way':<22} {'games/s':>9}  {'of engine':>9}\n")
    with Tables(mode=Mode.TRUSTED, workers=1) as trusted, Tables(mode=Mode.JAIL, workers=1) as jailed:
        for name in GAME_NAMES:
            for seats in (2, 4):
                report(name, seats, rounds, trusted, jailed)


def report(name: str, seats: int, rounds: int, trusted: Tables, jailed: Tables) -> None:
    """Measure one game at one table size and print its rows."""
    game = game_named(name)
    replays = engine(game, seats)
    ways = [
        Way("engine", lambda: len(engine(game, seats))),
        Way("replay verified", lambda: again(replays)),
        Way("trusted match", lambda: match(name, seats, Mode.TRUSTED, trusted)),
        Way("jailed match", lambda: match(name, seats, Mode.JAIL, jailed)),
    ]
    speeds = measure(ways, rounds)
    for way, speed in speeds.items():
        sys.stdout.write(f"{name:<14} {seats:>5}  {way:<22} {speed:>9.0f}  {speed / speeds['engine']:>9.2f}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
