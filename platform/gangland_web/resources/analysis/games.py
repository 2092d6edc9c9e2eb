"""A game's analysis as its page and the API show it."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

from sqlmodel import Session, col, func, select
from sqlmodel.sql.expression import SelectOfScalar

from gangland_ladder.analysis.account import Analysis
from gangland_ladder.analysis.continuation import Continued
from gangland_ladder.analysis.figures import figures_of
from gangland_ladder.analysis.games import has_reference
from gangland_ladder.analysis.kept import NotKept, rounded, unpack
from gangland_web.models.jobs import AnalysisState, DraftRun, GameAnalysis, PlayTable, RunAnalysis, TableAnalysis
from gangland_web.models.matches import PlayedGame
from gangland_web.resources.fields import Count, Model, model_from
from gangland_web.resources.matches.queries import MatchPage
from gangland_web.services.analyses import WhyNotAnalysed, find_run_analysis, sent_before, why_not_analysed
from gangland_web.services.draft_runs import setup_of as setup_of_run
from gangland_web.services.play import setup_of

UNREADABLE: Final = "What is stored of it cannot be read."
TRIED_AGAIN: Final = "The last attempt ended without a result."
"""Of an analysis that waits or is under way again."""


class Standing(StrEnum):
    """Where a game's analysis stands, for whoever looks."""

    UNKNOWN = "unknown"
    """Nobody has asked for it."""
    WAITING = "waiting"
    ANALYSED = "analysed"
    """It is worked on."""
    DONE = "done"
    FAILED = "failed"
    UNAVAILABLE = "unavailable"


class AnalysisStanding(Model):
    """Where a game's analysis stands.

    `place` is its place in the queue, from 1, while it waits. `steps` is how many steps of the game are known;
    `complete`, null until it is done, whether there was time for all of them. `message` says why there is no analysis,
    or that an attempt at it failed.
    """

    state: Standing
    place: Count | None
    steps: Count
    complete: bool | None
    version: str | None
    message: str


class GameAnalysisResponse(AnalysisStanding):
    """The same with what is known: by seat the account, and each decision that was judged.

    `values` is by step what the game is worth to each seat; `figures` as `gangland analyse --json` has them.
    """

    values: list[list[float]]
    figures: dict[str, Any] | None


def analysis_response(standing: AnalysisStanding, analysis: Analysis | None) -> GameAnalysisResponse:
    """Return where an analysis stands, with what is known."""
    known = None if analysis is None else rounded(figures_of(analysis))
    values = [] if analysis is None else [list(moment.values) for moment in analysis.moments]
    return model_from(GameAnalysisResponse, standing, values=values, figures=known)


def analysis_of(
    db: Session, page: MatchPage, played: PlayedGame, *, is_on: bool
) -> tuple[AnalysisStanding, Analysis | None]:
    """Return where the analysis of a game that whoever looks may see stands, and as much of it as is known.

    Args:
        is_on: whether the site analyses games.
    """
    found, why = db.get(GameAnalysis, played.id), why_not_analysed(page.match, page.tournament)
    place = select(func.count()).where(sent_before(found)) if found is not None and why is None else None
    return _known(db, found, why, place, is_on=is_on)


def analysis_of_table(db: Session, table: PlayTable, *, is_on: bool) -> tuple[AnalysisStanding, Analysis | None]:
    """Return the same of a person's game, for whoever may see its table."""
    return _known_own(db, db.get(TableAnalysis, table.id), setup_of(table).game, is_on=is_on)


def analysis_of_run_game(
    db: Session, run: DraftRun, number: int, *, is_on: bool
) -> tuple[AnalysisStanding, Analysis | None]:
    """Return the same of a game of a draft's run, for its author."""
    return _known_own(db, find_run_analysis(db, run, number), setup_of_run(run).game, is_on=is_on)


def _known_own(
    db: Session, found: TableAnalysis | RunAnalysis | None, game: str, *, is_on: bool
) -> tuple[AnalysisStanding, Analysis | None]:
    earlier = None
    if found is not None:
        model = type(found)
        earlier = select(func.count()).where(
            model.state == AnalysisState.WAITING.value, col(model.requested_at) < found.requested_at
        )
    why = None if has_reference(game) else WhyNotAnalysed.NO_REFERENCE
    return _known(db, found, why, earlier, is_on=is_on)


def _known(
    db: Session,
    found: GameAnalysis | TableAnalysis | RunAnalysis | None,
    why: WhyNotAnalysed | None,
    earlier: SelectOfScalar[int] | None,
    *,
    is_on: bool,
) -> tuple[AnalysisStanding, Analysis | None]:
    """Return where an analysis stands, and what is known.

    Args:
        why: there is none; earlier: counts those that are sent before it.
    """
    if found is None or why is not None or earlier is None:
        why = why or (None if is_on else WhyNotAnalysed.OFF)
        return _standing(Standing.UNKNOWN if why is None else Standing.UNAVAILABLE, message=why or ""), None
    analysis, broken = _read(found)
    steps = 0 if analysis is None else len(analysis.moments)
    if found.state == AnalysisState.DONE.value:
        if broken:
            return _standing(Standing.FAILED, message=UNREADABLE), None
        return _standing(Standing.DONE, steps=steps, complete=found.complete, version=found.version), analysis
    if found.state == AnalysisState.FAILED.value:
        return _standing(Standing.FAILED, message=found.failed_for or "", version=found.version), analysis
    if not is_on:
        return _standing(Standing.UNAVAILABLE, message=WhyNotAnalysed.OFF), analysis
    again = TRIED_AGAIN if found.attempt > (found.begun_at is not None) else ""
    if found.state == AnalysisState.LEASED.value:
        return _standing(Standing.ANALYSED, steps=steps, version=found.version, message=again), analysis
    place = 1 + db.exec(earlier).one()
    return _standing(Standing.WAITING, place=place, steps=steps, version=found.version, message=again), analysis


def continued_games(db: Session, played: PlayedGame, analysis: Analysis | None) -> dict[str, Continued]:
    """Return how an analysed game is played on from its costliest decisions, by their addresses."""
    found = db.get(GameAnalysis, played.id)
    if found is None or analysis is None or found.continued is None or found.state != AnalysisState.DONE.value:
        return {}
    try:
        return {analysis.addresses[each.number]: each for each in unpack(found.continued, list[Continued])}
    except (NotKept, IndexError):
        return {}


def _read(found: GameAnalysis | TableAnalysis | RunAnalysis) -> tuple[Analysis | None, bool]:
    if found.course is None:
        return None, False
    try:
        return unpack(found.course, Analysis), False
    except NotKept:
        return None, True


def _standing(
    state: Standing,
    *,
    place: int | None = None,
    steps: int = 0,
    complete: bool | None = None,
    version: str | None = None,
    message: str = "",
) -> AnalysisStanding:
    return AnalysisStanding(
        state=state, place=place, steps=steps, complete=complete, version=version, message=str(message)
    )
