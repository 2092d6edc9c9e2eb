"""The private broker: who may do what there, where its files lie, and what a wrong clock leads to."""

import os
import stat
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import redis
import time_machine
from tests.kits.broker_kit import ONCE, connect_once, running_broker

from gangland_sandbox.doctor import ALL_FIXES
from gangland_web.broker import access, gate, link, names, server
from gangland_web.broker.server import SOCKET_PATH_BYTES, BrokerPlan, plan_broker, remove_socket
from gangland_web.models.matches import MAX_SLOTS

Act = Callable[[Any], object]

ALLOWED: dict[str, Act] = {
    "take a match": lambda worker: worker.brpop(["trials:local", "matches:local"], timeout=0.01),
    "take a table": lambda worker: worker.brpop(["tables:local"], timeout=0.01),
    "announce that it takes tables": lambda worker: worker.zadd("table-workers:local", {"me": 1}),
    "push a result": lambda worker: worker.lpush("records:local", "{}"),
    "read code": lambda worker: worker.get("code:" + "0" * 64),
    "announce its slot": lambda worker: worker.zadd("slots:local", {"me": 1}),
    "withdraw its slot": lambda worker: worker.zrem("slots:local", "me"),
    "put back what it took": lambda worker: worker.lpush("matches:local", "job"),
    "say that its jail does not hold": lambda worker: worker.zadd("stopped:local:bubblewrap", {"me": 1}),
    "count what waits": lambda worker: worker.llen("matches:local"),
    "count the results, as Celery does before it sends one": lambda worker: worker.llen("records:local"),
    "ask for the time": lambda worker: worker.time(),
}

REFUSED: dict[str, Act] = {
    "list keys": lambda worker: worker.keys("*"), "scan keys": lambda worker: worker.scan(),
    "flush": lambda worker: worker.flushall(), "flush one database": lambda worker: worker.flushdb(),
    "read the configuration": lambda worker: worker.config_get("*"),
    "change the configuration": lambda worker: worker.config_set("dir", "/"),
    "stop the server": lambda worker: worker.execute_command("SHUTDOWN"),
    "see other clients": lambda worker: worker.client_list(),
    "watch what others do": lambda worker: worker.execute_command("MONITOR"),
    "read the access list": lambda worker: worker.acl_list(),
    "change the access list": lambda worker: worker.acl_setuser("host-local", enabled=True, nopass=True),
    "run a script": lambda worker: worker.eval("return 1", 0),
    "list modules": lambda worker: worker.execute_command("MODULE", "LIST"),
    "copy a server": lambda worker: worker.execute_command("REPLICAOF", "127.0.0.1", "1"),
    "look into a key": lambda worker: worker.execute_command("DUMP", "matches:local"),
    "go to another database": lambda worker: worker.select(7),
    "publish": lambda worker: worker.publish("/0.celery.pidbox", "shutdown"),
    "subscribe": lambda worker: worker.execute_command("SUBSCRIBE", "celeryev"),
    "look at what tables wait": lambda worker: worker.lrange("tables:local", 0, -1),
    "have tables sent": lambda worker: worker.lpush("records", "{}"),
    "take results": lambda worker: worker.brpop(["records:local"], timeout=0.01),
    "look at results": lambda worker: worker.lrange("records:local", 0, -1),
    "put jobs before others": lambda worker: worker.rpush("matches:local", "{}"),
    "say that nothing plays for a cause of its own": lambda worker: worker.zadd("stopped:local:x", {"me": 1}),
    "write under a name of its own": lambda worker: worker.hset("play.unacked", "tag", "message"),
    "watch a queue": lambda worker: worker.pipeline().watch("matches:local"),
    "read who has stopped": lambda worker: worker.zrange("stopped:local:bubblewrap", 0, -1),
    "look at jobs": lambda worker: worker.lrange("matches:local", 0, -1),
    "look how long a key is": lambda worker: worker.strlen("code:x"),
    "ask whether a key is there": lambda worker: worker.exists("code:x"),
    "wait for a change": lambda worker: worker.execute_command("CLIENT", "TRACKING", "ON"),
    "take a name": lambda worker: worker.execute_command("CLIENT", "SETNAME", "records:local"),
    "load a function": lambda worker: worker.execute_command("FUNCTION", "LIST"),
    "make others wait": lambda worker: worker.execute_command("CLIENT", "PAUSE", "1"),
    "have it written out": lambda worker: worker.execute_command("BGREWRITEAOF"),
    "sort into another key": lambda worker: worker.execute_command("SORT", "matches:local", "STORE", "records:local"),
    "move a job": lambda worker: worker.lmove("matches:local", "records:local"),
    "copy code": lambda worker: worker.execute_command("COPY", "code:x", "code:y"),
    "rename a queue": lambda worker: worker.rename("matches:local", "records:local"),
    "move a key to another database": lambda worker: worker.move("matches:local", 1),
    "put code there": lambda worker: worker.set("code:" + "0" * 64, b"mine"),
    "delete code": lambda worker: worker.delete("code:" + "0" * 64),
    "change code by a push": lambda worker: worker.lpush("code:x", "mine"),
    "read the slots": lambda worker: worker.zrange("slots:local", 0, -1),
    "read another key": lambda worker: worker.get("gangland:rate:upload"),
    "write another key": lambda worker: worker.lpush("celery", "{}"),
    "delete a queue": lambda worker: worker.delete("matches:local"),
    "let a queue expire": lambda worker: worker.expire("matches:local", 1),
    "delete the results": lambda worker: worker.delete("records:local"),
    "watch the results": lambda worker: worker.pipeline().watch("records:local"),
    "put results before others": lambda worker: worker.rpush("records:local", "{}"),
    "take and push in one": lambda worker: worker.blmove("matches:local", "records:local", 0.01),
    "see who it is": lambda worker: worker.acl_whoami(),
    "end other clients": lambda worker: worker.execute_command("CLIENT", "KILL", "ID", "1"),
    "make a hash of the results": lambda worker: worker.hset("records:local", "a", "b"),
    "make a set of the results": lambda worker: worker.zadd("records:local", {"a": 1}),
    "make a list of the slots": lambda worker: worker.rpush("slots:local", "a"),
    "raise its slot and read it": lambda worker: worker.zincrby("slots:local", 1, "me"),
    "make a list of the slots from the left": lambda worker: worker.lpush("slots:local", "a"),
    "make a hash of the slots": lambda worker: worker.hset("slots:local", "a", "b"),
    "make a hash of the matches": lambda worker: worker.hset("matches:local", "a", "b"),
    "make a set of the trials": lambda worker: worker.zadd("trials:local", {"a": 1}),
    "make a hash of code": lambda worker: worker.hset("code:x", "a", "b"),
    "take from what is no queue": lambda worker: worker.brpop(["slots:local"], timeout=0.01),
    "take from a queue and what is none": lambda worker: worker.brpop(["matches:local", "records:local"], timeout=0.01),
    "read a queue as code": lambda worker: worker.get("records:local"),
    "watch code": lambda worker: worker.pipeline().watch("code:x"),
    "take results of analyses": lambda worker: worker.brpop(["analyzed"], timeout=0.01),
}  # fmt: skip
OF_ANALYSES: dict[str, Act] = {
    f"push into {queue}": lambda worker, queue=queue: worker.lpush(queue, "{}")  # type: ignore[misc]
    for queue in ("analysis-soon", "analysis", "analyzed")
}


@pytest.fixture(scope="module")
def shared_broker(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with running_broker(tmp_path_factory.mktemp("broker")) as plan:
        yield plan


@pytest.mark.parametrize("act", ALLOWED)
def test_a_match_worker_may(shared_broker: BrokerPlan, act: str) -> None:
    ALLOWED[act](link.connect(shared_broker.worker_redis_url))


@pytest.mark.parametrize("act", [*REFUSED, *OF_ANALYSES])
def test_a_match_worker_may_not(shared_broker: BrokerPlan, act: str) -> None:
    with pytest.raises(redis.exceptions.NoPermissionError):
        (REFUSED | OF_ANALYSES)[act](link.connect(shared_broker.worker_redis_url))


ANALYSIS_MAY: dict[str, Act] = {
    "take a game": lambda worker: worker.brpop(["analysis"], timeout=0.01),
    "put back what it took": lambda worker: worker.lpush("analysis", "job"),
    "push a result": lambda worker: worker.lpush("analyzed", "{}"),
    "take a hint or a clip": lambda worker: worker.brpop(["analysis-soon", "analysis"], timeout=0.01),
    "count both, as Celery does": lambda worker: (worker.llen("analysis"), worker.llen("analyzed")),
    "ask for the time": lambda worker: worker.time(),
}
OF_HOSTS_ALONE = ("take a match", "push a result", "read code", "announce its slot", "withdraw its slot")


@pytest.mark.parametrize("act", ANALYSIS_MAY)
def test_who_analyses_games_may(shared_broker: BrokerPlan, act: str) -> None:
    ANALYSIS_MAY[act](link.connect(shared_broker.analysis_redis_url))


@pytest.mark.parametrize("act", [*REFUSED, *OF_HOSTS_ALONE])
def test_who_analyses_games_may_do_nothing_else(shared_broker: BrokerPlan, act: str) -> None:
    with pytest.raises(redis.exceptions.NoPermissionError):
        (REFUSED | ALLOWED)[act](link.connect(shared_broker.analysis_redis_url))


def test_a_broker_that_forgot_who_analyses_games_is_told_again(broker: BrokerPlan) -> None:
    platform = link.connect(broker.redis_url)
    password = access.stored_hash(access.analysis_password(broker.analysis_redis_url))
    platform.acl_deluser(names.ANALYSIS_USER)
    access.BrokerUsers(platform).admit([])
    with pytest.raises(redis.exceptions.AuthenticationError):
        connect_once(broker.analysis_redis_url).llen("analysis")
    access.BrokerUsers(platform, password).admit([])
    assert link.connect(broker.analysis_redis_url).llen("analysis") == 0
    with pytest.raises(redis.exceptions.NoPermissionError):
        link.connect(broker.analysis_redis_url).brpop(["analyzed"], timeout=0.01)


def test_nobody_gets_in_without_a_name_and_a_password(broker: BrokerPlan) -> None:
    with pytest.raises(redis.exceptions.AuthenticationError):
        redis.Redis(unix_socket_path=str(broker.socket), retry=ONCE).ping()
    with pytest.raises(redis.exceptions.AuthenticationError):
        redis.Redis(unix_socket_path=str(broker.socket), username="default", password="any", retry=ONCE).ping()
    with pytest.raises(redis.exceptions.AuthenticationError):
        connect_once(f"unix://gangland:wrong@{broker.socket}").ping()


def test_the_broker_listens_on_no_port_keeps_all_and_has_no_second_database(shared_broker: BrokerPlan) -> None:
    platform = link.connect(shared_broker.redis_url)
    result = platform.config_get("*")
    assert (result["port"], result["appendonly"], result["maxmemory-policy"]) == ("0", "yes", "noeviction")
    assert result["maxmemory"] == str(512 * 1024 * 1024)
    with pytest.raises(redis.exceptions.ResponseError, match="out of range"):
        platform.select(1)


def test_nobody_may_send_more_at_once_than_an_item_may_have(broker: BrokerPlan) -> None:
    with pytest.raises((redis.exceptions.RedisError, OSError)):
        link.connect(broker.worker_redis_url).lpush("records:local", b"x" * (gate.ITEM_BYTES + 1))
    assert link.connect(broker.redis_url).llen("records:local") == 0


def test_passwords_lie_in_files_that_nobody_else_reads_and_stay_the_same(tmp_path: Path) -> None:
    first, second = plan_broker(tmp_path), plan_broker(tmp_path)
    remove_socket(first)
    assert first == second
    for name in ("platform-password", "worker-password", "users.acl"):
        assert stat.S_IMODE((first.folder / name).stat().st_mode) == 0o600
    for url in (first.redis_url, first.worker_redis_url):
        password = url.split(":")[2].split("@")[0]
        assert len(password) == 64
        assert password not in (first.folder / "users.acl").read_text()
        assert password not in " ".join(first.command)


def test_the_socket_lies_where_workers_reach_it_and_stays_its_users(tmp_path: Path) -> None:
    deep = tmp_path / ("a" * 90)
    owner = 10015 if os.geteuid() == 0 else os.getuid()
    with running_broker(deep) as plan:
        assert len(os.fsencode(plan.socket)) <= SOCKET_PATH_BYTES
        folder, users = plan.socket.parent, plan.folder / "users.acl"
        assert not folder.stat().st_mode & stat.S_IRWXO
        if os.geteuid() == 0:
            assert (folder.stat().st_gid, plan.socket.stat().st_gid) == (10001, 10001)
        for place in (users, folder):
            os.chown(place, owner, -1)
        assert plan_broker(deep) == plan
        assert (folder.stat().st_uid, users.stat().st_uid) == (owner, owner)
    assert not plan.socket.exists()


@pytest.mark.parametrize(("version", "taken"), [("7.0.15", True), ("6.2.9", False), ("", False)])
def test_no_old_server_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, taken: bool) -> None:
    program = tmp_path / "valkey-server"
    program.write_text(f"#!/bin/sh\necho 'Valkey server v={version} sha=0'\n")
    program.chmod(0o755)
    monkeypatch.setattr(server, "SYSTEM_FOLDERS", ())
    monkeypatch.setenv("PATH", str(tmp_path))
    found = server.find_server()
    assert (found.path == program) == taken
    assert found.version >= server.OLDEST_VERSION
    assert found.label == f"{found.path} {'.'.join(map(str, found.version))}"


def test_what_was_sent_is_there_after_a_restart(tmp_path: Path) -> None:
    with running_broker(tmp_path) as plan:
        link.connect(plan.redis_url).lpush("matches", "job")
        with link.connect(plan.redis_url).pipeline(transaction=True) as pipe:
            pipe.lpush("matches", "another")
            pipe.execute()
    with running_broker(tmp_path) as plan:
        assert link.connect(plan.redis_url).lrange("matches", 0, -1) == [b"another", b"job"]


def test_a_slot_counts_until_it_is_withdrawn_or_falls_silent(broker: BrokerPlan) -> None:
    platform, worker = link.connect(broker.redis_url), link.connect(broker.worker_redis_url)
    with time_machine.travel(1_800_000_000, tick=False) as clock:
        link.announce_slot(worker, "local", "one")
        link.announce_slot(worker, "local", "two")
        assert link.count_slots(platform) == 2
        link.withdraw_slot(worker, "local", "two")
        assert link.count_slots(platform) == 1
        clock.shift(timedelta(seconds=21))
        assert link.count_slots(platform) == 0


def test_no_slot_is_believed_that_lasts_longer_than_it_may_nor_too_many(broker: BrokerPlan) -> None:
    platform, worker = link.connect(broker.redis_url), link.connect(broker.worker_redis_url)
    link.announce_slot(worker, "local", "honest")
    link.announce_stopped(worker, "local", "honest", "bubblewrap")
    for until in (1e12, float("inf")):
        worker.zadd(names.slots_key("local"), {"for ever": until})
        worker.zadd(names.stopped_key("bubblewrap", "local"), {"for ever": until})
        assert link.count_slots(platform) == 1
        assert platform.zrange(names.slots_key("local"), 0, -1) == [b"honest"]
        assert link.count_stopped(platform, ALL_FIXES) == {"bubblewrap": 1}
    with worker.pipeline() as pipe:
        for number in range(MAX_SLOTS + 1):
            link.announce_slot(pipe, "local", str(number))
        pipe.execute()
    assert link.count_slots(platform) == MAX_SLOTS


@pytest.mark.parametrize("off_s", [-60, 60])
def test_a_clock_that_differs_from_the_brokers_is_refused(broker: BrokerPlan, off_s: int) -> None:
    client = link.connect(broker.worker_redis_url)
    link.check_clock(client)
    seconds, micros = client.time()
    with (
        time_machine.travel(seconds + micros / 1e6 + off_s, tick=False),
        pytest.raises(link.ClockError, match="broker"),
    ):
        link.check_clock(client)


def test_addresses_of_sockets_and_networks_reach_celery() -> None:
    assert link.celery_url("unix://worker:pw@/run/x.sock") == "redis+socket://worker:pw@/run/x.sock"
    assert link.celery_url("redis://worker:pw@host:6379/0") == "redis://worker:pw@host:6379/0"
