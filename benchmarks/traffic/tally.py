"""What came of requests: how many, how fast, with which status, by kind."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Final

PAGE: Final = "page"
POLL: Final = "poll"
FILE: Final = "file"
UPLOAD: Final = "upload"
FINE: Final = frozenset({200, 201, 304})


@dataclass(frozen=True, slots=True)
class Line:
    """The figures of one kind of request.

    Attributes:
        part: page, poll, file or upload.
        unchanged: answers that said that nothing is new (304).
        p50_ms: half were as fast; p99_ms: all but one in a hundred; max_ms: all.
    """

    part: str
    kind: str
    requests: int
    a_second: float
    unchanged: int
    p50_ms: float
    p99_ms: float
    max_ms: float
    errors: int


@dataclass(slots=True)
class Tally:
    """All requests of a while.

    Attributes:
        took_s: how long answers took, by part and kind.
        errors: what was no answer, or none that a page should give, by part, kind and what it was.
        late_s: how much later than due requests were sent: what the customer's own machine was too busy for.
    """

    took_s: dict[tuple[str, str], list[float]] = field(default_factory=lambda: defaultdict(list))
    unchanged: Counter[tuple[str, str]] = field(default_factory=Counter)
    errors: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    late_s: list[float] = field(default_factory=list)

    def add(self, part: str, kind: str, status: int, took_s: float) -> None:
        """Count an answer."""
        self.took_s[part, kind].append(took_s)
        if status == 304:
            self.unchanged[part, kind] += 1
        if status not in FINE:
            self.errors[part, kind, f"status {status}"] += 1

    def failed(self, part: str, kind: str, why: str) -> None:
        """Count a request without an answer."""
        self.errors[part, kind, why] += 1

    def part_s(self, part: str) -> list[float]:
        """Return how long the answers of a part took, whatever kind they were of."""
        return [took for (of, _), those in self.took_s.items() if of == part for took in those]

    def lines(self, seconds: float) -> list[Line]:
        """Return a line for each kind of request, and one for each part as a whole."""
        parts = list(dict.fromkeys(part for part, _ in sorted({*self.took_s, *(key[:2] for key in self.errors)})))
        found = []
        for part in parts:
            kinds = sorted({kind for of, kind in {*self.took_s, *(key[:2] for key in self.errors)} if of == part})
            found += [self._line(part, kind, [kind], seconds) for kind in kinds]
            if len(kinds) > 1:
                found.append(self._line(part, "all", kinds, seconds))
        return found

    def _line(self, part: str, name: str, kinds: list[str], seconds: float) -> Line:
        took = [one for kind in kinds for one in self.took_s.get((part, kind), ())]
        errors = sum(count for (of, kind, _), count in self.errors.items() if of == part and kind in kinds)
        return Line(
            part,
            name,
            len(took),
            len(took) / seconds,
            sum(self.unchanged[part, kind] for kind in kinds),
            1e3 * at_share(took, 0.5),
            1e3 * at_share(took, 0.99),
            1e3 * max(took, default=0.0),
            errors,
        )


def at_share(values: list[float], share: float) -> float:
    """Return the value that this share of the values does not exceed; 0 for no values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
