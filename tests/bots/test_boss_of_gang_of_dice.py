"""The boss of Gang of Dice: its solver is exact, its chances are the solver's, and it beats the sensible bot."""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from itertools import combinations, product
from math import fsum
from random import Random
from typing import Any

import pytest

from gangland.gang_of_dice import FACES, WARNINGS, WarningCard

boss_gang: Any = import_module("gangland_bots.gang_of_dice.boss_gang")  # written without types, as bots are
# Dice with the best mean score, that score, and the least chance to go bust with it: the rules' own figures.
ODDS = """
    B1 2 4.52 .04   B2 3 7.32 .03   B3 3 8.24 .02   B4 4 10.18 .02  B5 5 13.07 .02  B6 4 8.38 .16
    B7 2 3.99 .24   B8 8 11.81 .41  B9 7 5.50 .61   B10 7 2.75 .61  B11 8 18.53 .10 B12 8 16.94 .19
    Y1 3 9.12 .06   Y2 2 4.29 .35   Y3 4 9.23 .28   Y4 2 4.65 .27   Y5 3 8.87 .13   Y6 8 12.64 .44
    Y7 5 5.78 .64   Y8 2 1.44 .62   Y9 5 11.84 .23  Y10 4 12.15 .14 Y11 4 6.95 .45  Y12 8 16.05 .42
""".split()


def expected_score(card: WarningCard, dice: int) -> float:
    """Return the best mean score of these dice; a bust scores 0."""
    worth: float = boss_gang.odds_of(card).solve(dice, range(5 * dice + 1)).worth
    return worth


def least_bust(card: WarningCard, dice: int) -> float:
    """Return the least chance of a bust among all plays with the best mean score."""

    @cache
    def roll(kept: tuple[int, ...], left: int) -> tuple[float, float]:
        """Return the mean score and the chance of a bust when the missing dice are rolled."""
        if len(kept) == dice:
            return stand(kept, left)
        ways = [roll(tuple(sorted((*kept, face))), left) for face in FACES]
        return fsum([score for score, _ in ways]) / 6, fsum([bust for _, bust in ways]) / 6

    def stand(shown: tuple[int, ...], left: int) -> tuple[float, float]:
        triggered = card.triggered_by(shown)
        best = (0.0, 1.0) if triggered else (float(sum(shown)), 0.0)
        if left and not (triggered and card.yellow):
            for smaller in boss_gang.one_less(shown):
                best = better(best, keep(smaller, left - 1))
        return best

    @cache
    def keep(kept: tuple[int, ...], left: int) -> tuple[float, float]:
        best = roll(kept, left)
        for smaller in boss_gang.one_less(kept):
            best = better(best, keep(smaller, left))
        return best

    return roll((), 2)[1]


def better(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    if abs(one[0] - other[0]) > boss_gang.TOLERANCE:
        return max(one, other)
    return min(one, other, key=lambda pair: pair[1])


@pytest.mark.parametrize(
    "most_dice", [9, pytest.param(16, marks=pytest.mark.long("solves 74,613 multisets of up to 16 dice"))]
)
def test_the_solver_gives_the_published_odds_of_all_24_cards(most_dice: int) -> None:
    found: list[str] = []
    for card in WARNINGS:
        scores = [expected_score(card, dice) for dice in range(1, most_dice + 1)]
        dice = 1 + scores.index(max(scores))
        bust = f"{least_bust(card, dice):.2f}".removeprefix("0")
        found += [card.id, str(dice), f"{max(scores):.2f}", bust]
    boss_gang.odds_of.cache_clear()
    boss_gang.all_multisets.cache_clear()
    assert found == ODDS


def by_hand(card: WarningCard, dice: int, worth: Callable[[int], float]) -> tuple[float, float]:
    """Return the mean worth and the least chance of a bust."""

    @cache
    def stand(shown: tuple[int, ...], left: int) -> tuple[float, float]:
        triggered = card.triggered_by(shown)
        stop = (0.0, 1.0) if triggered else (worth(sum(shown)), 0.0)
        if not left or (triggered and card.yellow):
            return stop
        return max(
            [stop, *(roll(shown, again, left - 1) for count in range(1, dice + 1) for again in places(count))],
            key=lambda found: (round(found[0], 9), -found[1]),
        )

    def places(count: int) -> Sequence[tuple[int, ...]]:
        return list(combinations(range(dice), count))

    @cache
    def roll(shown: tuple[int, ...], again: tuple[int, ...], left: int) -> tuple[float, float]:
        mean = bust = 0.0
        for faces in product(FACES, repeat=len(again)):
            rolled = list(shown)
            for place, face in zip(again, faces, strict=True):
                rolled[place] = face
            value, risk = stand(tuple(rolled), left)
            mean, bust = mean + value, bust + risk
        return mean / 6 ** len(again), bust / 6 ** len(again)

    return roll((0,) * dice, tuple(range(dice)), 2)


@pytest.mark.parametrize("card", WARNINGS, ids=lambda card: card.id)
def test_two_dice_are_solved_as_by_trying_everything(card: WarningCard) -> None:
    score, bust = by_hand(card, 2, float)
    assert expected_score(card, 2) == pytest.approx(score, abs=1e-12)
    assert least_bust(card, 2) == pytest.approx(bust, abs=1e-9)


@pytest.mark.parametrize("name", ["B6", "B9", "Y9"])
def test_three_dice_of_any_worth_are_solved_as_by_trying_everything(name: str) -> None:
    (card,) = [card for card in WARNINGS if card.id == name]
    worths = [Random(name).random() for _ in range(16)]
    mean, _ = by_hand(card, 3, worths.__getitem__)
    assert boss_gang.odds_of(card).solve(3, worths).worth == pytest.approx(mean, abs=1e-12)


@pytest.mark.parametrize("card", WARNINGS, ids=lambda card: card.id)
def test_the_choices_of_a_play_come_to_what_it_is_worth(card: WarningCard) -> None:
    play = boss_gang.odds_of(card).solve(3, range(16))
    mean = 0.0
    for shown in product(FACES, repeat=3):
        dice = tuple(sorted(shown))
        if not (card.yellow and card.triggered_by(dice)):
            worths = dict(play.choices(dice, 2))
            assert worths[play.keep(dice, 2)] == pytest.approx(max(worths.values()))
            mean += max(worths.values()) / 6**3
    assert mean == pytest.approx(play.worth, abs=1e-12)


def test_the_printed_chances_are_those_of_the_solver() -> None:
    words = boss_gang.REACH.split()
    assert words[:: boss_gang.MAX_STAKE + 1] == [card.id for card in WARNINGS]
    for card in WARNINGS:
        for dice in (1, 3, 5) if card.black else (2, 4):
            assert words[words.index(card.id) + dice] == boss_gang.reach_row(card, dice)


def test_the_last_seat_is_thought_to_stake_what_pays_it_best() -> None:
    for card in WARNINGS:
        chances = [boss_gang.reach(card, dice, 4 if dice > 3 else 5) for dice in range(1, boss_gang.MAX_STAKE + 1)]
        pays = [chance * (6 + dice) - dice for dice, chance in enumerate(chances, 1)]
        best = pays.index(max(pays))
        assert boss_gang.hold_chance(card.id, 4, 3, 6, 1) == (1 - chances[best], 6 + best + 1)


def test_ahead_in_a_duel_is_better_and_after_the_last_round_certain() -> None:
    for left in range(12):
        chances = [boss_gang.win_chance(ahead, left) for ahead in range(-30, 31)]
        assert chances == sorted(chances)
        assert chances[30] == 0.5
    assert boss_gang.win_chance(1, 0) == 1.0
