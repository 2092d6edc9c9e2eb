"""The harness: what runs in a bot's process, loads one bot and asks it.

Copied into the jail's runtime as it stands, so it imports the standard library and `gangland`
alone.  Nothing here guards anything: the bot shares this process and can change every byte of
it.  The guards are outside; this is politeness towards honest bots and good messages.
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

from gangland.bot import OWN_NAMES, BaseBot, DecisionRequest, GameEnd, GameStart, begin, own_name, remember
from gangland.view import Clock
from gangland_sandbox.inside_code import data, find_bot, load_bundle, owns, show, taken_name
from gangland_sandbox.inside_waits import end_waits

HEADER: Final = struct.Struct("<IBI")
"""Before each frame from the bot: length of the body, kind of frame, number of the request."""
LENGTH: Final = struct.Struct("<I")
"""Before each frame to the bot: length of the body, which is marshalled."""

READY: Final = 2
DONE: Final = 3
ANSWER: Final = 4
LOG: Final = 5
ERROR: Final = 6

LOG_LINE_CHARS: Final = 4_000
MESSAGE_CHARS: Final = 2_000
TRACE_LINES: Final = 12
LARGEST_INT: Final = 1_000_000_000
DEEPEST: Final = 3
READ_BYTES: Final = 65_536
COLLECTED_AFTER: Final = (20_000, 20, 20)
"""Python looks for cycles after 700 new objects, which is two questions: that took a third of a bot's time."""


class Quit(Exception):
    """The other side closed the pipe: the jail is over."""


class BadAnswer(Exception):
    """What the bot returned cannot be written as an answer."""


class Channel:
    """The two pipes, with plain functions bound early."""

    def __init__(self, requests: int, answers: int) -> None:
        self._in = requests
        self._out = answers
        self._buffer = b""

    def receive(self) -> Any:
        """Return the next request."""
        data = self._buffer or self._more()
        while len(data) < LENGTH.size:
            data += self._more()
        end = LENGTH.size + LENGTH.unpack_from(data)[0]
        if len(data) < end:
            parts, size = [data], len(data)
            while size < end:
                parts.append(self._more())
                size += len(parts[-1])
            data = b"".join(parts)
        self._buffer = data[end:]
        return marshal.loads(data[LENGTH.size : end])

    def _more(self) -> bytes:
        data = os.read(self._in, READ_BYTES)
        if not data:
            raise Quit
        return data

    def send(self, kind: int, number: int, body: bytes = b"") -> None:
        """Write one frame, however long the other side takes to read it."""
        data = HEADER.pack(len(body), kind, number) + body
        sent = os.write(self._out, data)
        while sent < len(data):
            sent += os.write(self._out, data[sent:])


def limit_resources(limits: dict[str, Any]) -> None:
    """Give up what the bot may not use; there is no way back up."""
    mib = 1024 * 1024
    cpu_s = int(limits["bank_cpu_s"] + limits["import_cpu_s"] + limits["decision_cpu_s"]) + 10
    for name, most in (
        (resource.RLIMIT_AS, limits["memory_mib"] * mib),
        (resource.RLIMIT_STACK, limits["stack_mib"] * mib),
        (resource.RLIMIT_NOFILE, limits["open_files"]),
        (resource.RLIMIT_CPU, cpu_s),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 1),  # not 0: a host that pipes cores to a program would still be handed one
        (resource.RLIMIT_NPROC, 0),
    ):
        resource.setrlimit(name, (most, most))


def to_json(value: Any, depth: int = 0) -> str:
    """Return None, whole numbers (no `bool`) and lists of those as JSON.  Raises BadAnswer: anything else."""
    kind = type(value)
    if kind is int:
        if -LARGEST_INT <= value <= LARGEST_INT:
            return str(value)
        raise BadAnswer("the number is too large")
    if value is None:
        return "null"
    if kind is list or kind is tuple:
        if depth == DEEPEST:
            raise BadAnswer(f"lists may be nested {DEEPEST} deep")
        return "[" + ",".join([to_json(part, depth + 1) for part in value]) + "]"
    raise BadAnswer(f"{kind.__name__} where a whole number, a list or None may stand")


def explain(failure: BaseException) -> str:
    """Return the last lines of a traceback, the harness's own frames left out."""
    try:
        if isinstance(failure, MemoryError):
            let_go(failure)
        import traceback  # late: few bots fail, and every jail would pay for it

        trace = failure.__traceback__
        while trace is not None and not owns(trace.tb_frame.f_code.co_filename):
            trace = trace.tb_next
        lines = traceback.format_exception(type(failure), failure, trace or None, limit=-8)
        text = "".join(lines).rstrip().split("\n")
        if len(text) > TRACE_LINES:
            text = ["...", *text[-TRACE_LINES:]]
        return "\n".join(text)[-MESSAGE_CHARS:]
    except BaseException as second:  # noqa: BLE001  (the bot's own code runs when its error is shown)
        return f"{type(failure).__name__}, and {type(second).__name__} when it was to be shown"


def let_go(failure: BaseException) -> None:
    """Free what the frames of a failure hold, so that there is memory to tell of it."""
    trace = failure.__traceback__
    while trace is not None:
        with contextlib.suppress(RuntimeError):  # a frame of the harness is still running
            trace.tb_frame.clear()
        trace = trace.tb_next


def seed_numpy(seed: bytes) -> None:
    """Seed the generator behind `numpy.random`'s functions, if numpy is there: its first state came with the fork."""
    found = sys.modules.get("numpy.random")
    if found is not None:
        found.seed(list(seed))


class Harness:
    """One bot and the requests that reach it."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.game_name = ""
        self.view: Any = None
        self.filename = "bot.py"
        self.number = 0
        self.bot: Any = None
        self.found: Any = None
        self.own: Any = None
        self.encode: Callable[[str, Any], Any] | None = None

    def log(self, text: str) -> None:
        """Send a line of the bot's log."""
        self.channel.send(LOG, self.number, text[:LOG_LINE_CHARS].encode("utf-8", "replace"))

    def load(self, game: str, main: str, files: dict[str, bytes], limits: dict[str, Any]) -> bytes:
        """Give up what the bot may not use, load it, and return its name and the line of each of its methods."""
        limit_resources(limits)
        return self.adopt(game, main, files)

    def adopt(self, game: str, main: str, files: dict[str, bytes]) -> bytes:
        """Load the bot into this very process, and return its name and the line of each of its methods."""
        package = game_package(game)
        self.game_name, self.view = game, package.View
        self.filename = main
        seed_numpy(b"load")
        self.own = package.Bot
        self.found = found = find_bot(load_bundle(main, files), self.own, BaseBot)
        found._gangland_log = staticmethod(self.log)  # type: ignore[attr-defined]
        found._gangland_data = staticmethod(data)  # type: ignore[attr-defined]
        found.rng = random.Random(0)  # type: ignore[attr-defined]
        self.bot = found()
        self.encode = self.bot.encode
        lines = [found.__name__]
        own = [name[7:] for name in vars(found) if name.startswith("choose_")]
        for kind in dict.fromkeys((*self.own.kinds, *own)):
            code = getattr(getattr(found, f"choose_{kind}", None), "__code__", None)
            if code is not None and code.co_filename == main:
                lines.append(f"{kind}={code.co_firstlineno}")
        return "\n".join(lines).encode("utf-8", "replace")

    def start(self, seat: int, seats: int, options: dict[str, object], seed: bytes) -> None:
        """Begin a game: chance anew, then the bot's own `on_game_start`."""
        random.seed(seed + b"global")
        seed_numpy(seed)
        begin(self.bot, GameStart(self.game_name, seat, seats, options), random.Random(seed))

    def end(self, places: tuple[int, ...], faulted: tuple[int, ...], reason: str) -> None:
        """End a game: the bot's own `on_game_end`."""
        self.bot.on_game_end(GameEnd(places, faulted, reason))

    def ask(self, kind: str, wire: Any, decision_s: float, cpu_left_s: float, wall_left_s: float) -> bytes:
        """Return the bot's answer to one question, written as JSON."""
        view = self.view(wire, Clock(decision_s, cpu_left_s, wall_left_s), kind)
        remember(self.bot, view)
        return self.written(kind, self.bot.act(DecisionRequest(kind, view)))

    def written(self, kind: str, returned: Any) -> bytes:
        """Return what the bot returned, written as JSON.  Raises BadAnswer: it is no answer to such a question."""
        try:
            return to_json(self.encode(kind, returned)).encode()  # type: ignore[misc]
        except Exception as refused:  # noqa: BLE001  (whatever the bot returned, it is told why that is no answer)
            why = explain(refused) if not isinstance(refused, TypeError | BadAnswer) else str(refused)
            raise BadAnswer(f"choose_{kind}() returned {show(returned)}: {why}") from None

    def advice(self, failure: BaseException, words: str) -> str:
        """Return a line of advice where a failure may come from a name of the base class, or from another Python."""
        if isinstance(failure, SyntaxError) or "cannot import name" in words:
            return f"\n(bots run on Python {sys.version_info[0]}.{sys.version_info[1]} here)"
        if self.found is None or not isinstance(failure, AttributeError | TypeError | BadAnswer):
            return ""
        try:
            name = taken_name(self.found, self.bot, self.own, OWN_NAMES, words)
        except BaseException:  # noqa: BLE001  (the bot's own code may run when it is looked at)
            return ""
        return "" if name is None or own_name(name) in words else f"\n({own_name(name)})"

    def serve(self) -> None:
        """Answer requests until the other side is done with this jail."""
        receive, send, ask = self.channel.receive, self.channel.send, self.ask
        while True:
            what, self.number, arguments = receive()
            try:
                if what == "ask":
                    kind, body = ANSWER, ask(*arguments)
                elif what == "load":
                    kind, body = READY, self.load(*arguments)
                else:
                    getattr(self, what)(*arguments)
                    kind, body = DONE, b""
            except BadAnswer as refused:
                kind, body = ERROR, _verdict("illegal", str(refused), self.advice(refused, str(refused)))
            except BaseException as failure:  # noqa: BLE001  (every failure in here is the bot's)
                hint = "import_error" if what == "load" else "crashed"
                words = explain(failure)
                kind, body = ERROR, _verdict(hint, words, self.advice(failure, words))
            send(kind, self.number, body)


def _verdict(hint: str, message: str, advice: str = "") -> bytes:
    return f"{hint}\n{message[: MESSAGE_CHARS - len(advice)]}{advice}".encode("utf-8", "replace")


def game_package(game: str) -> Any:
    """Return the package of a game, by the game's name."""
    return import_module(f"gangland.{game.replace('-', '_')}")


def prepare(games: tuple[str, ...], extra: tuple[str, ...], *, jailed: bool) -> None:
    """Import in the zygote what bots will need."""
    end_waits(jailed=jailed)
    for game in games:
        game_package(game)
    for name in extra:
        import_module(name)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True, errors="replace")  # type: ignore[union-attr]


def serve(requests: int, answers: int) -> NoReturn:
    """Be the process of one bot, until the other side is done with it."""
    gc.enable()
    gc.set_threshold(*COLLECTED_AFTER)
    try:
        Harness(Channel(requests, answers)).serve()
    except Quit:
        os._exit(0)
    raise AssertionError("a harness serves until its pipe is closed")
