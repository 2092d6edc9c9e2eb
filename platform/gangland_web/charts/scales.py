"""From values to places in a picture, and the round values that an axis names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import ceil, floor, isfinite, log10
from typing import NamedTuple

from gangland_ladder.common.numbers import formatted

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_CLOCK_S = (1, 5, 15, 30, 60, 300, 900, 1800, 3600, 3 * 3600, 6 * 3600, 12 * 3600)
_DAY_S = 86_400
_DAYS = (1, 2, 7, 14)
_MONTHS = (1, 2, 3, 6, 12, 24, 60, 120)


class Tick(NamedTuple):
    """A value that an axis names, with its words and its place in the picture."""

    value: float
    label: str
    at: float


@dataclass(frozen=True, slots=True)
class Scale:
    """A straight line from values to places; `low` lies at `begin`, `high` at `end`, in units of the picture.

    Where both ends are one value, it lies in the middle.
    """

    low: float
    high: float
    begin: float
    end: float

    def __call__(self, value: float) -> float:
        """Return where a value lies."""
        if self.high == self.low:
            return (self.begin + self.end) / 2
        return self.begin + (value - self.low) / (self.high - self.low) * (self.end - self.begin)

    def ticks(self, count: int = 5) -> tuple[Tick, ...]:
        """Return about `count` round values between the ends, with as many decimals as they need."""
        step = _step(self.high - self.low, count)
        if step == 0:
            return (Tick(self.low, formatted(self.low, ".0f"), self(self.low)),)
        digits = max(0, -floor(log10(step) + 1e-9))
        if abs(round(step, digits) - step) > step / 100:
            digits += 1
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        values = [number * step for number in range(first, last + 1)]
        return tuple(Tick(value, formatted(value, f".{digits}f"), self(value)) for value in values)

    def times(self, count: int = 5) -> tuple[Tick, ...]:
        """Return about `count` round moments (UTC) between two that are seconds since the epoch.

        Among hours, midnight is called by its day.
        """
        values, form = _moments(self.low, self.high, count)
        forms = ["%d %b" if "%H" in form and value % _DAY_S == 0 else form for value in values]
        named = [datetime.fromtimestamp(value, UTC).strftime(each) for value, each in zip(values, forms, strict=True)]
        return tuple(Tick(value, label, self(value)) for value, label in zip(values, named, strict=True))


def round_scale(values: Sequence[float], begin: float, end: float, count: int = 5) -> Scale:
    """Return a scale that holds all values and begins and ends at round ones.

    Raises:
        ValueError: there are no values, or one is no number.
    """
    if not values or not all(map(isfinite, values)):
        raise ValueError("a scale needs values that are finite numbers")
    low, high = min(values), max(values)
    step = _step(high - low, count) or 1.0
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    if first == last:
        last += 1
    return Scale(first * step, last * step, begin, end)


def _step(span: float, count: int) -> float:
    """Return the round distance that comes nearest to `count` steps in a span; 0 for no span."""
    if span <= 0:
        return 0.0
    rough = span / max(1, count)
    power = 10.0 ** floor(log10(rough))
    return next(power * step for step in _STEPS if power * step >= rough * (1 - 1e-9))


def _moments(low: float, high: float, count: int) -> tuple[list[float], str]:
    """Return round moments and how they are written: the clock, days or months, as the span asks for."""
    span = max(high - low, 1.0)
    for step in _CLOCK_S:
        if span / step <= count:
            form = "%H:%M:%S" if step < 60 else "%H:%M"
            return _every(low, high, step), form
    for days in _DAYS:
        if span / (days * _DAY_S) <= count:
            return _every(low, high, days * _DAY_S), "%d %b"
    months = next((each for each in _MONTHS if span / (each * 30.4 * _DAY_S) <= count), _MONTHS[-1])
    return _firsts(low, high, months), "%b %Y" if months < 12 else "%Y"


def _every(low: float, high: float, step: float) -> list[float]:
    return [number * step for number in range(ceil(low / step), floor(high / step) + 1)]


def _firsts(low: float, high: float, months: int) -> list[float]:
    """Return the first days of every so many months, counted from January."""
    at, found = datetime.fromtimestamp(low, UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0), []
    while at.timestamp() <= high:
        if (at.year * 12 + at.month - 1) % months == 0 and at.timestamp() >= low:
            found.append(at.timestamp())
        at = (at + timedelta(days=32)).replace(day=1)
    return found
