"""`gangland admin`: what organisers do from a shell on the server."""

from __future__ import annotations

import typer

from gangland_ladder.common.runtime import run_site


def admin(context: typer.Context) -> None:
    """Run an installation from a shell on its server: `gangland admin --help` lists the commands.

    Example: gangland admin tournament list --data ./data
    """
    run_site("gangland_web.ops.admin", context.args)
