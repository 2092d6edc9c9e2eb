"""Where a bot's files keep something in globals, classes, default arguments or closures: for the warning about it.

Read without running anything, after the bot was loaded in the jail by the same Python.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

CHANGERS = frozenset(
    "add append appendleft clear discard extend insert pop popitem remove reverse setdefault sort update".split()
)
"""Methods that change a list, a dict, a set or a deque in place."""
DRAWS = frozenset(
    "betavariate choice choices expovariate gauss getrandbits normalvariate randbytes randint random randrange sample "
    "seed send shuffle triangular uniform".split()
)
"""Methods of a generator of chance, each of which moves it on."""
FUNCTIONS = frozenset({"next", "setattr", "delattr", "heappush", "heappop", "heapreplace", "insort", "shuffle"})
"""What changes its first argument."""
_HIDDEN = frozenset({"setattr", "vars", "__dict__", "__setattr__"})
_CONTAINERS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.Call)


class Place(NamedTuple):
    """A line that changes something which outlives a game."""

    file: str
    line: int
    what: str


def places_of(files: Mapping[str, bytes]) -> list[Place]:
    """Return where the functions of a bot's files change globals or classes, first file and line first."""
    found = []
    for file, source in files.items():
        if file.endswith(".py"):
            found += [Place(file, line, what) for line, what in sorted(set(_Module(ast.parse(source)).changes()))]
    return found


def may_keep_on_self(files: Mapping[str, bytes]) -> bool:
    """Return whether something in a bot's files may be kept on an instance, as anything that sets an attribute may."""
    nodes = (node for file, source in files.items() if file.endswith(".py") for node in ast.walk(ast.parse(source)))
    return any(
        (isinstance(node, ast.Attribute) and (isinstance(node.ctx, ast.Store) or node.attr in _HIDDEN))
        or (isinstance(node, ast.Name) and node.id in _HIDDEN)
        for node in nodes
    )


class _Scope(NamedTuple):
    """What the names in one function stand for.

    Attributes:
        declared: global and nonlocal names that it may assign to, in words.
        local: names of its own, which end with each call.
        kept: names that outlive a call without being globals, in words.
    """

    declared: dict[str, str]
    local: set[str]
    kept: dict[str, str]


class _Module:
    """One parsed file, and the names that live as long as it does."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
        self.names = {name for node in tree.body for name in _assigned(node)}
        self.class_names = {node.name for node in self.classes}
        self.functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        self.instances = {name for node in tree.body if self._makes_instance(node) for name in _assigned(node)}
        self.called = {node.id for node in _at_import(tree) if isinstance(node, ast.Name)}
        self.containers = {
            name for owner in self.classes for node in owner.body if _holds_container(node) for name in _assigned(node)
        }
        reset = {(node.attr) for node in ast.walk(tree) if isinstance(node, ast.Attribute) and _is_reset(node)}
        self.containers -= reset  # set on self somewhere: each bot has one of its own then

    def changes(self) -> Iterator[tuple[int, str]]:
        for function, around in _functions(self.tree, self.called):
            declared = _declared(function, around)
            kept = {**around, **_mutable_defaults(function)}
            scope = _Scope(declared, _locals(function) - declared.keys() - kept.keys(), kept)
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
            elif isinstance(target, ast.Attribute | ast.Subscript) and (what := self._lasting(target.value, scope)):
                yield target.lineno, what
        if isinstance(node, ast.Call) and (what := self._changed_by(node, scope)):
            yield node.lineno, what

    def _changed_by(self, call: ast.Call, scope: _Scope) -> str:
        """Return what a call changes that outlives a game; nothing if it changes no such thing."""
        function = call.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if name in FUNCTIONS and call.args and (what := self._lasting(call.args[0], scope)):
            return what
        if not isinstance(function, ast.Attribute):
            return ""
        owner = function.value
        own_class = isinstance(owner, ast.Name) and owner.id in self.instances and owner.id not in scope.local
        return self._lasting(owner, scope) if own_class or name in CHANGERS or name in DRAWS else ""

    def _makes_instance(self, node: ast.AST) -> bool:
        """Return whether a statement assigns an instance of one of the file's classes."""
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in self.class_names

    def _is_function(self, node: ast.expr, local: set[str]) -> bool:
        return isinstance(node, ast.Name) and node.id in self.functions and node.id not in local

    def _is_class(self, node: ast.expr, local: set[str]) -> bool:
        """Return whether an expression names one of the file's classes: Name, type(self), self.__class__, cls."""
        if isinstance(node, ast.Name):
            return node.id == "cls" or (node.id in self.class_names and node.id not in local)
        if isinstance(node, ast.Call):
            return isinstance(node.func, ast.Name) and node.func.id == "type"
        return isinstance(node, ast.Attribute) and node.attr == "__class__"

    def _lasting(self, node: ast.expr, scope: _Scope) -> str:
        """Return what an expression names that outlives a game; nothing if it names no such thing."""
        local = scope.local
        if isinstance(node, ast.Name) and node.id in scope.kept:
            return scope.kept[node.id]
        if isinstance(node, ast.Name) and node.id in self.names and node.id not in local:
            return f"the global {node.id!r}"
        if isinstance(node, ast.Attribute):
            own = isinstance(node.value, ast.Name) and node.value.id == "self" and node.attr in self.containers
            if own or self._is_class(node.value, local):
                return f"the class attribute {node.attr!r}"
        return ""


_Function = ast.FunctionDef | ast.AsyncFunctionDef


def _functions(tree: ast.AST, called: set[str]) -> Iterator[tuple[_Function, dict[str, str]]]:
    """Return every function with the variables of those around it, where the outermost one is called on import.

    Without recursion: a bot's file may be nested deeper than Python's stack.
    """
    nothing: dict[str, str] = {}
    waiting = [(tree, nothing, False)]
    while waiting:
        node, around, lasting = waiting.pop()
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, _Function):
                waiting.append((child, around, lasting))
                continue
            yield child, around
            kept = lasting or (isinstance(node, ast.Module) and child.name in called)
            own = {name: f"the variable {name!r} of {child.name}()" for name in _locals(child)} if kept else {}
            waiting.append((child, {**around, **own}, kept))


def _at_import(tree: ast.AST) -> Iterator[ast.AST]:
    """Return what a module runs when it is imported: all but the bodies of functions."""
    waiting = [tree]
    while waiting:
        for child in ast.iter_child_nodes(waiting.pop()):
            if isinstance(child, _Function):
                for decorator in child.decorator_list:
                    yield from ast.walk(decorator)
            elif not isinstance(child, ast.Lambda):
                yield child
                waiting.append(child)


def _declared(function: _Function, around: dict[str, str]) -> dict[str, str]:
    """Return what a function says to be global, or to belong to a function around it that is not called again."""
    nodes = list(ast.walk(function))
    words = {name: f"the global {name!r}" for node in nodes if isinstance(node, ast.Global) for name in node.names}
    outer = {name for node in nodes if isinstance(node, ast.Nonlocal) for name in node.names}
    return {**words, **{name: around[name] for name in sorted(outer & around.keys())}}


def _mutable_defaults(function: _Function) -> dict[str, str]:
    """Return the arguments whose default is made once and can be changed."""
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    pairs = [*zip(reversed(positional), reversed(given.defaults), strict=False)]
    pairs += [(each, value) for each, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value]
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


def _assigned(node: ast.AST) -> set[str]:
    return {target.id for target in _targets(node) if isinstance(target, ast.Name)}


def _holds_container(node: ast.AST) -> bool:
    return isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, _CONTAINERS)


def _is_reset(node: ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name) and node.value.id == "self"


def _locals(function: _Function) -> set[str]:
    """Return the names that are a function's own: its arguments and what it assigns."""
    arguments = function.args
    own = {each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    stored = (node for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    return own | {node.id for node in stored}
