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
from gangland_ladder.checking.examination import Bench, CheckedView, Examination, PlannedGame, plan_of
from gangland_ladder.checking.problems import MAX_NAMES, MIN_SIMILARITY, answer_text, nearest, problem_in
from gangland_ladder.common.texts import option_arguments
from gangland_ladder.errors import problem_of
from gangland_ladder.matches.match_jobs import CheckReport, Problem
from gangland_sandbox import caps, inside_code, intake

# The thorough check.

RISKY_SHARE = 0.5  # Used share of a limit above which a bot is at risk: the server may be slower, games longer.
MAX_PLACES = 3
EVENT_METHODS = ("on_game_start", "on_game_end")
METHOD_ARGUMENTS = 2  # Number of arguments that each method called by a game takes, including `self`.
_VERB = re.compile(r"^_*cho+se?_?(?=.)")
TIME_FAULTS = frozenset({FaultKind.DECISION_TIME, FaultKind.BANK_TIME, FaultKind.WALL_TIME})
Games = dict[PlannedGame, list[CheckedView]]


def check_thoroughly(bench: Bench, *, every_option: bool) -> CheckReport:
    """Check a bot as the server does, and warn about problems that may occur later.

    Raises SandboxError: the jail failed.
    """
    check = Check(bench)
    check.run()
    report = check.report()
    if report.problems:
        return report
    warnings = [*misnamed_methods(bench, check.lines), *reused_names(bench, report.bot)]
    warnings += [*_limit_warnings(bench, check, report), *_difference_warnings(bench, check)]
    if every_option:
        warnings += _variant_warnings(bench)
    return msgspec.structs.replace(report, warnings=warnings)


def misnamed_methods(bench: Bench, lines: Mapping[str, int]) -> list[Problem]:
    """Return warnings about methods that are never called and have a name similar to a method that is called."""
    nodes = list(ast.walk(ast.parse(bench.main_source())))
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    methods = {node.name: node for owner in classes for node in owner.body if isinstance(node, ast.FunctionDef)}
    choosers = [f"choose_{kind}" for kind in bench.game.bot_class.kinds]
    missing = {
        _name_core(name): name for name in (*choosers, *EVENT_METHODS) if name not in methods and name[7:] not in lines
    }
    called = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    called |= {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    if "act" in methods:
        return []  # `act` calls the bot's own methods, which may have any names
    warnings = []
    uncalled = sorted(methods.keys() - {*choosers, *EVENT_METHODS} - called, key=lambda name: methods[name].lineno)
    for name in islice(uncalled, MAX_NAMES):
        similar = nearest(_name_core(name), missing, MIN_SIMILARITY)
        if similar and (name.startswith("choose_") or len(methods[name].args.args) == METHOD_ARGUMENTS):
            text = f"{name}() is never called: did you mean {missing[similar]}()?"
            warnings.append(Problem("W308", text, methods[name].lineno))
    return warnings


def _name_core(name: str) -> str:
    return _VERB.sub("", name.lower()).replace("_", "")


def reused_names(bench: Bench, bot: str) -> list[Problem]:
    """Return warnings about names of the base class that a bot's class redefines, one per name."""
    classes = {node.name: node for node in ast.walk(ast.parse(bench.main_source())) if isinstance(node, ast.ClassDef)}
    lines: dict[str, int] = {}
    pending, visited = [bot], set[str]()
    while pending:
        name = pending.pop()
        if name not in classes or name in visited:
            continue
        visited.add(name)
        pending += [base.id for base in classes[name].bases if isinstance(base, ast.Name)]
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


def _limit_warnings(bench: Bench, check: Check, report: CheckReport) -> list[Problem]:
    limits, warnings = bench.limits, []
    if check.examination.written > RISKY_SHARE:
        limit = (
            f"the limit of {limits.stderr_bytes // 1024} KiB of output or {limits.log_match_bytes // 1024} KiB of logs"
        )
        warnings.append(Problem("W303", f"the games of this check used {check.examination.written:.0%} of {limit}"))
    if report.import_s > RISKY_SHARE * limits.import_cpu_s:
        took = f"{report.import_s:.2f} s of the {limits.import_cpu_s:g} s of CPU allowed"
        warnings.append(Problem("W304", f"the file and __init__() took {took}"))
    if report.slowest_s > RISKY_SHARE * limits.decision_cpu_s:
        slow = max(check.views, key=lambda checked: checked.cpu_s)
        took = f"choose_{slow.kind}() took {slow.cpu_s:.2f} s of the {limits.decision_cpu_s:g} s of CPU allowed"
        warnings.append(Problem("W305", took, slow.line, slow.kind, slow.number))
    if report.bank_share > RISKY_SHARE:
        used = f"{report.bank_share:.0%} of the {limits.bank_cpu_s:g} s of CPU of one process"
        warnings.append(Problem("W306", f"the games of this check used {used}"))
    return warnings


def _difference_warnings(bench: Bench, check: Check) -> list[Problem]:
    """Play the games a second time, in a new process and in reverse order, and explain the first difference."""
    plan = plan_of(bench.table_sizes)[::-1]
    before, second = _group_by_game(check.views), _play_games(bench, plan)
    first = _first_difference(before, second, plan)
    if first is None:
        return []
    third = _play_games(bench, plan)
    unseeded = _first_difference(second, third, plan)
    if unseeded is not None:
        return [_unseeded_problem(*unseeded)]
    return _memory_warnings(bench, *first)


def _play_games(bench: Bench, plan: Sequence[PlannedGame]) -> Games:
    views: list[CheckedView] = []
    Examination(bench, bench.opener(), views.append, lambda _: None).run(plan)
    return _group_by_game(views)


def _group_by_game(views: Sequence[CheckedView]) -> Games:
    games: Games = {}
    for view in views:
        games.setdefault(view.planned, []).append(view)
    return games


def _first_difference(one: Games, other: Games, plan: Sequence[PlannedGame]) -> tuple[CheckedView, CheckedView] | None:
    for planned in plan:
        for first, second in zip(one.get(planned, []), other.get(planned, []), strict=False):
            if first.outcome != second.outcome and not (_is_late(first) or _is_late(second)):
                return first, second
    return None


# The clock ended such a decision, so the bot's answer is unknown.
def _is_late(checked: CheckedView) -> bool:
    return checked.fault is not None and checked.fault.kind in TIME_FAULTS


# The problem has no view number, because the second run has different games.
def _unseeded_problem(one: CheckedView, other: CheckedView) -> Problem:
    answers = f"{answer_text(one.answer)}, then {answer_text(other.answer)}"
    text = f"choose_{one.kind}() gave different answers to the same view of the same game: first {answers}"
    return Problem("W301", f"{text}\n{_place_text(one)}", one.line, one.kind)


def _place_text(checked: CheckedView) -> str:
    seats, number = checked.planned
    return f"It was decision {checked.turn + 1} of game {number + 1} at {seats} seats, in seat {checked.seat + 1}."


def _memory_warnings(bench: Bench, one: CheckedView, other: CheckedView) -> list[Problem]:
    files = intake.unpack(bench.source, bench.filename, caps.CAPS[bench.limits.profile]).files
    places = places_of(files)
    if not places and may_set_attributes(files):
        return []  # state on self is expected: one instance may remember earlier games
    changes = "; ".join(f"{place.file}:{place.line} changes {place.target}" for place in places[:MAX_PLACES])
    changes = changes or "The value is not on `self`; the line that changes it is unknown"
    answers = f"{answer_text(one.answer)}, but in a fresh process {answer_text(other.answer)}"
    text = f"choose_{one.kind}() depends on earlier games: after them it returned {answers}"
    text += f"\n{changes}. {_place_text(one)}"
    hint = "On the server, each seat rotation starts a fresh process, so this is lost there."
    line = places[0].line if places else one.line
    return [Problem("W302", f"{text}\n{hint}", line, one.kind)]


def _variant_warnings(bench: Bench) -> list[Problem]:
    variants = [variant for variant in bench.game.variants if variant.seats in bench.table_sizes]
    return [problem for problem in (_variant_problem(bench, variant) for variant in variants) if problem is not None]


def _variant_problem(bench: Bench, variant: Variant) -> Problem | None:
    problems: list[Problem] = []
    varied = replace(bench, options=bench.game.options(variant.options))

    def on_view(checked: CheckedView) -> None:
        problems.extend(filter(None, [problem_in(checked, bench.filename, bench.game)]))

    def on_fault(fault: BotFault) -> None:
        problems.append(problem_of(fault, bench.filename))

    plan = [PlannedGame(variant.seats, number) for number in range(variant.games)]
    Examination(varied, varied.opener(), on_view, on_fault).run(plan)
    if not problems:
        return None
    first = problems[0]
    message = f"with{option_arguments(variant.options)}: {first.code}: {first.message}"
    return msgspec.structs.replace(first, code="W307", message=message)


# State that survives a game: lines in a bot's files that change globals, classes, default arguments or closures.
#
# The files are parsed, not run, and only after the same version of Python has loaded the bot in the jail.


# Methods that change a list, a dict, a set or a deque in place.
CHANGING_METHODS = frozenset(
    "add append appendleft clear discard extend insert pop popitem remove reverse setdefault sort update".split()
)
# Methods of a random generator, which change its state.
RANDOM_METHODS = frozenset(
    "betavariate choice choices expovariate gauss getrandbits normalvariate randbytes randint random randrange sample "
    "seed send shuffle triangular uniform".split()
)
# Functions that change their first argument.
CHANGING_FUNCTIONS = frozenset("next setattr delattr heappush heappop heapreplace insort shuffle".split())
_SETTERS = frozenset({"setattr", "vars", "__dict__", "__setattr__"})
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


def may_set_attributes(files: Mapping[str, bytes]) -> bool:
    """Return whether any code in a bot's files may set an attribute, and so keep state on an instance."""
    nodes = (node for file, source in files.items() if file.endswith(".py") for node in ast.walk(ast.parse(source)))
    return any(
        (isinstance(node, ast.Attribute) and (isinstance(node.ctx, ast.Store) or node.attr in _SETTERS))
        or (isinstance(node, ast.Name) and node.id in _SETTERS)
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
        self.called = {node.id for node in _import_nodes(tree) if isinstance(node, ast.Name)}
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
        for function, enclosing in _functions(self.tree, self.called):
            declared = _outer_names(function, enclosing)
            lasting = {**enclosing, **_mutable_defaults(function)}
            scope = _Scope(declared, _locals(function) - declared.keys() - lasting.keys(), lasting)
            for node in ast.walk(function):
                yield from self._changes_in(node, scope)

    def _changes_in(self, node: ast.AST, scope: _Scope) -> Iterator[tuple[int, str]]:
        for target in _targets(node):
            if isinstance(target, ast.Name) and target.id in scope.declared:
                yield target.lineno, scope.declared[target.id]
            elif isinstance(target, ast.Attribute) and self._is_class(target.value, scope.local):
                yield target.lineno, f"the class attribute {target.attr!r}"
            elif isinstance(target, ast.Attribute) and self._is_function(target.value, scope.local):
                yield target.lineno, f"the attribute {target.attr!r} of a function"
            elif isinstance(target, ast.Attribute | ast.Subscript) and (text := self._lasting(target.value, scope)):
                yield target.lineno, text
        if isinstance(node, ast.Call) and (name := self._change_by(node, scope)):
            yield node.lineno, name

    def _change_by(self, call: ast.Call, scope: _Scope) -> str:
        function = call.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if name in CHANGING_FUNCTIONS and call.args and (lasting := self._lasting(call.args[0], scope)):
            return lasting
        if not isinstance(function, ast.Attribute):
            return ""
        owner = function.value
        own_class = isinstance(owner, ast.Name) and owner.id in self.instances and owner.id not in scope.local
        changes = own_class or name in CHANGING_METHODS or name in RANDOM_METHODS
        return self._lasting(owner, scope) if changes else ""

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
    pending = [(tree, nothing, False)]
    while pending:
        node, enclosing, lasting = pending.pop()
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, _Function):
                pending.append((child, enclosing, lasting))
                continue
            yield child, enclosing
            is_lasting = lasting or (isinstance(node, ast.Module) and child.name in called)
            own = {name: f"the variable {name!r} of {child.name}()" for name in _locals(child)} if is_lasting else {}
            pending.append((child, {**enclosing, **own}, is_lasting))


def _import_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    pending = [tree]
    while pending:
        for child in ast.iter_child_nodes(pending.pop()):
            if isinstance(child, _Function):
                for decorator in child.decorator_list:
                    yield from ast.walk(decorator)
            elif not isinstance(child, ast.Lambda):
                yield child
                pending.append(child)


def _outer_names(function: _Function, enclosing: dict[str, str]) -> dict[str, str]:
    """Return the names that a function declares global, or nonlocal in a function that is called only once."""
    nodes = list(ast.walk(function))
    declared = {name: f"the global {name!r}" for node in nodes if isinstance(node, ast.Global) for name in node.names}
    outer = {name for node in nodes if isinstance(node, ast.Nonlocal) for name in node.names}
    return {**declared, **{name: enclosing[name] for name in sorted(outer & enclosing.keys())}}


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
    own = {argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    stored = (node for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    return own | {node.id for node in stored}
