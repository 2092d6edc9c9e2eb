"""The scheduler: sends periodic tasks to the record worker and the mailer (`python -m gangland_web.workers.beat`).

It uses the monotonic clock.  Celery's own beat uses the wall clock, and would stop for an hour after that clock is set
back by an hour.
"""

import logging
import signal
import sys
import time
from collections.abc import Callable, Mapping

from celery import Celery
from kombu.exceptions import OperationalError

from gangland_web.base.secrecy import forget_secrets, keep_private
from gangland_web.broker import names
from gangland_web.process import exit_status, set_up_logging
from gangland_web.settings import read_settings
from gangland_web.workers.celery_app import make_celery

# An upload's check is sent after at most one dispatch interval.
INTERVALS_S = {names.TICK_SWEEP: 3.0, names.TICK_SCHEDULE: 2.0, names.TICK_DISPATCH: 0.5}
# Only if the site sends mail; otherwise no process would receive these tasks.
INTERVALS_WITH_MAIL_S = {**INTERVALS_S, names.TASK_MAILS: 2.0}

log = logging.getLogger("gangland_web.workers.beat")


class Scheduler:
    """Sends tasks when they are due, by a monotonic clock."""

    def __init__(
        self,
        send: Callable[[str, float], None],
        *,
        intervals_s: Mapping[str, float] = INTERVALS_S,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Call `send` with each due task and its validity in seconds; all tasks are due immediately."""
        self._send = send
        self._intervals_s = intervals_s
        self._clock = clock
        self._sleep = sleep
        self._due_times = dict.fromkeys(intervals_s, clock())

    def tick(self) -> None:
        """Send due tasks, then sleep until the next task is due.  Missed times are skipped."""
        for task, due in self._due_times.items():
            if due <= self._clock():
                interval_s = self._intervals_s[task]
                self._send(task, interval_s * 2)
                self._due_times[task] = max(due, self._clock() - interval_s) + interval_s
        self._sleep(max(0.0, min(self._due_times.values()) - self._clock()))


def make_sender(app: Celery) -> Callable[[str, float], None]:
    """Return a function that sends a task; it expires if it is not received in time, so that tasks do not pile up."""

    def send(task: str, expires_s: float) -> None:
        options = {"expires": expires_s, "ignore_result": True, "retry": False}
        try:
            if task == names.TASK_MAILS:
                app.send_task(names.TASK_MAILS, queue=names.QUEUE_MAILS, **options)
            else:
                app.send_task(names.TASK_TICK, args=[task], queue=names.QUEUE_RECORDS, **options)
        except OperationalError as error:
            log.warning("the broker is not reachable, trying again at the next interval: %s", error)

    return send


def run(redis_url: str, *, with_mail: bool) -> None:
    """Send tasks when they are due, until a signal arrives."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    signal.signal(signal.SIGINT, lambda *_: sys.exit(0))
    intervals_s = INTERVALS_WITH_MAIL_S if with_mail else INTERVALS_S
    scheduler = Scheduler(make_sender(make_celery(redis_url)), intervals_s=intervals_s)
    log.info("sending periodic tasks")
    while True:
        scheduler.tick()


def main() -> int:
    """Run with the environment's settings until a signal arrives."""
    settings = read_settings()
    forget_secrets()
    run(settings.need_redis_url(), with_mail=settings.mail_from is not None)
    return 0


if __name__ == "__main__":
    keep_private()
    set_up_logging()
    sys.exit(exit_status(main))
