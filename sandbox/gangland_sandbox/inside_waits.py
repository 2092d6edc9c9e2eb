"""The part of the harness that meets bots which wait: their authors are told where.

Copied into the jail's runtime as it stands, so it imports the standard library alone.  In a jail the
filter ends whatever waits; what is replaced here besides only adds the line of the bot's file.  A bot
without a jail is its author's own, and has nothing but these replacements.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from types import FrameType
from typing import Any, Final, NoReturn

from gangland_sandbox.inside_code import owns

ENDS: Final = {"time": ("sleep",), "signal": ("alarm", "pause", "setitimer", "sigtimedwait", "sigwait", "sigwaitinfo")}
"""Functions by which nobody does anything but wait, now or later."""

_ends: list[Callable[[], object]] = []
"""How a process ends in the jail: by the filter."""
NAMED: Final = "gangland: waited by "
"""What is printed before a process ends for a wait; what was called follows, and where."""


def end_waits(*, jailed: bool) -> None:
    """Have what waits name itself and end the process; called once, before any bot is there.

    Args:
        jailed: whether a filter ends what is not replaced here, such as locks.
    """
    _ends[:] = [partial(time.sleep, 0)] if jailed else []
    for module, names in ENDS.items():
        for name in names:
            if hasattr(found := import_module(module), name):
                setattr(found, name, _ending(f"{module}.{name}()"))
    _end_polls()
    if not jailed:
        _end_locks()


def _waited(called: str) -> NoReturn:
    """Name what was called, and end the process as the filter does; whatever fails, the bot cannot go on."""
    with suppress(OSError):
        os.write(2, f"{NAMED}{called}{_called_from()}\n".encode("utf-8", "replace"))
    for end in _ends:
        end()
    signal.signal(signal.SIGTRAP, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTRAP])
    os.kill(os.getpid(), signal.SIGTRAP)
    os._exit(1)


def _called_from() -> str:
    """Return where in the bot's files this was called from, in words; nothing if that is not known."""
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        name = frame.f_code.co_filename
        if owns(name):
            return f", called at {name}:{frame.f_lineno} in {frame.f_code.co_name}()"
        frame = frame.f_back
    return ""


def _ending(called: str) -> Callable[..., NoReturn]:
    def waits(*_given: Any, **_more: Any) -> NoReturn:
        _waited(called)

    return waits


def _end_polls() -> None:
    import select

    look = getattr(select, "poll", None)
    kinds = (("poll", "poll", 0), ("devpoll", "poll", 0), ("epoll", "poll", 0), ("kqueue", "control", 2))
    for name, method, at in kinds:
        if (real := getattr(select, name, None)) is not None:
            setattr(select, name, _polling(name, real, method, at))
    if look is not None:
        select.select = _Selecting(look)


class _Selecting:
    """A `select` that looks by polls, for a filter cannot read its timeout; no function, so that no class binds it."""

    def __init__(self, look: Callable[[], Any]) -> None:
        self._look = look

    def __call__(self, reads: Any, writes: Any, others: Any, timeout: float | None = None, /) -> Any:
        import select

        if timeout != 0:
            _waited("select.select()")
        wanted = ((reads, select.POLLIN), (writes, select.POLLOUT), (others, select.POLLPRI))
        return tuple([file for file in files if self._is_ready(file, event)] for files, event in wanted)

    def _is_ready(self, file: Any, event: int) -> bool:
        looking = self._look()
        looking.register(file, event)
        return bool(looking.poll(0))


def _polling(name: str, real: Callable[..., Any], method: str, at: int) -> type:
    """Return the class of one of `select`'s objects whose timeout has to be 0.

    Args:
        at: the place of the timeout among the arguments of its method.
    """

    class Polling:
        def __init__(self, *given: Any, **more: Any) -> None:
            self._real = real(*given, **more)

        def __getattr__(self, other: str) -> Any:
            return getattr(self._real, other)

        def _at_once(self, *given: Any, **more: Any) -> Any:
            if (given[at] if len(given) > at else more.get("timeout")) != 0:
                _waited(f"select.{name}().{method}()")
            return getattr(self._real, method)(*given, **more)

    setattr(Polling, method, Polling._at_once)
    return Polling


def _end_locks() -> None:
    """Have `threading`'s locks, and all that is made of them, tell of a wait with a timeout."""
    import queue
    import threading

    make = threading.Lock

    class Lock:
        """A lock that is taken at once or, among a trusted bot's threads, waited for without a timeout."""

        def __init__(self) -> None:
            real = make()
            self._real, self.release, self.locked = real, real.release, real.locked

        def __getattr__(self, name: str) -> Any:
            return getattr(self._real, name)

        def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
            if self._real.acquire(False):
                return True
            if blocking and timeout >= 0:
                _waited("a lock with a timeout")
            return bool(blocking and self._real.acquire())

        def __enter__(self) -> bool:
            return self.acquire()

        def __exit__(self, *_failure: object) -> None:
            self.release()

    vars(threading).update(Lock=Lock, _allocate_lock=Lock)
    vars(queue)["SimpleQueue"] = vars(queue)["_PySimpleQueue"]
