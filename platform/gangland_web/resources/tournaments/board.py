"""A tournament's standings as its page shows them: ranks, who is separated from whom, and the podium."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from gangland_web.models.columns import stored
from gangland_web.models.tournaments import Tournament
from gangland_web.resources.tournaments.queries import Part
from gangland_web.resources.visibility import CurrentUser, results_visible
from gangland_web.services.settling import OVER, stored_standings


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One line: `figures` is a row of gangland/standings/1.

    Attributes:
        below: the next bot below from which it is not separated, None if it is from all.
    """

    part: Part
    figures: Mapping[str, Any]
    below: Part | None

    @property
    def moved_from(self) -> int | None:
        """The rank before the final table, of a bot that sat at it."""
        before: int | None = self.figures.get("rank_before")
        return before

    @property
    def rank_before(self) -> int:
        """The rank by all games before the final table."""
        return self.moved_from or int(self.figures["rank"])

    @property
    def best(self) -> str:
        """How probable it is that the bot is the best, in words; empty where that is not said."""
        share = self.figures["best"]
        if share is None:
            return ""
        return "more than 99%" if share > 0.995 else "less than 1%" if share < 0.005 else f"{share:.0%}"


@dataclass(frozen=True, slots=True)
class TopLine:
    """What is known of the first k: `inside` and `open` are bots."""

    k: int
    settled: bool
    inside: tuple[Part, ...]
    open: tuple[Part, ...]
    games_needed: int | None


@dataclass(frozen=True, slots=True)
class FinalLines:
    """The final table: `match` is its number, `lines` are its bots with a row of gangland/standings/1 each."""

    match: int
    lines: tuple[tuple[Part, Mapping[str, Any]], ...]


@dataclass(frozen=True, slots=True)
class Board:
    """Final standings, ready to be shown.

    Attributes:
        holds: the mean probability with which the ranges hold.
        enough: whether enough was played to say how probable it is that a bot is the best.
        podium: the first three, more if ranks are shared.
        final: the final table, with its bots best first; None if none was played.
        outside: bots outside the ranking with an `OutsideRow` each, the strongest first.
        games: how many were played before the final table.
    """

    holds: float
    enough: bool
    enough_blocks: int
    rows: tuple[BoardRow, ...]
    podium: tuple[BoardRow, ...]
    tops: tuple[TopLine, ...]
    final: FinalLines | None
    outside: tuple[tuple[Part, Mapping[str, Any]], ...]
    games: int

    @property
    def winners(self) -> tuple[BoardRow, ...]:
        """Who is first."""
        return tuple(row for row in self.podium if row.figures["rank"] == 1)


def shown_standings(db: Session, tournament: Tournament, who: CurrentUser | None) -> dict[str, Any] | None:
    """Return the final standings of a tournament, None before there are any and for whoever may not see them."""
    shown = tournament.state in OVER and results_visible(tournament, who)
    return stored_standings(db, stored(tournament.id)) if shown else None


def board(standings: Mapping[str, Any], parts: Sequence[Part]) -> Board:
    """Return standings with the bots that they are about."""
    by_entry = {part.entry.id: part for part in parts if part.entry is not None}
    rows = {
        row["entry"]: BoardRow(by_entry[row["entry"]], row, by_entry.get(row["next_below"]))
        for row in standings["rows"]
    }
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
    final = standings.get("final_table")
    return Board(
        holds=standings["holds"] or 0.0,
        enough=standings["enough"],
        enough_blocks=standings["enough_blocks"],
        rows=tuple(rows.values()),
        podium=tuple(rows[entry] for entry in standings["podium"]),
        tops=tops,
        final=FinalLines(final["match"], tuple((by_entry[row["entry"]], row) for row in final["rows"]))
        if final
        else None,
        outside=tuple((by_entry[row["entry"]], row) for row in standings.get("outside", ())),
        games=standings["games"],
    )
