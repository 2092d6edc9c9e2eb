"""docker-compose.yml and what it ships: valid, hardened, and the same as the code says elsewhere."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import ruamel.yaml

from gangland_web.broker.acl import access_list

OURS = ("prepare", "web", "records", "beat", "mail", "matches")


@pytest.fixture(scope="module")
def compose(root: Path) -> dict[str, Any]:
    """Return the compose file as a program reads it."""
    loaded: dict[str, Any] = ruamel.yaml.YAML(typ="safe").load((root / "docker-compose.yml").read_text("utf-8"))
    return loaded


def test_the_compose_file_follows_the_compose_specification(root: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "check_jsonschema",
        "--builtin-schema",
        "vendor.compose-spec",
        "docker-compose.yml",
    ]

    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr


def test_every_service_runs_with_nothing_that_it_does_not_need(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        assert service["cap_drop"] == ["ALL"], name
        assert service["read_only"] is True, name
        assert "no-new-privileges:true" in service["security_opt"], name
        assert "privileged" not in service, name
        assert "SYS_ADMIN" not in service.get("cap_add", []), name


@pytest.mark.parametrize("name", OURS)
def test_our_own_processes_run_as_a_user_without_a_name_or_a_capability(compose: dict[str, Any], name: str) -> None:
    service = compose["services"][name]

    assert service["user"] == "10001:10001"
    assert "cap_add" not in service


def test_the_match_worker_is_given_the_broker_and_nothing_else(compose: dict[str, Any]) -> None:
    worker = compose["services"]["matches"]

    assert worker["secrets"] == ["worker_redis_url"]
    assert worker["networks"] == ["broker"]
    assert compose["networks"]["broker"]["internal"] is True
    assert not {"DATABASE_URL_FILE", "REDIS_URL_FILE", "SECRET_KEY_FILE"} & set(worker["environment"])
    assert "seccomp:./docker/worker-seccomp.json" in worker["security_opt"]


def test_the_mailer_alone_knows_the_smtp_server_and_runs_where_it_is_asked_for(compose: dict[str, Any]) -> None:
    mail = compose["services"]["mail"]

    assert mail["profiles"] == ["mail"]
    assert [name for name, service in compose["services"].items() if "smtp_url" in service.get("secrets", [])] == [
        "mail"
    ]


def test_every_service_that_stays_up_says_how_it_is(compose: dict[str, Any]) -> None:
    without = [name for name, service in compose["services"].items() if "healthcheck" not in service]

    assert without == ["prepare"]


def test_every_secret_is_a_file_that_the_preparation_makes(compose: dict[str, Any], root: Path) -> None:
    prepare = (root / "docker" / "prepare").read_text("utf-8")

    for name, secret in compose["secrets"].items():
        assert secret == {"file": f"./docker/secrets/{name}"}
        assert f"keep {name} " in prepare or f">secrets/{name}" in prepare


def test_the_access_list_of_the_container_is_the_one_of_the_code(root: Path) -> None:
    shipped = (root / "docker" / "broker-users.acl").read_text("utf-8")
    platform, worker = (line.split("#")[1].split()[0] for line in access_list("p", "w").splitlines()[1:])

    assert shipped == access_list("p", "w").replace(platform, "@PLATFORM@").replace(worker, "@WORKER@")


def seccomp_profile(root: Path) -> dict[str, Any]:
    """Return what docker/make_seccomp.py writes."""
    spec = importlib.util.spec_from_file_location("make_seccomp", root / "docker" / "make_seccomp.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    made: dict[str, Any] = module.profile()
    return made


def test_the_workers_system_call_profile_is_the_one_that_its_script_writes(root: Path) -> None:
    shipped = json.loads((root / "docker" / "worker-seccomp.json").read_text("utf-8"))

    assert shipped == seccomp_profile(root)


def test_the_workers_profile_lets_a_jail_be_built_and_nothing_be_attacked(root: Path) -> None:
    profile = seccomp_profile(root)
    allowed = {name for rule in profile["syscalls"] if rule["action"] == "SCMP_ACT_ALLOW" for name in rule["names"]}

    assert profile["defaultAction"] == "SCMP_ACT_ERRNO"
    assert {"clone", "clone3", "unshare", "mount", "umount2", "pivot_root", "sethostname"} <= allowed
    assert not allowed & {
        *("bpf", "ptrace", "setns", "keyctl", "add_key", "request_key", "kexec_load", "init_module", "finit_module"),
        *("delete_module", "perf_event_open", "userfaultfd", "io_uring_setup", "reboot", "swapon", "process_vm_writev"),
        *("open_by_handle_at", "fsopen", "fsmount", "move_mount", "open_tree", "mount_setattr", "mknod", "chroot"),
    }
