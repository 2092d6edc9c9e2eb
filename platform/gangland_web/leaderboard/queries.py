"""What the pages ask about ladders: one statement each, off the index by rating."""

from dataclasses import dataclass

from sqlmodel import Session, col, func, select

from gangland_web.accounts.models import User
from gangland_web.bots.models import Bot, Version
from gangland_web.columns import stored
from gangland_web.matches.lifecycle import MatchState
from gangland_web.matches.models import Match
from gangland_web.tournaments.models import Entry, Tournament


@dataclass(frozen=True, slots=True)
class LadderRow:
    """One line of a leaderboard; `owner` is None for a house bot, `rating` is mu - 3 sigma."""

    rank: int
    bot_id: int
    bot: str
    version: int
    owner: str | None
    mu: float
    sigma: float
    rating: float
    games: int
    wins: int
    faults: int


@dataclass(frozen=True, slots=True)
class LadderProgress:
    """How much of what a ladder has scheduled is over; `waiting` results are not in the ratings yet."""

    scheduled: int
    over: int
    waiting: int


def ladder_of(session: Session, game: str, seats: int) -> Tournament | None:
    """Return the ladder of a game and table size, or None if there is none."""
    chosen = select(Tournament).where(Tournament.kind == "ladder", Tournament.game == game)
    return session.exec(chosen.where(Tournament.seats == seats)).first()


def ladder_rows(session: Session, game: str, seats: int) -> list[LadderRow]:
    """Return the active entries of a ladder, best first; equal ratings share a rank."""
    chosen = (
        select(Entry, Bot, Version.number, User.name)
        .join(Tournament, col(Tournament.id) == Entry.tournament_id)
        .join(Version, col(Version.id) == Entry.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .outerjoin(User, col(User.id) == Bot.owner_id)
        .where(Tournament.kind == "ladder", Tournament.game == game, Tournament.seats == seats)
        .where(col(Entry.active).is_(True))
        .order_by(col(Entry.rating).desc(), col(Entry.id))
    )
    rows: list[LadderRow] = []
    for place, (entry, bot, number, owner) in enumerate(session.exec(chosen).all(), start=1):
        rank = rows[-1].rank if rows and rows[-1].rating == entry.rating else place
        rows.append(_row(rank, entry, bot, number, owner))
    return rows


def ladder_progress(session: Session, tournament: Tournament) -> LadderProgress:
    """Return how far a ladder's scheduled matches are."""
    over = (MatchState.DONE.value, MatchState.VOID.value)
    counted = select(func.count()).select_from(Match).where(Match.tournament_id == tournament.id)
    scheduled = session.exec(counted).one()
    ended = session.exec(counted.where(col(Match.state).in_(over))).one()
    return LadderProgress(scheduled=scheduled, over=ended, waiting=ended - (tournament.cursor - 1))


def _row(rank: int, entry: Entry, bot: Bot, number: int, owner: str | None) -> LadderRow:
    return LadderRow(
        rank=rank,
        bot_id=stored(bot.id),
        bot=bot.name,
        version=number,
        owner=owner,
        mu=entry.mu,
        sigma=entry.sigma,
        rating=entry.rating,
        games=entry.games,
        wins=entry.wins,
        faults=entry.faults,
    )
