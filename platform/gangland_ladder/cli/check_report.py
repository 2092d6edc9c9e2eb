"""What `gangland check` prints."""

from __future__ import annotations

import sys
import textwrap
from typing import NamedTuple

from gangland import BOT_API_VERSION
from gangland.games import game_named
from gangland_ladder.checking.shown_view import NoSuchView, ViewShown
from gangland_ladder.cli import options, report
from gangland_ladder.documents.bots import Check, CheckView, ExplainedProblem
from gangland_ladder.errors import entries
from gangland_ladder.local.bots import LocalBot
from gangland_ladder.matches.match_orders import CheckReport, MethodTimes, Problem
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


def document(call: Call, found: CheckReport) -> Check:
    """Return the report of a check as it is printed with --json."""
    return Check(
        file=call.bot.filename,
        game=call.game,
        options=call.chosen,
        salt=call.salt.hex(),
        bot=found.bot,
        accepted=not found.problems,
        stages=found.stages,
        decisions=found.decisions,
        import_s=found.import_s,
        slowest_s=found.slowest_s,
        bank_share=found.bank_share,
        methods=found.methods,
        problems=[ExplainedProblem.of(problem) for problem in found.problems],
        warnings=[ExplainedProblem.of(problem) for problem in found.warnings],
    )


def print_report(call: Call, found: CheckReport) -> None:
    """Print what passed, then every finding, then the verdict."""
    write = sys.stdout.write
    if call.game is not None:
        rules = game_named(call.game)
        played = f"{rules.title}, rules {rules.rules_version}, bot API {BOT_API_VERSION}{options.words(call.chosen)}"
        write(f"{report.cleaned(call.bot.filename)}  {played}\n")
    for line in _passed(call, found):
        write(f"  ok    {report.cleaned(line)}\n")
    for problem in found.problems:
        write(f"  FAIL  {report.cleaned(_failed(problem, found))}\n")
    for problem in found.warnings:
        write(f"  warn  {entries()[problem.code].title}\n")
    for problem in (*found.problems, *found.warnings):
        print_finding(call, problem)
    count = len(found.problems)
    separated = "\n" if count or found.warnings else ""
    warned = f", {report.counted(len(found.warnings), 'warning')}" if found.warnings else ""
    write(separated + ("accepted" if not count else report.counted(count, "problem")) + f"{warned}\n")


def _passed(call: Call, found: CheckReport) -> list[str]:
    *fewer, most = map(str, call.sizes) if call.sizes else ("",)
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


def print_finding(call: Call, problem: Problem) -> None:
    """Print one finding: where, what, how to mend it and where to read on."""
    write = sys.stdout.write
    name = report.cleaned(call.bot.filename)
    file = name if main_of(name) == name else f"{name}/{main_of(name)}"
    head, _, rest = report.cleaned_lines(problem.message).partition("\n")
    where = f"{file}:{problem.line}" if problem.line else name
    write(f"\n{problem.code}  {where}  {head}\n{_details(rest)}")
    write(f"  {_first_sentence(entries()[problem.code].mend)}\n")
    if problem.view is not None:
        write(f"  Reproduce: {report.cleaned(call.words)} --view {problem.view}     ")
    elif problem.code in COMPARED:
        write(f"  See it again: {report.cleaned(call.words)}, which plays its games up to three times     ")
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


def print_view(call: Call, found: ViewShown | NoSuchView, number: int, as_json: bool) -> int:
    """Print one view of a check; return the exit code."""
    if as_json:
        _print_view_json(call, found, number)
    elif isinstance(found, NoSuchView):
        _print_no_view(call, found, number)
    else:
        _print_view(call, found)
    if isinstance(found, NoSuchView):
        return report.FINDINGS if found.problem else report.USAGE
    return report.FINDINGS if found.problem else 0


def _print_view_json(call: Call, found: ViewShown | NoSuchView, number: int) -> None:
    if isinstance(found, NoSuchView) and found.problem is None:
        _print_no_view(call, found, number)
        return
    report.print_json(
        CheckView(
            file=call.bot.filename,
            game=call.game or "",
            options=call.chosen,
            salt=call.salt.hex(),
            view=number,
            shown=None if isinstance(found, NoSuchView) else found.shown,
            problem=None if found.problem is None else ExplainedProblem.of(found.problem),
        )
    )


def _print_no_view(call: Call, found: NoSuchView, number: int) -> None:
    if found.problem is not None:
        print_finding(call, found.problem)
        return
    report.say(f"gangland: this check has {report.counted(found.views, 'view')}, so there is no view {number}")


def _print_view(call: Call, found: ViewShown) -> None:
    write, view = sys.stdout.write, found.shown
    where = f"seat {view.seat + 1} of {view.seats}, round {view.round}"
    write(f"view {found.number}  {report.cleaned(call.bot.filename)}:{view.line or ''}  {view.method}()  {where}\n\n")
    width = max(map(len, view.fields))
    for name, text in view.fields.items():
        lines = textwrap.wrap(report.cleaned(text), WIDTH - width) or [""]
        write(f"  {name.ljust(width)}  " + f"\n{' ' * (width + 4)}".join(lines) + "\n")
    if view.returned:
        write(f"\n  returned  {report.cleaned(view.returned)}\n")
    write(
        f"  legal     {report.cleaned(view.legal)}\n" if view.returned else f"\n  legal  {report.cleaned(view.legal)}\n"
    )
    if found.problem is not None:
        head, _, rest = report.cleaned_lines(found.problem.message).partition("\n")
        write(f"\n{found.problem.code}  {head}\n{_details(rest)}")
        write(f"  Step through it: {report.cleaned(call.words)} --view {found.number} --pdb\n")
    else:
        write("\nlegal\n")
