"""A hint on a site that runs: from the page over the broker to the analysis worker and back, also past a killed one."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest
from sqlmodel import select
from tests.flow.flow_kit import Browser, Up, command_of, descendants_of, running_up

from gangland_web.league.setup import ensure_tournaments
from gangland_web.league.versions.house import seed_house_bots
from gangland_web.settings.config import sqlite_url
from gangland_web.store.columns import stored
from gangland_web.store.database import Database
from gangland_web.store.migrate import migrate
from gangland_web.store.models.bots import Bot
from gangland_web.store.models.play_tables import PlayHint

pytestmark = [pytest.mark.flow, pytest.mark.slow]

GAME = "gangster-dice"


def test_a_hint_comes_and_comes_though_who_works_it_out_is_killed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    database = Database(sqlite_url(data))
    migrate(database)
    with database.write() as session:
        ensure_tournaments(session, ladder_blocks=1)
        seed_house_bots(session)
        bot = stored(session.exec(select(Bot.id).where(Bot.game == GAME, Bot.is_house)).first())
    database.close()
    (data / "lock").touch()
    with running_up(data, workers=1, rounds=0, GANGLAND_ANALYSIS_SAMPLE="0") as up:
        up.wait_until(lambda: "ready to play" in up.log, "a worker")
        up.wait_until(lambda: "ready to analyse" in up.log, "who analyses games")
        browser = Browser(up)
        fields = {"game": GAME, "opponent1": str(bot), "practice": "on"}
        address, _ = browser.post("/play", fields, form_at=f"/play?game={GAME}")
        up.wait_until(lambda: "data-ask-hint" in browser.get(address), "the first question")
        os.kill(_analysing(up), signal.SIGKILL)
        up.wait_until(lambda: _hint_is_there(browser, address), "the hint")
        with up.database.read() as session:
            assert session.exec(select(PlayHint.state)).all() == ["done"]
        assert "refused" not in up.log


def _hint_is_there(browser: Browser, address: str) -> bool:
    """Ask where there is a button to, as at first, and again where a page says that no hint came."""
    page = browser.get(address)
    if "data-ask-hint" in page:
        number = re.search(r'name="number" value="(\d+)"', page)
        assert number is not None
        _, page = browser.post(f"{address}/hint", {"number": number[1]}, form_at=address)
    return "The reference would do this" in page


def _analysing(up: Up) -> int:
    return next(pid for pid in descendants_of(up.process.pid) if "workers.analysis" in command_of(pid))
