"""Rows of exports and of a match's tables, and the model of a match."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, get_type_hints

import msgspec
from flask import url_for
from sqlalchemy import select
from sqlmodel import Session, col

from gangland.game import EndReason
from gangland_web.base.formats import Row, timestamp, written_day
from gangland_web.models.bots import Bot, Version
from gangland_web.models.columns import stored
from gangland_web.models.matches import Match, MatchSeat, MatchState, PlayedGame
from gangland_web.models.tournaments import Entry, Epoch, Tournament
from gangland_web.queries.matches import MatchPage, SeatRow, dice_of, why_not_played
from gangland_web.queries.standings import WHO, who
from gangland_web.queries.tables import (
    BASE,
    Column,
    Count,
    Game,
    Hex64,
    Kind,
    Model,
    Moment,
    Number,
    Path,
    TableData,
    columns_of,
    table_of,
)
from gangland_web.services.matches import SIZE

# Rows of exports and of a match's tables: a bot in a match, a seat in a game.
#
# One statement reads each; long lists are read by windows of match numbers.


class MatchFacts(Model):
    """What a row says of the match; `number` is that in its tournament or ladder, `seats` how many bots play.

    `is_final` marks a tournament's final table, which is not rated.
    """

    match: Number
    number: Number
    rating_order: int | None
    day: str | None
    state: str
    void_reason: str | None
    over_at: Moment | None
    digest: Hex64 | None
    game: str
    seats: int
    blocks: int
    is_final: bool


class MatchBot(Model):
    """A bot in a match; `position` is its place in the order of entries, from 0."""

    position: Count
    entry: Number
    bot_id: Number
    bot: str
    version: Number
    owner: str
    mean_place_num: int | None
    mean_place_den: int | None
    mean_place: float | None
    wins: int | None
    faults: int | None
    luck: float | None
    adjusted_place: float | None
    mu_before: float | None
    sigma_before: float | None
    mu_after: float | None
    sigma_after: float | None


MatchRow: Any = msgspec.defstruct(
    "MatchRow",
    [*get_type_hints(MatchFacts, include_extras=True).items(), *get_type_hints(MatchBot, include_extras=True).items()],
    bases=(Model,),
    namespace={"__doc__": "A bot in a match; all rows of a match follow one another."},
    kw_only=True,
)


class GameRow(Model):
    """A seat of a game, from 0 as blocks and rotations are; `fault` is the kind of its failure, null without one."""

    match: Number
    number: Number
    block: Count
    rotation: Count
    seat: Count
    position: Count
    entry: Number
    bot_id: Number
    bot: str
    version: Number
    owner: str
    place: int
    won: bool
    luck: float
    fault: str | None
    rounds: int
    reason: str
    seed: str
    views: str


def read_matches(db: Session, tournament_id: int, window: range) -> list[Row]:
    """Return a row for each match and entry, by number and position."""
    return [_match_row(row) for row in _seat_rows(db, tournament_id, window)]


def read_games(db: Session, tournament_id: int, window: range) -> list[Row]:
    """Return a row for each game and seat of matches that are done, by match, block, rotation and seat."""
    seats = {
        number: list(rows) for number, rows in groupby(_seat_rows(db, tournament_id, window), itemgetter("number"))
    }
    query = (
        select(col(Match.number), *[getattr(PlayedGame, name) for name in _GAME])
        .join(Match, col(Match.id) == PlayedGame.match_id)
        .where(col(Match.tournament_id) == tournament_id, col(Match.number).between(window[0], window[-1]))
        .where(col(Match.state) == MatchState.DONE.value)
        .order_by(col(Match.number), col(PlayedGame.block), col(PlayedGame.rotation))
    )
    played = db.connection().execute(query).mappings().all()
    return [row for game in played for row in _game_rows(game, seats[game["number"]])]


_PLAYED: Final = ("mean_place_num", "mean_place_den", "wins", "faults", "luck")
_RATED: Final = ("mu_before", "sigma_before", "mu_after", "sigma_after")
_GAME: Final = ("block", "rotation", "replay", "views", "seating", "places", "luck", "faults")


def _seat_rows(db: Session, tournament_id: int, window: range) -> Any:
    query = (
        select(
            col(Match.id).label("match"),
            *[getattr(Match, name) for name in ("number", "rating_order", "state", "void_reason", "done_at", "digest")],
            *(col(Match.is_final), col(Tournament.game), *SIZE),
            col(Epoch.day),
            *[getattr(MatchSeat, name) for name in ("position", "adjusted", *_PLAYED, *_RATED)],
            *WHO,
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
    return db.connection().execute(query).mappings().all()


def _match_row(row: Any) -> Row:
    done = row["state"] == MatchState.DONE.value
    values = {
        **row,
        **who(row),
        "day": None if row["day"] is None else written_day(row["day"]),
        "over_at": timestamp(row["done_at"]),
        "mean_place": row["mean_place_num"] / row["mean_place_den"] if done else None,
        "adjusted_place": row["adjusted"] if done else None,
    }
    if not done:
        values |= dict.fromkeys((*_PLAYED, *_RATED))
    return {name: values[name] for name in MatchRow.__struct_fields__}


class _Played(msgspec.Struct):
    """What of a replay is a column."""

    seed: str
    rounds: int
    reason: str


_REPLAY: Final = msgspec.json.Decoder(_Played)


def _game_rows(game: Any, seats: list[Any]) -> list[Row]:
    replay = _REPLAY.decode(game["replay"])
    faults = {fault["seat"]: fault["kind"] for fault in game["faults"]}
    return [
        {
            "match": seats[position]["match"],
            "number": game["number"],
            "block": game["block"],
            "rotation": game["rotation"],
            "seat": seat,
            "position": position,
            **who(seats[position]),
            "place": game["places"][seat],
            "won": game["places"][seat] == 1 and replay.reason != EndReason.ALL_AT_FAULT,
            "luck": game["luck"][seat],
            "fault": faults.get(seat),
            "rounds": replay.rounds,
            "reason": replay.reason,
            "seed": replay.seed,
            "views": game["views"],
        }
        for seat, position in enumerate(game["seating"])
    ]


# The model of a match, for page, JSON, API, tables and exports.


class MatchDetail(Model):
    """A match and the bots in it; its dice hang on the secret behind `commitment`.

    `number` is its number in its tournament or ladder, `seats` how many bots play; `waits` says what a scheduled match
    waits for.  `host` is the worker host that played it, null before it is recorded.
    """

    id: Number
    number: Number
    url: Path
    page: Path
    game: Game
    seats: int
    blocks: Count
    is_final: bool
    purpose: str
    tournament: Number | None
    state: str
    waits: str
    void_reason: str | None
    rating_order: int | None
    day: str | None
    created_at: Moment | None
    over_at: Moment | None
    digest: Hex64 | None
    commitment: Hex64 | None
    secret: Hex64 | None
    host: str | None
    bots: list[MatchBot]


def match_detail(db: Session, page: MatchPage) -> MatchDetail:
    """Return a match that the visitor may see."""
    match, of, dice = page.match, page.tournament, dice_of(db, page)
    rows = rows_of(db, page)
    facts: dict[str, Any] = {name: rows[0][name] for name in MatchFacts.__struct_fields__ if name != "match"}
    return MatchDetail(
        **facts,
        id=stored(match.id),
        url=f"{BASE}/matches/{match.id}",
        page=url_for("matches.match", match_id=match.id),
        purpose=match.purpose,
        tournament=of.id if of.kind == "tournament" else None,
        waits=why_not_played(db, page),
        created_at=timestamp(match.created_at),
        commitment=dice.commitment,
        secret=dice.secret,
        host=page.host,
        bots=_bots(rows),
    )


def rows_of(db: Session, page: MatchPage) -> list[Row]:
    """Return a row for each bot of a match, as exports have them."""
    number = page.match.number
    return read_matches(db, page.match.tournament_id, range(number, number + 1))


def _bots(rows: Sequence[Row]) -> list[MatchBot]:
    return msgspec.convert([{name: row[name] for name in MatchBot.__struct_fields__} for row in rows], list[MatchBot])


MATCH_BOTS: Final = table_of(
    *("match-bots", MatchBot, "/matches/N/bots", "The bots of a match, and how it changed their ratings."),
    *columns_of(MatchBot),
)
MATCH_GAMES: Final = table_of(
    *("match-games", GameRow, "/matches/N/games", "Every game of a match, a row for each seat."),
    *columns_of(GameRow),
)


PLAYERS: Final = table_of(
    *("match-players", SeatRow, "", ""),
    *(Column("", "Bot", cell="match_bot", css="nowrap"), Column("", "Version", cell="version")),
    *(Column("", "Owner", cell="owner"), Column("", "Mean place", Kind.NUMBER, of="mean_place")),
    *(Column("", "Luck", Kind.SIGNED, of="seat.luck"), Column("", "Adjusted place", Kind.NUMBER, of="seat.adjusted")),
    *(Column("", "Wins", Kind.WHOLE, of="seat.wins"), Column("", "Faults", Kind.WHOLE, of="seat.faults")),
)
OF_PLAY: Final = ("Mean place", "Luck", "Adjusted place", "Wins", "Faults")
"""Headings of columns in which nothing stands before a match is played."""
RATING_MOVES: Final = table_of(
    *("match-ratings", SeatRow, "", ""),
    *(Column("", "Bot", of="label", css="nowrap"), Column("", "Rating before", Kind.NUMBER, "rating_before")),
    *(Column("", "Rating after", Kind.NUMBER, "rating_after"), Column("", "Change", Kind.SIGNED, "rating_change")),
    Column("", "Why", cell="rating_why", css="why"),
)
"""As the page of a match has its bots."""


def match_table(db: Session, page: MatchPage, what: str) -> TableData:
    """Return the bots or the games of a match; games only of a match that is done."""
    if what == "bots":
        return MATCH_BOTS.of(_bots(rows_of(db, page)))
    number = page.match.number
    rows = read_games(db, page.match.tournament_id, range(number, number + 1))
    return MATCH_GAMES.of(msgspec.convert(rows, list[GameRow]))
