"""Settings of the platform's processes, read once from the environment."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

DOCS = Path(sys.prefix) / "share" / "gangland" / "docs"
"""Where `make docs` puts the built documentation, and the image has it: beside the Python that runs the site."""


class ConfigError(ValueError):
    """A setting is missing or makes no sense; the message says which and what was expected."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a process was told; a process gets only what it may have, so the rest is None.

    `redis_url` is the platform's own broker user, `worker_redis_url` the match worker's.
    """

    data: Path
    database_url: str | None = field(repr=False)
    redis_url: str | None = field(repr=False)
    worker_redis_url: str | None = field(repr=False)
    secret_key: str | None = field(repr=False)
    trusted_proxies: int = 0
    secure_cookies: bool = False
    rounds: int = 10
    """Rounds that a ladder plays in a day for one set of entries."""
    blocks: int = 12
    """Blocks a match in ladders that are made from now on."""
    team_members: int = 8
    """How many people may be in a team."""
    docs: Path = DOCS
    """Where the built documentation lies."""
    mail_from: str | None = None
    """The address that mails come from; None where none are sent."""

    def need_database_url(self) -> str:
        """The database's address.  Raises ConfigError if this process was given none."""
        return _need(self.database_url, "DATABASE_URL")

    def need_redis_url(self) -> str:
        """The broker's address for the platform.  Raises ConfigError if this process was given none."""
        return _need(self.redis_url, "REDIS_URL")

    def need_worker_redis_url(self) -> str:
        """The broker's address for a match worker.  Raises ConfigError if this process was given none."""
        return _need(self.worker_redis_url, "WORKER_REDIS_URL")

    def need_secret_key(self) -> str:
        """The key that signs sessions.  Raises ConfigError if this process was given none."""
        return _need(self.secret_key, "SECRET_KEY or SECRET_KEY_FILE")


def read_settings(environ: Mapping[str, str] | None = None) -> Settings:
    """Read the settings from `environ` (the process environment by default).

    Raises:
        ConfigError: a number is no number, or a file that was named cannot be read.
    """
    env = os.environ if environ is None else environ
    return Settings(
        data=data_folder(env),
        database_url=given(env, "DATABASE_URL"),
        redis_url=given(env, "REDIS_URL"),
        worker_redis_url=given(env, "WORKER_REDIS_URL"),
        secret_key=given(env, "SECRET_KEY"),
        trusted_proxies=_whole_number(env, "TRUSTED_PROXIES", 0),
        secure_cookies=_whole_number(env, "SECURE_COOKIES", 0) > 0,
        rounds=_whole_number(env, "GANGLAND_ROUNDS", 10),
        blocks=max(1, _whole_number(env, "GANGLAND_BLOCKS", 12)),
        team_members=max(1, _whole_number(env, "GANGLAND_TEAM_MEMBERS", 8)),
        docs=Path(env.get("GANGLAND_DOCS") or DOCS).absolute(),
        mail_from=env.get("SMTP_FROM") or None,
    )


def data_folder(env: Mapping[str, str]) -> Path:
    """Return the data folder: GANGLAND_DATA, else `gangland` in the user's data folder."""
    if given := env.get("GANGLAND_DATA"):
        return Path(given).expanduser().absolute()
    base = env.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "gangland"


SQLITE_FILE = "gangland.sqlite3"


def sqlite_url(data: Path) -> str:
    """Return the address of the embedded database in a data folder."""
    return f"sqlite:///{data / SQLITE_FILE}"


def given(env: Mapping[str, str], name: str) -> str | None:
    """Return a setting itself, or what the file holds that NAME_FILE points at; None if neither is set.

    Raises:
        ConfigError: the file cannot be read or is empty.
    """
    if value := env.get(name):
        return value
    path = env.get(f"{name}_FILE")
    if not path:
        return None
    try:
        value = Path(path).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ConfigError(f"{name}_FILE names {path!r}, which cannot be read: {error.strerror}") from error
    if not value:
        raise ConfigError(f"{name}_FILE names {path!r}, which is empty")
    return value


def _whole_number(env: Mapping[str, str], name: str, default: int) -> int:
    text = env.get(name, str(default))
    if not text.isascii() or not text.isdigit():
        raise ConfigError(f"{name} must be a whole number, not {text!r}")
    return int(text)


def _need(value: str | None, name: str) -> str:
    if value is None:
        raise ConfigError(f"{name} is not set")
    return value
