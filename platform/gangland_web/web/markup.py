"""Small pieces of markup that templates ask for by name."""

from __future__ import annotations

from flask import Flask, url_for
from flask_wtf.csrf import generate_csrf
from markupsafe import Markup


def csrf_field() -> Markup:
    """Return the hidden field that proves that a form was ours."""
    return Markup('<input type="hidden" name="csrf_token" value="{}">').format(generate_csrf())


def die(face: str | int, label: str = "") -> Markup:
    """Return a die that shows `face` (1 to 5, gangster, gavel, cocktail, gun or finger).

    Without a label it is an ornament, unseen by screen readers.
    """
    seen = Markup('role="img" aria-label="{}"').format(label) if label else Markup('aria-hidden="true"')
    return Markup('<svg class="die" width="24" height="24" {}><use href="{}#face-{}"/></svg>').format(
        seen, url_for("static", filename="dice.svg"), face
    )


def init_markup(app: Flask) -> None:
    """Make the pieces known to the templates."""
    app.jinja_env.globals.update(csrf_field=csrf_field, die=die)
