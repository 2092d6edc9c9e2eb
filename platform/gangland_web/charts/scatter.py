"""Luck against result: a point for each match, and no line through them; nothing is claimed but what was played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gangland_ladder.common.plurals import counted
from gangland_web.charts.paths import place
from gangland_web.charts.pictures import Box, Key, Picture, Shape, axes, path, stroke, text
from gangland_web.charts.scales import Scale, Tick, round_scale

BOX = Box(420, 300, left=44, bottom=48)
_MARGIN = 0.1
"""Of the span of places, so much is left free above the first and below the last, for the corners' words."""


class Dealt(NamedTuple):
    """A match: the mean luck a game, the mean place, and whether the bot failed in it."""

    match: int
    luck: float
    place: float
    faulty: bool


def luck_against_place(name: str, title: str, points: Sequence[Dealt], seats: int, unit: str) -> Picture | None:
    """Return the picture of some matches at tables of `seats`; None for fewer than two.  `unit` is luck's."""
    if len(points) < 2:
        return None
    (left, right), (low, high) = BOX.ends_x, BOX.ends_y
    most = max(abs(point.luck) for point in points) or 1.0
    x, y = (
        round_scale([-most, most], left, right, 6),
        Scale(seats + _MARGIN * (seats - 1), 1 - _MARGIN * (seats - 1), low, high),
    )
    named = [Tick(number, str(number), y(number)) for number in range(1, seats + 1)]
    shapes = axes(BOX, x.ticks(6), named, f"luck a game, in {unit}", "mean place")
    shapes.append(stroke(x(0), low, x(0), high, "middle"))
    shapes.append(stroke(left, y((seats + 1) / 2), right, y((seats + 1) / 2), "middle"))
    corners: tuple[tuple[float, float, str, str], ...] = (
        (left + 4, high + 12, "unlucky, yet ahead", "start"),
        (right - 4, high + 12, "lucky and ahead", "end"),
    )
    corners += ((left + 4, low - 7, "unlucky and behind", "start"), (right - 4, low - 7, "lucky, yet behind", "end"))
    shapes += [text(across, up, words, "corner", anchor) for across, up, words, anchor in corners]
    shapes += [_point(point, x(point.luck), y(point.place)) for point in points]
    keys = (
        Key("dot", "a match"),
        *((Key("cross", "a match with a fault of its own"),) if any(p.faulty for p in points) else ()),
    )
    return Picture(name, title, _summary(points, seats), BOX.width, BOX.height, tuple(shapes), keys)


def _point(point: Dealt, across: float, up: float) -> Shape:
    hint = f"Match {point.match}: luck {point.luck:+.2f}, mean place {point.place:.2f}"
    if point.faulty:
        left, right, over, under = place(across - 4), place(across + 4), place(up - 4), place(up + 4)
        cross = f"M{left} {over}L{right} {under}M{left} {under}L{right} {over}"
        return path(cross, "cross", hint)
    return Shape("circle", "dot", {"cx": place(across), "cy": place(up), "r": "3.5"}, hint=hint)


def _summary(points: Sequence[Dealt], seats: int) -> str:
    middle = (seats + 1) / 2
    lucky_behind = sum(point.luck > 0 and point.place > middle for point in points)
    unlucky_ahead = sum(point.luck < 0 and point.place < middle for point in points)
    return (
        f"Of {counted(len(points), 'match')}, it was ahead of the middle in {unlucky_ahead} with bad luck "
        f"and behind it in {lucky_behind} with good luck."
    )
