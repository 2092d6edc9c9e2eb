"""`python -m benchmarks.pages` measures real answers of the real web processes, and stops at any other."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest
from benchmarks.fill.site import Wanted, fill
from benchmarks.pages.__main__ import measure
from benchmarks.pages.driver import WrongAnswer, drive, request
from benchmarks.pages.serving import served

from gangland_web.settings.config import sqlite_url
from gangland_web.store.database import Database

GIVEN = argparse.Namespace(connections=2, seconds=0.05)


def test_every_kind_of_page_is_measured_in_every_way(tmp_path: Path) -> None:
    url = sqlite_url(tmp_path)
    database = Database(url)
    fill(database, Wanted(bots=120, matches=300, waiting=5, with_games=5))
    database.close()
    figures = list(measure(url, GIVEN))
    ways = {(one.page, one.way) for one in figures}
    assert {page for page, way in ways if way == "made"} == {
        *("leaderboard", "leaderboard as JSON", "match list", "bot", "bot's matches", "home")
    }
    for page in ("leaderboard", "leaderboard as JSON", "match list"):
        assert {way for name, way in ways if name == page} == {"made", "kept", "unchanged"}
    assert all(one.pages_s > 0 and one.p99_ms >= one.p50_ms > 0 for one in figures)
    with served(url, keeping=True) as site, pytest.raises(WrongAnswer, match="404"):
        drive(site.port, [request("/nowhere")], status=200, connections=1, seconds=0.05)
