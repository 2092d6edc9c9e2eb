"""How a match worker says that it does not play, and how the site reads it.

A worker is a stranger, so it can say no word of its own: it puts its place under one of the causes
that the doctor knows, and the site counts the places under each.  What a place is called is never
read.
"""

from collections.abc import Iterable
from typing import Final

import redis

from gangland_sandbox.doctor import ALL_MENDS, probe_of
from gangland_web.broker.link import count_lasting, known_hosts
from gangland_web.broker.names import STOPPED_LASTS_S, stopped_key

RELEASE: Final = "release"
CAUSES: Final = {
    **ALL_MENDS,
    RELEASE: (
        "the worker is of another release than the site, or runs bots on another Python, and may play a match to"
        " another end: bring both to the same (`gangland --version`) and start the worker again"
    ),
}
"""What to do about it, by what keeps a place from playing."""


def cause_label(cause: str) -> str:
    """Return the word under which a cause is told: the probe of the jail that fails for it, or RELEASE."""
    return RELEASE if cause == RELEASE else probe_of(cause)


def announce_stopped(client: "redis.Redis", host: str, place: str, cause: str) -> None:
    """Say that this place is not played at, for the next two minutes; by the broker's clock, ours may be wrong."""
    seconds, _ = client.time()
    client.zadd(stopped_key(cause, host), {place: int(seconds) + STOPPED_LASTS_S})


def withdraw_stopped(client: "redis.Redis", host: str, place: str, causes: Iterable[str]) -> None:
    """Say that this place is played at, whatever was said before."""
    with client.pipeline(transaction=False) as pipe:
        for cause in causes:
            pipe.zrem(stopped_key(cause, host), place)
        pipe.execute()


def count_stopped(client: "redis.Redis", causes: Iterable[str]) -> dict[str, int]:
    """Return how many places each cause keeps from playing now, without causes that keep none."""
    hosts = known_hosts(client)
    pairs = [(cause, host) for cause in causes for host in hosts]
    seconds, _ = client.time()
    with client.pipeline(transaction=False) as pipe:
        for cause, host in pairs:
            count_lasting(pipe, stopped_key(cause, host), int(seconds), STOPPED_LASTS_S + 1)
        counted = pipe.execute()[2::3]
    places: dict[str, int] = {}
    for (cause, _), count in zip(pairs, counted, strict=True):
        if count:
            places[cause] = places.get(cause, 0) + int(count)
    return places
