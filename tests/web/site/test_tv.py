"""Screens for a wall: one game for all of them, its end not before its time, and nothing that an embargo keeps."""

import json
import re
from typing import Any

import time_machine
from tests.kits import models, pages_kit, tournaments_kit
from tests.kits.tournament_pages_kit import House

from gangland_ladder.tournaments.lifecycle import Deadlines
from gangland_ladder.viewer.timeline_data import broadcast_of
from gangland_web.services import channels, corrections
from gangland_web.web.middleware import CHECK_INTERVAL_S

NOW = 1_800_000_000


def items(site: pages_kit.Site | House) -> list[models.ChannelItem]:
    database = site.database if isinstance(site, pages_kit.Site) else site.platform.database
    with database.read() as db:
        found = list(db.exec(models.select(models.ChannelItem).order_by(models.col(models.ChannelItem.id))).all())
        db.expunge_all()
        return found


def some_matches(site: pages_kit.Site, count: int = 3) -> list[int]:
    bots = [pages_kit.activate_bot(site, None, name) for name in ("house_one", "house_two")]
    return [pages_kit.finished_match(site, bots) for _ in range(count)]


def on(page: str) -> str:
    found = re.search(r'data-now="(\d*)"', page)
    assert found
    return found[1]


def test_all_screens_show_the_same_game_also_after_a_restart_and_the_next_when_it_is_over(site: pages_kit.Site) -> None:
    some_matches(site)
    with time_machine.travel(NOW, tick=False) as clock:
        first = site.stranger().page("/tv")
        clock.shift(30)
        broadcast_of.cache_clear()  # as a process that has just begun
        assert on(site.stranger().page("/tv")) == on(site.stranger().page("/tv/live")) == on(first) == "1"
        (one, two) = items(site)
        assert (one.starts_at, two.starts_at) == (NOW, one.ends_at)
        assert (one.again, two.again) == (False, False)
        assert one.match_id != two.match_id
        clock.move_to(one.ends_at)
        assert on(site.stranger().page("/tv/live")) == "2"
    assert len(items(site)) == 3


def told_of(site: pages_kit.Site, item: int | None, query: str = "") -> dict[str, Any]:
    answer: dict[str, Any] = site.stranger().get(f"/tv/items/{item}{query}").get_json()
    return answer


def test_how_a_game_ends_is_not_sent_before_its_time(site: pages_kit.Site) -> None:
    some_matches(site)
    with time_machine.travel(NOW, tick=False) as clock:
        sent = [site.stranger().page("/tv")]
        (one, two) = items(site)
        steps: list[Any] = []
        assert told_of(site, one.id)["ranks"] == [1, 1]
        while (answer := told_of(site, one.id, f"?after={len(steps)}"))["end"] is None:
            steps += answer["steps"]
            sent += [json.dumps(answer), site.stranger().page("/tv/live")]
            clock.shift(9)
        steps += answer["steps"]
        assert steps == sorted(steps, key=lambda step: step["at_s"])
        assert told_of(site, one.id)["steps"] == steps
        assert told_of(site, two.id)["end"] is None
        ahead = told_of(site, two.id, "?own=1")
    told = [found for text in sent for found in re.findall(r".{30} won .{30}|\"places\":|place 2|\"moved\"", text)]
    assert told == []
    assert " won " in answer["end"]["points"][0]
    assert answer["end"]["moved"] == [["house_one", "+4.5"], ["house_two", "+3.5"]]
    assert (answer["now"], answer["next"], answer["following"]) == (one.id, two.id, two.id)
    assert ahead["end"] is not None


def test_an_embargoed_game_is_on_no_screen_and_one_that_is_on_stops(house: House) -> None:
    platform = house.platform
    with time_machine.travel(NOW, tick=False) as clock:
        number = tournaments_kit.make(platform, deadlines=Deadlines(embargo_until=NOW + 1000))
        tournaments_kit.go(platform, number, *tournaments_kit.TO_PLAY)
        platform.play_all()
        stranger, path = house.stranger(), f"/tournaments/{number}/tv"
        page = stranger.page(path)
        assert "Results are shown from" in page
        assert (on(page), items(house)) == ("", [])
        game = channels.NextItem(min(filter(None, tournaments_kit.ids_of(platform, number))), 0, 0, 900.0, False, "")
        channels.add_item(platform.database, f"tournament-{number}", 1, game, NOW)
        assert on(stranger.page(path)) == ""
        assert stranger.get("/tv/items/1").status_code == 404
        clock.shift(1001)
        assert on(stranger.page(path)) == "2"
        assert stranger.get("/tv/items/2").status_code == 200


def test_when_the_match_that_is_on_becomes_void_the_next_begins_and_no_two_games_overlap(house: House) -> None:
    platform = house.platform
    stranger = house.stranger()
    platform.recorder.schedule()
    platform.play_all()
    with time_machine.travel(NOW, tick=False) as clock:
        stranger.page("/tv")
        (one, two) = items(house)
        clock.shift(20)
        with platform.database.write() as db:
            match = db.get_one(models.Match, one.match_id)
            corrections.void_match(db, db.get_one(models.Tournament, match.tournament_id), match, "a bug")
        assert on(stranger.page("/tv")) == "2"
        (_, begun, three) = items(house)
        seconds = two.ends_at - two.starts_at
        assert (begun.starts_at, begun.ends_at, three.starts_at) == (NOW + 20, NOW + 20 + seconds, NOW + 20 + seconds)
        clock.move_to(three.starts_at)
        assert on(stranger.page("/tv")) == "3"


def test_a_screen_says_who_leads_and_plays_what_is_at_stake_and_what_is_next(site: pages_kit.Site) -> None:
    some_matches(site)
    with site.database.write() as db:
        models.begin_maintenance(db, "The disks are moved.")
    assert on(site.stranger().page("/tv")) == ""
    assert items(site) == []
    with site.database.write() as db:
        models.end_maintenance(db)
    site.app.extensions["gangland_maintenance_check"].at -= CHECK_INTERVAL_S  # as if a moment had passed
    page = site.stranger().page("/tv/gang-of-dice")
    for words in (
        "The player with the most dice after 12 rounds wins. Recorded match ",
        "The highest total takes all dice on the table", "At stake", "Next", "house_one", "house_two",
        "Write a bot and join", "QR code: http",
    ):  # fmt: skip
        assert words in page
    assert '<meta http-equiv="refresh" content="30">' in page
    assert site.stranger().get("/tv/chess").status_code == 404
