"""An upload as its owner reads it: the file with the bot, and what lies beside it in a zip."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gangland_sandbox.errors import UploadRejected
from gangland_sandbox.intake import NUMERIC, ZIP_MAIN, unpack
from gangland_web.resources.bots.diffs import lines_of

MOST_LINES: Final = 10_000
"""So many lines of a file stand in a page; it can be downloaded whole."""


@dataclass(frozen=True, slots=True)
class ShownSource:
    """A bot's main file as text, and the other files of a zip by path with their number of bytes, sorted."""

    text: str
    others: tuple[tuple[str, int], ...] = ()

    @property
    def lines(self) -> list[str]:
        """The lines that a page shows, the first ones of a file with very many."""
        return lines_of(self.text)[:MOST_LINES]

    @property
    def left_out(self) -> int:
        """How many lines a page does not show."""
        return max(0, self.text.count("\n") + (not self.text.endswith("\n")) - MOST_LINES)


def shown_source(code: bytes, filename: str) -> ShownSource | None:
    """Return what can be shown of an upload; None for a zip that was let in once and would not be today."""
    if not filename.endswith(".zip"):
        return ShownSource(_text(code))
    try:
        files = unpack(code, filename, NUMERIC).files
    except UploadRejected:
        return None
    others = sorted((path, len(content)) for path, content in files.items() if path != ZIP_MAIN)
    return ShownSource(_text(files[ZIP_MAIN]), tuple(others))


def _text(source: bytes) -> str:
    return source.decode("utf-8", "replace").replace("\r\n", "\n")
