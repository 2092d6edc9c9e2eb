"""Two bots compared: in games of their own, and in mirrored blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from benchmarks.evidence.jobs import Job, pieces
from benchmarks.evidence.players import Player, play, seed_of
from gangland.blocks import seating
from gangland.chance import Chance, SeededChance
from gangland.games import game_named

PIECE = 40

ALL, CARDS, DICE = "all", "cards", "dice"
"""What the games of a block have in common.  As matches have it, that is all chance but the bots' own."""
HALVED = "even, another style"
"""The kind of pair that also plays blocks with only the cards, and only the dice, in common."""


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
        blocks: by what its games have in common, one a block, the sum over its games.
    """

    alone: list[int]
    blocks: dict[str, list[int]]


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
    kinds = (ALL, CARDS, DICE) if pair.kind == HALVED else (ALL,)
    return Compared(
        [_alone(pair, block * pair.seats + game) for block in blocks for game in seats],
        {common: [sum(_in_block(pair, block, turn, common) for turn in seats) for block in blocks] for common in kinds},
    )


def _alone(pair: Pair, number: int) -> int:
    words = (*words_of(pair), "alone", number)
    order = list(range(pair.seats))
    Random(seed_of("seats", *words)).shuffle(order)
    return _difference(pair, order, SeededChance(seed_of("dice", *words)), words)


def _in_block(pair: Pair, block: int, rotation: int, common: str) -> int:
    words = (*words_of(pair), "block", block, rotation)
    chance: Chance = SeededChance(seed_of("dice", *words[:-1]))
    if common != ALL:
        own = SeededChance(seed_of("own", *words))
        chance = Halves(chance, own) if common == CARDS else Halves(own, chance)
    return _difference(pair, seating(block, rotation, pair.seats), chance, words)


class Halves:
    """Cards and first player by one chance, dice by another."""

    def __init__(self, cards: Chance, dice: Chance) -> None:
        self.cards = cards
        self.dice = dice

    def faces(self, round: int, seat: int, roll: int, count: int) -> tuple[int, ...]:
        """Draw by the dice's chance."""
        return self.dice.faces(round, seat, roll, count)

    def shuffle(self, what: str, number: int, cards: Sequence[int]) -> tuple[int, ...]:
        """Shuffle by the cards' chance."""
        return self.cards.shuffle(what, number, cards)

    def below(self, what: str, bound: int) -> int:
        """Choose by the cards' chance."""
        return self.cards.below(what, bound)


def words_of(pair: Pair) -> tuple[object, ...]:
    """Return the words that a pair's seeds are made from."""
    return (pair.game, *pair.table)


def _difference(pair: Pair, order: Sequence[int], chance: Chance, words: tuple[object, ...]) -> int:
    """Play one game and return the first bot's place less the second's, doubled.

    As in a match, a bot's own chance is new in every game, also in those of one block.
    """
    game = game_named(pair.game)
    seated = [pair.table[bot].sit(game, seed_of("player", *words, seat)) for seat, bot in enumerate(order)]
    places = play(game, seated, {}, chance).outcome.mean_places()
    return int(2 * (places[order.index(0)] - places[order.index(1)]))
