"""The time of one decision: over a bare pipe, without a jail, in a jail, and in whole matches."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from statistics import median
from typing import Any, Final, NamedTuple

import msgspec

from benchmarks.harness import ratio, run_in_turn
from benchmarks.jails.bare import BarePool, Echo
from benchmarks.matches import BLOCKS, BotInProcess, bot_of, one_match
from benchmarks.ways import seed
from gangland.chance import SeededChance
from gangland.game import Decision, Game
from gangland.games import game_named
from gangland.match import play
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
ENDLESS: Final = Limits(bank_cpu_s=1e6, bank_wall_s=1e6)
KEPT: Final = 2000
"""The number of questions from real games, asked repeatedly."""

ECHO_BOTS: Final = {
    "gang-of-dice": b"""
from gangland import gang_of_dice

class Echo(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 1
    def choose_reroll(self, view):
        return ()
""",
    "gangster-dice": b"""
from gangland import gangster_dice

class Echo(gangster_dice.Bot):
    def choose_bids(self, view):
        return ((0, 0), (1, 0))
    def choose_exchange(self, view):
        return None
    def choose_stake(self, view):
        return 0
    choose_dump = choose_take = choose_stake
""",
}
"""Bots that do not read the view, so that only the request is measured; their answers are not checked."""
QUICK_BOTS: Final = {
    "gang-of-dice": b"""
from gangland import gang_of_dice

class Quick(gang_of_dice.Bot):
    def choose_dice(self, view):
        return min(3, view.pool)
    def choose_reroll(self, view):
        return []
""",
    "gangster-dice": b"""
from gangland import gangster_dice

class Quick(gangster_dice.Bot):
    def choose_bids(self, view):
        return list(zip(view.legal_tokens, view.hand))[: view.bids_required]
""",
}
"""Bots with legal answers that take almost no time."""

COLUMNS: Final = ("game", "seats", "way", "us/decision", "CPU us/decision", "x bare pipe", "x no jail")


class Loop(NamedTuple):
    """One way to get a decision; the ratios are of CPU time, medians over the rounds.

    Attributes:
        wall_us: wall time in microseconds per decision, from the referee's side.
        cpu_us: CPU time in microseconds per decision, of referee and bots together.
        of_raw: the ratio to the bare pipe.
        of_unjailed: the ratio to the same loop without a jail; None if there is no such loop.
    """

    game: str
    seats: int
    loop: str
    wall_us: float
    cpu_us: float
    of_raw: float
    of_unjailed: float | None


class Recorded(NamedTuple):
    """One question of a game: its seat, kind and position, and an answer to it in the form of the wire."""

    seat: int
    kind: str
    wire: object
    state: Any
    answer: object


Timing = tuple[float, float]
"""Wall and CPU seconds per decision."""


def measure(name: str, seats: int, rounds: int) -> list[Loop]:
    """Measure all loops in turn, several times, as the user that opens jails and on one core."""
    with _loops(name, seats) as loops:
        results = run_in_turn(loops, rounds)
    cpu = {way: [spent for _, spent in own] for way, own in results.items()}
    rows = []
    for way, own in results.items():
        times = 1e6 * median([wall for wall, _ in own]), 1e6 * median(cpu[way])
        unjailed = ratio(cpu[way], cpu[BASES[way]]) if way in BASES else None
        rows.append(Loop(name, seats, way, *times, ratio(cpu[way], cpu[RAW]), unjailed))
    return rows


def questions(name: str, seats: int) -> list[Recorded]:
    """Return the questions of games between quick bots."""
    game, bot = game_named(name), bot_of(QUICK_BOTS[name])
    recorded: list[Recorded] = []
    number = 0
    while len(recorded) < KEPT:
        recorded += _of_one_game(game, bot, seats, number)
        number += 1
    return recorded[:KEPT]


def _of_one_game(game: Game[Any], bot: Any, seats: int, number: int) -> list[Recorded]:
    questions = []
    chance = SeededChance(seed(number))
    state, _ = game.start(seats, game.options({}), chance)
    while pending := game.pending(state):
        answers: dict[int, Decision] = {}
        for question in pending:
            view = game.observe(state, question.seat)
            encoded = bot.encode(question.kind, getattr(bot, f"choose_{question.kind}")(view))
            answer = msgspec.json.decode(msgspec.json.encode(encoded))
            answers[question.seat] = game.check(state, question.seat, answer)
            questions.append(Recorded(question.seat, question.kind, view.wire, state, answer))
        state, _ = game.resolve(state, answers, chance)
    return questions


@contextmanager
def _loops(name: str, seats: int) -> Iterator[dict[str, Callable[[], Timing]]]:
    recorded = questions(name, seats)
    with ExitStack() as stack:
        unjailed, jailed = stack.enter_context(BarePool()), stack.enter_context(Pool())
        echoes = [Echo([[0, 0], [1, 0]]) for _ in range(seats)]
        for echo in echoes:
            stack.callback(echo.close)
        bare_bots, jailed_bots = _open_bots(stack, name, seats, unjailed), _open_bots(stack, name, seats, jailed)
        yield {
            RAW: lambda: _raw(echoes, recorded),
            BARE: lambda: _asking(bare_bots, recorded),
            JAILED: lambda: _asking(jailed_bots, recorded),
            CHECKED: lambda: _asking(jailed_bots, recorded, checks=game_named(name).check),
            ENGINE: lambda: _in_process(name, seats),
            BARE_MATCH: lambda: _match(name, seats, unjailed),
            JAILED_MATCH: lambda: _match(name, seats, jailed),
        }


def _open_bots(stack: ExitStack, name: str, seats: int, pool: Pool) -> list[BotProcess]:
    """Open a bot for each seat and begin a game with it; the stack closes them."""
    bots = []
    for seat in range(seats):
        bot = BotProcess.open(ECHO_BOTS[name], filename="echo.py", game=name, limits=ENDLESS, pool=pool)
        stack.callback(bot.close)
        bot.start_game(seat=seat, seats=seats, options={}, rng_seed=bytes(32))
        bots.append(bot)
    return bots


def _raw(echoes: Sequence[Echo], questions: Sequence[Recorded]) -> Timing:
    askers = [echo.asker() for echo in echoes]
    with _Timed([echo.pid for echo in echoes]) as timed:
        for one in questions:
            askers[one.seat]((one.kind, one.wire))
    return timed.each(len(questions))


def _asking(
    bots: Sequence[BotProcess], questions: Sequence[Recorded], checks: Callable[..., Any] | None = None
) -> Timing:
    askers = [bot.ask for bot in bots]
    with _Timed([bot.pid for bot in bots]) as timed:
        if checks is None:
            for number, one in enumerate(questions):
                askers[one.seat](one.kind, one.wire, number)
        else:
            for number, one in enumerate(questions):
                askers[one.seat](one.kind, one.wire, number)
                checks(one.state, one.seat, one.answer)
    return timed.each(len(questions))


def _in_process(name: str, seats: int) -> Timing:
    game, decisions = game_named(name), 0
    players = [BotInProcess(game, seat, QUICK_BOTS[name]) for seat in range(seats)]
    with _Timed([]) as timed:
        for number in range(BLOCKS * seats):
            decisions += len(play(game, players, seed(number)).replay.decisions)
    return timed.each(decisions)


def _match(name: str, seats: int, pool: Pool) -> Timing:
    job, codes = one_match(name, [QUICK_BOTS[name]] * seats)
    with _Timed([]) as timed:
        result = play_match(job, codes, pool=pool)
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

    def each(self, count: int) -> Timing:
        return self.wall_s / count, self.cpu_s / count
