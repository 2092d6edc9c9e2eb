"""The broker without Celery: connections, the clock check, slots, and stopped workers."""

import logging
import time
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar
from urllib.parse import quote, urlsplit

import redis

from gangland_sandbox.doctor import ALL_MENDS, probe_of
from gangland_web.broker.names import HOSTS_KEY, RELEASE_KEY, SLOT_LASTS_S, STOPPED_LASTS_S, slots_key, stopped_key

# Connections: addresses, clients, and what a worker asks first.

log = logging.getLogger("gangland_web.broker")

CLOCK_LIMIT_S = 5.0
PLATFORM_WAIT_S = 30.0
PAGE_WAIT_S = 2.0  # timeout of a page
# Timeout of a match worker: bots wait with it, and the broker's delays must not count on their clocks.
WORKER_WAIT_S = 5.0

AnswerT = TypeVar("AnswerT")


class ClockError(RuntimeError):
    """This machine's clock and the broker's are too far apart for leases to mean the same on both."""


def socket_address(path: str, user: str, password: str) -> str:
    """Return the address of a broker on a unix socket."""
    return f"unix://{quote(user, safe='')}:{quote(password, safe='')}@{quote(path)}"


def celery_address(url: str) -> str:
    """Return a broker's address in Celery's form (only unix sockets differ)."""
    parts = urlsplit(url)
    return f"redis+socket://{parts.netloc}{parts.path}" if parts.scheme == "unix" else url


def connect(url: str, *, wait_s: float = PLATFORM_WAIT_S) -> "redis.Redis":
    """Return a client of the broker; it connects on first use, with `wait_s` as its timeout."""
    return redis.Redis.from_url(url, socket_timeout=wait_s, socket_connect_timeout=min(wait_s, 10.0))


def ask_for_page(url: str | None, ask: Callable[["redis.Redis"], AnswerT]) -> AnswerT | None:
    """Return the broker's answer for a page; None without a broker, or without an answer, which is logged."""
    if url is None:
        return None
    client = connect(url, wait_s=PAGE_WAIT_S)
    try:
        return ask(client)
    except (redis.RedisError, OSError) as error:
        log.error("the broker does not answer: %s", type(error).__name__)
        return None
    finally:
        client.close()


def check_clock(client: "redis.Redis") -> None:
    """Compare this machine's clock with the broker's.  Raises ClockError: they are more than 5 s apart."""
    seconds, micros = client.time()
    apart = time.time() - (int(seconds) + int(micros) / 1e6)
    if abs(apart) > CLOCK_LIMIT_S:
        raise ClockError(f"this machine's clock is {apart:+.1f} s off the broker's, over {CLOCK_LIMIT_S:.0f} s")


def site_release(client: "redis.Redis") -> str | None:
    """Return the release of the site; None before it is published, or if this host may not read it yet."""
    try:
        release: Any = client.get(RELEASE_KEY)
    except redis.exceptions.NoPermissionError:
        return None
    return None if release is None else release.decode()


# Slots: how many matches, checks and tables can be done at a time.

SlotKey = Callable[[str], str]  # `slots_key`, `checkers_key` or `table_workers_key`


def announce_slot(client: "redis.Redis", host: str, slot: str, key_of: SlotKey = slots_key) -> None:
    """Announce for the next 20 s that one more match can be run at a time on a host; or check, or table."""
    client.zadd(key_of(host), {slot: time.time() + SLOT_LASTS_S})


def withdraw_slot(client: "redis.Redis", host: str, slot: str, key_of: SlotKey = slots_key) -> None:
    """Remove a slot at once, on a worker's orderly end."""
    client.zrem(key_of(host), slot)


def known_hosts(client: "redis.Redis") -> dict[str, int]:
    """Return the slot limit of each host that may play, by its name, as last written by the record worker."""
    limits: Any = client.hgetall(HOSTS_KEY)
    return {name.decode(): int(limit) for name, limit in sorted(limits.items())}


def count_slots(client: "redis.Redis") -> int:
    """Return the number of matches that can be played at a time now."""
    return sum(slots_by_host(client).values())


def slots_by_host(client: "redis.Redis", key_of: SlotKey = slots_key) -> dict[str, int]:
    """Return the number of slots of a kind by host, and remove expired ones.

    Workers write their slots themselves, so one that claims too long a life is removed too, and the host's limit caps
    the number.
    """
    limits = known_hosts(client)
    with client.pipeline() as pipe:
        for host in limits:
            _count_lasting(pipe, key_of(host), time.time(), SLOT_LASTS_S + CLOCK_LIMIT_S)
        counted = pipe.execute()[2::3]
    return {host: min(int(count), limits[host]) for host, count in zip(limits, counted, strict=True)}


def _count_lasting(pipe: "redis.client.Pipeline", key: str, now: float, longest_s: float) -> None:
    """Have a pipeline count the valid members of a sorted set at a moment and remove the others; three replies.

    Each score is the time until which a member counts, at most `longest_s` from now.
    """
    pipe.zremrangebyscore(key, "-inf", now)
    pipe.zremrangebyscore(key, f"({now + longest_s}", "+inf")
    pipe.zcard(key)


# Stopped workers: how a match worker says that it does not play, and how the site counts them.
#
# A worker is not trusted, so it sends no words of its own: it enters its place under one of the causes that the doctor
# knows, and the site counts the places under each. The names of places are never read.

RELEASE: Final = "release"
# The remedy for each cause that keeps a worker from playing.
CAUSES: Final = {
    **ALL_MENDS,
    RELEASE: (
        "the worker is of another release than the site, or runs bots on another Python, and may play a match to"
        " another end: bring both to the same (`gangland --version`) and start the worker again"
    ),
}


def cause_label(cause: str) -> str:
    """Return the word for a cause: the probe of the jail that fails for it, or RELEASE."""
    return RELEASE if cause == RELEASE else probe_of(cause)


def announce_stopped(client: "redis.Redis", host: str, place: str, cause: str) -> None:
    """Announce for the next two minutes that a worker does not play; by the broker's clock, since ours may be wrong."""
    seconds, _ = client.time()
    client.zadd(stopped_key(cause, host), {place: int(seconds) + STOPPED_LASTS_S})


def withdraw_stopped(client: "redis.Redis", host: str, place: str, causes: Iterable[str]) -> None:
    """Announce that a worker plays."""
    with client.pipeline(transaction=False) as pipe:
        for cause in causes:
            pipe.zrem(stopped_key(cause, host), place)
        pipe.execute()


def count_stopped(client: "redis.Redis", causes: Iterable[str]) -> dict[str, int]:
    """Return the number of workers stopped by each cause, without causes of none."""
    hosts = known_hosts(client)
    pairs = [(cause, host) for cause in causes for host in hosts]
    seconds, _ = client.time()
    with client.pipeline(transaction=False) as pipe:
        for cause, host in pairs:
            _count_lasting(pipe, stopped_key(cause, host), int(seconds), STOPPED_LASTS_S + 1)
        counted = pipe.execute()[2::3]
    places: dict[str, int] = {}
    for (cause, _), count in zip(pairs, counted, strict=True):
        if count:
            places[cause] = places.get(cause, 0) + int(count)
    return places
