"""An upload as its owner reads it: the file with the bot, and what lies beside it in a zip."""

from __future__ import annotations

from dataclasses import dataclass

from gangland_sandbox.errors import UploadRejected
from gangland_sandbox.intake import unpack


@dataclass(frozen=True, slots=True)
class ShownSource:
    """A bot's main file as text, and the other files by path with their bytes' number, sorted."""

    text: str
    main: str
    others: tuple[tuple[str, int], ...] = ()


def shown_source(code: bytes, filename: str) -> ShownSource | None:
    """Return what can be shown of an upload; None if it was let in once and would not be today."""
    try:
        bundle = unpack(code, filename)
    except UploadRejected:
        return None
    text = bundle.files[bundle.main].decode("utf-8", "replace").replace("\r\n", "\n")
    others = sorted((path, len(content)) for path, content in bundle.files.items() if path != bundle.main)
    return ShownSource(text, bundle.main, tuple(others))
