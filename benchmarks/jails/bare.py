"""The bare limits for comparison with jails: the same Python and the same harness without the jail."""

import os
import signal
import subprocess
from collections.abc import Callable
from typing import Final, Self

from msgspec import json

from gangland_sandbox.jail import PYTHON_FLAGS, Jail, Mode, zygote_setup
from gangland_sandbox.limits import Profile
from gangland_sandbox.pool import Pool
from gangland_sandbox.runtime import Runtime, prepare
from gangland_sandbox.treebuild import LIBRARIES, PYTHON

BARE_FLAGS: Final = ("-S", "-s", "-P", "-B", "-c")
FORKER: Final = """
import os
while os.read(0, 1):
    child = os.fork()
    if not child:
        os.write(1, b".")
        os._exit(0)
    os.waitpid(child, 0)
"""
READ_BYTES: Final = 65_536


def bare_python(runtime: Runtime) -> tuple[str, dict[str, str]]:
    """Return the jail's own Python as a program outside of any jail, and its settings."""
    assert runtime.python is not None
    settings = {
        "LD_LIBRARY_PATH": str(runtime.python / LIBRARIES),
        "PYTHONHASHSEED": "0",
        "PYTHONHOME": str(runtime.python / "usr"),
        "PYTHONPATH": str(runtime.app),
    }
    return str(runtime.python / PYTHON), settings


def start_bare(runtime: Runtime) -> None:
    """Start the jail's Python with nothing to do, and wait for its end."""
    python, settings = bare_python(runtime)
    subprocess.run([python, *BARE_FLAGS, "pass"], env=settings, check=True)


def open_bare(runtime: Runtime) -> Jail:
    """Start the zygote of a jail, on the jail's Python, without the jail."""
    python, settings = bare_python(runtime)
    order = zygote_setup(Profile.PLAIN, jailed=False)
    return Jail([python, *PYTHON_FLAGS, "{control}"], settings, order, jailed=False)


class BarePool(Pool):
    """A pool whose processes are those of jails, on the jail's Python, without the jails."""

    def __init__(self) -> None:
        super().__init__(Mode.TRUSTED)

    def _open(self, _profile: Profile) -> Jail:
        self.opened += 1
        return open_bare(prepare())


class Forker:
    """A Python without imports that forks on request."""

    def __init__(self, runtime: Runtime) -> None:
        python, settings = bare_python(runtime)
        self._process = subprocess.Popen(
            [python, *BARE_FLAGS, FORKER], env=settings, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()

    def fork(self) -> None:
        """Request a fork, and wait for the child's first message."""
        os.write(self._in, b".")
        os.read(self._out, 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self._process.communicate()


class Echo:
    """A process that only reads a question and writes an answer, each with msgspec.

    It has no poll, no frames and no clock: the minimum for two Pythons and two pipes.
    """

    def __init__(self, answer: object) -> None:
        source, self._ask = os.pipe()
        self._answer, answered = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self._ask)
            _echo(source, answered, answer)
        os.close(source)
        os.close(answered)

    def asker(self) -> Callable[[object], object]:
        """Return a function that asks and returns the answer."""
        write, read, encode, decode = os.write, os.read, json.Encoder().encode, json.Decoder().decode
        out, back = self._ask, self._answer

        def ask(question: object) -> object:
            write(out, encode(question))
            return decode(read(back, READ_BYTES))

        return ask

    def close(self) -> None:
        """End the process; others that were forked after it hold its pipe open, too."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self._ask)
        os.close(self._answer)


def _echo(source: int, answered: int, answer: object) -> None:
    """Run the process: answer until the pipe closes."""
    write, read, encode, decode = os.write, os.read, json.Encoder().encode, json.Decoder().decode
    try:
        while data := read(source, READ_BYTES):
            decode(data)
            write(answered, encode(answer))
    finally:
        os._exit(0)
