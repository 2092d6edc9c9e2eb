"""How games end: wins, the last round, places and seats at fault (rulings G30 to G33, G37, G38)."""

from fractions import Fraction
from typing import Any

import pytest
from tests.engine.gangster_dice.table import NOTHING, TWO_EACH, Table
from tests.engine.gangster_dice.tokens import BLUE, INVESTIGATOR, LAWYER, RED, SPEAKEASY, STREETS, WHITE

from gangland.game import EndReason, Outcome
from gangland.gangster_dice.rules import GAME


def last_die_staked(investigator: int | None = None, **more: Any) -> Table:
    control = {STREETS: 0} | ({INVESTIGATOR: investigator} if investigator is not None else {})
    table = Table(
        3,
        rolls=["U//", TWO_EACH, TWO_EACH],
        stashes=[(1, 0, 0), (2, 2, 2), (2, 2, 2)],
        control=control | more.pop("control", {}),
        **more,
    )
    return table.bid("U2", "G0", "G0")


def test_g30_at_zero_dice_with_a_loaded_investigator_a_die_comes_in_and_the_game_goes_on() -> None:
    table = last_die_staked(investigator=0, dice={INVESTIGATOR: (0, 0, 2)}).answer({0: WHITE})
    assert table.of("received") == [(0, BLUE)]
    assert table.outcome() is None
    assert table.state.opening.round == 2


def test_g30_win_first_checks_before_the_die() -> None:
    table = last_die_staked(investigator=0, dice={INVESTIGATOR: (0, 0, 2)}, win_check="win_first").answer({0: WHITE})
    assert table.of("received") == []
    assert table.outcome() == Outcome((1, 2, 2), (0,), EndReason.COMPLETED)


def test_g30_win_first_the_die_is_taken_when_nobody_has_won() -> None:
    table = Table(3, control={INVESTIGATOR: 2}, dice={INVESTIGATOR: (1, 1, 0)}, win_check="win_first")
    table.bid("F0", "F0", "F0")
    assert table.asked == [(2, "take")]
    table.answer({2: RED})
    assert table.state.stashes[2] == (2, 3, 2)
    assert table.state.opening.round == 2


def test_g31_at_zero_with_lawyer_and_investigator_one_may_decline_and_wins() -> None:
    table = last_die_staked(investigator=0, dice={INVESTIGATOR: (0, 0, 2)}, control={LAWYER: 0}).answer({0: WHITE})
    assert table.asked == [(0, "take")]
    assert table.choices(0) == [None, BLUE]
    table.answer({0: None})
    assert table.of("emptied") == [((0,),)]
    assert table.outcome() == Outcome((1, 2, 2), (0,), EndReason.COMPLETED)
    assert table.asked == []


def two_at_zero() -> Table:
    table = Table(
        4,
        rolls=["U//", "F//", TWO_EACH, TWO_EACH],
        stashes=[(1, 0, 0), (1, 0, 0), (2, 2, 2), (2, 2, 2)],
        control={STREETS: 0, INVESTIGATOR: 2},
    )
    return table.bid("U2", "F2", "U0", "C0").answer({0: WHITE, 1: WHITE})


def test_g32_joint_win_of_several_at_zero() -> None:
    table = two_at_zero()
    assert table.of("emptied") == [((0, 1),)]
    assert table.outcome() == Outcome((1, 1, 3, 3), (0, 1), EndReason.COMPLETED)


def test_g33_after_round_100_the_fewest_dice_win_jointly() -> None:
    table = Table(4, stashes=[(2, 2, 2), (2, 1, 1), (1, 1, 2), (2, 3, 2)], round=100)
    table.bid("F0", "F0", "F0", "F0")
    assert table.of("limit_reached") == [(100,)]
    assert table.outcome() == Outcome((3, 1, 1, 3), (1, 2), EndReason.ROUND_LIMIT)
    assert GAME.round(table.state) == 100


def test_g33_round_99_is_not_the_last() -> None:
    assert Table(3, round=99).bid("F0", "F0", "F0").outcome() is None


def test_g33_the_limit_can_be_chosen_and_a_win_comes_before_it() -> None:
    assert Table(3, round_limit=3, round=3).bid("F0", "F0", "F0").outcome() is not None
    won = last_die_staked(round=3, round_limit=3).answer({0: WHITE})
    assert won.outcome() == Outcome((1, 2, 2), (0,), EndReason.COMPLETED)


@pytest.mark.parametrize("limit", [0, -1, 10_001, True, "100", 1.5, None])
def test_g33_a_limit_is_a_number_of_rounds(limit: object) -> None:
    with pytest.raises(ValueError, match="round_limit must be a whole number from 1 to 10000"):
        GAME.options({"round_limit": limit})


def test_g37_losers_share_one_place_and_means_cover_the_places_shared() -> None:
    outcome = last_die_staked().answer({0: WHITE}).outcome()
    assert outcome is not None
    assert outcome.places == (1, 2, 2)
    assert outcome.mean_places() == (Fraction(1), Fraction(5, 2), Fraction(5, 2))


def test_g38_one_faultless_seat_left_wins_at_once() -> None:
    table = Table(3)
    assert table.outcome(1) is None
    assert table.outcome(0, 2) == Outcome((2, 1, 2), (1,), EndReason.LAST_FAULTLESS)
    assert Table(2, rolls=[TWO_EACH]).outcome(0) == Outcome((2, 1), (1,), EndReason.LAST_FAULTLESS)


def test_g38_with_no_faultless_seat_nobody_wins_and_all_share() -> None:
    assert Table(3).outcome(0, 1, 2) == Outcome((1, 1, 1), (), EndReason.ALL_AT_FAULT)


def test_g38_faults_of_one_simultaneous_stage_count_together() -> None:
    table = Table(
        2,
        rolls=["CC/UU/FF", "F//"],
        stashes=[(2, 2, 2), (1, 0, 0)],
        hands=[(0, 1, 2), (0, 1, 2)],
        control={SPEAKEASY: 0, STREETS: 0},
    ).bid("C2 U1", "F0")
    assert table.asked == [(0, "exchange")]
    assert GAME.half_answered(table.state) is False
    assert table.outcome(0) is not None, "a fault at the bids ends the game before the effects"
    table.answer({0: NOTHING})
    assert table.asked == [(0, "stake")]
    assert GAME.half_answered(table.state) is True
    assert table.outcome(0) is None, "the stage is half answered"
    table.answer({0: None})
    assert GAME.half_answered(table.state) is False
    assert table.outcome(0) == Outcome((2, 1), (1,), EndReason.LAST_FAULTLESS)


def test_g38_a_defaulting_seat_at_zero_ends_the_game_for_the_faultless_with_the_fewest_dice() -> None:
    table = last_die_staked().answer({0: WHITE})
    assert table.outcome(0) == Outcome((3, 1, 1), (1, 2), EndReason.DEFAULT_EMPTY)


def test_g38_then_the_other_faultless_seats_share_one_place_even_behind_a_last_die() -> None:
    stashes = [(1, 0, 0), (0, 1, 0), (2, 2, 2), (2, 2, 3)]
    rolls = ["U//", "/F/", TWO_EACH, TWO_EACH + "C"]
    table = Table(4, rolls=rolls, stashes=stashes, control={STREETS: 0}).bid("U2", "F0", "G0", "G0")
    table.answer({0: WHITE})
    assert table.outcome(0) == Outcome((4, 1, 2, 2), (1,), EndReason.DEFAULT_EMPTY)


def test_g38_faultless_seats_at_zero_win_before_a_defaulting_one() -> None:
    assert two_at_zero().outcome(0) == Outcome((4, 1, 2, 2), (1,), EndReason.COMPLETED)


def test_g38_seats_at_fault_share_last_place_at_the_round_limit_too() -> None:
    table = Table(4, stashes=[(1, 0, 0), (2, 1, 1), (1, 1, 2), (2, 3, 2)], rolls=["F//"], round=100)
    table.bid("F0", "F0", "F0", "F0")
    assert table.outcome(0) == Outcome((4, 1, 1, 3), (1, 2), EndReason.ROUND_LIMIT)


def test_g38_default_bids_are_the_first_symbols_with_the_lowest_favors_lowest_first() -> None:
    table = Table(2, rolls=["FF/UU/CC", "FF/FF/FF"], hands=[(1, 3, 4), (2, 3, 3)])
    assert GAME.default(table.state, 0) == ((SPEAKEASY, 1), (STREETS, 3))
    assert GAME.default(table.state, 1) == ((INVESTIGATOR, 2),)


def test_g38_default_is_no_exchange_and_no_stake() -> None:
    table = Table(4, rolls=[TWO_EACH] * 4, control={SPEAKEASY: 0, STREETS: 1}).bid("C0", "U0", "G0", "G0")
    assert GAME.default(table.state, 0) == NOTHING
    assert GAME.default(table.state, 1) is None


@pytest.mark.parametrize(
    ("stash", "colour"), [((1, 2, 2), RED), ((2, 2, 2), WHITE), ((1, 0, 3), BLUE), ((0, 1, 1), RED)]
)
def test_g38_default_dump_is_the_colour_with_most_unlocked_dice(stash: Any, colour: int) -> None:
    table = Table(3, stashes=[stash, (2, 2, 2), (2, 2, 2)], rolls=[None, TWO_EACH, TWO_EACH], control={INVESTIGATOR: 1})
    table.bid("F2", "G0", "G0")
    assert GAME.default(table.state, 0) == colour


def test_g38_default_dump_counts_what_is_left_after_answers_that_stand() -> None:
    table = Table(
        2, rolls=["CC/CF/", "G//"], stashes=[(2, 2, 0), (1, 0, 0)], control={SPEAKEASY: 0, INVESTIGATOR: 1}
    ).bid("C2 F1", "G0")
    table.answer({0: ((1, 0, 0), (0, 0, 1))})
    assert GAME.default(table.state, 0) == RED


def test_g38_default_take_declines_or_takes_the_colour_with_most_dice_on_the_investigator() -> None:
    dice = {INVESTIGATOR: (1, 2, 2)}
    table = Table(3, control={INVESTIGATOR: 2}, dice=dice).bid("F0", "F0", "F0")
    assert GAME.default(table.state, 2) == RED
    protected = Table(3, control={INVESTIGATOR: 2, LAWYER: 2}, dice=dice).bid("F0", "F0", "F0")
    assert GAME.default(protected.state, 2) is None
