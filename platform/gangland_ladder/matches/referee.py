"""The referee, which plays one match with each bot in its own jails."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from gangland.blocks import seating
from gangland.bot import GameEnd
from gangland.faults import Fault
from gangland.game import Event
from gangland.games import game_named
from gangland.match import FinishedGame, play
from gangland.replay import Replay, with_digest
from gangland_ladder.matches.judging import EntryScore, RefereedGame, ViewsDigest, scores_of
from gangland_ladder.matches.match_jobs import FaultRecord, GameRecord, MatchJob, Result, octaves, to_message
from gangland_ladder.matches.players import JailedPlayer, MatchPlayer, Tick
from gangland_ladder.matches.seeds import rng_seed
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.jail import Mode
from gangland_sandbox.limits import Limits
from gangland_sandbox.pool import Pool


def play_match(
    job: MatchJob,
    codes: Mapping[str, bytes],
    *,
    pool: Pool | None = None,
    mode: Mode = Mode.JAIL,
    rotations: int | None = None,
    tick: Tick | None = None,
) -> Result:
    """Play a match and return its result, to be judged. Raises KeyError: a code is missing; ValueError: invalid job."""
    return _play(job, codes, pool or Pool(mode), rotations, tick, own_pool=pool is None)[0]


@dataclass(frozen=True, slots=True)
class LocalMatch:
    """A match played in this process; `decision_s` has CPU seconds by entry, in the order of the job's seats."""

    result: Result
    scores: tuple[EntryScore, ...]
    games: tuple[RefereedGame, ...]
    decision_s: tuple[list[float], ...]


def play_locally(
    job: MatchJob,
    codes: Mapping[str, bytes],
    pool: Pool,
    on_game_over: Callable[[], None] | None = None,
    *,
    keep: bool = True,  # if False, the records of its games have no replays and no digests of views
) -> LocalMatch:
    """Play a match and return its scores without replaying its games; its result must not go to another process.

    Raises KeyError: a code is missing; SandboxError: a jail failed, and the match is void; ValueError: an invalid job.
    """
    result, table = _play(job, codes, pool, None, None, own_pool=False, on_game_over=on_game_over, keep=keep)
    if result.void is not None:
        raise SandboxError(result.void)
    games = tuple(sorted(table.games, key=lambda game: (game.record.block, game.record.rotation)))
    return LocalMatch(result, scores_of(job, games), games, tuple(player.decision_s for player in table.players))


def _play(
    job: MatchJob,
    codes: Mapping[str, bytes],
    pool: Pool,
    rotations: int | None,
    tick: Tick | None,
    *,
    own_pool: bool,
    on_game_over: Callable[[], None] | None = None,
    keep: bool = True,
) -> tuple[Result, MatchTable]:
    start_s, start_cpu_s = time.monotonic(), time.process_time() + pool.cpu_s
    limits = Limits.from_dict(job.limits)
    game = game_named(job.game)
    players = [JailedPlayer(seat.name, codes[seat.code], game, limits, pool, tick) for seat in job.seats]
    table = MatchTable(job, players, keep=keep)
    void = None
    try:
        with pool.match():
            seats = len(job.seats)
            count = rotations or seats
            # A bot keeps its memory between games, and the games of a block have the same dice, so a process must not
            # see a seed twice: all first rotations are played in one set of jails, all second ones in the next set.
            for rotation in range(count):
                pool.fill(seats * min(2, count - rotation), limits.profile)  # meanwhile, the next jails start
                table.begin_rotation()
                for block in range(len(job.blocks)):
                    table.play(block, rotation)
                    if on_game_over is not None:
                        on_game_over()
                table.end_rotation()
    except SandboxError as error:
        void = to_message(str(error))
    finally:
        table.end_rotation()
        if own_pool:
            pool.close()
    games = [game.record for game in table.games]
    result = Result(
        games=[] if void is not None else sorted(games, key=lambda game: (game.block, game.rotation)),
        void=void,
        cpu_s=[round(player.cpu_s, 6) for player in players],
        wall_s=[round(player.wall_s, 6) for player in players],
        seconds=round(time.monotonic() - start_s, 6),
        match_cpu_s=round(time.process_time() + pool.cpu_s - start_cpu_s, 6),
        think=[octaves(player.decision_s) for player in players] if keep else [],
    )
    return result, table


class MatchTable:
    """The table of one match, at which games are played one by one in any order.

    Raises ValueError: the game does not exist, or an option is invalid.
    """

    def __init__(self, job: MatchJob, players: Sequence[MatchPlayer], *, keep: bool = True) -> None:
        self.job = job
        self.game = game_named(job.game)
        self.options = self.game.options_dict(self.game.options(job.options))
        self.players = players
        self.keep = keep  # whether records have replays and digests of views
        self.games: list[RefereedGame] = []
        self._rng_key = bytes.fromhex(job.rng_key)

    def begin_rotation(self) -> None:
        """Prepare every player for one game of each block."""
        for player in self.players:
            player.begin_rotation()

    def end_rotation(self) -> None:
        """Release all resources of the players; may be called twice."""
        for player in self.players:
            player.end_rotation()

    def play(self, block: int, rotation: int) -> GameRecord:
        """Play one game and return its record. Raises SandboxError: a jail failed, and the match is void."""
        seat_indexes = seating(block, rotation, len(self.players))
        players = [self.players[index] for index in seat_indexes]
        views, failed = ViewsDigest() if self.keep else None, {}
        for seat, player in enumerate(players):
            bot_seed = rng_seed(self._rng_key, block, rotation, seat)
            on_view = views.of_seat(seat) if views else None
            fault = player.begin_game(seat, len(players), self.options, bot_seed, on_view)
            if fault is not None:
                failed[seat] = fault
        played = play(
            self.game,
            players,
            bytes.fromhex(self.job.blocks[block]),
            options=self.options,
            early_faults=failed,
            seal=_seal if self.keep else _leave_unsealed,
        )
        located = [players[fault.seat].with_location(fault) for fault in played.faults]
        faults = [*located, *self._finish(players, played)]
        logs = [player.take_log() for player in players]
        record = GameRecord(
            block=block,
            rotation=rotation,
            seating=list(seat_indexes),
            replay=played.replay.to_json() if views else "",
            views=views.hexdigest() if views else "",
            faults=[_fault_record(fault) for fault in faults],
            logs=[log.text for log in logs],
            log_marks=[log.marks for log in logs],
        )
        self.games.append(RefereedGame(record, played.outcome))
        return record

    @staticmethod
    def _finish(seated: Sequence[MatchPlayer], played: FinishedGame) -> list[Fault]:
        """Send the result to the bots that are not at fault; return new faults, which do not change places."""
        at_fault = {fault.seat: fault for fault in played.faults}
        result = GameEnd(played.outcome.places, tuple(sorted(at_fault)), played.outcome.reason.value)
        late = []
        for seat, player in enumerate(seated):
            if seat in at_fault:
                player.record_forfeit(at_fault[seat])
            elif (failure := player.end_game(result)) is not None:
                late.append(Fault(seat, failure.kind, failure.message, played.rounds, None))
        return late


def _seal(replay: Replay, events: list[Event]) -> Replay:
    return with_digest(replay, events, msgspec.json.encode)


def _leave_unsealed(replay: Replay, _events: list[Event]) -> Replay:
    return replay


def _fault_record(fault: Fault) -> FaultRecord:
    return FaultRecord(
        seat=fault.seat,
        kind=fault.kind.value,
        message=to_message(fault.message),
        round=fault.round,
        decision=fault.decision,
    )
