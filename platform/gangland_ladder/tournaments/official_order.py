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
    """Return the standings after the final table. Raises ValueError: an entry of the final table is not in them."""
    before = {row.entry: row.rank for row in document.rows}
    results = final.mean_places
    if unknown := sorted(results.keys() - before.keys()):
        raise ValueError(f"entries {unknown} of the final table are not in the standings")
    entries = sorted(before, key=lambda entry: (before[entry], entry not in results))  # finalists are first
    order = official_order(entries, results)
    ranks = official_ranks(order, before, results)
    order.sort(key=lambda entry: ranks[entry])
    by_entry = {row.entry: row for row in document.rows}
    rows = [replace(by_entry[entry], rank=ranks[entry]) for entry in order]
    rows = [replace(row, rank_before=before[row.entry]) if row.entry in results else row for row in rows]
    return replace(
        document,
        podium=[row.entry for row in rows if row.rank <= final_standings.PODIUM and row.blocks],
        rows=rows,
        final_table=FinalTable(final.match, len(final.blocks), EFFECT, _rows(order, before, ranks, results)),
    )


def official_order(order: Sequence[int], results: Mapping[int, Fraction]) -> list[int]:
    """Return the order after the final table: its entries share their places by their mean places there."""
    finalists = [entry for entry in order if entry in results]
    best_first = iter(sorted(finalists, key=lambda entry: results[entry]))  # stable: equal finalists keep their order
    return [next(best_first) if entry in results else entry for entry in order]


def official_ranks(order: Sequence[int], rank: Mapping[int, int], results: Mapping[int, Fraction]) -> dict[int, int]:
    """Return each entry's rank: a finalist's rank is its place in the order, and all other ranks stay the same."""
    ranks, first = dict(rank), dict[tuple[Fraction, int], int]()
    for place, entry in enumerate(order, 1):
        if entry in results:  # finalists with equal ranks and equal mean places share a place
            ranks[entry] = first.setdefault((results[entry], rank[entry]), place)
    return ranks


def _rows(
    order: Sequence[int], before: dict[int, int], ranks: dict[int, int], results: dict[int, Fraction]
) -> list[FinalTableRow]:
    return [
        FinalTableRow(entry, ranks[entry], before[entry], round(float(results[entry]), final_standings.SHOWN_DIGITS))
        for entry in order
        if entry in results
    ]
