"""Challenges on the site: the form, who sees what, and the words when it is too much."""

import re

import pytest
from tests.kits.models import Match, select
from tests.kits.pages_kit import Person, Site, activate_bot, finished_match

from gangland_web.base.formats import now_s
from gangland_web.services.challenges import Allowance
from gangland_web.services.uploads import submit_version


def seated(site: Site) -> tuple[Person, int, int]:
    ann, _ = site.person("Ann"), site.person("Bob")
    bots = activate_bot(site, "Ann", "anns"), activate_bot(site, "Bob", "bobs")
    activate_bot(site, None, "the_house")
    return ann, *bots


def test_a_bots_page_leads_to_a_challenge_and_its_match_and_a_form_that_cannot_be_says_why(site: Site) -> None:
    ann, anns, bobs = seated(site)
    assert f'href="/challenges?opponent={bobs}"' in ann.page(f"/bots/{bobs}")
    assert "opponent=" not in ann.page(f"/bots/{anns}")
    assert 'value="bobs"' in ann.page(f"/challenges?opponent={bobs}")
    answer = ann.post("/challenges", {"bot": anns, "opponent1": "BOBS", "opponent2": "", "opponent3": "the_house"})
    assert answer.status_code == 303
    where = answer.headers["Location"]
    bob, cid = site.stranger(), site.person("Cid")
    bob.sign_in("Bob")
    for person in (ann, bob):
        for words in ("not started yet", "3 seats, challenge", "anns", "bobs", "the_house"):
            assert words in person.page(where)
    assert "another author" in bob.page("/challenges")
    for other in (cid, site.stranger()):
        assert other.get(where).status_code == 404
    assert where not in cid.page("/challenges")
    for path in ("/", f"/bots/{anns}", f"/bots/{bobs}", "/gang-of-dice/leaderboard"):
        assert where not in site.stranger().page(path)
    with site.database.write() as db:
        namesake = submit_version(db, None, "gangster-dice", "bobs", "bobs.py", b"# another bot of this name\n").bot_id
    assert f'<option value="{anns}" selected>' in ann.page(f"/challenges?opponent={bobs}")
    page = ann.page(f"/challenges?opponent={namesake}")
    assert "bobs plays Gangster Dice, and no bot of yours is on its ladders." in page
    assert 'value="bobs"' not in page.replace('<option value="bobs"', "")
    not_own = [(bot, "the_house", "Choose one of your own bots") for bot in (bobs, "", "٣", "9" * 20)]
    for bot, opponent, why in (
        (anns, "", "1 to 3 opponents, not 0"), (anns, "<b>nobody</b>", "&lt;b&gt;nobody"), *not_own,
    ):  # fmt: skip
        answer = ann.post("/challenges", {"bot": bot, "opponent1": opponent})
        assert (answer.status_code, why in answer.text, "<b>nobody" in answer.text) == (422, True, False), bot
    form = {"bot": str(anns), "opponent1": "the_house"}
    site.app.extensions["gangland_allowance"] = Allowance(an_hour=2, at_once=9)
    assert ann.post("/challenges", form).status_code == 303
    answer = ann.post("/challenges", form)
    assert answer.status_code == 429
    assert re.search(r"you can start the next at \d\d:\d\d:\d\d UTC", answer.text)
    assert 3590 <= int(answer.headers["Retry-After"]) <= 3600
    assert "2 within an hour, 9 at a time" in answer.text
    assert "You need a bot that is active" in site.person("Dan").page("/challenges")
    assert site.stranger().get("/challenges").status_code == 303


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
    assert "Every ladder match of the last seven days could be played." in site.stranger().page("/status")
    with site.database.write() as db:
        for match, attempt, age_s in zip(ended, (3, 1, 3), (3600, 3600, 8 * 24 * 3600), strict=True):
            row = db.exec(select(Match).where(Match.id == match)).one()
            row.state, row.digest, row.sent_at, row.attempt = "void", None, None, attempt
            row.void_reason, row.done_at = "three runs <b>ended</b>", now_s() - age_s
    page = site.stranger().page("/status")
    assert page.count('</a> <span class="soft small">') == 1
    assert f"Match {ended[0]} could not be played" in page
    assert "The last match that could not be played was" in page
    assert "three runs &lt;b&gt;ended&lt;/b&gt;" in page
