"""The tables and charts of a bot's analysis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from flask import url_for

from gangland_ladder.analysis.comparison import Comparison, Difference
from gangland_ladder.analysis.summary import Cost
from gangland_ladder.common.plurals import counted
from gangland_ladder.viewer.verdicts import percent
from gangland_web.base.charts import Bar, Picture, columns
from gangland_web.resources.analysis.bots import PARTS, BotAnalysis, peer_words
from gangland_web.resources.analysis.words import adding_up
from gangland_web.resources.tables import Column, Kind, TableData

_COST: Final = Column("cost", "Cost a game", Kind.SHARE, 1)
_ERROR: Final = Column("error", "±", Kind.SHARE, 1)
_GAMES: Final = Column("games", "Games", Kind.WHOLE)
ROWS: Final = (
    Column("by", "By"),
    Column("part", "Part"),
    _GAMES,
    Column("decisions", "Decisions", Kind.WHOLE),
    Column("marked", "Marked", Kind.WHOLE),
    _COST,
    _ERROR,
    Column("luck", "Luck a game", Kind.SHARE, 1),
    Column("result", "Result", Kind.SHARE, 1),
)
"""The columns of the CSV file: what the decisions of each sort cost."""
_PARTS: Final = (
    Column("part", "By"),
    Column("decisions", "Decisions", Kind.WHOLE),
    Column("marked", "Marked", Kind.WHOLE),
    _COST,
    _ERROR,
)
_NUMBERS: Final = (
    Column("chosen", "Chosen, mean", Kind.NUMBER, 1),
    Column("best", "Best, mean", Kind.NUMBER, 1),
)
_OPPONENTS: Final = (
    Column("name", "Against"),
    _GAMES,
    Column("result", "Result", Kind.SHARE, 1),
    Column("luck", "Luck", Kind.SHARE, 1),
    Column("luck_error", "± of luck", Kind.SHARE, 1),
    _COST,
    _ERROR,
    Column("most", "What cost most there"),
)
_PEERS: Final = (
    Column("name", "Bot"),
    _GAMES,
    Column("accuracy", "Best or good", Kind.SHARE, 1),
    _COST,
    _ERROR,
    Column("verdict", "Compared with this version"),
)
_ACCOUNT: Final = (Column("part", "From"), Column("mean", "A game", Kind.SHARE, 1), _ERROR)
_SIZES: Final = (Column("seats", "Seats", Kind.WHOLE), _GAMES, _COST, _ERROR)
_DECISIONS: Final = (
    Column("where", "Game"),
    Column("cost", "Cost", Kind.SHARE, 1),
    Column("mark", "Mark"),
    Column("theme", "Mistake"),
    Column("did", "What it did"),
    Column("better", "What was best"),
)
PHASE_WORDS: Final = {"first": "first third", "middle": "middle third", "last": "last third"}


def cost_rows(found: BotAnalysis) -> list[dict[str, Any]]:
    """Return the rows of the CSV file."""
    rows = (
        [{"by": "all", "part": "", "games": found.games, "decisions": found.decisions, "cost": found.cost}]
        if found.games
        else []
    )
    for row in rows:
        means = {each.part: each.mean for each in found.account}
        marked = sum(count for mark, count in found.marks.items() if mark not in ("best", "good"))
        row |= {"marked": marked, "error": found.error, "luck": means["luck"], "result": means["result"]}
    for by, parts in (("kind", found.kinds), ("phase", found.phases), ("theme", found.themes)):
        rows += [_part(by, getattr(each, by), each, found.games) for each in parts]
    rows += [
        {"by": "seats", "part": str(each.seats), "games": each.games, "cost": each.cost, "error": each.error}
        for each in found.sizes
    ]
    rows += [
        {
            "by": "opponent",
            "part": each.name,
            **{name: getattr(each, name) for name in ("games", "cost", "error", "luck", "result")},
        }
        for each in found.opponents
    ]
    return [{column.key: row.get(column.key) for column in ROWS} for row in rows]


def _part(by: str, part: str, cost: Cost, games: int) -> dict[str, Any]:
    found = {"by": by, "part": part, "games": games, "decisions": cost.decisions, "marked": cost.marked}
    return {**found, "cost": cost.cost, "error": cost.error}


def rows_table(found: BotAnalysis) -> TableData:
    """Return the table behind the CSV file."""
    return TableData("bot-analysis-rows", "", ROWS, cost_rows(found))


_THIRDS: Final = "Each game's own thirds: a short game's last third is earlier than a long game's."
_MISTAKES: Final = "Each decision that cost something, by what was wrong with it; the others are in no row."


def page_tables(found: BotAnalysis, query: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tables of the page by name, and its charts.

    Args:
        query: what of the analysis is shown, as its addresses say it.
    """
    by_kind = [_part("", each.kind, each, found.games) for each in found.kinds]
    by_phase = [
        _part("", f"{PHASE_WORDS[each.phase]}, {_rounds(each.rounds)}", each, found.games) for each in found.phases
    ]
    by_theme = [
        _part("", each.theme, each, found.games) | {"chosen": each.chosen, "best": each.best} for each in found.themes
    ]
    numbered = any(each.chosen is not None for each in found.themes)
    return {
        "account": _account(found),
        "kinds": (_table("kinds", "Marked: inaccuracies, mistakes and blunders.", _PARTS, by_kind), _kinds(found)),
        "phases": (_table("phases", _THIRDS, _PARTS, by_phase), _phases(found)),
        "themes": _table("themes", _MISTAKES, (*_PARTS, *_NUMBERS) if numbered else _PARTS, by_theme),
        "sizes": _table("sizes", "All analysed ladder games of this version.", _SIZES, found.sizes),
        "opponents": _opponents(found, query),
        "peers": _peers(found),
        "costliest": _costliest(found),
    }


def _table(name: str, caption: str, columns: tuple[Column, ...], rows: Sequence[Any], **more: Any) -> TableData:
    return TableData(f"analysis-{name}", caption, columns, rows, **more)


def _rounds(rounds: Sequence[int]) -> str:
    first, last = rounds
    return f"round {first}" if first == last else f"rounds {first} to {last}"


_ADDS_UP: Final = (
    "The parts add up to the result: the share of the table that it finished ahead of. The error of the reference is "
    "how far its estimates were off from one round to the next; where it is large, trust the other parts less."
)


def _account(found: BotAnalysis) -> TableData:
    """Return the account with shares that add up as they are shown."""
    parts = [each for each in found.account if each.part != "result" and (each.part != "rest" or each.mean)]
    result = next((each for each in found.account if each.part == "result"), None)
    if result is None:
        return _table("account", "", _ACCOUNT, [])
    means = adding_up([each.mean for each in parts], result.mean)
    rows = [
        {"part": PARTS[each.part], "mean": mean, "error": each.error if each.part != "start" else None}
        for each, mean in zip(parts, means, strict=True)
    ]
    rows.append({"part": PARTS["result"], "mean": result.mean, "error": result.error})
    return _table("account", _ADDS_UP, _ACCOUNT, rows)


def _opponents(found: BotAnalysis, query: Mapping[str, Any]) -> TableData:
    rest = {name: value for name, value in query.items() if name != "opponent"}
    links = [
        {"name": url_for("bot_analysis.page", bot_id=found.bot, opponent=each.bot, **rest)} for each in found.opponents
    ]
    caption = "Games with this bot at the table, where it lost most first. A name leads to these games alone."
    if found.seats and found.seats > 2:
        caption += " A game counts for each bot that was at the table."
    return _table("opponents", caption, _OPPONENTS, found.opponents, links=links)


def _peers(found: BotAnalysis) -> TableData:
    rows: list[dict[str, Any]] = [
        {
            "name": f"version {found.version}, this one",
            "games": found.games,
            "accuracy": found.accuracy,
            "cost": found.cost,
            "error": found.error,
            "verdict": "",
        }
    ]
    links: list[dict[str, str]] = [{}]
    for each in found.peers:
        rows.append(
            {
                "name": f"version {each.version}" if each.bot == found.bot else f"{each.name} v{each.version}",
                **{name: getattr(each, name) for name in ("games", "accuracy", "cost", "error")},
                "verdict": peer_words(each),
            }
        )
        links.append({"name": each.page})
    caption = "The version before and the house bots at this table size, each in its own games, most on other dice."
    return _table("peers", caption, _PEERS, rows if found.peers else [], links=links if found.peers else ())


def _costliest(found: BotAnalysis) -> TableData:
    rows = [
        {
            "where": f"Match {each.match}, block {each.block + 1}, rotation {each.rotation + 1}, round {each.round}",
            **{name: getattr(each, name) for name in ("cost", "theme", "did", "better")},
            "mark": each.mark.value,
        }
        for each in found.costliest
    ]
    links = [{"where": each.page} for each in found.costliest]
    return _table("costliest", "A game leads to the replay at that decision.", _DECISIONS, rows, links=links)


def _kinds(found: BotAnalysis) -> Picture | None:
    bars = [_bar(each.kind, each.kind, each, max(found.kinds, key=_lost)) for each in found.kinds]
    return columns("kinds", "Cost by kind of decision", _summary(bars), bars, "decision", "% of a win a game")


def _phases(found: BotAnalysis) -> Picture | None:
    most = max(found.phases, key=_lost, default=None)
    bars = [_bar(_rounds(each.rounds), PHASE_WORDS[each.phase], each, most) for each in found.phases]
    return columns("phases", "Cost by third of the game", _summary(bars), bars, "", "% of a win a game")


def _lost(cost: Cost) -> float:
    return cost.cost


def _bar(label: str, name: str, cost: Cost, most: Cost | None) -> Bar:
    error = "" if cost.error is None else f" ± {percent(cost.error)}"
    hint = f"{name}: {percent(cost.cost)}{error} of a win a game; "
    hint += f"{cost.marked} of {counted(cost.decisions, 'decision')} marked"
    return Bar(label, 100 * cost.cost, percent(cost.cost), hint, strong=cost is most and cost.cost > 0)


def _summary(bars: Sequence[Bar]) -> str:
    return "; ".join(f"{bar.label} {bar.words}" for bar in bars) + "."


_DIFFERENCES: Final = (
    Column("part", "Lost by"),
    Column("old", "Then", Kind.SHARE, 1),
    Column("new", "Now", Kind.SHARE, 1),
    Column("error", "± of the difference", Kind.SHARE, 1),
    Column("verdict", "So"),
)


def comparison_table(comparison: Comparison) -> TableData:
    """Return two versions part by part, the largest difference of each sort first."""
    rows = [_difference("all decisions", comparison.whole)]
    rows += [_difference(f"choose_{each.kind}", each) for each in comparison.kinds]
    rows += [_difference(f"{PHASE_WORDS[each.phase]}, {_rounds(each.rounds)}", each) for each in comparison.phases]
    rows += [_difference(each.theme, each) for each in comparison.themes]
    heads = {"old": comparison.old, "new": comparison.new}
    shown = tuple(replace(each, heading=heads.get(each.key, each.heading)) for each in _DIFFERENCES)
    games = (
        f"{counted(comparison.old_games, 'game')} of {comparison.old} and {comparison.new_games} of {comparison.new}"
    )
    same = f"{comparison.paired} of {comparison.blocks} blocks on the same dice"
    caption = f"From {games}, {same if comparison.paired else 'each on dice of its own'}."
    return _table("compared", caption, shown, rows)


def _difference(part: str, each: Difference) -> dict[str, Any]:
    by = percent(abs(each.difference))
    words = {"less": f"{by} less", "more": f"{by} more"}.get(each.verdict.value, each.verdict.value)
    return {"part": part, "old": each.old, "new": each.new, "error": each.error, "verdict": words}
