"""The watchdog of a match worker: the heartbeat goes on whatever the worker does, and no step lasts for ever."""

from __future__ import annotations

import signal
import subprocess
import sys
from base64 import b64decode
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
from tests.web.core_broker import LOCAL_RECORDS, a_broker
from tests.web.test_core_worker import GOOD, order_of

from gangland_ladder.catalogue import OVERRUN
from gangland_ladder.orders import Claim, Result, decode_result
from gangland_web.broker.link import connect
from gangland_web.broker.names import TASK_BEAT, TASK_RESULT
from gangland_web.broker.server import BrokerPlan
from gangland_web.worker.watchdog import ALIVE, SEND_S, STALL_CPU_S, Guard, Stage, Step, wall_s

broker = pytest.fixture(a_broker)

HELD_UP = """
import sys
from tests.web.test_core_worker import GOOD, order_of
from gangland_web.celery_app import make_celery
from gangland_web.worker import watchdog
from gangland_web.worker.messages import Messenger

watchdog.STALL_CPU_S, watchdog.BEAT_EVERY_S = 1.5, 0.2
dog = watchdog.Watchdog(lambda: Messenger(make_celery(sys.argv[1], plays=True)))
dog.start()
dog.begin(order_of(GOOD, GOOD, check=0), watchdog.Stage.CHECK)
sum(range(10**13))  # one call, which neither a signal nor a thread interrupts
"""


@dataclass
class Clocks:
    """Stands in for time and for what the worker has used."""

    cpu_s: float = 100.0
    now_s: float = 1000.0


def guard(clocks: Clocks, stage: Stage, most_s: float = 60.0) -> Guard:
    watching = Guard(lambda: clocks.cpu_s, lambda: clocks.now_s)
    watching.hear(msgspec.json.encode(Step(Claim(7, "token"), stage, most_s)))
    return watching


def test_a_bot_on_which_a_check_computes_without_end_is_rejected() -> None:
    clocks = Clocks()
    watching = guard(clocks, Stage.CHECK)
    clocks.cpu_s += STALL_CPU_S - 1
    assert watching.overrun() is None
    clocks.cpu_s += 2
    result = watching.overrun()
    assert result is not None
    assert result.check is not None
    assert (result.void, [found.code for found in result.check.problems]) == (None, [OVERRUN])


def test_a_worker_that_gives_signs_of_life_may_go_on_and_one_that_only_waits_blames_nobody() -> None:
    clocks = Clocks()
    watching = guard(clocks, Stage.CHECK)
    for _ in range(5):
        clocks.cpu_s += STALL_CPU_S - 1
        watching.hear(ALIVE)
        assert watching.overrun() is None
    clocks.now_s += 61
    result = watching.overrun()
    assert isinstance(result, Result)
    assert result.check is None
    assert "took over 60 s" in str(result.void)


def test_a_match_that_computes_without_end_is_void_and_a_worker_at_rest_is_left_alone() -> None:
    clocks = Clocks()
    watching = guard(clocks, Stage.MATCH)
    clocks.cpu_s += STALL_CPU_S + 1
    result = watching.overrun()
    assert result is not None
    assert (result.check, result.void is not None) == (None, True)
    watching.hear(msgspec.json.encode(Step()))
    clocks.cpu_s, clocks.now_s = 1e6, 1e6
    assert watching.overrun() is None


def test_every_step_may_take_what_the_limits_of_bots_allow() -> None:
    order = order_of(GOOD, GOOD)
    assert wall_s(order, Stage.FETCH) == wall_s(order, Stage.SEND) == SEND_S
    assert wall_s(order, Stage.CHECK) == 41 + 3 * 5 + 30  # the wall bank of 12 blocks, three loads, and 30 s
    assert wall_s(order, Stage.MATCH) == 2 * (2 * (8 + 5) + 2 * 5) + 30


def test_the_heartbeat_of_a_worker_that_is_held_up_goes_on_until_it_is_answered_for_and_killed(
    broker: BrokerPlan, root: Any
) -> None:
    done = subprocess.run([sys.executable, "-c", HELD_UP, broker.worker_redis_url], cwd=root, check=False)
    assert done.returncode == -signal.SIGKILL
    lying = connect(broker.redis_url).lrange(LOCAL_RECORDS, 0, -1)
    said = [msgspec.json.decode(message) for message in reversed(lying)]
    tasks = [message["headers"]["task"] for message in said]
    assert tasks[-1] == TASK_RESULT
    assert tasks.count(TASK_BEAT) >= 3
    result = decode_result(msgspec.json.decode(b64decode(said[-1]["body"]))[0][0])
    assert result.check is not None
    assert [found.code for found in result.check.problems] == [OVERRUN]
