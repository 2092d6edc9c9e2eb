"""The check of one bot: intake, import in the jail, legal decisions in many positions, and time."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import msgspec
from msgspec import Struct

from gangland.faults import BotFault
from gangland.games import game_named
from gangland_ladder.checking import examination
from gangland_ladder.checking.problems import allowed_answers, answer_text, problem_in, problem_of_fault, rename_advice
from gangland_ladder.common.texts import view_fields
from gangland_ladder.documents.bots import ShownView
from gangland_ladder.errors import rejection
from gangland_ladder.matches.match_jobs import CheckReport, FailingView, MethodTimes, Problem, to_message
from gangland_sandbox import asking, errors
from gangland_sandbox.jail import Mode
from gangland_sandbox.limits import Limits
from gangland_sandbox.pool import Pool

# The check.
#
# `gangland check` and the trial of an upload run the same check. The opponents choose at random among all legal
# answers, so the bot gets into positions that sensible play does not reach. The referee's code checks its answers.

MISSING_METHOD = "E228"
OnStage = Callable[[str], None]


def check_bot(
    source: bytes,
    filename: str,
    game: str,
    *,
    limits: Limits,
    salt: bytes,  # determines all dice and views; the bot must not know it in advance
    table_sizes: Sequence[int] | None = None,
    pool: Pool | None = None,
    mode: Mode = Mode.JAIL,
    on_stage: OnStage | None = None,
    tick: Callable[[], None] | None = None,
    time_limit_s: float | None = None,  # time limit after the import; when it is reached, no further stage is passed
) -> CheckReport:
    """Check a bot. Raises SandboxError: the jail failed, so there is no result."""
    rules = game_named(game)
    sizes = table_sizes or rules.table_sizes
    bench = examination.Bench(source, filename, rules, limits, rules.options({}), sizes, salt, pool, mode, tick)
    check = Check(bench, on_stage, time_limit_s)
    check.run()
    return check.report()


class _TimeLimitReached(Exception):  # not an error
    """The check reached its time limit."""


class Check:
    """One check of a bot."""

    def __init__(
        self, bench: examination.Bench, on_stage: OnStage | None = None, time_limit_s: float | None = None
    ) -> None:
        self.bench = bench
        self.views: list[examination.CheckedView] = []
        self.problems: dict[tuple[str, str], Problem] = {}
        self.failing: list[FailingView] = []
        self.stages: list[str] = []
        self.bot = ""
        self.import_s = 0.0
        self.lines: dict[str, int] = {}
        self._processes = Processes(bench.opener())
        self.share = 0.0  # the largest share of its time banks that one process used
        self.examination = examination.Examination(bench, self._processes, self._on_view, self._on_fault)
        self._announce = on_stage or (lambda _: None)
        self._time_limit_s = time_limit_s
        self._ends_at = float("inf")

    def run(self) -> None:
        """Load the bot and play all games with it. Raises SandboxError: the jail failed."""
        try:
            first = self.examination.open_process()
            self.bot, self.import_s, self.lines = first.name, first.import_s, first.method_lines
            self._pass_stage("imported")
            if self._time_limit_s is not None:
                self._ends_at = time.monotonic() + self._time_limit_s
            self.examination.run(examination.plan_of(self.bench.table_sizes), first)
            if not self.problems:
                self._pass_stage("legal")
                if self._processes.share(self.bench.limits) > SAFE_SHARE:
                    self.share, problems = play_match_games(self.bench, self._check_time_limit)
                    for problem in problems:
                        self._add_problem(problem)
        except errors.UploadRejected as error:
            self._add_problem(rejection(error, self.bench.filename))
        except BotFault as fault:
            self._add_fault(fault)
        except _TimeLimitReached:
            return
        finally:
            self.share = max(self.share, self._processes.share(self.bench.limits))
        if not self.problems:
            self._pass_stage("timed")  # the banks are large enough for the games that one jail plays in a match

    def report(self) -> CheckReport:
        """Return the report."""
        return CheckReport(
            bot=self.bot,
            stages=self.stages,
            problems=list(self.problems.values()),
            import_s=round(self.import_s, 6),
            slowest_s=round(max((checked.cpu_s for checked in self.views), default=0.0), 6),
            decisions=len(self.views),
            methods=self._times(),
            bank_share=round(self.share, 6),
            failing=self.failing,
        )

    def _on_view(self, checked: examination.CheckedView) -> None:
        self.views.append(checked)
        if (problem := problem_in(checked, self.bench.filename, self.bench.game)) is not None:
            known = len(self.problems)
            self._add_problem(problem)
            if len(self.problems) > known:
                self.failing.append(self._failing_view(checked))
        else:
            checked.state = None  # saves memory: there are hundreds of views
        self._check_time_limit()

    def _failing_view(self, checked: examination.CheckedView) -> FailingView:
        game = self.bench.game
        fields = view_fields(game.observe(checked.state, checked.seat))
        return FailingView(
            checked.number,
            checked.seat,
            checked.planned.seats,
            game.round(checked.state),
            [(name, to_message(text)) for name, text in fields],
        )

    def _on_fault(self, fault: BotFault) -> None:
        self._add_fault(fault)
        self._check_time_limit()

    def _check_time_limit(self) -> None:
        if time.monotonic() > self._ends_at:
            raise _TimeLimitReached

    def _add_fault(self, fault: BotFault) -> None:
        self._add_problem(problem_of_fault(fault, self.bench.filename, self.bench.game))

    def _add_problem(self, problem: Problem) -> None:
        if problem.code == MISSING_METHOD and (advice := rename_advice(problem.message, self.bench.main_source())):
            problem = msgspec.structs.replace(problem, message=problem.message + advice[0], line=advice[1])
        key = (problem.code, problem.method)
        first = self.problems.get(key)
        self.problems[key] = problem if first is None else msgspec.structs.replace(first, times=first.times + 1)

    def _pass_stage(self, stage: str) -> None:
        self.stages.append(stage)
        self._announce(stage)

    def _times(self) -> list[MethodTimes]:
        kinds = Counter(checked.kind for checked in self.views)
        methods = []
        for kind, views in kinds.items():
            times = sorted(checked.cpu_s for checked in self.views if checked.kind == kind)
            p50_s, p99_s = (times[min(views - 1, int(share * views))] for share in (0.5, 0.99))
            methods.append(MethodTimes(kind, views, round(p50_s, 6), round(p99_s, 6), round(times[-1], 6)))
        return methods


# Time in a match: at one table size, the number of games that one process plays in a match, with its time banks.
#
# The other games of the check reach unusual positions and may end early. In these games, the opponents always play the
# default decision, so the games are at least as long as on the ladders.

SAFE_SHARE = 0.2  # If a check's games use at most this share of the banks, even longer games cannot empty them.
MAX_SHARE = 0.8  # Maximum share of the banks that these games may use; ladder games were up to a quarter longer.
EMPTY_BANK = "E231"


@dataclass(slots=True)
class Processes:
    """Starts a bot's processes, and adds up the time used by all of them."""

    open_process: Callable[[], asking.BotProcess]
    started: list[asking.BotProcess] = field(default_factory=list)

    def __call__(self) -> examination.CheckedBot:
        """Start a new process of the bot."""
        self.started.append(self.open_process())
        return self.started[-1]

    def fuller_bank(self, limits: Limits) -> tuple[float, float, str]:
        """Return (seconds used, seconds of the bank, its name) for the time bank that is closer to its limit."""
        cpu = (sum(process.cpu_s for process in self.started), limits.bank_cpu_s, "CPU time")
        wall = (sum(process.wall_s for process in self.started), limits.bank_wall_s, "wall time")
        return max(cpu, wall, key=lambda bank: bank[0] / bank[1])

    def share(self, limits: Limits) -> float:
        """Return the used share of the bank that is closer to its limit."""
        used_s, bank_s, _ = self.fuller_bank(limits)
        return used_s / bank_s


def play_match_games(bench: examination.Bench, on_view: Callable[[], None]) -> tuple[float, list[Problem]]:
    """Play a match's games at each table size, up to the first problem.

    Return the largest used share of the banks, and the problem, if any.
    """
    largest, problems = 0.0, list[Problem]()

    def record_view(checked: examination.CheckedView) -> None:
        problem = problem_in(checked, bench.filename, bench.game)
        if problem is not None:
            problems.append(_with_place(problem, checked.planned))
        on_view()

    def record_fault(fault: BotFault) -> None:
        problems.append(problem_of_fault(fault, bench.filename, bench.game))

    for seats in bench.table_sizes:
        processes = Processes(bench.opener())
        games = examination.Examination(bench, processes, record_view, record_fault, uses_defaults=True)
        games.run([examination.PlannedGame(seats, number) for number in range(examination.GAMES)])
        share = processes.share(bench.limits)
        largest = max(largest, share)
        if not problems and share > MAX_SHARE:
            problems.append(_empty_bank_problem(processes, seats, bench.limits))
        if problems:
            break
    return largest, problems[:1]


# The problem has no view number, because `--view` shows the other games of the check.
def _with_place(problem: Problem, planned: examination.PlannedGame) -> Problem:
    place = f"It was in game {planned.number + 1} of {examination.GAMES} in a row at {planned.seats} seats."
    head, _, rest = problem.message.partition("\n")
    return msgspec.structs.replace(problem, view=None, message="\n".join(filter(None, (head, place, rest))))


def _empty_bank_problem(processes: Processes, seats: int, limits: Limits) -> Problem:
    used_s, bank_s, kind = processes.fuller_bank(limits)
    used = f"{examination.GAMES} games at {seats} seats used {used_s:.1f} s"
    text = f"{used} of the {bank_s:g} s of {kind} of one process"
    return Problem(EMPTY_BANK, f"{text}\nLadder games can be a quarter longer, and an empty bank is a fault.")


# Showing one view of a check, with the bot's answer and the legal answers.


class NumberedView(Struct, frozen=True):
    """One view of a check with its number; `problem` describes the answer, or is None if the answer is legal."""

    number: int
    view: ShownView
    problem: Problem | None


class NoSuchView(Struct, frozen=True):
    """The check has no view with this number, or the bot cannot be loaded."""

    views: int
    problem: Problem | None = None


def view_at(bench: examination.Bench, number: int) -> NumberedView | NoSuchView:
    """Run the check up to the view with this number and return it. Raises SandboxError: the jail failed."""
    games = examination.Examination(bench, bench.opener(), examination.stop_at_view(number), lambda _: None)
    try:
        games.run(examination.plan_of(bench.table_sizes))
    except examination.ViewReached as reached:
        return _numbered_view(bench, reached.checked)
    except errors.UploadRejected as error:
        return NoSuchView(0, rejection(error, bench.filename))
    except BotFault as fault:
        return NoSuchView(games.views, problem_of_fault(fault, bench.filename, bench.game))
    return NoSuchView(games.views)


def _numbered_view(bench: examination.Bench, checked: examination.CheckedView) -> NumberedView:
    game = bench.game
    view = ShownView(
        seat=checked.seat,
        seats=checked.planned.seats,
        round=game.round(checked.state),
        method=f"choose_{checked.kind}",
        line=checked.line,
        fields=dict(view_fields(game.observe(checked.state, checked.seat))),
        returned="" if checked.fault is not None else answer_text(checked.answer),
        legal=allowed_answers(game, checked),
    )
    return NumberedView(checked.number, view, problem_in(checked, bench.filename, game))
