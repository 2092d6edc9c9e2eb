"""A fresh database for every run: a file, or a database on a PostgreSQL server of this machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from sqlalchemy import make_url

from benchmarks.platform_rate.cpu import processes
from gangland_web.settings.config import sqlite_url
from gangland_web.store.database import Database

NAME = "gangland_platform_rate"


@contextmanager
def fresh_database(data: Path, server: str | None) -> Iterator[tuple[Database, tuple[int, ...]]]:
    """Make a database, and drop it at the end; with it come the server's processes, to count their CPU time.

    Args:
        data: the folder where a file is made, if there is no server.
        server: address of a database on a PostgreSQL server whose user may make others.
    """
    if server is None:
        database = Database(sqlite_url(data))
        try:
            yield database, ()
        finally:
            database.close()
        return
    plain = make_url(server).set(drivername="postgresql")
    with psycopg.connect(plain.render_as_string(hide_password=False), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {NAME} WITH (FORCE)")  # a name of our own
        connection.execute(f"CREATE DATABASE {NAME}")
        database = Database(plain.set(database=NAME).render_as_string(hide_password=False))
        try:
            yield database, (_server_of(connection),)
        finally:
            database.close()
            connection.execute(f"DROP DATABASE {NAME} WITH (FORCE)")


def _server_of(connection: psycopg.Connection[tuple[object, ...]]) -> int:
    """Return the server's first process, of which each connection's is a child."""
    there, backend = processes(), connection.info.backend_pid
    if backend not in there:
        raise RuntimeError("the PostgreSQL server is not on this machine, so its CPU time cannot be counted")
    return there[backend].parent
