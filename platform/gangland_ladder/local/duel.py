"""Play a duel until it is decided, for both the command line and the Python API."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain

from gangland_ladder.common.runtime import delayed_interrupt
from gangland_ladder.local.matches import LocalRun, MatchSummary, Void, first_results, play_all
from gangland_ladder.matches.match_jobs import MatchJob
from gangland_ladder.rating.duel_scores import DuelBlock, duel_blocks, match_lengths, sittings
from gangland_ladder.rating.duels import DuelTest, DuelVerdict, Hypotheses
from gangland_sandbox.errors import SandboxError

DUEL_BLOCKS = 10_000  # Default number of blocks before a duel ends undecided.


class LocalDuel:
    """The state of a duel. Its run has the new bot, then the old one; above two seats, copies of them play as well."""

    def __init__(self, run: LocalRun, hypotheses: Hypotheses, max_blocks: int) -> None:
        self.run = run
        self.max_blocks = max_blocks
        self.test = DuelTest(hypotheses)
        self.blocks: list[DuelBlock] = []
        self.games = 0
        self.faults: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        self.sittings = sittings(run.seats)

    @property
    def verdict(self) -> DuelVerdict:
        """The current verdict."""
        verdict = self.test.verdict
        return DuelVerdict.UNDECIDED if verdict is DuelVerdict.OPEN and self.test.blocks >= self.max_blocks else verdict

    def play(
        self,
        on_begin: Callable[[], None],
        on_progress: Callable[[], None],
        workers: int | None = None,
        on_poll: Callable[[int], None] | None = None,
    ) -> None:
        """Play until the duel is decided or reaches its limit. Raises SandboxError: a match is void in all attempts."""
        units, first_jobs = self._units(), None
        for jobs in units:
            stored = first_results(jobs, self.run.store)
            if len(stored) < len(jobs):
                first_jobs = jobs
                break
            self._add(stored)
            if self.verdict is not DuelVerdict.OPEN:
                return
        if first_jobs is None:
            return
        on_begin()
        job_stream = chain(first_jobs, chain.from_iterable(units))
        with self.run.tables(workers) as tables:
            unit: list[MatchSummary] = []
            before = self.games

            def report_games() -> None:
                if on_poll is not None:
                    on_poll(max(self.games, before + tables.games))

            for job, summary in play_all(job_stream, self.run.sources, self.run.store, tables, on_poll=report_games):
                if isinstance(summary, Void):
                    raise SandboxError(f"match {job.id} was void every time: {summary.reason}")
                unit.append(summary)
                if len(unit) == len(self.sittings):
                    self._add(unit)
                    unit = []
                    on_progress()
                    if self.verdict is not DuelVerdict.OPEN:
                        return

    def _units(self) -> Iterator[list[MatchJob]]:
        for number, length in enumerate(match_lengths(self.max_blocks), 1):
            yield [self.run.job(sides, number=number, blocks=length) for sides in self.sittings]

    @delayed_interrupt()
    def _add(self, matches: list[MatchSummary]) -> None:
        blocks = duel_blocks(self.run.seats, [summary.block_places() for summary in matches])
        self.blocks += blocks
        self.test.add(block.score for block in blocks)
        for sides, summary in zip(self.sittings, matches, strict=True):
            self.games += summary.entries[0].games
            for side, entry in zip(sides, summary.entries, strict=True):
                self.faults[side].update(entry.faults)
