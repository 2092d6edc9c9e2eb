"""Blocks in, counts out: what a fit needs of all blocks at once, in an order of its own.

A block says, for each two of its entries, which had the better mean place, or that they tied.
Equal blocks are counted together and sorted, so that the order they came in is gone before
anything is computed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import isqrt

WON, TIED, LOST = 2, 1, 0
"""What the first of two came to against the second, in halves of a block score."""


@dataclass(frozen=True, slots=True)
class BlockResult:
    """One block that was played: entries and their mean places over its rotations, in the same order.

    Places are exact (a sum of places serves as well as their mean); lower is better.
    """

    entries: tuple[int, ...]
    mean_places: tuple[Fraction | int, ...]


@dataclass(frozen=True, slots=True)
class Kind:
    """Blocks that came out alike: one table, one outcome.

    Attributes:
        table: positions in `Counts.entries`, upward.
        pairs: for each two of the table in order of `itertools.combinations`, WON, TIED or LOST.
    """

    table: tuple[int, ...]
    pairs: tuple[int, ...]
    blocks: int


@dataclass(slots=True)
class Tally:
    """What one entry's blocks came to; pairs are comparisons with one other entry in one block."""

    blocks: int = 0
    won: int = 0
    tied: int = 0
    lost: int = 0
    score: Fraction = field(default=Fraction(0))

    @property
    def mean_score(self) -> Fraction | None:
        """The mean block score, 0 to 1: the share of the table that was beaten, a tie as half."""
        return self.score / self.blocks if self.blocks else None


@dataclass(frozen=True, slots=True)
class Counts:
    """All blocks of a tournament, counted.

    Attributes:
        entries: every entry upward, those without a block too.
        kinds: sorted, each of its own.
        tallies: one an entry.
        games: all games; a block has one a rotation.
    """

    entries: tuple[int, ...]
    kinds: tuple[Kind, ...]
    tallies: tuple[Tally, ...]
    games: int


@dataclass(frozen=True, slots=True)
class GamePlaces:
    """One game of a match: its block, which of the match's bots sat in each seat, and the mean place of each seat."""

    block: int
    seating: tuple[int, ...]
    mean_places: tuple[Fraction, ...]


def blocks_of(entries: Sequence[int], games: Iterable[GamePlaces]) -> list[BlockResult]:
    """Return the blocks of a match that is done, in their order.

    Args:
        entries: one a bot of the match, as seatings count them.

    Raises:
        ValueError: a block in which not every bot sat in every seat once.
    """
    by_block: dict[int, list[GamePlaces]] = {}
    for game in games:
        by_block.setdefault(game.block, []).append(game)
    return [_block(entries, number, by_block[number]) for number in sorted(by_block)]


def _block(entries: Sequence[int], number: int, games: Sequence[GamePlaces]) -> BlockResult:
    everyone = list(range(len(entries)))
    if len(games) != len(entries) or any(
        sorted(bots) != everyone for bots in zip(*(g.seating for g in games), strict=True)
    ):
        seatings = [game.seating for game in games]
        raise ValueError(
            f"in block {number} each of {len(entries)} bots has to sit in each seat once, not {seatings!r}"
        )
    sums = [Fraction(0)] * len(entries)
    for game in games:
        for bot, place in zip(game.seating, game.mean_places, strict=True):
            sums[bot] += place
    return BlockResult(tuple(entries), tuple(each / len(entries) for each in sums))


def counted(blocks: Iterable[BlockResult], entries: Iterable[int] = ()) -> Counts:
    """Return the counts of all blocks, the same for any order of blocks and of entries within them.

    Args:
        entries: those that take part even if they have no block.

    Raises:
        ValueError: a block without two entries, with one twice, or with too few or too many places.
    """
    outcomes: Counter[tuple[int, ...]] = Counter(map(_outcome, blocks))
    ranked = sorted(outcomes.items())
    tables = [(_split(outcome), number) for outcome, number in ranked]
    everyone = tuple(sorted({entry for (table, _), _ in tables for entry in table}.union(entries)))
    position = {entry: index for index, entry in enumerate(everyone)}
    kinds = tuple(Kind(tuple([position[entry] for entry in table]), pairs, number) for (table, pairs), number in tables)
    games = sum(kind.blocks * len(kind.table) for kind in kinds)
    return Counts(everyone, kinds, _tallies(len(everyone), kinds), games)


def _outcome(block: BlockResult) -> tuple[int, ...]:
    """Return a block's entries upward, and after them what each two of them came to."""
    entries, places = block.entries, block.mean_places
    seats = len(entries)
    if seats != len(places):
        raise ValueError(f"a block of {seats} entries has a mean place for each, not {len(places)}")
    if seats < 2 or len(set(entries)) != seats:
        raise ValueError(f"a block is between two entries or more, each of them once, not {entries!r}")
    if seats == 2:
        (one, other), (mine, theirs) = entries, places
        return (one, other, _came_to(mine, theirs)) if one < other else (other, one, _came_to(theirs, mine))
    ranked = sorted(zip(entries, places, strict=True))
    pairs = [_came_to(mine, theirs) for (_, mine), (_, theirs) in combinations(ranked, 2)]
    return (*[entry for entry, _ in ranked], *pairs)


def _came_to(mine: Fraction | int, theirs: Fraction | int) -> int:
    """Compare two places; multiplied out, which takes a third of the time of comparing fractions."""
    left, right = mine.numerator * theirs.denominator, theirs.numerator * mine.denominator
    return WON if left < right else TIED if left == right else LOST


def _split(outcome: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return table and pairs; k seats have k(k-1)/2 pairs, so the length says how many seats there are."""
    seats = (isqrt(8 * len(outcome) + 1) - 1) // 2
    return outcome[:seats], outcome[seats:]


def _tallies(entries: int, kinds: Iterable[Kind]) -> tuple[Tally, ...]:
    tallies = tuple(Tally() for _ in range(entries))
    halves: Counter[tuple[int, int]] = Counter()
    for kind in kinds:
        seats, number = len(kind.table), kind.blocks
        for one in kind.table:
            tallies[one].blocks += number
        for (one, other), result in zip(combinations(kind.table, 2), kind.pairs, strict=True):
            better, worse = (one, other) if result == WON else (other, one)
            if result == TIED:
                tallies[one].tied += number
                tallies[other].tied += number
            else:
                tallies[better].won += number
                tallies[worse].lost += number
            halves[one, seats] += number * result
            halves[other, seats] += number * (WON - result)
    for (one, seats), number in halves.items():
        tallies[one].score += Fraction(number, 2 * (seats - 1))
    return tallies
