"""How pages write times, numbers and words."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache

from markupsafe import Markup

from gangland.faults import FaultKind
from gangland.games import GAME_NAMES, game_named
from gangland_ladder.common.numbers import formatted
from gangland_ladder.common.plurals import counted
from gangland_web.core.clock import written_moment

GAME_TITLES = {name: game_named(name).title for name in GAME_NAMES}
"""The games of the house in the order in which pages list them."""

STATE_WORDS = {
    "scheduled": "queued",
    "leased": "under way",
    "done": "finished",
    "open": "entries open",
    "frozen": "entries closed",
    "playing": "under way",
    "revealed": "completed",
    "received": "waiting for its check",
    "scanned": "being checked",
    "imported": "being checked",
    "legal": "being checked",
    "timed": "on trial",
    "trial": "on trial",
}
"""What pages call the states of matches, tournaments and versions; the others are called by their own names."""

_TWO = tuple(f"{number:02}" for number in range(60))
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def fault_words(kind: str) -> str:
    """Return the word that people read for a kind of fault; what no bot can bring about is the platform's."""
    try:
        return FaultKind(kind).plain
    except ValueError:
        return "platform fault"


def moment(at: float | str | None, *, exact: bool = False) -> Markup:
    """Return a time element in UTC for seconds since the epoch, or for a `timestamp`; `exact` tells the seconds.

    A script shows it in the viewer's zone, in the same form (static/js/times.js).
    """
    return Markup(written_time(at, exact=exact))  # noqa: S704  # figures alone


@lru_cache(maxsize=8192)
def written_time(at: float | str | None, *, exact: bool = False) -> str:
    """Return what `moment` does, for those who put markup together themselves."""
    if at is None:
        return ""
    when = datetime.fromisoformat(at).astimezone(UTC) if isinstance(at, str) else datetime.fromtimestamp(at, UTC)
    day, clock = _TWO[when.day], f"{_TWO[when.hour]}:{_TWO[when.minute]}"
    if exact:
        clock += f":{_TWO[when.second]}"
    return f'<time datetime="{written_moment(when)}">{day} {_MONTHS[when.month - 1]} {when.year} {clock} UTC</time>'


def day(at: float) -> str:
    """Return the day (UTC) of a time in seconds since the epoch."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d")


def seconds(value: float | None) -> str:
    """Return a duration in words a person reads at a glance."""
    if value is None:
        return ""
    if value < 1:
        return f"{value * 1000:.0f} ms"
    if value < 120:
        return f"{value:.1f} s"
    if value < 7200:
        return f"{value / 60:.0f} min"
    return f"{value / 3600:.0f} h" if value < 48 * 3600 else counted(value / 86400, "day", ".0f")


def state_words(state: str) -> str:
    """Return what pages call a state of a match, a tournament or a version."""
    return STATE_WORDS.get(state, state)


def signed(value: float) -> str:
    """Return a number with its sign; what rounds to zero has none."""
    return formatted(value, "+.2f")


def number(value: float, digits: int = 2) -> str:
    """Return a number with so many digits after the point."""
    return formatted(value, f".{digits}f")


def whole(value: int) -> str:
    """Return a whole number with its thousands apart."""
    return f"{value:,}"
