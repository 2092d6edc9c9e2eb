"""A turn: cards, order, stakes, rolls and rerolls (rulings D1 to D12, D32)."""

from typing import Any

import pytest
from tests.engine.gang_of_dice.table import Table

from gangland.chance import SeededChance
from gangland.faults import IllegalDecision
from gangland.gang_of_dice import counts, warnings
from gangland.gang_of_dice.rules import FACE_OF_RAW, GAME
from gangland.gang_of_dice.state import turns_wire


def test_d1_twelve_cards_are_drawn_without_replacement_and_the_rounds_card_is_up_before_the_choice() -> None:
    table = Table(cards="Y3 B2")
    assert table.chance.shuffled == [("warnings", 0, tuple(range(24)))]
    assert len(set(table.state.round.deck)) == 12
    assert table.asked == (0, "dice")
    assert table.view().card.id == "Y3"
    assert table.events_of("round") == [("round", 1, "Y3", (0, 1), 0, 0)]


def test_d1_the_cards_come_off_the_front_in_order() -> None:
    table = Table(cards="B1 B2 B3")
    for name in ("B1", "B2", "B3"):
        assert table.view().card.id == name
        table.turns("1", "2")
    last, _ = GAME.rollout(table.state, [lambda *_: 0] * 2, SeededChance(bytes(32)))  # both always choose the first
    assert GAME.outcome(last) is not None


def test_box18_plays_nine_bright_cards_and_then_three_dark_ones() -> None:
    table = Table(deck="box18")
    bright, dark = warnings.DECKS["box18"]
    assert table.chance.shuffled == [("warnings", 0, bright.cards), ("warnings", 1, dark.cards)]
    assert table.state.round.deck == bright.cards[:9] + dark.cards[:3]


@pytest.mark.parametrize("first", range(4))
def test_d2_the_first_player_of_round_1_is_drawn(first: int) -> None:
    table = Table(seats=4, first=first)
    assert table.chance.drawn == [("first player", 4)]
    assert table.asked == (first, "dice")


def test_d3_the_next_seat_clockwise_begins_the_next_round() -> None:
    table = Table(seats=3, first=2)
    for first in (2, 0, 1, 2):
        assert table.state.round.order[0] == first
        for _ in range(3):
            table.turn("1")


@pytest.mark.parametrize(
    ("given", "pools", "throws", "order"),
    [
        ({"cards": "Y7"}, (2, 48, 48), ("12", "2", "3"), (1, 2)),
        ({"cards": "Y7"}, (48, 2, 48), ("2", "12", "3"), (2, 0)),
        ({"first_player": "winner"}, (48, 48, 48), ("1", "2", "5"), (2, 0, 1)),
        ({"first_player": "winner", "cards": "Y7", "first": 1}, None, ("1", "1", "1"), (2, 0, 1)),
    ],
    ids=["the next after one eliminated", "one eliminated is passed over", "the winner", "the next if all were bust"],
)
def test_d3_who_begins_after_an_elimination_or_by_option(
    given: dict[str, Any], pools: tuple[int, ...] | None, throws: tuple[str, ...], order: tuple[int, ...]
) -> None:
    table = Table(seats=3, **given)
    if pools:
        table.set(pools=pools)
    table.turns(*throws)
    assert table.state.round.order == order
    assert table.state.round.out == tuple(int(seat not in order) for seat in range(3))


def test_d4_turns_go_clockwise_one_whole_turn_each_and_later_seats_see_earlier_rolls() -> None:
    table = Table(seats=3, first=1)
    table.turn("22", ("2", "5"))
    assert table.asked == (2, "dice")
    found = table.view().turn_of(1)
    assert found is not None
    assert found.rolls == ((2, 2), (2, 5))
    table.turn("3")
    assert table.asked == (0, "dice")


def test_d5_every_seat_sees_all_pools() -> None:
    table = Table(seats=3)
    table.turn("111")
    assert [table.view(seat).pools for seat in range(3)] == [(45, 48, 48)] * 3


@pytest.mark.parametrize(("seats", "pool"), [(2, 48), (3, 48), (4, 36)])
def test_d6_one_die_to_the_whole_pool_may_be_rolled(seats: int, pool: int) -> None:
    table = Table(seats=seats)
    assert list(GAME.choices(table.state, 0)) == list(range(1, pool + 1))
    for refused in (0, -1, pool + 1):
        with pytest.raises(IllegalDecision, match=f"1 to {pool}"):
            GAME.check(table.state, 0, refused)
    table.decide(pool, "0" * pool)
    assert table.state.pools[0] == 0


def test_d7_a_reroll_names_faces_that_show() -> None:
    table = Table()
    table.decide(4, "2520")
    assert GAME.check(table.state, 0, [5, 2, 2]) == (2, 2, 5)
    for refused in ([2, 2, 2], [1], [0, 0], [3, 5]):
        with pytest.raises(IllegalDecision, match=r"\[5, 2, 2, gangster\]"):
            GAME.check(table.state, 0, refused)


def test_d8_kept_dice_may_be_rerolled_later_and_the_stake_never_changes() -> None:
    table = Table()
    table.decide(3, "125")
    table.decide([1], "4")
    assert table.view().dice == (2, 4, 5)
    table.decide([5, 4], "10")  # the 5 was kept before, the 4 is new
    assert turns_wire(table.state.turns) == ((0, ((1, 2, 5), (2, 4, 5), (0, 1, 2)), 3, False),)
    assert table.state.turns[0][1] == 3
    assert table.state.pools[0] == 45


def test_d8_after_two_rerolls_the_roll_is_final_and_told_with_how_the_turn_ended() -> None:
    table = Table()
    table.turn("11", ("1", "1"), ("11", "12"))
    assert table.asked == (1, "dice")
    assert table.chance.thrown == [(1, 0, 1, 2), (1, 0, 2, 1), (1, 0, 3, 2)]
    assert table.events[-2:] == [("rolled", 0, 3, (1, 1), (1, 2), (1, 2)), ("stood", 0, 3)]


def test_d6_the_first_roll_is_told_with_nothing_rolled_again() -> None:
    table = Table()
    table.decide(2, "21")
    assert table.events[-1] == ("rolled", 0, 1, (), (2, 1), (1, 2))


@pytest.mark.parametrize("nothing", [[], ()])
def test_d9_to_reroll_nothing_stops(nothing: object) -> None:
    table = Table()
    table.decide(2, "34")
    table.decide(nothing)
    assert table.events_of("stood") == [("stood", 0, 7)]
    assert table.asked == (1, "dice")


def test_d10_no_dice_can_be_added_later() -> None:
    table = Table()
    table.decide(2, "34")
    assert table.asked == (0, "reroll")
    with pytest.raises(IllegalDecision):
        GAME.check(table.state, 0, 2)
    with pytest.raises(IllegalDecision):
        GAME.check(table.state, 0, [3, 4, 5])


def test_d11_yellow_is_checked_after_the_first_roll_and_ends_the_turn_at_once() -> None:
    table = Table(cards="Y4")
    table.decide(3, "113")
    assert table.asked == (1, "dice")
    assert table.events_of("busted") == [("busted", 0)]


def test_d11_yellow_is_checked_after_each_reroll_over_all_dice() -> None:
    table = Table(cards="Y4")
    table.decide(2, "12")
    table.decide([2], "2")
    assert table.asked == (0, "reroll")
    table.decide([2], "3")  # with the 1 that was kept
    assert table.events_of("busted") == [("busted", 0)]
    table.decide(2, "12")
    table.decide([2], "5")
    assert table.events_of("busted") == [("busted", 0), ("busted", 1)]


def test_d12_black_is_checked_on_the_final_dice_alone() -> None:
    table = Table(cards="B6")
    table.decide(2, "33")
    assert table.asked == (0, "reroll")  # triggering now, and not lost yet
    table.decide([3], "3")
    assert table.asked == (0, "reroll")
    table.decide([3], "4")
    assert table.events_of("stood") == [("stood", 0, 7)]
    table.turn("44")
    assert table.events_of("busted") == [("busted", 1)]


def test_d32_raw_faces_0_to_4_are_the_numbers_and_5_is_the_gangster() -> None:
    assert FACE_OF_RAW == (1, 2, 3, 4, 5, 0)


def test_d32_each_roll_draws_positions_from_zero_and_kept_dice_draw_nothing() -> None:
    seed = SeededChance(bytes(32))
    state, seat = Table(cards="B5", first=1).state, 1
    state, _ = GAME.resolve(state, {seat: 6}, seed)
    first = counts.dice_of(state.rolls[-1])
    assert first == tuple(sorted(FACE_OF_RAW[raw] for raw in seed.faces(1, seat, 1, 6)))
    state, _ = GAME.resolve(state, {seat: first[1:3]}, seed)
    drawn = tuple(FACE_OF_RAW[raw] for raw in seed.faces(1, seat, 2, 2))
    assert counts.dice_of(state.rolls[-1]) == tuple(sorted((first[0], *first[3:], *drawn)))


def test_d32_the_dice_of_a_seat_do_not_depend_on_what_others_chose() -> None:
    seed = SeededChance(bytes(range(32)))
    rolls = []
    for stake in (1, 30):
        state, _ = GAME.resolve(Table(cards="B5").state, {0: stake}, seed)
        state, _ = GAME.resolve(state, {0: ()}, seed)
        _, events = GAME.resolve(state, {1: 5}, seed)
        rolls.append(events[0])
    assert rolls[0] == rolls[1]


def test_g41_a_seat_with_one_die_is_not_asked_how_many_it_stakes() -> None:
    table = Table(seats=3, cards="B5").set(pools=(48, 1, 48))
    table.turn("3", then=["4"])
    assert table.asked == (1, "reroll")
    assert table.view().dice == (4,)
    assert table.state.pools == (47, 0, 48)


def test_g41_seats_with_one_die_that_bust_at_once_are_played_through_to_the_next_question() -> None:
    table = Table(seats=3, cards="Y7").set(pools=(5, 1, 1))
    table.turn("2", then=["1", "1"])
    assert [event[1] for event in table.events_of("busted")] == [1, 2]
    assert table.outcome() is not None


def test_d3_who_wins_a_round_with_a_total_of_0_begins_the_next_if_winners_begin() -> None:
    table = Table(seats=3, first_player="winner")
    table.turns("0", "0", "00")
    assert table.events_of("won")[0][1:3] == (2, 0)
    assert table.asked == (2, "dice")
