"""Tables with human players for tests: bots in this process, and rows that answer any question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from tests.contract.run import Passing, Run

from gangland import bot, faults
from gangland.game import Decision
from gangland.view import View
from gangland_ladder.matches import players, seeds
from gangland_ladder.playing.hosting import HostedTable
from gangland_ladder.playing.table_state import LiveTable, Row, Setup, TableSeat

SECRET = seeds.local_secret(0, b"")


def setup_of(
    game: str, seats: int, persons: Sequence[int] = (0,), number: int = 0, options: Mapping[str, object] | None = None
) -> Setup:
    return Setup(
        game=game,
        options=dict(options or {}),
        seed=seeds.block_seed(SECRET, b"", number, 0).hex(),
        rng_key=seeds.rng_key(SECRET, number).hex(),
        seats=tuple(TableSeat(f"seat{seat}", None if seat in persons else f"{seat:064d}") for seat in range(seats)),
    )


class AsIn(Passing):
    def __init__(self, run: Run) -> None:
        super().__init__(run.chance)
        self.shuffles = run.chance.shuffles

    def shuffle(self, purpose: str, number: int, cards: Sequence[int]) -> tuple[int, ...]:
        return self.shuffles[purpose, number]


class AtRandom(players.MatchPlayer):
    """A bot in this process with random legal answers; `asked` are all decision numbers, by game."""

    def __init__(self, fails: Callable[[AtRandom, int], object] | None = None) -> None:
        super().__init__()
        self.fails = fails
        self.asked: list[list[int]] = []
        self.ends: list[bot.GameEnd] = []
        self.forfeits: list[faults.Fault] = []
        self.closed = 0

    def begin_game(
        self, seat: int, seats: int, options: Mapping[str, object], seed: bytes, on_view: players.OnView | None
    ) -> faults.BotFault | None:
        self.rng = Random(seed)
        self.asked.append([])
        return None

    def decide(self, kind: str, view: View, number: int) -> object:
        self.asked[-1].append(number)
        answer = any_legal(view, self.rng)
        other = None if self.fails is None else self.fails(self, len(self.asked[-1]))
        return answer if other is None else other

    def end_game(self, result: bot.GameEnd) -> faults.BotFault | None:
        self.ends.append(result)
        return None

    def record_forfeit(self, fault: faults.Fault) -> None:
        self.forfeits.append(fault)

    def end_rotation(self) -> None:
        self.closed += 1


def crash(_bot: AtRandom, _number: int) -> object:
    raise faults.BotFault(faults.FaultKind.CRASHED, "it broke\x1b[2J")


def any_legal(view: View, rng: Random) -> Decision:
    legal = view.legal()
    decision: Decision = legal[min(int(rng.expovariate(0.2)), len(legal) - 1)]
    return decision


def host(setup: Setup, rows: Sequence[Row] = (), **bots: players.MatchPlayer) -> HostedTable:
    """Return a table with these bots, by "seat1" and so on, and with random bots in the other seats."""
    return HostedTable(setup, {seat: bots.get(f"seat{seat}") or AtRandom() for seat in setup.bots}, rows)


def play_on(table: HostedTable, rng: Random, plies: int = 10_000) -> list[Row]:
    """Answer for all human players, for at most this number of plies; return the new rows."""
    rows = table.advance()
    for _ in range(plies):
        asked = next(iter(table.live_table.open_questions()), None)
        if asked is None:
            break
        answer = any_legal(table.live_table.view(asked.seat), rng)
        rows += table.answer(asked.seat, asked.number, answer)
    return rows


def shown(live_table: LiveTable, seat: int) -> tuple[object, ...]:
    steps = [(step.lines, step.scene) for step in live_table.steps(seat)]
    return (live_table.scene(seat), live_table.story(seat), live_table.question(seat), steps)
