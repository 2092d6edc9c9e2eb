"""Every route of the site, and values for the variables of their addresses."""

import re
from collections.abc import Iterator
from contextlib import closing
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flask import Flask
from werkzeug.routing import Rule

from gangland_web.app import create_app
from gangland_web.models.database import Database
from gangland_web.settings import Settings, sqlite_url


def rules() -> list[Rule]:
    with TemporaryDirectory() as folder, closing(Database(sqlite_url(Path(folder)))) as database:
        settings = Settings(Path(folder), None, None, None, secret_key="for tests only")
        app = create_app(settings, database=database)
    return sorted(app.url_map.iter_rules(), key=lambda rule: (rule.endpoint, rule.rule))


RULES = rules()


CHOICES: dict[str, list[Any]] = {
    "kind": ["py", "zip"], "game": ["gang-of-dice"], "seats": [2], "block": [0], "rotation": [0], "other": [1],
    "path": ["index.html"], "name": ["game"], "filename": ["x.py"],
}  # fmt: skip


def addresses(app: Flask, rule: Rule, values: dict[str, list[Any]]) -> Iterator[str]:
    """Yield a route's addresses, for every combination of its arguments' values."""
    given = {**CHOICES, "form": ["json"], **values}
    for name, listed in re.findall(r"<any\(([^)]*)\):(\w+)>", rule.rule):
        if listed != "form":
            given[listed] = [each.strip(" '") for each in name.split(",")]
    adapter = app.url_map.bind("localhost")
    names = sorted(rule.arguments)
    for each in product(*(given.get(name, [1]) for name in names)):
        yield adapter.build(rule.endpoint, dict(zip(names, each, strict=True)))
