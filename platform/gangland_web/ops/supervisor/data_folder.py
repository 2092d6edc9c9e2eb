"""The data folder of one installation: its lock, its secret, its port."""

import errno
import fcntl
import os
import socket
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Final, TextIO

from gangland_sandbox.privileges import is_root
from gangland_web.base.secrecy import stored_secret
from gangland_web.settings import SQLITE_FILE

KEY_FILE = "secret-key"
LOCK = "lock"
"""The file that an installation locks; where it or a database lies is a data folder of ours."""


UNPRIVILEGED_PORTS: Final = Path("/proc/sys/net/ipv4/ip_unprivileged_port_start")


class CannotStart(RuntimeError):
    """The platform cannot be started here and now; the message says why and what to do."""


def open_folder(data: Path) -> None:
    """Make the data folder if need be; only its owner can enter it, but for root's, which is settled later.

    Raises:
        CannotStart: it cannot be made or written to, or it is somebody's folder for other things.
    """
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(data.iterdir()) and not any((data / name).exists() for name in (LOCK, SQLITE_FILE)):
            raise CannotStart(
                f"the data folder {data} holds other things already; name a new or empty folder with --data"
            )
        if not is_root():
            data.chmod(0o700)
        elif (owner := data.stat().st_uid) != 0:
            raise CannotStart(
                f"the data folder {data} belongs to user {owner}: start gangland as that user, not as root"
            )
    except OSError as error:
        raise CannotStart(f"the data folder {data} cannot be used: {error.strerror}") from error


def lock_folder(data: Path) -> TextIO:
    """Return the held lock of a data folder; it is free again when this process ends, however that is.

    Raises:
        CannotStart: another process holds it, or it is somebody else's.
    """
    try:
        lock = (data / LOCK).open("a+", encoding="utf-8")
    except OSError as error:
        raise CannotStart(f"{data / LOCK} cannot be written: {error.strerror}; whose is it?") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        lock.seek(0)
        holder = lock.read().strip() or "unknown"
        lock.close()
        raise CannotStart(
            f"gangland is already running on {data} (process {holder}); stop it, or choose another folder with --data"
        ) from error
    lock.truncate(0)
    lock.write(f"{os.getpid()}\n")
    lock.flush()
    return lock


def secret_key_file(data: Path) -> Path:
    """Return the 0600 file with the key that signs sessions, made on first use."""
    path = data / KEY_FILE
    stored_secret(path)
    return path


def check_port(port: int, host: str = "127.0.0.1") -> None:
    """See that the site can listen at an address of this machine.

    Raises:
        CannotStart: the address is none of this machine's, something else listens there, or only root can.
    """
    try:
        family = socket.AF_INET if ip_address(host).version == 4 else socket.AF_INET6
    except ValueError as error:
        raise CannotStart(f"--host takes an address such as 192.168.1.20, or 0.0.0.0; {host!r} is none") from error
    with suppress(OSError, ValueError):
        first = int(UNPRIVILEGED_PORTS.read_text())
        if is_root() and 0 < port < first:
            raise CannotStart(f"port {port} is for root alone, and the site is not root; choose one from {first} on")
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            if error.errno == errno.EADDRNOTAVAIL:
                raise CannotStart(f"this machine has no address {host}; `ip address` lists its own") from error
            raise CannotStart(f"port {port} is in use ({error.strerror}); choose another with --port") from error
