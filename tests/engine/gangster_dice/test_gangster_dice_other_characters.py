"""A corrected character set is a change of data alone (ruling G34): games with another set, and no other rules."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from tests.engine.gangster_dice.table import Table, dice_in_play, favors_in_play, random_game
from tests.engine.gangster_dice.tokens import INVESTIGATOR, LAWYER, SPEAKEASY

from gangland.gangster_dice import characters, rules, setup
from gangland.gangster_dice.characters import Character

# Hands, traits and their numbers are others than in the house set, and most traits belong to two.
CORRECTED = (
    Character("ada", "Ada", 3, "Swaps, and places three.", swaps_on=(LAWYER, SPEAKEASY, INVESTIGATOR), places=3),
    Character("bix", "Bix", 6, "Rerolls, and discards to 4.", rerolls=True, discards_above=4, bonus_held=2),
    Character("cab", "Cab", 4, "Swaps, and draws pairs.", swaps_on=(LAWYER, SPEAKEASY), draws_pairs=True),
    Character("dot", "Dot", 3, "Rerolls.", rerolls=True, bonus_on=(LAWYER, INVESTIGATOR), wins_ties=True),
    Character("edo", "Edo", 2, "Draws pairs.", draws_pairs=True, always_special=True, wins_ties=True),
    Character("fay", "Fay", 5, "Discards to 3.", discards_above=3, always_special=True),
    Character("gus", "Gus", 2, "Places one.", places=1, bonus_held=1),
)


@pytest.fixture(autouse=True)
def corrected(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(characters, "HOUSE_SET", CORRECTED)
    monkeypatch.setattr(setup, "HOUSE_SET", CORRECTED)
    house = dict(characters.BY_KEY)
    seat_only(*CORRECTED)
    yield
    seat_only(*house.values())


def seat_only(*set_of_characters: Character) -> None:
    characters.BY_KEY.clear()
    characters.BY_KEY.update({character.key: character for character in set_of_characters})


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_g34_games_with_a_corrected_set_lose_no_die_and_no_favor_and_end(seats: int) -> None:
    requested: dict[str, set[str | None]] = {}
    for seed in range(24):
        win_check = "win_first" if seed % 3 == 0 else "die_first"
        for state, events in random_game(seats, seed, characters="dealt", win_check=win_check):
            assert dice_in_play(state) == 6 * seats + 3
            assert min(min(dice) for dice in (*state.stashes, *state.dice, *state.locked)) >= 0
            assert favors_in_play(state) == 42
            for question in state.questions:
                choices, view = rules.GAME.choices(state, question.seat), rules.GAME.observe(state, question.seat)
                assert len(choices) == len(set(choices)) > 1
                assert rules.GAME.default(state, question.seat) in choices
                requested.setdefault(question.kind, set()).add(view.character.key if view.character else None)
            told = [each for each in events if each[0] != "round"]  # what shows events names their round
            assert all((rules.GAME.sentence(event, ("Ann", "Bob", "Cas", "Dee")) or "").endswith(".") for event in told)
        assert rules.GAME.outcome(state) is not None
    assert requested["reroll"] == {"bix", "dot"}
    assert requested["swap"] == {"ada", "cab"}
    assert requested["keep"] == {"cab", "edo"}
    assert requested["discard"] == {"bix", "fay"}


def test_g34_a_corrected_set_is_what_options_allow_and_views_show() -> None:
    with pytest.raises(ValueError, match="from ada, bix, cab, dot, edo, fay, gus"):
        rules.GAME.options({"characters": "chosen", "cast": ["nancy", "ada"]})
    table = Table(3, cast=["ada", "bix", "gus"])
    assert table.view(1).character == CORRECTED[1]
    assert table.state.public.hand_limits == (3, 6, 2)


def test_g34_traits_may_move_to_another_character() -> None:
    seat_only(*CORRECTED[:6], replace(CORRECTED[6], swaps_on=(LAWYER,), hand_limit=3))
    rolls: list[Any] = ["GG/UU/CC", "FF/UU/CC", "FF/UU/CC"]
    table = Table(3, cast=["gus", "edo", "fay"], rolls=rolls).bid("G0", "F0", "F1")
    assert table.asked == [(0, "swap")]
    assert table.state.public.hand_limits[0] == 3


def test_g34_two_that_win_ties_leave_a_tie_of_both_to_nobody() -> None:
    rolls: list[Any] = ["GG/UU/CC", "GG/UU/CC", "UU/UU/UU"]
    table = Table(3, cast=["edo", "dot", "ada"], rolls=rolls, hands=[(0, 2), (0, 1, 2), (0, 1)])
    table.answer({1: None}).bid("G2", "G1", "U1")
    assert table.of("tied") == [(LAWYER, (0, 1), 4)]


def test_g34_two_that_swap_choose_one_after_the_other_in_seat_order() -> None:
    rolls: list[Any] = ["GG/UU/CC", "GG/UU/CC", "UU/UU/CC"]
    dice = {SPEAKEASY: (1, 0, 0)}
    table = Table(3, cast=["cab", "ada", "fay"], rolls=rolls, dice=dice, hands=[(1, 2), (0, 1), (0, 1)])
    table.bid("G2", "C1", "U0")
    assert table.asked == [(0, "swap")]
    assert table.choices(0) == [None, (0, 0), (1, 0), (2, 0)]
    table.answer({0: (2, 0)})
    assert table.asked == [(1, "swap")]
    assert table.choices(1) == [None, (0, 2), (1, 2), (2, 2)]
    assert table.view(1).speakeasy.dice == (0, 0, 1)
    table.answer({1: None})
    assert table.of("swapped") == [(0, 2, 0), (1, None, None)]


def test_g34_two_that_roll_again_are_asked_together_and_each_die_is_rolled() -> None:
    for answers in ({0: None, 1: (1, 2)}, {0: (0, 0), 1: None}):
        table = Table(3, cast=["bix", "dot", "ada"], rolls=["GG/UU/CC"] * 3)
        assert table.asked == [(0, "reroll"), (1, "reroll")]
        table.chance.again = {0: 0, 1: 0}
        table.answer(answers)
        assert table.of("rerolled") == [(seat, *die, INVESTIGATOR) for seat, die in answers.items() if die]


def test_g34_of_two_that_may_swap_the_second_is_asked_where_the_first_has_no_choice() -> None:
    more: dict[str, Any] = {"stashes": [(1, 1, 0), (2, 2, 2)], "hands": [(0, 0, 1, 1), (0, 1, 1)]}
    table = Table(2, cast=["cab", "ada"], rolls=["G/C/", None], control={SPEAKEASY: 0}, **more).bid("G0 C1", "F0")
    table.answer({0: ((1, 1, 0), (1, 1, 0))})
    assert table.asked == [(1, "swap")]
