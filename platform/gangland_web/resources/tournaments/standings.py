"""Final standings as pages' JSON, the API and exports have them: one model and one builder."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlmodel import Session

from gangland_web.models.columns import stored
from gangland_web.models.tournaments import Tournament
from gangland_web.resources.entries import read_entries, who
from gangland_web.resources.fields import Model, Number


class StandingRow(Model):
    """An entry's line of final standings.  docs/standings.md says what each figure is."""

    rank: int
    rank_before: int | None
    rank_low: int
    rank_high: int
    holds: float
    best: float | None
    next_below: Number | None
    next_above: Number | None
    entry: Number
    bot_id: Number
    bot: str
    version: int
    owner: str
    blocks: int
    won: int
    tied: int
    lost: int
    block_score: float | None
    against_all: float | None
    against_all_low: float | None
    against_all_high: float | None
    strength: float
    error: float


class Top(Model):
    """What is known of the first k: who is surely among them, and who may be; all are entries."""

    k: int
    settled: bool
    inside: list[int]
    open: list[int]
    games_needed: int | None


class OutsideStanding(Model):
    """An entry outside the ranking, such as a house bot; its games count for the others."""

    entry: Number
    bot_id: Number
    bot: str
    version: int
    owner: str
    blocks: int
    won: int
    tied: int
    lost: int
    block_score: float | None
    strength: float


class FinalTableLine(Model):
    """An entry of the final table: its rank for it, the one before, and its mean place over all its games."""

    entry: Number
    rank: int
    rank_before: int
    mean_place: float


class FinalTableResult(Model):
    """The final table, best first; `match` is its number in the tournament."""

    match: Number
    blocks: int
    effect: str
    rows: list[FinalTableLine]


class Standings(Model):
    """Final standings, the best first; `podium` is the entries of the first three ranks.

    `final_table` has decided ranks and order, where there was one; all else is of the matches before it.  `outside`
    has who plays outside the ranking, the strongest first.
    """

    level: float
    holds: float | None
    enough_blocks: int
    enough: bool
    podium: list[int]
    blocks: int
    games: int
    top: list[Top]
    final_table: FinalTableResult | None
    outside: list[OutsideStanding]
    rows: list[StandingRow]


def standings_of(db: Session, tournament: Tournament, kept: dict[str, Any]) -> Standings:
    """Return the final standings that are kept of a tournament (gangland/standings/1), with the names of its bots."""
    named = {row["entry"]: who(row) for row in read_entries(db, stored(tournament.id))}
    rows = [_row(line, named[line["entry"]]) for line in kept["rows"]]
    outside = [{**line, **named[line["entry"]]} for line in kept.get("outside", ())]
    same = {name: kept.get(name) for name in Standings.__struct_fields__}
    return msgspec.convert({**same, "outside": outside, "rows": rows}, Standings)


def _row(line: dict[str, Any], named: dict[str, Any]) -> dict[str, Any]:
    low, _, high = line["range"].partition("-")
    share = line["against_all"] or {}
    return {
        "rank_before": None,
        **{name: line[name] for name in StandingRow.__struct_fields__ if name in line},
        **named,
        "rank_low": int(low),
        "rank_high": int(high or low),
        "against_all": share.get("value"),
        "against_all_low": share.get("low"),
        "against_all_high": share.get("high"),
    }
