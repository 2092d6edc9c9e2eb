"""Find the first difference between a recorded game and its replay by the same bots."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from gangland.bot import GameEnd
from gangland.faults import BotFault, FaultKind
from gangland.replay import FAULT, RecordedDecision, Replay, expand, load
from gangland.view import View
from gangland_ladder.matches.match_jobs import Count, FaultRecord, GameRecord, Seat
from gangland_ladder.matches.players import MatchPlayer, OnView
from gangland_sandbox.wire import question_bytes

# Recorded games.


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A game as recorded."""

    record: GameRecord
    replay: Replay

    def fault(self, seat: int) -> FaultRecord | None:
        """Return the seat's fault, if any, in any stage of the game."""
        return next((fault for fault in self.record.faults if fault.seat == seat), None)

    @property
    def late(self) -> dict[int, FaultRecord]:
        """The faults after the end of the game, by seat."""
        return {fault.seat: fault for fault in self.record.faults[len(self.replay.faults) :]}


def by_rotation(games: Iterable[GameRecord]) -> dict[tuple[int, int], RecordedGame]:
    """Return the games of a match by block and rotation. Raises ReplayError: a replay cannot be read."""
    return {(game.block, game.rotation): RecordedGame(game, load(game.replay)) for game in games}


# The difference.


class Stage(StrEnum):
    """The stage of a game where two plays first differ."""

    START = "start"  # a bot fails to start
    DECISION = "decision"
    VIEWS = "views"  # all decisions are equal, but the bots were sent different observations
    END = "end"  # a bot fails after the game, when it gets the result


@dataclass(frozen=True, slots=True)
class Difference:
    """The first difference between a recorded game and its replay.

    Attributes:
        seat: the seat in the game, from 0; null if the difference is in the digest of all views.
        round: from 1; 0 before the game.
        decision: number of the decision in the game, from 0.
        recorded, again: the recorded and the replayed answer, or "fault"; before and after the game, "fault" or null.
        recorded_fault, again_fault: kind and message of the fault, or empty.
    """

    when: Stage
    block: Count
    rotation: Count
    seat: Count | None
    entry: Count | None
    round: Count
    kind: str
    decision: Count | None
    recorded: Any
    again: Any
    recorded_fault: str = ""
    again_fault: str = ""


def first_difference(seats: Sequence[Seat], before: RecordedGame, again: RecordedGame) -> Difference | None:
    """Return the first difference between two plays of one game, or None.

    Faults are compared by seat and decision, not by kind and message.
    """
    plays = _Plays(seats, before, again)
    return plays.at_start() or plays.at_decision() or plays.at_end()


@dataclass(frozen=True, slots=True)
class _Plays:
    seats: Sequence[Seat]
    before: RecordedGame
    again: RecordedGame

    def at_start(self) -> Difference | None:
        old, new = ({seat for seat, at in play.replay.faults if at is None} for play in (self.before, self.again))
        return self._difference(Stage.START, min(old ^ new), 0) if old != new else None

    def at_decision(self) -> Difference | None:
        old, new = self.before.replay.decisions, self.again.replay.decisions
        for number, (one, other) in enumerate(zip(old, new, strict=False)):
            if one != other:
                return self._decision_difference(number, one, other)
        views = (self.before.record.views, self.again.record.views)
        if len(old) == len(new) and views[0] != views[1]:
            return self._difference(Stage.VIEWS, None, self.before.replay.rounds, answers=views)
        return None

    def at_end(self) -> Difference | None:
        seats = set(self.before.late) ^ set(self.again.late)
        return self._difference(Stage.END, min(seats), self.before.replay.rounds) if seats else None

    def _decision_difference(self, number: int, one: RecordedDecision, other: RecordedDecision) -> Difference:
        for step in expand(self.before.replay):
            for answer in step.answers:
                if answer.number == number:
                    question, answers = (answer.kind, number), (one, other)
                    return self._difference(Stage.DECISION, answer.seat, step.round, question=question, answers=answers)
        raise ValueError(f"the replay has no decision {number}")

    def _difference(
        self,
        when: Stage,
        seat: int | None,
        round: int,
        *,
        question: tuple[str, int | None] = ("", None),
        answers: tuple[Any, Any] | None = None,
    ) -> Difference:
        record = self.before.record
        old = self.before.fault(seat) if seat is not None and (answers is None or answers[0] == FAULT) else None
        new = self.again.fault(seat) if seat is not None and (answers is None or answers[1] == FAULT) else None
        return Difference(
            when=when,
            block=record.block,
            rotation=record.rotation,
            seat=seat,
            entry=None if seat is None else self.seats[record.seating[seat]].entry,
            round=round,
            kind=question[0],
            decision=question[1],
            recorded=answers[0] if answers else old and FAULT,
            again=answers[1] if answers else new and FAULT,
            recorded_fault=_fault_text(old),
            again_fault=_fault_text(new),
        )


def _fault_text(fault: FaultRecord | None) -> str:
    return "" if fault is None else f"{fault.kind}: {fault.message}"


# Bots whose code is missing.


class StandIn(MatchPlayer):
    """A player that repeats the recorded decisions of a bot whose code is missing."""

    before: RecordedGame
    seat: int
    on_view: OnView | None

    def select_game(self, before: RecordedGame, seat: int) -> None:
        """Select the recorded game and seat to replay next."""
        self.before, self.seat = before, seat

    def begin_game(
        self, seat: int, seats: int, options: Mapping[str, object], seed: bytes, on_view: OnView | None
    ) -> BotFault | None:
        """Return the recorded failure, if any."""
        self.on_view = on_view
        return self._failure() if (seat, None) in self.before.replay.faults else None

    def decide(self, kind: str, view: View, number: int) -> object:
        """Return the recorded answer. Raises BotFault: a fault is recorded, or no further answer."""
        if self.on_view is not None:
            self.on_view(question_bytes(kind, view.wire))
        decisions = self.before.replay.decisions
        if number >= len(decisions) or decisions[number] == FAULT:
            raise self._failure()
        return decisions[number]

    def end_game(self, result: GameEnd) -> BotFault | None:
        """Return the recorded failure, if any."""
        return self._failure() if self.seat in self.before.late else None

    def _failure(self) -> BotFault:
        fault = self.before.fault(self.seat)
        if fault is None:
            return BotFault(FaultKind.ILLEGAL, "no answer is recorded from here on")
        return BotFault(FaultKind(fault.kind), fault.message)
