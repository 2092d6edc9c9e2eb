"""Every alert fires when its cause is there, and none while all is well."""

import time
from collections import namedtuple
from collections.abc import Callable, Iterator
from functools import wraps
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
import time_machine
from sqlalchemy import text
from tests.kits import core_kit, models
from tests.kits.alerts_kit import TURNS, Case, Scene, Theatre, hold_rules, promtool, rules, theatre
from tests.kits.audits_kit import add_hosts, forging, honest, play_on

from gangland_ladder.matches.match_jobs import MatchJob
from gangland_web import metrics, settings
from gangland_web.broker.link import RELEASE, announce_stopped, withdraw_slot
from gangland_web.broker.names import QUEUE_RECORDS
from gangland_web.ops import prometheus as asked
from gangland_web.services import mail, worker_hosts
from gangland_web.web import middleware as access

Stage = Callable[[Scene, int, pytest.MonkeyPatch], object]
Usage = namedtuple("Usage", "total used free")
ROOM = 50e9  # free bytes of a disk, whatever this machine has


def look_later(scene: Scene, seconds: float) -> None:
    scene.later_s = seconds


def use_disk(patch: pytest.MonkeyPatch, free: float) -> None:
    patch.setattr(asked, "shutil", SimpleNamespace(disk_usage=lambda _: Usage(100e9, 100e9 - free, free)))


def at_first(act: Callable[[Scene], object]) -> Stage:
    return lambda scene, turn, _: act(scene) if turn == 0 else None


STAGES: dict[str, Stage] = {
    "NoSlots": lambda scene, *_: withdraw_slot(scene.client, "local", "one"),
    "WorkerStopped": lambda scene, *_: announce_stopped(scene.client, "local", "two", "mounts"),
    "NothingRecorded": at_first(lambda scene: given_out(scene)),
    "RecordsBehind": lambda scene, *_: scene.client.lpush(QUEUE_RECORDS, *[b"{}"] * 300),
    "SchedulerSilent": lambda scene, *_: look_later(scene, 120.0),
    "DiskLow": lambda _, __, patch: use_disk(patch, 1e9),
    "BackupOld": lambda scene, *_: look_later(scene, 2 * 86_400.0),
    "SiteDown": at_first(lambda scene: scene.stop_site()),
}


def stages(stage: Stage) -> Stage:
    """Register what triggers the alert of this name."""
    STAGES["".join(word.capitalize() for word in stage.__name__.split("_"))] = stage
    return stage


def once(stage: Callable[[Scene], None]) -> None:
    """Register what triggers the alert of this name in the first turn."""
    stages(wraps(stage)(at_first(stage)))


@pytest.fixture(scope="module")
def house() -> Iterator[Theatre]:
    with theatre() as opened:
        yield opened


def given_out(scene: Scene, slots: int = 2) -> None:
    scene.platform.post.slot_count, scene.platform.recorder.rounds = slots, 1
    scene.platform.recorder.schedule()
    assert scene.platform.post.sent


def again(scene: Scene, match_job: MatchJob) -> MatchJob:
    return next(sent for _, sent in reversed(scene.platform.post.sent) if sent.id == match_job.id)


@stages
def not_ready(scene: Scene, turn: int, patch: pytest.MonkeyPatch) -> None:
    scene.platform.execute(text("DELETE FROM alembic_version"))


@once
def trials_wait(scene: Scene) -> None:
    scene.platform.post.slot_count, scene.later_s = 0, 700.0
    scene.platform.upload("Ann")


@stages
def matches_void(scene: Scene, turn: int, patch: pytest.MonkeyPatch) -> None:
    if turn == 0:
        given_out(scene)
        scene.notes["job"] = scene.platform.take()
    elif turn <= 3:
        scene.platform.finish(scene.notes["job"], core_kit.void(scene.notes["job"]))
        scene.notes["job"] = again(scene, scene.notes["job"]) if turn < 3 else None


@once
def leases_silent(scene: Scene) -> None:
    given_out(scene, slots=4)
    for _, match_job in scene.platform.post.sent[:8]:
        scene.platform.begin(match_job)
    with time_machine.travel(time.time() + 60, tick=True):
        scene.platform.recorder.sweep()


@once
def results_refused(scene: Scene) -> None:
    given_out(scene)
    match_job = scene.platform.take()
    result = core_kit.play_job(match_job)
    scene.platform.finish(match_job, msgspec.structs.replace(result, games=result.games[1:]))


@once
def messages_forged(scene: Scene) -> None:
    given_out(scene)
    match_job = scene.platform.take()
    scene.platform.write(worker_hosts.create_host, "birch", "its password")
    assert scene.platform.give_back(match_job, "birch").verdict is models.Verdict.FORGED


@once
def host_stopped(scene: Scene) -> None:
    recorder = scene.platform.recorder
    recorder.audit_percent, recorder.rounds = 100, 1
    add_hosts(scene.platform, "one", "evil", "other")
    play_on(scene.platform, {"one": honest, "evil": forging, "other": honest})


@once
def rating_lag(scene: Scene) -> None:
    given_out(scene)
    second = next(job for _, job in scene.platform.post.sent if scene.platform.match(job.id).number == 2)
    scene.platform.finish(second)
    scene.later_s = 2000.0


@stages
def restarting(scene: Scene, turn: int, patch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        counts = metrics.Counts()
        publisher = metrics.Publisher(counts, scene.redis_url)
        counts.add(metrics.STARTS, process="records")
        publisher.flush()


@stages
def errors(scene: Scene, turn: int, patch: pytest.MonkeyPatch) -> None:
    scene.app.extensions["gangland_database"] = models.Database("sqlite:////nowhere/at/all.sqlite3")
    for _ in range(3):
        scene.get("/gang-of-dice/leaderboard")


@stages
def slow_pages(scene: Scene, turn: int, patch: pytest.MonkeyPatch) -> None:
    jumps = count(0.0, 2.0)
    patch.setattr(access, "time", SimpleNamespace(monotonic=lambda: next(jumps)))
    for _ in range(3):
        scene.get("/on-your-machine")


@once
def broker_memory(scene: Scene) -> None:
    scene.client.config_set("maxmemory", int(scene.client.info("memory")["used_memory"]) + 20_000_000)
    for number in range(18):
        scene.client.set(f"filler {number}", b"x" * 1_000_000)


@once
def mail_stuck(scene: Scene) -> None:
    scene.later_s = 1000.0
    scene.platform.write(mail.queue_mail, models.Kind.RECOVER, "ann@school.example")


@once
def mail_given_up(scene: Scene) -> None:
    with scene.platform.database.write() as db:
        mail.queue_mail(db, models.Kind.RECOVER, "ann@school.example")
        db.flush()
        db.exec(models.select(models.Mail)).one().tries = len(mail.PAUSES_S) + 1
    smtp = settings.read_smtp(
        {"SMTP_URL": "smtps://mail.example:465", "SMTP_FROM": "house@bots.example", "SITE_URL": "https://bots.example"}
    )
    assert smtp is not None
    mail.send_due(scene.platform.database, smtp, counts=scene.counts)


@once
def counts_lost(scene: Scene) -> None:
    scene.client.flushall()
    scene.platform.recorder.sweep()


def staged(house: Theatre, alert: str, stage: Stage, *, fires: bool = True) -> Case:
    with pytest.MonkeyPatch.context() as patch, house.scene() as scene:
        use_disk(patch, ROOM)
        quiet, turns = scene.scrape(), []
        for turn in range(TURNS):
            stage(scene, turn, patch)
            turns.append(scene.scrape())
    return Case(alert, quiet, turns, fires)


def under_maintenance(alert: str) -> Stage:
    def stage(scene: Scene, turn: int, patch: pytest.MonkeyPatch) -> None:
        STAGES[alert](scene, turn, patch)
        scene.platform.write(models.begin_maintenance, "The database moves.")

    return stage


@pytest.mark.long("promtool runs each alert through hours; that its cause is staged is in the quick suite")
def test_an_alert_fires_with_its_cause_and_not_under_maintenance(house: Theatre, tmp_path: Path) -> None:
    cases = [staged(house, alert, stage) for alert, stage in STAGES.items()]
    other_release: Stage = lambda scene, *_: announce_stopped(scene.client, "local", "two", RELEASE)  # noqa: E731
    cases.append(staged(house, "WorkerStopped", other_release))
    calm = ("NothingRecorded", "TrialsWait", "RatingLag")
    cases += [staged(house, alert, under_maintenance(alert), fires=False) for alert in calm]
    document = hold_rules(cases, tmp_path)
    assert document.returncode == 0, document.stdout + document.stderr


def test_an_alert_that_should_not_fire_is_found_out(tmp_path: Path) -> None:
    """The test above can fail: it refuses an alert that never fires, or from the beginning."""
    well, down = {'up{job="gangland"}': 1.0}, {'up{job="gangland"}': 0.0}
    good = Case("SiteDown", well, [down] * TURNS)
    assert hold_rules([good], tmp_path).returncode == 0
    for bad in (Case("SiteDown", well, [well] * TURNS), Case("SiteDown", down, [down] * TURNS)):
        assert hold_rules([good, bad], tmp_path).returncode != 0


def test_prometheus_reads_the_example_and_the_cause_of_every_alert_is_staged(tmp_path: Path, root: Path) -> None:
    assert set(STAGES) == set(rules())
    folder = root / "deploy" / "prometheus"
    document = promtool("check", "rules", str(folder / "alerts.yml"))
    assert document.returncode == 0, document.stdout + document.stderr
    (tmp_path / "token").write_text("x", encoding="utf-8")
    example = (folder / "prometheus.yml").read_text(encoding="utf-8")
    assert "/etc/prometheus/gangland-metrics-token" in example
    example = example.replace("/etc/prometheus/gangland-metrics-token", str(tmp_path / "token"))
    (tmp_path / "prometheus.yml").write_text(
        example.replace("[alerts.yml]", f"[{folder}/alerts.yml]"), encoding="utf-8"
    )
    document = promtool("check", "config", str(tmp_path / "prometheus.yml"))
    assert document.returncode == 0, document.stdout + document.stderr
