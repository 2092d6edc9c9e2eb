"""deploy/systemd: units that systemd understands, that keep out what they can, and that run what is there."""

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path

import pytest

from gangland_web.broker import access, server
from gangland_web.ops import admin_shell, supervisor
from gangland_web.ops.children import (
    BEAT_VARIABLES,
    MAIL_VARIABLES,
    RECORDS_VARIABLES,
    SHARED_VARIABLES,
    WEB_VARIABLES,
    web_command,
)
from gangland_web.settings import Settings, read_settings, sqlite_url

PYTHON = "/opt/gangland/venv/bin/python"
GANGLAND = "/opt/gangland/venv/bin/gangland"
MAX_EXPOSED = {"gangland-worker@.service": 3.2, "gangland-up.service": 3.6}  # by systemd's measure, 10 at worst
USUALLY = 1.6


def units(root: Path) -> Path:
    return root / "deploy" / "systemd"


def services() -> list[str]:
    folder = Path(__file__).resolve().parent.parent / "deploy" / "systemd"
    return sorted(path.name for path in folder.glob("*.service"))


def lines(root: Path, name: str) -> Iterator[tuple[str, str]]:
    """Yield the settings of a unit and its drop-ins, in the order in which they count."""
    folder = units(root)
    kinds = ["gangland-.service.d", f"{name}.d"] if name.endswith(".service") else []
    dropped = sorted((file for kind in kinds for file in (folder / kind).glob("*.conf")), key=lambda file: file.name)
    for file in (folder / name, *dropped):
        for line in file.read_text(encoding="utf-8").splitlines():
            if "=" in line and not line.startswith("#"):
                key, _, value = line.partition("=")
                yield key, value


def all_of(root: Path, name: str, key: str) -> list[str]:
    return [value for result, value in lines(root, name) if result == key]


def environment_of(root: Path, name: str) -> dict[str, str]:
    pairs = [pair for value in all_of(root, name, "Environment") for pair in shlex.split(value)]
    return dict(pair.split("=", 1) for pair in pairs)


def credentials_of(root: Path, name: str) -> dict[str, str]:
    return dict(value.split(":", 1) for value in all_of(root, name, "LoadCredential"))


@pytest.fixture(scope="module")
def loaded(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of the units as systemd finds them, with programs of this machine."""
    assert shutil.which("systemd-analyze"), "systemd-analyze is missing: make test-system"
    folder = tmp_path_factory.mktemp("units") / "systemd"
    shutil.copytree(units(root), folder)
    for unit in folder.glob("*.service"):
        text = unit.read_text().replace(PYTHON, "/bin/true").replace(GANGLAND, "/bin/true")
        unit.write_text(text)
        if "@." in unit.name:
            (folder / unit.name.replace("@.", "@0.")).write_text(text)
    return folder


def analyze(loaded: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "SYSTEMD_UNIT_PATH": f"{loaded}:", "LC_ALL": "C.UTF-8"}
    return subprocess.run(
        ["systemd-analyze", *arguments], env=environment, capture_output=True, text=True, check=False, timeout=60
    )


def nothing_is_wrong(loaded: Path, *files: str) -> None:
    done = analyze(loaded, "verify", "--man=no", *files)
    ours = [line for line in (done.stdout + done.stderr).splitlines() if "gangland" in line]
    assert (ours, done.returncode) == ([], 0), done.stderr


def test_systemd_finds_nothing_wrong_with_any_unit(loaded: Path) -> None:
    files = [
        str(path) for path in sorted(loaded.glob("gangland*.*")) if path.suffix in (".service", ".target", ".timer")
    ]
    nothing_is_wrong(loaded, *files)


def test_every_service_leaves_an_attacker_little(loaded: Path, root: Path) -> None:
    names = [name.replace("@.", "@0.") for name in services()]
    result = {}
    for name in names:
        done = analyze(loaded, "security", "--offline=yes", "--no-pager", name)
        found = re.search(r"exposure level for \S+: ([0-9.]+)", done.stdout)
        assert found, done.stdout + done.stderr
        result[name.replace("@0.", "@.")] = float(found[1])
    assert {name: level for name, level in result.items() if level > MAX_EXPOSED.get(name, USUALLY)} == {}


@pytest.mark.parametrize("name", services())
def test_what_a_service_runs_is_there_and_takes_what_it_is_given(root: Path, name: str) -> None:
    for command in [value.removeprefix("-") for key, value in lines(root, name) if key.startswith("ExecStart")]:
        words = shlex.split(command)
        if words[0] == PYTHON and words[1] == "-m":
            found = importlib.util.find_spec(words[2]) or importlib.util.find_spec(f"{words[2]}.__main__")
            assert found is not None, words[2]
            if words[2] == "gangland_web.broker.server":
                server._parser().parse_args(words[3:])
        elif words[0] == PYTHON:
            assert words[1] == "-c"
            compile(words[2], name, "exec")
        elif words[0] == GANGLAND:
            assert words[1] == "up"
            supervisor._parser().parse_args(words[2:])
        else:
            assert words[0] in ("/bin/sh", "/usr/bin/find"), words[0]
            assert f"exec {PYTHON} -m gangland_web.ops.admin backup " in command or words[0] == "/usr/bin/find"


def test_site_and_broker_run_as_gangland_up_runs_them(root: Path, tmp_path: Path) -> None:
    (served,) = all_of(root, "gangland-web.service", "ExecStart")
    broker = server.server_command(tmp_path, tmp_path / "broker.sock", tmp_path / "users", socket_mode="770")
    assert tuple(shlex.split(served)[1:]) == web_command(8000)[1:]
    assert {("--port", "0"), *((f"--{name}", value) for name, value in server.MEMORY_OPTIONS.items())} <= set(
        pairwise(broker)
    )


@pytest.mark.parametrize("name", services())
def test_every_setting_is_one_that_we_read_and_every_secret_a_file(root: Path, name: str) -> None:
    source = "".join(
        (root / "platform" / "gangland_web" / file).read_text(encoding="utf-8")
        for file in ("settings.py", "workers/match.py", "ops/children.py")
    )
    known = set(re.findall(r'"([A-Z][A-Z_]+)"', source)) | {"GANGLAND_RUNTIME_DIR"}
    pythons = {"PYTHONUNBUFFERED", "PYTHONSAFEPATH", "PYTHONDONTWRITEBYTECODE"}
    settings, credentials = environment_of(root, name), credentials_of(root, name)
    assert {each.removesuffix("_FILE") for each in set(settings) - pythons} <= known
    by_file = {value.removeprefix("%d/") for key, value in settings.items() if key.endswith("_FILE")}
    used = " ".join(value for key, value in lines(root, name) if key == "ExecStart")
    assert by_file | set(re.findall(r"%d/(\w+)", used)) == set(credentials)
    assert {path for path in credentials.values() if not path.startswith("/etc/gangland/secrets/")} == set()


@pytest.mark.parametrize(
    ("name", "reads"),
    [("web", WEB_VARIABLES), ("records", RECORDS_VARIABLES), ("beat", BEAT_VARIABLES), ("mail", MAIL_VARIABLES)],
)
def test_every_setting_of_a_process_has_a_place(root: Path, name: str, reads: tuple[str, ...]) -> None:
    """In the unit, in the file that all units read, or for a secret where that file says."""
    text = (units(root) / "gangland.env").read_text(encoding="utf-8")
    places = set(re.findall(r"^#?([A-Z_]+)=", text, re.MULTILINE)) | set(re.findall(r"Environment=([A-Z_]+)=", text))
    given = {each.removesuffix("_FILE") for each in places | set(environment_of(root, f"gangland-{name}.service"))}
    logs = {each for each in SHARED_VARIABLES if each.startswith("LOG_")}
    from_without = {
        "REQUESTS_CA_BUNDLE", "SSL_CERT_DIR", "SSL_CERT_FILE", "SMTP_PASSWORD", "SMTP_PASSWORD_FILE",
    }  # the last is in smtp_url  # fmt: skip
    assert {each for each in {*reads, *logs} if each.removesuffix("_FILE") not in given} - from_without == set()


def test_every_setting_that_is_told_of_reaches_a_process_of_gangland_up(root: Path) -> None:
    page = (root / "docs" / "operate.md").read_text(encoding="utf-8").split("\n## Settings\n")[1].split("\n## ")[0]
    result = set(re.findall(r"`([A-Z_]+)`", " ".join(re.findall(r"^- ([^:]+):", page, re.MULTILINE))))
    its_own = {"ANALYSIS_REDIS_URL", "DATABASE_URL", "GANGLAND_BLOCKS", "GANGLAND_DATA", "REDIS_URL", "SECRET_KEY"}
    its_own |= {"WORKER_REDIS_URL"}
    assert {"KEEP_LOGS_DAYS", "LOG_FORMAT", "SMTP_URL"} < result
    assert result - {*WEB_VARIABLES, *RECORDS_VARIABLES, *BEAT_VARIABLES, *MAIL_VARIABLES, *SHARED_VARIABLES} == its_own


def test_each_service_is_given_the_secrets_that_it_may_have_and_a_match_worker_no_network(root: Path) -> None:
    given = {name: set(credentials_of(root, name)) for name in services()}
    worker, runtime = "gangland-worker@.service", "gangland-runtime.service"
    assert given[worker] == {"worker_redis_url"}
    assert given["gangland-beat.service"] == {"redis_url"}
    assert given["gangland-prepare.service"] == {"database_url", "worker_redis_url"}
    assert given["gangland-broker.service"] == {"broker_users"}
    assert [name for name, secrets in given.items() if "secret_key" in secrets] == ["gangland-web.service"]
    assert [name for name, secrets in given.items() if "smtp_url" in secrets] == ["gangland-mail.service"]
    assert [name for name in services() if all_of(root, name, "User") == ["gangland-play"]] == [worker]
    assert all_of(root, worker, "PrivateNetwork") == ["yes"]
    assert all_of(root, worker, "RestrictNamespaces")[-1] == "no"
    assert all_of(root, worker, "NoNewPrivileges") == ["yes"]
    assert all_of(root, worker, "CapabilityBoundingSet") == [""]
    # systemd would give /var/lib/gangland to one user, and jails are built of what is there.
    folders = [value for name in services() for value in all_of(root, name, "StateDirectory")]
    assert folders
    assert "gangland" not in folders
    # A unit that stays active would not run again for a worker that starts again after an upgrade of Python.
    assert all_of(root, runtime, "Type") == ["oneshot"]
    assert all_of(root, runtime, "RemainAfterExit") == []
    assert runtime in all_of(root, worker, "Requires")[0]
    assert runtime in all_of(root, worker, "After")[0]


def test_a_worker_host_needs_no_unit_of_the_site(root: Path) -> None:
    wanted = [each for value in all_of(root, "gangland-workers.target", "Wants") for each in value.split()]
    assert wanted
    assert {re.sub(r"@(\d|checks|tables)\.", "@.", each) for each in wanted} == {"gangland-worker@.service"}
    assert all_of(root, "gangland-worker@.service", "WantedBy") == ["gangland-workers.target"]
    assert all_of(root, "gangland-worker@.service", "Requires") == ["gangland-runtime.service"]
    (needed,) = all_of(root, "gangland-broker.service", "ConditionPathExists")
    assert needed == credentials_of(root, "gangland-broker.service")["broker_users"]
    page = (root / "docs" / "worker-hosts.md").read_text(encoding="utf-8")
    assert "enable --now gangland-workers.target" in page
    assert "deploy/systemd/broker-elsewhere.conf" in page


def test_what_a_killed_backup_left_is_removed_and_nothing_else(root: Path, tmp_path: Path) -> None:
    (command,) = all_of(root, "gangland-backup.service", "ExecStartPre")
    assert '"$STATE_DIRECTORY/gangland-$(date' in all_of(root, "gangland-backup.service", "ExecStart")[0]
    whole = tmp_path / "gangland-2027-03-01-033000.backup"
    torso, of_now = (
        admin_shell.temporary_path(whole),
        admin_shell.temporary_path(tmp_path / "gangland-2027-03-02-033000.backup"),
    )
    for file in (whole, torso, of_now):
        file.touch()
    for file in (whole, torso):
        os.utime(file, (1_700_000_000, 1_700_000_000))
    words = shlex.split(command.removeprefix("-").replace("/var/lib/gangland-backups", str(tmp_path)))
    subprocess.run(words, check=True, timeout=60)
    assert set(tmp_path.iterdir()) == {whole, of_now}


def test_a_backup_of_gangland_up_may_note_in_its_database_that_it_was_made(root: Path, loaded: Path) -> None:
    name = "backup-of-gangland-up.conf"
    result = [line.partition("=")[::2] for line in (units(root) / name).read_text().splitlines() if "=" in line]
    settings = dict(value.split("=", 1) for key, value in result if key == "Environment")
    (folder,) = all_of(root, "gangland-up.service", "StateDirectory")
    assert settings == {"DATABASE_URL": sqlite_url(Path("/var/lib", folder)), "DATABASE_URL_FILE": ""}
    assert ("ReadWritePaths", f"/var/lib/{folder}") in result
    assert ("LoadCredential", "") in result
    page = (root / "docs" / "systemd.md").read_text(encoding="utf-8")
    copied = re.search(rf"cp /opt/gangland/source/deploy/systemd/{name} /etc/systemd/system/(\S+)", page)
    assert copied is not None
    shutil.copy(units(root) / name, loaded / copied[1])
    nothing_is_wrong(loaded, str(loaded / "gangland-backup.service"))
    (loaded / copied[1]).unlink()


def test_the_example_of_the_settings_is_read(root: Path) -> None:
    text = (units(root) / "gangland.env").read_text(encoding="utf-8")
    pairs = dict(line.lstrip("#").split("=", 1) for line in text.splitlines() if re.match(r"#?[A-Z_]+=", line))
    read = read_settings({**pairs, "HOME": "/nowhere"})
    assert (read.site_url, read.secure_cookies, read.trusted_proxies) == ("https://bots.example", True, 1)
    assert {line for line in text.splitlines() if line and not line.startswith("#")} == {
        "SITE_URL=https://bots.example", "SECURE_COOKIES=1", "TRUSTED_PROXIES=1",
    }  # fmt: skip


def test_the_secrets_are_made_once_for_root_alone_and_are_what_the_services_read(root: Path, tmp_path: Path) -> None:
    folder = tmp_path / "secrets"

    def make() -> dict[str, str]:
        subprocess.run([units(root) / "make-secrets", folder], check=True, capture_output=True)
        return {file.name: file.read_text() for file in folder.iterdir()}

    made, again = make(), make()
    wanted = {secret for name in services() for secret in credentials_of(root, name)}
    result = {f"{name.upper()}_FILE": str(folder / name) for name in wanted - {"broker_users", "smtp_url"}}
    read: Settings = read_settings({**result, "HOME": "/nowhere"})
    assert made == again
    assert wanted <= set(made)
    assert {file.stat().st_mode & 0o077 for file in (folder, *folder.iterdir())} == {0}
    assert read.need_database_url() == "postgresql://gangland@/gangland?host=/run/postgresql"
    assert len(read.need_secret_key()) == 64
    assert (
        access.access_list(
            made["broker_password"].strip(),
            made["analysis_password"].strip(),
            {"local": made["worker_password"].strip()},
        )
        == made["broker_users"]
    )
    sockets = all_of(root, "gangland-broker.service", "ExecStart")[0]
    assert all(
        made[name].strip().endswith("@/run/gangland-broker/broker.sock") for name in ("redis_url", "worker_redis_url")
    )
    assert "--socket /run/gangland-broker/broker.sock" in sockets


def test_what_the_page_about_installing_names_is_there(root: Path) -> None:
    page = (root / "docs" / "systemd.md").read_text(encoding="utf-8")
    named = set(re.findall(r"gangland-[a-z]+(?:@)?", page)) - {"gangland-data", "gangland-play", "gangland-backups"}
    shipped = {file.name.split(".")[0] for file in units(root).iterdir()}
    files = re.findall(r"/opt/gangland/source/((?:deploy|requirements)/[\w./-]+\w)", page)
    assert {f"gangland-{name}" for name in ("up", "web", "records", "prepare", "broker")} <= named
    assert {name for name in named if name not in shipped} == set()
    assert [file for file in files if not list(root.glob(f"{file}*"))] == []
    assert set(re.findall(r"gangland-(\d[\d.]*\d)[-.]", page)) == {version("gangland")}
