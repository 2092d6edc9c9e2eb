"""The command line: `gangland COMMAND`. Results go to stdout, progress and errors to stderr.

Exit codes: 0 success, 1 findings (a bot's fault or a failed check), 2 usage or configuration, 3 network or server,
4 not signed in, 130 interrupted.
"""

from gangland_ladder.cli.app import main

__all__ = ["main"]
