"""Where a bot's files keep something in a module's globals or in a class: for the warning about it.

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


class _Module:
    """One parsed file, and the names that live as long as it does."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
        self.names = {name for node in tree.body for name in _assigned(node)}
        self.class_names = {node.name for node in self.classes}
        self.containers = {
            name for owner in self.classes for node in owner.body if _holds_container(node) for name in _assigned(node)
        }
        reset = {(node.attr) for node in ast.walk(tree) if isinstance(node, ast.Attribute) and _is_reset(node)}
        self.containers -= reset  # set on self somewhere: each bot has one of its own then

    def changes(self) -> Iterator[tuple[int, str]]:
        for function in ast.walk(self.tree):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                declared = {name for node in ast.walk(function) if isinstance(node, ast.Global) for name in node.names}
                local = _locals(function) - declared
                for node in ast.walk(function):
                    yield from self._changed(node, declared, local)

    def _changed(self, node: ast.AST, declared: set[str], local: set[str]) -> Iterator[tuple[int, str]]:
        for target in _targets(node):
            if isinstance(target, ast.Name) and target.id in declared:
                yield target.lineno, f"the global {target.id!r}"
            elif isinstance(target, ast.Attribute) and self._is_class(target.value, local):
                yield target.lineno, f"the class attribute {target.attr!r}"
            elif isinstance(target, ast.Subscript) and (what := self._lasting(target.value, local)):
                yield target.lineno, what
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGERS:
            what = self._lasting(node.func.value, local)
            if what:
                yield node.lineno, what

    def _is_class(self, node: ast.expr, local: set[str]) -> bool:
        """Return whether an expression names one of the file's classes: Name, type(self), self.__class__, cls."""
        if isinstance(node, ast.Name):
            return node.id == "cls" or (node.id in self.class_names and node.id not in local)
        if isinstance(node, ast.Call):
            return isinstance(node.func, ast.Name) and node.func.id == "type"
        return isinstance(node, ast.Attribute) and node.attr == "__class__"

    def _lasting(self, node: ast.expr, local: set[str]) -> str:
        """Return what an expression names that outlives a game; nothing if it names no such thing."""
        if isinstance(node, ast.Name) and node.id in self.names and node.id not in local:
            return f"the global {node.id!r}"
        if isinstance(node, ast.Attribute):
            own = isinstance(node.value, ast.Name) and node.value.id == "self" and node.attr in self.containers
            if own or self._is_class(node.value, local):
                return f"the class attribute {node.attr!r}"
        return ""


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


def _locals(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """Return the names that are a function's own: its arguments and what it assigns."""
    arguments = function.args
    own = {each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    stored = (node for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    return own | {node.id for node in stored}
