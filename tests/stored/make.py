"""Store a database as a release leaves it: `python -m tests.stored.make 0.1.0` writes it, and what it contains.

`NAME.sql.zst` has SQLite's statements, `NAME.backup` a backup for PostgreSQL, and `NAME.json` what both must contain.
"""

import argparse
import json
import sqlite3
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.kits import backup_kit, core_kit
from zstandard import ZstdCompressor

from gangland_web.ops.backup import take_backup
from gangland_web.settings import SQLITE_FILE

FOLDER = Path(__file__).resolve().parent
LEVEL = 19


def store(name: str, into: Path = FOLDER) -> list[Path]:
    """Write the files of a release and return them; all tables have rows.  Raises FileExistsError."""
    files = [into / f"{name}.{ending}" for ending in ("sql.zst", "backup", "json")]
    if there := [file.name for file in files if file.exists()]:
        raise FileExistsError(f"{', '.join(there)} are stored already, and are not written anew")
    with TemporaryDirectory() as folder:
        platform = core_kit.open_platform("sqlite", Path(folder))
        platform.upload("ann")
        platform.play_all()
        platform.recorder.schedule()
        platform.play_all()
        backup_kit.fill_every_table(platform.database)
        with files[1].open("xb") as stream:
            header = take_backup(platform.database, stream)
        platform.database.close()
        with sqlite3.connect(Path(folder) / SQLITE_FILE) as connection:
            dumped = "\n".join(connection.iterdump())
        connection.close()
    files[0].write_bytes(ZstdCompressor(LEVEL).compress(dumped.encode()))
    result = {"revision": header.revision, "results": asdict(header.results)}
    files[2].write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return files


def main() -> None:
    parser = argparse.ArgumentParser(description=store.__doc__)
    parser.add_argument("name", help="the release, such as 0.1.0")
    given = parser.parse_args()
    for file in store(given.name):
        print(f"{file.name}: {file.stat().st_size} bytes")


if __name__ == "__main__":
    main()
