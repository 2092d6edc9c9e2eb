"""Exchanges between the tables of a sample that even out how often pairs meet.

An exchange takes one entry from each of two tables and swaps them, so appearances stay as they
are.  The most uneven pairs are tried first; an exchange is made if it lowers the sum of the
fourth powers of all pairs' distances from what is aimed at.
"""

from __future__ import annotations

import numpy as np

from gangland_ladder.pairing.balanced import Ints, Sample
from gangland_ladder.pairing.bounds import WITHIN

_FAR = 2000
"""Distances beyond this count as this: their fourth powers have to stay whole numbers of 64 bits."""
_ROWS = 1500
"""At most so many tables are looked at as the other side of an exchange."""


def even_out(sample: Sample, low: int, most: int) -> None:
    """Make up to `most` exchanges, until all pairs meet `low` to `low + 2` times or nothing helps."""
    for _ in range(most):
        for one, other in _beyond(sample, low):
            change = _part if sample.met[one, other] > low else _join
            if change(sample, low + WITHIN // 2, one, other):
                break
        else:
            return


def _beyond(sample: Sample, low: int) -> list[tuple[int, int]]:
    """Return the pairs outside of the window, the furthest first, eight at most."""
    beyond = np.maximum(sample.met - low - WITHIN, low - sample.met) * np.triu(sample.permitted)
    order = np.argsort(-beyond, axis=None, kind="stable")[:8]
    pairs = [divmod(int(flat), len(sample.owners)) for flat in order if beyond.flat[flat] > 0]
    return [(one, other) for one, other in pairs]


def _part(sample: Sample, centre: int, one: int, other: int) -> bool:
    """Take one of two who meet too often away from a table that they share."""
    shared = _with(sample, one) & _with(sample, other)
    rows = _thinned(np.arange(sample.count))
    for table in np.flatnonzero(shared)[:4].tolist():
        for leaver in (one, other):
            if _best(sample, centre, table, leaver, rows, None):
                return True
    return False


def _join(sample: Sample, centre: int, one: int, other: int) -> bool:
    """Bring two who meet too seldom together at a table of one of them."""
    for host, guest in ((one, other), (other, one)):
        rows = np.flatnonzero(_with(sample, guest) & ~_with(sample, host))
        tables = _thinned(np.flatnonzero(_with(sample, host) & ~_with(sample, guest)), 40)
        for table in tables.tolist():
            for leaver in sample.tables[table].tolist():
                if leaver != host and _best(sample, centre, table, leaver, _thinned(rows), guest):
                    return True
    return False


def _with(sample: Sample, entry: int) -> np.ndarray:
    return np.asarray((sample.tables == entry).any(axis=1))


def _thinned(rows: Ints, most: int = _ROWS) -> Ints:
    return rows[:: max(1, -(-len(rows) // most))]


def _best(sample: Sample, centre: int, table: int, leaver: int, rows: Ints, only: int | None) -> bool:
    """Swap `leaver` of a table with the entry of another table that evens out most, if any does.

    Args:
        rows: the other tables that are looked at.
        only: the one entry to swap with; anybody if None.
    """
    if not len(rows):
        return False
    stay = [entry for entry in sample.tables[table].tolist() if entry != leaver]
    change, comers = _changes(sample, centre, stay, leaver, rows)
    if only is not None:
        change = np.where(comers == only, change, 0)
    at = int(change.argmin())
    if change.flat[at] >= 0:
        return False
    row, seat = divmod(at, sample.seats)
    _swap(sample, table, leaver, int(rows[row]), int(sample.tables[rows[row], seat]))
    return True


def _changes(sample: Sample, centre: int, stay: list[int], leaver: int, rows: Ints) -> tuple[Ints, Ints]:
    """Return what each swap would change, by row and seat, 0 where it is not allowed; and who would come."""
    others = sample.tables[rows]
    change = np.zeros(others.shape, dtype=np.int64)
    allowed = np.repeat(~(others == leaver).any(axis=1)[:, None], sample.seats, axis=1)
    # Whoever comes meets those who stay, unless they share the other table already, and the leaver stops meeting them.
    for entry in stay:
        apart = ~(others == entry).any(axis=1)[:, None]
        allowed &= sample.permitted[entry][others] | ~apart & (others != entry)
        gained = _rise(sample.met[entry][others], centre) - _rise(sample.met[entry, leaver] - 1, centre)
        change += np.where(apart, gained, 0)
    # At the other table the same the other way round, for each neighbour that the comer leaves behind.
    for seat in range(sample.seats):
        met_leaver = _rise(sample.met[leaver][others[:, seat]], centre)
        apart_from_stay = ~np.isin(others[:, seat], stay)
        for comer in range(sample.seats):
            if comer == seat:
                continue
            allowed[:, comer] &= sample.permitted[leaver][others[:, seat]]
            gained = met_leaver - _rise(sample.met[others[:, comer], others[:, seat]] - 1, centre)
            change[:, comer] += np.where(apart_from_stay, gained, 0)
    return np.where(allowed, change, 0), others


def _rise(met: Ints, centre: int) -> Ints:
    """Return by how much the cost of a pair rises with one more meeting."""
    here = np.clip(met - centre, -_FAR, _FAR)
    after = np.clip(met + 1 - centre, -_FAR, _FAR)
    return np.asarray(after**4 - here**4)


def _swap(sample: Sample, table: int, leaver: int, other: int, comer: int) -> None:
    for at, out, into in ((table, leaver, comer), (other, comer, leaver)):
        stay = [entry for entry in sample.tables[at].tolist() if entry != out]
        for mine, step in ((out, -1), (into, 1)):
            sample.met[mine, stay] += step
            sample.met[stay, mine] += step
        sample.tables[at] = sorted([*stay, into])
