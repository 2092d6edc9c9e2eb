"""Who plays whom in a round robin: every permitted table, or a balanced sample of them.  docs/pairing.md says why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations, product

import numpy as np

from gangland_ladder.pairing.balanced_samples import WITHIN, Sample, even_out, windows
from gangland_ladder.pairing.permitted_tables import (
    MAX_TABLES,
    Entrant,
    NoTables,
    Table,
    count_tables,
    permitted_tables,
    roster,
)

ATTEMPTS = 8
"""So many samples are tried for a roster that may allow the bound."""
EXCHANGES = 1000
EXCHANGES_BEYOND = 20
"""For a roster whose owners rule the bound out, tables are only evened out a little."""


@dataclass(frozen=True, slots=True)
class Balance:
    """How even a set of tables is: fewest and most, over entries and over permitted pairs.

    Attributes:
        appearances: tables that an entry sits at.
        meetings: tables that a permitted pair shares.
        reason: why appearances differ by more than one, or meetings by more than two; empty if neither does.
        possible: whether owners leave room for both; False is proven, True is not.
    """

    appearances: tuple[int, int]
    meetings: tuple[int, int]
    reason: str = ""
    possible: bool = True

    @property
    def even(self) -> bool:
        """Whether appearances differ by one at most, and meetings of permitted pairs by two."""
        return _even(self.appearances, self.meetings)


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """The tables of a round robin in the order in which they are played, each ascending by entry.

    Attributes:
        complete: whether it is every permitted table, once each.
    """

    tables: tuple[Table, ...]
    complete: bool
    balance: Balance


def round_robin(entrants: Sequence[Entrant], seats: int, *, seed: str, sample: int | None = None) -> RoundRobin:
    """Return the tables of a round robin and how even they are.

    It depends on entries, who shares an owner, and the seed alone, not on the order of input.

    Args:
        seed: any text; it decides the order of tables, and which of equally good ones a sample has.
        sample: how many tables to play; None is every permitted table once.  With more than
            there are, tables come again.

    Raises:
        NoTables: fewer owners than seats, an entry twice, no tables asked for, or too many.
    """
    entries, owners = roster(entrants, seats)
    if sample is None:
        every = permitted_tables(entrants, seats)
        return RoundRobin(tuple(_shuffled(every, seed)), True, _balance(entries, owners, every))
    if not 1 <= sample <= MAX_TABLES:
        raise NoTables(f"a sample has 1 to {MAX_TABLES:,} tables, not {sample!r}")
    count = count_tables(entrants, seats)
    chosen: list[Table] = []
    alike = len(set(Counter(owners).values())) == 1
    if alike and sample >= count:
        # Owners of one size: all tables once are perfectly even, so only what is over has to be chosen.
        every = permitted_tables(entrants, seats)
        for turn in range(sample // count):
            chosen += _shuffled(every, f"{seed}|{turn}")
    if rest := sample - len(chosen):
        picked = _sampled(owners, seats, rest, seed).tables.tolist()
        chosen += [tuple(entries[at] for at in table) for table in picked]
    complete = sample == count and len(set(chosen)) == count
    return RoundRobin(tuple(chosen), complete, _balance(entries, owners, chosen))


def _shuffled(every: Sequence[Table], seed: str) -> list[Table]:
    """Return tables in an order by lot, so that whoever stops early has seen everybody about as often."""
    return sorted(every, key=lambda table: sha256(f"{seed}|{table}".encode()).digest())


def _sampled(owners: Sequence[int], seats: int, count: int, seed: str) -> Sample:
    """Return the first sample within the bounds, else the one that came nearest."""
    best = Sample(owners, seats, count, seed)
    if _spread(best.turns()) <= 1 and _spread(best.meetings()) <= WITHIN:
        return best
    lows = windows(owners, seats, count) if _spread(best.turns()) <= 1 else []
    if not lows:
        even_out(best, int(best.meetings().mean()) - 1, EXCHANGES_BEYOND)
        return best
    for attempt, low in product(range(ATTEMPTS), reversed(lows)):
        tried = Sample(owners, seats, count, f"{seed}|{attempt}")
        even_out(tried, low, EXCHANGES)
        best = min(best, tried, key=lambda one: _spread(one.meetings()))
        if _spread(best.meetings()) <= WITHIN:
            break
    return best


def _spread(counts: np.ndarray) -> int:
    return int(counts.max() - counts.min())


def _balance(entries: Sequence[int], owners: Sequence[int], chosen: Sequence[Table]) -> Balance:
    """Count appearances and meetings afresh, out of the tables themselves, and say what is uneven and why.

    Raises:
        RuntimeError: a table is none: our own mistake, which must not be played.
    """
    at = {entry: index for index, entry in enumerate(entries)}
    seated = np.array([[at[entry] for entry in table] for table in chosen], dtype=np.int64)
    whose = np.sort(np.array(owners)[seated], axis=1)
    if (whose[:, 1:] == whose[:, :-1]).any():
        raise RuntimeError("two entries of one owner were put at one table")
    met = np.zeros((len(entries), len(entries)), dtype=np.int64)
    for one, other in combinations(range(seated.shape[1]), 2):
        np.add.at(met, (seated[:, one], seated[:, other]), 1)
    met += met.T
    permitted = np.not_equal.outer(owners, owners)
    turns = np.bincount(seated.ravel(), minlength=len(entries))
    appearances = int(turns.min()), int(turns.max())
    meetings = int(met[permitted].min()), int(met[permitted].max())
    if _even(appearances, meetings):
        return Balance(appearances, meetings)
    reason, possible = _reason(owners, seated.shape[1], len(chosen), appearances)
    return Balance(appearances, meetings, reason, possible)


def _even(appearances: tuple[int, int], meetings: tuple[int, int]) -> bool:
    return appearances[1] - appearances[0] <= 1 and meetings[1] - meetings[0] <= WITHIN


def _reason(owners: Sequence[int], seats: int, count: int, appearances: tuple[int, int]) -> tuple[str, bool]:
    most = max(Counter(owners).values())
    mine = f"one owner has {most} of {len(owners)} bots, no two of one owner meet"
    if appearances[1] - appearances[0] > 1:
        return f"{mine}, so they share fewer seats than they would need to play as often as others", False
    if not windows(owners, seats, count):
        return f"{mine}, so with equal appearances they meet each of the others more often", False
    return f"no more even sample was found in {ATTEMPTS} attempts; another number of tables may have one", True
