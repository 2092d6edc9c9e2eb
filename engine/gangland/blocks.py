"""Blocks: one seed played in every rotation of the seats, so that dice favour nobody."""

from __future__ import annotations

from itertools import permutations
from math import factorial


def circular_orders(seats: int) -> int:
    """Return in how many orders bots can sit around a table: (seats - 1)!"""
    return factorial(seats - 1)


def seating(block: int, rotation: int, seats: int) -> tuple[int, ...]:
    """Return which bot sits where: for each seat, the index of its bot.

    Block b takes the circular order b mod (seats - 1)!, in lexicographic order with bot 0
    held fast, so that neighbours change too; the rotations turn it by one seat each, while
    the dice stay with the seats.  Over a block every bot sits once in every seat.

    Raises ValueError: a rotation that the table does not have.
    """
    if not 0 <= rotation < seats:
        raise ValueError(f"a table of {seats} has rotations 0 to {seats - 1}, not {rotation!r}")
    wanted = block % circular_orders(seats)
    order = next(order for index, order in enumerate(permutations(range(1, seats))) if index == wanted)
    arrangement = (0, *order)
    return tuple(arrangement[(seat + rotation) % seats] for seat in range(seats))
