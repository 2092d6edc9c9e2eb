"""Names of seats."""

from __future__ import annotations

from collections.abc import Sequence


def distinct(names: Sequence[str]) -> list[str]:
    """Return the names with a number behind each that stands there twice."""
    return [
        name if names.count(name) == 1 else f"{name} ({names[: index + 1].count(name)})"
        for index, name in enumerate(names)
    ]
