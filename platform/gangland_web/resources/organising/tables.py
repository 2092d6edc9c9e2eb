"""The tables of the console, as files too."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from gangland_web.core.table_formats import Value
from gangland_web.core.text import shown
from gangland_web.resources.organising.queries import Ordered, Stuck, Summary
from gangland_web.resources.tables import Column, Kind, Sheet
from gangland_web.store.activity_log import Line

ORGANISED: Final = (
    *(Column("id", "Number", Kind.WHOLE, quiet=True), Column("name", "Tournament"), Column("state", "State")),
    *(Column("game", "Game"), Column("seats", "Seats", Kind.WHOLE), Column("entrants", "Entered", Kind.WHOLE)),
    *(Column("matches_over", "Matches over", Kind.WHOLE), Column("matches_planned", "of", Kind.WHOLE)),
    Column("organiser", "Organiser"),
)
ORDERED: Final = (
    *(Column("ordered_at", "Time", Kind.MOMENT), Column("by", "By"), Column("what", "Action")),
    *(Column("match", "Match", Kind.WHOLE), Column("reason", "Reason"), Column("state", "State")),
    Column("told", "Result"),
)
STUCK: Final = (
    *(Column("number", "Match", Kind.WHOLE), Column("match", "Number of the match", Kind.WHOLE, quiet=True)),
    *(Column("state", "State"), Column("attempt", "Failed attempts", Kind.WHOLE)),
    Column("since", "Since", Kind.MOMENT),
)
LOG: Final = (
    *(Column("entry", "No.", Kind.WHOLE), Column("at", "Time", Kind.MOMENT), Column("who", "Person")),
    *(Column("from", "Address"), Column("act", "Action"), Column("subject", "Object"), Column("details", "Details")),
)
ROLES: Final = (Column("name", "Name"), Column("role", "Role"))


def organised_sheet(found: Sequence[Summary]) -> Sheet:
    """Return tournaments as the console lists them."""
    rows: list[dict[str, Value]] = [
        {
            "id": one.tournament.id,
            "name": one.tournament.name,
            "state": one.tournament.state,
            "game": one.tournament.game,
            "seats": one.tournament.seats,
            "entrants": one.entrants,
            "matches_over": one.tournament.matches_over,
            "matches_planned": one.tournament.matches_planned,
            "organiser": one.organiser,
        }
        for one in found
    ]
    return Sheet("organised-list", "Newest first", ORGANISED, rows)


def ordered_sheet(ordered: Sequence[Ordered]) -> Sheet:
    """Return what was ordered, and what came of it."""
    rows: list[dict[str, Value]] = [
        {
            "ordered_at": one.directive.ordered_at,
            "by": one.by,
            "what": f"{one.directive.kind} {one.directive.details.get('state', '')}".strip(),
            "match": one.match_number,
            "reason": shown(one.directive.reason),
            "state": one.directive.state,
            "told": shown(one.directive.told),
        }
        for one in ordered
    ]
    return Sheet("orders", "Newest first", ORDERED, rows)


def stuck_sheet(stuck: Sequence[Stuck]) -> Sheet:
    """Return the matches that nobody finishes."""
    rows: list[dict[str, Value]] = [
        {
            "number": one.number,
            "match": one.match_id,
            "state": one.state,
            "attempt": one.attempt,
            "since": one.since,
        }
        for one in stuck
    ]
    return Sheet("stuck-matches", "Longest first", STUCK, rows)


def log_sheet(lines: Sequence[Line]) -> Sheet:
    """Return entries of the log."""
    rows: list[dict[str, Value]] = [
        {
            "entry": line.entry.id,
            "at": line.entry.at,
            "who": line.actor,
            "from": line.entry.address,
            "act": line.entry.act,
            "subject": shown(line.entry.subject),
            "details": shown(json.dumps(line.entry.details, ensure_ascii=False)) if line.entry.details else None,
        }
        for line in lines
    ]
    return Sheet("audit-log", "Newest first", LOG, rows)


def roles_sheet(roles: Sequence[tuple[str, str]]) -> Sheet:
    """Return who has a role."""
    return Sheet("roles", "By role", ROLES, [{"name": name, "role": role} for name, role in roles])
