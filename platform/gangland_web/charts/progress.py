"""How far a tournament has come: matches that are over, over time."""

from __future__ import annotations

from collections.abc import Sequence

from gangland_ladder.common.plurals import counted
from gangland_web.charts.paths import steps
from gangland_web.charts.pictures import Box, Key, Picture, axes, path, stroke, text
from gangland_web.charts.scales import Scale

BOX = Box(560, 210, left=60, top=40, bottom=56)


def progress(name: str, title: str, points: Sequence[tuple[float, int]], planned: int) -> Picture | None:
    """Return the picture of how many matches were over by when; None before the second of them.

    Args:
        points: moments in seconds since the epoch, each with how many were over then; in their order.
        planned: how many there are in all.
    """
    if len(points) < 2:
        return None
    (left, right), (low, high) = BOX.ends_x, BOX.ends_y
    x, y = Scale(points[0][0], points[-1][0], left, right), Scale(0, planned, low, high)
    ticks = [tick for tick in y.ticks(4) if tick.value == int(tick.value) and tick.at > high + 14]
    shapes = axes(BOX, x.times(), ticks, "UTC", "matches over")
    shapes.append(stroke(left, high, right, high, "goal"))
    shapes.append(text(left - 6, high + 4, str(planned), anchor="end"))
    line = [(x(at), y(count)) for at, count in points]
    area = steps(line) + f"V{low:.1f}H{left:.1f}Z"
    shapes += [path(area, "band"), path(steps(line), "mu")]
    over = points[-1][1]
    summary = f"{over} of {counted(planned, 'match')} played."
    return Picture(
        name,
        title,
        summary,
        BOX.width,
        BOX.height,
        tuple(shapes),
        (Key("mu", "matches over"), Key("goal", "all of them")),
    )
