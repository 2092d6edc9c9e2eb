"""The style page: every component in every state, in the reader's own theme."""

from __future__ import annotations

from flask import Blueprint, Response, abort, make_response, render_template

from gangland_web.services.uploads import UploadForm
from gangland_web.site.games import pages_of
from gangland_web.site.style.samples import film, pictures
from gangland_web.site.style.tokens import GROUNDS, colours
from gangland_web.site.viewer import film_markup

pages = Blueprint("style", __name__)

FACES = (1, 2, 3, 4, 5, "gangster", "gavel", "cocktail", "gun", "finger")
STEPS = (
    ("done", "✓", "Received", "21 Nov 2026 18:45:56 UTC", ""),
    ("done", "✓", "Scanned: size, encoding, file name", "21 Nov 2026 18:45:56 UTC, after 8 ms", ""),
    ("failed", "✕", "Legal: its sample decisions follow the rules", "", "E203 choose_reroll() returned [3]"),
    ("waiting now", "○", "Trial matches against house bots", "", ""),
    ("waiting", "○", "Active on the ladders", "", ""),
)


@pages.get("/style")
def page() -> Response:
    """Show the design; search engines need not know it."""
    wrong = UploadForm(name="Big Al", errors={"name": "That name is taken: choose another name."})
    given = {"faces": FACES, "steps": STEPS, "pictures": pictures()}
    return _unlisted(
        render_template("style.html", colours=colours(), grounds=GROUNDS, form=UploadForm(), wrong=wrong, **given)
    )


@pages.get("/style/<game>")
def table(game: str) -> Response:
    """Show the table of a game with its dice, tokens and cards: a recorded game in the viewer."""
    if pages_of(game) is None:
        abort(404)
    return _unlisted(render_template("style_table.html", game=game, **film_markup(film(game))))


def _unlisted(text: str) -> Response:
    answer = make_response(text)
    answer.headers["X-Robots-Tag"] = "noindex"
    return answer
