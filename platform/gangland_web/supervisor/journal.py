"""The one log: every child's lines with its name, to the screen and to a file."""

import json
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

KEPT_BYTES = 10 * 1024 * 1024
NAME_WIDTH = 10


class Journal:
    """Writes lines to a file and to the screen; the screen's may break, the file's goes on."""

    def __init__(self, path: Path, *, as_json: bool, json_lines: bool = False) -> None:
        """Append to the file; one that has grown large is set aside, in place of its predecessor.

        Args:
            as_json: standard output is for `tell` alone, so lines go to standard error.
            json_lines: each line is a JSON object, as children write them when LOG_FORMAT is json.
        """
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = path
        self._line = _json_line if json_lines else _line
        self._file = path.open("a", encoding="utf-8", buffering=1)
        self._bytes = path.stat().st_size
        self._screen: TextIO | None = sys.stderr if as_json else sys.stdout
        self._as_json = as_json

    def write(self, name: str, line: str) -> None:
        """Write one line that `name` said."""
        text = self._line(name, line)
        self._keep(text)
        self._show(text)

    def tell(self, event: str, sentence: str, **facts: object) -> None:
        """Tell the person who started us something, as a sentence or as a line of JSON."""
        if not self._as_json:
            self.write("gangland", sentence)
            return
        self._keep(self._line("gangland", sentence))
        sys.stdout.write(json.dumps({"schema": "gangland/up/1", "event": event, **facts}) + "\n")
        sys.stdout.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _keep(self, text: str) -> None:
        """Write to the file; a large one is set aside first, so that two files of that size are all there ever is."""
        if self._bytes > KEPT_BYTES:
            self._file.close()
            self._path.replace(self._path.with_suffix(".old"))
            self._file = self._path.open("a", encoding="utf-8", buffering=1)
            self._bytes = 0
        self._file.write(text)
        self._bytes += len(text.encode("utf-8", "replace"))

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


def _json_line(name: str, text: str) -> str:
    """Return what a child said as an object with its name; words that are none are its event."""
    try:
        told = json.loads(text)
    except ValueError:
        told = None
    if not isinstance(told, dict):
        at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        told = {"at": at, "level": "info", "event": text}
    return json.dumps(told | {"process": name}) + "\n"
