"""Every route of the site, and values for the variables of their addresses."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from werkzeug.routing import Rule

from gangland_web.app import create_app
from gangland_web.settings.config import Settings, sqlite_url
from gangland_web.store.database import Database


def rules() -> list[Rule]:
    """Every route."""
    with TemporaryDirectory() as folder:
        settings = Settings(Path(folder), None, None, None, secret_key="for tests only")
        app = create_app(settings, database=Database(sqlite_url(Path(folder))))
    return sorted(app.url_map.iter_rules(), key=lambda rule: (rule.endpoint, rule.rule))


RULES = rules()


CHOICES: dict[str, list[Any]] = {
    "kind": ["py", "zip"], "game": ["gang-of-dice"], "seats": [2], "block": [0], "rotation": [0], "other": [1],
    "path": ["index.html"], "name": ["game"], "filename": ["x.py"],
}  # fmt: skip
