"""The mailer: the only process that talks to the SMTP server (`python -m gangland_web.workers.mail`).

Neither pages nor the record worker ever wait for it.
"""

import logging
import os
import sys
from threading import Event

from celery.signals import worker_shutting_down
from sqlalchemy.exc import OperationalError

from gangland_web.base.secrecy import forget_secrets, keep_private
from gangland_web.broker.names import QUEUE_MAILS, TASK_MAILS
from gangland_web.metrics import STARTS, Counts, Publisher
from gangland_web.models.database import Database
from gangland_web.process import exit_status, set_up_logging
from gangland_web.services.mail import send_due
from gangland_web.settings import ConfigError, Settings, Smtp, read_settings, read_smtp
from gangland_web.workers.celery_app import make_celery, run_worker

log = logging.getLogger("gangland_web.workers.mail")


def run(settings: Settings, smtp: Smtp) -> int:
    """Send due mail whenever the scheduler requests it, until a signal arrives; return the exit status."""
    counts = Counts()
    publisher = Publisher(counts, settings.need_redis_url())
    counts.add(STARTS, process="mail")
    publisher.flush()
    database = Database(settings.need_database_url())
    app = make_celery(settings.need_redis_url())

    shutdown = Event()
    worker_shutting_down.connect(lambda **_: shutdown.set(), weak=False)

    def send() -> None:
        try:
            send_due(database, smtp, counts=counts, is_ending=shutdown.is_set)
        except OperationalError as error:
            log.warning("the database is not reachable, trying again at the next interval: %s", error.orig)

    app.task(send, name=TASK_MAILS)
    log.info("sending mail through %s", smtp.host)
    status = run_worker(app, [QUEUE_MAILS], "mails")
    publisher.flush()
    return status


def main() -> int:
    """Run with the environment's settings; return the exit status."""
    settings, smtp = read_settings(), read_smtp(os.environ)
    forget_secrets()
    if smtp is None:
        raise ConfigError("SMTP_URL and SMTP_FROM are not set, so no mail can be sent")
    return run(settings, smtp)


if __name__ == "__main__":
    keep_private()
    set_up_logging()
    sys.exit(exit_status(main))
