"""Tables of findings, as text, Markdown and plain values, and the page whose tables are written anew."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.evidence.stats import Interval

Value = str | int
Row = tuple[Value, ...]

LEAST = 0.0001

_MARKED = re.compile(r"(?P<begin><!-- evidence: (?P<key>[a-z-]+) -->\n).*?(?P<end><!-- end -->)", re.DOTALL)


_NUMBER = re.compile(r"[<+-]?[\d.,]+%?")


@dataclass(frozen=True, slots=True)
class Table:
    """One table of findings.

    Attributes:
        key: by which a page asks for it.
        finding: what the table comes to, in a sentence or two, made from its figures.
    """

    key: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    finding: str

    def as_text(self) -> str:
        """Return the table for a terminal."""
        cells = [self.columns, *(tuple(map(shown, row)) for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        numeric = [_is_numeric(column) for column in zip(*self.rows, strict=True)] or [False] * len(widths)
        lines = [
            "  ".join(
                cell.rjust(width) if right else cell.ljust(width)
                for cell, width, right in zip(row, widths, numeric, strict=True)
            ).rstrip()
            for row in cells
        ]
        return "\n".join([self.title, "", *lines, "", self.finding])

    def as_markdown(self) -> str:
        """Return the table for a page, its finding below."""
        numeric = [_is_numeric(column) for column in zip(*self.rows, strict=True)] or [False] * len(self.columns)
        rule = ["---:" if right else "---" for right in numeric]
        lines = [self.columns, rule, *(tuple(map(shown, row)) for row in self.rows)]
        return "\n".join(f"| {' | '.join(line)} |" for line in lines) + f"\n\n{self.finding}\n"

    def as_values(self) -> dict[str, object]:
        """Return the table as plain values."""
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        return {"key": self.key, "title": self.title, "rows": rows, "finding": self.finding}


def shown(value: Value) -> str:
    """Return a cell as people read it, thousands apart."""
    return f"{value:,}" if isinstance(value, int) else value


def p_value(chance: float) -> str:
    """Return a p value with four digits, a very small one not as 0."""
    return f"{chance:.4f}" if chance >= LEAST else f"<{LEAST}"


def give_or_take(interval: Interval, digits: int = 3) -> str:
    """Return an estimate and how far its interval reaches."""
    return f"{interval.value:.{digits}f} ± {interval.reach:.{digits}f}"


def from_to(interval: Interval, digits: int = 2) -> str:
    """Return an estimate and its interval's ends."""
    return f"{interval.value:.{digits}f} ({interval.low:.{digits}f} to {interval.high:.{digits}f})"


def rewritten(page: str, tables: Sequence[Table]) -> str:
    """Return a page with each table between its markers; a table that the page lacks is left out.

    Raises:
        ValueError: the page asks for a table that there is not.
    """
    by_key = {table.key: table for table in tables}

    def replace(found: re.Match[str]) -> str:
        if found["key"] not in by_key:
            raise ValueError(f"no table {found['key']!r}; there are {', '.join(by_key)}")
        return f"{found['begin']}{by_key[found['key']].as_markdown()}{found['end']}"

    return _MARKED.sub(replace, page)


def keys_of(page: str) -> list[str]:
    """Return the keys of the tables that a page asks for, in its order."""
    return [found["key"] for found in _MARKED.finditer(page)]


def _is_numeric(column: tuple[Value, ...]) -> bool:
    return all(not isinstance(value, str) or _NUMBER.fullmatch(value) for value in column)
