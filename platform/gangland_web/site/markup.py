"""Small pieces of markup that templates ask for by name."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from flask import Flask, request, url_for
from flask_wtf.csrf import generate_csrf
from markupsafe import Markup, escape
from werkzeug.security import safe_join

from gangland_web.base.formats import GAME_TITLES
from gangland_web.site.viewer_files import viewer_file
from gangland_web.web.sessions import visitor

LIVE: Final = "/live"
"""The end of the addresses of live parts."""


def editors_linked(text: str) -> Markup:
    """Return a text in which the addresses of editors are links."""
    made = escape(text)
    for game in GAME_TITLES:
        address = url_for("editor.page", game=game)
        made = made.replace(address, Markup('<a href="{0}">{0}</a>').format(address))
    return made


def csrf_field() -> Markup:
    """Return the hidden field that proves that a form was ours."""
    return Markup('<input type="hidden" name="csrf_token" value="{}">').format(generate_csrf())


def die(face: str | int, label: str = "") -> Markup:
    """Return a die that shows `face` (1 to 5, gangster, gavel, cocktail, gun or finger).

    Without a label it is an ornament, unseen by screen readers.
    """
    role = Markup('role="img" aria-label="{}"').format(label) if label else Markup('aria-hidden="true"')
    return Markup('<svg class="die" width="24" height="24" {}><use href="{}#face-{}"/></svg>').format(
        role, viewer_file("dice.svg"), face
    )


def live_scripts() -> Markup:
    """Return what the head of a page with live parts needs."""
    return Markup('<script type="module" src="{}"></script>').format(url_for("static", filename="js/live.js"))


def live_page(*, for_all: bool = False) -> str | None:
    """Return the address at which the page's content alone is asked for anew, None for an answer to a form.

    Args:
        for_all: it tells everybody the same; else it is made for whoever is signed in.
    """
    if request.method != "GET":
        return None
    path = request.path if is_part() else f"{request.path.rstrip('/')}{LIVE}"
    arguments = request.args.to_dict()
    if visitor() is not None and not for_all:
        arguments["own"] = "1"  # the answer for everybody is kept under the address without a query
    query = f"?{urlencode(arguments)}" if arguments else ""
    return f"{request.script_root}{path}{query}"


def sent_to(address: str, problem: str, **fixed: object) -> dict[str, str]:
    """Return what was typed into the form that is answered with a problem, empty for all other forms of the page.

    Args:
        address: to which the form is sent.
        fixed: its hidden fields, which tell it from other forms that are sent to the same address.
    """
    if not problem or request.method != "POST" or request.path != address:
        return {}
    sent = request.form.to_dict()
    return sent if all(sent.get(name) == str(value) for name, value in fixed.items()) else {}


def is_part() -> bool:
    """Tell whether the content of a page is asked for without the page around it."""
    return request.path.endswith(LIVE)


def init_markup(app: Flask) -> None:
    """Make the pieces known to the templates, and mark each static file's address with its content."""

    @cache
    def mark(filename: str) -> str:
        """Return a few characters that change with the file, so that no browser keeps an old one."""
        path = safe_join(app.static_folder or "", filename)
        return sha256(Path(path).read_bytes()).hexdigest()[:8] if path and Path(path).is_file() else ""

    @app.url_defaults
    def add_mark(endpoint: str, values: dict[str, Any]) -> None:
        """Add the mark to addresses of static files."""
        if endpoint == "static" and "filename" in values:
            values.setdefault("v", mark(values["filename"]))

    app.jinja_env.filters["editors_linked"] = editors_linked
    app.jinja_env.globals.update(
        csrf_field=csrf_field,
        die=die,
        is_part=is_part,
        live_page=live_page,
        live_scripts=live_scripts,
        sent_to=sent_to,
    )
