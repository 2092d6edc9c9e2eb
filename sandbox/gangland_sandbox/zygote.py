"""The zygote: a jail's process that has all imports but no bot, and forks the processes of bots.

It runs from the start of the jail.  The referee has the other end of one socket and sends three pipes for each bot.
Then the zygote forks, and the new process drops more permissions before it sends its hello and gets its bot.  The
zygote itself never reads anything from a bot.
"""

from __future__ import annotations

import gc
import marshal
import os
import signal
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import Any, Final, NoReturn

CONTROL: Final = 9
"""The descriptor of the socket while it is open."""
REQUESTS: Final = 3
ANSWERS: Final = 4
"""The descriptors of the pipes in a bot's process; 0 is an empty input, and 1 and 2 are the pipe for printed output."""

READY: Final = b"ready"
HELLO: Final = b"hello"
FORK: Final = b"fork"
WAIT: Final = b"wait"
END: Final = struct.Struct("<idq")
"""The end of a bot's process: its status from waitpid, its CPU seconds, its peak memory in KiB."""

MESSAGE_BYTES: Final = 65_536
MAX_SKIPPED: Final = 16
"""The number of skipped process numbers is random and below this; each takes up to 0.5 ms."""
LIBRARY_NAME: Final = "gangland_narrow"
LIBRARY_PATH: Final = f"/gangland/gangland_sandbox/{LIBRARY_NAME}.so"
"""The library that puts a process under the filter for bots; see `narrowing`."""


class LateModule(ModuleType):
    """A module that is imported when it is first used."""

    def __getattr__(self, name: str) -> Any:
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        real = import_module(self.__name__)
        vars(self).update(vars(real))
        return getattr(real, name)


def _late_inspect() -> LateModule:
    """Return `inspect` as a late module that `dataclasses` can use without importing it."""
    late = LateModule("inspect")
    if (3, 12) <= sys.version_info < (3, 14):  # in these versions `dataclasses` calls it for each class

        def get_annotations(subject: Any, **options: Any) -> Any:
            if isinstance(subject, type) and not options:
                return dict(vars(subject).get("__annotations__") or {})
            return late.__getattr__("get_annotations")(subject, **options)

        vars(late)["get_annotations"] = get_annotations
    return late


def main() -> NoReturn:
    """Use the socket named on the command line, get ready, and fork a process for each bot."""
    control = _take_socket(int(sys.argv[1]))
    sys.argv[:], sys.orig_argv[:] = [""], []
    games, extra, trees, extensions, jailed = marshal.loads(os.read(CONTROL, MESSAGE_BYTES))
    if jailed:
        _skip_numbers()
    sys.modules["inspect"] = _late_inspect()  # `dataclasses` imports it, for a third of a jail's start
    from gangland_sandbox.inside import prepare

    prepare(games, extra, jailed=jailed)
    if jailed:
        from gangland_sandbox.inside_library import load_all_modules

        load_all_modules(trees, extensions)
        os.closerange(REQUESTS, CONTROL)  # mapped files keep descriptors with the numbers of a bot's pipes
    confine = _make_confine() if jailed else os.setsid
    gc.freeze()
    os.write(CONTROL, READY)
    while True:
        _serve_bot(control, confine)


def _serve_bot(control: Any, confine: Callable[[], None]) -> None:
    """Fork a process for one bot and wait for its end; none of its variables remain for a later process to read."""
    pipes = _next_pipes(control)
    pid = os.fork()
    if pid == 0:
        _become_bot_process(confine, pipes)
    for pipe in pipes:
        os.close(pipe)
    if os.read(CONTROL, len(WAIT)) != WAIT:
        with suppress(PermissionError):  # a jail forbids signals; there the kernel ends all processes with the zygote
            os.kill(pid, signal.SIGKILL)
        os._exit(0)
    _, status, usage = os.wait4(pid, 0)
    os.write(CONTROL, END.pack(status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss))


def _take_socket(number: int) -> Any:
    import _socket

    if number != CONTROL:
        os.dup2(number, CONTROL)
    os.closerange(REQUESTS, CONTROL)
    os.closerange(CONTROL + 1, 1024)
    return _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET, 0, CONTROL)


def _skip_numbers() -> None:
    """Use up a random number of process numbers."""
    # Otherwise a bot's number would show how many processes its jail has forked, and whether the jail is new: a bot
    # could fail on purpose to pass a bit to its own later process.
    for _ in range(os.urandom(1)[0] % MAX_SKIPPED):
        pid = os.fork()
        if pid == 0:
            os._exit(0)
        os.wait4(pid, 0)


def _next_pipes(control: Any) -> list[int]:
    """Return the pipes of the next bot; exit if the referee has closed the socket."""
    import _socket

    size = _socket.CMSG_SPACE(3 * 4)
    message, extra, _, _ = control.recvmsg(len(FORK), size)
    if message != FORK:
        os._exit(0)
    return list(struct.unpack("3i", extra[0][2]))


def _become_bot_process(confine: Callable[[], None], pipes: list[int]) -> NoReturn:
    """Take the pipes, drop the zygote's permissions, send the hello, and serve until the referee closes the pipe."""
    from gangland_sandbox.inside import serve

    requests, answers, errors = pipes
    os.dup2(errors, 1)
    os.dup2(errors, 2)
    os.close(errors)
    _empty_stdin()
    try:
        if (requests, answers) != (REQUESTS, ANSWERS):
            raise OSError(f"the pipes of a bot must be {REQUESTS} and {ANSWERS}, not {requests} and {answers}")
        confine()
    except OSError as error:
        os.write(CONTROL, str(error).encode())
        os._exit(1)
    os.write(CONTROL, HELLO)
    os.close(CONTROL)
    serve(REQUESTS, ANSWERS)


def _empty_stdin() -> None:
    """Give this process its own empty input."""
    # No bot may inherit a descriptor that another bot had: all processes share its flags, so one bot could set them
    # for the next to read.
    empty, closed = os.pipe()
    os.dup2(empty, 0)
    os.close(empty)
    os.close(closed)


def _make_confine() -> Callable[[], None]:
    """Return a function that puts a process under the filter for bots, with everything except the filter prepared here.

    It raises OSError if the filter is not in force.
    """
    import _imp
    from importlib.machinery import ModuleSpec

    library = ModuleSpec(LIBRARY_NAME, None, origin=LIBRARY_PATH)
    load, wait, no_wait = _imp.create_dynamic, os.wait4, os.WNOHANG

    def confine() -> None:
        with suppress(SystemError):  # the library is not a module, and only has to be loaded
            load(library)
        try:
            wait(-1, no_wait)
        except PermissionError:
            return
        except ChildProcessError:
            pass
        raise OSError("the filter of a bot's process could not be set")

    return confine
