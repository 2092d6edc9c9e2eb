"""`python -m benchmarks.fill` writes a site that the platform itself finds nothing wrong with."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks.fill.site import NotEmpty, SiteSize, fill
from sqlalchemy import text
from tests.kits.models import Database, Entry, Match, PlayedGame, col, func, migrate, select
from tests.kits.postgres_kit import new_database

from gangland_web.app import create_app
from gangland_web.services.ratings import rebuild
from gangland_web.settings import Settings, sqlite_url

pytestmark = pytest.mark.long("a benchmark runs")

WANTED = SiteSize(bots=30, matches=400, seats=3, game="gangster-dice", waiting=10, with_games=5)


@pytest.fixture(params=["sqlite", "postgresql"])
def filled(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    database = Database(sqlite_url(tmp_path) if request.param == "sqlite" else new_database(migrate))
    fill(database, WANTED)
    yield database
    database.close()


def test_the_ratings_of_a_filled_site_are_what_its_matches_say(filled: Database) -> None:
    with filled.write() as session:
        ladders = [one for one in rebuild(session) if one.folded]
    assert [(one.folded, one.waiting, one.differed) for one in ladders] == [(390, 0, False)]


def test_a_filled_site_goes_on(filled: Database) -> None:
    with filled.write() as session:
        if filled.engine.dialect.name == "sqlite":
            assert session.connection().execute(text("PRAGMA foreign_key_check")).all() == []
        states = dict(session.exec(select(Match.state, func.count()).group_by(Match.state)).all())
        assert states["scheduled"] == 10
        assert states["done"] + states.get("void", 0) == 390
        active = select(func.count()).select_from(Entry).where(Entry.games > 0, col(Entry.active).is_(True))
        assert session.exec(active).one() == 30
    with pytest.raises(NotEmpty):
        fill(filled, WANTED)


def test_the_pages_of_a_filled_site_are_there(filled: Database, tmp_path: Path) -> None:
    app = create_app(Settings(tmp_path, None, None, None, secret_key="for tests only"), database=filled)
    with filled.read() as session:
        match, bot = session.exec(select(func.max(PlayedGame.match_id))).one(), 30
    for path in (
        f"/matches/{match}",
        f"/matches/{match}/games/3/1",
        f"/bots/{bot}",
        "/gangster-dice/leaderboard?seats=3",
    ):
        assert app.test_client().get(path).status_code == 200, path
