"""The tables and charts of a bot's analysis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from flask import url_for

from gangland_ladder.analysis.comparison import Comparison, Difference
from gangland_ladder.analysis.summary import Cost
from gangland_ladder.common.texts import counted
from gangland_ladder.viewer.commentary import percent
from gangland_web.base.charts import Bar, Picture, columns
from gangland_web.queries.analyses import adding_up, in_comparison
from gangland_web.queries.bot_analysis import (
    PARTS,
    AccountMean,
    BotAnalysis,
    CostlyDecision,
    OpponentCost,
    SizeCost,
)
from gangland_web.queries.tables import Column, Kind, TableData, table_of


class PartCost(NamedTuple):
    """What some decisions cost, or all in some games; `by` is what of, as files have it."""

    by: str
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
    """What games with an opponent came to, and the page of these games alone."""

    of: OpponentCost
    page: str


class PeerLine(NamedTuple):
    """What decisions cost another version or bot, and how that compares."""

    name: str
    page: str
    games: int
    accuracy: float | None
    cost: float | None
    error: float | None
    verdict: str


class DifferenceLine(NamedTuple):
    """What some decisions cost in two versions."""

    part: str
    of: Difference

    @property
    def verdict(self) -> str:
        """What may be claimed of it."""
        by = percent(abs(self.of.difference))
        return {"less": f"{by} less", "more": f"{by} more"}.get(self.of.verdict.value, self.of.verdict.value)


_COST: Final = tuple(Column(key, word, Kind.SHARE, digits=1) for key, word in (("cost", "Cost a game"), ("error", "±")))
_GAMES: Final = Column("games", "Games", Kind.WHOLE)
_COUNTS: Final = (Column("decisions", "Decisions", Kind.WHOLE), Column("marked", "Marked", Kind.WHOLE))
_PARTS: Final = (Column("part", "By"), *_COUNTS, *_COST)
ANALYSIS_ROWS: Final = table_of(
    *("bot-analysis-rows", PartCost, "/bots/N/analysis"),
    "What a version's decisions of each sort cost; only the CSV has these rows (`?seats=`, `?version=`, `?opponent=`).",
    *(Column("by", "By"), Column("part", "Part")),
    *(_GAMES, *_COUNTS, *_COST),
    *(Column("luck", "Luck a game", Kind.SHARE, digits=1), Column("result", "Result", Kind.SHARE, digits=1)),
)
"""The CSV file: what the decisions of each sort cost."""
_BY_PART: Final = table_of(
    *("analysis-parts", PartCost, "", ""),
    *_PARTS,
)
_BY_THEME: Final = table_of(
    *("analysis-themes", PartCost, "", ""),
    *_PARTS,
    *(Column("chosen", "Chosen, mean", Kind.NUMBER, digits=1), Column("best", "Best, mean", Kind.NUMBER, digits=1)),
)
_OPPONENTS: Final = table_of(
    *("analysis-opponents", OpponentLine, "", ""),
    *(Column("name", "Against", of="of.name", cell="opponent"), Column("games", "Games", Kind.WHOLE, of="of.games")),
    Column("result", "Result", Kind.SHARE, digits=1, of="of.result"),
    Column("luck", "Luck", Kind.SHARE, digits=1, of="of.luck"),
    Column("luck_error", "± of luck", Kind.SHARE, digits=1, of="of.luck_error"),
    Column("cost", "Cost a game", Kind.SHARE, digits=1, of="of.cost"),
    *(Column("error", "±", Kind.SHARE, digits=1, of="of.error"), Column("most", "What cost most there", of="of.most")),
)
_PEERS: Final = table_of(
    *("analysis-peers", PeerLine, "", ""),
    Column("name", "Bot", cell="named_page"),
    _GAMES,
    Column("accuracy", "Best or good", Kind.SHARE, digits=1),
    *_COST,
    Column("verdict", "Compared with this version"),
)
_ACCOUNT: Final = table_of(
    *("analysis-account", AccountMean, "", ""),
    *(Column("part", "From"), Column("mean", "A game", Kind.SHARE, digits=1)),
    Column("error", "±", Kind.SHARE, digits=1),
)
_SIZES: Final = table_of(
    *("analysis-sizes", SizeCost, "", ""),
    Column("seats", "Seats", Kind.WHOLE),
    _GAMES,
    *_COST,
)
_COSTLIEST: Final = table_of(
    *("analysis-costliest", CostlyDecision, "", ""),
    *(Column("where", "Game", of="page", cell="costly"), Column("cost", "Cost", Kind.SHARE, digits=1)),
    *(Column("mark", "Mark"), Column("theme", "Mistake"), Column("did", "What it did")),
    Column("better", "What was best"),
)
_COMPARED: Final = table_of(
    *("analysis-compared", DifferenceLine, "", ""),
    *(Column("part", "Lost by"), Column("old", "Then", Kind.SHARE, digits=1, of="of.old")),
    Column("new", "Now", Kind.SHARE, digits=1, of="of.new"),
    *(Column("error", "± of the difference", Kind.SHARE, digits=1, of="of.error"), Column("verdict", "So")),
)
PHASE_WORDS: Final = {"first": "first third", "middle": "middle third", "last": "last third"}
_MARKED: Final = "Marked: inaccuracies, mistakes and blunders."
_THIRDS: Final = "Each game's own thirds: a short game's last third is earlier than a long game's."
_MISTAKES: Final = "Each decision that cost something, by what was wrong with it; the others are in no row."
_ADDS_UP: Final = (
    "The parts add up to the result: the share of the table that it finished ahead of. The error of the reference is "
    "how far its estimates were off from one round to the next; where it is large, trust the other parts less."
)
_OTHERS: Final = "The version before and the house bots at this table size, each in its own games, most on other dice."


def rows_table(analysis: BotAnalysis) -> TableData:
    """Return the table behind the CSV file."""
    rows = []
    if analysis.games:
        means = {each.part: each.mean for each in analysis.account}
        marked = sum(count for mark, count in analysis.marks.items() if mark not in ("best", "good"))
        counts = (analysis.games, analysis.cost, analysis.error, analysis.decisions, marked)
        rows.append(PartCost("all", "", *counts, means["luck"], means["result"]))
    for by, parts in (("kind", analysis.kinds), ("phase", analysis.phases), ("theme", analysis.themes)):
        rows += [_part(by, getattr(each, by), each, analysis.games) for each in parts]
    rows += [PartCost("seats", str(each.seats), each.games, each.cost, each.error) for each in analysis.sizes]
    rows += [
        PartCost("opponent", each.name, each.games, each.cost, each.error, luck=each.luck, result=each.result)
        for each in analysis.opponents
    ]
    return ANALYSIS_ROWS.of(rows)


def _part(by: str, part: str, cost: Cost, games: int) -> PartCost:
    return PartCost(by, part, games, cost.cost, cost.error, cost.decisions, cost.marked)


def page_tables(analysis: BotAnalysis, query: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tables of the page by name, and its charts.

    Args:
        query: what of the analysis is shown, as its addresses say it.
    """
    by_kind = [_part("", each.kind, each, analysis.games) for each in analysis.kinds]
    by_phase = [_part("", _phase(each), each, analysis.games) for each in analysis.phases]
    by_theme = [
        _part("", each.theme, each, analysis.games)._replace(chosen=each.chosen, best=each.best)
        for each in analysis.themes
    ]
    numbered = any(each.chosen is not None for each in analysis.themes)
    return {
        "account": _account(analysis),
        "kinds": (_BY_PART.of(by_kind, _MARKED), _kinds(analysis)),
        "phases": (_BY_PART.of(by_phase, _THIRDS), _phases(analysis)),
        "themes": (_BY_THEME if numbered else _BY_PART).of(by_theme, _MISTAKES),
        "sizes": _SIZES.of(analysis.sizes, "All analysed ladder games of this version."),
        "opponents": _opponents(analysis, query),
        "peers": _peers(analysis),
        "costliest": _COSTLIEST.of(analysis.costliest, "A game leads to the replay at that decision."),
    }


def _phase(each: Any) -> str:
    return f"{PHASE_WORDS[each.phase]}, {_rounds(each.rounds)}"


def _rounds(rounds: Sequence[int]) -> str:
    first, last = rounds
    return f"round {first}" if first == last else f"rounds {first} to {last}"


def _account(analysis: BotAnalysis) -> TableData:
    """Return the account with shares that add up as they are shown."""
    parts = [each for each in analysis.account if each.part != "result" and (each.part != "rest" or each.mean)]
    result = next((each for each in analysis.account if each.part == "result"), None)
    if result is None:
        return _ACCOUNT.of([])
    means = adding_up([each.mean for each in parts], result.mean)
    rows = [
        AccountMean(part=PARTS[each.part], mean=mean, error=each.error if each.part != "start" else None)
        for each, mean in zip(parts, means, strict=True)
    ]
    return _ACCOUNT.of([*rows, AccountMean(part=PARTS["result"], mean=result.mean, error=result.error)], _ADDS_UP)


def _opponents(analysis: BotAnalysis, query: Mapping[str, Any]) -> TableData:
    rest = {name: value for name, value in query.items() if name != "opponent"}
    rows = [
        OpponentLine(each, url_for("analyses.of_bot", bot_id=analysis.bot, opponent=each.bot, **rest))
        for each in analysis.opponents
    ]
    caption = "Games with this bot at the table, where it lost most first. A name leads to these games alone."
    if analysis.seats and analysis.seats > 2:
        caption += " A game counts for each bot that was at the table."
    return _OPPONENTS.of(rows, caption)


def _peers(analysis: BotAnalysis) -> TableData:
    figures = (analysis.games, analysis.accuracy, analysis.cost, analysis.error)
    rows = [PeerLine(f"version {analysis.version}, this one", "", *figures, "")]
    for each in analysis.peers:
        name = f"version {each.version}" if each.bot == analysis.bot else f"{each.name} v{each.version}"
        figures = (each.games, each.accuracy, each.cost, each.error)
        rows.append(PeerLine(name, each.page, *figures, in_comparison(each.difference, each.verdict)))
    return _PEERS.of(rows if analysis.peers else [], _OTHERS)


def _kinds(analysis: BotAnalysis) -> Picture | None:
    bars = [_bar(each.kind, each.kind, each, max(analysis.kinds, key=_lost)) for each in analysis.kinds]
    return columns("kinds", "Cost by kind of decision", _chart_summary(bars), bars, "decision", "% of a win a game")


def _phases(analysis: BotAnalysis) -> Picture | None:
    most = max(analysis.phases, key=_lost, default=None)
    bars = [_bar(_rounds(each.rounds), PHASE_WORDS[each.phase], each, most) for each in analysis.phases]
    return columns("phases", "Cost by third of the game", _chart_summary(bars), bars, "", "% of a win a game")


def _lost(cost: Cost) -> float:
    return cost.cost


def _bar(label: str, name: str, cost: Cost, most: Cost | None) -> Bar:
    error = "" if cost.error is None else f" ± {percent(cost.error)}"
    hint = f"{name}: {percent(cost.cost)}{error} of a win a game; "
    hint += f"{cost.marked} of {counted(cost.decisions, 'decision')} marked"
    return Bar(label, 100 * cost.cost, percent(cost.cost), hint, strong=cost is most and cost.cost > 0)


def _chart_summary(bars: Sequence[Bar]) -> str:
    return "; ".join(f"{bar.label} {bar.words}" for bar in bars) + "."


def comparison_table(comparison: Comparison) -> TableData:
    """Return two versions part by part, the largest difference of each sort first."""
    rows = [DifferenceLine("all decisions", comparison.whole)]
    rows += [DifferenceLine(f"choose_{each.kind}", each) for each in comparison.kinds]
    rows += [DifferenceLine(_phase(each), each) for each in comparison.phases]
    rows += [DifferenceLine(each.theme, each) for each in comparison.themes]
    games = (
        f"{counted(comparison.old_games, 'game')} of {comparison.old} and {comparison.new_games} of {comparison.new}"
    )
    same = f"{comparison.paired} of {comparison.blocks} blocks on the same dice"
    caption = f"From {games}, {same if comparison.paired else 'each on dice of its own'}."
    return _COMPARED.renamed({"Then": comparison.old, "Now": comparison.new}).of(rows, caption)
