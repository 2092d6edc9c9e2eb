"""Schedules of ladders: rounds, tables for new bots, and the matchmaking data of entries."""

import logging
from collections import Counter
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from typing import Any

from sqlalchemy import bindparam, update
from sqlalchemy.orm import aliased
from sqlmodel import Session, and_, col, func, or_, select

from gangland_ladder.pairing.demand import PLACEMENT, ActiveEntry, Conduct
from gangland_ladder.pairing.matchmaking import ladder_round
from gangland_ladder.pairing.permitted_tables import Entrant, Table, TablesError, count_tables, permitted_tables
from gangland_ladder.rating.trueskill import Rating
from gangland_web.models.bots import Bot, Version, owner_numbers
from gangland_web.models.columns import add_row, row_id, table_of
from gangland_web.models.matches import PENDING, Match, MatchSeat, Purpose
from gangland_web.models.tournaments import Entry, LadderDay, LadderRound, Tournament
from gangland_web.services import ladder_days, matches, ratings, seasons

# Rounds: tables for new bots immediately, then rounds up to a limit for each day and roster.
#
# Round n is planned from the ratings after round n-2, when that round is over. So a plan does not depend on the speed
# of workers, which can play one round while the next one is planned.

log = logging.getLogger(__name__)

ROUNDS = 10  # per day with the same active entries; then a ladder waits for a new version or the next day
LAG = 2  # round n uses the ratings after round n-2, so two rounds may be in progress


def schedule(session: Session, *, rounds: int = ROUNDS) -> int:
    """Schedule the matches that the ladders need now, and return their number."""
    ladders = session.exec(select(Tournament).where(Tournament.kind == "ladder").order_by(col(Tournament.id))).all()
    planned = 0
    for ladder in ladders:
        ladder_days.reveal_past_days(session, ladder)
        ladder_day = ladder_days.ensure_day(session, ladder)
        # A season has to start or end first, because a match must be between entries that exist on its day.
        if ladder.id in seasons.ladders_at_border(session, ladder_day.day):
            continue
        if ladder_day.revealed_at is None:  # otherwise the dice are already public, because the clock ran fast
            planned += _plan(session, ladder, ladder_day, rounds)
        else:
            _warn_secrets_public(ladder_day.day)
    return planned


@cache
def _warn_secrets_public(day: int) -> None:
    log.warning(
        "today's ladder secrets (day %d since 1970, UTC) are already public, because this machine's clock ran fast."
        " No more rounds will be planned until tomorrow",
        day,
    )


def _plan(session: Session, ladder: Tournament, ladder_day: LadderDay, rounds: int) -> int:
    latest = select(func.max(LadderRound.number)).where(LadderRound.tournament_id == ladder.id)
    number = (session.exec(latest).one() or 0) + 1
    ratings.update_ratings(session, ladder)  # because a match may have become void after the last result
    settled = _apply_rounds(session, ladder, number - LAG)
    last_rounds = last_rounds_of(session, ladder)
    entries = ",".join(str(entry) for entry, _ in last_rounds)
    roster = sha256(f"{ladder_day.day}|{entries}".encode()).hexdigest()
    if roster != ladder.roster_digest:
        ladder.roster_digest, ladder.rounds = roster, 0
    new_entries = {entry for entry, last_round in last_rounds if last_round is None}
    has_new, waiting = 0 < len(new_entries) < len(last_rounds), ladder.rounds >= rounds or not settled
    if waiting and not has_new:
        return 0
    contenders = contenders_of(session, ladder)
    if has_new:
        all_tables = _tables(session, ladder, contenders, number)
        if placements := [table for table in all_tables if not new_entries.isdisjoint(table)]:
            return _write(session, ladder, ladder_day, number, placements, placement=True)
    if waiting:
        return 0
    ladder.rounds += 1
    tables = _tables(session, ladder, contenders, number)
    return _write(session, ladder, ladder_day, number, tables, placement=False)


def _tables(session: Session, ladder: Tournament, contenders: Sequence[ActiveEntry], number: int) -> Sequence[Table]:
    """Return all tables if there are only a few, none if no table is possible, or else the most informative ones."""
    entrants = [Entrant(entry.entry, entry.owner) for entry in contenders]
    try:
        if count_tables(entrants, ladder.seats) <= len(entrants) * PLACEMENT // ladder.seats:
            return permitted_tables(entrants, ladder.seats)
    except TablesError:
        return []
    latest = select(func.max(Match.number)).where(Match.tournament_id == ladder.id)
    number_before = (session.exec(latest).one() or 0) - MEETINGS_WINDOW
    low, high = aliased(MatchSeat), aliased(MatchSeat)
    query = (
        select(low.entry_id, high.entry_id, func.count())
        .join(high, and_(col(high.match_id) == low.match_id, col(high.entry_id) > low.entry_id))
        .join(Match, col(Match.id) == low.match_id)
        .where(Match.tournament_id == ladder.id, col(Match.number) > number_before)
        .group_by(col(low.entry_id), col(high.entry_id))
    )
    meetings = {(lower, higher): count for lower, higher, count in session.exec(query).all()}
    return ladder_round(contenders, seats=ladder.seats, number=number, seed=ladder.commitment, meetings=meetings).tables


def _write(
    session: Session,
    ladder: Tournament,
    ladder_day: LadderDay,
    number: int,
    tables: Sequence[Table],
    *,
    placement: bool,
) -> int:
    """Store a round and add its matches to the entries' counts, unless it has no tables; return the matches' number."""
    session.add(ladder)
    if not tables:
        return 0
    numbers = matches.plan_tables(session, ladder, tables, purpose=Purpose.LADDER, ladder_day_id=ladder_day.id)
    first, last = numbers.start, numbers.stop - 1
    ladder_id = row_id(ladder.id)
    add_row(session, LadderRound(tournament_id=ladder_id, number=number, placement=placement, first=first, last=last))
    table_counts = Counter(entry for table in tables for entry in table)
    session.connection().execute(
        _SEATED, [{"b_id": entry, "count": count, "round": number} for entry, count in table_counts.items()]
    )
    session.expire_all()
    return len(numbers)


_entries = table_of(Entry)
_SEATED = (
    update(_entries)
    .where(_entries.c.id == bindparam("b_id"))
    .values(appearances=_entries.c.appearances + bindparam("count"), last_round=bindparam("round"))
)


# Contenders: active entries with the data for matchmaking, as of the last applied round.


def contenders_of(session: Session, ladder: Tournament) -> list[ActiveEntry]:
    """Return the active entries that are not in quarantine, ordered by id."""
    query = (
        select(Entry, Bot.owner_group)
        .join(Version, col(Version.id) == Entry.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .where(Entry.tournament_id == ladder.id, col(Entry.active).is_(True), col(Entry.quarantined).is_(False))
        .order_by(col(Entry.id))
    )
    rows = session.exec(query).all()
    return [
        ActiveEntry(
            entry=row_id(entry.id),
            owner=owner,
            mu=entry.round_mu,
            sigma=entry.round_sigma,
            appearances=entry.appearances,
            last_round=entry.last_round,
            probation=entry.probation,
        )
        for (entry, _), owner in zip(rows, owner_numbers([group for _, group in rows]), strict=True)
    ]


def last_rounds_of(session: Session, ladder: Tournament) -> list[tuple[int, int | None]]:
    """Return the ids of the entries that `contenders_of` returns, in the same order, each with its last round."""
    # This query runs every few seconds, `contenders_of` only for planning.
    query = select(col(Entry.id), col(Entry.last_round)).where(
        Entry.tournament_id == ladder.id, col(Entry.active).is_(True), col(Entry.quarantined).is_(False)
    )
    rows: Any = session.connection().execute(query.order_by(col(Entry.id)))
    return [(entry, last_round) for entry, last_round in rows]


MEETINGS_WINDOW = 20_000  # the number of a ladder's latest matches in which meetings of entries are counted


def _apply_rounds(session: Session, ladder: Tournament, last_number: int) -> bool:
    query = select(LadderRound).where(LadderRound.tournament_id == ladder.id)
    query = query.where(col(LadderRound.number) > ladder.rounds_taken, col(LadderRound.number) <= last_number)
    for round_ in session.exec(query.order_by(col(LadderRound.number))).all():
        if not _is_rated(session, ladder, round_):
            return False
        _apply_round(session, ladder, round_)
        ladder.rounds_taken = round_.number
        session.add(ladder)
    session.flush()
    return True


def _is_rated(session: Session, ladder: Tournament, round_: LadderRound) -> bool:
    """Return whether all matches of a round are over and rated; void matches that were never sent count as rated."""
    is_open = or_(col(Match.state).in_(PENDING), col(Match.rating_order) >= ladder.cursor)
    query = select(Match.id).where(Match.tournament_id == ladder.id, is_open)
    return session.exec(query.where(col(Match.number).between(round_.first, round_.last)).limit(1)).first() is None


# Columns of an entry that depend on the applied rounds.
_ROUND_COLUMNS = ("round_mu", "round_sigma", "round_order", "strikes", "probation")


def _apply_round(session: Session, ladder: Tournament, round_: LadderRound) -> None:
    """Update the entries' `round_*` ratings and conduct to the end of a round."""
    # A round of tables for new bots may be sent before an earlier round but applied after it. So the rating that counts
    # is the one after the later match in the rating order.
    query = (
        select(MatchSeat, Match.rating_order, Entry)
        .join(Match, col(Match.id) == MatchSeat.match_id)
        .join(Entry, col(Entry.id) == MatchSeat.entry_id)
        .where(Match.tournament_id == ladder.id, col(Match.number).between(round_.first, round_.last))
        .where(col(MatchSeat.mu_after).is_not(None))
        .order_by(col(Match.number), col(MatchSeat.position))
    )
    changes: dict[int, dict[str, Any]] = {}
    for seat, order, entry in session.exec(query).all():
        values = changes.setdefault(
            seat.entry_id, {"id": seat.entry_id, **{name: getattr(entry, name) for name in _ROUND_COLUMNS}}
        )
        conduct = Conduct(values["strikes"], values["probation"]).after_match(seat.faults > 0)
        values |= {"strikes": conduct.strikes, "probation": conduct.probation}
        if order is not None and order > values["round_order"]:
            values |= {"round_order": order, "round_mu": seat.mu_after, "round_sigma": seat.sigma_after}
    if changes:
        session.execute(update(Entry), list(changes.values()))
        session.expire_all()


def reset_rounds(session: Session, ladder: Tournament) -> None:
    """Reset the matchmaking data after results have changed; all rounds are then applied again, from the first one."""
    start = Rating()
    values = {"round_mu": start.mu, "round_sigma": start.sigma, "round_order": 0, "strikes": 0, "probation": False}
    statement = update(Entry).where(col(Entry.tournament_id) == ladder.id)
    session.exec(statement.values(**values).execution_options(synchronize_session=False))
    ladder.rounds_taken = 0
    add_row(session, ladder)
