"""The style page: every component in every state, in the reader's own theme."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, render_template

from gangland_web.bots.forms import UploadForm
from gangland_web.style.tokens import GROUNDS, colours

pages = Blueprint("style", __name__)

FACES = (1, 2, 3, 4, 5, "gangster", "gavel", "cocktail", "gun", "finger")
STEPS = (
    ("done", "✓", "Received", "21 Nov 2026 18:45:56 UTC", ""),
    ("done", "✓", "Scanned: size, encoding, file name", "21 Nov 2026 18:45:56 UTC, after 8 ms", ""),
    ("failed", "✕", "Legal: answers sample views by the rules", "", "E203 choose_reroll() returned [3]"),
    ("waiting now", "○", "On trial against house bots", "", ""),
    ("waiting", "○", "Active on the ladders", "", ""),
)


@pages.get("/style")
def page() -> Response:
    """Show the design; search engines need not know it."""
    wrong = UploadForm(name="Big Al", errors={"name": "That name is taken: choose another name."})
    text = render_template(
        "style.html", colours=colours(), grounds=GROUNDS, faces=FACES, steps=STEPS, form=UploadForm(), wrong=wrong
    )
    answer = make_response(text)
    answer.headers["X-Robots-Tag"] = "noindex"
    return answer
