"""The one log: every child's lines with its name, to the screen and to a file."""

import json
import sys
import time
from pathlib import Path
from typing import TextIO

KEPT_BYTES = 10 * 1024 * 1024
NAME_WIDTH = 10


class Journal:
    """Writes lines to a file and to the screen; the screen's may break, the file's goes on."""

    def __init__(self, path: Path, *, as_json: bool) -> None:
        """Append to the file; one that has grown large is set aside first, in place of its predecessor.

        Args:
            as_json: standard output is for `tell` alone, so lines go to standard error.
        """
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > KEPT_BYTES:
            path.replace(path.with_suffix(".old"))
        self._file = path.open("a", encoding="utf-8", buffering=1)
        self._screen: TextIO | None = sys.stderr if as_json else sys.stdout
        self._as_json = as_json

    def write(self, name: str, line: str) -> None:
        """Write one line that `name` said."""
        text = _line(name, line)
        self._file.write(text)
        self._show(text)

    def tell(self, event: str, sentence: str, **facts: object) -> None:
        """Tell the person who started us something, as a sentence or as a line of JSON."""
        if not self._as_json:
            self.write("gangland", sentence)
            return
        self._file.write(_line("gangland", sentence))
        sys.stdout.write(json.dumps({"schema": "gangland/up/1", "event": event, **facts}) + "\n")
        sys.stdout.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _show(self, text: str) -> None:
        if self._screen is None:
            return
        try:
            self._screen.write(text)
            self._screen.flush()
        except OSError:
            self._screen = None  # whoever read along has gone; the file goes on


def _line(name: str, text: str) -> str:
    return f"{time.strftime('%H:%M:%S')} {name:<{NAME_WIDTH}} | {text}\n"
