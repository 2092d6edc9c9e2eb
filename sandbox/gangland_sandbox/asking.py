"""The referee's side of a bot in a jail: ask it, charge its time, and determine its faults."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Final, NoReturn, Self

from gangland.bot import GameEnd
from gangland.faults import BotFault, FaultKind
from gangland_sandbox import blame, wire
from gangland_sandbox.caps import CAPS
from gangland_sandbox.clock import Banks, Meter, peak_bytes
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.inside import ANSWER, DONE, ERROR, LOG, READY
from gangland_sandbox.intake import Bundle, main_of, stem_of, unpack
from gangland_sandbox.jail import Child, Mode
from gangland_sandbox.limits import KIB, Limits
from gangland_sandbox.logbook import Logbook
from gangland_sandbox.memory import CHECK_INTERVAL_S
from gangland_sandbox.pool import Pool

READ_BYTES: Final = 65_536
QUICK_MS: Final = 4
"""During a wait of up to this time, no clocks are read except the two that charge every decision.  A timeout below one
tick of the kernel's clock (4 ms at 250 Hz) would set a timer for each question, which takes longer than sending the
question to the bot."""
HALT_S: Final = 1.0
"""If a wait exceeds its timeout by more than this, this process or its whole machine was halted."""
START_TIMEOUT_S: Final = 30.0
"""The timeout for the harness's hello, on a machine under load."""
LOG_HINT: Final = "self.log() writes what its owner can read"
TICK_S: Final = 1.0
"""The interval of calls to the caller's `tick`."""
EXIT_TIMEOUT_S: Final = 2.0
"""How long a bot that has closed a pipe may take to exit on its own, with its own status."""


class BotProcess:
    """One bot in one process, for all games of a rotation.

    A bot that fails is killed at once, so a faulty bot is never asked twice.  An undocumented exception is a bug in
    this project and must not cost a seat the game.
    """

    def __init__(
        self, pool: Pool, child: Child, *, filename: str, limits: Limits, banks: Banks, tick: Callable[[], None]
    ) -> None:
        self.name = stem_of(filename)  # later the class name that the bot's process reports; untrusted, for display
        self._pool: Pool | None = pool
        self._owns_pool = False
        self._child = child
        self._filename = filename
        self._limits = limits
        self._banks = banks
        self._tick = tick
        self._reader = wire.FrameReader(limits.answer_bytes)
        self.log = Logbook(limits, banks)  # the bot's log and printed output in the current game; see `take_log`
        self._number = 0
        self.import_s = 0.0  # CPU seconds to load the file and create the bot
        self._lines: dict[str, int] = {}
        self._is_loading = True
        self._line: int | None = None
        self._method = "its file"
        self._tick_at = time.monotonic() + TICK_S
        self._cap_s = limits.import_cpu_s
        self._poll = select.poll()
        self._poll.register(child.errors, select.POLLIN)  # polled first: printed output comes before the answer
        self._poll.register(child.answers, select.POLLIN)
        self._errors_closed = False
        self._check_memory_at_s = self._checked_at = 0.0
        self._meter = Meter(child.pid, limits, Banks.of_loading(limits))

    @classmethod
    def open(
        cls,
        source: bytes,
        *,
        filename: str,
        game: str,
        limits: Limits,
        pool: Pool | None = None,
        mode: Mode | str = Mode.JAIL,
        tick: Callable[[], None] | None = None,
        banks: Banks | None = None,
    ) -> Self:
        """Load a bot into a new process, and return it ready for its first game.

        Args:
            pool: the source of the process; None opens a separate jail in this mode.
            tick: called about once a second, even while the bot thinks.
            banks: the bot's remaining time in this rotation, if it is restarted after a fault.

        Raises UploadRejected: the source is not a valid bot; BotFault: the bot cannot be loaded, or exceeds a limit;
        SandboxError: the jail failed.
        """
        bundle = unpack(source, filename, CAPS[limits.profile])
        tick, banks = tick or _no_tick, banks or Banks.full(limits)
        jails = pool or Pool(mode, limit=0)
        child = jails.acquire(limits.profile)
        bot = None
        try:
            _wait_for_hello(child, tick)
            jails.confine(child, limits)
            bot = cls(jails, child, filename=filename, limits=limits, banks=banks, tick=tick)
            bot._owns_pool = pool is None
            bot._load(game, bundle)
        except BaseException:
            if bot is None:
                jails.release(child, clean=False)
            else:
                bot._release(clean=False)
            raise
        return bot

    def start_game(self, *, seat: int, seats: int, options: Mapping[str, object], rng_seed: bytes) -> None:
        """Seed the bot's generators and run its `on_game_start`.  Raises BotFault; SandboxError: the jail failed."""
        self.log.begin_game()
        self._method, self._line = "on_game_start()", None
        self._exchange("start", (seat, seats, dict(options), rng_seed), DONE)

    def ask(
        self, kind: str, view_wire: object, number: int, on_view: Callable[[bytes], object] | None = None
    ) -> wire.WireDecision:
        """Return the bot's answer to one question, as plain values; the rules have not checked it.

        Args:
            number: the decision's number in its game, for messages.
            on_view: called with the bytes of the view, in the form of `wire.question_bytes`, before they are sent.

        Raises BotFault: the bot was late, died or sent a malformed answer; SandboxError: the jail failed.
        """
        meter = self._meter
        self._method, self._line = f"choose_{kind}()", self._lines.get(kind)
        body = self._exchange("ask", (kind, view_wire, *meter.view_clock()), ANSWER, on_view)
        try:
            return wire.decode_answer(body)
        except wire.FrameError as error:
            self._fail(FaultKind.PROTOCOL, f"decision {number}: {error}")

    def end_game(self, result: GameEnd) -> None:
        """End a game: run the bot's `on_game_end`.  Raises BotFault; SandboxError: the jail failed."""
        self._method, self._line = "on_game_end()", None
        self._exchange("end", (tuple(result.places), tuple(result.faulted), str(result.reason)), DONE)

    def take_log(self) -> str:
        """Return the bot's log and printed output of this game, bounded and safe to print, and clear them."""
        if self._child.end is None:
            self._drain_errors(raising=False)
        return self.log.take()

    def check_output(self) -> None:
        """Read the output printed so far, which belongs to the last request.  Raises BotFault: it exceeds the limit."""
        self._drain_errors(raising=True)

    @property
    def used_s(self) -> float:
        """CPU seconds charged for the last request."""
        return self._meter.used_s

    @property
    def cpu_s(self) -> float:
        """CPU seconds charged to the bank."""
        return 0.0 if self._is_loading else self._meter.cpu_s

    @property
    def wall_s(self) -> float:
        """Wall seconds charged to the bank, excluding waits for a core."""
        return 0.0 if self._is_loading else self._meter.wall_s

    @property
    def written_share(self) -> float:
        """The used share of the limit for printed output or the limit for logs: the larger of the two."""
        return self.log.used_share()

    @property
    def pid(self) -> int:
        """The process id of the bot outside the jail."""
        return self._child.pid

    @property
    def alive(self) -> bool:
        """Whether the bot can still be asked."""
        return self._child.end is None

    def method_line(self, kind: str) -> int | None:
        """Return the line of `choose_<kind>` in the bot's file, as its process reported it; untrusted."""
        return self._lines.get(kind)

    @property
    def method_lines(self) -> dict[str, int]:
        """The lines of all `choose_<kind>` in the bot's file by kind, including kinds that are never asked."""
        return dict(self._lines)

    def pause(self) -> None:
        """Stop the bot between two questions, so that it uses no CPU; see `resume`."""
        self._child.pause()

    def resume(self) -> None:
        """Continue a paused bot, before the next question."""
        self._child.resume()

    def close(self) -> None:
        """Kill the process and release its resources; may be called twice."""
        self._release(clean=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _load(self, game: str, bundle: Bundle) -> None:
        limits = self._limits
        arguments = (game, bundle.main, bundle.files, limits.to_dict())
        name, self._lines = wire.decode_ready(self._exchange("load", arguments, READY))
        self.name = name or self.name
        self._is_loading = False
        self.import_s = self._meter.cpu_s
        self._cap_s = limits.decision_cpu_s
        self._meter.banks = self._banks
        self._meter.cpu_s = self._meter.wall_s = self._check_memory_at_s = 0.0

    def _exchange(
        self,
        action: str,
        arguments: tuple[object, ...],
        expected: int,
        on_view: Callable[[bytes], object] | None = None,
    ) -> bytes:
        meter = self._meter
        if self._pool is None:
            raise RuntimeError(f"{self._filename} is closed and cannot be asked")
        self._number = number = self._number + 1
        frame = wire.encode_request(action, number, arguments)
        if on_view is not None:
            on_view(wire.question_bytes_in(frame))
        meter.begin()
        if meter.began >= self._tick_at:
            self._tick_if_due()
        sent = self._write(frame)
        if sent < len(frame):
            self._send_rest(frame[sent:])
        body = self._await(number, expected)
        if not meter.is_slow:
            self._forgive_lateness()
        fault = meter.finish(self._cap_s, self._checked_at)
        if fault is not None:
            self._fail_late(fault)
        if meter.cpu_s >= self._check_memory_at_s:
            self._check_memory_at_s = meter.cpu_s + CHECK_INTERVAL_S
            self._child.check_memory()
        return body

    def _write(self, data: bytes) -> int:
        try:
            return os.write(self._child.requests, data)
        except BlockingIOError:
            return 0
        except BrokenPipeError:
            self._fail_dead()

    def _send_rest(self, rest: bytes) -> None:
        """Write the rest of a frame that did not fit into the pipe; the bot may read it late or never."""
        child = self._child
        self._poll.register(child.requests, select.POLLOUT)
        while rest:
            for descriptor, event in self._wait():
                if descriptor == child.errors:
                    self._drain_errors(raising=True)
                elif descriptor == child.requests:
                    rest = rest[self._write(rest) :]
                elif event & select.POLLIN:
                    self._fail(FaultKind.PROTOCOL, "the bot answered before it had read the question")
                else:
                    self._fail_dead()
            if (fault := self._meter.exceeded_limit(self._cap_s, self._checked_at)) is not None:
                self._fail_late(fault)
        self._poll.unregister(child.requests)

    def _await(self, number: int, expected: int) -> bytes:
        """Return the body of the frame that answers this request; add the log lines that precede it to the log."""
        child, reader, limit = self._child, self._reader, self._reader.limit_of(expected)
        pieces = 0
        while True:
            if pieces:  # otherwise a bot could send small pieces and think between them for free
                self._read_clocks()
            pieces += 1
            for descriptor, _ in self._wait():
                if descriptor == child.errors:
                    self._drain_errors(raising=True)
                    continue
                data = os.read(child.answers, READ_BYTES)
                if not data:
                    self._fail_dead()
                body = wire.whole_frame(data, expected, number, limit) if reader.empty else None
                if body is None:
                    reader.feed(data)
                    body = self._next_answer(number, expected)
                if body is not None:
                    return body

    def _read_clocks(self) -> None:
        """Charge the time between two pieces of an answer, and call `tick` if it is due."""
        if not self._meter.is_slow:
            self._forgive_lateness()
            self._meter.start_counting_waits()
        if (fault := self._meter.exceeded_limit(self._cap_s, self._checked_at)) is not None:
            self._fail_late(fault)
        self._tick_if_due()

    def _tick_if_due(self) -> None:
        now = time.monotonic()
        if now >= self._tick_at:
            self._tick_at = now + TICK_S
            self._tick()
            ticked_s = time.monotonic() - now
            self._checked_at += ticked_s
            self._meter.give_back(ticked_s)

    def _wait(self) -> list[tuple[int, int]]:
        """Return the pipes that are ready, or an empty list after a check of the clocks and of memory."""
        events = self._poll.poll(QUICK_MS)
        meter = self._meter
        if meter.is_slow:
            self._forgive_halt(QUICK_MS / 1000)
        elif not events:
            self._forgive_lateness()
        if events:
            return events
        meter.start_counting_waits()
        fault = meter.exceeded_limit(self._cap_s, self._checked_at)
        if fault is None:
            if self._pool is not None:
                self._pool.check_memory()
            pause_s = min(meter.next_check_s(self._cap_s), CHECK_INTERVAL_S)
            events = self._poll.poll(pause_s * 1000)
            self._forgive_halt(pause_s)
            self._tick_if_due()
            if events:
                return events
            fault = meter.exceeded_limit(self._cap_s, self._checked_at)
        if fault is not None:
            self._fail_late(fault)
        return []

    def _forgive_lateness(self) -> None:
        """Subtract the referee's lateness, the part of a quick wait beyond its timeout, from the bot's wall time."""
        self._checked_at = time.monotonic()
        late_s = self._checked_at - self._meter.began - QUICK_MS / 1000
        if late_s > HALT_S:
            self._meter.give_back(late_s)
        elif late_s > 0:
            self._meter.add_lateness(late_s)

    def _forgive_halt(self, limit_s: float) -> None:
        """Subtract the time for which this process was halted from the bot's wall time.

        `limit_s` is the maximum time for the work since the last look at the clock.
        """
        # The same reading ends this look, begins the next one and charges the answer, because a halt between two
        # readings would be charged to the bot.
        now = time.monotonic()
        beyond_s, self._checked_at = now - self._checked_at - limit_s, now
        if beyond_s > HALT_S:
            self._meter.give_back(beyond_s)

    def _next_answer(self, number: int, expected: int) -> bytes | None:
        reader = self._reader
        try:
            while (frame := reader.next()) is not None:
                kind, frame_number, body = frame
                if kind == LOG:
                    if not self.log.add(body):
                        self._fail(
                            FaultKind.OUTPUT,
                            f"{self._method} logged more than {self._limits.log_match_bytes // KIB} KiB in one process",
                            self._line,
                        )
                elif frame_number != number or kind not in (expected, ERROR):
                    self._fail(FaultKind.PROTOCOL, "the bot sent an unexpected frame")
                elif not reader.empty:
                    self._fail(FaultKind.PROTOCOL, "the bot sent more than one answer to one question")
                elif kind == ERROR:
                    self._fail_reported(body)
                else:
                    return body
        except wire.OversizeError as error:
            self._fail(FaultKind.OUTPUT, f"the answer is too large: {error}")
        except wire.FrameError as error:
            self._fail(FaultKind.PROTOCOL, str(error))
        return None

    def _fail_reported(self, body: bytes) -> NoReturn:
        """Raise the fault that the harness reported, with its message for the author."""
        self._meter.finish(self._cap_s, time.monotonic())
        hint, message = wire.decode_error(body)
        peak = peak_bytes(self._child.pid)
        kind, text = blame.verdict_blame(hint, message, self._limits, loading=self._is_loading, peak_bytes=peak)
        self._fail(kind, text, self._line if kind is FaultKind.ILLEGAL else None)

    def _fail_late(self, kind: FaultKind) -> NoReturn:
        fault, message = blame.lateness_blame(kind, self._limits, loading=self._is_loading, method=self._method)
        self._fail(fault, message, self._line)

    def _fail_dead(self) -> NoReturn:
        """Raise the fault of a bot whose pipe has closed, depending on how its process ended."""
        self._drain_errors(raising=False)
        ended = self._child.ends_within(EXIT_TIMEOUT_S)
        self._meter.charge_wall(time.monotonic())
        end, printed = self._child.kill(), self.log.printed_tail()
        if end.lost:
            self._release(clean=False)
            raise SandboxError("the jail was killed from outside")
        if not ended:
            self._fail(FaultKind.PROTOCOL, "the bot closed a pipe to the referee and kept running")
        self._fail(
            *blame.death_blame(end, self._limits, loading=self._is_loading, jailed=self._child.jailed, printed=printed)
        )

    def _drain_errors(self, *, raising: bool) -> None:
        """Read the bot's printed output; exceeding the limit is a fault."""
        try:
            data = os.read(self._child.errors, READ_BYTES)
        except BlockingIOError:
            return
        if not data and raising and not self._errors_closed:
            self._errors_closed = True
            self._poll.unregister(self._child.errors)
        if not self.log.add_printed(data) and raising:
            self._fail(
                FaultKind.OUTPUT,
                f"{self._method} printed more than {self._limits.stderr_bytes // KIB} KiB in one process: {LOG_HINT}",
                self._line,
            )

    def _fail(self, kind: FaultKind, message: str, line: int | None = None) -> NoReturn:
        """Kill the bot and raise its fault; earlier output stays in the log for the bot's owner.

        `line` is the line of the asked method in the bot's file, if that helps.
        """
        if self._child.end is None:
            self._drain_errors(raising=False)
        self._release(clean=False)
        place = f"{self._filename}:" if line is None else f"{main_of(self._filename)}:{line}"
        raise BotFault(kind, wire.clean(f"{place} {message}"))

    def _release(self, *, clean: bool) -> None:
        """Kill the process, return or close its jail, and charge the process's CPU time up to its end."""
        pool, self._pool = self._pool, None
        if pool is None:
            return
        self._meter.charge_wall(time.monotonic())
        pool.release(self._child, clean=clean)
        if self._owns_pool:
            pool.close()
        end = self._child.end
        if end is not None and not self._is_loading:
            self._meter.settle(end.cpu_s)


def _wait_for_hello(child: Child, tick: Callable[[], None]) -> None:
    for _ in range(int(START_TIMEOUT_S)):
        if child.wait_for_hello(1.0):
            return
        tick()
    raise SandboxError(f"the harness did not start within {START_TIMEOUT_S:.0f} s")


def _no_tick() -> None:
    """Do nothing."""
