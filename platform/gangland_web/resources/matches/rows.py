"""Bots in matches and seats in games, as rows: of exports, of streams of the API, and of a match's own tables.

One statement reads each; whoever wants many takes them by windows of match numbers.
"""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import Any, Final, get_type_hints

import msgspec
from sqlalchemy import select
from sqlmodel import Session, col

from gangland.game import EndReason
from gangland_web.base.clock import timestamp, written_day
from gangland_web.base.formats import Row
from gangland_web.models.bots import Bot, Version
from gangland_web.models.matches import Match, MatchSeat, MatchState, PlayedGame
from gangland_web.models.tournaments import Entry, Epoch, Tournament
from gangland_web.resources.entries import WHO, who
from gangland_web.resources.fields import Count, Hex64, Model, Moment, Number
from gangland_web.services.matches import SIZE


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
    return [_match_row(row) for row in _seats(db, tournament_id, window)]


def read_games(db: Session, tournament_id: int, window: range) -> list[Row]:
    """Return a row for each game and seat of matches that are done, by match, block, rotation and seat."""
    seats = {number: list(rows) for number, rows in groupby(_seats(db, tournament_id, window), itemgetter("number"))}
    chosen = (
        select(col(Match.number), *[getattr(PlayedGame, name) for name in _GAME])
        .join(Match, col(Match.id) == PlayedGame.match_id)
        .where(col(Match.tournament_id) == tournament_id, col(Match.number).between(window[0], window[-1]))
        .where(col(Match.state) == MatchState.DONE.value)
        .order_by(col(Match.number), col(PlayedGame.block), col(PlayedGame.rotation))
    )
    played = db.connection().execute(chosen).mappings().all()
    return [row for game in played for row in _game_rows(game, seats[game["number"]])]


def match_bot(row: Row) -> Row:
    """Return what a row says of the bot alone."""
    return {name: row[name] for name in MatchBot.__struct_fields__}


_PLAYED: Final = ("mean_place_num", "mean_place_den", "wins", "faults", "luck")
_RATED: Final = ("mu_before", "sigma_before", "mu_after", "sigma_after")
_GAME: Final = ("block", "rotation", "replay", "views", "seating", "places", "luck", "faults")


def _seats(db: Session, tournament_id: int, window: range) -> Any:
    chosen = (
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
    return db.connection().execute(chosen).mappings().all()


def _match_row(row: Any) -> Row:
    done = row["state"] == MatchState.DONE.value
    found = {
        **row,
        **who(row),
        "day": None if row["day"] is None else written_day(row["day"]),
        "over_at": timestamp(row["done_at"]),
        "mean_place": row["mean_place_num"] / row["mean_place_den"] if done else None,
        "adjusted_place": row["adjusted"] if done else None,
    }
    if not done:
        found |= dict.fromkeys((*_PLAYED, *_RATED))
    return {name: found[name] for name in MatchRow.__struct_fields__}


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
