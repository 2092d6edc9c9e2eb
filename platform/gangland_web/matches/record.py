"""Record: what workers say, taken in as input from a stranger; the only writer of results."""

import json
from dataclasses import dataclass
from enum import StrEnum

import zstandard
from sqlmodel import Session, col, select, update

from gangland_ladder.judging import Judged, JudgedGame, ResultRefused, judge, match_digest
from gangland_ladder.orders import Claim, Order, Result, decode_claim, decode_result
from gangland_web.bots.steps import hold_versions
from gangland_web.bots.trials import CHECK_STAGES, match_ended_void, trial_checked, trial_played
from gangland_web.clock import now_s
from gangland_web.columns import stored
from gangland_web.db import Database
from gangland_web.matches.ending import RESULT_CAME, end_lease, make_void
from gangland_web.matches.lifecycle import MatchState
from gangland_web.matches.models import Match, MatchSeat, PlayedGame
from gangland_web.matches.orders import build_order
from gangland_web.ratings.fold import fold
from gangland_web.tournaments.models import Entry, Tournament


class Verdict(StrEnum):
    """What became of a result."""

    RECORDED = "recorded"
    STALE = "stale"
    REFUSED = "refused"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Recorded:
    """A verdict, with the match it is about and a sentence for the log."""

    verdict: Verdict
    match_id: int | None
    why: str = ""


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


def record_result(database: Database, text: str) -> Recorded:
    """Take in a result: decoded strictly, played again, and counted once, in one transaction."""
    try:
        result = decode_result(text)
    except ValueError as error:
        claim = decode_claim(text)
        if claim is None:
            return Recorded(Verdict.REFUSED, None, str(error))
        return _record_refused(database, claim, str(error))
    with database.read() as session:
        match = _leased(session, result)
        order = build_order(session, match, _tournament(session, match)) if match is not None else None
    if order is None:
        return Recorded(Verdict.STALE, result.id)
    if result.void is not None or (result.check is not None and result.check.problems):
        return _record_unplayed(database, result)
    try:
        _need_check(order, result)
        judged = judge(order, result)
    except ResultRefused as error:
        return _record_refused(database, result, str(error))
    return _record_judged(database, order, result, judged)


def _need_check(order: Order, result: Result) -> None:
    """See that a check that was ordered was made, all of it.  Raises ResultRefused."""
    passed = set(result.check.stages) if result.check is not None else set()
    if order.check is not None and not passed.issuperset(CHECK_STAGES):
        raise ResultRefused(f"match {order.id} was ordered with a check, of which {sorted(passed)} came")


def _record_judged(database: Database, order: Order, result: Result, judged: Judged) -> Recorded:
    done = {
        **RESULT_CAME,
        "state": MatchState.DONE.value,
        "done_at": now_s(),
        "seconds": min(max(result.seconds, 0.0), 1e6),
        "digest": match_digest(order, judged),
    }
    with database.write() as session:
        hold_versions(session)
        if not _touch(session, result.id, result.token, begun=None, values=done):
            return Recorded(Verdict.STALE, result.id)
        match = session.get_one(Match, result.id)
        _keep_games(session, match, judged)
        _keep_scores(session, match, judged)
        if match.trial_version_id is not None:
            if result.check is not None:
                trial_checked(session, match, result.check)
            trial_played(session, match, judged)
        fold(session, _tournament(session, match))
    return Recorded(Verdict.RECORDED, result.id)


def _record_unplayed(database: Database, result: Result) -> Recorded:
    """A match that came to nothing: a bot on trial failed its check, or the platform failed."""
    with database.write() as session:
        hold_versions(session)
        match = _leased(session, result)
        if match is None:
            return Recorded(Verdict.STALE, result.id)
        failed_check = result.check is not None and match.trial_version_id is not None
        if failed_check and result.check is not None and not trial_checked(session, match, result.check):
            make_void(session, match, "not played: the bot on trial did not pass its check")
        else:
            end_lease(session, match, f"platform fault: {result.void}")
        if match.state == MatchState.VOID.value:
            match_ended_void(session, match)
            fold(session, _tournament(session, match))
    return Recorded(Verdict.VOID, result.id, result.void or "the check found problems")


def _record_refused(database: Database, result: Result | Claim, why: str) -> Recorded:
    with database.write() as session:
        hold_versions(session)
        match = _leased(session, result)
        if match is None:
            return Recorded(Verdict.STALE, result.id)
        if end_lease(session, match, f"its result was refused: {why}") and match.state == MatchState.VOID.value:
            match_ended_void(session, match)
            fold(session, _tournament(session, match))
    return Recorded(Verdict.REFUSED, result.id, why)


def _keep_games(session: Session, match: Match, judged: Judged) -> None:
    for game in judged.games:
        session.add(_row(stored(match.id), game))
    session.flush()


def _row(match_id: int, game: JudgedGame) -> PlayedGame:
    record = game.record
    by_position = [""] * len(record.seating)
    for seat, log in enumerate(record.logs):
        by_position[record.seating[seat]] = log
    packed = zstandard.compress(json.dumps(by_position).encode()) if any(by_position) else None
    return PlayedGame(
        match_id=match_id,
        block=record.block,
        rotation=record.rotation,
        replay=record.replay,
        views=record.views,
        seating=list(record.seating),
        places=list(game.outcome.places),
        luck=list(game.luck),
        faults=[
            {"seat": f.seat, "kind": f.kind, "message": f.message, "round": f.round, "decision": f.decision}
            for f in record.faults
        ],
        logs=packed,
    )


def _keep_scores(session: Session, match: Match, judged: Judged) -> None:
    """Write the seats' results and count them for their entries; sums, so that order cannot matter."""
    for score in judged.scores:
        faults = sum(score.faults.values())
        session.exec(
            update(MatchSeat)
            .where(col(MatchSeat.match_id) == match.id, col(MatchSeat.entry_id) == score.entry)
            .values(
                mean_place_num=score.mean_place.numerator,
                mean_place_den=score.mean_place.denominator,
                luck=score.mean_luck,
                adjusted=score.adjusted,
                wins=score.wins,
                faults=faults,
            )
        )
        session.exec(
            update(Entry)
            .where(col(Entry.id) == score.entry)
            .values(
                games=col(Entry.games) + score.games,
                wins=col(Entry.wins) + score.wins,
                faults=col(Entry.faults) + faults,
            )
        )
    session.expire_all()


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
