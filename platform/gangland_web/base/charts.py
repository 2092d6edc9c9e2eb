"""Compute charts as shapes for templates: columns, shares, rating histories, and luck against place."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import ceil, floor, isfinite, log10
from typing import Final, NamedTuple

from gangland_ladder.common.texts import counted, format_number
from gangland_web.base.formats import DAY_S

# Lines and areas as SVG path data.

Point = tuple[float, float]
_WHOLE: Final = re.compile(r"\.0(?!\d)")
_ZERO: Final = re.compile(r"-0(?!\.)")  # turns -0 into 0, also in a text with hundreds of points


def coordinate(value: float) -> str:
    """Return a coordinate as a short text, rounded to a tenth of a unit."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def line(points: Sequence[Point]) -> str:
    """Return the path of a line through points, or an empty text without points."""
    if not points:
        return ""
    text = "M" + "L".join([f"{x:.1f} {y:.1f}" for x, y in points])
    return _ZERO.sub("0", _WHOLE.sub("", text))


def band(upper: Sequence[Point], lower: Iterable[Point]) -> str:
    """Return the path of the area between two lines that run in the same direction."""
    if not upper:
        return ""
    return line([*upper, *reversed(list(lower))]) + "Z"


# Scales, which map values to positions and choose round values for the labels of an axis.

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_CLOCK_S = (1, 5, 15, 30, 60, 300, 900, 1800, 3600, 3 * 3600, 6 * 3600, 12 * 3600)
_DAYS = (1, 2, 7, 14)
_MONTHS = (1, 2, 3, 6, 12, 24, 60, 120)


class Tick(NamedTuple):
    """A labeled value on an axis, with its position in the picture."""

    value: float
    label: str
    at: float


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear mapping from values to positions: `low` to `begin`, and `high` to `end`, in units of the picture."""

    low: float
    high: float
    begin: float
    end: float

    def __call__(self, value: float) -> float:
        """Return the position of a value."""
        if self.high == self.low:  # a single value is in the middle
            return (self.begin + self.end) / 2
        return self.begin + (value - self.low) / (self.high - self.low) * (self.end - self.begin)

    def ticks(self, count: int = 5) -> tuple[Tick, ...]:
        """Return about `count` round values between the ends (at least two unless the ends are equal) as ticks."""
        step = _step(self.high - self.low, count)
        if step == 0:
            return (Tick(self.low, format_number(self.low, ".0f"), self(self.low)),)
        digits = max(0, -floor(log10(step) + 1e-9))
        if abs(round(step, digits) - step) > step / 100:
            digits += 1
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        if first == last:
            return self.ticks(count + 1)
        values = [number * step for number in range(first, last + 1)]
        return tuple(Tick(value, format_number(value, f".{digits}f"), self(value)) for value in values)

    def times(self, count: int = 5) -> tuple[Tick, ...]:
        """Return about `count` round times (UTC) between two Unix times; among times of day, midnight shows the day."""
        values, form = _moments(self.low, self.high, count)
        forms = ["%d %b" if "%H" in form and value % DAY_S == 0 else form for value in values]
        labels = [datetime.fromtimestamp(value, UTC).strftime(form) for value, form in zip(values, forms, strict=True)]
        return tuple(Tick(value, label, self(value)) for value, label in zip(values, labels, strict=True))


def round_scale(values: Sequence[float], begin: float, end: float, count: int = 5) -> Scale:
    """Return a scale with round ends that contains all values.  Raises ValueError: no values, or one is not finite."""
    if not values or not all(map(isfinite, values)):
        raise ValueError("a scale needs values that are finite numbers")
    low, high = min(values), max(values)
    step = _step(high - low, count) or 1.0
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    if first == last:
        last += 1
    return Scale(first * step, last * step, begin, end)


def _step(span: float, count: int) -> float:
    if span <= 0:
        return 0.0
    rough = span / max(1, count)
    power = 10.0 ** floor(log10(rough))
    return next(power * step for step in _STEPS if power * step >= rough * (1 - 1e-9))


def _moments(low: float, high: float, count: int) -> tuple[list[float], str]:
    """Return round times and their format; the span decides between times of day, days, months and years."""
    span = max(high - low, 1.0)
    for step in _CLOCK_S:
        if span / step <= count:
            form = "%H:%M:%S" if step < 60 else "%H:%M"
            return _multiples(low, high, step), form
    for days in _DAYS:
        if span / (days * DAY_S) <= count:
            return _multiples(low, high, days * DAY_S), "%d %b"
    months = next((months for months in _MONTHS if span / (months * 30.4 * DAY_S) <= count), _MONTHS[-1])
    return _month_starts(low, high, months), "%b %Y" if months < 12 else "%Y"


def _multiples(low: float, high: float, step: float) -> list[float]:
    return [number * step for number in range(ceil(low / step), floor(high / step) + 1)]


def _month_starts(low: float, high: float, months: int) -> list[float]:
    at, starts = datetime.fromtimestamp(low, UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0), []
    while at.timestamp() <= high:
        if (at.year * 12 + at.month - 1) % months == 0 and at.timestamp() >= low:
            starts.append(at.timestamp())
        at = (at + timedelta(days=32)).replace(day=1)
    return starts


# Pictures: a box, its axes, and the shapes that a template renders in order.


class Shape(NamedTuple):
    """An SVG element of a picture: path, circle, rect, line or text."""

    tag: str
    css: str  # its CSS class
    attributes: Mapping[str, str]  # its other attributes
    text: str = ""  # the content of a text element
    hint: str = ""  # shown on hover


@dataclass(frozen=True, slots=True)
class Key:
    """An entry of a picture's legend: the CSS class and the label."""

    css: str
    label: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart, ready to be rendered; `summary` is the alternative text."""

    name: str  # the element's id on the page
    title: str
    summary: str
    # The size in the picture's units, which reserves space on the page.
    width: int
    height: int
    shapes: tuple[Shape, ...]
    keys: tuple[Key, ...] = ()


@dataclass(frozen=True, slots=True)
class Box:
    """The area of a picture that shows values; the margins are for the labels of the axes."""

    width: int
    height: int
    left: float = 48
    right: float = 14
    top: float = 36
    bottom: float = 42

    @property
    def ends_x(self) -> tuple[float, float]:
        """The left and right ends."""
        return self.left, self.width - self.right

    @property
    def ends_y(self) -> tuple[float, float]:
        """The lower and upper ends, in this order because values increase upward."""
        return self.height - self.bottom, self.top

    def picture(self, name: str, title: str, summary: str, shapes: Sequence[Shape], *keys: Key) -> Picture:
        """Return a picture with these shapes."""
        return Picture(name, title, summary, self.width, self.height, tuple(shapes), keys)


def text(x: float, y: float, content: str, css: str = "tick", anchor: str = "middle") -> Shape:
    """Return a text at a position."""
    return Shape("text", css, {"x": coordinate(x), "y": coordinate(y), "text-anchor": anchor}, content)


def path(d: str, css: str, hint: str = "") -> Shape:
    """Return a path."""
    return Shape("path", css, {"d": d}, hint=hint)


def stroke(x: float, y: float, x_end: float, y_end: float, css: str) -> Shape:
    """Return a straight line."""
    attributes = {"x1": coordinate(x), "y1": coordinate(y), "x2": coordinate(x_end), "y2": coordinate(y_end)}
    return Shape("line", css, attributes)


def rect(x: float, y: float, width: float, height: float, css: str, hint: str = "") -> Shape:
    """Return a rectangle."""
    attributes = {"x": coordinate(x), "y": coordinate(y), "width": coordinate(width), "height": coordinate(height)}
    return Shape("rect", css, attributes, hint=hint)


def axes(
    box: Box, x_ticks: Iterable[Tick], y_ticks: Iterable[Tick], x_label: str = "", y_label: str = ""
) -> list[Shape]:
    """Return a box's grid lines and labels; labels at the ends of an axis stay inside the picture."""
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
    if x_label:
        shapes.append(text(right, box.height - 6, x_label, "name", "end"))
    if y_label:
        shapes.append(text(4, high - 16, y_label, "name", "start"))
    return shapes


# Counts as columns next to each other, and shares that fill a row.

COLUMNS_BOX = Box(420, 240)
_ROW_HEIGHT = 34
_MIN_LABELED_WIDTH = 34.0  # segments and columns narrower than this have no label inside
ORDINALS = ("1st", "2nd", "3rd", "4th")


class Bar(NamedTuple):
    """A column of a chart, with the label below it, the label above it, and its height."""

    label: str
    value: float
    value_text: str
    hint: str
    is_strong: bool = False


def bar_chart(name: str, title: str, summary: str, bars: Sequence[Bar], x_label: str, y_label: str) -> Picture | None:
    """Return a chart of columns in this order, or None without columns."""
    if not bars:
        return None
    box = COLUMNS_BOX
    (left, right), (low, high) = box.ends_x, box.ends_y
    y = round_scale([0.0, *(bar.value for bar in bars)], low, high, 4)
    width = (right - left) / len(bars)
    label_step = max(1, ceil(44 / width))
    middles = [left + (number + 0.5) * width for number in range(len(bars))]
    labels = [
        Tick(0, bar.label, at)
        for number, (bar, at) in enumerate(zip(bars, middles, strict=True))
        if number % label_step == 0
    ]
    shapes = axes(box, labels, y.ticks(4), x_label, y_label)
    for bar, middle in zip(bars, middles, strict=True):
        bar_width = min(width * 0.72, 46)
        css, top = "bar strong" if bar.is_strong else "bar", y(bar.value)
        shapes.append(rect(middle - bar_width / 2, top, bar_width, low - top, css, bar.hint))
        if bar.value_text and width >= _MIN_LABELED_WIDTH:
            shapes.append(text(middle, top - 5, bar.value_text, "value"))
    return box.picture(name, title, summary, shapes)


def place_chart(name: str, title: str, summary: str, rows: Sequence[tuple[str, Sequence[int]]]) -> Picture | None:
    """Return a chart with a row for each name, divided into the shares of places, or None if nothing was counted."""
    if not any(sum(counts) for _, counts in rows):
        return None
    box = Box(420, 16 + _ROW_HEIGHT * len(rows) + 34, left=74, top=8, bottom=34)
    x = Scale(0, 100, *box.ends_x)
    ticks = [Tick(value, f"{value}%", x(value)) for value in (0, 25, 50, 75, 100)]
    shapes = axes(box, ticks, ())
    for number, (label, counts) in enumerate(rows):
        top = box.top + number * _ROW_HEIGHT
        shapes.append(text(box.left - 8, top + _ROW_HEIGHT / 2 + 4, label, "row", "end"))
        shapes += _segments(x, top, label, counts)
    keys = [Key(f"place{number + 1}", ORDINALS[number]) for number in range(len(rows[0][1]))]
    return box.picture(name, title, summary, shapes, *keys)


def _segments(x: Scale, top: float, label: str, counts: Sequence[int]) -> list[Shape]:
    total, before, shapes = sum(counts), 0, []
    for place, count in enumerate(counts):
        if not count:
            continue
        begin, end = x(100 * before / total), x(100 * (before + count) / total)
        before, width = before + count, max(0.5, end - begin - 1.5)
        share = f"{100 * count / total:.0f}%"
        hint = f"{label}: {ORDINALS[place]} in {count} of {counted(total, 'game')}, {share}"
        shapes.append(rect(begin + 0.75, top + 4, width, _ROW_HEIGHT - 8, f"place{place + 1}", hint))
        if end - begin >= _MIN_LABELED_WIDTH:
            shapes.append(text((begin + end) / 2, top + _ROW_HEIGHT / 2 + 4, share, f"on{place + 1}"))
    return shapes


# The history of a rating: a line for mu, a band for mu ± 2 sigma, and a mark where each version or season began.

HISTORY_BOX = Box(560, 286, top=44, bottom=56)
DASHES = 4  # number of line styles, which versions use in turn
_BOT_CSS = ("mu", "band"), ("goal", "band other")  # CSS classes of line and band, for each of two bots


class RatingPoint(NamedTuple):
    """A bot's rating after a match; `at` is the Unix time."""

    at: float
    version: int
    match: int
    mu: float
    sigma: float

    @property
    def rating(self) -> float:
        """Mu - 3 sigma."""
        return self.mu - 3 * self.sigma


def rating_chart(name: str, bot: str, points: Sequence[RatingPoint]) -> Picture | None:
    """Return a chart of a bot's ratings after matches, or None for fewer than two matches."""
    if len(points) < 2:
        return None
    (left, right), (low, high) = HISTORY_BOX.ends_x, HISTORY_BOX.ends_y
    edges = [point.mu + sigmas * point.sigma for point in points for sigmas in (-3, 2)]
    y = round_scale(edges, low, high)
    x = Scale(points[0].at, points[-1].at, left, right)
    shapes = axes(HISTORY_BOX, x.times(), y.ticks(), "time (UTC)", "strength")
    versions = _runs(points)
    for number, run in enumerate(versions):
        shapes += _run(run, x, y, (f"mu dash{number % DASHES}", "band"), f"Version {run[0].version}", is_alone=True)
    shapes += _marks(versions, x)
    keys = (Key("mu", "strength"), Key("band", "95% range"), Key("least", "rating, the cautious estimate"))
    return HISTORY_BOX.picture(name, f"Rating of {bot}", _summary(points, versions), shapes, *keys)


def two_ratings_chart(name: str, bots: Sequence[tuple[str, Sequence[RatingPoint]]]) -> Picture | None:
    """Return a chart of two bots' ratings over the same time, or None if either has fewer than two points."""
    if any(len(points) < 2 for _, points in bots):
        return None
    (left, right), (low, high) = HISTORY_BOX.ends_x, HISTORY_BOX.ends_y
    all_points = [point for _, points in bots for point in points]
    y = round_scale([point.mu + sigmas * point.sigma for point in all_points for sigmas in (-2, 2)], low, high)
    x = Scale(min(point.at for point in all_points), max(point.at for point in all_points), left, right)
    shapes = axes(HISTORY_BOX, x.times(), y.ticks(), "time (UTC)", "strength")
    for (bot, points), css in zip(bots, _BOT_CSS, strict=True):
        for run in _runs(points):
            shapes += _run(run, x, y, css, f"{bot}, version {run[0].version}")
    keys = [Key(css[0], bot) for (bot, _), css in zip(bots, _BOT_CSS, strict=True)]
    keys.append(Key("band", "95% range"))
    summary = " ".join(f"{bot}: {_summary(points, ())}" for bot, points in bots)
    names = " and ".join(bot for bot, _ in bots)
    return HISTORY_BOX.picture(name, f"Ratings of {names}", summary, shapes, *keys)


def _runs(points: Sequence[RatingPoint]) -> list[list[RatingPoint]]:
    """Return the points in runs.  A run begins with a new version, or with a season, which raises sigma."""
    runs: list[list[RatingPoint]] = []
    for point in points:
        if not runs or runs[-1][-1].version != point.version or point.sigma > runs[-1][-1].sigma:
            runs.append([])
        runs[-1].append(point)
    return runs


def _run(
    run: Sequence[RatingPoint], x: Scale, y: Scale, css: tuple[str, str], hint: str, *, is_alone: bool = False
) -> list[Shape]:
    all_x = [x(point.at) for point in run]

    def at(sigmas: int) -> list[tuple[float, float]]:
        return list(zip(all_x, [y(point.mu + sigmas * point.sigma) for point in run], strict=True))

    shapes = [path(band(at(2), at(-2)), css[1], hint)]
    if is_alone:
        shapes.append(path(line(at(-3)), "least", hint))
    shapes.append(path(line(at(0)), css[0], hint))
    if len(run) == 1:
        ((across, up),) = at(0)
        if is_alone:
            shapes.append(stroke(across, at(-2)[0][1], across, at(2)[0][1], "mu"))
        shapes.append(Shape("circle", "dot", {"cx": f"{across:.1f}", "cy": f"{up:.1f}", "r": "3"}, hint=hint))
    return shapes


def _marks(versions: Sequence[Sequence[RatingPoint]], x: Scale) -> list[Shape]:
    """Return a mark where each version or season began; if two are too close, only the later one has a label."""
    (_, right), (low, high) = HISTORY_BOX.ends_x, HISTORY_BOX.ends_y
    shapes, free = [], right + 14
    for run in reversed(versions):
        across = x(run[0].at)
        shapes.append(stroke(across, high - 4, across, low, "version"))
        if across + 4 < free - 26:
            shapes.append(text(across + 3, high - 8, f"v{run[0].version}", "mark", "start"))
            free = across
    return shapes


def _summary(points: Sequence[RatingPoint], versions: Sequence[Sequence[RatingPoint]]) -> str:
    first, last = points[0], points[-1]
    text = f"Strength went from {format_number(first.mu, '.2f')} to {format_number(last.mu, '.2f')}, "
    text += f"its uncertainty from {format_number(first.sigma, '.2f')} to {format_number(last.sigma, '.2f')}."
    if len(versions) > 1:
        text += (
            " Versions: "
            + ", ".join(f"v{run[0].version} ended at {format_number(run[-1].mu, '.2f')}" for run in versions)
            + "."
        )
    return text


# Luck against place, with a point for each match.

SCATTER_BOX = Box(420, 300, left=44, bottom=48)
# The space above the first and below the last place, for the labels in the corners, as a share of the span of places.
_MARGIN = 0.1


class LuckPoint(NamedTuple):
    """A bot's match: its mean luck per game, its mean place, and whether it had a fault."""

    match: int
    luck: float
    place: float
    has_fault: bool


def luck_against_place(name: str, title: str, points: Sequence[LuckPoint], seats: int, unit: str) -> Picture | None:
    """Return a chart of matches with `seats` seats, or None for fewer than two matches.  `unit` is the unit of luck."""
    if len(points) < 2:
        return None
    (left, right), (low, high) = SCATTER_BOX.ends_x, SCATTER_BOX.ends_y
    largest = max(abs(point.luck) for point in points) or 1.0
    x, margin = round_scale([-largest, largest], left, right, 6), _MARGIN * (seats - 1)
    y = Scale(seats + margin, 1 - margin, low, high)
    labels = [Tick(number, str(number), y(number)) for number in range(1, seats + 1)]
    shapes = axes(SCATTER_BOX, x.ticks(6), labels, f"luck per game, in {unit}", "mean place")
    shapes.append(stroke(x(0), low, x(0), high, "middle"))
    shapes.append(stroke(left, y((seats + 1) / 2), right, y((seats + 1) / 2), "middle"))
    for up, unlucky, lucky in (
        (high + 12, "unlucky, yet ahead", "lucky and ahead"),
        (low - 7, "unlucky and behind", "lucky, yet behind"),
    ):
        shapes.append(text(left + 4, up, unlucky, "corner", "start"))
        shapes.append(text(right - 4, up, lucky, "corner", "end"))
    shapes += [_point(point, x(point.luck), y(point.place)) for point in points]
    keys = [Key("dot", "a match")]
    if any(point.has_fault for point in points):
        keys.append(Key("cross", "a match with a fault"))
    return SCATTER_BOX.picture(name, title, _scatter_summary(points, seats), shapes, *keys)


def _point(point: LuckPoint, across: float, up: float) -> Shape:
    hint = f"Match {point.match}: luck {point.luck:+.2f}, mean place {point.place:.2f}"
    if point.has_fault:
        left, right = coordinate(across - 4), coordinate(across + 4)
        over, under = coordinate(up - 4), coordinate(up + 4)
        cross = f"M{left} {over}L{right} {under}M{left} {under}L{right} {over}"
        return path(cross, "cross", hint)
    return Shape("circle", "dot", {"cx": coordinate(across), "cy": coordinate(up), "r": "3.5"}, hint=hint)


def _scatter_summary(points: Sequence[LuckPoint], seats: int) -> str:
    middle = (seats + 1) / 2
    lucky_behind = sum(point.luck > 0 and point.place > middle for point in points)
    unlucky_ahead = sum(point.luck < 0 and point.place < middle for point in points)
    return (
        f"Of {counted(len(points), 'match')}, {unlucky_ahead} went well despite bad luck "
        f"and {lucky_behind} badly despite good luck."
    )
