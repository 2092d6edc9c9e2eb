"""What an analysis of one game comes to, small enough to be kept: each seat's account, and each judged decision."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from gangland.game import Decision
from gangland_ladder.analysis.account import Analysis, Cause, Judged, Mark
from gangland_ladder.common.documents import Count, GameName, Part, Seats

Share = Annotated[float, Meta(description="As a share of a win.")]


class Account(Part):
    """Where a result came from: each member but the last, added up, is the last.  All are shares of a win.

    Attributes:
        start: the value before anything happened.
        luck: dice and cards.
        own: its own decisions; others: those of the other seats.
        hidden: what nobody could know when it decided.
        error: of the reference itself.
        rest: what came after the analysis ran out of time.
        result: the share of the table that it finished ahead of, ties half.
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
    """A decision that was judged.

    Attributes:
        at: the place in the replay, such as r7.s2.d1; null if it was played by default.
        seat: from 0.
        kind: the question, as in choose_<kind>.
        theme: what kind of mistake it is if it is one, as words that follow "by".
        error: the standard error of the cost; 0 where nothing was sampled.
        chosen: what was played; best: what the reference prefers.
        legal: how many decisions were legal.
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
    """One game analysed.

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
    """Return what an analysis comes to."""
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
    own = analysis.of_cause(Cause.DECISION, seat, by=seat)
    values = analysis.moments[-1].values if analysis.moments else analysis.start
    return Account(
        start=analysis.start[seat],
        luck=analysis.of_cause(Cause.LUCK, seat),
        own=own,
        others=analysis.of_cause(Cause.DECISION, seat) - own,
        hidden=analysis.of_cause(Cause.HIDDEN, seat),
        error=analysis.of_cause(Cause.ERROR, seat),
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
        chosen=recorded(judged.chosen.decision),
        best=recorded(judged.best.decision),
        legal=judged.legal,
    )


def recorded(decision: Decision) -> Any:
    """Return a decision in the form in which replays have it."""
    return list(decision) if isinstance(decision, tuple) else decision
