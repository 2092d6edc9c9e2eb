"""Become the broker's server: `python -m gangland_web.broker`, for a service manager.

The binary is valkey-server or redis-server of the PATH, else the one that came with the package; it is told what
`gangland up` tells its own.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from gangland_web.broker.server import server_command

MISCONFIGURED = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the server in place of this process; return the exit status if that cannot be."""
    given = _parser().parse_args(arguments)
    if not given.users.is_file():
        sys.stderr.write(
            f"gangland_web.broker: --users names {str(given.users)!r}, which is no file: expected an access list\n"
        )
        return MISCONFIGURED
    command = server_command(given.folder, given.socket, given.users, socket_mode="770")
    os.umask(0o007)
    return os.execv(command[0], command)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m gangland_web.broker", description="The broker, on a unix socket.")
    parser.add_argument("--folder", type=Path, required=True, help="where its log is kept")
    parser.add_argument("--socket", type=Path, required=True, help="where it listens, for its user and group")
    parser.add_argument("--users", type=Path, required=True, help="its access list: docker/broker-users.acl, filled in")
    return parser


if __name__ == "__main__":
    sys.exit(main())
