"""What the pages of tables ask of the broker."""

from __future__ import annotations

from gangland_web.broker.gate import call_of
from gangland_web.broker.link import ask_for_page, count_slots
from gangland_web.broker.names import QUEUE_RECORDS, TASK_TABLES
from gangland_web.web.requests import settings


def match_slots() -> int:
    """Return how many matches can be played at a time now; 0 where the broker does not answer."""
    return ask_for_page(settings().redis_url, count_slots) or 0


def request_bots() -> None:
    """Have the record worker send tables at once; without this it does so by itself, a moment later."""
    call = call_of(TASK_TABLES, QUEUE_RECORDS)
    ask_for_page(settings().redis_url, lambda client: client.lpush(QUEUE_RECORDS, call))
