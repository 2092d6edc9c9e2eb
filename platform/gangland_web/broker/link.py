"""Direct use of the broker, without Celery: connections, the clock check, slots, and stopped workers."""

import logging
import time
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar
from urllib.parse import quote, urlsplit

import redis

from gangland_sandbox.doctor import ALL_FIXES, probe_of
from gangland_web.broker.names import HOSTS_KEY, RELEASE_KEY, SLOT_EXPIRY_S, STOPPED_EXPIRY_S, slots_key, stopped_key

# Connections: URLs, clients, and the checks at the start of a worker.

log = logging.getLogger("gangland_web.broker")

CLOCK_LIMIT_S = 5.0
PLATFORM_WAIT_S = 30.0
PAGE_WAIT_S = 2.0  # timeout for requests that a page makes
# Timeout for match workers. The bots wait while the worker waits, and the broker's delays must not use up their time.
WORKER_WAIT_S = 5.0

AnswerT = TypeVar("AnswerT")


class ClockError(RuntimeError):
    """This machine's clock and the broker's clock differ so much that leases would end at different times."""


def socket_url(path: str, user: str, password: str) -> str:
    """Return the URL of a broker on a unix socket."""
    return f"unix://{quote(user, safe='')}:{quote(password, safe='')}@{quote(path)}"


def celery_url(url: str) -> str:
    """Return a broker's URL in Celery's format, which differs only for unix sockets."""
    parts = urlsplit(url)
    return f"redis+socket://{parts.netloc}{parts.path}" if parts.scheme == "unix" else url


def connect(url: str, *, wait_s: float = PLATFORM_WAIT_S) -> "redis.Redis":
    """Return a client for the broker, which connects on first use; `wait_s` is the timeout, at most 10 s to connect."""
    return redis.Redis.from_url(url, socket_timeout=wait_s, socket_connect_timeout=min(wait_s, 10.0))


def ask_for_page(url: str | None, ask: Callable[["redis.Redis"], AnswerT]) -> AnswerT | None:
    """Return the broker's answer for a page; None if there is no broker, or if it fails, which is logged."""
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
    """Compare this machine's clock with the broker's clock.  Raises ClockError: they differ by more than 5 s."""
    seconds, micros = client.time()
    offset_s = time.time() - (int(seconds) + int(micros) / 1e6)
    if abs(offset_s) > CLOCK_LIMIT_S:
        raise ClockError(f"this machine's clock is {offset_s:+.1f} s off the broker's, more than {CLOCK_LIMIT_S:.0f} s")


def site_release(client: "redis.Redis") -> str | None:
    """Return the site's release, or None if it is not published yet or this host may not read it yet."""
    try:
        release: Any = client.get(RELEASE_KEY)
    except redis.exceptions.NoPermissionError:
        return None
    return None if release is None else release.decode()


# Slots: how many matches, checks and tables can run at the same time.

SlotKey = Callable[[str], str]  # `slots_key`, `checkers_key` or `table_workers_key`


def announce_slot(client: "redis.Redis", host: str, slot: str, key_of: SlotKey = slots_key) -> None:
    """Register a slot for 20 s: the host can run one more concurrent match, check or table."""
    client.zadd(key_of(host), {slot: time.time() + SLOT_EXPIRY_S})


def withdraw_slot(client: "redis.Redis", host: str, slot: str, key_of: SlotKey = slots_key) -> None:
    """Remove a slot immediately when a worker shuts down normally."""
    client.zrem(key_of(host), slot)


def known_hosts(client: "redis.Redis") -> dict[str, int]:
    """Return the slot limit of each host that may play, by host name, as last written by the site."""
    limits: Any = client.hgetall(HOSTS_KEY)
    return {name.decode(): int(limit) for name, limit in sorted(limits.items())}


def count_slots(client: "redis.Redis") -> int:
    """Return the current number of slots for matches."""
    return sum(slots_by_host(client).values())


def slots_by_host(client: "redis.Redis", key_of: SlotKey = slots_key) -> dict[str, int]:
    """Return the number of slots of a kind by host, and remove expired slots."""
    # Workers write their own slots, so slots that expire too late are also removed, and the host's limit applies.
    limits = known_hosts(client)
    with client.pipeline() as pipe:
        for host in limits:
            _count_valid(pipe, key_of(host), time.time(), SLOT_EXPIRY_S + CLOCK_LIMIT_S)
        counts = pipe.execute()[2::3]
    return {host: min(int(count), limits[host]) for host, count in zip(limits, counts, strict=True)}


def _count_valid(pipe: "redis.client.Pipeline", key: str, now: float, max_valid_s: float) -> None:
    """Add three commands to a pipeline, which remove the invalid members of a sorted set and count the others.

    Each score is the time until which a member is valid, at most `max_valid_s` seconds from `now`.
    """
    pipe.zremrangebyscore(key, "-inf", now)
    pipe.zremrangebyscore(key, f"({now + max_valid_s}", "+inf")
    pipe.zcard(key)


# Stopped workers: match workers report that they do not play, and the site counts them.
#
# Workers are not trusted, so they cannot send text. A worker adds its id to the set of one of the `CAUSES`.
# The site counts the ids in each set without reading them.

RELEASE: Final = "release"
# The fix for each cause that keeps a worker from playing.
CAUSES: Final = {
    **ALL_FIXES,
    RELEASE: (
        "the worker's release or Python version differs from the site's, so its matches could end differently:"
        " install the same release (`gangland --version`) and restart the worker"
    ),
}


def cause_label(cause: str) -> str:
    """Return the label of a cause: the name of the probe that fails, or RELEASE."""
    return RELEASE if cause == RELEASE else probe_of(cause)


def announce_stopped(client: "redis.Redis", host: str, worker_id: str, cause: str) -> None:
    """Report for the next two minutes that a worker is stopped."""
    seconds, _ = client.time()  # the broker's clock, since this machine's may be wrong
    client.zadd(stopped_key(cause, host), {worker_id: int(seconds) + STOPPED_EXPIRY_S})


def withdraw_stopped(client: "redis.Redis", host: str, worker_id: str, causes: Iterable[str]) -> None:
    """Remove a worker's reports that it is stopped."""
    with client.pipeline(transaction=False) as pipe:
        for cause in causes:
            pipe.zrem(stopped_key(cause, host), worker_id)
        pipe.execute()


def count_stopped(client: "redis.Redis", causes: Iterable[str]) -> dict[str, int]:
    """Return the number of workers stopped for each cause; causes without stopped workers are left out."""
    hosts = known_hosts(client)
    pairs = [(cause, host) for cause in causes for host in hosts]
    seconds, _ = client.time()
    with client.pipeline(transaction=False) as pipe:
        for cause, host in pairs:
            _count_valid(pipe, stopped_key(cause, host), int(seconds), STOPPED_EXPIRY_S + 1)
        counts = pipe.execute()[2::3]
    workers: dict[str, int] = {}
    for (cause, _), count in zip(pairs, counts, strict=True):
        if count:
            workers[cause] = workers.get(cause, 0) + int(count)
    return workers
