"""A PostgreSQL server for tests: the real one, private to this process, gone at the end."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import mkdtemp

import psycopg

from gangland_web.db import Database

_NUMBERS = count(1)
_OWNER = "postgres"


def binaries() -> Path:
    """The folder of PostgreSQL's programs, the newest version's."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    if on_path is None:
        raise RuntimeError("PostgreSQL's programs are not installed; `make test` installs them or says how")
    return Path(on_path).parent


@cache
def _server() -> str:
    """Start the server, once a process, and return how to reach it."""
    programs = binaries()
    folder = Path(mkdtemp(prefix="gangland-pg-"))
    user = _OWNER if os.geteuid() == 0 else None  # it refuses to run as root
    if user is not None:
        shutil.chown(folder, user)
    data = folder / "data"
    options = [
        "--pgdata",
        str(data),
        "--auth=trust",
        "--encoding=UTF8",
        "--locale=C",
        f"--username={_OWNER}",
        "--no-sync",
    ]
    subprocess.run([str(programs / "initdb"), *options], check=True, stdout=subprocess.DEVNULL, user=user, cwd=folder)
    command = [
        str(programs / "postgres"),
        "-D",
        str(data),
        "-k",
        str(folder),
        "-c",
        "listen_addresses=",
        "-c",
        "fsync=off",
    ]
    log = (folder / "log").open("wb")
    server = subprocess.Popen(command, stdout=log, stderr=log, user=user, cwd=folder)
    log.close()
    atexit.register(_stop, server, folder)
    address = f"host={folder} user={_OWNER}"
    _wait_until_ready(server, address, folder / "log")
    return address


def _wait_until_ready(server: subprocess.Popen[bytes], address: str, log: Path) -> None:
    while True:
        try:
            psycopg.connect(f"{address} dbname=postgres").close()
        except psycopg.OperationalError:
            assert server.poll() is None, log.read_text()
            signal.sigtimedwait([], 0.05)
        else:
            return


def _stop(server: subprocess.Popen[bytes], folder: Path) -> None:
    server.send_signal(signal.SIGQUIT)  # at once: nothing of it is wanted any more
    server.wait()
    shutil.rmtree(folder)


@cache
def _template(fill: Callable[[Database], None]) -> str:
    name = _create("template0")
    database = Database(_url(name))
    fill(database)
    database.close()
    return name


def new_database(fill: Callable[[Database], None]) -> str:
    """Return the address of a fresh database that was filled so (once a process, then copied)."""
    return _url(_create(_template(fill)))


def _create(template: str) -> str:
    name = f"gangland{next(_NUMBERS)}"
    with psycopg.connect(f"{_server()} dbname=postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")  # names of our own
    return name


def _url(name: str) -> str:
    host = _server().split()[0].removeprefix("host=")
    return f"postgresql://{_OWNER}@/{name}?host={host}"
