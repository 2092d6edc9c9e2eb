"""People and match workers on other machines: all works by the site's address, and a cut cable costs nothing."""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.chaos.runs import filled
from tests.hosts.cutting import SHORT, cut_off
from tests.hosts.network import PREFIX, RUN, Machine, network, remove_left_over, why_not
from tests.hosts.rates import ONE, THREE, WHOLE, Rate, broken
from tests.hosts.site import house, wait_for
from tests.kits.models import Bot, Database, Version, col, migrate, select
from tests.kits.processes_kit import killed

from gangland_web.settings import sqlite_url
from gangland_web.site.rendering import qr_code

BOT = b"""from gangland import gang_of_dice


class Guest(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 1
"""
RULES = {"blocks": "1", "profile": "plain", "house_bots": "on", "house_ranked": "on", "expected": "8", "zone": "UTC"}
PASSWORD = "correct horses draw dice"


@dataclass(frozen=True)
class Visitor:
    machine: Machine
    root: str
    cookies: Path

    def curl(self, *arguments: str) -> str:
        ask = ["nsenter", f"--net={RUN / self.machine.name}", "--", "curl", "-sSL", "--max-time", "300"]
        ask += ["-b", str(self.cookies), "-c", str(self.cookies)]
        done = subprocess.run([*ask, *arguments], capture_output=True, check=False, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def get(self, page: str) -> str:
        return self.curl(self.root + page)

    def send(self, page: str, form: dict[str, str], *, at: str | None = None) -> str:
        found = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', self.get(at or page))
        assert found is not None, f"no form at {at or page}"
        fields = {"csrf_token": found[1], **form}
        parts = [part for name, value in fields.items() for part in ("-F", f"{name}={value}")]
        return self.curl(*parts, "-H", f"Referer: {self.root}{page}", self.root + page)


@pytest.mark.flow
@pytest.mark.slow
def test_people_and_a_match_worker_on_another_machine_use_a_site_by_its_address(tmp_path: Path) -> None:
    if lack := why_not():
        pytest.fail(f"several hosts cannot be tried: {lack}")
    data = tmp_path / "data"
    data.mkdir()
    (data / "lock").touch()
    filled(sqlite_url(data), migrate)
    with network(1) as machines, house(tmp_path, machines, sqlite_url(data)) as found:
        result = {event["event"]: event for event in found.site.up.events}
        assert "plain_http" in result
        root = result["ready"]["address"].rstrip("/")
        assert root == f"http://{machines[0].address}:{found.site.up.port}"
        boss, fox, again = (Visitor(machines[1][0], root, tmp_path / name) for name in ("boss", "fox", "again"))
        found.hosts[0].start(1)
        wait_for(lambda: "Gangland" in boss.get("/"), "the first page")

        boss.send("/sign-up", {"name": "Boss", "password": PASSWORD})
        assert "wrong" not in boss.send("/setup", {"code": result["setup_code"]["code"]}).lower()
        slips = boss.send("/organize/people/aliases", {"names": "Red Fox"}, at="/organize/people")
        assert str(qr_code(f"{root}/set-password")) in slips
        assert f"<strong>{root}/set-password</strong>" in slips
        assert "127.0.0.1" not in slips
        assert "localhost" not in slips
        assert "handouts would show" not in slips
        (code,) = re.findall(r"<code>([a-z2-9-]{14})</code>", slips)
        fox.send("/set-password", {"name": "red fox", "code": code.upper(), "password": PASSWORD})
        assert "Red Fox" in fox.get("/account")
        again.send("/sign-in", {"name": "Red Fox", "password": PASSWORD})
        assert "Red Fox" in again.get("/account")

        (tmp_path / "guest.py").write_bytes(BOT)
        form = {"game": "gang-of-dice", "name": "guest", "file": f"@{tmp_path / 'guest.py'}"}
        assert "guest" in fox.send("/upload", form)
        assert "guest" in fox.get("/account")
        wait_for(lambda: _state_of(found.site.database) in ("active", "rejected"), "the verdict")
        assert _state_of(found.site.database) == "active"

        draft = {"name": "Dice Night", "game": "gang-of-dice", "seats": "2", "join_code": "Dice Night", **RULES}
        number = re.search(r'action="/organize/(\d+)/handout"', boss.send("/organize/new", draft))
        assert number is not None
        page = f"/organize/{number[1]}"
        handout = boss.send(f"{page}/handout", {"join_code": "dice NIGHT"}, at=page)
        assert str(qr_code(f"{root}/tournaments/{number[1]}")) in handout
        assert f"<strong>{root}/write/gang-of-dice</strong>" in handout
        assert "localhost" not in handout
    assert list(RUN.glob(f"{PREFIX}-{os.getpid()}-*")) == []


def _state_of(database: Database) -> str:
    with database.read() as session:
        return session.exec(
            select(Version.state).join(Bot, col(Bot.id) == Version.bot_id).where(Bot.name == "guest")
        ).one()


@pytest.mark.long("a campaign: a host is cut off while a schedule is played")
@pytest.mark.flow
@pytest.mark.slow
def test_a_host_that_is_cut_off_in_mid_match_costs_nobody_anything(tmp_path: Path) -> None:
    if lack := why_not():
        pytest.skip(f"SEVERAL HOSTS WERE NOT TRIED: {lack}")
    cut = cut_off(tmp_path, SHORT, hosts=2)
    assert cut.problems == []
    assert cut.told.committed == cut.told.scheduled > 0
    assert cut.stale >= 1
    assert cut.leased_again_s > 0
    assert list(RUN.glob(f"{PREFIX}-{os.getpid()}-*")) == []


def test_a_network_is_gone_when_a_run_is_interrupted() -> None:
    if lack := why_not():
        pytest.skip(f"SEVERAL HOSTS WERE NOT TRIED: {lack}")
    visited: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        _interrupted(visited)
    assert visited == ["10.77.0.10", "10.77.0.11", "10.77.0.12"]
    assert list(RUN.glob(f"{PREFIX}-{os.getpid()}-*")) == []


KILLED = """
import subprocess, sys, time
from tests.hosts.network import network
with network(1) as (site, _):
    started = site.start([sys.executable, "-c", "import time; time.sleep(600)"], subprocess.DEVNULL)
    print(started.pid, flush=True)
    time.sleep(600)
"""


def test_nothing_plays_on_when_a_run_is_killed() -> None:
    if lack := why_not():
        pytest.skip(f"SEVERAL HOSTS WERE NOT TRIED: {lack}")
    run = killed(KILLED)
    assert run.what_it_started_has_ended
    remove_left_over()
    assert list(RUN.glob(f"{PREFIX}-{run.pid}-*")) == []


def _interrupted(visited: list[str]) -> None:
    with network(2) as (site, hosts):
        visited += [machine.address for machine in (site, *hosts)]
        assert len(list(RUN.glob(f"{PREFIX}-{os.getpid()}-*"))) == 4
        raise KeyboardInterrupt


def rate(way: str, matches: int, left_s: float = 10.0) -> Rate:
    return Rate(way, 10.0, matches, left_s)


def test_three_hosts_are_held_to_what_there_are_cores_for() -> None:
    found = {ONE.name: rate(ONE.name, 100), WHOLE.name: rate(WHOLE.name, 190), THREE.name: rate(THREE.name, 185)}
    assert broken(found, cores=2) == []
    assert len(broken(found, cores=8)) == 1
    assert broken({**found, THREE.name: rate(THREE.name, 270)}, cores=8) == []
    assert len(broken({**found, THREE.name: rate(THREE.name, 150)}, cores=2)) == 1
    assert broken({**found, THREE.name: rate(THREE.name, 95, left_s=5.0)}, cores=2) == []
