"""Addresses that pages had before they became parts of other pages: each redirects to the page that replaced it."""

from collections.abc import Callable
from typing import Any, Final

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from gangland.games import FIRST_GAME

pages = Blueprint("moved", __name__)

MOVED: Final[dict[str, str]] = {
    "/download": "/on-your-machine",
    "/write": f"/write/{FIRST_GAME}",
    "/write/examples/<filename>": f"/write/{FIRST_GAME}",
}
"""By rule of the old address, the new one with the same parts in braces; the query is kept."""


def _view(target: str) -> Callable[..., Response]:
    def view(**parts: Any) -> Response:
        path, _, fragment = target.format(**parts).partition("#")
        query = request.query_string.decode("ascii", "replace")
        return redirect(path + (f"?{query}" if query else "") + (f"#{fragment}" if fragment else ""), 301)

    return view


for _number, (_rule, _target) in enumerate(MOVED.items()):
    pages.add_url_rule(_rule, f"page{_number}", _view(_target))
