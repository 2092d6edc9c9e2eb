"""One line of progress on stderr; silent where nobody watches."""

from __future__ import annotations

import sys
import time

STEP_S = 0.1
BAR = 30


class Line:
    """One line that is written over and over, on a terminal alone."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.shown = sys.stderr.isatty() and not quiet
        self.last = 0.0

    def __enter__(self) -> Line:
        return self

    def show(self, text: str) -> None:
        """Show this now, unless the last was shown a moment ago."""
        now = time.monotonic()
        if self.shown and now - self.last >= STEP_S:
            self.last = now
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()

    def __exit__(self, *failure: object) -> None:
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


class Progress:
    """Shows games done, their rate and what is left, on a terminal alone."""

    def __init__(self, total: int, already: int = 0, *, quiet: bool = False) -> None:
        """Begin.

        Args:
            already: how many were done before, which say nothing of the rate.
        """
        self.total = total
        self.already = already
        self.shown = sys.stderr.isatty() and not quiet
        self.began = self.last = time.monotonic()

    def __enter__(self) -> Progress:
        return self

    def reached(self, done: int) -> None:
        """Show that this many games are done."""
        now = time.monotonic()
        if not self.shown or (now - self.last < STEP_S and done < self.total):
            return
        self.last = now
        rate = (done - self.already) / max(now - self.began, 1e-9)
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
