"""The tables of a tournament: entries with their owners, and the tables that they play."""

from math import comb
from typing import Any

from sqlalchemy import false
from sqlmodel import Session, col, func, or_, select

from gangland_ladder.matches.seeds import schedule_seed
from gangland_ladder.pairing import permitted_tables as pairing
from gangland_ladder.pairing.permitted_tables import Table, count_tables
from gangland_ladder.pairing.round_robin import round_robin
from gangland_ladder.tournaments.lifecycle import State, versions_are_pinned
from gangland_web.models.bots import Bot, Version
from gangland_web.models.columns import stored
from gangland_web.models.matches import Match
from gangland_web.models.owners import numbered
from gangland_web.models.tournaments import Entrant, Entry, Tournament


def tournament_tables(session: Session, tournament: Tournament) -> tuple[Table, ...]:
    """Return the tables of a frozen tournament, which follow from its entries and its public value, if it has one.

    Raises:
        NoTables: the entries allow none; the message says why.
    """
    entrants = owned_entries(session, tournament)
    seed = schedule_seed(tournament.roster_digest, tournament.public_value)
    sample = tournament.tables if tournament.seats > 2 else None
    return round_robin(entrants, tournament.seats, seed=seed, sample=sample)


def expected_tables(session: Session, tournament: Tournament) -> int:
    """Return how many tables a tournament plays, or would play if it froze now."""
    wanted = tournament.tables if tournament.seats > 2 else None
    if tournament.state == State.FROZEN.value and tournament.randomness is not None:  # planned when play begins
        return wanted or count_tables(owned_entries(session, tournament), tournament.seats)
    if versions_are_pinned(State(tournament.state)):
        counted = select(func.count()).select_from(Match).where(Match.tournament_id == tournament.id)
        return session.exec(counted).one()
    bots = len(session.exec(entered_versions(tournament)).all())
    every = comb(bots, tournament.seats)  # no owner has two active bots in a game
    return every if wanted is None or not every else wanted


def entered_versions(tournament: Tournament) -> Any:
    """Return the query for the active versions of entered bots, and of house bots if they take part."""
    entered = select(Entrant.bot_id).where(Entrant.tournament_id == tournament.id)
    house = col(Bot.is_house).is_(True) if tournament.house_bots else false()
    query = select(Bot.active_version_id).where(
        Bot.game == tournament.game, col(Bot.active_version_id).is_not(None), or_(col(Bot.id).in_(entered), house)
    )
    return query.order_by(col(Bot.id))


def outside_ranking(session: Session, tournament: Tournament) -> frozenset[int]:
    """Return the entries that play outside the ranking: house bots, also imported ones, unless they are ranked."""
    if tournament.house_ranked:
        return frozenset()
    query = select(Entry.id).join(Version, col(Version.id) == Entry.version_id)
    query = query.join(Bot, col(Bot.id) == Version.bot_id)
    imported = col(Bot.import_id).is_not(None) & (col(Bot.foreign_owner) == "")
    query = query.where(Entry.tournament_id == tournament.id, col(Bot.is_house).is_(True) | imported)
    return frozenset(map(stored, session.exec(query).all()))


def owned_entries(session: Session, tournament: Tournament) -> list[pairing.Entrant]:
    """Return the active entries with their owners at the freeze, in order of their id."""
    query = (
        select(Entry.id, Entry.owner_group)
        .where(Entry.tournament_id == tournament.id, col(Entry.active).is_(True))
        .order_by(col(Entry.id))
    )
    rows = session.exec(query).all()
    owners = numbered([group for _, group in rows])
    return [pairing.Entrant(stored(entry), owner) for (entry, _), owner in zip(rows, owners, strict=True)]
