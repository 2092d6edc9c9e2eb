"""`python -m benchmarks.pages` finds a filled site's pages and has each made."""

from argparse import Namespace
from pathlib import Path

import pytest
from benchmarks.fill.site import SiteSize, fill
from benchmarks.pages.__main__ import COLUMNS, measure

from gangland_web.models.database import Database
from gangland_web.settings import sqlite_url


@pytest.mark.long("a benchmark runs")
def test_each_kind_of_page_is_made_and_measured(tmp_path: Path) -> None:
    database = Database(sqlite_url(tmp_path))
    fill(database, SiteSize(bots=20, matches=200, waiting=10, with_games=5))
    database.close()
    chosen = Namespace(page=None, seconds=0.2, rounds=1, connections=2)
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in measure(database.url, chosen)]
    asked = [
        "plain page", "leaderboard", "leaderboard as JSON", "bot", "bot's games", "two bots", "search", "watch",
    ]  # fmt: skip
    assert [row["page"] for row in rows] == asked
    for row in rows:
        assert float(str(row["pages/s"])) > 0
        assert row["database CPU, ms"] is None  # SQLite's is the web's
        assert 1 <= float(str(row["statements"])) < 30
