"""Output that cannot show or take what is printed: escapes, and a sentence instead of a traceback."""

from __future__ import annotations

import codecs
import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from typing import TextIO

from gangland_ladder.cli import report
from gangland_ladder.common.runtime import FINDINGS, USAGE

ESCAPED = "gangland-escaped"
REFUSED = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS, errno.EBADF})
"""What a disk or an output says that takes nothing more."""


@contextmanager
def careful_output() -> Iterator[None]:
    r"""Have characters that an output lacks printed as `\u00e9`, and end with a sentence if it takes nothing more."""
    codecs.register_error(ESCAPED, _escaped)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by whoever started this
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 (open to the end)
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=ESCAPED)
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except OSError as failure:
        if not isinstance(failure, BrokenPipeError) and failure.errno not in REFUSED:
            raise
        _discard_the_rest(sys.stdout)
        if isinstance(failure, BrokenPipeError):
            sys.exit(FINDINGS)
        report.say(f"gangland: cannot write {failure.filename or 'the output'}: {failure.strerror}")
        sys.exit(USAGE)
    finally:
        try:
            sys.stderr.flush()
        except OSError:
            _discard_the_rest(sys.stderr)


def _escaped(failure: UnicodeError) -> tuple[str, int]:
    """Return the characters that cannot be encoded as JSON and Python write them, so that JSON stays JSON."""
    if not isinstance(failure, UnicodeEncodeError):
        raise failure
    units = failure.object[failure.start : failure.end].encode("utf-16-be", "surrogatepass")
    codes = (int.from_bytes(units[at : at + 2]) for at in range(0, len(units), 2))
    return "".join(f"\\u{code:04x}" for code in codes), failure.end


def _discard_the_rest(stream: TextIO) -> None:
    """Send what is still waiting to nowhere, or the interpreter would fail once more at its end."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
