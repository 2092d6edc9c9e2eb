"""The home page: two ways in, a game that plays by itself, and what is happening; nothing stands for what is not."""

import re
from typing import Any

import time_machine
from tests.kits.models import ChannelItem, Match, MatchSeat, PlayedGame, Tournament, select
from tests.kits.pages_kit import Site, activate_bot, finished_match, write_standings, write_tournament

from gangland_ladder.tournaments.lifecycle import State
from gangland_web.base.formats import now_s
from gangland_web.queries import match_lists, status

NOW = 1_800_000_000


def played(site: Site, matches: int = 3) -> list[int]:
    bots = [activate_bot(site, None, name) for name in ("house_one", "house_two")]
    return [finished_match(site, bots) for _ in range(matches)]


def change(site: Site, match: int, position: int, **values: object) -> None:
    with site.database.write() as db:
        seat = db.exec(select(MatchSeat).where(MatchSeat.match_id == match, MatchSeat.position == position)).one()
        for name, value in values.items():
            setattr(seat, name, value)


def headings(page: str) -> list[str]:
    return [re.sub(r"<[^>]+>", "", heading) for heading in re.findall(r"<h2.*?</h2>", page)]


def test_an_empty_house_offers_two_ways_in_and_shows_no_game_of_forgotten_rules(site: Site) -> None:
    page = site.stranger().page("/")
    main = page.partition("<main")[2].partition("</main>")[0]
    assert re.findall(r'class="button[^>]+>([^<]+)</a>', main) == ["Play now", "Write a bot"]
    assert headings(page) == []
    (match,) = played(site, 1)
    with site.database.write() as db:
        for game in db.exec(select(PlayedGame).where(PlayedGame.match_id == match)):
            game.replay = re.sub(r'"rules":\d+', '"rules":0', game.replay)
    assert headings(site.stranger().page("/")) == []


def test_the_game_on_the_felt_is_drawn_as_far_as_it_is_and_its_winner_is_not_named_before_the_end(site: Site) -> None:
    played(site)
    with time_machine.travel(NOW, tick=False) as clock:
        before = site.stranger().page("/")
        clock.shift(60)
        amid = site.stranger().page("/live")
        item = site.row(select(ChannelItem).where(ChannelItem.number == 1))
        clock.move_to(item.ends_at - 1)
        after = site.stranger().page("/live")
    felts = [
        re.findall('<div class="v-table".*?</section></div></div>', page, re.DOTALL) for page in (before, amid, after)
    ]
    assert [len(felt) for felt in felts] == [1, 1, 1]
    assert felts[0] != felts[1] != felts[2]
    assert [" won " in page for page in (before, amid, after)] == [False, False, True]
    assert ["Watch replay" in page for page in (before, amid, after)] == [False, False, True]
    assert 'href="/tv/gang-of-dice"' in before
    assert "Climbed since yesterday" not in before


def test_an_upset_is_a_clearly_lower_rating_ahead_and_the_latest_match_the_one_over_last(site: Site) -> None:
    first, second, third = played(site)
    change(site, first, 0, mu_before=20.0, sigma_before=2.0)
    change(site, first, 1, mu_before=30.0, sigma_before=2.0)
    change(site, second, 0, mu_before=20.0, sigma_before=6.0)
    change(site, second, 1, mu_before=30.0, sigma_before=6.0)
    change(site, third, 0, mu_before=20.0, sigma_before=2.0)
    change(site, third, 1, mu_before=30.0, sigma_before=2.0, mean_place_num=3, mean_place_den=2)
    found = match_lists.upsets(site.read(status.recent_matches))
    assert [(upset.match.id, upset.gap) for upset in found] == [(first, 10.0)]
    assert (found[0].winner.bot, found[0].loser.bot) == ("house_one", "house_two")
    assert "<bdi>house_one</bdi> ahead of <bdi>house_two</bdi>" in site.stranger().page("/")
    with site.database.write() as db:
        for match, over_at in ((first, 30.0), (second, 10.0), (third, 20.0)):
            db.get_one(Match, match).done_at = over_at
    with site.database.read() as db:
        assert [match.id for match in status.recent_matches(db)] == [first, third, second]
    assert re.findall(r"<title>Match (\d+)", site.stranger().page("/feeds/results.atom")) == [
        str(match) for match in (first, third, second)
    ]


def test_the_page_is_asked_for_anew_while_it_is_open_and_tells_the_event_that_begins_first(site: Site) -> None:
    number = write_tournament(site, "Night <Cup>", State.PLAYING)
    page = site.stranger().page("/")
    assert "Night &lt;Cup&gt;" in page
    assert 'data-live="/live" data-every="2"' in page
    part = site.stranger().get("/live")
    assert "".join(part.text.split()) in "".join(page.split())
    again = {"If-None-Match": part.headers["ETag"]}
    assert site.stranger().get("/live", headers=again).status_code == 304
    with site.database.write() as db:
        db.get_one(Tournament, number).state = State.FINISHED.value
        db.get_one(Tournament, number).finished_at = 2.0
    assert "playing</span>" not in site.stranger().get("/live", headers=again).text
    write_tournament(site, "Later", State.OPEN, starts_at=3e9)
    write_tournament(site, "Sooner", State.ANNOUNCED, opens_at=1.9e9, freezes_at=1.95e9, starts_at=2e9)
    page = site.stranger().page("/")
    assert "Sooner" in page
    assert "Later" not in page
    assert '<time datetime="2033-05-18T03:33:20Z">18 May 2033 03:33 UTC</time>' in page


def finished(site: Site, name: str, ago_s: float, winner: str, **given: Any) -> None:
    number = write_tournament(site, name, State.FINISHED, finished_at=now_s() - ago_s, **given)
    write_standings(site, number, activate_bot(site, None, winner), place=1)


def test_the_latest_event_is_told_of_for_two_weeks_with_its_winner_but_not_under_an_embargo(site: Site) -> None:
    finished(site, "Old Cup", status.RESULT_SHOWN_S + 60, "old_winner")
    assert "Tournaments" not in headings(site.stranger().page("/"))
    finished(site, "Long Cup", 2 * 86_400, "long_winner")
    finished(site, "Fresh Cup", 60, "fresh_winner")
    page = site.stranger().page("/")
    assert "Fresh Cup" in page
    assert re.findall(r"First: <strong><a [^>]+><bdi>(\w+)<", page) == ["fresh_winner"]
    assert "Old Cup" not in page
    assert "Long Cup" not in page
    finished(site, "Silent Cup", 30, "secret_winner", embargo_until=now_s() + 3600)
    page = site.stranger().page("/")
    assert "Silent Cup" in page
    assert "Results are shown from" in page
    assert "First:" not in page
