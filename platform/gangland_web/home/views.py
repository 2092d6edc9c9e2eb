"""The home page and the page for people who write their first bot."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

from flask import Blueprint, Response, abort, render_template
from sqlmodel import Session
from werkzeug.wrappers import Response as Answer

from gangland_web.accounts.services import code_waits
from gangland_web.downloads.views import commands
from gangland_web.home.page_queries import CHART, LATEST, events, featured, recent, upsets
from gangland_web.leaderboard.queries import LadderRow, ladder_page, ladder_state
from gangland_web.web.formats import GAME_TITLES
from gangland_web.web.sessions import reading
from gangland_web.web.twins import part

pages = Blueprint("home", __name__)

_TOP = 5
_RECENT = 6


@dataclass(frozen=True, slots=True)
class Example:
    """A bot that stands on the page for authors, and can be downloaded from it."""

    game: str
    filename: str
    about: str

    @property
    def stem(self) -> str:
        """The game's name as its templates have it."""
        return self.game.replace("-", "_")

    @property
    def source(self) -> str:
        """The file's text."""
        return (files("gangland_web") / "examples" / f"{self.filename}.txt").read_text(encoding="utf-8")


EXAMPLES = (
    Example("gang-of-dice", "card_reader.py", "Few dice on yellow cards; rerolls only when behind."),
    Example("gangster-dice", "snitch.py", "Bids its strongest symbol with its best favor."),
)

STEPS = {
    "begin": ("gangland new my_gang", "cd my_gang"),
    "check": ("gangland check my_gang.py",),
    "play": ("gangland play my_gang.py my_gang.py --seed 7",),
}
"""What the page for first bots has one type."""


@pages.get("/")
def index() -> str:
    """Show what is on, a game to watch, both ladders' tops, upsets, the latest matches and the three ways in."""
    with reading() as db:
        tops = {game: _top(db, game) for game in GAME_TITLES}
        latest = recent(db)
        shown = featured(db, latest)
        now, following = events(db)
        waits = code_waits(db)
    return render_template(
        "home.html",
        tops=tops,
        matches=[match.row for match in latest[:_RECENT]],
        upsets=upsets(latest),
        featured=shown,
        chart=CHART,
        latest=LATEST,
        now=now,
        following=following,
        code_waits=waits,
    )


@pages.get("/live")
def live() -> Answer:
    """Return the part of the home page that tells what is on."""
    with reading() as db:
        now, following = events(db)
    return part(render_template("home_live.html", now=now, following=following), for_all=True)


def _top(db: Session, game: str) -> tuple[LadderRow, ...]:
    state = ladder_state(db, game, 2)
    return () if state is None else ladder_page(db, state.id, size=_TOP).rows


@pages.get("/write")
def write() -> str:
    """Show how a bot is written, with an example for each game."""
    return render_template("write.html", examples=EXAMPLES, steps=STEPS, install=commands())


@pages.get("/write/<filename>")
def example(filename: str) -> Response:
    """Hand out an example's file."""
    found = next((example for example in EXAMPLES if example.filename == filename), None)
    if found is None:
        abort(404)
    answer = Response(found.source, mimetype="text/plain")
    answer.headers.set("Content-Disposition", "attachment", filename=found.filename)
    return answer
