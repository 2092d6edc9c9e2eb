"""What lies in a queue is a stranger's word: the gate, and the real record and match workers behind it."""

import os
import signal
import subprocess
import sys
import threading
import time
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
import redis
import time_machine
from kombu.exceptions import OperationalError
from tests.kits.broker_kit import LOCAL_MATCHES, LOCAL_RECORDS
from tests.kits.worker_kit import a_process, a_worker, wait_for

from gangland_web.broker import gate, link, names
from gangland_web.broker.server import BrokerPlan
from gangland_web.metrics import COUNTS_KEY, MOMENTS_KEY, STARTS
from gangland_web.models.database import Database
from gangland_web.ops.prepare import prepare
from gangland_web.settings import sqlite_url
from gangland_web.workers import celery_app
from gangland_web.workers.celery_app import make_celery, send

NOTHING = {"callbacks": None, "errbacks": None, "chain": None, "chord": None}
CALL = {"task": "gangland.tick", "args": [], "kwargs": {}, "options": {"routing_key": "code:x", "exchange": ""}}
ID = "0fa7c611-fdd5-4fe9-9d89-2da43a0ec5ff"


def body(*args: object, following: object = NOTHING, named: object = None) -> bytes:
    return msgspec.json.encode((args, named or {}, following))


def item(task: str = names.TASK_ALIVE, *, output: bytes = body(0, "t"), **headers: object) -> dict[str, Any]:
    tail = {"delivery_info": {"exchange": "", "routing_key": LOCAL_RECORDS}, "delivery_tag": "tag", "priority": 0}
    return {
        "body": b64encode(output).decode(),
        "content-encoding": "utf-8",
        "content-type": "application/json",
        "headers": {"lang": "py", "task": task, "id": ID, "eta": None, "expires": None, "retries": 0, **headers},
        "properties": {"correlation_id": ID, "body_encoding": "base64", **tail},
    }


def changed(name: str, value: object) -> dict[str, Any]:
    return {**item(), name: value}


FOREIGN: dict[str, object] = {
    "no JSON": b"not json",
    "no text": b"\xff\xfe\x00",
    "nothing": b"",
    "a list": [],
    "a number": 1,
    "deep JSON": b'{"a":' * 100_000,
    "deep arguments": item(output=b"[" * 100_000),
    "deep headers": b'{"headers":{"x":' + b"[" * 100_000,
    "no headers": {key: value for key, value in item().items() if key != "headers"},
    "no body": {key: value for key, value in item().items() if key != "body"},
    "no properties": {key: value for key, value in item().items() if key != "properties"},
    "properties that are none": changed("properties", []),
    "a plain body": changed("properties", {"body_encoding": "utf-8"}),
    "a body that is no base64": changed("body", "%%%"),
    "a body that is no JSON": item(output=b"\x80\x04."),
    "a body in another form": item(output=msgspec.json.encode({"args": [], "kwargs": {}})),
    "pickle": changed("content-type", "application/x-python-serialize"),
    "yaml": changed("content-type", "application/x-yaml"),
    "another alphabet": changed("content-encoding", "utf-7"),
    "binary": changed("content-encoding", "binary"),
    "a compressed body": item(output=zlib.compress(body(0, "t")), compression="application/x-gzip"),
    "a plain body that says it is compressed": item(compression="application/x-gzip"),
    "a callback": item(output=body(0, "t", following={**NOTHING, "callbacks": [CALL]})),
    "an errback": item(output=body(0, "t", following={**NOTHING, "errbacks": [CALL]})),
    "a chain": item(output=body(0, "t", following={**NOTHING, "chain": [CALL]})),
    "a chord": item(output=body(0, "t", following={**NOTHING, "chord": CALL})),
    "a chain said twice": item(output=b'[[0,"t"],{},{"chain":[{"task":"x"}],"chain":null}]'),
    "another thing to follow": item(output=body(0, "t", following={**NOTHING, "other": None})),
    "a number below 0": item(output=body(-1, "t")),
    "a number that JSON does not hold exactly": item(output=body(2**53 + 1, "t")),
    "named arguments": item(output=body(0, named={"match_id": 1})),
    "an argument of parts": item(output=body({"task": "x"})),
    "a huge number": item(output=b"[[" + b"9" * 5000 + b"],{},{}]"),
    "a task for later": item(eta="2099-01-01T00:00:00+00:00"),
    "a group": item(group="g"),
    "a time that is none": item(expires="soon"),
    "a time of no zone": item(expires="2099-01-01T00:00:00"),
    "a task of nobody's": item("whatever"),
    "Celery's own map": item("celery.map", output=body({"task": names.TASK_TICK}, [])),
    "a match worker's task": item(names.TASK_RUN),
    "a task that is no text": item(task=["a"]),  # type: ignore[arg-type]
    "an id with a line break": item(id="1\nERROR all is lost"),
    "another language": item(lang="c"),
}


def bytes_of(what: object) -> bytes:
    return what if isinstance(what, bytes) else msgspec.json.encode(what)


@pytest.mark.parametrize("name", FOREIGN)
def test_what_is_no_plain_call_of_a_known_task_is_refused_in_one_line(name: str) -> None:
    with pytest.raises(gate.InvalidItem) as refused:
        gate.admit(bytes_of(FOREIGN[name]), LOCAL_RECORDS, names.WORKER_TASKS)
    assert len(str(refused.value)) < 300
    assert str(refused.value).isprintable()


def test_an_item_gets_in_with_48_mib_and_the_largest_exact_number_until_the_moment_that_it_names_is_over() -> None:
    whole, most = bytes_of(item(output=body(0, 2**53))), 48 * 1024 * 1024
    assert gate.admit(whole.ljust(most), LOCAL_RECORDS, names.WORKER_TASKS) is not None
    for larger in (whole.ljust(most + 1), b"[" * (gate.ITEM_BYTES + 1)):
        with pytest.raises(gate.InvalidItem, match="bytes"):
            gate.admit(larger, LOCAL_RECORDS, names.WORKER_TASKS)
    expiring = bytes_of(item(expires="2099-01-01T00:00:00+00:00"))
    for moment, gets_in in ((4070908799.0, True), (4070908800.0, True), (4070908800.5, False)):
        with time_machine.travel(moment, tick=False):
            assert (gate.admit(expiring, LOCAL_RECORDS, names.WORKER_TASKS) is not None) is gets_in


def test_nothing_of_an_item_gets_in_but_task_id_and_arguments() -> None:
    odd = item(
        names.TASK_ALIVE,
        output=body(7, "t\u00fc"),
        retries=99,
        timelimit=[1, 1],
        root_id="x",
        stamps={"a": "b"},
        shadow="y",
    )
    odd["properties"]["delivery_info"] = {"exchange": "zz", "routing_key": "code:x"}
    admitted = gate.admit(bytes_of(odd), LOCAL_RECORDS, names.WORKER_TASKS)
    assert admitted is not None
    inside = msgspec.json.decode(admitted)
    assert inside["headers"] == {"lang": "py", "task": names.TASK_ALIVE, "id": ID}
    assert inside["properties"].pop("delivery_tag") != "tag"
    assert inside["properties"] == {
        "body_encoding": "base64",
        "delivery_info": {"exchange": "", "routing_key": LOCAL_RECORDS},
    }
    assert msgspec.json.decode(b64decode(inside["body"])) == [[7, "t\u00fc"], {}, NOTHING]
    again = gate.admit(admitted, LOCAL_RECORDS, names.WORKER_TASKS)  # as a worker puts it back on a warm stop
    assert again is not None


def test_what_celery_sends_gets_in_until_its_time_is_over(broker: BrokerPlan) -> None:
    app, client = make_celery(broker.redis_url), link.connect(broker.redis_url)
    send(app, names.TASK_ALIVE, [1, "token"], LOCAL_RECORDS)
    app.send_task(names.TASK_TICK, args=[names.TICK_SWEEP], queue="records", expires=5)
    queues: list[Any] = [client.lrange(queue, 0, -1) for queue in (LOCAL_RECORDS, "records")]
    (beat,), (sweep,) = queues
    assert gate.admit(beat, LOCAL_RECORDS, names.WORKER_TASKS) is not None
    assert gate.admit(sweep, "records", names.TICK_TASKS) is not None
    with time_machine.travel(time.time() + 6, tick=False):
        assert gate.admit(beat, LOCAL_RECORDS, names.WORKER_TASKS) is not None
        assert gate.admit(sweep, "records", names.TICK_TASKS) is None
    with pytest.raises(gate.InvalidItem, match=names.TASK_ALIVE):
        gate.admit(beat, "matches", names.RUN_TASKS)


def test_a_workers_client_takes_what_gets_in_and_finds_an_empty_queue_for_all_else(broker: BrokerPlan) -> None:
    refused, over = bytes_of(FOREIGN["pickle"]), bytes_of(item(expires="2000-01-01T00:00:00+00:00"))
    platform, worker = link.connect(broker.redis_url), make_celery(broker.worker_redis_url, role="match")
    records, analyses = (make_celery(broker.redis_url, role="records"), make_celery(broker.redis_url, role="analysis"))
    of_host = (records, LOCAL_RECORDS, names.TASK_ALIVE, ["local", 0, "t"])
    for app, queue, task, arguments in (
        of_host,
        (worker, LOCAL_MATCHES, names.TASK_RUN, [0, "t"]),
        (analyses, names.QUEUE_ANALYSIS, names.TASK_RUN, [0, "t"]),
    ):
        platform.rpush(queue, bytes_of(item(task)), over, refused)
        with app.connection() as connection:
            client = connection.default_channel.client
            assert [client.brpop([queue], 1) for _ in range(2)] == [None, None]
            name, taken = client.brpop([queue], 1)
        assert (name, platform.llen(queue)) == (queue.encode(), 0)
        assert msgspec.json.decode(b64decode(msgspec.json.decode(taken)["body"]))[0] == arguments


def peak_mib(process: subprocess.Popen[bytes]) -> int:
    status = Path(f"/proc/{process.pid}/status").read_text("ascii")
    return int(status.split("VmHWM:")[1].split()[0]) // 1024


@contextmanager
def running_recorder(broker: BrokerPlan, tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    database = Database(sqlite_url(tmp_path))
    prepare(database, worker_redis_url=broker.worker_redis_url)
    database.close()
    log = tmp_path / "log"
    settings = {"REDIS_URL": broker.redis_url, "DATABASE_URL": sqlite_url(tmp_path)}
    with a_process([sys.executable, "-m", "gangland_web.workers.records"], log, **settings) as process:
        wait_for(lambda: "recording" in log.read_text(), process, log)
        yield process, log


def test_nothing_that_a_worker_pushes_ends_fills_or_imitates_the_recorder(broker: BrokerPlan, tmp_path: Path) -> None:
    platform, worker = link.connect(broker.redis_url), link.connect(broker.worker_redis_url)
    bomb = zlib.compress(b'[["' + b"a" * 300_000_000 + b'"],{},{}]', 1)
    with running_recorder(broker, tmp_path) as (process, log):
        for foreign in [*FOREIGN.values(), item(output=bomb, compression="application/x-gzip")]:
            worker.lpush(LOCAL_RECORDS, bytes_of(foreign))
        worker.lpush(LOCAL_RECORDS, bytes_of(item(output=body("too", "many", "things", "said"))))
        send(make_celery(broker.worker_redis_url, role="match"), names.TASK_ALIVE, [0, "token"], LOCAL_RECORDS)
        wait_for(lambda: "sent an invalid message" in log.read_text(), process, log)
        wait_for(lambda: not platform.llen(LOCAL_RECORDS), process, log)
        assert peak_mib(process) < 300
        assert set(platform.keys()) == set(
            map(str.encode, (COUNTS_KEY, MOMENTS_KEY, names.HOSTS_KEY, names.RELEASE_KEY))
        )
    assert log.read_text().count("dropped an unknown item") == len(FOREIGN) + 1


@pytest.mark.parametrize("module", ["gangland_web.workers.records", "gangland_web.workers.mail"])
def test_a_start_is_counted_before_anything_can_end_it(broker: BrokerPlan, tmp_path: Path, module: str) -> None:
    platform, log = link.connect(broker.redis_url), tmp_path / "log"
    settings = {
        "REDIS_URL": broker.redis_url,
        "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nothing",
        "SMTP_URL": "smtp://127.0.0.1:1",
        "SMTP_FROM": "house@bots.example",
        "SITE_URL": "http://bots.example",
    }
    with a_process([sys.executable, "-m", module], log, **settings) as process:
        wait_for(lambda: platform.hlen(COUNTS_KEY), process, log)
    process_name = {"gangland_web.workers.records": "records", "gangland_web.workers.mail": "mail"}[module]
    assert platform.hgetall(COUNTS_KEY) == {f"{STARTS.name}|{process_name}".encode(): b"1"}


def fill(client: redis.Redis, pushed: bytes) -> None:
    while True:
        client.lpush(LOCAL_RECORDS, pushed)


def test_a_full_broker_is_emptied_by_the_recorder_and_takes_messages_again(broker: BrokerPlan, tmp_path: Path) -> None:
    platform, worker = link.connect(broker.redis_url), link.connect(broker.worker_redis_url)
    platform.config_set("maxmemory", "24mb")
    with pytest.raises(redis.exceptions.OutOfMemoryError):
        fill(worker, bytes_of(item(output=body("x" * 1_000_000))))
    with running_recorder(broker, tmp_path) as (process, log):
        wait_for(lambda: not platform.llen(LOCAL_RECORDS), process, log)
        send(make_celery(broker.worker_redis_url, role="match"), names.TASK_ALIVE, [0, "token"], LOCAL_RECORDS)
        wait_for(lambda: "sent an invalid message" in log.read_text(), process, log)


def test_nothing_that_one_worker_pushes_ends_another(broker: BrokerPlan, tmp_path: Path) -> None:
    platform, worker, log = link.connect(broker.redis_url), link.connect(broker.worker_redis_url), tmp_path / "log"
    for foreign in FOREIGN.values():
        if foreign != FOREIGN["a match worker's task"]:
            worker.lpush(LOCAL_MATCHES, bytes_of(foreign))
    with a_worker(broker, [sys.executable, "-m", "gangland_web.workers.match"], log) as process:
        wait_for(lambda: link.count_slots(platform) and not platform.llen(LOCAL_MATCHES), process, log)
        wait_for(lambda: log.read_text().count("dropped an unknown item") == len(FOREIGN) - 1, process, log)


def test_a_stalled_broker_is_outlasted_by_whoever_may_wait(broker: BrokerPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(celery_app, "WORKER_WAIT_S", 0.1)
    app, slot = make_celery(broker.worker_redis_url, role="match"), link.connect(broker.redis_url, wait_s=0.3)
    send(app, names.TASK_ALIVE, [1, "token"], LOCAL_RECORDS)
    process_id = slot.info()["process_id"]
    os.kill(process_id, signal.SIGSTOP)
    try:
        with pytest.raises(redis.exceptions.TimeoutError):
            link.announce_slot(slot, "local", "me")
        with pytest.raises(OperationalError):  # as a worker's beats do, before its match is over
            send(app, names.TASK_ALIVE, [1, "token"], LOCAL_RECORDS, timeout_s=0.0)
        sender = threading.Thread(target=send, args=(app, names.TASK_ALIVE, [1, "token"], LOCAL_RECORDS))
        sender.start()
        sender.join(1.5)  # many times what one try may take
        waited = sender.is_alive()
    finally:
        os.kill(process_id, signal.SIGCONT)
    sender.join()
    assert waited
    send(app, names.TASK_ALIVE, [2, "token"], LOCAL_RECORDS, timeout_s=0.0)
    assert int(link.connect(broker.redis_url).llen(LOCAL_RECORDS)) >= 3
    options = link.connect("redis://u:p@h:1/0", wait_s=link.WORKER_WAIT_S).connection_pool.connection_kwargs
    assert options["socket_timeout"] == options["socket_connect_timeout"] == link.WORKER_WAIT_S == 5
