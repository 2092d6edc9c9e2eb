"""The pairings of a round robin: every permitted table, or a balanced sample; see docs/standings.md."""

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256, shake_256
from itertools import combinations_with_replacement, product
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gangland_ladder.pairing import permitted_tables
from gangland_ladder.pairing.permitted_tables import Entrant, NoTables, Table

# A balanced sample of the tables, for rosters with too many of them.
#
# By construction, appearances are as equal as the owners allow: the number of tables of each entry is fixed first, and
# no owner ever has more seats left to fill than there are tables left. Meetings are balanced in two steps: tables are
# filled with the entries that have met least, and then exchanges reduce the remaining differences. All numbers are
# integers and the order is fixed, so the same input gives the same sample on any machine. Here entries are indexes, and
# owners are numbers from 0. `round_robin` maps them to the real entries and owners.


Ints: TypeAlias = NDArray[np.int64]

_STRIDE = 37
_LUCK = 4096
_RECOUNT_TABLES = 64  # Number of tables between recounts of the pairs' smallest number of meetings.


def appearances(owners: Sequence[int], seats: int, count: int) -> list[int]:
    """Return each entry's number of tables out of `count`, as equal as the entries' owners allow."""
    # There are at least `seats` owners, and an owner has at most one seat per table. If equal shares would exceed that,
    # the owner's entries get `count` tables together, and the other owners share the rest. The remainder goes to the
    # entries with the most possible opponents.
    sizes = Counter(owners)
    full: set[int] = set()
    even, over, room = _shares(sizes, full, seats, count)
    while crowded := _crowded(sizes, over, room):
        full.update(crowded)
        even, over, room = _shares(sizes, full, seats, count)
    counts = [0 if owner in full else even for owner in owners]
    _share_out(counts, [index for index, owner in enumerate(owners) if owner not in full], owners, over, room)
    for owner in full:
        entries = [index for index, other in enumerate(owners) if other == owner]
        _share_out(counts, entries * (count // len(entries) + 1), owners, count, {owner: count})
    return counts


def _shares(sizes: Counter[int], full: set[int], seats: int, count: int) -> tuple[int, int, dict[int, int]]:
    """Return the tables per entry, the remainder, and the number of tables that each owner not in `full` can add."""
    free = sum(size for owner, size in sizes.items() if owner not in full)
    even, over = divmod(count * (seats - len(full)), free) if free else (0, 0)
    return even, over, {owner: count - size * even for owner, size in sizes.items() if owner not in full}


def _crowded(sizes: Counter[int], over: int, room: dict[int, int]) -> list[int]:
    if beyond := [owner for owner, left in room.items() if left < 0]:
        return beyond
    if sum(min(left, sizes[owner]) for owner, left in room.items()) >= over:
        return []
    return [max(room, key=lambda owner: (sizes[owner] - room[owner], -owner))]


def _share_out(counts: list[int], entries: list[int], owners: Sequence[int], over: int, room: dict[int, int]) -> None:
    sizes = Counter(owners)
    if len(room) > 1:
        entries = sorted(entries, key=lambda index: (sizes[owners[index]], index))
    for index in entries:
        if over and room[owners[index]]:
            counts[index] += 1
            room[owners[index]] -= 1
            over -= 1


class Sample:
    """The tables of a sample, and each pair's number of meetings; it is 0 for pairs that may not meet."""

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
        self._used: set[tuple[int, ...]] = set()
        self._fewest = 0
        for number in range(count):
            self._fill(number)

    def meetings(self) -> Ints:
        """Return the number of meetings of every permitted pair."""
        return self.met[np.triu(self.permitted)]

    def turns(self) -> Ints:
        """Return the number of tables of each entry."""
        return np.bincount(self.tables.ravel(), minlength=len(self.owners)).astype(np.int64)

    def _fill(self, number: int) -> None:
        if number % _RECOUNT_TABLES == 0:
            self._fewest = int(self.meetings().min())
        must = set(np.flatnonzero(self._owed == self.count - number).tolist())
        start = number * _STRIDE % _LUCK
        luck = self._luck[start : start + len(self.owners)]
        cost = np.zeros(len(self.owners), dtype=np.int64)
        free = self.left > 0
        table: list[int] = []
        for step in range(self.seats):
            at = np.flatnonzero(free & np.isin(self.owners, list(must))) if len(must) == self.seats - step else None
            entry = self._choose(np.flatnonzero(free) if at is None else at, cost, luck, table)
            table.append(entry)
            must.discard(int(self.owners[entry]))
            free &= self.permitted[entry]
            cost += (self.met[entry] - self._fewest + 1) ** 3
        self._seat(number, sorted(table))

    def _choose(self, at: Ints, cost: Ints, luck: NDArray[np.uint32], table: list[int]) -> int:
        """Return the entry for the next seat: the least met, then the one with the most tables left, then a random one.

        Avoid repeated tables.
        """
        at = at[cost[at] == cost[at].min()]
        at = at[self.left[at] == self.left[at].max()]
        drawn = at[np.argsort(luck[at], kind="stable")]
        if len(table) == self.seats - 1:
            fresh = (int(entry) for entry in drawn if tuple(sorted([*table, int(entry)])) not in self._used)
            return next(fresh, int(drawn[0]))
        return int(drawn[0])

    def _seat(self, number: int, table: list[int]) -> None:
        self.tables[number] = table
        self._used.add(tuple(table))
        self.left[table] -= 1
        self._owed[self.owners[table]] -= 1
        block = np.ix_(table, table)
        self.met[block] += 1 - np.eye(self.seats, dtype=np.int64)


# Checking, before any sample is tried, whether the owners allow all pairs to meet about equally often.
#
# With equal appearances, a bot whose owner has many bots has fewer possible opponents, so it meets each of them more
# often. This can be counted for groups of owners. Equal appearances determine the difference between the meetings of
# two groups, and the minimum and maximum meetings of the pairs within and between the groups limit it. If the
# difference exceeds the limit, no sample is within the bound. Grouping owners by size finds nearly all such rosters.


WITHIN = 2  # Maximum difference in meetings between two permitted pairs.


class _Group(NamedTuple):
    """A group of owners: the number of their entries, and the number of permitted pairs of these entries."""

    entries: int
    pairs: int


def windows(owners: Sequence[int], seats: int, count: int) -> list[int]:
    """Return each value of `low` for which all permitted pairs might meet `low` to `low + 2` times.

    Assumes appearances that differ by at most one. An empty list proves that no such sample exists.
    """
    sizes = sorted(Counter(Counter(owners).values()).items())
    everyone = _group(sizes)
    mean = count * seats * (seats - 1) // 2 // everyone.pairs
    lows = range(max(0, mean - WITHIN), mean + 1)
    cuts = list(combinations_with_replacement(range(len(sizes) + 1), 2))
    groups = [(_group(sizes[:small]), _group(sizes[large:])) for small, large in cuts]
    both = [pair for small, large in groups for pair in ((small, large), (large, small))]
    return [low for low in lows if all(_fits(low, one, other, everyone, seats, count) for one, other in both)]


def _fits(low: int, one: _Group, other: _Group, everyone: _Group, seats: int, count: int) -> bool:
    """Return whether the first group can exceed the second by the number of meetings that equal appearances require."""
    even, over = divmod(count * seats, everyone.entries)
    between = everyone.entries - one.entries - other.entries
    smallest = even * one.entries + max(0, over - (everyone.entries - one.entries))
    largest = even * other.entries + min(over, other.entries)
    can = (low + WITHIN) * (2 * one.pairs + one.entries * between)
    must = low * (2 * other.pairs + other.entries * between)
    return (seats - 1) * (smallest - largest) <= can - must


def _group(sizes: Sequence[tuple[int, int]]) -> _Group:
    entries = sum(size * owners for size, owners in sizes)
    return _Group(entries, (entries**2 - sum(owners * size**2 for size, owners in sizes)) // 2)


# Exchanges that make the numbers of meetings more equal.
#
# An exchange swaps an entry of one table with an entry of another, so appearances do not change. The most uneven pairs
# are tried first. An exchange is made if it lowers the sum, over all pairs, of the fourth power of the distance from
# the target.


_FAR = 2000  # Maximum distance from the target, whose fourth power must fit in 64 bits.
_ROWS = 1500  # Maximum number of tables that are tried as the second table of an exchange.


def even_out(sample: Sample, low: int, steps: int) -> None:
    """Make at most `steps` exchanges, until all pairs meet `low` to `low + 2` times or no exchange helps."""
    for _ in range(steps):
        for one, other in _beyond(sample, low):
            change = _part if sample.met[one, other] > low else _join
            if change(sample, low + WITHIN // 2, one, other):
                break
        else:
            return


def _beyond(sample: Sample, low: int) -> list[tuple[int, int]]:
    beyond = np.maximum(sample.met - low - WITHIN, low - sample.met) * np.triu(sample.permitted)
    order = np.argsort(-beyond, axis=None, kind="stable")[:8]
    pairs = [divmod(int(flat), len(sample.owners)) for flat in order if beyond.flat[flat] > 0]
    return [(one, other) for one, other in pairs]


def _part(sample: Sample, center: int, one: int, other: int) -> bool:
    shared = _with(sample, one) & _with(sample, other)
    rows = _thinned(np.arange(sample.count))
    for table in np.flatnonzero(shared)[:4].tolist():
        for leaver in (one, other):
            if _best(sample, center, table, leaver, rows, None):
                return True
    return False


def _join(sample: Sample, center: int, one: int, other: int) -> bool:
    for host, guest in ((one, other), (other, one)):
        rows = np.flatnonzero(_with(sample, guest) & ~_with(sample, host))
        tables = _thinned(np.flatnonzero(_with(sample, host) & ~_with(sample, guest)), 40)
        for table in tables.tolist():
            for leaver in sample.tables[table].tolist():
                if leaver != host and _best(sample, center, table, leaver, _thinned(rows), guest):
                    return True
    return False


def _with(sample: Sample, entry: int) -> np.ndarray:
    return np.asarray((sample.tables == entry).any(axis=1))


def _thinned(rows: Ints, limit: int = _ROWS) -> Ints:
    return rows[:: max(1, -(-len(rows) // limit))]


def _best(sample: Sample, center: int, table: int, leaver: int, rows: Ints, only: int | None) -> bool:
    """Swap `leaver` with the entry of another table that improves the balance most; return False if no entry does."""
    if not len(rows):
        return False
    stay = [entry for entry in sample.tables[table].tolist() if entry != leaver]
    change, comers = _changes(sample, center, stay, leaver, rows)
    if only is not None:  # the only entry to swap with
        change = np.where(comers == only, change, 0)
    at = int(change.argmin())
    if change.flat[at] >= 0:
        return False
    row, seat = divmod(at, sample.seats)
    _swap(sample, table, leaver, int(rows[row]), int(sample.tables[rows[row], seat]))
    return True


def _changes(sample: Sample, center: int, stay: list[int], leaver: int, rows: Ints) -> tuple[Ints, Ints]:
    """Return each swap's effect, by row and seat (0 if it is not allowed), and the entry that would join the table."""
    others = sample.tables[rows]
    change = np.zeros(others.shape, dtype=np.int64)
    allowed = np.repeat(~(others == leaver).any(axis=1)[:, None], sample.seats, axis=1)
    # The new entry meets those that stay, unless they are also at the other table, and the leaver no longer does.
    for entry in stay:
        apart = ~(others == entry).any(axis=1)[:, None]
        allowed &= sample.permitted[entry][others] | ~apart & (others != entry)
        gained = _rise(sample.met[entry][others], center) - _rise(sample.met[entry, leaver] - 1, center)
        change += np.where(apart, gained, 0)
    # The reverse applies to each other entry at the table that the new entry leaves.
    for seat in range(sample.seats):
        met_leaver = _rise(sample.met[leaver][others[:, seat]], center)
        apart_from_stay = ~np.isin(others[:, seat], stay)
        for comer in range(sample.seats):
            if comer == seat:
                continue
            allowed[:, comer] &= sample.permitted[leaver][others[:, seat]]
            gained = met_leaver - _rise(sample.met[others[:, comer], others[:, seat]] - 1, center)
            change[:, comer] += np.where(apart_from_stay, gained, 0)
    return np.where(allowed, change, 0), others


def _rise(met: Ints, center: int) -> Ints:
    here = np.clip(met - center, -_FAR, _FAR)
    after = np.clip(met + 1 - center, -_FAR, _FAR)
    return np.asarray(after**4 - here**4)


def _swap(sample: Sample, table: int, leaver: int, other: int, comer: int) -> None:
    for at, out, into in ((table, leaver, comer), (other, comer, leaver)):
        stay = [entry for entry in sample.tables[at].tolist() if entry != out]
        for mine, step in ((out, -1), (into, 1)):
            sample.met[mine, stay] += step
            sample.met[stay, mine] += step
        sample.tables[at] = sorted([*stay, into])


# The round robin.


ATTEMPTS = 8  # Number of samples tried for a roster that may allow the bound.
EXCHANGES = 1000  # Maximum number of exchanges for such a sample.
EXCHANGES_BEYOND = 20  # Number of exchanges for a roster whose owners rule out the bound.


def round_robin(entrants: Sequence[Entrant], seats: int, *, seed: str, sample: int | None = None) -> tuple[Table, ...]:
    """Return the tables of a round robin in the order of play, each ascending by entry, for entrants in any order.

    Args:
        seed: any text; it decides the order of tables, and breaks ties in a sample.
        sample: number of tables, with repetitions if fewer tables are permitted; None for every permitted table once.

    Raises NoTables: there are fewer owners than seats, an entry is repeated, or no or too many tables are requested.
    """
    entries, owners = permitted_tables.roster(entrants, seats)
    if sample is None:
        return tuple(_shuffled(permitted_tables.permitted_tables(entrants, seats), seed))
    if not 1 <= sample <= permitted_tables.MAX_TABLES:
        raise NoTables(f"expected a sample of 1 to {permitted_tables.MAX_TABLES:,} tables, not {sample!r}")
    count = permitted_tables.count_tables(entrants, seats)
    tables: list[Table] = []
    if len(set(Counter(owners).values())) == 1 and sample >= count:
        # All owners have the same number of entries, so playing all tables once is perfectly even, and only the
        # remainder has to be sampled.
        all_tables = permitted_tables.permitted_tables(entrants, seats)
        for turn in range(sample // count):
            tables += _shuffled(all_tables, f"{seed}|{turn}")
    if rest := sample - len(tables):
        rest_sample = _sampled(owners, seats, rest, seed)
        if rest_sample.met[~rest_sample.permitted].any():
            raise RuntimeError("two entries of one owner were put at one table")
        tables += [tuple(entries[at] for at in table) for table in rest_sample.tables.tolist()]
    return tuple(tables)


# The order is random, so that all entries have played about the same number of times if play stops early.
def _shuffled(tables: Sequence[Table], seed: str) -> list[Table]:
    return sorted(tables, key=lambda table: sha256(f"{seed}|{table}".encode()).digest())


def _sampled(owners: Sequence[int], seats: int, count: int, seed: str) -> Sample:
    best = Sample(owners, seats, count, seed)
    if _spread(best.turns()) <= 1 and _spread(best.meetings()) <= WITHIN:
        return best
    lows = windows(owners, seats, count) if _spread(best.turns()) <= 1 else []
    if not lows:
        even_out(best, int(best.meetings().mean()) - 1, EXCHANGES_BEYOND)
        return best
    for attempt, low in product(range(ATTEMPTS), reversed(lows)):
        candidate = Sample(owners, seats, count, f"{seed}|{attempt}")
        even_out(candidate, low, EXCHANGES)
        best = min(best, candidate, key=lambda sample: _spread(sample.meetings()))
        if _spread(best.meetings()) <= WITHIN:
            break
    return best


def _spread(counts: Ints) -> int:
    return int(counts.max() - counts.min())
