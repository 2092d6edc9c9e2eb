"""Connections to the broker outside of Celery: addresses, the clock check, slots and code."""

import time
from urllib.parse import quote, urlsplit

import redis

from gangland_web.broker.names import SLOT_LASTS_S, SLOTS_KEY

CLOCK_LIMIT_S = 5.0
MOST_SLOTS = 1000
"""Far more than one record worker can keep busy."""
PLATFORM_WAIT_S = 30.0
WORKER_WAIT_S = 5.0
"""How long a match worker waits for an answer: bots wait with it, and their clocks may not pay for the broker's."""


class ClockError(RuntimeError):
    """This machine's clock and the broker's are too far apart for leases to mean the same on both."""


def socket_address(path: str, user: str, password: str) -> str:
    """Return the address of a broker on a unix socket."""
    return f"unix://{quote(user, safe='')}:{quote(password, safe='')}@{quote(path)}"


def celery_address(url: str) -> str:
    """Return a broker's address as Celery writes it (only unix sockets differ)."""
    parts = urlsplit(url)
    return f"redis+socket://{parts.netloc}{parts.path}" if parts.scheme == "unix" else url


def connect(url: str, *, wait_s: float = PLATFORM_WAIT_S) -> "redis.Redis":
    """Return a client of the broker; it connects when it is first used, and waits so long for an answer."""
    return redis.Redis.from_url(url, socket_timeout=wait_s, socket_connect_timeout=min(wait_s, 10.0))


def check_clock(client: "redis.Redis") -> None:
    """Compare this machine's clock with the broker's.

    Raises:
        ClockError: they are more than 5 s apart.
    """
    seconds, micros = client.time()
    apart = time.time() - (int(seconds) + int(micros) / 1e6)
    if abs(apart) > CLOCK_LIMIT_S:
        raise ClockError(f"this machine's clock is {apart:+.1f} s off the broker's, over {CLOCK_LIMIT_S:.0f} s")


def announce_slot(client: "redis.Redis", slot: str) -> None:
    """Say that one more match can be played at a time, for the next 20 s."""
    client.zadd(SLOTS_KEY, {slot: time.time() + SLOT_LASTS_S})


def withdraw_slot(client: "redis.Redis", slot: str) -> None:
    """Take a slot back at once, on a worker's orderly end."""
    client.zrem(SLOTS_KEY, slot)


def count_slots(client: "redis.Redis") -> int:
    """Return how many matches can be played at a time now, and forget slots that fell silent.

    Workers write their slots themselves, so one that claims to last longer than it may is forgotten too, and no
    more are believed than an installation can have.
    """
    with client.pipeline() as pipe:
        count_lasting(pipe, SLOTS_KEY, time.time(), SLOT_LASTS_S + CLOCK_LIMIT_S)
        return min(int(pipe.execute()[-1]), MOST_SLOTS)


def count_lasting(pipe: "redis.client.Pipeline", key: str, now: float, longest_s: float) -> None:
    """Have a pipeline count the members of a sorted set that count at a moment, and forget the others; three replies.

    Each is scored with the time until which it counts, `longest_s` from now at most.
    """
    pipe.zremrangebyscore(key, "-inf", now)
    pipe.zremrangebyscore(key, f"({now + longest_s}", "+inf")
    pipe.zcard(key)
