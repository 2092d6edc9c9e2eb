"""Whether the database can be written to: a full disk answers every read."""

import logging
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

from sqlalchemy import make_url, text
from sqlalchemy.exc import DBAPIError

from gangland_web.store.database import Database

log = logging.getLogger(__name__)

TRIED_BYTES: Final = 256 * 1024
KEPT_S: Final = 1.0
"""A result is returned for so long, so that whoever asks often does not write often."""
_SAME: Final = "UPDATE alembic_version SET version_num = version_num"
_OTHER_CAUSES: Final = ("locked", "no such table", "does not exist", "lock timeout")
"""What a write fails of that says nothing of the disk."""
_results: dict[str, tuple[float, bool]] = {}


def can_write(database: Database) -> bool:
    """Return whether a write that changes nothing succeeds."""
    tried, result = _results.get(database.url, (float("-inf"), True))
    if time.monotonic() - tried > KEPT_S:
        result = _try(database)
        _results[database.url] = (time.monotonic(), result)
    return result


def _try(database: Database) -> bool:
    url = make_url(database.url)
    try:
        if url.get_backend_name() == "sqlite":
            if url.database:
                _write_sqlite(Path(url.database))
        else:
            with database.write() as session:
                session.connection().execute(text("SET LOCAL lock_timeout = '1s'"))
                session.connection().execute(text(_SAME))
    except (OSError, sqlite3.Error, DBAPIError) as error:
        reason = str(getattr(error, "orig", error)).strip()
        if any(cause in reason for cause in _OTHER_CAUSES):
            return True
        log.error("nothing can be written: %s", reason)
        return False
    return True


def _write_sqlite(file: Path) -> None:
    """Write beside the database, and to it unless another writer has it: whoever asks does not queue."""
    with TemporaryFile(dir=file.parent) as probe:
        probe.write(bytes(TRIED_BYTES))
        probe.flush()
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", timeout=0, uri=True)) as connection, connection:
        connection.execute(_SAME)
