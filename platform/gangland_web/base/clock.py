"""The only place that reads the time of day, and the form of times and days for programs."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime
from typing import Final, overload

DAY_S: Final = 86_400


def now_s() -> float:
    """Return the seconds since the epoch, UTC."""
    return time.time()


@overload
def timestamp(at: float) -> str: ...


@overload
def timestamp(at: float | None) -> str | None: ...


def timestamp(at: float | None) -> str | None:
    """Return seconds since the epoch as RFC 3339 writes them, in UTC and whole seconds: 2027-03-01T18:00:00Z."""
    return None if at is None else written_moment(datetime.fromtimestamp(at, UTC))


def written_moment(at: datetime) -> str:
    """Return a moment in UTC as `timestamp` does; a list of matches has hundreds, and strftime takes its time."""
    return f"{at.year:04}-{at.month:02}-{at.day:02}T{at.hour:02}:{at.minute:02}:{at.second:02}Z"


def written_day(day: int) -> str:
    """Return a day, counted from 1970-01-01, as people write it: 2027-03-01."""
    return datetime.fromtimestamp(day * DAY_S, UTC).date().isoformat()


def read_day(text: str) -> int | None:
    """Return the day that people write as 2027-03-01, counted from 1970-01-01; None if it is none."""
    try:
        return (datetime.strptime(text, "%Y-%m-%d").date() - date(1970, 1, 1)).days  # noqa: DTZ007 (a day has no zone)
    except ValueError:
        return None
