"""What the pages ask about matches and games, each in a fixed number of statements."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sqlalchemy.orm import defer
from sqlmodel import Session, col, select

from gangland_web.models.bots import Bot, Version
from gangland_web.models.columns import stored
from gangland_web.models.matches import Match, MatchSeat, MatchState, PlayedGame, WorkerHost
from gangland_web.models.owners import owner_shown
from gangland_web.models.tournaments import Entry, Tournament
from gangland_web.services.matches import Size, size_of

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
    team_id: int | None
    owner: str | None
    mean_place: float | None
    seat: MatchSeat

    @property
    def label(self) -> str:
        """The bot and its version in one word, as the log calls it."""
        return f"{self.bot} v{self.version}"


@dataclass(frozen=True, slots=True)
class MatchPage:
    """A match with its tournament and its seats in entry order."""

    match: Match
    tournament: Tournament
    seats: tuple[SeatRow, ...]
    host: str | None = None
    """The worker host that played it, once it is recorded."""

    @property
    def size(self) -> Size:
        """Its seats, blocks and limits: those of the tournament, but for a final table."""
        return size_of(self.tournament, self.match)

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
        .where(col(MatchSeat.match_id).in_(found))
        .order_by(col(MatchSeat.match_id), col(MatchSeat.position))
    )
    for seat, bot, number, owner in rows:
        found[seat.match_id].append(
            SeatRow(
                seat.position,
                stored(bot.id),
                bot.name,
                number,
                bot.owner_id,
                bot.team_id,
                owner,
                _mean_place(seat),
                seat,
            )
        )
    return {match_id: tuple(seats) for match_id, seats in found.items()}


def _mean_place(seat: MatchSeat) -> float | None:
    if seat.mean_place_num is None or seat.mean_place_den is None:
        return None
    return float(Fraction(seat.mean_place_num, seat.mean_place_den))


def match_page(db: Session, match_id: int) -> MatchPage | None:
    """Return a match with its seats, or None if there is none."""
    match = db.get(Match, match_id)
    if match is None:
        return None
    played = match.state == MatchState.DONE.value and match.host_id is not None
    host = db.get_one(WorkerHost, match.host_id).name if played else None
    return MatchPage(match, db.get_one(Tournament, match.tournament_id), seats_of(db, [match_id])[match_id], host)


def games_of(db: Session, match_id: int) -> list[PlayedGame]:
    """Return a match's games by block and rotation, without the logs."""
    wanted = select(PlayedGame).where(PlayedGame.match_id == match_id).options(defer(_LOGS))
    return list(db.exec(wanted.order_by(col(PlayedGame.block), col(PlayedGame.rotation))))


def game_of(db: Session, match_id: int, block: int, rotation: int) -> PlayedGame | None:
    """Return one game of a match, or None if it was not played."""
    coordinates = (PlayedGame.match_id == match_id, PlayedGame.block == block, PlayedGame.rotation == rotation)
    return db.exec(select(PlayedGame).where(*coordinates)).one_or_none()
