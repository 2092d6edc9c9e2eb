"""The clockwork: has the record worker sweep and schedule (`python -m gangland_web.beat`)."""

import logging

from celery import Celery

from gangland_web.broker.names import QUEUE_RECORDS, RECORDS_UNACKED, TASK_SCHEDULE, TASK_SWEEP
from gangland_web.celery_app import make_celery
from gangland_web.config import read_settings
from gangland_web.logs import set_up_logging

SWEEP_EVERY_S = 3.0
SCHEDULE_EVERY_S = 2.0


def make_beat(redis_url: str) -> Celery:
    """Return an application whose beat sends the two acts; one that comes late is dropped, not piled up."""
    app = make_celery(redis_url, unacked=RECORDS_UNACKED)
    app.conf.beat_schedule = {
        task: {"task": task, "schedule": every_s, "options": {"queue": QUEUE_RECORDS, "expires": every_s * 2}}
        for task, every_s in ((TASK_SWEEP, SWEEP_EVERY_S), (TASK_SCHEDULE, SCHEDULE_EVERY_S))
    }
    return app


def run(redis_url: str) -> None:
    """Send both acts on time until told to stop."""
    app = make_beat(redis_url)
    logging.getLogger("gangland_web.beat").info("beating")
    app.Beat(scheduler="celery.beat:Scheduler", loglevel="WARNING", quiet=True, max_interval=1).run()


if __name__ == "__main__":
    set_up_logging()
    run(read_settings().need_redis_url())
