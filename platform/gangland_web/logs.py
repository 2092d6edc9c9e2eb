"""Logging of every process: one line an event, to standard error, where the supervisor reads it."""

import logging
import sys


def set_up_logging(level: int = logging.INFO) -> None:
    """Send this process's log to standard error; libraries only speak from warnings up."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("gangland").setLevel(level)
    logging.getLogger("gangland_web").setLevel(level)
