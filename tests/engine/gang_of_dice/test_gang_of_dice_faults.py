"""Seats at fault: what is played for them, and how a game ends because of them (D31, G37, G38)."""

import pytest
from tests.engine.gang_of_dice.table import Table, changed

from gangland.game import EndReason, Outcome
from gangland.gang_of_dice.rules import GAME


def test_d31_the_default_is_one_die_and_no_reroll() -> None:
    table = Table()
    assert GAME.default(table.state, 0) == 1
    table.decide(3, "555")
    assert GAME.default(table.state, 0) == ()


def test_d31_a_defaulting_seat_may_win_a_round() -> None:
    table = Table(seats=3)
    table.turns("5", "1", "1")
    assert table.state.pools[0] == 50
    assert table.outcome(0) is None


LAST, OUT, DONE = EndReason.LAST_FAULTLESS, EndReason.FAULTLESS_OUT, EndReason.COMPLETED
ENDS: dict[str, tuple[int, tuple[int, ...], tuple[str, ...], tuple[int, ...], Outcome | None]] = {
    "d31 no fault, no end": (1, (48, 48, 48), (), (), None),
    "d31 two faultless in play go on": (1, (48, 48, 48), (), (1,), None),
    "d31 one faultless of two": (1, (48, 48), (), (0,), Outcome((2, 1), (1,), LAST)),
    "d31 one faultless of three": (1, (9, 1, 80), (), (0, 2), Outcome((2, 1, 2), (1,), LAST)),
    "d31 two faultless besides one eliminated go on": (1, (30, 0, 40, 50), (), (2,), None),
    "d31 one wins over faultless eliminated": (1, (30, 0, 40, 50), (), (2, 3), Outcome((1, 2, 3, 3), (0,), LAST)),
    "d31 faultless out together": (4, (2, 2, 40), ("11", "21", "5"), (2,), Outcome((1, 1, 3), (0, 1), OUT)),
    "d31 two faultless are still in play": (4, (2, 20, 20, 40), ("11", "1", "1", "5"), (3,), None),
    "d31 out above at fault": (12, (0, 60, 50, 40), ("1", "1", "1"), (1,), Outcome((3, 4, 1, 2), (2,), DONE)),
    "d31 out in round 1 above at fault": (
        12, (0, 60, 50, 40), ("1", "1", "5"), (1,), Outcome((3, 4, 2, 1), (3,), DONE)
    ),
    "d31 D21's last in play is at fault": (1, (2, 40), ("11", "5"), (1,), Outcome((1, 2), (0,), OUT)),
    "d31 one at fault eliminated ends nothing": (1, (0, 40, 40), (), (0,), None),
    "d31 one at fault eliminated and one more": (1, (0, 40, 40), (), (0, 1), Outcome((2, 2, 1), (2,), LAST)),
    "g38 all at fault": (1, (48, 48, 48), (), (0, 1, 2), Outcome((1, 1, 1), (), EndReason.ALL_AT_FAULT)),
    "g38 at fault share the last place": (
        12, (10, 60, 50, 5), ("1", "1", "5", "1"), (1, 3), Outcome((2, 3, 1, 3), (2,), DONE)
    ),
}  # fmt: skip


@pytest.mark.parametrize(("round", "pools", "turns", "at_fault", "outcome"), ENDS.values(), ids=ENDS)
def test_d31_g38_a_game_with_seats_at_fault_ends_as_the_table_says(
    round: int, pools: tuple[int, ...], turns: tuple[str, ...], at_fault: tuple[int, ...], outcome: Outcome | None
) -> None:
    table = Table(seats=len(pools)).set(round=round, pools=pools)
    table.turns(*turns)
    assert table.outcome(*at_fault) == outcome


def test_d31_one_faultless_seat_wins_even_with_all_its_dice_on_the_table() -> None:
    table = Table(seats=2).set(pools=(3, 60))
    table.decide(3, "000")
    assert table.outcome(1) == Outcome((1, 2), (0,), LAST)


def test_d31_a_faultless_seat_that_goes_out_with_one_at_fault_wins_alone() -> None:
    table = Table(seats=2, cards="Y7").set(round=3, pools=(2, 2))
    table.turns("11", "11")
    assert table.outcome(1) == Outcome((1, 2), (0,), DONE)


def test_d31_of_faultless_seats_eliminated_in_different_rounds_the_later_ones_win() -> None:
    state = Table(seats=4).state
    out = changed(state.round, number=6, out=(3, 5, 5, 0), order=(3,))
    state = state._replace(round=out, pools=(0, 0, 0, 144), seat=3)
    assert GAME.outcome(state, frozenset({3})) == Outcome((3, 1, 1, 4), (1, 2), EndReason.FAULTLESS_OUT)


def test_d31_in_mid_turn_the_roll_stands() -> None:
    table = Table(seats=3)
    table.decide(2, "12")
    table.decide(GAME.default(table.state, 0))
    assert table.events_of("stood") == [("stood", 0, 3)]
