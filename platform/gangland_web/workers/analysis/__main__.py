"""The process that analyses games and makes clips: `python -m gangland_web.workers.analysis`.

It runs the engine and `gangland_ladder.analysis`, no stranger's code, and knows the broker alone, as a user of its own.
"""

import gc
import logging
import os
import sys

import msgspec
from redis.exceptions import RedisError

from gangland_ladder.analysis.received import AnalysisResult, encode_result
from gangland_ladder.common.release import this_release
from gangland_ladder.common.threads import calculate_on_one_thread
from gangland_web.base.secrecy import blank_environment, forget_secrets, keep_private
from gangland_web.broker.link import check_clock, connect
from gangland_web.broker.names import (
    QUEUE_ANALYSED,
    QUEUE_ANALYSIS,
    QUEUE_CLIPS,
    TASK_ANALYSE,
    TASK_ANALYSED,
    TASK_CLIP,
    TASK_HINT,
    TASK_HINTED,
)
from gangland_web.process import die_with_parent, exit_status, set_up_logging
from gangland_web.settings import ConfigError, read_settings
from gangland_web.workers.analysis.analysing import analyse_order
from gangland_web.workers.analysis.clips import make_clip
from gangland_web.workers.analysis.hinting import work_out_hint
from gangland_web.workers.analysis.niceness import tell_session
from gangland_web.workers.celery_app import make_celery, run_worker, send

log = logging.getLogger("gangland_web.workers.analysis")

FORBIDDEN = ("DATABASE_URL", "SECRET_KEY", "REDIS_URL", "WORKER_REDIS_URL")
"""Settings of other processes."""


def run(url: str) -> int:
    """Analyse games and make clips until told to stop; return the exit status."""
    broker = connect(url)
    check_clock(broker)
    app = make_celery(url, analyses=True)

    def say(result: AnalysisResult) -> None:
        send(app, TASK_ANALYSED, [encode_result(result)], QUEUE_ANALYSED)

    def waits() -> bool:
        try:
            return bool(broker.llen(QUEUE_ANALYSIS)) or bool(broker.llen(QUEUE_CLIPS))
        except RedisError:
            return False  # whoever says something next waits for the broker

    def work(text: str) -> None:
        analyse_order(text, say, waits)

    def hint(text: str) -> None:
        if (found := work_out_hint(text)) is not None:
            send(app, TASK_HINTED, [msgspec.json.encode(found).decode()], QUEUE_ANALYSED)

    def draw(text: str) -> None:
        make_clip(text, broker)

    app.task(work, name=TASK_ANALYSE)
    app.task(draw, name=TASK_CLIP)
    app.task(hint, name=TASK_HINT)
    gc.freeze()
    log.info("ready to analyse games, release %s", this_release())
    return run_worker(app, [QUEUE_CLIPS, QUEUE_ANALYSIS], f"analysis-{os.getpid()}")


def main() -> int:
    """Run by the environment's settings; return the exit status."""
    die_with_parent()
    calculate_on_one_thread()
    if found := [name for plain in FORBIDDEN for name in (plain, f"{plain}_FILE") if os.environ.get(name)]:
        raise ConfigError(f"whoever analyses games must not be given {', '.join(found)}; it needs ANALYSIS_REDIS_URL")
    url = read_settings().need_analysis_redis_url()
    forget_secrets()
    return run(url)


if __name__ == "__main__":
    blank_environment()
    tell_session()  # a process that is closed may not write to its own /proc any more
    keep_private()
    set_up_logging()
    sys.exit(exit_status(main))
