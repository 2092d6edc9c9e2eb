"""PostgreSQL servers for tests: the real server in a temporary folder, removed at the end."""

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

from gangland_web.models.database import Database

_OWNER = "postgres"


def binaries() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    if on_path is None:
        raise RuntimeError("PostgreSQL's programs are not installed; `make test` installs them or says how")
    return Path(on_path).parent


class Server:
    def __init__(self) -> None:
        self._programs = binaries()
        self._folder = Path(mkdtemp(prefix="gangland-pg-"))
        self._user = _OWNER if os.geteuid() == 0 else None  # the server refuses to run as root
        if self._user is not None:
            shutil.chown(self._folder, self._user)
            self._folder.chmod(0o755)  # for the site's users: as root, `gangland up` runs none of them as itself
        self._numbers = count(1)
        self._process: subprocess.Popen[bytes] | None = None
        self._initialise()
        self.start()

    def start(self) -> None:
        options = ["-D", str(self._folder / "data"), "-k", str(self._folder)]
        settings = ["-c", "listen_addresses=", "-c", "fsync=off", "-c", "full_page_writes=off"]
        with (self._folder / "log").open("ab") as log:
            command = [str(self._programs / "postgres"), *options, *settings]
            self._process = subprocess.Popen(command, stdout=log, stderr=log, user=self._user, cwd=self._folder)
        while not self._answers():
            assert self._process.poll() is None, (self._folder / "log").read_text()
            signal.sigtimedwait([], 0.05)

    def stop(self, how: signal.Signals = signal.SIGQUIT) -> None:
        """Stop the server: SIGQUIT at once, as in a crash; SIGINT first disconnects all clients."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait()
            self._process = None

    def close(self) -> None:
        self.stop()
        shutil.rmtree(self._folder)

    def create(self, template: str = "template0") -> str:
        name = f"gangland{next(self._numbers)}"
        with psycopg.connect(f"{self._address} dbname=postgres", autocommit=True) as connection:
            # A copy of files takes half the work of the page copy of version 15; earlier versions only copy files.
            how = "STRATEGY FILE_COPY" if connection.info.server_version >= 150000 else ""
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template} {how}")  # these names are not user input
        return name

    def url(self, name: str) -> str:
        return f"postgresql://{_OWNER}@/{name}?host={self._folder}"

    @property
    def _address(self) -> str:
        return f"host={self._folder} user={_OWNER}"

    def _initialise(self) -> None:
        options = ["--pgdata", str(self._folder / "data"), "--auth=trust", "--encoding=UTF8", "--locale=C"]
        subprocess.run(
            [str(self._programs / "initdb"), *options, f"--username={_OWNER}", "--no-sync"],
            check=True,
            stdout=subprocess.DEVNULL,
            user=self._user,
            cwd=self._folder,
        )

    def _answers(self) -> bool:
        try:
            psycopg.connect(f"{self._address} dbname=postgres").close()
        except psycopg.OperationalError:
            return False
        return True


@cache
def _server() -> Server:
    server = Server()
    atexit.register(server.close)
    return server


@cache
def _template(*fills: Callable[[Database], None]) -> str:
    name = _server().create(_template(*fills[:-1]) if fills[:-1] else "template0")
    database = Database(_server().url(name))
    fills[-1](database)
    database.close()
    return name


def new_database(*fills: Callable[[Database], None]) -> str:
    """Return the address of a new database, filled by these functions (once per process, then copied)."""
    return _server().url(_server().create(_template(*fills)))
