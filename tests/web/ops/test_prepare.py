"""What is prepared before a site starts waits for a server that comes later, and says why it gives up."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from gangland_web.ops import prepare


@pytest.mark.parametrize(("address", "waits"), [("postgresql://nobody@127.0.0.1:1/none", True), ("sqlite:////", False)])
def test_a_server_is_waited_for_and_a_file_is_not(
    address: str, waits: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    now = [1000.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    monkeypatch.setattr(prepare, "time", SimpleNamespace(monotonic=lambda: now[0], sleep=sleep))
    monkeypatch.setattr(prepare, "SERVER_WAIT_S", 10.0)
    monkeypatch.setattr(prepare, "set_up_logging", lambda: None)
    monkeypatch.setenv("DATABASE_URL", address + ("" if waits else f"{tmp_path}/missing/none.sqlite3"))
    assert prepare.main() == 3
    output = [line for line in caplog.messages if line.startswith("the database is not reachable yet")]
    assert len(output) == (5 if waits else 0)
    assert now[0] == (1010.0 if waits else 1000.0)
    assert caplog.messages[-1].startswith("the database cannot be used: ")
    assert "\n" not in caplog.messages[-1]
