"""The findings of an examination of an archive, and how two documents differ."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from gangland_ladder.proof.archives import ArchiveError, cut

ROUNDED: Final = 1.5e-6
"""Standings are written with six digits after the point; the last one may differ from machine to machine."""
FINDINGS_MOST: Final = 1000


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be.

    Attributes:
        where: file and place.
    """

    where: str
    message: str


@dataclass(slots=True)
class Proof:
    """The result of an examination: the first findings, and what an honest archive cannot prove either."""

    findings: list[Finding] = field(default_factory=list)
    found: int = 0
    unproven: list[str] = field(default_factory=list)
    matches: int = 0
    void: int = 0
    scheduled: int = 0
    games: int = 0
    decisions: int = 0

    @property
    def holds(self) -> bool:
        """Whether nothing was found."""
        return not self.found

    def add(self, where: str, message: str) -> None:
        """Note a finding."""
        self.found += 1
        if len(self.findings) < FINDINGS_MOST:
            self.findings.append(Finding(cut(where), cut(message)))

    def add_error(self, error: ArchiveError) -> None:
        """Note what could not be read."""
        self.add(error.where, error.message)


def differences(recorded: Any, came: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield where two documents differ; numbers with a fraction may, in the last digit that is written."""
    if isinstance(recorded, dict) and isinstance(came, dict) and list(recorded) == list(came):
        for name in came:
            yield from differences(recorded[name], came[name], f"{path}, {name}")
    elif isinstance(recorded, list) and isinstance(came, list) and len(recorded) == len(came):
        for index, pair in enumerate(zip(recorded, came, strict=True)):
            yield from differences(*pair, f"{path} {index}")
    elif isinstance(recorded, float) and isinstance(came, float):
        if abs(recorded - came) > ROUNDED:
            yield path, recorded, came
    elif recorded != came or type(recorded) is not type(came):
        yield path, recorded, came
