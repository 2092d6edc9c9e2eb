"""The games of a check: one bot plays against opponents that choose at random."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any, NamedTuple, Protocol

from gangland.bot import GameEnd
from gangland.chance import SeededChance
from gangland.faults import BotFault, FaultKind, IllegalDecision
from gangland.game import Decision, Game, Question
from gangland_ladder.common.texts import strip_bom
from gangland_ladder.matches.seeds import block_seed, local_secret, rng_seed
from gangland_sandbox import asking, caps, clock, intake
from gangland_sandbox.jail import Mode
from gangland_sandbox.limits import Limits
from gangland_sandbox.pool import Pool

# The bench: a bot with its game and limits, and the way to start its processes.


@dataclass(frozen=True, slots=True)
class Bench:
    """A bot and the settings of its check; without a pool, new jails are created for the bot."""

    source: bytes
    filename: str
    game: Game[Any]
    limits: Limits
    options: Any
    table_sizes: Sequence[int]
    salt: bytes
    pool: Pool | None = None
    mode: Mode = Mode.JAIL
    tick: Callable[[], None] | None = None

    def main_source(self) -> str:
        """Return the text of the bot's main file. Raises UploadRejected: the source is not a valid bot."""
        bundle = intake.unpack(self.source, self.filename, caps.CAPS[self.limits.profile])
        return strip_bom(bundle.files[bundle.main]).decode()

    def opener(self) -> Callable[[], asking.BotProcess]:
        """Return a function that starts a process of the bot, with full time banks."""
        return partial(
            asking.BotProcess.open,
            self.source,
            filename=self.filename,
            game=self.game.name,
            limits=self.limits,
            pool=self.pool,
            mode=self.mode,
            tick=self.tick,
            banks=clock.Banks.full(self.limits),
        )


# The games. All random numbers come from the salt, including the bot's own. So the same bot, game, options and salt
# give the same views with the same numbers, both in the jail and in a debugger.

GAMES = 12  # Number of games in one process, over all table sizes: the same as in a match of 12 blocks.
RESTARTS = 2  # Number of times that a check restarts a bot after a fault, to find more than its first error.

# Faults after which the time bank for all games is empty, so the bot cannot continue.
EMPTY_BANK_FAULTS = frozenset({FaultKind.BANK_TIME, FaultKind.WALL_TIME})


class CheckedBot(Protocol):
    """A bot that answers questions: `gangland_sandbox.asking.BotProcess`, or a bot under a debugger."""

    name: str
    import_s: float

    def start_game(self, *, seat: int, seats: int, options: Mapping[str, object], rng_seed: bytes) -> None:
        """Begin a game."""

    def ask(self, kind: str, view_wire: Any, number: int) -> Any:
        """Return the answer to one question, as plain values."""

    def check_output(self) -> None:
        """Read the output so far."""

    def end_game(self, result: GameEnd) -> None:
        """Send the result of the game."""

    def method_line(self, kind: str) -> int | None:
        """Return the line of `choose_<kind>`."""

    @property
    def method_lines(self) -> dict[str, int]:
        """The lines of all `choose_<kind>` methods, including those that are never called."""

    def close(self) -> None:
        """Release all resources."""

    @property
    def cpu_s(self) -> float:
        """CPU seconds of all decisions so far."""

    @property
    def written_share(self) -> float:
        """The used share of the limits for output and log."""


class PlannedGame(NamedTuple):
    """One game of a check: its number of seats, and its number among the games with that table size."""

    seats: int
    number: int


@dataclass(slots=True)
class CheckedView:
    """One view of a check, and how the bot reacted."""

    number: int
    planned: PlannedGame
    turn: int  # the index among the bot's decisions in this game
    seat: int
    kind: str
    state: Any
    answer: Any = None  # the bot's answer as plain values; also None if there is a `fault` instead of an answer
    cpu_s: float = 0.0
    illegal_decision: IllegalDecision | None = None
    fault: BotFault | None = None
    line: int | None = None

    @property
    def outcome(self) -> tuple[object, ...]:
        """A value that is equal in two runs if the bot reacted to this view in the same way."""
        kind = None if self.fault is None else self.fault.kind
        return (self.kind, repr(self.answer), kind)


class ViewReached(Exception):
    """The requested view was reached."""

    def __init__(self, checked: CheckedView) -> None:
        super().__init__()
        self.checked = checked


def stop_at_view(number: int) -> Callable[[CheckedView], None]:
    """Return a callback for an examination that raises `ViewReached` at the view with this number."""

    def on_view(checked: CheckedView) -> None:
        if checked.number == number:
            raise ViewReached(checked)

    return on_view


def plan_of(table_sizes: Sequence[int]) -> list[PlannedGame]:
    """Return the games of a check, which go through the table sizes in turn."""
    return [PlannedGame(seats, number) for number in range(GAMES // len(table_sizes)) for seats in table_sizes]


@dataclass(slots=True)
class Examination:
    """Plays games with one bot, and reports each view and each fault."""

    bench: Bench
    open_process: Callable[[], CheckedBot]
    on_view: Callable[[CheckedView], None]
    on_fault: Callable[[BotFault], None]
    # if true, opponents play default decisions instead of random ones, and a bot is not restarted after a fault
    uses_defaults: bool = field(default=False, kw_only=True)
    views: int = field(default=0, init=False)
    written: float = field(default=0.0, init=False)  # largest used share of any process's limits for output and log
    _reported_fault: BotFault | None = field(default=None, init=False)

    def run(self, plan: Sequence[PlannedGame], first: CheckedBot | None = None) -> None:
        """Play the games, with a new process after each fault, unless the bot fails too often.

        Raises UploadRejected, BotFault: the bot cannot be loaded; SandboxError: the jail failed.
        """
        process, restarts_left = first, 0 if self.uses_defaults else RESTARTS
        try:
            for planned in plan:
                if process is None:
                    process = self.open_process()
                try:
                    self._play(process, planned)
                except BotFault as fault:
                    if fault is not self._reported_fault:
                        self.on_fault(fault)
                    self._close(process)
                    process, restarts_left = None, restarts_left - 1
                    if restarts_left < 0 or fault.kind in EMPTY_BANK_FAULTS:
                        return
        finally:
            if process is not None:
                self._close(process)

    def _close(self, process: CheckedBot) -> None:
        process.close()
        self.written = max(self.written, process.written_share)

    def _play(self, process: CheckedBot, planned: PlannedGame) -> None:
        seats, number = planned
        seat = number % seats
        seed = block_seed(local_secret(0, self.bench.salt), b"check", seats, number)
        game, chance, rng = self.bench.game, SeededChance(seed), Random(seed)
        process.start_game(
            seat=seat, seats=seats, options=game.options_dict(self.bench.options), rng_seed=rng_seed(seed, 0, 0, seat)
        )
        state, _ = game.start(seats, self.bench.options, chance)
        turn = 0
        while (outcome := game.outcome(state)) is None:
            decisions: dict[int, Decision] = {}
            for question in game.pending(state):
                if question.seat == seat:
                    decisions[seat] = self._ask(process, planned, turn, state, question)
                    turn += 1
                elif self.uses_defaults:
                    decisions[question.seat] = game.default(state, question.seat)
                else:
                    decisions[question.seat] = rng.choice(game.choices(state, question.seat))
            state, _ = game.resolve(state, decisions, chance)
        process.end_game(GameEnd(outcome.places, (), outcome.reason.value))

    def _ask(self, process: CheckedBot, planned: PlannedGame, turn: int, state: Any, question: Question) -> Decision:
        game, seat, kind = self.bench.game, question.seat, question.kind
        self.views += 1
        checked = CheckedView(self.views, planned, turn, seat, kind, state, line=process.method_line(kind))
        before_s = process.cpu_s
        try:
            checked.answer = process.ask(kind, game.observe(state, seat).wire, self.views - 1)
            checked.cpu_s = process.cpu_s - before_s
            process.check_output()
            decision = game.check(state, seat, checked.answer)
        except IllegalDecision as error:
            checked.illegal_decision = error
            decision = game.default(state, seat)
        except BotFault as fault:
            checked.fault = self._reported_fault = fault
            self.on_view(checked)
            raise
        self.on_view(checked)
        return decision
