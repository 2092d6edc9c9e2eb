"""The plays of an audit: planned, compared when their results come, and given up where nothing can come of them."""

import logging
from collections.abc import Sequence
from typing import Any

from sqlmodel import Session, col, select

from gangland_ladder.common.release import other_python, this_python
from gangland_ladder.matches.first_difference import Difference
from gangland_ladder.matches.judging import Judged
from gangland_ladder.matches.orders import GameRecord, Order
from gangland_ladder.proof.auditing.comparing import ComparedRotation, compare_plays
from gangland_ladder.proof.auditing.verdicts import Hosts, Verdict, verdict_of
from gangland_web.base.clock import now_s
from gangland_web.league.dispatch.orders import recorded_games
from gangland_web.league.matches.ending import void_waiting
from gangland_web.league.matches.plan import plan_audit
from gangland_web.league.matches.retention import Trimmed
from gangland_web.models.columns import stored
from gangland_web.models.matches import LASTS_S, Audit, AuditDifference, AuditState, Match, MatchState
from gangland_web.models.tournaments import Tournament

log = logging.getLogger("gangland_web.audits")

PLANNED_AT_ONCE = 200
LATE = "it was not played within a day"
OTHER_RESULT = "the result to be audited no longer counts"
NOT_PLAYED = "it could not be played"
NO_RECORD = "the replays of the match are no longer stored"


def plan_plays(session: Session) -> int:
    """Plan what open audits need next, and end those of which nothing can come; return how many were planned."""
    planned = 0
    chosen = select(Audit, Match).join(Match, col(Match.id) == Audit.match_id)
    chosen = chosen.where(Audit.state == AuditState.OPEN.value).order_by(col(Audit.id))
    for audit, match in session.exec(chosen).all():
        if (why := _why_not(session, audit, match)) is not None:
            _lapse(session, audit, why)
        elif planned < PLANNED_AT_ONCE and (audit.second_id is None or _needs_third(session, audit)):
            _plan(session, audit, match)
            planned += 1
    return planned


def _why_not(session: Session, audit: Audit, match: Match) -> str | None:
    if match.state != MatchState.DONE.value or match.digest != audit.digest:
        return OTHER_RESULT
    if match.trimmed >= Trimmed.REPLAYS:
        return NO_RECORD
    if match.python not in (None, this_python()):
        return other_python(match.python, "at the site")
    if audit.created_at < now_s() - LASTS_S:
        return LATE
    plays = [play for play in (audit.second_id, audit.third_id) if play is not None]
    void = select(Match.id).where(col(Match.id).in_(plays), Match.state == MatchState.VOID.value)
    return NOT_PLAYED if plays and session.exec(void).first() is not None else None


def _needs_third(session: Session, audit: Audit) -> bool:
    if audit.third_id is not None:
        return False
    return session.exec(select(AuditDifference.id).where(AuditDifference.audit_id == audit.id)).first() is not None


def _plan(session: Session, audit: Audit, match: Match) -> None:
    of = session.get_one(Tournament, match.tournament_id)
    trials = select(Tournament).where(Tournament.kind == "trials", Tournament.game == of.game)
    play = plan_audit(session, session.exec(trials.where(Tournament.seats == of.seats)).one(), match)
    if audit.second_id is None:
        audit.second_id = stored(play.id)
    else:
        audit.third_id = stored(play.id)
    session.add(audit)
    session.flush()


def _lapse(session: Session, audit: Audit, why: str) -> None:
    """End an audit of which nothing can be said; its plays that wait are void, those under way come too late."""
    audit.state, audit.lapsed_for, audit.ended_at = AuditState.LAPSED.value, why, now_s()
    session.add(audit)
    void_waiting(session, f"the audit is given up: {why}", col(Match.id).in_([audit.second_id, audit.third_id]))
    session.flush()


def take_in(session: Session, play: Match, order: Order, judged: Judged) -> bool:
    """Compare a play that was just recorded with those before it; return whether its games are to be kept.

    The games of a play that differs are kept like a trial's, for whoever looks into it.
    """
    chosen = select(Audit).where(Audit.match_id == play.audit_of, Audit.state == AuditState.OPEN.value)
    audit = session.exec(chosen.where((Audit.second_id == play.id) | (Audit.third_id == play.id))).first()
    if audit is None:
        return False
    match = session.get_one(Match, audit.match_id)
    if (why := _why_not(session, audit, match)) is not None:
        _lapse(session, audit, why)
        return False
    recorded, again = recorded_games(session, stored(match.id)), [game.record for game in judged.games]
    if audit.second_id == play.id:
        return _take_second(session, audit, play, compare_plays(order.seats, recorded, again))
    _take_third(session, audit, play, order, recorded, again)
    return True


def _take_second(session: Session, audit: Audit, play: Match, compared: Sequence[ComparedRotation]) -> bool:
    audit.second_host_id = play.host_id
    audit.games_compared = sum(each.games for each in compared)
    audit.games_left_out = sum(each.left_out for each in compared)
    found = [each.difference for each in compared if each.difference is not None]
    for difference in found:
        session.add(
            AuditDifference(
                audit_id=stored(audit.id),
                entry_id=stored(difference.entry),
                rotation=difference.rotation,
                block=difference.block,
                round=difference.round,
                decision=difference.decision,
            )
        )
    if not found:
        _end(session, audit, AuditState.AGREED)
    session.add(audit)
    session.flush()
    return bool(found)


def _take_third(
    session: Session,
    audit: Audit,
    play: Match,
    order: Order,
    recorded: Sequence[GameRecord],
    third: Sequence[GameRecord],
) -> None:
    """Let a third play decide who is behind each difference of the first two."""
    audit.third_host_id = play.host_id
    second = recorded_games(session, stored(audit.second_id))
    hosts = Hosts(audit.host_id, audit.second_host_id, audit.third_host_id)
    with_recorded = compare_plays(order.seats, recorded, third)
    with_second = compare_plays(order.seats, second, third)
    found = {each.rotation: each.difference for each in compare_plays(order.seats, recorded, second)}
    chosen = select(AuditDifference).where(AuditDifference.audit_id == audit.id)
    for row in session.exec(chosen.order_by(col(AuditDifference.rotation))).all():
        difference: Difference = _known(found[row.rotation], row)
        verdict = verdict_of(difference, hosts, with_recorded, with_second)
        row.verdict = verdict.value
        row.blamed_id = {Verdict.RECORDED: audit.host_id, Verdict.AGAIN: audit.second_host_id}.get(verdict)
        session.add(row)
        log.info("audit %s: entry %s differs, verdict %s", audit.id, row.entry_id, verdict.value)
    _end(session, audit, AuditState.DIFFERED)
    session.add(audit)
    session.flush()


def _known(difference: Difference | None, row: Any) -> Difference:
    if difference is None:
        raise ValueError(f"the difference of rotation {row.rotation} in audit {row.audit_id} is not found again")
    return difference


def _end(session: Session, audit: Audit, state: AuditState) -> None:
    audit.state, audit.ended_at = state.value, now_s()
    session.add(audit)
