"""A database of every release comes up to this one, and one that is stored now: its results stay, and it plays on."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from tests.kits import backup_kit, core_kit, pages_kit
from tests.kits.models import Database, Match, col, migrate, revision_of, revisions, select
from tests.stored.make import FOLDER, store
from zstandard import ZstdDecompressor

from gangland_web.app import create_app
from gangland_web.ops.backup import Results, restore, results_digest
from gangland_web.services.worker_hosts import ensure_host
from gangland_web.settings import SQLITE_FILE, Settings, sqlite_url
from gangland_web.workers.records import Recorder

NOW = "now"
STORED = sorted(file.stem for file in FOLDER.glob("*.json"))


@pytest.fixture(scope="module")
def stored_now(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stored")
    store(NOW, folder)
    return folder


def test_each_stored_database_has_all_its_files() -> None:
    assert {file.name for file in FOLDER.iterdir() if file.suffix in (".zst", ".backup")} == {
        f"{name}.{ending}" for name in STORED for ending in ("sql.zst", "backup")
    }


def opened(stored: Path, name: str, kind: str, folder: Path) -> Database:
    """Open a stored database as its owner does: SQLite by starting on the file, PostgreSQL by restoring."""
    if kind == "postgresql":
        database = backup_kit.empty_database(kind, folder)
        assert restore(database, stored / f"{name}.backup").same
        return database
    statements = ZstdDecompressor().decompress((stored / f"{name}.sql.zst").read_bytes()).decode()
    with sqlite3.connect(folder / SQLITE_FILE) as connection:
        connection.executescript(statements)
    connection.close()
    database = Database(sqlite_url(folder))
    migrate(database)
    return database


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.long("the other database"))])
@pytest.mark.parametrize("name", [NOW, *STORED])
def test_a_stored_database_shows_its_pages_and_plays_on(name: str, kind: str, stored_now: Path, tmp_path: Path) -> None:
    stored = stored_now if name == NOW else FOLDER
    result: dict[str, Any] = json.loads((stored / f"{name}.json").read_text(encoding="utf-8"))
    expected = Results(**result["results"])
    database = opened(stored, name, kind, tmp_path)
    with database.read() as session:
        assert revision_of(session.connection()) == revisions()[0]
        assert result["revision"] in revisions()
        assert results_digest(session.connection(), expected.up_to) == expected

    settings = Settings(tmp_path, None, None, None, secret_key="for tests only")
    reader = pages_kit.Site(create_app(settings, database=database), database).stranger()
    with database.read() as session:
        rated = select(Match.id).where(Match.state == "done", Match.purpose == "ladder")
        page = f"/matches/{session.exec(rated.order_by(col(Match.id))).first()}"
    for path in ("/", "/gang-of-dice/leaderboard", "/tournaments", "/status", page, f"{page}/games/0/0"):
        assert reader.get(path).status_code == 200, path

    with database.write() as session:
        ensure_host(session, "local", "the password of this machine")
    post = core_kit.FakeBroker()
    platform = core_kit.Platform(database, post, Recorder(database, post, rounds=2))
    platform.upload("late", name="latecomer", source=b"# late\n")
    assert platform.play_all() > 0
    with database.read() as session:
        assert results_digest(session.connection(), expected.up_to) == expected
        assert results_digest(session.connection()).matches > expected.matches
    database.close()
