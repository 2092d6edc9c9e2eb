"""Read a bot's analysis: the model shared by page, JSON, CSV and API, with its tables and charts."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from operator import attrgetter
from typing import Annotated, Any, Final, NamedTuple

from flask import url_for
from msgspec import Meta
from sqlmodel import Session, col, func, select

from gangland_ladder.analysis import comparison as differences
from gangland_ladder.analysis.account import Account, DecisionFigures, Mark, Share
from gangland_ladder.analysis.games import has_reference
from gangland_ladder.analysis.summary import Cost, GamePlace, KindCost, PhaseCost, PlayerSummary, Summary, ThemeCost
from gangland_ladder.common.documents import Probability
from gangland_ladder.common.documents import Seats as TableSize
from gangland_ladder.common.texts import counted
from gangland_ladder.viewer.commentary import percent
from gangland_ladder.viewer.presentation import decision_text
from gangland_web.base.charts import Bar, Picture, bar_chart
from gangland_web.models.bots import Bot, Version
from gangland_web.models.columns import row_id
from gangland_web.models.jobs import AnalysisSeat, GameAnalysis
from gangland_web.models.tournaments import Entry, Tournament
from gangland_web.queries import analyses, bots, tables
from gangland_web.queries.tables import Column, Count, Game, Kind, Model, Number, Path, Seats, several, table_of
from gangland_web.services.analyses import NotAnalyzedReason

# The model of a bot's analysis.

MAX_COSTLIEST: Final = 10  # the maximum number of the costliest decisions listed
# The names that pages use for the parts of an account.
PARTS: Final[Mapping[str, str]] = {
    "start": "before the game",
    "luck": "luck of dice and cards",
    "own": "its own decisions",
    "others": "the others' decisions",
    "hidden": "hidden information",
    "error": "reference error",
    "rest": "not analyzed",
    "result": "result",
}

Error = Annotated[float | None, Meta(description="The standard error; null where it is not known.")]


class AnalysisChoice(Model):
    """The requested part of a bot's analysis.

    `seats`: by default the table size with most of the bot's games.  `version`: by default the one on the ladder, else
    the newest that has played there.  `opponent`: only games against this bot.  `compare`: a version to compare with,
    of `compare_bot` or of the same bot; by default that of `compare_bot` on the ladder.
    """

    seats: Seats | None = None
    version: Number | None = None
    opponent: Number | None = None
    compare: Number | None = None
    compare_bot: Number | None = None


class AccountMean(Model):
    """A part of a result: its mean per game, as a share of a win."""

    part: str
    mean: Share
    error: Error


class OpponentCost(Model):
    """The means of games against an opponent; `most` is the costliest kind of mistake in these games."""

    bot: Number
    name: str
    is_house: bool
    page: Path
    games: Count
    cost: Share
    error: Error
    luck: Share
    luck_error: Error
    result: Share
    most: str


class PeerCost(Model):
    """The mean cost per game of the decisions of another version or bot, at the same table size.

    `difference` is its cost minus the cost of the analyzed version; `verdict` says how certain the difference is.
    """

    bot: Number
    name: str
    version: Number
    is_house: bool
    page: Path
    games: Count
    accuracy: Probability | None
    cost: Share
    error: Error
    difference: Share
    difference_error: Error
    verdict: differences.Verdict


class SizeCost(Model):
    """The mean cost per game of the same version's decisions at a table size."""

    seats: TableSize
    games: Count
    cost: Share
    error: Error


class CostlyDecision(Model):
    """A costly decision, and the better one; `page` is the replay there."""

    page: Path
    match: Number
    block: Count
    rotation: Count
    round: Count
    at: str | None
    kind: str
    theme: str
    mark: Mark
    cost: Share
    error: float
    did: str
    better: str
    opponents: list[str]


class Compared(Model):
    """The comparison with another version; null if they cannot be compared, and `sentence` says why."""

    bot: Number
    name: str
    version: Number
    games: Count
    sentence: str
    comparison: differences.Comparison | None


class BotAnalysis(Model):
    """The cost of a version's decisions in its analyzed ladder games at a table size.

    Shares are shares of a win, and means are per game.  Of `games_played` games, `games` are analyzed (`games_opened`
    of these because a visitor opened them), and `games_waiting` are still to be analyzed.  `message` says why there are
    no analyzed games, and `headline` is the costliest kind of mistake.
    """

    bot: Number
    name: str
    game: Game
    page: Path
    seats: TableSize | None
    version: Number | None
    opponent: str | None
    games: Count
    games_played: Count
    games_waiting: Count
    games_opened: Count
    reference: str | None
    message: str
    rests_on: str
    headline: str
    decisions: Count
    accuracy: Probability | None
    marks: dict[str, Count]
    cost: Share | None
    error: Error
    account: list[AccountMean]
    kinds: list[KindCost]
    phases: list[PhaseCost]
    themes: list[ThemeCost]
    sizes: list[SizeCost]
    opponents: list[OpponentCost]
    peers: list[PeerCost]
    costliest: list[CostlyDecision]
    compared: Compared | None


# The analyzed version, and the other versions to choose from.


@dataclass(frozen=True, slots=True)
class ChosenVersion:
    """A version at a table size, and the other versions to choose from."""

    bot: Bot
    seats: int | None
    row: bots.RatingRow | None  # None if the bot has not played on the ladder there
    rows: tuple[bots.RatingRow, ...]

    @property
    def played(self) -> list[bots.RatingRow]:
        """The ratings of the bot's versions that have played at this table size, newest first."""
        return [row for row in self.rows if row.seats == self.seats and row.entry.games]

    @property
    def sizes(self) -> list[int]:
        """The table sizes where the bot has played."""
        return bots.played_sizes(self.rows)

    @property
    def previous(self) -> bots.RatingRow | None:
        """The previous version, if it has played at this table size."""
        number = 0 if self.row is None else self.row.version
        return next((row for row in self.played if row.version < number), None)


class NoAnalysis(LookupError):
    """There is no such analysis or comparison, for example because a version has not played; the message says why."""


def chosen_version(db: Session, bot: Bot, seats: int | None, version: int | None) -> ChosenVersion:
    """Return a version at a table size, with the defaults of `AnalysisChoice`; without a version, `row` may be None.

    Raises NoAnalysis: the given version has played no ladder game at this size.
    """
    rows = tuple(bots.ratings_of(db, row_id(bot.id)))
    games = bots.games_by_size(row for row in rows if version in (None, row.version))
    size = seats or max(games, key=lambda each: (games[each], -each), default=None)
    played = [row for row in rows if row.seats == size and row.entry.games]
    if version is not None:
        selected = next((row for row in played if row.version == version), None)
        if selected is None:
            raise NoAnalysis(f"Version {version} of {bot.name} has played no ladder game at this table size.")
        return ChosenVersion(bot, size, selected, rows)
    selected = next((row for row in played if row.entry.active), played[0] if played else None)
    return ChosenVersion(bot, size, selected, rows)


# The analysis: sums and means over a version's analyzed games.


def bot_analysis(db: Session, selected: ChosenVersion, choice: AnalysisChoice, *, is_on: bool) -> BotAnalysis:
    """Return the sums and means of a version's analyzed games.  Raises NoAnalysis."""
    opponent = None if choice.opponent is None else _get_bot(db, choice.opponent)
    if selected.row is None:
        return _analysis(selected, opponent, [], 0, is_on)
    entry = row_id(selected.row.entry.id)
    opponent_id = None if opponent is None else opponent.id
    games = analyses.analyzed_games(db, entry, opponent_id)
    other = _compared_row(db, selected, choice)
    other_games = analyses.analyzed_games(db, row_id(other[1].entry.id), opponent_id) if other else []
    own, *_ = analyses.filter_by_reference(games)
    analysis = _analysis(selected, opponent, own, analyses.count_waiting(db, entry), is_on)
    if other is not None:
        analysis.compared = _compare_versions(selected, games, *other, other_games)
    if own:
        _add_games(db, analysis, own)
        if opponent is None:
            _add_sums(db, analysis, selected, own[0].reference)
    return analysis


def _get_bot(db: Session, bot_id: int) -> Bot:
    bot = db.get(Bot, bot_id)
    if bot is None:
        raise NoAnalysis(f"There is no bot {bot_id}.")
    return bot


def _compared_row(db: Session, selected: ChosenVersion, choice: AnalysisChoice) -> tuple[Bot, bots.RatingRow] | None:
    if choice.compare is None and choice.compare_bot is None:
        return None
    bot = selected.bot if choice.compare_bot is None else _get_bot(db, choice.compare_bot)
    if bot.game != selected.bot.game:
        raise NoAnalysis(f"{bot.name} plays another game.")
    other = chosen_version(db, bot, selected.seats, choice.compare)
    if other.row is None:
        raise NoAnalysis(f"{bot.name} has played no ladder game at this table size.")
    return bot, other.row


def _analysis(
    selected: ChosenVersion, opponent: Bot | None, games: Sequence[analyses.AnalyzedGame], waiting: int, is_on: bool
) -> BotAnalysis:
    """Return the parts that need no further SQL statements; without games, the parts about games are empty."""
    bot, row = selected.bot, selected.row
    player = _summary(games)
    opened = sum(game.was_opened for game in games)
    played = 0 if row is None else row.entry.games
    figures: dict[str, Any] = {"decisions": 0, "accuracy": None, "cost": None, "error": None}
    figures |= {"kinds": [], "phases": [], "themes": []}
    if player is not None:
        figures = {name: getattr(player, name) for name in figures}
    return tables.model_from(
        BotAnalysis,
        bot,
        bot=row_id(bot.id),
        page=url_for("bots.analysis", bot_id=bot.id),
        seats=selected.seats,
        version=None if row is None else row.version,
        opponent=None if opponent is None else opponent.name,
        games=len(games),
        games_played=played,
        games_waiting=waiting,
        games_opened=opened,
        reference=games[0].reference if games else None,
        message="" if games else _missing_reason(bot, played, waiting, opponent, is_on),
        rests_on=analyses.basis_sentence(
            len(games),
            played,
            waiting,
            opened,
            None if opponent is None else opponent.name,
            limit=analyses.LATEST_GAMES,
        ),
        headline="" if player is None else weakness(player),
        marks={} if player is None else {mark.value: count for mark, count in player.marks.items()},
        **figures,
        account=_account([game.figures.accounts[game.seat] for game in games]),
        sizes=[],
        opponents=[],
        peers=[],
        costliest=[],
        compared=None,
    )


def _missing_reason(bot: Bot, played: int, waiting: int, opponent: Bot | None, is_on: bool) -> str:
    if not has_reference(bot.game):
        return NotAnalyzedReason.NO_REFERENCE
    if opponent is not None:
        return f"No analyzed game against {opponent.name} yet."
    if waiting:
        return f"No analyzed game yet; {waiting:,} waiting."
    if not is_on:
        return NotAnalyzedReason.OFF
    if not played:
        return "No ladder game yet."
    return "No analyzed game yet. Open a game to have it analyzed."


def _summary(games: Sequence[analyses.AnalyzedGame]) -> PlayerSummary | None:
    summary = Summary()
    for number, game in enumerate(games, 1):
        place = GamePlace("", number, game.match_id, game.block, game.rotation)
        names = ["its own" if seat == game.seat else "" for seat in range(game.figures.seats)]
        summary.add(game.figures, place, names)
    return next((player for player in summary.players() if player.bot), None)


def weakness(player: PlayerSummary) -> str:
    """Return a bot's costliest kind of mistake, as a sentence without a subject or a period."""
    if not player.themes:
        return "No costly decision"
    theme = player.themes[0]
    part = theme.phases[0]
    means = None if theme.chosen is None or theme.best is None else (theme.chosen, theme.best)
    return analyses.loss_sentence(
        theme.theme,
        theme.cost,
        theme.error,
        part.cost,
        part.rounds,
        parts=len(theme.phases),
        games=player.games,
        means=means,
    )


def _account(accounts: Sequence[Account]) -> list[AccountMean]:
    if not accounts:
        return []
    means = []
    for part in PARTS:
        mean, error = analyses.mean_and_error([getattr(account, part) for account in accounts])
        means.append(AccountMean(part=part, mean=mean, error=error))
    return means


def _add_games(db: Session, analysis: BotAnalysis, games: Sequence[analyses.AnalyzedGame]) -> None:
    others = analyses.opponents_in(db, games)
    games_by_opponent: dict[analyses.Opponent, list[analyses.AnalyzedGame]] = defaultdict(list)
    for game in games:
        for opponent in others[game.game_id]:
            games_by_opponent[opponent].append(game)
    costs = [_opponent_cost(*item) for item in games_by_opponent.items()]
    analysis.opponents = sorted(costs, key=lambda each: (-each.cost, each.name, each.bot))
    decisions = [
        (game, decision)
        for game in games
        for decision in game.figures.decisions
        if decision.seat == game.seat and decision.mark is not Mark.BEST
    ]
    decisions.sort(key=lambda each: (-each[1].cost, -each[0].game_id))
    costliest = decisions[:MAX_COSTLIEST]
    analysis.costliest = [_costly_decision(analysis.game, game, each, others[game.game_id]) for game, each in costliest]


def _opponent_cost(opponent: analyses.Opponent, games: Sequence[analyses.AnalyzedGame]) -> OpponentCost:
    accounts = [game.figures.accounts[game.seat] for game in games]
    player = _summary(games)
    luck, luck_error = analyses.mean_and_error([account.luck for account in accounts])
    return tables.model_from(
        OpponentCost,
        opponent,
        bot=opponent.bot_id,
        page=url_for("bots.bot", bot_id=opponent.bot_id),
        games=len(games),
        cost=0.0 if player is None else player.cost,
        error=None if player is None else player.error,
        luck=luck,
        luck_error=luck_error,
        result=analyses.mean_and_error([account.result for account in accounts])[0],
        most="" if player is None else weakness(player),
    )


def _costly_decision(
    game: str, played: analyses.AnalyzedGame, decision: DecisionFigures, opponents: Sequence[analyses.Opponent]
) -> CostlyDecision:
    place: dict[str, Any] = {"match_id": played.match_id, "block": played.block, "rotation": played.rotation}
    return tables.model_from(
        CostlyDecision,
        decision,
        page=url_for("matches.game", **place, _anchor=decision.at),
        match=played.match_id,
        block=played.block,
        rotation=played.rotation,
        did=decision_text(game, decision.kind, decision.chosen),
        better=decision_text(game, decision.kind, decision.best),
        opponents=[opponent.name for opponent in opponents],
    )


def _compare_versions(
    selected: ChosenVersion,
    games: Sequence[analyses.AnalyzedGame],
    bot: Bot,
    row: bots.RatingRow,
    other_games: Sequence[analyses.AnalyzedGame],
) -> Compared:
    builder = differences.ComparisonBuilder()
    new, old = analyses.filter_by_reference(games, other_games)
    for side, chosen_games in ((differences.Side.OLD, old), (differences.Side.NEW, new)):
        for game in chosen_games:
            builder.add(side, game.figures, game.seat, f"{game.match_id} {game.block}")
    same = bot.id == selected.bot.id
    number = 0 if selected.row is None else selected.row.version
    names = (
        [f"version {row.version}", f"version {number}"]
        if same
        else [f"{bot.name} v{row.version}", f"{selected.bot.name} v{number}"]
    )
    try:
        comparison = builder.comparison(*names)
        sentence = f"{analyses.comparison_sentence(comparison)}."
    except differences.NotComparable:
        comparison, sentence = None, "Not comparable yet: each needs an analyzed game."
    return Compared(
        bot=row_id(bot.id), name=bot.name, version=row.version, games=len(old), sentence=sentence, comparison=comparison
    )


class _Sum(Model):
    entry: int
    games: int
    cost: float
    squares: float
    decisions: int
    good: int

    @property
    def mean(self) -> float:
        return self.cost / self.games

    @property
    def error(self) -> float | None:
        if self.games < 2:
            return None
        deviations = max(0.0, self.squares - self.cost * self.cost / self.games)
        return sqrt(deviations / (self.games - 1) / self.games)


def _add_sums(db: Session, analysis: BotAnalysis, selected: ChosenVersion, reference: str) -> None:
    """Add the costs of the same version at each table size, of the previous version, and of the house bots."""
    own, previous = selected.row, selected.previous
    if own is None:
        return
    house = _house_entries(db, own.entry.tournament_id)
    sizes = {row_id(row.entry.id): row.seats for row in selected.rows if row.version == own.version}
    others: dict[int, tuple[Bot, int]] = {row_id(entry): (bot, number) for entry, bot, number in house}
    if previous is not None:
        others = {row_id(previous.entry.id): (selected.bot, previous.version), **others}
    sums = {each.entry: each for each in _sums(db, [*sizes, *others], reference)}
    for entry, seats in sorted(sizes.items(), key=lambda each: each[1]):
        if total := sums.get(entry):
            analysis.sizes.append(SizeCost(seats=seats, games=total.games, cost=total.mean, error=total.error))
    for entry, (bot, number) in others.items():
        if (total := sums.get(entry)) and entry != own.entry.id:
            analysis.peers.append(_peer(analysis, total, bot, number))


def _peer(analysis: BotAnalysis, total: _Sum, bot: Bot, version: int) -> PeerCost:
    errors = (analysis.error, total.error)
    error = None if None in errors else sqrt(fsum(each * each for each in errors if each is not None))
    difference = total.mean - (analysis.cost or 0.0)
    return PeerCost(
        bot=row_id(bot.id),
        name=bot.name,
        version=version,
        is_house=bot.is_house,
        page=url_for("bots.bot", bot_id=bot.id),
        games=total.games,
        accuracy=total.good / total.decisions if total.decisions else None,
        cost=total.mean,
        error=total.error,
        difference=difference,
        difference_error=error,
        verdict=differences.verdict_of(difference, error, min(analysis.games, total.games)),
    )


def _house_entries(db: Session, tournament_id: int) -> Sequence[tuple[int | None, Bot, int]]:
    query = (
        select(Entry.id, Bot, Version.number)
        .join(Version, col(Version.id) == Entry.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .where(Entry.tournament_id == tournament_id, col(Entry.active).is_(True), col(Bot.is_house).is_(True))
        .order_by(col(Bot.name_key), col(Entry.id))
    )
    return db.exec(query).all()


def _sums(db: Session, entries: Sequence[int], reference: str) -> Iterator[_Sum]:
    cost: Any = AnalysisSeat.cost
    query: Any = (
        select(
            AnalysisSeat.entry_id,
            func.count(),
            func.sum(cost),
            func.sum(cost * cost),
            func.sum(AnalysisSeat.decisions),
            func.sum(AnalysisSeat.good),
        )  # type: ignore[call-overload]
        .join(GameAnalysis, col(GameAnalysis.game_id) == AnalysisSeat.game_id)
        .join(Entry, col(Entry.id) == AnalysisSeat.entry_id)
        .join(Tournament, col(Tournament.id) == Entry.tournament_id)
        .where(col(AnalysisSeat.entry_id).in_(entries), Tournament.kind == "ladder")
        .where(cost.is_not(None), GameAnalysis.version == reference)
        .group_by(col(AnalysisSeat.entry_id))
    )
    for entry, games, total, squares, decisions, good in db.exec(query).all():
        yield _Sum(entry=entry, games=games, cost=total, squares=squares, decisions=decisions, good=good)


# The tables and charts of a bot's analysis.


class PartCost(NamedTuple):
    """The cost of some decisions, or of all decisions in some games."""

    by: str  # the name of this kind of part in files
    part: str
    games: int
    cost: float | None
    error: float | None
    decisions: int | None = None
    marked: int | None = None
    luck: float | None = None
    result: float | None = None
    chosen: float | None = None
    best: float | None = None


class OpponentLine(NamedTuple):
    """The means of games with an opponent, and the URL of the analysis of these games."""

    cost: OpponentCost
    page: str


class PeerLine(NamedTuple):
    """The mean cost of another version's or bot's decisions, and the comparison with it."""

    name: str
    page: str
    games: int
    accuracy: float | None
    cost: float | None
    error: float | None
    verdict: str


class DifferenceLine(NamedTuple):
    """The cost of some decisions in two versions."""

    part: str
    cost: differences.Difference

    @property
    def verdict(self) -> str:
        """The verdict on the difference."""
        difference, verdict = percent(abs(self.cost.difference)), self.cost.verdict.value
        return {"less": f"{difference} less", "more": f"{difference} more"}.get(verdict, verdict)


_COST: Final = tuple(several(Kind.SHARE, digits=1, cost="Cost per game", error="±"))
_GAMES: Final = Column("games", "Games", Kind.WHOLE)
_COUNTS: Final = (Column("decisions", "Decisions", Kind.WHOLE), Column("marked", "Marked", Kind.WHOLE))
_PARTS: Final = (Column("part", "By"), *_COUNTS, *_COST)
# The CSV file: the cost of each kind of decision.
ANALYSIS_ROWS: Final = table_of(
    *("bot-analysis-rows", PartCost, "/bots/N/analysis"),
    "The cost of a version's decisions by kind; only the CSV has these rows (`?seats=`, `?version=`, `?opponent=`).",
    *(Column("by", "By"), Column("part", "Part")),
    *(_GAMES, *_COUNTS, *_COST),
    *several(Kind.SHARE, digits=1, luck="Luck per game", result="Result"),
)
_BY_PART: Final = table_of(*("analysis-parts", PartCost, "", ""), *_PARTS, phone=("By", "Decisions", "Cost per game"))
_BY_THEME: Final = table_of(
    *("analysis-themes", PartCost, "", ""),
    *_PARTS,
    *several(Kind.NUMBER, digits=1, chosen="Chosen, mean", best="Best, mean"),
    phone=("By", "Decisions", "Cost per game"),
)
_OPPONENTS: Final = table_of(
    *("analysis-opponents", OpponentLine, "", ""),
    Column("name", "Against", of="cost.name", cell="opponent"),
    Column("games", "Games", Kind.WHOLE, of="cost.games"),
    *several(Kind.SHARE, "cost", digits=1, result="Result", luck="Luck", luck_error="± of luck"),
    *several(Kind.SHARE, "cost", digits=1, cost="Cost per game", error="±"),
    Column("most", "Costliest mistake", of="cost.most"),
    phone=("Against", "Games", "Cost per game"),
)
_PEERS: Final = table_of(
    *("analysis-peers", PeerLine, "", ""),
    Column("name", "Bot", cell="named_page"),
    _GAMES,
    Column("accuracy", "Best or good", Kind.SHARE, digits=1),
    *_COST,
    Column("verdict", "Compared with this"),
    phone=("Bot", "Games", "Cost per game"),
)
_ACCOUNT: Final = table_of(
    *("analysis-account", AccountMean, "", ""),
    Column("part", "From"),
    *several(Kind.SHARE, digits=1, mean="Per game", error="±"),
)
_SIZES: Final = table_of(*("analysis-sizes", SizeCost, "", ""), Column("seats", "Seats", Kind.WHOLE), _GAMES, *_COST)
_COSTLIEST: Final = table_of(
    *("analysis-costliest", CostlyDecision, "", ""),
    *(Column("where", "Game", of="page", cell="costly"), Column("cost", "Cost", Kind.SHARE, digits=1)),
    *(Column("did", "Decision", cell="did_and_best", css="words"), Column("mark", "Mark"), Column("theme", "Mistake")),
    phone=("Game", "Cost", "Decision"),
)
_COMPARED: Final = table_of(
    *("analysis-compared", DifferenceLine, "", ""),
    Column("part", "Lost by"),
    *several(Kind.SHARE, "cost", digits=1, old="Then", new="Now", error="± of the difference"),
    Column("verdict", "Verdict"),
    phone=("Lost by", "Then", "Now", "Verdict"),
)
PHASE_LABELS: Final = {"first": "first third", "middle": "middle third", "last": "last third"}
_KINDS_CAPTION: Final = "Marked: inaccuracies, mistakes and blunders."
_PHASES_CAPTION: Final = "Thirds of each game, however long it is."
_THEMES_CAPTION: Final = "Decisions that cost something, by kind of mistake."
_SUM_CAPTION: Final = (
    "Result: the share of opponents that the bot finished ahead of. The other parts add up to it. "
    "A large reference error makes the other parts less certain."
)
_PEERS_CAPTION: Final = "The previous version and the house bots, each in its own games."
_SHOWN_COSTLIEST: Final = 5  # the number of costliest decisions that are listed outside the fold


def rows_table(analysis: BotAnalysis) -> tables.TableData:
    """Return the table behind the CSV file."""
    rows = []
    if analysis.games:
        means = {each.part: each.mean for each in analysis.account}
        marked = sum(count for mark, count in analysis.marks.items() if mark not in ("best", "good"))
        counts = (analysis.games, analysis.cost, analysis.error, analysis.decisions, marked)
        rows.append(PartCost("all", "", *counts, means["luck"], means["result"]))
    for by, parts in (("kind", analysis.kinds), ("phase", analysis.phases), ("theme", analysis.themes)):
        rows += [_part(by, getattr(part, by), part, analysis.games) for part in parts]
    rows += [PartCost("seats", str(size.seats), size.games, size.cost, size.error) for size in analysis.sizes]
    rows += [
        PartCost("opponent", rival.name, rival.games, rival.cost, rival.error, luck=rival.luck, result=rival.result)
        for rival in analysis.opponents
    ]
    return ANALYSIS_ROWS.of(rows)


def _part(by: str, part: str, cost: Cost, games: int) -> PartCost:
    return PartCost(by, part, games, cost.cost, cost.error, cost.decisions, cost.marked)


def page_tables(analysis: BotAnalysis, query: Mapping[str, Any]) -> dict[str, Any]:
    """Return the page's tables by name, with their charts; `query`: the parameters for links."""
    by_kind = [_part("", part.kind, part, analysis.games) for part in analysis.kinds]
    by_phase = [_part("", _phase_label(phase), phase, analysis.games) for phase in analysis.phases]
    by_theme = [
        _part("", part.theme, part, analysis.games)._replace(chosen=part.chosen, best=part.best)
        for part in analysis.themes
    ]
    has_amounts = any(part.chosen is not None for part in analysis.themes)
    return {
        "account": _account_table(analysis),
        "kinds": (_BY_PART.of(by_kind, _KINDS_CAPTION), _kinds_chart(analysis)),
        "phases": (_BY_PART.of(by_phase, _PHASES_CAPTION), _phases_chart(analysis)),
        "themes": (_BY_THEME if has_amounts else _BY_PART).of(by_theme, _THEMES_CAPTION),
        "sizes": _SIZES.of(analysis.sizes, "All analyzed ladder games of this version"),
        "opponents": _opponents_table(analysis, query),
        "peers": _peers_table(analysis),
        "costliest": _COSTLIEST.of(analysis.costliest[:_SHOWN_COSTLIEST], "Links open the replay at the decision."),
        "more_costliest": _COSTLIEST.of(analysis.costliest[_SHOWN_COSTLIEST:]),
    }


def _phase_label(each: Any) -> str:
    return f"{PHASE_LABELS[each.phase]}, {_rounds(each.rounds)}"


def _rounds(rounds: Sequence[int]) -> str:
    first, last = rounds
    return f"round {first}" if first == last else f"rounds {first} to {last}"


def _account_table(analysis: BotAnalysis) -> tables.TableData:
    parts = [each for each in analysis.account if each.part != "result" and (each.part != "rest" or each.mean)]
    result = next((each for each in analysis.account if each.part == "result"), None)
    if result is None:
        return _ACCOUNT.of([])
    means = analyses.rounded_shares([part.mean for part in parts], result.mean)
    rows = [
        AccountMean(part=PARTS[each.part], mean=mean, error=each.error if each.part != "start" else None)
        for each, mean in zip(parts, means, strict=True)
    ]
    return _ACCOUNT.of([*rows, AccountMean(part=PARTS["result"], mean=result.mean, error=result.error)], _SUM_CAPTION)


def _opponents_table(analysis: BotAnalysis, query: Mapping[str, Any]) -> tables.TableData:
    parameters = {name: value for name, value in query.items() if name != "opponent"}
    rows = [
        OpponentLine(opponent, url_for("bots.analysis", bot_id=analysis.bot, opponent=opponent.bot, **parameters))
        for opponent in analysis.opponents
    ]
    caption = "Costliest opponent first. Select a name to see only the games with that bot."
    if analysis.seats and analysis.seats > 2:
        caption += " A game counts for each bot at the table."
    return _OPPONENTS.of(rows, caption)


def _peers_table(analysis: BotAnalysis) -> tables.TableData:
    figures = (analysis.games, analysis.accuracy, analysis.cost, analysis.error)
    rows = [PeerLine(f"version {analysis.version}, this one", "", *figures, "")]
    for peer in analysis.peers:
        name = f"version {peer.version}" if peer.bot == analysis.bot else f"{peer.name} v{peer.version}"
        figures = (peer.games, peer.accuracy, peer.cost, peer.error)
        rows.append(PeerLine(name, peer.page, *figures, analyses.comparison_phrase(peer.difference, peer.verdict)))
    return _PEERS.of(rows if analysis.peers else [], _PEERS_CAPTION)


def _kinds_chart(analysis: BotAnalysis) -> Picture | None:
    costliest = max(analysis.kinds, key=attrgetter("cost"), default=None)
    bars = [_bar(part.kind, part.kind, part, costliest) for part in analysis.kinds]
    return bar_chart("kinds", "Cost by kind of decision", _chart_summary(bars), bars, "decision", "% of a win per game")


def _phases_chart(analysis: BotAnalysis) -> Picture | None:
    costliest = max(analysis.phases, key=attrgetter("cost"), default=None)
    bars = [_bar(_rounds(phase.rounds), PHASE_LABELS[phase.phase], phase, costliest) for phase in analysis.phases]
    return bar_chart("phases", "Cost by third of the game", _chart_summary(bars), bars, "", "% of a win per game")


def _bar(label: str, name: str, cost: Cost, costliest: Cost | None) -> Bar:
    error = "" if cost.error is None else f" ± {percent(cost.error)}"
    hint = f"{name}: {percent(cost.cost)}{error} of a win per game; "
    hint += f"{cost.marked} of {counted(cost.decisions, 'decision')} marked"
    return Bar(label, 100 * cost.cost, percent(cost.cost), hint, is_strong=cost is costliest and cost.cost > 0)


def _chart_summary(bars: Sequence[Bar]) -> str:
    return "; ".join(f"{bar.label} {bar.value_text}" for bar in bars) + "."


def comparison_table(comparison: differences.Comparison) -> tables.TableData:
    """Return the comparison of two versions part by part: first the whole, then kinds, phases and themes."""
    rows = [DifferenceLine("all decisions", comparison.whole)]
    rows += [DifferenceLine(f"choose_{part.kind}", part) for part in comparison.kinds]
    rows += [DifferenceLine(_phase_label(phase), phase) for phase in comparison.phases]
    rows += [DifferenceLine(part.theme, part) for part in comparison.themes]
    games = (
        f"{counted(comparison.old_games, 'game')} of {comparison.old} and {comparison.new_games} of {comparison.new}"
    )
    same = f"{comparison.paired} of {counted(comparison.blocks, 'block')} with the same dice"
    caption = f"From {games}, {same if comparison.paired else 'with different dice'}."
    return _COMPARED.renamed({"Then": comparison.old, "Now": comparison.new}).of(rows, caption)
