"""What a shell completes behind options and arguments: names that are known without importing much."""

from __future__ import annotations

import os
from pathlib import Path

SOURCES = (".py", ".zip")


def games(incomplete: str) -> list[str]:
    """Return the games that begin so."""
    from gangland.games import GAME_NAMES

    return [name for name in GAME_NAMES if name.startswith(incomplete)]


def schemas(incomplete: str) -> list[str]:
    """Return the schemas whose name begins so."""
    from gangland_ladder.cli.schemas import names

    return [name for name in names() if name.startswith(incomplete)]


def bots(incomplete: str) -> list[str]:
    """Return the folders, Python files and zips that begin so; a folder ends with a slash, to go on in it."""
    return _files(incomplete, SOURCES)


def archives(incomplete: str) -> list[str]:
    """Return the folders and archives that begin so."""
    return _files(incomplete, (".tar",))


def replays(incomplete: str) -> list[str]:
    """Return the folders, archives and files of replays that begin so."""
    return _files(incomplete, (".json", ".ndjson", ".tar"))


def _files(incomplete: str, ends: tuple[str, ...]) -> list[str]:
    folder, name = os.path.split(incomplete)
    try:
        found = sorted(Path(folder or ".").expanduser().iterdir())
    except OSError:
        return []
    shown = [path for path in found if path.name.startswith(name) and (name or not path.name.startswith("."))]
    return [
        os.path.join(folder, path.name) + ("/" if path.is_dir() else "")
        for path in shown
        if path.is_dir() or path.suffix in ends
    ]
