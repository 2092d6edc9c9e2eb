"""The sheet to hand out: the address, the join code and what to do, on one page to print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from flask import make_response, render_template, request
from werkzeug.wrappers import Response

from gangland_web.models.tournaments import Tournament
from gangland_web.services.tournaments import is_code

CODE_CHARS: Final = 100
WRONG_CODE: Final = "That is not the join code."


def known_code(tournaments: Sequence[Tournament]) -> str:
    """Return the join code that lets a bot into all of these, empty if there is none or it cannot be read."""
    codes = {tournament.join_code for tournament in tournaments if tournament.join_code_hash is not None}
    return next(iter(codes)) or "" if len(codes) == 1 else ""


def handout(name: str, tournaments: Sequence[Tournament], way_in: str, back: str) -> Response | None:
    """Return the sheet with the join code, as it is kept or was sent; None if that is not the one.

    Args:
        way_in: the address at which bots are entered.
        back: of the console.
    """
    code = known_code(tournaments) or request.form.get("join_code", "").strip()[:CODE_CHARS]
    wanted = {tournament.join_code_hash for tournament in tournaments if tournament.join_code_hash is not None}
    if not all(is_code(code, each) for each in wanted):
        return None
    given = {"name": name, "tournaments": tournaments, "code": code if wanted else "", "way_in": way_in, "back": back}
    page = make_response(render_template("organise_handout.html", **given))
    page.headers["Cache-Control"] = "no-store"
    return page
