"""Bring a database's tables up to date."""

from pathlib import Path

from alembic import command
from alembic.config import Config

from gangland_web.db import Database


def migrations_folder() -> Path:
    """Return where the migrations lie: inside the installed package, else beside it in the source tree."""
    package = Path(__file__).resolve().parent
    for folder in (package / "_migrations", package.parent / "migrations"):
        if (folder / "env.py").is_file():
            return folder
    raise FileNotFoundError(f"no migrations beside or inside {package}")


def migrate(database: Database) -> None:
    """Bring all tables up to the newest revision, in one transaction; does nothing when they are."""
    config = Config()
    config.set_main_option("script_location", str(migrations_folder()).replace("%", "%%"))
    with database.engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
