"""Which tables a tournament plays: by whose its entries are, and how many were asked for."""

from sqlmodel import Session, col, select

from gangland_ladder.pairing import Entrant, Table, round_robin
from gangland_web.bots.models import Bot, Version
from gangland_web.columns import stored
from gangland_web.tournaments.models import Entry, Tournament


def tournament_tables(session: Session, tournament: Tournament) -> tuple[Table, ...]:
    """Return the tables of a frozen tournament: they follow from its entries alone.

    Raises:
        NoTables: the entries allow none; the message says why.
    """
    entrants = owned_entries(session, tournament)
    sample = tournament.tables_asked if tournament.seats > 2 else None
    return round_robin(entrants, tournament.seats, seed=tournament.roster_digest, sample=sample).tables


def owned_entries(session: Session, tournament: Tournament) -> list[Entrant]:
    """Return the active entries and whose they are, in order of their id."""
    chosen = (
        select(Entry.id, Bot.owner_id)
        .join(Version, col(Version.id) == Entry.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .where(Entry.tournament_id == tournament.id, col(Entry.active).is_(True))
        .order_by(col(Entry.id))
    )
    return [Entrant(stored(entry), owner) for entry, owner in session.exec(chosen).all()]
