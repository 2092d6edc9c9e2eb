"""Wrong passwords of an account: counted for its name at each address, and for its name wherever they come from.

The first ten in an hour are free.  After that a try is let through only after a pause, which doubles with each, from a
quarter of a minute to a quarter of an hour at one address: some seventeen guesses an hour.  Of the name as a whole a
pause is a minute at most, and none at an address where somebody is signed in under it, so nobody keeps its owner out.
It is counted before a password is looked at, so tries that come together gain nothing, and for names that nobody has,
so it tells nothing about them.  A browser that was signed in under a name before has a count of its own there.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Final

from flask import current_app
from limits.storage import MemoryStorage, Storage, storage_from_string

from gangland_web.base.clock import now_s

FREE: Final = 10
WINDOW_S: Final = 3600
FIRST_PAUSE_S: Final = 15
LONGEST_PAUSE_S: Final = 900
LONGEST_OF_NAME_S: Final = 60
"""The longest pause for a name wherever a try comes from."""


class Lockout:
    """The counts of all processes of a site, on the broker; while that is away each process counts by itself."""

    def __init__(self, storage: str) -> None:
        """Count at an address as `limits` writes it."""
        self._shared: Storage = _opened(storage)
        self._own = MemoryStorage()

    def waits_until(self, who: str, *, longest_s: int = LONGEST_PAUSE_S) -> float | None:
        """Return None if a try may be made now, which counts it; else when the next may be, in Unix seconds."""
        key = sha256(who.encode()).hexdigest()
        try:
            return _counted(self._shared, key, longest_s)
        except self._shared.base_exceptions:
            return _counted(self._own, key, longest_s)

    def clear(self, who: str) -> None:
        """Forget what was counted: somebody has shown who they are."""
        key = sha256(who.encode()).hexdigest()
        for name in (_tries(key), _pause(key)):
            self._own.clear(name)
            try:
                self._shared.clear(name)
            except self._shared.base_exceptions as error:
                current_app.logger.warning("a count of wrong passwords stays, with the broker away: %r", type(error))


def lockout() -> Lockout:
    """Return the counts of the site that is answering."""
    found: Lockout = current_app.extensions["gangland_lockout"]
    return found


def at_address(name: str, address: str) -> str:
    """Return what tries for a name (`name_key`) at an address are counted as."""
    return f"{name} at {address}"


def _opened(storage: str) -> Storage:
    options: dict[str, Any] = {} if storage == "memory://" else {"key_prefix": "gangland:lockout"}
    opened = storage_from_string(storage, **options)
    if not isinstance(opened, Storage):
        raise TypeError(f"expected a storage that answers at once, not {type(opened).__name__}")
    return opened


def _tries(key: str) -> str:
    return f"tries/{key}"


def _pause(key: str) -> str:
    return f"pause/{key}"


def _counted(storage: Storage, key: str, longest_s: int) -> float | None:
    """Count a try that comes when one may; of several that come at once after a pause, one is let through."""
    if storage.get(_pause(key)) > 0:
        return max(storage.get_expiry(_pause(key)), now_s())
    tries = storage.incr(_tries(key), WINDOW_S)
    if tries < FREE:
        return None
    pause_s = min(longest_s, FIRST_PAUSE_S * 2 ** min(tries - FREE, 10))
    if storage.incr(_pause(key), pause_s) == 1:
        return None
    return max(storage.get_expiry(_pause(key)), now_s())
