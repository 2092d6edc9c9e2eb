"""The pairings of a round robin: every permitted table, or a balanced sample; see docs/standings.md."""

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256, shake_256
from itertools import combinations_with_replacement, product
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gangland_ladder.pairing import permitted_tables
from gangland_ladder.pairing.permitted_tables import Entrant, Table, TablesError

# A balanced sample of the tables, for rosters with too many of them.
#
# By construction, appearances are as equal as the owners allow: the number of tables of each entry is fixed first, and
# no owner ever has more seats left to fill than there are tables left. Meetings are balanced in two steps: tables are
# filled with the entries that have met least, and then exchanges reduce the remaining differences. All numbers are
# integers and the order is fixed, so the same input gives the same sample on any machine. Here entries are indexes, and
# owners are numbers from 0. `round_robin` maps them to the real entries and owners.


Ints: TypeAlias = NDArray[np.int64]

_STRIDE = 37
_NOISE_NUMBERS = 4096
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
        self.counts: Ints = np.zeros((len(owners), len(owners)), dtype=np.int64)  # meetings of each pair
        self.tables: Ints = np.zeros((count, seats), dtype=np.int64)
        self.tables_left = np.array(appearances(owners, seats, count), dtype=np.int64)
        self._owner_tables_left = np.bincount(self.owners, weights=self.tables_left).astype(np.int64)
        noise = shake_256(seed.encode()).digest(4 * (len(owners) + _NOISE_NUMBERS))
        self._noise = np.frombuffer(noise, dtype="<u4")
        self._used: set[tuple[int, ...]] = set()
        self._fewest_meetings = 0
        for number in range(count):
            self._fill(number)

    def meetings(self) -> Ints:
        """Return the number of meetings of every permitted pair."""
        return self.counts[np.triu(self.permitted)]

    def table_counts(self) -> Ints:
        """Return the number of tables of each entry."""
        return np.bincount(self.tables.ravel(), minlength=len(self.owners)).astype(np.int64)

    def _fill(self, number: int) -> None:
        if number % _RECOUNT_TABLES == 0:
            self._fewest_meetings = int(self.meetings().min())
        needed = set(np.flatnonzero(self._owner_tables_left == self.count - number).tolist())
        start = number * _STRIDE % _NOISE_NUMBERS
        noise = self._noise[start : start + len(self.owners)]
        cost = np.zeros(len(self.owners), dtype=np.int64)
        free = self.tables_left > 0
        table: list[int] = []
        for step in range(self.seats):
            at = np.flatnonzero(free & np.isin(self.owners, list(needed))) if len(needed) == self.seats - step else None
            entry = self._choose(np.flatnonzero(free) if at is None else at, cost, noise, table)
            table.append(entry)
            needed.discard(int(self.owners[entry]))
            free &= self.permitted[entry]
            cost += (self.counts[entry] - self._fewest_meetings + 1) ** 3
        self._seat(number, sorted(table))

    def _choose(self, at: Ints, cost: Ints, noise: NDArray[np.uint32], table: list[int]) -> int:
        """Return the entry for the next seat: the least met one, then the one with most tables left, then a random one.

        For the last seat, an entry that would repeat a table is avoided if possible.
        """
        at = at[cost[at] == cost[at].min()]
        at = at[self.tables_left[at] == self.tables_left[at].max()]
        drawn = at[np.argsort(noise[at], kind="stable")]
        if len(table) == self.seats - 1:
            unused = (int(entry) for entry in drawn if tuple(sorted([*table, int(entry)])) not in self._used)
            return next(unused, int(drawn[0]))
        return int(drawn[0])

    def _seat(self, number: int, table: list[int]) -> None:
        self.tables[number] = table
        self._used.add(tuple(table))
        self.tables_left[table] -= 1
        self._owner_tables_left[self.owners[table]] -= 1
        block = np.ix_(table, table)
        self.counts[block] += 1 - np.eye(self.seats, dtype=np.int64)


# Checking, before any sample is tried, whether the owners allow all pairs to meet about equally often.
#
# With equal appearances, a bot whose owner has many bots has fewer possible opponents, so it meets each of them more
# often. This can be counted for groups of owners. Equal appearances determine the difference between the meetings of
# two groups, and the minimum and maximum meetings of the pairs within and between the groups limit it. If the
# difference exceeds the limit, no sample is within the bound. Grouping owners by size finds nearly all such rosters.


MAX_SPREAD = 2  # Maximum difference in meetings between two permitted pairs.


class _Group(NamedTuple):
    """A group of owners: the number of their entries, and the number of permitted pairs of these entries."""

    entries: int
    pairs: int


def possible_lows(owners: Sequence[int], seats: int, count: int) -> list[int]:
    """Return each value of `low` for which all permitted pairs might meet `low` to `low + 2` times.

    Assumes appearances that differ by at most one. An empty list proves that no such sample exists.
    """
    sizes = sorted(Counter(Counter(owners).values()).items())
    all_entries = _group(sizes)
    mean = count * seats * (seats - 1) // 2 // all_entries.pairs
    lows = range(max(0, mean - MAX_SPREAD), mean + 1)
    cuts = list(combinations_with_replacement(range(len(sizes) + 1), 2))
    groups = [(_group(sizes[:small]), _group(sizes[large:])) for small, large in cuts]
    both = [pair for small, large in groups for pair in ((small, large), (large, small))]
    return [low for low in lows if all(_fits(low, one, other, all_entries, seats, count) for one, other in both)]


def _fits(low: int, one: _Group, other: _Group, all_entries: _Group, seats: int, count: int) -> bool:
    """Return whether the first group can exceed the second by the number of meetings that equal appearances require."""
    even, over = divmod(count * seats, all_entries.entries)
    between = all_entries.entries - one.entries - other.entries
    smallest = even * one.entries + max(0, over - (all_entries.entries - one.entries))
    largest = even * other.entries + min(over, other.entries)
    most = (low + MAX_SPREAD) * (2 * one.pairs + one.entries * between)
    least = low * (2 * other.pairs + other.entries * between)
    return (seats - 1) * (smallest - largest) <= most - least


def _group(sizes: Sequence[tuple[int, int]]) -> _Group:
    entries = sum(size * owners for size, owners in sizes)
    return _Group(entries, (entries**2 - sum(owners * size**2 for size, owners in sizes)) // 2)


# Exchanges that make the numbers of meetings more equal.
#
# An exchange swaps an entry of one table with an entry of another, so appearances do not change. The most uneven pairs
# are tried first. An exchange is made if it lowers the sum, over all pairs, of the fourth power of the distance from
# the target.


_MAX_DISTANCE = 2000  # Maximum distance from the target, whose fourth power must fit in 64 bits.
_MAX_ROWS = 1500  # Maximum number of tables that are tried as the second table of an exchange.


def even_out(sample: Sample, low: int, steps: int) -> None:
    """Make at most `steps` exchanges, until all pairs meet `low` to `low + 2` times or no exchange helps."""
    for _ in range(steps):
        for one, other in _uneven_pairs(sample, low):
            change = _separate if sample.counts[one, other] > low else _bring_together
            if change(sample, low + MAX_SPREAD // 2, one, other):
                break
        else:
            return


def _uneven_pairs(sample: Sample, low: int) -> list[tuple[int, int]]:
    beyond = np.maximum(sample.counts - low - MAX_SPREAD, low - sample.counts) * np.triu(sample.permitted)
    order = np.argsort(-beyond, axis=None, kind="stable")[:8]
    pairs = [divmod(int(flat), len(sample.owners)) for flat in order if beyond.flat[flat] > 0]
    return [(one, other) for one, other in pairs]


def _separate(sample: Sample, center: int, one: int, other: int) -> bool:
    shared = _tables_with(sample, one) & _tables_with(sample, other)
    rows = _thin(np.arange(sample.count))
    for table in np.flatnonzero(shared)[:4].tolist():
        for leaver in (one, other):
            if _make_best_swap(sample, center, table, leaver, rows, None):
                return True
    return False


def _bring_together(sample: Sample, center: int, one: int, other: int) -> bool:
    for host, guest in ((one, other), (other, one)):
        rows = np.flatnonzero(_tables_with(sample, guest) & ~_tables_with(sample, host))
        tables = _thin(np.flatnonzero(_tables_with(sample, host) & ~_tables_with(sample, guest)), 40)
        for table in tables.tolist():
            for leaver in sample.tables[table].tolist():
                if leaver != host and _make_best_swap(sample, center, table, leaver, _thin(rows), guest):
                    return True
    return False


def _tables_with(sample: Sample, entry: int) -> np.ndarray:
    return np.asarray((sample.tables == entry).any(axis=1))


def _thin(rows: Ints, limit: int = _MAX_ROWS) -> Ints:
    return rows[:: max(1, -(-len(rows) // limit))]


def _make_best_swap(sample: Sample, center: int, table: int, leaver: int, rows: Ints, only: int | None) -> bool:
    """Swap `leaver` with the entry of another table that improves the balance most; return False if no entry does."""
    if not len(rows):
        return False
    staying = [entry for entry in sample.tables[table].tolist() if entry != leaver]
    change, joiners = _changes(sample, center, staying, leaver, rows)
    if only is not None:  # the only entry to swap with
        change = np.where(joiners == only, change, 0)
    at = int(change.argmin())
    if change.flat[at] >= 0:
        return False
    row, seat = divmod(at, sample.seats)
    _swap(sample, table, leaver, int(rows[row]), int(sample.tables[rows[row], seat]))
    return True


def _changes(sample: Sample, center: int, staying: list[int], leaver: int, rows: Ints) -> tuple[Ints, Ints]:
    """Return each swap's effect, by row and seat (0 if it is not allowed), and the entry that would join the table."""
    others = sample.tables[rows]
    change = np.zeros(others.shape, dtype=np.int64)
    allowed = np.repeat(~(others == leaver).any(axis=1)[:, None], sample.seats, axis=1)
    # The new entry meets those that stay, unless they are also at the other table, and the leaver no longer does.
    for entry in staying:
        apart = ~(others == entry).any(axis=1)[:, None]
        allowed &= sample.permitted[entry][others] | ~apart & (others != entry)
        gained = _rise(sample.counts[entry][others], center) - _rise(sample.counts[entry, leaver] - 1, center)
        change += np.where(apart, gained, 0)
    # The reverse applies to each other entry at the table that the new entry leaves.
    for seat in range(sample.seats):
        met_leaver = _rise(sample.counts[leaver][others[:, seat]], center)
        is_apart = ~np.isin(others[:, seat], staying)
        for joiner in range(sample.seats):
            if joiner == seat:
                continue
            allowed[:, joiner] &= sample.permitted[leaver][others[:, seat]]
            gained = met_leaver - _rise(sample.counts[others[:, joiner], others[:, seat]] - 1, center)
            change[:, joiner] += np.where(is_apart, gained, 0)
    return np.where(allowed, change, 0), others


def _rise(met: Ints, center: int) -> Ints:
    before = np.clip(met - center, -_MAX_DISTANCE, _MAX_DISTANCE)
    after = np.clip(met + 1 - center, -_MAX_DISTANCE, _MAX_DISTANCE)
    return np.asarray(after**4 - before**4)


def _swap(sample: Sample, table: int, leaver: int, other: int, joiner: int) -> None:
    for at, out, into in ((table, leaver, joiner), (other, joiner, leaver)):
        staying = [entry for entry in sample.tables[at].tolist() if entry != out]
        for entry, step in ((out, -1), (into, 1)):
            sample.counts[entry, staying] += step
            sample.counts[staying, entry] += step
        sample.tables[at] = sorted([*staying, into])


# The round robin.


ATTEMPTS = 8  # Number of samples tried for a roster that may allow the bound.
EXCHANGES = 1000  # Maximum number of exchanges for such a sample.
FEW_EXCHANGES = 20  # Number of exchanges for a roster whose owners rule out the bound.


def round_robin(entrants: Sequence[Entrant], seats: int, *, seed: str, sample: int | None = None) -> tuple[Table, ...]:
    """Return the tables of a round robin in the order of play, each ascending by entry, for entrants in any order.

    Args:
        seed: any text; it decides the order of tables, and breaks ties in a sample.
        sample: number of tables, with repetitions if fewer tables are permitted; None for every permitted table once.

    Raises TablesError: fewer owners than seats, a repeated entry, or no or too many tables requested.
    """
    entries, owners = permitted_tables.roster(entrants, seats)
    if sample is None:
        return tuple(_shuffle(permitted_tables.permitted_tables(entrants, seats), seed))
    if not 1 <= sample <= permitted_tables.MAX_TABLES:
        raise TablesError(f"expected a sample of 1 to {permitted_tables.MAX_TABLES:,} tables, not {sample!r}")
    count = permitted_tables.count_tables(entrants, seats)
    tables: list[Table] = []
    if len(set(Counter(owners).values())) == 1 and sample >= count:
        # All owners have the same number of entries, so playing all tables once is perfectly even, and only the
        # remainder has to be sampled.
        all_tables = permitted_tables.permitted_tables(entrants, seats)
        for turn in range(sample // count):
            tables += _shuffle(all_tables, f"{seed}|{turn}")
    if rest := sample - len(tables):
        rest_sample = _sample(owners, seats, rest, seed)
        if rest_sample.counts[~rest_sample.permitted].any():
            raise RuntimeError("two entries of one owner were put at one table")
        tables += [tuple(entries[at] for at in table) for table in rest_sample.tables.tolist()]
    return tuple(tables)


def _shuffle(tables: Sequence[Table], seed: str) -> list[Table]:
    """Return the tables in random order, so that entries have played about equally often if play stops early."""
    return sorted(tables, key=lambda table: sha256(f"{seed}|{table}".encode()).digest())


def _sample(owners: Sequence[int], seats: int, count: int, seed: str) -> Sample:
    best = Sample(owners, seats, count, seed)
    if _spread(best.table_counts()) <= 1 and _spread(best.meetings()) <= MAX_SPREAD:
        return best
    lows = possible_lows(owners, seats, count) if _spread(best.table_counts()) <= 1 else []
    if not lows:
        even_out(best, int(best.meetings().mean()) - 1, FEW_EXCHANGES)
        return best
    for attempt, low in product(range(ATTEMPTS), reversed(lows)):
        candidate = Sample(owners, seats, count, f"{seed}|{attempt}")
        even_out(candidate, low, EXCHANGES)
        best = min(best, candidate, key=lambda sample: _spread(sample.meetings()))
        if _spread(best.meetings()) <= MAX_SPREAD:
            break
    return best


def _spread(counts: Ints) -> int:
    return int(counts.max() - counts.min())
