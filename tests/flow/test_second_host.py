"""An event reaches the pupils: another machine gets slip, sign-in, upload, sheet and QR code by the host's address."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from gangland_web.core.qr import qr_code

pytestmark = pytest.mark.flow

BOT = b"""from gangland import gang_of_dice


class Guest(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 1
"""
RULES = {"blocks": "1", "profile": "plain", "house_bots": "on", "expected": "8", "zone": "UTC"}
READY_S = 120.0


def ip(*arguments: str) -> None:
    """Run `ip`, which has to succeed."""
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


@dataclass(frozen=True)
class Host:
    """A site that listens at an address of a link to another network namespace, which stands for a pupil's machine."""

    root: str
    there: str
    code: str
    work: Path

    def curl(self, who: str, *arguments: str) -> str:
        """Ask from the pupil's machine as a browser of somebody's, and return the page; redirections are followed."""
        jar = str(self.work / f"{who}.cookies")
        ask = ["ip", "netns", "exec", self.there, "curl", "-sSL", "--max-time", "60", "-b", jar, "-c", jar]
        done = subprocess.run([*ask, *arguments], capture_output=True, check=False, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def send(self, who: str, page: str, form: dict[str, str], *, at: str | None = None) -> str:
        """Send a form with the token of the page that it is on."""
        found = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', self.curl(who, self.root + (at or page)))
        assert found is not None, f"no form at {at or page}"
        fields = {"csrf_token": found[1], **form}
        parts = [part for name, value in fields.items() for part in ("-F", f"{name}={value}")]
        return self.curl(who, *parts, "-H", f"Referer: {self.root}{page}", self.root + page)


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    """Start a site at the host's end of a pair of veth devices, the other end in a namespace of its own."""
    if os.getuid() != 0:
        pytest.fail("network namespaces take root: run this test as root")
    there, near, far = (f"gl{os.getpid() % 100_000}{end}" for end in ("n", "a", "b"))
    address = f"10.213.{os.getpid() % 250}.1"
    data = Path("/tmp") / f"gangland-{there}"
    ip("netns", "add", there)
    try:
        ip("link", "add", near, "type", "veth", "peer", "name", far, "netns", there)
        ip("address", "add", f"{address}/24", "dev", near)
        ip("link", "set", near, "up")
        ip("-n", there, "address", "add", address[:-1] + "2/24", "dev", far)
        ip("-n", there, "link", "set", far, "up")
        command = [sys.executable, "-m", "gangland_ladder.cli", "up", "--host", address, "--port", "8123"]
        with (tmp_path / "events").open("wb") as out:
            site = subprocess.Popen([*command, "--data", data, "--workers", "1", "--json"], stdout=out, stderr=out)
        try:
            result = _result(tmp_path / "events", site)
            assert "plain_http" in result
            yield Host(result["ready"]["address"].rstrip("/"), there, result["setup_code"]["code"], tmp_path)
        finally:
            site.send_signal(signal.SIGTERM)
            site.wait(timeout=90)
    finally:
        ip("netns", "delete", there)
        shutil.rmtree(data, ignore_errors=True)


def _result(events: Path, site: subprocess.Popen[bytes]) -> dict[str, dict[str, str]]:
    """Return what the site said when it began, once it answers."""
    deadline = time.monotonic() + READY_S
    while True:
        lines = [line for line in events.read_text().splitlines() if line.startswith("{")]
        result = {line["event"]: line for line in map(json.loads, lines)}
        if "setup_code" in result:
            return result
        assert site.poll() is None, events.read_text()
        assert time.monotonic() < deadline, events.read_text()
        time.sleep(0.2)


def test_slip_sign_in_upload_sheet_and_qr_code_work_by_the_hosts_address(host: Host) -> None:
    password = "correct horses draw dice"
    _until_it_answers(host)
    host.send("boss", "/sign-up", {"name": "Boss", "password": password})
    assert "wrong" not in host.send("boss", "/setup", {"code": host.code}).lower()

    slips = host.send("boss", "/organise/people/aliases", {"names": "Red Fox"}, at="/organise/people")
    assert str(qr_code(f"{host.root}/set-password")) in slips
    assert f"<strong>{host.root}/set-password</strong>" in slips
    assert "127.0.0.1" not in slips
    assert "localhost" not in slips
    assert "The printed page would show" not in slips
    (code,) = re.findall(r"<code>([a-z2-9-]{14})</code>", slips)

    host.send("fox", "/set-password", {"name": "red fox", "code": code.upper(), "password": password})
    assert "Red Fox" in host.curl("fox", host.root + "/account")
    host.send("again", "/sign-in", {"name": "Red Fox", "password": password})
    assert "Red Fox" in host.curl("again", host.root + "/account")

    bot = host.work / "guest.py"
    bot.write_bytes(BOT)
    shown = host.send("fox", "/upload", {"game": "gang-of-dice", "name": "guest", "file": f"@{bot}"})
    assert "guest" in shown
    assert "guest" in host.curl("fox", host.root + "/my-bots")

    draft = {"name": "Dice Night", "game": "gang-of-dice", "seats": "2", "join_code": "Dice Night", **RULES}
    made = host.send("boss", "/organise/new", draft)
    number = re.search(r'action="/organise/(\d+)/handout"', made)
    assert number is not None, made
    handout = host.send(
        "boss", f"/organise/{number[1]}/handout", {"join_code": "dice NIGHT"}, at=f"/organise/{number[1]}"
    )
    assert str(qr_code(f"{host.root}/tournaments/{number[1]}")) in handout
    assert f"<strong>{host.root}/write/gang-of-dice</strong>" in handout
    assert "localhost" not in handout


def _until_it_answers(host: Host) -> None:
    """Wait for the web process, which starts last."""
    deadline = time.monotonic() + READY_S
    ask = ["ip", "netns", "exec", host.there, "curl", "-s", "-o", "/dev/null", f"{host.root}/healthz"]
    while subprocess.run(ask, check=False, capture_output=True).returncode != 0:
        assert time.monotonic() < deadline
        time.sleep(0.3)
