"""Request analyses on a test platform, and do the work of the analysis worker in this process."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import update
from sqlmodel import Session, col, select
from tests.kits.core_kit import FakeBroker, Platform, SentJob

from gangland.replay import load
from gangland_ladder.analysis import account, analyzer, transfer
from gangland_web.models import columns, jobs
from gangland_web.models.database import Database
from gangland_web.models.matches import Match, PlayedGame
from gangland_web.models.tournaments import Tournament
from gangland_web.services.analyses import NotAnalyzedReason, queue_analysis, seat_values
from gangland_web.workers.records import AnalysisSettings, Recorder


def with_analyses(platform: Platform, how: AnalysisSettings | None = None) -> FakeBroker:
    platform.recorder = Recorder(platform.database, platform.post, rounds=1, analyses=how or AnalysisSettings(sample=0))
    return platform.post


def sent_analysis(database: Database) -> tuple[Platform, SentJob]:
    post = FakeBroker(slot_count=0, table_worker_count=0)
    recorder = Recorder(database, post, analyses=AnalysisSettings(sample=0))
    recorder.dispatch()
    (sent_job,) = post.games
    return Platform(database, post, recorder), sent_job


def ask_for(
    platform: Platform, match: Match, number: int = 0, requested_by: jobs.Requester = jobs.Requester.OPENED
) -> NotAnalyzedReason | None:
    with platform.database.write() as session:
        game = games_of(session, match)[number]
        return queue_analysis(session, match, session.get_one(Tournament, match.tournament_id), game, requested_by)


def games_of(session: Session, match: Match) -> list[int]:
    chosen = select(PlayedGame.id).where(PlayedGame.match_id == match.id).order_by(col(PlayedGame.id))
    return [game for game in session.exec(chosen) if game is not None]


@lru_cache(maxsize=100)
def known_of(replay: str, steps: int | None = None) -> analyzer.ReferencePart:
    """Return the reference's analysis of a game or its first steps, computed once per process."""
    left = iter(range(10**6))
    analysis = analyzer.analyze(load(replay), has_time=lambda: steps is None or next(left) < steps)
    return analyzer.ReferencePart(analysis.version, tuple(analysis.start), analysis.moments, complete=analysis.complete)


Change = Callable[[transfer.AnalysisResult], transfer.AnalysisResult]


def answer(sent_job: SentJob, change: Change = lambda result: result, steps: int | None = None) -> Any:
    return transfer.rounded(change(transfer.AnalysisResult(cpu_s=0.5, known=known_of(sent_job.replay, steps))))


def write_figures(
    database: Database,
    match_id: int,
    number: int,
    figures: account.GameFigures,
    requested_by: jobs.Requester = jobs.Requester.SAMPLE,
    *,
    course: bytes = b"unread here",
    continued: Sequence[analyzer.StoredContinuation] = (),
) -> None:
    """Write the analysis of a game as the record worker would."""
    with database.write() as session:
        match = session.get_one(Match, match_id)
        game = games_of(session, match)[number]
        assert (
            queue_analysis(session, match, session.get_one(Tournament, match.tournament_id), game, requested_by) is None
        )
        analysis = session.get_one(jobs.GameAnalysis, game)
        analysis.state, analysis.done_at, analysis.complete = (
            jobs.AnalysisState.DONE.value, 1_700_000_000.0, figures.complete,
        )  # fmt: skip
        analysis.course, analysis.figures, analysis.version = course, transfer.pack(figures), figures.version
        analysis.continued = transfer.pack(list(continued))
        session.add(analysis)
        for seat, cost in enumerate(seat_values(figures)):
            its = (col(jobs.AnalysisSeat.game_id) == game, col(jobs.AnalysisSeat.seat) == seat)
            session.connection().execute(update(columns.table_of(jobs.AnalysisSeat)).where(*its).values(**cost))


def analysis_of(platform: Platform, game_id: int) -> jobs.GameAnalysis:
    return platform.get(jobs.GameAnalysis, game_id)


def seats_of(platform: Platform, game_id: int) -> list[jobs.AnalysisSeat]:
    chosen = select(jobs.AnalysisSeat).where(jobs.AnalysisSeat.game_id == game_id).order_by(col(jobs.AnalysisSeat.seat))
    return platform.rows(chosen)
