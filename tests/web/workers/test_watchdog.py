"""The watchdog of a match worker: the heartbeat goes on whatever the worker does, and no step lasts for ever."""

import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
from tests.kits.broker_kit import LOCAL_RECORDS
from tests.kits.worker_kit import GOOD, match_job_of, message_of, messages_in

from gangland_ladder.errors import OVERRUN
from gangland_ladder.matches.match_jobs import Result, decode_result
from gangland_sandbox.limits import Limits
from gangland_web.broker import link, names, server
from gangland_web.services.results import LEASE_MARGIN_S
from gangland_web.workers import watchdog

HELD_UP = """
import os, sys
from tests.kits.worker_kit import GOOD, match_job_of, message_of
from gangland_web.workers.celery_app import make_celery
from gangland_web.workers import watchdog
from gangland_web.workers.players import Messenger

watchdog.STALL_CPU_S, watchdog.HEARTBEAT_INTERVAL_S, watchdog.POLL_INTERVAL_S = 1.5, 0.1, 0.1
dog = watchdog.Watchdog(lambda: Messenger(make_celery(sys.argv[1], role="match")))
dog.start()
dog.begin_step(watchdog.Step(message_of(match_job_of(GOOD, GOOD)).answer(), watchdog.Stage.CHECK, 60.0, on_trial=True))
if sys.argv[2] == "orphaned":
    from pathlib import Path
    os.kill(int(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()[0]), 9)
sum(range(10**13))  # one call, which neither a signal nor a thread interrupts
"""


@dataclass
class Clocks:
    cpu_s: float = 100.0
    now_s: float = 1000.0
    runnable_s: float = 50.0


def guard(clocks: Clocks, stage: watchdog.Stage, most_s: float = 60.0, *, on_trial: bool = True) -> watchdog.Guard:
    watching = watchdog.Guard(lambda: clocks.cpu_s, lambda: clocks.now_s, lambda: clocks.runnable_s)
    watching.record(
        msgspec.json.encode(watchdog.Step(message_of(match_job_of(GOOD, GOOD)).answer(), stage, most_s, on_trial))
    )
    return watching


@pytest.mark.parametrize("stage", [watchdog.Stage.CHECK, watchdog.Stage.MATCH])
@pytest.mark.parametrize(("clock", "most_s"), [("cpu_s", watchdog.STALL_CPU_S), ("runnable_s", watchdog.SILENCE_S)])
def test_a_bot_on_trial_that_holds_its_worker_up_is_rejected(stage: watchdog.Stage, clock: str, most_s: float) -> None:
    clocks = Clocks()
    watching = guard(clocks, stage)
    setattr(clocks, clock, getattr(clocks, clock) + most_s - 1)
    assert watching.overrun_result() is None
    setattr(clocks, clock, getattr(clocks, clock) + 2)
    result = watching.overrun_result()
    assert isinstance(result, Result)
    assert result.check is not None
    assert (result.void, [found.code for found in result.check.problems]) == (None, [OVERRUN])


def test_signs_of_life_let_a_worker_go_on_and_what_takes_too_long_or_computes_without_end_blames_nobody() -> None:
    clocks = Clocks()
    watching = guard(clocks, watchdog.Stage.CHECK)
    for _ in range(5):
        clocks.cpu_s += watchdog.STALL_CPU_S - 1
        clocks.runnable_s += watchdog.SILENCE_S - 1
        watching.record(watchdog.ALIVE)
        assert watching.overrun_result() is None
    clocks.now_s += 61
    result = watching.overrun_result()
    assert isinstance(result, Result)
    assert result.check is None
    assert "took over 60 s" in str(result.void)
    watching = guard(clocks, watchdog.Stage.MATCH, on_trial=False)
    clocks.cpu_s += watchdog.STALL_CPU_S + 1
    result = watching.overrun_result()
    assert isinstance(result, Result)
    assert (result.check, result.void is not None) == (None, True)
    watching.record(msgspec.json.encode(watchdog.Step()))  # at rest
    clocks.cpu_s, clocks.now_s = 1e6, 1e6
    assert watching.overrun_result() is None


def test_every_step_may_take_what_the_limits_of_bots_allow() -> None:
    job = match_job_of(GOOD, GOOD)
    assert (
        watchdog.time_limit_s(job, watchdog.Stage.FETCH)
        == watchdog.time_limit_s(job, watchdog.Stage.SEND)
        == watchdog.TRANSFER_S
    )
    # The wall bank of 12 blocks for the first games and at each table size, six loads, waits for a core, and 30 s.
    assert watchdog.time_limit_s(job, watchdog.Stage.CHECK) == 4 * 41 + 6 * 5 + (60 + 10 * 12) + 30
    assert watchdog.time_limit_s(job, watchdog.Stage.CHECK) < Limits.plain(2).max_match_s(2)
    limits = Limits.from_dict(job.limits)
    assert watchdog.time_limit_s(job, watchdog.Stage.MATCH) == limits.max_match_s(2) + watchdog.LOAD_MARGIN_S
    assert watchdog.LOAD_MARGIN_S < LEASE_MARGIN_S  # so the lease outlasts every match that is not ended


def test_a_held_up_worker_beats_until_it_is_killed(broker: server.BrokerPlan, root: Any) -> None:
    done = subprocess.run([sys.executable, "-c", HELD_UP, broker.worker_redis_url, ""], cwd=root, check=False)
    assert done.returncode == -signal.SIGKILL
    *beats, (last, message) = messages_in(broker, LOCAL_RECORDS)
    assert [task for task, _ in beats].count(names.TASK_ALIVE) >= 3
    assert last == names.TASK_RESULT
    result = decode_result(bytes(message.body))
    assert result.check is not None
    assert [found.code for found in result.check.problems] == [OVERRUN]


def test_a_worker_without_its_watchdog_is_killed_by_the_kernel(broker: server.BrokerPlan, root: Any) -> None:
    command = [sys.executable, "-c", HELD_UP, broker.worker_redis_url, "orphaned"]
    assert subprocess.run(command, cwd=root, check=False).returncode == -signal.SIGKILL
    assert link.connect(broker.redis_url).llen(LOCAL_RECORDS) == 0


def test_a_worker_that_is_stopped_from_outside_is_not_beaten_for_and_could_not_run() -> None:
    with subprocess.Popen([sys.executable, "-c", "print(flush=True); input()"], stdin=-1, stdout=-1) as process:
        assert process.stdout is not None
        process.stdout.readline()
        runner = watchdog.RunTimer(process.pid)
        runner.runnable_s()
        assert not runner.is_stopped
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED)
        before_s = runner.runnable_s()
        assert (runner.is_stopped, runner.runnable_s()) == (True, before_s)
        process.kill()
