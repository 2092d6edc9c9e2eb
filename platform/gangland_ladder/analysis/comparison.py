"""Compare two versions of a bot by the cost of their decisions per game, overall and for each part of the game.

A difference is the new version's cost minus the old version's: if it is below 0, the new version loses less. Games with
the same dice are compared with each other, so that their common luck cancels out and the error is smaller.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import fsum, sqrt
from typing import Annotated, Any, Final, TypeVar

from msgspec import Meta

from gangland_ladder.analysis.account import TOLERANCE, GameFigures, Share
from gangland_ladder.analysis.summary import PHASES, Key, decisions_by_group
from gangland_ladder.common.documents import Count, GameName, Number, Part, Seats, one_of

CLEAR_ERRORS: Final = 2.0  # A difference of this many standard errors is clear.
MIN_GAMES: Final = 6  # Minimum number of games for a verdict; with fewer, the standard error itself is too uncertain.
_WHOLE: Final = ("all",)


class Side(StrEnum):
    """One of the two versions."""

    OLD = "old"
    NEW = "new"


class Verdict(StrEnum):
    """The verdict on a difference."""

    LESS = "less"  # the new version loses less
    MORE = "more"
    UNCLEAR = "no clear difference"
    FEW = "too few games"

    @property
    def is_clear(self) -> bool:
        """Whether the verdict names a version that loses less."""
        return self in (Verdict.LESS, Verdict.MORE)


class Difference(Part, kw_only=True):
    """The cost of some or all decisions for both versions, per game.

    Attributes:
        old, new: the cost per game, with or without such decisions.
        difference: new minus old.
        error: the standard error of the difference; null with too few games.
        verdict: "less" or "more" for a difference of two standard errors or more.
    """

    old: Share
    new: Share
    difference: Share
    error: float | None
    verdict: Verdict


class KindDifference(Difference):
    """The difference for one kind of decision."""

    kind: str


class PhaseDifference(Difference):
    """The difference for a third of the game's rounds.

    Attributes:
        rounds: the first and the last round with such decisions.
    """

    phase: Annotated[str, one_of(*PHASES)]
    rounds: tuple[Count, Count]


class TableDifference(Difference):
    """The difference for one table size.

    Attributes:
        old_games, new_games: numbers of games at such tables; the cost is per such game.
    """

    seats: Seats
    old_games: Count
    new_games: Count


class ThemeDifference(Difference):
    """The difference for one theme.

    Attributes:
        theme: as words that follow "by".
    """

    theme: str


class Comparison(Part):
    """The comparison of two versions.

    Attributes:
        old, new: names of the versions.
        old_games, new_games: numbers of games; one with the version in two seats counts twice.
        blocks: number of distinct dice seeds; games on the same dice are not independent.
        paired: number of seeds that both versions played.
        whole: all decisions.
        unpaired_error: the overall error if games were not paired by their dice.
        kinds, phases, tables, themes: the same for parts of the decisions, the largest difference first.
    """

    game: GameName
    old: str
    new: str
    old_games: Number
    new_games: Number
    blocks: Number
    paired: Count
    whole: Difference
    unpaired_error: Annotated[float | None, Meta(description="As a share of a win.")]
    kinds: list[KindDifference]
    phases: list[PhaseDifference]
    tables: list[TableDifference]
    themes: list[ThemeDifference]


class NotComparable(ValueError):
    """The recordings are of different games or from different references, or one version has none."""


class ComparisonBuilder:
    """Collects the games of both versions, in any order, for their comparison."""

    def __init__(self) -> None:
        self._game = ""
        self._versions: dict[int, str] = {}
        self._played: dict[Side, list[_Played]] = {Side.OLD: [], Side.NEW: []}
        self._rounds: dict[str, tuple[int, int]] = {}

    def add(self, side: Side, figures: GameFigures, seat: int, block: str | None = None) -> None:
        """Add the decisions of a version in a game.

        Args:
            block: identifies the dice, such as the replay's seed; None if no other game has the same dice.

        Raises NotComparable: the game or the reference's version differs from that of the games added before.
        """
        self._game = self._game or figures.game
        if figures.game != self._game:
            raise NotComparable(f"games of {self._game} and of {figures.game} cannot be compared")
        version = self._versions.setdefault(figures.seats, figures.version)
        if figures.version != version:
            raise NotComparable(
                f"games judged by versions {version} and {figures.version} of the reference cannot be compared"
            )
        own = [decision for decision in figures.decisions if decision.seat == seat]
        by_group = decisions_by_group(figures, own)
        for key, decisions in by_group.items():
            if key[0] == "phase":
                rounds = [*self._rounds.get(key[1], ()), *(decision.round for decision in decisions)]
                self._rounds[key[1]] = (min(rounds), max(rounds))
        costs = {key: fsum(each.cost for each in decisions) for key, decisions in by_group.items() if len(key) < 3}
        name = f"dice {block}" if block is not None else f"{side} {len(self._played[side])}"
        self._played[side].append(_Played(name, figures.seats, costs))

    def comparison(self, old: str = Side.OLD, new: str = Side.NEW) -> Comparison:
        """Return the comparison. Raises NotComparable: a version has no games."""
        if not all(self._played.values()):
            raise NotComparable("both versions need at least one game")
        before, after = self._played[Side.OLD], self._played[Side.NEW]
        blocks = [{game.block for game in games} for games in (before, after)]
        keys = sorted({key for each in (*before, *after) for key in each.costs})
        return Comparison(
            game=self._game,
            old=old,
            new=new,
            old_games=len(before),
            new_games=len(after),
            blocks=len(blocks[0] | blocks[1]),
            paired=len(blocks[0] & blocks[1]),
            whole=Difference(**_difference(before, after, _WHOLE)),
            unpaired_error=_error(before, after, _WHOLE, by_block=False),
            kinds=_largest_first(
                KindDifference(**_difference(before, after, key), kind=key[1]) for key in keys if key[0] == "kind"
            ),
            phases=_largest_first(
                PhaseDifference(**_difference(before, after, key), phase=key[1], rounds=self._rounds[key[1]])
                for key in keys
                if key[0] == "phase"
            ),
            tables=_largest_first(_tables(before, after)),
            themes=_largest_first(
                ThemeDifference(**_difference(before, after, key), theme=key[1]) for key in keys if key[0] == "theme"
            ),
        )


@dataclass(frozen=True, slots=True)
class _Played:
    block: str
    seats: int
    costs: dict[Key, float]


def _tables(before: Sequence[_Played], after: Sequence[_Played]) -> Iterable[TableDifference]:
    sizes = [Counter(game.seats for game in games) for games in (before, after)]
    for seats in sorted(sizes[0].keys() & sizes[1].keys()):
        old, new = ([game for game in games if game.seats == seats] for games in (before, after))
        yield TableDifference(
            **_difference(old, new, _WHOLE), seats=seats, old_games=sizes[0][seats], new_games=sizes[1][seats]
        )


def _difference(before: Sequence[_Played], after: Sequence[_Played], key: Key) -> dict[str, Any]:
    old, new = _mean(before, key), _mean(after, key)
    error = _error(before, after, key)
    return {
        "old": old,
        "new": new,
        "difference": new - old,
        "error": error,
        "verdict": verdict_of(new - old, error, min(len(before), len(after))),
    }


def verdict_of(difference: float, error: float | None, games: int) -> Verdict:
    """Return the verdict on a difference with this standard error, which is None if unknown."""
    if games < MIN_GAMES:
        return Verdict.FEW
    if error is None or abs(difference) <= TOLERANCE or abs(difference) < CLEAR_ERRORS * error:
        return Verdict.UNCLEAR
    return Verdict.LESS if difference < 0 else Verdict.MORE


def _mean(games: Sequence[_Played], key: Key) -> float:
    return fsum(game.costs.get(key, 0.0) for game in games) / len(games)


def _error(before: Sequence[_Played], after: Sequence[_Played], key: Key, *, by_block: bool = True) -> float | None:
    """Return the standard error of the difference between the means, or None if a version has fewer than two blocks."""
    # Within a block, the deviations of the games from the versions' means are added up, so the effect of the common
    # dice cancels out. If each block has the same number of games of both versions, this is the standard error of the
    # mean difference.
    deviations: dict[str, float] = defaultdict(float)
    for sign, games in ((-1, before), (1, after)):
        if len({game.block for game in games}) < 2:
            return None
        mean = _mean(games, key)
        for number, played in enumerate(games):
            block = played.block if by_block else f"{sign} {number}"
            deviations[block] += sign * (played.costs.get(key, 0.0) - mean) / len(games)
    squares = fsum(deviation * deviation for deviation in deviations.values())
    return sqrt(squares * len(deviations) / (len(deviations) - 1))


_DifferenceT = TypeVar("_DifferenceT", bound=Difference)


def _largest_first(differences: Iterable[_DifferenceT]) -> list[_DifferenceT]:
    return sorted(differences, key=lambda difference: -abs(difference.difference))
