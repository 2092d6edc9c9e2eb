"""What is a legal answer, what an illegal one is told, and what a bot may return (D6 to D9, G41)."""

from collections import Counter
from enum import IntEnum
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.gang_of_dice.table import Table

from gangland import gang_of_dice
from gangland.faults import IllegalDecision
from gangland.gang_of_dice import rules, warnings
from gangland.gang_of_dice.answers import Rerolls, check_reroll
from gangland.gang_of_dice.counts import Counts

DEEP: list[Any] = []
for _ in range(50_000):
    DEEP = [DEEP]

dice = st.lists(st.sampled_from(warnings.FACES), min_size=1, max_size=7).map(lambda shown: tuple(sorted(shown)))


def counts(dice: tuple[int, ...]) -> Counts:
    return dice.count(0), dice.count(1), dice.count(2), dice.count(3), dice.count(4), dice.count(5)


@pytest.mark.parametrize(("throw", "shown"), [("502", "[5, 2, gangster] (a gangster is 0)"), ("52", "[5, 2]")])
def test_d7_the_message_shows_the_dice_and_what_a_gangster_is_called(throw: str, shown: str) -> None:
    table = Table()
    table.decide(len(throw), throw)
    with pytest.raises(IllegalDecision) as refused:
        rules.GAME.check(table.state, 0, [3])
    legal = f"faces among {shown}, each at most as often as it shows, or [] to stop"
    assert str(refused.value) == f"[3] is not legal. Allowed: {legal}."
    assert rules.GAME.legal(table.state, 0) == legal


def test_d6_in_words_the_legal_numbers_of_dice_end_with_the_pool() -> None:
    table = Table(seats=3).set(pools=(7, 40, 40))
    assert rules.GAME.legal(table.state, 0) == "a number of dice from 1 to 7"


@pytest.mark.parametrize(("letters", "shown"), [(118, "'" + "x" * 118 + "'"), (119, "'" + "x" * 116 + "...")])
def test_a_refusal_shows_120_characters_of_the_answer_at_most(letters: int, shown: str) -> None:
    with pytest.raises(IllegalDecision) as refused:
        rules.GAME.check(Table().state, 0, "x" * letters)
    assert str(refused.value) == f"{shown} is not legal. Allowed: a number of dice from 1 to 48."


def test_what_cannot_be_shown_is_named_by_its_type() -> None:
    with pytest.raises(IllegalDecision, match=r"^an answer of type int that cannot be shown is not legal\. Allowed:"):
        rules.GAME.check(Table().state, 0, 10**5000)
    with pytest.raises(IllegalDecision, match=r"^an answer of type list that cannot be shown is not legal\. Allowed:"):
        rules.GAME.check(Table().state, 0, DEEP)


@given(dice, st.lists(st.integers(-1, 6), max_size=8))
def test_g41_exactly_the_choices_are_accepted_whatever_their_order(dice: tuple[int, ...], answer: list[int]) -> None:
    shown = counts(dice)
    choices = Rerolls(shown)
    legal = not Counter(answer) - Counter(dice)
    assert (tuple(sorted(answer)) in choices) == legal
    if legal:
        assert check_reroll(shown, answer) == check_reroll(shown, tuple(reversed(answer))) == tuple(sorted(answer))
    else:
        with pytest.raises(IllegalDecision):
            check_reroll(shown, answer)


@given(dice)
def test_g41_the_choices_of_a_reroll_are_all_multisets_of_the_dice(shown: tuple[int, ...]) -> None:
    choices = Rerolls(counts(shown))
    kept = product((False, True), repeat=len(shown))
    every = {tuple(face for face, again in zip(shown, some, strict=True) if again) for some in kept}
    assert set(choices) == every
    assert len(choices) == len(every) == len(list(choices))
    assert (choices[0], choices[-1]) == ((), shown)
    assert list(choices[1:3]) == [choices[1], choices[2]] if len(choices) > 2 else True


def test_millions_of_rerolls_are_offered_without_being_made() -> None:
    choices = Rerolls((25, 25, 25, 0, 0, 25))
    assert len(choices) == 26**4
    assert choices[len(choices) // 2] in choices
    assert choices[-len(choices)] == ()
    for beyond in (len(choices), -len(choices) - 1):
        with pytest.raises(IndexError, match=str(beyond)):
            choices[beyond]


class Amount(IntEnum):
    FEW = 2


class Odd:
    def __index__(self) -> int:
        return 3


class MyBot(gang_of_dice.Bot):
    def choose_dice(self, view: gang_of_dice.View) -> int:
        return 1


@pytest.mark.parametrize(("answer", "plain"), [(3, 3), (Amount.FEW, 2), (Odd(), 3), (10**30, 10**30)])
def test_a_bot_may_return_any_kind_of_whole_number(answer: Any, plain: int) -> None:
    encoded = MyBot.encode("dice", answer)
    assert (type(encoded), encoded) == (int, plain)


@pytest.mark.parametrize("answer", [[1, 0], (1, 0), [True + 0, 0], [Odd()]])
def test_a_bot_may_return_faces_as_a_list_or_a_tuple(answer: Any) -> None:
    encoded = MyBot.encode("reroll", answer)
    assert type(encoded) is list
    assert all(type(face) is int for face in encoded)


@pytest.mark.parametrize("answer", [True, None, 1.5, "2", [1], object()])
def test_a_wrong_number_of_dice_is_told_what_was_expected(answer: Any) -> None:
    with pytest.raises(TypeError, match=r"^expected a whole number of dice, 1 to view.pool, got "):
        MyBot.encode("dice", answer)


@pytest.mark.parametrize("answer", [None, 1, "12", {1: 2}, {1}, [None], [True], [1.0], [[1]]])
def test_a_wrong_reroll_is_told_what_was_expected(answer: Any) -> None:
    with pytest.raises(TypeError, match=r"^expected a list of faces to reroll.*got "):
        MyBot.encode("reroll", answer)


def test_an_unknown_kind_of_decision_is_an_error() -> None:
    with pytest.raises(TypeError, match="no decision of kind 'bids'"):
        MyBot.encode("bids", 1)


def test_a_bot_stops_by_default_and_must_choose_its_dice() -> None:
    table = Table()
    table.decide(1, "1")
    assert MyBot.encode("reroll", MyBot().choose_reroll(table.view())) == []
    with pytest.raises(TypeError, match="choose_dice"):
        type("Empty", (gang_of_dice.Bot,), {})()
