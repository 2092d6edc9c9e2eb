"""`python -m gangland_web.ops.supervisor`: what `gangland up` runs."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from gangland_ladder.local.salt import data_folder
from gangland_web.base.secrecy import keep_private
from gangland_web.ops.download_packages import FetchFailed, fetch
from gangland_web.ops.supervisor.data_folder import CannotStart, check_port, lock_folder, open_folder
from gangland_web.ops.supervisor.environment import LOOPBACK, NICE
from gangland_web.ops.supervisor.journal import Journal
from gangland_web.ops.supervisor.scope import enter_scope
from gangland_web.process import check_log_settings
from gangland_web.settings import ConfigError

CANNOT_START = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until told to stop; return the exit status."""
    given = _parser().parse_args(arguments)
    enter_scope(sys.argv[1:] if arguments is None else arguments)
    keep_private()
    data = (given.data or data_folder(os.environ)).expanduser().absolute()
    try:
        check_log_settings(os.environ)
        open_folder(data)
        lock = lock_folder(data)
        check_port(given.port, given.host)
        journal = Journal(
            data / "log" / "gangland.log", as_json=given.json, json_lines=os.environ.get("LOG_FORMAT") == "json"
        )
        # Here, since it brings in most of the platform: who cannot start is told so before.
        from gangland_web.ops.supervisor.supervisor import Supervisor

        try:
            if given.with_wheels:
                fetch(data, lambda sentence: journal.write("gangland", sentence))
            Supervisor(data, given.port, given.workers, journal, host=given.host, nice=given.nice).run()
        finally:
            journal.close()
            lock.close()
    except (CannotStart, ConfigError, FetchFailed) as error:
        sys.stderr.write(f"gangland up: {error}\n")
        return CANNOT_START
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="gangland up", description="Serve the whole site on this machine.")
    parser.add_argument("--port", type=int, default=8000, help="the port at which the site listens")
    parser.add_argument("--host", default=LOOPBACK, help="the address at which it listens")
    parser.add_argument("--with-wheels", action="store_true", help="fetch the base install, to be served at /download")
    parser.add_argument("--data", type=Path, default=None, help="where everything is kept")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="match workers")
    parser.add_argument("--nice", type=int, choices=range(20), default=NICE, help="their nice value (0 to 19)")
    parser.add_argument("--json", action="store_true", help="events as lines of JSON on standard output")
    return parser


if __name__ == "__main__":
    sys.exit(main())
