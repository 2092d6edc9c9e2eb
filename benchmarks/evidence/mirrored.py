"""What mirrored blocks do to the comparison of two bots: the spread with them, and without."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from benchmarks.evidence.jobs import Job, pieces
from benchmarks.evidence.players import Player, play, seed_of
from benchmarks.evidence.stats import Interval, bootstrap_ratio, mean_interval, variance
from benchmarks.evidence.tables import Row, Table, from_to, give_or_take
from gangland.blocks import seating
from gangland.chance import SeededChance
from gangland.games import game_named

PIECE = 40
RESAMPLES = 1_000
ROUND_NUMBER = 1_000
EXPECTED = (0.10, 0.25)
"""How many games a rough simulation, made before, saved near-equal bots."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two bots that are compared, and who fills the other seats.

    Attributes:
        kind: how near they are to each other, in a word.
    """

    game: str
    seats: int
    kind: str
    one: Player
    other: Player
    fill: tuple[Player, ...]

    @property
    def table(self) -> tuple[Player, ...]:
        """All bots at the table, the two first."""
        return (self.one, self.other, *self.fill)


@dataclass(frozen=True, slots=True)
class Compared:
    """Differences of place between the two, doubled to be whole.

    Attributes:
        alone: one a game with dice and seats of its own.
        blocks: one a block, the sum over its games.
    """

    alone: list[int]
    blocks: list[int]


MATCHES = {
    "gangster-dice": (
        ("1% slips", Player("cautious"), Player("cautious", 0.01)),
        ("5% slips", Player("cautious"), Player("cautious", 0.05)),
        ("25% slips", Player("cautious"), Player("cautious", 0.25)),
        ("equal, at random", Player("random"), Player("random")),
        ("even, another style", Player("cautious"), Player("hoarding")),
        ("uneven", Player("sensible"), Player("hoarding")),
        ("unlike", Player("sensible"), Player("random")),
    ),
    "gang-of-dice": (
        ("1% slips", Player("closing"), Player("closing", 0.01)),
        ("5% slips", Player("closing"), Player("closing", 0.05)),
        ("25% slips", Player("closing"), Player("closing", 0.25)),
        ("equal, at random", Player("random"), Player("random")),
        ("even, another style", Player("bold"), Player("cautious")),
        ("uneven", Player("closing"), Player("cautious")),
        ("unlike", Player("bold"), Player("random")),
    ),
}
"""Which two bots are compared; the slips make "near-equal" a matter of degree."""
FILL = {
    "gangster-dice": ("bold", "hoarding", "cautious", "sensible"),
    "gang-of-dice": ("bold", "closing", "cautious", "random"),
}
"""Who sits in the other seats: the first of these that are not compared; with two equal bots, more of their kind."""


def pairs() -> Iterator[Pair]:
    """Yield all comparisons at all table sizes."""
    for name, matches in MATCHES.items():
        for kind, one, other in matches:
            strangers = [Player(stem) for stem in FILL[name] if stem not in (one.stem, other.stem)]
            fill = [one, one] if one == other else strangers
            for seats in game_named(name).table_sizes:
                yield Pair(name, seats, kind, one, other, tuple(fill[: seats - 2]))


def jobs(blocks: int) -> list[Job]:
    """Return the work for so many blocks of each pair, and as many games without blocks."""
    return [Job(pair, compare, (pair, numbers)) for pair in pairs() for numbers in pieces(blocks, PIECE)]


def compare(pair: Pair, blocks: range) -> Compared:
    """Play the blocks of these numbers, and for each game of theirs one with a seed and a seating of its own."""
    seats = range(pair.seats)
    alone = [_alone(pair, block * pair.seats + game) for block in blocks for game in seats]
    mirrored = [sum(_in_block(pair, block, rotation) for rotation in seats) for block in blocks]
    return Compared(alone, mirrored)


def _alone(pair: Pair, number: int) -> int:
    words = (*_words(pair), "alone", number)
    order = list(range(pair.seats))
    Random(seed_of("seats", *words)).shuffle(order)
    return _difference(pair, order, seed_of("dice", *words), words)


def _in_block(pair: Pair, block: int, rotation: int) -> int:
    words = (*_words(pair), "block", block)
    return _difference(pair, seating(block, rotation, pair.seats), seed_of("dice", *words), (*words, rotation))


def _words(pair: Pair) -> tuple[object, ...]:
    return (pair.game, *pair.table)


def _difference(pair: Pair, order: Sequence[int], dice: bytes, words: tuple[object, ...]) -> int:
    """Play one game and return the first bot's place less the second's, doubled.

    As in a match, a bot's own chance is new in every game, also in those of one block.
    """
    game = game_named(pair.game)
    seated = [pair.table[bot].sit(game, seed_of("player", *words, seat)) for seat, bot in enumerate(order)]
    places = play(game, seated, {}, SeededChance(dice)).outcome.mean_places()
    return int(2 * (places[order.index(0)] - places[order.index(1)]))


@dataclass(frozen=True, slots=True)
class Spread:
    """What came out for one pair: both estimates of the mean difference, and the ratio of their variances.

    Without blocks every game may end alike; then there is no ratio.
    """

    pair: Pair
    games: int
    alone: Interval
    mirrored: Interval
    ratio: Interval | None


def spread(pair: Pair, parts: Sequence[Compared]) -> Spread:
    """Return how much the two estimates spread.  Variances are of the mean over equally many games."""
    alone = [difference / 2 for part in parts for difference in part.alone]
    mirrored = [difference / 2 / pair.seats for part in parts for difference in part.blocks]
    ratio = bootstrap_ratio(mirrored, alone, variance, seed_of("bootstrap", *_words(pair)), RESAMPLES)
    scaled = ratio and Interval(ratio.value * pair.seats, ratio.low * pair.seats, ratio.high * pair.seats)
    return Spread(pair, len(alone), mean_interval(Counter(alone)), mean_interval(Counter(mirrored)), scaled)


def mirrored_table(name: str, found: Mapping[Pair, Spread]) -> Table:
    """Return a game's comparisons, a row a pair and table size."""
    mine = [each for pair, each in found.items() if pair.game == name]
    rows: tuple[Row, ...] = tuple(
        (
            each.pair.kind,
            f"{each.pair.one} : {each.pair.other}",
            each.pair.seats,
            each.games,
            give_or_take(each.alone),
            give_or_take(each.mirrored),
            from_to(each.ratio) if each.ratio else "no spread",
            f"{each.ratio.value * ROUND_NUMBER:,.0f}" if each.ratio else "",
        )
        for each in mine
    )
    columns = (
        "pair",
        "bots",
        "seats",
        "games each way",
        "difference of place, separate games",
        "in blocks",
        "variance ratio",
        f"games for {ROUND_NUMBER:,} separate ones",
    )
    return Table(f"mirrored-{name}", f"Mirrored blocks, {game_named(name).title}", columns, rows, _said(mine))


def _said(found: Sequence[Spread]) -> str:
    """Say how many games blocks save, and of the saving that was expected what is so."""
    ratios = [each.ratio for each in found if each.ratio]
    low, high = EXPECTED
    fewer = sum(ratio.high < 1 for ratio in ratios)
    more = sum(ratio.low > 1 for ratio in ratios)
    within = sum(ratio.low <= 1 - low and ratio.high >= 1 - high for ratio in ratios)
    beyond = sum(ratio.high < 1 - high for ratio in ratios)
    return (
        f"Of {len(ratios)} comparisons blocks need fewer games beyond doubt (the interval of the ratio below 1) in "
        f"{fewer}, more in {more}; in {len(ratios) - fewer - more} the interval holds 1. A saving of {low:.0%} to "
        f"{high:.0%} agrees with {within} of the intervals, and {beyond} show a greater one."
    )
