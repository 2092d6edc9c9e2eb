"""A site for the tests of pages: the real application on a database of its own, and people who use it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from sqlmodel import select
from werkzeug.test import TestResponse

from gangland_web.app import create_app
from gangland_web.bots.models import Bot, Version
from gangland_web.config import Settings, sqlite_url
from gangland_web.db import Database
from gangland_web.migrate import migrate
from gangland_web.tournaments.setup import ensure_tournaments
from gangland_web.web.limits import Rates

PASSWORD = "correct horse battery"
SOURCE = b"""from gangland import gang_of_dice


class Mine(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 1
"""
_TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')


@dataclass
class Person:
    """Somebody's browser: follows no redirect by itself and sends the forms' tokens."""

    client: FlaskClient

    def get(self, path: str, **given: Any) -> TestResponse:
        return self.client.get(path, **given)

    def page(self, path: str) -> str:
        """The text of a page that must be there."""
        answer = self.get(path)
        assert answer.status_code == 200, f"{path}: {answer.status_code}\n{answer.text[:2000]}"
        return answer.text

    def token(self, path: str) -> str:
        found = _TOKEN.search(self.page(path))
        assert found, f"{path} has no form with a token"
        return found.group(1)

    def post(self, path: str, data: Mapping[str, Any], *, form_at: str | None = None, **given: Any) -> TestResponse:
        return self.client.post(path, data={"csrf_token": self.token(form_at or path), **data}, **given)

    def sign_up(self, name: str, password: str = PASSWORD) -> TestResponse:
        return self.post("/sign-up", {"name": name, "password": password})

    def sign_in(self, name: str, password: str = PASSWORD) -> TestResponse:
        return self.post("/sign-in", {"name": name, "password": password})

    def sign_out(self) -> TestResponse:
        return self.post("/sign-out", {}, form_at="/write")

    def upload(self, source: bytes = SOURCE, filename: str = "mine.py", **fields: Any) -> TestResponse:
        data = {"game": "gang-of-dice", "file": (BytesIO(source), filename), **fields}
        return self.post("/upload", data, content_type="multipart/form-data")


@dataclass
class Site:
    """The application, its database and its people."""

    app: Flask
    database: Database

    def stranger(self) -> Person:
        return Person(self.app.test_client())

    def person(self, name: str) -> Person:
        someone = self.stranger()
        assert someone.sign_up(name).status_code == 303
        return someone

    def version(self, bot: str) -> Version:
        """The newest version of a bot."""
        with self.database.read() as db:
            found = db.exec(select(Version).join(Bot, Bot.id == Version.bot_id).where(Bot.name == bot))  # type: ignore[arg-type]
            newest = max(found, key=lambda version: version.number)
            db.expunge_all()
            return newest


def open_site(tmp_path: Path, rates: Rates | None = None) -> Iterator[Site]:
    """Yield a site with its tournaments and without bots; its forms may be sent often unless `rates` say otherwise."""
    database = Database(sqlite_url(tmp_path))
    migrate(database)
    with database.write() as db:
        ensure_tournaments(db)
    settings = Settings(tmp_path, None, None, None, secret_key="for tests only")
    often = "10000 per hour"
    app = create_app(settings, database=database, rates=rates or Rates(often, often, often, often, often))
    yield Site(app, database)
    database.close()
