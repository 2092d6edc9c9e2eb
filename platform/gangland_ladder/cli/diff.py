"""`gangland diff`: find the decisions that a new version of a bot would make differently."""

from __future__ import annotations

import json
import os
import secrets
import shlex
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import IO, Annotated, Any, Final

import typer

from gangland.replay import ReplayError
from gangland_ladder.analysis.comparison import Comparison, ComparisonBuilder, Side
from gangland_ladder.cli import options, output
from gangland_ladder.cli.analyze_report import MAX_UNUSABLE, print_comparison
from gangland_ladder.cli.replay_files import STDIN, Entry, all_entries, file_name
from gangland_ladder.cli.settings import is_given
from gangland_ladder.common.documents import json_text
from gangland_ladder.common.release import this_python
from gangland_ladder.common.runtime import FINDINGS, INTERRUPTED, delayed_interrupt, write_errors_as
from gangland_ladder.common.texts import counted
from gangland_ladder.documents import games as documents
from gangland_ladder.local.analyzed import NoFigures, analyze_game
from gangland_ladder.local.bots import InvalidArgument, LocalBot, game_of, read_bot
from gangland_ladder.local.differing import START, Answer, AnswerPair, GameDiff, Recording, compare
from gangland_ladder.local.matches import SEED_LIMIT, LocalRun
from gangland_ladder.local.processes import Tables
from gangland_ladder.local.single_games import game_document, play_single_game, without_logs
from gangland_ladder.local.store import StoreError, default_folder, delete_old
from gangland_ladder.matches.match_jobs import MatchJob
from gangland_ladder.viewer.presentation import decision_text
from gangland_sandbox import errors, jail
from gangland_sandbox.limits import Profile
from gangland_sandbox.pool import Pool

# The command.


PLAY_OPTIONS = ("against", "seats", "seed", "salt", "option", "out", "analyze")
GAMES = 10


def diff(
    context: typer.Context,
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The new bot.")],
    old: Annotated[Path, typer.Argument(metavar="OLD", help="The old bot.")],
    source: Annotated[
        list[Path] | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Recorded games: replays, files written by `gangland play --out`, or archives. Repeatable.",
        ),
    ] = None,
    against: Annotated[
        list[Path] | None,
        typer.Option(metavar="BOT", help="Without --from: an opponent for OLD. By default, OLD itself. Repeatable."),
    ] = None,
    game: output.Game = None,
    seats: Annotated[
        int | None, typer.Option(min=2, max=4, help="Seats per table, without --from. 2 by default.")
    ] = None,
    seed: output.Seed = None,
    salt: options.Salt = None,
    games: Annotated[
        int | None, typer.Option(min=1, max=1_000_000, help=f"Number of games. {GAMES} by default, all with --from.")
    ] = None,
    skip: Annotated[int, typer.Option(min=0, help="Number of games to skip at the beginning.")] = 0,
    option: options.GameOptions = None,
    first: Annotated[int, typer.Option(min=0, help="Number of differences to list.")] = 20,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the games played to this file.")
    ] = None,
    analyze: Annotated[
        bool, typer.Option("--analyze", help="Play NEW on the same dice and compare the cost of decisions.")
    ] = False,
    seconds: Annotated[float | None, typer.Option(min=0.0, help="With --analyze: time limit per game.")] = None,
    cores: Annotated[int | None, typer.Option(min=1, help="Number of processes. One per core by default.")] = None,
    as_json: output.Json = False,
    quiet: output.Quiet = False,
    trusted: output.Trusted = False,
    profile: output.InProfile = Profile.PLAIN,
) -> None:
    """List the decisions in which NEW differs from OLD.

    Both bots see the recorded views of each game from its start. Their answers are compared, and the game continues
    as recorded. Without --from, OLD plays new games for this.

    Example: gangland diff my_bot.py my_bot_before.py --seed 7

    Example: gangland diff my_bot.py my_bot_before.py --from cup.tar

    Example: gangland diff my_bot.py my_bot_before.py --analyze --games 100
    """
    versions = [read_bot(new), read_bot(old)]
    mode = options.mode_of(trusted, quiet=quiet)
    if source:
        if flags := [f"--{name}" for name in PLAY_OPTIONS if is_given(context, name)]:
            raise InvalidArgument(f"--from cannot be combined with {', '.join(flags)}")
        if sum(file == STDIN for file in source) > 1:
            raise InvalidArgument("- (stdin) can be given only once")
        task: Task = RecordedGames(versions, game_of(versions, game, options.default_game()), source, skip, games)
        arguments = f" --game {task.game}" + "".join(f" --from {shlex.quote(str(file))}" for file in source)
    else:
        table = (versions, against or [], game, seats, seed, salt, option)
        task = _games_to_play(*table, games or GAMES, skip, out, mode, profile, plays_both=analyze)
        arguments = task.arguments + " --analyze" * analyze
    report = DiffReport(task.game, versions[0], versions[1], first)
    stop_error: BaseException | None = None
    try:
        _run(task, report, mode, profile, cores, quiet=quiet)
        if isinstance(task, PlayedGames) and analyze:
            report.comparison = _compare_costs(task, report.names, seconds, cores, quiet=quiet)
    except (KeyboardInterrupt, errors.SandboxError) as error:
        stop_error = error
        reason = "interrupted" if isinstance(error, KeyboardInterrupt) else str(error)
        output.say(f"{reason}; results are partial")
        bots = shlex.join(map(str, (new, old)))
        limit = games if source else games or GAMES
        arguments += options.command_profile(profile) + " --trusted" * (mode is jail.Mode.TRUSTED)
        games_argument = "" if limit is None else f" --games {max(1, limit - report.recordings_read)}"
        output.say(f"continue: gangland diff {bots}{arguments}{games_argument} --skip {skip + report.recordings_read}")
        report.is_partial = True
    if report.other_games and report.other_games == report.recordings_read and stop_error is None:
        raise InvalidArgument(f"no {task.game} games in these files")
    report.show(as_json=as_json)
    if report.other_games and not quiet:
        output.say(f"skipped {counted(report.other_games, 'game')}: not {task.game}")
    if isinstance(task, PlayedGames) and not quiet:
        played = counted(report.games * (1 + task.plays_both), "game")
        output.say(f"{played} played, {options.dice_text(task.run.seed, task.run.salt)}, written: {task.file}")
    if isinstance(stop_error, errors.SandboxError):
        raise stop_error
    if stop_error is not None:
        sys.exit(INTERRUPTED)
    if report.difference_count or report.unusable:
        sys.exit(FINDINGS)


@dataclass
class RecordedGames:
    """The recorded games to compare; recordings of other games are skipped."""

    versions: Sequence[LocalBot]
    game: str
    files: Sequence[Path]
    skip: int
    limit: int | None
    read_entries: list[tuple[Path, Entry]] = field(default_factory=list)

    def calls(self, profile: Profile) -> Iterator[tuple[Any, ...]]:
        """Yield the arguments of `_compare` for each game, lazily."""
        new, old = self.versions
        located = ((file, entry) for file in self.files for entry in all_entries(file))
        for file, entry in islice(located, self.skip, None if self.limit is None else self.skip + self.limit):
            self.read_entries.append((file, entry))
            yield _recording(entry, self.game, new, old), old, new, profile

    def compare(self, tables: Tables, profile: Profile) -> Iterator[ComparedGame]:
        """Yield the comparison of each game."""
        comparisons = tables.run(_compare, self.calls(profile))
        for number, game_diff in enumerate(comparisons):
            file, entry = self.read_entries[number]
            yield ComparedGame(str(file), file_name(file), entry.number, game_diff, entry.python)


@dataclass
class PlayedGames:
    """Games that OLD plays for the comparison; with `plays_both`, NEW replays each in its place on the same dice."""

    versions: Sequence[LocalBot]
    run: LocalRun
    numbers: range
    file: Path
    arguments: str  # the command-line arguments that repeat the games, with a leading space
    plays_both: bool

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.run.game

    def compare(self, tables: Tables, profile: Profile) -> Iterator[ComparedGame]:
        """Play the games one after the other, write each to a file, and yield its comparison."""
        new, old = self.versions
        compared_code = None if len(self.run.sources) == 1 else old.sha256
        codes = {**self.run.sources, new.sha256: new.source}
        with ExitStack() as stack:
            stream: IO[str] | None = None
            written = 0
            for played, game_diff in tables.run(_play_and_compare, self._calls(codes, compared_code)):
                if game_diff.void:
                    raise errors.SandboxError(game_diff.void)
                if stream is None:
                    with write_errors_as(self.file, InvalidArgument):
                        self.file.parent.mkdir(parents=True, exist_ok=True)
                        stream = stack.enter_context(self.file.open("w", encoding="utf-8"))
                stream.writelines(json_text(document) + "\n" for document in played)
                stream.flush()
                yield ComparedGame(str(self.file), file_name(self.file), written + 1, game_diff)
                written += len(played)

    def _calls(self, codes: dict[str, bytes], compared_code: str | None) -> Iterator[tuple[Any, ...]]:
        new, old = self.versions
        runs = [self.run]
        if self.plays_both:
            runs.append(replace(self.run, bots=[new if bot.sha256 == old.sha256 else bot for bot in self.run.bots]))
        seats = self.run.seats
        for number in self.numbers:
            seating = [(seat + number) % seats for seat in range(seats)]  # OLD takes each seat in turn
            played = [(run.job(seating, number=number + 1), [run.bots[seat] for seat in seating]) for run in runs]
            yield played, codes, compared_code, (self.run.seed, self.run.salt), old, new, self.run.profile

    def sides(self) -> Iterator[tuple[Entry, Side, list[int]]]:
        """Yield the written games, each with the version that played it and the seats of that version."""
        new, old = self.versions
        for entry in all_entries(self.file):
            side, code = (Side.NEW, new.sha256) if entry.number % 2 == 0 else (Side.OLD, old.sha256)
            yield entry, side, [seat for seat, seated in enumerate(entry.codes) if seated == code]


Task = RecordedGames | PlayedGames


def _games_to_play(
    versions: Sequence[LocalBot],
    against: Sequence[Path],
    game: str | None,
    seats: int | None,
    seed: int | None,
    salt: str | None,
    option: Sequence[str] | None,
    games: int,
    skip: int,
    out: Path | None,
    mode: jail.Mode,
    profile: Profile,
    *,
    plays_both: bool,
) -> PlayedGames:
    others = [read_bot(path) for path in against]
    game = game_of([*versions, *others], game, options.default_game())
    size = seats or max(2, len(others) + 1)
    if len(others) >= size:
        raise InvalidArgument(f"--seats {size} leaves room for at most {size - 1} --against, got {len(others)}")
    table = [versions[1], *others, *[versions[1]] * (size - 1 - len(others))]
    seed = secrets.randbelow(SEED_LIMIT) if seed is None else seed
    salt_bytes = options.salt_of(salt)
    game_options = options.options_of(game, size, option)
    arguments = f" --game {game} --seats {size} --seed {seed}{options.salt_argument(salt_bytes)}"
    arguments += options.command_options(game, game_options)
    arguments += "".join(f" --against {shlex.quote(str(path))}" for path in against)
    codes = [bot.sha256 for bot in (*table, *versions[: 1 if plays_both else 0])]
    file = out or _default_file([arguments, skip, str(profile), codes])
    run = LocalRun(game, table, size, seed, salt_bytes, game_options, mode, profile)
    return PlayedGames(versions, run, range(skip, skip + games), file, arguments, plays_both)


def _default_file(parts: object) -> Path:
    # The file is in the runs folder, where old files are deleted.
    try:
        folder = default_folder(os.environ)
    except StoreError as error:
        raise InvalidArgument(f"{error}; or give --out FILE") from error
    with suppress(OSError):
        delete_old(folder)
    return folder / f"diff-{sha256(json.dumps(parts).encode()).hexdigest()[:16]}.ndjson"


def _recording(entry: Entry, game: str, new: LocalBot, old: LocalBot) -> Recording | str | None:
    """Return the recording to compare, a message if it is unusable, or None if it is for a different game."""
    try:
        replay = entry.replay
    except ReplayError as error:
        return str(error)
    if replay.game != game:
        return None
    compared = tuple(seat for seat, code in enumerate(entry.codes) if code in (new.sha256, old.sha256))
    rng_seeds = entry.rng_seeds if len(entry.rng_seeds) == replay.seats else ()
    return Recording(replay.to_json(), entry.views, compared or tuple(range(replay.seats)), rng_seeds)


def _compare(pool: Pool, recording: Recording | str | None, old: LocalBot, new: LocalBot, profile: Profile) -> GameDiff:
    if recording is None:
        return GameDiff({}, (), is_other_game=True)
    if isinstance(recording, str):
        return GameDiff({}, (), error=recording)
    return compare(pool, recording, old, new, profile)


def _play_and_compare(
    pool: Pool,
    tables: Sequence[tuple[MatchJob, Sequence[LocalBot]]],
    codes: dict[str, bytes],
    compared_code: str | None,  # the bot whose seats are compared in the first game, which OLD played; None for all
    dice: tuple[int, bytes],
    old: LocalBot,
    new: LocalBot,
    profile: Profile,
) -> Any:
    """Play the games of a comparison, each given as a job and its bots in seat order, in a process of `Tables`."""
    played: list[documents.Game] = []
    comparison = GameDiff({}, ())
    for number, (job, seated) in enumerate(tables):
        result = play_single_game(pool, job, codes)
        if result.void is not None:
            return [], GameDiff({}, (), void=result.void)
        document = game_document(job, seated, result, *dice)
        played.append(without_logs(document))
        if not number:
            seats = tuple(seat for seat, bot in enumerate(seated) if compared_code in (None, bot.sha256))
            rng_seeds = tuple(map(bytes.fromhex, document.rng_seeds or ()))
            recording = Recording(result.games[0].replay, result.games[0].views, seats, rng_seeds)
            comparison = compare(pool, recording, old, new, profile)
    return played, comparison


def _run(task: Task, report: DiffReport, mode: jail.Mode, profile: Profile, cores: int | None, *, quiet: bool) -> None:
    with Tables(mode=mode, profile=profile, workers=cores) as tables, output.ProgressLine(quiet=quiet) as line:
        for result in task.compare(tables, profile):
            if result.game_diff.void:
                raise errors.SandboxError(result.game_diff.void)
            with delayed_interrupt():
                report.add(result)
            played = f"{counted(report.games, 'game')}, {counted(report.decisions, 'decision')}"
            line.show(f"{played}, {report.difference_count} differ")


def _compare_costs(
    task: PlayedGames, names: tuple[str, str], seconds: float | None, cores: int | None, *, quiet: bool
) -> Comparison:
    """Return the comparison of the costs of NEW and OLD. Raises InvalidArgument: such tables cannot be analyzed."""
    new, old = names
    builder, sides = ComparisonBuilder(), task.sides()
    calls = ((entry.replay.to_json(), 0, seconds) for entry, _, _ in task.sides())
    with (
        Tables(mode=jail.Mode.TRUSTED, workers=cores) as tables,
        output.Progress(2 * len(task.numbers), quiet=quiet) as progress,
    ):
        for number, figures in enumerate(tables.run(analyze_game, calls), 1):
            entry, side, seats = next(sides)
            if isinstance(figures, NoFigures):
                raise InvalidArgument(figures.message)
            for seat in seats:
                builder.add(side, figures, seat, entry.replay.seed)
            progress.update(number)
    return builder.comparison(old, new)


# Reporting the results.


MAX_SITUATIONS: Final = 12  # Maximum number of kinds of situations in text; a JSON document has all of them.


@dataclass(frozen=True, slots=True)
class ComparedGame:
    """The comparison of one game, with its file and number."""

    file: str  # the path of the file
    file_name: str  # the file's name in messages
    number: int  # number of the game in the file
    game_diff: GameDiff
    python: str = ""  # the minor version of Python in the recording; empty if unknown


class DiffReport:
    """The results of all games."""

    def __init__(self, game: str, new: LocalBot, old: LocalBot, first: int) -> None:
        self.game = game
        self.new = new
        self.old = old
        self.max_listed = first
        # The numbers of compared games, of their decisions, and of differing decisions.
        self.games = self.decisions = self.difference_count = 0
        self.decisions_by_kind: dict[str, Counter[str]] = {}
        self.differences_by_kind: dict[str, Counter[str]] = {}
        self.listed: list[tuple[ComparedGame, AnswerPair]] = []
        self.unusable: list[tuple[ComparedGame, str]] = []
        self.faults: dict[str, Counter[str]] = {"new": Counter(), "old": Counter()}
        self.unstable: Counter[str] = Counter()
        self.python_versions: set[str] = set()
        self.other_games = 0  # number of recordings of other games
        self.is_partial = False
        self.comparison: Comparison | None = None

    @property
    def recordings_read(self) -> int:
        """The number of recordings read, including unusable ones and those of other games."""
        return self.games + len(self.unusable) + self.other_games

    def add(self, game: ComparedGame) -> None:
        """Add the comparison of a game."""
        game_diff = game.game_diff
        if game_diff.is_other_game:
            self.other_games += 1
            return
        if game_diff.error:
            self.unusable.append((game, game_diff.error))
            return
        self.games += 1
        if game.python:
            self.python_versions.add(game.python)
        for kind, counts in game_diff.questions.items():
            self.decisions_by_kind.setdefault(kind, Counter()).update(counts)
            self.decisions += sum(counts.values())
        for pair in game_diff.differences:
            self.difference_count += 1
            self.differences_by_kind.setdefault(pair.place.kind, Counter())[pair.place.situation] += 1
            self.unstable.update(pair.unstable)
            if len(self.listed) < self.max_listed:
                self.listed.append((game, pair))
        for answers in (*game_diff.differences, *game_diff.faults):
            for name, answer in (("new", answers.new), ("old", answers.old)):
                if answer.fault:
                    self.faults[name][answer.fault] += 1

    def show(self, *, as_json: bool) -> None:
        """Print the report."""
        if as_json:
            output.print_json(self.document())
        else:
            self._print()

    def document(self) -> documents.Diff:
        """Return the report as a document for --json."""
        return documents.Diff(
            game=self.game,
            new=self._version("new", self.new),
            old=self._version("old", self.old),
            partial=self.is_partial,
            games=self.games,
            decisions=self.decisions,
            differing=self.difference_count,
            python=this_python(),
            recorded_on=sorted(self.python_versions),
            methods=[
                documents.MethodCounts(_method(kind), self._decisions(kind), self._changed_count(kind))
                for kind in self._kinds()
            ],
            situations=[
                documents.SituationCounts(_method(kind), name, count, changed)
                for kind, name, count, changed in self._situations()
            ],
            unusable=[documents.Unusable(game.file, game.number, text) for game, text in self.unusable[:MAX_UNUSABLE]],
            differences=[_difference(game, pair) for game, pair in self.listed],
            comparison=self.comparison,
        )

    def _version(self, name: str, bot: LocalBot) -> documents.ComparedVersion:
        deterministic = not self.unstable[name] if self.difference_count else None
        return documents.ComparedVersion(bot.name, bot.sha256, dict(sorted(self.faults[name].items())), deterministic)

    def _kinds(self) -> list[str]:
        return list({**self.differences_by_kind, **self.decisions_by_kind})

    def _decisions(self, kind: str) -> int:
        return sum(self.decisions_by_kind.get(kind, Counter()).values())

    def _changed_count(self, kind: str) -> int:
        return sum(self.differences_by_kind.get(kind, Counter()).values())

    def _situations(self) -> list[tuple[str, str, int, int]]:
        rows = [
            (kind, name, self.decisions_by_kind.get(kind, Counter())[name], changed)
            for kind, counts in self.differences_by_kind.items()
            for name, changed in counts.items()
        ]
        return sorted(rows, key=lambda row: (-row[3], row[0], row[1]))

    @property
    def names(self) -> tuple[str, str]:
        """The names of NEW and OLD, made distinct if they are equal."""
        same = self.new.name == self.old.name
        return (f"new {self.new.name}", f"old {self.old.name}") if same else (self.new.name, self.old.name)

    def _print(self) -> None:
        new, old = (output.clean(name) for name in self.names)
        counts = f"{counted(self.decisions, 'decision')} in {counted(self.games, 'game')}"
        differ = "differs" if self.difference_count == 1 else "differ"
        sys.stdout.write(f"{new} against {old}: {counts}, {self.difference_count} {differ}\n")
        for game, reason in self.unusable:
            output.say(f"gangland: left out {game.file_name}, game {game.number}: {reason}")
        if others := sorted(self.python_versions - {this_python()}):
            sys.stdout.write(
                f"recorded on Python {' and '.join(others)}, compared on Python {this_python()}: "
                "bots may decide differently\n"
            )
        self._print_faults()
        if self.comparison is not None:
            sys.stdout.write("\n")
            print_comparison(self.comparison)
        if not self.difference_count:
            return
        sys.stdout.write("\n")
        rows = [
            [_method(kind), str(self._decisions(kind)), str(changed), _share(changed, self._decisions(kind))]
            for kind in self._kinds()
            if (changed := self._changed_count(kind))
        ]
        output.print_table(["method", "asked", "differ", "share"], rows, left=(0,))
        self._print_situations()
        for game, pair in self.listed:
            self._print_difference(game, pair)
        if self.difference_count > len(self.listed):
            sys.stdout.write(f"\nand {self.difference_count - len(self.listed)} more; list them with --first\n")

    def _print_faults(self) -> None:
        for name, bot in zip(("new", "old"), self.names, strict=True):
            if faults := self.faults[name]:
                fault_text = ", ".join(f"{kind} {count}" for kind, count in sorted(faults.items()))
                sys.stdout.write(f"{output.clean(bot)} was at fault: {fault_text}\n")
            if self.unstable[name]:
                sys.stdout.write(
                    f"{output.clean(bot)} is not deterministic: {self.unstable[name]} of these answers changed when "
                    "the bot was asked again. Use self.rng for random choices.\n"
                )

    def _print_situations(self) -> None:
        situations = self._situations()
        sys.stdout.write("\n")
        rows = [
            [f"{_method(kind)}: {name}", str(count), str(changed), _share(changed, count)]
            for kind, name, count, changed in situations[:MAX_SITUATIONS]
        ]
        output.print_table(["situation", "asked", "differ", "share"], rows, left=(0,))
        if len(situations) > MAX_SITUATIONS:
            sys.stdout.write(f"and {len(situations) - MAX_SITUATIONS} more kinds\n")

    def _print_difference(self, game: ComparedGame, pair: AnswerPair) -> None:
        place = pair.place
        new, old = self.names
        width = max(len(new), len(old))
        label = f"round {place.round}, seat {place.seat + 1}" if place.round else f"seat {place.seat + 1}"
        lines = [f"view: {place.summary}", *self._answers(pair, old.ljust(width), new.ljust(width))]
        sys.stdout.write(f"\ngame {game.number}, {label}: {_method(place.kind)}\n")
        sys.stdout.write("".join(f"{output.indent(line)}\n" for line in lines))
        at = f" --at {place.at}" if place.at else ""
        sys.stdout.write(f"  gangland replay {output.clean(shlex.quote(game.file))} --game {game.number}{at}\n")

    def _answers(self, pair: AnswerPair, old: str, new: str) -> list[str]:
        lines = []
        for name, bot, answer in (("old", old, pair.old), ("new", new, pair.new)):
            note = " (changed when the bot was asked again)" if name in pair.unstable else ""
            lines.append(f"{bot}: {self._answer(pair.place.kind, answer)}{note}")
        return lines

    def _answer(self, kind: str, answer: Answer) -> str:
        if answer.fault:
            return f"{answer.fault}: {answer.message}"
        if kind == START:
            return "starts"
        return f"{json.dumps(answer.decision)}, {decision_text(self.game, kind, answer.decision)}"


def _method(kind: str) -> str:
    return "start of the game" if kind == START else f"choose_{kind}"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if whole else ""


def _difference(game: ComparedGame, pair: AnswerPair) -> documents.DifferingDecision:
    place = pair.place
    return documents.DifferingDecision(
        file=game.file,
        game=game.number,
        at=place.at or None,
        round=place.round,
        seat=place.seat,
        method=_method(place.kind),
        decision=place.decision,
        situation=place.situation,
        view=place.summary,
        recorded=place.recorded,
        old=_answer_document(pair.old),
        new=_answer_document(pair.new),
        unsteady=list(pair.unstable),
    )


def _answer_document(answer: Answer) -> documents.Answered:
    if answer.fault:
        return documents.Answered(None, documents.AnswerFault(answer.fault, answer.message))
    return documents.Answered(answer.decision, None)
