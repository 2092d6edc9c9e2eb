"""`gangland check`: check a bot as the server does."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, NamedTuple

import typer

from gangland import BOT_API_VERSION
from gangland.games import game_named
from gangland_ladder.checking.advice import check_thoroughly
from gangland_ladder.checking.check import NoSuchView, NumberedView, view_at
from gangland_ladder.checking.examination import Bench
from gangland_ladder.cli import options, output
from gangland_ladder.common import runtime, texts
from gangland_ladder.documents.bots import Check, CheckView, ExplainedProblem
from gangland_ladder.errors import entries, rejection
from gangland_ladder.local.bots import InvalidArgument, LocalBot, game_of, imported_games, no_game_error, read_bot
from gangland_ladder.local.processes import Tables
from gangland_ladder.matches.match_jobs import CheckReport, MethodTimes, Problem
from gangland_sandbox.caps import CAPS
from gangland_sandbox.errors import UploadRejected
from gangland_sandbox.intake import main_of, unpack
from gangland_sandbox.limits import Limits, Profile
from gangland_sandbox.pool import Pool

# The command.


CHECK_BLOCKS = 12
DEBUG_WARNING = "the debugger runs the bot without the jail; only for your own bots"


def check(
    bots: Annotated[list[Path], typer.Argument(metavar="BOT...", help="The bot's file, folder or zip.")],
    game: output.Game = None,
    option: options.GameOptions = None,
    salt: options.Salt = None,
    view: Annotated[
        int | None, typer.Option("--view", min=1, help="Show one view of the check, by its number.")
    ] = None,
    debugger: Annotated[bool, typer.Option("--pdb", help="With --view: debug the decision, without the jail.")] = False,
    as_json: output.Json = False,
    trusted: output.Trusted = False,
    profile: output.InProfile = Profile.PLAIN,
) -> None:
    """Check a bot as the server does: file, import, decisions and time.

    Warnings are about risks that the server does not check. With --option, the bot plays with these options of
    the game; the server uses the defaults.

    Example: gangland check bots/gangland_bots/gang_of_dice/sensible_gang.py
    """
    if view is not None and len(bots) > 1:
        raise InvalidArgument("--view cannot be combined with several bots")
    sys.exit(max([_run_check(bot, game, option, salt, view, debugger, as_json, trusted, profile) for bot in bots]))


def _run_check(
    bot: Path,
    game: str | None,
    option: list[str] | None,
    salt: str | None,
    view: int | None,
    debugger: bool,
    as_json: bool,
    trusted: bool,
    profile: Profile,
) -> int:
    if debugger and view is None:
        raise InvalidArgument("--pdb needs --view N; a problem shows the number of its view")
    local_bot = read_bot(bot)
    salt_bytes = options.salt_of(salt)
    imported = imported_games(local_bot.source)
    if game is None and not imported:
        game = options.default_game()
    command = _command(bot, game, option, profile, salt_bytes, trusted=trusted)
    if game is None and not imported:
        problems = [rejection(_rejection_without_game(local_bot, profile), local_bot.filename)]
        report = CheckReport(bot="", stages=[], problems=problems, import_s=0.0, slowest_s=0.0, decisions=0)
        return _print(CheckedBot(local_bot, command, None, {}, [], salt_bytes), report, as_json=as_json)
    game = game_of([local_bot], game, options.default_game())
    game_options, sizes = options.tables_of(game, option)
    if debugger:
        output.say(DEBUG_WARNING)
        with TemporaryDirectory() as folder:
            if bot.is_dir():
                bot = Path(folder) / local_bot.filename
                bot.write_bytes(local_bot.source)
            return _run_debugger(bot, game, game_options, sizes, view, profile, salt_bytes)
    mode = options.mode_of(trusted)
    start_s = time.monotonic()
    with output.ProgressLine() as line, Tables(mode=mode, workers=1, profile=profile) as tables:
        job = (local_bot, game, game_options, sizes, profile, view, salt_bytes)
        label = f"checking {output.one_line(local_bot.filename)}"
        (result,) = tables.run(_check, [job], on_poll=lambda: line.show(f"{label}: {time.monotonic() - start_s:.0f} s"))
    checked = CheckedBot(local_bot, command, game, game_options, sizes, salt_bytes)
    return print_view(checked, result, view, as_json) if view else _print(checked, result, as_json=as_json)


def _print(checked: CheckedBot, report: CheckReport, *, as_json: bool) -> int:
    if as_json:
        output.print_json(document(checked, report))
    else:
        print_report(checked, report)
    return runtime.FINDINGS if report.problems else 0


def _run_debugger(
    bot: Path,
    game: str,
    game_options: dict[str, object],
    sizes: list[int],
    view: int | None,
    profile: Profile,
    salt: bytes,
) -> int:
    arguments = (str(bot), game, json.dumps(game_options), json.dumps(sizes), str(view), str(profile), salt.hex())
    command = [sys.executable, "-P", "-m", "gangland_ladder.checking.debug", *arguments]  # -P: ignore this folder
    before = signal.signal(signal.SIGINT, lambda *_: None)  # only the debugger itself reacts to Ctrl-C
    try:
        return subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": "0"}, check=False).returncode
    finally:
        signal.signal(signal.SIGINT, before)


def _rejection_without_game(bot: LocalBot, profile: Profile) -> UploadRejected:
    try:
        unpack(bot.source, bot.filename, CAPS[profile])
    except UploadRejected as error:
        return error
    return no_game_error()


def _command(
    bot: Path, game: str | None, option: list[str] | None, profile: Profile, salt: bytes, *, trusted: bool
) -> str:
    arguments = ["gangland", "check", str(bot), *(["--game", game] if game else [])]
    arguments += [argument for text in option or [] for argument in ("--option", text)]
    arguments += [] if profile is Profile.PLAIN else ["--profile", str(profile)]
    return shlex.join(arguments) + options.salt_argument(salt) + " --trusted" * trusted


def _check(
    pool: Pool,
    bot: LocalBot,
    game: str,
    game_options: dict[str, object],
    sizes: list[int],
    profile: Profile,
    view: int | None,
    salt: bytes,
) -> CheckReport | NumberedView | NoSuchView:
    rules = game_named(game)
    limits = Limits.of(profile, CHECK_BLOCKS)
    bench = Bench(bot.source, bot.filename, rules, limits, rules.options(game_options), sizes, salt, pool, pool.mode)
    return view_at(bench, view) if view else check_thoroughly(bench, every_option=not game_options)


# The report.


WIDTH = 72
TRACEBACK_STARTS = ("Traceback", "  File ", "...")  # Possible beginnings of a traceback's first line.
WHOLE_RUN_CODES = ("W301", "W302")  # Findings from comparing whole runs, which no single view can show.


class CheckedBot(NamedTuple):
    """The checked bot and the settings of the check."""

    bot: LocalBot
    command: str  # the command line of this check
    game: str | None
    game_options: dict[str, object]
    sizes: list[int]
    salt: bytes


def document(checked: CheckedBot, report: CheckReport) -> Check:
    """Return the report of a check as a document for --json."""
    return Check(
        file=checked.bot.filename,
        game=checked.game,
        options=checked.game_options,
        salt=checked.salt.hex(),
        bot=report.bot,
        accepted=not report.problems,
        stages=report.stages,
        decisions=report.decisions,
        import_s=report.import_s,
        slowest_s=report.slowest_s,
        bank_share=report.bank_share,
        methods=report.methods,
        problems=[ExplainedProblem.of(problem) for problem in report.problems],
        warnings=[ExplainedProblem.of(problem) for problem in report.warnings],
    )


def print_report(checked: CheckedBot, report: CheckReport) -> None:
    """Print the passed stages, then each finding, then the verdict."""
    write = sys.stdout.write
    if checked.game is not None:
        rules = game_named(checked.game)
        rules_text = f"{rules.title}, rules {rules.rules_version}, bot API {BOT_API_VERSION}"
        write(f"{output.clean(checked.bot.filename)}  {rules_text}{texts.option_arguments(checked.game_options)}\n")
    for line in _passed_lines(checked, report):
        write(f"  ok    {output.clean(line)}\n")
    for problem in report.problems:
        write(f"  FAIL  {output.clean(_failed_line(problem, report))}\n")
    for problem in report.warnings:
        write(f"  warn  {entries()[problem.code].title}\n")
    for problem in (*report.problems, *report.warnings):
        print_finding(checked, problem)
    count = len(report.problems)
    separator = "\n" if count or report.warnings else ""
    warning_text = f", {texts.counted(len(report.warnings), 'warning')}" if report.warnings else ""
    write(separator + ("accepted" if not count else texts.counted(count, "problem")) + f"{warning_text}\n")


def _passed_lines(checked: CheckedBot, report: CheckReport) -> list[str]:
    *others, last = map(str, checked.sizes) if checked.sizes else ("",)
    seats = f"{', '.join(others)} and {last}" if others else last
    lines = []
    if "imported" in report.stages:
        lines.append(f"import {1000 * report.import_s:.0f} ms, one bot class: {report.bot}")
    if "legal" in report.stages:
        lines.append(f"{texts.counted(report.decisions, 'decision')} at {seats} seats, all legal")
    if "timed" in report.stages:
        width = max((len(times.method) for times in report.methods), default=0)
        lines += [_times(times, width) for times in report.methods]
        share = f"{report.bank_share:.1%}" if report.bank_share >= 0.001 else "under 0.1%"
        lines.append(f"{share} of the time bank of one process")
    return lines


def _times(times: MethodTimes, width: int) -> str:
    name = f"choose_{times.method}".ljust(width + len("choose_"))
    values = (("p50", times.p50_s), ("p99", times.p99_s), ("max", times.max_s))
    text = "  ".join(f"{label} {1000 * value:.1f}" for label, value in values)
    return f"{name}  {text} ms in {texts.counted(times.views, 'view')}"


def _failed_line(problem: Problem, report: CheckReport) -> str:
    title = entries()[problem.code].title
    views = sum(times.views for times in report.methods if times.method == problem.method)
    return f"choose_{problem.method}: {title} in {problem.times} of {views} views" if views else title


def print_finding(checked: CheckedBot, problem: Problem) -> None:
    """Print one finding: its place, the problem, the fix and the documentation."""
    write = sys.stdout.write
    name = output.clean(checked.bot.filename)
    file = name if main_of(name) == name else f"{name}/{main_of(name)}"
    head, _, rest = output.clean_lines(problem.message).partition("\n")
    place = f"{file}:{problem.line}" if problem.line else name
    write(f"\n{problem.code}  {place}  {head}\n{_details(rest)}")
    write(f"  {_first_sentence(entries()[problem.code].fix)}\n")
    if problem.view is not None:
        write(f"  Reproduce: {output.clean(checked.command)} --view {problem.view}     ")
    elif problem.code in WHOLE_RUN_CODES:
        write(f"  Reproduce: {output.clean(checked.command)}     ")
    else:
        write("  ")
    write(f"Explain: gangland explain {problem.code}\n")


def _details(text: str) -> str:
    """Return a finding's lines after the first; a traceback is a marked block, because it may contain a bot's text."""
    lines = [line for line in text.split("\n") if line]
    trace = next((at for at, line in enumerate(lines) if line.startswith(TRACEBACK_STARTS)), len(lines))
    return "".join(f"  {line}\n" for line in lines[:trace]) + "".join(f"  | {line}\n" for line in lines[trace:])


def _first_sentence(text: str) -> str:
    return text if ". " not in text else text[: text.index(". ") + 1]


def print_view(checked: CheckedBot, result: NumberedView | NoSuchView, number: int, as_json: bool) -> int:
    """Print one view of a check; return the exit code."""
    if isinstance(result, NoSuchView) and result.problem is None:
        output.say(f"gangland: no view {number}: this check has {texts.counted(result.views, 'view')}")
        return runtime.USAGE
    if as_json:
        view = result.view if isinstance(result, NumberedView) else None
        problem = None if result.problem is None else ExplainedProblem.of(result.problem)
        salt = checked.salt.hex()
        file, game = checked.bot.filename, checked.game or ""
        output.print_json(CheckView(file, game, checked.game_options, salt, number, view, problem))
    elif isinstance(result, NumberedView):
        _print_view(checked, result)
    elif result.problem is not None:
        print_finding(checked, result.problem)
    return runtime.FINDINGS if result.problem else 0


def _print_view(checked: CheckedBot, result: NumberedView) -> None:
    write, view = sys.stdout.write, result.view
    place = f"seat {view.seat + 1} of {view.seats}, round {view.round}"
    file = output.clean(checked.bot.filename)
    write(f"view {result.number}  {file}:{view.line or ''}  {view.method}()  {place}\n\n")
    width = max(map(len, view.fields))
    for name, text in view.fields.items():
        lines = textwrap.wrap(output.clean(text), WIDTH - width) or [""]
        write(f"  {name.ljust(width)}  " + f"\n{' ' * (width + 4)}".join(lines) + "\n")
    if view.returned:
        write(f"\n  returned  {output.clean(view.returned)}\n")
    write(f"  legal     {output.clean(view.legal)}\n" if view.returned else f"\n  legal  {output.clean(view.legal)}\n")
    if result.problem is not None:
        head, _, rest = output.clean_lines(result.problem.message).partition("\n")
        write(f"\n{result.problem.code}  {head}\n{_details(rest)}")
        write(f"  Debug: {output.clean(checked.command)} --view {result.number} --pdb\n")
    else:
        write("\nlegal\n")
