"""`gangland up`: the whole site on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gangland_ladder.cli import report
from gangland_ladder.common.runtime import run_site


def up(
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port at which the site listens.")] = 8000,
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="The address at which it listens: this machine's in a school's network, or 0.0.0.0 for all of them.",
        ),
    ] = "127.0.0.1",
    data: Annotated[
        Path | None, typer.Option("--data", help="Where everything is kept; the user's data folder if left out.")
    ] = None,
    workers: Annotated[int | None, typer.Option(min=0, max=64, help="Match workers; one a core if left out.")] = None,
    nice: Annotated[
        int | None,
        typer.Option(min=0, max=19, help="The nice value of match workers, so that pages stay fast; 10 if left out."),
    ] = None,
    with_wheels: Annotated[
        bool,
        typer.Option("--with-wheels", help="Fetch all packages of the base install first, to serve at /download."),
    ] = False,
    as_json: report.Json = False,
) -> None:
    """Run the site, with broker, workers and house bots, until Ctrl-C; when started again it goes on.

    Example: gangland up --port 8123 --data ./data

    Example: gangland up --host 192.168.1.20 --with-wheels
    """
    arguments = ["--port", str(port), "--host", host]
    if with_wheels:
        arguments.append("--with-wheels")
    if data is not None:
        arguments += ["--data", str(data)]
    if workers is not None:
        arguments += ["--workers", str(workers)]
    if nice is not None:
        arguments += ["--nice", str(nice)]
    if as_json:
        arguments.append("--json")
    run_site("gangland_web.ops.supervisor", arguments)
