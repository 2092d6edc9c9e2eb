"""What if: a recorded game played on from one decision, with the best decision there and the same dice.

Dice hang on seed, round, seat, roll and position alone, so whatever is rolled again as in the recorded game falls as it
did there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from gangland.faults import BotFault, FaultKind
from gangland.game import Decision
from gangland.games import game_named
from gangland.match import Table
from gangland.replay import FAULT, Replay, verify
from gangland.view import View
from gangland_ladder.analysis.account import MISTAKES, Judged, Values, scores_of
from gangland_ladder.analysis.analyser import options_at, reference_for

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


def continued(replay: Replay, number: int, *, seed: int = 0) -> Continuation:
    """Return a recorded game played on from a decision: the best one there, later ones of all seats by the reference.

    Until then, and of seats that decide at the same time, the recorded decisions are played.

    Args:
        number: of the decision in the replay.
        seed: for what the reference samples and mixes.

    Raises:
        NotAnalysed: nothing is known of this game and table, or the reference does not judge this decision.
        ReplayError: the replay does not play.
    """
    step, answer, options = options_at(replay, number, seed=seed)
    fixed = {each.number for each in step.answers if each.number is not None}
    reference, best = reference_for(replay, seed), options[0].decision

    class Seat:
        """Plays what is recorded, then what the reference does."""

        def __init__(self, seat: int) -> None:
            self.seat = seat

        def decide(self, kind: str, view: View, asked: int) -> object:
            if asked == number:
                return best
            if asked < number or asked in fixed:
                if replay.decisions[asked] == FAULT:
                    raise _failed()
                return replay.decisions[asked]
            if table.defaulting:
                known = reference.options(table.state, self.seat, table.defaulting)
                if known:
                    return known[0].decision
            return reference.decide(table.state, self.seat, Random(f"{seed} {asked}"))

    seats = [Seat(seat) for seat in range(replay.seats)]
    failed: Mapping[int, BotFault] = {seat: _failed() for seat, decision in replay.faults if decision is None}
    game = game_named(replay.game)
    table = Table(game, seats, bytes.fromhex(replay.seed), options=replay.options, failed=failed)
    while table.outcome is None:
        table.ply()
    played = table.played()
    recorded = scores_of(verify(replay))
    return Continuation(number, answer.seat, answer.kind, best, played.replay, recorded, scores_of(played.outcome))


def _failed() -> BotFault:
    return BotFault(FaultKind.CRASHED, "failed in the recorded game")


def costliest(judged: Iterable[Judged], most: int = PER_SEAT) -> list[int]:
    """Return the numbers of the decisions from which a game is played on: those of each seat that are marked as costly.

    Args:
        most: of each seat.
    """
    taken: dict[int, list[int]] = {}
    for each in sorted(judged, key=lambda each: -each.cost):
        if each.number is not None and each.mark in MISTAKES and each.best.decision != each.chosen.decision:
            taken.setdefault(each.seat, []).append(each.number)
    return [number for numbers in taken.values() for number in numbers[:most]]
