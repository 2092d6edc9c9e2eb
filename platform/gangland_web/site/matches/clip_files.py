"""Clips that are made, as files in the data folder: as many as a bound allows, the latest asked for first to stay."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

from gangland_ladder.viewer.pictures.clips import MOST_BYTES

FOLDER: Final = "clips"
KEPT_BYTES: Final = 64_000_000
"""What all of them may weigh; in a container they lie in memory."""
_BEGINS: Final = {"webp": b"RIFF", "gif": b"GIF89a"}


class ClipFiles:
    """The clips of a site, shared by its processes."""

    def __init__(self, data: Path, most_bytes: int = KEPT_BYTES) -> None:
        """Keep them in a data folder; nothing is made there before the first clip."""
        self._folder = data / FOLDER
        self._most_bytes = most_bytes

    def get(self, name: str) -> bytes | None:
        """Return a clip, None if it is not there."""
        path = self._folder / name
        try:
            body = path.read_bytes()
            os.utime(path)
        except OSError:
            return None
        return body

    def put(self, name: str, body: bytes) -> None:
        """Keep a clip, in place of those that were not asked for the longest; what is none, or too heavy, is dropped.

        Raises:
            OSError: the data folder cannot be written.
        """
        if len(body) > MOST_BYTES or not body.startswith(_BEGINS[name.rpartition(".")[2]]):
            return
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=self._folder)
        with os.fdopen(descriptor, "wb") as file:
            file.write(body)
        Path(temporary).replace(self._folder / name)
        self._prune()

    def _prune(self) -> None:
        kept = []
        for path in self._folder.iterdir():
            with suppress(FileNotFoundError):  # another process was faster
                found = path.stat()
                kept.append((found.st_mtime, found.st_size, path))
        weight = sum(size for _, size, _ in kept)
        for _, size, path in sorted(kept):
            if weight <= self._most_bytes:
                return
            path.unlink(missing_ok=True)
            weight -= size
