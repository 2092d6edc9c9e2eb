"""Audits: drawing the results to replay, and comparing the replays."""

import logging
import secrets
from collections.abc import Sequence
from typing import Final

from sqlmodel import Session, col, select

from gangland_ladder.common.release import other_python, this_python
from gangland_ladder.matches.judging import JudgedMatch
from gangland_ladder.matches.match_jobs import GameRecord, MatchJob
from gangland_ladder.proof.auditing import ComparedRotation, Hosts, Verdict, compare_plays, verdict_of
from gangland_ladder.tournaments.lifecycle import State, may_record
from gangland_web.base.formats import now_s
from gangland_web.models.columns import add_row, row_id
from gangland_web.models.matches import AUDIT_S, Audit, AuditDifference, AuditState, Match, MatchState, WorkerHost
from gangland_web.models.tournaments import LadderDay, Tournament
from gangland_web.services.match_jobs import recorded_games
from gangland_web.services.matches import plan_audit, void_waiting
from gangland_web.services.retention import Trim

# Drawing, which happens after a result is recorded, so that the host cannot know about the audit when it sends it.

SUSPECT_PERCENT: Final = 50  # minimum audit percentage for a suspected host, unless audits are off
_LATEST_RESULTS: Final = 400  # about half of this number of its latest results are drawn when a host becomes suspect
_OPEN_STATES: Final = tuple(state.value for state in State if may_record(state))


def draw_audit(session: Session, tournament: Tournament, match: Match, percent: int) -> bool:
    """Decide at random whether to audit a rated match whose result was just recorded; return whether it is audited.

    `percent`: the site's percentage, unless the tournament has its own.
    """
    share = percent if tournament.audit_percent is None else tournament.audit_percent
    if share and match.host_id is not None and session.get_one(WorkerHost, match.host_id).suspected_at is not None:
        share = max(share, SUSPECT_PERCENT)
    if match.digest is None or not share or secrets.randbelow(100) >= share:
        return False
    _add_audit(session, match)
    session.flush()
    return True


def draw_more_audits(session: Session, host: WorkerHost) -> int:
    """Draw about half of a newly suspected host's latest replayable results; return the number drawn."""
    tournaments = select(Tournament.id).where(Tournament.kind == "tournament", col(Tournament.state).in_(_OPEN_STATES))
    secret_days = select(LadderDay.id).where(col(LadderDay.revealed_at).is_(None))
    audited = select(Audit.id).where(Audit.match_id == Match.id, Audit.digest == Match.digest)
    query = select(Match).where(
        Match.host_id == host.id,
        Match.state == MatchState.DONE.value,
        col(Match.tournament_id).in_(tournaments) | col(Match.ladder_day_id).in_(secret_days),
        col(Match.done_at) > (host.trusted_from or 0.0),
        ~audited.exists(),
    )
    latest = session.exec(query.order_by(col(Match.done_at).desc(), col(Match.id)).limit(_LATEST_RESULTS)).all()
    matches = [match for match in latest if secrets.randbelow(100) < SUSPECT_PERCENT]
    for match in matches:
        _add_audit(session, match)
    session.flush()
    return len(matches)


def _add_audit(session: Session, match: Match) -> None:
    digest = match.digest or ""
    session.add(Audit(match_id=row_id(match.id), digest=digest, host_id=match.host_id, created_at=now_s()))


# An audit's plays, which are planned, compared when their results arrive, and given up if they are not possible.

log = logging.getLogger("gangland_web.audits")

_MAX_PLANNED = 200
LATE = "it was not played within a day"
OTHER_RESULT = "the result to be audited no longer counts"
NOT_PLAYED = "it could not be played"
NO_RECORD = "the replays of the match are no longer stored"


def plan_plays(session: Session) -> int:
    """Plan the next plays of open audits, and end audits that cannot be played; return the number of plays planned."""
    planned = 0
    query = select(Audit, Match).join(Match, col(Match.id) == Audit.match_id)
    query = query.where(Audit.state == AuditState.OPEN.value).order_by(col(Audit.id))
    for audit, match in session.exec(query).all():
        if (reason := _lapse_reason(session, audit, match)) is not None:
            _lapse(session, audit, reason)
        elif planned < _MAX_PLANNED and (audit.second_id is None or _needs_third(session, audit)):
            tournament = session.get_one(Tournament, match.tournament_id)
            trials = select(Tournament).where(Tournament.kind == "trials", Tournament.game == tournament.game)
            play = plan_audit(session, session.exec(trials.where(Tournament.seats == tournament.seats)).one(), match)
            if audit.second_id is None:
                audit.second_id = row_id(play.id)
            else:
                audit.third_id = row_id(play.id)
            add_row(session, audit)
            planned += 1
    return planned


def _lapse_reason(session: Session, audit: Audit, match: Match) -> str | None:
    if match.state != MatchState.DONE.value or match.digest != audit.digest:
        return OTHER_RESULT
    if match.trimmed >= Trim.REPLAYS:
        return NO_RECORD
    if match.python not in (None, this_python()):
        return other_python(match.python, "at the site")
    if audit.created_at < now_s() - AUDIT_S:
        return LATE
    plays = [play for play in (audit.second_id, audit.third_id) if play is not None]
    void_plays = select(Match.id).where(col(Match.id).in_(plays), Match.state == MatchState.VOID.value)
    return NOT_PLAYED if plays and session.exec(void_plays).first() is not None else None


def _needs_third(session: Session, audit: Audit) -> bool:
    if audit.third_id is not None:
        return False
    return session.exec(select(AuditDifference.id).where(AuditDifference.audit_id == audit.id)).first() is not None


def _lapse(session: Session, audit: Audit, reason: str) -> None:
    """End an audit without a verdict; waiting plays become void, and plays in progress are not compared."""
    audit.state, audit.lapsed_for, audit.ended_at = AuditState.LAPSED.value, reason, now_s()
    session.add(audit)
    void_waiting(session, f"the audit was given up: {reason}", col(Match.id).in_([audit.second_id, audit.third_id]))
    session.flush()


def compare_play(session: Session, play: Match, match_job: MatchJob, judged: JudgedMatch) -> bool:
    """Compare a newly recorded play with the earlier plays, and return whether to store its games.

    The games of a second play that differs, and of every third play, are stored for the operator.
    """
    query = select(Audit).where(Audit.match_id == play.audit_of, Audit.state == AuditState.OPEN.value)
    audit = session.exec(query.where((Audit.second_id == play.id) | (Audit.third_id == play.id))).first()
    if audit is None:
        return False
    match = session.get_one(Match, audit.match_id)
    if (reason := _lapse_reason(session, audit, match)) is not None:
        _lapse(session, audit, reason)
        return False
    recorded, replayed = recorded_games(session, row_id(match.id)), [game.record for game in judged.games]
    if audit.second_id == play.id:
        return _compare_second(session, audit, play, compare_plays(match_job.seats, recorded, replayed))
    _compare_third(session, audit, play, match_job, recorded, replayed)
    return True


def _compare_second(session: Session, audit: Audit, play: Match, compared: Sequence[ComparedRotation]) -> bool:
    audit.second_host_id = play.host_id
    audit.games_compared = sum(rotation.games for rotation in compared)
    audit.games_left_out = sum(rotation.left_out for rotation in compared)
    differences = [rotation.difference for rotation in compared if rotation.difference is not None]
    for difference in differences:
        session.add(
            AuditDifference(
                audit_id=row_id(audit.id),
                entry_id=row_id(difference.entry),
                rotation=difference.rotation,
                block=difference.block,
                round=difference.round,
                decision=difference.decision,
            )
        )
    if not differences:
        _end_audit(session, audit, AuditState.AGREED)
    add_row(session, audit)
    return bool(differences)


def _compare_third(
    session: Session,
    audit: Audit,
    play: Match,
    match_job: MatchJob,
    recorded: Sequence[GameRecord],
    third: Sequence[GameRecord],
) -> None:
    """Use a third play to decide what caused each difference between the first two plays: a host or the bot."""
    audit.third_host_id = play.host_id
    second = recorded_games(session, row_id(audit.second_id))
    hosts = Hosts(audit.host_id, audit.second_host_id, audit.third_host_id)
    with_recorded = compare_plays(match_job.seats, recorded, third)
    with_second = compare_plays(match_job.seats, second, third)
    first = {compared.rotation: compared.difference for compared in compare_plays(match_job.seats, recorded, second)}
    query = select(AuditDifference).where(AuditDifference.audit_id == audit.id)
    for row in session.exec(query.order_by(col(AuditDifference.rotation))).all():
        difference = first[row.rotation]
        if difference is None:
            raise ValueError(f"the difference of rotation {row.rotation} in audit {row.audit_id} was not reproduced")
        verdict = verdict_of(difference, hosts, with_recorded, with_second)
        row.verdict = verdict.value
        row.blamed_id = {Verdict.RECORDED: audit.host_id, Verdict.AGAIN: audit.second_host_id}.get(verdict)
        session.add(row)
        log.info("audit %s: entry %s differs, verdict %s", audit.id, row.entry_id, verdict.value)
    _end_audit(session, audit, AuditState.DIFFERED)
    add_row(session, audit)


def _end_audit(session: Session, audit: Audit, state: AuditState) -> None:
    audit.state, audit.ended_at = state.value, now_s()
    session.add(audit)
