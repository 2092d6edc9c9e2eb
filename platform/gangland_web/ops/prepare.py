"""Prepare an installation before its processes start (`python -m gangland_web.ops.prepare`)."""

import hashlib
import logging
import platform
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from sqlalchemy.exc import OperationalError
from sqlmodel import Session, col, delete, func, select

from gangland_web.base.formats import now_s
from gangland_web.base.secrecy import forget_secrets, keep_private
from gangland_web.broker.access import credential_of
from gangland_web.models.accounts import Role, SetupCode, User
from gangland_web.models.database import Database, migrate
from gangland_web.process import set_up_logging
from gangland_web.queries.exports import FETCHED_FOLDER, WHEELS_FOLDER, lock_text
from gangland_web.services.accounts import hash_code
from gangland_web.services.tournaments import LADDER_BLOCKS, ensure_tournaments
from gangland_web.services.uploads import seed_house_bots
from gangland_web.services.worker_hosts import HostRefused, ensure_host
from gangland_web.settings import ConfigError, read_settings

log = logging.getLogger("gangland_web.ops.prepare")

CODE_BYTES = 9
DATABASE_TIMEOUT_S = 300.0
RETRY_PAUSE_S = 2.0


# Tables, tournaments, house bots and the code of the first administrator.


def prepare(database: Database, *, blocks: int = LADDER_BLOCKS, worker_redis_url: str | None = None) -> str | None:
    """Upgrade tables, and create or update tournaments and house bots; return a new code if there is no admin.

    `blocks`: blocks per match in new ladders.  `worker_redis_url`: the broker's address for this machine, if it plays
    matches.
    """
    migrate(database)
    with database.write() as session:
        ensure_tournaments(session, ladder_blocks=blocks)
        seeded = seed_house_bots(session)
        if worker_redis_url is not None:
            ensure_host(session, *credential_of(worker_redis_url))
        admins = session.exec(select(func.count()).select_from(User).where(User.role == Role.ADMIN.value)).one()
        code = None if admins else _new_code(session)
    if seeded:
        log.info("%d house bots added", seeded)
    return code


def _new_code(session: Session) -> str:
    """Replace any unused code with a new one; only its hash is stored, so it cannot be shown later."""
    session.exec(delete(SetupCode).where(col(SetupCode.used_at).is_(None)))
    code = secrets.token_urlsafe(CODE_BYTES)
    session.add(SetupCode(code_hash=hash_code(code), created_at=now_s()))
    return code


# Packages: all packages of the base install, fetched so that machines without internet access (as in some schools) can
# install it.
#
# There is one set for each supported Python version, for this machine's architecture, pinned by the lock.

PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")
PACKAGES_MARK: Final = "fetched"  # file with the digest of the lock; it exists once all packages have been fetched
_GLIBC: Final = ("2_17", "2_28", "2_34")
FROM_SOURCE: Final = "trueskill"  # only available as source: built once, one wheel for every Python


class FetchFailed(RuntimeError):
    """The packages cannot be fetched; the message says why."""


def fetch_packages(data: Path, say: Callable[[str], object]) -> None:
    """Fill the download folder of a data folder, unless it is complete.  Raises FetchFailed."""
    lock, folder = lock_text(), data / FETCHED_FOLDER
    mark = hashlib.sha256(lock.encode()).hexdigest()
    if (folder / PACKAGES_MARK).is_file() and (folder / PACKAGES_MARK).read_text(encoding="utf-8") == mark:
        return
    if find_spec("pip") is None:
        raise FetchFailed("--with-wheels needs pip: run python -m ensurepip")
    say("fetching packages for /download (about 70 MB)")
    with tempfile.TemporaryDirectory() as path:
        draft = Path(path)
        _fetch_all(draft, lock, say)
        folder.mkdir(exist_ok=True)
        folder.chmod(0o755)
        for wheel in draft.glob("*.whl"):
            shutil.copyfile(wheel, folder / wheel.name)
            (folder / wheel.name).chmod(0o644)
    if not any(WHEELS_FOLDER.glob("gangland-*.whl")):
        say("this site has no wheel of its own to serve: `make up` builds it, and /on-your-machine says how to get one")
    (folder / PACKAGES_MARK).write_text(mark, encoding="utf-8")


def _fetch_all(draft: Path, lock: str, say: Callable[[str], object]) -> None:
    blocks = re.split(r"\n(?=[a-z0-9])", lock)[1:]
    source = [block for block in blocks if block.startswith(f"{FROM_SOURCE}==")]
    (draft / "wheels.txt").write_text("\n".join(block for block in blocks if block not in source) + "\n")
    (draft / "source.txt").write_text("\n".join(source) + "\n")
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    machine = platform.machine()
    platforms = [word for glibc in _GLIBC for word in ("--platform", f"manylinux_{glibc}_{machine}")]
    platforms += ["--platform", f"manylinux2014_{machine}"]
    for version in dict.fromkeys((here, *PYTHONS)):
        options = ["--only-binary", ":all:", "--python-version", version, *platforms]
        failure = _pip("download", draft, *options, "-r", str(draft / "wheels.txt"))
        if failure and version == here:
            raise FetchFailed(f"the packages cannot be fetched: {failure}")
        if failure:
            say(f"no packages for Python {version}: {failure}")
    if failure := _pip("wheel", draft, "-r", str(draft / "source.txt")):
        raise FetchFailed(f"{FROM_SOURCE} cannot be built: {failure}")


def _pip(command: str, draft: Path, *arguments: str) -> str:
    """Run pip, and return the last line of its error output, or an empty string on success."""
    option = "--dest" if command == "download" else "--wheel-dir"
    common = ["--disable-pip-version-check", "--quiet", "--no-deps", "--require-hashes", option, str(draft)]
    pip = subprocess.run(
        [sys.executable, "-m", "pip", command, *common, *arguments], capture_output=True, text=True, check=False
    )
    errors = [line for line in pip.stderr.strip().splitlines() if line.startswith("ERROR")] or pip.stderr.splitlines()
    return "" if pip.returncode == 0 else (errors or [f"pip exited with status {pip.returncode}"])[-1][:300]


# The program.


def _prepare_with_retries(database: Database, blocks: int, worker_redis_url: str | None) -> str | None:
    """Prepare once the database is reachable; PostgreSQL may start later than this process."""
    deadline = time.monotonic() + DATABASE_TIMEOUT_S
    while True:
        try:
            return prepare(database, blocks=blocks, worker_redis_url=worker_redis_url)
        except OperationalError as error:
            if database.engine.dialect.name == "sqlite" or time.monotonic() >= deadline:
                raise
            log.warning("the database is not reachable yet: %s", _first_line(error))
            time.sleep(RETRY_PAUSE_S)


def _first_line(error: OperationalError) -> str:
    return str(error.orig).strip().partition("\n")[0]


def main() -> int:
    """Prepare the database that the environment names, and print the setup code, if any."""
    keep_private()
    set_up_logging()
    try:
        settings = read_settings()
        forget_secrets()
        with closing(Database(settings.need_database_url())) as database:
            code = _prepare_with_retries(database, settings.blocks, settings.worker_redis_url)
    except (ConfigError, HostRefused) as error:
        log.error("%s", error)
        return 2
    except OperationalError as error:
        log.error("the database cannot be used: %s", _first_line(error))
        return 3
    if code is not None:
        sys.stdout.write(f"one-time code for the first administrator: {code} (sign up, then enter it at /setup)\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
