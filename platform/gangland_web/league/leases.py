"""Leases of what is given to workers."""

from typing import Any


def has_ended(until: Any, now: float, longest_s: float) -> Any:
    """Return the condition under which a lease has ended, by the column of its end.

    One that lasts longer than one can was given by a clock that was set back since.
    """
    return (until < now) | (until > now + 2 * longest_s)
