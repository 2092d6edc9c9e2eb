"""Whose the files of a data folder are where root serves it, and each child has a user of its own.

    data/                  root, group of the database; whoever is in it makes files here, and removes only its own
      gangland.sqlite3     the record worker's, group of the database; -wal and -shm the same
      secret-key           the web process's
      handed/CHILD/        copies of what settings name (SMTP_PASSWORD_FILE ...), for the child alone
      broker/              root's, with the broker's own files in it
      log/, lock           root's

All of it is set at each start, so a folder that root alone has used before is put right.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from gangland_web.base.secrecy import write_private
from gangland_web.ops.supervisor.data_folder import KEY_FILE, LOCK, CannotStart
from gangland_web.ops.supervisor.users import BROKER, DATA_GROUP, RECORDS, WEB, User
from gangland_web.settings import SQLITE_FILE

DATA_MODE: Final = 0o3771
"""Files belong to the folder's group, and only their owner or root may remove them; others pass through."""
HANDED: Final = "handed"


def settle(data: Path) -> None:
    """Give the files of a data folder to those who use them.

    Raises:
        CannotStart: something in it is not what it must be.
    """
    database = data / SQLITE_FILE
    database.touch(mode=0o660)
    os.chown(data, 0, DATA_GROUP)
    data.chmod(DATA_MODE)
    for name in (SQLITE_FILE, f"{SQLITE_FILE}-wal", f"{SQLITE_FILE}-shm", f"{SQLITE_FILE}-journal"):
        _give(data / name, RECORDS.number, DATA_GROUP, 0o660)
    _give(data / KEY_FILE, WEB.number, WEB.number, 0o400)
    _give(data / LOCK, 0, 0, 0o600)


def settle_broker(folder: Path) -> None:
    """Give the broker its own files; passwords and access list stay root's, out of reach for a broker gone bad.

    Raises:
        CannotStart: something in it is not what it must be.
    """
    os.chown(folder, 0, BROKER.number)
    folder.chmod(0o1770)
    for name in ("platform-password", "worker-password"):
        _give(folder / name, 0, 0, 0o400)
    _give(folder / "users.acl", 0, BROKER.number, 0o440)
    for path in _inside(folder / "appendonlydir"):
        _give(path, BROKER.number, BROKER.number, 0o700 if path.is_dir() else 0o600)


def handed_over(data: Path, user: User, environment: dict[str, str]) -> dict[str, str]:
    """Return a child's environment with the files that it names copied to where the child can read them.

    Raises:
        CannotStart: one cannot be copied.
    """
    changed = {}
    for name, value in environment.items():
        if name.endswith("_FILE") and Path(value).parent != data:
            folder = data / HANDED / user.name
            try:
                _make(data / HANDED, 0, 0o711)
                _make(folder, user.number, 0o750)
                text = Path(value).read_text(encoding="utf-8")
                write_private(folder / name, text)
                _give(folder / name, user.number, user.number, 0o400)
            except OSError as error:
                raise CannotStart(f"{name} names {value!r}, which cannot be read: {error.strerror}") from error
            changed[name] = str(folder / name)
    return environment | changed


def without_roots_own(environment: dict[str, str], data: Path) -> dict[str, str]:
    """Return a child's environment without the folders that are root's alone: its home, and a TMPDIR that is closed."""
    kept = {name: value for name, value in environment.items() if name != "TMPDIR" or _for_all(Path(value))}
    return kept | {"HOME": str(data)}


def _for_all(folder: Path) -> bool:
    try:
        return bool(folder.stat().st_mode & stat.S_IWOTH)
    except OSError:
        return False


def need_writable(database: Path) -> None:
    """See that an embedded database outside of the data folder can be written by those who write it.

    Raises:
        CannotStart: it cannot; the message says what to do.
    """
    folder = database.parent
    facts = folder.stat()
    if facts.st_gid != DATA_GROUP or not facts.st_mode & stat.S_IWGRP or not facts.st_mode & stat.S_ISGID:
        raise CannotStart(
            f"the database {database} is to be written by users without root: "
            f"`chgrp {DATA_GROUP} {folder} && chmod g+rwxs {folder}`, or leave DATABASE_URL out"
        )
    database.touch(mode=0o660)
    for name in (database.name, f"{database.name}-wal", f"{database.name}-shm"):
        _give(folder / name, RECORDS.number, DATA_GROUP, 0o660)


def _make(folder: Path, group: int, mode: int) -> None:
    folder.mkdir(mode=0o700, exist_ok=True)
    _give(folder, 0, group, mode)


def _give(path: Path, owner: int, group: int, mode: int) -> None:
    """Set a file's or folder's owner and mode if it is there; through no link, whoever may have put one there.

    Raises:
        CannotStart: it is a link, or has another name besides.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    except OSError as error:
        raise CannotStart(f"{path} is no plain file: {error.strerror}; remove it") from error
    try:
        facts = os.fstat(descriptor)
        is_folder = stat.S_ISDIR(facts.st_mode)
        if not is_folder and (not stat.S_ISREG(facts.st_mode) or facts.st_nlink != 1):
            raise CannotStart(f"{path} is no plain file, or has a second name; remove it")
        os.fchown(descriptor, owner, group)
        os.fchmod(descriptor, mode)
    finally:
        os.close(descriptor)


def _inside(folder: Path) -> Iterator[Path]:
    """Yield a folder, if it is there, and what is in it; the broker keeps no folders in its own."""
    with suppress(FileNotFoundError, NotADirectoryError):
        inside = sorted(folder.iterdir())
        yield folder
        yield from inside
