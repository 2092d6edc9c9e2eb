"""Seasons as they are shown: announced, running, over, fixed; what a bot was rated before; whose bots they were."""

import html
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import time_machine
from tests.kits.admin_kit import admin
from tests.kits.command_kit import gangland, parsed
from tests.kits.core_kit import GAME, ON_POSTGRESQL, Platform
from tests.kits.ladder_kit import BORDER, announce, next_day, play_days
from tests.kits.models import Entry, User, col, update
from tests.kits.tournament_pages_kit import House
from time_machine import Traveller

from gangland_web.base.formats import DAY_S, day_text
from gangland_web.services import ladder_days, leaving

LADDER, SEASON = f"/{GAME}/leaderboard", f"/{GAME}/leaderboard?seats=2&season="
FILES = f"/ladders/{GAME}/2/seasons"


@pytest.fixture
def clock() -> Iterator[Traveller]:
    with time_machine.travel(BORDER + 10, tick=False) as traveller:
        yield traveller


@pytest.fixture
def house(platform: Platform, tmp_path: Path, clock: Traveller) -> House:
    house = House(platform, tmp_path)
    house.author("Ann", "anns")
    return house


def rows(house: House, address: str = f"/ladders/{GAME}.json?seats=2") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = house.stranger().get(address).get_json()["rows"]
    return found


@ON_POSTGRESQL
def test_seasons_say_how_far_they_are_and_name_nobody_who_left(house: House, clock: Traveller) -> None:
    platform, somebody = house.platform, house.stranger()
    announce(platform, (1, 1), (2, 40))
    first, second = day_text(ladder_days.today() + 1), day_text(ladder_days.today() + 2)
    assert f"begins on {first} (UTC)" in somebody.page(LADDER)
    assert f"{first} to {first} (UTC)" in somebody.page(f"{SEASON}1")
    play_days(platform, clock, 1)
    assert f"ends with {first} (UTC)" in somebody.page(LADDER)
    assert f"{first} to {first} (UTC)" in somebody.page(f"{SEASON}1")
    next_day(platform, clock)
    assert "The standings are final once its last matches are over." in somebody.page(f"{SEASON}1")
    assert somebody.get(f"{FILES}/1.json").get_json()["state"] == "ending"
    platform.recorder.schedule()
    page = somebody.page(f"{SEASON}1")
    assert "Final since " in page
    assert page.count('<td class="rank">') == 5
    assert "Earlier seasons:" in somebody.page(LADDER)
    assert f"{second} to " in somebody.page(f"{SEASON}2")
    assert somebody.get(f"{SEASON}3").status_code == somebody.get(f"{LADDER}?seats=3&season=1").status_code == 404
    feed = somebody.get(f"/feeds/ladders/{GAME}/2.atom").text
    assert "The standings of season 1 are final" in feed.split("<entry>")[1], "the newest that happened"
    before = {row["bot"]: (row["rank"], row["rating"]) for row in rows(house, f"{FILES}/1.json")}
    now = rows(house)
    assert {row["bot"]: (row["former_rank"], row["former_rating"]) for row in now} == before
    assert {(row["mu"], row["games"]) for row in now} == {(25.0, 0)}
    rank, rating = before["anns"]
    shown = f"before {rating:.2f},<br>rank {rank}"
    assert shown in house.stranger().page(LADDER)
    bot = next(row["bot_id"] for row in now if row["bot"] == "anns")
    page = house.stranger().page(f"/bots/{bot}")
    assert f"Last season: {rating:.2f}, rank {rank}" in page
    page = house.stranger().page(f"/bots/{bot}/versions")
    assert f'Rank {rank} in <a href="{html.escape(SEASON)}1">season 1 at 2 seats</a>' in page
    ratings = [row for row in rows(house, f"/bots/{bot}/ratings.json") if row["seats"] == 2]
    assert [(row["season"], row["season_rank"], row["active"]) for row in ratings] == [
        (2, None, True),
        (1, rank, False),
    ], "and nothing of the time before, in which it had not played"
    author = house.stranger().get("/authors/1.json").get_json()
    assert [(each["rank"], each["bots"], each["bot"]) for each in author["seasons"]] == [(rank, 5, "anns")]
    assert f'<a href="{html.escape(SEASON)}1">season 1 of Gang of Dice' in house.stranger().page("/authors/1")
    house.platform.play_all()
    assert shown in house.stranger().page(LADDER), "four matches are too few"
    house.platform.execute(update(Entry).where(col(Entry.active).is_(True)).values(games=48))
    assert shown not in house.stranger().page(LADDER)
    assert "Last season:" not in house.stranger().page(f"/bots/{bot}")
    house.platform.change(User, 1, name="Anna")
    assert {row["owner"] for row in rows(house, f"{FILES}/1.json")} == {"Anna", "house"}
    assert "Anna" in house.stranger().page(f"{SEASON}1")
    leaving.delete_account(house.platform.database, 1)
    for address in (f"{SEASON}1", f"{FILES}/1.json", f"{FILES}/1.csv"):
        text = house.stranger().get(address).text
        assert "Ann" not in text, address
        assert "(deleted 1)" in text, address
    assert "/authors/1" not in house.stranger().page(f"{SEASON}1")


def test_verify_computes_a_season_from_the_archives_of_its_days(house: House, clock: Traveller, tmp_path: Path) -> None:
    platform = house.platform
    announce(platform, (1, 2), (3, 3))
    play_days(platform, clock, 4)
    platform.recorder.schedule()
    days = tmp_path / "days"
    days.mkdir()
    first, last = (day_text(BORDER // DAY_S + day) for day in (1, 2))
    for day in (first, last):
        assert admin(platform, "export", GAME, 2, days / f"{day}.tar", "--day", day, group="ladder").code == 0
    season = tmp_path / "season.json"
    season.write_bytes(house.stranger().get(f"{FILES}/1.json").data)
    ran = gangland("verify", season, "--days", days)
    assert ran.code == 0, ran.out + ran.err
    assert ran.out.endswith("season.json: verified\n")
    assert parsed(gangland("verify", season, "--days", days, "--json").out)["matches"]["all"] == 20

    said = json.loads(season.read_bytes())
    said["rows"][0]["mu"] += 1e-9
    season.write_text(json.dumps(said))
    ran = gangland("verify", season, "--days", days)
    assert (ran.code, "but the matches give" in ran.err) == (1, True)

    (days / f"{first}.tar").unlink()
    season.write_bytes(house.stranger().get(f"{FILES}/1.json").data)
    ran = gangland("verify", season, "--days", days)
    assert (ran.code, f"{first}: the archive of this day is missing" in ran.err) == (1, True)

    other = day_text(BORDER // DAY_S + 3)
    assert admin(platform, "export", GAME, 2, days / "other.tar", "--day", other, group="ladder").code == 0
    assert f"{other} is not a day of the season" in gangland("verify", season, "--days", days).err
    season.write_text('{"schema": "gangland/standings/1"}')
    assert gangland("verify", season, "--days", days).code == 1
