"""What changed between two versions of a source, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

AROUND: Final = 3
"""Unchanged lines shown before and after a change."""
MOST_WORK: Final = 1_000_000
"""The most pairs of lines to compare, once what both begin and end with is set aside."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line with its numbers in the old and in the new source, None where it does not stand.

    `mark` is "+" for one that came, "-" for one that went, and a space for one that stayed.
    """

    mark: str
    old: int | None
    new: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Diff:
    """Groups of changed lines with what stands around them, and how many came and went."""

    groups: tuple[tuple[Line, ...], ...]
    came: int
    went: int


def diff_of(old: str, new: str) -> Diff | None:
    """Return what changed from one source to another; None if they differ in more than can be compared at once."""
    before, after = lines_of(old), lines_of(new)
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    middle = len(before) - head - tail, len(after) - head - tail
    if middle[0] * middle[1] > MOST_WORK:
        return None
    matcher = SequenceMatcher(None, before[head : len(before) - tail], after[head : len(after) - tail])
    codes = [("equal", 0, head, 0, head)]
    codes += [(kind, i + head, j + head, k + head, m + head) for kind, i, j, k, m in matcher.get_opcodes()]
    codes += [("equal", len(before) - tail, len(before), len(after) - tail, len(after))]
    lines = [line for code in codes for line in _lines(code, before, after)]
    groups = tuple(tuple(lines[first:last]) for first, last in _around(lines))
    return Diff(groups, sum(line.mark == "+" for line in lines), sum(line.mark == "-" for line in lines))


def lines_of(source: str) -> list[str]:
    """Return a source's lines as Python and the page of a version number them: other line breaks stand in them."""
    return source.removesuffix("\n").split("\n")


def _common(one: list[str], other: list[str]) -> int:
    """Return with how many equal lines both begin."""
    count = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        count += 1
    return count


def _lines(code: tuple[str, int, int, int, int], before: list[str], after: list[str]) -> Iterator[Line]:
    kind, i, j, k, m = code
    if kind == "equal":
        yield from (Line(" ", i + n + 1, k + n + 1, before[i + n]) for n in range(j - i))
        return
    yield from (Line("-", at + 1, None, before[at]) for at in range(i, j))
    yield from (Line("+", None, at + 1, after[at]) for at in range(k, m))


def _around(lines: list[Line]) -> Iterator[tuple[int, int]]:
    """Return the stretches to show: each change with what stands around it, those that meet as one."""
    open_from, open_to = -1, -1
    for at, line in enumerate(lines):
        if line.mark == " ":
            continue
        first, last = max(0, at - AROUND), min(len(lines), at + AROUND + 1)
        if open_from >= 0 and first > open_to:
            yield open_from, open_to
            open_from = first
        elif open_from < 0:
            open_from = first
        open_to = last
    if open_from >= 0:
        yield open_from, open_to
