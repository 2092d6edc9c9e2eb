"""The tables of a match's page as files: its seats, and every game with every seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from gangland_web.resources.matches.grids import BlockRow, GameCell
from gangland_web.resources.matches.queries import MatchPage, SeatRow
from gangland_web.resources.tables import Column, Kind, Sheet

SEATS: Final = (
    Column("position", "Position", Kind.WHOLE),
    Column("bot_id", "Number", Kind.WHOLE),
    Column("bot", "Bot"),
    Column("version", "Version", Kind.WHOLE),
    Column("owner", "Owner"),
    Column("mean_place", "Mean place", Kind.NUMBER),
    Column("luck", "Luck", Kind.SIGNED),
    Column("adjusted_place", "Adjusted place", Kind.NUMBER),
    Column("wins", "Wins", Kind.WHOLE),
    Column("faults", "Faults", Kind.WHOLE),
    Column("mu_before", "mu before", Kind.NUMBER),
    Column("sigma_before", "sigma before", Kind.NUMBER),
    Column("mu_after", "mu after", Kind.NUMBER),
    Column("sigma_after", "sigma after", Kind.NUMBER),
)
GAMES: Final = (
    Column("block", "Block", Kind.WHOLE),
    Column("rotation", "Order", Kind.WHOLE),
    Column("seat", "Seat", Kind.WHOLE),
    Column("bot", "Bot"),
    Column("version", "Version", Kind.WHOLE),
    Column("place", "Place", Kind.WHOLE),
    Column("won", "Won", Kind.FLAG),
    Column("luck", "Luck", Kind.SIGNED),
    Column("fault", "Fault"),
    Column("rounds", "Rounds", Kind.WHOLE),
    Column("ended", "Ended"),
)
TABLES: Final[Mapping[str, tuple[Column, ...]]] = {"seats": SEATS, "games": GAMES}


def match_sheet(page: MatchPage, grid: Sequence[BlockRow], what: str) -> Sheet:
    """Return a table of a match, `what` out of `TABLES`; blocks, orders and seats are counted from 1."""
    if what == "seats":
        rows = [_seat(seat) for seat in page.seats]
    else:
        rows = [
            _played(page, cell, number, position)
            for row in grid
            for cell in row.games
            for number, position in enumerate(cell.sitting, 1)
        ]
    return Sheet(f"match-{what}", "", TABLES[what], rows)


def _seat(seat: SeatRow) -> dict[str, Any]:
    rated = ("mu_before", "sigma_before", "mu_after", "sigma_after")
    return {
        "position": seat.position + 1,
        "bot_id": seat.bot_id,
        "bot": seat.bot,
        "version": seat.version,
        "owner": seat.owner,
        "mean_place": seat.mean_place,
        "luck": seat.seat.luck,
        "adjusted_place": seat.seat.adjusted,
        "wins": seat.seat.wins,
        "faults": seat.seat.faults,
        **{name: getattr(seat.seat, name) for name in rated},
    }


def _played(page: MatchPage, cell: GameCell, number: int, position: int) -> dict[str, Any]:
    seat = page.seats[position]
    return {
        "block": cell.block + 1,
        "rotation": cell.rotation + 1,
        "seat": number,
        "bot": seat.bot,
        "version": seat.version,
        "place": cell.places[position],
        "won": position in cell.winners,
        "luck": cell.luck[position],
        "fault": ", ".join(cell.faults[position]) or None,
        "rounds": cell.rounds,
        "ended": cell.reason,
    }
