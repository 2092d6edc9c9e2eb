"""The tables of a tournament's page, each with its files, and the chart of its progress."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import msgspec
from flask import url_for

from gangland_web.charts.pictures import Picture
from gangland_web.charts.progress import progress
from gangland_web.resources.matches.lists import MATCHES
from gangland_web.resources.tables import Column, Kind, Sheet
from gangland_web.resources.tournaments.cross import Cell
from gangland_web.resources.tournaments.models import DEADLINES, Tournaments
from gangland_web.resources.tournaments.queries import Amendment, Part, Table
from gangland_web.resources.tournaments.so_far import SoFar
from gangland_web.store.models.organising import DirectiveKind
from gangland_web.store.models.tournaments import Tournament
from gangland_web.store.owners import HOUSE

ENTRIES: Final = (
    Column("entry", "Entry", Kind.WHOLE, quiet=True),
    Column("bot_id", "Number", Kind.WHOLE, quiet=True),
    Column("bot", "Bot"),
    Column("owner", "Owner"),
    Column("version", "Version", Kind.WHOLE),
    Column("code_sha256", "SHA-256 of its code"),
    Column("active", "In", Kind.FLAG),
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
    Column("matches_over", "Matches over", Kind.WHOLE),
    Column("matches_planned", "of", Kind.WHOLE),
)
_TIMES: Final = {"opens_at": "Entries open", "freezes_at": "Entries close", "starts_at": "Play begins"}
LIST: Final = (
    *(Column("id", "Number", Kind.WHOLE), Column("url", "url"), Column("page", "page"), Column("name", "Tournament")),
    *(Column("event", "Event", Kind.WHOLE), Column("state", "State"), Column("note", "Note"), Column("game", "Game")),
    *(Column("seats", "Seats", Kind.WHOLE), Column("matches_planned", "Matches", Kind.WHOLE)),
    Column("matches_over", "Matches played", Kind.WHOLE),
    *(Column(name, _TIMES.get(name, name), Kind.MOMENT) for name in DEADLINES),
)
"""The members of `TournamentSummary`."""
TABLES: Final[Mapping[str, tuple[Column, ...]]] = {
    "entries": ENTRIES,
    "cross": CROSS_ROWS,
    "progress": PROGRESS,
    "schedule": MATCHES,
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
                "owner": part.owner or HOUSE,
                "version": part.version,
                "code_sha256": part.code,
                "active": played.active if played else None,
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
            "owner": line.part.owner or HOUSE,
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
    planned = tournament.matches_planned
    rows = [{"over_at": at, "matches_over": count, "matches_planned": planned} for at, count in points]
    return _sheet(tournament, "progress", "Matches that were over by then", rows)


def progress_picture(tournament: Tournament, points: Sequence[tuple[float, int]]) -> Picture | None:
    """Return the chart of a tournament's progress."""
    return progress("progress", f"Progress of {tournament.name}", points, tournament.matches_planned)


def schedule_sheet(
    tournament: Tournament, tables: Sequence[Table], *, results: bool, beyond: str | None, **asked: int | None
) -> Sheet:
    """Return some matches of a tournament, a row for each bot in each; results only where the visitor may see them.

    Args:
        beyond: the address of the matches that follow.
        asked: which ones, as the page's address has it.
    """
    rows = [
        {
            "number": table.number,
            "match": table.id,
            "game": tournament.game,
            "seats": tournament.seats,
            "state": table.state if results else None,
            "over_at": table.done_at if results else None,
            "position": seat.position,
            "bot_id": seat.bot_id,
            "bot": seat.bot,
            "mean_place": seat.mean_place if results else None,
        }
        for table in tables
        for seat in (table.seats if results else sorted(table.seats, key=lambda seat: seat.position))
    ]
    sheet = _sheet(tournament, "schedule", "Matches in order of their numbers", rows, **asked)
    return replace(sheet, paged=True, next=beyond)


def list_sheet(found: Tournaments) -> Sheet:
    """Return a list of tournaments."""
    rows = [msgspec.to_builtins(each) for each in found.tournaments]
    return Sheet("tournament-list-rows", "Newest first", LIST, rows)
