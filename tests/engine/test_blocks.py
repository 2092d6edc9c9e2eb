"""Blocks: one seed in every rotation of the seats."""

import pytest

from gangland.blocks import circular_orders, seating


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_over_a_block_every_bot_sits_once_in_every_seat(seats: int) -> None:
    for block in range(2 * circular_orders(seats)):
        sittings = [seating(block, rotation, seats) for rotation in range(seats)]
        for seat in range(seats):
            assert sorted(sitting[seat] for sitting in sittings) == list(range(seats))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_within_a_block_everybody_keeps_the_same_neighbours(seats: int) -> None:
    first = seating(3, 0, seats)
    for rotation in range(seats):
        assert seating(3, rotation, seats) == first[rotation:] + first[:rotation]


@pytest.mark.parametrize(("seats", "orders"), [(2, 1), (3, 2), (4, 6)])
def test_twelve_blocks_bring_every_circular_order_equally_often(seats: int, orders: int) -> None:
    found = [seating(block, 0, seats) for block in range(12)]
    assert len(set(found)) == orders == circular_orders(seats)
    assert {found.count(order) for order in found} == {12 // orders}


def test_a_rotation_that_the_table_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match="rotations 0 to 2, not 3"):
        seating(0, 3, 3)
