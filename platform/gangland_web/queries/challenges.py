"""Read the challenges of a user's bots."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlmodel import Session, col, select

from gangland_web.models.bots import Bot, Version, party_of
from gangland_web.models.columns import row_id
from gangland_web.models.matches import Match, MatchSeat
from gangland_web.models.tournaments import Entry, Tournament
from gangland_web.queries import tables
from gangland_web.queries.matches import SeatRow, seats_of


class ChallengeSeat(tables.Model):
    """A bot in a challenge."""

    bot_id: tables.Number
    bot: str
    version: int
    mean_place: float | None


class Challenge(tables.Model):
    """A challenge of one of your bots; after the match, the seats are ordered by result, best first."""

    match: tables.Number
    url: tables.Path
    game: tables.Game
    state: str
    void_reason: str | None
    mine: bool
    created_at: tables.Moment | None
    seats: list[ChallengeSeat]


def own_active_bots(db: Session, owner_id: int) -> list[Bot]:
    """Return the active bots that a user may act for, sorted by game and name."""
    query = select(Bot).where(party_of(db, owner_id).own_bots(), col(Bot.active_version_id).is_not(None))
    return list(db.exec(query.order_by(Bot.game, Bot.name_key)).all())


def challenges_of(db: Session, person_id: int, limit: int, *, game: str | None = None) -> list[Challenge]:
    """Return the latest challenges with bots that a user may act for, including those that others requested."""
    query = (
        select(MatchSeat.match_id)
        .join(Entry, col(Entry.id) == MatchSeat.entry_id)
        .join(Version, col(Version.id) == Entry.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .join(Tournament, col(Tournament.id) == Entry.tournament_id)
        .where(party_of(db, person_id).own_bots(), Tournament.kind == "challenges")
        .where(*() if game is None else (Tournament.game == game,))
        .order_by(col(MatchSeat.match_id).desc())
        .limit(limit)
    )
    return challenge_rows(db, sorted(set(db.exec(query).all()), reverse=True), person_id)


def challenge_rows(db: Session, ids: list[int], person_id: int) -> list[Challenge]:
    """Return these challenges as a user sees them, in the order of `ids`."""
    query = select(Match, Tournament.game).join(Tournament, col(Tournament.id) == Match.tournament_id)
    matches = {row_id(match.id): (match, game) for match, game in db.exec(query.where(col(Match.id).in_(ids))).all()}
    seats = seats_of(db, ids)
    return [_challenge(*matches[match_id], seats[match_id], person_id) for match_id in ids]


def _challenge(match: Match, game: str, seats: tuple[SeatRow, ...], person_id: int) -> Challenge:
    best_first = sorted(seats, key=lambda seat: (seat.mean_place or 0.0, seat.position))
    return tables.model_from(
        Challenge,
        match,
        match=row_id(match.id),
        url=f"{tables.BASE}/matches/{match.id}",
        game=game,
        mine=match.challenger_id == person_id,
        seats=[tables.model_from(ChallengeSeat, seat) for seat in best_first],
    )


class ChallengeBotRow(NamedTuple):
    """A bot in a challenge."""

    challenge: Challenge
    seat: ChallengeSeat
    order: int  # the bot's position, from 1


CHALLENGES: Final = tables.table_of(
    *("challenge-list", ChallengeBotRow, "/challenges", "Challenges with your bots, a row for each bot in each."),
    tables.Column("match", "Match", tables.Kind.WHOLE, of="challenge.match"),
    *tables.several(tables.Kind.TEXT, "challenge", game="Game", state="State", void_reason="Why void"),
    tables.Column("created_at", "Started", tables.Kind.MOMENT, of="challenge.created_at"),
    tables.Column("mine", "By me", tables.Kind.FLAG, of="challenge.mine"),
    tables.Column("order", "Order", tables.Kind.WHOLE),
    tables.Column("bot_id", "Number", tables.Kind.WHOLE, of="seat.bot_id"),
    tables.Column("bot", "Bot", of="seat.bot"),
    tables.Column("version", "Version", tables.Kind.WHOLE, of="seat.version"),
    tables.Column("mean_place", "Mean place", tables.Kind.NUMBER, of="seat.mean_place"),
)


def challenges_table(challenges: Sequence[Challenge]) -> tables.TableData:
    """Return challenges as a table for files."""
    return CHALLENGES.of(
        [ChallengeBotRow(each, seat, order) for each in challenges for order, seat in enumerate(each.seats, 1)]
    )
