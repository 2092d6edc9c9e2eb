"""The faults of bots; engine, sandbox, ladder and site use the same names."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from gangland.view import unchangeable

MESSAGE_CHARS: Final = 3000
"""The maximum length of a fault's message, in characters; a message may quote the bot."""


class FaultKind(StrEnum):
    """The reason for a forfeit, as determined by the referee."""

    IMPORT_ERROR = "import_error"
    IMPORT_TIME = "import_time"
    DECISION_TIME = "decision_time"
    BANK_TIME = "bank_time"
    WALL_TIME = "wall_time"
    MEMORY = "memory"
    OUTPUT = "output"
    PROTOCOL = "protocol"
    ILLEGAL = "illegal"
    FORBIDDEN_SYSCALL = "forbidden_syscall"
    CRASHED = "crashed"

    @property
    def plain(self) -> str:
        """The fault in plain words: bot error, out of time or illegal decision."""
        return PLAIN_NAMES.get(self, "bot error")


PLAIN_NAMES = {
    FaultKind.IMPORT_TIME: "out of time",
    FaultKind.DECISION_TIME: "out of time",
    FaultKind.BANK_TIME: "out of time",
    FaultKind.WALL_TIME: "out of time",
    FaultKind.ILLEGAL: "illegal decision",
}


class BotFault(Exception):
    """A bot failed: its seat forfeits the game."""

    def __init__(self, kind: FaultKind, message: str) -> None:
        self.kind = kind
        self.message = message[:MESSAGE_CHARS]
        super().__init__(self.message)

    def __reduce__(self) -> tuple[type[BotFault], tuple[FaultKind, str]]:
        return BotFault, (self.kind, self.message)


class IllegalDecision(ValueError):
    """A decision against the rules; the message shows the answer and the legal answers."""


@unchangeable
@dataclass(frozen=True, slots=True)
class Fault:
    """One seat's failure in one game."""

    seat: int
    kind: FaultKind
    message: str
    round: int
    # The index of the failed decision in the replay; None before the first decision or after the end.
    decision: int | None
