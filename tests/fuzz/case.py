"""What a case of the fuzzer is, and how one is told from a finding."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, Protocol

from sqlmodel import func, select
from tests.kits.core_kit import Platform, open_platform


class Wrong(Exception):
    """Something was taken that should not have been, or was left behind."""


@dataclass(frozen=True, slots=True)
class Case:
    """A file that a stranger might send; `way` says how it was made."""

    data: bytes
    filename: str
    way: str


class Target(Protocol):
    """One of our doors: what comes to it, and what it does with that."""

    def make(self, rng: Random) -> Case:
        """Return a file, the same for the same state of chance."""

    def run(self, case: Case, number: int) -> str:
        """Return in a word or two what came of it: "taken", or what refused it; `number` says which ways it goes.

        Raises:
            Exception: whatever is not a refusal of ours is a finding.
        """


def refused(error: Exception) -> str:
    """Return how a refusal of ours counts."""
    return f"refused: {type(error).__name__}"


def need_plain(text: str, where: str) -> None:
    """See that what a terminal is given moves nothing on it and hides nothing.  Raises Wrong: it does not hold."""
    if bad := sorted({char for char in text if char != "\n" and not char.isprintable()}):
        raise Wrong(f"{where} holds {bad[:8]!a}: {text[:200]!a}")


def need_empty(folder: Path) -> None:
    """See that nothing was left in a folder.  Raises Wrong: something is there."""
    if left := sorted(path.name for path in folder.iterdir()):
        raise Wrong(f"left behind: {left[:8]!r}")


class OnSite:
    """A door of a site, which is opened when it is first needed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def platform(self) -> Platform:
        """A site with somebody's bot on it."""
        (self.folder / "site").mkdir()
        platform = open_platform("sqlite", self.folder / "site")
        platform.upload("ann", "first")
        return platform

    def counts(self, *tables: type[Any]) -> list[int]:
        """Return how many rows each of these tables has."""
        return [self.platform.row(select(func.count()).select_from(table)) for table in tables]
