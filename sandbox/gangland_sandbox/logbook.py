"""Collect a bot's log and printed output for its owner, up to a maximum size."""

from typing import Final

from gangland_sandbox.clock import Banks
from gangland_sandbox.inside import HEADER
from gangland_sandbox.limits import KIB, Limits
from gangland_sandbox.wire import clean

TAIL_CHARS: Final = 400


class Logbook:
    """One bot's log of a game, and the size of all its output; `position` is where the next line begins."""

    def __init__(self, limits: Limits, banks: Banks) -> None:
        self._limits = limits
        self._banks = banks
        self._lines: list[str] = []
        self._log_bytes = 0
        self.position = 0
        self._is_truncated = False
        self._printed_bytes = 0
        self._printed_tail = b""

    def begin_game(self) -> None:
        """Clear the log of the previous game."""
        self._lines.clear()
        self._log_bytes = self.position = 0
        self._is_truncated = False

    def add(self, body: bytes) -> bool:
        """Add one line; return False if the bot has logged more than a match allows."""
        self._banks.log_left_bytes -= len(body) + HEADER.size
        self._append(body)
        return self._banks.log_left_bytes >= 0

    def add_printed(self, data: bytes) -> bool:
        """Add printed output; return False if it is more than a jail allows."""
        self._printed_bytes += len(data)
        if self._printed_bytes > self._limits.stderr_bytes:
            return False
        self._printed_tail = (self._printed_tail + data)[-TAIL_CHARS:]
        if data:
            self._append(data.removesuffix(b"\n"))
        return True

    def used_share(self) -> float:
        """Return the fraction used of the print limit or the log limit, whichever is larger."""
        logged = 1 - self._banks.log_left_bytes / self._limits.log_match_bytes
        return max(logged, self._printed_bytes / self._limits.stderr_bytes)

    def printed_tail(self) -> str:
        """Return the end of the printed output, for the message about a bot that died."""
        return clean(self._printed_tail.decode("utf-8", "replace").strip())

    def take(self) -> str:
        """Return the log and clear it."""
        text = "\n".join(self._lines)
        if self._is_truncated:
            text += f"\n... cut: a game's log is limited to {self._limits.log_game_bytes // KIB} KiB"
        self._lines.clear()
        self.position = 0
        self._is_truncated = False
        return text

    def _append(self, body: bytes) -> None:
        # The limit counts the cleaned text, in which an invalid byte becomes six characters.
        room = max(0, self._limits.log_game_bytes - self._log_bytes - 1)
        text = clean(body[:room].decode("utf-8", "replace")).encode()
        if len(body) > room or len(text) > room:
            self._is_truncated = True
        if line := text[:room].decode("utf-8", "ignore"):
            self._log_bytes += len(line.encode()) + 1
            self._lines.append(line)
            self.position += len(line) + 1
