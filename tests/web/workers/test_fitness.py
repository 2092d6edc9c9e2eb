"""A worker whose jail does not hold: it takes no match, says so where people look, and comes back by itself."""

import re
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
import redis
from celery.exceptions import WorkerShutdown
from tests.kits import worker_kit
from tests.kits.broker_kit import LOCAL_MATCHES, LOCAL_RECORDS
from tests.kits.worker_kit import GOOD, SLOW, WELL, a_worker, hashed, match_job_of, message_of, send_run, wait_for
from tests.sandbox.staging import MACHINES, bend, reachable, started_on

from gangland_ladder.matches.match_jobs import Result, decode_match_job, encode
from gangland_sandbox import doctor, errors, jail, limits
from gangland_sandbox.doctor import ALL_FIXES, Probe, probe_of
from gangland_sandbox.pool import Pool
from gangland_web.broker.link import announce_stopped, connect, count_slots, count_stopped, withdraw_stopped
from gangland_web.broker.names import TASK_ALIVE, TASK_RESULT, stopped_key
from gangland_web.broker.server import BrokerPlan
from gangland_web.workers import match, players
from gangland_web.workers import match as match_worker
from gangland_web.workers.players import CodeStore, Player

WATCHFUL = """
import sys
from gangland_web.workers import match as worker
worker.PROBE_INTERVAL_S = worker.ANNOUNCE_INTERVAL_S = 0.1
sys.exit(worker.main())
"""
"""The worker, only more watchful."""


TRUSTING = dict.fromkeys(("GANGLAND_MODE", "GANGLAND_TRUSTED", "GANGLAND_TIER", "TRUSTED", "MODE"), "trusted")
STARTED = {"no bubblewrap", "user namespaces off", "a jail that can be written to"}
"""One for each way to stage a machine: its PATH, its namespaces, a jail that opens all the same."""


@pytest.mark.parametrize(
    "name",
    [
        name if name in STARTED else pytest.param(name, marks=pytest.mark.long("the doctor's tests have each machine"))
        for name in MACHINES
    ],
)
def test_where_jails_do_not_hold_a_worker_takes_no_match(name: str, broker: BrokerPlan, tmp_path: Path) -> None:
    staged, log, platform = MACHINES[name], tmp_path / "log", connect(broker.redis_url)
    send_run(broker, match_job_of(GOOD, GOOD))
    path = bend(reachable(tmp_path) / "bin", staged.bwrap)
    with a_worker(
        broker, started_on(staged, "-m", "gangland_web.workers.match"), log, PATH=path, **TRUSTING
    ) as process:
        assert process.wait() == 3
    assert "refuses to play" in log.read_text()
    assert staged.fix in log.read_text()
    assert (platform.llen(LOCAL_MATCHES), platform.llen(LOCAL_RECORDS), count_slots(platform)) == (1, 0, 0)
    ((cause, places),) = count_stopped(platform, ALL_FIXES).items()
    assert (probe_of(cause), places) == (staged.probe, 1)
    assert staged.fix in ALL_FIXES[cause]


def test_a_jail_that_fails_ends_the_worker_one_that_holds_brings_it_back(broker: BrokerPlan, tmp_path: Path) -> None:
    log, platform, folder = tmp_path / "log", connect(broker.redis_url), reachable(tmp_path) / "bin"
    path = bend(folder, "well")
    platform.set("code:" + hashed(GOOD), GOOD)
    with a_worker(broker, started_on(WELL, "-X", "importtime", "-c", WATCHFUL), log, PATH=path) as process:
        wait_for(lambda: log.read_text().count("probes of the jail passed") > 2, process, log)
        assert count_slots(platform) == 1
        bend(folder, "broken")
        assert process.wait() == 3
    assert "plays no further match" in log.read_text()
    assert (count_slots(platform), count_stopped(platform, ALL_FIXES)) == (0, {"bubblewrap_version": 1})
    late = re.findall(r"^import time:.*\| +(\S+)$", log.read_text().split("ready to play")[1], re.MULTILINE)
    assert late == []  # root privileges are dropped by then, and the host's Python may be out of reach
    send_run(broker, match_job_of(GOOD, GOOD))
    with a_worker(broker, started_on(WELL, "-c", WATCHFUL), log, PATH=path) as process:
        assert process.wait() == 3
    assert platform.llen(LOCAL_MATCHES) == 1
    bend(folder, "well")
    with a_worker(broker, started_on(WELL, "-c", WATCHFUL), log, PATH=path) as process:
        wait_for(lambda: platform.llen(LOCAL_RECORDS) >= 2, process, log)
        assert count_stopped(platform, ALL_FIXES) == {}


class Client:
    def __init__(self, *, away: bool = False) -> None:
        self.away = away
        self.told: list[str] = []

    def time(self) -> tuple[int, int]:
        if self.away:
            raise redis.exceptions.ConnectionError("away")
        return 1000, 0

    def zadd(self, key: str, members: dict[str, float]) -> None:
        self.told.append(f"{key} {members}")

    def pipeline(self, **_: object) -> Any:
        raise redis.exceptions.ConnectionError("away")


def watched(client: Client, monkeypatch: pytest.MonkeyPatch) -> match.Fitness:
    monkeypatch.setattr(match_worker, "PROBE_INTERVAL_S", 0.0)
    return match.Fitness(client, "local", "host:1")


def test_probing_that_breaks_off_ends_the_worker_which_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> list[Probe]:
        raise ZeroDivisionError("a bug of ours")

    monkeypatch.setattr(doctor, "probe", broken)
    with pytest.raises(match.UnfitError, match="a bug of ours") as failed:
        match.probe_jails()
    assert failed.value.cause == "unknown"
    client = Client()
    with pytest.raises(WorkerShutdown):
        watched(client, monkeypatch).probe_if_due()
    match.Fitness(client, "local", "host:1").report_unfit(errors.SandboxError("cannot become user 10001"))
    assert client.told == [f"stopped:local:{cause} {{'host:1': 1120.0}}" for cause in ("unknown", "user")]


@pytest.mark.parametrize("probes", [[], [Probe("jail", True, "opens"), Probe("sockets", False, "open", "sockets")]])
def test_no_probe_and_a_failed_one_end_the_worker(probes: list[Probe], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "probe", lambda: probes)
    with pytest.raises(WorkerShutdown) as ended:
        watched(Client(away=True), monkeypatch).probe_if_due()
    assert ended.value.code == 3


def test_between_two_looks_nothing_is_probed(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []

    def looked() -> list[Probe]:
        looks.append(1)
        return [Probe("jail", True, "opens")]

    monkeypatch.setattr(doctor, "probe", looked)
    watcher = match.Fitness(Client(), "local", "host:1")
    watcher.probe_if_due()
    assert looks == []
    monkeypatch.setattr(match_worker, "PROBE_INTERVAL_S", 0.0)
    watcher.probe_if_due()
    assert looks == [1]


def test_a_worker_may_say_that_it_has_stopped_and_nothing_more_until_it_falls_silent(broker: BrokerPlan) -> None:
    worker, platform = connect(broker.worker_redis_url), connect(broker.redis_url)
    announce_stopped(worker, "local", "a", "sockets")
    announce_stopped(worker, "local", "b" * 100_000 + "\x1b<b>", "sockets")
    assert count_stopped(platform, ALL_FIXES) == {"sockets": 2}
    withdraw_stopped(worker, "local", "a", ALL_FIXES)
    assert count_stopped(platform, ALL_FIXES) == {"sockets": 1}
    for act in (
        lambda: worker.zrange(stopped_key("sockets", "local"), 0, -1),
        lambda: worker.zcount(stopped_key("sockets", "local"), 0, 1),
        lambda: worker.delete(stopped_key("sockets", "local")),
        lambda: worker.lpush(stopped_key("sockets", "local"), "a"),
        lambda: worker.get(stopped_key("sockets", "local")), lambda: worker.set(stopped_key("sockets", "local"), "a"),
        lambda: announce_stopped(worker, "local", "a", "no cause of ours"),
    ):  # fmt: skip
        with pytest.raises(redis.exceptions.NoPermissionError):
            act()
    announce_stopped(platform, "local", "a", "jail")
    platform.zadd(stopped_key("writing", "local"), {"a": time.time() - 1})
    announce_stopped(platform, "local", "a", "writing" * 2)
    assert count_stopped(platform, ["jail", "writing"]) == {"jail": 1}
    assert platform.zcard(stopped_key("writing", "local")) == 0


def test_a_worker_asks_for_the_jail_whatever_is_ordered_or_set(monkeypatch: pytest.MonkeyPatch, root: Path) -> None:
    for name, value in TRUSTING.items():
        monkeypatch.setenv(name, value)
    modes: list[object] = []

    def played(job: Any, codes: object, *, pool: Pool, mode: jail.Mode, **_: object) -> Result:
        modes.extend([mode, pool.mode])
        return Result(games=[])

    def checked(*_: object, pool: Pool, mode: jail.Mode, **__: object) -> None:
        modes.extend([mode, pool.mode])

    class Silent:
        def __getattr__(self, name: str) -> Any:
            return lambda *_: None

    monkeypatch.setattr(players, "play_match", played)
    monkeypatch.setattr(players, "check_bot", checked)
    player = Player(Silent(), CodeStore({hashed(GOOD): GOOD}.get), lambda: None, lambda: None, Pool())
    player.play(message_of(match_job_of(GOOD, GOOD, check=0)))
    assert modes == [jail.Mode.JAIL] * 4
    with pytest.raises(errors.SandboxError, match="only in jails"):
        Player(Silent(), CodeStore(lambda _: None), lambda: None, lambda: None, Pool(jail.Mode.TRUSTED))
    told = msgspec.json.decode(encode(match_job_of(GOOD, GOOD)))
    for name in ("mode", "trusted", "tier"):
        with pytest.raises(ValueError, match=name):
            decode_match_job(msgspec.json.encode({**told, name: "trusted"}))
        with pytest.raises(ValueError, match=name):
            limits.Limits.from_dict({**told["limits"], name: 1})
    sources = {path: path.read_text() for path in (root / "platform" / "gangland_web").rglob("*.py")}
    assert len(sources) > 50
    assert [path for path, text in sources.items() if "Mode.TRUSTED" in text or "open_trusted" in text] == []


def test_a_match_that_kills_its_worker_is_begun_by_no_other_worker(broker: BrokerPlan, tmp_path: Path) -> None:
    platform, log = connect(broker.redis_url), tmp_path / "log"
    platform.set("code:" + hashed(SLOW), SLOW)
    send_run(broker, match_job_of(SLOW, SLOW))
    command = [sys.executable, "-m", "gangland_web.workers.match"]
    with a_worker(broker, command, log) as process:
        wait_for(lambda: platform.llen(LOCAL_RECORDS) == 1, process, log)
        process.kill()
    send_run(broker, msgspec.structs.replace(match_job_of(b"nowhere to be had", GOOD), id=8))
    with a_worker(broker, command, log) as process:
        assert process.wait() == 3  # after the second match, which came to nothing
    said = [(task, message.job) for task, message in worker_kit.messages_in(broker, LOCAL_RECORDS)]
    assert said == [(TASK_ALIVE, 7), (TASK_ALIVE, 8), (TASK_RESULT, 8)]
