"""The scheduler that has the record worker sweep and schedule."""

from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from kombu.exceptions import OperationalError

from gangland_web.broker import link, names
from gangland_web.broker.server import BrokerPlan
from gangland_web.workers.beat import Scheduler, make_sender
from gangland_web.workers.celery_app import make_celery


class Hands:
    def __init__(self) -> None:
        self.now_s = 50.0

    def read(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


def beats(seconds: float, *, meanwhile: Callable[[Hands, Counter[str]], object] = lambda *_: None) -> Counter[str]:
    sent: Counter[str] = Counter()
    hands = Hands()

    def send(task: str, _: float) -> None:
        sent.update([task])
        meanwhile(hands, sent)

    beat = Scheduler(send, clock=hands.read, sleep=hands.sleep)
    while hands.now_s < 50.0 + seconds:
        beat.tick()
    return sent


def test_sweeping_and_scheduling_go_on_at_their_own_pace_though_the_clock_is_set_back_by_an_hour() -> None:
    assert beats(60.0) == {names.TICK_SWEEP: 20, names.TICK_SCHEDULE: 30, names.TICK_DISPATCH: 120}
    with time_machine.travel(1_800_000_000, tick=False) as clock:
        back = timedelta(hours=-1)
        sent = beats(10.0, meanwhile=lambda _, sent: clock.shift(back) if sent.total() == 1 else None)
    assert sent == {names.TICK_SWEEP: 4, names.TICK_SCHEDULE: 5, names.TICK_DISPATCH: 20}


def test_what_was_missed_is_not_made_up_for() -> None:
    sent = beats(106.0, meanwhile=lambda hands, sent: hands.sleep(100.0) if len(sent) == 1 else None)
    assert sent[names.TICK_SWEEP] <= 4
    assert sent[names.TICK_SCHEDULE] <= 5


def test_acts_reach_the_recorder_and_beats_outlive_brokers(broker: BrokerPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    send = make_sender(app := make_celery(broker.redis_url))
    send(names.TICK_SWEEP, 6.0)
    send(names.TICK_SCHEDULE, 4.0)
    assert link.connect(broker.redis_url).llen(names.QUEUE_RECORDS) == 2

    def away(*_: object, **__: object) -> None:
        raise OperationalError("nobody there")

    monkeypatch.setattr(app, "send_task", away)
    send(names.TICK_SWEEP, 6.0)
