"""`gangland rate`: ratings from results, in their order; of a file, or of a whole site again."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from gangland_ladder.cli import report
from gangland_ladder.extra import run_site
from gangland_ladder.result_files import Rated, Results, ResultsRefused

SCHEMA = "gangland/rate/1"


def rate(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]", help="Matches as NDJSON, one a line; - is standard input.", show_default=False
        ),
    ] = None,
    rebuild: Annotated[
        bool,
        typer.Option("--rebuild", help="Compute every rating of the site's database again; exit 1 if any differed."),
    ] = False,
    data: Annotated[
        Path | None,
        typer.Option("--data", help="With --rebuild: the site's folder, unless DATABASE_URL names its database."),
    ] = None,
    as_json: report.Json = False,
) -> None:
    """Compute ratings from results, in match number, or rating_order if they say one, as far as none is missing.

    A line is {"number": 1, "game": "gang-of-dice", "blocks": 12, "seats": [{"entry": 7, "mean_place": "4/3"},
    {"entry": 9, "mean_place": "5/3"}]}, lines in any order. A match that does not count is {"number": 2, "void": true}.

    Example: gangland rate matches.ndjson
    """
    if rebuild == (file is not None):
        report.say("gangland: give a FILE of matches, or --rebuild for the site's database")
        sys.exit(report.USAGE)
    if rebuild:
        _rebuild(data, as_json=as_json)
    if data is not None:
        report.say("gangland: --data goes with --rebuild")
        sys.exit(report.USAGE)
    try:
        rated, whole = _rated(file or Path("-"))
    except (ResultsRefused, OSError) as error:
        report.say(f"gangland: {file}: {getattr(error, 'strerror', None) or error}")
        sys.exit(report.USAGE)
    _print(rated, as_json=as_json)
    if not whole:
        sys.exit(report.INTERRUPTED)


def _rebuild(data: Path | None, *, as_json: bool) -> None:
    arguments = [] if data is None else ["--data", str(data)]
    if as_json:
        arguments.append("--json")
    run_site("gangland_web.ratings", arguments)


def _rated(file: Path) -> tuple[Rated, bool]:
    """Return the ratings, and whether all lines were read."""
    results, at = Results(), 0
    with ExitStack() as files:
        lines = sys.stdin.buffer if str(file) == "-" else files.enter_context(file.open("rb"))
        try:
            for at, line in enumerate(lines, 1):
                results.read(at, line)
        except KeyboardInterrupt:
            if not results.begun:
                raise
            report.interrupted(f"after {report.counted(at, 'line')}; what follows is partial")
            return results.rated(), False
    return results.rated(), True


def _print(rated: Rated, *, as_json: bool) -> None:
    if as_json:
        report.print_json({"schema": SCHEMA, **rated.to_dict()})
        return
    rows = []
    for row in rated.rows:
        figures = (row.rating.mu, row.rating.sigma, row.rating.shown)
        rows.append([str(row.rank), str(row.entry), *(f"{figure:.3f}" for figure in figures), str(row.matches)])
    report.print_table(["#", "entry", "mu", "sigma", "mu - 3 sigma", "matches"], rows, left=(1,))
    of_these = f"{report.counted(rated.folded, 'match')} of {rated.game} at {rated.seats} seats"
    told = f"{of_these}, {report.counted(rated.blocks, 'block')} each"
    report.say(told + (f", {rated.void} more void" if rated.void else ""))
    if rated.waiting:
        waits = "waits" if rated.waiting == 1 else "wait"
        report.say(f"{report.counted(rated.waiting, 'match')} {waits} for number {rated.cursor}, not in the file")
