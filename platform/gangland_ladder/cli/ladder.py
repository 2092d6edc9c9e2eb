"""`gangland ladder`: play a round robin between local bots."""

import shlex
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Annotated

import typer
from msgspec.structs import asdict, replace

from gangland_ladder.cli import options, output
from gangland_ladder.common import runtime, texts
from gangland_ladder.documents import ladders
from gangland_ladder.local import matches
from gangland_ladder.local.bots import InvalidArgument, LocalBot, find_bots, game_of, imported_games, paths_of
from gangland_ladder.local.ladder import LadderResults, archive_content, ladder_page
from gangland_ladder.matches.match_jobs import MatchJob
from gangland_ladder.proof import archive_files, archives
from gangland_ladder.rating.final_standings import FinalStandings
from gangland_sandbox.jail import Mode
from gangland_sandbox.limits import Profile

# The command.


def ladder(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH...", help="Files, zips, folders of bots, or house bots.")
    ],
    game: output.Game = None,
    seats: Annotated[int, typer.Option(min=2, max=4, help="Bots per table.")] = 2,
    blocks: Annotated[
        int,
        typer.Option(min=1, max=100_000, help="Blocks per table. A block plays one seed in every rotation of seats."),
    ] = 24,
    seed: output.Seed = None,
    salt: options.Salt = None,
    option: options.GameOptions = None,
    as_json: output.Json = False,
    ndjson: Annotated[bool, typer.Option("--ndjson", help="Print one line of JSON per match while playing.")] = False,
    html: Annotated[Path | None, typer.Option("--html", metavar="REPORT", help="Write a report with charts.")] = None,
    resume: options.Resume = False,
    quiet: output.Quiet = False,
    trusted: output.Trusted = False,
    profile: output.InProfile = Profile.PLAIN,
    archive: Annotated[
        Path | None,
        typer.Option("--archive", metavar="FILE", help="Write all games to an archive, for `gangland verify`."),
    ] = None,
) -> None:
    """Play all bots against each other and print the standings.

    Each table plays the same dice in every rotation of seats.

    Example: gangland ladder my_bot.py bots/gangland_bots/gang_of_dice --seats 4 --blocks 60 --seed 7
    """
    if as_json and ndjson:
        raise InvalidArgument("give --json or --ndjson, not both")
    default = options.default_game()
    bots = find_bots(paths_of(paths, game, default))
    if game is not None:
        bots = _bots_for(bots, game)
    game = game_of(bots, game, default)
    if len(bots) < seats:
        raise InvalidArgument(f"--seats {seats} needs at least {seats} bots, got {len(bots)}")
    game_options = options.options_of(game, seats, option)
    with ExitStack() as files:
        archived = None if archive is None else files.enter_context(_archive_at(archive, blocks))
        page = None if html is None else files.enter_context(_open_file(html))
        mode: Mode = Mode.TRUSTED if trusted else Mode.JAIL
        salt_bytes = options.given_salt(salt)
        run = options.Run.open(
            "ladder", game, bots, seats, seed, salt_bytes, game_options, mode, profile, resume=resume
        )
        files.callback(run.close)
        played = _Ladder(run, blocks, ndjson=ndjson, quiet=quiet)
        command = f"gangland ladder {shlex.join(map(str, paths))}{run.arguments()}"
        interrupted = False
        try:
            played.play(keep=archive is not None)
        except KeyboardInterrupt:
            interrupted = True
            played.add_stored_results(keep=archive is not None)
            output.say(f"interrupted after {played.results.games} of {played.games_planned} games; results are partial")
            output.say(f"continue: {command} --blocks {blocks} --resume")
        finally:
            if archived is not None:
                played.write(archived)
        if page is not None:
            full_command = f"gangland ladder {shlex.join(map(str, paths))}{run.arguments(for_file=True)}"
            page.write(ladder_page(played.results, played.document(), full_command, partial=interrupted).encode())
    played.show(as_json=as_json, interrupted=interrupted, command=command)
    if archive is not None and not quiet:
        played.say_match_numbers(f"{shlex.join(map(str, paths))} --archive {shlex.quote(str(archive))}")
    if interrupted:
        sys.exit(runtime.INTERRUPTED)
    if played.voids:
        sys.exit(runtime.USAGE)


def _archive_at(file: Path, blocks: int) -> IO[bytes]:
    limit = matches.MATCH_BLOCKS
    if blocks > limit and blocks % limit:
        raise InvalidArgument(f"--archive needs --blocks up to {limit} or a multiple of {limit}, not {blocks}")
    return _open_file(file)


def _open_file(file: Path) -> IO[bytes]:
    with runtime.write_errors_as(file, InvalidArgument):
        return file.open("wb")


def _bots_for(bots: list[LocalBot], game: str) -> list[LocalBot]:
    others = [bot for bot in bots if imported_games(bot.source) and game not in imported_games(bot.source)]
    if others:
        output.say(f"left out, not for {game}: {', '.join(bot.name for bot in others)}")
    return [bot for bot in bots if bot not in others]


class _Ladder:
    def __init__(self, run: options.Run, blocks: int, *, ndjson: bool, quiet: bool) -> None:
        self.run = run
        self.blocks = blocks
        self.ndjson = ndjson
        self.quiet = quiet
        self.results = LadderResults(run.game, [bot.name for bot in run.bots], run.seats)
        self.jobs = run.round_robin(blocks)
        self.games_planned = sum(len(job.blocks) * run.seats for job in self.jobs)
        self.voids: list[tuple[MatchJob, matches.Void]] = []
        self.archived: dict[int, archives.PlayedMatch] = {}
        self.matches: list[ladders.LadderMatch] = []
        self.added_count = 0
        self.start_s = time.monotonic()

    def play(self, *, keep: bool) -> None:
        run = self.run
        if self.ndjson:
            stream(ladders.RunLine(**asdict(self._head()), matches=len(self.jobs), games=self.games_planned))
        for job, summary in zip(self.jobs, matches.first_results(self.jobs, run.store, keep=keep), strict=False):
            self._add(job, summary)
        if remaining := self.jobs[self.added_count :]:
            if run.mode is Mode.TRUSTED and not self.quiet:
                output.say(output.TRUSTED_WARNING)
            before = self.results.games
            with output.Progress(self.games_planned, before, quiet=self.quiet) as progress, run.tables() as tables:

                def show() -> None:
                    progress.update(max(self.results.games, before + tables.games))

                for job, result in matches.play_all(remaining, run.sources, run.store, tables, keep=keep, on_poll=show):
                    self._add(job, result)
                    show()
        for job, void in self.voids:
            names = ", ".join(seat.name for seat in job.seats)
            output.say(f"match {job.id} ({names}) failed {matches.ATTEMPTS} times and does not count: {void.reason}")
            output.say("No bot is to blame. Run `gangland doctor` to test the jail.")

    def add_stored_results(self, *, keep: bool) -> None:
        if self.run.store is not None:
            self.run.store.refresh()
        for job, summary in matches.stored_results(self.jobs[self.added_count :], self.run.store, keep=keep):
            if summary is not None:
                self._add(job, summary)

    @runtime.delayed_interrupt()
    def _add(self, job: MatchJob, summary: matches.MatchSummary | matches.Void) -> None:
        self.added_count += 1
        void = summary if isinstance(summary, matches.Void) else None
        if isinstance(summary, matches.Void):
            self.voids.append((job, summary))
        else:
            self.results.add(job, summary)
            if summary.played is not None:
                self.archived[job.id] = summary.played
        scores = [] if isinstance(summary, matches.Void) else summary.scores(job)
        match = ladders.LadderMatch(
            number=job.id,
            bots=[seat.name for seat in job.seats],
            blocks=len(job.blocks),
            void=None if void is None else void.reason,
            mean_places=[round(float(score.mean_place), 6) for score in scores],
            wins=[score.wins for score in scores],
            faults=[sum(score.faults.values()) for score in scores],
        )
        self.matches.append(match)
        if self.ndjson:
            stream(ladders.MatchLine(**asdict(match)))

    def write(self, stream: IO[bytes]) -> None:
        voids = {job.id: void.reason for job, void in self.voids}
        run = self.run
        try:
            content = archive_content(run.bots, self.jobs, self.archived, voids, run.seed, run.salt)
            archive_files.write_archive(stream, content)
        except archives.ArchiveError as error:
            raise InvalidArgument(f"cannot write the archive: {error}") from error

    def _head(self) -> ladders.LadderHead:
        return ladders.LadderHead(**asdict(self.run.head), blocks=self.blocks)

    def document(self) -> ladders.Ladder:
        return ladders.Ladder(
            **asdict(self._head()),
            games=self.results.games,
            seconds=round(time.monotonic() - self.start_s, 3),
            standings=self.results.rows(),
            head_to_head=self.results.head_to_head(),
        )

    def say_match_numbers(self, arguments: str) -> None:
        numbers = [match.number for match in self.matches if match.void is None]
        if not numbers:
            return
        faulty = next((match.number for match in self.matches if any(match.faults)), None)
        text = output.match_numbers(numbers[0], numbers[-1])
        text += "" if faulty is None else f", first fault in match {faulty}"
        output.say(f"{text}. Play one again: gangland reproduce {faulty or numbers[0]} {output.one_line(arguments)}")

    def show(self, *, as_json: bool, interrupted: bool, command: str) -> None:
        if as_json:
            output.print_json(replace(self.document(), matches=self.matches))
        elif self.ndjson:
            stream_end(self.results, self.document(), interrupted=interrupted)
        else:
            print_results(self.results)
        if self.quiet:
            return
        options.say_faults(self.run, self.results.names, [row.faults for row in self.results.table.rows])
        played = f"{texts.counted(self.results.games, 'game')} of {self.run.game} at {self.run.seats} seats"
        output.say(
            f"{played}, {options.dice_text(self.run.seed, self.run.salt)}{texts.option_arguments(self.run.options)}"
        )
        if not (as_json or self.ndjson or interrupted) and (
            sentences := open_order_sentences(self.results.ranges(), self.results.names)
        ):
            more_blocks = matches.MATCH_BLOCKS * (2 * self.blocks // matches.MATCH_BLOCKS or 1)
            for sentence in sentences:
                output.say(sentence)
            output.say(f"continue: {command} --blocks {more_blocks} --resume")


# The report: the table, head-to-head records, and pairs that are not separated; and JSON lines during play.


MAX_NAMED = 3  # Maximum number of pairs that a sentence names.
MAX_MATRIX_BOTS = 16  # In the printed matrix; larger matrices are only in `--html` and `--ndjson`.


def print_results(results: LadderResults) -> None:
    """Print a ladder's table and its head-to-head matrix."""
    ranges = results.ranges()
    rows = {row.entry: row for row in ranges.rows}
    lines = []
    for (rank, line), entry in zip(results.table.ranked(), results.order(), strict=True):
        row, p99 = rows[entry], results.p99_ms(entry)
        share, faults = row.against_all, ", ".join(f"{kind} {count}" for kind, count in sorted(line.faults.items()))
        lines.append(
            [
                output.figure(rank, "{:.0f}"),
                line.bot,
                output.figure(line.win_share, "{:.1%}"),
                "-" if share is None else f"{share.value:.1%}",
                "-" if share is None else f"{100 * share.low:.1f}-{100 * share.high:.1f}%",
                output.figure(line.mean_place, "{:.2f}"),
                (faults or "0") if line.games else "-",
                output.figure(p99, "{:.1f}"),
                row.range if line.games else "-",
            ]
        )
    head = ["#", "bot", "wins", "score", "95% range", "mean place", "faults", "p99 ms", "ranks"]
    output.print_table(head, lines, left=(1,))
    _print_matrix(results)


def _print_matrix(results: LadderResults) -> None:
    order = results.order()
    if not 2 < len(order) <= MAX_MATRIX_BOTS or not results.blocks:
        return
    sys.stdout.write("\nAhead of, in % of games\n")
    rows = []
    for rank, one in enumerate(order, 1):
        cells = [results.meeting(one, other) for other in order]
        rows.append(
            [str(rank), results.names[one], *("-" if games is None else f"{100 * games.share:.0f}" for games in cells)]
        )
    output.print_table(["", "", *map(str, range(1, len(order) + 1))], rows, left=(1,))


def open_order_sentences(ranges: FinalStandings, names: Sequence[str]) -> list[str]:
    """Return sentences about pairs that are not separated, and the games that would decide first place, if any."""
    pairs = [(row.entry, row.next_below) for row in ranges.rows if row.next_below is not None and row.blocks]
    if not pairs:
        return []
    pair_names = [f"{output.clean(names[one])} and {output.clean(names[other])}" for one, other in pairs[:MAX_NAMED]]
    text = f", and {texts.counted(len(pairs) - MAX_NAMED, 'more pair')}" if len(pairs) > MAX_NAMED else ""
    sentences = [f"Too close to call: {', '.join(pair_names)}{text}."]
    first = ranges.top(1)
    if first.games_needed:
        sentences.append(f"About {first.games_needed:,} more games should decide first place.")
    return sentences


def stream(line: ladders.LadderLine) -> None:
    """Print one line of the stream immediately."""
    output.print_json(line)
    sys.stdout.flush()


def stream_end(results: LadderResults, document: ladders.Ladder, *, interrupted: bool) -> None:
    """Print the lines that follow the last match."""
    stream(ladders.PairsLine(pairs=results.head_to_head()))
    stream(ladders.RangesLine(standings=results.named_ranges()))
    stream(ladders.TimesLine(p99_ms=_times(results.names, results)))
    stream(ladders.EndLine(interrupted=interrupted, ladder=document))


def _times(names: Sequence[str], results: LadderResults) -> dict[str, float | None]:
    p99_by_name = {name: results.p99_ms(entry) for entry, name in enumerate(names)}
    return {name: p99 if p99 is None else round(p99, 3) for name, p99 in p99_by_name.items()}
