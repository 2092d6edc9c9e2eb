"""Record: what workers say, taken in as input from a stranger; the only writer of results."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final

import zstandard
from sqlalchemy import bindparam, insert
from sqlmodel import Session, col, select, update

from gangland_ladder.common.release import this_release
from gangland_ladder.matches.judging import Judged, JudgedGame, ResultRefused, judge, match_digest
from gangland_ladder.matches.logs import LogPart, log_parts
from gangland_ladder.matches.orders import Claim, Order, Result, decode_claim, decode_result, encode
from gangland_sandbox.limits import Limits
from gangland_web.core.clock import now_s
from gangland_web.league.audits.drawing import draw
from gangland_web.league.audits.plays import take_in
from gangland_web.league.dispatch.dispatch import LEASE_MARGIN_S
from gangland_web.league.dispatch.orders import SentOrders, build_order
from gangland_web.league.jobs.sweep import see_to_void, take_back
from gangland_web.league.matches.ending import NOT_PASSED, RESULT_CAME, end_lease, make_void
from gangland_web.league.matches.ladder_queue import charge
from gangland_web.league.ratings.fold import fold
from gangland_web.league.versions.trials import CHECK_STAGES, match_ended_void, plan_next, trial_checked, trial_played
from gangland_web.store.database import Database
from gangland_web.store.lifecycles.matches import RATED, MatchState, Verdict
from gangland_web.store.locks import hold_versions
from gangland_web.store.models.bots import Version
from gangland_web.store.models.matches import Match, MatchSeat, PlayedGame
from gangland_web.store.models.tournaments import Entry, Tournament

_SCORE: Final = ("mean_place_num", "mean_place_den", "luck", "adjusted")
_SEATS: Final = (
    update(MatchSeat)
    .where(col(MatchSeat.match_id) == bindparam("its_match"), col(MatchSeat.entry_id) == bindparam("its_entry"))
    .values({name: bindparam(name) for name in (*_SCORE, "wins", "faults", "think")})
)
_ENTRIES: Final = (
    update(Entry)
    .where(col(Entry.id) == bindparam("its_entry"))
    .values(
        games=col(Entry.games) + bindparam("more_games"),
        wins=col(Entry.wins) + bindparam("wins"),
        faults=col(Entry.faults) + bindparam("faults"),
    )
)


@dataclass(frozen=True, slots=True)
class Recorded:
    """A verdict, with the match it is about and a sentence for the log.

    Attributes:
        rated: whether it counted as a rated match.
        match: the match as it is now, if the result answered its lease.
        result: what was counted, if it was.
        order: what the result answers, if that was looked for and found.
    """

    verdict: Verdict
    match_id: int | None
    why: str = ""
    rated: bool = False
    match: Match | None = None
    result: Result | None = None
    order: Order | None = None


def record_begun(database: Database, match_id: int, token: str) -> bool:
    """Count an attempt, once a token.  False if the lease has ended or had begun before."""
    now = now_s()
    values = {"begun_at": now, "beat_at": now, "attempt": col(Match.attempt) + 1}
    with database.write() as session:
        return _touch(session, match_id, token, begun=False, values=values)


def record_beat(database: Database, match_id: int, token: str) -> bool:
    """Note that the match is still being played.  False if its lease has ended."""
    with database.write() as session:
        return _touch(session, match_id, token, begun=True, values={"beat_at": now_s()})


def record_returned(database: Database, match_id: int, token: str) -> bool:
    """Take a match back that its worker could not finish; no attempt is counted.  False if its lease has ended."""
    with database.write() as session:
        return _taken_back(session, Claim(match_id, token))


def record_result(database: Database, text: str, sent: SentOrders | None = None, *, audit_percent: int = 0) -> Recorded:
    """Take in a result: decoded strictly, played again, and counted once, in one transaction.

    Args:
        sent: orders that this process made and sent; those that are not there are made again out of the rows.
        audit_percent: of so many of 100 rated matches the result is audited, where a tournament does not say.
    """
    try:
        result = decode_result(text)
    except ValueError as error:
        claim = decode_claim(text)
        if claim is None:
            return Recorded(Verdict.REFUSED, None, str(error))
        if claim.release not in ("", this_release()):
            return _give_back(database, claim)
        return _record_refused(database, claim, str(error))
    if result.release != this_release():
        return _give_back(database, result)
    order = (sent.take(result.id, result.token) if sent is not None else None) or _order_of(database, result)
    if order is None:
        return Recorded(Verdict.STALE, result.id)
    return replace(_record_answer(database, order, result, audit_percent), order=order)


def _record_answer(database: Database, order: Order, result: Result, audit_percent: int) -> Recorded:
    """Take in a result that can be read, to an order that is known."""
    if result.void is not None or (result.check is not None and result.check.problems):
        return _record_unplayed(database, result)
    try:
        _need_check(order, result)
        judged = None if order.check_only else judge(order, result)
    except ResultRefused as error:
        return _record_refused(database, result, str(error))
    if judged is None:
        return _record_checked(database, result)
    return _record_judged(database, order, result, judged, audit_percent)


def _give_back(database: Database, result: Result | Claim) -> Recorded:
    """Count nothing that a worker of another release played; the match is played again, without an attempt more."""
    with database.write() as session:
        if not _taken_back(session, result):
            return Recorded(Verdict.STALE, result.id)
    return Recorded(
        Verdict.OTHER_RELEASE,
        result.id,
        f"its worker is {result.release}, the site {this_release()}: restart it on this",
    )


def _taken_back(session: Session, result: Result | Claim) -> bool:
    hold_versions(session)
    match = _leased(session, result)
    if match is None or not take_back(session, match):
        return False
    see_to_void(session, [match])
    return True


def _order_of(database: Database, result: Result) -> Order | None:
    """Return the order that a result answers, made out of the rows; None if its lease has ended."""
    with database.read() as session:
        match = _leased(session, result)
        return None if match is None else build_order(session, match, _tournament(session, match))


def _need_check(order: Order, result: Result) -> None:
    """See that a check that was ordered was made, all of it; of a short one, its import.  Raises ResultRefused."""
    passed = set(result.check.stages) if result.check is not None else set()
    needed = CHECK_STAGES[:1] if order.check_only else CHECK_STAGES
    if order.check is not None and not passed.issuperset(needed):
        raise ResultRefused(f"match {order.id} was ordered with a check, of which {sorted(passed)} came")
    if order.check_only and result.games:
        raise ResultRefused(f"match {order.id} is a check alone, and {len(result.games)} games came with it")


def _record_checked(database: Database, result: Result) -> Recorded:
    """A check in which nothing was found: the trials of the version come next."""
    done = {
        **RESULT_CAME,
        "state": MatchState.DONE.value,
        "done_at": now_s(),
        "seconds": min(max(result.seconds, 0.0), 1e6),
        "digest": sha256(encode(result)).hexdigest(),
    }
    with database.write() as session:
        hold_versions(session)
        if not _touch(session, result.id, result.token, begun=None, values=done):
            return Recorded(Verdict.STALE, result.id)
        match = session.get_one(Match, result.id)
        if result.check is not None:
            trial_checked(session, match, result.check)
        plan_next(session, session.get_one(Version, match.trial_version_id))
    return Recorded(Verdict.RECORDED, result.id, match=match, result=result)


def _record_judged(database: Database, order: Order, result: Result, judged: Judged, audit_percent: int) -> Recorded:
    done = {
        **RESULT_CAME,
        "state": MatchState.DONE.value,
        "done_at": now_s(),
        "seconds": min(max(result.seconds, 0.0), 1e6),
        "cpu_s": _cpu_s(order, result),
        "digest": match_digest(order, judged),
    }
    with database.write() as session:
        hold_versions(session)
        if not _touch(session, result.id, result.token, begun=None, values=done):
            return Recorded(Verdict.STALE, result.id)
        match = session.get_one(Match, result.id)
        charge(session, match, _cpu_s(order, result))
        if match.audit_of is not None:
            if take_in(session, match, order, judged):
                _keep_games(session, result.id, judged)
            return Recorded(Verdict.RECORDED, result.id, match=match)
        _keep_games(session, result.id, judged)
        _keep_scores(session, result.id, judged, result.think)
        if match.trial_version_id is not None:
            if result.check is not None:
                trial_checked(session, match, result.check)
            trial_played(session, match, judged)
        tournament = _tournament(session, match)
        if match.purpose in RATED:
            draw(session, tournament, match, audit_percent)
        fold(session, tournament)
    return Recorded(Verdict.RECORDED, result.id, rated=match.purpose in RATED, match=match, result=result)


def _cpu_s(order: Order, result: Result) -> float:
    """Return the CPU time that a match took, as its worker said; never more than a match can take or has passed.

    Referee and bots share a core, so they cannot have used more than the time since the match was sent.  A worker that
    says nothing of it, as one of another make may, is taken at the time that it played.
    """
    most_s = Limits.from_dict(order.limits).match_lasts_s(len(order.seats))
    passed_s = now_s() - (order.until - most_s - LEASE_MARGIN_S)
    return max(min(result.match_cpu_s or result.seconds, most_s, passed_s), 0.0)


def _record_unplayed(database: Database, result: Result) -> Recorded:
    """A match that came to nothing: a bot on trial failed its check, or the platform failed."""
    with database.write() as session:
        hold_versions(session)
        match = _leased(session, result)
        if match is None:
            return Recorded(Verdict.STALE, result.id)
        failed_check = result.check is not None and match.trial_version_id is not None
        if failed_check and result.check is not None and not trial_checked(session, match, result.check):
            make_void(session, match, NOT_PASSED)
        else:
            end_lease(session, match, f"platform fault: {result.void}")
        if match.state == MatchState.VOID.value:
            match_ended_void(session, match)
            fold(session, _tournament(session, match))
    return Recorded(Verdict.VOID, result.id, result.void or "the check found problems", match=match)


def _record_refused(database: Database, result: Result | Claim, why: str) -> Recorded:
    with database.write() as session:
        hold_versions(session)
        match = _leased(session, result)
        if match is None:
            return Recorded(Verdict.STALE, result.id)
        if end_lease(session, match, f"its result was refused: {why}") and match.state == MatchState.VOID.value:
            match_ended_void(session, match)
            fold(session, _tournament(session, match))
    return Recorded(Verdict.REFUSED, result.id, why, match=match)


def _keep_games(session: Session, match_id: int, judged: Judged) -> None:
    session.connection().execute(insert(PlayedGame), [_row(match_id, game) for game in judged.games])


def _row(match_id: int, game: JudgedGame) -> dict[str, Any]:
    record = game.record
    packed = None
    if any(record.logs):
        by_position: list[list[LogPart]] = [[] for _ in record.seating]
        for seat, log in enumerate(record.logs):
            marks = record.log_marks[seat] if seat < len(record.log_marks) else []
            by_position[record.seating[seat]] = log_parts(log, marks)
        packed = zstandard.compress(json.dumps(by_position).encode())
    return {
        "match_id": match_id,
        "block": record.block,
        "rotation": record.rotation,
        "replay": record.replay,
        "views": record.views,
        "seating": list(record.seating),
        "places": list(game.outcome.places),
        "luck": list(game.luck),
        "faults": [
            {"seat": f.seat, "kind": f.kind, "message": f.message, "round": f.round, "decision": f.decision}
            for f in record.faults
        ],
        "logs": packed,
    }


def _keep_scores(session: Session, match_id: int, judged: Judged, think: Sequence[Mapping[int, int]]) -> None:
    """Write the seats' results and count them for their entries; sums, so that order cannot matter.

    Nothing of either has been read in this session yet, so nothing in it is out of date afterwards.
    """
    said = think if len(think) == len(judged.scores) else [{}] * len(judged.scores)
    rows = [
        {
            "its_match": match_id,
            "its_entry": score.entry,
            "mean_place_num": score.mean_place.numerator,
            "mean_place_den": score.mean_place.denominator,
            "luck": score.mean_luck,
            "adjusted": score.adjusted,
            "wins": score.wins,
            "faults": sum(score.faults.values()),
            "more_games": score.games,
            "think": {str(octave): count for octave, count in times.items()} or None,
        }
        for score, times in zip(judged.scores, said, strict=True)
    ]
    session.connection().execute(_SEATS, rows)
    session.connection().execute(_ENTRIES, rows)


def _leased(session: Session, result: Result | Claim) -> Match | None:
    """The match whose lease the result answers; None if that lease has ended."""
    chosen = select(Match).where(Match.id == result.id, Match.state == MatchState.LEASED.value)
    return session.exec(chosen.where(Match.lease_token == result.token)).first()


def _touch(session: Session, match_id: int, token: str, *, begun: bool | None, values: dict[str, object]) -> bool:
    """Update a match under its lease's token, if it has begun or not as said; whether a row was there."""
    held = [col(Match.id) == match_id, col(Match.state) == MatchState.LEASED.value, col(Match.lease_token) == token]
    if begun is not None:
        held.append(col(Match.begun_at).is_not(None) if begun else col(Match.begun_at).is_(None))
    done = session.exec(update(Match).where(*held).values(**values).execution_options(synchronize_session=False))
    return done.rowcount == 1


def _tournament(session: Session, match: Match) -> Tournament:
    return session.get_one(Tournament, match.tournament_id)
