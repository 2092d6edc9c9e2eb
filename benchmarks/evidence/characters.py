"""What each character is worth, one kind of player in all seats."""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks.evidence.census import WHOLE_WIN, Cell, Census
from benchmarks.evidence.stats import Interval, wilson
from benchmarks.evidence.tables import Row, Table, give_or_take

NAMES = {
    "nancy": "Nancy Hughs",
    "bobby": "Bobby Washington",
    "eddie": "Eddie Vandenburg",
    "franky": "Franky",
    "roberts": "Roberts",
    "silvio": "Silvio",
    "timmy": "Timmy Green",
    "don": "Don Ciaperinelli",
    "liza": "Liza Bruno",
}
CLAIMED = (0.83, 1.11)
"""Between what the house set's characters were measured when it was made."""


def against_fair_share(census: Census, character: str, seats: int) -> Interval:
    """Return a character's wins over the share of an even table; joint winners share one win."""
    share = wilson(census.won[character] / WHOLE_WIN, census.dealt[character])
    return Interval(share.value * seats, share.low * seats, share.high * seats)


def characters_table(census: Mapping[Cell, Census]) -> Table:
    """Return every character's worth at every table size."""
    cells = sorted(census, key=lambda cell: cell.seats)
    found = {key: [against_fair_share(census[cell], key, cell.seats) for cell in cells] for key in NAMES}
    rows: tuple[Row, ...] = tuple(
        (NAMES[key], *(give_or_take(each, 2) for each in worth)) for key, worth in found.items()
    )
    columns = ("character", *(f"{cell.seats} seats, {census[cell].games:,} games" for cell in cells))
    everything = [each for worth in found.values() for each in worth]
    low, high = CLAIMED
    beyond = [
        f"{NAMES[key]} at {cell.seats} seats"
        for key, worth in found.items()
        for cell, each in zip(cells, worth, strict=True)
        if each.high < low or each.low > high
    ]
    finding = (
        f"All in all {min(each.value for each in everything):.2f} to {max(each.value for each in everything):.2f}. "
        f"When the set was made, {low} to {high} was measured with another bot; beyond that by more than the interval: "
        f"{', '.join(beyond) or 'none'}."
    )
    return Table("characters", "Characters", columns, rows, finding)
