"""A scope of systemd's with control groups delegated, where somebody types `gangland up` in a session."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from gangland_sandbox import cgroups
from gangland_sandbox.privileges import is_root

ASKED: Final = "GANGLAND_SCOPE"
"""Set for the process that is started anew, so that it does not ask again."""
ANSWERS_S: Final = 10.0


def enter_scope(arguments: Sequence[str], membership: Path = cgroups.MEMBERSHIP) -> None:
    """Become the same process in a scope with `Delegate=memory pids`, if systemd gives one; else do nothing.

    Not in a unit: that says itself what is delegated to it, and systemd would lose sight of us.
    """
    if os.environ.pop(ASKED, None) or not cgroups.MANAGER.exists() or cgroups.survey().home is not None:
        return
    program = shutil.which("systemd-run")
    if program is None or "/user.slice/" not in membership.read_text(encoding="utf-8"):
        return
    user = () if is_root() else ("--user",)
    command = [program, *user, "--scope", "--quiet", "--collect", "--property=Delegate=memory pids", "--"]
    try:
        tried = subprocess.run([*command, "true"], capture_output=True, check=False, timeout=ANSWERS_S)
    except (OSError, subprocess.TimeoutExpired):
        return
    if tried.returncode == 0:
        again = [*command, sys.executable, "-m", "gangland_web.ops.supervisor", *arguments]
        os.execve(program, again, {**os.environ, ASKED: "1"})
