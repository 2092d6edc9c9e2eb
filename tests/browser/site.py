"""The site that the browser opens: the application on real HTTP, on a copy of the world, and one still empty."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from flask import Flask
from playwright.sync_api import Browser, BrowserContext
from tests.browser.world import BOSS, OWNER, PASSWORD, build_world
from tests.kits import pages_kit, served_kit, shared_kit

from gangland_web.app import create_app
from gangland_web.models.database import Database
from gangland_web.settings import SQLITE_FILE, Settings, sqlite_url
from gangland_web.web.limits import Rates

COOKIE = "gangland"
PATIENCE_MS = 120_000  # enough on a busy machine
PHONE, DESK = {"width": 375, "height": 812}, {"width": 1280, "height": 800}


@dataclass
class FilledSite:
    """The addresses of the full and the empty site, ids of the full one by name, and two sessions."""

    app: Flask
    address: str
    empty: str
    places: dict[str, int]
    session: str
    boss: str
    files: Path

    def visitor(self, browser: Browser, *, signed_in: bool = False, boss: bool = False, **given: Any) -> BrowserContext:
        context = browser.new_context(base_url=self.address, **given)
        if signed_in or boss:
            context.add_cookies([{"name": COOKIE, "value": self.boss if boss else self.session, "url": self.address}])
        context.set_default_timeout(PATIENCE_MS)
        return context


def _signed_in(app: Flask, who: str) -> str:
    person = pages_kit.Person(app.test_client())
    assert person.sign_in(who, PASSWORD).status_code == 303
    cookie = person.client.get_cookie(COOKIE)
    assert cookie is not None
    return cookie.value


@contextmanager
def opened_filled_site(shared: Path, own: Path) -> Iterator[FilledSite]:
    places = shared_kit.built_once(shared / "world", build_world)
    shutil.copy(shared / "world" / SQLITE_FILE, own / SQLITE_FILE)
    (own / "empty").mkdir()
    with ExitStack() as stack:
        database = Database(sqlite_url(own))
        stack.callback(database.close)
        settings = Settings(own, None, None, None, secret_key="for tests only")
        settings = replace(settings, mail_from="house@bots.example")
        app = create_app(settings, database=database, rates=Rates(*["10000 per hour"] * 10))
        empty = stack.enter_context(contextmanager(pages_kit.open_site)(own / "empty"))
        addresses = [stack.enter_context(served_kit.served(each)) for each in (app, empty.app)]
        session, boss = (_signed_in(app, who) for who in (OWNER, BOSS))
        yield FilledSite(app, addresses[0], addresses[1], places, session, boss, own)
