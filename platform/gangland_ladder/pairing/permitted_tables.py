"""Permitted tables of a round robin: which entries may meet, and the list or number of all tables."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

MAX_TABLES = 1_000_000  # Maximum number of listed tables. More would take days to play on many cores.

# A set of entries. The seating does not matter, because a match plays every block in all rotations of its seats
# (docs/standings.md).
Table = tuple[int, ...]


class TablesError(ValueError):
    """The requested tables are impossible; the message explains why."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """An entry and its owner; entries of one owner never meet. A house bot has no owner and counts as its own owner."""

    entry: int
    owner: int | None = None


def count_tables(entrants: Sequence[Entrant], seats: int) -> int:
    """Return the number of permitted tables. Raises TablesError: too few owners or seats, or a repeated entry."""
    _, owners = roster(entrants, seats)
    counts = [1] + [0] * seats
    for size in Counter(owners).values():
        for seat in range(seats, 0, -1):
            counts[seat] += counts[seat - 1] * size
    return counts[seats]


def permitted_tables(entrants: Sequence[Entrant], seats: int) -> list[Table]:
    """Return all permitted tables in canonical order. Raises TablesError: there is no table, or there are too many."""
    entries, owners = roster(entrants, seats)
    count = count_tables(entrants, seats)
    if count > MAX_TABLES:
        raise TablesError(f"{count:,} tables are too many to play; ask for a sample of at most {MAX_TABLES:,}")
    if len(set(owners)) == len(owners):
        return list(combinations(entries, seats))
    return [tuple(entries[at] for at in table) for table in _seatings(owners, seats)]


def roster(entrants: Sequence[Entrant], seats: int) -> tuple[list[int], list[int]]:
    """Return the entries in order, and each entry's owner as a number from 0. Raises TablesError: invalid entrants."""
    if seats < 2:
        raise TablesError(f"expected two or more seats, not {seats!r}")
    ordered = sorted(entrants, key=lambda entrant: entrant.entry)
    entries = [entrant.entry for entrant in ordered]
    if duplicates := sorted(entry for entry, times in Counter(entries).items() if times > 1):
        raise TablesError(f"duplicate entries among those to be paired: {duplicates!r}")
    numbers: dict[tuple[str, int], int] = {}
    names = [("house", each.entry) if each.owner is None else ("owner", each.owner) for each in ordered]
    owners = [numbers.setdefault(name, len(numbers)) for name in names]
    if len(numbers) < seats:
        raise TablesError(
            f"a table of {seats} needs bots of at least {seats} different owners,"
            f" but the {len(entries)} entries have only {len(numbers)}"
        )
    return entries, owners


def _seatings(owners: Sequence[int], seats: int, start: int = 0, used: tuple[int, ...] = ()) -> Iterator[Table]:
    if not seats:
        yield ()
        return
    for at in range(start, len(owners)):
        if owners[at] not in used:
            for rest in _seatings(owners, seats - 1, at + 1, (*used, owners[at])):
                yield (at, *rest)
