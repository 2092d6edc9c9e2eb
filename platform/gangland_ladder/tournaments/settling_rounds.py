"""Settling rounds: additional matches, round by round, until the order of the first places is known.

After the schedule and after each round, each of the first k entries again meets each lower entry that is not separated
from it. Settling ends when no such pair may meet, or after the announced number of rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Meta, Struct

from gangland_ladder.pairing.permitted_tables import Entrant, Table

if TYPE_CHECKING:
    from gangland_ladder.rating.final_standings import FinalStandings

FIRST: Final = (1, 10)
PERCENT: Final = (1, 20)
BLOCKS: Final = (1, 1000)
ROUNDS: Final = 20  # Maximum number of rounds; for more, each check's error would be too small for the number of draws.


class Terms(Struct, frozen=True, forbid_unknown_fields=True):
    """The terms of settling, announced before the entries freeze. Raises ValueError: a number is out of bounds."""

    # the number of places to settle, both among each other and against lower entries
    first: Annotated[int, Meta(ge=FIRST[0], le=FIRST[1])]
    # maximum probability, in percent, that two entries end in the wrong order
    percent: Annotated[int, Meta(ge=PERCENT[0], le=PERCENT[1])]
    blocks: Annotated[int, Meta(ge=BLOCKS[0], le=BLOCKS[1])]  # maximum number of additional blocks for each pair

    def __post_init__(self) -> None:
        for name, (lowest, highest) in {"first": FIRST, "percent": PERCENT, "blocks": BLOCKS}.items():
            value = getattr(self, name)
            if not lowest <= value <= highest:
                raise ValueError(f"settling: {name} must be a number from {lowest} to {highest}, not {value!r}")

    def rounds(self, blocks: int) -> int:
        """Return the maximum number of rounds, given the number of blocks per match."""
        return min(ROUNDS, self.blocks // blocks)

    def confidence(self, blocks: int) -> float:
        """Return the confidence that each check requires of the order of two entries."""
        # The level is stricter than the announced one, because there are several checks: over all of them, the
        # probability of a wrong order is at most the announced error.
        return 1 - self.percent / 100 / (self.rounds(blocks) + 1)


def open_pairs(standings: FinalStandings, terms: Terms, blocks: int) -> list[tuple[int, int]]:
    """Return the pairs of entries whose order is not settled, best first, each with the higher entry first."""
    rows = [row for row in standings.rows if row.blocks]
    at = {entry: index for index, entry in enumerate(standings.counts.entries)}
    confidence, better, part = terms.confidence(blocks), standings.ranks.better, standings.fitted.part
    return [
        (one.entry, other.entry)
        for number, one in enumerate(rows[: terms.first])
        for other in rows[number + 1 :]
        if part[at[one.entry]] == part[at[other.entry]] and better[at[one.entry], at[other.entry]] < confidence
    ]


def next_tables(
    standings: FinalStandings, terms: Terms, *, blocks: int, seats: int, entrants: Sequence[Entrant], played: int
) -> tuple[Table, ...]:
    """Return the tables of the next round, at which the open pairs meet, if they may; empty if settling has ended."""
    if played >= terms.rounds(blocks):
        return ()
    owner = {entrant.entry: entrant.owner for entrant in entrants}
    wanted = [pair for pair in open_pairs(standings, terms, blocks) if _may_meet(pair, owner)]
    involved = {entry for pair in wanted for entry in pair}
    entries = [*(row.entry for row in standings.rows), *(row.entry for row in standings.outside)]
    order = [entry for entry in entries if entry in owner]
    # The other seats go to entries of open pairs first, then to the next ones in the order (the sort is stable).
    others = sorted(order, key=lambda entry: entry not in involved)
    open_sets, covered, tables = {frozenset(pair) for pair in wanted}, set[frozenset[int]](), []
    for pair in wanted:
        if frozenset(pair) in covered:
            continue
        table = list(pair)
        while len(table) < seats:
            free = [entry for entry in others if entry not in table and _may_meet((*table, entry), owner)]
            if not free:
                break
            table.append(max(free, key=lambda entry: len(_pairs_with(entry, table) & (open_sets - covered))))
        if len(table) == seats:
            covered |= {frozenset(met) for met in combinations(table, 2)}
            tables.append(tuple(sorted(table)))
    return tuple(tables)


def _may_meet(entries: Sequence[int], owner: dict[int, int | None]) -> bool:
    if any(entry not in owner for entry in entries):
        return False
    owners = [owner[entry] for entry in entries if owner[entry] is not None]
    return len(set(owners)) == len(owners)


def _pairs_with(entry: int, table: Sequence[int]) -> set[frozenset[int]]:
    return {frozenset((entry, other)) for other in table}
