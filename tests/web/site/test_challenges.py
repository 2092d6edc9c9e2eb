"""Matches of one's own bot on demand: the form, who sees what, and the words when it is too much."""

import re

import pytest
from tests.kits.models import Bot, Match, Version, select
from tests.kits.pages_kit import Person, Site, activate_bot, finished_match
from werkzeug.test import TestResponse

from gangland_web.base.formats import now_s
from gangland_web.services.challenges import Allowance
from gangland_web.services.uploads import submit_version

GAME = "gang-of-dice"


def seated(site: Site) -> tuple[Person, int, int]:
    ann, _ = site.person("Ann"), site.person("Bob")
    bots = activate_bot(site, "Ann", "anns"), activate_bot(site, "Bob", "bobs")
    activate_bot(site, None, "the_house")
    return ann, *bots


def test_a_bots_page_leads_to_a_match_of_ones_own_bot_against_it_and_what_cannot_be_says_why(site: Site) -> None:
    ann, anns, bobs = seated(site)
    form = "/gang-of-dice"
    assert f'href="/gang-of-dice?opponent={bobs}"' in ann.page(f"/bots/{bobs}")
    assert "opponent=" not in ann.page(f"/bots/{anns}")
    for old in (f"/challenges?opponent={bobs}", f"/play?opponent={bobs}", f"/play?game=gang-of-dice&opponent={bobs}"):
        assert ann.get(old).location == f"/gang-of-dice?opponent={bobs}"
    the_house = next(bot.id for bot in site.rows(select(Bot).where(Bot.name == "the_house")))

    def start(*opponents: object, bot: object = anns) -> TestResponse:
        return ann.post("/play", {"game": GAME, "who": str(bot), "opponent": [*map(str, opponents)]}, form_at=form)

    answer = start(bobs, "", the_house)
    assert answer.status_code == 303
    where = answer.headers["Location"]
    bob, cid = site.stranger(), site.person("Cid")
    bob.sign_in("Bob")
    for person in (ann, bob):
        for words in ("not started", "3 seats, challenge", "anns", "bobs", "the_house"):
            assert words in person.page(where)
        assert f'href="{where}"' in person.page(form)
    for other in (cid, site.stranger()):
        assert other.get(where).status_code == 404
        assert where not in other.page(form)
    for path in ("/", f"/bots/{anns}", f"/bots/{bobs}", "/gang-of-dice/leaderboard"):
        assert where not in site.stranger().page(path)
    for bot in (bobs, "", "٣", "9" * 20):
        answer = start(the_house, bot=bot)
        assert (answer.status_code, "Choose one of your own bots" in answer.text) == (422, True), bot
    elsewhere = activate_bot(site, None, "the_house", game="gangster-dice")  # a name of a bot here, too
    for opponents in ((99,), (elsewhere,), (the_house, 99)):
        answer = start(*opponents)
        assert (answer.status_code, "Choose opponents that play Gang of Dice" in answer.text) == (422, True), opponents
    answer = start()
    assert (answer.status_code, "1 to 3 opponents, not 0" in answer.text) == (422, True)
    many = [the_house] * 12
    for data in ({"who": str(anns)}, {"who": "you"}):
        answer = ann.post("/play", {"game": GAME, "opponent": many, **data}, form_at=form)
        assert (answer.status_code, "not 4" in answer.text) == (422, True), "no more than one too many is looked up"
    site.app.extensions["gangland_allowance"] = Allowance(hourly=2, at_once=9)
    assert start(the_house).status_code == 303
    answer = start(the_house)
    assert answer.status_code == 429
    assert re.search(r"You can start another in \d+ minutes\.", answer.text)
    assert f'value="{anns}" selected' in answer.text
    assert 3000 <= int(answer.headers["Retry-After"]) <= 3600
    assert "2 matches an hour, with at most 9 unfinished" in answer.text
    stranger = site.stranger()
    refused = stranger.post("/play", {"game": GAME, "who": str(anns), "opponent": str(bobs)}, form_at=form)
    assert str(refused.location).startswith("/sign-in")


def test_the_form_offers_bots_of_its_game_and_whoever_an_address_names(site: Site) -> None:
    ann, anns, bobs = seated(site)
    with site.database.write() as db:
        namesake = submit_version(db, None, "gangster-dice", "bobs", "bobs.py", b"# another of this name\n").bot_id
        version = db.exec(select(Version.id).where(Version.bot_id == namesake)).one()
        db.get_one(Bot, namesake).active_version_id = version
    players = re.search(r'<select id="who".*?</select>', ann.page("/gang-of-dice"), re.DOTALL)
    assert players is not None
    assert f'<option value="{anns}">anns' in players[0]
    assert f'value="{bobs}"' not in players[0]
    assert 'id="who"' not in ann.page("/gangster-dice"), "no bot of hers plays it"
    assert 'id="who"' not in site.stranger().page("/gang-of-dice")
    form = f"/gang-of-dice?opponent={bobs}"
    for path, chosen in ((form, [bobs]), (f"{form}&opponent={anns}", [bobs, anns])):
        assert re.findall(r'<option value="(\d+)" selected', ann.page(path)) == [str(each) for each in chosen]
    assert f'value="{namesake}"' not in ann.page(f"/gang-of-dice?opponent={namesake}"), "it plays another game"
    site.change(Bot, bobs, plays_persons=False)
    assert f'value="{bobs}"' not in ann.page("/gang-of-dice"), "its owner keeps it from people"
    assert f'value="{bobs}" selected' in ann.page(form), "bots may play it"


def test_the_status_page_goes_on_by_itself_with_what_waits_and_for_a_week_what_was_given_up(site: Site) -> None:
    bots = [activate_bot(site, None, name) for name in ("house_one", "house_two")]
    first, second = (finished_match(site, bots, purpose="trial", state="scheduled") for _ in range(2))
    with site.database.write() as db:
        db.get_one(Match, first).created_at = 1_700_000_000.0
        db.get_one(Match, second).created_at = 1_700_000_500.0
    result = site.stranger().get("/status.json").get_json()
    assert result["waiting"] == 2
    queue = next(each for each in result["queues"] if each["purpose"] == "trial")
    assert (queue["waiting"], queue["playing"]) == (2, 0)
    assert queue["oldest_s"] == pytest.approx(now_s() - 1_700_000_000.0, abs=60)
    assert all(each["oldest_s"] is None for each in result["queues"] if each["purpose"] != "trial")
    page, part = site.stranger().page("/status"), site.stranger().get("/status/live")
    assert '<time datetime="2023-11-14T22:13:20Z">14 Nov 2023 22:13:20 UTC</time>' in page
    assert "sandbox" not in page, "its tests are named only when one fails"
    assert 'data-live="/status/live" data-every="2"' in page
    assert part.text.strip() in page
    assert site.stranger().get("/status/live", headers={"If-None-Match": part.headers["ETag"]}).status_code == 304
    ended = [finished_match(site, bots) for _ in range(3)]
    assert "No ladder match has failed to run in the last seven days." in site.stranger().page("/status")
    with site.database.write() as db:
        for match, attempt, age_s in zip(ended, (3, 1, 3), (3600, 3600, 8 * 24 * 3600), strict=True):
            row = db.exec(select(Match).where(Match.id == match)).one()
            row.state, row.digest, row.sent_at, row.attempt = "void", None, None, attempt
            row.void_reason, row.done_at = "three runs <b>ended</b>", now_s() - age_s
    page = site.stranger().page("/status")
    assert page.count('</a> <span class="soft small">') == 1
    assert f"Match {ended[0]} could not be played" in page
    assert "Last incident: <time" in page
    assert "three runs &lt;b&gt;ended&lt;/b&gt;" in page
