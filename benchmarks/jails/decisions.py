"""What one decision takes: over a bare pipe, asked without and in a jail, and in whole matches."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from typing import Any, Final

from benchmarks.jails.asked import ECHO_BOTS, QUICK_BOTS, Asked, bot_of, questions
from benchmarks.jails.peers import BarePool, Echo
from benchmarks.playing import seed
from gangland.games import game_named
from gangland.match import play
from gangland.view import View
from gangland_ladder.local.bots import LocalBot
from gangland_ladder.local.orders import local_order
from gangland_ladder.matches.referee import play_match
from gangland_sandbox.asking import BotProcess
from gangland_sandbox.clock import cpu_clock
from gangland_sandbox.limits import Limits
from gangland_sandbox.pool import Pool

RAW: Final = "bare pipe, msgspec on both ends"
BARE: Final = "asked, no jail"
JAILED: Final = "asked, jail"
CHECKED: Final = "asked, jail, answer checked"
ENGINE: Final = "game, bots in process"
BARE_MATCH: Final = "match, no jail"
JAILED_MATCH: Final = "match, jail"

BASES: Final = {JAILED: BARE, CHECKED: BARE, JAILED_MATCH: BARE_MATCH}
BLOCKS: Final = 12
ENDLESS: Final = Limits(bank_cpu_s=1e6, bank_wall_s=1e6)


@dataclass(frozen=True)
class LoopFigures:
    """One way to get a decision; the ratios are of CPU time, medians over the rounds.

    Attributes:
        wall_us: microseconds a decision that the referee waits and works.
        cpu_us: microseconds of CPU a decision, of referee and bots together.
        of_raw: how many times as long as over the bare pipe.
        of_unjailed: how many times as long as the same without a jail; None where there is no such.
    """

    game: str
    seats: int
    loop: str
    wall_us: float
    cpu_us: float
    of_raw: float
    of_unjailed: float | None


Taken = tuple[float, float]
"""Wall and CPU seconds a decision."""
Loop = Callable[[], Taken]


class InProcess:
    """A player of the engine's loop whose bot is called directly."""

    def __init__(self, bot: Any) -> None:
        self.bot = bot

    def decide(self, kind: str, view: View, number: int) -> object:
        """Answer as the harness would."""
        return self.bot.encode(kind, getattr(self.bot, f"choose_{kind}")(view))


def measure(name: str, seats: int, rounds: int) -> list[dict[str, Any]]:
    """Measure all loops in turn, several times over, as whoever opens jails and on one core."""
    taken: dict[str, list[Taken]] = {}
    with _loops(name, seats) as loops:
        for loop in loops.values():
            loop()  # the first round is for caches and the first processes
        for _ in range(rounds):
            for way, loop in loops.items():
                taken.setdefault(way, []).append(loop())
    return [asdict(_figures(name, seats, way, taken)) for way in taken]


@contextmanager
def _loops(name: str, seats: int) -> Iterator[dict[str, Loop]]:
    asked = questions(name, seats)
    with ExitStack() as stack:
        unjailed, jailed = stack.enter_context(BarePool()), stack.enter_context(Pool())
        echoes = [Echo(json.loads(b"[[0,0],[1,0]]")) for _ in range(seats)]
        for echo in echoes:
            stack.callback(echo.close)
        bare_bots, jailed_bots = open_bots(stack, name, seats, unjailed), open_bots(stack, name, seats, jailed)
        yield {
            RAW: lambda: _raw(echoes, asked),
            BARE: lambda: _asked(bare_bots, asked),
            JAILED: lambda: _asked(jailed_bots, asked),
            CHECKED: lambda: _asked(jailed_bots, asked, checks=game_named(name).check),
            ENGINE: lambda: _in_process(name, seats),
            BARE_MATCH: lambda: _match(name, seats, unjailed),
            JAILED_MATCH: lambda: _match(name, seats, jailed),
        }


def open_bots(stack: ExitStack, name: str, seats: int, pool: Pool) -> list[BotProcess]:
    """Open a bot for each seat and begin a game with it; the stack closes them."""
    bots = []
    for seat in range(seats):
        bot = BotProcess.open(ECHO_BOTS[name], filename="echo.py", game=name, limits=ENDLESS, pool=pool)
        stack.callback(bot.close)
        bot.start_game(seat=seat, seats=seats, options={}, rng_seed=bytes(32))
        bots.append(bot)
    return bots


def _raw(echoes: Sequence[Echo], asked: Sequence[Asked]) -> Taken:
    askers = [echo.asker() for echo in echoes]
    with _Timed([echo.pid for echo in echoes]) as timed:
        for one in asked:
            askers[one.seat]((one.kind, one.wire))
    return timed.each(len(asked))


def _asked(bots: Sequence[BotProcess], asked: Sequence[Asked], checks: Callable[..., Any] | None = None) -> Taken:
    askers = [bot.ask for bot in bots]
    with _Timed([bot.pid for bot in bots]) as timed:
        if checks is None:
            for number, one in enumerate(asked):
                askers[one.seat](one.kind, one.wire, number)
        else:
            for number, one in enumerate(asked):
                askers[one.seat](one.kind, one.wire, number)
                checks(one.state, one.seat, one.answer)
    return timed.each(len(asked))


def _in_process(name: str, seats: int) -> Taken:
    game, decisions = game_named(name), 0
    players = [InProcess(bot_of(QUICK_BOTS[name])) for _ in range(seats)]
    with _Timed([]) as timed:
        for number in range(BLOCKS * seats):
            decisions += len(play(game, players, seed(number)).replay.decisions)
    return timed.each(decisions)


def _match(name: str, seats: int, pool: Pool) -> Taken:
    bots = [LocalBot(f"quick_{seat}", f"quick_{seat}.py", QUICK_BOTS[name]) for seat in range(seats)]
    order = local_order(name, bots, range(seats), seed=7, salt=b"", number=1, blocks=BLOCKS)
    with _Timed([]) as timed:
        result = play_match(order, {bot.code: bot.source for bot in bots}, pool=pool)
    timed.cpu_s += sum(result.cpu_s)
    return timed.each(sum(len(json.loads(game.replay)["decisions"]) for game in result.games))


class _Timed:
    """Wall time, and the CPU time of this process and others."""

    def __init__(self, pids: Sequence[int]) -> None:
        self._clocks = [time.CLOCK_PROCESS_CPUTIME_ID, *map(cpu_clock, pids)]
        self.wall_s = self.cpu_s = 0.0

    def __enter__(self) -> _Timed:
        self.cpu_s = -sum(map(time.clock_gettime, self._clocks))
        self.wall_s = -time.perf_counter()
        return self

    def __exit__(self, *failure: object) -> None:
        self.wall_s += time.perf_counter()
        self.cpu_s += sum(map(time.clock_gettime, self._clocks))

    def each(self, count: int) -> Taken:
        return self.wall_s / count, self.cpu_s / count


def _figures(name: str, seats: int, way: str, taken: dict[str, list[Taken]]) -> LoopFigures:
    base = BASES.get(way)
    return LoopFigures(
        game=name,
        seats=seats,
        loop=way,
        wall_us=1e6 * statistics.median([wall for wall, _ in taken[way]]),
        cpu_us=1e6 * statistics.median([cpu for _, cpu in taken[way]]),
        of_raw=_ratio(taken[way], taken[RAW]),
        of_unjailed=None if base is None else _ratio(taken[way], taken[base]),
    )


def _ratio(own: Sequence[Taken], base: Sequence[Taken]) -> float:
    return statistics.median([one[1] / other[1] for one, other in zip(own, base, strict=True)])
