"""An operator announces the seasons of a ladder from a shell on the server."""

import pytest
import time_machine
from tests.kits.admin_kit import admin
from tests.kits.command_kit import parsed
from tests.kits.core_kit import KINDS, Platform, a_small_platform
from tests.kits.ladder_kit import BORDER

from gangland_web.models.organising import read_log

platform = pytest.fixture(a_small_platform, params=KINDS)
LADDER = ("gang-of-dice", 2)


def test_a_season_is_announced_listed_and_called_off_and_the_log_says_so(platform: Platform) -> None:
    def season(*words: object) -> tuple[int, str]:
        ran = admin(platform, *words, group="season")
        return ran.code, ran.out or ran.err

    with time_machine.travel(BORDER + 10, tick=False):
        code, said = season("announce", *LADDER, "2024-10-04", "2024-10-31")
        assert (code, "it can begin on 2024-10-05 or later" in said) == (2, True)
        assert season("announce", *LADDER, "2024-10-xx", "2024-10-31")[0] == 2
        assert season("announce", *LADDER, "2024-10-05", "2024-10-31", "--name", "Autumn") == (
            0,
            "season 1 (Autumn): 2024-10-05 to 2024-10-31, announced\n",
        )
        assert season("announce", *LADDER, "2024-11-01", "2024-11-30")[0] == 0
        rows = parsed(season("call-off", *LADDER, 2, "--json")[1])["rows"]
        with platform.database.read() as session:
            log = [(line.entry.act, line.entry.details["first_day"]) for line in read_log(session, 5)]
    assert [(row["number"], row["name"], row["begun"]) for row in rows] == [(1, "Autumn", False)]
    assert log == [
        ("called off a season", "2024-11-01"),
        ("announced a season", "2024-11-01"),
        ("announced a season", "2024-10-05"),
    ]
