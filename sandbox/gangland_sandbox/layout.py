"""Where programs that are started lie in their memory: in jails, at the same addresses each time.

Bots at a table take turns on one core.  Where each has its Python at random addresses, the
processor's memory of branches is of no use from one to the next, and a decision takes a third
longer.  Random addresses guard a program against a stranger who sends it data.  In a jail the
stranger is the program: a bot can ask for its own addresses (`id`), so nothing is given away.
The referee, and all else that is not in a jail, keeps its random addresses.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Final

try:  # at once: later, without root, the host's Python may be out of reach
    import ctypes
except ImportError:
    ctypes = None  # type: ignore[assignment]

_ASK: Final = 0xFFFF_FFFF
_NO_RANDOM_ADDRESSES: Final = 0x0040000
"""ADDR_NO_RANDOMIZE of personality(2)."""


@contextmanager
def same_addresses() -> Iterator[None]:
    """Have programs that are started meanwhile laid out alike; where that cannot be, they are not."""
    personality = _personality()
    before = personality(_ASK)
    changed = before != -1 and personality(before | _NO_RANDOM_ADDRESSES) != -1
    try:
        yield
    finally:
        if changed:
            personality(before)


@cache
def _personality() -> Callable[[int], int]:
    """Return the C library's function; one that refuses where there is no way to call it."""
    if ctypes is None:
        return lambda _: -1
    function: Callable[[int], int] = ctypes.CDLL(None, use_errno=True).personality
    function.argtypes = [ctypes.c_ulong]  # type: ignore[attr-defined]
    return function
