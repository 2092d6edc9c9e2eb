"""The account of a game: what caused each change in the seats' values, and the cost of each decision.

A *value* is a seat's expected score if reference players continue at every seat. The score is the share of opponents
that the seat finishes ahead of, where a tie counts half; at two seats it is the probability of winning. The values of a
table add up to half the number of seats. Each change has one of four causes. For each seat, the starting value plus all
changes is the final score (`Analysis.check`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import fsum, isclose
from typing import Annotated, Any, Final

from msgspec import Meta

from gangland.game import Decision, Outcome
from gangland_ladder.common.documents import Count, GameName, Part, Seats

# The types of an account: causes, changes, judged decisions and the analysis of a game.

Values = tuple[float, ...]  # One number per seat, in seat order: a score or a change of the score; a sole win is 1.

TOLERANCE: Final = 1e-9


class Cause(StrEnum):
    """The cause of a change of values."""

    LUCK = "luck"  # dice and cards; mean 0
    DECISION = "decision"  # a seat's decision; its effect on that seat is never above 0
    HIDDEN = "hidden"  # information that a seat did not have when it decided; mean 0 against reference players
    ERROR = "error"  # the reference's own error: the difference between its two estimates of the same position


@dataclass(frozen=True, slots=True)
class Change:
    """A change in the values, with its cause."""

    cause: Cause
    # the seat that decided, or whose dice or cards these were; None for the table (a warning, the first player)
    seat: int | None
    amounts: Values  # gains by seat; they add up to 0


class Mark(StrEnum):
    """The quality of a decision, by `LIMITS`."""

    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


# The lowest cost that earns each mark, as a share of a win; a decision below all of them is marked as best.
LIMITS: Final[Mapping[Mark, float]] = {Mark.BLUNDER: 0.08, Mark.MISTAKE: 0.03, Mark.INACCURACY: 0.01, Mark.GOOD: 0.001}
MISTAKES: Final = frozenset({Mark.INACCURACY, Mark.MISTAKE, Mark.BLUNDER})  # Marks at which a viewer stops.


@dataclass(frozen=True, slots=True)
class Option:
    """A legal decision with its value to the deciding seat, as judged by the reference."""

    decision: Decision
    value: float  # the seat's value after the decision, based on the seat's knowledge
    error: float = 0.0  # the standard error of its difference from the best option; 0 without sampling
    odds: Mapping[str, float] | None = None  # probabilities by name, such as "bust", "lead" and "win the round"


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision judged by the reference."""

    round: int
    seat: int
    number: int | None  # its number among the decisions in the replay; None for a default decision
    kind: str
    chosen: Option
    best: Option  # the reference's choice; equal to `chosen` if no option is better
    options: tuple[Option, ...]  # the best `MAX_OPTIONS` at most, best first; the chosen option may be missing
    legal: int
    # the kind of mistake, as a phrase that follows "by": "staking too many dice on yellow cards". The costs of mistakes
    # with the same theme are added up.
    theme: str

    @property
    def cost(self) -> float:
        """The seat's loss as a share of a win; never negative."""
        return max(0.0, self.best.value - self.chosen.value)

    @property
    def mark(self) -> Mark:
        """The quality of the decision; best if the cost is below two standard errors."""
        return mark_of(self.cost, self.chosen.error)


def mark_of(cost: float, error: float) -> Mark:
    """Return the mark of a decision with this cost; best if the cost is below two of its standard errors."""
    if cost < 2 * error:
        return Mark.BEST
    return next((mark for mark, limit in LIMITS.items() if cost >= limit), Mark.BEST)


DIGITS: Final = 5
MAX_OPTIONS: Final = 6


@dataclass(frozen=True, slots=True)
class Moment:
    """One step of a replay: the seats' values after the step, and the changes during it."""

    values: Values
    changes: tuple[Change, ...]
    judged: tuple[Judged, ...] = ()


@dataclass(frozen=True, slots=True)
class Analysis:
    """The analysis of a game, or of the steps that were analyzed within the time limit."""

    game: str
    seats: int
    start: Values  # the values before the first dice or cards: equal for all seats, unless their characters differ
    moments: tuple[Moment, ...]
    scores: Values
    complete: bool
    version: str
    rounds: int
    addresses: tuple[str, ...]  # of the decisions in the replay, by number; see `texts.address`

    def effect_of(self, cause: Cause, seat: int, cause_seat: int | None = None) -> float:
        """Return a cause's total effect on a seat over the game; `cause_seat` counts only that seat's changes."""
        changes = [change for moment in self.moments for change in moment.changes if change.cause is cause]
        return fsum(change.amounts[seat] for change in changes if cause_seat is None or change.seat == cause_seat)

    def costs(self, seat: int) -> float:
        """Return the total cost of a seat's decisions."""
        return fsum(judged.cost for moment in self.moments for judged in moment.judged if judged.seat == seat)

    def check(self, tolerance: float = TOLERANCE) -> None:
        """Check that the account adds up. Raises ArithmeticError: it does not, which indicates a bug."""
        values = self.start
        for number, moment in enumerate(self.moments):
            for seat, (before, after) in enumerate(zip(values, moment.values, strict=True)):
                changed = fsum(change.amounts[seat] for change in moment.changes)
                if not isclose(before + changed, after, rel_tol=0.0, abs_tol=tolerance):
                    raise ArithmeticError(
                        f"step {number}: seat {seat} had {before!r}, gained {changed!r}, has {after!r}"
                    )
            values = moment.values
        pairs = zip(values, self.scores, strict=True)
        if self.complete and not all(isclose(value, score, abs_tol=tolerance) for value, score in pairs):
            raise ArithmeticError(f"the values end at {values!r}, but the scores are {self.scores!r}")


def scores_of(outcome: Outcome) -> Values:
    """Return for each seat the share of opponents that it finished ahead of, where a tie counts half."""
    seats = len(outcome.places)
    return tuple([float((seats - place) / (seats - 1)) for place in outcome.mean_places()])


# Figures: a compact form of an account for storage, with the sums for each seat and every judged decision.

Share = Annotated[float, Meta(description="As a share of a win.")]


class Account(Part):
    """The sources of a result: each member but the last, added up, is the last. All are shares of a win.

    Attributes:
        start: the value before the game.
        luck: dice and cards.
        own: its own decisions; others: those of the other seats.
        hidden: information that no seat had when it decided.
        error: of the reference itself.
        rest: changes after the analysis ran out of time.
        result: the share of the table that it finished ahead of; a tie counts half.
    """

    start: float
    luck: float
    own: float
    others: float
    hidden: float
    error: float
    rest: float
    result: float


class DecisionFigures(Part):
    """A judged decision.

    Attributes:
        at: the place in the replay, such as r7.s2.d1; null after the seat's fault.
        seat: from 0.
        kind: the question, as in choose_<kind>.
        theme: the kind of mistake, as words that follow "by".
        error: the standard error of the cost; 0 without sampling.
        chosen: the decision played; best: the reference's choice.
        legal: number of legal decisions.
    """

    at: str | None
    round: Count
    seat: Count
    kind: str
    theme: str
    mark: Mark
    cost: Share
    error: Share
    chosen: Any
    best: Any
    legal: Count


class GameFigures(Part):
    """The figures of one analyzed game.

    Attributes:
        version: of the reference.
        complete: whether there was time for all of it.
        accounts: in seat order.
        decisions: in the order of the game.
    """

    game: GameName
    seats: Seats
    version: str
    rounds: Count
    complete: bool
    accounts: list[Account]
    decisions: list[DecisionFigures]


def figures_of(analysis: Analysis) -> GameFigures:
    """Return the figures of an analysis."""
    return GameFigures(
        game=analysis.game,
        seats=analysis.seats,
        version=analysis.version,
        rounds=analysis.rounds,
        complete=analysis.complete,
        accounts=[_account(analysis, seat) for seat in range(analysis.seats)],
        decisions=[_decision(judged, analysis.addresses) for moment in analysis.moments for judged in moment.judged],
    )


def _account(analysis: Analysis, seat: int) -> Account:
    own = analysis.effect_of(Cause.DECISION, seat, cause_seat=seat)
    values = analysis.moments[-1].values if analysis.moments else analysis.start
    return Account(
        start=analysis.start[seat],
        luck=analysis.effect_of(Cause.LUCK, seat),
        own=own,
        others=analysis.effect_of(Cause.DECISION, seat) - own,
        hidden=analysis.effect_of(Cause.HIDDEN, seat),
        error=analysis.effect_of(Cause.ERROR, seat),
        rest=0.0 if analysis.complete else analysis.scores[seat] - values[seat],
        result=analysis.scores[seat],
    )


def _decision(judged: Judged, addresses: tuple[str, ...]) -> DecisionFigures:
    return DecisionFigures(
        at=None if judged.number is None else addresses[judged.number],
        round=judged.round,
        seat=judged.seat,
        kind=judged.kind,
        theme=judged.theme,
        mark=judged.mark,
        cost=judged.cost,
        error=judged.chosen.error,
        chosen=recorded_form(judged.chosen.decision),
        best=recorded_form(judged.best.decision),
        legal=judged.legal,
    )


def recorded_form(decision: Decision) -> Any:
    """Return a decision in the form that replays use."""
    return list(decision) if isinstance(decision, tuple) else decision
