"""Build data once for all processes of a test run, in the first process that needs it."""

import fcntl
import json
import os
import shutil
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gangland_web.models.database import Database
from gangland_web.settings import SQLITE_FILE


def built_once(folder: Path, build: Callable[[Path], Any]) -> Any:
    """Let `build` fill a folder, unless another process did; return its result, which is stored as JSON."""
    file = folder / "result.json"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            file.write_text(json.dumps(build(folder)), encoding="utf-8")
    return json.loads(file.read_text(encoding="utf-8"))


@cache
def database_of(name: str, build: Callable[[Path], Any]) -> tuple[bytes, Any]:
    """Return the SQLite file and result of `build`, both shared by all processes of a run."""
    with ExitStack() as stack:
        shared = os.environ.get("PYTEST_DEBUG_TEMPROOT") or stack.enter_context(TemporaryDirectory())
        result = built_once(Path(shared, name), build)
        return Path(shared, name, SQLITE_FILE).read_bytes(), result


def close_in_one_file(database: Database) -> None:
    """Close an SQLite database so that its file can be copied."""
    with database.engine.connect() as connection:
        connection.exec_driver_sql("COMMIT")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
