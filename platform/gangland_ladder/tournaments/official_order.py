"""Apply the final table to the standings: ranks and order change, and all fitted figures stay the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from msgspec.structs import replace

from gangland_ladder.rating import bradley_terry, final_standings
from gangland_ladder.rating.standings_document import FinalTable, FinalTableRow, StandingsDocument
from gangland_ladder.tournaments.final_table import EFFECT


@dataclass(frozen=True, slots=True)
class FinalResult:
    """The result of a final table: its match number and all its blocks."""

    match: int
    blocks: tuple[bradley_terry.BlockResult, ...]

    @property
    def mean_places(self) -> dict[int, Fraction]:
        """The mean place of each entry over all games."""
        sums: dict[int, Fraction] = {}
        for block in self.blocks:
            for entry, place in zip(block.entries, block.mean_places, strict=True):
                sums[entry] = sums.get(entry, Fraction(0)) + place
        return {entry: total / len(self.blocks) for entry, total in sums.items()}


def with_final_table(document: StandingsDocument, final: FinalResult) -> StandingsDocument:
    """Return standings in the order of the final table. Raises ValueError: one of its entries is not in them."""
    before = {row.entry: row.rank for row in document.rows}
    decided = final.mean_places
    if unknown := sorted(decided.keys() - before.keys()):
        raise ValueError(f"entries {unknown} of the final table are not in the standings")
    held = sorted(before, key=lambda entry: (before[entry], entry not in decided))  # finalists are first
    order = official_order(held, decided)
    ranks = official_ranks(order, before, decided)
    order.sort(key=lambda entry: ranks[entry])
    by_entry = {row.entry: row for row in document.rows}
    rows = [replace(by_entry[entry], rank=ranks[entry]) for entry in order]
    rows = [replace(row, rank_before=before[row.entry]) if row.entry in decided else row for row in rows]
    return replace(
        document,
        podium=[row.entry for row in rows if row.rank <= final_standings.PODIUM and row.blocks],
        rows=rows,
        final_table=FinalTable(final.match, len(final.blocks), EFFECT, _rows(order, before, ranks, decided)),
    )


def official_order(order: Sequence[int], decided: Mapping[int, Fraction]) -> list[int]:
    """Return the order after the final table: its entries are reordered in their places by their mean places there."""
    there = [entry for entry in order if entry in decided]
    best_first = iter(sorted(there, key=lambda entry: decided[entry]))  # stable: equal finalists keep their order
    return [next(best_first) if entry in decided else entry for entry in order]


def official_ranks(order: Sequence[int], rank: Mapping[int, int], decided: Mapping[int, Fraction]) -> dict[int, int]:
    """Return each entry's rank: a finalist's rank is its place in the order, and all other ranks stay the same."""
    ranks, first = dict(rank), dict[tuple[Fraction, int], int]()
    for place, entry in enumerate(order, 1):
        if entry in decided:  # finalists with equal ranks and equal mean places share a place
            ranks[entry] = first.setdefault((decided[entry], rank[entry]), place)
    return ranks


def _rows(
    order: Sequence[int], before: dict[int, int], ranks: dict[int, int], decided: dict[int, Fraction]
) -> list[FinalTableRow]:
    return [
        FinalTableRow(entry, ranks[entry], before[entry], round(float(decided[entry]), final_standings.SHOWN_DIGITS))
        for entry in order
        if entry in decided
    ]
