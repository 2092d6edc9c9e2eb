"""A first bot of one's own: made out of the starters, all of it or nothing."""

from __future__ import annotations

import keyword
import os
import secrets
import shutil
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Final

from gangland.games import GAME_NAMES, game_named
from gangland_sandbox.errors import UploadRejected
from gangland_sandbox.intake import scan_name

_STARTERS: Final = files(__package__) / "starters"


class Refused(ValueError):
    """Nothing was made; the message says why and what was expected."""


def make(name: str, game: str, folder: Path) -> dict[str, str]:
    """Write a bot's file, its test and a README into a folder, which is made if it is not there.

    Returns:
        The names of the files, and what each is.

    Raises:
        Refused: the name cannot be a bot's, a file stands in the way, or the folder cannot be written.
    """
    if game not in games_to_start_with():
        raise Refused(f"there is no first bot for {game}; there is one for {', '.join(games_to_start_with())}")
    try:
        scan_name(f"{name}.py")
    except UploadRejected as refused:
        raise Refused(refused.message) from refused
    texts = _texts(name, game)
    try:
        _write(folder, {file: text for file, (text, _) in texts.items()})
    except OSError as failure:
        raise Refused(f"cannot write {folder}: {failure.strerror or failure}; nothing was made") from failure
    return {file: what for file, (_, what) in texts.items()}


def games_to_start_with() -> list[str]:
    """Return the games that have a starter."""
    return [game for game in GAME_NAMES if (_STARTERS / game).is_dir()]


def first_bot(name: str, game: str) -> str:
    """Return the source of the first bot of a game that has a starter."""
    return _texts(name, game)[f"{name}.py"][0]


def class_name(name: str) -> str:
    """Return the class for a module's name: my_bot gives MyBot, and never a name that a game has."""
    taken = _taken()
    found = "".join(part[:1].upper() + part[1:] for part in name.split("_"))
    if not found.isidentifier() or keyword.iskeyword(found) or found in taken:
        found = f"{found}Bot" if f"{found}Bot".isidentifier() else f"Bot{found}"
    return found if found not in taken else "MyBot"


@cache
def _taken() -> frozenset[str]:
    """Return the names that authors import from games."""
    return frozenset(kind.__name__ for game in GAME_NAMES for kind, _ in game_named(game).api)


def _texts(name: str, game: str) -> dict[str, tuple[str, str]]:
    """Return each file's text and what it is."""
    words = {"name": name, "cls": class_name(name), "game": game, "title": game_named(game).title}

    def text(*path: str) -> str:
        return Template(_STARTERS.joinpath(*path).read_text(encoding="utf-8")).substitute(words)

    return {
        f"{name}.py": (text(game, "bot.py.txt"), "the bot, each decision explained"),
        f"test_{name}.py": (text(game, "test.py.txt"), "a test that plays it"),
        "README.md": (text("README.md.txt"), "what to do next"),
    }


def _write(folder: Path, texts: dict[str, str]) -> None:
    """Write all files or none: into a folder beside, which then becomes this one, or whose files are linked into it."""
    if folder.is_dir():
        in_the_way = [file for file in texts if os.path.lexists(folder / file)]
        if in_the_way:
            raise Refused(f"{folder / in_the_way[0]} exists already; nothing was created. Choose another name or --dir")
    elif os.path.lexists(folder):
        raise Refused(f"{folder} exists already and is no folder; nothing was created. Choose another name or --dir")
    elif not folder.parent.is_dir():
        raise Refused(f"there is no folder {folder.parent} to make {folder.name} in")
    draft = (folder if folder.is_dir() else folder.parent) / f".new-{secrets.token_hex(8)}"
    draft.mkdir()
    try:
        for file, text in texts.items():
            (draft / file).write_text(text, encoding="utf-8")
        if folder.is_dir():
            _link_all(draft, folder, list(texts))
        else:
            draft.rename(folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _link_all(source: Path, folder: Path, names: list[str]) -> None:
    """Give files a second place in a folder, none of which overwrites anything; take all back if one cannot have it."""
    made: list[Path] = []
    try:
        for name in names:
            os.link(source / name, folder / name)
            made.append(folder / name)
    except OSError:
        for path in made:
            with suppress(OSError):
                path.unlink()
        raise
