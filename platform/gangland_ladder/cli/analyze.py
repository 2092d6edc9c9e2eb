"""`gangland analyze`: show the luck in recorded games and the cost of each decision."""

import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Annotated, Any

import typer

from gangland.replay import ReplayError
from gangland_ladder.analysis.analyzer import PER_SEAT, AnalysisUnavailable, continue_game, costliest, options_at
from gangland_ladder.cli import analyze_report, output
from gangland_ladder.cli.replay import choose_entry, names_of, timeline_of_entry, write_page, write_text
from gangland_ladder.cli.replay_files import STDIN, Entry, all_entries, file_name
from gangland_ladder.cli.verify import failure_line
from gangland_ladder.common import runtime, texts
from gangland_ladder.local.analyzed import AnalyzedFile, Figures, NoFigures, analyze_game, analyze_within, replay_key
from gangland_ladder.local.bots import InvalidArgument
from gangland_ladder.local.processes import Tables
from gangland_ladder.viewer.timeline import Frame, NoSuchFrame, Timeline
from gangland_sandbox.jail import Mode


def analyze(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...", help="Replays, files written by `gangland play --out`, or archives. - is stdin."
        ),
    ],
    number: Annotated[
        int | None, typer.Option("--game", min=1, metavar="N", help="Only this game of the file, counted from 1.")
    ] = None,
    match: Annotated[
        int | None, typer.Option("--match", min=1, metavar="N", help="Only this match of an archive.")
    ] = None,
    compare: Annotated[
        tuple[str, str] | None,
        typer.Option("--compare", metavar="NEW OLD", help="Compare what two bots of the files lose per game."),
    ] = None,
    decision: Annotated[
        str | None,
        typer.Option(
            "--decision", metavar="ADDRESS", help="Rank the legal decisions at r7.s2.d1: round 7, seat 2, decision 1."
        ),
    ] = None,
    show_all: Annotated[
        bool,
        typer.Option("--all", help=f"With --decision: list all, not only the best {analyze_report.MAX_DECISIONS}."),
    ] = False,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="OUT", help="Write one game as a page with the cost of decisions.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", help="Write the figures, one line of JSON per game. A second run continues."
        ),
    ] = None,
    from_here: Annotated[
        bool,
        typer.Option(
            "--from-here",
            help=f"Continue the game from --decision, or with --html from the {PER_SEAT} costliest per seat.",
        ),
    ] = False,
    seconds: Annotated[float | None, typer.Option(min=0.0, help="Time limit per game. None by default.")] = None,
    cores: Annotated[int | None, typer.Option(min=1, help="Number of processes. One per core by default.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of samples, used where no exact value is known.")] = 0,
    as_json: output.Json = False,
    quiet: output.Quiet = False,
) -> None:
    """Show luck and the cost of each decision in recorded games.

    A reference player judges each decision by what its seat could know. Costs are shares of a win.

    Example: gangland analyze cup.tar --out cup.analyzed

    Example: gangland analyze cup.tar --compare my_bot my_bot_before

    Example: gangland analyze match-7.ndjson --game 3 --decision r7.s2.d1

    Example: gangland analyze game.json --html game.html --from-here
    """
    if sum(file == STDIN for file in files) > 1:
        raise InvalidArgument("- (stdin) can be given only once")
    if compare is not None and (decision is not None or html is not None):
        raise InvalidArgument("--compare cannot be combined with --decision and --html")
    if from_here and decision is None and html is None:
        raise InvalidArgument("--from-here needs --decision or --html")
    if decision is not None and from_here:
        if len(files) > 1 or match is not None or show_all:
            raise InvalidArgument("--from-here needs one FILE and one --game, without --match and --all")
        _continue_game(files[0], number, decision, seed, html, out, as_json=as_json)
        return
    if decision is not None:
        if len(files) > 1 or match is not None or out is not None:
            raise InvalidArgument("--decision needs one FILE and one --game, without --match and --out")
        _rank_decisions(files[0], number, decision, seed, show_all=show_all, as_json=as_json)
        return
    if html is not None:
        if len(files) > 1 or match is not None or out is not None or as_json:
            raise InvalidArgument("--html needs one FILE and one --game, without --match, --out and --json")
        _write(files[0], number, html, seed, seconds, from_here=from_here)
        return
    if show_all:
        raise InvalidArgument("--all needs --decision")
    if compare is not None and compare[0] == compare[1]:
        raise InvalidArgument("--compare needs two different bots")
    if number is not None and len(files) > 1:
        raise InvalidArgument("--game needs one FILE")
    task = _Task(files, number, match, seed, seconds, cores)
    report = analyze_report.AnalysisReport(seed, None if compare is None else analyze_report.Versions(*compare))
    with nullcontext(None) if out is None else AnalyzedFile(out, seed) as stored:
        try:
            task.run(report, stored, quiet=quiet)
        except KeyboardInterrupt:
            report.partial = True
    if report.partial:
        hint = (
            " With --out FILE, a second run continues." if out is None else f" {out} has them; a second run continues."
        )
        output.say_interrupted(f"after {texts.counted(report.games, 'game')}; results are partial.{hint}")
    elif not report.games and not report.invalid_replays:
        raise InvalidArgument(report.first_problem or "no game to analyze")
    report.show(as_json=as_json)
    if report.partial:
        sys.exit(runtime.INTERRUPTED)
    if report.invalid_replays:
        sys.exit(runtime.FINDINGS)


@dataclass
class _Task:
    files: Sequence[Path]
    number: int | None
    match: int | None
    seed: int
    seconds: float | None
    cores: int | None
    waiting: deque[tuple[analyze_report.LocatedGame, str | None]] = field(default_factory=deque)

    def run(self, report: analyze_report.AnalysisReport, stored: AnalyzedFile | None, *, quiet: bool) -> None:
        with Tables(mode=Mode.TRUSTED, workers=self.cores) as tables, output.ProgressLine(quiet=quiet) as line:
            for figures in tables.run(analyze_game, self._calls(stored)):
                game, key = self.waiting.popleft()
                with runtime.delayed_interrupt():
                    if stored is not None and key is not None and not isinstance(figures, NoFigures):
                        stored.put(key, figures)
                    report.add(game, figures)
                line.show(f"{texts.counted(report.games, 'game')} analyzed")

    def _calls(self, stored: AnalyzedFile | None) -> Iterator[tuple[Any, ...]]:
        for file, entry in self._entries():
            stored_figures: Figures | None = None
            key = None
            try:
                replay = entry.replay.to_json()
                if stored is not None:
                    key = replay_key(replay)
                    stored_figures = stored.find(key, entry.replay)
            except ReplayError as error:
                replay, stored_figures = "", NoFigures(str(error), is_invalid=True)
            self.waiting.append((analyze_report.LocatedGame(file, entry), key if stored_figures is None else None))
            yield replay if stored_figures is None else stored_figures, self.seed, self.seconds

    def _entries(self) -> Iterator[tuple[Path, Entry]]:
        for file in self.files:
            count = 0
            for entry in all_entries(file):
                if self.match is not None and entry.position is None:
                    raise InvalidArgument(f"--match needs an archive, which {file_name(file)} is not; use --game")
                if self.number in (None, entry.number) and self.match in (None, *(entry.position or ())[:1]):
                    count += 1
                    yield file, entry
            if not count:
                name = f"game {self.number}" if self.number is not None else f"match {self.match}"
                raise InvalidArgument(f"no {name} in {file_name(file)}")


def _write(file: Path, number: int | None, html: Path, seed: int, seconds: float | None, *, from_here: bool) -> None:
    entry = choose_entry(file, number, as_json=False)
    with _report_errors(file, entry):
        timeline = timeline_of_entry(entry, analysis := analyze_within(entry.replay, seed, seconds))
        costly = costliest(judged for moment in analysis.moments for judged in moment.judged) if from_here else []
        best = {judged.number: judged.best.decision for judged in costly}
        deadline = inf if seconds is None else time.monotonic() + seconds
        for frame in (frame for frame in timeline.frames if frame.number in best):
            if time.monotonic() > deadline:
                output.say("time limit reached: some costly decisions are left out")
                break
            page = html.with_name(f"{html.stem}-{frame.at}.html")
            continuation = continue_game(entry.replay, frame.number, best=best[frame.number], seed=seed)
            analyze_report.write_continuation(page, entry, continuation, frame, html.name)
            frame.what_if = page.name
    write_page(html, timeline)


def _continue_game(
    file: Path, number: int | None, at: str, seed: int, html: Path | None, out: Path | None, *, as_json: bool
) -> None:
    entry = choose_entry(file, number, as_json=False)
    with _report_errors(file, entry):
        frame = _frame(timeline_of_entry(entry), at)
        continuation = continue_game(entry.replay, frame.number, seed=seed)
    if out is not None:
        write_text(out, continuation.replay.to_json() + "\n")
    if html is not None:
        analyze_report.write_continuation(html, entry, continuation, frame, "")
    if as_json:
        output.print_json(analyze_report.continuation_document(continuation, frame))
    else:
        analyze_report.print_continuation(continuation, frame, entry)


@contextmanager
def _report_errors(file: Path, entry: Entry) -> Iterator[None]:
    try:
        yield
    except ReplayError as error:
        output.say(failure_line(file, entry, error))
        sys.exit(runtime.FINDINGS)
    except (NoSuchFrame, AnalysisUnavailable) as error:
        raise InvalidArgument(str(error)) from error


def _frame(timeline: Timeline, at: str) -> Frame:
    index = timeline.index_of(at)
    if index == timeline.last:
        raise NoSuchFrame("expected a decision such as r7.s2.d1, not the end of the game")
    return timeline.frames[index]


def _rank_decisions(file: Path, number: int | None, at: str, seed: int, *, show_all: bool, as_json: bool) -> None:
    entry = choose_entry(file, number, as_json=False)
    with _report_errors(file, entry):
        timeline = timeline_of_entry(entry)
        frame = _frame(timeline, at)
        step, answer, options = options_at(entry.replay, frame.number, seed=seed)
    document = analyze_report.decision_document(entry.replay, frame, step, answer, options)
    if as_json:
        output.print_json(document)
    else:
        names = names_of(entry) or list(timeline.names)
        analyze_report.print_decision(document, names[answer.seat], file, entry.number, show_all=show_all)
