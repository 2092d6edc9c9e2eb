"""What pages say of waiting, of a ladder's days and of probation."""

import re

import pytest
import time_machine
from tests.kits.models import Entry, LadderDay, Tournament, col, select, update
from tests.kits.tournament_pages_kit import House
from tests.kits.tournaments_kit import TO_PLAY, go, ids_of, make

from gangland_ladder.tournaments.lifecycle import State
from gangland_web.base.formats import DAY_S
from gangland_web.queries import matches as waiting

NOON = 20_000 * DAY_S + DAY_S / 2


def test_a_match_says_which_one_its_ratings_wait_for_and_probation_stands_on_every_page(house: House) -> None:
    platform = house.platform
    platform.recorder.schedule()
    first, second, *_ = (match_job for _, match_job in platform.post.sent if len(match_job.seats) == 2)
    platform.begin(first)
    platform.finish(second)
    page = house.stranger().page(f"/matches/{second.id}")
    assert f'Waiting for <a href="/matches/{first.id}">match {first.id}</a>, which is being played' in page
    assert "This match is rated next" not in page
    platform.finish(first)
    page = house.stranger().page(f"/matches/{second.id}")
    assert "25.00 ± 8.33" in page
    assert "Waiting for" not in page
    entry = house.platform.entries(2)[0]
    stranger, board = house.stranger(), "/gang-of-dice/leaderboard?seats=2"
    tag = stranger.get(board).headers["ETag"]
    assert "on probation</span>" not in stranger.page(board)
    house.platform.execute(update(Entry).where(col(Entry.id) == entry.id).values(probation=True, strikes=6))
    assert stranger.get(board, headers={"If-None-Match": tag}).status_code == 200
    assert stranger.page(board).count("on probation</span>") == 1
    bot = house.platform.version(entry.version_id).bot_id
    assert "until six in a row have no fault" in stranger.page(f"/bots/{bot}")
    house.platform.execute(update(Entry).where(col(Entry.id) == entry.id).values(probation=False, quarantined=True))
    assert "must pass a trial first" in stranger.page(f"/bots/{bot}")


def test_a_match_that_waits_says_for_what(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    number = make(house.platform)
    go(house.platform, number, *TO_PLAY[:-1])
    match = max(filter(None, ids_of(house.platform, number)))
    where, stranger = f"/matches/{match}", house.stranger()
    assert stranger.get(where).status_code == 404
    go(house.platform, number, State.PLAYING)
    assert "5 matches before it" in stranger.page(where)
    monkeypatch.setattr(waiting, "MAX_COUNTED", 4)
    assert "more than 4 matches before it" in stranger.page(where)
    house.platform.execute(update(Entry).where(col(Entry.tournament_id) == number).values(quarantined=True))
    assert "must pass a trial first" in stranger.page(where)
    go(house.platform, number, State.PAUSED)
    assert "the tournament is paused" in stranger.page(where)


def test_a_ladders_day_is_promised_ahead_and_its_secret_follows_with_what_proves_it(house: House) -> None:
    platform, stranger = house.platform, house.stranger()
    with time_machine.travel(NOON, tick=False) as clock:
        platform.recorder.schedule()
        match = platform.matches(purpose="ladder")[0]
        ladder = platform.get(Tournament, match.tournament_id)
        ladder_day = platform.get(LadderDay, match.ladder_day_id)
        days = platform.rows(select(LadderDay).where(LadderDay.tournament_id == ladder.id).order_by(col(LadderDay.day)))
        where = f"/{ladder.game}/leaderboard?seats={ladder.seats}&proof=1"
        assert where.replace("&", "&amp;") in stranger.page(f"/{ladder.game}/leaderboard?seats={ladder.seats}")
        page = stranger.page(where)
        assert [day.day for day in days] == [20_000, 20_001]
        for day in days:
            assert day.commitment in page
            assert day.secret.hex() not in page
        assert page.count("after the day began") == 1
        assert f'href="{where.replace("&", "&amp;")}#day-2024-10-04"' in stranger.page(f"/matches/{match.id}")
        platform.play_all()
        last = max(each.number for each in platform.matches(tournament_id=ladder.id))
        clock.move_to(NOON + DAY_S)
        platform.recorder.schedule()
        page = stranger.page(where)
        assert ladder_day.secret.hex() in page
        assert f"1 to {last}" in re.sub(r"\s+", " ", page)
        assert ladder_day.secret.hex() in stranger.page(f"/matches/{match.id}")
        archive = re.search(r'href="(/ladders/[^"]+2024-10-04\.tar)"', page)
        assert archive is not None
        assert stranger.get(archive.group(1)).status_code == 200
        assert days[1].secret.hex() not in page
    board = "/gang-of-dice/leaderboard?proof=1"
    assert stranger.page(f"{board}&before=1")
    refused = [stranger.get(at).status_code for at in ("/poker/leaderboard", f"{board}&seats=5", f"{board}&before=x")]
    assert refused == [404, 400, 400]
