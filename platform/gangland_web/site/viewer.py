"""The viewer: a game as markup, the files that it needs, and a visitor's replay file shown in it."""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any, Final

from flask import Blueprint, Response, abort, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from gangland.replay import Replay, ReplayError
from gangland_ladder.cli.replay_files import Entry
from gangland_ladder.cli.replay_files import entries_of as replay_entries
from gangland_ladder.viewer.assets import modules, sprite, style
from gangland_ladder.viewer.film import Film, film_of
from gangland_ladder.viewer.page import outcome_markup, story_markup, viewer_markup
from gangland_web.base.text import shown, whole_number
from gangland_web.queries.match_lists import REASONS
from gangland_web.web.caching import conditional

pages = Blueprint("viewer", __name__)

_FOR_GOOD: Final = "public, max-age=31536000, immutable"
SPRITE: Final = "dice.svg"
"""The file of all dice and symbols."""
_STYLE: Final = "viewer.css"
_MIMETYPES: Final = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}


def viewer_file(name: str) -> str:
    """Return the address of one of the viewer's files."""
    return url_for("viewer.file", digest=_digest(), name=name)


def film_markup(film: Film, **options: Any) -> dict[str, Any]:
    """Return a game as pages show it: the film, the viewer with these options, the outcome and the story."""
    viewer = viewer_markup(film, sprite=viewer_file(SPRITE), **options)
    return {"film": film, "viewer": viewer, "outcome": outcome_markup(film), "story": story_markup(film)}


@pages.get("/viewer/<digest>/<path:name>")
def file(digest: str, name: str) -> AnyResponse:
    """Send a file; also under the digest of other versions, but then browsers ask again each time."""
    body = _files().get(name)
    if body is None:
        abort(404)
    answer = Response(body, mimetype=_MIMETYPES[name.rpartition(".")[2]])
    answer.headers["Cache-Control"] = _FOR_GOOD if digest == _digest() else "no-cache"
    return conditional(answer)


@cache
def _files() -> dict[str, bytes]:
    texts = {**modules(), _STYLE: style(), SPRITE: sprite()}
    return {name: text.encode() for name, text in sorted(texts.items())}


@cache
def _digest() -> str:
    # A digest of all files in the address of each: browsers may keep them for good, and never mix two versions.
    digest = sha256()
    for name, body in _files().items():
        digest.update(f"{name}\0".encode() + sha256(body).digest())
    return digest.hexdigest()[:16]


# A visitor's replay file, replayed and shown at once; nothing of it is kept.


MOST_BYTES: Final = 256 * 1024
MOST_DECISIONS: Final = 5_000
"""More than any game of house bots has; a page of more could hardly be shown."""
_MOST_REPLAYS: Final = 200
"""The maximum number of replays that are read of a file."""
_FILE_NAME_CHARS: Final = 80
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
    most = MOST_BYTES // 1024
    if request.method == "GET":
        return render_template("viewer/opened.html", film=None, problem="", sent={}, most=most)
    try:
        game = open_replay(_sent_bytes(), _sent_number())
    except NotOpened as refused:
        return render_template("viewer/opened.html", film=None, problem=str(refused), sent=request.form, most=most), 422
    return render_template("viewer/opened.html", opened=game, **film_markup(game.film))


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
    entries = replay_entries(data, _MOST_REPLAYS)
    if not entries:
        raise NotOpened(
            "There is no replay in it: expected a replay, what `gangland play --out` wrote, or many, one a line."
        )
    if not 1 <= number <= len(entries):
        raise NotOpened(f"There is no replay {number} in it: it has {len(entries)}.")
    entry = entries[number - 1]
    try:
        replay = entry.replay
        if len(replay.decisions) > MOST_DECISIONS:
            raise NotOpened(
                f"This game has {len(replay.decisions)} decisions; at most {MOST_DECISIONS} are shown here. "
                "`gangland replay` on your own machine shows them all."
            )
        film = film_of(replay, _entry_names(entry), views=entry.views, logs=entry.logs, notes=entry.notes)
    except ReplayError as error:
        raise NotOpened(_sentence(str(error))) from error
    return Opened(number, len(entries), replay, film)


def _entry_names(entry: Entry) -> list[str] | None:
    return [shown(name, limit=_FILE_NAME_CHARS).replace("\n", " ") for name in entry.names] if entry.names else None


def _sentence(text: str) -> str:
    cleaned = shown(text, limit=_MESSAGE_CHARS)
    return f"{cleaned[:1].upper()}{cleaned[1:]}"


def _sent_bytes() -> bytes:
    file = request.files.get("file")
    if file is not None and file.filename:
        return file.stream.read(MOST_BYTES + 1)
    return request.form.get("text", "").encode("utf-8", "replace")


def _sent_number() -> int:
    given = request.form.get("number", "").strip() or "1"
    number = whole_number(given, digits=6)
    if number is None:
        raise NotOpened(f"Which replay of a file is a whole number from 1, not {shown(given, limit=20)!r}.")
    return number
