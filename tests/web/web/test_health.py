"""Pages with a real broker: health, and rates that all of a site's processes count together."""

import errno
import os
from pathlib import Path

import pytest
from sqlalchemy import text
from tests.kits.pages_kit import Person, Site

from gangland_web.app import create_app
from gangland_web.broker.link import announce_slot, announce_stopped, connect
from gangland_web.broker.server import BrokerPlan
from gangland_web.models import database as writable
from gangland_web.settings import Settings
from gangland_web.web.limits import Rates


def process_of(site: Site, tmp_path: Path, redis_url: str) -> Person:
    settings = Settings(tmp_path, None, redis_url, None, "for tests only")
    rates = Rates(sign_in_name="2 per hour")
    return Person(create_app(settings, database=site.database, rates=rates).test_client())


def test_a_site_is_ready_with_database_tables_and_broker(site: Site, tmp_path: Path, broker: BrokerPlan) -> None:
    someone = process_of(site, tmp_path, broker.redis_url)
    assert "The site is working" in someone.page("/status")
    for statement, status, tables in (
        ("SELECT 1", 200, "ok"), ("UPDATE alembic_version SET version_num = '9999'", 503, "newer"),
        ("DELETE FROM alembic_version", 503, "old"), ("DROP TABLE alembic_version", 503, "old"),
    ):  # fmt: skip
        site.execute(text(statement))
        answer = someone.get("/readyz")
        assert answer.status_code == status
        told = {"status": "ok" if status == 200 else "down", "database": "ok", "tables": tables, "broker": "ok"}
        assert answer.get_json() == {**told, "writes": "ok"}


def test_a_full_disk_is_told(site: Site, tmp_path: Path, broker: BrokerPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        def __init__(self, **_: object) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    someone = process_of(site, tmp_path, broker.redis_url)
    monkeypatch.setattr(writable, "RESULT_LIFETIME_S", 0.0)
    with monkeypatch.context() as patch:
        patch.setattr(writable, "TemporaryFile", Full)
        answer = someone.get("/readyz")
        assert (answer.status_code, answer.get_json()["writes"], answer.get_json()["database"]) == (503, "down", "ok")
        assert someone.get("/status.json").get_json()["writes"] is False
        page = someone.page("/status")
        assert "Part of the site is not working" in page
        assert "Saving" in page
    with site.database.write() as other:
        other.connection()
        assert someone.get("/readyz").status_code == 200  # a writer that is at work says nothing of the disk


def test_workers_that_do_not_play_show_with_the_fix_alone(site: Site, tmp_path: Path, broker: BrokerPlan) -> None:
    client = connect(broker.redis_url)
    announce_slot(client, "local", "one")
    for place, cause in (("<script>a", "mounts"), ("<script>b", "mounts"), ("c", "apparmor"), ("d", "<b>")):
        announce_stopped(client, "local", place, cause)
    someone = process_of(site, tmp_path, broker.redis_url)
    text = someone.page("/status")
    assert "Some match workers are not playing" in text
    assert "2 workers cannot play matches: remove the runtime folder" in text
    assert "Ubuntu 24.04 denies user namespaces" in text
    assert "<script>a" not in text
    result = someone.get("/status.json").get_json()
    assert (result["schema"], result["slots"]) == ("gangland/status/1", 1)
    assert {(stopped["probe"], stopped["workers"]) for stopped in result["stopped"]} == {("mounts", 2), ("jail", 1)}
    assert someone.get("/readyz").status_code == 200  # the site itself is well


def test_processes_count_tries_together_also_without_the_broker(site: Site, tmp_path: Path, broker: BrokerPlan) -> None:
    site.person("Bob")
    one, two = process_of(site, tmp_path, broker.redis_url), process_of(site, tmp_path, broker.redis_url)
    tries = [someone.sign_in("Ann", "wrong password").status_code for someone in (one, two, one, two)]
    assert tries == [422, 422, 429, 429]
    someone = process_of(site, tmp_path, f"unix://u:p@{tmp_path}/gone.sock")
    assert someone.sign_in("Bob").status_code == 303
    assert someone.get("/readyz").status_code == 503
