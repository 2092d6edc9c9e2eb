"""Set up the data folder of `gangland up`, and the user of each process."""

import errno
import fcntl
import grp
import os
import pwd
import shutil
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Final, TextIO, TypeVar

import gangland
import gangland_bots
import gangland_ladder
import gangland_sandbox
import gangland_web
from gangland_sandbox import cgroups
from gangland_sandbox.privileges import JAIL_ID, drop, is_root, run_as_other_user
from gangland_sandbox.reach import View, python_folders
from gangland_web.base.secrecy import stored_secret, write_private
from gangland_web.settings import SQLITE_FILE

# The data folder: its lock and its secret; and the site's port.

KEY_FILE = "secret-key"
LOCK = "lock"  # the file that an installation locks; a folder with this file or a database is a data folder

UNPRIVILEGED_PORTS: Final = Path("/proc/sys/net/ipv4/ip_unprivileged_port_start")


class CannotStart(RuntimeError):
    """The platform cannot be started; the message says why and what to do."""


def open_folder(data: Path) -> None:
    """Create the data folder if needed; only its owner can enter it.  Raises CannotStart."""
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(data.iterdir()) and not any((data / name).exists() for name in (LOCK, SQLITE_FILE)):
            raise CannotStart(f"{data} has files, but no installation: choose a new or empty folder with --data")
        if not is_root():
            data.chmod(0o700)
        elif (owner := data.stat().st_uid) != 0:
            raise CannotStart(f"{data} belongs to user {owner}: start gangland as that user, not as root")
    except OSError as error:
        raise CannotStart(f"cannot use the data folder {data}: {error.strerror}") from error


def lock_folder(data: Path) -> TextIO:
    """Lock a data folder until this process ends.  Raises CannotStart: it is locked, or belongs to another user."""
    try:
        lock = (data / LOCK).open("a+", encoding="utf-8")
    except OSError as error:
        raise CannotStart(
            f"cannot write {data / LOCK}: {error.strerror}; start gangland as the owner of the folder"
        ) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        lock.seek(0)
        holder = lock.read().strip() or "unknown"
        lock.close()
        raise CannotStart(
            f"gangland is already running on {data} (process {holder}): stop it, or choose another folder with --data"
        ) from error
    lock.truncate(0)
    lock.write(f"{os.getpid()}\n")
    lock.flush()
    return lock


def secret_key_file(data: Path) -> Path:
    """Return the 0600 file with the key that signs sessions; the first call creates it."""
    path = data / KEY_FILE
    stored_secret(path)
    return path


def check_port(port: int, host: str = "127.0.0.1") -> None:
    """Check that the site can listen at a local address.  Raises CannotStart."""
    try:
        family = socket.AF_INET if ip_address(host).version == 4 else socket.AF_INET6
    except ValueError as error:
        raise CannotStart(f"--host expects an address such as 192.168.1.20 or 0.0.0.0, not {host!r}") from error
    with suppress(OSError, ValueError):
        first = int(UNPRIVILEGED_PORTS.read_text())
        if is_root() and 0 < port < first:
            raise CannotStart(
                f"port {port} is reserved for root, and the site does not run as root: choose {first} or higher"
            )
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            if error.errno == errno.EADDRNOTAVAIL:
                raise CannotStart(f"this machine has no address {host}; `ip address` lists its own") from error
            raise CannotStart(f"port {port} is in use ({error.strerror}): choose another with --port") from error


# Access: whether unprivileged processes can read the site's code.

PACKAGES: Final = (gangland, gangland_bots, gangland_ladder, gangland_sandbox, gangland_web)


def code_folders() -> list[Path]:
    """Return the folders of Python, the libraries and the site's code."""
    return [*python_folders(), *(package.parent for package in _packages())]


def find_unreadable() -> Path | None:
    """Return a file or folder of the site's code or of Python that other users cannot read or enter, or None."""
    files = [Path(os.__file__), Path(sys.executable).resolve(), *(package / "__init__.py" for package in _packages())]
    for file in files:
        if not file.parent.stat().st_mode & stat.S_IXOTH:
            return file.parent
        if not file.stat().st_mode & stat.S_IROTH:
            return file
    return None


def _packages() -> list[Path]:
    return [Path(path) for package in PACKAGES for path in package.__path__]


# A systemd scope with delegated control groups, for a user who runs `gangland up` in a session.

SCOPE_VARIABLE: Final = "GANGLAND_SCOPE"  # set for the restarted process, so that it does not request another scope
SYSTEMD_TIMEOUT_S: Final = 10.0


def enter_scope(arguments: Sequence[str], membership: Path = cgroups.MEMBERSHIP) -> None:
    """Re-execute this process in a scope with `Delegate=memory pids`, if systemd allows it.

    A systemd unit declares its own delegation, and systemd would lose track of its process.
    """
    if os.environ.pop(SCOPE_VARIABLE, None) or not cgroups.MANAGER.exists() or cgroups.survey().home is not None:
        return
    program = shutil.which("systemd-run")
    if program is None or "/user.slice/" not in membership.read_text(encoding="utf-8"):
        return
    user = () if is_root() else ("--user",)
    command = [program, *user, "--scope", "--quiet", "--collect", "--property=Delegate=memory pids", "--"]
    try:
        test = subprocess.run([*command, "true"], capture_output=True, check=False, timeout=SYSTEMD_TIMEOUT_S)
    except (OSError, subprocess.TimeoutExpired):
        return
    if test.returncode == 0:
        restart_command = [*command, sys.executable, "-m", "gangland_web.ops.supervisor", *arguments]
        os.execve(program, restart_command, {**os.environ, SCOPE_VARIABLE: "1"})


# Users: root switches to one of these users for each process. Their numbers are not in passwd.
#
# Match workers are not in the list: they start as root, prepare the jails, and switch to `JAIL_ID` before the first
# job.

Plain = TypeVar("Plain")

DATA_GROUP: Final = 10010  # group of the users who write the embedded database
BROKER_GROUP: Final = JAIL_ID  # users with access to the broker's socket, such as match workers; owns nothing else


@dataclass(frozen=True, slots=True)
class User:
    """A user for one kind of process; its group has the same number."""

    name: str
    number: int
    groups: tuple[int, ...]

    def become(self, view: View) -> None:
        """Drop root permanently in this process, and restrict its view of closed folders to its own folders.

        Raises SandboxError: root cannot be dropped; OSError: the kernel refuses the view.
        """
        view.enter()
        drop(self.number, self.number, self.groups)


WEB: Final = User("web", 10011, (DATA_GROUP, BROKER_GROUP))
RECORDS: Final = User("records", 10012, (DATA_GROUP, BROKER_GROUP))
MAIL: Final = User("mail", 10013, (DATA_GROUP, BROKER_GROUP))
BEAT: Final = User("beat", 10014, (BROKER_GROUP,))
BROKER: Final = User("broker", 10015, (BROKER_GROUP,))
ANALYSIS: Final = User("analysis", 10016, (BROKER_GROUP,))
# Users by the name of the child, without a number.
USERS: Final = {user.name: user for user in (WEB, RECORDS, MAIL, BEAT, BROKER, ANALYSIS)}


def user_of(child: str) -> User | None:
    """Return the user for a child that root starts; None if it keeps the current user."""
    return USERS.get(child.partition("-")[0]) if is_root() else None


def as_user(user: User, view: View, function: Callable[[], Plain]) -> Plain:
    """Run a function as this user in a child process, if this process is root, and return its result.

    `function` returns plain JSON values, and must itself open any database that it uses.  Raises SandboxError: the
    child failed; the message ends with its traceback.
    """
    return run_as_other_user(function, lambda: user.become(view))


def conflicting_owner(passwd: Callable[[int], pwd.struct_passwd] = pwd.getpwuid) -> str | None:
    """Return the name and number of another user or group that already has one of these numbers, or None."""
    for user in USERS.values():
        try:
            name = passwd(user.number).pw_name
        except KeyError:
            continue
        if not name.startswith("gangland"):
            return f"{name} (user {user.number})"
    try:
        group = grp.getgrgid(DATA_GROUP).gr_name
    except KeyError:
        return None
    return None if group.startswith("gangland") else f"{group} (group {DATA_GROUP})"


# Owners of the files in a data folder when root runs the site and each child has its own user.
#
#     data/                  root, group of the database; its members create files here, and remove only their own
#       gangland.sqlite3     the record worker's, group of the database; -wal and -shm the same
#       secret-key           the web process's
#       handed/CHILD/        copies of the files in settings (SMTP_PASSWORD_FILE ...), only for the child
#       broker/              root's, with the broker's own files in it
#       log/, lock           root's
#
# Owners are set at each start, in case only root has used the folder so far.

# New files get the folder's group, only their owner or root may remove them, and other users may only pass through.
DATA_MODE: Final = 0o3771
HANDED_FOLDER: Final = "handed"


def set_owners(data: Path) -> None:
    """Set the owners of the files in a data folder.  Raises CannotStart: a file is not of the expected kind."""
    database = data / SQLITE_FILE
    database.touch(mode=0o660)
    os.chown(data, 0, DATA_GROUP)
    data.chmod(DATA_MODE)
    for name in (SQLITE_FILE, f"{SQLITE_FILE}-wal", f"{SQLITE_FILE}-shm", f"{SQLITE_FILE}-journal"):
        _set_owner(data / name, RECORDS.number, DATA_GROUP, 0o660)
    _set_owner(data / KEY_FILE, WEB.number, WEB.number, 0o400)
    _set_owner(data / LOCK, 0, 0, 0o600)


def set_broker_owners(folder: Path) -> None:
    """Set the owner of the broker's files; passwords and access list stay with root.  Raises CannotStart."""
    os.chown(folder, 0, BROKER.number)
    folder.chmod(0o1770)
    for name in ("platform-password", "worker-password"):
        _set_owner(folder / name, 0, 0, 0o400)
    _set_owner(folder / "users.acl", 0, BROKER.number, 0o440)
    for path in _folder_and_entries(folder / "appendonlydir"):
        _set_owner(path, BROKER.number, BROKER.number, 0o700 if path.is_dir() else 0o600)


def copy_files(data: Path, user: User, environment: dict[str, str]) -> dict[str, str]:
    """Copy the files named in a child's settings for its user; return its environment with the copies' paths.

    Raises CannotStart: a file cannot be read.
    """
    changed = {}
    for name, value in environment.items():
        if name.endswith("_FILE") and Path(value).parent != data:
            folder = data / HANDED_FOLDER / user.name
            try:
                _make_folder(data / HANDED_FOLDER, 0, 0o711)
                _make_folder(folder, user.number, 0o750)
                text = Path(value).read_text(encoding="utf-8")
                write_private(folder / name, text)
                _set_owner(folder / name, user.number, user.number, 0o400)
            except OSError as error:
                raise CannotStart(f"cannot read {value!r} of {name}: {error.strerror}") from error
            changed[name] = str(folder / name)
    return environment | changed


def without_root_settings(environment: dict[str, str], data: Path) -> dict[str, str]:
    """Return a child's environment without root's home, and without a TMPDIR that other users cannot write to."""
    allowed = {name: value for name, value in environment.items() if name != "TMPDIR" or _is_writable(Path(value))}
    return allowed | {"HOME": str(data)}


def _is_writable(folder: Path) -> bool:
    try:
        return bool(folder.stat().st_mode & stat.S_IWOTH)
    except OSError:
        return False


def check_writable(database: Path) -> None:
    """Raise CannotStart if the database is outside the data folder and its users cannot write to it."""
    folder = database.parent
    status = folder.stat()
    if status.st_gid != DATA_GROUP or not status.st_mode & stat.S_IWGRP or not status.st_mode & stat.S_ISGID:
        raise CannotStart(
            f"unprivileged users must be able to write to the database {database}: "
            f"run `chgrp {DATA_GROUP} {folder} && chmod g+rwxs {folder}`, or unset DATABASE_URL"
        )
    database.touch(mode=0o660)
    for name in (database.name, f"{database.name}-wal", f"{database.name}-shm"):
        _set_owner(folder / name, RECORDS.number, DATA_GROUP, 0o660)


def _make_folder(folder: Path, group: int, mode: int) -> None:
    folder.mkdir(mode=0o700, exist_ok=True)
    _set_owner(folder, 0, group, mode)


def _set_owner(path: Path, owner: int, group: int, mode: int) -> None:
    """Set the owner and mode of an existing file or folder, but never through a link that an attacker may have created.

    Raises CannotStart: the file is a link, or has another hard link.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    except OSError as error:
        raise CannotStart(f"{path} is not a plain file ({error.strerror}): remove it") from error
    try:
        status = os.fstat(descriptor)
        is_folder = stat.S_ISDIR(status.st_mode)
        if not is_folder and (not stat.S_ISREG(status.st_mode) or status.st_nlink != 1):
            raise CannotStart(f"{path} is not a plain file with one name: remove it")
        os.fchown(descriptor, owner, group)
        os.fchmod(descriptor, mode)
    finally:
        os.close(descriptor)


def _folder_and_entries(folder: Path) -> Iterator[Path]:
    with suppress(FileNotFoundError, NotADirectoryError):
        inside = sorted(folder.iterdir())
        yield folder
        yield from inside
