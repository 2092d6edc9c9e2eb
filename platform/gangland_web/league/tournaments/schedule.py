"""What the ladders want played: newcomers' tables at once, then rounds up to a bound for each day and roster.

Round n is planned when all of round n-2 is over, by the ratings and the conduct after it: so it
depends on nobody's speed, and workers always have a round to play.
"""

import logging
from collections import Counter
from collections.abc import Sequence
from functools import cache
from hashlib import sha256

from sqlalchemy import bindparam, update
from sqlmodel import Session, col, select

from gangland_ladder.pairing.demand import PLACEMENT, Contender
from gangland_ladder.pairing.matchmaking import ladder_round
from gangland_ladder.pairing.tables import Entrant, NoTables, Table, count_tables, permitted_tables
from gangland_web.league.matches.plan import plan_tables
from gangland_web.league.ratings.fold import fold
from gangland_web.league.tournaments.contenders import contenders_of, meetings_of, standing_of, take_in
from gangland_web.league.tournaments.epochs import opened_epoch, reveal_closed
from gangland_web.league.tournaments.seasons import at_border
from gangland_web.models.columns import stored, table_of
from gangland_web.models.matches import Purpose
from gangland_web.models.tournaments import Entry, Epoch, LadderRound, Tournament

log = logging.getLogger(__name__)

ROUNDS = 10
"""Rounds a day for one set of active entries; after them a ladder waits for a new version or the next day."""
LAG = 2
"""Rounds that may be under way: a round goes by the ratings after the last but one before it."""


def schedule(session: Session, *, rounds: int = ROUNDS) -> int:
    """Write the matches that the ladders want now and return how many; nothing when they have enough.

    Nothing either on a day whose secret is public, because the clock had run ahead: its dice are known.  And nothing
    where a season is to begin or end: what is planned today is between the entries of today.
    """
    ladders = session.exec(select(Tournament).where(Tournament.kind == "ladder").order_by(col(Tournament.id))).all()
    planned = 0
    for ladder in ladders:
        reveal_closed(session, ladder)
        epoch = opened_epoch(session, ladder)
        if ladder.id in at_border(session, epoch.day):
            continue
        if epoch.revealed_at is None:
            planned += _plan(session, ladder, epoch, rounds)
        else:
            _say_public(epoch.day)
    return planned


@cache
def _say_public(day: int) -> None:
    """Write once that nothing can be planned today."""
    log.warning(
        "the ladders' secrets of today (day %d since 1970, UTC) are public already: this machine's clock ran ahead."
        " No round is planned until tomorrow",
        day,
    )


def _plan(session: Session, ladder: Tournament, epoch: Epoch, rounds: int) -> int:
    number = _latest(session, ladder) + 1
    fold(session, ladder)  # matches may have become void since the last result
    settled = take_in(session, ladder, number - LAG)
    standing = standing_of(session, ladder)
    entries = ",".join(str(entry) for entry, _ in standing)
    roster = sha256(f"{epoch.day}|{entries}".encode()).hexdigest()
    if roster != ladder.roster_digest:
        ladder.roster_digest, ladder.rounds = roster, 0
    fresh = {entry for entry, last_round in standing if last_round is None}
    placing, waiting = 0 < len(fresh) < len(standing), ladder.rounds >= rounds or not settled
    if waiting and not placing:
        return 0
    contenders = contenders_of(session, ladder)
    if placing:
        met = [table for table in _tables(session, ladder, contenders, number) if not fresh.isdisjoint(table)]
        if met:
            return _write(session, ladder, epoch, number, met, placement=True)
    if waiting:
        return 0
    ladder.rounds += 1
    tables = _tables(session, ladder, contenders, number)
    return _write(session, ladder, epoch, number, tables, placement=False)


def _tables(session: Session, ladder: Tournament, contenders: Sequence[Contender], number: int) -> Sequence[Table]:
    """All tables once while they are few, else those that say most about who is better."""
    entrants = [Entrant(one.entry, one.owner) for one in contenders]
    try:
        if count_tables(entrants, ladder.seats) <= len(entrants) * PLACEMENT // ladder.seats:
            return permitted_tables(entrants, ladder.seats)
    except NoTables:
        return []
    met = meetings_of(session, ladder)
    return ladder_round(contenders, seats=ladder.seats, number=number, seed=ladder.commitment, met=met).tables


def _write(
    session: Session, ladder: Tournament, epoch: Epoch, number: int, tables: Sequence[Table], *, placement: bool
) -> int:
    """Write a round, and note for its entries that they have one more; a round without tables is none."""
    session.add(ladder)
    if not tables:
        return 0
    numbers = plan_tables(session, ladder, tables, purpose=Purpose.LADDER, epoch_id=epoch.id)
    first, last = numbers.start, numbers.stop - 1
    ladder_id = stored(ladder.id)
    session.add(LadderRound(tournament_id=ladder_id, number=number, placement=placement, first=first, last=last))
    session.flush()
    seated = Counter(entry for table in tables for entry in table)
    session.connection().execute(
        _SEATED, [{"its_id": entry, "count": count, "round": number} for entry, count in seated.items()]
    )
    session.expire_all()
    return len(numbers)


def _latest(session: Session, ladder: Tournament) -> int:
    chosen = select(LadderRound.number).where(LadderRound.tournament_id == ladder.id)
    return session.exec(chosen.order_by(col(LadderRound.number).desc()).limit(1)).first() or 0


_entries = table_of(Entry)
_SEATED = (
    update(_entries)
    .where(_entries.c.id == bindparam("its_id"))
    .values(appearances=_entries.c.appearances + bindparam("count"), last_round=bindparam("round"))
)
