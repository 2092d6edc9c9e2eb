"""The rules of each game for people who have a minute: what one does, what wins, and one drawn round."""

from __future__ import annotations

from functools import cache
from typing import Any

from flask import Blueprint, abort, render_template

from gangland_ladder.viewer.film import film_of
from gangland_web.site.games import NAMES, pages_of, recorded_game, template_of

pages = Blueprint("rules", __name__)


@pages.get("/rules/<game>")
def game(game: str) -> str:
    """Show the rules of a game in short."""
    if pages_of(game) is None:
        abort(404)
    return render_template(template_of(game, "rules.html"), game=game, round=_drawn(game))


@cache
def _drawn(game: str) -> Any:
    """Return the round that a game's rules page draws."""
    shown = pages_of(game)
    return shown and shown.draw(film_of(recorded_game(game), NAMES), shown.drawn_round)
