"""What the platform puts around a game: bots with views, a trusted process, a jail.

Wall time, for these ways wait for one another: a ratio says what an organiser waits longer.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from benchmarks.playing import seed
from gangland.game import Game
from gangland.games import game_named
from gangland.match import play
from gangland.view import View
from gangland_ladder.local.bots import LocalBot
from gangland_ladder.local.orders import local_order
from gangland_ladder.local.processes import Tables
from gangland_ladder.matches.referee import play_match
from gangland_sandbox.pool import Pool

BLOCKS = 12
IN_PROCESS = "bots in process"

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
class MatchFigures:
    """One way at one table size.

    Attributes:
        of_in_process: how many times as long a game takes as with the same bots in one process.
    """

    game: str
    seats: int
    way: str
    games_per_s: float
    of_in_process: float


class BotInProcess:
    """A player of the engine's own loop: the same random bot, without any process around it."""

    def __init__(self, game: Game[Any], number: int) -> None:
        space: dict[str, Any] = {"__name__": "random_bot"}
        exec(RANDOM_BOTS[game.name], space)  # noqa: S102 (the bot stands above)
        self.bot = space["RandomBot"]()
        self.bot.rng = Random(number)
        self.kind_class = game.bot_class

    def decide(self, kind: str, view: View, number: int) -> object:
        """Answer as the harness in the jail would."""
        return self.kind_class.encode(kind, getattr(self.bot, f"choose_{kind}")(view))


def in_process(name: str, seats: int, games: int) -> int:
    """Play some games with the bots in this process and return how many."""
    game = game_named(name)
    players = [BotInProcess(game, seat) for seat in range(seats)]
    for number in range(games):
        play(game, players, seed(number))
    return games


def match(name: str, seats: int, tables: Tables) -> int:
    """Play one match of random bots and return its number of games."""
    source = RANDOM_BOTS[name]
    bots = [LocalBot(f"random_{seat}", f"random_{seat}.py", source) for seat in range(seats)]
    order = local_order(name, bots, range(seats), seed=7, salt=b"", number=1, blocks=BLOCKS)
    codes = {bot.code: bot.source for bot in bots}
    (result,) = tables.run(play_match_in, [(order, codes)])
    return len(result.games)


def play_match_in(pool: Pool, order: Any, codes: dict[str, bytes]) -> Any:
    """Play a match in a table's process."""
    return play_match(order, codes, pool=pool)


def measure(name: str, seats: int, rounds: int, trusted: Tables, jailed: Tables) -> list[MatchFigures]:
    """Measure the ways in turn, several times over; medians count."""
    games = BLOCKS * seats
    ways: dict[str, Callable[[], int]] = {
        IN_PROCESS: lambda: in_process(name, seats, games),
        "trusted match": lambda: match(name, seats, trusted),
        "jailed match": lambda: match(name, seats, jailed),
    }
    took: dict[str, list[float]] = {way: [] for way in ways}
    for run in ways.values():
        run()  # imports, and the first processes
    for _ in range(rounds):
        for way, run in ways.items():
            began = time.perf_counter()
            played = run()
            took[way].append((time.perf_counter() - began) / played)
    return [
        MatchFigures(
            game=name,
            seats=seats,
            way=way,
            games_per_s=1 / statistics.median(times),
            of_in_process=statistics.median([own / base for own, base in zip(times, took[IN_PROCESS], strict=True)]),
        )
        for way, times in took.items()
    ]
