"""Dice in counts, as the rules have them: the same dice, the same warnings and the same rerolls."""

from itertools import combinations_with_replacement

import pytest

from gangland.gang_of_dice.answers import Rerolls
from gangland.gang_of_dice.counts import TESTS, Counts, count_rerolls, counts_of, dice_of, reroll_at
from gangland.gang_of_dice.warnings import FACES, WARNINGS, WarningCard

MOST_DICE = 7
EVERY = [dice for count in range(MOST_DICE + 1) for dice in combinations_with_replacement(FACES, count)]


def counted(dice: tuple[int, ...]) -> Counts:
    return dice.count(0), dice.count(1), dice.count(2), dice.count(3), dice.count(4), dice.count(5)


def test_counts_are_the_same_dice() -> None:
    for dice in EVERY:
        assert tuple(counts_of(dice)) == counted(dice)
        assert dice_of(counted(dice)) == dice


@pytest.mark.parametrize("card", WARNINGS, ids=lambda card: card.id)
def test_a_warning_is_triggered_by_the_same_dice_one_by_one_and_counted(card: WarningCard) -> None:
    met = TESTS[card.condition.kind]
    assert [dice for dice in EVERY if met(card.condition, counted(dice)) != card.triggered_by(dice)] == []


@pytest.mark.parametrize("dice", [(), (0,), (0, 0, 3), (1, 2, 3, 4, 5), (0, 1, 1, 4, 5, 5)])
def test_rerolls_in_counts_are_the_choices_in_their_order(dice: tuple[int, ...]) -> None:
    shown = counted(dice)
    every = [dice_of(reroll_at(shown, index)) for index in range(count_rerolls(shown))]
    assert every == list(Rerolls(shown))
    assert (every[0], every[-1]) == ((), dice)
