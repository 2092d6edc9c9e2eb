"""The tables that are exported, read in short pieces: nobody who reads slowly holds the database up.

Each generator opens a session for a window of match numbers at a time.  What is played meanwhile may be in
later windows; how far a table goes is settled when it begins.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

import msgspec
from sqlalchemy import select
from sqlmodel import Session, col, func

from gangland_web.core.table_formats import Row, Value
from gangland_web.store.database import Database
from gangland_web.store.models.bots import Bot, Version
from gangland_web.store.models.matches import Match, MatchSeat, PlayedGame
from gangland_web.store.models.tournaments import Entry, Epoch, Tournament
from gangland_web.store.owners import owner_shown

MATCH_WINDOW: Final = 500
GAME_WINDOW: Final = 25
"""Matches that are read at once."""
DAY_S: Final = 86_400


class What(StrEnum):
    """What can be exported as a table."""

    MATCHES = "matches"
    GAMES = "games"
    STANDINGS = "standings"
    RATINGS = "ratings"
    DAYS = "days"


WHO: Final = ("entry", "bot", "version", "owner")
COLUMNS: Final[dict[What, tuple[str, ...]]] = {
    What.MATCHES: (
        *("match", "number", "rating_order", "day", "state", "void_reason", "over_at", "seat", *WHO, "mean_place_num"),
        *("mean_place_den", "mean_place", "wins", "faults", "luck", "adjusted_place"),
        *("mu_before", "sigma_before", "mu_after", "sigma_after", "digest", "game", "blocks"),
    ),
    What.GAMES: (
        *("match", "number", "block", "rotation", "seat", *WHO, "place", "luck", "fault", "rounds", "reason"),
        *("seed", "views"),
    ),
    What.STANDINGS: (
        *("rank", "rank_low", "rank_high", "holds", "best", "next_below", "next_above", *WHO),
        *("blocks", "won", "tied", "lost"),
        *("block_score", "against_all", "against_all_low", "against_all_high", "strength", "error"),
    ),
    What.RATINGS: (
        *("rank", *WHO, "code", "active", "mu", "sigma", "rating", "games", "wins", "faults"),
    ),
    What.DAYS: ("day", "commitment", "committed_at", "revealed_at", "secret", "first", "last", "matches"),
}  # fmt: skip
"""The columns of each table, in order; docs/exports.md says what is in them."""


@dataclass(frozen=True, slots=True)
class Span:
    """Which matches: by number, both ends included, or those of one day of a ladder; all of them if nothing is said.

    Attributes:
        day: counts days since 1970-01-01, as `Epoch.day` does.
    """

    first: int | None = None
    last: int | None = None
    day: int | None = None


def written_day(day: int) -> str:
    """Return a day as people write it: 2027-03-01."""
    return datetime.fromtimestamp(day * DAY_S, UTC).date().isoformat()


def read_day(text: str) -> int | None:
    """Return the day that people write as 2027-03-01, counted from 1970-01-01; None if it is none."""
    try:
        return (datetime.strptime(text, "%Y-%m-%d").date() - date(1970, 1, 1)).days  # noqa: DTZ007 (a day has no zone)
    except ValueError:
        return None


def moment(at: float | None) -> str | None:
    """Return a time in UTC, to the second: 2027-03-01T18:00:00Z."""
    return None if at is None else datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def numbers(session: Session, tournament_id: int, span: Span) -> range:
    """Return the numbers of the matches that a span asks for, as far as there are any."""
    chosen = select(func.min(Match.number), func.max(Match.number)).where(col(Match.tournament_id) == tournament_id)
    if span.day is not None:
        epochs = select(col(Epoch.id)).where(col(Epoch.tournament_id) == tournament_id, col(Epoch.day) == span.day)
        chosen = chosen.where(col(Match.epoch_id).in_(epochs))
    low, high = session.connection().execute(chosen).one()
    if low is None:
        return range(0)
    return range(max(low, span.first or low), min(high, high if span.last is None else span.last) + 1)


def matches(database: Database, tournament_id: int, asked: range) -> Iterator[Row]:
    """Yield a row for each match and entry, by number and entry."""
    for window in _windows(asked, MATCH_WINDOW):
        with database.read() as session:
            found = session.connection().execute(_seats(tournament_id, window)).mappings().all()
        for row in found:
            yield _match_row(row)


def _windows(asked: range, size: int) -> Iterator[range]:
    for at in range(asked.start, asked.stop, size):
        yield range(at, min(at + size, asked.stop))


def _seats(tournament_id: int, window: range) -> Any:
    return (
        select(
            col(Match.id).label("match"),
            col(Match.number),
            col(Match.rating_order),
            col(Epoch.day),
            col(Match.state),
            col(Match.void_reason),
            col(Match.done_at),
            col(Match.digest),
            col(Tournament.game),
            col(Tournament.blocks),
            *[getattr(MatchSeat, name) for name in ("position", "mean_place_num", "mean_place_den", "wins", "faults")],
            *[getattr(MatchSeat, name) for name in ("luck", "adjusted")],
            *[getattr(MatchSeat, name) for name in ("mu_before", "sigma_before", "mu_after", "sigma_after")],
            *_WHO,
        )
        .join(MatchSeat, col(MatchSeat.match_id) == Match.id)
        .join(Tournament, col(Tournament.id) == Match.tournament_id)
        .join(Entry, col(Entry.id) == MatchSeat.entry_id)
        .join(Version, col(Version.id) == Entry.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .outerjoin(Epoch, col(Epoch.id) == Match.epoch_id)
        .where(col(Match.tournament_id) == tournament_id, col(Match.number).between(window[0], window[-1]))
        .order_by(col(Match.number), col(MatchSeat.position))
    )


_WHO: Final[tuple[Any, ...]] = (
    col(Entry.id).label("entry"),
    col(Bot.name).label("bot"),
    col(Version.number).label("version"),
    owner_shown().label("owner"),
)


def _match_row(row: Any) -> Row:
    done = row["state"] == "done"
    count, of = row["mean_place_num"], row["mean_place_den"]
    kept = {name: row[name] if done else None for name in ("mu_before", "sigma_before", "mu_after", "sigma_after")}
    return {
        "match": row["match"],
        "number": row["number"],
        "rating_order": row["rating_order"],
        "day": None if row["day"] is None else written_day(row["day"]),
        "state": row["state"],
        "void_reason": row["void_reason"],
        "over_at": moment(row["done_at"]),
        "seat": row["position"],
        **_who(row),
        "mean_place_num": count if done else None,
        "mean_place_den": of if done else None,
        "mean_place": count / of if done else None,
        "wins": row["wins"] if done else None,
        "faults": row["faults"] if done else None,
        "luck": row["luck"] if done else None,
        "adjusted_place": row["adjusted"] if done else None,
        **kept,
        "digest": row["digest"],
        "game": row["game"],
        "blocks": row["blocks"],
    }


def _who(row: Any) -> dict[str, Value]:
    return {"entry": row["entry"], "bot": row["bot"], "version": row["version"], "owner": row["owner"] or ""}


class _Told(msgspec.Struct):
    """What of a replay is a column."""

    seed: str
    rounds: int
    reason: str


_TOLD: Final = msgspec.json.Decoder(_Told)
_GAME: Final = ("block", "rotation", "replay", "views", "seating", "places", "luck", "faults")


def games(database: Database, tournament_id: int, asked: range) -> Iterator[Row]:
    """Yield a row for each game and seat, by match, block, rotation and seat."""
    for window in _windows(asked, GAME_WINDOW):
        with database.read() as session:
            sat = session.connection().execute(_seats(tournament_id, window)).mappings().all()
            chosen = select(col(Match.number), *[getattr(PlayedGame, name) for name in _GAME])
            played = session.connection().execute(
                chosen.join(Match, col(Match.id) == PlayedGame.match_id)
                .where(col(Match.tournament_id) == tournament_id, col(Match.number).between(window[0], window[-1]))
                .where(col(Match.state) == "done")
                .order_by(col(Match.number), col(PlayedGame.block), col(PlayedGame.rotation))
            )
            found = played.mappings().all()
        seats = {number: list(rows) for number, rows in groupby(sat, key=itemgetter("number"))}
        for game in found:
            yield from _game_rows(game, seats[game["number"]])


def _game_rows(game: Any, seats: list[Any]) -> Iterator[Row]:
    told = _TOLD.decode(game["replay"])
    faults = {fault["seat"]: fault["kind"] for fault in game["faults"]}
    for seat, position in enumerate(game["seating"]):
        sitting = seats[position]
        yield {
            "match": sitting["match"],
            "number": game["number"],
            "block": game["block"],
            "rotation": game["rotation"],
            "seat": seat,
            **_who(sitting),
            "place": game["places"][seat],
            "luck": game["luck"][seat],
            "fault": faults.get(seat, ""),
            "rounds": told.rounds,
            "reason": told.reason,
            "seed": told.seed,
            "views": game["views"],
        }


def ratings(database: Database, tournament_id: int) -> Iterator[Row]:
    """Yield a row for each entry, the best rating first; ranks are of those that still play, equals share one."""
    kept = ("active", "mu", "sigma", "rating", "games", "wins", "faults")
    chosen = select(*_WHO, col(Version.code_sha256).label("code"), *[getattr(Entry, name) for name in kept])
    chosen = _entries(chosen, tournament_id).order_by(col(Entry.rating).desc(), col(Entry.id))
    with database.read() as session:
        found = session.connection().execute(chosen).mappings().all()
    rank, place, before = 0, 0, None
    for row in found:
        if row["active"]:
            place += 1
            rank, before = (rank if row["rating"] == before else place), row["rating"]
        yield {
            "rank": rank if row["active"] else None,
            **_who(row),
            "code": row["code"],
            **{name: row[name] for name in kept},
        }


def _entries(chosen: Any, tournament_id: int) -> Any:
    return (
        chosen.join(Version, col(Version.id) == Entry.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .where(col(Entry.tournament_id) == tournament_id)
    )


def standings(database: Database, tournament_id: int, table: dict[str, Any]) -> Iterator[Row]:
    """Yield a row for each entry of final standings (gangland/standings/1), the best first."""
    with database.read() as session:
        found = session.connection().execute(_entries(select(*_WHO), tournament_id)).mappings().all()
    who = {row["entry"]: _who(row) for row in found}
    for line in table["rows"]:
        low, _, high = line["range"].partition("-")
        share = line["against_all"] or {}
        yield {
            "rank": line["rank"],
            "rank_low": int(low),
            "rank_high": int(high or low),
            **{name: line[name] for name in ("holds", "best", "next_below", "next_above")},
            **who[line["entry"]],
            **{name: line[name] for name in ("blocks", "won", "tied", "lost", "block_score")},
            "against_all": share.get("value"),
            "against_all_low": share.get("low"),
            "against_all_high": share.get("high"),
            "strength": line["strength"],
            "error": line["error"],
        }


def days(database: Database, tournament_id: int) -> Iterator[Row]:
    """Yield a row for each day of a ladder; its secret once it is revealed."""
    counted = (
        select(
            col(Match.epoch_id),
            func.min(Match.number).label("first"),
            func.max(Match.number).label("last"),
            func.count().label("matches"),
        )
        .where(col(Match.tournament_id) == tournament_id)
        .group_by(col(Match.epoch_id))
        .subquery()
    )
    chosen = select(Epoch, counted.c.first, counted.c.last, counted.c.matches)
    chosen = chosen.outerjoin(counted, counted.c.epoch_id == Epoch.id)
    with database.read() as session:
        found = session.execute(chosen.where(col(Epoch.tournament_id) == tournament_id).order_by(col(Epoch.day))).all()
    for epoch, first, last, count in found:
        yield {
            "day": written_day(epoch.day),
            "commitment": epoch.commitment,
            "committed_at": moment(epoch.committed_at),
            "revealed_at": moment(epoch.revealed_at),
            "secret": None if epoch.revealed_at is None else epoch.secret.hex(),
            "first": first,
            "last": last,
            "matches": count or 0,
        }
