"""The bosses in the jail: what they win against sensible bots there, and how much of their bank they use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from statistics import median
from typing import Any

from benchmarks.evidence.stats import Interval
from benchmarks.evidence.tables import Row, Table
from benchmarks.house.strength import mean_over
from benchmarks.matches import BLOCKS
from gangland.games import GAME_NAMES, game_named
from gangland_ladder.local.bots import LocalBot
from gangland_ladder.local.orders import local_order
from gangland_ladder.local.processes import Tables
from gangland_ladder.matches.judging import judge
from gangland_ladder.matches.orders import Order
from gangland_ladder.matches.referee import play_match
from gangland_sandbox.limits import Limits
from gangland_sandbox.pool import Pool


@dataclass(frozen=True, slots=True)
class Jailed:
    """One match: the boss's share of wins by block, the CPU of each of its jails on average, and faults."""

    wins: tuple[float, ...]
    cpu_s: float
    faults: int


def bots(game: str, seats: int) -> list[LocalBot]:
    """Return the boss and sensible bots for all other seats."""
    folder = files("gangland_bots") / game.replace("-", "_")
    found = [LocalBot("boss", "boss_gang.py", (folder / "boss_gang.py").read_bytes())]
    sensible = (folder / "sensible_gang.py").read_bytes()
    return found + [LocalBot(f"sensible_{seat}", f"sensible_{seat}.py", sensible) for seat in range(1, seats)]


def play_jailed(pool: Pool, order: Order, codes: dict[str, bytes]) -> Jailed:
    """Play a match in a table's process and keep what counts."""
    result = play_match(order, codes, pool=pool)
    seats = len(order.seats)
    wins, faults = [0.0] * len(order.blocks), 0
    for game in judge(order, result).games:
        winners = game.outcome.winners
        wins[game.record.block] += (game.record.seating.index(0) in winners) / len(winners) / seats
        faults += len(game.record.faults)
    return Jailed(tuple(wins), result.cpu_s[0] / seats, faults)


SIZES = tuple((name, seats) for name in GAME_NAMES for seats in game_named(name).table_sizes)
"""Every game and table size."""
JAILED = "jailed"
"""The key of the table."""


def jailed_table(matches: int, sizes: Sequence[tuple[str, int]] = SIZES) -> Table:
    """Return how the bosses do in the jail, in so many matches at each table size."""
    with Tables() as at_tables:
        rows = [_row(name, seats, at_tables, matches) for name, seats in sizes]
    bank = Limits.plain(BLOCKS).bank_cpu_s
    finding = (
        f"A jail plays {BLOCKS} games and has {bank:.0f} s of CPU in its bank. CPU differs from machine to machine."
    )
    columns = ("game", "seats", "games", "wins of the boss", "even share", "CPU a jail", "of the bank", "faults")
    return Table(JAILED, "The boss against sensible bots in the jail", columns, tuple(rows), finding)


def _row(name: str, seats: int, at_tables: Tables, matches: int) -> Row:
    present = bots(name, seats)
    codes: dict[str, bytes] = {bot.code: bot.source for bot in present}
    calls: list[tuple[Any, ...]] = [
        (local_order(name, present, range(seats), seed=11, salt=b"", number=number, blocks=BLOCKS), codes)
        for number in range(1, matches + 1)
    ]
    played: list[Jailed] = list(at_tables.run(play_jailed, calls))
    wins = mean_over([[share for match in played for share in match.wins]])
    cpu_s = median([match.cpu_s for match in played])
    return (
        game_named(name).title,
        seats,
        matches * BLOCKS * seats,
        percent(wins),
        f"{1 / seats:.0%}",
        f"{cpu_s:.2f} s",
        f"{cpu_s / Limits.plain(BLOCKS).bank_cpu_s:.1%}",
        sum([match.faults for match in played]),
    )


def percent(share: Interval) -> str:
    """Return a share with half its interval."""
    return f"{100 * share.value:.1f} ± {100 * share.reach:.1f}%"
