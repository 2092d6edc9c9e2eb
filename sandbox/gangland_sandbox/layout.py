"""Start jails with the same memory addresses each time.

Bots at a table take turns on one core.  If each bot's Python has random addresses, the processor's branch predictions
do not carry over from one bot to the next, and a decision takes a third longer.  Random addresses protect a program
from the senders of its data.  In a jail the program itself is not trusted, and a bot can read its own addresses (`id`),
so fixed addresses reveal nothing new.  The referee, and everything else outside jails, keeps random addresses.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Final

try:  # imported early, because the host's Python may be inaccessible after root privileges are dropped
    import ctypes
except ImportError:
    ctypes = None  # type: ignore[assignment]

_QUERY: Final = 0xFFFF_FFFF
_NO_RANDOM_ADDRESSES: Final = 0x0040000
"""ADDR_NO_RANDOMIZE of personality(2)."""


@contextmanager
def same_addresses() -> Iterator[None]:
    """Start programs in this context at fixed addresses, if the machine allows it."""
    personality = _personality()
    before = personality(_QUERY)
    changed = before != -1 and personality(before | _NO_RANDOM_ADDRESSES) != -1
    try:
        yield
    finally:
        if changed:
            personality(before)


@cache
def _personality() -> Callable[[int], int]:
    """Return the C library's function, or a function that always fails if there is no `ctypes`."""
    if ctypes is None:
        return lambda _: -1
    function: Callable[[int], int] = ctypes.CDLL(None, use_errno=True).personality
    function.argtypes = [ctypes.c_ulong]  # type: ignore[attr-defined]
    return function
