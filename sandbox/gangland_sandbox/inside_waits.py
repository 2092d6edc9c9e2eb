"""End bots that wait, with a message to their authors.  Part of the harness.

It is copied unchanged into the jail's runtime, so it imports only the standard library and
`inside_code`.  In a jail the filter ends a process that waits; the replacements here only report the line in the bot's
file.  A bot without a jail is its author's own, and only these replacements apply to it.
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

WAITING_FUNCTIONS: Final = {
    "time": ("sleep",),
    "signal": ("alarm", "pause", "setitimer", "sigtimedwait", "sigwait", "sigwaitinfo"),
}
"""Functions that only wait, now or later."""

_deadly_calls: list[Callable[[], object]] = []
"""Calls for which the filter ends a process in the jail."""
WAIT_PREFIX: Final = "gangland: waited by "
"""The start of the line printed before a process ends because of a wait; the function and its caller follow."""


def end_waits(*, jailed: bool) -> None:
    """Make functions that wait print their name and end the process.  Call this once, before any bot is loaded.

    In a jail, a filter ends other waits, such as locks.
    """
    _deadly_calls[:] = [partial(time.sleep, 0)] if jailed else []
    for module, names in WAITING_FUNCTIONS.items():
        for name in names:
            if hasattr(loaded := import_module(module), name):
                setattr(loaded, name, _replacement(f"{module}.{name}()"))
    _replace_polls()
    if not jailed:
        _replace_locks()


def _report_and_end(called: str) -> NoReturn:
    """Print the called function, and end the process as the filter does; if one way to end it fails, try the next."""
    with suppress(OSError):
        os.write(2, f"{WAIT_PREFIX}{called}{_call_site()}\n".encode("utf-8", "replace"))
    for end in _deadly_calls:
        end()
    signal.signal(signal.SIGTRAP, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTRAP])
    os.kill(os.getpid(), signal.SIGTRAP)
    os._exit(1)


def _call_site() -> str:
    """Return a description of the calling line in the bot's files, or "" if it is unknown."""
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        name = frame.f_code.co_filename
        if owns(name):
            return f", called at {name}:{frame.f_lineno} in {frame.f_code.co_name}()"
        frame = frame.f_back
    return ""


def _replacement(called: str) -> Callable[..., NoReturn]:
    def replacement(*_arguments: Any, **_keywords: Any) -> NoReturn:
        _report_and_end(called)

    return replacement


def _replace_polls() -> None:
    import select

    make_poll = getattr(select, "poll", None)
    kinds = (("poll", "poll", 0), ("devpoll", "poll", 0), ("epoll", "poll", 0), ("kqueue", "control", 2))
    for name, method, at in kinds:
        if (real := getattr(select, name, None)) is not None:
            setattr(select, name, _polling_class(name, real, method, at))
    if make_poll is not None:
        select.select = _Select(make_poll)


class _Select:
    """A `select` that polls, because a filter cannot read its timeout; not a function, so that no class binds it."""

    def __init__(self, make_poll: Callable[[], Any]) -> None:
        self._make_poll = make_poll

    def __call__(self, reads: Any, writes: Any, others: Any, timeout: float | None = None, /) -> Any:
        import select

        if timeout != 0:
            _report_and_end("select.select()")
        requests = ((reads, select.POLLIN), (writes, select.POLLOUT), (others, select.POLLPRI))
        return tuple([file for file in files if self._is_ready(file, event)] for files, event in requests)

    def _is_ready(self, file: Any, event: int) -> bool:
        poller = self._make_poll()
        poller.register(file, event)
        return bool(poller.poll(0))


def _polling_class(name: str, real: Callable[..., Any], method: str, at: int) -> type:
    """Return a class like one of `select`'s, whose timeout, argument `at` of its method, must be 0."""

    class Polling:
        def __init__(self, *arguments: Any, **keywords: Any) -> None:
            self._real = real(*arguments, **keywords)

        def __getattr__(self, other: str) -> Any:
            return getattr(self._real, other)

        def _poll_now(self, *arguments: Any, **keywords: Any) -> Any:
            if (arguments[at] if len(arguments) > at else keywords.get("timeout")) != 0:
                _report_and_end(f"select.{name}().{method}()")
            return getattr(self._real, method)(*arguments, **keywords)

    setattr(Polling, method, Polling._poll_now)
    return Polling


def _replace_locks() -> None:
    """Make `threading`'s locks, and everything built on them, report a wait with a timeout."""
    import queue
    import threading

    make_lock = threading.Lock

    class Lock:
        """A lock that is acquired at once or, among a trusted bot's threads, after a wait without a timeout."""

        def __init__(self) -> None:
            real = make_lock()
            self._real, self.release, self.locked = real, real.release, real.locked

        def __getattr__(self, name: str) -> Any:
            return getattr(self._real, name)

        def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
            if self._real.acquire(False):
                return True
            if blocking and timeout >= 0:
                _report_and_end("a lock with a timeout")
            return bool(blocking and self._real.acquire())

        def __enter__(self) -> bool:
            return self.acquire()

        def __exit__(self, *_failure: object) -> None:
            self.release()

    vars(threading).update(Lock=Lock, _allocate_lock=Lock)
    vars(queue)["SimpleQueue"] = vars(queue)["_PySimpleQueue"]
