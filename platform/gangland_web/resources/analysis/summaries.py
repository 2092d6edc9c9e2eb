"""What the analysed games of a version come to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlmodel import Session, col, select

from gangland_ladder.analysis.figures import GameFigures
from gangland_ladder.analysis.kept import unpack
from gangland_ladder.analysis.summary import GamePlace, PlayerSummary, Summary
from gangland_web.league.analyses.asking import why_not_analysed
from gangland_web.store.lifecycles.analyses import AnalysisState
from gangland_web.store.models.analyses import AnalysisSeat, GameAnalysis
from gangland_web.store.models.bots import Bot, Version
from gangland_web.store.models.matches import Match, PlayedGame
from gangland_web.store.models.tournaments import Tournament


class VersionGame(NamedTuple):
    """An analysed game of a version: which it is, the version's seat, and what the game came to."""

    match_id: int
    block: int
    rotation: int
    seat: int
    figures: GameFigures


def games_of_version(db: Session, version_id: int, seats: int | None = None) -> Iterator[VersionGame]:
    """Yield the analysed games of a version that everybody may see, the latest match first.

    Args:
        seats: of tables of this size alone.
    """
    chosen = (
        select(AnalysisSeat.seat, GameAnalysis.figures, PlayedGame.block, PlayedGame.rotation, Match, Tournament)
        .join(GameAnalysis, col(GameAnalysis.game_id) == AnalysisSeat.game_id)
        .join(PlayedGame, col(PlayedGame.id) == GameAnalysis.game_id)
        .join(Match, col(Match.id) == PlayedGame.match_id)
        .join(Tournament, col(Tournament.id) == Match.tournament_id)
        .where(AnalysisSeat.version_id == version_id, GameAnalysis.state == AnalysisState.DONE.value)
        .order_by(col(Match.id).desc(), col(PlayedGame.block), col(PlayedGame.rotation), col(AnalysisSeat.seat))
    )
    if seats is not None:
        chosen = chosen.where(AnalysisSeat.seats == seats)
    for seat, figures, block, rotation, match, tournament in db.exec(chosen).all():
        if figures is not None and seat is not None and why_not_analysed(match, tournament) is None:
            yield VersionGame(match.id or 0, block, rotation, seat, unpack(figures, GameFigures))


def version_summary(db: Session, version_id: int, seats: int | None = None) -> PlayerSummary | None:
    """Return what a version's analysed games come to, None if there are none."""
    row = db.exec(
        select(Bot.name, Version.number).join(Version, col(Version.bot_id) == Bot.id).where(Version.id == version_id)
    ).one()
    own = f"{row[0]} v{row[1]}"
    summary = Summary()
    for game in games_of_version(db, version_id, seats):
        names: Sequence[str] = [own if seat == game.seat else "" for seat in range(game.figures.seats)]
        place = GamePlace(
            file="", game=summary.games + 1, match=game.match_id, block=game.block, rotation=game.rotation
        )
        summary.add(game.figures, place, names)
    return next((player for player in summary.players() if player.bot == own), None)
