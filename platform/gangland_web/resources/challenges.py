"""What the page of challenges asks for, each in a fixed number of statements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlmodel import Session, col, select

from gangland_web.resources.matches.queries import SeatRow, seats_of
from gangland_web.resources.tables import Column, Kind, Sheet
from gangland_web.store.columns import stored
from gangland_web.store.models.bots import Bot, Version
from gangland_web.store.models.matches import Match, MatchSeat
from gangland_web.store.models.tournaments import Entry, Tournament
from gangland_web.store.owners import party_of

CHALLENGES: Final = (
    *(Column("match", "Match", Kind.WHOLE), Column("game", "Game"), Column("state", "State")),
    *(Column("void_reason", "Why void"), Column("asked_for_at", "Started", Kind.MOMENT)),
    *(Column("asked_for_by_me", "By me", Kind.FLAG), Column("order", "Order", Kind.WHOLE)),
    *(Column("bot_id", "Number", Kind.WHOLE), Column("bot", "Bot"), Column("version", "Version", Kind.WHOLE)),
    Column("mean_place", "Mean place", Kind.NUMBER),
)


@dataclass(frozen=True, slots=True)
class ChallengeRow:
    """One challenge; `seats` best first once it is played."""

    id: int
    game: str
    state: str
    void_reason: str | None
    mine: bool
    created_at: float
    seats: tuple[SeatRow, ...]


def own_active_bots(db: Session, owner_id: int) -> list[Bot]:
    """Return the bots that a person may act for and that play, in order of game and name."""
    chosen = select(Bot).where(party_of(db, owner_id).theirs(), col(Bot.active_version_id).is_not(None))
    return list(db.exec(chosen.order_by(Bot.game, Bot.name_key)).all())


def names_to_pick(db: Session, games: set[str], most: int = 50) -> list[tuple[str, str]]:
    """Return games and names of some bots to play against: the house's, then those that came last."""
    chosen = select(Bot.game, Bot.name).where(col(Bot.game).in_(games), col(Bot.active_version_id).is_not(None))
    return list(db.exec(chosen.order_by(col(Bot.is_house).desc(), col(Bot.id).desc()).limit(most)).all())


def challenges_of(db: Session, person_id: int, limit: int) -> list[ChallengeRow]:
    """Return the latest challenges in which bots sit that a person may act for, whoever asked for them."""
    sits = (
        select(MatchSeat.match_id)
        .join(Entry, col(Entry.id) == MatchSeat.entry_id)
        .join(Version, col(Version.id) == Entry.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .join(Tournament, col(Tournament.id) == Entry.tournament_id)
        .where(party_of(db, person_id).theirs(), Tournament.kind == "challenges")
        .order_by(col(MatchSeat.match_id).desc())
        .limit(limit)
    )
    return challenge_rows(db, sorted(set(db.exec(sits).all()), reverse=True), person_id)


def challenge_rows(db: Session, ids: list[int], person_id: int) -> list[ChallengeRow]:
    """Return challenges of these numbers as a person sees them, in the same order."""
    chosen = select(Match, Tournament.game).join(Tournament, col(Tournament.id) == Match.tournament_id)
    found = {stored(match.id): (match, game) for match, game in db.exec(chosen.where(col(Match.id).in_(ids))).all()}
    seats = seats_of(db, ids)
    return [_row(*found[match_id], seats[match_id], person_id) for match_id in ids]


def _row(match: Match, game: str, seats: tuple[SeatRow, ...], person_id: int) -> ChallengeRow:
    best_first = tuple(sorted(seats, key=lambda seat: (seat.mean_place or 0.0, seat.position)))
    return ChallengeRow(
        id=stored(match.id),
        game=game,
        state=match.state,
        void_reason=match.void_reason,
        mine=match.challenger_id == person_id,
        created_at=match.created_at,
        seats=best_first,
    )


def challenges_sheet(challenges: Sequence[ChallengeRow]) -> Sheet:
    """Return challenges as a table with a row for each bot in each."""
    rows = [
        {
            "match": row.id,
            "game": row.game,
            "state": row.state,
            "void_reason": row.void_reason,
            "asked_for_at": row.created_at,
            "asked_for_by_me": row.mine,
            "order": order,
            "bot_id": seat.bot_id,
            "bot": seat.bot,
            "version": seat.version,
            "mean_place": seat.mean_place,
        }
        for row in challenges
        for order, seat in enumerate(row.seats, 1)
    ]
    return Sheet("challenge-list", "Latest first", CHALLENGES, rows)
