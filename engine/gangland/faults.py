"""What a bot can do wrong, named once for engine, sandbox, ladder and site."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from gangland.view import unchangeable

MESSAGE_CHARS: Final = 3000
"""The most that a fault says: its words may be the bot's own, and everything that is made of them works on so many."""


class FaultKind(StrEnum):
    """Why a seat forfeits a game; set by the referee alone, never by what a bot says."""

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
        """The word that people read: bot error, out of time or illegal decision."""
        return PLAIN_WORDS.get(self, "bot error")


PLAIN_WORDS = {
    FaultKind.IMPORT_TIME: "out of time",
    FaultKind.DECISION_TIME: "out of time",
    FaultKind.BANK_TIME: "out of time",
    FaultKind.WALL_TIME: "out of time",
    FaultKind.ILLEGAL: "illegal decision",
}


class BotFault(Exception):
    """A bot failed: its seat forfeits the game."""

    def __init__(self, kind: FaultKind, message: str) -> None:
        """Keep the beginning of the message, at most `MESSAGE_CHARS` of it."""
        self.kind = kind
        self.message = message[:MESSAGE_CHARS]
        super().__init__(self.message)

    def __reduce__(self) -> tuple[type[BotFault], tuple[FaultKind, str]]:
        return BotFault, (self.kind, self.message)


class IllegalDecision(ValueError):
    """A decision that the rules refuse; the message says what came and what was legal."""


@unchangeable
@dataclass(frozen=True, slots=True)
class Fault:
    """One seat's failure in one game.

    Attributes:
        decision: number of the decision in the replay at which the seat failed; None when it
            failed before its first decision of the game, or after the game had ended.
    """

    seat: int
    kind: FaultKind
    message: str
    round: int
    decision: int | None
