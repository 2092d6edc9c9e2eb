"""`gangland up` as a process: one on a data folder, its children's secrets apart, nothing left behind."""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from tests.flow.flow_kit import Browser, Up, children_of, command_of, descendants_of, free_port, is_alive, running_up
from tests.kits.mail_kit import SENDER, SITE, Inbox, code_in, only, smtp_server

pytestmark = [pytest.mark.flow, pytest.mark.slow]


MARK = "s3cret-of-the-smtp-server"
INBOX = Inbox()

Restarted = tuple[list[int], set[tuple[int | None, str | None]], Up]


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """A house that sends mail."""
    options = {"authenticator": only("house", MARK), "auth_require_tls": False}
    with smtp_server(INBOX, **options) as port:
        url, data = f"smtp+plain://house:{MARK}@127.0.0.1:{port}", tmp_path_factory.mktemp("up") / "data"
        with running_up(data, workers=1, nice=3, SMTP_URL=url, SMTP_FROM=SENDER, SITE_URL=SITE) as running:
            yield running


def try_up(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "gangland_web.ops.supervisor", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_it_tells_its_address_and_on_the_first_start_a_code_for_the_admin(up: Up) -> None:
    result = {event["event"]: event for event in up.events}
    assert result["ready"]["address"] == f"http://127.0.0.1:{up.port}/"
    assert len(result["setup_code"]["code"]) >= 12


def test_the_admins_code_comes_after_the_log_and_stands_in_none(tmp_path: Path) -> None:
    data, out = tmp_path / "data", tmp_path / "out"
    command = [sys.executable, "-m", "gangland_web.ops.supervisor", "--port", str(free_port()), "--data", str(data)]
    command += ["--workers", "1"]
    env = {**os.environ, "GANGLAND_ROUNDS": "0"}
    with out.open("w") as screen, subprocess.Popen(command, stdout=screen, stderr=-1, text=True, env=env) as site:
        assert site.stderr is not None
        output = next(line for line in site.stderr if "one-time code" in line)
        shown = out.read_text()
        site.terminate()
        site.communicate(timeout=120)
    code = output.split("first administrator: ")[1].split()[0]

    assert "serving at http://127.0.0.1:" in shown
    logs = [file.read_text(errors="replace") for file in data.rglob("*") if file.is_file() and "log" in file.name]
    assert logs
    assert [text for text in (out.read_text(), *logs) if code in text] == []


def test_a_second_start_on_the_same_data_folder_is_refused_with_a_reason(up: Up) -> None:
    refused = try_up("--data", str(up.data), "--port", "1")
    assert refused.returncode == 2
    assert "already running" in refused.stderr
    assert str(up.process.pid) in refused.stderr


def test_a_lock_that_cannot_be_written_is_named_without_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "lock").mkdir()
    refused = try_up("--data", str(tmp_path), "--port", "1")
    assert (refused.returncode, "Traceback" in refused.stderr) == (2, False)
    assert f"{tmp_path / 'lock'} cannot be written" in refused.stderr


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused = try_up("--data", str(tmp_path), "--port", str(port))
    assert refused.returncode == 2
    assert f"port {port} is in use" in refused.stderr


def test_a_data_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    refused = try_up("--data", str(tmp_path / "file" / "data"))
    assert refused.returncode == 2
    assert "cannot be used" in refused.stderr


def test_nobody_else_can_look_into_the_data_folder(up: Up) -> None:
    """Served by root, the folder can be passed through, since each process has a user of its own; nothing more."""
    passing = 0o001 if os.geteuid() == 0 else 0
    assert stat.S_IMODE(up.data.stat().st_mode) & 0o007 == passing
    for path in (*up.data.iterdir(), *up.data.glob("handed/*/*")):
        assert stat.S_IMODE(path.stat().st_mode) & 0o007 == (passing if path.name == "handed" else 0), path
    assert stat.S_IMODE((up.data / "secret-key").stat().st_mode) & 0o377 == 0


def users_of(pid: int) -> set[int]:
    """The real, effective, saved and file system users of a process."""
    line = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("Uid:"))
    return {int(word) for word in line.split()[1:]}


def held_by(pid: int) -> set[str]:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return {
        line.split()[0]
        for line in lines
        if line.startswith(("CapPrm", "CapEff", "CapAmb")) and int(line.split()[1], 16)
    }


def kinds_of_users(up: Up) -> dict[str, set[int]]:
    """The users of each kind of process while bots play; what ends meanwhile is left out."""
    found: dict[str, set[int]] = {}
    for pid in (up.process.pid, *descendants_of(up.process.pid)):
        with suppress(OSError, StopIteration):
            if (kind := next((kind for kind in KINDS if kind in command_of(pid)), None)) is not None:
                users = users_of(pid)
                if 0 not in users:
                    assert held_by(pid) == set(), kind
                found.setdefault(kind, set()).update(users)
    return found


MATCH_WORKER = "workers.match"
KINDS = (
    "zygote",
    "supervisor",
    MATCH_WORKER,
    "workers.records",
    "workers.beat",
    "workers.mail",
    "ops.serving",
    "-server",
)


def test_nothing_but_the_supervisor_is_root_and_every_kind_of_process_has_a_user_of_its_own(up: Up) -> None:
    observed: dict[str, set[int]] = {}

    def all_kinds_found() -> bool:
        for kind, users in kinds_of_users(up).items():
            observed.setdefault(kind, set()).update(users)
        return len(observed) == len(KINDS)

    up.wait_until(lambda: "ready to play" in up.log, "a worker")
    up.wait_until(all_kinds_found, f"every kind of process, not {sorted(observed)} alone")
    if os.geteuid() != 0:
        assert set().union(*observed.values()) == {os.geteuid()}
        return
    players = {kind: observed.pop(kind) for kind in ("zygote", MATCH_WORKER)}
    # A worker that starts is root until its jails' Python is prepared; see the next test.
    assert {kind: users - {0} for kind, users in players.items()} == {kind: {10001} for kind in players}
    assert 0 in observed.pop("supervisor")  # and its forks, on their way to becoming others
    assert all(len(users) == 1 for users in observed.values()), observed
    others = [*observed.values()]
    assert len(set().union(*others)) == len(others)
    assert not set().union(*others) & {0, 10001}


def environment_of(pid: int) -> dict[str, str]:
    pairs = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return dict(pair.decode().split("=", 1) for pair in pairs if b"=" in pair)


def parts_of(up: Up) -> dict[int, str]:
    """The supervisor's children and their commands, without the fork in which it counts matches now and then."""
    commands = {pid: command_of(pid) for pid in children_of(up.process.pid)}
    return {pid: command for pid, command in commands.items() if command not in ("", command_of(up.process.pid))}


def wait_until_blank(up: Up, pid: int, names: set[str]) -> None:
    """Wait until a child that is still starting has written over the secrets that others could read."""
    values = {name for name in names if not name.endswith("_FILE")}
    up.wait_until(lambda: not any(environment_of(pid)[name] for name in values), f"{pid} to hide {values}")


def test_each_child_gets_only_the_settings_that_it_may_have(up: Up) -> None:
    allowed = {
        "gangland_web.workers.match": {"WORKER_REDIS_URL"},
        "gangland_web.workers.analysis": {"ANALYSIS_REDIS_URL"},
        "gangland_web.workers.records": {"ANALYSIS_REDIS_URL", "DATABASE_URL", "REDIS_URL"},
        "gangland_web.workers.beat": {"REDIS_URL"},
        "gangland_web.workers.mail": {"DATABASE_URL", "REDIS_URL", "SMTP_URL"},
        "gangland_web.ops.serving": {"DATABASE_URL", "REDIS_URL", "SECRET_KEY_FILE"},
        "valkey-server": set(),
        "redis-server": set(),
    }
    secrets = {"ANALYSIS_REDIS_URL", "WORKER_REDIS_URL", "DATABASE_URL", "REDIS_URL", "SECRET_KEY_FILE", "SECRET_KEY"}
    secrets |= {"SMTP_URL"}
    observed = set()
    for pid, command in parts_of(up).items():
        kind = next(name for name in allowed if name in command)
        assert secrets & set(environment_of(pid)) == allowed[kind], kind
        assert "unix://" not in command
        wait_until_blank(up, pid, allowed[kind])
        observed.add(kind)
    assert len(observed) == 7


def test_a_mail_goes_out_and_no_secret_reaches_the_log(up: Up) -> None:
    browser, password = Browser(up), "a password that is marked"
    browser.post("/sign-up", {"name": "Ann", "password": password})
    browser.post("/account/email", {"email": "ann@school.example", "proof": password})
    up.wait_until(lambda: INBOX.mails, "a mail")
    code = code_in(INBOX.take())
    _, page = browser.post("/account/email/confirm", {"code": code}, form_at="/account/email")
    assert "Your e-mail address is now" in page
    passwords = {file.read_text().strip() for file in (up.data / "broker").glob("*-password")}
    key = (up.data / "secret-key").read_text().strip()
    assert len(passwords) == 3
    assert not [secret for secret in (MARK, password, code, key, *passwords) if secret in up.log]


def test_match_workers_are_never_root(up: Up) -> None:
    up.wait_until(lambda: up.log.count("ready to play") >= len(up.workers()), "all workers")
    user = os.geteuid() or 10001
    for pid in up.workers():
        assert f"Uid:\t{user}\t{user}\t{user}\t{user}" in Path(f"/proc/{pid}/status").read_text()


def test_what_an_organiser_types_while_it_runs_leaves_the_database_to_its_users(up: Up) -> None:
    command = [sys.executable, "-m", "gangland_web.ops.admin", "maintenance", "off", "--data", str(up.data)]
    subprocess.run(command, check=True, capture_output=True)
    owners = {path.stat().st_uid for path in up.data.glob("gangland.sqlite3*")}
    assert owners == {os.geteuid() or 10012}


def test_matches_stand_back_for_pages(up: Up) -> None:
    up.wait_until(lambda: "ready to play" in up.log, "a worker")
    assert {os.getpriority(os.PRIO_PROCESS, pid) for pid in up.workers()} == {os.getpriority(os.PRIO_PROCESS, 0) + 3}
    others = {pid: command for pid, command in parts_of(up).items() if pid not in up.workers()}
    analysing = {pid for pid, command in others.items() if "gangland_web.workers.analysis" in command}
    assert {os.getpriority(os.PRIO_PROCESS, pid) for pid in analysing} == {19}
    assert {os.getpriority(os.PRIO_PROCESS, pid) for pid in others.keys() - analysing} == {
        os.getpriority(os.PRIO_PROCESS, 0)
    }


def test_a_child_that_dies_is_started_again(up: Up) -> None:
    victims = [pid for pid in children_of(up.process.pid) if "gangland_web.workers.records" in command_of(pid)]
    for pid in victims:
        os.kill(pid, signal.SIGKILL)
    up.wait_until(
        lambda: [
            pid
            for pid in children_of(up.process.pid)
            if "gangland_web.workers.records" in command_of(pid) and pid not in victims
        ],
        "another record worker",
    )
    assert "records ended with status -9" in up.log


@pytest.fixture(scope="module")
def started_again(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Restarted]:
    """Kill a supervisor in mid-play and start anew: what was left, the matches that were done, and the second start."""
    data = tmp_path_factory.mktemp("anew") / "data"
    with running_up(data, workers=1) as first:
        first.wait_until(lambda: done_in(first), "a match")
        observed = descendants_of(first.process.pid)
        first.process.kill()
        first.process.wait()
        for _ in range(200):
            if not any(is_alive(pid) for pid in observed):
                break
            signal.sigtimedwait([], 0.05)
        left, done = [pid for pid in observed if is_alive(pid)], done_in(first)
    with running_up(data, workers=1) as second:
        second.wait_until(lambda: len(done_in(second)) > len(done), "another match")
        yield left, done, second


def done_in(up: Up) -> set[tuple[int | None, str | None]]:
    return {(match.id, match.digest) for match in up.matches() if match.state == "done"}


def test_all_children_die_when_the_supervisor_is_killed_and_a_new_start_goes_on(
    started_again: Restarted,
) -> None:
    left, done, second = started_again
    assert left == []
    assert [event["event"] for event in second.events if event["event"] != "progress"] == ["ready", "setup_code"]
    assert done < done_in(second)


def test_a_signal_that_comes_twice_stops_all_and_hangs_nowhere(started_again: Restarted) -> None:
    _, _, running = started_again
    observed = descendants_of(running.process.pid)
    for _ in range(3):  # a terminal's whole group, and make besides
        running.process.send_signal(signal.SIGTERM)
    running.process.wait(timeout=60)
    assert [pid for pid in observed if is_alive(pid)] == []
    assert "stopped" in running.log
    assert "killed" not in running.log


def test_a_folder_that_holds_other_things_is_left_as_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "letters").write_text("private")
    refused = try_up("--data", str(tmp_path))
    assert refused.returncode == 2
    assert "holds other things already" in refused.stderr
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"DATABASE_URL": "nonsense"}, "DATABASE_URL is no database's address"),
        ({"DATABASE_URL": "postgresql://nobody:s3cret@127.0.0.1:1/none"}, "the database cannot be used"),
        ({"REDIS_URL": "redis://u:s3cret@127.0.0.1:1"}, "does not answer"),
        ({"WORKER_REDIS_URL": "redis://worker:s3cret@127.0.0.1:1"}, "expected one of a worker host"),
        ({"SMTP_URL": "smtp://house:s3cret@127.0.0.1"}, "SMTP_FROM is not"),
    ],
)
def test_what_is_not_there_is_named_without_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], words: str
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    refused = try_up("--data", str(tmp_path / "data"))
    assert refused.returncode == 2
    assert words in refused.stderr
    assert "Traceback" not in refused.stderr
    assert "s3cret" not in refused.stderr + refused.stdout


def test_a_database_that_is_none_is_named_without_a_traceback(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "gangland.sqlite3").write_bytes(b"this is no database" * 500)
    refused = try_up("--data", str(data))
    assert refused.returncode == 2
    assert "the database cannot be used: file is not a database" in refused.stderr
