"""Taking in what a worker says of a draft's run: the only writer of what came of it."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import update
from sqlmodel import Session, col, select

from gangland_ladder.matches.judging import Judged, ResultRefused, judge
from gangland_ladder.matches.logs import LogPart, log_parts
from gangland_ladder.matches.orders import CheckReport, FaultRecord, Order, Result
from gangland_web.base.clock import now_s
from gangland_web.base.text import shown
from gangland_web.league.drafts.runs import order_of
from gangland_web.league.drafts.sending import NEVER_ENDED, end_attempt
from gangland_web.league.versions.trials import CHECK_STAGES
from gangland_web.models.bots import BotDraft
from gangland_web.models.columns import table_of
from gangland_web.models.database import Database
from gangland_web.models.jobs import RUN_SILENCE_S, DraftRun, RunState
from gangland_web.models.matches import ResultVerdict

REASON_CHARS = 300


class RunGame(Struct, frozen=True):
    """One game of a run's match.

    Attributes:
        seating: for each seat, who sits there: 0 is the draft, then its opponents in order.
        faults: those of opponents without their words, which are for their authors alone.
        log: what the draft logged.
    """

    block: int
    rotation: int
    seating: list[int]
    places: list[int]
    replay: str
    faults: list[FaultRecord]
    log: list[LogPart]


class RunResult(Struct, frozen=True):
    """What came of a run: its check, and the games of its match, none where the check found problems."""

    check: CheckReport
    games: list[RunGame] = []


def begin_run(database: Database, run_id: int, token: str) -> bool:
    """Count an attempt, once a token.  False if the lease has ended or had begun before."""
    now = now_s()
    values = {"begun_at": now, "lease_until": now + RUN_SILENCE_S, "attempt": col(DraftRun.attempt) + 1}
    return _touch(database, run_id, token, values, begun=False)


def beat_run(database: Database, run_id: int, token: str) -> bool:
    """Note that a run goes on.  False if its lease has ended."""
    return _touch(database, run_id, token, {"lease_until": now_s() + RUN_SILENCE_S}, begun=True)


def return_run(database: Database, run_id: int, token: str) -> bool:
    """Have a run wait again that its worker could not finish; no attempt is counted.  False if its lease has ended."""
    with database.write() as session:
        run = _held(session, run_id, token)
        if run is None:
            return False
        run.attempt -= run.begun_at is not None
        end_attempt(session, run, NEVER_ENDED)
    return True


def record_run(database: Database, run_id: int, result: Result) -> tuple[ResultVerdict, str]:
    """Take in a result, its games played again, for the holder of the lease alone; return why if it does not count."""
    with database.read() as session:
        run = _held(session, run_id, result.token)
        if run is None:
            return ResultVerdict.STALE, ""
        order = order_of(run)
    verdict, why, found = ResultVerdict.RECORDED, "", None
    try:
        if result.void is None:
            found = _result(order, result)
        else:
            verdict, why = ResultVerdict.VOID, result.void
    except ResultRefused as refused:
        verdict, why = ResultVerdict.REFUSED, str(refused)
    with database.write() as session:
        run = _held(session, run_id, result.token)
        if run is None:
            return ResultVerdict.STALE, ""
        if found is None:
            end_attempt(session, run, NEVER_ENDED)
            return verdict, shown(why, limit=REASON_CHARS)
        draft = session.get_one(BotDraft, run.draft_id)
        draft.passed_at = None if found.check.problems else now_s()
        session.add(draft)
        run.result = msgspec.to_builtins(found)
        run.state, run.done_at = RunState.DONE.value, now_s()
        run.lease_token = run.lease_until = run.begun_at = None
        session.add(run)
    return verdict, ""


def _result(order: Order, result: Result) -> RunResult:
    """Return what a result comes to.  Raises ResultRefused."""
    if result.check is None:
        raise ResultRefused("there is no check in it")
    if not result.check.problems:
        needed = CHECK_STAGES[:1] if order.check_only else CHECK_STAGES
        if not set(result.check.stages).issuperset(needed):
            raise ResultRefused(f"only {result.check.stages} of its check came")
    if result.check.problems or order.check_only:
        if result.games:
            raise ResultRefused(f"{len(result.games)} games came with a check that is not followed by any")
        return RunResult(result.check)
    return RunResult(result.check, _games(judge(order, result)))


def _games(judged: Judged) -> list[RunGame]:
    found = []
    for game in judged.games:
        record = game.record
        own = record.seating.index(0)
        marks = record.log_marks[own] if own < len(record.log_marks) else []
        faults = [each if each.seat == own else msgspec.structs.replace(each, message="") for each in record.faults]
        log = log_parts(record.logs[own], marks) if own < len(record.logs) else []
        places = list(game.outcome.places)
        found.append(RunGame(record.block, record.rotation, record.seating, places, record.replay, faults, log))
    return found


def result_of(run: DraftRun) -> RunResult | None:
    """Return what came of a run, None if nothing has yet."""
    return None if run.result is None else msgspec.convert(run.result, RunResult)


def _held(session: Session, run_id: int, token: str) -> DraftRun | None:
    chosen = select(DraftRun).where(DraftRun.id == run_id, DraftRun.state == RunState.LEASED.value)
    return session.exec(chosen.where(DraftRun.lease_token == token)).first()


def _touch(database: Database, run_id: int, token: str, values: dict[str, Any], *, begun: bool) -> bool:
    began = col(DraftRun.begun_at)
    its = (
        col(DraftRun.id) == run_id,
        col(DraftRun.lease_token) == token,
        began.is_not(None) if begun else began.is_(None),
    )
    with database.write() as session:
        done = session.connection().execute(update(table_of(DraftRun)).where(*its).values(**values))
    return bool(done.rowcount == 1)
