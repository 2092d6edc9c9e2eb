"""Worker hosts: each has a credential of its own, and what one says of another's match counts nowhere."""

import json
import os
import subprocess
import sys
import time
from base64 import b64decode
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest
import redis
import time_machine
from tests.kits import admin_kit, worker_kit
from tests.kits.broker_kit import ONCE, connect_once, running_broker
from tests.kits.core_kit import ON_POSTGRESQL, Platform, Sent, as_sent, open_platform, play_job, void
from tests.kits.models import MAX_SLOTS, Match, Verdict, WorkerHost, select

from gangland_web.base.formats import now_s
from gangland_web.broker import gate, link, names, server
from gangland_web.broker.access import BrokerUsers, HostAccess, credential_of, host_url, stored_hash
from gangland_web.metrics import COUNTS_KEY, FORGED
from gangland_web.services import jobs, worker_hosts
from gangland_web.workers.celery_app import make_celery, send

PATIENCE_S = 240.0
HOSTS = ("alder", "birch")


@dataclass
class Site:
    """A record worker in another process on a real broker, and two hosts that this test plays."""

    platform: Platform
    broker: server.BrokerPlan
    client: redis.Redis
    log: Path
    process: subprocess.Popen[bytes]
    urls: dict[str, str]

    def as_host(self, name: str) -> redis.Redis:
        return link.connect(self.urls[name])

    def say(self, name: str, task: str, *words: object, queue: str | None = None) -> None:
        """Send a message with a host's credential, by default to its own queue."""
        app = make_celery(self.urls[name], role="match")
        send(app, task, list(words), queue or names.queue_of(names.QUEUE_RECORDS, name), timeout_s=5.0)

    def answer(self, name: str, task: str, message: gate.Message, body: object = None) -> None:
        self.say(name, task, gate.encode_message(message.answer(body)))

    def announce(self) -> None:
        for name in HOSTS:
            link.announce_slot(self.as_host(name), name, f"{name}:1")

    def take(self, name: str) -> Sent:
        client, until = self.as_host(name), time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            self.announce()
            self.tick()
            taken: Any = client.brpop(list(names.play_queues(name)), timeout=0.5)
            if taken:
                body = msgspec.json.decode(taken[1])["body"]
                return as_sent(gate.decode_message(msgspec.json.decode(b64decode(body))[0][0]))
        raise AssertionError(f"no job came to {name}: {self.log.read_text()[-2000:]}")

    def tick(self) -> None:
        for tick in (names.TICK_SWEEP, names.TICK_SCHEDULE):
            make_celery(self.broker.redis_url).send_task(names.TASK_TICK, [tick], queue=names.QUEUE_RECORDS, expires=20)

    def until(self, happened: Callable[[], object], what: str) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not happened():
            assert self.process.poll() is None, self.log.read_text()[-3000:]
            assert time.monotonic() < deadline, f"{what}: {self.log.read_text()[-3000:]}"
            self.tick()
            time.sleep(0.2)

    def settled(self) -> None:
        queues = [names.QUEUE_RECORDS, *(names.queue_of(names.QUEUE_RECORDS, name) for name in HOSTS)]
        deadline = time.monotonic() + PATIENCE_S
        while any(self.client.llen(queue) for queue in queues):
            assert time.monotonic() < deadline, self.log.read_text()[-3000:]
            time.sleep(0.05)
        self.say("alder", names.TASK_ALIVE, "mark")  # each message is done with before the next one is
        time.sleep(0.3)

    def forged(self) -> float:
        document: Any = self.client.hget(COUNTS_KEY, FORGED.name)
        return float(document or 0)


@contextmanager
def running_site(folder: Path) -> Iterator[Site]:
    opened = open_platform("sqlite", folder)
    with running_broker(folder) as broker:
        urls = {name: host_url(broker.redis_url, name, f"the password of {name}") for name in HOSTS}
        with opened.database.write() as session:
            worker_hosts.revoke_host(session, "local")
            for url in urls.values():
                worker_hosts.create_host(session, *credential_of(url))
        settings = {"REDIS_URL": broker.redis_url, "DATABASE_URL": opened.database.url, "GANGLAND_ROUNDS": "1"}
        log, client = folder / "records.log", link.connect(broker.redis_url)
        with worker_kit.a_process([sys.executable, "-m", "gangland_web.workers.records"], log, **settings) as process:
            site = Site(opened, broker, client, log, process, urls)
            site.until(lambda: client.hlen("hosts") == len(HOSTS), "the hosts were not let in")
            yield site
        opened.database.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running_site(tmp_path_factory.mktemp("site")) as running:
        yield running


def states(site: Site, match_job: Sent) -> tuple[str, str | None, int]:
    job = site.platform.job(match_job)
    return job.state, job.token, job.attempt


def test_a_result_counts_from_the_host_that_has_the_match_and_a_forged_one_is_told(site: Site) -> None:
    match_job = site.take("alder")
    before, document = states(site, match_job), site.forged()
    honest, message = play_job(match_job), match_job.message
    tokens = ("0" * 48, jobs.LeaseSigner(b"guessed").token(message.job, 3))
    forged = [message, *(msgspec.structs.replace(message, token=token) for token in tokens)]
    for each in forged:
        site.answer("birch", names.TASK_RESULT, each, honest)
    site.answer("birch", names.TASK_RESULT, message, void(match_job))
    for task in (names.TASK_ALIVE, names.TASK_RETURNED):
        site.answer("birch", task, message)
    site.answer("birch", names.TASK_ALIVE, message, {"stage": "timed"})
    site.until(lambda: site.forged() - document == len(forged) + 4, "not every forged message was counted")
    assert states(site, match_job) == before
    assert f"birch sent a message about ladder {message.job}, which was not leased to it" in site.log.read_text()

    site.answer("alder", names.TASK_ALIVE, message)
    site.answer("alder", names.TASK_RESULT, message, honest)
    site.until(lambda: site.platform.match(match_job.id).state == "done", "the honest result was not recorded")
    host = site.platform.row(select(WorkerHost).where(WorkerHost.id == site.platform.match(match_job.id).host_id))
    assert host.name == "alder"
    document = site.forged()
    site.answer("alder", names.TASK_RESULT, message, honest)  # once more: late, and nobody's forgery
    site.settled()
    assert site.forged() == document


def test_who_sent_a_message_is_never_said_by_the_message(site: Site) -> None:
    match_job = site.take("alder")
    before = states(site, match_job)
    text = gate.encode_message(match_job.message.answer(void(match_job)))
    for words in (["alder", text], [text, "alder"]):
        for task in (names.TASK_ALIVE, names.TASK_RETURNED, names.TASK_RESULT):
            site.say("birch", task, *words)
    for tick in (names.TICK_SWEEP, names.TICK_SCHEDULE):
        site.say("birch", names.TASK_TICK, tick)
    site.settled()
    assert states(site, match_job) == before
    assert site.log.read_text().count("dropped an unknown item from the queue records:birch") == 2
    assert site.process.poll() is None
    site.answer("alder", names.TASK_RETURNED, match_job.message)


HOSTILE: dict[str, Callable[[Any], object]] = {
    "take another's jobs": lambda birch: birch.brpop(["trials:alder", "matches:alder"], timeout=0.01),
    "take another's tables": lambda birch: birch.brpop(["tables:alder"], timeout=0.01),
    "fake another's tables": lambda birch: birch.zadd("table-workers:alder", {"x": 1}),
    "read another's jobs": lambda birch: birch.lrange("matches:alder", 0, -1),
    "count another's jobs": lambda birch: birch.llen("matches:alder"),
    "give another a job": lambda birch: birch.lpush("matches:alder", "{}"),
    "push into another's results": lambda birch: birch.lpush("records:alder", "{}"),
    "push into the platform's queue": lambda birch: birch.lpush("records", "{}"),
    "push into a queue of nobody's": lambda birch: birch.lpush("records:cedar", "{}"),
    "take from its own results": lambda birch: birch.brpop(["records:birch"], timeout=0.01),
    "withdraw another's slots": lambda birch: birch.zrem("slots:alder", "alder:1"),
    "fake another's slots": lambda birch: birch.zadd("slots:alder", {"x": 1}),
    "say that another has stopped": lambda birch: birch.zadd("stopped:alder:bubblewrap", {"x": 1}),
    "raise its own limit": lambda birch: birch.hset("hosts", "birch", 1000),
    "read who plays": lambda birch: birch.hgetall("hosts"), "list the keys": lambda birch: birch.keys("*"),
    "read the access list": lambda birch: birch.acl_list(),
    "become another": lambda birch: birch.execute_command("ACL", "SETUSER", "host-alder", "nopass"),
    "read the configuration": lambda birch: birch.config_get("*"),
    "end another's connections": lambda birch: birch.execute_command("CLIENT", "KILL", "USER", "host-alder"),
    "move another's jobs": lambda birch: birch.lmove("matches:alder", "matches:birch"),
    "delete another's jobs": lambda birch: birch.delete("matches:alder"),
    "read what was counted": lambda birch: birch.hgetall("metrics"),
    "count what was not": lambda birch: birch.hincrbyfloat("metrics", "x", 1),
    "watch everybody": lambda birch: birch.execute_command("MONITOR"),
}  # fmt: skip


@pytest.mark.parametrize("act", HOSTILE)
def test_the_broker_lets_no_host_reach_what_is_anothers(site: Site, act: str) -> None:
    with pytest.raises(redis.exceptions.NoPermissionError):
        HOSTILE[act](site.as_host("birch"))


def test_a_host_that_is_revoked_in_mid_match_is_cut_off_and_its_match_is_played_by_another(tmp_path: Path) -> None:
    with running_site(tmp_path) as site:
        birch = site.as_host("birch")
        match_job = site.take("birch")
        site.answer("birch", names.TASK_ALIVE, match_job.message)
        site.until(lambda: site.platform.job(match_job).begun_at is not None, "it was not begun")
        birch.ping()
        site.platform.write(worker_hosts.revoke_host, "birch")
        alder = site.as_host("alder")

        def shut() -> bool:
            link.announce_slot(alder, "alder", "alder:1")
            return b"birch" not in site.client.hgetall("hosts")

        site.until(shut, "birch was not shut out")
        with pytest.raises(redis.exceptions.RedisError):
            birch.ping()
        for name in (
            *names.job_queues("birch"), names.queue_of(names.QUEUE_RECORDS, "birch"), names.slots_key("birch"),
        ):  # fmt: skip
            assert not site.client.exists(name)
        site.client.lpush(names.queue_of(names.QUEUE_RECORDS, "birch"), "what came a moment too late")

        def elsewhere() -> bool:
            for number in range(4):
                link.announce_slot(alder, "alder", f"alder:{number}")
            state, token, _ = states(site, match_job)
            return state == "leased" and token != match_job.token

        site.until(elsewhere, "the match was not given to another host")
        assert site.platform.job(match_job).attempt == 0
        late = gate.encode_message(match_job.message.answer())
        assert jobs.record_message(site.platform.database, jobs.Report.ALIVE, "birch", late).verdict is Verdict.EXCLUDED
        site.platform.write(worker_hosts.renew_host, "birch", "another password")
        address = host_url(site.broker.redis_url, "birch", "another password")
        site.until(lambda: b"birch" in site.client.hgetall("hosts"), "birch was not let in")
        assert link.connect(address).ping()


def test_a_worker_of_a_host_that_is_not_let_in_says_so_and_ends(site: Site) -> None:
    address = host_url(site.broker.redis_url, "cedar", "s3cret")
    environment = {"PATH": os.environ["PATH"], "WORKER_REDIS_URL": address}
    command = [sys.executable, "-m", "gangland_web.workers.match"]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240, check=False)
    assert ran.returncode == 2
    assert "refuses this worker host" in ran.stderr
    assert "s3cret" not in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_broker_that_forgot_its_hosts_is_told_of_them_again(site: Site) -> None:
    site.client.acl_deluser("host-alder")
    site.until(lambda: "host-alder" in site.client.acl_users(), "alder was not let in again")
    assert site.as_host("alder").ping()


def test_no_more_slots_are_believed_than_a_hosts_limit(tmp_path: Path) -> None:
    with running_broker(tmp_path) as broker:
        client = link.connect(broker.redis_url)
        broker_users = BrokerUsers(client)
        broker_users.admit([HostAccess("alder", stored_hash("a"), 2), HostAccess("birch", stored_hash("b"), 3)])
        for name, password in (("alder", "a"), ("birch", "b")):
            host = link.connect(host_url(broker.redis_url, name, password))
            for slot in range(10):
                link.announce_slot(host, name, str(slot))
        assert (link.slots_by_host(client), link.count_slots(client)) == ({"alder": 2, "birch": 3}, 5)
        access = broker_users.admit([HostAccess("alder", stored_hash("anew"), 1)])
        assert (access.added, access.removed) == (("alder",), ("birch",))
        with pytest.raises(redis.exceptions.AuthenticationError):
            connect_once(host_url(broker.redis_url, "alder", "a")).ping()


def shared_out(platform: Platform) -> Counter[int | None]:
    return Counter(match.host_id for match in platform.matches(state="leased"))


def test_matches_are_shared_out_by_slots_within_limits(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    with platform.database.write() as session:
        ids = {name: worker_hosts.create_host(session, name, name).id for name in HOSTS}
        worker_hosts.limit_host(session, "birch", 2)
    slots = {"local": 0, "alder": 4, "birch": 40}
    monkeypatch.setattr(platform.post, "slots", lambda: slots)
    platform.recorder.rounds = 4
    platform.recorder.schedule()
    first = shared_out(platform)
    assert set(first) == set(ids.values())
    assert sum(first.values()) >= 8
    assert abs(first[ids["alder"]] - 2 * first[ids["birch"]]) <= 2
    begun = next(job for _, job in platform.post.sent if platform.match(job.id).host_id == ids["birch"])
    platform.begin(begun, "birch")
    platform.write_row(worker_hosts.stop_host, WorkerHost, ids["birch"], "its matches came out otherwise")
    platform.recorder.sweep()
    assert set(shared_out(platform)) == {ids["alder"]}
    again = platform.job(begun)
    assert (again.attempt, again.token != begun.token) == (0, True)
    with platform.database.write() as session:
        assert [host.name for host in worker_hosts.playing_hosts(session)] == ["local", "alder"]
        worker_hosts.resume_host(session, "birch")
        assert [host.name for host in worker_hosts.playing_hosts(session)] == ["local", "alder", "birch"]


def test_jobs_at_a_host_without_a_worker_go_to_another(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = {name: platform.write(worker_hosts.create_host, name, name).id for name in HOSTS}
    slots = {"alder": 1, "birch": 1}
    taken: list[str] = []
    monkeypatch.setattr(platform.post, "slots", lambda: slots)
    monkeypatch.setattr(platform.post, "waiting", lambda hosts: dict.fromkeys(hosts, 3))
    monkeypatch.setattr(platform.post, "withdraw", taken.extend)
    with time_machine.travel(1_800_000_000, tick=False) as clock:
        platform.recorder.schedule()
        assert set(shared_out(platform)) == set(ids.values())
        slots["birch"] = 0
        clock.shift(16)
        platform.recorder.sweep()
    assert set(shared_out(platform)) == {ids["alder"]}
    assert names.queue_of(names.QUEUE_MATCHES, "birch") in taken
    assert names.queue_of(names.QUEUE_MATCHES, "alder") not in taken


@ON_POSTGRESQL
def test_a_host_has_a_plain_name_which_is_given_once_and_what_is_there_can_be_changed(platform: Platform) -> None:
    with platform.database.write() as session:
        for name in ("", "-a", "a-", "A", "a:b", "a*b", "a b", "x" * 33, "é", "host/1", "a\n"):
            with pytest.raises(worker_hosts.HostRefused, match="lowercase letters"):
                worker_hosts.create_host(session, name, "password")
        made = worker_hosts.create_host(session, "alder", "secret", slot_limit=4)
        assert (made.password_sha256, made.slot_limit) == (stored_hash("secret"), 4)
        for wrong in (0, MAX_SLOTS + 1):
            with pytest.raises(worker_hosts.HostRefused, match="limit"):
                worker_hosts.limit_host(session, "alder", wrong)
        with pytest.raises(worker_hosts.HostRefused, match="already exists"):
            worker_hosts.create_host(session, "alder", "other")
        worker_hosts.revoke_host(session, "alder")
        with pytest.raises(worker_hosts.HostRefused, match="was revoked"):
            worker_hosts.create_host(session, "alder", "other")
        assert worker_hosts.ensure_host(session, "alder", "drawn anew").revoked_at is not None
        assert worker_hosts.renew_host(session, "alder", "third").revoked_at is None
        with pytest.raises(
            worker_hosts.HostRefused, match="there is no worker host 'cedar'; the hosts are: alder, local"
        ):
            worker_hosts.revoke_host(session, "cedar")
        worker_hosts.update_last_seen(session, [made])
        assert made.last_seen_at is not None
        observed = made.last_seen_at
        worker_hosts.update_last_seen(session, [made])
        assert made.last_seen_at == observed <= now_s()


def admin(platform: Platform, *words: str) -> dict[str, Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REDIS_URL", "redis://gangland:secret@10.0.0.1:6379/0")
        ran = admin_kit.admin(platform, *words, "--json", group="worker")
    assert "secret" not in ran.out + ran.err
    return json.loads(ran.out) if ran.code == 0 else {"code": ran.code, "err": ran.err}


@pytest.mark.parametrize("platform", ["sqlite"], indirect=True)
def test_hosts_are_made_listed_limited_and_revoked_from_a_shell(platform: Platform) -> None:
    address = admin(platform, "create", "play-2", "--slots", "4")["worker_redis_url"]
    assert address.endswith("@10.0.0.1:6379/0")
    name, password = credential_of(address)
    host = platform.row(select(WorkerHost).where(WorkerHost.name == "play-2"))
    assert (name, stored_hash(password), host.slot_limit) == ("play-2", host.password_sha256, 4)
    assert admin(platform, "limit", "play-2", "3")["slots"] == 3
    renewed = admin(platform, "renew", "play-2", "--broker", "redis://broker.example:6379/0")["worker_redis_url"]
    assert renewed.endswith("@broker.example:6379/0")
    assert credential_of(renewed)[1] != password
    assert admin(platform, "revoke", "play-2")["revoked"] is not None
    listed = admin(platform, "list")["hosts"]
    assert [(one["name"], one["revoked"] is None) for one in listed] == [("local", True), ("play-2", False)]
    assert "worker_redis_url" not in json.dumps(listed)
    assert admin(platform, "revoke", "nobody")["code"] == 2
    assert admin(platform, "create", "Play 2")["code"] == 2


def test_a_match_row_keeps_its_host_whatever_becomes_of_it(platform: Platform) -> None:
    platform.recorder.rounds = 1
    platform.recorder.schedule()
    match_job = platform.take()
    platform.finish(match_job)
    platform.write(worker_hosts.revoke_host, "local")
    platform.recorder.sweep()
    assert platform.get(WorkerHost, platform.match(match_job.id).host_id).name == "local"
    assert not platform.rows(select(Match).where(Match.state == "leased"))


def test_code_is_all_that_hosts_share_and_no_password_opens_another_hosts_door(site: Site) -> None:
    site.client.set(names.code_key("0" * 64), b"source")
    assert {site.as_host(name).get(names.code_key("0" * 64)) for name in HOSTS} == {b"source"}
    for user, password in (
        ("host-alder", "the password of birch"), ("worker", "the password of birch"), ("host-cedar", ""),
    ):  # fmt: skip
        client = redis.Redis(unix_socket_path=str(site.broker.socket), username=user, password=password, retry=ONCE)
        with pytest.raises(redis.exceptions.AuthenticationError):
            client.ping()
