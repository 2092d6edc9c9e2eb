"""Tests of fair chance: every face of every kind of die in every situation, and every card at every place."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import sqrt

from benchmarks.evidence.census import Counts, together
from benchmarks.evidence.stats import (
    LIKELY,
    NO_TEST,
    ChiSquare,
    Interval,
    Z,
    chi_square,
    chi_square_even,
    give_or_take,
    p_value,
)
from benchmarks.harness import Job, Row, Table, pieces, seed_of
from gangland.chance import SeededChance
from gangland.games import game_named

SYMBOLS = ("gavel", "cocktail", "gun", "finger")
SIXTHS: dict[str, dict[str, tuple[int, ...]]] = {
    "gangster-dice": {"white die": (2, 1, 1, 2), "red die": (1, 1, 2, 2), "blue die": (1, 2, 1, 2)},
    "gang-of-dice": {"die": (1, 1, 1, 1, 1, 1)},
}
"""The number of a die's six faces with each symbol, by the rules (G3, D32), not by the engine."""
FACE_NAMES = {"gangster-dice": SYMBOLS, "gang-of-dice": ("gangster", "1", "2", "3", "4", "5")}

GROUPS = {"seat": "by seat", "roll": "by roll of the turn", "round": "by round", "place": "by place in the roll"}
FOLLOWERS = {
    "next place": "after the die before it",
    "next seat": "after the same die of the seat before",
    "next roll": "after the same die of the roll before",
    "next round": "after the same die of the round before",
}
FACES = 6
_FACE_MEAN = (FACES - 1) / 2
_FACE_VARIANCE = (FACES * FACES - 1) / 12

PIECE = 5_000
ENOUGH = 5.0
"""Tests omit groups with a smaller expected count of a face."""


@dataclass(frozen=True, slots=True)
class Deck:
    """One kind of shuffle, as the games request it."""

    title: str
    purpose: str
    number: int
    cards: int


DECKS = (
    Deck("favors, 36 cards", "favors", 0, 36),
    Deck("favors, 25 cards shuffled again", "favors", 1, 25),
    Deck("characters, 9 cards", "characters", 0, 9),
    Deck("warnings w24, 24 cards", "warnings", 0, 24),
    Deck("warnings box18, 12 bright cards", "warnings", 0, 12),
    Deck("warnings box18, 6 dark cards", "warnings", 1, 6),
)


def jobs(shuffles: int) -> list[Job]:
    """Return the work for a number of shuffles of each deck."""
    return [Job(deck, count_shuffles, (deck, numbers)) for deck in DECKS for numbers in pieces(shuffles, PIECE)]


def count_shuffles(deck: Deck, numbers: range) -> Counts:
    """Shuffle a deck by the seeds of these numbers; count each card at each place, and each two cards on top."""
    counts: Counts = {"places": Counter(), "tops": Counter()}
    for number in numbers:
        order = SeededChance(seed_of("shuffle", number)).shuffle(deck.purpose, deck.number, range(deck.cards))
        counts["places"].update(enumerate(order))
        counts["tops"][order[:2]] += 1
    return counts


def deck_tests(deck: Deck, parts: Sequence[Counts]) -> Iterator[tuple[str, ChiSquare]]:
    """Test whether each card is equally frequent at each place, and each pair of cards on top."""
    cards, shuffled = range(deck.cards), together(parts)
    places, tops = shuffled["places"], shuffled["tops"]
    yield (
        f"{deck.title}: each card at each place",
        even_places([[places[place, card] for card in cards] for place in cards]),
    )
    if tops.total() >= ENOUGH * deck.cards * (deck.cards - 1):
        pairs = [tops[one, other] for one in cards for other in cards if one != other]
        yield f"{deck.title}: each two on top", chi_square_even(pairs)


def even_places(observed: Sequence[Sequence[int]]) -> ChiSquare:
    """Test counts of each card at each place over many shuffles.

    A shuffle puts every card somewhere, so rows and columns both add up: of n x n counts
    (n - 1)^2 are free, and the usual statistic is too large by the factor n / (n - 1).
    """
    cards, shuffles = len(observed), sum(observed[0])
    expected = shuffles / cards
    statistic = sum((count - expected) ** 2 / expected for row in observed for count in row)
    return ChiSquare(statistic * (cards - 1) / cards, (cards - 1) ** 2, shuffles)


def face_rows(name: str, counts: Counts) -> Iterator[Row]:
    """Yield a row per die and face: the expected and the counted share."""
    for die, (title, sixths) in enumerate(SIXTHS[name].items()):
        rolled = sum(counts["die"][die, face] for face in range(len(sixths)))
        for face, sixth in enumerate(sixths):
            observed, chance = counts["die"][die, face], sixth / FACES
            off = (observed - rolled * chance) / sqrt(rolled * chance * (1 - chance))
            shares = (f"{chance:.5f}", f"{observed / rolled:.5f}")
            yield (game_named(name).title, title, FACE_NAMES[name][face], rolled, f"{sixth}/6", *shares, f"{off:+.2f}")


def faces_table(by_game: Mapping[str, Counts]) -> Table:
    """Return the faces of every kind of die, expected and seen."""
    rows = tuple(chain.from_iterable(face_rows(name, counts) for name, counts in by_game.items()))
    columns = ("game", "die", "face", "dice rolled", "faces", "chance", "share seen", "standard errors off")
    furthest = max(abs(float(str(row[-1]))) for row in rows)
    finding = f"{len(rows)} shares; the one furthest off is {furthest:.2f} standard errors from its chance."
    return Table("faces", "Faces by kind of die", columns, rows, finding)


def dice_tests(name: str, counts: Counts) -> Iterator[tuple[str, ChiSquare]]:
    """Yield the tests of one game's dice."""
    for die, (title, sixths) in enumerate(SIXTHS[name].items()):
        observed = [counts["die"][die, face] for face in range(len(sixths))]
        yield f"faces of a {title}", chi_square(observed, [sixth / FACES for sixth in sixths])
    for key, title in GROUPS.items():
        yield f"raw faces {title}", even_rows(counts[key])
    for key, title in FOLLOWERS.items():
        if counts.get(key):
            yield f"raw faces {title}", even_rows(counts[key])
            yield f"correlation, {title}", correlated(counts[key])


def even_rows(counts: Counter[tuple[int, int]]) -> ChiSquare:
    """Test whether the six faces are equally frequent in every group, or after every other face.

    The number of dice in a group may depend on earlier rolls; the next die may not.  So each group
    is tested by its own size.
    """
    total = NO_TEST
    for group in sorted({group for group, _ in counts}):
        observed = [counts[group, face] for face in range(FACES)]
        if sum(observed) >= ENOUGH * FACES:
            total += chi_square_even(observed)
    return total


def correlation(counts: Counter[tuple[int, int]]) -> Interval:
    """Return the correlation of a raw face with the one before it: 0 if they are independent."""
    products = sum((one - _FACE_MEAN) * (other - _FACE_MEAN) * count for (one, other), count in counts.items())
    squares = sum((one - _FACE_MEAN) ** 2 * count for (one, _), count in counts.items())
    scale = counts.total() * _FACE_VARIANCE
    reach = Z * sqrt(squares * _FACE_VARIANCE) / scale
    return Interval(products / scale, products / scale - reach, products / scale + reach)


def correlated(counts: Counter[tuple[int, int]]) -> ChiSquare:
    """Test whether a correlation is significant, by the square of its distance from 0 in standard errors."""
    result = correlation(counts)
    return ChiSquare((result.value / result.reach * Z) ** 2, 1, counts.total())


def correlations_table(by_game: Mapping[str, Counts]) -> Table:
    """Return the correlations of neighboring dice."""
    results = [
        (game_named(name).title, FOLLOWERS[key], counts[key].total(), correlation(counts[key]))
        for name, counts in by_game.items()
        for key in FOLLOWERS
        if counts.get(key)
    ]
    rows = tuple((game, key, pairs, give_or_take(value, 5)) for game, key, pairs, value in results)
    outside = sum(not value.holds(0) for *_, value in results)
    greatest = max(abs(value.value) for *_, value in results)
    finding = (
        f"The greatest is {greatest:.4f} off 0. Intervals without 0: {outside} of {len(results)}, where "
        f"{len(results) * LIKELY:.1f} are to be expected; whether that is chance, the tests above say."
    )
    columns = ("game", "a die", "pairs", "correlation")
    return Table("correlations", "Neighboring dice", columns, rows, finding)


def tests_table(tests: Sequence[tuple[str, str, ChiSquare]]) -> Table:
    """Return all tests of chance, the smallest p value, and the threshold for it."""
    rows = tuple(
        (game, name, test.count, f"{test.statistic:.1f}", test.freedom, p_value(test.p)) for game, name, test in tests
    )
    lowest = min(test.p for *_, test in tests)
    line = LIKELY / len(tests)
    low = sum(test.p < LIKELY for *_, test in tests)
    finding = (
        f"{len(tests)} tests. The smallest p value is {lowest:.4f}; Bonferroni's line, below which fair chance as a "
        f"whole would be in doubt, is {LIKELY} / {len(tests)} = {line:.5f}: "
        f"{'nothing lies below it' if lowest >= line else '**something lies below it**'}. "
        f"{low} of the p values are below {LIKELY}, where {LIKELY * len(tests):.1f} are to be expected."
    )
    columns = ("game", "what", "observations", "chi-square", "degrees of freedom", "p")
    return Table("chance", "Tests of chance", columns, rows, finding)
