"""`gangland check`: would the server take this bot?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from gangland import BOT_API_VERSION
from gangland.games import GAME_NAMES, game_named
from gangland_ladder.catalogue import rejection
from gangland_ladder.check import check_bot
from gangland_ladder.cli import options, report
from gangland_ladder.local_bots import LocalBot, game_of, imported_games, read_bot
from gangland_ladder.orders import CheckReport
from gangland_ladder.tables import Tables
from gangland_sandbox.errors import UploadRejected
from gangland_sandbox.intake import main_of, unpack
from gangland_sandbox.jail import Mode
from gangland_sandbox.limits import Limits, Profile
from gangland_sandbox.pool import Pool

CHECK_BLOCKS = 12


def check(
    bot: Annotated[Path, typer.Argument(metavar="BOT", help="A bot's file, or its zip.")],
    game: report.Game = None,
    option: options.Given = None,
    as_json: report.Json = False,
    trusted: report.Trusted = False,
    profile: report.InProfile = Profile.PLAIN,
) -> None:
    """Check a bot as the server does: intake, import, legal decisions, time.  Exit 0 or 1.

    The server plays with no options; with some, the same check plays with them.

    Example: gangland check bots/gangland_bots/gang_of_dice/sensible_gang.py
    """
    local = read_bot(bot)
    if game is None and not imported_games(local.source):
        _refuse(local, _why_without_game(local), as_json=as_json)
    game = game_of([local], game)
    chosen, sizes = options.tables_of(game, option)
    mode: Mode = Mode.TRUSTED if trusted else Mode.JAIL
    if trusted:
        report.say(report.TRUSTED_WARNING)
    with Tables(mode=mode, workers=1, profile=profile) as tables:
        (found,) = tables.run(_check, [(local, game, chosen, sizes, profile)])
    if as_json:
        report.print_json(_document(local, game, chosen, found))
    else:
        _print(local, game, chosen, sizes, found)
    if found.problems:
        sys.exit(report.FINDINGS)


def _why_without_game(bot: LocalBot) -> UploadRejected:
    """Say what is wrong with an upload in which no game's import was found."""
    if bot.filename.endswith(".zip"):
        try:
            unpack(bot.source, bot.filename)
        except UploadRejected as refused:
            return refused
    wanted = " or ".join(f"`from gangland import {name.replace('-', '_')}`" for name in GAME_NAMES)
    return UploadRejected("no_game", f"imports no game: a bot begins with {wanted} (or say which with --game)")


def _refuse(bot: LocalBot, refused: UploadRejected, *, as_json: bool) -> NoReturn:
    found = CheckReport(bot="", stages=[], problems=[rejection(refused)], import_s=0.0, slowest_s=0.0, decisions=0)
    if as_json:
        report.print_json(_document(bot, None, {}, found))
    else:
        _print_problems(bot, found)
    sys.exit(report.FINDINGS)


def _check(
    pool: Pool, bot: LocalBot, game: str, chosen: dict[str, object], sizes: list[int], profile: Profile
) -> CheckReport:
    limits = Limits.of(profile, CHECK_BLOCKS)
    return check_bot(bot.source, bot.filename, game, limits=limits, options=chosen, table_sizes=sizes, pool=pool)


def _document(bot: LocalBot, game: str | None, chosen: dict[str, object], found: CheckReport) -> dict[str, object]:
    return {
        "schema": "gangland/check/1",
        "file": bot.filename,
        "game": game,
        "options": chosen,
        "bot": found.bot,
        "accepted": not found.problems,
        "stages": found.stages,
        "decisions": found.decisions,
        "import_s": found.import_s,
        "slowest_s": found.slowest_s,
        "problems": [
            {"code": problem.code, "message": problem.message, "line": problem.line} for problem in found.problems
        ],
    }


def _print(bot: LocalBot, game: str, chosen: dict[str, object], sizes: list[int], found: CheckReport) -> None:
    rules = game_named(game)
    *fewer, most = map(str, sizes)
    seats = f"{', '.join(fewer)} and {most}" if fewer else most
    write = sys.stdout.write
    played = f"{rules.title}, rules {rules.rules_version}, bot API {BOT_API_VERSION}{options.words(chosen)}"
    write(f"{report.cleaned(bot.filename)}  {played}\n")
    passed = {
        "imported": f"import {1000 * found.import_s:.0f} ms, one bot class: {report.cleaned(found.bot)}",
        "legal": f"{found.decisions} decisions at {seats} seats, all legal",
        "timed": f"slowest decision {1000 * found.slowest_s:.1f} ms",
    }
    for stage in found.stages:
        write(f"  ok    {passed[stage]}\n")
    _print_problems(bot, found)


def _print_problems(bot: LocalBot, found: CheckReport) -> None:
    write = sys.stdout.write
    for problem in found.problems:
        name = report.cleaned(bot.filename)
        file = name if main_of(name) == name else f"{name}/{main_of(name)}"
        where = f"{file}:{problem.line}" if problem.line else name
        write(f"  FAIL\n\n{problem.code}  {where}\n  ")
        write(report.cleaned(problem.message).replace("\n", "\n  ") + "\n")
    count = len(found.problems)
    write("accepted\n" if not count else f"{count} problem{'s' if count > 1 else ''}\n")
