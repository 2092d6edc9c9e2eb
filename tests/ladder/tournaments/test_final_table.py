"""Who sits at the final table, and what it makes of the order before it."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gangland_ladder.pairing.permitted_tables import Entrant
from gangland_ladder.rating.bradley_terry import BlockResult
from gangland_ladder.rating.final_standings import standings
from gangland_ladder.tournaments.final_table import FinalTerms, finalists, seating_order
from gangland_ladder.tournaments.official_order import FinalResult, official_order, official_ranks, with_final_table
from gangland_sandbox.limits import Limits

PLACES = st.fractions(1, 4, max_denominator=12)


def test_of_two_bots_of_one_owner_the_lower_one_gives_its_seat_to_the_next() -> None:
    entrants = [Entrant(1, 7), Entrant(2, 7), Entrant(3, None), Entrant(4, None), Entrant(5, 8)]
    assert finalists([2, 1, 4, 3, 5], entrants, 3) == (2, 4, 3)
    assert finalists([9, 2, 4, 1], entrants, 2) == (2, 4), "9 may not sit at a table any more"
    assert finalists([1, 2], entrants, 2) == (), "they are of one owner"


def test_whoever_gave_the_seat_away_keeps_the_place_and_the_others_play_for_theirs() -> None:
    order = official_order([2, 1, 4, 3], {2: Fraction(3), 4: Fraction(1), 3: Fraction(2)})
    assert order == [4, 1, 3, 2]
    assert official_ranks(order, {2: 1, 1: 2, 4: 3, 3: 4}, {2: Fraction(3), 4: Fraction(1), 3: Fraction(2)}) == {
        4: 1, 1: 2, 3: 3, 2: 4,
    }  # fmt: skip


def test_whoever_is_left_out_of_equal_ones_keeps_the_rank_that_they_shared() -> None:
    decided = {1: Fraction(2), 2: Fraction(1)}
    order = official_order([1, 2, 3, 4], decided)
    assert order == [2, 1, 3, 4]
    assert official_ranks(order, dict.fromkeys(order, 1), decided) == {2: 1, 1: 2, 3: 1, 4: 1}
    assert official_ranks(order, {1: 1, 2: 2, 3: 2, 4: 4}, decided) == {2: 1, 1: 2, 3: 2, 4: 4}


def test_a_lot_that_nobody_knows_before_the_freeze_seats_one_of_equal_ones() -> None:
    ranks = {1: 1, 2: 2, 3: 2, 4: 4}
    assert {tuple(seating_order(ranks, seed)) for seed in "abcdefgh"} == {(1, 2, 3, 4), (1, 3, 2, 4)}


@pytest.mark.parametrize(
    ("places", "ranks"),
    [((1, 2), {1: 1, 3: 2, 2: 2, 4: 4}), ((2, 1), {3: 1, 2: 2, 1: 2, 4: 4})],
    ids=["the favorite wins", "the other wins"],
)
def test_who_has_the_last_seat_takes_no_shared_second_place(places: tuple[int, int], ranks: dict[int, int]) -> None:
    even = Fraction(3, 2)
    robin = [BlockResult(pair, (1, 2)) for pair in ((1, 2), (1, 3), (1, 4), (2, 4), (3, 4))]
    fitted = standings([*robin, BlockResult((2, 3), (even, even))], range(1, 5)).document()
    assert [row.rank for row in fitted.rows] == [1, 2, 2, 4]
    after = with_final_table(fitted, FinalResult(7, (BlockResult((1, 3), places),)))
    assert {row.entry: row.rank for row in after.rows} == ranks
    assert [row.rank for row in after.rows] == [1, 2, 2, 4]


def test_two_that_are_equal_before_it_and_at_it_share_a_place() -> None:
    decided = {1: Fraction(3, 2), 2: Fraction(3, 2)}
    assert official_ranks([1, 2, 3], {1: 1, 2: 1, 3: 3}, decided) == {1: 1, 2: 1, 3: 3}
    assert official_ranks([1, 2, 3], {1: 1, 2: 2, 3: 3}, decided) == {1: 1, 2: 2, 3: 3}


@given(st.permutations(range(6)), st.dictionaries(st.integers(0, 5), PLACES, max_size=4))
def test_nobody_else_moves_and_equal_ones_keep_their_order(order: list[int], decided: dict[int, Fraction]) -> None:
    after = official_order(order, decided)
    assert sorted(after) == sorted(order)
    assert [one for one in after if one not in decided] == [one for one in order if one not in decided]
    assert all(a == b for a, b in zip(order, after, strict=True) if a not in decided)
    there = [one for one in after if one in decided]
    assert there == sorted(there, key=lambda one: (decided[one], order.index(one)))


def test_standings_get_the_official_ranks_and_keep_what_was_fitted() -> None:
    robin = [BlockResult((a, b), (1, 2)) for a, b in ((1, 2), (1, 3), (2, 3), (1, 4), (2, 4), (3, 4))]
    fitted = standings(robin, range(1, 5)).document()
    final = FinalResult(7, (BlockResult((1, 2, 3), (3, 2, 1)), BlockResult((1, 2, 3), (1, 3, 2))))
    after = with_final_table(fitted, final)
    assert [(row.entry, row.rank) for row in after.rows] == [(3, 1), (1, 2), (2, 3), (4, 4)]
    assert [row.rank_before or None for row in after.rows] == [3, 1, 2, None]
    assert after.podium == [3, 1, 2]
    assert {row.entry: row.range for row in after.rows} == {row.entry: row.range for row in fitted.rows}
    assert after.final_table
    assert [(row.entry, row.mean_place) for row in after.final_table.rows] == [(3, 1.5), (1, 2.0), (2, 2.5)]
    with pytest.raises(ValueError, match=r"entries \[9\] of the final table are not in the standings"):
        with_final_table(fitted, FinalResult(7, (BlockResult((1, 9), (1, 2)),)))


def test_terms_have_bounds_and_give_each_block_its_share_of_the_banks() -> None:
    for seats, blocks, words in ((5, 3, "seats must .* 2 to 4, not 5"), (3, 0, "blocks must be a number from 1")):
        with pytest.raises(ValueError, match=words):
            FinalTerms(seats, blocks)
    chosen = Limits.plain(12).to_dict() | {"memory_mib": 128}
    assert Limits.from_dict(FinalTerms(3, 5).limits(chosen)) == Limits.from_dict(
        Limits.plain(5).to_dict() | {"memory_mib": 128}
    )
