"""The thorough check: the server's check, and warnings about bots that are legal but may fail later."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

import msgspec

from gangland.bot import OWN_NAMES, own_name_error
from gangland.faults import BotFault, FaultKind
from gangland.game import Variant
from gangland_ladder.checking.check import Check
from gangland_ladder.checking.examination import Bench, CheckedView, Examination, Planned, plan_of
from gangland_ladder.checking.problems import NAMES, NEAR, answer_text, nearest, problem_in
from gangland_ladder.common.texts import option_arguments
from gangland_ladder.errors import problem_of
from gangland_ladder.matches.match_jobs import CheckReport, Problem
from gangland_sandbox import caps, inside_code, intake

# The thorough check.


DANGER = 0.5  # Used share of a limit above which a bot is at risk: the server may be slower, and games may be longer.
PLACES_SHOWN = 3
EVENT_METHODS = ("on_game_start", "on_game_end")
ARGUMENTS = 2  # Number of arguments that each method called by a game takes, including `self`.
_VERB = re.compile(r"^_*cho+se?_?(?=.)")
LATE = frozenset({FaultKind.DECISION_TIME, FaultKind.BANK_TIME, FaultKind.WALL_TIME})
Games = dict[Planned, list[CheckedView]]


def check_thoroughly(bench: Bench, *, every_option: bool) -> CheckReport:
    """Check a bot as the server does, and warn about problems that may occur later.

    Raises SandboxError: the jail failed.
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
    """Return warnings about methods that are never called and have a name similar to a method that is called."""
    nodes = list(ast.walk(ast.parse(bench.main_source())))
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    methods = {node.name: node for owner in classes for node in owner.body if isinstance(node, ast.FunctionDef)}
    deciding = [f"choose_{kind}" for kind in bench.game.bot_class.kinds]
    wanted = {
        _core(name): name for name in (*deciding, *EVENT_METHODS) if name not in methods and name[7:] not in lines
    }
    called = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    called |= {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    if "act" in methods:
        return []  # `act` calls the bot's own methods, which may have any names
    warnings = []
    uncalled = sorted(methods.keys() - {*deciding, *EVENT_METHODS} - called, key=lambda name: methods[name].lineno)
    for name in islice(uncalled, NAMES):
        near = nearest(_core(name), wanted, NEAR)
        if near and (name.startswith("choose_") or len(methods[name].args.args) == ARGUMENTS):
            text = f"{name}() is never called: did you mean {wanted[near]}()?"
            warnings.append(Problem("W308", text, methods[name].lineno))
    return warnings


def _core(name: str) -> str:
    return _VERB.sub("", name.lower()).replace("_", "")


def taken_names(bench: Bench, bot: str) -> list[Problem]:
    """Return warnings about names of the base class that a bot's class redefines, one per name."""
    classes = {node.name: node for node in ast.walk(ast.parse(bench.main_source())) if isinstance(node, ast.ClassDef)}
    lines: dict[str, int] = {}
    waiting, visited = [bot], set[str]()
    while waiting:
        name = waiting.pop()
        if name not in classes or name in visited:
            continue
        visited.add(name)
        waiting += [base.id for base in classes[name].bases if isinstance(base, ast.Name)]
        for own, line in _reused_names(classes[name]):
            lines.setdefault(own, line)
    return [
        Problem("W309", own_name_error(name), line) for name, line in sorted(lines.items(), key=lambda item: item[1])
    ]


def _reused_names(node: ast.ClassDef) -> Iterator[tuple[str, int]]:
    for statement in node.body:
        if isinstance(statement, ast.FunctionDef) and statement.name not in inside_code.OVERRIDABLE:
            names = [statement.name]
        else:
            targets = statement.targets if isinstance(statement, ast.Assign) else []
            if isinstance(statement, ast.AnnAssign) and statement.value is not None:
                targets = [statement.target]
            names = [part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]
        yield from ((name, statement.lineno) for name in names if name in OWN_NAMES)
    stored = (part for part in ast.walk(node) if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store))
    for part in stored:
        if part.attr in OWN_NAMES and isinstance(part.value, ast.Name) and part.value.id == "self":
            yield part.attr, part.lineno


def _near_limits(bench: Bench, check: Check, report: CheckReport) -> list[Problem]:
    limits, warnings = bench.limits, []
    if check.playing.written > DANGER:
        limit = (
            f"the limit of {limits.stderr_bytes // 1024} KiB of output or {limits.log_match_bytes // 1024} KiB of logs"
        )
        warnings.append(Problem("W303", f"the games of this check used {check.playing.written:.0%} of {limit}"))
    if report.import_s > DANGER * limits.import_cpu_s:
        took = f"{report.import_s:.2f} s of the {limits.import_cpu_s:g} s of CPU allowed"
        warnings.append(Problem("W304", f"the file and __init__() took {took}"))
    if report.slowest_s > DANGER * limits.decision_cpu_s:
        slow = max(check.views, key=lambda checked: checked.cpu_s)
        took = f"choose_{slow.kind}() took {slow.cpu_s:.2f} s of the {limits.decision_cpu_s:g} s of CPU allowed"
        warnings.append(Problem("W305", took, slow.line, slow.kind, slow.number))
    if report.bank_share > DANGER:
        used = f"{report.bank_share:.0%} of the {limits.bank_cpu_s:g} s of CPU of one process"
        warnings.append(Problem("W306", f"the games of this check used {used}"))
    return warnings


def _differing(bench: Bench, check: Check) -> list[Problem]:
    """Play the games a second time, in a new process and in reverse order, and explain the first difference."""
    turned = plan_of(bench.table_sizes)[::-1]
    before, again = _by_game(check.views), _play_games(bench, turned)
    first = _first_difference(before, again, turned)
    if first is None:
        return []
    third = _play_games(bench, turned)
    unseeded = _first_difference(again, third, turned)
    if unseeded is not None:
        return [_unseeded_problem(*unseeded)]
    return _remembering(bench, *first)


def _play_games(bench: Bench, plan: Sequence[Planned]) -> Games:
    views: list[CheckedView] = []
    Examination(bench, bench.opener(), views.append, lambda _: None).run(plan)
    return _by_game(views)


def _by_game(views: Sequence[CheckedView]) -> Games:
    games: Games = {}
    for view in views:
        games.setdefault(view.planned, []).append(view)
    return games


def _first_difference(one: Games, other: Games, plan: Sequence[Planned]) -> tuple[CheckedView, CheckedView] | None:
    for planned in plan:
        for first, second in zip(one.get(planned, []), other.get(planned, []), strict=False):
            if first.outcome != second.outcome and not (_late(first) or _late(second)):
                return first, second
    return None


# The clock ended such a decision, so the bot's answer is unknown.
def _late(checked: CheckedView) -> bool:
    return checked.fault is not None and checked.fault.kind in LATE


# The problem has no view number, because the second run has different games.
def _unseeded_problem(one: CheckedView, other: CheckedView) -> Problem:
    answers = f"{answer_text(one.answer)}, then {answer_text(other.answer)}"
    text = f"choose_{one.kind}() gave different answers to the same view of the same game: first {answers}"
    return Problem("W301", f"{text}\n{_moment(one)}", one.line, one.kind)


def _moment(checked: CheckedView) -> str:
    seats, number = checked.planned
    return f"It was decision {checked.at + 1} of game {number + 1} at {seats} seats, in seat {checked.seat + 1}."


def _remembering(bench: Bench, one: CheckedView, other: CheckedView) -> list[Problem]:
    files = intake.unpack(bench.source, bench.filename, caps.CAPS[bench.limits.profile]).files
    places = places_of(files)
    if not places and may_keep_on_self(files):
        return []  # state on self is expected: one instance may remember earlier games
    changes = "; ".join(f"{place.file}:{place.line} changes {place.target}" for place in places[:PLACES_SHOWN])
    changes = changes or "The value is not on `self`; the line that changes it is unknown"
    answers = f"{answer_text(one.answer)}, but in a fresh process {answer_text(other.answer)}"
    text = f"choose_{one.kind}() depends on earlier games: after them it returned {answers}"
    text += f"\n{changes}. {_moment(one)}"
    lost = "On the server, each seat rotation starts a fresh process, so this is lost there."
    line = places[0].line if places else one.line
    return [Problem("W302", f"{text}\n{lost}", line, one.kind)]


def _in_variants(bench: Bench) -> list[Problem]:
    variants = [variant for variant in bench.game.variants if variant.seats in bench.table_sizes]
    return [problem for problem in (_fault_in(bench, variant) for variant in variants) if problem is not None]


def _fault_in(bench: Bench, variant: Variant) -> Problem | None:
    problems: list[Problem] = []
    varied = replace(bench, options=bench.game.options(variant.options))

    def saw(checked: CheckedView) -> None:
        problems.extend(filter(None, [problem_in(checked, bench.filename, bench.game)]))

    def failed(fault: BotFault) -> None:
        problems.append(problem_of(fault, bench.filename))

    plan = [Planned(variant.seats, number) for number in range(variant.games)]
    Examination(varied, varied.opener(), saw, failed).run(plan)
    if not problems:
        return None
    first = problems[0]
    message = f"with{option_arguments(variant.options)}: {first.code}: {first.message}"
    return msgspec.structs.replace(first, code="W307", message=message)


# State that survives a game: lines in a bot's files that change globals, classes, default arguments or closures.
#
# The files are parsed, not run, and only after the same version of Python has loaded the bot in the jail.


# Methods that change a list, a dict, a set or a deque in place.
CHANGERS = frozenset(
    "add append appendleft clear discard extend insert pop popitem remove reverse setdefault sort update".split()
)
# Methods of a random generator, which change its state.
DRAWS = frozenset(
    "betavariate choice choices expovariate gauss getrandbits normalvariate randbytes randint random randrange sample "
    "seed send shuffle triangular uniform".split()
)
# Functions that change their first argument.
FUNCTIONS = frozenset({"next", "setattr", "delattr", "heappush", "heappop", "heapreplace", "insort", "shuffle"})
_HIDDEN = frozenset({"setattr", "vars", "__dict__", "__setattr__"})
_CONTAINERS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.Call)


class Place(NamedTuple):
    """A line that changes a value that survives a game."""

    file: str
    line: int
    target: str


def places_of(files: Mapping[str, bytes]) -> list[Place]:
    """Return the lines where functions change values that survive a game, in order of file and line."""
    places = []
    for file, source in files.items():
        if file.endswith(".py"):
            places += [Place(file, line, target) for line, target in sorted(set(_Module(ast.parse(source)).changes()))]
    return places


def may_keep_on_self(files: Mapping[str, bytes]) -> bool:
    """Return whether a bot may keep state on an instance: whether any code in its files sets an attribute."""
    nodes = (node for file, source in files.items() if file.endswith(".py") for node in ast.walk(ast.parse(source)))
    return any(
        (isinstance(node, ast.Attribute) and (isinstance(node.ctx, ast.Store) or node.attr in _HIDDEN))
        or (isinstance(node, ast.Name) and node.id in _HIDDEN)
        for node in nodes
    )


class _Scope(NamedTuple):
    declared: dict[str, str]  # names that the function declares global or nonlocal
    local: set[str]
    lasting: dict[str, str]  # names whose values survive a call


class _Module:
    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
        self.names = {name for node in tree.body for name in _assigned_names(node)}
        self.class_names = {node.name for node in self.classes}
        self.functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        self.instances = {name for node in tree.body if self._makes_instance(node) for name in _assigned_names(node)}
        self.called = {node.id for node in _at_import(tree) if isinstance(node, ast.Name)}
        self.containers = {
            name
            for owner in self.classes
            for node in owner.body
            if _holds_container(node)
            for name in _assigned_names(node)
        }
        reset = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and _is_reset(node)}
        self.containers -= reset  # also set on self somewhere, so each instance has its own

    def changes(self) -> Iterator[tuple[int, str]]:
        for function, around in _functions(self.tree, self.called):
            declared = _outer_names(function, around)
            lasting = {**around, **_mutable_defaults(function)}
            scope = _Scope(declared, _locals(function) - declared.keys() - lasting.keys(), lasting)
            for node in ast.walk(function):
                yield from self._changed(node, scope)

    def _changed(self, node: ast.AST, scope: _Scope) -> Iterator[tuple[int, str]]:
        for target in _targets(node):
            if isinstance(target, ast.Name) and target.id in scope.declared:
                yield target.lineno, scope.declared[target.id]
            elif isinstance(target, ast.Attribute) and self._is_class(target.value, scope.local):
                yield target.lineno, f"the class attribute {target.attr!r}"
            elif isinstance(target, ast.Attribute) and self._is_function(target.value, scope.local):
                yield target.lineno, f"the attribute {target.attr!r} of a function"
            elif isinstance(target, ast.Attribute | ast.Subscript) and (name := self._lasting(target.value, scope)):
                yield target.lineno, name
        if isinstance(node, ast.Call) and (name := self._changed_by(node, scope)):
            yield node.lineno, name

    def _changed_by(self, call: ast.Call, scope: _Scope) -> str:
        function = call.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if name in FUNCTIONS and call.args and (lasting := self._lasting(call.args[0], scope)):
            return lasting
        if not isinstance(function, ast.Attribute):
            return ""
        owner = function.value
        own_class = isinstance(owner, ast.Name) and owner.id in self.instances and owner.id not in scope.local
        return self._lasting(owner, scope) if own_class or name in CHANGERS or name in DRAWS else ""

    def _makes_instance(self, node: ast.AST) -> bool:
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in self.class_names

    def _is_function(self, node: ast.expr, local: set[str]) -> bool:
        return isinstance(node, ast.Name) and node.id in self.functions and node.id not in local

    def _is_class(self, node: ast.expr, local: set[str]) -> bool:
        if isinstance(node, ast.Name):
            return node.id == "cls" or (node.id in self.class_names and node.id not in local)
        if isinstance(node, ast.Call):
            return isinstance(node.func, ast.Name) and node.func.id == "type"
        return isinstance(node, ast.Attribute) and node.attr == "__class__"

    def _lasting(self, node: ast.expr, scope: _Scope) -> str:
        """Return a description of an expression whose value survives a game; "" for any other expression."""
        local = scope.local
        if isinstance(node, ast.Name) and node.id in scope.lasting:
            return scope.lasting[node.id]
        if isinstance(node, ast.Name) and node.id in self.names and node.id not in local:
            return f"the global {node.id!r}"
        if isinstance(node, ast.Attribute):
            own = isinstance(node.value, ast.Name) and node.value.id == "self" and node.attr in self.containers
            if own or self._is_class(node.value, local):
                return f"the class attribute {node.attr!r}"
        return ""


_Function = ast.FunctionDef | ast.AsyncFunctionDef


def _functions(tree: ast.AST, called: set[str]) -> Iterator[tuple[_Function, dict[str, str]]]:
    """Yield every function, with the variables of the enclosing functions if the outermost is called on import."""
    # This is not recursive, because a bot's file may be nested deeper than Python's stack.
    nothing: dict[str, str] = {}
    waiting = [(tree, nothing, False)]
    while waiting:
        node, around, lasting = waiting.pop()
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, _Function):
                waiting.append((child, around, lasting))
                continue
            yield child, around
            is_lasting = lasting or (isinstance(node, ast.Module) and child.name in called)
            own = {name: f"the variable {name!r} of {child.name}()" for name in _locals(child)} if is_lasting else {}
            waiting.append((child, {**around, **own}, is_lasting))


def _at_import(tree: ast.AST) -> Iterator[ast.AST]:
    waiting = [tree]
    while waiting:
        for child in ast.iter_child_nodes(waiting.pop()):
            if isinstance(child, _Function):
                for decorator in child.decorator_list:
                    yield from ast.walk(decorator)
            elif not isinstance(child, ast.Lambda):
                yield child
                waiting.append(child)


def _outer_names(function: _Function, around: dict[str, str]) -> dict[str, str]:
    """Return the names that a function declares global, or nonlocal in a function that is called only once."""
    nodes = list(ast.walk(function))
    declared = {name: f"the global {name!r}" for node in nodes if isinstance(node, ast.Global) for name in node.names}
    outer = {name for node in nodes if isinstance(node, ast.Nonlocal) for name in node.names}
    return {**declared, **{name: around[name] for name in sorted(outer & around.keys())}}


def _mutable_defaults(function: _Function) -> dict[str, str]:
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    pairs = [*zip(reversed(positional), reversed(arguments.defaults), strict=False)]
    pairs += [(name, value) for name, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if value]
    stored = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return {
        each.arg: f"the default of the argument {each.arg!r}"
        for each, value in pairs
        if isinstance(value, _CONTAINERS) and each.arg not in stored
    }


def _targets(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Assign):
        return node.targets
    if isinstance(node, ast.AugAssign | ast.AnnAssign):
        return [node.target]
    return node.targets if isinstance(node, ast.Delete) else []


def _assigned_names(node: ast.AST) -> set[str]:
    return {target.id for target in _targets(node) if isinstance(target, ast.Name)}


def _holds_container(node: ast.AST) -> bool:
    return isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, _CONTAINERS)


def _is_reset(node: ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name) and node.value.id == "self"


def _locals(function: _Function) -> set[str]:
    arguments = function.args
    own = {each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    stored = (node for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    return own | {node.id for node in stored}
