"""What is prepared before a site starts waits for a server that comes later, and says why it gives up."""

from pathlib import Path
from types import SimpleNamespace

import pytest
import time_machine
from tests.kits import admin_kit, command_kit, core_kit, ladder_kit

from gangland_web.models.organizing import read_log
from gangland_web.ops import prepare


@pytest.mark.parametrize(("address", "waits"), [("postgresql://nobody@127.0.0.1:1/none", True), ("sqlite:////", False)])
def test_a_server_is_waited_for_and_a_file_is_not(
    address: str, waits: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    now = [1000.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    monkeypatch.setattr(prepare, "time", SimpleNamespace(monotonic=lambda: now[0], sleep=sleep))
    monkeypatch.setattr(prepare, "DATABASE_TIMEOUT_S", 10.0)
    monkeypatch.setattr(prepare, "set_up_logging", lambda: None)
    monkeypatch.setenv("DATABASE_URL", address + ("" if waits else f"{tmp_path}/missing/none.sqlite3"))
    assert prepare.main() == 3
    output = [line for line in caplog.messages if line.startswith("the database is not reachable yet")]
    assert len(output) == (5 if waits else 0)
    assert now[0] == (1010.0 if waits else 1000.0)
    assert caplog.messages[-1].startswith("the database cannot be used: ")
    assert "\n" not in caplog.messages[-1]


platform = pytest.fixture(core_kit.a_small_platform, params=core_kit.KINDS)
LADDER = ("gang-of-dice", 2)


def test_a_season_is_announced_listed_and_called_off_and_the_log_says_so(platform: core_kit.Platform) -> None:
    def season(*words: object) -> tuple[int, str]:
        ran = admin_kit.admin(platform, *words, group="season")
        return ran.code, ran.out or ran.err

    with time_machine.travel(ladder_kit.BORDER + 10, tick=False):
        code, said = season("announce", *LADDER, "2024-10-04", "2024-10-31")
        assert (code, "it can begin on 2024-10-05 or later" in said) == (2, True)
        assert season("announce", *LADDER, "2024-10-xx", "2024-10-31")[0] == 2
        assert season("announce", *LADDER, "2024-10-05", "2024-10-31", "--name", "Autumn") == (
            0,
            "season 1 (Autumn): 2024-10-05 to 2024-10-31, announced\n",
        )
        assert season("announce", *LADDER, "2024-11-01", "2024-11-30")[0] == 0
        rows = command_kit.parsed(season("call-off", *LADDER, 2, "--json")[1])["rows"]
        log = [(line.entry.act, line.entry.details["first_day"]) for line in platform.read(read_log, 5)]
    assert [(row["number"], row["name"], row["begun"]) for row in rows] == [(1, "Autumn", False)]
    assert log == [
        ("called off a season", "2024-11-01"), ("announced a season", "2024-11-01"),
        ("announced a season", "2024-10-05"),
    ]  # fmt: skip
