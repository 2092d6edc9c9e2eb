"""Who plays whom in a round robin: every permitted table, or a balanced sample of them.  docs/pairing.md says why."""

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from itertools import product

from gangland_ladder.pairing.balanced_samples import WITHIN, Ints, Sample, even_out, windows
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


def round_robin(entrants: Sequence[Entrant], seats: int, *, seed: str, sample: int | None = None) -> tuple[Table, ...]:
    """Return the tables of a round robin in the order in which they are played, each ascending by entry.

    They depend on entries, who shares an owner, and the seed alone, not on the order of input.

    Args:
        seed: any text; it decides the order of tables, and which of equally good ones a sample has.
        sample: how many tables to play; None is every permitted table once.  With more than
            there are, tables come again.

    Raises:
        NoTables: fewer owners than seats, an entry twice, no tables asked for, or too many.
    """
    entries, owners = roster(entrants, seats)
    if sample is None:
        return tuple(_shuffled(permitted_tables(entrants, seats), seed))
    if not 1 <= sample <= MAX_TABLES:
        raise NoTables(f"a sample has 1 to {MAX_TABLES:,} tables, not {sample!r}")
    count = count_tables(entrants, seats)
    tables: list[Table] = []
    if len(set(Counter(owners).values())) == 1 and sample >= count:
        # Owners of one size: all tables once are perfectly even, so only the remainder has to be sampled.
        every = permitted_tables(entrants, seats)
        for turn in range(sample // count):
            tables += _shuffled(every, f"{seed}|{turn}")
    if rest := sample - len(tables):
        chosen = _sampled(owners, seats, rest, seed)
        if chosen.met[~chosen.permitted].any():
            raise RuntimeError("two entries of one owner were put at one table")
        tables += [tuple(entries[at] for at in table) for table in chosen.tables.tolist()]
    return tuple(tables)


def _shuffled(every: Sequence[Table], seed: str) -> list[Table]:
    """Return tables in an order by lot, so that whoever stops early has seen everybody about as often."""
    return sorted(every, key=lambda table: sha256(f"{seed}|{table}".encode()).digest())


def _sampled(owners: Sequence[int], seats: int, count: int, seed: str) -> Sample:
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


def _spread(counts: Ints) -> int:
    return int(counts.max() - counts.min())
