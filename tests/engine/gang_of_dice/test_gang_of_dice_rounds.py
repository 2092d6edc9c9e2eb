"""Who takes the table, what stays on it, who is out, and how a game ends (rulings D13 to D23, D29, D30)."""

import pytest
from tests.engine.gang_of_dice.table import Table, random_states

from gangland.game import EndReason, Outcome
from gangland.gang_of_dice.rules import GAME
from gangland.gang_of_dice.state import BONUS


def test_d13_a_busted_players_dice_go_to_the_winner() -> None:
    table = Table(cards="Y7")
    table.turns("1555", "2")
    assert table.state.pools == (44, 52)
    assert table.events_of("won") == [("won", 1, 2, 5, "")]


def test_d14_a_total_of_zero_is_valid_and_can_win() -> None:
    table = Table(cards="Y7")
    table.turns("00", "1")
    assert table.events_of("stood") == [("stood", 0, 0)]
    assert table.state.pools == (49, 47)


@pytest.mark.parametrize(
    ("cards", "first", "throws", "won"),
    [
        ("B5", 0, ("1111", "5"), (1, 5, 5, "")),
        ("B5", 0, ("5", "230"), (1, 5, 4, "dice")),
        ("B5", 1, ("1", "32", "41"), (2, 5, 5, "turn")),
        ("B5", 0, ("5", "320", "410", "50"), (1, 5, 9, "turn")),
        ("Y4", 0, ("112", "22"), (1, 4, 5, "")),
    ],
    ids=[
        "higher total over more dice", "more dice", "earlier turn", "earlier of those with most dice",
        "bust ties never",
    ],
)  # fmt: skip
def test_d15_the_higher_total_wins_then_more_dice_then_the_earlier_turn(
    cards: str, first: int, throws: tuple[str, ...], won: tuple[int, int, int, str]
) -> None:
    table = Table(seats=len(throws), cards=cards, first=first)
    table.turns(*throws)
    assert table.events_of("won") == [("won", *won)]


def test_d24_the_gangster_counts_as_a_die_for_the_stake_and_the_tie_break() -> None:
    table = Table()
    table.turns("32", "3200")
    result = table.view().last_round
    assert result is not None
    assert [turn.stake for turn in result.turns] == [2, 4]
    assert table.events_of("won") == [("won", 1, 5, 6, "dice")]


def test_d16_if_all_are_bust_the_whole_table_stays_bonus_dice_too_and_adds_up() -> None:
    table = Table(cards="Y7").set(round=10)
    table.turns("11", "1")
    assert table.events_of("all_bust") == [("all_bust", 6)]
    assert (table.state.round.carried, table.state.round.bonus) == (6, 6)
    assert table.state.pools == (46, 47)


def test_d16_carried_pots_add_up_over_rounds_and_go_to_the_next_winner() -> None:
    table = Table(cards="Y7 Y8 B5")
    table.turns("1", "1", "4", "54")
    assert table.state.round.carried == 5
    table.turns("11", "1")
    assert table.events_of("won") == [("won", 0, 2, 8, "")]
    assert table.state.round.carried == 0
    assert sum(table.state.pools) == 96


def test_d16_elimination_is_checked_after_a_round_without_a_winner() -> None:
    table = Table(seats=3, cards="Y7").set(pools=(2, 40, 40))
    table.turns("11", "1", "1")
    assert table.events_of("eliminated") == [("eliminated", (0,))]
    assert table.state.round.carried == 4


def test_d17_bonus_dice_come_in_rounds_10_11_and_12() -> None:
    table = Table(cards="B5").set(round=9, pools=(48, 48))
    for bonus in (0, 3, 6, 9):
        assert table.state.round.bonus == bonus
        assert table.view().bonus == bonus
        table.turns("5", "1")
    assert table.outcome() is not None
    assert sum(table.state.pools) == 96 + 18


def test_d17_bonus_dice_of_any_round_are_put_down_the_first_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BONUS, 1, 4)
    table = Table()
    assert table.events_of("round") == [("round", 1, "B5", (0, 1), 0, 4)]
    table.turns("1", "2")
    assert table.events_of("won") == [("won", 1, 2, 6, "")]


def test_d17_bonus_dice_lie_on_top_of_carried_ones_before_anyone_chooses() -> None:
    table = Table(cards="Y7").set(round=9)
    table.turns("1", "1")
    assert table.asked == (1, "dice")
    assert (table.view().carried, table.view().bonus, table.view().table) == (2, 3, 5)


def test_d18_if_all_are_bust_in_round_12_the_table_belongs_to_nobody() -> None:
    table = Table(cards="Y7").set(round=12, pools=(30, 20))
    table.turns("111", "1")
    assert table.outcome() == Outcome((1, 2), (0,), EndReason.COMPLETED)
    assert table.events_of("ended") == [("ended", (27, 19), 13)]


def test_d19_a_pool_of_zero_is_out_even_if_its_dice_lie_in_the_carried_pot() -> None:
    table = Table(seats=3, cards="Y7").set(pools=(3, 40, 40))
    table.turns("111", "1", "1")
    assert table.state.round.out == (1, 0, 0)
    table.turns("3", "2")
    assert table.state.pools == (0, 45, 38)


def test_d19_nobody_is_eliminated_in_mid_round() -> None:
    table = Table(seats=3).set(pools=(3, 40, 40))
    table.turn("111")
    assert table.state.pools[0] == 0
    assert table.view().eliminated == ()
    assert table.events_of("eliminated") == []


def test_d19_no_elimination_is_told_where_nobody_goes_out() -> None:
    table = Table(seats=3).set(pools=(30, 0, 40))  # seat 1 went out before
    table.turns("1", "5")
    assert table.events_of("eliminated") == []
    assert table.state.round.out == (0, 1, 0)


def test_d19_who_went_out_before_keeps_the_round_in_which_that_was() -> None:
    table = Table(seats=4).set(round=7, pools=(2, 0, 40, 40))
    table.turns("11", "5", "1")
    assert table.events_of("eliminated") == [("eliminated", (0,))]
    assert table.state.round.out == (7, 1, 0, 0)


def test_d20_an_all_in_player_remains_until_the_award_and_may_win() -> None:
    table = Table(seats=3).set(pools=(3, 40, 40))
    table.turns("555", "1", "1")
    assert table.state.pools == (5, 39, 39)
    assert table.state.round.out == (0, 0, 0)


def test_d20_a_player_with_no_dice_is_eliminated() -> None:
    table = Table(seats=3).set(pools=(3, 40, 40))
    table.turns("111", "5", "1")
    assert table.events_of("eliminated") == [("eliminated", (0,))]
    assert table.state.round.order == (1, 2)


def test_d21_one_player_left_wins_after_that_round() -> None:
    table = Table().set(pools=(2, 40))
    table.turn("11")
    assert table.outcome() is None
    table.turn("5")
    assert table.outcome() == Outcome((2, 1), (1,), EndReason.COMPLETED)
    assert table.asked is None


def test_d21_dice_on_the_table_then_belong_to_nobody() -> None:
    table = Table(cards="Y7").set(pools=(2, 40))
    table.turns("11", "1")
    assert table.outcome() == Outcome((2, 1), (1,), EndReason.COMPLETED)
    assert table.events_of("ended") == [("ended", (0, 39), 3)]


@pytest.mark.parametrize("round_number", [2, 7, 12])
def test_d22_the_last_players_who_go_out_together_win_jointly(round_number: int) -> None:
    table = Table(seats=3, cards="Y7").set(round=round_number, pools=(2, 3, 0))
    table.turns("11", "111")
    assert table.outcome() == Outcome((1, 1, 3), (0, 1), EndReason.COMPLETED)


def test_d23_the_most_dice_after_round_12_win_and_lower_places_go_by_pool() -> None:
    table = Table(seats=4).set(round=12, pools=(20, 50, 30, 20))
    table.turns("1", "2", "5", "1")
    assert table.state.pools == (19, 49, 42, 19)
    assert table.outcome() == Outcome((3, 1, 2, 3), (1,), EndReason.COMPLETED)


def test_d23_players_with_equally_many_dice_win_jointly() -> None:
    table = Table(seats=2).set(round=12, pools=(30, 41))
    table.turns("5", "1")
    assert table.state.pools == (40, 40)
    assert table.outcome() == Outcome((1, 1), (0, 1), EndReason.COMPLETED)


def test_d23_eliminated_players_rank_by_the_later_round_and_the_same_round_shares() -> None:
    table = Table(seats=4).set(round=11, pools=(2, 2, 3, 40))
    table.turns("11", "11", "1", "5")
    assert table.state.round.out == (11, 11, 0, 0)
    table.turn("11")  # seat 2 goes all in and loses
    table.turn("5")
    assert table.outcome() == Outcome((3, 3, 2, 1), (3,), EndReason.COMPLETED)


def test_d29_a_seat_has_one_pool_and_nothing_else() -> None:
    table = Table()
    assert table.state.pools == (48, 48)
    assert table.view().pool == 48


def test_d30_after_an_elimination_the_order_closes_up() -> None:
    table = Table(seats=4).set(pools=(36, 2, 36, 36))
    table.turns("5", "11", "1", "1")
    for seat in (2, 3, 0, 3, 0, 2):
        assert table.asked == (seat, "dice")
        table.turn("1")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_round_goes_to_the_best_valid_roll_as_counted_out_again(seats: int) -> None:
    for seed in range(30):
        for state in random_states(seats, seed):
            result = GAME.observe(state, 0).last_round
            if result is None or state.turns or state.rolls:
                continue
            valid = [turn for turn in result.turns if not result.card.triggered_by(turn.dice)]
            ranked = sorted(valid, key=lambda turn: (-sum(turn.dice), -turn.stake))
            assert result.winner == (ranked[0].seat if ranked else None)
            assert all(turn.bust == result.card.triggered_by(turn.dice) for turn in result.turns)
