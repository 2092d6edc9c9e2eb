"""What the pages of tables ask of the broker."""

from __future__ import annotations

from flask import current_app
from redis.exceptions import RedisError

from gangland_web.broker.gate import call_of
from gangland_web.broker.link import PAGE_WAIT_S, connect, count_slots
from gangland_web.broker.names import QUEUE_RECORDS, TASK_TABLES
from gangland_web.http.configured import settings


def match_slots() -> int:
    """Return how many matches can be played at a time now; 0 where the broker does not answer."""
    url = settings().redis_url
    if url is None:
        return 0
    client = connect(url, wait_s=PAGE_WAIT_S)
    try:
        return count_slots(client)
    except (RedisError, OSError) as error:
        current_app.logger.error("the broker does not answer: %s", type(error).__name__)
        return 0
    finally:
        client.close()


def request_bots() -> None:
    """Have the record worker send tables at once; without this it does so by itself, a moment later."""
    url = settings().redis_url
    if url is None:
        return
    client = connect(url, wait_s=PAGE_WAIT_S)
    try:
        client.lpush(QUEUE_RECORDS, call_of(TASK_TABLES, QUEUE_RECORDS))
    except (RedisError, OSError) as error:
        current_app.logger.error("the broker does not answer: %s", type(error).__name__)
    finally:
        client.close()
