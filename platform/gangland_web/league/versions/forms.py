"""An upload as it was typed or dropped, read and checked before anything is done with it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from gangland_ladder.errors.catalogue import rejection, titled
from gangland_ladder.local.bots import named_games, no_game
from gangland_sandbox.errors import UploadRejected
from gangland_sandbox.intake import PLAIN, is_zip, stem_of, unpack
from gangland_web.base.formats import GAME_TITLES
from gangland_web.base.text import name_key, normal_name, problem_with_name, with_line

NAME_CHARS = 64
NOTE_CHARS = 200
TEAM_CHARS = 64
PASTED = "bot.py"


class SentFile(Protocol):
    """A file that came with a form."""

    filename: str | None

    def read(self, size: int, /) -> bytes:
        """Return so many bytes of it at most."""


@dataclass(frozen=True, slots=True)
class UploadForm:
    """A bot's source with its game and name; `errors` says per field what is wrong."""

    game: str = ""
    name: str = ""
    filename: str = ""
    source: bytes = b""
    pasted: str = ""
    note: str = ""
    team: str = ""
    """The name of the team whose bot it is, empty for one's own."""
    errors: dict[str, str] = field(default_factory=dict)


def read_upload(form: Mapping[str, str], file: SentFile | None) -> UploadForm:
    """Read an upload: a file or zip, or else what was pasted.

    The name is the file's stem unless one was typed; the game is the one that the source imports unless one was chosen.
    """
    pasted = form.get("source", "").replace("\r\n", "\n")
    filename = _plain_filename(file.filename or "") if file is not None else ""
    source = file.read(PLAIN.largest_bytes + 1) if file is not None and filename else pasted.encode("utf-8", "replace")
    name = normal_name(form.get("name", "")[: 4 * NAME_CHARS])
    if not name and filename:
        name = normal_name(stem_of(filename))
    if not filename:
        filename = source_filename(name)
    game = form.get("game", "") or _game_named(source)
    note = normal_name(form.get("note", "")[: 4 * NOTE_CHARS])
    problems = {
        "game": _game_problem(game, source),
        "name": bot_name_problem(name),
        "source": _source_problem(source, filename),
    }
    if not source.strip() and not (file and file.filename):
        problems["source"] = "Choose a file or paste the source: both are empty."
    problems["note"] = _note_problem(note)
    errors = {where: problem for where, problem in problems.items() if problem}
    team = normal_name(form.get("team", "")[: 4 * TEAM_CHARS])
    return UploadForm(game, name, filename, source, pasted, note, team, errors)


def source_filename(name: str) -> str:
    """Return what the file of a bot is called whose source was typed."""
    return f"{name}.py" if name.isidentifier() else PASTED


def _plain_filename(given: str) -> str:
    """Return the last part of a file's name, whatever path a browser sent with it."""
    return re.split(r"[\\/]", given)[-1]


def _game_named(source: bytes) -> str:
    """Return the one game that a source imports, by its words alone: nothing is run; empty if there is no such one."""
    games = named_games(source) if len(source) <= PLAIN.largest_bytes else set()
    return games.pop() if len(games) == 1 else ""


def _game_problem(game: str, source: bytes) -> str | None:
    if game in GAME_TITLES:
        return None
    if game or not source.strip() or named_games(source):
        return "Choose the game that this bot plays: it cannot be detected from the file."
    return refused_text(no_game())


def bot_name_problem(name: str) -> str | None:
    """Return why a bot cannot have a name, None if it can."""
    if not 1 <= len(name) <= NAME_CHARS or len(name_key(name)) > NAME_CHARS:
        return f"A bot's name has 1 to {NAME_CHARS} characters."
    if problem := problem_with_name(name):
        return f"A bot's name {problem}."
    return None


def _note_problem(note: str) -> str | None:
    if len(note) > NOTE_CHARS:
        return f"A note has at most {NOTE_CHARS} characters; this one has {len(note)}."
    if problem := problem_with_name(note):
        return f"A note {problem}."
    return None


def refused_text(refused: UploadRejected) -> str:
    """Return why an upload was refused, by its title in the catalogue, and in which line, as the form shows it."""
    return f"{titled(rejection(refused).code)}: {with_line(refused.message, refused.line)}"


def _source_problem(source: bytes, filename: str) -> str | None:
    """Return why a source cannot be taken, in the words of intake, which looks at the rest later."""
    most = PLAIN.zip_bytes if is_zip(source) else PLAIN.source_bytes
    if source.strip() and filename.endswith((".py", ".zip")) and len(source) <= most:
        return None
    try:
        unpack(source, filename)
    except UploadRejected as refused:
        return refused_text(refused)
    return None
