"""What the JSON twins of the tournaments' pages tell."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from gangland_ladder.tournaments.deadlines import LINE
from gangland_web.core.text import shown
from gangland_web.league.tournaments.public_values import announced_for
from gangland_web.resources.tournaments.queries import Part
from gangland_web.resources.tournaments.whole import Whole
from gangland_web.resources.visibility import Looker, over_told, shown_secret
from gangland_web.store.models.tournaments import Tournament

HOUSE = "house"
"""The owner of house bots."""


def told_list(found: Sequence[Tournament], more: int | None, who: Looker | None) -> dict[str, Any]:
    """Return a list of tournaments, newest first; `before` is where the next page begins."""
    return {
        "schema": "gangland/tournament-list/1",
        "tournaments": [_told(each, who) for each in found],
        "before": more,
    }


def told_whole(whole: Whole, who: Looker | None) -> dict[str, Any]:
    """Return a tournament as its page shows it; `results` is null where nobody may see them yet."""
    tournament = whole.tournament
    return {
        "schema": "gangland/tournament-page/1",
        **_told(tournament, who),
        "options": tournament.options,
        "blocks": tournament.blocks,
        "limits": tournament.limits,
        "tables_asked": tournament.tables_asked,
        "entry_rule": tournament.entry_rule,
        "house_bots": tournament.house_bots,
        "deadlines": {name: _time(getattr(tournament, name)) for name in (*LINE, "embargo_until")},
        "commitment": tournament.commitment if tournament.announced_at is not None else None,
        "roster_digest": tournament.roster_digest or None,
        "secret": shown_secret(tournament),
        "randomness": _randomness(tournament),
        "entries": [_part(part, results=whole.shown) for part in whole.parts],
        "results": _results(whole) if whole.shown else None,
    }


def _randomness(tournament: Tournament) -> dict[str, Any] | None:
    announced = announced_for(tournament)
    if announced is None:
        return None
    told = {name: shown(value) for name, value in msgspec.to_builtins(announced).items()}
    value = tournament.public_value
    return {**told, "value": None if value is None else shown(value), "entered_at": _time(tournament.public_value_at)}


def _told(tournament: Tournament, who: Looker | None) -> dict[str, Any]:
    return {
        "id": tournament.id,
        "name": shown(tournament.name),
        "state": tournament.state,
        "note": shown(tournament.note),
        "game": tournament.game,
        "seats": tournament.seats,
        "matches": tournament.matches_planned,
        "over": over_told(tournament, who),
    }


def _part(part: Part, *, results: bool) -> dict[str, Any]:
    owner = HOUSE if part.owner is None else shown(part.owner)
    told: dict[str, Any] = {"bot_id": part.bot_id, "bot": shown(part.bot), "owner": owner}
    if part.entry is None:
        return told
    told |= {"entry": part.entry.id, "version": part.version, "code_sha256": part.code}
    if results:
        played = {"games": part.entry.games, "wins": part.entry.wins, "faults": part.entry.faults}
        told |= {"in": part.entry.active, **played}
    return told


def _results(whole: Whole) -> dict[str, Any]:
    cross = [
        {"entry": entry, "against": other, "match": cell.match_id, "score": cell.share}
        for entry, row in sorted(whole.cross.items())
        for other, cell in sorted(row.items())
    ]
    return {"standings": whole.standings, "cross": cross}


def _time(at: float | None) -> str | None:
    return None if at is None else datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
