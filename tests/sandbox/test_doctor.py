"""The doctor: all is well on this machine, and where it is not, that is seen and the fix is named."""

import errno
import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from tests.kits.command_kit import gangland, parsed
from tests.sandbox.staging import MACHINES, bend, reachable, started_on

from gangland_sandbox import doctor, errors, jail, machine, runtime, seccomp, treebuild
from gangland_sandbox.doctor import ALL_FIXES, FIXES, is_safe, probe, probe_of

NOWHERE = "http://127.0.0.1:9"  # the discard port: no site


def gangland_doctor(*arguments: str, on: list[str] | None = None, **settings: str) -> subprocess.CompletedProcess[str]:
    command = on or [sys.executable]
    return subprocess.run(
        [*command, "-m", "gangland_ladder.cli", "doctor", *arguments],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_probe_holds_in_the_real_jail() -> None:
    probes = probe()
    assert [found for found in probes if not found.ok] == []
    assert sorted(found.name for found in probes) == sorted(["jail", *FIXES])
    assert len(probes) >= 12
    assert is_safe(probes)
    assert {found.fix for found in probes} == {""}


def test_every_cause_has_a_fix_and_belongs_to_a_probe() -> None:
    assert all(ALL_FIXES.values())
    assert {probe_of(cause) for cause in ALL_FIXES} == {"jail", *FIXES}
    assert not set(FIXES) & set(machine.FIXES)


@pytest.mark.parametrize(
    ("sound", "broken", "name", "words"),
    [
        (b"for probe in PROBES", b"for probe in PROBES[2:]", "sockets", "did not report"),
        (b"return sys.flags.hash_randomization == 0", b"return 1 // 0 == 0", "hashing", "ZeroDivisionError"),
    ],
)
def test_a_probe_that_breaks_or_of_which_nothing_is_heard_does_not_hold(
    monkeypatch: pytest.MonkeyPatch, sound: bytes, broken: bytes, name: str, words: str
) -> None:
    assert not is_safe([])  # no probes are no proof
    monkeypatch.setattr(doctor, "PROBER_SOURCE", doctor.PROBER_SOURCE.replace(sound, broken))
    probes = {found.name: found for found in probe()}
    assert not is_safe(list(probes.values()))
    assert not probes[name].ok
    assert words in probes[name].detail
    assert probes[name].fix
    assert name == "sockets" or [found.cause for found in probes.values() if not found.ok] == [name]


@pytest.mark.parametrize("name", MACHINES)
def test_where_jails_do_not_hold_the_doctor_exits_1_and_names_the_fix(name: str, tmp_path: Path) -> None:
    staged = MACHINES[name]
    path = bend(reachable(tmp_path) / "bin", staged.bwrap)
    ran = gangland_doctor("--json", on=started_on(staged), PATH=path)
    assert ran.returncode == 1, ran.stderr
    result = parsed(ran.stdout)
    assert result["ok"] is False
    failed = {found["name"]: found for found in result["probes"] if not found["ok"]}
    assert list(failed) == [staged.probe]
    assert staged.fix in failed[staged.probe]["fix"]


EVERYTHING = seccomp.pack([(0x06, 0, 0, seccomp.ALLOW)])
WAITING_ALONE_IS_REFUSED = seccomp.pack(
    [
        (0x20, 0, 0, 0),
        (0x15, 0, 1, seccomp.ARCHES[platform.machine()][1]["wait4"]),
        (0x06, 0, 0, seccomp.refuse(errno.EPERM)),
        (0x06, 0, 0, seccomp.ALLOW),
    ]
)


@pytest.fixture
def unfiltered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    """Jails whose first filter allows everything, in a separate runtime."""
    monkeypatch.setattr(jail, "filter_bytes", lambda _: EVERYTHING)
    monkeypatch.setattr(runtime, "_prepared", {})
    monkeypatch.setenv("GANGLAND_RUNTIME_DIR", str(reachable(tmp_path)))
    return monkeypatch


def test_a_filter_that_lets_everything_through_opens_no_jail(unfiltered: pytest.MonkeyPatch) -> None:
    unfiltered.setattr(treebuild, "filter_bytes", lambda _: EVERYTHING)
    (found,) = probe()
    assert not found.ok
    assert "could not be set" in found.detail


def test_probes_that_escape_a_filter_with_holes_are_believed(unfiltered: pytest.MonkeyPatch) -> None:
    unfiltered.setattr(treebuild, "filter_bytes", lambda _: WAITING_ALONE_IS_REFUSED)
    unfiltered.setattr(doctor, "PROBER_SOURCE", doctor.PROBER_SOURCE.replace(b"signals, programs", b"signals"))
    probes = {found.name: found for found in probe()}
    for name in ("sockets", "signals", "filter", "host_files"):
        assert not probes[name].ok, name
        assert probes[name].fix, name
    assert probes["mounts"].ok


def test_a_prober_that_becomes_another_program_proves_nothing(unfiltered: pytest.MonkeyPatch) -> None:
    unfiltered.setattr(treebuild, "filter_bytes", lambda _: WAITING_ALONE_IS_REFUSED)
    probes = {found.name: found for found in probe()}
    assert not probes["prober"].ok
    assert not any(probes[name].ok for name in ("sockets", "programs", "filter"))


def test_the_same_is_told_to_people_in_plain_lines(tmp_path: Path) -> None:
    ran = gangland_doctor(PATH=bend(tmp_path / "bin", None))
    assert ran.returncode == 1
    assert "  FAIL  jail: bubblewrap is not installed" in ran.stdout
    assert "        fix: install bubblewrap: `apt install bubblewrap`" in ran.stdout
    assert "dnf install bubblewrap" in ran.stdout
    assert ran.stdout.endswith("0 of 1 probes passed\n")


def test_user_namespaces_that_are_off_show_among_the_facts() -> None:
    off, on = (
        json.loads(gangland_doctor("--json", on=started_on(MACHINES[name])).stdout)["machine"]["user namespaces"]
        for name in ("user namespaces off", "a jail that can be written to")
    )
    assert off.startswith("refused (No space left on device); max_user_namespaces 0")
    assert on.startswith("allowed")


def test_a_runtime_that_others_can_write_to_is_refused_with_its_fix(tmp_path: Path) -> None:
    tree = tmp_path / runtime.prepare().app.name
    tree.mkdir()
    tree.chmod(0o777)
    (failed,) = parsed(gangland_doctor("--json", GANGLAND_RUNTIME_DIR=str(tmp_path)).stdout)["probes"]
    assert (failed["name"], failed["ok"]) == ("jail", False)
    assert failed["fix"] == ALL_FIXES["runtime"]


def test_root_that_cannot_be_given_up_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def stuck(_: Callable[[], Any]) -> Any:
        raise errors.SandboxError(
            "the unprivileged process failed: Traceback (most recent call last):\n  File\ncannot become user 7"
        )

    monkeypatch.setattr(doctor, "run_as_jail_user", stuck)
    (failed,) = probe()
    assert (failed.detail, failed.cause) == ("cannot become user 7", "user")
    assert "CAP_SETUID" in failed.fix


BARE = "no container, no WSL"
MODERN = "6.8.0-31-generic"
CONFINED = {"apparmor_restrict_unprivileged_userns": "1", "container": "docker"}
MIGHT: list[tuple[str, dict[str, str], int, str, str, str]] = [
    ("namespaces_max", {"max_user_namespaces": "0"}, errno.ENOSPC, MODERN, BARE, "user.max_user_namespaces=15000"),
    ("namespaces_debian", {"unprivileged_userns_clone": "0"}, errno.EPERM, MODERN, BARE, "unprivileged_userns_clone=1"),
    ("namespaces_kernel", {}, errno.EINVAL, MODERN, BARE, "CONFIG_USER_NS"),
    ("apparmor", {"apparmor_restrict_unprivileged_userns": "1"}, 0, MODERN, BARE, "Ubuntu 24.04"),
    ("container", {"container": "podman"}, errno.EPERM, MODERN, "podman", "docker/worker-seccomp.json"),
    ("selinux", {"enforce": "1"}, 0, MODERN, BARE, "SELinux (Fedora)"),
    ("unknown", {}, 0, MODERN, BARE, "bwrap --unshare-all"),
    ("container", {**CONFINED, "current": "docker-default (enforce)"}, 0, MODERN, "docker", "docker"),
    ("apparmor", {**CONFINED, "current": "unconfined"}, 0, MODERN, "docker", "Ubuntu 24.04"),
    ("wsl", {}, 0, "4.4.0-19041-Microsoft", "WSL 1", "wsl --set-version DISTRO 2"),
    ("unknown", {}, 0, "5.15.167.4-microsoft-standard-WSL2", "WSL 2", "bwrap --unshare-all"),
]
"""Causes, what their machines show of themselves, what these are called, and what fixes them."""


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    def be(settings: dict[str, str], refused: int = 0, release: str = "6.8.0-31-generic") -> None:
        monkeypatch.setattr(machine, "setting", lambda path: settings.get(path.rpartition("/")[2], "not set"))
        monkeypatch.setattr(machine, "namespace_error", lambda: refused)
        monkeypatch.setattr(machine, "CONTAINERS", {})
        monkeypatch.setattr("gangland_sandbox.machine.platform.release", lambda: release)
        monkeypatch.delenv("container", raising=False)
        if "container" in settings:
            monkeypatch.setenv("container", settings["container"])

    return be  # type: ignore[return-value]


@pytest.mark.parametrize(("cause", "settings", "refused", "release", "called", "words"), MIGHT)
def test_the_fix_is_that_of_the_machine(
    cause: str,
    settings: dict[str, str],
    refused: int,
    release: str,
    called: str,
    words: str,
    elsewhere: Callable[..., None],
) -> None:
    elsewhere(settings, refused, release)
    assert machine.obstacle("bubblewrap cannot build a jail") == cause
    assert machine.environment() == called
    assert words in ALL_FIXES[cause]


def test_without_linux_there_is_no_jail_and_the_containers_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gangland_sandbox.machine.sys.platform", "darwin")
    assert machine.obstacle("") == "system"
    assert "docker-compose.yml" in ALL_FIXES["system"]


def test_the_facts_are_told_in_words() -> None:
    result = machine.facts()
    names = {"tier", "kernel", "user", "surroundings", "bubblewrap", "user namespaces", "AppArmor limit", "SELinux"}
    assert set(result) == names | {"seccomp", "cgroups", "runtime", "numeric profile", "engine"}
    assert all(result.values())


class _Site(BaseHTTPRequestHandler):
    said: bytes = b""

    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/status.json" else 404)
        self.end_headers()
        self.wfile.write(self.said)

    def log_message(self, *_: object) -> None:
        """Say nothing on stderr."""


@pytest.fixture
def a_site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[object], str]]:
    server = HTTPServer(("127.0.0.1", 0), _Site)
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()

    def say(what: object) -> str:
        monkeypatch.setattr(_Site, "said", what if isinstance(what, bytes) else json.dumps(what).encode())
        return f"http://127.0.0.1:{server.server_port}"

    yield say
    server.shutdown()
    server.server_close()


def test_a_running_site_is_asked_and_its_stopped_workers_are_a_finding(a_site: Callable[[object], str]) -> None:
    stopped = [{"probe": "sockets", "fix": "fix it\x1b[2J", "workers": 2}]
    address = a_site({"schema": "gangland/status/1", "slots": 1, "stopped": stopped})
    ran = gangland("doctor", "--site", address)
    assert ran.code == 1
    assert f"site {address}: 1 match slot" in ran.out
    assert "  FAIL  2 workers stopped, sockets: fix it" in ran.out
    assert "\x1b" not in ran.out
    result = gangland("doctor", "--site", address, "--json").document
    assert list(result) == ["schema", "ok", "machine", "probes", "site"]
    assert (result["ok"], result["site"]["stopped"]) == (False, stopped)
    ran = gangland("doctor", "--site", a_site({"slots": 2, "stopped": []}), "--json")
    assert (ran.code, ran.document["site"]["slots"]) == (0, 2)


NO_SITES = [b"<html>", b"[]", b'{"slots": "many", "stopped": []}', b'{"slots": 1' + b" " * 99999]


@pytest.mark.parametrize("said", [*NO_SITES, NOWHERE, "file:///etc", "nonsense", "http://["])
def test_what_is_no_site_of_ours_is_refused_if_named(said: bytes | str, a_site: Callable[[object], str]) -> None:
    ran = gangland("doctor", "--site", a_site(said) if isinstance(said, bytes) else said)
    assert ran.code == 3
    assert ran.err.startswith("gangland: no site at ")
    assert len(ran.err.splitlines()) == 1
