"""What a ladder wants played: newcomers' tables first, then round robins up to a bound for each roster."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import ceil, comb
from random import Random

from sqlmodel import Session, col, func, select

from gangland_ladder.pairing import tables
from gangland_web.bots.models import Bot, Version
from gangland_web.matches.lifecycle import MatchState, Purpose
from gangland_web.matches.models import Match, MatchSeat
from gangland_web.matches.plan import plan_tables
from gangland_web.tournaments.epochs import opened_epoch, reveal_closed
from gangland_web.tournaments.models import Entry, Tournament

ROUNDS = 10
"""Round robins for one set of active entries; after them the ladder waits for a new version."""
APPEARANCES = 12
"""At three and four seats each entry sits at about this many tables a round, or at all of them if fewer."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """An active entry and whose it is: no two of one owner meet at a table."""

    entry: int
    owner: int
    newcomer: bool


def schedule(session: Session, *, rounds: int = ROUNDS) -> int:
    """Write the matches that the ladders want now and return how many; nothing when they have enough."""
    ladders = session.exec(select(Tournament).where(Tournament.kind == "ladder").order_by(col(Tournament.id))).all()
    planned = 0
    for ladder in ladders:
        reveal_closed(session, ladder)
        epoch = opened_epoch(session, ladder)
        tables = _wanted(session, ladder, rounds)
        planned += len(plan_tables(session, ladder, tables, purpose=Purpose.LADDER, epoch_id=epoch.id))
    return planned


def _wanted(session: Session, ladder: Tournament, rounds: int) -> list[tuple[int, ...]]:
    entrants = _entrants(session, ladder)
    digest = sha256(",".join(str(entrant.entry) for entrant in entrants).encode()).hexdigest()
    everyone = [entrant.entry for entrant in entrants]
    newcomers = [entrant.entry for entrant in entrants if entrant.newcomer]
    if len(entrants) < ladder.seats:
        return []
    if digest != ladder.roster_digest:
        ladder.roster_digest, ladder.rounds = digest, 0
        if newcomers and len(newcomers) < len(everyone):
            return _apart(newcomers_tables(everyone, newcomers, ladder.seats, digest), entrants)
    if ladder.rounds >= rounds or _outstanding(session, ladder):
        return []
    ladder.rounds += 1
    return _apart(round_tables(everyone, ladder.seats, f"{digest}|{ladder.rounds}"), entrants)


def round_tables(entries: Sequence[int], seats: int, seed: str) -> list[tuple[int, ...]]:
    """Return one round's tables: all of them, or a sample in which appearances differ by one at most."""
    bound = ceil(len(entries) * APPEARANCES / seats)
    if seats == 2 or comb(len(entries), seats) <= bound:
        return tables(entries, seats)
    shuffle = Random(seed)
    waiting: list[int] = []
    chosen: list[tuple[int, ...]] = []
    while len(chosen) < bound:
        if len(waiting) < seats:
            fresh = shuffle.sample(sorted(entries), len(entries))
            waiting += sorted(fresh, key=lambda entry: entry in waiting)
        chosen.append(tuple(sorted(waiting[:seats])))
        del waiting[:seats]
    return chosen


def newcomers_tables(entries: Sequence[int], newcomers: Sequence[int], seats: int, seed: str) -> list[tuple[int, ...]]:
    """Return the tables at which newcomers first meet the others, about as many each as in a round."""
    others = sorted(set(entries) - set(newcomers))
    if comb(len(entries), seats) <= ceil(len(entries) * APPEARANCES / seats) or seats == 2:
        return [table for table in tables(entries, seats) if not set(newcomers).isdisjoint(table)]
    shuffle = Random(seed)
    chosen = []
    for newcomer in sorted(newcomers):
        pool = others if len(others) >= seats - 1 else [entry for entry in entries if entry != newcomer]
        met = (shuffle.sample(pool, seats - 1) for _ in range(APPEARANCES))
        chosen += [tuple(sorted((newcomer, *others_there))) for others_there in met]
    return chosen


def _apart(chosen: list[tuple[int, ...]], entrants: Sequence[Entrant]) -> list[tuple[int, ...]]:
    """Drop tables at which two bots of one owner would meet."""
    owner = {entrant.entry: entrant.owner for entrant in entrants}
    return [table for table in chosen if len({owner[entry] for entry in table}) == len(table)]


def _entrants(session: Session, ladder: Tournament) -> list[Entrant]:
    """The active entries out of quarantine in order of their id; a house bot is its own owner, as a negative number."""
    met = select(MatchSeat.entry_id).where(MatchSeat.entry_id == Entry.id).exists()
    chosen = (
        select(Entry.id, Bot.owner_id, Bot.id, met)
        .join(Version, col(Version.id) == Entry.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .where(Entry.tournament_id == ladder.id, col(Entry.active).is_(True), col(Entry.quarantined).is_(False))
        .order_by(col(Entry.id))
    )
    rows = session.exec(chosen).all()
    return [
        Entrant(entry=int(entry or 0), owner=owner if owner is not None else -int(bot or 0), newcomer=not seen)
        for entry, owner, bot, seen in rows
    ]


def _outstanding(session: Session, ladder: Tournament) -> bool:
    waiting = (MatchState.SCHEDULED.value, MatchState.LEASED.value)
    chosen = select(func.count()).select_from(Match).where(Match.tournament_id == ladder.id)
    return session.exec(chosen.where(col(Match.state).in_(waiting))).one() > 0
