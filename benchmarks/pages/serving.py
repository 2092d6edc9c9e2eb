"""Start web processes like `gangland up`, but without a page cache, and request pages with a cheap client."""

import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.request import urlopen

from flask import Flask, request
from sqlalchemy import Float, Integer, bindparam, select, true
from sqlmodel import col

from gangland_web.app import create_app
from gangland_web.models.bots import Bot, Version
from gangland_web.models.database import Database
from gangland_web.models.tournaments import Entry
from gangland_web.settings import read_settings
from gangland_web.web.caching import init_page_cache

ROWS: Final = 100
_STARTS_WITHIN_S: Final = 60.0
_ANSWERS_WITHIN_S: Final = 60.0
_TEMPLATE: Final = """<!doctype html><title>Ladder</title><table>{% for row in rows %}
<tr><td>{{ loop.index }}<td><a href="/bots/{{ row.id }}">{{ row.name }}</a><td>{{ "%.2f" | format(row.rating) }}
<td>{{ "%.2f" | format(row.mu) }}<td>{{ "%.2f" | format(row.sigma) }}<td>{{ row.games }}<td>{{ row.wins }}</tr>
{% endfor %}</table>"""


class WrongAnswer(RuntimeError):
    """The site answered with another page than the measured one."""


def site_without_cache() -> Flask:
    """Return the site without a cache of pages."""
    app = create_app()
    init_page_cache(app, 0)
    return app


def site() -> Flask:
    """Return the site as it is."""
    return create_app()


def plain_page() -> Flask:
    """Return an application with one page: 100 rows of a ladder below a rating, read from the index."""
    app, database = Flask("plain"), Database(read_settings().need_database_url())
    template = app.jinja_env.from_string(_TEMPLATE)

    @app.get("/healthz")
    def health() -> str:
        return "yes"

    @app.get("/<int:ladder>")
    def page(ladder: int) -> str:
        with database.read() as db:
            rows = db.connection().execute(_PLAIN, {"ladder": ladder, "below": float(request.args["below"])}).all()
        return template.render(rows=rows)

    return app


_PLAIN: Final[Any] = (
    select(*map(col, (Bot.id, Bot.name, Entry.rating, Entry.mu, Entry.sigma, Entry.games, Entry.wins)))
    .join(Version, col(Version.bot_id) == Bot.id)
    .join(Entry, col(Entry.version_id) == Version.id)
    .where(col(Entry.tournament_id) == bindparam("ladder", type_=Integer), col(Entry.active) == true())
    .where(col(Entry.rating) < bindparam("below", type_=Float))
    .order_by(col(Entry.rating).desc(), col(Entry.id).desc())
    .limit(bindparam("limit", ROWS, type_=Integer, literal_execute=True))
)


@dataclass(frozen=True, slots=True)
class Served:
    """An application that is served on a port; `pid` is the id of its parent process."""

    port: int
    pid: int


@contextmanager
def served(database: Database, factory: str) -> Iterator[Served]:
    """Serve an application with the usual two processes, but without a broker, which pages do not need for reading."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    command = [sys.executable, "-m", "gangland_web.ops.serving", "--bind", f"127.0.0.1:{port}"]
    with TemporaryDirectory() as folder:
        settings = {"DATABASE_URL": database.url, "SECRET_KEY": "for measuring, and nothing else", "DATA_DIR": folder}
        environment = {name: value for name, value in os.environ.items() if name != "REDIS_URL"} | settings
        command += ["--app", f"{plain_page.__module__}:{factory}"]
        log = Path(folder) / "log"
        with log.open("wb") as written:
            process = subprocess.Popen(command, env=environment, stderr=written)
        try:
            if not _is_up(process, port):
                raise RuntimeError(f"the web processes do not answer\n{log.read_text()[-3000:]}")
            yield Served(port, process.pid)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()


def _is_up(process: subprocess.Popen[bytes], port: int) -> bool:
    deadline = time.monotonic() + _STARTS_WITHIN_S
    while process.poll() is None and time.monotonic() < deadline:
        try:
            urlopen(f"http://127.0.0.1:{port}/healthz", timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return True
    return False


@dataclass(slots=True)
class _Connection:
    """A connection with a pending request."""

    socket: socket.socket
    sent_at: float = 0.0
    left: int = 0

    def send(self, path: str) -> None:
        self.left, self.sent_at = 0, time.perf_counter()
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\n\r\n".encode())

    def is_answered(self) -> bool:
        """Add received bytes, and return whether the answer is complete."""
        got = self.socket.recv(1 << 20)
        if not self.left:
            head, _, body = got.partition(b"\r\n\r\n")
            _, _, length = head.lower().partition(b"\r\ncontent-length:")
            if head[9:12] != b"200" or not length:
                raise WrongAnswer(f"{got[:200]!r}, where a page was expected")
            self.left = int(length.split(b"\r\n", 1)[0]) - len(body)
        else:
            self.left -= len(got)
        if not got:
            raise WrongAnswer("the site hung up")
        return self.left == 0


def drive(port: int, paths: Iterator[str], connections: int, seconds: float) -> list[float]:
    """Request pages in turn for this number of seconds and return the time of each answer, in seconds.

    Raises:
        WrongAnswer: an answer was not the page, or there was no answer.
    """
    took: list[float] = []
    with ExitStack() as stack:
        selector = stack.enter_context(selectors.DefaultSelector())
        for _ in range(connections):
            one = _Connection(stack.enter_context(socket.create_connection(("127.0.0.1", port))))
            one.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            selector.register(one.socket, selectors.EVENT_READ, one)
            one.send(next(paths))
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            ready = selector.select(_ANSWERS_WITHIN_S)
            if not ready:
                raise WrongAnswer(f"no answer within {_ANSWERS_WITHIN_S:g} s")
            for key, _ in ready:
                if key.data.is_answered():
                    took.append(time.perf_counter() - key.data.sent_at)
                    key.data.send(next(paths))
    return took
