"""The command line, `gangland COMMAND`: results are written to stdout, and progress and errors to stderr."""

import sys


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        from gangland_ladder.cli import app
    except KeyboardInterrupt:
        from gangland_ladder.common.runtime import INTERRUPTED

        sys.stderr.write("gangland: interrupted\n")
        sys.exit(INTERRUPTED)
    app.main()
