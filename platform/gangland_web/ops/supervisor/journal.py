"""The one log: every child's lines with its name, to the screen and to a file."""

import json
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from typing import TextIO

from gangland_ladder.common.documents import json_text
from gangland_ladder.documents.machines import UpLine

KEPT_BYTES = 10 * 1024 * 1024
NAME_WIDTH = 10


class Journal:
    """Writes lines to a file and to the screen.

    Either may break, and the other goes on: a full disk, or a reader that has gone, is no reason to stop a site.
    """

    def __init__(self, path: Path, *, as_json: bool, json_lines: bool = False) -> None:
        """Append to the file; one that has grown large is set aside, in place of its predecessor.

        Args:
            as_json: standard output is for `tell` alone, so lines go to standard error.
            json_lines: each line is a JSON object, as children write them when LOG_FORMAT is json.
        """
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = path
        self._line = _json_line if json_lines else _line
        self._file = path.open("ab", buffering=0)
        self._bytes = path.stat().st_size
        self._broken = False
        self._screen: TextIO | None = sys.stderr if as_json else sys.stdout
        self._events: TextIO | None = sys.stdout if as_json else None
        self._as_json = as_json
        self._wrote_at = time.monotonic()

    def write(self, name: str, line: str) -> None:
        """Write one line that `name` said."""
        text = self._line(name, line)
        self._wrote_at = time.monotonic()
        self._keep(text)
        self._show(text)

    def tell(self, event: UpLine, sentence: str) -> None:
        """Tell the person who started us something, as a sentence or as a line of JSON."""
        if not self._as_json:
            self.write("gangland", sentence)
            return
        self._keep(self._line("gangland", sentence))
        self._events = _written(self._events, json_text(event) + "\n")

    def confide(self, event: UpLine, sentence: str) -> None:
        """Tell the person who started us what belongs in no log: on standard error, or as a line of JSON."""
        if self._as_json:
            self._events = _written(self._events, json_text(event) + "\n")
        else:
            _written(sys.stderr, f"\n{sentence}\n\n")

    @property
    def silent_s(self) -> float:
        """Seconds since the last line was written; no end of them where `tell` has a stream of its own."""
        return inf if self._as_json else time.monotonic() - self._wrote_at

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _keep(self, text: str) -> None:
        """Write to the file, or say once on the screen that it cannot be written, and again when it can."""
        try:
            if self._bytes > KEPT_BYTES:
                self._set_aside()
            self._bytes += self._file.write(text.encode("utf-8", "replace"))
        except OSError as error:
            if not self._broken:
                self._broken = True
                self._show(self._line("gangland", f"{self._path} cannot be written: {error.strerror}"))
        else:
            if self._broken:
                self._broken = False
                self._show(self._line("gangland", f"{self._path} is written again"))

    def _set_aside(self) -> None:
        """Begin a new file beside the large one, so that two files of that size are all there ever is."""
        with suppress(FileNotFoundError):  # set aside before, and then no new one could be begun
            self._path.replace(self._path.with_suffix(".old"))
        large, self._file = self._file, self._path.open("ab", buffering=0)
        self._bytes = 0
        large.close()

    def _show(self, text: str) -> None:
        self._screen = _written(self._screen, text)


def _written(stream: TextIO | None, text: str) -> TextIO | None:
    """Write to a stream that somebody may read; return it, or None once nobody does."""
    if stream is None:
        return None
    try:
        stream.write(text)
        stream.flush()
    except OSError:
        return None
    return stream


def _line(name: str, text: str) -> str:
    return f"{time.strftime('%H:%M:%S')} {name:<{NAME_WIDTH}} | {text}\n"


def _json_line(name: str, text: str) -> str:
    """Return what a child said as an object with its name; words that are none are its event."""
    try:
        line = json.loads(text)
    except ValueError:
        line = None
    if not isinstance(line, dict):
        at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line = {"at": at, "level": "info", "event": text}
    return json.dumps(line | {"process": name}) + "\n"
