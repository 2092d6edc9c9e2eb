"""Disturbances of the platform: generators that yield the seconds until they go on."""

import json
import secrets
import signal
import sqlite3
import time
from base64 import b64decode
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

import msgspec
from kombu.exceptions import OperationalError
from redis import Redis
from redis.client import Pipeline
from redis.exceptions import RedisError
from tests.chaos.site import Begun, Seen, Site, end
from tests.chaos.watch import Watch
from tests.kits.broker_kit import LOCAL_MATCHES, LOCAL_RECORDS

from gangland_web.broker.gate import NOTHING, Message, decode_message, encode_message
from gangland_web.broker.names import TASK_ALIVE, TASK_RESULT
from gangland_web.workers.celery_app import make_celery, send

AGAIN_S = 0.1  # the time between two looks
HELD_S, MAX_HELD_S = 1.0, 8.0  # results pile up this long; the first may take up to the second
KEPT_RESULTS = 200

Steps = Iterator[float]
FoundT = TypeVar("FoundT")


@dataclass
class Scene:
    """What a disturbance works with; `overheard` are results on their way to the record worker."""

    site: Site
    watch: Watch = field(default_factory=Watch)
    overheard: list[bytes] = field(default_factory=list)
    alone: bool = True

    def spares(self) -> Seen | None:
        """Return the progress if a blow would void no match by rule, else None."""
        found = self.site.look()
        return None if found is None or found.spared else found


def _in_mid_match(scene: Scene) -> tuple[list[int], list[Begun]] | None:
    workers, found = scene.site.playing(), scene.spares()
    return (workers, found.begun) if workers and found is not None and found.begun else None


def kill_worker(scene: Scene, seconds: float) -> Steps:
    site = scene.site
    workers, begun = yield from _until(lambda: _in_mid_match(scene))
    end(site.rng.choice(workers))
    scene.watch.killed(begun, alone=scene.alone)
    site.done["worker"] += 1


def kill_child(scene: Scene, seconds: float) -> Steps:
    site = scene.site
    end(site.rng.choice((yield from _until(lambda: site.jails() if scene.spares() else None))))
    site.done["child"] += 1


def kill_records(scene: Scene, seconds: float) -> Steps:
    yield from _until(scene.spares)
    yield from _kill(scene.site, "records")


def kill_beat(scene: Scene, seconds: float) -> Steps:
    yield from _kill(scene.site, "beat")


def _until(found: Callable[[], FoundT | None]) -> Generator[float, None, FoundT]:
    while not (result := found()):
        yield AGAIN_S
    return result


def _kill(site: Site, kind: str) -> Steps:
    end((yield from _until(lambda: site.pids(kind)))[0])
    site.done[kind] += 1


def wipe_broker(scene: Scene, seconds: float) -> Steps:
    """Delete all of the broker's data and kill it; the supervisor starts it again."""
    yield from _until(scene.spares)
    yield from _tell(scene.site, lambda client: client.flushall())
    scene.site.done["wipe"] += 1
    yield from _kill(scene.site, "broker")


@contextmanager
def halted(pid: int) -> Iterator[None]:
    end(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        end(pid, signal.SIGCONT)


def halt_broker(scene: Scene, seconds: float) -> Steps:
    site = scene.site
    pid, *_ = yield from _until(lambda: site.pids("broker") if scene.spares() else None)
    with halted(pid):
        yield seconds
    site.done["broker halted"] += 1


def stop_broker(scene: Scene, seconds: float) -> Steps:
    """Kill the broker whenever the supervisor starts it."""
    site = scene.site
    yield from _until(scene.spares)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for pid in site.pids("broker"):
            end(pid)
        yield AGAIN_S
    site.done["broker stopped"] += 1


def stop_database(scene: Scene, seconds: float) -> Steps:
    """Stop PostgreSQL, in order or as in a crash, and start it again; SQLite is locked by another writer."""
    site = scene.site
    yield from _until(scene.spares)
    if site.server is None:
        with closing(sqlite3.connect(site.sqlite_file, timeout=60, isolation_level=None)) as writer:
            writer.execute("BEGIN IMMEDIATE")
            yield seconds
            writer.execute("ROLLBACK")
        site.done["database locked"] += 1
        return
    site.server.stop(site.rng.choice((signal.SIGINT, signal.SIGQUIT)))
    try:
        yield seconds
    finally:
        site.server.start()
    site.done["database restarted"] += 1


def deal_anew(scene: Scene, seconds: float) -> Steps:
    """Deliver jobs and results twice and in another order."""
    site = scene.site
    pid, *_ = yield from _until(lambda: site.pids("records"))
    with halted(pid):
        yield HELD_S
        until = time.monotonic() + MAX_HELD_S
        yield from _until(lambda: result_waits(site) or time.monotonic() > until)
        for queue in (LOCAL_RECORDS, LOCAL_MATCHES):
            yield from _tell(site, lambda client: _twice(client, queue, scene))  # noqa: B023  # used at once


def result_waits(site: Site) -> bool:
    try:
        with site.client() as client:
            return any(_is_result(item) for item in client.lrange(LOCAL_RECORDS, 0, -1))
    except RedisError:
        return False


def _twice(client: Redis, queue: str, scene: Scene) -> None:
    site = scene.site

    def deal(pipe: Pipeline) -> None:
        items: list[bytes] = pipe.lrange(queue, 0, -1)  # type: ignore[assignment]
        twice = [item for item in items for _ in range(2)]
        site.rng.shuffle(twice)
        pipe.multi()
        if twice:
            pipe.delete(queue)
            pipe.rpush(queue, *twice)
        scene.overheard += [item for item in items if _is_result(item)]
        site.done["delivered twice"] += len(items)

    client.transaction(deal, queue)
    del scene.overheard[:-KEPT_RESULTS]


def _is_result(item: bytes) -> bool:
    return bool(json.loads(item)["headers"]["task"] == TASK_RESULT)


def stall_worker(scene: Scene, seconds: float) -> Steps:
    """Halt a match worker: a few seconds change nothing; after 20 its lease is gone and its token is old."""
    site = scene.site
    workers, _ = yield from _until(lambda: _in_mid_match(scene))
    with halted(site.rng.choice(workers)):
        yield seconds
    site.done["worker stalled"] += 1


def repeat_results(scene: Scene, seconds: float) -> Steps:
    """Deliver recorded results again: their tokens are old."""
    yield from _until(lambda: scene.overheard)
    old = scene.site.rng.choices(scene.overheard, k=5)
    yield from _tell(scene.site, lambda client: client.rpush(LOCAL_RECORDS, *old))
    scene.site.done["result repeated"] += len(old)


def forge_results(scene: Scene, seconds: float) -> Steps:
    """Send real results under unknown tokens and under those of other matches."""
    site = scene.site
    while not scene.overheard or (found := site.look()) is None or not found.begun:
        yield AGAIN_S
    real = _result_in(site.rng.choice(scene.overheard))
    here = site.rng.choice(found.begun)
    forged = [
        msgspec.structs.replace(real, job=here.job, token=secrets.token_hex(24)),
        msgspec.structs.replace(real, token=here.token), msgspec.structs.replace(real, job=here.job, token=""),
    ]  # fmt: skip
    app = make_celery(site.broker.worker_redis_url, role="match")
    for result in forged:
        for task, message in (TASK_RESULT, result), (TASK_ALIVE, msgspec.structs.replace(result, body=NOTHING)):
            words = [encode_message(message)]
            while not _sent(lambda: send(app, task, words, LOCAL_RECORDS, timeout_s=0.0)):  # noqa: B023  # used at once
                yield AGAIN_S
        site.done["result forged"] += 1


def _result_in(item: bytes) -> Message:
    arguments, *_ = json.loads(b64decode(json.loads(item)["body"]))
    return decode_message(arguments[0])


def _sent(act: Callable[[], object]) -> bool:
    try:
        act()
    except OperationalError:
        return False
    return True


def _tell(site: Site, act: Callable[[Redis], object]) -> Steps:
    while True:
        try:
            with site.client() as client:
                act(client)
        except RedisError:
            yield AGAIN_S
        else:
            return


@dataclass(frozen=True)
class Kind:
    """A kind of disturbance; while it lasts, no other one may hold what it `holds`."""

    act: Callable[[Scene, float], Steps]
    holds: str = ""


KINDS = {
    "worker": Kind(kill_worker), "child": Kind(kill_child), "records": Kind(kill_records, holds="records"),
    "beat": Kind(kill_beat), "wipe": Kind(wipe_broker, holds="broker"),
    "halt broker": Kind(halt_broker, holds="broker"), "stop broker": Kind(stop_broker, holds="broker"),
    "database": Kind(stop_database, holds="database"), "deal anew": Kind(deal_anew, holds="records"),
    "stall": Kind(stall_worker), "repeat": Kind(repeat_results), "forge": Kind(forge_results),
}  # fmt: skip
