"""Whoever plays for a bot whose code is not there: it gives what is recorded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gangland.bot import GameEnd
from gangland.faults import BotFault, Fault, FaultKind
from gangland.replay import FAULT, Replay
from gangland.view import View
from gangland_ladder.matches.contender import Seen
from gangland_ladder.matches.logs import Log
from gangland_ladder.matches.orders import FaultRecord, GameRecord
from gangland_sandbox.wire import shown_bytes


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A game as it was."""

    record: GameRecord
    replay: Replay

    def fault(self, seat: int) -> FaultRecord | None:
        """Return the seat's failure in the game, at its start or at its end."""
        return next((fault for fault in self.record.faults if fault.seat == seat), None)

    @property
    def late(self) -> dict[int, FaultRecord]:
        """The failures after the game had ended, by seat."""
        return {fault.seat: fault for fault in self.record.faults[len(self.replay.faults) :]}


class StandIn:
    """Gives what was recorded, in place of a bot whose code is not there."""

    def __init__(self) -> None:
        self.cpu_s = self.wall_s = 0.0
        self.decision_s: list[float] = []
        self.before: RecordedGame | None = None
        self.seat = 0
        self.seen: Seen | None = None

    def next_game(self, before: RecordedGame, seat: int) -> None:
        """Take a seat in the next game to be played."""
        self.before, self.seat = before, seat

    def begin_rotation(self) -> None:
        """Nothing to be ready for."""

    def end_rotation(self) -> None:
        """Nothing to give back."""

    def begin_game(
        self, seat: int, seats: int, options: Mapping[str, object], seed: bytes, seen: Seen
    ) -> BotFault | None:
        """Fail if that is recorded."""
        self.seen = seen
        if self.before is not None and (seat, None) in self.before.replay.faults:
            return self._failure()
        return None

    def decide(self, kind: str, view: View, number: int) -> object:
        """Give the recorded answer, or fail as recorded."""
        if self.seen is not None:
            self.seen(shown_bytes(kind, view.wire))
        decisions = self.before.replay.decisions if self.before is not None else ()
        if number >= len(decisions) or decisions[number] == FAULT:
            raise self._failure()
        return decisions[number]

    def end_game(self, result: GameEnd) -> BotFault | None:
        """Fail if that is recorded."""
        return self._failure() if self.before is not None and self.seat in self.before.late else None

    def forfeited(self, fault: Fault) -> None:
        """Nothing to do."""

    def located(self, fault: Fault) -> Fault:
        """Return the fault as it is."""
        return fault

    def take_log(self) -> Log:
        """Return nothing: no log is recorded."""
        return Log("", [])

    def _failure(self) -> BotFault:
        fault = self.before.fault(self.seat) if self.before is not None else None
        if fault is None:
            return BotFault(FaultKind.ILLEGAL, "nothing is recorded from here on")
        return BotFault(FaultKind(fault.kind), fault.message)
