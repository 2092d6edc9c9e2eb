"""Bring a database's tables up to date."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

import gangland_web
from gangland import __version__
from gangland_web.settings.config import ConfigError
from gangland_web.store.database import Database


def migrations_folder() -> Path:
    """Return where the migrations lie: inside the installed package, else beside it in the source tree."""
    package = Path(str(gangland_web.__file__)).resolve().parent
    for folder in (package / "_migrations", package.parent / "migrations"):
        if (folder / "env.py").is_file():
            return folder
    raise FileNotFoundError(f"no migrations beside or inside {package}")


NEWEST = "head"


def migrate(database: Database) -> None:
    """Bring all tables up to the newest revision, in one transaction; does nothing when they are.

    Raises:
        ConfigError: they are those of a newer release.
    """
    with database.engine.begin() as connection:
        there = revision_of(connection)
        if there is not None and there not in revisions():
            raise ConfigError(
                f"the database's tables are of a newer release (revision {there}, which {__version__} does not know):"
                " install that release, or restore the backup that was made before it"
            )
        upgrade(connection)


def upgrade(connection: Connection, to: str = NEWEST) -> None:
    """Bring all tables up to a revision, in the transaction that is on."""
    config = alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, to)


def revision_of(connection: Connection) -> str | None:
    """Return the revision that a database's tables are at; None if it has none of ours."""
    return MigrationContext.configure(connection).get_current_revision()


def revisions() -> list[str]:
    """Return all revisions that this release knows, the newest first."""
    return [script.revision for script in ScriptDirectory.from_config(alembic_config()).walk_revisions()]


def alembic_config() -> Config:
    """Return what Alembic needs to know of our migrations."""
    config = Config()
    config.set_main_option("script_location", str(migrations_folder()).replace("%", "%%"))
    return config
