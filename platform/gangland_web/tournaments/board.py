"""A tournament's standings as its page shows them: ranks, ties, and what is settled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gangland_web.tournaments.page_queries import Part


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One line: `figures` is a row of gangland/standings/1."""

    part: Part
    figures: Mapping[str, Any]

    @property
    def is_tied(self) -> bool:
        """Whether its range of ranks overlaps with another's."""
        return "-" in str(self.figures["group"])


@dataclass(frozen=True, slots=True)
class TopLine:
    """What is known of the first k: `inside` and `open` are bots."""

    k: int
    settled: bool
    inside: tuple[Part, ...]
    open: tuple[Part, ...]
    games_needed: int | None


@dataclass(frozen=True, slots=True)
class Board:
    """Final standings, ready to be shown."""

    level: float
    rows: tuple[BoardRow, ...]
    tops: tuple[TopLine, ...]
    ties: tuple[str, ...]


def board(standings: Mapping[str, Any], parts: Sequence[Part]) -> Board:
    """Return standings with the bots that they are about."""
    by_entry = {part.entry.id: part for part in parts if part.entry is not None}
    rows = tuple(BoardRow(by_entry[row["entry"]], row) for row in standings["rows"])
    tops = tuple(
        TopLine(
            k=top["k"],
            settled=top["settled"],
            inside=tuple(by_entry[entry] for entry in top["inside"]),
            open=tuple(by_entry[entry] for entry in top["open"]),
            games_needed=top["games_needed"],
        )
        for top in standings["top"]
    )
    groups = {str(row.figures["group"]): None for row in rows if row.is_tied}
    return Board(standings["level"], rows, tops, tuple(groups))
