"""The draw, the Investigator's die, and decisions that are not asked (rulings G24 to G29, G40, G41)."""

import pytest
from tests.contract.run import Remembering
from tests.engine.gangster_dice.table import TWO_EACH, Table, random_game, states
from tests.engine.gangster_dice.tokens import BLUE, INVESTIGATOR, LAWYER, RED, SPEAKEASY, STREETS, WHITE

from gangland.chance import SeededChance
from gangland.faults import IllegalDecision
from gangland.gangster_dice import legality, rules

WEAK = [(1, 0, 0), (2, 2, 2), (2, 2, 2)]  # seat 0 wins nothing by its one finger, and the others tie


def test_g24_the_holder_after_this_rounds_move_takes_a_die() -> None:
    table = Table(3, control={INVESTIGATOR: 0}, dice={INVESTIGATOR: (0, 0, 1)}).bid("F2", "F0", "F1")
    assert table.of("received") == [(1, BLUE)]


def test_g24_dice_placed_this_round_count() -> None:
    table = Table(3, control={INVESTIGATOR: 1}).bid("F2", "F0", "F1")
    table.answer({0: WHITE})
    assert table.of("received") == [(1, WHITE)]


def test_g24_held_by_nobody_or_empty_it_gives_no_die() -> None:
    assert Table(3, control={INVESTIGATOR: 1}).bid("F0", "F0", "F0").of("received") == []
    assert Table(3, rolls=[TWO_EACH] * 3).bid("G0", "G0", "G0").of("received") == []


def test_g25_the_holder_chooses_a_colour_that_lies_on_it_after_the_draws() -> None:
    table = Table(3, control={INVESTIGATOR: 2}, dice={INVESTIGATOR: (1, 0, 3)}).bid("F0", "F0", "F0")
    assert table.asked == [(2, "take")]
    assert len(table.view(2).hand) == 3
    assert table.choices(2) == [WHITE, BLUE]
    assert table.view(2).take_colours == (WHITE, BLUE)
    for refused in (RED, None, 3, -1, True, "white", [WHITE], 0.0):
        with pytest.raises(IllegalDecision, match=r"1 white, 0 red, 3 blue. Allowed: 0 \(white\), 2 \(blue\)"):
            rules.GAME.check(table.state, 2, refused)
    table.answer({2: BLUE})
    assert table.of("received") == [(2, BLUE)]
    assert table.state.stashes[2] == (2, 2, 3)
    assert table.state.dice[INVESTIGATOR] == (1, 0, 2)


def test_g17_the_die_that_comes_from_the_investigator_is_locked_too() -> None:
    table = Table(3, control={INVESTIGATOR: 2}, dice={INVESTIGATOR: (0, 2, 0)}, round=100).bid("F0", "F0", "F0")
    assert table.view(2).locked == (0, 1, 0)
    assert table.view(1).locked == (0, 0, 0)


def test_g26_the_lawyers_protection_goes_by_control_after_this_rounds_moves_and_declining_is_optional() -> None:
    for answer, event in ((None, "declined"), (WHITE, "received")):
        table = Table(
            3,
            rolls=[TWO_EACH, TWO_EACH, TWO_EACH],
            control={INVESTIGATOR: 0, LAWYER: 1},
            dice={INVESTIGATOR: (1, 0, 0)},
        ).bid("G2", "U0", "U0")
        assert table.state.control[LAWYER] == 0
        assert table.view(0).protected
        assert table.choices(0) == [None, WHITE]
        table.answer({0: answer})
        assert len(table.of(event)) == 1


def test_g26_who_lost_the_lawyer_this_round_is_not_protected() -> None:
    table = Table(3, rolls=[TWO_EACH] * 3, control={INVESTIGATOR: 0, LAWYER: 0}, dice={INVESTIGATOR: (1, 1, 0)}).bid(
        "U0", "G2", "U0"
    )
    assert table.choices(0) == [WHITE, RED]
    assert not table.view(0).protected


def test_g27_winning_the_lawyer_again_draws_the_plus_four_first() -> None:
    table = Table(3, rolls=[TWO_EACH], control={LAWYER: 0}, deck=[3, 3, 3, 3, 3]).bid("G2", "F0", "F0")
    assert table.of("special") == [(0,)]
    assert table.of("drew") == [(0, (4,)), (1, (3,)), (2, (3,))]
    assert table.state.hands[0] == (0, 1, 4)
    assert table.state.public.specials == 5


def test_g27_heads_up_the_other_draw_is_normal() -> None:
    table = Table(2, rolls=[TWO_EACH, "FF/FF/FF"], control={LAWYER: 0}, deck=[3, 2, 3]).bid("G2 U0", "F0")
    assert table.of("drew") == [(0, (4, 3)), (1, (2,))]


def test_g27_with_an_empty_plus_four_stack_it_is_a_normal_draw() -> None:
    table = Table(3, rolls=[TWO_EACH], control={LAWYER: 0}, deck=[3, 3, 3], specials=0).bid("G2", "F0", "F0")
    assert table.of("special") == []
    assert table.of("drew")[0] == (0, (3,))


def test_g28_a_spent_plus_four_goes_back_to_its_stack_before_the_draws() -> None:
    hands = [(0, 1, 4), (0, 1, 2), (0, 1, 4)]
    table = Table(3, rolls=[TWO_EACH], control={LAWYER: 0}, hands=hands, specials=0).bid("G4", "F0", "F0")
    assert table.of("special") == [(0,)]
    assert table.state.public.specials == 0
    assert table.state.hands[0] == (0, 1, 4)
    assert table.state.public.discards == (2, 0, 0, 0)


def test_g28_out_removes_a_spent_plus_four_from_the_game() -> None:
    hands = [(0, 1, 4), (0, 1, 2), (0, 1, 4)]
    table = Table(3, rolls=[TWO_EACH], hands=hands, specials=0, spent_favor="out").bid("G4", "F0", "F0")
    assert table.state.public.specials == 0
    assert table.state.public.discards == (2, 0, 0, 0)


def test_g28_discards_puts_a_spent_plus_four_with_the_other_favors_and_so_into_the_deck() -> None:
    hands = [(0, 1, 4), (0, 1, 2), (0, 1, 4)]
    table = Table(3, stashes=WEAK, hands=hands, discards=(0,) * 5, specials=0, spent_favor="discards")
    table.bid("F4", "F0", "F0")
    assert (table.state.public.specials, table.state.public.discards) == (0, (2, 0, 0, 0, 1))
    assert table.view(1).discards == (2, 0, 0, 0, 1)
    table.state = table.state._replace(deck=())
    table.bid("F1", "F1", "F1")
    assert table.chance.shuffled[-1] == ("favors", 1, (0, 0, 1, 1, 1, 4))


def test_g42_a_plus_four_that_came_from_the_deck_is_as_hidden_as_any_other_favor() -> None:
    hands = [(0, 1, 4), (0, 1, 2), (0, 1, 2)]
    deck = [4, *[3] * 30]
    table = Table(3, stashes=WEAK, hands=hands, deck=deck, discards=(0,) * 5, specials=5, spent_favor="discards")
    found = []
    for favors in ((0, 0, 0), (4, 1, 1), (4, 2, 2)):
        table.bid(*(f"F{favor}" for favor in favors))
        found.append(([player.specials for player in table.view(1).players], table.state.hands[0].count(4)))
    assert found[0] == ([1, 0, 0], 2), "the one that was won in public"
    assert found[1] == ([0, 0, 0], 1), "others take the one that was played for it"
    assert found[2] == ([0, 0, 0], 0)
    assert table.state.rare.unseen_specials == (0, 0, 0)


def test_g29_reshuffle_when_the_deck_is_empty_the_discards_are_the_new_one() -> None:
    table = Table(3, deck=[3, 2], discards=(1, 2, 0, 1)).bid("F0", "F1", "F2")
    assert table.chance.shuffled[-1] == ("favors", 1, (0, 0, 1, 1, 1, 2, 3))
    assert table.of("reshuffled") == [(7,)]
    assert table.of("drew") == [(0, (3,)), (1, (2,)), (2, (0,))]
    assert table.state.public.discards == (0, 0, 0, 0)
    assert len(table.state.deck) == 6


def test_g39_each_shuffle_of_the_favors_has_a_number_of_its_own() -> None:
    table = Table(3, deck=[3], discards=(0, 0, 0, 0)).bid("F0", "F1", "F2")
    assert table.of("reshuffled") == [(3,)]
    table.bid("F1", "F0", "F1")
    assert [number for _, number, _ in table.chance.shuffled] == [0, 1, 2]


def test_g39_a_game_begins_with_round_1_and_its_first_reshuffle_is_number_1() -> None:
    chance = Remembering(SeededChance(bytes(32)))
    game = random_game(4, seed=1, chance=chance)
    state, events = next(game)
    assert state.opening.round == 1
    assert ("round", 1) in events
    for _ in game:
        pass
    assert [number for _, number in chance.shuffles][:3] == [0, 1, 2]


def test_g40_all_played_favors_are_discarded_before_the_first_draw() -> None:
    table = Table(3, deck=[], discards=(0, 0, 0, 0)).bid("F0", "F1", "F2")
    assert table.chance.shuffled[-1] == ("favors", 1, (0, 1, 2))
    assert table.of("drew") == [(0, (0,)), (1, (1,)), (2, (2,))]


def test_g40_the_discards_are_not_shuffled_before_a_card_is_needed() -> None:
    table = Table(3, deck=[3, 3, 3], discards=(1, 1, 1, 1)).bid("F0", "F1", "F2")
    assert table.of("reshuffled") == []
    assert table.state.deck == ()
    assert table.state.public.discards == (2, 2, 2, 1)


def test_g40_each_seat_finishes_drawing_before_the_next() -> None:
    table = Table(2, rolls=[TWO_EACH, TWO_EACH], deck=[0, 1, 2, 3]).bid("G0 U1", "G0 U1")
    assert table.of("drew") == [(0, (0, 1)), (1, (2, 3))]


def test_g41_a_bid_with_one_legal_answer_is_not_asked() -> None:
    table = Table(3, hands=[(1, 1, 1), (0, 1, 2), (0, 1, 2)])
    assert table.asked == [(1, "bids"), (2, "bids")]
    table.bid("", "F0", "F0")
    assert table.of("revealed")[0] == (0, ((INVESTIGATOR, 1, 7),))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_g41_a_seat_is_asked_to_bid_exactly_when_it_has_a_choice(seats: int) -> None:
    for state in states(seats, games=20):
        if state.questions and state.questions[0].kind == "bids":
            requested = {question.seat for question in state.questions}
            for seat in range(seats):
                assert (len(legality.choices(state, seat, "bids")) > 1) == (seat in requested)


def test_g41_a_round_in_which_nobody_has_a_choice_plays_itself() -> None:
    table = Table(3, hands=[(1, 1, 1)] * 3, deck=[1, 1, 1, 0, 2, 3, 0, 2, 3], round=5)
    assert table.state.opening.round > 5


def test_g41_no_exchange_is_asked_where_nothing_lies_on_the_speakeasy() -> None:
    table = Table(3, rolls=[TWO_EACH], control={SPEAKEASY: 0}, dice={SPEAKEASY: (0, 0, 0)}).bid("C2", "F0", "F0")
    assert table.of("exchanged") == [(0, (0, 0, 0), (0, 0, 0))]
    assert {kind for _, kind in table.asked} == {"bids"}


def test_g41_only_die_of_the_investigator_is_taken_unasked() -> None:
    table = Table(3, control={INVESTIGATOR: 2}, dice={INVESTIGATOR: (0, 4, 0)}).bid("F0", "F0", "F0")
    assert table.of("received") == [(2, RED)]
    assert table.asked[0][1] == "bids"


def test_g41_answers_are_compared_as_multisets() -> None:
    table = Table(2, rolls=[TWO_EACH])
    assert rules.GAME.check(table.state, 0, [[STREETS, 0], [LAWYER, 2]]) == rules.GAME.check(
        table.state, 0, ((LAWYER, 2), (STREETS, 0))
    )
