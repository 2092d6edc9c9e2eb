"""A ladder's active entries as matchmaking sees them: by what is known after a round, not after the last result."""

from typing import Any

from sqlalchemy import update
from sqlalchemy.orm import aliased
from sqlmodel import Session, and_, col, func, or_, select

from gangland_ladder.pairing.demand import Conduct, Contender
from gangland_ladder.rating.trueskill import Rating
from gangland_web.models.bots import Bot, Version
from gangland_web.models.columns import stored
from gangland_web.models.matches import PENDING, Match, MatchSeat
from gangland_web.models.owners import numbered
from gangland_web.models.tournaments import Entry, LadderRound, Tournament

_TAKEN = ("round_mu", "round_sigma", "round_order", "strikes", "probation")
"""What an entry keeps of the rounds that were taken in."""
REMEMBERED = 20_000
"""So many of a ladder's last matches say who has met whom."""


def contenders_of(session: Session, ladder: Tournament) -> list[Contender]:
    """Return the active entries out of quarantine, in order of their id."""
    chosen = (
        select(Entry, Bot.owner_group)
        .join(Version, col(Version.id) == Entry.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .where(Entry.tournament_id == ladder.id, col(Entry.active).is_(True), col(Entry.quarantined).is_(False))
        .order_by(col(Entry.id))
    )
    found = session.exec(chosen).all()
    return [
        Contender(
            entry=stored(entry.id),
            owner=owner,
            mu=entry.round_mu,
            sigma=entry.round_sigma,
            appearances=entry.appearances,
            last_round=entry.last_round,
            probation=entry.probation,
        )
        for (entry, _), owner in zip(found, numbered([group for _, group in found]), strict=True)
    ]


def standing_of(session: Session, ladder: Tournament) -> list[tuple[int, int | None]]:
    """Return the ids of the same entries in the same order, each with the last round in which it was put at a table.

    It is asked every few seconds whether a ladder wants anything; all that `contenders_of` reads is for planning.
    """
    chosen = select(col(Entry.id), col(Entry.last_round)).where(
        Entry.tournament_id == ladder.id, col(Entry.active).is_(True), col(Entry.quarantined).is_(False)
    )
    rows: Any = session.connection().execute(chosen.order_by(col(Entry.id)))
    return [(entry, last_round) for entry, last_round in rows]


def meetings_of(session: Session, ladder: Tournament) -> dict[tuple[int, int], int]:
    """Return how often two entries have sat at one table of late, by (lower, higher) entry."""
    latest = select(func.max(Match.number)).where(Match.tournament_id == ladder.id)
    since = (session.exec(latest).one() or 0) - REMEMBERED
    low, high = aliased(MatchSeat), aliased(MatchSeat)
    chosen = (
        select(low.entry_id, high.entry_id, func.count())
        .join(high, and_(col(high.match_id) == low.match_id, col(high.entry_id) > low.entry_id))
        .join(Match, col(Match.id) == low.match_id)
        .where(Match.tournament_id == ladder.id, col(Match.number) > since)
        .group_by(col(low.entry_id), col(high.entry_id))
    )
    return {(lower, higher): count for lower, higher, count in session.exec(chosen).all()}


def take_in(session: Session, ladder: Tournament, upto: int) -> bool:
    """Take in what rounds came to, one after the other, up to a number; False if one of them is not over yet."""
    chosen = select(LadderRound).where(LadderRound.tournament_id == ladder.id)
    chosen = chosen.where(col(LadderRound.number) > ladder.rounds_taken, col(LadderRound.number) <= upto)
    for one in session.exec(chosen.order_by(col(LadderRound.number))).all():
        if not _is_rated(session, ladder, one):
            return False
        _take(session, ladder, one)
        ladder.rounds_taken = one.number
        session.add(ladder)
    session.flush()
    return True


def _is_rated(session: Session, ladder: Tournament, played: LadderRound) -> bool:
    """Tell whether all matches of a round are over and taken into the ratings; void ones that were never sent are."""
    waits = or_(col(Match.state).in_(PENDING), col(Match.rating_order) >= ladder.cursor)
    chosen = select(Match.id).where(Match.tournament_id == ladder.id, waits)
    return session.exec(chosen.where(col(Match.number).between(played.first, played.last)).limit(1)).first() is None


def forget_rounds(session: Session, ladder: Tournament) -> None:
    """Take back what matchmaking knows of all rounds: results among them are not what they were.

    It is taken in again from the first round on, as far as the ladder's matches are played.
    """
    start = Rating()
    blank = {"round_mu": start.mu, "round_sigma": start.sigma, "round_order": 0, "strikes": 0, "probation": False}
    there = update(Entry).where(col(Entry.tournament_id) == ladder.id)
    session.exec(there.values(**blank).execution_options(synchronize_session=False))
    ladder.rounds_taken = 0
    session.add(ladder)
    session.flush()


def _take(session: Session, ladder: Tournament, played: LadderRound) -> None:
    """Bring ratings and conduct up to the end of a round.

    A newcomers' round may be sent before an earlier one, and taken in later: the later match in the rating order holds.
    """
    chosen = (
        select(MatchSeat, Match.rating_order, Entry)
        .join(Match, col(Match.id) == MatchSeat.match_id)
        .join(Entry, col(Entry.id) == MatchSeat.entry_id)
        .where(Match.tournament_id == ladder.id, col(Match.number).between(played.first, played.last))
        .where(col(MatchSeat.mu_after).is_not(None))
        .order_by(col(Match.number), col(MatchSeat.position))
    )
    found: dict[int, dict[str, Any]] = {}
    for seat, order, entry in session.exec(chosen).all():
        known = found.setdefault(
            seat.entry_id, {"id": seat.entry_id, **{name: getattr(entry, name) for name in _TAKEN}}
        )
        conduct = Conduct(known["strikes"], known["probation"]).after(seat.faults > 0)
        known |= {"strikes": conduct.strikes, "probation": conduct.probation}
        if order is not None and order > known["round_order"]:
            known |= {"round_order": order, "round_mu": seat.mu_after, "round_sigma": seat.sigma_after}
    if found:
        session.execute(update(Entry), list(found.values()))
        session.expire_all()
