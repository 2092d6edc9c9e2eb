"""The check of one bot: intake, import in the jail, legal decisions in many positions, time.

The same for an author's `gangland check` and for the trial of an upload.  The bot plays in a
jail against opponents that choose at random among all legal answers, so it meets positions
that sensible play does not show; its own answers go through the referee's own check.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from gangland.bot import GameEnd
from gangland.chance import SeededChance
from gangland.faults import BotFault, FaultKind, IllegalDecision
from gangland.game import Decision, Game, Question
from gangland.games import game_named
from gangland_ladder.catalogue import problem_of, rejection
from gangland_ladder.orders import CheckReport, Problem
from gangland_ladder.seeds import block_seed, local_secret, rng_seed
from gangland_sandbox.asking import BotProcess
from gangland_sandbox.errors import UploadRejected
from gangland_sandbox.intake import main_of
from gangland_sandbox.jail import Mode
from gangland_sandbox.limits import Limits
from gangland_sandbox.pool import Pool

GAMES = 12
"""In one jail, over all table sizes: what a match of 12 blocks plays in one."""
_SECRET = local_secret(0)

OnStage = Callable[[str], None]


def check_bot(
    source: bytes,
    filename: str,
    game: str,
    *,
    limits: Limits,
    options: Mapping[str, object] | None = None,
    table_sizes: Sequence[int] | None = None,
    pool: Pool | None = None,
    mode: Mode = Mode.JAIL,
    on_stage: OnStage | None = None,
    tick: Callable[[], None] | None = None,
) -> CheckReport:
    """Check a bot and return all that was found; the first problem ends the check.

    Args:
        options: of the games that it plays; the defaults if None.
        pool: where the bot's process comes from; if None, a jail of its own in this mode.
        table_sizes: at which it plays; all of the game's if None.
        on_stage: called with "imported", "legal" and "timed" as each is passed.

    Raises:
        SandboxError: the jail failed, which says nothing of the bot.
        ValueError: the game does not have these options.
    """
    check = _Check(game_named(game), filename, limits, pool, mode, on_stage or (lambda _: None), tick)
    check.options = check.game.options(options or {})
    check.table_sizes = table_sizes or check.game.table_sizes
    try:
        check.run(source)
    except UploadRejected as refused:
        check.problems.append(rejection(refused))
    except BotFault as fault:
        check.problems.append(problem_of(fault, filename))
    return check.report()


class _Check:
    def __init__(
        self,
        game: Game[Any],
        filename: str,
        limits: Limits,
        pool: Pool | None,
        mode: Mode,
        on_stage: OnStage,
        tick: Callable[[], None] | None,
    ) -> None:
        self.game = game
        self.options: Any = game.options({})
        self.table_sizes: Sequence[int] = game.table_sizes
        self.filename = filename
        self.limits = limits
        self.pool = pool
        self.mode = mode
        self.tick = tick
        self.announce = on_stage
        self.problems: list[Problem] = []
        self.stages: list[str] = []
        self.bot = ""
        self.import_s = 0.0
        self.slowest_s = 0.0
        self.decisions = 0

    def run(self, source: bytes) -> None:
        process = BotProcess.open(
            source,
            filename=self.filename,
            game=self.game.name,
            limits=self.limits,
            pool=self.pool,
            mode=self.mode,
            tick=self.tick,
        )
        try:
            self.bot = process.name
            self.import_s = process.import_s
            self._passed("imported")
            for seats in self.table_sizes:
                for number in range(GAMES // len(self.table_sizes)):
                    self._play(process, seats, number)
            self._passed("legal")
            self._passed("timed")  # the banks held over as many games as a match has in one jail
        finally:
            process.close()

    def _passed(self, stage: str) -> None:
        self.stages.append(stage)
        self.announce(stage)

    def _play(self, process: BotProcess, seats: int, number: int) -> None:
        seat = number % seats
        seed = block_seed(_SECRET, b"check", seats, number)
        game, chance, chooser = self.game, SeededChance(seed), Random(seed)
        chosen = game.options_dict(self.options)
        process.start_game(seat=seat, seats=seats, options=chosen, rng_seed=rng_seed(seed, 0, 0, seat))
        state, _ = game.start(seats, self.options, chance)
        while (outcome := game.outcome(state)) is None:
            decisions: dict[int, Decision] = {}
            for question in game.pending(state):
                if question.seat == seat:
                    decisions[seat] = self._ask(process, state, question)
                else:
                    decisions[question.seat] = chooser.choice(game.choices(state, question.seat))
            state, _ = game.resolve(state, decisions, chance)
        process.end_game(GameEnd(outcome.places, (), outcome.reason.value))

    def _ask(self, process: BotProcess, state: Any, question: Question) -> Decision:
        seat, kind = question.seat, question.kind
        before_s = process.cpu_s
        answer = process.ask(kind, self.game.observe(state, seat).wire, self.decisions)
        self.slowest_s = max(self.slowest_s, process.cpu_s - before_s)
        self.decisions += 1
        try:
            return self.game.check(state, seat, answer)
        except IllegalDecision as refused:
            line = process.method_line(kind)
            where = f"{main_of(self.filename)}:{line} " if line is not None else ""
            raise BotFault(FaultKind.ILLEGAL, f"{where}choose_{kind}(): {refused}") from refused

    def report(self) -> CheckReport:
        return CheckReport(
            bot=self.bot,
            stages=self.stages,
            problems=self.problems,
            import_s=round(self.import_s, 6),
            slowest_s=round(self.slowest_s, 6),
            decisions=self.decisions,
        )
