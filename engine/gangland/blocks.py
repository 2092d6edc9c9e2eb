"""Blocks: one seed played in every rotation of the seats, so that dice favor no bot."""

from __future__ import annotations

from itertools import permutations
from math import factorial


def circular_orders(seats: int) -> int:
    """Return the number of orders in which bots can sit around a table: (seats - 1)!"""
    return factorial(seats - 1)


def seating(block: int, rotation: int, seats: int) -> tuple[int, ...]:
    """Return the index of each seat's bot, in seat order, for one rotation of a block.

    Block b uses circular order b mod (seats - 1)!, in lexicographic order with bot 0 fixed, so that neighbors change
    too.  Each rotation moves the bots one seat further; the dice stay.  So every bot plays once in every seat.

    Raises ValueError: the table has no such rotation.
    """
    if not 0 <= rotation < seats:
        raise ValueError(f"expected a rotation from 0 to {seats - 1}, not {rotation!r}")
    number = block % circular_orders(seats)
    order = next(order for index, order in enumerate(permutations(range(1, seats))) if index == number)
    arrangement = (0, *order)
    return tuple(arrangement[(seat + rotation) % seats] for seat in range(seats))
