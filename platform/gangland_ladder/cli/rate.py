"""`gangland rate`: compute ratings from a results file, or for a whole site."""

import sys
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer
from msgspec import UNSET

from gangland_ladder.cli import output
from gangland_ladder.cli.replay_files import STDIN, is_archive
from gangland_ladder.common import runtime, texts
from gangland_ladder.documents.ladders import Rate, RatingRow
from gangland_ladder.proof import archive_files, archives, result_forms
from gangland_ladder.rating.result_files import FileRatings, Results, ResultsRefused


def rate(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]",
            help="An archive, a table of matches, or output of ladder --json; - is stdin.",
            show_default=False,
        ),
    ] = None,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Recompute every rating in the site's database.")] = False,
    data: Annotated[
        Path | None,
        typer.Option("--data", metavar="FOLDER", help="With --rebuild: the data folder, unless DATABASE_URL is set."),
    ] = None,
    game: Annotated[str | None, typer.Option("--game", help="The game, if the table does not name it.")] = None,
    blocks: Annotated[
        int | None, typer.Option("--blocks", min=1, help="Blocks per match, if the table does not have them.")
    ] = None,
    as_json: output.Json = False,
    quiet: output.Quiet = False,
) -> None:
    """Compute ratings from a results file.

    Matches are rated in `rating_order`, or by match number if there is none, up to the first gap.
    docs/ratings.md describes the format for results from other programs.

    Example: gangland rate matches.ndjson
    """
    if rebuild == (file is not None):
        output.say("gangland: expected a FILE of results, or --rebuild")
        sys.exit(runtime.USAGE)
    if rebuild:
        runtime.run_site(
            "gangland_web.ops.rebuild_ratings",
            [*([] if data is None else ["--data", str(data)]), *(["--json"] if as_json else [])],
        )
    if data is not None:
        output.say("gangland: --data needs --rebuild")
        sys.exit(runtime.USAGE)
    try:
        rated, is_complete = _rate_file(file or Path("-"), game, blocks, quiet=quiet)
    except (ResultsRefused, archives.ArchiveError, OSError) as error:
        output.say(f"gangland: {file}: {getattr(error, 'strerror', None) or error}")
        sys.exit(runtime.USAGE)
    _print(rated, as_json=as_json)
    if not is_complete:
        sys.exit(runtime.INTERRUPTED)


def _rate_file(file: Path, game: str | None, blocks: int | None, *, quiet: bool) -> tuple[FileRatings, bool]:
    results, count = Results(), 0
    with ExitStack() as files:
        progress = files.enter_context(output.ProgressLine(quiet=quiet))
        try:
            for count, (at, line) in enumerate(_lines(file, game, blocks, files), 1):
                results.add(at, line)
                progress.show(f"{texts.counted(count, 'match')} read")
        except KeyboardInterrupt:
            if not results.has_matches:
                raise
            output.say_interrupted(f"after {texts.counted(count, 'match')}; results are partial")
            return results.ratings(), False
        return results.ratings(lambda rated: progress.show(f"{rated} of {texts.counted(count, 'match')} rated")), True


def _lines(file: Path, game: str | None, blocks: int | None, files: ExitStack) -> result_forms.NumberedLines:
    if is_archive(file):
        return result_forms.matches_of(archive_files.read_archive(file))
    stream: Iterable[bytes] = sys.stdin.buffer if file == STDIN else files.enter_context(file.open("rb"))
    return result_forms.lines_of(stream, game, blocks)


def _print(rated: FileRatings, *, as_json: bool) -> None:
    if as_json:
        output.print_json(_document(rated))
        return
    rows = []
    for row in rated.rows:
        figures = (row.rating.mu, row.rating.sigma, row.rating.shown)
        bot = [rated.bots.get(row.entry, "-")] if rated.bots else []
        rows.append([str(row.rank), str(row.entry), *bot, *(f"{figure:.3f}" for figure in figures), str(row.matches)])
    bot_column = ["bot"] if rated.bots else []
    head = ["#", "entry", *bot_column, "mu", "sigma", "mu - 3 sigma", "matches"]
    output.print_table(head, rows, left=(1, 2)[: 1 + len(bot_column)])
    played_text = f"{texts.counted(rated.rated_matches, 'match')} of {rated.game} at {rated.seats} seats"
    text = f"{played_text}, {texts.counted(rated.blocks, 'block')} each"
    output.say(text + (f", plus {texts.counted(rated.void, 'void match')}" if rated.void else ""))
    if rated.waiting:
        output.say(f"not rated: {texts.counted(rated.waiting, 'match')} after number {rated.cursor}, which is missing")


def _document(rated: FileRatings) -> Rate:
    return Rate(
        game=rated.game,
        seats=rated.seats,
        blocks=rated.blocks,
        folded=rated.rated_matches,
        void=rated.void,
        waiting=rated.waiting,
        cursor=rated.cursor,
        ratings=[
            RatingRow(
                rank=row.rank,
                entry=row.entry,
                bot=rated.bots.get(row.entry, UNSET),
                mu=row.rating.mu,
                sigma=row.rating.sigma,
                shown=row.rating.shown,
                matches=row.matches,
            )
            for row in rated.rows
        ],
    )
