"""Timmy draws pairs and is asked which favor he keeps (ruling G34)."""

from typing import Any

import pytest
from tests.engine.gangster_dice.table import LAWYER, TWO_EACH, ChosenChance, Table, favors_in_play

from gangland.faults import IllegalDecision
from gangland.gangster_dice.rules import GAME


def timmy(*bids: str, seat: int = 0, seats: int = 3, **more: Any) -> Table:
    """Timmy sits in a seat with a hand of 0 and 1; all bid, with 0s where nothing is said."""
    others = ["eddie", "bobby", "don"][: seats - 1]
    hands = [[0, 0, 1]] * seats
    hands[seat] = [0, 1]
    table = Table(seats, cast=[*others[:seat], "timmy", *others[seat:]], **{"hands": hands, **more})
    return table.bid(*(bids or ["F0"] * seats))


def heads_up_timmy(bid: str, deck: list[int], **more: Any) -> Table:
    """Timmy in seat 0 makes the bids; seat 1 has one bid and no choice."""
    more = {"rolls": [TWO_EACH, None], "hands": [(0, 1), (1, 1, 1)], "deck": deck, **more}
    return Table(2, cast=["timmy", "don"], **more).bid(bid, "")


def test_g34_timmy_draws_a_pair_and_keeps_the_one_that_he_chooses() -> None:
    for kept, other in ((3, 1), (1, 3)):
        table = timmy(deck=[3, 1, 2, 2, 0, 0])
        assert table.asked == [(0, "keep")]
        assert table.view(0).pair == (1, 3)
        assert table.choices(0) == [1, 3]
        table.answer({0: kept})
        assert table.state.hands[0] == tuple(sorted((1, kept)))
        assert table.of("passed") == [(0, other)]
        assert table.of("drew") == [(0, (kept,)), (1, (2,)), (2, (2,))]
        assert table.state.public.discards[other] == 1
        assert table.view(0).pair == ()


def test_g34_timmy_keeps_one_of_the_two_and_no_other() -> None:
    table = timmy(deck=[3, 1, 2, 2, 0, 0])
    for refused in (None, 2, 0, 4, True, (1,), [1, 3], "1", 1.0):
        with pytest.raises(IllegalDecision, match=r"You drew the favors \[1, 3\] and keep one. Allowed: 1, 3\."):
            GAME.check(table.state, 0, refused)
    assert GAME.check(table.state, 0, 3) == 3


@pytest.mark.parametrize("pair", [(0, 1), (3, 0), (2, 3)])
def test_g38_timmys_default_is_the_higher_favor(pair: tuple[int, int]) -> None:
    assert GAME.default(timmy(deck=[*pair, 2, 2]).state, 0) == max(pair)


def test_g34_timmys_cards_are_drawn_at_his_place_in_the_order() -> None:
    table = timmy(seat=1, deck=[3, 1, 0, 2, 2])
    assert table.of("drew") == [(0, (3,))]
    assert table.asked == [(1, "keep")]
    assert table.view(1).pair == (0, 1)
    assert table.answer({1: 1}).of("drew") == [(0, (3,)), (1, (1,)), (2, (2,))]
    assert len(table.state.deck) == 1


def test_g34_timmy_is_not_dealt_pairs_at_setup() -> None:
    chance = ChosenChance([3, 0, 1, 1, 2])
    state, events = GAME.start(2, GAME.options({"characters": "chosen", "cast": ["timmy", "don"]}), chance)
    assert state.hands == ((0, 3), (1, 1, 2))
    assert {event[0] for event in events} == {"seated", "dealt", "round", "rolled"}


def test_g41_timmy_is_not_asked_about_an_equal_pair() -> None:
    table = timmy(deck=[2, 2, 3, 1])
    assert {kind for _, kind in table.asked} == {"bids"}
    assert table.of("paired") == [(0, (2, 2))]
    assert table.of("passed") == [(0, 2)]
    assert table.state.hands[0] == (1, 2)
    assert table.state.public.discards == (3, 0, 1, 0)


def test_g5_timmys_pair_is_hidden_until_one_is_discarded_and_then_the_other_still_is() -> None:
    table, other = timmy(deck=[3, 1, 2, 2, 0]), timmy(deck=[2, 0, 2, 2, 0])
    for seat in (1, 2):
        assert table.view(seat).wire == other.view(seat).wire
        assert table.view(seat).pair == ()
    table.answer({0: 1})
    other = timmy(deck=[3, 2, 2, 2, 0]).answer({0: 2})
    for seat in (1, 2):
        assert table.view(seat).wire == other.view(seat).wire
        assert [each for each in table.view(seat).events if type(each).__name__ == "Passed"] == [(0, 3)]


def test_g34_timmys_unkept_card_joins_the_discards_after_all_draws() -> None:
    table = timmy(deck=[3, 1], discards=(0, 0, 1, 0))
    assert table.state.public.discards == (3, 0, 1, 0)
    table.answer({0: 1})
    assert table.chance.shuffled[-1] == ("favors", 1, (0, 0, 0, 2))
    assert table.state.public.discards == (0, 0, 0, 1)
    assert len(table.state.deck) == 2


def test_g34_the_discards_are_shuffled_in_the_middle_of_timmys_pair() -> None:
    table = timmy(deck=[3], discards=(0, 1, 0, 0))
    assert table.chance.shuffled[-1] == ("favors", 1, (0, 0, 0, 1))
    assert table.view(0).pair == (0, 3)
    assert table.of("reshuffled") == [(4,)]
    assert favors_in_play(table.state) == 1 + 1 + 6 + 8


def test_g34_timmys_plus_four_is_no_pair() -> None:
    rolls, control = [TWO_EACH, None, None], {LAWYER: 0}
    table = timmy("G0", "F0", "F0", rolls=rolls, control=control, deck=[3, 1, 2])
    assert table.of("drew")[0] == (0, (4,))
    assert table.of("paired") == []
    empty = timmy("G0", "F0", "F0", rolls=rolls, control=control, deck=[3, 1, 2, 2], specials=0)
    assert empty.asked == [(0, "keep")]


def test_g34_timmy_heads_up_takes_the_plus_four_first_and_then_a_pair() -> None:
    table = heads_up_timmy("G0 U1", [3, 1, 2, 2], control={LAWYER: 0})
    assert [event[0] for event in table.events[-2:]] == ["special", "paired"]
    assert table.asked == [(0, "keep")]
    assert table.answer({0: 1}).of("drew") == [(0, (4, 1)), (1, (2,))]
    assert table.state.hands[0] == (1, 4)
    assert table.of("paired") == [(0, (1, 3))]


def test_g34_timmy_heads_up_decides_on_the_first_pair_before_he_sees_the_second() -> None:
    table, other = heads_up_timmy("C0 U1", [3, 1, 2, 0, 0]), heads_up_timmy("C0 U1", [3, 1, 1, 2, 0])
    assert table.view(0).wire == other.view(0).wire
    assert len(table.state.deck) == 3
    table.answer({0: 3})
    assert table.asked == [(0, "keep")]
    assert table.view(0).pair == (0, 2)
    table.answer({0: 0})
    assert table.of("passed") == [(0, 1), (0, 2)]
    assert table.of("drew") == [(0, (3, 0)), (1, (0,))]
    assert table.state.hands[0] == (0, 3)
    assert table.state.public.discards == (1, 3, 1, 0)


def test_g34_timmy_heads_up_draws_one_pair_for_one_bid() -> None:
    table = heads_up_timmy("F0", [3, 1, 2, 2], rolls=[None, None])
    assert table.answer({0: 3}).of("paired") == [(0, (1, 3))]
    assert table.of("drew") == [(0, (3,)), (1, (2,))]


def test_g41_timmy_heads_up_is_asked_about_the_pair_that_differs_alone() -> None:
    first = heads_up_timmy("C0 U1", [2, 2, 3, 1, 0])
    assert first.view(0).pair == (1, 3)
    assert first.answer({0: 3}).of("drew") == [(0, (2, 3)), (1, (0,))]
    second = heads_up_timmy("C0 U1", [3, 1, 2, 2, 0]).answer({0: 1})
    assert second.of("drew") == [(0, (1, 2)), (1, (0,))]


def test_g34_timmy_knows_at_his_second_pair_what_he_kept_of_the_first() -> None:
    table = heads_up_timmy("C0 U1", [3, 1, 2, 0, 0]).answer({0: 3})
    assert table.view(0).hand == (3,)
    assert table.view(1).players[0].hand_size == 1
    lawyer = heads_up_timmy("G0 U1", [3, 1, 2, 2], control={LAWYER: 0})
    assert lawyer.view(0).hand == (4,)
    assert lawyer.view(1).players[0].specials == 1
