"""The command line, `gangland COMMAND`: results are written to stdout, and progress and errors to stderr."""

from gangland_ladder.cli.app import main

__all__ = ["main"]
