"""What watches over a site goes on when a disk is full, a reader has gone or a program is missing for a while."""

import json
import os
import pwd
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gangland_ladder.documents.installations import Progress, Ready
from gangland_sandbox.reach import view_of
from gangland_web.ops import children as journals
from gangland_web.ops import supervisor as children
from gangland_web.ops.children import ChildPlan, Journal
from gangland_web.ops.supervisor import Children
from gangland_web.ops.users import MAIL, RECORDS, WEB, CannotStart, as_user, conflicting_owner, copy_files, set_owners


def test_the_journal_keeps_two_files_and_is_json_if_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal(tmp_path / "gangland.log", as_json=True, json_lines=True)
    for output in ('{"at": "then", "event": "recorded", "match": 3}', "broker: ready", "[1]", '"x"'):
        journal.write("records", output)
    lines = [json.loads(line) for line in (tmp_path / "gangland.log").read_text(encoding="utf-8").splitlines()]
    assert lines[0] == {"at": "then", "event": "recorded", "match": 3, "process": "records"}
    assert [line["event"] for line in lines[1:]] == ["broker: ready", "[1]", '"x"']
    assert {line["process"] for line in lines} == {"records"}
    monkeypatch.setattr(journals, "MAX_LOG_BYTES", 1000)
    journal.close()
    journal = Journal(tmp_path / "gangland.log", as_json=True)
    for number in range(100):
        journal.write("web", f"line {number}")
    journal.close()
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == ["gangland.log", "gangland.old"]
    assert all(file.stat().st_size < 1100 for file in files)
    assert files[0].read_text(encoding="utf-8").endswith("line 99\n")


@pytest.mark.parametrize("code", ["Xk3-abc", None])
def test_the_screen_has_the_address_and_the_code_in_a_frame_and_no_line_of_a_child(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], code: str | None
) -> None:
    journal = Journal(tmp_path / "gangland.log", as_json=False)
    journal.write("broker", "a banner")
    journal.announce("http://127.0.0.1:8000/", code)
    journal.report(Progress(scheduled=9, over=3, under_way=0), "in the log", on_screen=False)
    journal.print_line("on the screen")
    journal.close()
    output = capsys.readouterr()
    frame = output.out if code is None else output.err
    line = "http://127.0.0.1:8000/" if code is None else f"http://127.0.0.1:8000/   one-time code: {code}"
    assert f"\n|  {line}  |\n" in frame
    assert "on the screen\n" in output.out
    log = (tmp_path / "gangland.log").read_text(encoding="utf-8")
    for text in ("a banner", "in the log"):
        assert (text in output.out + output.err, text in log) == (False, True)
    assert (code or "one-time code") not in output.out + log


def test_progress_has_the_right_plural() -> None:
    assert children.Progress(1, 1, 0).sentence == "1 match played, none left"
    assert (children.Progress(9, 5, 1).sentence, children.Progress(9, 5, 1).tenths) == ("5 of 9 matches played", 5)


def test_a_journal_on_a_full_disk_goes_on_to_the_screen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "gangland.log").symlink_to("/dev/full")
    journal = Journal(tmp_path / "gangland.log", as_json=False)
    for number in range(3):
        journal.write("web", f"line {number}")
    journal.close()
    shown = capsys.readouterr().out
    assert [f"line {number}" in shown for number in range(3)] == [True] * 3
    assert shown.count("gangland.log cannot be written: No space left on device") == 1


def test_a_journal_that_could_not_begin_a_new_file_does_so_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(journals, "MAX_LOG_BYTES", 10)
    log = tmp_path / "log" / "gangland.log"
    journal = Journal(log, as_json=False)
    journal.write("web", "more than ten bytes")
    shutil.rmtree(log.parent)
    journal.write("web", "lost from the file")
    journal.write("web", "this too")
    log.parent.mkdir()
    journal.write("web", "there again")
    journal.close()
    assert log.read_text(encoding="utf-8").endswith("there again\n")
    shown = capsys.readouterr().out
    assert shown.count("cannot be written") == shown.count("can be written again") == 1
    assert "lost from the file" in shown


def test_events_that_nobody_reads_any_more_stop_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    with os.fdopen(writing, "w", encoding="utf-8") as stdout:
        monkeypatch.setattr(sys, "stdout", stdout)
        journal = Journal(tmp_path / "gangland.log", as_json=True)
        journal.report(Ready(address="http://127.0.0.1:8000"), "serving")
        assert json.loads(os.read(reading, 1000))["event"] == "ready"
        os.close(reading)
        for number in range(2):
            journal.report(Progress(scheduled=9, over=number, under_way=0), f"{number} played")
        journal.close()
        monkeypatch.undo()
        os.dup2(os.open(os.devnull, os.O_WRONLY), writing)  # so that what is left in it has somewhere to go
    assert "1 played" in (tmp_path / "gangland.log").read_text(encoding="utf-8")


def test_a_child_that_cannot_be_started_for_a_while_is_started_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(children, "MIN_PAUSE_S", 0.01)
    monkeypatch.setattr(children, "MAX_PAUSE_S", 0.01)
    program = tmp_path / "child"

    def install(says: str) -> None:
        program.write_text(f"#!/bin/sh\necho {says}\n", encoding="utf-8")
        program.chmod(0o700)

    install("first")
    journal = Journal(tmp_path / "gangland.log", as_json=False)
    watched = Children(journal, tmp_path)

    def until(there: Callable[[str], bool]) -> None:
        deadline = time.monotonic() + 240
        while not there(output := (tmp_path / "gangland.log").read_text()) and time.monotonic() < deadline:
            watched.watch(0.01)
        assert there(output), output

    try:
        watched.start(ChildPlan("play-1", (str(program),), {"PATH": os.environ["PATH"]}))
        until(lambda text: "| first" in text)
        program.unlink()
        until(lambda text: "play-1 could not be started" in text)
        install("again")
        until(lambda text: "| again" in text)
    finally:
        watched.kill_all()
        journal.close()


SYSTEMD_RUN = """#!/bin/sh
echo "$@" >> {said}
while [ "$1" != -- ]; do shift; done
shift
[ "$1" = true ] || echo "$GANGLAND_SCOPE" >> {said}
"""


@pytest.mark.parametrize("slice_", ["user.slice", "system.slice"])
def test_in_a_session_of_systemds_a_scope_with_control_groups_is_asked_for(tmp_path: Path, slice_: str) -> None:
    output = tmp_path / "said"
    output.touch()
    program = tmp_path / "systemd-run"
    program.write_text(SYSTEMD_RUN.format(said=output), encoding="utf-8")
    program.chmod(0o755)
    (tmp_path / "membership").write_text(f"0::/{slice_}/session-1.scope\n", encoding="utf-8")
    code = (
        "import sys; from pathlib import Path; from gangland_sandbox import cgroups; here = Path(sys.argv[1])\n"
        "cgroups.MANAGER = here; cgroups.survey = lambda: cgroups.Survey('not delegated')\n"
        "from gangland_web.ops.users import enter_scope; enter_scope(['--port', '1'], here / 'membership')\n"
    )
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], env=environment, check=True)
    lines = output.read_text(encoding="utf-8").splitlines()
    if slice_ == "system.slice":
        assert lines == []
        return
    tried, ran, mark = lines
    assert "--property=Delegate=memory pids" in tried
    assert tried.endswith("-- true")
    assert ran.endswith("-m gangland_web.ops.supervisor --port 1")
    assert mark == "1"
    assert ("--user" in tried) == (os.geteuid() != 0)


for_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root starts processes as other users")


@for_root
def test_a_data_folder_that_root_alone_used_before_is_put_right(tmp_path: Path) -> None:
    for name in ("gangland.sqlite3", "gangland.sqlite3-wal", "secret-key", "lock"):
        (tmp_path / name).write_text("kept")
    set_owners(tmp_path)
    owners = {path.name: (path.stat().st_uid, path.stat().st_mode & 0o777) for path in tmp_path.iterdir()}
    assert owners == {
        "gangland.sqlite3": (RECORDS.number, 0o660), "gangland.sqlite3-wal": (RECORDS.number, 0o660),
        "secret-key": (WEB.number, 0o400), "lock": (0, 0o600),
    }  # fmt: skip


@for_root
@pytest.mark.parametrize("second_name", [os.symlink, os.link])
def test_no_file_outside_the_data_folder_is_given(tmp_path: Path, second_name: Callable[[Path, Path], None]) -> None:
    outside, data = tmp_path / "shadow", tmp_path / "data"
    outside.write_text("root's")
    data.mkdir()
    second_name(outside, data / "gangland.sqlite3-wal")
    with pytest.raises(CannotStart, match="not a plain file"):
        set_owners(data)
    assert outside.stat().st_uid == 0


@for_root
def test_a_secret_in_a_file_of_roots_reaches_the_one_process_that_needs_it(tmp_path: Path) -> None:
    secret = tmp_path / "smtp"
    secret.write_text("password")
    secret.chmod(0o600)
    data = tmp_path / "data"
    data.mkdir()
    changed = copy_files(data, MAIL, {"SMTP_PASSWORD_FILE": str(secret), "SMTP_URL": "x"})
    copy = Path(changed["SMTP_PASSWORD_FILE"])
    assert (copy.read_text(), copy.stat().st_uid, copy.stat().st_mode & 0o777) == ("password", MAIL.number, 0o400)
    assert changed["SMTP_URL"] == "x"


@for_root
def test_a_closed_folder_shows_what_is_needed_and_nothing_else(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "needed").mkdir(parents=True)
    (home / "needed" / "file").write_text("there")
    (home / "private").write_text("not for services")
    home.chmod(0o700)
    view = view_of([home / "needed"])
    found = as_user(
        WEB, view, lambda: [(home / "needed" / "file").read_text(), (home / "private").exists(), os.getuid()]
    )
    assert found == ["there", False, WEB.number]
    assert (home / "private").read_text() == "not for services"


def test_a_user_of_ours_that_is_somebody_elses_is_named() -> None:
    def taken(number: int) -> pwd.struct_passwd:
        return pwd.struct_passwd(("ann", "x", number, number, "", "/", "/bin/sh"))

    assert conflicting_owner(taken) == f"ann (user {WEB.number})"
