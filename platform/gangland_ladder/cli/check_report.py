"""What `gangland check` prints."""

from __future__ import annotations

import sys
import textwrap
from typing import Any, NamedTuple

import msgspec

from gangland import BOT_API_VERSION
from gangland.games import game_named
from gangland_ladder.checking.view import NoSuchView, ViewShown, plain
from gangland_ladder.cli import options, report
from gangland_ladder.errors.catalogue import entries
from gangland_ladder.local.bots import LocalBot
from gangland_ladder.matches.orders import CheckReport, MethodTimes, Problem
from gangland_sandbox.intake import main_of

WIDTH = 110
TRACES = ("Traceback", "  File ", "...")
"""What the first line of a traceback begins with."""
COMPARED = ("W301", "W302")
"""Found by comparing whole runs, so that no single view shows them."""


class Call(NamedTuple):
    """What was checked, and how.

    Attributes:
        words: the command that checks it so.
        salt: all its dice come from it.
    """

    bot: LocalBot
    words: str
    game: str | None
    chosen: dict[str, object]
    sizes: list[int]
    salt: bytes


def document(asked: Call, found: CheckReport) -> dict[str, object]:
    """Return the report of a check as JSON values."""
    return {
        "schema": "gangland/check/1",
        "file": asked.bot.filename,
        "game": asked.game,
        "options": asked.chosen,
        "salt": asked.salt.hex(),
        "bot": found.bot,
        "accepted": not found.problems,
        "stages": found.stages,
        "decisions": found.decisions,
        "import_s": found.import_s,
        "slowest_s": found.slowest_s,
        "bank_share": found.bank_share,
        "methods": [msgspec.to_builtins(each) for each in found.methods],
        "problems": [_finding(problem) for problem in found.problems],
        "warnings": [_finding(problem) for problem in found.warnings],
    }


def _finding(problem: Problem) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(problem)
    entry = entries()[problem.code]
    return {**told, "title": entry.title, "mend": entry.mend, "page": entry.page}


def print_report(asked: Call, found: CheckReport) -> None:
    """Print what passed, then every finding, then the verdict."""
    write = sys.stdout.write
    if asked.game is not None:
        rules = game_named(asked.game)
        played = f"{rules.title}, rules {rules.rules_version}, bot API {BOT_API_VERSION}{options.words(asked.chosen)}"
        write(f"{report.cleaned(asked.bot.filename)}  {played}\n")
    for line in _passed(asked, found):
        write(f"  ok    {report.cleaned(line)}\n")
    for problem in found.problems:
        write(f"  FAIL  {report.cleaned(_failed(problem, found))}\n")
    for problem in found.warnings:
        write(f"  warn  {entries()[problem.code].title}\n")
    for problem in (*found.problems, *found.warnings):
        print_finding(asked, problem)
    count = len(found.problems)
    separated = "\n" if count or found.warnings else ""
    warned = f", {report.counted(len(found.warnings), 'warning')}" if found.warnings else ""
    write(separated + ("accepted" if not count else report.counted(count, "problem")) + f"{warned}\n")


def _passed(asked: Call, found: CheckReport) -> list[str]:
    *fewer, most = map(str, asked.sizes) if asked.sizes else ("",)
    seats = f"{', '.join(fewer)} and {most}" if fewer else most
    lines = []
    if "imported" in found.stages:
        lines.append(f"import {1000 * found.import_s:.0f} ms, one bot class: {found.bot}")
    if "legal" in found.stages:
        lines.append(f"{report.counted(found.decisions, 'decision')} at {seats} seats, all legal")
    if "timed" in found.stages:
        width = max((len(each.method) for each in found.methods), default=0)
        lines += [_times(each, width) for each in found.methods]
        share = f"{found.bank_share:.1%}" if found.bank_share >= 0.001 else "under 0.1%"
        lines.append(f"{share} of the time that one process has for so many games")
    return lines


def _times(each: MethodTimes, width: int) -> str:
    name = f"choose_{each.method}".ljust(width + len("choose_"))
    times = "  ".join(
        f"{what} {1000 * value:.1f}" for what, value in (("p50", each.p50_s), ("p99", each.p99_s), ("max", each.max_s))
    )
    return f"{name}  {times} ms in {report.counted(each.views, 'view')}"


def _failed(problem: Problem, found: CheckReport) -> str:
    title = entries()[problem.code].title
    views = sum(each.views for each in found.methods if each.method == problem.method)
    return f"choose_{problem.method}: {title} in {problem.times} of {views} views" if views else title


def print_finding(asked: Call, problem: Problem) -> None:
    """Print one finding: where, what, how to mend it and where to read on."""
    write = sys.stdout.write
    name = report.cleaned(asked.bot.filename)
    file = name if main_of(name) == name else f"{name}/{main_of(name)}"
    head, _, rest = report.cleaned(problem.message).partition("\n")
    where = f"{file}:{problem.line}" if problem.line else name
    write(f"\n{problem.code}  {where}  {head}\n{_details(rest)}")
    write(f"  {_first_sentence(entries()[problem.code].mend)}\n")
    if problem.view is not None:
        write(f"  Reproduce: {report.cleaned(asked.words)} --view {problem.view}     ")
    elif problem.code in COMPARED:
        write(f"  See it again: {report.cleaned(asked.words)}, which plays its games up to three times     ")
    else:
        write("  ")
    write(f"Explain: gangland explain {problem.code}\n")


def _details(text: str) -> str:
    """Return what comes below a finding's first line; a traceback, which a bot has a hand in, as a block of its own."""
    lines = [line for line in text.split("\n") if line]
    trace = next((at for at, line in enumerate(lines) if line.startswith(TRACES)), len(lines))
    return "".join(f"  {line}\n" for line in lines[:trace]) + "".join(f"  | {line}\n" for line in lines[trace:])


def _first_sentence(text: str) -> str:
    return text if ". " not in text else text[: text.index(". ") + 1]


def print_view(asked: Call, found: ViewShown | NoSuchView, number: int, as_json: bool) -> int:
    """Print one view of a check; return the exit code."""
    if as_json:
        _print_view_json(asked, found, number)
    elif isinstance(found, NoSuchView):
        _print_no_view(asked, found, number)
    else:
        _print_view(asked, found)
    if isinstance(found, NoSuchView):
        return report.FINDINGS if found.problem else report.USAGE
    return report.FINDINGS if found.problem else 0


def _print_view_json(asked: Call, found: ViewShown | NoSuchView, number: int) -> None:
    if isinstance(found, NoSuchView) and found.problem is None:
        _print_no_view(asked, found, number)
        return
    shown = None if isinstance(found, NoSuchView) else plain(found)
    problem = None if found.problem is None else _finding(found.problem)
    call = {
        "file": asked.bot.filename,
        "game": asked.game,
        "options": asked.chosen,
        "salt": asked.salt.hex(),
        "view": number,
    }
    report.print_json({"schema": "gangland/check-view/1", **call, "shown": shown, "problem": problem})


def _print_no_view(asked: Call, found: NoSuchView, number: int) -> None:
    if found.problem is not None:
        print_finding(asked, found.problem)
        return
    report.say(f"gangland: this check has {report.counted(found.views, 'view')}, so there is no view {number}")


def _print_view(asked: Call, found: ViewShown) -> None:
    write = sys.stdout.write
    where = f"seat {found.seat + 1} of {found.seats}, round {found.round}"
    write(
        f"view {found.number}  {report.cleaned(asked.bot.filename)}:{found.line or ''}  {found.method}()  {where}\n\n"
    )
    width = max(map(len, found.fields))
    for name, text in found.fields.items():
        lines = textwrap.wrap(report.cleaned(text), WIDTH - width) or [""]
        write(f"  {name.ljust(width)}  " + f"\n{' ' * (width + 4)}".join(lines) + "\n")
    if found.returned:
        write(f"\n  returned  {report.cleaned(found.returned)}\n")
    write(
        f"  legal     {report.cleaned(found.legal)}\n"
        if found.returned
        else f"\n  legal  {report.cleaned(found.legal)}\n"
    )
    if found.problem is not None:
        head, _, rest = report.cleaned(found.problem.message).partition("\n")
        write(f"\n{found.problem.code}  {head}\n{_details(rest)}")
        write(f"  Step through it: {report.cleaned(asked.words)} --view {found.number} --pdb\n")
    else:
        write("\nlegal\n")
