"""`make compose-test` itself: it says when it tests nothing, and its looks find what it looks for."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import text
from tests.compose import __main__, engine, steps
from tests.compose.audit import _missing, audit
from tests.compose.stack import OVERRIDE, Stack, StepFailed, wait_for
from tests.kits.core_kit import Platform, open_platform

pytestmark = pytest.mark.long("tests of a tool: `make compose-test`")


@pytest.fixture
def checkout(tmp_path: Path, root: Path) -> Path:
    folder = tmp_path / "checkout"
    for name in ("docker-compose.yml", "docker/prepare", "docker/broker-users.acl"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / name, folder / name)
    for command in (["git", "init", "--quiet"], ["git", "add", "--all"]):
        subprocess.run(command, cwd=folder, check=True)
    (folder / "docker" / "secrets").mkdir()
    (folder / "docker" / "secrets" / "secret_key").write_text("somebody's")
    return folder


def a_client(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a `docker` with this script first on the PATH."""
    (folder / "docker").write_text(f"#!/bin/sh\n{script}\n")
    (folder / "docker").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}/usr/bin{os.pathsep}/bin")


@pytest.mark.parametrize(
    "script",
    [
        "echo 'Cannot connect to the Docker daemon' >&2; exit 1",
        """echo '{"ServerErrors": ["Cannot connect to the Docker daemon"]}'""",
        "echo nonsense",
        """[ "$1" = compose ] && exit 1; echo '{"ServerVersion": "28"}'""",
    ],
)
def test_without_an_engine_it_says_loudly_that_nothing_was_tested(
    script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    a_client(tmp_path, script, monkeypatch)
    assert __main__.main([]) == __main__.NO_ENGINE
    output = capsys.readouterr()
    assert output.err.startswith("NOT TESTED: no container engine is reached.")
    assert output.out == ""


def test_without_a_client_it_says_so_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(engine.NoEngine, match="no command `docker`"):
        engine.reached()


def test_a_step_that_fails_takes_everything_down_and_ends_with_1(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(__main__, "ROOT", checkout)
    info = """[ "$1" = info ] && echo '{"ServerVersion": "28"}'; [ "$1 $2" = "compose version" ] && echo 2.40"""
    output = tmp_path / "said"
    a_client(tmp_path, f'echo "$@" >>{output}; [ "$1" = build ] && exit 9; {info}; exit 0', monkeypatch)
    assert __main__.main([]) == 1
    assert "compose down --volumes --remove-orphans" in output.read_text()
    assert "ended with 9" in capsys.readouterr().out


def test_apparmor_is_what_the_engine_says() -> None:
    assert engine.has_apparmor({"SecurityOptions": ["name=apparmor", "name=seccomp,profile=builtin"]})
    assert not engine.has_apparmor({"SecurityOptions": ["name=seccomp,profile=builtin"]})
    assert not engine.has_apparmor({})


def test_the_stack_is_a_clean_copy_with_an_image_of_its_own(checkout: Path, tmp_path: Path) -> None:
    stack = Stack(checkout, copy := tmp_path / "copy", apparmor=False)
    assert stack.environment["WORKER_APPARMOR"] == "unconfined"
    assert "WORKER_APPARMOR" not in Stack(checkout, copy, apparmor=True).environment
    assert (copy / "docker" / "prepare").stat().st_mode & 0o111
    assert not (copy / "docker" / "secrets").exists()
    services = json.loads((copy / OVERRIDE).read_text())["services"]
    assert set(services) == {"prepare", "web", "records", "beat", "mail", "matches", "checks", "tables", "analysis"}
    assert {tuple(service) for service in services.values()} == {("image",)}


def test_what_does_not_come_is_told_with_what_was_seen_last() -> None:
    def look() -> None:
        raise ConnectionResetError("peer")

    with pytest.raises(StepFailed, match=r"in vain for the site; at last: ConnectionResetError: peer"):
        wait_for("the site", look, 0.01)


def test_a_report_ends_with_what_is_wrong_or_with_one_good_word() -> None:
    rows = [steps.Row("up", 41.6, "7 containers well")]
    assert steps.lines(rows, []) == [
        "| step | s | what came |", "| --- | --- | --- |", "| up | 42 | 7 containers well |", "",
        "Everything came back, and every match counts once.",
    ]  # fmt: skip
    assert steps.lines(rows, ["1 matches are void"])[-1] == "1 matches are void"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    platform = open_platform("sqlite", tmp_path_factory.mktemp("played"))
    platform.upload("ann")
    platform.play_all()
    platform.recorder.schedule()
    platform.play_all()
    yield platform
    platform.database.close()


def audited_after(platform: Platform, *statements: str) -> dict[str, Any]:
    """Audit the tables after a change behind the site's back, and undo the change."""
    with platform.database.write() as session:
        for statement in statements:
            session.connection().execute(text(statement))
        found = audit(session)
        session.rollback()
    return found


LATEST = "(SELECT max(id) FROM matches WHERE purpose = 'ladder')"
FIRST = "(SELECT min(id) FROM matches WHERE purpose = 'ladder')"
LOST = f"games WHERE match_id = {FIRST}", f"match_seats WHERE match_id = {FIRST}", f"matches WHERE id = {FIRST}"
SOMEBODY = f"(SELECT min(entry_id) FROM match_seats WHERE match_id = {LATEST})"
VOID = "state = 'void', void_reason = 'forgotten', digest = NULL, sent_at = NULL"


def test_a_sound_site_has_every_match_once(played: Platform) -> None:
    found = audited_after(played)
    assert found["matches"] == found["done"] == len(found["digests"]) > found["trials"] > 0
    assert (found["open"], found["void"], found["missing"], found["doubled"]) == (0, 0, 0, 0)


def test_the_audit_runs_where_the_tests_are_not_installed(played: Platform, tmp_path: Path) -> None:
    script = Path(audit.__code__.co_filename).read_text("utf-8")
    environment = {"DATABASE_URL": str(played.database.url)}
    run = subprocess.run(
        [sys.executable, "-"], input=script, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (run.stderr, json.loads(run.stdout)) == ("", json.loads(json.dumps(audited_after(played))))


def test_audits_are_no_matches_that_are_missing() -> None:
    assert _missing([SimpleNamespace(tournament_id=1, number=number) for number in (-7, 1, 2)]) == 0
    assert _missing([SimpleNamespace(tournament_id=1, number=number) for number in (-7, 1, 3)]) == 1


@pytest.mark.parametrize(
    ("statements", "found"),
    [
        # Its games still count for its entries.
        ([f"DELETE FROM {one}" for one in LOST], {"missing": 1, "doubled": 2}),
        ([f"UPDATE entries SET games = games + 2, wins = wins + 1 WHERE id = {SOMEBODY}"], {"doubled": 1}),
        ([f"DELETE FROM games WHERE id = (SELECT max(id) FROM games WHERE match_id = {LATEST})"], {"doubled": 1}),
        ([f"UPDATE matches SET {VOID} WHERE id = {LATEST}"], {"void": 1, "void_reasons": {"forgotten": 1}}),
    ],
    ids=["a match that is lost", "one that counts twice", "one without a game", "one that nobody plays any more"],
)
def test_what_is_lost_twice_or_left_is_found(played: Platform, statements: list[str], found: dict[str, Any]) -> None:
    assert found.items() <= audited_after(played, *statements).items()
