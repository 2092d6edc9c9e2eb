"""What a chart is made of: a box, its axes, and shapes that a template writes down one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from gangland_web.charts.paths import place
from gangland_web.charts.scales import Tick


class Shape(NamedTuple):
    """One element of a picture.

    Attributes:
        tag: path, circle, rect, line or text.
        css: its class.
        at: its other attributes.
        text: what a text says.
        hint: what is shown when one points at it.
    """

    tag: str
    css: str
    at: Mapping[str, str]
    text: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Key:
    """One entry of a legend: the class that it explains, and the words."""

    css: str
    words: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart, ready to be written.

    Attributes:
        name: its id in the page.
        title: what it shows; `summary` is what there is to see, in a sentence or two, for those who do not see it.
        width, height: in units of the picture, which keep its place in the page before it is drawn.
    """

    name: str
    title: str
    summary: str
    width: int
    height: int
    shapes: tuple[Shape, ...]
    keys: tuple[Key, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Box:
    """The part of a picture in which values lie; what is around it is for the axes' words."""

    width: int
    height: int
    left: float = 48
    right: float = 14
    top: float = 36
    bottom: float = 42

    @property
    def ends_x(self) -> tuple[float, float]:
        """Left and right end."""
        return self.left, self.width - self.right

    @property
    def ends_y(self) -> tuple[float, float]:
        """Lower and upper end: values rise."""
        return self.height - self.bottom, self.top


def text(x: float, y: float, words: str, css: str = "tick", anchor: str = "middle") -> Shape:
    """Return words at a place."""
    return Shape("text", css, {"x": place(x), "y": place(y), "text-anchor": anchor}, words)


def path(d: str, css: str, hint: str = "") -> Shape:
    """Return a path."""
    return Shape("path", css, {"d": d}, hint=hint)


def stroke(x: float, y: float, x_end: float, y_end: float, css: str) -> Shape:
    """Return a straight line."""
    return Shape("line", css, {"x1": place(x), "y1": place(y), "x2": place(x_end), "y2": place(y_end)})


def rect(x: float, y: float, width: float, height: float, css: str, hint: str = "") -> Shape:
    """Return a rectangle."""
    at = {"x": place(x), "y": place(y), "width": place(width), "height": place(height)}
    return Shape("rect", css, at, hint=hint)


def axes(
    box: Box, x_ticks: Iterable[Tick], y_ticks: Iterable[Tick], x_words: str = "", y_words: str = ""
) -> list[Shape]:
    """Return a box's lines and the words along it; those at its ends stay inside the picture."""
    (left, right), (low, high) = box.ends_x, box.ends_y
    shapes = []
    for tick in y_ticks:
        shapes.append(stroke(left, tick.at, right, tick.at, "grid"))
        shapes.append(text(left - 6, tick.at + 4, tick.label, anchor="end"))
    for tick in x_ticks:
        shapes.append(stroke(tick.at, low, tick.at, low + 4, "axis"))
        anchor = "end" if tick.at > right - 12 else "start" if tick.at < left + 4 else "middle"
        shapes.append(text(tick.at, low + 18, tick.label, anchor=anchor))
    shapes.append(stroke(left, low, right, low, "axis"))
    if x_words:
        shapes.append(text(right, box.height - 6, x_words, "name", "end"))
    if y_words:
        shapes.append(text(4, high - 16, y_words, "name", "start"))
    return shapes
