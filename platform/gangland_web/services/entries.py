"""Entries of tournaments, the tables that they play, and the tournaments that every installation has."""

import secrets
from collections.abc import Callable, Mapping
from math import comb
from typing import Any

from sqlalchemy import false
from sqlmodel import Session, col, func, or_, select, update

from gangland.games import GAME_NAMES, game_named
from gangland_ladder.matches.seeds import commitment, schedule_seed
from gangland_ladder.pairing import permitted_tables as pairing
from gangland_ladder.pairing.permitted_tables import Table, count_tables
from gangland_ladder.pairing.round_robin import round_robin
from gangland_ladder.rating.trueskill import Rating
from gangland_ladder.tournaments.lifecycle import State, versions_are_pinned
from gangland_sandbox.limits import Limits, Profile
from gangland_web.base.formats import now_s
from gangland_web.models.bots import Bot, Version, numbered
from gangland_web.models.columns import stored
from gangland_web.models.matches import Match, MatchSeat
from gangland_web.models.tournaments import Entrant, Entry, Tournament
from gangland_web.services.matches import void_waiting

# Entries: versions entered in tournaments, and taken out again.


def enter(session: Session, tournament: Tournament, version_id: int) -> Entry:
    """Return the version's entry in a tournament, of a ladder's current period; made if it has none."""
    query = select(Entry).where(Entry.tournament_id == tournament.id, Entry.version_id == version_id)
    entry = session.exec(query.where(Entry.period == tournament.period)).first()
    if entry is None:
        entry = new_entry(tournament, version_id)
        session.add(entry)
        session.flush()
    return entry


def new_entry(tournament: Tournament, version_id: int, **more: Any) -> Entry:
    """Return an entry with the rating that all begin with."""
    start = Rating()
    return Entry(
        tournament_id=stored(tournament.id),
        version_id=version_id,
        period=tournament.period,
        mu=start.mu,
        sigma=start.sigma,
        rating=start.shown,
        round_mu=start.mu,
        round_sigma=start.sigma,
        created_at=now_s(),
        **more,
    )


def withdraw(session: Session, version_id: int, reason: str, *, everywhere: bool = False) -> None:
    """Take a version out of its tournaments: its waiting matches are void, those under way still count.

    Args:
        everywhere: also from those that pinned it when they froze.
    """
    where = select(Tournament.id)
    if not everywhere:
        where = where.where(Tournament.kind != "tournament")
    theirs = [col(Entry.version_id) == version_id, col(Entry.tournament_id).in_(where)]
    session.exec(update(Entry).where(*theirs).values(active=False))
    seats = select(MatchSeat.match_id).join(Entry, col(Entry.id) == MatchSeat.entry_id).where(*theirs)
    void_waiting(session, reason, col(Match.id).in_(seats))


# Tables: entries with their owners, and the tables that they play.


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


# The tournaments that every installation has: trials, ladder and challenges of each game and table size.


LADDER_BLOCKS = 12
TRIAL_BLOCKS = 2


def ensure_tournaments(
    session: Session,
    *,
    ladder_blocks: int = LADDER_BLOCKS,
    draw_secret: Callable[[], bytes] = lambda: secrets.token_bytes(32),
    profiles: Mapping[str, Profile] | None = None,
) -> None:
    """Make the tournaments that are missing.

    Args:
        ladder_blocks: blocks of a match in new ladders and challenges, which cannot be changed later.
        draw_secret: called once for each new tournament, in a fixed order.
        profiles: of new tournaments by game; plain for a game without one.
    """
    known = {(t.kind, t.game, t.seats) for t in session.exec(select(Tournament)).all()}
    for game in GAME_NAMES:
        profile = (profiles or {}).get(game, Profile.PLAIN)
        for seats in game_named(game).table_sizes:
            for kind, blocks in (("trials", TRIAL_BLOCKS), ("ladder", ladder_blocks), ("challenges", ladder_blocks)):
                if (kind, game, seats) not in known:
                    # A trial's few games may be long: its limits are those of a whole match, as in the check.
                    limits = Limits.of(profile, max(blocks, ladder_blocks))
                    session.add(_tournament(kind, game, seats, blocks, draw_secret(), limits))
    session.flush()


def tournaments_of(session: Session, kind: str, game: str) -> list[Tournament]:
    """Return a game's trials or ladders, the smallest table first."""
    query = select(Tournament).where(Tournament.kind == kind, Tournament.game == game)
    return list(session.exec(query.order_by(Tournament.seats)).all())  # type: ignore[arg-type]


def profile_of(session: Session, game: str) -> Profile:
    """Return the profile in which a game's bots are checked and play."""
    return Limits.from_dict(tournaments_of(session, "trials", game)[0].limits).profile


def _tournament(kind: str, game: str, seats: int, blocks: int, secret: bytes, limits: Limits) -> Tournament:
    return Tournament(
        kind=kind,
        game=game,
        seats=seats,
        name=f"{game_named(game).title}, {kind} at {seats} seats",
        options={},
        blocks=blocks,
        limits=dict(limits.to_dict()),
        secret=secret,
        commitment=commitment(secret),
        created_at=now_s(),
    )
