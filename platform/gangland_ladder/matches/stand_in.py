"""Whoever plays for a bot whose code is not there: it gives what is recorded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gangland.bot import GameEnd
from gangland.faults import BotFault, FaultKind
from gangland.replay import FAULT, Replay, load
from gangland.view import View
from gangland_ladder.matches.contender import Contending, OnView
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


def by_place(games: Iterable[GameRecord]) -> dict[tuple[int, int], RecordedGame]:
    """Return the games of a match by block and rotation; ReplayError where a replay cannot be read."""
    return {(game.block, game.rotation): RecordedGame(game, load(game.replay)) for game in games}


class StandIn(Contending):
    """Gives what was recorded, in place of a bot whose code is not there."""

    def __init__(self) -> None:
        super().__init__()
        self.before: RecordedGame | None = None
        self.seat = 0
        self.on_view: OnView | None = None

    def next_game(self, before: RecordedGame, seat: int) -> None:
        """Take a seat in the next game to be played."""
        self.before, self.seat = before, seat

    def begin_game(
        self, seat: int, seats: int, options: Mapping[str, object], seed: bytes, on_view: OnView | None
    ) -> BotFault | None:
        """Fail if that is recorded."""
        self.on_view = on_view
        if self.before is not None and (seat, None) in self.before.replay.faults:
            return self._failure()
        return None

    def decide(self, kind: str, view: View, number: int) -> object:
        """Give the recorded answer, or fail as recorded."""
        if self.on_view is not None:
            self.on_view(shown_bytes(kind, view.wire))
        decisions = self.before.replay.decisions if self.before is not None else ()
        if number >= len(decisions) or decisions[number] == FAULT:
            raise self._failure()
        return decisions[number]

    def end_game(self, result: GameEnd) -> BotFault | None:
        """Fail if that is recorded."""
        return self._failure() if self.before is not None and self.seat in self.before.late else None

    def _failure(self) -> BotFault:
        fault = self.before.fault(self.seat) if self.before is not None else None
        if fault is None:
            return BotFault(FaultKind.ILLEGAL, "nothing is recorded from here on")
        return BotFault(FaultKind(fault.kind), fault.message)
