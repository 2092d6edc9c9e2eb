"""The command line, `gangland COMMAND`: results go to stdout, progress and errors to stderr."""

from gangland_ladder.cli.app import main

__all__ = ["main"]
