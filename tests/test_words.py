"""Names use the usual word for what is not the game: a table in CONTRIBUTING.md has both."""

import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path

import pytest
from tests.kits.routes_kit import RULES

from gangland_web import metrics, settings

FOLDERS = ("platform", "benchmarks", "scripts", "docker", "deploy", "docs")
STAYS = re.compile(r"last_seen")


@cache
def private(root: Path) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words and the whole names that are not used."""
    table = (root / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("| not | but |")[2].partition("\n\n")[0]
    left = [row.split("|")[1] for row in table.splitlines()[2:]]
    words = {word.strip() for cell in left if "`" not in cell for word in cell.split(",")}
    return frozenset(words), frozenset(name for cell in left for name in re.findall(r"`([^`]+)`", cell))


def offends(name: str, root: Path) -> bool:
    """Tell whether a name is a whole one that is not used, or holds a word that is not."""
    words, names = private(root)
    parts = re.findall("[a-z]+", re.sub("([A-Z])", r"_\1", STAYS.sub("", name)).lower())
    return not words.isdisjoint(parts) or any(name == each or name.startswith(f"{each}/") for each in names)


def defined(code: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case ast.alias(asname=str(name)):
                yield name


@pytest.mark.parametrize("folder", FOLDERS)
def test_files_and_what_they_define_have_usual_names(root: Path, folder: str) -> None:
    found = []
    for path in sorted(
        each for each in (root / folder).rglob("*") if each.is_file() and "__pycache__" not in each.parts
    ):
        where = path.relative_to(root).as_posix()
        found += [where] if offends(path.stem, root) else []
        if path.suffix == ".py":
            found += [f"{where}: {name}" for name in defined(path.read_text(encoding="utf-8")) if offends(name, root)]
    assert found == []


def test_addresses_settings_and_metrics_have_usual_names(root: Path) -> None:
    names = [*(rule.rule for rule in RULES), *(each.name for each in fields(settings.Settings)), *metrics.CATALOGUE]
    assert [name for name in names if offends(name, root)] == []


@pytest.mark.parametrize("name", ["told", "_was_told", "TokenTold", "KeptAnswer", "/slip", "/sign-in/with/back"])
def test_a_private_word_is_found_wherever_it_stands(root: Path, name: str) -> None:
    assert offends(name, root)


@pytest.mark.parametrize("name", ["last_seen_at", "scold", "/sign-in", "stylesheet", "untold"])
def test_usual_names_are_let_through(root: Path, name: str) -> None:
    assert not offends(name, root)
