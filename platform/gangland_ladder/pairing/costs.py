"""The expected cost of a round robin, from the measured CPU time of house bots."""

from dataclasses import dataclass
from math import ceil
from typing import Final

from gangland_ladder.analysis.games import measurements_of
from gangland_ladder.common.texts import counted
from gangland_sandbox.limits import Limits

# The machine is described in benchmarks/results/speed.md. Other bots may use far more time: `max_s` is the limit.

HOUR_S: Final = 3600.0


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a set of tables, if each worker plays one match at a time on its own core."""

    tables: int
    matches: int
    games: int
    core_s: float  # expected CPU seconds of the workers for all matches
    record_s: float  # CPU seconds of the record worker, which is one process
    match_at_most_s: float  # the longest duration of one match: each bot uses all its time

    @property
    def core_hours(self) -> float:
        """CPU hours of the workers and the record worker together."""
        return (self.core_s + self.record_s) / HOUR_S

    def expected_s(self, workers: int) -> float:
        """Return the expected seconds if this number of workers shares the matches. Raises ValueError: no worker."""
        return max(self._matches_per_worker(workers) * self.core_s / max(1, self.matches), self.record_s)

    def max_s(self, workers: int) -> float:
        """Return the longest duration in seconds: all bots use all their time, but no match is replayed."""
        return self._matches_per_worker(workers) * self.match_at_most_s

    def duration_text(self, workers: int) -> str:
        """Return the expected time as text."""
        return _span(self.expected_s(workers))

    def text(self, workers: int) -> str:
        """Return the cost as one line of text."""
        return (
            f"{counted(self.tables, 'table', ',')}, {counted(self.matches, 'match', ',')},"
            f" {counted(self.games, 'game', ',')}: about"
            f" {_span(self.core_s + self.record_s)} of CPU, {self.duration_text(workers)} with"
            f" {counted(workers, 'worker', ',')}; at most {_span(self.max_s(workers))} if bots use all their time"
        )

    def _matches_per_worker(self, workers: int) -> int:
        if workers < 1:
            raise ValueError(f"expected at least one worker, not {workers!r}")
        return ceil(self.matches / workers)


def cost(game: str, seats: int, tables: int, *, limits: Limits, blocks: int) -> Cost:
    """Return the cost of a number of tables with one match each. Raises ValueError: invalid number or table size."""
    if tables < 0 or blocks < 1:
        raise ValueError(f"expected at least 0 tables and 1 block per match, not {tables} and {blocks}")
    table = measurements_of(game, seats)
    if table is None:
        raise ValueError(f"{game!r} is not played with {seats} seats")
    games = tables * blocks * seats
    return Cost(
        tables=tables,
        matches=tables,
        games=games,
        core_s=tables * table.match_s + games * table.game_s,
        record_s=games * table.record_s,
        match_at_most_s=limits.match_wall_s(seats),
    )


def _span(seconds: float) -> str:
    for size, unit in ((24 * HOUR_S, "day"), (HOUR_S, "hour"), (60.0, "minute")):
        if seconds >= 2 * size:
            return counted(seconds / size, unit, ".1f")
    return counted(seconds, "second", ".0f")
