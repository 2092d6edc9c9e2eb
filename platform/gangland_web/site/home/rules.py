"""The rules of each game for people who have a minute: what one does, what wins, and one drawn round."""

from __future__ import annotations

from flask import Blueprint, abort, render_template

from gangland_web.core.formats import GAME_TITLES
from gangland_web.site.home.rounds import drawn_round

pages = Blueprint("rules", __name__)


@pages.get("/rules/<game>")
def game(game: str) -> str:
    """Show the rules of a game in short."""
    if game not in GAME_TITLES:
        abort(404)
    return render_template(f"rules_{game.replace('-', '_')}.html", game=game, round=drawn_round(game))
