"""How long games last."""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks.evidence.census import Cell, Census
from benchmarks.evidence.players import ANY
from benchmarks.evidence.stats import quantile, wilson
from benchmarks.evidence.tables import Row, Table
from gangland.gang_of_dice.state import ROUNDS

CLAIMED = 75
"""What ruling G33 says that no sensible or random game has passed."""
QUANTILES = (0.5, 0.95, 0.99, 0.999)
COLUMNS = ("seats", "players", "options", "games", "median", "95%", "99%", "99.9%", "longest")


def gangster_dice_table(census: Mapping[Cell, Census]) -> Table:
    """Return the lengths of Gangster Dice, a row a cell, and what is so of the claim in G33."""
    mine = {cell: found for cell, found in census.items() if cell.game == "gangster-dice"}
    rows = tuple((*_row(cell, found), passed(found, CLAIMED), found.limited) for cell, found in mine.items())
    columns = (*COLUMNS, f"past {CLAIMED}", "at the limit")
    return Table("lengths-gangster-dice", "Rounds of Gangster Dice", columns, rows, _claim(mine))


def gang_of_dice_table(census: Mapping[Cell, Census]) -> Table:
    """Return the lengths of Gang of Dice, a row a cell."""
    mine = {cell: found for cell, found in census.items() if cell.game == "gang-of-dice"}
    rows = tuple((*_row(cell, found), early(found)) for cell, found in mine.items())
    games, ended = sum(found.games for found in mine.values()), sum(map(early, mine.values()))
    finding = f"{ended:,} of {games:,} games ended before round {ROUNDS}: one player or none was left."
    columns = (*COLUMNS, f"over before round {ROUNDS}")
    return Table("lengths-gang-of-dice", "Rounds of Gang of Dice", columns, rows, finding)


def _row(cell: Cell, found: Census) -> Row:
    quantiles = [quantile(found.rounds, share) for share in QUANTILES]
    return (cell.seats, cell.stem, cell.variant, found.games, *quantiles, max(found.rounds))


def early(found: Census) -> int:
    """Return how many games of Gang of Dice were over before the last round."""
    return found.games - found.rounds[ROUNDS]


def passed(found: Census, rounds: int) -> int:
    """Return how many games lasted longer than so many rounds."""
    return sum(games for length, games in found.rounds.items() if length > rounds)


def _claim(census: Mapping[Cell, Census]) -> str:
    """Say what is so of the claim in G33: for random play, and for the house bots."""
    said = []
    for who, random in (("Random play", True), ("House bots", False)):
        mine = [found for cell, found in census.items() if (cell.stem == ANY) is random]
        games, over = sum(found.games for found in mine), sum(passed(found, CLAIMED) for found in mine)
        share, limited = wilson(over, games), sum(found.limited for found in mine)
        longest = max(max(found.rounds) for found in mine)
        said.append(
            f"{who}: {over:,} of {games:,} games passed {CLAIMED} rounds (95% interval of the share: {share.low:.3%} "
            f"to {share.high:.3%}), the limit ended {limited:,}, and the longest had {longest}."
        )
    return " ".join(said)
