"""Old URLs of pages, redirected to the pages that replaced them."""

from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlencode

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response

from gangland.games import FIRST_GAME
from gangland_web.base.text import whole_number
from gangland_web.models.bots import Bot
from gangland_web.site.serving import known_game
from gangland_web.web.sessions import reading

pages = Blueprint("moved", __name__)

# The new URL by the route of the old one; parts in braces come from the old URL.  The query string is kept.
MOVED: Final[dict[str, str]] = {
    "/download": "/on-your-machine",
    "/write": f"/write/{FIRST_GAME}",
    "/write/examples/<filename>": f"/write/{FIRST_GAME}",
    "/ladders/<game:game>": "/{game}/leaderboard",
    "/ladders/<game:game>/days": "/{game}/leaderboard?proof=1",
    "/ladders/<game:game>/matches": "/{game}/watch",
    "/ladders/<game:game>/<number:seats>/seasons/<number:season>": "/{game}/leaderboard?seats={seats}&season={season}",
    "/learn/<game:game>": "/{game}/learn",
    "/records": f"/{FIRST_GAME}/watch",
    "/rules/<game:game>": "/{game}/rules",
    "/audits": "/status#audits",
    "/glossary": "/docs/glossary.html",
    "/bots/<number:bot_id>/matches": "/bots/{bot_id}/games",
    "/my-bots": "/account",
    "/following": "/account/following",
    "/team": "/account/team",
    "/account/email": "/account/sign-ins",
}


def _view(target: str) -> Callable[..., Response]:
    def view(**parts: Any) -> Response:
        path, _, fragment = target.format(**parts).partition("#")
        query = request.query_string.decode("ascii", "replace")
        joint = "&" if "?" in path else "?"
        return redirect(path + (f"{joint}{query}" if query else "") + (f"#{fragment}" if fragment else ""), 301)

    return view


for _number, (_rule, _target) in enumerate(MOVED.items()):
    pages.add_url_rule(_rule, f"page{_number}", _view(_target))


@pages.get("/play")
@pages.get("/challenges", endpoint="challenges")
def play() -> Response:
    """Redirect to the play page of the game, or of the opponent's game."""
    query = request.args.to_dict()
    game = query.pop("game", None)
    if game is None and (number := whole_number(query.get("opponent"))) is not None:
        with reading() as db:
            game = getattr(db.get(Bot, number), "game", None)
    hub = url_for("play.index", game=known_game(game or FIRST_GAME))
    return redirect(f"{hub}?{urlencode(query)}" if query else hub, 301)
