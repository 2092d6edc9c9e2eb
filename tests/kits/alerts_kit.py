"""A monitored site with real parts: scrape it over HTTP, and test the alert rules with the scraped values."""

import json
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.error import URLError
from urllib.request import Request, urlopen

import redis
import time_machine
from flask import Flask
from prometheus_client.parser import text_string_to_metric_families
from ruamel.yaml import YAML
from tests.kits import broker_kit, core_kit, models, served_kit

from gangland_web.app import create_app
from gangland_web.broker.link import announce_slot, connect
from gangland_web.metrics import Counts, Publisher
from gangland_web.settings import Settings
from gangland_web.workers.records import Recorder

ROOT = Path(__file__).parents[2]
ALERTS = ROOT / "deploy" / "prometheus" / "alerts.yml"
TOKEN = "a token of twenty-seven signs"
QUIET_MIN = 30  # the number of minutes without any problem; then the cause takes `TURNS` turns of two minutes each
TURNS = 6
Scrape = dict[str, float]


@cache
def rules() -> dict[str, dict[str, Any]]:
    groups = YAML(typ="safe").load(ALERTS.read_text(encoding="utf-8"))["groups"]
    return {rule["alert"]: rule for group in groups for rule in group["rules"]}


def promtool(*arguments: str) -> subprocess.CompletedProcess[str]:
    unpacked = ROOT / "build" / "tools" / "promtool"
    found = which("promtool") or (str(unpacked) if unpacked.is_file() else None)
    assert found, "promtool is missing: `make test-system` has it (Debian: apt-get install prometheus)"
    return subprocess.run([found, *arguments], capture_output=True, text=True, check=False)


@dataclass
class Scene:
    """An idle platform with one match slot, a broker, and a site."""

    platform: core_kit.Platform
    counts: Counts
    publisher: Publisher
    client: redis.Redis
    redis_url: str
    app: Flask
    url: str
    stop_site: Callable[[], None]
    later_s: float = 0.0  # the seconds from now until the time at which the site is scraped
    notes: dict[str, Any] = field(default_factory=dict)

    def scrape(self) -> Scrape:
        self.publisher.flush()
        requested = Request(f"{self.url}/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
        with time_machine.travel(time.time() + self.later_s, tick=True):
            try:
                with urlopen(requested, timeout=240) as answer:
                    text = answer.read().decode()
            except URLError:
                return {'up{job="gangland"}': 0.0}
        visited = {'up{job="gangland"}': 1.0}
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                labels = ",".join(
                    f"{name}={json.dumps(value)}" for name, value in {"job": "gangland", **sample.labels}.items()
                )
                visited[f"{sample.name}{{{labels}}}"] = sample.value
        return visited

    def get(self, path: str) -> None:
        with suppress(URLError):
            urlopen(f"{self.url}{path}", timeout=240).close()


def at_rest(platform: core_kit.Platform) -> None:
    """A stage after the first run of the schedule, with all rows that it writes."""
    platform.recorder.schedule()


@dataclass
class Theatre:
    redis_url: str
    app: Flask

    @contextmanager
    def scene(self) -> Iterator[Scene]:
        client = connect(self.redis_url)
        client.config_set("maxmemory", 0)
        client.flushall()
        with TemporaryDirectory() as folder, ExitStack() as site:
            platform = core_kit.open_platform("sqlite", Path(folder), rounds=0, stage=at_rest)
            self.app.extensions["gangland_database"] = platform.database
            self.app.extensions["gangland_counts"].take()
            counts = Counts()
            publisher = Publisher(counts, self.redis_url)
            platform.recorder = Recorder(platform.database, platform.post, rounds=0, counts=counts)
            platform.write(models.store_fact, models.Fact.BACKUP, {})
            broker_kit.let_in(self.redis_url)
            announce_slot(client, "local", "one")
            platform.recorder.sweep()
            platform.recorder.schedule()
            url = site.enter_context(served_kit.served(self.app))
            scene = Scene(platform, counts, publisher, client, self.redis_url, self.app, url, site.close)
            scene.get("/")
            yield scene
            platform.database.close()
        client.close()


@contextmanager
def theatre() -> Iterator[Theatre]:
    with TemporaryDirectory() as folder, broker_kit.running_broker(Path(folder)) as plan:
        settings = Settings(Path(folder), None, plan.redis_url, None, "for tests only", metrics_token=TOKEN)
        app = create_app(settings, database=models.Database(f"sqlite:///{folder}/none.sqlite3"))
        yield Theatre(plan.redis_url, app)


class Case(NamedTuple):
    """Scraped values of the quiet time and of each turn, and the alert that fires at the end, if any."""

    alert: str
    quiet: Scrape
    turns: list[Scrape]
    fires: bool = True


def hold_rules(cases: Sequence[Case], folder: Path) -> subprocess.CompletedProcess[str]:
    """Test that no alert fires in the quiet time, and at the end only the case's alert."""
    test = {"rule_files": [str(ALERTS)], "evaluation_interval": "1m", "tests": [_expected(*case) for case in cases]}
    (folder / "test.yml").write_text(json.dumps(test), encoding="utf-8")
    return promtool("test", "rules", str(folder / "test.yml"))


def _expected(alert: str, quiet: Scrape, turns: list[Scrape], fires: bool) -> dict[str, object]:
    series = []
    for name in sorted({name for visited in (quiet, *turns) for name in visited}):
        values = [f"{_value(quiet, name)}x{QUIET_MIN - 1}", *(f"{_value(visited, name)}x1" for visited in turns)]
        series.append({"series": name, "values": " ".join(values)})
    firing = ['alertstate="firing"', f'alertname="{alert}",alertstate="firing"']
    requested = [
        {
            "expr": f"clamp_max(count(ALERTS{{{which_ones}}}) or vector(0), 1)",
            "eval_time": f"{minute}m",
            "exp_samples": [{"labels": "{}", "value": value}],
        }
        for which_ones, minute, value in zip(
            firing, (QUIET_MIN - 1, QUIET_MIN + 2 * TURNS - 1), (0, int(fires)), strict=True
        )
    ]
    return {"interval": "1m", "input_series": series, "promql_expr_test": requested}


def _value(visited: Mapping[str, float], name: str) -> str:
    """Return a sample in promtool's notation, to be repeated; `_` if missing."""
    return f"{visited[name]:.6f}+0" if name in visited else "_"
