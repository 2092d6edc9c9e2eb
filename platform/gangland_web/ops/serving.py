"""Serve the site with two processes of granian (`python -m gangland_web.ops.serving --bind 127.0.0.1:8000`).

This process starts the serving processes, and restarts them when they end.  It does not import the site, so that no
state is shared by accident and a new process uses the current sources.
"""

import argparse
import faulthandler
import gc
import importlib
import logging
import os
import resource
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from threading import Thread
from typing import Any, Final

from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server import Server

import gangland_web
from gangland_sandbox.parent import die_with
from gangland_web.base.secrecy import keep_private
from gangland_web.ops.web_server import Site
from gangland_web.process import set_up_logging

PROCESSES: Final = 2
GRACE_S: Final = 5  # time for running requests when the site stops; less than the timeout of any supervisor
# Time limit until the headers arrive, and between two requests on a connection; pages poll every two seconds.
IDLE_S: Final = 15
HEAD_BYTES: Final = 16 * 1024  # longer headers are answered with 431
CONNECTIONS: Final = 4096  # per process; each has three descriptors: the socket, and files for request and response
RESERVED_DESCRIPTORS: Final = 256  # for the database, the broker and other files
# Maximum size of the requests and responses that one process stores; less if the disk is nearly full.
MAX_STORED_BYTES: Final = 512 * 1024**2
START_TIMEOUT_S: Final = 120.0  # time limit for a process to import the site, even on a busy machine
# How long a thread runs while another thread waits for the interpreter; each quick request waits several times.
SWITCH_S: Final = 0.0001
# New objects between two garbage collections; a page creates thousands of objects, but hardly any cycles.
GARBAGE_THRESHOLD: Final = 20_000
APPLICATION: Final = "gangland_web.app:create_app"
_LOG: Final = logging.getLogger("gangland_web.ops.serving")


def load(application: str, parent: int) -> Any:
    """Return the WSGI application; called in each serving process before it accepts connections."""
    die_with(parent)
    faulthandler.enable()
    faulthandler.dump_traceback_later(START_TIMEOUT_S, exit=True)  # later, the site watches itself
    module, _, factory = application.partition(":")
    site = Site(getattr(importlib.import_module(module), factory)(), storage_limit())
    reduce_collections()
    sys.setswitchinterval(SWITCH_S)
    return site


def storage_limit() -> int:
    """Return the bytes that each process may store: MAX_STORED_BYTES, or its share of half the free space if less."""
    disk = os.statvfs(tempfile.gettempdir())
    return min(MAX_STORED_BYTES, disk.f_bavail * disk.f_frsize // 2 // PROCESSES)


def reduce_collections() -> None:
    """Collect garbage less often, and skip imported modules, since all threads wait for a collection."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_THRESHOLD, 20, 20)


def raise_descriptor_limit() -> None:
    """Raise the limit of file descriptors as far as possible."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    target = RESERVED_DESCRIPTORS + 3 * CONNECTIONS
    limit = target if hard == resource.RLIM_INFINITY else min(hard, target)
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= limit:
        return
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    except (OSError, ValueError) as error:
        _LOG.warning("the limit of open files stays at %s: %s", soft, error)


def connection_limit() -> int:
    """Return the number of connections that the limit of open files allows, from 16 to CONNECTIONS."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    room = CONNECTIONS if soft == resource.RLIM_INFINITY else (soft - RESERVED_DESCRIPTORS) // 3
    if room < CONNECTIONS:
        _LOG.warning(
            "only %s connections per process instead of %s, because the limit of open files is %s; raise it to %s",
            max(room, 16),
            CONNECTIONS,
            soft,
            RESERVED_DESCRIPTORS + 3 * CONNECTIONS,
        )
    return max(16, min(room, CONNECTIONS))


def watch_sources() -> None:
    """Restart all processes when a source file of the site changes; never returns."""
    folder = Path(str(gangland_web.__file__)).parent
    known = 0.0
    while True:
        latest = max(path.stat().st_mtime for path in folder.rglob("*.py"))
        if known and latest != known:
            os.kill(os.getpid(), signal.SIGHUP)
        known = latest
        time.sleep(1)


def check_free(host: str, port: int) -> None:
    """Raise OSError if an address is not local or is in use, since granian's processes would share it."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((host, port))


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve the site until a signal arrives, and return the exit status."""
    options = _parser().parse_args(arguments)
    keep_private()
    set_up_logging()
    host, _, port = options.bind.rpartition(":")
    host = host.strip("[]")
    if warning := proxies_warning(host, os.environ):
        _LOG.warning("%s", warning)
    raise_descriptor_limit()
    try:
        check_free(host, int(port))
    except (OSError, ValueError) as error:
        _LOG.error("cannot listen on %s: %s", options.bind, error)
        return 2
    if options.reload:
        Thread(target=watch_sources, daemon=True).start()
    server = Server(
        options.app,
        host,
        int(port),
        interface=Interfaces.RSGI,
        workers=options.processes,
        respawn_failed_workers=True,
        respawn_interval=0.1,
        workers_kill_timeout=GRACE_S,
        loop=Loops.asyncio,
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=int(1000 * IDLE_S), max_buffer_size=HEAD_BYTES),
        websockets=False,
        backlog=1024 * options.processes,
        backpressure=connection_limit(),
        log_level=LogLevels.warning,
        log_dictconfig={"incremental": True, "handlers": {}, "loggers": {}},
    )
    server.serve(target_loader=partial(load, options.app, os.getpid()), wrap_loader=False)
    return 0


def proxies_warning(host: str, environ: Mapping[str, str]) -> str | None:
    """Return a warning if other machines can reach the site and proxies are trusted without PROXY_ADDRESSES."""
    try:
        is_local = host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        is_local = False
    if (
        is_local
        or environ.get("TRUSTED_PROXIES", "0").strip() in ("", "0")
        or environ.get("PROXY_ADDRESSES", "").strip()
    ):
        return None
    return (
        f"TRUSTED_PROXIES is set and the site listens at {host}, but only a proxy on this machine is trusted:"
        " set PROXY_ADDRESSES to the addresses of your proxies, and let only them reach the site"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m gangland_web.ops.serving", description="Serve the site.")
    parser.add_argument("--bind", default="127.0.0.1:8000", help="address and port")
    parser.add_argument("--processes", type=int, default=PROCESSES, help="number of serving processes")
    parser.add_argument("--reload", action="store_true", help="restart when a source file changes")
    parser.add_argument("--app", default=APPLICATION, help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    sys.exit(main())
