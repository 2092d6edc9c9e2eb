"""Whether a bot's time lasts through a match: as many games at one table size as one process plays, on its banks.

The games of the check proper meet strange positions, and can be over early.  Here the others play the default
decision throughout, so that games are as long as on the ladders or longer.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from gangland.faults import BotFault
from gangland_ladder.checking import words as check_words
from gangland_ladder.checking.bench import Bench
from gangland_ladder.checking.play import GAMES, Asking, CheckedView, Examination, Planned
from gangland_ladder.matches.match_orders import Problem
from gangland_sandbox.asking import BotProcess
from gangland_sandbox.limits import Limits

SURE = 0.2
"""Whoever uses no more of its banks in the games of a check cannot empty them in longer ones."""
SAFE = 0.8
"""The share of the banks that these games may use: those on the ladders were up to a quarter longer."""
RUNS_OUT = "E231"


class Kept:
    """Starts a bot and remembers what its processes drew from their banks."""

    def __init__(self, opens: Callable[[], BotProcess]) -> None:
        """Start with a function that starts the bot."""
        self._opens = opens
        self._processes: list[BotProcess] = []

    def __call__(self) -> Asking:
        """Return a new process of the bot."""
        process = self._opens()
        self._processes.append(process)
        return process

    @property
    def cpu_s(self) -> float:
        """CPU seconds drawn so far."""
        return sum(process.cpu_s for process in self._processes)

    @property
    def wall_s(self) -> float:
        """Wall seconds drawn so far, waiting for a core left out."""
        return sum(process.wall_s for process in self._processes)

    def share(self, limits: Limits) -> float:
        """Return the share of the fuller bank of CPU or wall time that was drawn."""
        return max(self.cpu_s / limits.bank_cpu_s, self.wall_s / limits.bank_wall_s)


def lasts(bench: Bench, on_view: Callable[[], None]) -> tuple[float, list[Problem]]:
    """Play a match's games at each table size; return the largest share of the banks used and what was found.

    Args:
        on_view: called after each view; what it raises ends the games.

    Raises:
        SandboxError: the jail failed.
    """
    shares = [0.0]
    for seats in bench.table_sizes:
        share, found = _at(bench, seats, on_view)
        shares.append(share)
        if found:
            return max(shares), found
    return max(shares), []


def _at(bench: Bench, seats: int, on_view: Callable[[], None]) -> tuple[float, list[Problem]]:
    found: list[Problem] = []
    opens = Kept(bench.opener())

    def saw(checked: CheckedView) -> None:
        problem = check_words.wrong(checked, bench.filename, bench.game)
        if problem is not None:
            found.append(_in_a_row(problem, checked.planned))
        on_view()

    def failed(fault: BotFault) -> None:
        found.append(check_words.failed(fault, bench.filename, bench.game))

    playing = Examination(bench.game, bench.options, bench.salt, opens, saw, failed, steady=True)
    playing.run([Planned(seats, number) for number in range(GAMES)])
    share = opens.share(bench.limits)
    if not found and share > SAFE:
        found.append(_runs_out(opens, seats, bench.limits))
    return share, found[:1]


def _in_a_row(problem: Problem, planned: Planned) -> Problem:
    """Return a finding without a view's number, for `--view` shows those of the check's other games."""
    where = f"It was in game {planned.number + 1} of {GAMES} in a row at {planned.seats} seats."
    head, _, rest = problem.message.partition("\n")
    return msgspec.structs.replace(problem, view=None, message="\n".join(filter(None, (head, where, rest))))


def _runs_out(used: Kept, seats: int, limits: Limits) -> Problem:
    of_cpu = used.cpu_s / limits.bank_cpu_s >= used.wall_s / limits.bank_wall_s
    used_s, bank_s, what = (
        (used.cpu_s, limits.bank_cpu_s, "CPU time") if of_cpu else (used.wall_s, limits.bank_wall_s, "wall time")
    )
    text = f"{GAMES} games at {seats} seats used {used_s:.1f} s of the {bank_s:g} s of {what} that one process has"
    return Problem(RUNS_OUT, f"{text}\nOn the ladders games are up to a quarter longer; an empty bank is a fault.")
