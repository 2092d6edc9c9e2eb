"""Databases for backups and restores: with rows in every table, or completely empty."""

from pathlib import Path
from typing import Any

from sqlalchemy import Table, inspect, select, text
from sqlalchemy.types import JSON, Boolean, Float, Integer, LargeBinary
from tests.kits import api_kit, postgres_kit

from gangland_web import models, settings
from gangland_web.models.database import Database, migrate
from gangland_web.ops.backup import restore, take_backup

CHANGED_BY_RESTORING = frozenset({"site_facts", "jobs", "matches", "sign_ins", "tournaments"})
"""Tables that a restore changes; the test itself defines the changes."""
ONE_IS_ENOUGH = {("follows", "person_id"), ("follows", "team_id"), ("moderations", "user_id")}
"""Columns to leave empty, because only one of two columns may be set and the other one is."""
JOBS = ("analyses", "draft_runs")
WORDS = "Zoë said “no”\t\\ 🎲\n\x7f'\";--"


def fill_every_table(database: Database) -> None:
    """Add a row to each empty table, with values that careless code would corrupt."""
    with database.engine.begin() as connection:
        for table in models.metadata.sorted_tables:
            if connection.execute(select(table).limit(1)).first() is None:
                connection.execute(table.insert().values(_row(connection, table)))


def _row(connection: Any, table: Table) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for column in table.columns:
        keys = [key.column for key in column.foreign_keys]
        if (table.name, column.name) in ONE_IS_ENOUGH:
            row[column.name] = None
        elif keys:
            row[column.name] = connection.execute(select(keys[0]).limit(1)).scalar_one_or_none()
        elif column is not table.autoincrement_column:
            row[column.name] = _value(table, column)
    return row


def _value(table: Table, column: Any) -> Any:
    named: dict[tuple[str, str], Any] = {
        **dict.fromkeys([("email_codes", "kind"), ("mails", "kind")], "recover"),
        ("stored_answers", "status"): 200,
        ("tokens", "expires_at"): 100_000.0,
        ("tokens", "created_at"): 0.0,
        ("tokens", "last_used_at"): None,
        ("organizer_actions", "kind"): "rerun",
        ("audits", "state"): "agreed",
        ("audits", "lapsed_for"): "",
        ("audits", "digest"): "ab" * 32,
        ("audit_differences", "verdict"): "recorded",
        ("analyses", "requested_by"): "sample",
        **{(job, "state"): "done" for job in (*JOBS, "play_hints")},
        **{(job, "failed_for"): None for job in JOBS},
        ("records", "kind"): "reign",
        ("moderations", "kind"): "rename",
        ("draft_runs", "kind"): "check",
        ("play_tables", "state"): "over",
        ("play_tables", "ended_for"): None,
        ("matches", "key"): None,
        ("match_seats", "name"): None,
        ("analysis_seats", "seats"): 2,
        ("channel_items", "ends_at"): 1.0,
        ("organizer_actions", "state"): "waiting",
        ("organizer_actions", "done_at"): None,
    }
    if (table.name, column.name) in named:
        return named[table.name, column.name]
    if column.name.endswith(("hash", "sha256", "commitment", "key", "fingerprint")) and column.type.length == 64:
        return "ab" * 32
    if isinstance(column.type, Boolean):
        return True
    if isinstance(column.type, Integer):
        return 1
    if isinstance(column.type, Float):
        return 0.1 + 0.2
    if isinstance(column.type, LargeBinary):
        return bytes(range(256))
    if isinstance(column.type, JSON):
        return {"a": [1, None, 0.1], "ü": WORDS}
    return WORDS[: column.type.length]


def full_database(kind: str, folder: Path) -> Database:
    """Return a database with rows in every table, as after two days of play; both kinds have the same rows."""
    database = api_kit.build_world(folder).platform.database
    fill_every_table(database)
    if kind == "sqlite":
        return database
    file = folder / "on-the-way"
    with file.open("wb") as stream:
        take_backup(database, stream)
    there = empty_database(kind, folder)
    restore(there, file)
    before, after = contents(database), contents(there)
    assert [name for name in before if before[name] != after[name] and name not in CHANGED_BY_RESTORING] == []
    database.close()
    fill_every_table(there)  # a restore ends all sign-ins
    return there


def empty_database(kind: str, folder: Path) -> Database:
    if kind == "postgresql":
        return Database(postgres_kit.new_database(_nothing))
    (folder / "empty").mkdir(exist_ok=True)
    return Database(settings.sqlite_url(folder / "empty"))


def migrated_database(kind: str, folder: Path) -> Database:
    if kind == "postgresql":
        return Database(postgres_kit.new_database(migrate))
    (folder / "migrated").mkdir(exist_ok=True)
    database = Database(settings.sqlite_url(folder / "migrated"))
    migrate(database)
    return database


def _nothing(_database: Database) -> None:
    """Leave a new database as it is."""


def contents(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    with database.engine.connect() as connection:
        return {
            table.name: sorted((tuple(row) for row in connection.execute(select(table)).all()), key=repr)
            for table in models.metadata.sorted_tables
        }


def guards(database: Database) -> list[str]:
    with database.engine.connect() as connection:
        on_sqlite = connection.dialect.name == "sqlite"
        query = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        if not on_sqlite:
            query = "SELECT tgname || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal"
        found = [str(name) for (name,) in connection.execute(text(query)).all()]
        there = inspect(connection)
        for table in there.get_table_names():
            found += [f"{table}: {key['name']}" for key in there.get_foreign_keys(table)]
            found += [f"{table}: {index['name']}" for index in there.get_indexes(table)]
        return sorted(found)
