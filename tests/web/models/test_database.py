"""The database: one migration for both kinds, invariants that hold in it, writers that wait for each other."""

import socket
import threading
from contextlib import ExitStack, nullcontext
from pathlib import Path
from shutil import copytree
from types import SimpleNamespace

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, text
from sqlalchemy.exc import IntegrityError, InternalError, OperationalError
from tests.kits import backup_kit, core_kit
from tests.kits.models import Database, User, migrate, migrations_folder, normal_url, select
from tests.kits.script_kit import loaded_script

from gangland_web.models import database as db
from gangland_web.models import metadata
from gangland_web.settings import ConfigError, sqlite_url

platform = pytest.fixture(core_kit.a_platform, params=core_kit.BOTH)


def test_the_migrations_make_the_tables_of_the_models_and_leave_those_of_a_newer_release_alone(tmp_path: Path) -> None:
    database = Database(sqlite_url(tmp_path))
    migrate(database)
    migrate(database)
    with database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    with database.write() as session:
        session.connection().execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(ConfigError, match=r"of another release .revision 9999.*install that release, or restore"):
        migrate(database)
    database.close()


COLUMNS = """
    SELECT table_name, column_name, data_type, character_maximum_length, is_nullable, column_default
    FROM information_schema.columns WHERE table_schema = 'public'
"""
SCHEMA = {
    "sqlite": ("SELECT type, name, sql FROM sqlite_master",),
    "postgresql": (
        COLUMNS,
        "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid <> 0",
        "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
        "SELECT tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal",
        "SELECT proname, prosrc FROM pg_proc JOIN pg_language l ON l.oid = prolang WHERE lanname = 'plpgsql'",
    ),
}


def schema(database: Database) -> list[str]:
    with database.engine.connect() as connection:
        statements = SCHEMA[connection.dialect.name]
        rows = [row for statement in statements for row in connection.execute(text(statement))]
    return sorted(" ".join(" ".join(map(str, row)).split()) for row in rows)


@pytest.mark.parametrize("kind", core_kit.BOTH)
def test_a_release_keeps_all_tables(kind: str, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    followed, frozen = backup_kit.migrated_database(kind, tmp_path), backup_kit.empty_database(kind, tmp_path)
    folder = copytree(migrations_folder(), tmp_path / "migrations")
    (folder / "versions" / "0006_all_tables.py").write_text(loaded_script(root, "release_tables").frozen_text())
    monkeypatch.setattr(db, "migrations_folder", lambda: folder)
    migrate(frozen)
    assert len(schema(frozen)) > 150
    assert schema(frozen) == schema(followed)
    for database in (followed, frozen):
        database.close()


FORBIDDEN = {
    "a leased match that was never sent": "UPDATE matches SET state = 'leased'",
    "a done match without a digest": "UPDATE matches SET state = 'done', done_at = 1",
    "a void match without a reason": "UPDATE matches SET state = 'void', done_at = 1",
    "a match that was sent and waits": "UPDATE matches SET sent_at = 1",
    "a fourth attempt": "UPDATE matches SET attempt = 4",
    "a leased job without a token": "UPDATE jobs SET token = NULL",
    "a lease without an end": "UPDATE jobs SET lease_until = NULL",
    "a lease in no queue": "UPDATE jobs SET queue = NULL",
    "a token without a lease": "UPDATE jobs SET state = 'waiting', lease_until = NULL, leased_at = NULL",
    "a job that waits and was begun": "UPDATE jobs SET state = 'waiting', token = NULL, lease_until = NULL,"
    " leased_at = NULL, begun_at = 1, beat_at = 1",
    "a job that was begun in silence": "UPDATE jobs SET begun_at = 1",
    "a job that failed for nothing": "UPDATE jobs SET state = 'failed', token = NULL, lease_until = NULL, done_at = 1",
    "a job that was done at no time": "UPDATE jobs SET state = 'done', token = NULL, lease_until = NULL",
    "a job begun four times": "UPDATE jobs SET attempt = 4",
    "a job in no known state": "UPDATE jobs SET state = 'lost'",
    "two jobs about the same": "UPDATE jobs SET subject = 1, kind = 'ladder'",
    "an unknown state": "UPDATE matches SET state = 'lost'",
    "a trial of no version": "UPDATE matches SET purpose = 'trial'",
    "the same number twice": "UPDATE matches SET number = 1",
    "an entry twice in a tournament": "UPDATE entries SET version_id = 1",
    "two active versions of a bot": "UPDATE versions SET bot_id = 1",
    "a house bot with an owner": "UPDATE bots SET is_house = (owner_id IS NOT NULL)",
    "a version in no known state": "UPDATE versions SET state = 'lost'",
    "a seat at a table of five": "UPDATE match_seats SET position = position + 4",
    "an entry twice at a table": "UPDATE match_seats SET entry_id = 1",
    "a tournament for five": "UPDATE tournaments SET seats = 5",
    "a negative counter": "UPDATE entries SET games = -1",
    "a match of no tournament": "UPDATE matches SET tournament_id = 999",
    "two active bots of an owner in a game": "UPDATE bots SET active_version_id = 1 WHERE owner_id IS NOT NULL",
}


def test_the_database_itself_refuses_what_may_not_be(platform: core_kit.Platform) -> None:
    for name in ("first", "second"):
        platform.upload("ann", name=name, source=f"# {name}\n".encode())
    platform.recorder.schedule()
    platform.post.sent.clear()
    platform.execute(text("UPDATE matches SET state = 'scheduled', sent_at = NULL"))
    for reason, statement in FORBIDDEN.items():
        try:
            platform.execute(text(statement))
        except IntegrityError:
            continue
        pytest.fail(f"the database takes {reason}")


def test_writers_wait_for_each_other_and_lose_nothing(tmp_path: Path) -> None:
    database = Database(sqlite_url(tmp_path))
    migrate(database)

    def add(writer: int) -> None:
        for number in range(20):
            name = f"user{writer}_{number}"
            with database.write() as session:
                session.exec(select(User)).all()
                session.add(User(name=name, name_key=name, password_hash="-", created_at=0.0))

    writers = [threading.Thread(target=add, args=(writer,)) for writer in range(4)]
    for thread in writers:
        thread.start()
    for thread in writers:
        thread.join()
    with database.read() as session:
        assert len(session.exec(select(User)).all()) == 80
    database.close()


def test_what_is_written_while_reading_is_never_kept(platform: core_kit.Platform) -> None:
    refused = platform.database.engine.dialect.name == "postgresql"
    with pytest.raises(InternalError) if refused else nullcontext(), platform.database.read() as session:
        session.add(User(name="ghost", name_key="ghost", password_hash="-", created_at=0.0))
        session.flush()
    assert platform.rows(select(User)) == []


@pytest.mark.parametrize("platform", ["postgresql"], indirect=True)
def test_a_statement_that_many_readers_send_by_psycopg_3_is_planned_once(platform: core_kit.Platform) -> None:
    assert normal_url("postgresql://u:p@h:5432/d") == "postgresql+psycopg://u:p@h:5432/d"
    assert normal_url("postgres://u:p@h/d") == "postgresql+psycopg://u:p@h/d"
    for _ in range(8):
        with platform.database.read() as session:
            session.connection().execute(text("SELECT count(*) FROM users"))
    with platform.database.read() as session:
        prepared = text("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%count(*) FROM users'")
        assert session.connection().execute(prepared).scalar_one() == 1


def test_whoever_reads_sees_one_state_while_others_write(platform: core_kit.Platform) -> None:
    names = text("SELECT count(*) FROM users")
    with platform.database.read() as reader:
        before = reader.connection().execute(names).scalar_one()
        platform.add(User(name="late", name_key="late", password_hash="-", created_at=0.0))
        assert reader.connection().execute(names).scalar_one() == before
    with platform.database.read() as reader:
        assert reader.connection().execute(names).scalar_one() == before + 1


def test_a_server_that_says_nothing_holds_up_one_thread_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(db, "CONNECT_TIMEOUT_S", 2)  # the shortest that libpq takes
    monkeypatch.setattr(db, "create_engine", create_engine)  # not one that shares its dialect with other tests
    now = [1000.0]
    monkeypatch.setattr(db, "time", SimpleNamespace(monotonic=lambda: now[0]))
    with socket.create_server(("127.0.0.1", 0)) as silent, ExitStack() as callers:
        silent.settimeout(0)
        database = Database(f"postgresql://gangland@127.0.0.1:{silent.getsockname()[1]}/gangland")

        def came() -> int:
            count = 0
            try:
                while True:
                    callers.enter_context(silent.accept()[0])
                    count += 1
            except BlockingIOError:
                return count

        with pytest.raises(OperationalError, match="timeout"):
            read_nothing(database)
        assert came() == 1
        for _ in range(20):
            with pytest.raises(OperationalError, match="a moment ago"):
                read_nothing(database)
        assert came() == 0
        now[0] += db.CONNECT_TIMEOUT_S
        with pytest.raises(OperationalError, match="timeout"):
            read_nothing(database)
        assert came() == 1
        database.close()


def read_nothing(database: Database) -> None:
    with database.read() as session:
        session.connection()
