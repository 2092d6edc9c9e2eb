"""Every kind of fault in a match: the right seat, its name, what it costs, and who plays on."""

import os
import random
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import pytest
from tests.kits.local_match import match_job_of
from tests.sandbox.trial import apart, children_here

from gangland.faults import FaultKind
from gangland.replay import load, verify
from gangland_ladder.local.processes import Tables
from gangland_ladder.matches.match_jobs import GameRecord, MatchJob, Result, decode_result, encode
from gangland_ladder.matches.referee import play_match
from gangland_ladder.matches.seeds import local_secret, rng_key, rng_seed
from gangland_sandbox.limits import Limits
from gangland_sandbox.pool import Pool

GAME = "gang-of-dice"
KEY = rng_key(local_secret(8, b""), 1)
LIMITS = Limits(
    bank_cpu_s=0.8, bank_wall_s=1.2, decision_cpu_s=0.3, import_cpu_s=0.4, import_wall_s=1.2, memory_mib=128
)  # fmt: skip
TIME_TO_FILL = replace(LIMITS, bank_cpu_s=20.0, bank_wall_s=30.0, decision_cpu_s=10.0)
BOT = """
import os
import time

from gangland import gang_of_dice

{at_import}


class Subject(gang_of_dice.Bot):
    games = 0

    def on_game_start(self, start):
        type(self).games += 1
        self.failing = self.rng.getrandbits(64) in {failing}
        self.log("game", self.games, "of this process")

    def choose_dice(self, view):
        if view.round == 1:
            self.log("clock", view.clock.cpu_left_s, view.clock.wall_left_s)
        if self.failing:
            {body}
        return 1
"""
BODIES = {
    FaultKind.DECISION_TIME: "while True: pass",
    FaultKind.BANK_TIME: "until = time.process_time() + 0.25\n            while time.process_time() < until: pass",
    FaultKind.WALL_TIME: "os.read(3, 1)", FaultKind.MEMORY: "kept = [bytearray(8 << 20) for _ in range(100)]",
    FaultKind.OUTPUT: "while True: print('x' * 1000)", FaultKind.PROTOCOL: "os.write(4, bytes(range(255, 0, -1)))",
    FaultKind.ILLEGAL: "return 99", FaultKind.FORBIDDEN_SYSCALL: "os.chroot('/')",
    FaultKind.CRASHED: "raise RuntimeError('boom')",
}  # fmt: skip
AT_IMPORT = {FaultKind.IMPORT_ERROR: "raise RuntimeError('boom')", FaultKind.IMPORT_TIME: "while True: pass"}
THINKING = "until = time.process_time() + 0.21\n            while time.process_time() < until: pass"
LASTING = {FaultKind.BANK_TIME, FaultKind.WALL_TIME}  # an empty bank may cost the rest of the rotation too


def bot(body: str = "pass", *games: tuple[int, int, int], at_import: str = "") -> bytes:
    """Return a bot that plays one die, except in the games (block, rotation, seat) named."""
    failing = {random.Random(rng_seed(KEY, *game)).getrandbits(64) for game in games}
    return BOT.format(body=body, failing=failing or "()", at_import=at_import).encode()


def job_and_codes(bots: Sequence[bytes], blocks: int, limits: Limits) -> tuple[MatchJob, dict[str, bytes]]:
    job = match_job_of(GAME, len(bots), blocks, limits, seed=8)
    return job, {seat.code: source for seat, source in zip(job.seats, bots, strict=True)}


def play(pool: Pool, job: MatchJob, codes: Mapping[str, bytes], rotations: int | None) -> Result:
    return play_match(job, codes, pool=pool, rotations=rotations)


Match = Callable[..., Result]


@pytest.fixture(scope="module")
def match() -> Iterator[Match]:
    with Tables(workers=1) as tables:

        def played(*bots: bytes, blocks: int, rotations: int | None = 1, limits: Limits = LIMITS) -> Result:
            (result,) = tables.run(play, [(*job_and_codes(bots, blocks, limits), rotations)])
            assert isinstance(result, Result)
            return result

        yield played


def faults(result: Result) -> list[tuple[int, int, str]]:
    return [(game.block, game.seating[fault.seat], fault.kind) for game in result.games for fault in game.faults]


def places(game: GameRecord) -> dict[int, int]:
    outcome = verify(load(game.replay))
    return {index: outcome.places[seat] for seat, index in enumerate(game.seating)}


def games_in_process(result: Result, index: int) -> list[str]:
    logs = [game.logs[game.seating.index(index)] for game in result.games]
    return [line.split()[1] for log in logs for line in log.splitlines() if line.startswith("game")]


@pytest.mark.parametrize("kind", BODIES)
def test_a_fault_costs_its_seat_the_game_and_the_next_has_a_new_process(match: Match, kind: FaultKind) -> None:
    limits = TIME_TO_FILL if kind is FaultKind.MEMORY else LIMITS
    result = match(bot(), bot(BODIES[kind], (1, 0, 2)), bot(), blocks=3, limits=limits)
    assert result.void is None
    first, *others = faults(result)
    assert first == (1, 1, kind.value)
    assert set(others) <= ({(2, 1, kind.value)} if kind in LASTING else set())
    assert places(result.games[1])[1] == 3
    assert sorted(places(result.games[1]).values())[:2] in ([1, 1], [1, 2])
    assert games_in_process(result, 1)[:2] == ["1", "2"]
    assert kind in LASTING or games_in_process(result, 1) == ["1", "2", "1"]
    assert games_in_process(result, 0) == games_in_process(result, 2) == ["1", "2", "3"]


@pytest.mark.parametrize("kind", AT_IMPORT)
def test_a_bot_that_cannot_be_loaded_forfeits_and_the_others_play_on(match: Match, kind: FaultKind) -> None:
    result = match(bot(), bot(), bot(at_import=AT_IMPORT[kind]), blocks=2)
    assert result.void is None
    assert faults(result) == [(0, 2, kind.value), (1, 2, kind.value)]
    for game in result.games:
        assert places(game)[2] == 3
        assert load(game.replay).rounds > 1
    assert games_in_process(result, 0) == games_in_process(result, 1) == ["1", "2"]


def test_there_is_a_match_for_every_kind_of_fault() -> None:
    assert {*BODIES, *AT_IMPORT} == set(FaultKind)


def test_two_seats_of_four_fail_each_by_its_own_name_and_the_others_play_on(match: Match) -> None:
    crashing = bot(BODIES[FaultKind.CRASHED], (0, 0, 1))
    cheating = bot(BODIES[FaultKind.ILLEGAL], (0, 0, 3))
    result = match(bot(), crashing, bot(), cheating, blocks=2)
    assert sorted(faults(result)) == [(0, 1, "crashed"), (0, 3, "illegal")]
    first, second = (places(game) for game in result.games)
    assert max(first[0], first[2]) < min(first[1], first[3])
    assert sorted(second) == [0, 1, 2, 3]
    assert games_in_process(result, 0) == games_in_process(result, 2) == ["1", "2"]
    assert games_in_process(result, 1) == games_in_process(result, 3) == ["1", "1"]


def test_a_restart_draws_on_the_same_banks_and_a_rotation_on_full_ones(match: Match) -> None:
    dying = f"{THINKING}\n            raise RuntimeError('boom')"
    result = match(bot(dying, (0, 0, 0)), bot(), blocks=2, rotations=2)
    assert faults(result) == [(0, 0, "crashed")]
    clocks = {(game.block, game.rotation): clock_of(game, 0) for game in result.games}
    cpu_left_s, wall_left_s = clocks[1, 0]
    assert cpu_left_s < LIMITS.bank_cpu_s - 0.2
    assert wall_left_s < LIMITS.bank_wall_s - 0.2
    assert clocks[0, 1][0] > LIMITS.bank_cpu_s - 0.2
    assert clocks[0, 1][1] > LIMITS.bank_wall_s - 0.2


def clock_of(game: GameRecord, index: int) -> tuple[float, float]:
    log = game.logs[game.seating.index(index)]
    line = next(line for line in log.splitlines() if line.startswith("clock"))
    _, cpu_left_s, wall_left_s = line.split()
    return float(cpu_left_s), float(wall_left_s)


def test_a_jail_that_is_killed_from_outside_voids_the_match_and_blames_no_seat() -> None:
    def kill_the_jails() -> None:
        for pid in children_here():
            os.kill(pid, signal.SIGKILL)

    waiting = bot("os.read(3, 1)", (0, 0, 0))
    limits = Limits(bank_cpu_s=2.0, bank_wall_s=20.0)
    job, codes = job_and_codes([waiting, bot(), bot()], 2, limits)
    result = decode_result(apart(lambda: encode(play_match(job, codes, rotations=1, tick=kill_the_jails)).decode()))
    assert result.void is not None
    assert result.games == []


@pytest.mark.parametrize("end", ["os._exit(0)", "os.write(4, b'garbage!!!')"])
def test_time_before_a_fault_is_drawn_from_the_wall_bank(match: Match, end: str) -> None:
    result = match(bot(f"{THINKING}\n            {end}", (0, 0, 0)), bot(), blocks=2)
    assert (
        clock_of(result.games[1], 0)[1] < LIMITS.bank_wall_s - 0.1
    )  # of 0.21 s; what others had of the core is forgiven
