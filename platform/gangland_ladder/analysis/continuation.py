"""What if: a recorded game played on from one decision, with the best decision there and the same dice.

Dice hang on seed, round, seat, roll and position alone, so whatever is rolled again as in the recorded game falls as it
did there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from msgspec import Struct, json

from gangland.faults import BotFault, FaultKind
from gangland.game import Decision
from gangland.games import game_named
from gangland.match import Played, Player, Table
from gangland.replay import FAULT, Replay, verify
from gangland.view import View
from gangland_ladder.analysis.account import MISTAKES, Judged, Values, scores_of
from gangland_ladder.analysis.analyser import decision_at, options_at, reference_for

PER_SEAT: Final = 3
"""A game that is shown with its analysis is played on from so many of each seat's costliest decisions at most."""


@dataclass(frozen=True, slots=True)
class Continuation:
    """A game played on.

    Attributes:
        number: of the decision from which it differs; seat: whose it is.
        decision: the best one, which was played.
        recorded, scores: by seat, what it scored in the recorded game and in this one.
    """

    number: int
    seat: int
    kind: str
    decision: Decision
    replay: Replay
    recorded: Values
    scores: Values


class Continued(Struct):
    """A game played on, as it is sent and kept: the number of the decision from which it differs, and all from there.

    Attributes:
        decisions: as replays have them.
    """

    number: int
    decisions: list[Any]


class OutOfTime(Exception):
    """A game was not played on to its end, for time was over."""


class NoContinuation(ValueError):
    """Decisions that do not go on from a recorded game; the message says why."""


def continued(
    replay: Replay,
    number: int,
    *,
    best: Decision | None = None,
    seed: int = 0,
    in_time: Callable[[], bool] = lambda: True,
) -> Continuation:
    """Return a recorded game played on from a decision: the best one there, later ones of all seats by the reference.

    Until then, and of seats that decide at the same time, the recorded decisions are played.

    Args:
        number: of the decision in the replay.
        best: the best decision there, if it is known: it takes the longest to find.
        seed: for what the reference samples and mixes.
        in_time: asked before each decision of the reference.

    Raises:
        NotAnalysed: nothing is known of this game and table, or the reference does not judge this decision.
        OutOfTime: `in_time` says no.
        ReplayError: the replay does not play.
    """
    if best is None:
        best = options_at(replay, number, seed=seed)[2][0].decision
    step, answer = decision_at(replay, number)
    fixed = {each.number for each in step.answers if each.number is not None}
    reference = reference_for(replay, seed)

    class Seat:
        """Plays what is recorded, then what the reference does."""

        def __init__(self, seat: int) -> None:
            self.seat = seat

        def decide(self, kind: str, view: View, current: int) -> object:
            if current == number:
                return best
            if current < number or current in fixed:
                if replay.decisions[current] == FAULT:
                    raise _failed()
                return replay.decisions[current]
            if not in_time():
                raise OutOfTime
            return reference.decide(table.state, self.seat, Random(f"{seed} {current}"), table.defaulting)

    table = _table(replay, [Seat(seat) for seat in range(replay.seats)])
    while table.outcome is None:
        table.ply()
    played = table.played()
    return Continuation(
        number,
        answer.seat,
        answer.kind,
        best,
        played.replay,
        scores_of(verify(replay)),
        scores_of(played.outcome),
    )


def kept_form(found: Continuation) -> Continued:
    """Return a game played on as it is sent and kept."""
    return Continued(found.number, list(found.replay.decisions[found.number :]))


def played_on(replay: Replay, sent: Continued) -> Continuation:
    """Return a game that somebody says was played on from a recorded one; raises as `continued_replay`."""
    played = continued_replay(replay, sent)
    _, answer = decision_at(replay, sent.number)
    best: Any = played.replay.decisions[sent.number]
    before, after = scores_of(verify(replay)), scores_of(played.outcome)
    return Continuation(sent.number, answer.seat, answer.kind, best, played.replay, before, after)


def continued_replay(replay: Replay, sent: Continued) -> Played:
    """Play a game of which somebody says that it was played on from a recorded one.

    Raises:
        NoContinuation: its decisions are not legal, or not as many as there are to make.
    """
    if not 0 <= sent.number < len(replay.decisions):
        raise NoContinuation(f"the game has {len(replay.decisions)} decisions, no decision {sent.number}")
    decisions = [*replay.decisions[: sent.number], *sent.decisions]

    class Seat:
        """Plays what is said."""

        def decide(self, kind: str, view: View, current: int) -> object:
            if current >= len(decisions):
                raise NoContinuation(f"it ends after {len(decisions)} decisions, before the game does")
            if decisions[current] == FAULT:
                raise _failed()
            return decisions[current]

    table = _table(replay, [Seat()] * replay.seats)
    while table.outcome is None:
        table.ply()
    played = table.played()
    if json.encode(played.replay.decisions) != json.encode(decisions):
        raise NoContinuation("a decision is not legal, or comes after the end of the game")
    return played


def _table(replay: Replay, seats: Sequence[Player]) -> Table:
    """Return the table of a recorded game at its beginning."""
    failed: Mapping[int, BotFault] = {seat: _failed() for seat, decision in replay.faults if decision is None}
    return Table(game_named(replay.game), seats, bytes.fromhex(replay.seed), options=replay.options, failed=failed)


def _failed() -> BotFault:
    return BotFault(FaultKind.CRASHED, "failed in the recorded game")


def costliest(judged: Iterable[Judged], most: int = PER_SEAT) -> list[Judged]:
    """Return the decisions from which a game is played on: those of each seat that are marked as costly.

    Args:
        most: of each seat.
    """
    taken: dict[int, list[Judged]] = {}
    for each in sorted(judged, key=lambda each: -each.cost):
        if each.number is not None and each.mark in MISTAKES and each.best.decision != each.chosen.decision:
            taken.setdefault(each.seat, []).append(each)
    return [each for of_seat in taken.values() for each in of_seat[:most]]
