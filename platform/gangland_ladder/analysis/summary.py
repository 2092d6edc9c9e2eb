"""Summarize a bot's analyzed games: the cost per game of its decisions and of its mistakes.

A cost per game is a mean over games, with its standard error; games are treated as independent. Accuracy is the share
of judged decisions that are marked as best or good (`account.LIMITS`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from math import fsum, sqrt
from typing import Annotated, Any, Final

from msgspec import Meta
from msgspec.structs import astuple

from gangland_ladder.analysis.account import Account, DecisionFigures, GameFigures, Mark, Share
from gangland_ladder.analysis.games import is_amount
from gangland_ladder.common.documents import Count, GameName, Number, Part, Probability, Seats, one_of

PHASES: Final = ("first", "middle", "last")
MAX_WORST: Final = 3

_Error = Annotated[float | None, Meta(description="The standard error; null for one game.")]


class Cost(Part, kw_only=True):
    """The cost of decisions of a sort.

    Attributes:
        decisions: their number; marked: number of inaccuracies, mistakes and blunders.
        cost: per game, with or without such decisions.
    """

    decisions: Count
    marked: Count
    cost: Share
    error: _Error


class KindCost(Cost):
    """The cost of decisions of a kind."""

    kind: str


class PhaseCost(Cost):
    """The cost of decisions in a third of the game's rounds.

    Attributes:
        rounds: the first and the last round with such decisions.
    """

    phase: Annotated[str, one_of(*PHASES)]
    rounds: tuple[Count, Count]


class TableCost(Cost):
    """The cost of decisions at tables of a size.

    Attributes:
        games: at such tables; the cost is per one of these.
    """

    seats: Seats
    games: Number


class ThemeCost(Cost):
    """The cost of mistakes of a theme.

    Attributes:
        theme: as words that follow "by".
        phases: the same by thirds of the game, the costliest first.
        chosen, best: where such decisions are amounts, the mean of those made and of the best; else null.
    """

    theme: str
    phases: list[PhaseCost]
    chosen: float | None
    best: float | None


class GamePlace(Part):
    """The place of a recorded game.

    Attributes:
        game: its number in the file, from 1.
        match: of a game in an archive; block, rotation: from 0.
    """

    file: str
    game: Number
    match: Number | None = None
    block: Count | None = None
    rotation: Count | None = None


class PlacedDecision(Part):
    """A decision and the place of its game."""

    place: GamePlace
    decision: DecisionFigures


class PlayerSummary(Part):
    """The figures of a bot, or of a seat of one game.

    Attributes:
        bot: its name, where the file has it.
        seat: from 0, for a single game.
        games: a bot in two seats of a game counts it twice.
        accuracy: the share of its decisions that are best or good.
        marks: number of decisions with each mark.
        cost: per game.
        account: the mean of its games.
        kinds, phases, tables, themes: the same cost in parts; themes costliest first.
        worst: the costliest decisions that are not marked as best.
    """

    game: GameName
    bot: str | None
    seat: Count | None
    games: Number
    decisions: Count
    accuracy: Probability | None
    marks: dict[Mark, Count]
    cost: Share
    error: _Error
    account: Account
    kinds: list[KindCost]
    phases: list[PhaseCost]
    tables: list[TableCost]
    themes: list[ThemeCost]
    worst: list[PlacedDecision]


# A group of decisions: "all", or "kind", "phase", "table" or "theme" with its name; a theme may also have a phase.
Key = tuple[str, ...]


class Summary:
    """Sums over games; with `by_seat`, the seats of a game stay separate even if the same bot has several."""

    def __init__(self, *, by_seat: bool = False) -> None:
        self.by_seat = by_seat
        self.games = 0
        self._players: dict[tuple[str, str | None, str, int | None], _Player] = {}

    def add(
        self, figures: GameFigures, place: GamePlace, names: Sequence[str] | None = None, codes: Sequence[str] = ()
    ) -> None:
        """Add a game to the sums."""
        self.games += 1
        for seat, account in enumerate(figures.accounts):
            bot, code = names[seat] if names else None, codes[seat] if codes else ""
            key = (figures.game, bot, code, seat if self.by_seat or bot is None else None)
            player = self._players.setdefault(key, _Player(*key))
            player.games[figures.seats] += 1
            player.sums = [total + value for total, value in zip(player.sums, astuple(account), strict=True)]
            own = [decision for decision in figures.decisions if decision.seat == seat]
            player.marks.update(decision.mark for decision in own)
            for group, decisions in decisions_by_group(figures, own).items():
                player.tallies.setdefault(group, _Tally()).add(decisions)
                if group[0] == "theme" and len(group) == 2:
                    amounts = [each for each in decisions if is_amount(figures.game, each.kind)]
                    pairs = [(amount.chosen, amount.best) for amount in amounts if isinstance(amount.chosen, int)]
                    player.numbers.setdefault(group[1], []).extend(pairs)
            costly = [
                (-each.cost, self.games, PlacedDecision(place, each)) for each in own if each.mark is not Mark.BEST
            ]
            player.worst = nsmallest(MAX_WORST, [*player.worst, *costly], key=lambda worst: worst[:2])

    def players(self) -> list[PlayerSummary]:
        """Return the summary of each bot by game, lowest cost first; with `by_seat`, of each seat in seat order."""
        shared = Counter((player.game, player.bot) for player in self._players.values())
        summaries = [_summary(player, shared[player.game, player.bot] > 1) for player in self._players.values()]
        return summaries if self.by_seat else sorted(summaries, key=lambda row: (row.game, row.cost, row.bot or ""))


@dataclass(slots=True)
class _Player:
    game: str
    bot: str | None
    code: str
    seat: int | None
    games: Counter[int] = field(default_factory=Counter)
    sums: list[float] = field(default_factory=lambda: [0.0] * len(Account.__struct_fields__))
    marks: Counter[Mark] = field(default_factory=Counter)
    tallies: dict[Key, _Tally] = field(default_factory=dict)
    numbers: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    worst: list[tuple[float, int, PlacedDecision]] = field(default_factory=list)


@dataclass(slots=True)
class _Tally:
    decisions: int = 0
    marked: int = 0
    total: float = 0.0
    squares: float = 0.0
    first: int = 0
    last: int = 0

    def add(self, decisions: Sequence[DecisionFigures]) -> None:
        cost = fsum(decision.cost for decision in decisions)
        rounds = [decision.round for decision in decisions]
        self.first = min(rounds) if not self.decisions else min(self.first, *rounds)
        self.last = max(self.last, *rounds)
        self.decisions += len(decisions)
        self.marked += sum(decision.mark not in (Mark.BEST, Mark.GOOD) for decision in decisions)
        self.total += cost
        self.squares += cost * cost

    def cost(self, games: int) -> dict[str, Any]:
        """Return the fields of a `Cost` for this number of games."""
        error = None
        if games > 1:
            error = sqrt(max(0.0, self.squares - self.total * self.total / games) / (games - 1) / games)
        return {"decisions": self.decisions, "marked": self.marked, "cost": self.total / games, "error": error}


def phase_of(round: int, rounds: int) -> str:
    """Return the third of the game that contains a round."""
    return PHASES[min(max(round - 1, 0) * len(PHASES) // max(rounds, 1), len(PHASES) - 1)]


def name_with_code(name: str, code: str) -> str:
    """Return a distinct name for a bot that shares its name with another: the name and the first digits of its code."""
    return f"{name} {code[:8]}"


def decisions_by_group(figures: GameFigures, own: Sequence[DecisionFigures]) -> dict[Key, list[DecisionFigures]]:
    """Return a seat's decisions by group; a decision belongs to several groups."""
    by_group: dict[Key, list[DecisionFigures]] = {}
    for decision in own:
        phase = phase_of(decision.round, figures.rounds)
        keys: list[Key] = [("all",), ("kind", decision.kind), ("phase", phase), ("table", str(figures.seats))]
        if decision.cost > 0:
            keys += [("theme", decision.theme), ("theme", decision.theme, phase)]
        for key in keys:
            by_group.setdefault(key, []).append(decision)
    return by_group


def _summary(player: _Player, has_namesake: bool) -> PlayerSummary:
    games = sum(player.games.values())
    good = player.marks[Mark.BEST] + player.marks[Mark.GOOD]
    whole = Cost(**player.tallies.get(("all",), _Tally()).cost(games))
    # The names of bots with the same name but different code include the first digits of their code.
    needs_code = has_namesake and bool(player.code) and player.seat is None
    return PlayerSummary(
        game=player.game,
        bot=name_with_code(player.bot, player.code) if needs_code and player.bot is not None else player.bot,
        seat=player.seat,
        games=games,
        decisions=whole.decisions,
        accuracy=good / whole.decisions if whole.decisions else None,
        marks={mark: player.marks[mark] for mark in Mark},
        cost=whole.cost,
        error=whole.error,
        account=Account(*(total / games for total in player.sums)),
        kinds=[KindCost(**each.cost(games), kind=key[1]) for key, each in player.tallies.items() if key[0] == "kind"],
        phases=[_phase(player, phase, tally) for phase in PHASES if (tally := player.tallies.get(("phase", phase)))],
        tables=[
            TableCost(**player.tallies.get(("table", str(seats)), _Tally()).cost(count), seats=seats, games=count)
            for seats, count in sorted(player.games.items())
        ],
        themes=_themes(player),
        worst=[placed for _, _, placed in player.worst],
    )


def _themes(player: _Player) -> list[ThemeCost]:
    games = sum(player.games.values())
    themes = []
    for key, tally in player.tallies.items():
        if key[0] == "theme" and len(key) == 2:
            parts = [(phase, player.tallies.get((*key, phase))) for phase in PHASES]
            phases = [_phase(player, phase, part) for phase, part in parts if part is not None]
            phases.sort(key=lambda phase: -phase.cost)
            played, best = _means(player.numbers[key[1]])
            themes.append(ThemeCost(**tally.cost(games), theme=key[1], phases=phases, chosen=played, best=best))
    return sorted(themes, key=lambda theme: (-theme.cost, theme.theme))


def _means(pairs: Sequence[tuple[int, int]]) -> tuple[float, float] | tuple[None, None]:
    if not pairs:
        return None, None
    return sum(chosen for chosen, _ in pairs) / len(pairs), sum(best for _, best in pairs) / len(pairs)


def _phase(player: _Player, phase: str, tally: _Tally) -> PhaseCost:
    return PhaseCost(**tally.cost(sum(player.games.values())), phase=phase, rounds=(tally.first, tally.last))
