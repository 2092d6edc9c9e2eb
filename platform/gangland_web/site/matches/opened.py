"""A replay file of anybody's, played and shown at once; nothing of it is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from flask import Blueprint, render_template, request
from werkzeug.datastructures import FileStorage

from gangland.replay import Replay, ReplayError
from gangland_ladder.cli.replay_files import Entry, entries_of
from gangland_ladder.viewer.film import Film, film_of
from gangland_web.base.text import shown, whole_number
from gangland_web.queries.match_lists import REASONS
from gangland_web.site.viewer_files import film_markup

pages = Blueprint("opened", __name__)

MOST_BYTES: Final = 256 * 1024
MOST_DECISIONS: Final = 5_000
"""More than any game of house bots has; a page of more could hardly be shown."""
MOST_REPLAYS: Final = 200
"""So many replays of one file are counted."""
_NAME_CHARS: Final = 80
_MESSAGE_CHARS: Final = 400


class NotOpened(ValueError):
    """What was sent cannot be shown; the message says why and what was expected."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A game out of a file; `number` counts its `replays` from 1."""

    number: int
    replays: int
    replay: Replay
    film: Film

    @property
    def reason(self) -> str:
        """Why it ended, in words."""
        return REASONS.get(self.replay.reason, "ended")


@pages.route("/replays/open", methods=["GET", "POST"])
def opened() -> str | tuple[str, int]:
    """Show the form, or the game in the file that was sent."""
    if request.method == "GET":
        return render_template("open.html", problem="", sent={}, most=MOST_BYTES // 1024)
    try:
        found = open_replay(_sent(request.files.get("file"), request.form.get("text", "")), _number())
    except NotOpened as refused:
        return render_template("open.html", problem=str(refused), sent=request.form, most=MOST_BYTES // 1024), 422
    return render_template("opened.html", opened=found, most=MOST_BYTES // 1024, **film_markup(found.film))


def open_replay(data: bytes, number: int) -> Opened:
    """Return a game of a file, played again.

    Args:
        number: which of the file's replays, from 1.

    Raises:
        NotOpened: it is too large, no replay, or does not come out as it says.
    """
    if not data.strip():
        raise NotOpened("Choose a replay file, or paste one.")
    if len(data) > MOST_BYTES:
        raise NotOpened(f"This file is too large: at most {MOST_BYTES // 1024} KiB can be opened here.")
    found = entries_of(data, MOST_REPLAYS)
    if not found:
        raise NotOpened(
            "There is no replay in it: expected a replay, what `gangland play --out` wrote, or many, one a line."
        )
    if not 1 <= number <= len(found):
        raise NotOpened(f"There is no replay {number} in it: it has {len(found)}.")
    return _played(found, number)


def _played(found: Sequence[Entry], number: int) -> Opened:
    entry = found[number - 1]
    try:
        replay = entry.replay
        if len(replay.decisions) > MOST_DECISIONS:
            raise NotOpened(
                f"This game has {len(replay.decisions)} decisions; at most {MOST_DECISIONS} are shown here. "
                "`gangland replay` on your own machine shows them all."
            )
        film = film_of(replay, _names(entry), views=entry.views, logs=entry.logs, notes=entry.notes)
    except ReplayError as error:
        raise NotOpened(_sentence(str(error))) from error
    return Opened(number, len(found), replay, film)


def _names(entry: Entry) -> list[str] | None:
    return [shown(name, limit=_NAME_CHARS).replace("\n", " ") for name in entry.names] if entry.names else None


def _sentence(text: str) -> str:
    cleaned = shown(text, limit=_MESSAGE_CHARS)
    return f"{cleaned[:1].upper()}{cleaned[1:]}"


def _sent(file: FileStorage | None, text: str) -> bytes:
    if file is not None and file.filename:
        return file.stream.read(MOST_BYTES + 1)
    return text.encode("utf-8", "replace")


def _number() -> int:
    given = request.form.get("number", "").strip() or "1"
    number = whole_number(given, digits=6)
    if number is None:
        raise NotOpened(f"Which replay of a file is a whole number from 1, not {shown(given, limit=20)!r}.")
    return number
