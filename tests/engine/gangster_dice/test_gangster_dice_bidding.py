"""Setup, rolls, bids and scores (rulings G1 to G14, G33 to G36)."""

from collections import Counter
from typing import Any

import pytest
from tests.engine.gangster_dice.table import ChosenChance, Table, dice_in_play, random_game
from tests.engine.gangster_dice.tokens import INVESTIGATOR, LAWYER, SPEAKEASY, STREETS

from gangland.chance import SeededChance
from gangland.faults import IllegalDecision
from gangland.gangster_dice.cards import DECK, DIE_FACES, Token
from gangland.gangster_dice.rounds import shown_faces
from gangland.gangster_dice.rules import GAME
from gangland.gangster_dice.views import ScoredBid

ALL_SYMBOLS = "GC/UU/FF"


@pytest.mark.parametrize(("seats", "required"), [(2, 2), (3, 1), (4, 1)])
def test_g1_two_players_always_play_heads_up(seats: int, required: int) -> None:
    assert Table(seats, rolls=[ALL_SYMBOLS]).view(0).bids_required == required


@pytest.mark.parametrize(("seats", "dice"), [(2, 15), (3, 21), (4, 27)])
def test_g2_dice_of_absent_players_are_out_of_the_game(seats: int, dice: int) -> None:
    state, _ = GAME.start(seats, GAME.options({}), SeededChance(bytes(32)))
    assert dice_in_play(state) == dice
    assert state.stashes == ((2, 2, 2),) * seats
    assert state.dice[SPEAKEASY] == (1, 1, 1)


def test_g4_all_rolls_are_public_before_anyone_bids() -> None:
    table = Table(3, rolls=["GG/UU/CC", "FF/FF/FF", ALL_SYMBOLS])
    assert all(kind == "bids" for _, kind in table.asked)
    assert table.view(1).players[0].faces == ((0, 0), (2, 2), (1, 1))
    assert table.view(1).players[2].symbols == (1, 1, 2, 2)


def test_g5_hands_of_others_but_for_plus_fours_and_the_order_of_the_deck_are_hidden() -> None:
    table = Table(3, hands=[(0, 1, 4), (0, 1, 4), (2, 2, 2)])
    state = table.state
    hidden = state._replace(hands=((0, 1, 4), (3, 3, 4), (0, 0, 1)), deck=tuple(reversed(state.deck)))
    assert GAME.observe(state, 0) == GAME.observe(hidden, 0)
    assert table.view(0).players[1].specials == 1
    assert table.view(0).players[2].specials == 0


@pytest.mark.parametrize("answer", [None, [], [[LAWYER, 3]], [[SPEAKEASY, 0]], [[STREETS, 0]]])
def test_g6_a_bid_needs_a_symbol_that_shows_and_a_favor_of_the_hand_and_no_seat_passes(answer: object) -> None:
    table = Table(3, rolls=["GG/FF/FF"], hands=[(0, 1, 2)] * 3)
    with pytest.raises(IllegalDecision, match="is not legal"):
        GAME.check(table.state, 0, answer)
    assert GAME.check(table.state, 0, [[LAWYER, 2]]) == ((LAWYER, 2),)


def test_g7_whoever_is_asked_to_bid_has_dice_and_a_legal_bid() -> None:
    for seats in (2, 3, 4):
        for state, _ in random_game(seats, seed=seats):
            if state.questions and state.questions[0].kind == "bids":
                assert all(sum(stash) > 0 for stash in state.stashes)
                shown = zip(state.opening.symbols, state.stashes, strict=True)
                assert all(sum(symbols) == sum(stash) for symbols, stash in shown)


def test_g8_heads_up_the_two_bids_are_on_different_symbols() -> None:
    table = Table(2, rolls=[ALL_SYMBOLS])
    with pytest.raises(IllegalDecision):
        GAME.check(table.state, 0, [[STREETS, 0], [STREETS, 1]])
    assert all(len({token for token, _ in choice}) == 2 for choice in table.choices(0))
    assert table.choices(0) == sorted(table.choices(0), key=lambda pair: tuple(zip(*pair, strict=True)))


def test_g9_heads_up_there_are_two_bids_with_two_cards() -> None:
    table = Table(2, rolls=[ALL_SYMBOLS], hands=[(1, 1, 3), (0, 0, 0)])
    with pytest.raises(IllegalDecision):
        GAME.check(table.state, 0, [[STREETS, 1]])
    with pytest.raises(IllegalDecision):
        GAME.check(table.state, 0, [[LAWYER, 3], [STREETS, 3]])
    assert GAME.check(table.state, 0, [[STREETS, 1], [LAWYER, 1]]) == ((LAWYER, 1), (STREETS, 1))


def test_g9_heads_up_with_one_symbol_there_is_one_bid_and_one_favor() -> None:
    table = Table(2, rolls=["GG/UU/CC", "FF/FF/FF"])
    assert table.view(1).bids_required == 1
    assert table.choices(1) == [((INVESTIGATOR, 0),), ((INVESTIGATOR, 1),), ((INVESTIGATOR, 2),)]
    table.bid("G0 U1", "F2")
    assert [len(hand) for hand in table.state.hands] == [3, 3]
    assert table.of("revealed") == [(0, ((0, 0, 2), (2, 1, 3))), (1, ((3, 2, 8),))]


def test_g10_heads_up_each_bid_counts_its_own_symbol_and_favor_and_the_bonus_is_on_both() -> None:
    table = Table(2, rolls=["GG/UU/CF", ALL_SYMBOLS], control={STREETS: 0}, dice={STREETS: (1, 1, 0)})
    table.bid("G0 F2", "G0 C1")
    assert table.of("revealed")[0] == (0, ((LAWYER, 0, 2 + 0 + 2), (INVESTIGATOR, 2, 1 + 2 + 2)))


def test_g11_heads_up_two_favors_are_drawn_back_up_to_the_hand_size() -> None:
    table = Table(2, rolls=[ALL_SYMBOLS, ALL_SYMBOLS], hands=[(0, 1, 2), (0, 1, 2)], deck=[3, 3, 1, 1])
    table.bid("G0 U1", "G0 F1")
    assert table.of("drew") == [(0, (3, 3)), (1, (1, 1))]
    assert table.state.hands == ((2, 3, 3), (1, 1, 2))


def test_g12_the_streets_bonus_is_on_a_bid_for_the_streets_too() -> None:
    table = Table(3, rolls=["GG/UU/CF"], control={STREETS: 0}, dice={STREETS: (0, 0, 3)})
    assert table.view(0).strength(STREETS) == 5
    table.bid("U1", "F0", "F0")
    assert table.of("revealed")[0] == (0, ((STREETS, 1, 6),))


def test_g13_the_streets_bonus_and_ties_at_a_change_of_control_go_by_the_start_of_the_round() -> None:
    rolls = ["GU/UU/UU", "GG/GG/UF", "UU/UU/UU"]
    table = Table(3, rolls=rolls, control={STREETS: 1}, dice={STREETS: (2, 0, 0)}, hands=[(0, 1, 2)] * 3)
    table.bid("U2", "G0", "U2")
    assert table.of("revealed")[1] == (1, ((LAWYER, 0, 6),))
    assert table.of("won") == [(LAWYER, 1, 6, ()), (STREETS, 2, 8, ())]
    assert table.state.control[STREETS] == 2
    tied = Table(3, rolls=["GG/GG/FF", "GG/GG/FF", "UU/UU/UU"], control={STREETS: 1})
    tied.bid("G0", "G0", "U0")
    assert tied.of("won") == [(LAWYER, 1, 4, (0,)), (STREETS, 2, 6, ())]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_g13_strength_and_streets_bonus_stay_what_they_were_while_later_stages_are_asked(seats: int) -> None:
    moved, grown = 0, 0
    for seed in range(30):
        before: list[tuple[list[int], int]] = []
        since = 0
        for state, _ in random_game(seats, seed, characters="dealt"):
            if not state.questions:
                continue
            views = [GAME.observe(state, seat) for seat in range(seats)]
            now = [([view.strength(token) for token in Token], view.streets_bonus) for view in views]
            if state.questions[0].kind == "bids":
                before, since = now, state.opening.round
            elif state.public.bids and since == state.opening.round:
                assert now == before, state.questions
                moved += state.control != state.opening.control
                grown += sum(state.dice[STREETS]) != state.opening.bonus
    assert min(moved, grown) > 10, "tokens changed hands and dice came to the Streets before somebody was asked"


def test_g14_the_streets_controller_wins_a_tie_in_which_it_is() -> None:
    table = Table(3, rolls=["GG/GF/FF"] * 3, control={STREETS: 2})
    table.bid("G0", "G0", "G0")
    assert table.of("won") == [(LAWYER, 2, 3, (0, 1))]
    assert table.state.control[LAWYER] == 2


def test_g14_any_other_tie_is_nobodys() -> None:
    table = Table(3, rolls=["GG/GF/FF"] * 3, control={STREETS: 2, LAWYER: 2})
    table.bid("G1", "G1", "G0")
    assert table.of("tied") == [(LAWYER, (0, 1), 4)]
    assert table.of("won") == []
    assert table.state.control[LAWYER] == 2


def test_a_token_that_nobody_bids_on_is_not_influenced() -> None:
    table = Table(3, rolls=["GG/GF/FF"] * 3)
    table.bid("G2", "G1", "G0")
    assert table.of("won") == [(LAWYER, 0, 5, ())]
    assert table.state.control == (0, None, None, None)


def test_g35_no_bid_scores_less_than_one() -> None:
    for seats in (2, 4):
        for _, events in random_game(seats, seed=35 + seats):
            revealed = [bid for event in events if event[0] == "revealed" for bid in event[2]]
            assert all(score >= 1 for _, _, score in revealed)


def test_g36_left_is_the_next_seat_and_after_the_last_comes_the_first() -> None:
    table = Table(3)
    table.bid("F0", "F0", "F2")
    assert table.of("moved") == [(None, 0)]


def test_g3_g39_a_die_has_two_fingers_its_doubled_symbol_twice_and_the_others_in_token_order() -> None:
    assert DIE_FACES == ((3, 3, 0, 0, 1, 2), (3, 3, 2, 2, 0, 1), (3, 3, 1, 1, 0, 2))


def test_g39_positions_run_over_the_stash_in_colour_order_and_each_seat_rolls_once() -> None:
    table = Table(3, rolls=["G/UU/C", None, None], stashes=[(1, 2, 1), (2, 2, 2), (0, 3, 0)], round=7)
    assert table.chance.thrown[-3:] == [(7, 0, 1, 4), (7, 1, 1, 6), (7, 2, 1, 3)]
    assert shown_faces(table.state.opening.faces)[0] == ((LAWYER,), (STREETS, STREETS), (SPEAKEASY,))


def test_g39_setup_deals_seat_after_seat_off_the_front_of_the_first_shuffle() -> None:
    chance = ChosenChance([3, 3, 3, 0, 2, 0, 1, 1, 0])
    state, events = GAME.start(3, GAME.options({}), chance)
    assert chance.shuffled == [("favors", 0, DECK)]
    assert state.hands == ((3, 3, 3), (0, 0, 2), (0, 1, 1))
    assert events[:3] == (("dealt", 0, (3, 3, 3)), ("dealt", 1, (0, 0, 2)), ("dealt", 2, (0, 1, 1)))
    assert len(state.deck) == 36 - 9


def test_the_deck_has_36_favors_and_the_stack_six_plus_fours() -> None:
    assert Counter(DECK) == {0: 6, 1: 12, 2: 12, 3: 6}
    assert Table(3).view(0).specials == 6


def test_the_reveal_shows_every_bid_and_score() -> None:
    table = Table(3, rolls=["GG/UU/CF", "GF/UU/CF", None], control={SPEAKEASY: 0})
    table.roll("GG/UU/CF", None, None)
    table.bid("C2", "U0", "F1")
    assert table.asked == [(0, "exchange")]
    assert table.view(0).bids == ((ScoredBid(1, 2, 3),), (ScoredBid(2, 0, 2),), (ScoredBid(3, 1, 7),))  # type: ignore[arg-type]
    assert [token.winner for token in table.view(0).tokens] == [None, 0, 1, 2]


def test_a_bid_of_enumerated_values_becomes_plain_numbers() -> None:
    decision: Any = GAME.check(Table(2, rolls=["GG/UU/FF"]).state, 0, [(Token.STREETS, 1), (Token.LAWYER, 2)])
    assert decision == ((LAWYER, 2), (STREETS, 1))
    assert {type(number) for bid in decision for number in bid} == {int}


def test_a_message_names_dice_and_hand() -> None:
    table = Table(2, rolls=["GG/UF/FF"], hands=[(0, 2, 4), (0, 1, 2)])
    assert GAME.legal(table.state, 0) == (
        "Your dice show 2 gavel (Lawyer = 0), 1 gun (Streets = 2), 3 finger (Investigator = 3); "
        "your favors are [0, 2, 4]. Allowed: a list of 2 bids on different tokens, each a pair (token, favor), "
        "on a token that shows, with a favor of your hand."
    )
    assert "Allowed: a list of one bid, a pair" in GAME.legal(Table(3).state, 0)
