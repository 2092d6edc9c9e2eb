"""Read source code: uploads for their owners, and the differences between two versions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from gangland_sandbox.errors import UploadRejected
from gangland_sandbox.intake import NUMERIC, ZIP_MAIN, unpack

# Uploads: the file with the bot, and the other files in a zip.

SHOWN_LINES: Final = 10_000  # the maximum number of lines of a file on a page; the whole file can be downloaded


@dataclass(frozen=True, slots=True)
class SourceText:
    """A bot's main file."""

    text: str
    others: tuple[tuple[str, int], ...] = ()  # paths and sizes in bytes of the other files in a zip, sorted

    @property
    def lines(self) -> list[str]:
        """The lines that a page shows, at most `SHOWN_LINES`."""
        return lines_of(self.text)[:SHOWN_LINES]

    @property
    def left_out(self) -> int:
        """The number of lines that a page does not show."""
        return max(0, self.text.count("\n") + (not self.text.endswith("\n")) - SHOWN_LINES)


def source_text(code: bytes, filename: str) -> SourceText | None:
    """Return the source of an upload, or None for an old zip that would be rejected now."""
    if not filename.endswith(".zip"):
        return SourceText(_text(code))
    try:
        files = unpack(code, filename, NUMERIC).files
    except UploadRejected:
        return None
    others = sorted((path, len(content)) for path, content in files.items() if path != ZIP_MAIN)
    return SourceText(_text(files[ZIP_MAIN]), tuple(others))


def _text(source: bytes) -> str:
    return source.decode("utf-8", "replace").replace("\r\n", "\n")


# Differences between two versions, line by line.

CONTEXT_LINES: Final = 3  # unchanged lines shown before and after a change
# The maximum number of compared pairs of lines; beyond that, the whole files are shown as removed and added.
MAX_STEPS: Final = 500_000
MAX_LINES: Final = 5_000  # the maximum number of changed lines shown


@dataclass(frozen=True, slots=True)
class Line:
    """A line in the comparison of two sources."""

    mark: str  # "+" added, "-" removed, " " unchanged
    old: int | None  # its number in the old source; None if it is not there
    new: int | None  # its number in the new source
    text: str


@dataclass(frozen=True, slots=True)
class Diff:
    """The changed lines of two sources, in groups with the lines around them."""

    groups: tuple[tuple[Line, ...], ...]
    added: int  # the number of added lines
    removed: int


def diff_of(old: str, new: str) -> Diff | None:
    """Return the changes from one source to another; None if there are more than `MAX_LINES`."""
    before, after = lines_of(old), lines_of(new)
    head = _common_length(before, after)
    tail = _common_length(before[head:][::-1], after[head:][::-1])
    middle = before[head : len(before) - tail], after[head : len(after) - tail]
    unchanged = [(number, number) for number in range(head)]
    unchanged += [(head + old, head + new) for old, new in _unchanged(*middle)]
    unchanged += [(len(before) - number, len(after) - number) for number in range(tail, 0, -1)]
    removed, added = len(before) - len(unchanged), len(after) - len(unchanged)
    if removed + added > MAX_LINES:
        return None
    lines = list(_lines(unchanged, before, after))
    groups = tuple(tuple(lines[first:last]) for first, last in _with_context(lines))
    return Diff(groups, added, removed)


def lines_of(source: str) -> list[str]:
    """Return lines as Python numbers them: split only at line feeds."""
    return source.removesuffix("\n").split("\n")


def _common_length(before: list[str], after: list[str]) -> int:
    pairs = enumerate(zip(before, after, strict=False))
    return next((number for number, (old, new) in pairs if old != new), min(len(before), len(after)))


def _unchanged(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """Return a longest common subsequence as pairs of line indices; empty if it takes more than `MAX_STEPS`."""
    # Myers' greedy algorithm: the furthest point on each diagonal, with one more change in each step.
    furthest = {1: 0}
    traces: list[dict[int, int]] = []
    steps = 0
    for changes in range(len(before) + len(after) + 1):
        traces.append(furthest)
        furthest = dict(furthest)
        for diagonal in range(-changes, changes + 1, 2):
            old, _ = _entry(traces[-1], changes, diagonal)
            new = old - diagonal
            while old < len(before) and new < len(after) and before[old] == after[new]:
                old, new, steps = old + 1, new + 1, steps + 1
            furthest[diagonal] = old
            if old >= len(before) and new >= len(after):
                return _matched_lines(traces, len(before), len(after))
        steps += 2 * changes + 1
        if steps > MAX_STEPS:
            return []
    return []


def _entry(furthest: dict[int, int], changes: int, diagonal: int) -> tuple[int, bool]:
    """Return the old line where the last change enters a diagonal, and whether the change adds a line."""
    added = diagonal == -changes or (diagonal != changes and furthest[diagonal - 1] < furthest[diagonal + 1])
    return (furthest[diagonal + 1] if added else furthest[diagonal - 1] + 1), added


def _matched_lines(traces: Sequence[dict[int, int]], old: int, new: int) -> list[tuple[int, int]]:
    unchanged = []
    for changes in range(len(traces) - 1, -1, -1):
        entry, added = _entry(traces[changes], changes, old - new)
        while old > entry and new > 0:
            old, new = old - 1, new - 1
            unchanged.append((old, new))
        old, new = (old, new - 1) if added else (old - 1, new)
    return unchanged[::-1]


def _lines(unchanged: Sequence[tuple[int, int]], before: Sequence[str], after: Sequence[str]) -> Iterator[Line]:
    next_old = next_new = 0
    for old, new in (*unchanged, (len(before), len(after))):
        yield from (Line("-", number + 1, None, before[number]) for number in range(next_old, old))
        yield from (Line("+", None, number + 1, after[number]) for number in range(next_new, new))
        if old < len(before):
            yield Line(" ", old + 1, new + 1, before[old])
        next_old, next_new = old + 1, new + 1


def _with_context(lines: list[Line]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for at, line in enumerate(lines):
        if line.mark != " ":
            first, last = max(0, at - CONTEXT_LINES), min(len(lines), at + CONTEXT_LINES + 1)
            if spans and first <= spans[-1][1]:
                first, _ = spans.pop()
            spans.append((first, last))
    return spans
