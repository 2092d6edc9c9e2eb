"""Choose the tables of the next round of the endless ladder; docs/ratings.md has the reasons."""

import heapq
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from math import sqrt

from gangland_ladder.common.texts import counted
from gangland_ladder.pairing.demand import ActiveEntry, Demand, demand, lot
from gangland_ladder.pairing.permitted_tables import Table
from gangland_ladder.rating.trueskill import SIGMA

# `demand` decides the number of tables per entry; this module chooses the opponents.

MIN_WINDOW, MAX_WINDOW = 4, 12  # Numbers of candidates on each side of a bot: the minimum, and the maximum.
SPREAD = 9  # Number of candidates around a point of the rating range; a newcomer meets one of them.
# Newcomers meet only known bots, unless that requires more than this multiple of the known bots' own tables.
NEWCOMER_FACTOR = 2
LOT_RANGE = 1 << 20
Meetings = Mapping[tuple[int, int], int]  # Number of meetings by (lower, higher) entry; 0 if missing.


@dataclass(frozen=True, slots=True)
class LadderRound:
    """The tables of one round in the order of play; the tables of new entries come first."""

    tables: tuple[Table, ...]
    reason: str = ""  # why there are no tables, if there are none


def ladder_round(
    entries: Sequence[ActiveEntry],
    *,
    seats: int,
    number: int,
    seed: str,  # any text that was fixed in advance; it breaks ties
    meetings: Meetings | None = None,
) -> LadderRound:
    """Return the tables of one round. Raises ValueError: a repeated entry, or too low a number of seats or rounds."""
    if seats < 2:
        raise ValueError(f"expected two or more seats, not {seats!r}")
    if number < 1:
        raise ValueError(f"expected a round number from 1, not {number!r}")
    if duplicates := sorted(entry for entry, times in Counter(each.entry for each in entries).items() if times > 1):
        raise ValueError(f"duplicate entries among the contenders: {duplicates!r}")
    owners = {active.owner_key for active in entries}
    if len(owners) < seats:
        return LadderRound(
            (),
            f"a table of {seats} needs bots of at least {seats} owners, but the {counted(len(entries), 'active bot')}"
            f" {'has' if len(entries) == 1 else 'have'} only {counted(len(owners), 'owner')}",
        )
    return LadderRound(tuple(_Matchmaker(entries, seats, number, seed, meetings or {}).tables()))


class _Matchmaker:
    def __init__(self, entries: Sequence[ActiveEntry], seats: int, number: int, seed: str, meetings: Meetings) -> None:
        self.seats, self.past_meetings = seats, meetings
        self.entries = {active.entry: active for active in entries}
        self.lot = {entry: lot(seed, number, entry) for entry in self.entries}
        self.demand: Demand = demand(entries, seats=seats, number=number, lots=self.lot)
        self.tables_left = dict(self.demand.tables)
        self.ladder = sorted(self.entries, key=lambda entry: (self.entries[entry].mu, self.lot[entry], entry))
        self.rank = {entry: rank for rank, entry in enumerate(self.ladder)}
        self.tables_planned: Counter[int] = Counter()
        self.new_meetings: Counter[tuple[int, int]] = Counter()
        self.balance: Counter[int] = Counter()  # by entry: higher-rated minus lower-rated opponents in this round
        self.tables_begun: Counter[int] = Counter()
        steady = [entry for entry in self.ladder if not self.entries[entry].probation]
        known = [entry for entry in steady if entry not in self.demand.newcomers]
        needed = sum(self.demand.tables[entry] for entry in self.demand.newcomers) * (self.seats - 1)
        known_tables = sum(self.demand.tables[entry] for entry in known)
        self.pool = known if needed <= NEWCOMER_FACTOR * known_tables else steady

    def tables(self) -> Iterator[Table]:
        waiting = [self._urgency(entry) for entry in self.ladder if self.tables_left[entry]]
        heapq.heapify(waiting)
        while waiting:
            urgency = heapq.heappop(waiting)
            entry = urgency[-1]
            if not self.tables_left[entry]:
                continue
            if urgency != self._urgency(entry):
                heapq.heappush(waiting, self._urgency(entry))
                continue
            table = self._table(entry)
            if table is None:
                self.tables_left[entry] = 0
                continue
            self._seat(table)
            yield tuple(sorted(table))
            if self.tables_left[entry]:
                heapq.heappush(waiting, self._urgency(entry))

    def _urgency(self, entry: int) -> tuple[bool, bool, int, float, int, int]:
        new, due = entry in self.demand.newcomers, entry in self.demand.due and not self.tables_planned[entry]
        return (not new, not due, -self.tables_left[entry], -self.entries[entry].sigma, self.lot[entry], entry)

    def _table(self, entry: int) -> list[int] | None:
        due = entry in self.demand.due and not self.tables_planned[entry]
        is_new, table = entry in self.demand.newcomers, [entry]
        for _ in range(1, self.seats):
            opponent = self._opponent_at_point(table) if is_new else self._similar_opponent(table)
            if opponent is None:
                opponent = self._any_opponent(table, due)
            if opponent is None:
                return None
            table.append(opponent)
        self.tables_begun[entry] += 1
        return table

    def _similar_opponent(self, table: Sequence[int]) -> int | None:
        entry = table[0]
        ahead = self.balance[entry] + sum(1 if self.rank[other] > self.rank[entry] else -1 for other in table[1:])
        prefers_higher = ahead < 0 or (ahead == 0 and (self.lot[entry] + self.entries[entry].appearances) % 2 == 0)
        for is_candidate in (self._is_wanted, self._is_free):
            for side in (1, -1) if prefers_higher else (-1, 1):
                window = list(self._window(table, side, is_candidate))
                if window:
                    keys = [(self._meetings(table, other), -side * self.balance[other], i) for i, other in window]
                    return window[keys.index(min(keys))][1]
        return None

    def _window(
        self, table: Sequence[int], side: int, is_candidate: Callable[[Sequence[int], int], bool]
    ) -> Iterator[tuple[int, int]]:
        """Yield candidates on one side, nearest first; further ones only if they may be about as strong."""
        entry = self.entries[table[0]]
        start = self.rank[entry.entry]
        places = range(start + 1, len(self.ladder)) if side > 0 else range(start - 1, -1, -1)
        candidates = (self.ladder[place] for place in places if is_candidate(table, self.ladder[place]))
        for count, other in enumerate(islice(candidates, MAX_WINDOW)):
            rival = self.entries[other]
            if count >= MIN_WINDOW and abs(rival.mu - entry.mu) > sqrt(SIGMA**2 / 2 + entry.sigma**2 + rival.sigma**2):
                return
            yield count, other

    def _opponent_at_point(self, table: Sequence[int]) -> int | None:
        """Return a new entry's next opponent: a rarely met one near the next point of the whole rating range."""
        entry = table[0]
        tables = max(self.demand.tables[entry], 1)
        slot = (len(table) - 1) * tables + self.tables_begun[entry] % tables
        position = slot * LOT_RANGE + self.lot[entry] % LOT_RANGE
        point = position * len(self.pool) // (LOT_RANGE * tables * (self.seats - 1))
        around = (
            self.pool[place]
            for step in range(len(self.pool))
            for place in ((point + step, point - step) if step else (point,))
            if 0 <= place < len(self.pool)
        )
        free = list(islice((other for other in around if self._is_free(table, other)), 4 * SPREAD))
        candidates = [other for other in free if self.tables_left[other] > 0][:SPREAD] or free[:SPREAD]
        keys = [(self._meetings(table, other), self.tables_planned[other]) for other in candidates]
        return candidates[keys.index(min(keys))] if candidates else None

    def _any_opponent(self, table: Sequence[int], due: bool) -> int | None:
        permitted = [other for other in self.ladder if self._may_meet(table, other)]
        candidates = [other for other in permitted if self.tables_planned[other] < self.demand.limit]
        # Entries on probation may play too; if the table is due, the opponent may exceed the limit of the round.
        return min(
            candidates or (permitted if due else []),
            key=lambda other: (
                self.entries[other].probation,
                self.tables_planned[other],
                self._meetings(table, other),
                self.lot[other],
            ),
            default=None,
        )

    def _may_meet(self, table: Sequence[int], other: int) -> bool:
        owner = self.entries[other].owner_key
        return all(self.entries[seated].owner_key != owner for seated in table)

    def _is_free(self, table: Sequence[int], other: int) -> bool:
        is_available = self.tables_planned[other] < self.demand.limit and not self.entries[other].probation
        return is_available and self._may_meet(table, other)

    def _is_wanted(self, table: Sequence[int], other: int) -> bool:
        return self.tables_left[other] > 0 and self._is_free(table, other)

    def _meetings(self, table: Sequence[int], other: int) -> int:
        pairs = [(min(seated, other), max(seated, other)) for seated in table]
        return sum(self.past_meetings.get(pair, 0) + self.new_meetings[pair] for pair in pairs)

    def _seat(self, table: Sequence[int]) -> None:
        for entry in table:
            self.tables_planned[entry] += 1
            self.tables_left[entry] = max(0, self.tables_left[entry] - 1)
        for low, high in combinations(sorted(table, key=self.rank.__getitem__), 2):
            self.balance[low] += 1
            self.balance[high] -= 1
            self.new_meetings[min(low, high), max(low, high)] += 1
