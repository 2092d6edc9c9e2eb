"""Play mirrored blocks between house bots, and return the wins of each bot with standard errors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt

from benchmarks.evidence.players import Player, play
from benchmarks.evidence.stats import Interval, Z
from benchmarks.harness import Job, pieces, seed_of
from benchmarks.matches import house_bots
from gangland.blocks import seating
from gangland.chance import SeededChance
from gangland.games import game_named

PIECE = 10
"""The number of blocks in one job."""


@dataclass(frozen=True, slots=True)
class Met:
    """House bots that play at one table, named without `_gang`."""

    game: str
    bots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """The results of each bot of a table in a block: its share of wins, and its mean place."""

    wins: tuple[float, ...]
    places: tuple[float, ...]


def stems(game: str) -> list[str]:
    """Return the house bots of a game, without `_gang`, sorted."""
    return [bot.name.removesuffix("_gang") for bot in house_bots(game)]


def tables(game: str, seats: int) -> list[Met]:
    """Return every table of different bots."""
    return [Met(game, bots) for bots in combinations(stems(game), seats)]


def jobs(game: str, seats: int, blocks: int) -> list[Job]:
    """Return the jobs: a number of blocks for every table."""
    return [Job(met, play_blocks, (met, piece)) for met in tables(game, seats) for piece in pieces(blocks, PIECE)]


def play_blocks(met: Met, numbers: Sequence[int]) -> list[Block]:
    """Play blocks; the same numbers give the same games."""
    return [_block(met, number) for number in numbers]


def _block(met: Met, number: int) -> Block:
    game, seats = game_named(met.game), len(met.bots)
    wins, places = [0.0] * seats, [0.0] * seats
    words = ("house", met.game, *met.bots, number)
    for rotation in range(seats):
        sitting = seating(number, rotation, seats)
        seated = [Player(met.bots[bot]).sit(game, seed_of(*words, rotation, bot)) for bot in sitting]
        outcome = play(game, seated, {}, SeededChance(seed_of(*words))).outcome
        for seat, place in enumerate(outcome.mean_places()):
            wins[sitting[seat]] += (seat in outcome.winners) / len(outcome.winners) / seats
            places[sitting[seat]] += float(place) / seats
    return Block(tuple(wins), tuple(places))


def mean_over(samples: Sequence[Sequence[float]]) -> Interval:
    """Return the mean over tables, with equal weight for each table, and its normal interval."""
    means, variance = [], 0.0
    for values in samples:
        mean = sum(values) / len(values)
        means.append(mean)
        spread = sum([(value - mean) ** 2 for value in values]) / max(1, len(values) - 1)
        variance += spread / len(values)
    value, reach = sum(means) / len(means), Z * sqrt(variance) / len(means)
    return Interval(value, value - reach, value + reach)


@dataclass(frozen=True, slots=True)
class Standing:
    """A bot at one table size: its share of wins and mean place over all of its tables."""

    bot: str
    wins: Interval
    place: Interval
    against: Mapping[str, Interval]


def standings(game: str, seats: int, played: Mapping[Met, Sequence[Block]]) -> list[Standing]:
    """Return the bots of a table size, the best first; `against` is filled at two seats."""
    strengths = []
    for bot in stems(game):
        sat = [(met, met.bots.index(bot)) for met in tables(game, seats) if bot in met.bots]
        wins = [[block.wins[at] for block in played[met]] for met, at in sat]
        places = [[block.places[at] for block in played[met]] for met, at in sat]
        against = {}
        if seats == 2:
            against = {met.bots[1 - at]: mean_over([shares]) for (met, at), shares in zip(sat, wins, strict=True)}
        strengths.append(Standing(bot, mean_over(wins), mean_over(places), against))
    return sorted(strengths, key=lambda strength: strength.place.value)
