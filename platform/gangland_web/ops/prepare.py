"""Everything that must be there before the processes start (`python -m gangland_web.ops.prepare`)."""

import logging
import secrets
import sys
import time

from sqlalchemy.exc import OperationalError
from sqlmodel import Session, col, delete, func, select

from gangland_web.base.clock import now_s
from gangland_web.base.secrecy import forget_secrets, keep_private
from gangland_web.broker.access import credential_of
from gangland_web.models.accounts import Role, SetupCode, User
from gangland_web.models.database import Database, migrate
from gangland_web.process import set_up_logging
from gangland_web.services.accounts import hash_code
from gangland_web.services.setup import LADDER_BLOCKS, ensure_tournaments
from gangland_web.services.uploads import seed_house_bots
from gangland_web.services.worker_hosts import HostRefused, ensure_host
from gangland_web.settings import ConfigError, read_settings

log = logging.getLogger("gangland_web.ops.prepare")

CODE_BYTES = 9
SERVER_WAIT_S = 300.0
SERVER_PAUSE_S = 2.0


def prepare(database: Database, *, blocks: int = LADDER_BLOCKS, worker_redis_url: str | None = None) -> str | None:
    """Bring tables, tournaments and house bots up to date; may be done again at any time.

    Args:
        blocks: blocks a match in ladders that are made now.
        worker_redis_url: the broker's address for this machine, which is entered as a worker host by it.

    Returns:
        A fresh one-time code that makes its holder the admin, or None once there is an admin.
    """
    migrate(database)
    with database.write() as session:
        ensure_tournaments(session, ladder_blocks=blocks)
        seeded = seed_house_bots(session)
        if worker_redis_url is not None:
            ensure_host(session, *credential_of(worker_redis_url))
        code = None if _has_admin(session) else _new_code(session)
    if seeded:
        log.info("%d house bots entered", seeded)
    return code


def code_sentence(code: str) -> str:
    """Return what to tell the person who started the site about their code."""
    return f"one-time code for the first administrator: {code}   (sign up, then enter it at /setup)"


def _has_admin(session: Session) -> bool:
    return session.exec(select(func.count()).select_from(User).where(User.role == Role.ADMIN.value)).one() > 0


def _new_code(session: Session) -> str:
    """Draw a code in place of any that was never used: only its hash is kept, so it cannot be shown again."""
    session.exec(delete(SetupCode).where(col(SetupCode.used_at).is_(None)))
    code = secrets.token_urlsafe(CODE_BYTES)
    session.add(SetupCode(code_hash=hash_code(code), created_at=now_s()))
    return code


def _patiently(database: Database, blocks: int, worker_redis_url: str | None) -> str | None:
    """Prepare as soon as a server of PostgreSQL is there: at a machine's start, it and the network may come later."""
    deadline = time.monotonic() + SERVER_WAIT_S
    while True:
        try:
            return prepare(database, blocks=blocks, worker_redis_url=worker_redis_url)
        except OperationalError as error:
            if database.engine.dialect.name == "sqlite" or time.monotonic() >= deadline:
                raise
            log.warning("the database is not reachable yet: %s", _first_line(error))
            time.sleep(SERVER_PAUSE_S)


def _first_line(error: OperationalError) -> str:
    return str(error.orig).strip().partition("\n")[0]


def main() -> int:
    """Prepare the database that the environment names and print the code, if one waits."""
    keep_private()
    set_up_logging()
    try:
        settings = read_settings()
        forget_secrets()
        code = _patiently(Database(settings.need_database_url()), settings.blocks, settings.worker_redis_url)
    except (ConfigError, HostRefused) as error:
        log.error("%s", error)
        return 2
    except OperationalError as error:
        log.error("the database cannot be used: %s", _first_line(error))
        return 3
    if code is not None:
        sys.stdout.write(code_sentence(code) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
