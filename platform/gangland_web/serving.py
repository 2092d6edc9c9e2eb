"""How gunicorn serves the site: one set of settings, whoever starts it.

    gunicorn --config python:gangland_web.serving --bind 127.0.0.1:8000 'gangland_web.app:create_app()'

Only where it listens stands on the command line.  Every name below is one of gunicorn's settings.
"""

import gc
import logging
import os
from typing import Any, Final

from gangland_web.logs import set_up_logging
from gangland_web.secrecy import keep_private

worker_class: Final = "gangland_web.web.serving.TimedWorker"
workers: Final = 2
threads: Final = 8
keepalive: Final = 15
"""Seconds; longer than the pages' polling, so that a poll meets an open connection."""
timeout: Final = 30
"""Seconds without a sign of life after which a worker is started anew; its threads do not count, they may wait."""
graceful_timeout: Final = 5
"""Seconds that requests under way have when the site stops; less than anybody gives who stops it."""
_MEMORY: Final = "/dev/shm"  # noqa: S108  # gunicorn makes a file of its own in it, and deletes it at once
if os.access(_MEMORY, os.W_OK):
    worker_tmp_dir: Final = _MEMORY  # signs of life touch that file: in memory, where no disk can hold them up
control_socket_disable: Final = True
"""Nobody but whoever started it rules over it."""
loglevel: Final = "warning"
accesslog: Final = None
"""The site writes down its requests itself."""


def on_starting(_server: Any) -> None:
    """Close the process to others, and have gunicorn's own words go where the site's go; its workers inherit both."""
    keep_private()
    set_up_logging()
    own = logging.getLogger("gunicorn.error")
    own.handlers[:] = []
    own.propagate = True
    own.addFilter(_is_ours)


def _is_ours(record: logging.LogRecord) -> bool:
    """Leave out what gunicorn says of a request that is none: a stranger's address and words, as long as they like."""
    return not str(record.msg).startswith("Invalid request from")


GARBAGE_AFTER: Final = 20_000
"""So many new objects are there between two looks for cycles; a page makes thousands, and hardly a cycle."""


def post_worker_init(_worker: Any) -> None:
    """Have Python look for cycles less often, and not in what was imported: every thread waits for such a look."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_AFTER, 20, 20)
