"""Replay a match with the same bots, to check that they decide as recorded.

Bots whose code is available play in jails, in the recorded order, because they remember earlier games. The others
repeat their recorded decisions. The replay ends at the first difference. Then the match is replayed a second time, up
to the first difference in that replay: if the two replays end differently, a bot depends on more than its observations
and its `rng`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gangland.blocks import seating
from gangland.games import game_named
from gangland.replay import ReplayError, expand, load
from gangland_ladder.matches.first_difference import Difference, RecordedGame, StandIn, by_rotation, first_difference
from gangland_ladder.matches.match_jobs import GameRecord, MatchJob
from gangland_ladder.matches.players import JailedPlayer, MatchPlayer
from gangland_ladder.matches.referee import MatchTable
from gangland_sandbox.limits import Limits
from gangland_sandbox.pool import Pool


@dataclass(frozen=True, slots=True)
class Reproduction:
    """The result of a replayed match."""

    entries_with_code: tuple[int, ...]
    # games, decisions: numbers up to the first difference; only decisions of these entries count
    games: int
    decisions: int
    difference: Difference | None
    deterministic: bool | None = None  # whether both replays ended the same way; None if there was only one


def reproduce(
    job: MatchJob,
    games: Sequence[GameRecord],
    codes: Mapping[str, bytes],
    pool: Pool,
    on_game: Callable[[int, int], None] | None = None,
) -> Reproduction:
    """Replay a match, given all its games by block and rotation in the form that `judging.judge` accepts.

    Raises SandboxError: a jail failed, so nothing is proven; ValueError: the games do not belong to the job, a replay
    cannot be read, or none of the codes was played in the match.
    """
    entries = tuple(seat.entry for seat in job.seats if seat.code in codes)
    if not entries:
        raise ValueError("none of the given bots played in this match")
    recorded = _recorded_games(job, games)
    first = _Replayer(job, recorded, codes, pool, on_game)
    difference = first.run()
    if difference is None:
        return Reproduction(entries, first.games, first.decisions, None)
    repeated = _Replayer(job, recorded, codes, pool)
    repeated.run()
    return Reproduction(entries, first.games, first.decisions, difference, first.last == repeated.last)


def _recorded_games(job: MatchJob, games: Sequence[GameRecord]) -> dict[tuple[int, int], RecordedGame]:
    seats = len(job.seats)
    expected = {(block, rotation) for block in range(len(job.blocks)) for rotation in range(seats)}
    try:
        recorded = by_rotation(games)
    except ReplayError as error:
        raise ValueError(f"a replay of match {job.id} cannot be read: {error}") from error
    if set(recorded) != expected or len(recorded) != len(games):
        raise ValueError(f"the games of match {job.id} must be exactly one per block and rotation")
    return recorded


class _Replayer:
    def __init__(
        self,
        job: MatchJob,
        recorded: dict[tuple[int, int], RecordedGame],
        codes: Mapping[str, bytes],
        pool: Pool,
        on_game: Callable[[int, int], None] | None = None,
    ) -> None:
        game, limits = game_named(job.game), Limits.from_dict(job.limits)
        self.job = job
        self.recorded = recorded
        self.pool = pool
        self.on_game = on_game
        self.profile = limits.profile
        self.stand_ins = [StandIn() for _ in job.seats]
        self.has_code = [seat.code in codes for seat in job.seats]
        players: list[MatchPlayer] = [
            JailedPlayer(seat.name, codes[seat.code], game, limits, pool, None) if is_live else stand_in
            for seat, is_live, stand_in in zip(job.seats, self.has_code, self.stand_ins, strict=True)
        ]
        self.table = MatchTable(job, players)
        self.games = 0
        self.decisions = 0
        # The last replayed game, which is compared as a whole: a nondeterministic bot rarely repeats all of it.
        self.last: tuple[object, ...] = ()

    def run(self) -> Difference | None:
        seats = len(self.job.seats)
        try:
            with self.pool.match():
                for rotation in range(seats):
                    # Each rotation gets new processes, so that no process sees a seed twice.
                    self.pool.fill(sum(self.has_code), self.profile)
                    self.table.begin_rotation()
                    for block in range(len(self.job.blocks)):
                        if (difference := self._game(block, rotation)) is not None:
                            return difference
                    self.table.end_rotation()
        finally:
            self.table.end_rotation()
        return None

    def _game(self, block: int, rotation: int) -> Difference | None:
        recorded_game = self.recorded[block, rotation]
        for seat, index in enumerate(seating(block, rotation, len(self.job.seats))):
            self.stand_ins[index].select_game(recorded_game, seat)
        record = self.table.play(block, rotation)
        replayed = RecordedGame(record, load(record.replay))
        self.last = (block, rotation, record.replay, sorted(replayed.late))
        difference = first_difference(self.job.seats, recorded_game, replayed)
        if difference is None:
            self.games += 1
            self.decisions += self._count_decisions(recorded_game)
            if self.on_game is not None:
                self.on_game(self.games, self.decisions)
        return difference

    def _count_decisions(self, recorded_game: RecordedGame) -> int:
        return sum(
            answer.number is not None and self.has_code[recorded_game.record.seating[answer.seat]]
            for step in expand(recorded_game.replay)
            for answer in step.answers
        )
