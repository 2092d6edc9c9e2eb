"""What the pages ask about matches and games, each in a fixed number of statements."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sqlalchemy.orm import defer
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from gangland_web.accounts.models import User
from gangland_web.bots.models import Bot, Version
from gangland_web.bots.owners import owner_shown
from gangland_web.columns import stored
from gangland_web.matches.lifecycle import MatchState, Purpose
from gangland_web.matches.models import Match, MatchSeat, PlayedGame
from gangland_web.tournaments.models import Entry, Tournament

_LOGS: Any = PlayedGame.logs
"""The one column that lists do without."""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One bot's part in a match."""

    position: int
    bot_id: int
    bot: str
    version: int
    owner_id: int | None
    owner: str | None
    mean_place: float | None
    seat: MatchSeat

    @property
    def label(self) -> str:
        """The bot and its version in one word, as the log calls it."""
        return f"{self.bot} v{self.version}"


@dataclass(frozen=True, slots=True)
class MatchRow:
    """One line of a list of matches; `bots` are the seats, best first."""

    id: int
    game: str
    seats: int
    done_at: float | None
    bots: tuple[SeatRow, ...]


@dataclass(frozen=True, slots=True)
class MatchPage:
    """A match with its tournament and its seats in entry order."""

    match: Match
    tournament: Tournament
    seats: tuple[SeatRow, ...]

    def names(self, seating: Iterable[int]) -> tuple[str, ...]:
        """Return what to call each seat of one game; a bot that sits twice is told apart by its position."""
        return tuple(self.seats[position].label for position in seating)


def seats_of(db: Session, match_ids: Iterable[int]) -> dict[int, tuple[SeatRow, ...]]:
    """Return the seats of each match, in entry order."""
    found: dict[int, list[SeatRow]] = {match_id: [] for match_id in match_ids}
    rows = db.exec(
        select(MatchSeat, Bot, Version.number, owner_shown())
        .join(Entry, col(Entry.id) == MatchSeat.entry_id)
        .join(Version, col(Version.id) == Entry.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .outerjoin(User, col(User.id) == Bot.owner_id)
        .where(col(MatchSeat.match_id).in_(found))
        .order_by(col(MatchSeat.match_id), col(MatchSeat.position))
    )
    for seat, bot, number, owner in rows:
        found[seat.match_id].append(
            SeatRow(seat.position, stored(bot.id), bot.name, number, bot.owner_id, owner, _mean_place(seat), seat)
        )
    return {match_id: tuple(seats) for match_id, seats in found.items()}


def _mean_place(seat: MatchSeat) -> float | None:
    if seat.mean_place_num is None or seat.mean_place_den is None:
        return None
    return float(Fraction(seat.mean_place_num, seat.mean_place_den))


def recent_matches(db: Session, limit: int, *, bot_id: int | None = None) -> list[MatchRow]:
    """Return the latest finished ladder matches, of all bots or of one."""
    wanted = (
        select(Match, Tournament.game, Tournament.seats)
        .join(Tournament, col(Tournament.id) == Match.tournament_id)
        .where(col(Match.state) == MatchState.DONE, col(Match.purpose) == Purpose.LADDER)
        .order_by(col(Match.id).desc())
        .limit(limit)
    )
    if bot_id is not None:
        wanted = wanted.where(col(Match.id).in_(_matches_of(bot_id)))
    rows = db.exec(wanted).all()
    seats = seats_of(db, [stored(match.id) for match, _, _ in rows])
    return [_row(match, game, size, seats[stored(match.id)]) for match, game, size in rows]


def _row(match: Match, game: str, size: int, seats: tuple[SeatRow, ...]) -> MatchRow:
    best_first = tuple(sorted(seats, key=lambda seat: (seat.mean_place or 0.0, seat.position)))
    return MatchRow(stored(match.id), game, size, match.done_at, best_first)


def _matches_of(bot_id: int) -> SelectOfScalar[int]:
    return (
        select(MatchSeat.match_id)
        .join(Entry, col(Entry.id) == MatchSeat.entry_id)
        .join(Version, col(Version.id) == Entry.version_id)
        .where(col(Version.bot_id) == bot_id)
    )


def match_page(db: Session, match_id: int) -> MatchPage | None:
    """Return a match with its seats, or None if there is none."""
    match = db.get(Match, match_id)
    if match is None:
        return None
    return MatchPage(match, db.get_one(Tournament, match.tournament_id), seats_of(db, [match_id])[match_id])


def games_of(db: Session, match_id: int) -> list[PlayedGame]:
    """Return a match's games by block and rotation, without the logs."""
    wanted = select(PlayedGame).where(PlayedGame.match_id == match_id).options(defer(_LOGS))
    return list(db.exec(wanted.order_by(col(PlayedGame.block), col(PlayedGame.rotation))))


def game_of(db: Session, match_id: int, block: int, rotation: int) -> PlayedGame | None:
    """Return one game of a match, or None if it was not played."""
    coordinates = (PlayedGame.match_id == match_id, PlayedGame.block == block, PlayedGame.rotation == rotation)
    return db.exec(select(PlayedGame).where(*coordinates)).one_or_none()


@dataclass(frozen=True, slots=True)
class FaultRow:
    """A fault of a bot in a ladder match."""

    match_id: int
    block: int
    rotation: int
    version: int
    fault: dict[str, Any]


def recent_faults(db: Session, bot_id: int, *, matches: int = 5) -> list[FaultRow]:
    """Return the first fault of the bot in each of its latest matches in which it had one."""
    rows = db.exec(
        select(MatchSeat.match_id, MatchSeat.position, Version.number)
        .join(Match, col(Match.id) == MatchSeat.match_id)
        .join(Entry, col(Entry.id) == MatchSeat.entry_id)
        .join(Version, col(Version.id) == Entry.version_id)
        .where(
            Version.bot_id == bot_id,
            MatchSeat.faults > 0,
            col(Match.purpose) == Purpose.LADDER,
            col(Match.state) == MatchState.DONE,
        )
        .order_by(col(MatchSeat.match_id).desc())
        .limit(matches)
    ).all()
    found = (_first_fault(games_of(db, match_id), position, number) for match_id, position, number in rows)
    return [fault for fault in found if fault is not None]


def _first_fault(games: list[PlayedGame], position: int, version: int) -> FaultRow | None:
    for game in games:
        for fault in game.faults:
            if game.seating[fault["seat"]] == position:
                return FaultRow(game.match_id, game.block, game.rotation, version, fault)
    return None
