"""Names use the usual word for what is not the game: a table in CONTRIBUTING.md has both."""

import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.kits.routes_kit import RULES

from gangland_web import metrics, settings

FOLDERS = ("platform", "benchmarks", "scripts", "docker", "deploy", "docs")
STAYS = re.compile(r"last_seen")

# What docstrings seldom say, at most so often in 10,000 words, and names that say nothing of a value.
HABITS = (
    r"(what|who|whom) (came|comes|is|was|are|were|they|it|we|he|she|somebody|nobody|a|the)",
    r"(nobody|somebody|everybody|anybody|whoever|whatever|whichever)",
    r"so (many|long|much|far|often)",
    r"(of|to|by|in|for|at|with|from) (which|whom)",
    r"again",
    r"persons?",
    r"(stands?|lies?)",
    r"alone",
    r"none of|is none",
    r"(tells?|says?) whether|(is|are) told",
    r"hand(s|ed)? out|lets? in|take[sn]? (in|back)",
    r"(beside|anew|hangs? on|the house)",
)
PER_10_000 = 8
VAGUE = {
    "found": 5,
    "each": 15,
    "chosen": 8,
    "given": 8,
    "kept": 5,
    "made": 6,
    "most": 8,
    "shown": 12,
    "taken": 8,
    "what": 20,
    "why": 10,
    "its": 3,
    "they": 3,
    "of": 10,
    "by": 8,
}
PLAIN = ("engine", "sandbox", "bots", "platform", "benchmarks", "scripts")


@cache
def private(root: Path) -> tuple[frozenset[str], frozenset[str]]:
    table = (root / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("| ban | use |")[2].partition("\n\n")[0]
    left = [row.split("|")[1] for row in table.splitlines()[2:]]
    words = {word.strip() for cell in left if "`" not in cell for word in cell.split(",")}
    return frozenset(words), frozenset(name for cell in left for name in re.findall(r"`([^`]+)`", cell))


def offends(name: str, root: Path) -> bool:
    words, names = private(root)
    parts = re.findall("[a-z]+", re.sub("([A-Z])", r"_\1", STAYS.sub("", name)).lower())
    return not words.isdisjoint(parts) or any(name == each or name.startswith(f"{each}/") for each in names)


class Source(NamedTuple):
    defined: frozenset[str]
    bound: frozenset[str]
    docstrings: list[str]


@cache
def source(path: Path) -> Source:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    within = {target for node in nodes if isinstance(node, ast.comprehension) for target in ast.walk(node.target)}
    names = {node: name for node in nodes for name in _names(node)}
    values = {name for node, name in names.items() if isinstance(node, ast.Name | ast.arg) and node not in within}
    documented = [node for node in nodes if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)]
    return Source(frozenset(names.values()), frozenset(values), list(filter(None, map(ast.get_docstring, documented))))


def _names(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
            yield name
        case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
            yield name
        case ast.alias(asname=str(name)):
            yield name


def sources(root: Path) -> Iterator[Source]:
    return (source(path) for folder in PLAIN for path in (root / folder).rglob("*.py"))


@pytest.mark.parametrize("folder", FOLDERS)
def test_files_and_what_they_define_have_usual_names(root: Path, folder: str) -> None:
    found = []
    for path in sorted(
        each for each in (root / folder).rglob("*") if each.is_file() and "__pycache__" not in each.parts
    ):
        where = path.relative_to(root).as_posix()
        found += [where] if offends(path.stem, root) else []
        if path.suffix == ".py":
            found += [f"{where}: {name}" for name in source(path).defined if offends(name, root)]
    assert found == []


def test_addresses_settings_and_metrics_have_usual_names(root: Path) -> None:
    names = [*(rule.rule for rule in RULES), *(each.name for each in fields(settings.Settings)), *metrics.CATALOG]
    assert [name for name in names if offends(name, root)] == []


@pytest.mark.parametrize("habit", HABITS)
def test_docstrings_speak_as_others_do(root: Path, habit: str) -> None:
    text = "\n".join(docstring for each in sources(root) for docstring in each.docstrings)
    hits = re.findall(rf"\b(?:{habit})\b.*", text, re.IGNORECASE)
    assert len(hits) * 10_000 <= PER_10_000 * len(text.split()), hits


@pytest.mark.parametrize(("name", "limit"), VAGUE.items())
def test_values_are_named_for_what_they_are(root: Path, name: str, limit: int) -> None:
    assert sum(name in each.bound for each in sources(root)) <= limit


@pytest.mark.parametrize("name", ["told", "_was_told", "TokenTold", "KeptAnswer", "/slip", "/sign-in/with/back"])
def test_a_private_word_is_found_wherever_it_stands(root: Path, name: str) -> None:
    assert offends(name, root)


@pytest.mark.parametrize("name", ["last_seen_at", "scold", "/sign-in", "stylesheet", "untold"])
def test_usual_names_are_let_through(root: Path, name: str) -> None:
    assert not offends(name, root)
