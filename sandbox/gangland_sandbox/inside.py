"""The harness: it runs in a bot's process, loads one bot and asks it for decisions.

It is copied unchanged into the jail's runtime, so it imports only the standard library, `gangland` and the rest of the
harness.  This module gives no protection, because the bot shares the process and can change every byte of it; the
protection is outside.  It only provides good messages for the authors of honest bots.
"""

from __future__ import annotations

import contextlib
import gc
import marshal
import os
import random
import resource
import struct
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, NoReturn

from gangland.bot import OWN_NAMES, BaseBot, DecisionRequest, GameEnd, GameStart, begin, own_name_error, remember
from gangland.view import Clock
from gangland_sandbox.inside_code import data, find_bot, load_bundle, overwritten_attribute, owns, show
from gangland_sandbox.inside_waits import end_waits

HEADER: Final = struct.Struct("<IBI")
"""The header of a frame from the bot: length of the body, kind of frame, number of the request."""
LENGTH: Final = struct.Struct("<I")
"""The header of a frame to the bot: length of the body, which is marshaled."""

READY: Final = 2
DONE: Final = 3
ANSWER: Final = 4
LOG: Final = 5
ERROR: Final = 6

LOG_LINE_CHARS: Final = 4_000
MESSAGE_CHARS: Final = 2_000
TRACE_LINES: Final = 12
LARGEST_INT: Final = 1_000_000_000
MAX_DEPTH: Final = 3
READ_BYTES: Final = 65_536
GC_THRESHOLDS: Final = (20_000, 20, 20)
"""Thresholds of the garbage collector.  Python's default of 700 is reached every two questions and costs a third of a
bot's time."""


class PipeClosed(Exception):
    """The referee closed the pipe: the process is done."""


class BadAnswer(Exception):
    """The bot's return value cannot be written as an answer."""


class Channel:
    """The two pipes to and from the referee."""

    def __init__(self, requests: int, answers: int) -> None:
        self._in = requests
        self._out = answers
        self._buffer = b""

    def receive(self) -> Any:
        """Return the next request."""
        data = self._buffer or self._read()
        while len(data) < LENGTH.size:
            data += self._read()
        end = LENGTH.size + LENGTH.unpack_from(data)[0]
        if len(data) < end:
            parts, size = [data], len(data)
            while size < end:
                parts.append(self._read())
                size += len(parts[-1])
            data = b"".join(parts)
        self._buffer = data[end:]
        return marshal.loads(data[LENGTH.size : end])

    def _read(self) -> bytes:
        data = os.read(self._in, READ_BYTES)
        if not data:
            raise PipeClosed
        return data

    def send(self, kind: int, number: int, body: bytes = b"") -> None:
        """Write one frame, without a timeout."""
        data = HEADER.pack(len(body), kind, number) + body
        sent = os.write(self._out, data)
        while sent < len(data):
            sent += os.write(self._out, data[sent:])


def limit_resources(limits: dict[str, Any]) -> None:
    """Set the bot's resource limits permanently."""
    mib = 1024 * 1024
    cpu_s = int(limits["bank_cpu_s"] + limits["import_cpu_s"] + limits["decision_cpu_s"]) + 10
    for name, limit in (
        (resource.RLIMIT_AS, limits["memory_mib"] * mib),
        (resource.RLIMIT_STACK, limits["stack_mib"] * mib),
        (resource.RLIMIT_NOFILE, limits["open_files"]),
        (resource.RLIMIT_CPU, cpu_s),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 1),  # not 0: a host that pipes core dumps to a program would still get one
        (resource.RLIMIT_NPROC, 0),
    ):
        resource.setrlimit(name, (limit, limit))


def to_json(value: Any, depth: int = 0) -> str:
    """Return None, whole numbers (not `bool`) and lists of these as JSON.  Raises BadAnswer: it cannot be written."""
    kind = type(value)
    if kind is int:
        if -LARGEST_INT <= value <= LARGEST_INT:
            return str(value)
        raise BadAnswer("the number is too large")
    if value is None:
        return "null"
    if kind is list or kind is tuple:
        if depth == MAX_DEPTH:
            raise BadAnswer(f"lists may be nested {MAX_DEPTH} deep")
        return "[" + ",".join([to_json(part, depth + 1) for part in value]) + "]"
    raise BadAnswer(f"{kind.__name__} instead of a whole number, a list or None")


def explain(failure: BaseException) -> str:
    """Return the last lines of a traceback, without the harness's own frames."""
    try:
        if isinstance(failure, MemoryError):
            clear_frames(failure)
        import traceback  # imported late: few bots fail, and the import takes time

        trace = failure.__traceback__
        while trace is not None and not owns(trace.tb_frame.f_code.co_filename):
            trace = trace.tb_next
        lines = traceback.format_exception(type(failure), failure, trace or None, limit=-8)
        text = "".join(lines).rstrip().split("\n")
        if len(text) > TRACE_LINES:
            text = ["...", *text[-TRACE_LINES:]]
        return "\n".join(text)[-MESSAGE_CHARS:]
    except BaseException as second:  # noqa: BLE001  (the bot's own code runs when its error is shown)
        return f"{type(failure).__name__}, and {type(second).__name__} when it was displayed"


def clear_frames(failure: BaseException) -> None:
    """Free the objects of a failure's frames, so that memory is available for the message."""
    trace = failure.__traceback__
    while trace is not None:
        with contextlib.suppress(RuntimeError):  # a frame of the harness is still running
            trace.tb_frame.clear()
        trace = trace.tb_next


def seed_numpy(seed: bytes) -> None:
    """Seed the generator of `numpy.random`'s functions, if numpy is imported; all forks inherit the same state."""
    module = sys.modules.get("numpy.random")
    if module is not None:
        module.seed(list(seed))


class Harness:
    """One bot and its requests."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.game_name = ""
        self.view: Any = None
        self.filename = "bot.py"
        self.number = 0
        self.bot: Any = None
        self.bot_class: Any = None
        self.base_class: Any = None
        self.encode: Callable[[str, Any], Any] | None = None

    def log(self, text: str) -> None:
        """Send a line of the bot's log."""
        self.channel.send(LOG, self.number, text[:LOG_LINE_CHARS].encode("utf-8", "replace"))

    def load(self, game: str, main: str, files: dict[str, bytes], limits: dict[str, Any]) -> bytes:
        """Set the limits and load the bot; see `adopt`."""
        limit_resources(limits)
        return self.adopt(game, main, files)

    def adopt(self, game: str, main: str, files: dict[str, bytes]) -> bytes:
        """Load the bot into this process, and return its name and the line of each of its methods."""
        package = game_package(game)
        self.game_name, self.view = game, package.View
        self.filename = main
        seed_numpy(b"load")
        self.base_class = package.Bot
        self.bot_class = bot_class = find_bot(load_bundle(main, files), self.base_class, BaseBot)
        bot_class._gangland_log = staticmethod(self.log)  # type: ignore[attr-defined]
        bot_class._gangland_data = staticmethod(data)  # type: ignore[attr-defined]
        bot_class.rng = random.Random(0)  # type: ignore[attr-defined]
        self.bot = bot_class()
        self.encode = self.bot.encode
        lines = [bot_class.__name__]
        extra_kinds = [name[7:] for name in vars(bot_class) if name.startswith("choose_")]
        for kind in dict.fromkeys((*self.base_class.kinds, *extra_kinds)):
            code = getattr(getattr(bot_class, f"choose_{kind}", None), "__code__", None)
            if code is not None and code.co_filename == main:
                lines.append(f"{kind}={code.co_firstlineno}")
        return "\n".join(lines).encode("utf-8", "replace")

    def start(self, seat: int, seats: int, options: dict[str, object], seed: bytes) -> None:
        """Begin a game: seed the generators, then call the bot's `on_game_start`."""
        random.seed(seed + b"global")
        seed_numpy(seed)
        begin(self.bot, GameStart(self.game_name, seat, seats, options), random.Random(seed))

    def end(self, places: tuple[int, ...], faulted: tuple[int, ...], reason: str) -> None:
        """End a game: call the bot's `on_game_end`."""
        self.bot.on_game_end(GameEnd(places, faulted, reason))

    def ask(self, kind: str, wire: Any, decision_s: float, cpu_left_s: float, wall_left_s: float) -> bytes:
        """Return the bot's answer to one question as JSON."""
        view = self.view(wire, Clock(decision_s, cpu_left_s, wall_left_s), kind)
        remember(self.bot, view)
        return self.encode_answer(kind, self.bot.act(DecisionRequest(kind, view)))

    def encode_answer(self, kind: str, value: Any) -> bytes:
        """Return the bot's return value as JSON.  Raises BadAnswer: it is not an answer to this question."""
        try:
            return to_json(self.encode(kind, value)).encode()  # type: ignore[misc]
        except Exception as error:  # noqa: BLE001  (the bot's own code may run here)
            reason = explain(error) if not isinstance(error, TypeError | BadAnswer) else str(error)
            raise BadAnswer(f"choose_{kind}() returned {show(value)}: {reason}") from None

    def advice(self, failure: BaseException, message: str) -> str:
        """Return a line of advice if an overwritten attribute or another Python version may have caused a failure."""
        if isinstance(failure, SyntaxError) or "cannot import name" in message:
            return f"\n(bots run on Python {sys.version_info[0]}.{sys.version_info[1]} here)"
        if self.bot_class is None or not isinstance(failure, AttributeError | TypeError | BadAnswer):
            return ""
        try:
            name = overwritten_attribute(self.bot_class, self.bot, self.base_class, OWN_NAMES, message)
        except BaseException:  # noqa: BLE001  (the bot's own code may run when it is inspected)
            return ""
        return "" if name is None or own_name_error(name) in message else f"\n({own_name_error(name)})"

    def serve(self) -> None:
        """Answer requests until the referee closes the pipe."""
        receive, send, ask = self.channel.receive, self.channel.send, self.ask
        while True:
            action, self.number, arguments = receive()
            try:
                if action == "ask":
                    kind, body = ANSWER, ask(*arguments)
                elif action == "load":
                    kind, body = READY, self.load(*arguments)
                else:
                    getattr(self, action)(*arguments)
                    kind, body = DONE, b""
            except BadAnswer as error:
                kind, body = ERROR, _error_body("illegal", str(error), self.advice(error, str(error)))
            except BaseException as error:  # noqa: BLE001  (every error in here is the bot's)
                hint = "import_error" if action == "load" else "crashed"
                message = explain(error)
                kind, body = ERROR, _error_body(hint, message, self.advice(error, message))
            send(kind, self.number, body)


def _error_body(hint: str, message: str, advice: str = "") -> bytes:
    return f"{hint}\n{message[: MESSAGE_CHARS - len(advice)]}{advice}".encode("utf-8", "replace")


def game_package(game: str) -> Any:
    """Return the package of a game by its name."""
    return import_module(f"gangland.{game.replace('-', '_')}")


def prepare(games: tuple[str, ...], extra: tuple[str, ...], *, jailed: bool) -> None:
    """In the zygote, replace functions that wait, and import the modules that bots will need."""
    end_waits(jailed=jailed)
    for game in games:
        game_package(game)
    for name in extra:
        import_module(name)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True, errors="replace")  # type: ignore[union-attr]


def serve(requests: int, answers: int) -> NoReturn:
    """Run the process of one bot until the referee closes the pipe."""
    gc.enable()
    gc.set_threshold(*GC_THRESHOLDS)
    try:
        Harness(Channel(requests, answers)).serve()
    except PipeClosed:
        os._exit(0)
    raise AssertionError("a harness serves until its pipe is closed")
