"""`gangland up` says what is wrong and ends with 2 where it cannot start."""

import json
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.flow.flow_kit import free_port

pytestmark = pytest.mark.flow

STARTER = """
import json, os, signal, sys, traceback
from gangland_web.ops import supervisor as up

for line in sys.stdin:
    arguments, settings, output = json.loads(line)
    child = os.fork()
    if child == 0:
        signal.alarm(240)  # one that starts after all is not waited for
        os.environ.update(settings)
        file = os.open(output, os.O_WRONLY | os.O_CREAT)
        os.dup2(file, 1)
        os.dup2(file, 2)
        try:
            status = up.main(arguments)
        except BaseException:
            traceback.print_exc()
            status = 1
        sys.stdout.flush()
        os._exit(status)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""Starts `gangland up` in a fork for each line that it reads, so that it is imported once."""

TryUp = Callable[..., str]


@pytest.fixture(scope="module")
def starter() -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", STARTER]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


@pytest.fixture
def refused(starter: subprocess.Popen[str], tmp_path_factory: pytest.TempPathFactory) -> TryUp:
    def attempt(*arguments: object, **settings: str) -> str:
        assert starter.stdin is not None
        assert starter.stdout is not None
        output = tmp_path_factory.mktemp("tried") / "output"
        words = [*map(str, arguments), *([] if "--port" in arguments else ["--port", str(free_port())])]
        starter.stdin.write(json.dumps([words, settings, str(output)]) + "\n")
        starter.stdin.flush()
        status, text = starter.stdout.readline().strip(), output.read_text()
        assert (status, "Traceback" in text) == ("2", False), text
        return text

    return attempt


def test_a_lock_that_cannot_be_written_is_named(refused: TryUp, tmp_path: Path) -> None:
    (tmp_path / "lock").mkdir()
    assert f"cannot write {tmp_path / 'lock'}" in refused("--data", tmp_path, "--port", 1)


def test_a_port_in_use_is_named(refused: TryUp, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"port {port} is in use" in refused("--data", tmp_path, "--port", port)


def test_a_data_folder_that_cannot_be_made_or_holds_no_database_is_named(refused: TryUp, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert "cannot use the data folder" in refused("--data", tmp_path / "file" / "data")
    (data := tmp_path / "data").mkdir()
    (data / "gangland.sqlite3").write_bytes(b"this is no database" * 500)
    assert "the database cannot be used: file is not a database" in refused("--data", data)


def test_a_folder_that_holds_other_things_is_left_as_it_is(refused: TryUp, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "letters").write_text("private")
    assert "has files, but no installation" in refused("--data", tmp_path)
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"DATABASE_URL": "nonsense"}, "DATABASE_URL is not a database URL"),
        ({"DATABASE_URL": "postgresql://nobody:s3cret@127.0.0.1:1/none"}, "the database cannot be used"),
        ({"REDIS_URL": "redis://u:s3cret@127.0.0.1:1"}, "does not answer"),
        ({"WORKER_REDIS_URL": "redis://worker:s3cret@127.0.0.1:1"}, "expected a worker host's URL"),
        ({"SMTP_URL": "smtp://house:s3cret@127.0.0.1"}, "SMTP_FROM is not"),
    ],
)
def test_a_wrong_setting_is_named_alone(refused: TryUp, tmp_path: Path, settings: dict[str, str], words: str) -> None:
    output = refused("--data", tmp_path / "data", **settings)
    assert words in output
    assert "s3cret" not in output
