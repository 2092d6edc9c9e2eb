"""What the children of the supervisor do alike: they do not outlive it, and say what is wrong with their settings."""

import logging
import os
import sys
from collections.abc import Callable
from functools import partial

from gangland_sandbox.niceness import stand_back
from gangland_sandbox.parent import die_with
from gangland_web.settings.config import ConfigError

PARENT = "GANGLAND_PARENT"
"""Holds the supervisor's pid in the environment of its children."""


def die_with_parent() -> None:
    """Have the kernel end this process when its parent ends, if the supervisor is its parent.

    Call it again after changing user: the kernel forgets it then.  Does nothing outside of Linux
    and for processes that were started by something else.
    """
    parent = os.environ.get(PARENT, "")
    if parent.isdigit() and sys.platform.startswith("linux"):
        die_with(int(parent))


def before_exec(nice: int = 0, become: Callable[[], None] | None = None) -> Callable[[], None]:
    """Return what a child does between fork and exec so that it ends with its parent, and stands back so far.

    Args:
        become: gives root up.
    """
    return partial(_before_exec, os.getpid(), nice, become)


def _before_exec(parent: int, nice: int, become: Callable[[], None] | None) -> None:
    stand_back(nice)
    if become is not None:
        become()
    die_with(parent)  # last: the kernel forgets it where a process changes its user


def exit_status(run: Callable[[], int]) -> int:
    """Run a process and return its exit status: 2, with a line in the log, where its settings make no sense."""
    try:
        return run()
    except ConfigError as error:
        logging.getLogger("gangland_web").error("%s", error)
        return 2
