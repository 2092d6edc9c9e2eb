"""`python -m gangland_web.ops.serving --bind 127.0.0.1:8000`: the site, as two processes that share a socket.

This process makes the socket, starts the others, and starts anew those that end or give no sign of life.  It imports
nothing of the site, so that nothing of it is shared by accident.
"""

import argparse
import faulthandler
import gc
import importlib
import logging
import mmap
import os
import resource
import signal
import socket
import struct
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final

import gangland_web
from gangland_sandbox.parent import die_with
from gangland_web.base.secrecy import keep_private
from gangland_web.ops.web_server import CONNECTIONS, RESERVED_DESCRIPTORS, Server, listen, room_for_files
from gangland_web.process import set_up_logging

PROCESSES: Final = 2
BODY_BYTES: Final = 1040 * 1024
"""The longest body: an upload and its form."""
GRACE_S: Final = 5.0
"""Seconds that requests under way have when the site stops; less than anybody gives who stops it."""
SILENT_S: Final = 30.0
"""Seconds without a sign of life after which a process is started anew; its threads do not count."""
PAUSE_S: Final = 1.0
"""Between two starts of a process that ends by itself."""
STARTS_S: Final = 120.0
"""How long a process may take to import the site on a busy machine."""
SWITCH_S: Final = 0.0001
"""How long a thread runs while another waits for the interpreter, which every quick request does several times."""
GARBAGE_AFTER: Final = 20_000
"""How many new objects there are between two looks for cycles; a page makes thousands, and hardly a cycle."""
APPLICATION: Final = "gangland_web.app:create_app"
_LOG: Final = logging.getLogger("gangland_web.ops.serving")


class Shares:
    """How many connections each of the processes has, by its place, in memory that they share."""

    def __init__(self, processes: int) -> None:
        """Begin with none."""
        self._counts = memoryview(mmap.mmap(-1, 4 * processes)).cast("I")

    def fewest(self, place: int, here: int) -> int:
        """Note how many a process has, and return how many the one with the fewest has."""
        self._counts[place] = here
        return min(self._counts)


class Processes:
    """The processes that answer, by their place; each writes into memory that is shared when it was last alive."""

    def __init__(self, listening: socket.socket, application: str, count: int) -> None:
        """Start nothing yet."""
        self._listening, self._application = listening, application
        self._alive_at = mmap.mmap(-1, 8 * count)
        self._shares = Shares(count)
        self._pids: dict[int, int] = {}
        self._starts = dict.fromkeys(range(count), 0.0)
        self._stopping = False

    def run(self, changed: Callable[[], bool] | None = None) -> int:
        """Keep them running until a signal asks to stop; return the exit status.

        Args:
            changed: asked every now and then whether all are to be started anew.
        """
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._on_signal)
        while not self._stopping:
            for place, not_before in self._starts.items():
                if place not in self._pids and time.monotonic() >= not_before:
                    self._start(place)
            if changed is not None and changed():
                self._signal(signal.SIGTERM)
            time.sleep(0.2)
            self._reap()
            self._end_silent()
        self._stop()
        return 0

    def _start(self, place: int) -> None:
        parent = os.getpid()
        self._sign(place, STARTS_S - SILENT_S)
        self._starts[place] = time.monotonic() + PAUSE_S
        pid = os.fork()
        if pid:
            self._pids[place] = pid
            return
        status = 1
        try:
            die_with(parent)
            status = serve(
                self._listening,
                self._application,
                len(self._starts),
                lambda: self._sign(place),
                partial(self._shares.fewest, place),
            )
        except Exception:  # noqa: BLE001  # its parent starts it anew
            _LOG.exception("a web process cannot go on")
        finally:
            logging.shutdown()
            os._exit(status)

    def _sign(self, place: int, more_s: float = 0.0) -> None:
        struct.pack_into("d", self._alive_at, 8 * place, time.monotonic() + more_s)

    def _end_silent(self) -> None:
        for place, pid in self._pids.items():
            (at,) = struct.unpack_from("d", self._alive_at, 8 * place)
            if time.monotonic() - at > SILENT_S:
                _LOG.error("a web process gave no sign of life for %.0f s and is started anew", SILENT_S)
                os.kill(pid, signal.SIGABRT)  # it says where it stands (faulthandler), and ends
                self._sign(place)

    def _reap(self) -> None:
        for place, pid in [*self._pids.items()]:
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                del self._pids[place]
                self._shares.fewest(place, 0)
                if not self._stopping and status != 0:
                    _LOG.error("a web process ended with status %s", os.waitstatus_to_exitcode(status))

    def _stop(self) -> None:
        """Have all end what they have begun; kill those that take longer."""
        self._listening.close()
        self._signal(signal.SIGTERM)
        until = time.monotonic() + GRACE_S + 1
        while self._pids and time.monotonic() < until:
            time.sleep(0.02)
            self._reap()
        self._signal(signal.SIGKILL)
        while self._pids:
            time.sleep(0.02)
            self._reap()

    def _signal(self, number: signal.Signals) -> None:
        for pid in self._pids.values():
            os.kill(pid, number)

    def _on_signal(self, _number: int, _frame: Any) -> None:
        self._stopping = True


def serve(
    listening: socket.socket, application: str, processes: int, beat: Callable[[], object], fewest: Callable[[int], int]
) -> int:
    """Be one of the processes: answer until told to stop."""
    stopped: list[Server] = []
    ended = False

    def on_signal(_number: int, _frame: Any) -> None:
        nonlocal ended
        ended = True
        for server in stopped:
            server.stop(GRACE_S)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, on_signal)
    faulthandler.enable()
    module, _, factory = application.partition(":")
    made = getattr(importlib.import_module(module), factory)()
    server = Server(
        made, listening, body_bytes=BODY_BYTES, connections=most_connections(), kept_bytes=room_for_files(processes)
    )
    server.beat, server.fewest = beat, fewest
    collect_less()
    sys.setswitchinterval(SWITCH_S)
    stopped.append(server)
    if ended:
        server.stop(0)
    server.run()
    return 0


def collect_less() -> None:
    """Have Python look for cycles less often, and not in what was imported: every thread waits for such a look."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_AFTER, 20, 20)


def raise_descriptors() -> None:
    """Open as many descriptors as the system lets us; a unit's filter may forbid to ask for more than there are."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = RESERVED_DESCRIPTORS + 3 * CONNECTIONS
    most = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= most:
        return
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    except (OSError, ValueError) as error:
        _LOG.warning("the limit of open files stays at %s: %s", soft, error)


def most_connections() -> int:
    """Return how many connections the limit of open files leaves room for, CONNECTIONS at most."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    room = CONNECTIONS if soft == resource.RLIM_INFINITY else (soft - RESERVED_DESCRIPTORS) // 3
    if room < CONNECTIONS:
        _LOG.warning(
            "room for %s connections a process and not %s: the limit of open files is %s, raise it to %s",
            max(room, 16),
            CONNECTIONS,
            soft,
            RESERVED_DESCRIPTORS + 3 * CONNECTIONS,
        )
    return max(16, min(room, CONNECTIONS))


def sources_changed() -> Callable[[], bool]:
    """Return what tells whether a source of the site changed since it was asked last; for whoever works on it."""
    folder = Path(str(gangland_web.__file__)).parent
    known: list[float] = []

    def changed() -> bool:
        now = [max(path.stat().st_mtime for path in folder.rglob("*.py"))]
        is_newer = bool(known) and known != now
        known[:] = now
        return is_newer

    return changed


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until told to stop; return the exit status."""
    given = _parser().parse_args(arguments)
    keep_private()
    set_up_logging()
    host, _, port = given.bind.rpartition(":")
    if warning := proxies_warning(host.strip("[]"), os.environ):
        _LOG.warning("%s", warning)
    raise_descriptors()
    try:
        listening = listen(host.strip("[]"), int(port))
    except (OSError, ValueError) as error:
        _LOG.error("cannot listen on %s: %s", given.bind, error)
        return 2
    return Processes(listening, given.app, given.processes).run(sources_changed() if given.reload else None)


def proxies_warning(host: str, environ: Mapping[str, str]) -> str | None:
    """Return what to say where a proxy is trusted, the site listens elsewhere than here, and no proxy is named."""
    try:
        is_here = host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        is_here = False
    if (
        is_here
        or environ.get("TRUSTED_PROXIES", "0").strip() in ("", "0")
        or environ.get("PROXY_ADDRESSES", "").strip()
    ):
        return None
    return (
        f"TRUSTED_PROXIES is set and the site listens at {host}, but only a proxy on this machine is believed:"
        " set PROXY_ADDRESSES to the addresses of your proxies, and let nobody else reach the site"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m gangland_web.ops.serving", description="Serve the site.")
    parser.add_argument("--bind", default="127.0.0.1:8000", help="address and port")
    parser.add_argument("--processes", type=int, default=PROCESSES, help="how many processes answer")
    parser.add_argument("--reload", action="store_true", help="start anew when a source changes")
    parser.add_argument("--app", default=APPLICATION, help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    sys.exit(main())
