"""Blocks in, counts out: what a fit needs of all blocks at once, in an order of its own.

Equal blocks are counted together and sorted, so that the order they came in is gone before
anything is computed; places are counted in whole units, so that nothing is rounded either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations


@dataclass(frozen=True, slots=True)
class BlockResult:
    """One block that was played: its entries and their exact mean places over its games, in the same order.

    Lower is better; a tie is the average of the places that it covers.
    """

    entries: tuple[int, ...]
    mean_places: tuple[Fraction | int, ...]


@dataclass(frozen=True, slots=True)
class Kind:
    """Blocks that came out alike: one table, one outcome.

    Attributes:
        table: positions in `Counts.entries`, upward.
        places: mean places in units of 1 / (2 x seats), of which every mean place over the rotations is a whole number.
    """

    table: tuple[int, ...]
    places: tuple[int, ...]
    blocks: int


@dataclass(slots=True)
class Tally:
    """What one entry's blocks came to.

    Attributes:
        won, tied, lost: against how many others of its tables it had the better, equal or worse mean place.
        score: the sum of its block scores.
    """

    blocks: int = 0
    won: int = 0
    tied: int = 0
    lost: int = 0
    score: Fraction = field(default=Fraction(0))

    @property
    def mean_score(self) -> Fraction | None:
        """The mean block score: the share of the table that it was ahead of, over all its games; 0 to 1."""
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
        ValueError: a block without two entries, with one twice, or with places that no block can have.
    """
    outcomes: Counter[tuple[int, ...]] = Counter(map(_outcome, blocks))
    halves = [
        (outcome[: len(outcome) // 2], outcome[len(outcome) // 2 :], outcomes[outcome]) for outcome in sorted(outcomes)
    ]
    everyone = tuple(sorted({entry for table, _, _ in halves for entry in table}.union(entries)))
    position = {entry: index for index, entry in enumerate(everyone)}
    kinds = tuple(Kind(tuple([position[entry] for entry in table]), places, n) for table, places, n in halves)
    games = sum(kind.blocks * len(kind.table) for kind in kinds)
    return Counts(everyone, kinds, _tallies(len(everyone), kinds), games)


def _outcome(block: BlockResult) -> tuple[int, ...]:
    """Return a block's entries upward, and after them their places in units."""
    entries = block.entries
    seats = len(entries)
    if seats < 2 or len(set(entries)) != seats:
        raise ValueError(f"a block is between two entries or more, each of them once, not {entries!r}")
    places = [_units(place, seats) for place in block.mean_places]
    if len(places) != seats or sum(places) != seats * seats * (seats + 1) or min(places) < 2 * seats:
        shown = [str(place) for place in block.mean_places]
        raise ValueError(
            f"mean places of {seats} are from 1 and add up to {seats * (seats + 1) // 2}, unlike {shown!r}"
        )
    if seats == 2:
        (one, other), (mine, theirs) = entries, places
        return (one, other, mine, theirs) if one < other else (other, one, theirs, mine)
    ranked = sorted(zip(entries, places, strict=True))
    return (*[entry for entry, _ in ranked], *[place for _, place in ranked])


def _units(place: Fraction | int, seats: int) -> int:
    units, rest = divmod(place.numerator * 2 * seats, place.denominator)
    if rest:
        raise ValueError(f"a mean place over {seats} games is a whole number of 1/{2 * seats}, unlike {place}")
    return units


def _tallies(entries: int, kinds: Iterable[Kind]) -> tuple[Tally, ...]:
    tallies = tuple(Tally() for _ in range(entries))
    behind: Counter[tuple[int, int]] = Counter()
    for kind in kinds:
        seats, number = len(kind.table), kind.blocks
        for one, place in zip(kind.table, kind.places, strict=True):
            tallies[one].blocks += number
            behind[one, seats] += number * (2 * seats * seats - place)
        for (one, mine), (other, theirs) in combinations(zip(kind.table, kind.places, strict=True), 2):
            if mine == theirs:
                tallies[one].tied += number
                tallies[other].tied += number
            else:
                better, worse = (one, other) if mine < theirs else (other, one)
                tallies[better].won += number
                tallies[worse].lost += number
    for (one, seats), units in behind.items():
        tallies[one].score += Fraction(units, 2 * seats * (seats - 1))
    return tallies
