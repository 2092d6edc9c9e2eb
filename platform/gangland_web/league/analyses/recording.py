"""Taking in what workers say of games that they analyse: the only writer of analyses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import Any, Final

from sqlalchemy import update
from sqlmodel import col

from gangland.replay import load
from gangland_ladder.analysis.account import MISTAKES, Mark
from gangland_ladder.analysis.analyser import Known
from gangland_ladder.analysis.figures import DecisionFigures, GameFigures, figures_of
from gangland_ladder.analysis.games import is_amount, reference_version
from gangland_ladder.analysis.kept import DIGITS, pack
from gangland_ladder.analysis.received import (
    AnalysisRefused,
    AnalysisResult,
    GameOf,
    OtherReference,
    decode_result,
    received_analysis,
    received_continuations,
)
from gangland_ladder.analysis.summary import phase_of
from gangland_ladder.common.release import this_release
from gangland_web.base.clock import now_s
from gangland_web.base.text import shown
from gangland_web.league.analyses.sending import LEASE_OVER, NEVER_ENDED, end_attempt
from gangland_web.league.analyses.subjects import held, held_by, subject_of
from gangland_web.league.records.counting import offer_luck
from gangland_web.models.columns import table_of
from gangland_web.models.database import Database
from gangland_web.models.jobs import ANALYSIS_ATTEMPTS, ANALYSIS_LEASE_S, AnalysisSeat, AnalysisState, AnalysisVerdict

REASON_CHARS = 300

IMPOSSIBLE: Final = "What the worker sent could not be right."
OTHER: Final = "The worker that analysed it has another version of the reference player than this site."


@dataclass(frozen=True, slots=True)
class RecordedAnalysis:
    """A verdict, the game that it is about, a sentence for the log, and whether it is a person's own game."""

    verdict: AnalysisVerdict
    game_id: int | None
    why: str = ""
    is_private: bool = False


def record_analysis(database: Database, text: str) -> RecordedAnalysis:
    """Take in a message: decoded strictly, checked against the replay, and stored for the holder of the lease alone.

    The first message of a lease counts as an attempt, and each prolongs it.
    """
    try:
        result = decode_result(text)
    except AnalysisRefused as error:
        return RecordedAnalysis(AnalysisVerdict.REFUSED, None, str(error))
    if result.release != this_release():
        why = f"it is of release {result.release[:40]!r}"
        return RecordedAnalysis(AnalysisVerdict.REFUSED, result.id, why, result.of is not GameOf.MATCH)
    return replace(_record(database, result), is_private=result.of is not GameOf.MATCH)


def _record(database: Database, result: AnalysisResult) -> RecordedAnalysis:
    if not _begin(database, result):
        return RecordedAnalysis(AnalysisVerdict.STALE, result.id)
    if result.returned:
        return _record_returned(database, result)
    if result.failed:
        return _record_failure(database, result)
    if result.known is None:
        return RecordedAnalysis(AnalysisVerdict.ALIVE, result.id)
    return _record_known(database, result, result.known)


def _begin(database: Database, result: AnalysisResult) -> bool:
    """Prolong the lease, and count the attempt if this is its first message; False if the lease has ended."""
    with database.write() as session:
        analysis = held(session, result)
        if analysis is None:
            return False
        if analysis.begun_at is None:
            analysis.begun_at, analysis.attempt = now_s(), min(analysis.attempt + 1, ANALYSIS_ATTEMPTS)
        analysis.lease_until = now_s() + ANALYSIS_LEASE_S
        session.add(analysis)
    return True


def _record_failure(database: Database, result: AnalysisResult) -> RecordedAnalysis:
    """Note that a game cannot be analysed, by what the worker says: another attempt would end alike."""
    why = shown(result.failed, limit=REASON_CHARS)
    with database.write() as session:
        analysis = held(session, result)
        if analysis is None:
            return RecordedAnalysis(AnalysisVerdict.STALE, result.id)
        analysis.attempt = ANALYSIS_ATTEMPTS
        end_attempt(session, analysis, why)
    return RecordedAnalysis(AnalysisVerdict.FAILED, result.id, why)


def _record_returned(database: Database, result: AnalysisResult) -> RecordedAnalysis:
    """Have a game that gave way wait again; that was no attempt."""
    with database.write() as session:
        analysis = held(session, result)
        if analysis is None:
            return RecordedAnalysis(AnalysisVerdict.STALE, result.id)
        analysis.attempt -= 1
        end_attempt(session, analysis, NEVER_ENDED)
    return RecordedAnalysis(AnalysisVerdict.RETURNED, result.id)


def _record_known(database: Database, result: AnalysisResult, known: Known) -> RecordedAnalysis:
    with database.read() as session:
        recorded = subject_of(result).find(session, result.id)
    if recorded is None:
        return _forget(database, result)
    try:
        replay = load(recorded.replay)
        analysis = received_analysis(replay, known, reference_version(recorded.game))
        continued = received_continuations(replay, analysis, result.continued)
    except AnalysisRefused as error:
        return _refuse(database, result, error)
    values: dict[str, Any] = {"course": pack(analysis), "version": analysis.version, "complete": analysis.complete}
    values["cpu_s"] = result.cpu_s
    if not result.done:
        stored = _store(database, result, values, None)
        return RecordedAnalysis(AnalysisVerdict.PART if stored else AnalysisVerdict.STALE, result.id)
    figures = figures_of(analysis)
    values |= {**LEASE_OVER, "state": AnalysisState.DONE.value, "done_at": now_s(), "figures": pack(figures)}
    values["continued"] = pack(continued)
    stored = _store(database, result, values, figures)
    return RecordedAnalysis(AnalysisVerdict.DONE if stored else AnalysisVerdict.STALE, result.id)


def _store(database: Database, result: AnalysisResult, values: Mapping[str, Any], figures: GameFigures | None) -> bool:
    """Write what is known if the lease still holds; whether it did."""
    model = subject_of(result).model
    with database.write() as session:
        done = session.connection().execute(update(table_of(model)).where(*held_by(result)).values(**values))
        if done.rowcount != 1:
            return False
        if result.of is not GameOf.MATCH or figures is None:
            return True
        for seat, cost in enumerate(seat_values(figures)):
            its = (col(AnalysisSeat.game_id) == result.id, col(AnalysisSeat.seat) == seat)
            session.connection().execute(update(table_of(AnalysisSeat)).where(*its).values(**cost))
        offer_luck(session, result.id, figures)
    return True


def _refuse(database: Database, result: AnalysisResult, why: AnalysisRefused) -> RecordedAnalysis:
    with database.write() as session:
        analysis = held(session, result)
        if analysis is not None:
            end_attempt(session, analysis, OTHER if isinstance(why, OtherReference) else IMPOSSIBLE)
    return RecordedAnalysis(AnalysisVerdict.REFUSED, result.id, str(why))


def _forget(database: Database, result: AnalysisResult) -> RecordedAnalysis:
    """Forget an analysis of a game that not everybody may see any more."""
    with database.write() as session:
        analysis = held(session, result)
        if analysis is not None:
            session.delete(analysis)
    return RecordedAnalysis(AnalysisVerdict.STALE, result.id)


def seat_values(figures: GameFigures) -> list[dict[str, Any]]:
    """Return what each seat's row gets, in seat order."""
    found = []
    for seat in range(figures.seats):
        own = [each for each in figures.decisions if each.seat == seat]
        good = sum(each.mark in (Mark.BEST, Mark.GOOD) for each in own)
        cost = round(fsum(each.cost for each in own), DIGITS)
        found.append({"decisions": len(own), "good": good, "cost": cost, "costs": _costs(figures, own)})
    return found


def _costs(figures: GameFigures, own: Sequence[DecisionFigures]) -> list[dict[str, Any]]:
    by_sort: dict[tuple[str, str, str], list[DecisionFigures]] = {}
    for each in own:
        key = (each.kind, phase_of(each.round, figures.rounds), each.theme if each.cost > 0 else "")
        by_sort.setdefault(key, []).append(each)
    return [
        {
            "kind": kind,
            "phase": phase,
            "theme": theme,
            "rounds": [min(each.round for each in decisions), max(each.round for each in decisions)],
            "decisions": len(decisions),
            "marked": sum(each.mark in MISTAKES for each in decisions),
            "cost": round(fsum(each.cost for each in decisions), DIGITS),
            **_amounts(figures.game, kind, decisions),
        }
        for (kind, phase, theme), decisions in by_sort.items()
    ]


def _amounts(game: str, kind: str, decisions: Sequence[DecisionFigures]) -> dict[str, int]:
    if not is_amount(game, kind):
        return {}
    made = [each for each in decisions if isinstance(each.chosen, int)]
    sums = {name: sum(getattr(each, name) for each in made) for name in ("chosen", "best")}
    return {"amounts": len(made), **sums}
