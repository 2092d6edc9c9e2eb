"""Small pieces of markup that templates ask for by name."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from flask import Flask, url_for
from flask_wtf.csrf import generate_csrf
from markupsafe import Markup
from werkzeug.security import safe_join

from gangland_web.matches.viewer_files import viewer_file

_HTMX = {
    "allowEval": False,
    "allowScriptTags": False,
    "includeIndicatorStyles": False,
    "historyEnabled": False,
    "selfRequestsOnly": True,
    "timeout": 10_000,
}


def csrf_field() -> Markup:
    """Return the hidden field that proves that a form was ours."""
    return Markup('<input type="hidden" name="csrf_token" value="{}">').format(generate_csrf())


def die(face: str | int, label: str = "") -> Markup:
    """Return a die that shows `face` (1 to 5, gangster, gavel, cocktail, gun or finger).

    Without a label it is an ornament, unseen by screen readers.
    """
    seen = Markup('role="img" aria-label="{}"').format(label) if label else Markup('aria-hidden="true"')
    return Markup('<svg class="die" width="24" height="24" {}><use href="{}#face-{}"/></svg>').format(
        seen, viewer_file("dice.svg"), face
    )


@cache
def _lock() -> dict[str, dict[str, str]]:
    """Return what is known of the vendored files, by name."""
    text = (Path(__file__).parent.parent / "static" / "vendor" / "lock.json").read_text(encoding="utf-8")
    return {entry["name"]: entry for entry in json.loads(text)}


def vendored(name: str) -> Markup:
    """Return the script element of a vendored file: a browser runs the very bytes that the lock file names."""
    entry = _lock()[name]
    return Markup('<script defer src="{}" integrity="sha384-{}"></script>').format(
        url_for("static", filename=f"vendor/{entry['file']}"), entry["sha384"]
    )


def live_scripts() -> Markup:
    """Return what the head of a page with live parts needs; htmx runs no code and writes no style."""
    module = Markup('<script type="module" src="{}"></script>').format(url_for("static", filename="js/live.js"))
    settings = Markup('<meta name="htmx-config" content="{}">').format(json.dumps(_HTMX))
    return Markup("\n  ").join((settings, vendored("htmx"), module))


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

    app.jinja_env.globals.update(csrf_field=csrf_field, die=die, live_scripts=live_scripts)
