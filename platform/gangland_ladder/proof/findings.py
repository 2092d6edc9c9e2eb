"""The findings from examining an archive, and the differences between two documents."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from gangland_ladder.proof.archives import ArchiveError, shorten

TOLERANCE: Final = 1.5e-6  # Standings have six decimals, of which the last may differ between machines.
MAX_FINDINGS: Final = 1000


@dataclass(frozen=True, slots=True)
class Finding:
    """A wrong fact in an archive; `where` is the file and the place in it."""

    where: str
    message: str


@dataclass(slots=True)
class Proof:
    """The result of an examination: the first findings, the number of all findings, and the unproven claims."""

    findings: list[Finding] = field(default_factory=list)
    count: int = 0
    unproven: list[str] = field(default_factory=list)
    matches: int = 0
    void: int = 0
    scheduled: int = 0
    games: int = 0
    decisions: int = 0

    @property
    def is_proven(self) -> bool:
        """Whether there are no findings."""
        return not self.count

    def add(self, where: str, message: str) -> None:
        """Add a finding."""
        self.count += 1
        if len(self.findings) < MAX_FINDINGS:
            self.findings.append(Finding(shorten(where), shorten(message)))

    def add_error(self, error: ArchiveError) -> None:
        """Add a finding for a file or line that could not be read."""
        self.add(error.where, error.message)


def differences(recorded: Any, computed: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield the places where two documents differ; differences in the last digit of a decimal number are ignored."""
    if isinstance(recorded, dict) and isinstance(computed, dict) and list(recorded) == list(computed):
        for name in computed:
            yield from differences(recorded[name], computed[name], f"{path}, {name}")
    elif isinstance(recorded, list) and isinstance(computed, list) and len(recorded) == len(computed):
        for index, pair in enumerate(zip(recorded, computed, strict=True)):
            yield from differences(*pair, f"{path} {index}")
    elif isinstance(recorded, float) and isinstance(computed, float):
        if abs(recorded - computed) > TOLERANCE:
            yield path, recorded, computed
    elif recorded != computed or type(recorded) is not type(computed):
        yield path, recorded, computed
