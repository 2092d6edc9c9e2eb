"""`gangland check`: would the server take this bot?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from gangland import BOT_API_VERSION
from gangland.games import game_named
from gangland_ladder.check import check_bot
from gangland_ladder.cli import report
from gangland_ladder.local_bots import LocalBot, game_of, read_bot
from gangland_ladder.orders import CheckReport
from gangland_ladder.tables import Tables
from gangland_sandbox.asking import Mode
from gangland_sandbox.limits import Limits

CHECK_BLOCKS = 12


def check(
    bot: Annotated[Path, typer.Argument(metavar="BOT", help="A bot's file.")],
    game: report.Game = None,
    as_json: report.Json = False,
    trusted: report.Trusted = False,
) -> None:
    """Check a bot as the server does: intake, import, legal decisions, time.  Exit 0 or 1.

    Example: gangland check my_bot.py
    """
    local = read_bot(bot)
    game = game_of([local], game)
    mode: Mode = Mode.TRUSTED if trusted else Mode.JAIL
    if trusted:
        report.say(report.TRUSTED_WARNING)
    with Tables(mode=mode, workers=1) as tables:
        (found,) = tables.run(_check, [(local, game, mode)])
    if as_json:
        report.print_json(_document(local, game, found))
    else:
        _print(local, game, found)
    if found.problems:
        sys.exit(report.FINDINGS)


def _check(bot: LocalBot, game: str, mode: Mode) -> CheckReport:
    return check_bot(bot.source, bot.filename, game, limits=Limits.plain(CHECK_BLOCKS), mode=mode)


def _document(bot: LocalBot, game: str, found: CheckReport) -> dict[str, object]:
    return {
        "schema": "gangland/check/1",
        "file": bot.filename,
        "game": game,
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


def _print(bot: LocalBot, game: str, found: CheckReport) -> None:
    rules = game_named(game)
    write = sys.stdout.write
    write(f"{bot.filename}  {rules.title}, rules {rules.rules_version}, bot API {BOT_API_VERSION}\n")
    passed = {
        "imported": f"import {1000 * found.import_s:.0f} ms, one bot class: {report.cleaned(found.bot)}",
        "legal": f"{found.decisions} decisions at 2, 3 and 4 seats, all legal",
        "timed": f"slowest decision {1000 * found.slowest_s:.1f} ms",
    }
    for stage in found.stages:
        write(f"  ok    {passed[stage]}\n")
    for problem in found.problems:
        where = f"{bot.filename}:{problem.line}" if problem.line else bot.filename
        write(f"  FAIL\n\n{problem.code}  {where}\n  ")
        write(report.cleaned(problem.message).replace("\n", "\n  ") + "\n")
    count = len(found.problems)
    write("accepted\n" if not count else f"{count} problem{'s' if count > 1 else ''}\n")
