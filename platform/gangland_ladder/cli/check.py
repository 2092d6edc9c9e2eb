"""`gangland check`: would the server take this bot?"""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, NoReturn

import typer

from gangland.games import game_named
from gangland_ladder.checking.advice import check_thoroughly
from gangland_ladder.checking.examination import Bench
from gangland_ladder.checking.shown_view import NoSuchView, ViewShown, shown_view
from gangland_ladder.cli import check_report, options, report, salts
from gangland_ladder.cli.progress import Line
from gangland_ladder.errors import rejection
from gangland_ladder.local.bots import LocalBot, NoSuchBot, game_of, imported_games, no_game, read_bot
from gangland_ladder.local.processes import Tables
from gangland_ladder.matches.match_orders import CheckReport
from gangland_sandbox.caps import CAPS
from gangland_sandbox.errors import UploadRejected
from gangland_sandbox.intake import unpack
from gangland_sandbox.jail import Mode
from gangland_sandbox.limits import Limits, Profile
from gangland_sandbox.pool import Pool

CHECK_BLOCKS = 12
DEBUG_WARNING = "the debugger runs your bot in a plain process, without the jail: use it for your own bots only"


def check(
    bots: Annotated[list[Path], typer.Argument(metavar="BOT...", help="A bot's file, or its zip; or several.")],
    game: report.Game = None,
    option: options.Given = None,
    salt: salts.Salt = None,
    view: Annotated[int | None, typer.Option("--view", min=1, help="Show this one view of the check again.")] = None,
    debugger: Annotated[bool, typer.Option("--pdb", help="With --view: step through it, without the jail.")] = False,
    as_json: report.Json = False,
    trusted: report.Trusted = False,
    profile: report.InProfile = Profile.PLAIN,
) -> None:
    """Check a bot as the server does: intake, import, legal decisions, time.  Exit 0 or 1.

    The server plays with no options; with some, the same check plays with them.  Warnings tell of what
    is legal and may go wrong later; the server does not look for it.  Of several bots each has a report of its own.

    Example: gangland check bots/gangland_bots/gang_of_dice/sensible_gang.py
    """
    if view is not None and len(bots) > 1:
        raise NoSuchBot("--view shows a view of one bot: name that one alone")
    one = partial(_check_one, game, option, salt, view, debugger, as_json, trusted, profile)
    ends = [_end_of(partial(one, bot)) for bot in bots]
    sys.exit(max(ends))


def _end_of(checks: Callable[[], NoReturn]) -> int:
    """Return the exit code by which a check ends."""
    try:
        checks()
    except SystemExit as ended:
        return int(ended.code or 0)


def _check_one(
    game: str | None,
    option: list[str] | None,
    salt: str | None,
    view: int | None,
    debugger: bool,
    as_json: bool,
    trusted: bool,
    profile: Profile,
    bot: Path,
) -> NoReturn:
    if debugger and view is None:
        raise NoSuchBot("--pdb steps through one view: say which with --view N, as a finding names it")
    local = read_bot(bot)
    salted = salts.salt_of(salt)
    words = _words(bot, game, option, profile, salted, trusted=trusted)
    if game is None and not imported_games(local.source):
        why = _why_without_game(local, profile)
        _refuse(check_report.Call(local, words, None, {}, [], salted), why, as_json=as_json)
    game = game_of([local], game)
    chosen, sizes = options.tables_of(game, option)
    if debugger:
        report.say(DEBUG_WARNING)
        with TemporaryDirectory() as folder:
            if bot.is_dir():
                bot = Path(folder) / local.filename
                bot.write_bytes(local.source)
            sys.exit(_debugged(bot, game, chosen, sizes, view, profile, salted))
    mode: Mode = Mode.TRUSTED if trusted else Mode.JAIL
    if trusted:
        report.say(report.TRUSTED_WARNING)
    began = time.monotonic()
    with Line() as line, Tables(mode=mode, workers=1, profile=profile) as tables:
        job = (local, game, chosen, sizes, profile, view, salted)
        (found,) = tables.run(_check, [job], looking=lambda: line.show(_under_way(local, time.monotonic() - began)))
    call = check_report.Call(local, words, game, chosen, sizes, salted)
    sys.exit(check_report.print_view(call, found, view, as_json) if view else _print(call, found, as_json=as_json))


def _print(call: check_report.Call, found: CheckReport, *, as_json: bool) -> int:
    if as_json:
        report.print_json(check_report.document(call, found))
    else:
        check_report.print_report(call, found)
    return report.FINDINGS if found.problems else 0


def _under_way(bot: LocalBot, seconds: float) -> str:
    return f"checking {report.one_line(bot.filename)}: {seconds:.0f} s so far"


def _debugged(
    bot: Path, game: str, chosen: dict[str, object], sizes: list[int], view: int | None, profile: Profile, salt: bytes
) -> int:
    """Step through a view in a process with the jail's hashes; return its exit code."""
    arguments = (str(bot), game, json.dumps(chosen), json.dumps(sizes), str(view), str(profile), salt.hex())
    command = [sys.executable, "-P", "-m", "gangland_ladder.checking.debug", *arguments]  # -P: no module of this folder
    before = signal.signal(signal.SIGINT, lambda *_: None)  # Ctrl-C is the debugger's; a handler is not inherited
    try:
        return subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": "0"}, check=False).returncode
    finally:
        signal.signal(signal.SIGINT, before)


def _why_without_game(bot: LocalBot, profile: Profile) -> UploadRejected:
    """Say what is wrong with an upload in which no game's import was found."""
    try:
        unpack(bot.source, bot.filename, CAPS[profile])
    except UploadRejected as refused:
        return refused
    return no_game()


def _words(
    bot: Path, game: str | None, option: list[str] | None, profile: Profile, salt: bytes, *, trusted: bool
) -> str:
    """Return the command that makes this check again."""
    words = ["gangland", "check", str(bot), *(["--game", game] if game else [])]
    words += [word for each in option or [] for word in ("--option", each)]
    words += [] if profile is Profile.PLAIN else ["--profile", str(profile)]
    words += ["--salt", salt.hex()]
    return shlex.join([*words, *(["--trusted"] if trusted else [])])


def _refuse(call: check_report.Call, refused: UploadRejected, *, as_json: bool) -> NoReturn:
    found = CheckReport(
        bot="", stages=[], problems=[rejection(refused, call.bot.filename)], import_s=0.0, slowest_s=0.0, decisions=0
    )
    sys.exit(_print(call, found, as_json=as_json))


def _check(
    pool: Pool,
    bot: LocalBot,
    game: str,
    chosen: dict[str, object],
    sizes: list[int],
    profile: Profile,
    view: int | None,
    salt: bytes,
) -> CheckReport | ViewShown | NoSuchView:
    """Run in a table's process: the whole check, or one view of it."""
    rules = game_named(game)
    limits = Limits.of(profile, CHECK_BLOCKS)
    bench = Bench(bot.source, bot.filename, rules, limits, rules.options(chosen), sizes, salt, pool, pool.mode)
    return shown_view(bench, view) if view else check_thoroughly(bench, every_option=not chosen)
