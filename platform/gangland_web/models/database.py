"""Open the database (SQLite or PostgreSQL), migrate it, and check that it is writable."""

import logging
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import wraps
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Dialect, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool
from sqlalchemy.sql.dml import UpdateBase
from sqlmodel import Session

import gangland_web
from gangland import __version__
from gangland_web.models import metadata
from gangland_web.settings import ConfigError

# Sessions and engines.

log = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")

BUSY_TIMEOUT_S = 30
MAPPED_BYTES = 1024**3  # SQLite maps this much of the database file into memory, instead of copying pages
CACHE_KIB = 8_192  # per SQLite connection (default 2 MiB); a process may have fifteen connections

CONNECT_TIMEOUT_S = 5  # for a PostgreSQL server that does not answer
# A connection fails about 20 s after its server has vanished. The values are in seconds, the last in milliseconds.
_LOST_PEER = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 15_000}


class Database:
    """A database and its sessions.  Each process creates its own object, after any fork."""

    metadata = metadata

    def __init__(self, url: str) -> None:
        """Prepare access to the database at an SQLAlchemy URL; the first session connects."""
        self.url = normal_url(url)
        self.engine = _engine(self.url)
        # All statements of a reader see the same state of the database. On SQLite, every transaction works like that.
        self._reading = self.engine.execution_options(gangland_reads=True)
        self._has_plans = self.engine.dialect.name != "sqlite"
        if self._has_plans:
            self._reading = self._reading.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Open a session that commits when the block ends and rolls back when the block raises."""
        with Session(self.engine, expire_on_commit=False) as session, session.begin():
            yield session

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Open a session that reads one consistent state of the database, waits for no writer, and changes nothing."""
        with Session(self._reading, expire_on_commit=False) as session:
            try:
                yield session
                # On a rollback, PostgreSQL's driver drops all prepared statements, and planning them for every page
                # would take half of the server's time.
                if self._has_plans:
                    session.expunge_all()
                    session.commit()
            finally:
                session.expunge_all()  # loaded objects can still be read
                session.rollback()

    def try_write(self, statement: UpdateBase) -> None:
        """Execute a statement that may be lost; a failure of the database, such as a full disk, is only logged."""
        try:
            with self.write() as session:
                session.connection().execute(statement)
        except DBAPIError as error:
            log.warning("not stored: %s", str(error.orig).strip())

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()


def in_transaction(function: Callable[Concatenate[Session, P], T]) -> Callable[Concatenate[Database | Session, P], T]:
    """Let a function accept a session, whose transaction it joins, or a database, for which it opens a transaction."""

    @wraps(function)
    def wrapper(source: Database | Session, /, *args: P.args, **options: P.kwargs) -> T:
        if isinstance(source, Session):
            return function(source, *args, **options)
        with source.write() as db:
            return function(db, *args, **options)

    return wrapper


def normal_url(url: str) -> str:
    """Return the database URL with our driver, which is psycopg 3 for PostgreSQL."""
    parsed = make_url(url)
    if parsed.drivername in ("postgresql", "postgres"):
        parsed = parsed.set(drivername="postgresql+psycopg")
    return parsed.render_as_string(hide_password=False)


def _engine(url: str) -> Engine:
    if make_url(url).get_backend_name() != "sqlite":
        server = create_engine(
            url,
            pool_pre_ping=True,
            hide_parameters=True,  # so that no password hash appears in a traceback
            connect_args={"connect_timeout": CONNECT_TIMEOUT_S, **_LOST_PEER},
        )
        event.listen(server, "do_connect", _OneAtATime())
        event.listen(server, "connect", _set_up_postgresql)
        return server
    engine = create_engine(url, poolclass=QueuePool, connect_args={"timeout": BUSY_TIMEOUT_S}, hide_parameters=True)
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


class _OneAtATime:
    """Let only one thread wait for a server that has not answered in time; the other threads fail immediately.

    Otherwise all threads of a web process would wait, and no thread could serve pages that need no database.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._blocked_until = 0.0

    def __call__(self, dialect: Dialect, _record: object, arguments: Any, parameters: Any) -> Any:
        driver: Any = dialect.loaded_dbapi
        now = time.monotonic()
        with self._lock:
            if now < self._blocked_until:
                raise driver.OperationalError("the server did not answer in time a moment ago")
            if self._blocked_until:
                self._blocked_until = now + 2 * CONNECT_TIMEOUT_S
        blocked_until = 0.0
        try:
            return dialect.connect(*arguments, **parameters)
        except driver.errors.ConnectionTimeout:
            blocked_until = time.monotonic() + CONNECT_TIMEOUT_S
            raise
        finally:
            with self._lock:
                self._blocked_until = blocked_until


def _set_up_postgresql(connection: Any, _record: object) -> None:
    # Indexes are in memory or on flash, and JIT compilation never pays off here.
    with connection.cursor() as cursor:
        cursor.execute("SET random_page_cost = 1.1")
        cursor.execute("SET jit = off")
    connection.commit()


def _set_up_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_S * 1000}")
    for pragma in (
        "journal_mode=WAL",
        "synchronous=NORMAL",
        "foreign_keys=ON",
        f"cache_size=-{CACHE_KIB}",
        f"mmap_size={MAPPED_BYTES}",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    # A writer gets the write lock before its first statement. Otherwise a transaction that began as a reader could fail
    # halfway.
    reads = connection.get_execution_options().get("gangland_reads", False)
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


# Migrations.


def migrations_folder() -> Path:
    """Return the folder of the migrations, in the installed package or the source tree."""
    package = Path(str(gangland_web.__file__)).resolve().parent
    for folder in (package / "_migrations", package.parent / "migrations"):
        if (folder / "env.py").is_file():
            return folder
    raise FileNotFoundError(f"no migrations next to or inside {package}")


NEWEST = "head"


def migrate(database: Database) -> None:
    """Upgrade all tables to the newest revision, in one transaction.

    Raises ConfigError: the tables belong to a release that this one does not know.
    """
    with database.engine.begin() as connection:
        current = revision_of(connection)
        if current is not None and current not in revisions():
            raise ConfigError(
                f"the database has tables of another release (revision {current}, which {__version__} does not know):"
                " install that release, or restore the backup that was made before it"
            )
        upgrade(connection)


def upgrade(connection: Connection, revision: str = NEWEST) -> None:
    """Upgrade all tables to a revision, in the current transaction."""
    config = alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def revision_of(connection: Connection) -> str | None:
    """Return the revision of a database's tables, or None if the database does not have this project's tables."""
    return MigrationContext.configure(connection).get_current_revision()


def revisions() -> list[str]:
    """Return all revisions that this release knows, newest first."""
    return [script.revision for script in ScriptDirectory.from_config(alembic_config()).walk_revisions()]


def alembic_config() -> Config:
    """Return Alembic's configuration for our migrations."""
    config = Config()
    config.set_main_option("script_location", str(migrations_folder()).replace("%", "%%"))
    return config


# Checking that the database is writable, because reads succeed even if the disk is full.

PROBE_BYTES: Final = 256 * 1024
RESULT_LIFETIME_S: Final = 1.0  # how long a result is reused, so that frequent checks do not cause frequent writes
_UNCHANGING_UPDATE: Final = "UPDATE alembic_version SET version_num = version_num"
# Reasons for failed writes that have nothing to do with the disk.
_OTHER_CAUSES: Final = ("locked", "no such table", "does not exist", "lock timeout")
_results: dict[str, tuple[float, bool]] = {}


def can_write(database: Database) -> bool:
    """Return whether a write that changes nothing succeeds, or did within the last second; a lock is no failure."""
    checked_at, result = _results.get(database.url, (float("-inf"), True))
    if time.monotonic() - checked_at > RESULT_LIFETIME_S:
        result = _write_probe(database)
        _results[database.url] = (time.monotonic(), result)
    return result


def _write_probe(database: Database) -> bool:
    url = make_url(database.url)
    try:
        if url.get_backend_name() == "sqlite":
            if url.database:
                _write_sqlite(Path(url.database))
        else:
            with database.write() as session:
                session.connection().execute(text("SET LOCAL lock_timeout = '1s'"))
                session.connection().execute(text(_UNCHANGING_UPDATE))
    except (OSError, sqlite3.Error, DBAPIError) as error:
        reason = str(getattr(error, "orig", error)).strip()
        if any(cause in reason for cause in _OTHER_CAUSES):
            return True
        log.error("the database cannot be written: %s", reason)
        return False
    return True


def _write_sqlite(file: Path) -> None:
    """Write a temporary file next to the database, and then to the database itself, without waiting for its lock."""
    with TemporaryFile(dir=file.parent) as probe:
        probe.write(bytes(PROBE_BYTES))
        probe.flush()
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", timeout=0, uri=True)) as connection, connection:
        connection.execute(_UNCHANGING_UPDATE)
