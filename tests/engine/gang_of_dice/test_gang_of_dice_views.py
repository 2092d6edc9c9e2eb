"""What a seat sees (D33), and what it does not."""

from tests.engine.gang_of_dice.table import Table

from gangland.gang_of_dice import state, warnings


def _ids(cards: tuple[object, ...]) -> list[str]:
    return [card.id for card in cards]  # type: ignore[attr-defined]


def test_d33_the_round_its_card_the_cards_gone_and_the_decks_list() -> None:
    table = Table(cards="B1 Y3 B2")
    assert (table.view().round, table.view().rounds, _ids(table.view().cards_gone)) == (1, 12, [])
    for _ in range(4):
        table.turn("1")
    view = table.view()
    assert (view.round, view.card.id, _ids(view.cards_gone)) == (3, "B2", ["B1", "Y3"])
    assert view.deck == warnings.WARNINGS
    assert set(_ids(view.cards_to_come)) == {card.id for card in warnings.WARNINGS} - {"B1", "Y3", "B2"}
    assert view.options == state.Options()


def test_d33_of_box18_the_cards_to_come_know_the_two_backs() -> None:
    table = Table(cards="B1", deck="box18")
    assert len(table.view().deck) == 18
    assert len(table.view().cards_to_come) == 17
    table.set(round=9)
    assert set(_ids(table.view().cards_to_come)) == {"B9", "B10", "Y1", "Y7", "Y8", "Y12"}
    table.set(round=10)
    assert len(table.view().cards_to_come) in (5, 6)
    table.set(round=12)
    assert table.view().cards_to_come == ()


def test_d33_order_and_first_seat() -> None:
    table = Table(seats=4, first=2)
    table.turn("1")
    view = table.view()
    assert (view.seat, view.seats, view.order, view.first_seat) == (3, 4, (2, 3, 0, 1), 2)
    assert view.later_seats == (0, 1)
    assert table.view(1).later_seats == ()


def test_d33_pools_eliminated_and_defaulting_seats() -> None:
    table = Table(seats=4).set(pools=(30, 0, 40, 50))
    table.decide(4, "1111")
    view = table.view(2, 0, 3)
    assert view.pools == (26, 0, 40, 50)
    assert view.pool == 40
    assert view.eliminated == (1,)
    assert view.eliminated_in == (None, 1, None, None)
    assert view.defaulting == (0, 3)
    assert table.view(2).defaulting == ()


def test_d33_the_table_is_split_into_carried_bonus_and_staked() -> None:
    table = Table(seats=3).set(round=11, carried=7)
    table.turn("555")
    table.decide(2, "11")
    view = table.view()
    assert (view.carried, view.bonus, view.staked, view.table) == (7, 6, 5, 18)


def test_d33_per_seat_stake_every_roll_total_final_and_bust() -> None:
    table = Table(seats=3, cards="B6")
    table.turn("123", ("1", "4"))
    table.turn("55")
    table.decide(2, "44")
    first, second, running = table.view().turns
    assert (first.seat, first.stake, first.rolls, first.total) == (0, 3, ((1, 2, 3), (2, 3, 4)), 9)
    assert (first.final, first.bust, first.dice) == (True, False, (2, 3, 4))
    assert (second.total, second.final, second.bust) == (10, True, True)
    assert (running.seat, running.total, running.final, running.bust) == (2, 8, False, False)
    assert table.view().turn_of(0) == first
    assert Table().view().turn_of(0) is None


def test_d33_the_seat_and_total_now_winning() -> None:
    table = Table(seats=4, cards="Y4")
    assert (table.view().best_total, table.view().best_seat, table.view().best_stake) == (-1, None, 0)
    table.turn("113")
    assert (table.view().best_total, table.view().best_seat) == (-1, None)
    table.turn("00")
    assert (table.view().best_total, table.view().best_seat, table.view().best_stake) == (0, 1, 2)
    table.turn("50")
    view = table.view()
    assert (view.best_total, view.best_seat, view.best_stake) == (5, 2, 2)
    assert view.would_lead(6, 1)
    assert view.would_lead(5, 3)
    assert not view.would_lead(5, 2)
    assert not view.would_lead(4, 30)


def test_d33_rerolls_left_and_the_question() -> None:
    table = Table()
    assert (table.view().question, table.view().rerolls_left, table.view(1).rerolls_left) == ("dice", 2, 2)
    assert table.view(1).question is None
    table.decide(2, "11")
    assert (table.view().question, table.view().rerolls_left) == ("reroll", 2)
    table.decide([1], "1")
    assert table.view().rerolls_left == 1
    table.decide([1], "1")
    assert table.view(0).rerolls_left == 0


def test_d33_ones_own_dice_are_shown_sorted_with_total_and_trigger() -> None:
    table = Table(cards="B6")
    view = table.view()
    assert (view.dice, view.stake, view.total, view.triggered) == ((), 0, 0, False)
    table.decide(4, "5205")
    view = table.view()
    assert (view.dice, view.stake, view.total, view.triggered) == ((0, 2, 5, 5), 4, 12, True)
    assert table.view(1).dice == ()
    table.decide(())
    assert table.view(0).dice == (0, 2, 5, 5)


def test_d33_the_last_rounds_result() -> None:
    table = Table(seats=3, cards="Y7").set(round=4, pools=(2, 40, 40))
    assert table.view().last_round is None
    table.turns("11", "23", "5")
    result = table.view().last_round
    assert result is not None
    assert (result.number, result.card.id, result.winner, result.dice) == (4, "Y7", 1, 5)
    assert result.eliminated == (0,)
    assert [(turn.seat, turn.total, turn.bust) for turn in result.turns] == [(0, 2, True), (1, 5, False), (2, 5, False)]


def test_d33_the_last_rounds_result_has_no_winner_if_all_were_bust() -> None:
    table = Table(cards="Y7")
    table.turns("1", "1")
    result = table.view().last_round
    assert result is not None
    assert (result.winner, result.dice) == (None, 2)


def test_d33_the_last_rounds_result_is_there_after_the_end_too() -> None:
    table = Table(seats=2).set(round=12, pools=(30, 41))
    table.turns("5", "1")
    result = table.view(0).last_round
    assert result is not None
    assert (result.number, result.winner, result.dice) == (12, 0, 11)
