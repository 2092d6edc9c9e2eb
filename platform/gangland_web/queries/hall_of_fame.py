"""Read the records of the ladders: the best visible record of each kind.

Void matches, house bots, and bots of users who have left are excluded.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from flask import url_for
from sqlalchemy import bindparam, select
from sqlmodel import Session, col

from gangland_ladder.common.texts import format_number
from gangland_web.base.formats import now_s, seconds
from gangland_web.models.bots import Bot
from gangland_web.models.matches import Match
from gangland_web.models.tournaments import LadderRecords, Record, RecordKind, Tournament
from gangland_web.services.hall_of_fame import find_hidden
from gangland_web.services.retention import Trim

TITLES: Final[Mapping[RecordKind, str]] = {
    RecordKind.UPSET: "Biggest upset",
    RecordKind.CLOSEST: "Most lead changes",
    RecordKind.REIGN: "Longest reign",
}


@dataclass(frozen=True, slots=True)
class RecordHolder:
    """A record as pages show it, with its holder and the match that proves it."""

    kind: RecordKind
    game: str
    seats: int
    bot_id: int
    bot: str
    value_text: str  # the value with its unit
    other_id: int | None
    other: str | None  # the loser of an upset
    at: float
    is_ongoing: bool  # whether this is a reign that has not ended
    match: int | None
    page: str | None
    replay: str | None


class StoredRecord(NamedTuple):
    """A stored record with its ladder and its bot."""

    record: Record
    game: str
    seats: int
    bot: str
    trimmed: int | None  # of the record's match


def game_records(db: Session, game: str) -> list[RecordHolder]:
    """Return the best record of each kind in a game, over all table sizes."""
    best: dict[str, StoredRecord] = {}
    for row in sorted(best_records(db), key=lambda row: -row.record.score):
        if row.game == game:
            best.setdefault(row.record.kind, row)
    records = [best[kind] for kind in TITLES if kind in best]
    losers = [row.record.about["other"] for row in records if "other" in row.record.about]
    rows: Any = db.connection().execute(_BOT_NAMES, {"bots": losers})
    names: dict[int, str] = dict(map(tuple, rows))
    return [record_holder(row, names) for row in records]


def best_records(db: Session) -> list[StoredRecord]:
    """Return the best visible record of each kind and ladder, including reigns that have not ended."""
    rows = [StoredRecord(*row) for row in db.execute(_RECORDS).all()]
    rows += _reigns(db)
    hidden = find_hidden(db, [(row.record.bot_id, row.record.match_id) for row in rows])
    visible = [row for row in rows if not hidden.hides(row.record.bot_id, row.record.match_id)]
    best: dict[tuple[str, str, int], StoredRecord] = {}
    for row in sorted(visible, key=lambda row: (-row.record.score, row.record.at, row.record.bot_id)):
        best.setdefault((row.record.kind, row.game, row.seats), row)
    return list(best.values())


def record_holder(row: StoredRecord, names: Mapping[int, str]) -> RecordHolder:
    """Return a record as pages show it; `names` has the names of the losers of upsets."""
    record, kind = row.record, RecordKind(row.record.kind)
    other = record.about.get("other")
    has_no_replay = record.match_id is None or (row.trimmed or 0) >= Trim.REPLAYS
    place: dict[str, Any] = {"block": record.block or 0, "rotation": record.rotation or 0}
    value = record.about["chance"] if kind is RecordKind.UPSET else record.score
    return RecordHolder(
        kind=kind,
        game=row.game,
        seats=row.seats,
        bot_id=record.bot_id,
        bot=row.bot,
        value_text=_value_text(kind, value),
        other_id=other if other in names else None,
        other=None if other is None else names.get(other),
        at=record.at,
        is_ongoing=kind is RecordKind.REIGN and record.id is None,
        match=record.match_id,
        page=None if record.match_id is None else url_for("matches.match", match_id=record.match_id),
        replay=None if has_no_replay else url_for("matches.game", match_id=record.match_id, **place),
    )


def _value_text(kind: RecordKind, value: float) -> str:
    if kind is RecordKind.REIGN:
        return seconds(value)
    if kind is RecordKind.UPSET:
        return f"chance {format_number(100 * value, '.1f')}%"
    return f"{value:.0f} lead {'change' if value == 1 else 'changes'}"


def _reigns(db: Session) -> list[StoredRecord]:
    now, reigns = now_s(), []
    for ladder, bot_id, since, game, seats, bot in db.execute(_REIGNS).all():
        facts: dict[str, Any] = {"kind": RecordKind.REIGN.value, "score": now - since, "about": {"since": since}}
        reigns.append(
            StoredRecord(Record(tournament_id=ladder, bot_id=bot_id, at=now, **facts), game, seats, bot, None)
        )
    return reigns


_RECORDS: Final[Any] = (
    select(Record, col(Tournament.game), col(Tournament.seats), col(Bot.name), col(Match.trimmed))
    .join(Tournament, col(Tournament.id) == Record.tournament_id)
    .join(Bot, col(Bot.id) == Record.bot_id)
    .outerjoin(Match, col(Match.id) == Record.match_id)
)
_REIGNS: Final[Any] = (
    select(
        *(col(LadderRecords.tournament_id), col(Bot.id), col(LadderRecords.leads_since)),
        *(col(Tournament.game), col(Tournament.seats), col(Bot.name)),
    )
    .join(Tournament, col(Tournament.id) == LadderRecords.tournament_id)
    .join(Bot, col(Bot.id) == LadderRecords.leader_id)
)
_BOT_NAMES: Final = select(col(Bot.id), col(Bot.name)).where(col(Bot.id).in_(bindparam("bots", expanding=True)))
