"""The tables of a tournament's page, each with its files, and the chart of its progress."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from flask import url_for

from gangland_web.charts.pictures import Picture
from gangland_web.charts.progress import progress
from gangland_web.resources.tables import Column, Kind, Sheet
from gangland_web.resources.tournaments.cross import Cell
from gangland_web.resources.tournaments.queries import Amendment, Part, Table
from gangland_web.resources.tournaments.so_far import SoFar
from gangland_web.resources.visibility import Looker, over_told
from gangland_web.store.models.organising import DirectiveKind
from gangland_web.store.models.tournaments import Tournament

ENTRIES: Final = (
    Column("entry", "Entry", Kind.WHOLE, quiet=True),
    Column("bot_id", "Number", Kind.WHOLE, quiet=True),
    Column("bot", "Bot"),
    Column("owner", "Owner"),
    Column("version", "Version", Kind.WHOLE),
    Column("code_sha256", "SHA-256 of its code"),
    Column("in", "In", Kind.FLAG),
    Column("disqualified_for", "Disqualified for"),
    Column("games", "Games", Kind.WHOLE),
    Column("wins", "Wins", Kind.WHOLE),
    Column("faults", "Faults", Kind.WHOLE),
)
INTERIM: Final = (
    Column("rank", "Rank", Kind.WHOLE),
    Column("entry", "Entry", Kind.WHOLE, quiet=True),
    Column("bot_id", "Number", Kind.WHOLE, quiet=True),
    Column("bot", "Bot"),
    Column("owner", "Owner"),
    Column("score", "Score", Kind.NUMBER, 3),
    Column("matches", "Matches", Kind.WHOLE),
)
AMENDMENTS: Final = (
    *(Column("at", "When", Kind.MOMENT), Column("what", "What"), Column("bot", "Bot")),
    *(Column("number", "Match", Kind.WHOLE), Column("match", "Number of the match", Kind.WHOLE, quiet=True)),
    Column("reason", "Reason"),
)
AMENDED: Final = {
    DirectiveKind.RERUN: "played again",
    DirectiveKind.VOID: "taken out",
    DirectiveKind.DISQUALIFY: "disqualified",
}
CROSS_ROWS: Final = (
    Column("entry", "Entry", Kind.WHOLE),
    Column("bot", "Bot"),
    Column("against_entry", "Against entry", Kind.WHOLE),
    Column("against", "Against"),
    Column("matches", "Matches", Kind.WHOLE),
    Column("share", "Share", Kind.SHARE),
    Column("share_low", "At least", Kind.SHARE),
    Column("share_high", "At most", Kind.SHARE),
    Column("confidence", "Certainty"),
)
PROGRESS: Final = (
    Column("over_at", "By", Kind.MOMENT),
    Column("over", "Matches over", Kind.WHOLE),
    Column("planned", "of", Kind.WHOLE),
)
SCHEDULE: Final = (
    Column("number", "Number", Kind.WHOLE),
    Column("match", "Match", Kind.WHOLE),
    Column("state", "State"),
    Column("over_at", "Over", Kind.MOMENT),
    Column("order", "Order", Kind.WHOLE),
    Column("bot_id", "Number of the bot", Kind.WHOLE),
    Column("bot", "Bot"),
    Column("mean_place", "Mean place", Kind.NUMBER),
)
LIST: Final = (
    Column("tournament", "Tournament", Kind.WHOLE),
    Column("name", "Name"),
    Column("game", "Game"),
    Column("seats", "Seats", Kind.WHOLE),
    Column("state", "State"),
    Column("over", "Matches over", Kind.WHOLE),
    Column("planned", "of", Kind.WHOLE),
    Column("freezes_at", "Entries close", Kind.MOMENT),
    Column("starts_at", "Play begins", Kind.MOMENT),
)
TABLES: Final[Mapping[str, tuple[Column, ...]]] = {
    "entries": ENTRIES,
    "cross": CROSS_ROWS,
    "progress": PROGRESS,
    "schedule": SCHEDULE,
    "interim": INTERIM,
    "amendments": AMENDMENTS,
}


def _sheet(tournament: Tournament, what: str, caption: str, rows: Sequence[Mapping[str, Any]], **where: Any) -> Sheet:
    def at(form: str) -> str:
        return url_for("cup_figures.table", tournament_id=tournament.id, what=what, form=form, **where)

    return Sheet(f"tournament-{what}", caption, TABLES[what], rows, csv=at("csv"), json=at("json"))


def entries_sheet(tournament: Tournament, parts: Sequence[Part], *, results: bool) -> Sheet:
    """Return who takes part; what they came to only where the visitor may see results."""
    rows = []
    for part in parts:
        played = part.entry if results else None
        rows.append(
            {
                "entry": part.entry.id if part.entry else None,
                "bot_id": part.bot_id,
                "bot": part.bot,
                "owner": part.owner or "",
                "version": part.version,
                "code_sha256": part.code,
                "in": played.active if played else None,
                "disqualified_for": played.disqualified_for or None if played else None,
                "games": played.games if played else None,
                "wins": played.wins if played else None,
                "faults": played.faults if played else None,
            }
        )
    return _sheet(tournament, "entries", "Who takes part", rows)


def so_far_sheet(tournament: Tournament, lines: Sequence[SoFar]) -> Sheet:
    """Return the standings while the tournament is played."""
    rows = [
        {
            "rank": line.rank,
            "entry": line.part.entry.id if line.part.entry else None,
            "bot_id": line.part.bot_id,
            "bot": line.part.bot,
            "owner": line.part.owner or "",
            "score": line.score,
            "matches": line.matches,
        }
        for line in lines
    ]
    return _sheet(tournament, "interim", "Standings from the matches that are over", rows)


def amendments_sheet(tournament: Tournament, amendments: Sequence[Amendment]) -> Sheet:
    """Return what organisers did to results, and why."""
    rows = [
        {
            "at": one.at,
            "what": AMENDED[one.what],
            "bot": one.bot,
            "number": one.number,
            "match": one.match_id,
            "reason": one.reason,
        }
        for one in amendments
    ]
    links = [
        {"number": url_for("matches.match", match_id=one.match_id)} if one.match_id is not None else {}
        for one in amendments
    ]
    return replace(_sheet(tournament, "amendments", "Newest first", rows), links=links)


def cross_sheet(tournament: Tournament, parts: Sequence[Part], cells: Mapping[int, Mapping[int, Cell]]) -> Sheet:
    """Return the cross table, a row for each two that met."""
    names = {part.entry.id: part.bot for part in parts if part.entry is not None}
    rows = [
        {
            "entry": entry,
            "bot": names[entry],
            "against_entry": other,
            "against": names[other],
            "matches": cell.matches,
            "share": cell.share,
            "share_low": cell.lead.low if cell.lead else None,
            "share_high": cell.lead.high if cell.lead else None,
            "confidence": cell.lead.words if cell.lead else "void",
        }
        for entry, row in sorted(cells.items())
        for other, cell in sorted(row.items())
    ]
    return _sheet(tournament, "cross", "Matches and their results", rows)


def progress_sheet(tournament: Tournament, points: Sequence[tuple[float, int]]) -> Sheet:
    """Return how many matches were over by when."""
    rows = [{"over_at": at, "over": count, "planned": tournament.matches_planned} for at, count in points]
    return _sheet(tournament, "progress", "Matches that were over by then", rows)


def progress_picture(tournament: Tournament, points: Sequence[tuple[float, int]]) -> Picture | None:
    """Return the chart of a tournament's progress."""
    return progress("progress", f"Progress of {tournament.name}", points, tournament.matches_planned)


def schedule_sheet(tournament: Tournament, tables: Sequence[Table], *, results: bool, **asked: int | None) -> Sheet:
    """Return some matches of a tournament, a row for each bot in each; results only where the visitor may see them.

    Args:
        asked: which ones, as the page's address has it.
    """
    rows = []
    for table in tables:
        seats = table.seats if results else sorted(table.seats, key=lambda seat: seat.position)
        for order, seat in enumerate(seats, 1):
            rows.append(
                {
                    "number": table.number,
                    "match": table.id,
                    "state": table.state if results else None,
                    "over_at": table.done_at if results else None,
                    "order": order,
                    "bot_id": seat.bot_id,
                    "bot": seat.bot,
                    "mean_place": seat.mean_place if results else None,
                }
            )
    return _sheet(tournament, "schedule", "Matches in order of their numbers", rows, **asked)


def list_sheet(found: Sequence[Tournament], who: Looker | None) -> Sheet:
    """Return a list of tournaments."""
    rows = [
        {
            "tournament": each.id,
            "name": each.name,
            "game": each.game,
            "seats": each.seats,
            "state": each.state,
            "over": over_told(each, who),
            "planned": each.matches_planned,
            "freezes_at": each.freezes_at,
            "starts_at": each.starts_at,
        }
        for each in found
    ]
    return Sheet("tournament-list-rows", "Newest first", LIST, rows)
