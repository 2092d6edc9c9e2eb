"""What a case of the fuzzer is, and how one is told from a finding."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, Protocol

from sqlmodel import func, select
from tests.kits.core_kit import Platform, open_platform


class Wrong(Exception):
    """Something was accepted wrongly or left behind."""


@dataclass(frozen=True, slots=True)
class Case:
    data: bytes
    filename: str
    way: str


class Target(Protocol):
    def make(self, rng: Random) -> Case:
        """Return a file, the same for the same state of chance."""

    def run(self, case: Case, number: int) -> str:
        """Return the result in a word or two; exceptions other than documented refusals are findings."""


def refused(error: Exception) -> str:
    return f"refused: {type(error).__name__}"


def need_plain(text: str, where: str) -> None:
    """Check that a text moves and hides nothing on a terminal.  Raises Wrong."""
    if bad := sorted({char for char in text if char != "\n" and not char.isprintable()}):
        raise Wrong(f"{where} holds {bad[:8]!a}: {text[:200]!a}")


def need_empty(folder: Path) -> None:
    if left := sorted(path.name for path in folder.iterdir()):
        raise Wrong(f"left behind: {left[:8]!r}")


class OnSite:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def platform(self) -> Platform:
        (self.folder / "site").mkdir()
        platform = open_platform("sqlite", self.folder / "site")
        platform.upload("ann", "first")
        return platform

    def counts(self, *tables: type[Any]) -> list[int]:
        return [self.platform.row(select(func.count()).select_from(table)) for table in tables]
