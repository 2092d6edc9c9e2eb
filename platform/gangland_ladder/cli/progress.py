"""One line of progress on stderr; silent where nobody watches."""

from __future__ import annotations

import sys
import time

STEP_S = 0.1
BAR = 30


class Progress:
    """Shows games done, their rate and what is left, on a terminal alone."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.shown = sys.stderr.isatty()
        self.began = self.last = time.monotonic()

    def __enter__(self) -> Progress:
        return self

    def reached(self, done: int) -> None:
        """Show that this many games are done."""
        now = time.monotonic()
        if not self.shown or (now - self.last < STEP_S and done < self.total):
            return
        self.last = now
        rate = done / max(now - self.began, 1e-9)
        filled = BAR * done // max(self.total, 1)
        left_s = (self.total - done) / rate if rate else 0
        sys.stderr.write(
            f"\r\x1b[K{done}/{self.total} games {'━' * filled}{'─' * (BAR - filled)}"
            f"  {rate:.0f} games/s  {left_s:.0f} s left"
        )
        sys.stderr.flush()

    def __exit__(self, *failure: object) -> None:
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
