"""How a rating moved: mu as a line, mu ± 2 sigma as a band around it, and where each version or season began."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gangland_ladder.common.numbers import formatted
from gangland_web.charts.paths import band, line
from gangland_web.charts.pictures import Box, Key, Picture, Shape, axes, path, stroke, text
from gangland_web.charts.scales import Scale, round_scale

BOX = Box(560, 286, top=44, bottom=56)
DASHES = 4
"""So many ways of drawing a version's line there are, one after the other."""
_SIDES = ("mu", "band"), ("goal", "band other")
"""How the line and the range of each of two bots are drawn."""


class Rated(NamedTuple):
    """A bot's rating after a match: `at` in seconds since the epoch."""

    at: float
    version: int
    match: int
    mu: float
    sigma: float

    @property
    def rating(self) -> float:
        """Mu - 3 sigma."""
        return self.mu - 3 * self.sigma


def history(name: str, bot: str, points: Sequence[Rated]) -> Picture | None:
    """Return the picture of a bot's rated matches, in their order; None for fewer than two."""
    if len(points) < 2:
        return None
    (left, right), (low, high) = BOX.ends_x, BOX.ends_y
    edges = [point.mu + way * point.sigma for point in points for way in (-3, 2)]
    y = round_scale(edges, low, high)
    x = Scale(points[0].at, points[-1].at, left, right)
    shapes = axes(BOX, x.times(), y.ticks(), "when the matches were over (UTC)", "mu")
    versions = _beginnings(points)
    for number, run in enumerate(versions):
        shapes += _run(run, x, y, number % DASHES)
    shapes += _marks(versions, x)
    keys = (
        Key("mu", "mu, the estimated strength"),
        Key("band", "mu ± 2 sigma, the 95% range"),
        Key("least", "rating, mu − 3 sigma"),
    )
    return Picture(name, f"Rating of {bot}", _summary(points, versions), BOX.width, BOX.height, tuple(shapes), keys)


def two_histories(name: str, bots: Sequence[tuple[str, Sequence[Rated]]]) -> Picture | None:
    """Return the picture of two bots' ratings over the same time; None for fewer than two points of either.

    Args:
        bots: what each is called and its rated matches, in their order.
    """
    if any(len(points) < 2 for _, points in bots):
        return None
    (left, right), (low, high) = BOX.ends_x, BOX.ends_y
    every = [point for _, points in bots for point in points]
    y = round_scale([point.mu + way * point.sigma for point in every for way in (-2, 2)], low, high)
    x = Scale(min(point.at for point in every), max(point.at for point in every), left, right)
    shapes = axes(BOX, x.times(), y.ticks(), "when the matches were over (UTC)", "mu")
    for (bot, points), css in zip(bots, _SIDES, strict=True):
        for run in _beginnings(points):
            shapes += _side(run, x, y, css, f"{bot}, version {run[0].version}")
    keys = [Key(css[0], f"{bot}: mu") for (bot, _), css in zip(bots, _SIDES, strict=True)]
    keys.append(Key("band", "mu ± 2 sigma, the 95% range"))
    summary = " ".join(f"{bot}: {_summary(points, ())}" for bot, points in bots)
    names = " and ".join(bot for bot, _ in bots)
    return Picture(name, f"Ratings of {names}", summary, BOX.width, BOX.height, tuple(shapes), tuple(keys))


def _side(run: Sequence[Rated], x: Scale, y: Scale, css: tuple[str, str], hint: str) -> list[Shape]:
    """Return the line and range of one run; one match alone is a dot."""
    places = [(x(point.at), point) for point in run]
    upper = [(across, y(point.mu + 2 * point.sigma)) for across, point in places]
    lower = [(across, y(point.mu - 2 * point.sigma)) for across, point in places]
    middle = [(across, y(point.mu)) for across, point in places]
    shapes = [path(band(upper, lower), css[1], hint), path(line(middle), css[0], hint)]
    if len(run) == 1:
        ((across, up),) = middle
        shapes.append(Shape("circle", "dot", {"cx": f"{across:.1f}", "cy": f"{up:.1f}", "r": "3"}, hint=hint))
    return shapes


def _beginnings(points: Sequence[Rated]) -> list[list[Rated]]:
    """Return the points of each version; a season begins a new run too, and shows by a sigma that grows."""
    runs: list[list[Rated]] = []
    for point in points:
        if not runs or runs[-1][-1].version != point.version or point.sigma > runs[-1][-1].sigma:
            runs.append([])
        runs[-1].append(point)
    return runs


def _run(run: Sequence[Rated], x: Scale, y: Scale, dash: int) -> list[Shape]:
    across_all = [x(point.at) for point in run]

    def at(sigmas: int) -> list[tuple[float, float]]:
        return list(zip(across_all, [y(point.mu + sigmas * point.sigma) for point in run], strict=True))

    hint = f"Version {run[0].version}"
    lines = [
        path(band(at(2), at(-2)), "band", hint),
        path(line(at(-3)), "least", hint),
        path(line(at(0)), f"mu dash{dash}", hint),
    ]
    if len(run) == 1:
        (across, up) = at(0)[0]
        lines.append(stroke(across, y(run[0].mu - 2 * run[0].sigma), across, y(run[0].mu + 2 * run[0].sigma), "mu"))
        lines.append(Shape("circle", "dot", {"cx": f"{across:.1f}", "cy": f"{up:.1f}", "r": "3"}, hint=hint))
    return lines


def _marks(versions: Sequence[Sequence[Rated]], x: Scale) -> list[Shape]:
    """Return a mark where each version or season began; of two too close, the later has its words."""
    (_, right), (low, high) = BOX.ends_x, BOX.ends_y
    shapes, free = [], right + 14
    for run in reversed(versions):
        across = x(run[0].at)
        shapes.append(stroke(across, high - 4, across, low, "version"))
        if across + 4 < free - 26:
            shapes.append(text(across + 3, high - 8, f"v{run[0].version}", "mark", "start"))
            free = across
    return shapes


def _summary(points: Sequence[Rated], versions: Sequence[Sequence[Rated]]) -> str:
    first, last = points[0], points[-1]
    text = f"Mu went from {formatted(first.mu, '.2f')} to {formatted(last.mu, '.2f')}, "
    text += f"sigma from {formatted(first.sigma, '.2f')} to {formatted(last.sigma, '.2f')}."
    if len(versions) > 1:
        text += (
            " Versions: "
            + ", ".join(f"v{run[0].version} ended at mu {formatted(run[-1].mu, '.2f')}" for run in versions)
            + "."
        )
    return text
