"""Check that copies of a deterministic bot tie exactly over a block."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from benchmarks.evidence.players import Player, play
from benchmarks.harness import Job, Table, pieces, seed_of
from gangland.blocks import seating
from gangland.chance import SeededChance
from gangland.games import game_named

PIECE = 50
DETERMINISTIC = {
    "gangster-dice": ("bold", "cautious", "hoarding", "sensible"),
    "gang-of-dice": ("bold", "cautious", "closing"),
}
"""The deterministic house bots."""


@dataclass(frozen=True, slots=True)
class BotCopies:
    """A table of copies of one bot."""

    game: str
    seats: int
    stem: str


def jobs(blocks: int) -> list[Job]:
    """Return the work for a number of blocks of every deterministic bot at every table size."""
    alike = [
        BotCopies(name, seats, stem)
        for name, stems in DETERMINISTIC.items()
        for stem in stems
        for seats in game_named(name).table_sizes
    ]
    return [Job(each, count_ties, (each, numbers)) for each in alike for numbers in pieces(blocks, PIECE)]


def count_ties(alike: BotCopies, blocks: range) -> tuple[int, int]:
    """Return the number of blocks in which all copies have the same mean place, and the number of all blocks."""
    return sum(len(set(mean_places(alike, block))) == 1 for block in blocks), len(blocks)


def mean_places(alike: BotCopies, block: int) -> list[Fraction]:
    """Return each copy's mean place over a block."""
    game, totals = game_named(alike.game), [Fraction(0)] * alike.seats
    for rotation in range(alike.seats):
        seats = seating(block, rotation, alike.seats)
        words = ("tie", alike, block, rotation)
        seated = [Player(alike.stem).sit(game, seed_of(*words, seat)) for seat in range(alike.seats)]
        chance = SeededChance(seed_of("dice", "tie", alike, block))
        places = play(game, seated, {}, chance).outcome.mean_places()
        for seat, bot in enumerate(seats):
            totals[bot] += places[seat]
    return [total / alike.seats for total in totals]


def ties_table(results: Mapping[BotCopies, Sequence[tuple[int, int]]]) -> Table:
    """Return the number of tied blocks, a row per bot and table size."""
    sums = {each: tuple(map(sum, zip(*parts, strict=True))) for each, parts in results.items()}
    rows = tuple(
        (game_named(each.game).title, each.stem, each.seats, blocks, tied) for each, (tied, blocks) in sums.items()
    )
    tied, blocks = (sum(each[part] for each in sums.values()) for part in (0, 1))
    finding = f"{tied:,} of {blocks:,} blocks are exact ties{'' if tied == blocks else ': **that is an error**'}."
    columns = ("game", "bot, in all seats", "seats", "blocks", "exact ties")
    return Table("ties", "Equal bots over a block", columns, rows, finding)
