"""The figures for Prometheus: who may see them, that they are true, and that no stranger makes more of them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf, nan
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
import redis
from flask import Flask
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families
from redis.client import Pipeline
from tests.kits import broker_kit, core_kit

from gangland_web import metrics
from gangland_web.app import create_app
from gangland_web.broker import link, names, server
from gangland_web.models.site import begin_maintenance
from gangland_web.services.jobs import Report
from gangland_web.settings import ConfigError, Settings, read_settings
from gangland_web.workers.records import Recorder

TOKEN = "a token of twenty-seven signs"
broker = pytest.fixture(broker_kit.a_broker, scope="module")


def text_of(app: Flask) -> str:
    answer = app.test_client().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    return answer.text


@dataclass
class Watched:
    platform: core_kit.Platform
    app: Flask
    publisher: metrics.Publisher

    @property
    def client(self) -> FlaskClient:
        return self.app.test_client()

    def scrape(self) -> dict[str, float]:
        self.publisher.flush()
        return {
            f"{sample.name}{''.join(f' {name}={value}' for name, value in sorted(sample.labels.items()))}": sample.value
            for family in text_string_to_metric_families(text_of(self.app))
            for sample in family.samples
        }


def watch(kind: str, broker: server.BrokerPlan) -> Iterator[Watched]:
    link.connect(broker.redis_url).flushall()
    broker_kit.let_in(broker.redis_url)
    with TemporaryDirectory() as folder:
        platform = core_kit.open_platform(kind, Path(folder))
        counts = metrics.Counts()
        publisher = metrics.Publisher(counts, broker.redis_url)
        platform.recorder = Recorder(platform.database, platform.post, rounds=1, counts=counts)
        settings = Settings(Path(folder), None, broker.redis_url, None, "for tests only", metrics_token=TOKEN)
        yield Watched(platform, create_app(settings, database=platform.database), publisher)
        platform.database.close()


@pytest.fixture(params=core_kit.KINDS)
def watched(request: pytest.FixtureRequest, broker: server.BrokerPlan) -> Iterator[Watched]:
    yield from watch(request.param, broker)


@pytest.fixture
def one(broker: server.BrokerPlan) -> Iterator[Watched]:
    """The same on SQLite only, where the database does not matter."""
    yield from watch("sqlite", broker)


def test_every_metric_of_the_catalog_is_told_to_who_has_the_token(tmp_path: Path, one: Watched) -> None:
    for given in (None, "", TOKEN, f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer \xe9", "Bearer"):
        answer = one.client.get("/metrics", headers={} if given is None else {"Authorization": given})
        assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer"), given
        assert "gangland_" not in answer.text
    shut = create_app(Settings(tmp_path, None, None, None, "for tests only"), database=one.platform.database)
    for headers in ({}, {"Authorization": "Bearer "}, {"Authorization": "Bearer None"}):
        assert shut.test_client().get("/metrics", headers=headers).status_code == 404
    for token in ("short", "a token with a line\nend", "ein Zeichen zu viel: \xe4"):
        with pytest.raises(ConfigError, match="METRICS_TOKEN"):
            read_settings({"METRICS_TOKEN": token})
    one.platform.play_all()
    one.platform.recorder.schedule()
    one.client.get("/")
    link.connect(one.app.extensions["gangland_settings"].redis_url).config_set("maxmemory", "512mb")
    one.publisher.flush()
    families = {family.name: family for family in text_string_to_metric_families(text_of(one.app))}
    assert {name.removesuffix("_total") for name in metrics.CATALOG} == set(families)
    for metric in metrics.CATALOG.values():
        family = families[metric.name.removesuffix("_total")]
        assert (family.type, family.documentation) == (metric.kind.value, metric.help)
        assert family.samples, metric.name
        for sample in family.samples:
            assert set(sample.labels) - {"le"} == set(metric.labels)


@pytest.mark.parametrize("watched", core_kit.POSTGRESQL_FIRST, indirect=True)
def test_what_is_played_is_counted(watched: Watched) -> None:
    """A trial of three table sizes in which one bot fails, then the ladder's matches."""
    platform = watched.platform
    platform.recorder.schedule()
    assert watched.scrape()["gangland_queue_matches purpose=ladder state=waiting"] > 0
    before = len(platform.matches(state="done"))
    played = platform.play_all()
    found = watched.scrape()
    assert found["gangland_results_total verdict=recorded"] == played == len(platform.matches(state="done")) - before
    assert found["gangland_matches_total end=done purpose=ladder"] == played
    assert found["gangland_queue_matches purpose=ladder state=waiting"] == 0
    assert found["gangland_queue_oldest_wait_seconds purpose=ladder"] == 0
    assert found["gangland_rating_lag_matches kind=ladder"] == 0
    assert found["gangland_match_seconds_count purpose=ladder"] == played
    assert found["gangland_match_seconds_bucket le=0.5 purpose=ladder"] == played
    assert found["gangland_database_bytes"] > 100_000


def test_what_workers_measured_is_counted_once_the_result_is_true_and_never_without_end(watched: Watched) -> None:
    platform = watched.platform
    platform.recorder.schedule()
    first, second, third = (platform.take() for _ in range(3))
    jailed = {"jails": 4, "think": [{6: 30, 15: 2}, {}]}
    platform.finish(first, msgspec.structs.replace(core_kit.play_job(first), seconds=1.7e308, **jailed))
    platform.finish(second, msgspec.structs.replace(core_kit.play_job(second), games=[], **jailed))
    found = watched.scrape()
    assert found["gangland_jails_opened_total"] == 4
    assert found["gangland_decision_seconds_count"] == 32
    assert found["gangland_decision_seconds_bucket le=6.4e-05"] == 30
    assert found["gangland_results_total verdict=recorded"] == 1
    assert found["gangland_results_total verdict=refused"] == 1
    platform.finish(third, msgspec.structs.replace(core_kit.play_job(third), seconds=1.7e308))
    for _ in range(2):
        found = watched.scrape()
        assert found["gangland_match_seconds_sum purpose=ladder"] == 2e6
        assert found["gangland_results_total verdict=recorded"] == 2


def test_every_end_of_a_match_is_told_by_its_cause_and_maintenance_is_no_error(watched: Watched) -> None:
    platform = watched.platform
    platform.recorder.schedule()
    match_job = platform.take()
    for _ in range(3):
        platform.finish(match_job, core_kit.void(match_job))
        match_job = next((sent for _, sent in reversed(platform.post.sent) if sent.id == match_job.id), match_job)
    found = watched.scrape()
    assert found["gangland_matches_total end=void_platform purpose=ladder"] == 1
    assert found["gangland_results_total verdict=void"] == 3
    platform.result(match_job, core_kit.void(match_job))
    platform.recorder.record_message(Report.RESULT, names.LOCAL, "nonsense")
    found = watched.scrape()
    assert (found["gangland_results_total verdict=stale"], found["gangland_results_total verdict=refused"]) == (1, 1)
    assert watched.scrape()["gangland_maintenance"] == 0
    watched.platform.write(begin_maintenance, "The database moves.")
    before = watched.scrape()
    assert before["gangland_maintenance"] == 1
    assert watched.app.test_client().delete("/api/v1/token").status_code == 503
    found = watched.scrape()
    refused = "gangland_http_requests_total method=DELETE route=/api/v1/token status=503"
    assert found[refused] == before.get(refused, 0) + 1
    answers = "gangland_http_responses_total kind=5xx"
    assert found.get(answers, 0) == before.get(answers, 0)


def test_stopped_workers_are_told_by_probe_and_no_unknown_ones(one: Watched, broker: server.BrokerPlan) -> None:
    client = link.connect(broker.redis_url)
    link.announce_slot(client, "local", "one")
    link.announce_stopped(client, "local", "two", "mounts")
    link.announce_stopped(client, "local", "three", link.RELEASE)
    found = one.scrape()
    assert found["gangland_match_slots"] == 1
    assert found["gangland_workers_stopped probe=mounts"] == 1
    assert found["gangland_workers_stopped probe=release"] == 1
    assert sum(value for name, value in found.items() if name.startswith("gangland_workers_stopped")) == 2
    for _ in range(2):
        counts = metrics.Counts()
        publisher = metrics.Publisher(counts, broker.redis_url)
        counts.add(metrics.ANSWERS, kind="2xx")
        counts.observe(metrics.REQUEST_TIME, 0.03, route="/test")
        assert publisher.flush()
    faults = "gangland_faults_total"
    for name in ("gangland_of_another_version|a", faults, f"{faults}|crashed|x", "|", b"\xff"):
        client.hset("metrics", name, "3")
    found = one.scrape()
    assert found["gangland_http_request_seconds_count route=/test"] == 2
    assert found["gangland_http_request_seconds_sum route=/test"] == pytest.approx(0.06)
    assert not [name for name in found if "another" in name or name.endswith("|x")]


def test_a_broker_that_is_away_loses_no_count_and_the_rest_is_told(one: Watched, broker: server.BrokerPlan) -> None:
    counts = metrics.Counts()
    away = metrics.Publisher(counts, f"unix://u:p@{broker.redis_url.split('@')[1]}.gone")
    counts.add(metrics.FAULTS, kind="crashed")
    assert not away.flush()
    counts.add(metrics.FAULTS, kind="crashed")
    metrics.send_counts(link.connect(broker.redis_url), counts.take())
    assert one.scrape()["gangland_faults_total kind=crashed"] == 2
    settings = one.app.extensions["gangland_settings"]
    gone = Settings(
        settings.data, None, f"unix://u:p@{settings.data}/gone", None, "for tests only", metrics_token=TOKEN
    )
    text = text_of(create_app(gone, database=one.platform.database))
    assert 'gangland_ready{part="broker"} 0.0' in text
    assert 'gangland_ready{part="database"} 1.0' in text
    assert "gangland_queue_matches{" in text
    assert "gangland_results_total{" not in text  # a zero would look like a counter that began anew


def test_what_the_broker_cannot_add_is_dropped_what_it_refuses_is_told_later_and_nothing_is_told_twice(
    one: Watched, broker: server.BrokerPlan, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts, client, added = metrics.Counts(), link.connect(broker.redis_url), Pipeline.execute
    publisher = metrics.Publisher(counts, broker.redis_url)
    for _ in range(2):
        counts.add(metrics.JAILS, 1.7e308)
    counts.add(metrics.FAULTS, kind="crashed")
    assert publisher.flush()
    assert publisher.flush()
    assert one.scrape()["gangland_faults_total kind=crashed"] == 1
    assert f"the count of {metrics.JAILS.name} is dropped" in caplog.text

    counts.add(metrics.FAULTS, kind="crashed")
    client.config_set("maxmemory-clients", 0)  # or Redis 7.0 ends every connection
    client.config_set("maxmemory", 1)
    try:
        assert not publisher.flush()
    finally:
        client.config_set("maxmemory", 0)
    assert publisher.flush()
    assert one.scrape()["gangland_faults_total kind=crashed"] == 2

    def adds_and_says_nothing(pipe: Pipeline, raise_on_error: bool = True) -> None:
        added(pipe, raise_on_error)
        raise redis.TimeoutError("Timeout reading from socket")

    counts.add(metrics.FAULTS, kind="crashed")
    with monkeypatch.context() as patch:
        patch.setattr(Pipeline, "execute", adds_and_says_nothing)
        publisher.flush()
    assert publisher.flush()
    assert one.scrape()["gangland_faults_total kind=crashed"] == 3


def test_a_label_has_one_of_its_values() -> None:
    counts = metrics.Counts()
    refused: tuple[tuple[str, Callable[[], None]], ...] = (
        ("kind must be one of", lambda: counts.add(metrics.FAULTS, kind="of my own")),
        ("expected the labels", lambda: counts.add(metrics.FAULTS)),
        ("expected a finite amount, not inf", lambda: counts.add(metrics.JAILS, inf)),
        ("expected a finite amount, not nan", lambda: counts.observe(metrics.REQUEST_TIME, nan, route="/")),
        ("not a counter", lambda: counts.add(metrics.REQUEST_TIME, route="/")),
    )
    for words, count in refused:
        with pytest.raises(ValueError, match=words):
            count()
    for verdict in metrics.RESULTS_OF.values():
        counts.add(metrics.RESULTS, verdict=verdict)
    unlisted = [metric.name for metric in metrics.CATALOG.values() if None in metric.labels.values()]
    assert unlisted == [metrics.REQUESTS.name, metrics.REQUEST_TIME.name, "gangland_info"]
    assert all(
        metric.name.endswith("_total") == (metric.kind is metrics.Kind.COUNTER) for metric in metrics.CATALOG.values()
    )


def test_what_is_answered_from_memory_is_counted_beside_the_requests(one: Watched) -> None:
    settings: Settings = one.app.extensions["gangland_settings"]
    app = create_app(settings, database=one.platform.database, live_s=60.0)
    for _ in range(3):
        assert app.test_client().get("/live").status_code == 200
    app.extensions["gangland_publisher"].flush()
    found = one.scrape()
    assert found["gangland_http_cached_responses_total"] == 2
    assert found["gangland_http_responses_total kind=2xx"] == 1
