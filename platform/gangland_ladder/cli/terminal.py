"""Full-screen mode in a terminal: reading single keys, drawing whole screens, and restoring the terminal."""

import os
import re
import select
import signal
import sys
import termios
import tty
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final

_ENTER_SCREEN, _LEAVE_SCREEN = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"
COLUMNS, LINES = 80, 24  # Default size, if the terminal does not report one.
_READ_BYTES: Final = 1024
_ESCAPE_S: Final = 0.05  # Timeout for the rest of a key sequence, after which Escape counts as a key of its own.
_SEQUENCE: Final = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])|.", re.DOTALL)
_KEY_SEQUENCES: Final = {
    "right": ("\x1b[C", "\x1bOC"),
    "left": ("\x1b[D", "\x1bOD"),
    "up": ("\x1b[A", "\x1bOA"),
    "down": ("\x1b[B", "\x1bOB"),
    "shift-right": ("\x1b[1;2C",),
    "shift-left": ("\x1b[1;2D",),
    "home": ("\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~"),
    "end": ("\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~"),
    "pageup": ("\x1b[5~",),
    "pagedown": ("\x1b[6~",),
    "enter": ("\r", "\n"),
    "backspace": ("\x7f", "\x08"),
    "escape": ("\x1b",),
}
_KEY_NAMES: Final = {text: name for name, texts in _KEY_SEQUENCES.items() for text in texts}


class TerminalClosed(Exception):
    """The terminal was closed."""


def is_interactive() -> bool:
    """Return whether input and output are a terminal that can show full screens."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def keys_of(text: str) -> list[str]:
    """Return the names of the keys in a terminal's input; the name of a letter is the letter itself."""
    return [_KEY_NAMES.get(key, key) for key in _SEQUENCE.findall(text)]


def interact(draw: Callable[[int, int], Sequence[str]], press: Callable[[str], bool]) -> None:
    """Draw screens for the current width and height, and pass each key to `press` until it returns False."""
    with _full_screen() as wake_end:
        is_running = True
        while is_running:
            size = os.get_terminal_size(sys.stdout.fileno())
            lines = draw(size.columns or COLUMNS, size.lines or LINES)
            sys.stdout.write("\x1b[H" + "\r\n".join(f"{line}\x1b[0m\x1b[K" for line in lines) + "\x1b[J")
            sys.stdout.flush()
            try:
                for key in keys_of(_read(wake_end)):
                    is_running = is_running and press(key)
            except TerminalClosed:
                return


def _read(wake_end: int) -> str:
    """Return the input; "" if the terminal was resized or this process was resumed."""
    stdin = sys.stdin.fileno()
    ready, _, _ = select.select([stdin, wake_end], [], [])
    if wake_end in ready:
        os.read(wake_end, _READ_BYTES)
    if stdin not in ready:
        return ""
    data = os.read(stdin, _READ_BYTES)
    if not data:
        raise TerminalClosed
    while data.endswith((b"\x1b", b"\x1b[", b"\x1bO")) or re.search(rb"\x1b\[[0-9;]*$", data):
        if not select.select([stdin], [], [], _ESCAPE_S)[0]:
            break
        data += os.read(stdin, _READ_BYTES)
    return data.decode("utf-8", "replace")


@contextmanager
def _full_screen() -> Iterator[int]:
    stdin = sys.stdin.fileno()
    before = termios.tcgetattr(stdin)
    wake_end, signal_end = os.pipe()
    os.set_blocking(signal_end, False)

    def enter() -> None:
        tty.setcbreak(stdin)
        sys.stdout.write(_ENTER_SCREEN)
        sys.stdout.flush()

    def leave() -> None:
        with suppress(OSError, termios.error):  # the terminal may be closed
            termios.tcsetattr(stdin, termios.TCSADRAIN, before)
            sys.stdout.write(_LEAVE_SCREEN)
            sys.stdout.flush()

    def suspend(_number: int, _frame: FrameType | None) -> None:
        leave()
        os.kill(os.getpid(), signal.SIGSTOP)
        enter()

    handlers = {signal.SIGWINCH: _do_nothing, signal.SIGTSTP: suspend, signal.SIGTERM: _exit, signal.SIGHUP: _exit}
    handlers_before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    wakeup_before = signal.set_wakeup_fd(signal_end, warn_on_full_buffer=False)
    try:
        enter()
        yield wake_end
    finally:
        leave()
        signal.set_wakeup_fd(wakeup_before)
        for number, handler in handlers_before.items():
            signal.signal(number, handler)
        os.close(wake_end)
        os.close(signal_end)


def _do_nothing(_number: int, _frame: FrameType | None) -> None:
    """Do nothing, because a signal wakes the loop by writing to its pipe."""


def _exit(number: int, _: FrameType | None) -> None:
    raise SystemExit(128 + number)
