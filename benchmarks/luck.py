"""What luck explains of results, and what adjusting by it saves: the data of `gangland_ladder.analysis.games`.

House bots play matches in mirrored blocks.  For each game and table size come out: the rate between net luck and
places (least squares within each bot and table), the mean of luck with its standard error, the variance that the
recorded rate saves, of single games and of blocks (standard errors: jackknife over eighths of the tables), and the
CPU time of measuring luck against that of playing the game again.

    python -m benchmarks.luck [--games N] [--first NUMBER] [--slips CHANCE] [--game GAME] [--seats K]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any

from benchmarks.evidence.players import ANY, THINKING_BOTS, Player, bot_class, play, seed_of
from gangland import match
from gangland.blocks import seating
from gangland.bot import DecisionRequest
from gangland.chance import SeededChance
from gangland.game import Game
from gangland.games import GAME_NAMES, game_named
from gangland.luck import luck_from
from gangland.replay import expand, verify
from gangland.view import View
from gangland_ladder.analysis.luck import SeatLuck, mean_luck, saving, seat_luck

PARTS = 8
A_TABLE = 8
"""Blocks in which the same bots meet, one after the other."""
TIMED = 60
"""Games whose replays are timed."""


class Sitting:
    """A house bot at a table in this process, asked by the match loop."""

    def __init__(self, game: Game[Any], stem: str, seed: bytes) -> None:
        self.bot = bot_class(game.name, stem)()
        self.bot.rng = Random(seed)

    def decide(self, kind: str, view: View, number: int) -> object:
        """Return the bot's answer, encoded as the harness does it."""
        return self.bot.encode(kind, self.bot.act(DecisionRequest(kind, view)))


@dataclass
class Found:
    """What came out at one game and table size.

    Attributes:
        games: by (table, bot), its games in order; a table is a set of bots.
        blocks: the same, of each block the means.
        common: of each block the mean luck of all seats, which is drawn anew in each.
    """

    game: str
    seats: int
    games: dict[tuple[Any, ...], list[SeatLuck]] = field(default_factory=lambda: defaultdict(list))
    blocks: dict[tuple[Any, ...], list[SeatLuck]] = field(default_factory=lambda: defaultdict(list))
    common: list[float] = field(default_factory=list)

    def rate(self) -> float:
        """Return by how many places a unit of net luck betters a seat, by least squares within groups."""
        product = square = 0.0
        for group in self.games.values():
            place, net = fmean(each.place for each in group), fmean(each.net for each in group)
            product -= sum(float(each.place - place) * float(each.net - net) for each in group)
            square += sum(float(each.net - net) ** 2 for each in group)
        return product / square if square else 0.0


def table_of(game: str, seats: int, number: int, slips: float) -> tuple[Player, ...]:
    """Return the bots of a block: house bots that differ, copies of one of which one slips, or random players."""
    stems, rng = THINKING_BOTS[game], Random(f"{game} {seats} {number // A_TABLE}")
    if slips >= 1:
        return (Player(ANY),) * seats
    if slips:
        stem = rng.choice(stems)
        return (Player(stem, slips), *(Player(stem) for _ in range(seats - 1)))
    return tuple(Player(stem) for stem in sorted(rng.sample(stems, seats)))


def play_block(found: Found, number: int, slips: float) -> None:
    """Play one block in all rotations and note what came out."""
    game, seed = game_named(found.game), seed_of("luck", found.game, found.seats, number)
    bots = table_of(found.game, found.seats, number, slips)
    mine: list[list[SeatLuck]] = [[] for _ in bots]
    for rotation in range(found.seats):
        at = seating(number, rotation, found.seats)
        seated = [bots[bot].sit(game, seed_of(seed.hex(), bot, rotation)) for bot in at]
        played = play(game, seated, {}, SeededChance(seed))
        luck = luck_from(found.game, found.seats, played.events)
        for bot, seat in zip(at, seat_luck(found.game, luck, played.outcome.mean_places()), strict=True):
            mine[bot].append(seat)
    for bot, games in enumerate(mine):
        found.games[(*bots, bot)] += games
        found.blocks[(*bots, bot)].append(mean_luck(games))
    found.common.append(fmean(float(each.luck) for games in mine for each in games))


def timed(name: str, seats: int) -> tuple[float, float]:
    """Return the milliseconds of CPU time a game that its luck takes, and that verifying its replay takes."""
    game, replays = game_named(name), []
    for number in range(TIMED):
        seed = seed_of("luck timed", name, seats, number)
        rng = Random(seed)
        stems = rng.choices(THINKING_BOTS[name], k=seats)
        players = [Sitting(game, stem, seed_of(seed.hex(), seat)) for seat, stem in enumerate(stems)]
        replays.append(match.play(game, players, seed).replay)
    events = [[event for step in expand(replay) for event in step.events] for replay in replays]
    began = time.process_time()
    for replay in replays:
        verify(replay)
    verified = time.process_time()
    for each in events:
        luck_from(name, seats, each)
    return 1e3 * (time.process_time() - verified) / TIMED, 1e3 * (verified - began) / TIMED


def jackknifed(
    groups: dict[tuple[Any, ...], list[SeatLuck]], statistic: Callable[[Iterator[Sequence[SeatLuck]]], float]
) -> tuple[float, float]:
    """Return a statistic of all groups and its standard error, leaving out every eighth of each group in turn."""
    without = []
    for part in range(PARTS):
        kept = (
            [each for number, each in enumerate(group) if number * PARTS // len(group) != part]
            for group in groups.values()
        )
        without.append(statistic(kept))
    mean = fmean(without)
    spread = (PARTS - 1) / PARTS * sum((each - mean) ** 2 for each in without)
    return statistic(iter(groups.values())), sqrt(spread)


def share(groups: Iterator[Sequence[SeatLuck]]) -> float:
    """Return the part of the variance that adjusting saves, 0 where nothing scatters."""
    return saving(groups).share or 0.0


def line(found: Found) -> str:
    """Return what was found as a row of the table."""
    games, blocks = jackknifed(found.games, share), jackknifed(found.blocks, share)
    plain, of_blocks = saving(found.games.values()).plain or 0.0, saving(found.blocks.values()).plain or 0.0
    count = sum(map(len, found.games.values())) // found.seats
    error = stdev(found.common) / len(found.common) ** 0.5
    cells = (
        found.game,
        found.seats,
        f"{count:,}",
        game_named(found.game).luck_unit,
        f"{fmean(found.common):+.3f} ± {1.96 * error:.3f}",
        f"{spread_of(found):.2f}",
        f"{found.rate():.4f}",
        f"{games[0]:.1%} ± {1.96 * games[1]:.1%}",
        f"{blocks[0]:.1%} ± {1.96 * blocks[1]:.1%}",
        f"{of_blocks * found.seats / plain:.2f}" if plain else "",
        "{:.2f} : {:.2f}".format(*timed(found.game, found.seats)),
    )
    return f"| {' | '.join(map(str, cells))} |"


def spread_of(found: Found) -> float:
    """Return the standard deviation of a seat's net luck."""
    squares = [each.net * each.net for group in found.games.values() for each in group]
    return sqrt(sum(squares, Fraction(0)) / len(squares))


HEAD = (
    "| game | seats | games | unit | mean luck | spread of net luck | rate | saved, games | saved, blocks "
    "| blocks : games | CPU ms |\n|---|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|\n"
)


def main() -> None:
    """Print a row a game and table size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=4_000, help="games at each table size")
    parser.add_argument("--first", type=int, default=0, help="number of the first block; other blocks, other dice")
    parser.add_argument(
        "--slips",
        type=float,
        default=0.0,
        help="copies of one bot of which one slips so often; 1: all seats give any answer",
    )
    parser.add_argument("--game", choices=GAME_NAMES)
    parser.add_argument("--seats", type=int)
    asked = parser.parse_args()
    sys.stdout.write(HEAD)
    for name in [asked.game] if asked.game else GAME_NAMES:
        for seats in [asked.seats] if asked.seats else game_named(name).table_sizes:
            found = Found(name, seats)
            for number in range(asked.first, asked.first + max(2 * PARTS, asked.games // seats)):
                play_block(found, number, asked.slips)
            sys.stdout.write(line(found) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
