"""Counts as bars: columns that stand side by side, and shares that fill a row."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from gangland_ladder.common.plurals import counted
from gangland_web.charts.pictures import Box, Key, Picture, Shape, axes, rect, text
from gangland_web.charts.scales import Scale, Tick, round_scale

COLUMNS_BOX = Box(420, 240)
_ROW = 34
_NARROW = 34.0
"""A segment or column narrower than this has no words in it."""
ORDINALS = ("1st", "2nd", "3rd", "4th")


class Bar(NamedTuple):
    """One column: the words under it, the words over it, and its height."""

    label: str
    value: float
    words: str
    hint: str
    strong: bool = False


def columns(name: str, title: str, summary: str, bars: Sequence[Bar], x_words: str, y_words: str) -> Picture | None:
    """Return columns side by side, in their order; None without any."""
    if not bars:
        return None
    box = COLUMNS_BOX
    (left, right), (low, high) = box.ends_x, box.ends_y
    y = round_scale([0.0, *(bar.value for bar in bars)], low, high, 4)
    wide = (right - left) / len(bars)
    every = max(1, ceil(44 / wide))
    middles = [left + (number + 0.5) * wide for number in range(len(bars))]
    named = [
        Tick(0, bar.label, at)
        for number, (bar, at) in enumerate(zip(bars, middles, strict=True))
        if number % every == 0
    ]
    shapes = axes(box, named, y.ticks(4), x_words, y_words)
    for bar, middle in zip(bars, middles, strict=True):
        thick = min(wide * 0.72, 46)
        shapes.append(
            rect(
                middle - thick / 2,
                y(bar.value),
                thick,
                low - y(bar.value),
                "bar strong" if bar.strong else "bar",
                bar.hint,
            )
        )
        if bar.words and wide >= _NARROW:
            shapes.append(text(middle, y(bar.value) - 5, bar.words, "value"))
    return Picture(name, title, summary, box.width, box.height, tuple(shapes))


def places(name: str, title: str, summary: str, rows: Sequence[tuple[str, Sequence[int]]]) -> Picture | None:
    """Return a row for each name, filled by how often each place came, the first place at the left; None without any.

    Args:
        rows: each with how often it was first, second and so on.
    """
    if not any(sum(counts) for _, counts in rows):
        return None
    box = Box(420, 16 + _ROW * len(rows) + 34, left=74, top=8, bottom=34)
    x = Scale(0, 100, *box.ends_x)
    ticks = [Tick(value, f"{value}%", x(value)) for value in (0, 25, 50, 75, 100)]
    shapes = axes(box, ticks, ())
    for number, (label, counts) in enumerate(rows):
        top = box.top + number * _ROW
        shapes.append(text(box.left - 8, top + _ROW / 2 + 4, label, "row", "end"))
        shapes += _segments(x, top, label, counts)
    keys = tuple(Key(f"place{number + 1}", ORDINALS[number]) for number in range(len(rows[0][1])))
    return Picture(name, title, summary, box.width, box.height, tuple(shapes), keys)


def _segments(x: Scale, top: float, label: str, counts: Sequence[int]) -> list[Shape]:
    whole, before, shapes = sum(counts), 0, []
    for place, count in enumerate(counts):
        if not count:
            continue
        begin, end = x(100 * before / whole), x(100 * (before + count) / whole)
        before += count
        share = f"{100 * count / whole:.0f}%"
        hint = f"{label}: {ORDINALS[place]} in {count} of {counted(whole, 'game')}, {share}"
        shapes.append(rect(begin + 0.75, top + 4, max(0.5, end - begin - 1.5), _ROW - 8, f"place{place + 1}", hint))
        if end - begin >= _NARROW:
            shapes.append(text((begin + end) / 2, top + _ROW / 2 + 4, share, f"on{place + 1}"))
    return shapes
