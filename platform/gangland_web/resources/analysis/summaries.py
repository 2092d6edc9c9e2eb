"""The analysed ladder games of a version: which they are, and what costs it most in them.

Only games of ladders count: everybody may see them, whoever looks.  Games that other versions of the reference judged
are left out, as they are not comparable: the version that judged most of a bot's games counts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy.orm import defer
from sqlmodel import Session, col, func, select

from gangland_ladder.analysis.figures import GameFigures
from gangland_ladder.analysis.kept import unpack
from gangland_web.models.bots import Bot, Version
from gangland_web.models.jobs import AnalysisSeat, AnalysisState, GameAnalysis, RequestedBy
from gangland_web.models.matches import Match, PlayedGame
from gangland_web.models.tournaments import Tournament
from gangland_web.resources.analysis.words import loses, mean_and_error
from gangland_web.services.analyses import why_not_analysed

_COURSE: Any = GameAnalysis.course
"""What many games are read without."""
LATEST: Final = 60
"""So many of a version's latest analysed games are summed up: a bot's own page reads them, too."""


class AnalysedGame(NamedTuple):
    """An analysed game of a version.

    Attributes:
        seat: the version's, from 0.
        reference: the version of the reference that judged it.
        was_opened: whether it was analysed because somebody opened it.
    """

    game_id: int
    match_id: int
    block: int
    rotation: int
    seat: int
    reference: str
    was_opened: bool
    figures: GameFigures


class Opponent(NamedTuple):
    """A bot at the table."""

    bot_id: int
    name: str
    is_house: bool


def analysed_games(db: Session, entry_id: int, opponent: int | None = None) -> list[AnalysedGame]:
    """Return the latest analysed games of an entry of a ladder that everybody may see, the latest first.

    Args:
        opponent: games against this bot alone.
    """
    chosen: Any = (
        select(  # type: ignore[call-overload]
            AnalysisSeat.seat, GameAnalysis, PlayedGame.block, PlayedGame.rotation, Match, Tournament
        )
        .join(GameAnalysis, col(GameAnalysis.game_id) == AnalysisSeat.game_id)
        .join(PlayedGame, col(PlayedGame.id) == GameAnalysis.game_id)
        .join(Match, col(Match.id) == PlayedGame.match_id)
        .join(Tournament, col(Tournament.id) == Match.tournament_id)
        .where(AnalysisSeat.entry_id == entry_id, Tournament.kind == "ladder")
        .where(GameAnalysis.state == AnalysisState.DONE.value)
        .options(defer(_COURSE))
        .order_by(col(AnalysisSeat.game_id).desc())
        .limit(LATEST)
    )
    if opponent is not None:
        met = select(AnalysisSeat.game_id).join(Version, col(Version.id) == AnalysisSeat.version_id)
        chosen = chosen.where(col(AnalysisSeat.game_id).in_(met.where(Version.bot_id == opponent)))
    return [
        AnalysedGame(
            game_id=analysis.game_id or 0,
            match_id=match.id or 0,
            block=block,
            rotation=rotation,
            seat=seat or 0,
            reference=analysis.version or "",
            was_opened=analysis.requested_by == RequestedBy.OPENED.value,
            figures=unpack(analysis.figures, GameFigures),
        )
        for seat, analysis, block, rotation, match, tournament in db.exec(chosen).all()
        if analysis.figures is not None and why_not_analysed(match, tournament) is None
    ]


def of_one_reference(*versions: Sequence[AnalysedGame]) -> list[list[AnalysedGame]]:
    """Return of each version the games that one version of the reference judged, the one with most of each."""
    counts = [Counter(game.reference for game in games) for games in versions]
    known = sorted({reference for count in counts for reference in count}, reverse=True)
    if not known:
        return [[] for _ in versions]
    best = max(known, key=lambda each: (min(count[each] for count in counts), counts[0][each]))
    return [[game for game in games if game.reference == best] for games in versions]


def opponents_in(db: Session, games: Iterable[AnalysedGame]) -> dict[int, list[Opponent]]:
    """Return who else sat at the table of each game, by the game's id, in seat order; each bot once."""
    own = {game.game_id: game.seat for game in games}
    chosen: Any = (
        select(AnalysisSeat.game_id, AnalysisSeat.seat, Bot.id, Bot.name, Bot.is_house)  # type: ignore[call-overload]
        .join(Version, col(Version.id) == AnalysisSeat.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .where(col(AnalysisSeat.game_id).in_(own))
        .order_by(col(AnalysisSeat.game_id), col(AnalysisSeat.seat))
    )
    found: dict[int, list[Opponent]] = {game_id: [] for game_id in own}
    for game_id, seat, bot_id, name, is_house in db.exec(chosen).all():
        other = Opponent(bot_id or 0, name, is_house)
        if game_id is not None and seat != own[game_id] and other not in found[game_id]:
            found[game_id].append(other)
    return found


def waiting_games(db: Session, entry_id: int) -> int:
    """Return how many of an entry's games are to be analysed."""
    waiting = (AnalysisState.WAITING.value, AnalysisState.LEASED.value)
    chosen = select(func.count()).select_from(AnalysisSeat)
    chosen = chosen.join(GameAnalysis, col(GameAnalysis.game_id) == AnalysisSeat.game_id)
    return db.exec(chosen.where(AnalysisSeat.entry_id == entry_id, col(GameAnalysis.state).in_(waiting))).one()


class Headline(NamedTuple):
    """What costs a version most, in a sentence, and from how many analysed games that is known."""

    sentence: str
    games: int


def headline(db: Session, entry_id: int) -> Headline | None:
    """Return what costs an entry of a ladder most, None before any game is analysed; one statement."""
    chosen = (
        select(GameAnalysis.version, AnalysisSeat.costs)
        .join(GameAnalysis, col(GameAnalysis.game_id) == AnalysisSeat.game_id)
        .where(AnalysisSeat.entry_id == entry_id, GameAnalysis.state == AnalysisState.DONE.value)
        .order_by(col(AnalysisSeat.game_id).desc())
        .limit(LATEST)
    )
    rows = db.exec(chosen).all()
    if not rows:
        return None
    counts = Counter(reference for reference, _ in rows)
    reference = max(counts, key=lambda each: (counts[each], each or ""))
    games = [costs or [] for version, costs in rows if version == reference]
    return Headline(sentence_of(games), len(games))


class MeanCost(NamedTuple):
    """What the decisions of an entry cost a game, as a share of a win, with its standard error if that is known."""

    games: int
    cost: float
    error: float | None


def mean_costs(db: Session, entries: Sequence[int]) -> list[MeanCost | None]:
    """Return what decisions cost entries of ladders in their latest analysed games; None of one without any.

    They can be compared: of all, the games that one version of the reference judged are taken.
    """
    found = [db.exec(_costs_of(entry)).all() for entry in entries]
    counts = [Counter(reference for reference, _ in rows) for rows in found]
    known = sorted({reference or "" for count in counts for reference in count}, reverse=True)
    if not known:
        return [None for _ in entries]
    best = max(known, key=lambda each: (min(count[each] for count in counts), sum(count[each] for count in counts)))
    costs = [[cost or 0.0 for reference, cost in rows if reference == best] for rows in found]
    return [MeanCost(len(games), *mean_and_error(games)) if games else None for games in costs]


def _costs_of(entry_id: int) -> Any:
    return (
        select(GameAnalysis.version, AnalysisSeat.cost)
        .join(GameAnalysis, col(GameAnalysis.game_id) == AnalysisSeat.game_id)
        .where(AnalysisSeat.entry_id == entry_id, GameAnalysis.state == AnalysisState.DONE.value)
        .order_by(col(AnalysisSeat.game_id).desc())
        .limit(LATEST)
    )


def sentence_of(games: Sequence[Sequence[dict[str, Any]]]) -> str:
    """Return what costs most in some games, each with the costs of a seat as `AnalysisSeat.costs` has them."""
    themes: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    phases: dict[tuple[str, str], float] = defaultdict(float)
    rounds: dict[tuple[str, str], list[int]] = defaultdict(list)
    amounts: dict[str, Counter[str]] = defaultdict(Counter)
    for number, costs in enumerate(games):
        for each in costs:
            if theme := each["theme"]:
                themes[theme][number] += each["cost"]
                phases[theme, each["phase"]] += each["cost"]
                rounds[theme, each["phase"]] += each["rounds"]
                amounts[theme].update({name: each.get(name, 0) for name in ("amounts", "chosen", "best")})
    if not themes:
        return "Lost nothing by a decision that was judged"
    theme = min(themes, key=lambda each: (-sum(themes[each].values()), each))
    cost, error = mean_and_error([themes[theme][number] for number in range(len(games))])
    parts = {key: lost for key, lost in phases.items() if key[0] == theme}
    most = max(parts, key=lambda key: parts[key])
    where = (min(rounds[most]), max(rounds[most]))
    made = amounts[theme]
    means = (made["chosen"] / made["amounts"], made["best"] / made["amounts"]) if made["amounts"] else None
    part = parts[most] / len(games)
    return loses(theme, cost, error, part, where, parts=len(parts), games=len(games), means=means)
