"""`gangland admin`: what organisers do from a shell on the server."""

from __future__ import annotations

import os
import sys

import typer


def admin(context: typer.Context) -> None:
    """Run an installation from a shell on its server: `gangland admin --help` lists the commands.

    Example: gangland admin tournament list --data ./data
    """
    # The ladder knows nothing of the site, which stands above it: it is started, not imported.
    os.execv(sys.executable, [sys.executable, "-m", "gangland_web.admin", *context.args])
