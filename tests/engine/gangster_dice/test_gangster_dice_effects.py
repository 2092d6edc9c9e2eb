"""Tokens, exchange, stake and dump (rulings G15 to G23)."""

from typing import Any

import pytest
from tests.engine.gangster_dice.table import NOTHING, TWO_EACH, Table
from tests.engine.gangster_dice.tokens import BLUE, INVESTIGATOR, LAWYER, RED, SPEAKEASY, STREETS, WHITE

from gangland.faults import IllegalDecision
from gangland.gangster_dice.rules import GAME

ONE_WHITE = ((1, 0, 0), (1, 0, 0))


def heads_up_effects(seat_rolls: str = "CC/UU/FF", stash: Any = (2, 2, 2), **more: Any) -> Table:
    control = {SPEAKEASY: 0, STREETS: 0, INVESTIGATOR: 1}
    stashes = [stash, (1, 0, 0)]
    return Table(2, rolls=[seat_rolls, "G//"], stashes=stashes, control=control, hands=[(0, 1, 2), (0, 0, 0)], **more)


def test_g15_the_first_win_of_a_token_only_takes_it() -> None:
    for token, bid in ((LAWYER, "G2"), (SPEAKEASY, "C2"), (STREETS, "U2")):
        table = Table(3, rolls=[TWO_EACH]).bid(bid, "F0", "F0")
        assert table.of("took") == [(token, 0, None)]
        assert all(kind == "bids" for _, kind in table.asked)
        assert table.of("special") == []


def test_g15_the_special_needs_control_at_the_start_of_the_round_not_two_wins_in_a_row() -> None:
    table = Table(3, rolls=[TWO_EACH])
    for bid, favor in (("C2", 0), ("G1", 1)):
        table.roll(TWO_EACH)
        table.bid(bid, f"F{favor}", f"F{favor}")
    assert table.of("won") == [(SPEAKEASY, 0, 4, ()), (LAWYER, 0, 3, ())]
    table.bid("C0", "F1", "F1")
    assert table.asked == [(0, "exchange")]


def test_g15_a_token_that_is_won_again_does_not_change_hands() -> None:
    for token, bid in ((LAWYER, "G2"), (SPEAKEASY, "C2"), (STREETS, "U2")):
        table = Table(3, rolls=[TWO_EACH], control={token: 0}).bid(bid, "F0", "F0")
        assert table.of("took") == []
        assert table.state.control[token] == 0


def test_g15_a_token_taken_from_another_gives_no_special() -> None:
    table = Table(3, rolls=[TWO_EACH], control={STREETS: 1, SPEAKEASY: 1, LAWYER: 1}).bid("C2", "F0", "F0")
    assert table.of("took") == [(SPEAKEASY, 0, 1)]
    assert table.asked[0][1] == "bids"


def test_g16_all_tokens_change_hands_before_effects_are_chosen() -> None:
    table = Table(4, rolls=[TWO_EACH] * 3, control={SPEAKEASY: 0, LAWYER: 3}).bid("C0", "G0", "U0", "F0")
    assert table.asked == [(0, "exchange")]
    assert table.state.control == (1, 0, 2, 0)
    assert table.view(0).lawyer.holder == 1
    assert table.view(0).lawyer.holder_before == 3


def test_g16_tokens_that_change_hands_are_told_in_token_order_and_the_investigator_last() -> None:
    table = Table(4, rolls=["UU/UU/UU", "FF/FF/FF", "CC/CC/CC", "GG/GG/GG"]).bid("U0", "F0", "C0", "G0")
    assert table.of("took") == [(LAWYER, 3, None), (SPEAKEASY, 2, None), (STREETS, 0, None)]
    assert [event[0] for event in table.events if event[0] in ("took", "moved")] == ["took"] * 3 + ["moved"]


def test_g16_seats_with_effects_are_asked_together_and_see_no_answer_of_others() -> None:
    control = {SPEAKEASY: 0, INVESTIGATOR: 0}
    hands = [(0, 0, 2), (0, 1, 2)]
    table = Table(2, rolls=["CC/CC/UU", "FF/FF/GG"], hands=hands, control=control | {STREETS: 0})
    table.bid("C0 U2", "F2 G0")
    assert table.asked == [(0, "exchange"), (1, "dump")]
    table.answer({0: ONE_WHITE, 1: RED})
    assert table.asked == [(0, "stake")]
    again = Table(2, rolls=["CC/CC/UU", "FF/FF/GG"], hands=hands, control=control | {STREETS: 0})
    again.bid("C0 U2", "F2 G0").answer({0: ONE_WHITE, 1: BLUE})
    assert table.view(0) == again.view(0)
    assert table.answer({0: None}).of("dumped") == [(1, RED, 2)]


def test_g16_seats_with_effects_are_asked_in_seat_order() -> None:
    table = Table(3, rolls=[TWO_EACH] * 3, control={SPEAKEASY: 2, STREETS: 0}).bid("U2", "G0", "C2")
    assert table.asked == [(0, "stake"), (2, "exchange")]
    assert table.answer({0: WHITE, 2: ONE_WHITE}).of("staked") == [(0, WHITE)]


def test_g16_a_seat_with_two_effects_is_asked_in_order_and_sees_its_earlier_answers() -> None:
    table = heads_up_effects().bid("C2 U1", "")
    assert table.asked == [(0, "exchange")]
    assert table.view(0).exchanged is None
    table.answer({0: ((2, 1, 0), (1, 1, 1))})
    assert table.asked == [(0, "stake")]
    assert table.view(0).exchanged == ((2, 1, 0), (1, 1, 1))
    assert table.view(0).spare == (0, 1, 2)
    assert table.of("exchanged") == []
    assert table.state.stashes[0] == (2, 2, 2)
    table.answer({0: RED})
    assert table.of("exchanged") == [(0, (2, 1, 0), (1, 1, 1))]
    assert table.state.stashes[0] == (1, 1, 3)


def test_g16_exchanged_plus_staked_never_exceeds_the_stash() -> None:
    table = heads_up_effects(seat_rolls="C/U/F", stash=(1, 1, 1)).bid("C2 U1", "")
    table.answer({0: ((1, 1, 0), (1, 1, 0))})
    assert table.choices(0) == [None, BLUE]
    with pytest.raises(IllegalDecision, match="0 white, 0 red, 1 blue"):
        GAME.check(table.state, 0, WHITE)


def test_g16_the_dump_takes_what_is_then_left_of_its_colour_and_the_effects_apply_in_token_order() -> None:
    table = heads_up_effects(seat_rolls="CC/UU/FF").bid("C2 F1", "")
    assert table.asked == [(0, "exchange")]
    table.answer({0: ((0, 0, 1), (0, 0, 1))})
    assert table.asked == [(0, "dump")]
    table.answer({0: BLUE})
    assert [event[0] for event in table.events if event[0] in ("exchanged", "dumped")] == ["exchanged", "dumped"]
    assert table.of("dumped") == [(0, BLUE, 1)]
    assert table.state.stashes[0] == (2, 2, 1)
    assert table.state.dice[INVESTIGATOR] == (0, 0, 1)


def test_g16_a_staked_die_is_not_there_for_the_dump() -> None:
    table = heads_up_effects(seat_rolls="UU/UU/FF").bid("U2 F1", "")
    table.answer({0: WHITE})
    table.answer({0: WHITE})
    assert table.of("staked") == [(0, WHITE)]
    assert table.of("dumped") == [(0, WHITE, 1)]
    assert table.state.stashes[0] == (0, 2, 2)
    assert table.state.dice[STREETS] == (1, 0, 0)


def test_g17_dice_received_are_not_given_away_in_the_same_round() -> None:
    table = heads_up_effects(seat_rolls="CC/UF/", stash=(2, 2, 0)).bid("C2 F1", "")
    table.answer({0: ((0, 2, 0), (1, 0, 1))})
    assert table.view(0).spare == (2, 0, 0)
    table.answer({0: WHITE})
    assert table.of("dumped") == [(0, WHITE, 2)]
    assert table.state.stashes[0] == (1, 0, 1)


def test_g17_locked_dice_are_shown_to_their_owner_and_free_again_next_round() -> None:
    table = Table(
        3, rolls=["CC/CC/CC", None, None], control={SPEAKEASY: 0, INVESTIGATOR: 0}, dice={INVESTIGATOR: (1, 1, 0)}
    ).bid("C0", "F0", "F0")
    table.answer({0: ((1, 0, 0), (0, 0, 1))})
    assert table.asked == [(0, "take")]
    assert table.view(0).locked == (0, 0, 1)
    assert table.view(0).spare == (1, 2, 2)
    table.answer({0: RED})
    assert table.state.locked == ((0, 0, 0),) * 3


def test_g18_an_exchange_is_of_equal_size_from_stash_and_token() -> None:
    table = heads_up_effects(seat_rolls="CC/CC/CC").bid("C2", "")
    assert table.asked == [(0, "exchange")]
    for refused in (
        ((1, 0, 0), (0, 0, 0)), ((2, 2, 0), (1, 1, 1)), ((0, 0, 2), (0, 0, 2)), ((3, 0, 0), (1, 1, 1)),
        ((-1, 1, 0), (0, 0, 0)), ((1, 0), (1, 0)), None, 0, [[1, 0, 0]], [[True, 0, 0], [1, 0, 0]], "exchange",
    ):  # fmt: skip
        with pytest.raises(IllegalDecision, match="2 white, 2 red, 2 blue; the Speakeasy has 1 white, 1 red, 1 blue"):
            GAME.check(table.state, 0, refused)
    assert GAME.check(table.state, 0, [[2, 1, 0], [1, 1, 1]]) == ((2, 1, 0), (1, 1, 1))
    assert all(sum(given) == sum(taken) <= 3 for given, taken in table.choices(0))
    assert len(table.choices(0)) == 1 + 3 * 3 + 6 * 3 + 7 * 1
    assert len(set(table.choices(0))) == len(table.choices(0))


def test_g18_no_more_than_three_dice_are_exchanged_however_many_lie_there() -> None:
    table = heads_up_effects(seat_rolls="CC/CC/CC", dice={SPEAKEASY: (2, 2, 2)}).bid("C2", "")
    assert {sum(given) for given, _ in table.choices(0)} == {0, 1, 2, 3}


def test_g18_the_same_colour_on_both_sides_locks_the_die_taken() -> None:
    table = heads_up_effects(seat_rolls="C/F/", stash=(1, 1, 0)).bid("C2 F1", "")
    table.answer({0: ONE_WHITE})
    table.answer({0: WHITE})
    assert table.of("dumped") == [(0, WHITE, 0)]
    assert table.state.stashes[0] == (1, 1, 0)


def test_g19_one_die_is_staked_or_none_and_the_last_one_too() -> None:
    for answer, stash in ((None, (0, 0, 1)), (BLUE, (0, 0, 0))):
        table = Table(3, rolls=["//U"], stashes=[(0, 0, 1), (2, 2, 2), (2, 2, 2)], control={STREETS: 0})
        table.bid("U0", "F0", "F0")
        assert table.choices(0) == [None, BLUE]
        table.answer({0: answer})
        assert table.of("staked") == [(0, answer)]
        assert table.state.stashes[0] == stash


def test_g19_with_all_dice_exchanged_nothing_can_be_staked_and_nobody_is_asked() -> None:
    table = heads_up_effects(seat_rolls="C/U/", stash=(1, 1, 0)).bid("C2 U1", "")
    table.answer({0: ((1, 1, 0), (1, 1, 0))})
    assert table.of("staked") == [(0, None)]
    assert table.of("round")[-1] == (2,)


def test_g20_the_first_win_of_the_investigator_moves_it_left_of_the_winner_without_dice() -> None:
    table = Table(3).bid("F2", "F1", "F0")
    assert table.of("moved") == [(None, 1)]
    assert table.of("dumped") == []
    assert table.state.control[INVESTIGATOR] == 1


def test_g21_its_holder_moves_it_left_with_its_dice_and_places_nothing() -> None:
    table = Table(3, control={INVESTIGATOR: 1}, dice={INVESTIGATOR: (2, 0, 0)}).bid("F1", "F2", "F0")
    assert table.of("moved") == [(1, 2)]
    assert table.of("dumped") == []
    assert table.of("received") == [(2, WHITE)]
    assert table.state.dice[INVESTIGATOR] == (1, 0, 0)


def test_g22_another_player_puts_a_colour_on_it_and_it_stays() -> None:
    table = Table(3, control={INVESTIGATOR: 1}).bid("F2", "F1", "F0")
    assert table.asked == [(0, "dump")]
    with pytest.raises(IllegalDecision):
        GAME.check(table.state, 0, None)
    table.answer({0: RED})
    assert table.of("moved") == []
    assert table.of("dumped") == [(0, RED, 2)]
    assert table.state.control[INVESTIGATOR] == 1
    assert table.state.stashes[0] == (2, 0, 2)
    assert table.state.dice[INVESTIGATOR] == (0, 1, 0)


def test_g23_a_colour_that_one_lacks_may_be_named_and_places_nothing() -> None:
    table = Table(
        3, rolls=["FF//", TWO_EACH, TWO_EACH], stashes=[(2, 0, 0), (2, 2, 2), (2, 2, 2)], control={INVESTIGATOR: 1}
    ).bid("F2", "G0", "C0")
    assert table.choices(0) == [WHITE, RED, BLUE]
    assert table.view(0).dump_colours == (WHITE,), "those of which one has a die"
    table.answer({0: BLUE})
    assert table.of("dumped") == [(0, BLUE, 0)]


def test_g23_who_has_none_left_to_place_may_name_any_and_is_shown_all_three() -> None:
    table = heads_up_effects(seat_rolls="C/F/", stash=(1, 1, 0)).bid("C2 F1", "")
    table.answer({0: ((1, 1, 0), (1, 1, 0))})
    assert table.asked == [(0, "dump")]
    assert table.view(0).spare == (0, 0, 0)
    assert table.view(0).dump_colours == (WHITE, RED, BLUE)


def held(stash: Any, roll: str) -> Table:
    return Table(
        3,
        rolls=[roll, TWO_EACH, TWO_EACH],
        stashes=[stash, (2, 2, 2), (2, 2, 2)],
        control={INVESTIGATOR: 1},
        investigator_colour="held",
    ).bid("F2", "C0", "G0")


def test_g23_held_asks_for_a_colour_of_which_one_has_an_unlocked_die() -> None:
    table = held((2, 0, 1), "FF//F")
    assert table.choices(0) == [WHITE, BLUE]
    assert table.view(0).dump_colours == (WHITE, BLUE)
    with pytest.raises(IllegalDecision):
        GAME.check(table.state, 0, RED)


def test_g23_held_does_not_ask_for_the_only_colour() -> None:
    table = held((2, 0, 0), "FF//")
    assert table.of("dumped") == [(0, WHITE, 2)]
    assert table.of("emptied") == [((0,),)]


def test_g23_held_with_no_unlocked_die_places_nothing_unasked() -> None:
    table = heads_up_effects(seat_rolls="C/F/", stash=(1, 1, 0), investigator_colour="held").bid("C2 F1", "")
    table.answer({0: ((1, 1, 0), (1, 1, 0))})
    assert table.of("dumped") == [(0, None, 0)]


def test_an_exchange_of_nothing_is_legal() -> None:
    table = heads_up_effects(seat_rolls="CC/CC/CC").bid("C2", "")
    table.answer({0: NOTHING})
    assert table.of("exchanged") == [(0, *NOTHING)]
