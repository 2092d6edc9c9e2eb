"""docker-compose.yml and what it ships: valid, hardened, and the same as the code says elsewhere."""

import ast
import json
import re
import shutil
import subprocess
import sys
import tomllib
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import ruamel.yaml
from tests.kits.script_kit import loaded_script

from gangland_web.broker.access import access_list
from gangland_web.ops.children import BEAT_VARIABLES, MAIL_VARIABLES, RECORDS_VARIABLES, WEB_VARIABLES

READERS = {"web": WEB_VARIABLES, "records": RECORDS_VARIABLES, "beat": BEAT_VARIABLES, "mail": MAIL_VARIABLES}
BY_AN_OVERRIDE = {name for name in WEB_VARIABLES if name.startswith("OIDC_")} | {
    *("REQUESTS_CA_BUNDLE", "SSL_CERT_DIR", "SSL_CERT_FILE", "SMTP_PASSWORD", "SMTP_PASSWORD_FILE")
}
"""What needs files or an extra that the image has not, and a password that stands in the secret `smtp_url`."""
OURS = ("prepare", "web", "records", "beat", "mail", "matches", "checks")
NEWER_CALLS = {"fchmodat2", "futex_requeue", "futex_wait", "futex_waitv", "futex_wake"}
"""Younger than the engines' list, and no more than what older calls in it do."""


OVERRIDES = ("production", "development", "broker", "worker")


class Replaced:
    """A value that replaces or removes what is there (`!override`, `!reset`)."""

    def __init__(self, value: Any) -> None:
        self.value = value


def read(path: Path) -> dict[str, Any]:
    yaml = ruamel.yaml.YAML(typ="safe", pure=True)

    def replaced(constructor: Any, _tag: str, node: Any) -> Replaced:
        deep = isinstance(node, ruamel.yaml.nodes.CollectionNode)
        if isinstance(node, ruamel.yaml.nodes.SequenceNode):
            return Replaced(constructor.construct_sequence(node, deep=deep))
        return Replaced(constructor.construct_mapping(node, deep=deep))

    for tag in ("!reset", "!override"):
        yaml.constructor.add_multi_constructor(tag, replaced)
    loaded: dict[str, Any] = yaml.load(path.read_text("utf-8"))
    return loaded


def merged(below: Any, above: Any) -> Any:
    """Merge as Compose does: mappings by key, lists one after the other, else the latter."""
    if isinstance(above, Replaced):
        return above.value
    if isinstance(below, dict) and isinstance(above, dict):
        both = {key: merged(value, above[key]) if key in above else value for key, value in below.items()}
        return both | {key: merged(None, value) for key, value in above.items() if key not in below}
    if isinstance(below, list) and isinstance(above, list):
        return [*below, *above]
    return above


@pytest.fixture(scope="module", params=["as it is", *OVERRIDES])
def compose(root: Path, request: pytest.FixtureRequest) -> dict[str, Any]:
    base = read(root / "docker-compose.yml")
    if request.param in OVERRIDES:
        base = merged(base, read(root / f"docker-compose.{request.param}.yml"))
    return base


def changed_by(root: Path, override: str) -> tuple[dict[str, Any], dict[str, Any]]:
    base = read(root / "docker-compose.yml")
    return base["services"], merged(base, read(root / f"docker-compose.{override}.yml"))["services"]


def test_the_compose_files_follow_the_compose_specification(compose: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "compose.json").write_text(json.dumps(compose))
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", "compose.json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_all_that_a_service_names_is_there(compose: dict[str, Any], root: Path) -> None:
    for name, service in compose["services"].items():
        assert set(service.get("networks", [])) <= set(compose["networks"]), name
        assert set(service.get("secrets", [])) <= set(compose["secrets"]), name
        assert set(service.get("depends_on", [])) <= set(compose["services"]), name
        for mount in service.get("volumes", []):
            source = mount.split(":")[0]
            assert (root / source).exists() if source.startswith(".") else source in compose["volumes"], mount


def test_in_production_nobody_reaches_the_site_but_the_proxy_and_this_machine(root: Path) -> None:
    base, services = changed_by(root, "production")
    assert set(services) - set(base) == {"proxy"}
    assert {name for name, service in services.items() if service.get("ports")} == {"proxy", "web"}
    assert services["web"]["ports"] == ["127.0.0.1:8000:8000"]
    assert services["proxy"]["networks"] == ["front"]
    assert "secrets" not in services["proxy"]
    settings = services["web"]["environment"]
    assert (settings["TRUSTED_PROXIES"], settings["SECURE_COOKIES"]) == ("1", "1")
    assert settings["SITE_URL"] == "https://${SITE_HOST}"


def test_a_worker_host_runs_match_workers_alone_which_differ_in_their_way_out(root: Path) -> None:
    base, services = changed_by(root, "worker")
    assert {name for name in services if services[name] != base.get(name)} == {"matches"}
    differs = {key for key in services["matches"] if services["matches"][key] != base["matches"].get(key)}
    assert differs == {"networks", "depends_on"}
    assert (services["matches"]["networks"], services["matches"]["depends_on"]) == (["out"], {})
    assert {name for name, service in services.items() if "out" in service.get("networks", [])} == {"matches"}


def test_for_worker_hosts_the_broker_alone_is_published_where_one_says(root: Path) -> None:
    base, services = changed_by(root, "broker")
    assert {name for name in services if services[name] != base.get(name)} == {"redis"}
    assert services["redis"]["networks"] == ["broker", "hosts"]
    (port,) = services["redis"]["ports"]
    assert port.startswith("${BROKER_BIND:?")


def test_the_site_is_where_prometheus_and_runbooks_ask_it_in_every_way(compose: dict[str, Any], root: Path) -> None:
    published = {
        port.replace("${BIND:-127.0.0.1:8000}", "127.0.0.1:8000") for port in compose["services"]["web"]["ports"]
    }
    example = (root / "deploy" / "prometheus" / "prometheus.yml").read_text("utf-8")
    requested = set(re.findall(r"127\.0\.0\.1:\d+", example + (root / "docs" / "runbooks.md").read_text("utf-8")))
    assert requested == {port.removesuffix(":8000") for port in published}


@pytest.mark.parametrize("name", READERS)
def test_every_setting_that_a_process_reads_is_handed_on_to_its_container(compose: dict[str, Any], name: str) -> None:
    given = {each.removesuffix("_FILE") for each in compose["services"][name]["environment"]}
    assert {each for each in READERS[name] if each.removesuffix("_FILE") not in given} - BY_AN_OVERRIDE == set()


def test_every_variable_of_the_compose_file_is_told_of(root: Path) -> None:
    files = [*root.glob("docker-compose*.yml")]
    variables = {name for file in files for name in re.findall(r"\$\{([A-Z_]+)", file.read_text("utf-8"))}
    pages = [root / "docs" / name for name in ("operate.md", "install.md", "worker-hosts.md")]
    result = {name for page in pages for name in re.findall(r"[A-Z_]+", page.read_text("utf-8"))}
    assert {"KEEP_LOGS_DAYS", "KEEP_REPLAYS_DAYS"} < variables
    assert variables - result == set()


def test_in_development_everything_is_published_on_this_machine_alone_and_no_source_can_be_changed(root: Path) -> None:
    base, services = changed_by(root, "development")
    assert set(services) == set(base)
    assert {port for one in services.values() for port in one.get("ports", [])} == {"${BIND:-127.0.0.1:8000}:8000"}
    assert "--reload" in services["web"]["command"]
    mounts = [mount for name in OURS for mount in services[name]["volumes"]]
    assert len(mounts) == 4 * len(OURS)
    assert all(mount.startswith("./") and mount.endswith(":ro") for mount in mounts)


@pytest.mark.parametrize("override", ["production", "development"])
def test_an_override_changes_how_a_service_is_reached_and_set_and_not_how_it_is_held(root: Path, override: str) -> None:
    base, services = changed_by(root, override)
    for name in base:
        changed = {key for key in services[name] if services[name][key] != base[name].get(key)}
        assert changed <= {"command", "environment", "ports", "tmpfs", "volumes"}, name


def test_every_service_runs_in_bounds_with_nothing_that_it_does_not_need(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        assert service["cap_drop"] == ["ALL"], name
        assert service["read_only"] is True, name
        assert "no-new-privileges:true" in service["security_opt"], name
        assert "privileged" not in service, name
        assert "SYS_ADMIN" not in service.get("cap_add", []), name
        assert {"mem_limit", "cpus", "pids_limit"} <= set(service), name
        assert (service["restart"] == "unless-stopped") is (name != "prepare"), name
        assert ("healthcheck" in service) is (name != "prepare"), name
    for name in OURS:
        service, settings = compose["services"][name], compose["services"][name]["environment"]
        assert service["user"] == "10001:10001", name
        assert "cap_add" not in service, name
        # As JSON for whoever collects it, in production of itself.
        assert settings["LOG_FORMAT"] == ("json" if "proxy" in compose["services"] else "${LOG_FORMAT:-text}"), name
        assert settings["LOG_LEVEL"] == "${LOG_LEVEL:-debug}", name


def test_the_broker_may_hold_more_than_it_lets_itself_hold_in_its_one_database(compose: dict[str, Any]) -> None:
    """So a full broker refuses, and is not killed."""
    redis = compose["services"]["redis"]
    given = dict(pairwise(redis["command"]))
    assert int(redis["mem_limit"].removesuffix("m")) >= int(given["--maxmemory"].removesuffix("mb")) * 5 // 4
    assert given["--databases"] == "1", "a worker could fill a second one"


def test_whoever_plays_yields_to_whoever_serves(compose: dict[str, Any]) -> None:
    """By weight: a quota would make bots late."""
    services = compose["services"]
    default = 1024
    assert services["matches"]["cpu_shares"] < services["records"].get("cpu_shares", default)
    assert services["records"].get("cpu_shares", default) < services["web"]["cpu_shares"]


def test_image_and_label_bear_the_version(compose: dict[str, Any], root: Path) -> None:
    version = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert {compose["services"][name]["image"] for name in OURS} == {f"gangland:{version}"}
    assert f'org.opencontainers.image.version="{version}"' in (root / "Dockerfile").read_text("utf-8")


def test_no_linter_finds_anything_in_a_dockerfile(root: Path) -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True).stdout
    files = [name for name in listed.splitlines() if "Dockerfile" in Path(name).name]
    hadolint = Path(sys.executable).with_name("hadolint")
    done = subprocess.run([hadolint, "--no-color", *files], cwd=root, capture_output=True, text=True, check=False)
    assert "Dockerfile" in files
    assert done.returncode == 0, done.stdout + done.stderr


def copied_into_the_image(root: Path) -> list[tuple[str, str]]:
    lines = (root / "Dockerfile").read_text("utf-8").splitlines()
    copies = [line.split()[1:] for line in lines if line.startswith("COPY ") and "--from" not in line]
    return [(name, to) for *names, to in copies for name in names]


def test_the_image_is_built_from_what_it_needs_alone(root: Path) -> None:
    lines = (root / ".dockerignore").read_text("utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    copied = {name for name, _ in copied_into_the_image(root)}
    let_in = [rule[1:] for rule in rules if rule.startswith("!")]
    assert rules[0] == "*"
    assert {name for name in copied if not any(Path(name).match(rule) for rule in let_in)} == {
        name for name in copied if name.startswith("requirements/")
    }
    assert not {"docker", "tests", ".git"} & set(let_in)


def test_the_wheel_can_be_built_from_what_the_image_copies(root: Path, tmp_path: Path) -> None:
    for pattern, to in copied_into_the_image(root):
        for source in root.glob(pattern):
            target = tmp_path / "src" / to / ("" if source.is_dir() else source.name)
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
            else:
                shutil.copy(source, target)
    release = loaded_script(root, "release")
    wheel = release.build(tmp_path / "src", tmp_path / "out", 1_700_000_000, targets=["wheel"])["wheel"]
    assert release.wheel_problems(wheel, release.tracked(root)) == []


def test_the_match_worker_is_given_the_broker_alone_and_each_secret_has_its_holder(compose: dict[str, Any]) -> None:
    services = compose["services"]
    worker = services["matches"]

    def holders(secret: str) -> list[str]:
        return [name for name, service in services.items() if secret in service.get("secrets", [])]

    assert worker["secrets"] == ["worker_redis_url"]
    assert worker["networks"] in (["broker"], ["out"])  # the latter on a host of its own, where nothing else is
    assert compose["networks"]["broker"]["internal"] is True
    assert not {"DATABASE_URL_FILE", "REDIS_URL_FILE", "SECRET_KEY_FILE"} & set(worker["environment"])
    assert "seccomp:./docker/worker-seccomp.json" in worker["security_opt"]
    assert (holders("metrics_token"), holders("smtp_url")) == (["web"], ["mail"])
    assert services["web"]["environment"]["METRICS_TOKEN_FILE"] == "/run/secrets/metrics_token"
    assert services["mail"]["profiles"] == ["mail"]


@pytest.mark.parametrize("name", OURS[1:])
def test_what_a_health_check_imports_is_there(compose: dict[str, Any], name: str) -> None:
    """All up to the first call, which needs the services."""
    command = compose["services"][name]["healthcheck"]["test"]
    assert command[:3] == ["CMD", "python", "-c"]
    imports: list[ast.stmt] = [
        each for each in ast.parse(command[3]).body if isinstance(each, ast.Import | ast.ImportFrom)
    ]
    assert imports
    exec(compile(ast.Module(imports, []), name, "exec"), {})


def test_every_secret_is_a_file_that_the_preparation_makes(compose: dict[str, Any], root: Path) -> None:
    prepare = (root / "docker" / "prepare").read_text("utf-8")
    for name, secret in compose["secrets"].items():
        assert secret == {"file": f"./docker/secrets/{name}"}
        assert f"keep {name} " in prepare or f">secrets/{name}" in prepare


def test_the_access_list_of_the_container_is_the_one_of_the_code(root: Path) -> None:
    shipped = (root / "docker" / "broker-users.acl").read_text("utf-8")
    listed = access_list("p", "a", {"local": "w"})
    platform, analysis, worker = (line.split("#")[1].split()[0] for line in listed.splitlines()[1:])
    shipped_as = {platform: "@PLATFORM@", analysis: "@ANALYSIS@", worker: "@LOCAL@"}
    for digest, place in shipped_as.items():
        listed = listed.replace(digest, place)
    assert shipped == listed


def make_seccomp(root: Path) -> ModuleType:
    return loaded_script(root, "make_seccomp", "docker")


def test_an_engines_own_profile_can_be_compared_with_the_workers(root: Path, tmp_path: Path) -> None:
    rules = [
        {"names": ["read", "futex"], "action": "SCMP_ACT_ALLOW"},
        {"names": ["bpf"], "action": "SCMP_ACT_ALLOW", "includes": {"caps": ["CAP_BPF"]}},
        {"names": ["vmsplice"], "action": "SCMP_ACT_ALLOW"}, {"names": ["syslog"], "action": "SCMP_ACT_ERRNO"},
    ]  # fmt: skip
    (tmp_path / "seccomp.json").write_text(json.dumps({"syscalls": rules}))
    beyond, left_out = make_seccomp(root).compared(tmp_path / "seccomp.json").splitlines()
    assert left_out == "left out: vmsplice"
    assert "mount" in beyond.split()
    assert "read" not in beyond.split()


def test_the_workers_profile_lets_a_jail_be_built_and_nothing_be_attacked(root: Path) -> None:
    """The engine's list allows clone, mount and unshare; Docker's forbids them without SYS_ADMIN."""
    script, shipped = make_seccomp(root), json.loads((root / "docker" / "worker-seccomp.json").read_text("utf-8"))
    profile = script.profile()
    allowed, engines = script.allowed_calls(profile), script.engines_calls()
    assert shipped == profile
    assert allowed - engines == {"sethostname", *NEWER_CALLS}
    assert {"ptrace", "setns", "keyctl", "process_vm_readv", "mknod", "open_tree"} <= engines - allowed
    assert profile["defaultAction"] == "SCMP_ACT_ERRNO"
    assert {"clone", "clone3", "unshare", "mount", "umount2", "pivot_root", "sethostname"} <= allowed
    assert not allowed & {
        *("bpf", "ptrace", "setns", "keyctl", "add_key", "request_key", "kexec_load", "init_module", "finit_module"),
        *("delete_module", "perf_event_open", "userfaultfd", "io_uring_setup", "reboot", "swapon", "process_vm_writev"),
        *("open_by_handle_at", "fsopen", "fsmount", "move_mount", "open_tree", "mount_setattr", "mknod", "chroot"),
    }
