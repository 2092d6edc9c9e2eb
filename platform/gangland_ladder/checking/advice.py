"""A thorough check: the check of the server, and advice about bots that are legal but in danger."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

import msgspec

from gangland.bot import OWN_NAMES, own_name
from gangland.faults import BotFault, FaultKind
from gangland.game import Variant
from gangland_ladder.checking import words as check_words
from gangland_ladder.checking.bench import Bench
from gangland_ladder.checking.check import Check
from gangland_ladder.checking.hints import NEAR
from gangland_ladder.checking.memory import may_keep_on_self, places_of
from gangland_ladder.checking.names import NAMES, nearest
from gangland_ladder.checking.play import CheckedView, Examination, Planned, plan_of
from gangland_ladder.errors import problem_of
from gangland_ladder.matches.match_orders import CheckReport, Problem
from gangland_sandbox.caps import CAPS
from gangland_sandbox.inside_code import OVERRIDDEN
from gangland_sandbox.intake import unpack

DANGER = 0.5
"""The share of a limit from which on a bot is in danger: the server may be slower, and games longer."""
PLACES_SHOWN = 3
EVENT_METHODS = ("on_game_start", "on_game_end")
ARGUMENTS = 2
"""Of every method that is asked or told something, `self` included."""
_VERB = re.compile(r"^_*cho+se?_?(?=.)")
LATE = frozenset({FaultKind.DECISION_TIME, FaultKind.BANK_TIME, FaultKind.WALL_TIME})
Games = dict[Planned, list[CheckedView]]


def check_thoroughly(bench: Bench, *, every_option: bool) -> CheckReport:
    """Check a bot as the server does, and look for what may go wrong later.

    Args:
        every_option: play a few games with the organiser's other options too.

    Raises:
        SandboxError: the jail failed.
    """
    check = Check(bench)
    check.run()
    report = check.report()
    if report.problems:
        return report
    warnings = [*misnamed_methods(bench, check.lines), *taken_names(bench, report.bot)]
    warnings += [*_near_limits(bench, check, report), *_differing(bench, check)]
    if every_option:
        warnings += _in_variants(bench)
    return msgspec.structs.replace(report, warnings=warnings)


def misnamed_methods(bench: Bench, lines: Mapping[str, int]) -> list[Problem]:
    """Return the methods that are named almost as one that is asked or told.

    Args:
        lines: of the methods that the bot was found to have, by kind of decision.
    """
    nodes = list(ast.walk(ast.parse(bench.main_source())))
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    methods = {node.name: node for each in classes for node in each.body if isinstance(node, ast.FunctionDef)}
    deciding = [f"choose_{kind}" for kind in bench.game.bot_class.kinds]
    wanted = {
        _core(name): name for name in (*deciding, *EVENT_METHODS) if name not in methods and name[7:] not in lines
    }
    called = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    called |= {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    if "act" in methods:
        return []  # it asks its own methods, by whatever names
    found = []
    uncalled = sorted(methods.keys() - {*deciding, *EVENT_METHODS} - called, key=lambda name: methods[name].lineno)
    for name in islice(uncalled, NAMES):
        near = nearest(_core(name), wanted, NEAR)
        if near and (name.startswith("choose_") or len(methods[name].args.args) == ARGUMENTS):
            text = f"{name}() is never called: did you mean {wanted[near]}()?"
            found.append(Problem("W308", text, methods[name].lineno))
    return found


def taken_names(bench: Bench, bot: str) -> list[Problem]:
    """Return where a bot's class gives a name of the base class to something else, once for each name.

    Args:
        bot: the name of its class; classes of the same file that it extends are looked at too.
    """
    classes = {node.name: node for node in ast.walk(ast.parse(bench.main_source())) if isinstance(node, ast.ClassDef)}
    lines: dict[str, int] = {}
    waiting, looked = [bot], set[str]()
    while waiting:
        name = waiting.pop()
        if name not in classes or name in looked:
            continue
        looked.add(name)
        waiting += [base.id for base in classes[name].bases if isinstance(base, ast.Name)]
        for taken, line in _given(classes[name]):
            lines.setdefault(taken, line)
    return [Problem("W309", own_name(name), line) for name, line in sorted(lines.items(), key=lambda each: each[1])]


def _given(node: ast.ClassDef) -> Iterator[tuple[str, int]]:
    """Yield the names of the base class that a class or `self` is given in it, with their lines."""
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and each.name not in OVERRIDDEN:
            names = [each.name]
        else:
            targets = each.targets if isinstance(each, ast.Assign) else []
            if isinstance(each, ast.AnnAssign) and each.value is not None:
                targets = [each.target]
            names = [part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]
        yield from ((name, each.lineno) for name in names if name in OWN_NAMES)
    stored = (part for part in ast.walk(node) if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store))
    for part in stored:
        if part.attr in OWN_NAMES and isinstance(part.value, ast.Name) and part.value.id == "self":
            yield part.attr, part.lineno


def _core(name: str) -> str:
    """Return what tells a method's name from others, however it is written."""
    return _VERB.sub("", name.lower()).replace("_", "")


def _near_limits(bench: Bench, check: Check, report: CheckReport) -> list[Problem]:
    limits, found = bench.limits, []
    if check.playing.written > DANGER:
        of = f"{check.playing.written:.0%} of the {limits.stderr_bytes // 1024} KiB that one process may print"
        log = f"(or of the {limits.log_match_bytes // 1024} KiB that it may log)"
        found.append(Problem("W303", f"the games of this check wrote {of} {log}"))
    if report.import_s > DANGER * limits.import_cpu_s:
        took = f"{report.import_s:.2f} s of the {limits.import_cpu_s:g} s of CPU"
        found.append(Problem("W304", f"the file and __init__() took {took} that loading may take"))
    if report.slowest_s > DANGER * limits.decision_cpu_s:
        slow = max(check.views, key=lambda checked: checked.cpu_s)
        took = f"choose_{slow.kind}() took {slow.cpu_s:.2f} s of the {limits.decision_cpu_s:g} s of CPU"
        found.append(Problem("W305", f"{took} that a decision may take", slow.line, slow.kind, slow.number))
    if report.bank_share > DANGER:
        used = f"used {report.bank_share:.0%} of the {limits.bank_cpu_s:g} s of CPU"
        found.append(Problem("W306", f"the games of this check {used} that one process has for as many"))
    return found


def _differing(bench: Bench, check: Check) -> list[Problem]:
    """Play the games again in a fresh process, the last one first, and say why any of them goes another way."""
    turned = plan_of(bench.table_sizes)[::-1]
    before, again = _by_game(check.views), _played(bench, turned)
    first = _first_difference(before, again, turned)
    if first is None:
        return []
    third = _played(bench, turned)
    unseeded = _first_difference(again, third, turned)
    if unseeded is not None:
        return [_unseeded(*unseeded)]
    return _remembering(bench, *first)


def _played(bench: Bench, plan: Sequence[Planned]) -> Games:
    views: list[CheckedView] = []
    Examination(bench.game, bench.options, bench.salt, bench.opener(), views.append, lambda _: None).run(plan)
    return _by_game(views)


def _by_game(views: Sequence[CheckedView]) -> Games:
    games: Games = {}
    for each in views:
        games.setdefault(each.planned, []).append(each)
    return games


def _first_difference(one: Games, other: Games, plan: Sequence[Planned]) -> tuple[CheckedView, CheckedView] | None:
    """Return the first view of these games at which two runs answered differently."""
    for planned in plan:
        for first, second in zip(one.get(planned, []), other.get(planned, []), strict=False):
            if first.outcome != second.outcome and not (_late(first) or _late(second)):
                return first, second
    return None


def _late(checked: CheckedView) -> bool:
    """Return whether a view ended by the clock, which says nothing of what the bot would have answered."""
    return checked.fault is not None and checked.fault.kind in LATE


def _unseeded(one: CheckedView, other: CheckedView) -> Problem:
    """Return the warning; without a view's number, for the games of another run go another way."""
    answers = f"{check_words.shown(one.answer)}, then {check_words.shown(other.answer)}"
    text = f"choose_{one.kind}() gave different answers to the same view of the same game: first {answers}"
    return Problem("W301", f"{text}\n{_moment(one)}", one.line, one.kind)


def _moment(checked: CheckedView) -> str:
    """Return when it was, so that an author finds it in a log."""
    seats, number = checked.planned
    return f"It was decision {checked.at + 1} of game {number + 1} at {seats} seats, in seat {checked.seat + 1}."


def _remembering(bench: Bench, one: CheckedView, other: CheckedView) -> list[Problem]:
    """Return the warning if globals, classes and the like are where the bot keeps what it remembers."""
    files = unpack(bench.source, bench.filename, CAPS[bench.limits.profile]).files
    places = places_of(files)
    if not places and may_keep_on_self(files):
        return []  # on self, where it belongs: one instance may remember the games before
    where = "; ".join(f"{place.file}:{place.line} changes {place.what}" for place in places[:PLACES_SHOWN])
    where = where or "What it keeps is not on `self`; the line that changes it is not known"
    answers = f"{check_words.shown(one.answer)}, in a fresh process {check_words.shown(other.answer)}"
    text = f"choose_{one.kind}() decides by what earlier games left behind: after them it returned {answers}"
    text += f"\n{where}. {_moment(one)}"
    kept = (
        "The server plays each seat rotation in a fresh process, so this is lost there, and mixed up with other games."
    )
    line = places[0].line if places else one.line
    return [Problem("W302", f"{text}\n{kept}", line, one.kind)]


def _in_variants(bench: Bench) -> list[Problem]:
    """Return the first fault under each set of the organiser's other options."""
    variants = [each for each in bench.game.variants if each.seats in bench.table_sizes]
    return [problem for problem in (_fault_in(bench, variant) for variant in variants) if problem is not None]


def _fault_in(bench: Bench, variant: Variant) -> Problem | None:
    problems: list[Problem] = []
    varied = replace(bench, options=bench.game.options(variant.options))

    def saw(checked: CheckedView) -> None:
        problems.extend(filter(None, [check_words.wrong(checked, bench.filename, bench.game)]))

    def failed(fault: BotFault) -> None:
        problems.append(problem_of(fault, bench.filename))

    plan = [Planned(variant.seats, number) for number in range(variant.games)]
    Examination(bench.game, varied.options, bench.salt, varied.opener(), saw, failed).run(plan)
    if not problems:
        return None
    first = problems[0]
    options = " ".join(f"--option {name}={_text(value)}" for name, value in variant.options.items())
    return msgspec.structs.replace(first, code="W307", message=f"with {options}: {first.code}: {first.message}")


def _text(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
