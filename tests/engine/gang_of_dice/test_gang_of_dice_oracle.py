"""The deck against the figures of ruling table W-24, computed exactly: best stake, its value, and its bust chance."""

from itertools import combinations_with_replacement

import pytest

from gangland.gang_of_dice.state import ROLLS
from gangland.gang_of_dice.warnings import FACES, WARNINGS, WarningCard

MAX_DICE = 9
TIE = 1e-9

Dice = tuple[int, ...]
Worth = tuple[float, float]  # expected valid total, and the least chance of a bust among plays that reach it

SETS = [list(combinations_with_replacement(FACES, count)) for count in range(MAX_DICE + 1)]
ONE_MORE = {dice: [tuple(sorted((*dice, face))) for face in FACES] for sets in SETS[:-1] for dice in sets}
ONE_LESS = {dice: sorted({dice[:at] + dice[at + 1 :] for at in range(len(dice))}) for sets in SETS for dice in sets}

EXPECTED = {
    "B1": (2, "4.52", "0.04"), "B2": (3, "7.32", "0.03"), "B3": (3, "8.24", "0.02"), "B4": (4, "10.18", "0.02"),
    "B5": (5, "13.07", "0.02"), "B6": (4, "8.38", "0.16"), "B7": (2, "3.99", "0.24"), "B8": (8, "11.81", "0.41"),
    "B9": (7, "5.50", "0.61"), "B10": (7, "2.75", "0.61"), "B11": (8, "18.53", "0.10"), "B12": (8, "16.94", "0.19"),
    "Y1": (3, "9.12", "0.06"), "Y2": (2, "4.29", "0.35"), "Y3": (4, "9.23", "0.28"), "Y4": (2, "4.65", "0.27"),
    "Y5": (3, "8.87", "0.13"), "Y6": (8, "12.64", "0.44"), "Y7": (5, "5.78", "0.64"), "Y8": (2, "1.44", "0.62"),
    "Y9": (5, "11.84", "0.23"), "Y10": (4, "12.15", "0.14"), "Y11": (4, "6.95", "0.45"),
    "Y12": (8, "16.05", "0.42"),
}  # fmt: skip


def better(one: Worth, other: Worth) -> Worth:
    if abs(one[0] - other[0]) > TIE:
        return max(one, other)
    return one if one[1] <= other[1] else other


def rolled(worth: dict[Dice, Worth], count: int) -> dict[Dice, Worth]:
    """Return the worth of kept dice when the others of `count` are rolled."""
    kept = dict(worth)
    for sets in reversed(SETS[:count]):
        for dice in sets:
            after = [kept[more] for more in ONE_MORE[dice]]
            kept[dice] = (sum(each[0] for each in after) / len(FACES), sum(each[1] for each in after) / len(FACES))
    return kept


def best_of_keeping(kept: dict[Dice, Worth], count: int) -> dict[Dice, Worth]:
    best: dict[Dice, Worth] = {}
    for sets in SETS[: count + 1]:
        for dice in sets:
            best[dice] = kept[dice]
            for fewer in ONE_LESS[dice]:
                best[dice] = better(best[dice], best[fewer])
    return best


def best_play(card: WarningCard, count: int) -> Worth:
    bust = {dice: card.triggered_by(dice) for dice in SETS[count]}
    final: dict[Dice, Worth] = {dice: (0.0, 1.0) if bust[dice] else (float(sum(dice)), 0.0) for dice in SETS[count]}
    worth = final
    for _ in range(ROLLS - 1):
        again = best_of_keeping(rolled(worth, count) | final, count)
        worth = {dice: final[dice] if card.yellow and bust[dice] else again[dice] for dice in SETS[count]}
    return rolled(worth, count)[()]


@pytest.mark.parametrize("card", WARNINGS, ids=lambda card: card.id)
def test_best_play_of_each_card_has_the_figures_of_the_ruling_table(card: WarningCard) -> None:
    plays = {count: best_play(card, count) for count in range(1, MAX_DICE + 1)}
    highest = max(worth for worth, _ in plays.values())
    stake = min(count for count, (worth, _) in plays.items() if worth > highest - TIE)
    total, bust = plays[stake]
    assert (stake, f"{total:.2f}", f"{bust:.2f}") == EXPECTED[card.id]
