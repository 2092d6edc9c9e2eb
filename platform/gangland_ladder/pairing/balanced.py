"""A balanced sample of a round robin's tables, where all of them would be too many.

Appearances come out as equal as owners allow by construction: each entry is given its number
of tables beforehand, and no owner is ever left with more seats to fill than tables.  Meetings
are evened out twice: least-met entries are put together while tables are filled, and exchanges
mend what is left (`exchanges`).  All of it is whole numbers in a fixed order, so the same input
gives the same sample on any machine.

Entries are indices here, owners numbers from 0; `pairing` knows whose they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import shake_256
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]

_STRIDE = 37
_LUCK = 4096
_LOOK_AGAIN = 64
"""Tables after which the fewest meetings of all pairs are counted again."""


def appearances(owners: Sequence[int], seats: int, count: int) -> list[int]:
    """Return how many of `count` tables each entry sits at, as equal as owners allow.

    An owner has one seat a table at most.  One whose even share would be more gets just that,
    shared among its entries, and the others share the rest.  What cannot be shared goes to
    those with most opponents, who have most to meet.

    Args:
        owners: whose each entry is; at least `seats` different ones.
    """
    sizes = Counter(owners)
    full: set[int] = set()
    each, over, room = _shares(sizes, full, seats, count)
    while crowded := _crowded(sizes, over, room):
        full.update(crowded)
        each, over, room = _shares(sizes, full, seats, count)
    given = [0 if owner in full else each for owner in owners]
    _share_out(given, [index for index, owner in enumerate(owners) if owner not in full], owners, over, room)
    for owner in full:
        mine = [index for index, other in enumerate(owners) if other == owner]
        _share_out(given, mine * (count // len(mine) + 1), owners, count, {owner: count})
    return given


def _shares(sizes: Counter[int], full: set[int], seats: int, count: int) -> tuple[int, int, dict[int, int]]:
    """Return what each entry outside of full owners gets, what is left over, and each owner's room for more."""
    free = sum(size for owner, size in sizes.items() if owner not in full)
    each, over = divmod(count * (seats - len(full)), free) if free else (0, 0)
    return each, over, {owner: count - size * each for owner, size in sizes.items() if owner not in full}


def _crowded(sizes: Counter[int], over: int, room: dict[int, int]) -> list[int]:
    """Return the owners who cannot take an even share."""
    if beyond := [owner for owner, left in room.items() if left < 0]:
        return beyond
    if sum(min(left, sizes[owner]) for owner, left in room.items()) >= over:
        return []
    return [max(room, key=lambda owner: (sizes[owner] - room[owner], -owner))]


def _share_out(given: list[int], whom: list[int], owners: Sequence[int], over: int, room: dict[int, int]) -> None:
    """Give one more to as many of `whom` as there is over, those of small owners first."""
    sizes = Counter(owners)
    if len(room) > 1:
        whom = sorted(whom, key=lambda index: (sizes[owners[index]], index))
    for index in whom:
        if over and room[owners[index]]:
            given[index] += 1
            room[owners[index]] -= 1
            over -= 1


class Sample:
    """Tables of a sample: who sits where, and who has met whom how often.

    Attributes:
        tables: entries by table and seat, ascending within a table.
        met: how often each two entries meet; symmetric, 0 where they may not.
        permitted: which pairs may meet.
    """

    def __init__(self, owners: Sequence[int], seats: int, count: int, seed: str) -> None:
        self.owners = np.array(owners, dtype=np.int64)
        self.seats, self.count = seats, count
        self.permitted = self.owners[:, None] != self.owners[None, :]
        self.met: Ints = np.zeros((len(owners), len(owners)), dtype=np.int64)
        self.tables: Ints = np.zeros((count, seats), dtype=np.int64)
        self.left = np.array(appearances(owners, seats, count), dtype=np.int64)
        self._owed = np.bincount(self.owners, weights=self.left).astype(np.int64)
        noise = shake_256(seed.encode()).digest(4 * (len(owners) + _LUCK))
        self._luck = np.frombuffer(noise, dtype="<u4")
        self._taken: set[tuple[int, ...]] = set()
        self._fewest = 0
        for number in range(count):
            self._fill(number)

    def meetings(self) -> Ints:
        """Return how often each permitted pair meets, one number a pair."""
        return self.met[np.triu(self.permitted)]

    def turns(self) -> Ints:
        """Return how many tables each entry sits at."""
        return np.bincount(self.tables.ravel(), minlength=len(self.owners)).astype(np.int64)

    def _fill(self, number: int) -> None:
        if number % _LOOK_AGAIN == 0:
            self._fewest = int(self.meetings().min())
        must = set(np.flatnonzero(self._owed == self.count - number).tolist())
        start = number * _STRIDE % _LUCK
        luck = self._luck[start : start + len(self.owners)]
        cost = np.zeros(len(self.owners), dtype=np.int64)
        free = self.left > 0
        table: list[int] = []
        for step in range(self.seats):
            at = np.flatnonzero(free & np.isin(self.owners, list(must))) if len(must) == self.seats - step else None
            chosen = self._choose(np.flatnonzero(free) if at is None else at, cost, luck, table)
            table.append(chosen)
            must.discard(int(self.owners[chosen]))
            free &= self.permitted[chosen]
            cost += (self.met[chosen] - self._fewest + 1) ** 3
        self._seat(number, sorted(table))

    def _choose(self, at: Ints, cost: Ints, luck: NDArray[np.uint32], table: list[int]) -> int:
        """Return who is to sit down next: least met, most tables to go, by lot; no table twice if possible."""
        at = at[cost[at] == cost[at].min()]
        at = at[self.left[at] == self.left[at].max()]
        drawn = at[np.argsort(luck[at], kind="stable")]
        if len(table) == self.seats - 1:
            fresh = (int(one) for one in drawn if tuple(sorted([*table, int(one)])) not in self._taken)
            return next(fresh, int(drawn[0]))
        return int(drawn[0])

    def _seat(self, number: int, table: list[int]) -> None:
        self.tables[number] = table
        self._taken.add(tuple(table))
        self.left[table] -= 1
        self._owed[self.owners[table]] -= 1
        block = np.ix_(table, table)
        self.met[block] += 1 - np.eye(self.seats, dtype=np.int64)
