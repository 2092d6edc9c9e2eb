"""Where the time of one jailed decision goes: each part alone, repeated on the questions of the same games."""

from __future__ import annotations

import marshal
import os
import select
import statistics
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from typing import Any, Final

from benchmarks.jails.asked import ECHO_BOTS, Asked, bot_of, questions
from benchmarks.jails.decisions import ENDLESS, open_bots
from gangland.games import game_named
from gangland_sandbox.clock import Banks, Meter, cpu_clock
from gangland_sandbox.inside import ANSWER, HEADER, LENGTH, Harness, game_package
from gangland_sandbox.pool import Pool
from gangland_sandbox.wire import FrameReader, decode_answer, encode_request

CLOCK: Final = (0.5, 12.0, 41.0)


@dataclass(frozen=True)
class Share:
    """What a part of a decision takes, in microseconds of CPU."""

    game: str
    seats: int
    part: str
    decision_us: float


def measure(name: str, seats: int, rounds: int) -> list[dict[str, Any]]:
    """Measure the parts at one table, as whoever opens jails and on one core."""
    asked = questions(name, seats)
    parts = {**_referees(asked), "pipes: write, poll and read, both sides": _pipes(asked), **_bots(name, asked)}
    besides = _besides(name, asked)
    with ExitStack() as stack:
        bots = open_bots(stack, name, seats, stack.enter_context(Pool()))
        askers, clocks = [bot.ask for bot in bots], [cpu_clock(bot.pid) for bot in bots]

        def ask_all() -> None:
            for number, one in enumerate(asked):
                askers[one.seat](one.kind, one.wire, number)

        spent: dict[str, list[float]] = {}
        for _ in range(rounds):
            for part, run in {**parts, **besides}.items():
                spent.setdefault(part, []).append(_cpu_us(run, len(asked)))
            before = sum(map(time.clock_gettime, clocks))
            spent.setdefault("referee", []).append(_cpu_us(ask_all, len(asked)))
            spent.setdefault("bot", []).append(1e6 * (sum(map(time.clock_gettime, clocks)) - before) / len(asked))
    middle = {part: statistics.median(values) for part, values in spent.items()}
    return [asdict(Share(name, seats, part, value)) for part, value in _rows(middle, parts, besides).items()]


def _rows(middle: dict[str, float], parts: Iterable[str], besides: Iterable[str]) -> dict[str, float]:
    """Return the whole, its parts, what they leave, and what comes besides."""
    whole = middle["referee"] + middle["bot"]
    return {
        "a decision, referee and bot": whole,
        "of which the referee's process": middle["referee"],
        "of which the bot's process": middle["bot"],
        **{part: middle[part] for part in parts},
        "the rest: calls between these, filter, switching": whole - sum(middle[part] for part in parts),
        **{part: middle[part] for part in besides},
    }


def _cpu_us(run: Callable[[], None], count: int) -> float:
    began = time.process_time()
    run()
    return 1e6 * (time.process_time() - began) / count


def _referees(asked: list[Asked]) -> dict[str, Callable[[], None]]:
    meter = Meter(os.getpid(), ENDLESS, Banks.full(ENDLESS))
    reader = FrameReader(ENDLESS.answer_bytes)
    body = b"[[0,0],[1,0]]"
    frame = HEADER.pack(len(body), ANSWER, 7) + body

    def request() -> None:
        for number, one in enumerate(asked):
            encode_request("ask", number, (one.kind, one.wire, *CLOCK))

    def clocks() -> None:
        for _ in asked:
            meter.begin()
            meter.view_clock()
            meter.finish(0.5)
            meter.banks.cpu_left_s = meter.banks.wall_left_s = 1e6

    def answer() -> None:
        for _ in asked:
            reader.feed(frame)
            reader.next()
            decode_answer(body)

    return {"referee: request written": request, "referee: clocks read": clocks, "referee: answer parsed": answer}


def _pipes(asked: list[Asked]) -> Callable[[], None]:
    """Write, poll and read a question and an answer as large as real ones, with nobody to wait for."""
    frames = [encode_request("ask", 7, (one.kind, one.wire, *CLOCK)) for one in asked]
    answer = bytes(22)

    def pipes() -> None:
        out, into = os.pipe()
        poll = select.poll()
        poll.register(out, select.POLLIN)
        try:
            for frame in frames:
                os.write(into, frame)
                os.read(out, 65_536)
                os.write(into, answer)
                poll.poll(2)
                os.read(out, 65_536)
        finally:
            os.close(out)
            os.close(into)

    return pipes


def _bots(name: str, asked: list[Asked]) -> dict[str, Callable[[], None]]:
    bodies = [encode_request("ask", 7, (one.kind, one.wire, *CLOCK))[LENGTH.size :] for one in asked]
    harness = Harness(None)  # type: ignore[arg-type]
    harness.bot, harness.view = bot_of(ECHO_BOTS[name]), game_package(name).View
    harness.encode = harness.bot.encode

    def question() -> None:
        for body in bodies:
            marshal.loads(body)

    def answer() -> None:
        for one in asked:
            harness.ask(one.kind, one.wire, *CLOCK)

    return {"bot: question parsed": question, "bot: view made, bot called, answer written": answer}


def _besides(name: str, asked: list[Asked]) -> dict[str, Callable[[], None]]:
    game = game_named(name)

    def observe() -> None:
        for one in asked:
            _ = game.observe(one.state, one.seat).wire

    def check() -> None:
        for one in asked:
            game.check(one.state, one.seat, one.answer)

    return {"besides: engine's view": observe, "besides: engine's check of the answer": check}
