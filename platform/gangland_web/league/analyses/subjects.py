"""What is analysed: games of matches, which everybody may see; games of persons at tables and of drafts, which nobody
else may.

They lie in tables of their own, so that whatever counts or lists the first knows nothing of the others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, func, select

from gangland_ladder.analysis.games import has_reference
from gangland_ladder.analysis.received import AnalysisResult, GameOf
from gangland_ladder.playing.standing import Standing
from gangland_web.base.clock import now_s
from gangland_web.league.analyses.asking import WhyNotAnalysed, game_rows, why_not_analysed
from gangland_web.league.drafts.recording import result_of
from gangland_web.league.drafts.runs import setup_of as setup_of_run
from gangland_web.league.playing.standings import rows_of, setup_of
from gangland_web.models.columns import stored
from gangland_web.models.jobs import (
    OPENED_LIMIT,
    AnalysisState,
    DraftRun,
    GameAnalysis,
    PlayTable,
    RunAnalysis,
    TableAnalysis,
    TableState,
)
from gangland_web.models.matches import PlayedGame


class Recorded(NamedTuple):
    """A game that may be analysed: its replay as JSON, and the name of the game."""

    replay: str
    game: str


class Subject(NamedTuple):
    """What an analysis is of.

    Attributes:
        model: its table; key: the column of it that an order's `id` names.
        find: returns the game of an id, None where it may not be analysed.
    """

    model: Any
    key: Any
    find: Callable[[Session, int], Recorded | None]


def _find_game(session: Session, game_id: int) -> Recorded | None:
    row = session.exec(game_rows().where(PlayedGame.id == game_id)).first()
    if row is None:
        return None
    _, played, match, tournament = row
    return None if why_not_analysed(match, tournament) is not None else Recorded(played.replay, tournament.game)


def _find_table(session: Session, table_id: int) -> Recorded | None:
    table = session.get(PlayTable, table_id)
    return None if table is None or table.state != TableState.OVER else recorded_game(session, table)


def recorded_game(session: Session, table: PlayTable) -> Recorded:
    """Return the game of a table that is over."""
    setup = setup_of(table)
    return Recorded(Standing(setup, rows_of(session, table)).played().replay.to_json(), setup.game)


def _find_run_game(session: Session, analysis_id: int) -> Recorded | None:
    analysis = session.get(RunAnalysis, analysis_id)
    return None if analysis is None else recorded_run_game(session.get_one(DraftRun, analysis.run_id), analysis.number)


def recorded_run_game(run: DraftRun, number: int) -> Recorded | None:
    """Return a game of a draft's run, None where there is none."""
    result = result_of(run)
    if result is None or not 0 <= number < len(result.games):
        return None
    return Recorded(result.games[number].replay, setup_of_run(run).game)


GAMES: Final = Subject(GameAnalysis, GameAnalysis.game_id, _find_game)
TABLES: Final = Subject(TableAnalysis, TableAnalysis.table_id, _find_table)
RUNS: Final = Subject(RunAnalysis, RunAnalysis.id, _find_run_game)
SUBJECTS: Final = {GameOf.TABLE: TABLES, GameOf.DRAFT: RUNS, GameOf.MATCH: GAMES}


def subject_of(result: AnalysisResult) -> Subject:
    """Return what a worker's message is about."""
    return SUBJECTS[result.of]


def held_by(result: AnalysisResult) -> tuple[Any, ...]:
    """Return the conditions of the analysis that a message is about, if its lease holds."""
    model, key, _ = subject_of(result)
    return key == result.id, model.state == AnalysisState.LEASED.value, model.lease_token == result.token


def held(session: Session, result: AnalysisResult) -> Any:
    """Return the analysis that a message is about, None if its lease does not hold."""
    return session.exec(select(subject_of(result).model).where(*held_by(result))).first()


def ask_for_table(session: Session, table: PlayTable) -> WhyNotAnalysed | None:
    """Have a person's game analysed; nothing happens to one that is already.  Returns why not, None if it is."""
    if not has_reference(setup_of(table).game) or table.state != TableState.OVER:
        return WhyNotAnalysed.NO_REFERENCE
    if session.get(TableAnalysis, table.id) is not None:
        return None
    return _add(session, TableAnalysis(table_id=table.id, requested_at=now_s()))


def ask_for_run_game(session: Session, run: DraftRun, number: int) -> WhyNotAnalysed | None:
    """Have a game of a draft's run analysed; see `ask_for_table`."""
    if recorded_run_game(run, number) is None or not has_reference(setup_of_run(run).game):
        return WhyNotAnalysed.NO_REFERENCE
    if find_run_analysis(session, run, number) is not None:
        return None
    return _add(session, RunAnalysis(run_id=stored(run.id), number=number, requested_at=now_s()))


def find_run_analysis(session: Session, run: DraftRun, number: int) -> RunAnalysis | None:
    """Return the analysis of a game of a draft's run, None if nobody asked for it."""
    chosen = select(RunAnalysis).where(RunAnalysis.run_id == run.id, RunAnalysis.number == number)
    return session.exec(chosen).first()


def _add(session: Session, analysis: TableAnalysis | RunAnalysis) -> WhyNotAnalysed | None:
    """Have a person's own game wait to be analysed, unless too many of its kind do."""
    waiting = select(func.count()).where(type(analysis).state == AnalysisState.WAITING.value)
    if session.exec(waiting).one() >= OPENED_LIMIT:
        return WhyNotAnalysed.FULL
    try:
        with session.begin_nested():
            session.add(analysis)
            session.flush()
    except IntegrityError:  # asked twice at the same moment
        session.expire_all()
    return None
