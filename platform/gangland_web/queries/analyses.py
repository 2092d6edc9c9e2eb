"""Read the analyses of one game or of a version's ladder games, and describe them in sentences."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from enum import StrEnum
from math import floor, fsum, sqrt
from typing import Any, Final, NamedTuple

from sqlalchemy import Integer, bindparam
from sqlalchemy.orm import defer
from sqlmodel import Session, col, func, select

from gangland_ladder.analysis.account import Analysis, GameFigures, figures_of
from gangland_ladder.analysis.analyzer import StoredContinuation
from gangland_ladder.analysis.comparison import CLEAR_ERRORS, MIN_GAMES, Comparison, Verdict
from gangland_ladder.analysis.transfer import UnreadableAnalysis, rounded, unpack
from gangland_ladder.common.texts import counted
from gangland_ladder.viewer.commentary import percent
from gangland_ladder.viewer.presentation import decision_text
from gangland_web.models.bots import Bot, Version
from gangland_web.models.jobs import AnalysisSeat, AnalysisState, GameAnalysis, JobState, Requester
from gangland_web.models.matches import Match, PlayedGame
from gangland_web.models.tournaments import Tournament
from gangland_web.queries.matches import MatchPage
from gangland_web.queries.tables import Count, Model, model_from
from gangland_web.services import analyses, jobs

# The analysis of one game, as its page and the API show it.

UNREADABLE: Final = "The stored analysis cannot be read."
RETRY_MESSAGE: Final = "The last attempt ended without a result."  # for an analysis that is retried


class AnalysisStage(StrEnum):
    """The state of a game's analysis for a visitor."""

    UNKNOWN = "unknown"  # not requested
    WAITING = "waiting"
    ANALYZED = "analyzed"  # a worker is analyzing it
    DONE = "done"
    FAILED = "failed"
    UNAVAILABLE = "unavailable"


class AnalysisStatus(Model):
    """The state of a game's analysis.

    `place` is the place in the queue, from 1, while the analysis waits.  `steps` counts the analyzed steps of the game,
    and `complete` says whether all were analyzed in the time allowed.  `message` says why there is no analysis, or that
    an attempt failed.
    """

    state: AnalysisStage
    place: Count | None
    steps: Count
    complete: bool | None
    version: str | None
    message: str


class GameAnalysisResponse(AnalysisStatus):
    """A game's analysis: its state, the account of each seat, and each judged decision.

    `values` has the value of the game to each seat, by step; `figures` are those of `gangland analyze --json`.
    """

    values: list[list[float]]
    figures: dict[str, Any] | None


def analysis_response(status: AnalysisStatus, analysis: Analysis | None) -> GameAnalysisResponse:
    """Return the state of an analysis, with the results so far."""
    figures = None if analysis is None else rounded(figures_of(analysis))
    values = [] if analysis is None else [list(moment.values) for moment in analysis.moments]
    return model_from(GameAnalysisResponse, status, values=values, figures=figures)


def analysis_of(
    db: Session, page: MatchPage, played: PlayedGame, *, is_on: bool
) -> tuple[AnalysisStatus, Analysis | None]:
    """Return the state of a game's analysis and the results so far; `is_on`: whether the site analyzes games."""
    stored, reason = db.get(GameAnalysis, played.id), analyses.not_analyzed_reason(page.match, page.tournament)
    if stored is None or reason is not None:
        reason = reason or (None if is_on else analyses.NotAnalyzedReason.OFF)
        return _status(
            AnalysisStage.UNKNOWN if reason is None else AnalysisStage.UNAVAILABLE, message=reason or ""
        ), None
    analysis, broken = _read(stored)
    steps = 0 if analysis is None else len(analysis.moments)
    if stored.state == AnalysisState.DONE.value:
        if broken:
            return _status(AnalysisStage.FAILED, message=UNREADABLE), None
        return _status(AnalysisStage.DONE, steps=steps, complete=stored.complete, version=stored.version), analysis
    if stored.state == AnalysisState.FAILED.value:
        return _status(AnalysisStage.FAILED, message=stored.failed_for or "", version=stored.version), analysis
    if not is_on:
        return _status(AnalysisStage.UNAVAILABLE, message=analyses.NotAnalyzedReason.OFF), analysis
    job = jobs.find_job(db, analyses.ANALYSIS, played.id or 0)
    message = RETRY_MESSAGE if job is not None and job.attempt > (job.begun_at is not None) else ""
    if job is None or job.state != JobState.WAITING.value:
        return _status(AnalysisStage.ANALYZED, steps=steps, version=stored.version, message=message), analysis
    place = jobs.place_in_queue(db, job, analyses.ANALYSIS)
    return _status(AnalysisStage.WAITING, place=place, steps=steps, version=stored.version, message=message), analysis


def continued_games(db: Session, played: PlayedGame, analysis: Analysis | None) -> dict[str, StoredContinuation]:
    """Return the continuations of an analyzed game after better decisions, by the address of the costly decision."""
    stored = db.get(GameAnalysis, played.id)
    if stored is None or analysis is None or stored.continued is None or stored.state != AnalysisState.DONE.value:
        return {}
    try:
        return {analysis.addresses[each.number]: each for each in unpack(stored.continued, list[StoredContinuation])}
    except (UnreadableAnalysis, IndexError):
        return {}


def _read(stored: GameAnalysis) -> tuple[Analysis | None, bool]:
    if stored.course is None:
        return None, False
    try:
        return unpack(stored.course, Analysis), False
    except UnreadableAnalysis:
        return None, True


def _status(state: AnalysisStage, message: str = "", **members: Any) -> AnalysisStatus:
    defaults: dict[str, Any] = {"place": None, "steps": 0, "complete": None, "version": None}
    return AnalysisStatus(state=state, message=str(message), **(defaults | members))


# A version's analyzed ladder games.
#
# Only ladder games count, because they are public. Games are comparable only if the same version of the reference
# judged them, so only games judged by the most frequent version are used.

_COURSE: Any = GameAnalysis.course  # lists of games do not read these two columns
_REPLAY: Any = PlayedGame.replay
# Sums cover at most this number of a version's latest analyzed games; a bot's page reads all of them.
LATEST_GAMES: Final = 60


class AnalyzedGame(NamedTuple):
    """An analyzed game of a version."""

    game_id: int
    match_id: int
    block: int
    rotation: int
    seat: int  # the version's seat, from 0
    reference: str  # the version of the reference that judged the game
    was_opened: bool  # whether it was analyzed because a visitor opened its page
    figures: GameFigures


class Opponent(NamedTuple):
    """Another bot at the table."""

    bot_id: int
    name: str
    is_house: bool


def analyzed_games(db: Session, entry_id: int, opponent: int | None = None) -> list[AnalyzedGame]:
    """Return the latest public analyzed games of a ladder entry, newest first; `opponent`: only games with this bot."""
    query: Any = (
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
        .limit(LATEST_GAMES)
    )
    if opponent is not None:
        seats = select(AnalysisSeat.game_id).join(Version, col(Version.id) == AnalysisSeat.version_id)
        query = query.where(col(AnalysisSeat.game_id).in_(seats.where(Version.bot_id == opponent)))
    return [
        AnalyzedGame(
            game_id=analysis.game_id or 0,
            match_id=match.id or 0,
            block=block,
            rotation=rotation,
            seat=seat or 0,
            reference=analysis.version or "",
            was_opened=analysis.requested_by == Requester.OPENED.value,
            figures=unpack(analysis.figures, GameFigures),
        )
        for seat, analysis, block, rotation, match, tournament in db.exec(query).all()
        if analysis.figures is not None and analyses.not_analyzed_reason(match, tournament) is None
    ]


def figures_of_games(db: Session, games: Sequence[int]) -> dict[int, GameFigures]:
    """Return the stored figures of these games by game id; games without an analysis are left out."""
    query = select(GameAnalysis.game_id, GameAnalysis.figures).where(col(GameAnalysis.game_id).in_(games))
    figures: dict[int, GameFigures] = {}
    for game_id, packed in db.exec(query.where(col(GameAnalysis.figures).is_not(None))).all() if games else ():
        with suppress(UnreadableAnalysis):  # the game is being reanalyzed
            figures[game_id or 0] = unpack(packed or b"", GameFigures)
    return figures


def filter_by_reference(*versions: Sequence[AnalyzedGame]) -> list[list[AnalyzedGame]]:
    """Return the games judged by the same version of the reference, the one that leaves most games in each list."""
    counts = [Counter(game.reference for game in games) for games in versions]
    references = sorted({reference for count in counts for reference in count}, reverse=True)
    if not references:
        return [[] for _ in versions]
    best = max(references, key=lambda each: (min(count[each] for count in counts), counts[0][each]))
    return [[game for game in games if game.reference == best] for games in versions]


def opponents_in(db: Session, games: Iterable[AnalyzedGame]) -> dict[int, list[Opponent]]:
    """Return the other bots at the table of each game, by game id, without duplicates."""
    own = {game.game_id: game.seat for game in games}
    query: Any = (
        select(AnalysisSeat.game_id, AnalysisSeat.seat, Bot.id, Bot.name, Bot.is_house)  # type: ignore[call-overload]
        .join(Version, col(Version.id) == AnalysisSeat.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .where(col(AnalysisSeat.game_id).in_(own))
        .order_by(col(AnalysisSeat.game_id), col(AnalysisSeat.seat))
    )
    opponents: dict[int, list[Opponent]] = {game_id: [] for game_id in own}
    for game_id, seat, bot_id, name, is_house in db.exec(query).all():
        other = Opponent(bot_id or 0, name, is_house)
        if game_id is not None and seat != own[game_id] and other not in opponents[game_id]:
            opponents[game_id].append(other)
    return opponents


def count_waiting(db: Session, entry_id: int) -> int:
    """Return the number of an entry's games that are waiting for an analysis."""
    query = select(func.count()).select_from(AnalysisSeat)
    query = query.join(GameAnalysis, col(GameAnalysis.game_id) == AnalysisSeat.game_id)
    return db.exec(query.where(AnalysisSeat.entry_id == entry_id, GameAnalysis.state == AnalysisState.OPEN.value)).one()


class Headline(NamedTuple):
    """The costliest kind of mistake of a version."""

    sentence: str
    games: int  # the number of analyzed games
    costliest: int  # the id of the costliest game


def headline(db: Session, entry_id: int) -> Headline | None:
    """Return a ladder entry's costliest kind of mistake, or None before any of its games has been analyzed."""
    rows = db.connection().execute(_COSTS, {"entry": entry_id}).all()
    if not rows:
        return None
    counts = Counter(row[0] for row in rows)
    reference = max(counts, key=lambda each: (counts[each], each or ""))
    games = [row[1:] for row in rows if row[0] == reference]
    costliest = max(games, key=lambda game: (game[1] or 0.0, game[2]))[2]
    return Headline(weakness_sentence([costs or [] for costs, *_ in games]), len(games), costliest)


class WorstGame(NamedTuple):
    """A version's costliest analyzed game, and its costliest decision there."""

    match: int
    block: int
    rotation: int
    cost: float
    at: str | None  # the address of the decision
    did: str  # the decision in words
    better: str  # the best decision in words


def worst_game(db: Session, entry_id: int, game_id: int) -> WorstGame | None:
    """Return an analyzed game and its cost to an entry, or None if it cost nothing or its analysis is not available."""
    query: Any = (
        select(AnalysisSeat.seat, GameAnalysis.figures, PlayedGame, Match, Tournament)  # type: ignore[call-overload]
        .join(GameAnalysis, col(GameAnalysis.game_id) == AnalysisSeat.game_id)
        .join(PlayedGame, col(PlayedGame.id) == GameAnalysis.game_id)
        .join(Match, col(Match.id) == PlayedGame.match_id)
        .join(Tournament, col(Tournament.id) == Match.tournament_id)
        .where(AnalysisSeat.entry_id == entry_id, AnalysisSeat.game_id == game_id)
        .options(defer(_REPLAY))
    )
    row = db.exec(query).first()
    if row is None or row.figures is None or analyses.not_analyzed_reason(row.Match, row.Tournament) is not None:
        return None
    own = [each for each in unpack(row.figures, GameFigures).decisions if each.seat == row.seat and each.cost > 0]
    if not own:
        return None
    game, worst = row.PlayedGame, max(own, key=lambda each: each.cost)
    did, better = (decision_text(row.Tournament.game, worst.kind, each) for each in (worst.chosen, worst.best))
    return WorstGame(game.match_id, game.block, game.rotation, fsum(each.cost for each in own), worst.at, did, better)


class MeanCost(NamedTuple):
    """The mean cost per game of an entry's decisions, as a share of a win."""

    games: int
    cost: float
    error: float | None  # the standard error, if known


def mean_costs(db: Session, entries: Sequence[int]) -> list[MeanCost | None]:
    """Return the mean costs of ladder entries in their latest games that the same version of the reference judged."""
    costs_by_entry = [db.exec(_latest(entry, AnalysisSeat.cost)).all() for entry in entries]
    counts = [Counter(reference for reference, _ in rows) for rows in costs_by_entry]
    names = sorted({reference or "" for count in counts for reference in count}, reverse=True)
    if not names:
        return [None for _ in entries]
    best = max(names, key=lambda name: (min(count[name] for count in counts), sum(count[name] for count in counts)))
    costs = [[cost or 0.0 for reference, cost in rows if reference == best] for rows in costs_by_entry]
    return [MeanCost(len(games), *mean_and_error(games)) if games else None for games in costs]


def _latest(entry_id: Any, *columns: Any) -> Any:
    return (
        select(GameAnalysis.version, *columns)
        .join(GameAnalysis, col(GameAnalysis.game_id) == AnalysisSeat.game_id)
        .where(AnalysisSeat.entry_id == entry_id, GameAnalysis.state == AnalysisState.DONE.value)
        .order_by(col(AnalysisSeat.game_id).desc())
        .limit(LATEST_GAMES)
    )


_COSTS: Final = _latest(bindparam("entry", type_=Integer), AnalysisSeat.costs, AnalysisSeat.cost, AnalysisSeat.game_id)


def weakness_sentence(games: Sequence[Sequence[dict[str, Any]]]) -> str:
    """Return a sentence about the costliest kind of mistake; `games` has the `AnalysisSeat.costs` of each game."""
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
        return "No costly decision"
    theme = min(themes, key=lambda each: (-sum(themes[each].values()), each))
    cost, error = mean_and_error([themes[theme][number] for number in range(len(games))])
    parts = {key: lost for key, lost in phases.items() if key[0] == theme}
    costliest = max(parts, key=lambda key: parts[key])
    span = (min(rounds[costliest]), max(rounds[costliest]))
    sums = amounts[theme]
    means = (sums["chosen"] / sums["amounts"], sums["best"] / sums["amounts"]) if sums["amounts"] else None
    part = parts[costliest] / len(games)
    return loss_sentence(theme, cost, error, part, span, parts=len(parts), games=len(games), means=means)


# Sentences about analyzed games, and rounded shares that add up.

TOO_FEW_GAMES: Final = "; too few games to be sure"
_SHARE_STEPS: Final = 1000  # pages show shares of a win to 0.1%


def loss_sentence(
    theme: str,
    cost: float,  # per game
    error: float | None,  # of `cost`
    part: float,  # of `cost`, in the costliest third of the game
    rounds: Sequence[int],  # the first and the last one in that third
    *,
    parts: int,  # the number of thirds with such mistakes
    games: int,
    means: tuple[float, float] | None = None,  # of the bot's decisions and of the best ones, if they are numbers
) -> str:
    """Return a bot's costliest kind of mistake as a sentence without a subject or a period."""
    first, last = rounds
    span = f"round {first}" if first == last else f"rounds {first} to {last}"
    margin = "" if error is None else f" ± {percent(error)}"
    text = f"Loses {percent(cost)}{margin} of a win per game by {theme}"
    if means is not None:
        text += f" ({means[0]:.1f} on average, {means[1]:.1f} was best)"
    text += f" in {span}" if parts == 1 else f", mostly in {span} ({percent(part)})"
    is_clear = error is not None and games >= MIN_GAMES and abs(cost) >= CLEAR_ERRORS * error
    return text if is_clear else text + TOO_FEW_GAMES


def comparison_sentence(comparison: Comparison) -> str:
    """Return a sentence, without a period, that says which of two versions loses less."""
    whole = comparison.whole
    if not whole.verdict.is_clear:
        text = f"{whole.verdict.value.capitalize()}: {comparison.new} loses {percent(whole.new)} of a win per game"
        return f"{text}, {comparison.old} {percent(whole.old)}"
    difference = percent(abs(whole.difference))
    text = f"{comparison.new} loses {difference} of a win per game {whole.verdict.value} than {comparison.old}"
    text = f"{text}: {percent(whole.new)}, not {percent(whole.old)}"
    return f"V{text[1:]}" if text.startswith("version ") else text


def comparison_phrase(difference: float, verdict: Verdict) -> str:
    """Return the comparison with another bot as a short phrase."""
    if not verdict.is_clear:
        return verdict.value
    return f"loses {percent(abs(difference))} {verdict.value}"


def basis_sentence(games: int, played: int, waiting: int, opened: int, opponent: str | None, *, limit: int) -> str:
    """Return a sentence with the number of games behind the figures.

    `opened`: the number analyzed because a visitor opened them.  `opponent`: the bot in all of them, if any.  `limit`:
    the maximum number of games in the sums.
    """
    latest = " the latest" if games == limit else ""
    if opponent is not None:
        text = f"From{latest} {counted(games, 'analyzed game', ',')} against {opponent}."
    else:
        text = f"From{latest} {games:,} of its {counted(played, 'ladder game', ',')}"
        text += f"; {waiting:,} waiting." if waiting else "."
    if not opened:
        return text
    return f"{text} {counted(opened, 'game', ',')} picked by visitors may not be typical."


def rounded_shares(parts: Sequence[float], total: float) -> list[float]:
    """Return parts rounded to 0.1% so that they add up to the rounded total."""
    scaled = [part * _SHARE_STEPS for part in parts]
    rounded_parts = [floor(each) for each in scaled]
    missing = round(total * _SHARE_STEPS) - sum(rounded_parts)
    by_remainder = sorted(range(len(parts)), key=lambda at: rounded_parts[at] - scaled[at])
    for turn in range(abs(missing)):
        at = by_remainder[turn % len(parts)] if missing > 0 else by_remainder[-1 - turn % len(parts)]
        rounded_parts[at] += 1 if missing > 0 else -1
    return [each / _SHARE_STEPS for each in rounded_parts]


def mean_and_error(values: Sequence[float]) -> tuple[float, float | None]:
    """Return the mean and its standard error, which is None for a single value."""
    mean = fsum(values) / len(values)
    if len(values) < 2:
        return mean, None
    squares = fsum((value - mean) ** 2 for value in values)
    return mean, sqrt(squares / (len(values) - 1) / len(values))
