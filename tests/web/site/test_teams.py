"""Teams in the browser: founded, joined by a code, run by all who are in one, and closed to everybody else."""

import re
from pathlib import Path

from tests.kits.pages_kit import Person, Site, activate_bot, finished_match

from gangland_web.app import create_app
from gangland_web.models.bots import Version
from gangland_web.services.trials import activate
from gangland_web.settings import Settings


def founded(person: Person, name: str = "The Dice Brothers") -> None:
    assert person.post("/team/create", {"name": name}, form_at="/account/team").status_code == 303


def invitation(captain: Person, places: int = 1) -> str:
    answer = captain.post("/team/invite", {"places": str(places), "days": "7"}, form_at="/account/team")
    assert answer.headers["Cache-Control"] == "no-store"
    code = re.search(r"<code>(\w{4}-\w{4}-\w{4})</code>", answer.text)
    assert code is not None
    assert code[1] not in captain.page("/account/team")
    return code[1]


def join(person: Person, code: str, **more: str) -> int:
    return person.post("/team/join", {"code": code, **more}, form_at=f"/team/join?code={code}").status_code


def sees(person: Person, path: str) -> bool:
    return person.get(path).status_code == 200


def test_members_share_a_teams_bot_with_its_source_and_logs_until_they_leave(site: Site) -> None:
    ann, bob, eve = (site.person(name) for name in ("Ann", "Bob", "Eve"))
    founded(ann)
    assert join(bob, invitation(ann)) == 303
    assert ann.upload(name="ace", team="The Dice Brothers").status_code == 303
    bot = site.version("ace").bot_id
    source, again = f"/bots/{bot}/versions/1/source.py", f"/bots/{bot}/versions/1/restore"
    assert [sees(person, source) for person in (ann, bob, eve)] == [True, True, False]
    assert "Leave that team first." in bob.get(f"/team/join?code={invitation(ann)}").text
    assert "uploaded" in bob.page(f"/bots/{bot}/versions/1")
    assert "by <bdi>Ann</bdi>" in bob.page(f"/bots/{bot}/versions/1")
    assert "by <bdi>Ann</bdi>" not in eve.page(f"/bots/{bot}/versions/1")
    assert bob.post(f"/bots/{bot}/retire", {}, form_at=f"/bots/{bot}/settings").status_code == 303
    assert "retired: its owner retired the bot" in eve.page(f"/bots/{bot}/versions/1")
    assert bob.post(again, {}, form_at="/account/team").status_code == 303
    assert site.version("ace").uploaded_by == 2
    assert "<bdi>Bob</bdi>" in ann.page("/account/team")
    site.write_row(activate, Version, 1)
    match = finished_match(site, [bot, activate_bot(site, "Eve", "eves")], fails_at=3)
    game, log = f"/matches/{match}/games/0/0", "log of position 0"
    assert [log in person.page(game) for person in (ann, bob, eve)] == [True, True, False]
    assert bob.post("/team/leave", {}, form_at="/account/team").status_code == 303
    assert [sees(person, source) for person in (ann, bob, eve)] == [True, False, False]
    assert [log in person.page(game) for person in (ann, bob)] == [True, False]
    for path in (again, f"/bots/{bot}/retire"):
        assert bob.post(path, {}, form_at="/account/team").status_code == 404
    assert "The Dice Brothers" in eve.page(f"/bots/{bot}")


def test_who_joins_is_told_which_bot_stands_in_the_way_and_may_retire_it(site: Site) -> None:
    ann, bob = site.person("Ann"), site.person("Bob")
    founded(ann)
    activate_bot(site, "Ann", "ace", team="The Dice Brothers")
    mine = activate_bot(site, "Bob", "mine")
    code = invitation(ann)
    page = bob.page(f"/team/join?code={code}")
    assert "The Dice Brothers" in page
    assert "Retire my bots" in page
    assert join(bob, code) == 422
    assert join(bob, code, retire="yes") == 303
    assert "not on the ladders" in bob.page(f"/bots/{mine}")
    refused = bob.upload(name="another")
    assert (refused.status_code, "ace of team The Dice Brothers is in play" in refused.text) == (422, True)


def test_a_stranger_to_a_team_gets_nothing_of_it_by_any_of_its_forms(site: Site) -> None:
    ann, bob, eve = (site.person(name) for name in ("Ann", "Bob", "Eve"))
    founded(ann)
    join(bob, invitation(ann))
    invitation(ann)
    founded(eve, "Others")
    forms = ("/team/members/1/remove", "/team/members/2/captain", "/team/members/2/remove")
    for path in forms:
        assert eve.post(path, {}, form_at="/account/team").status_code == 422, path
        assert bob.post(path, {}, form_at="/account/team").status_code == 422, path
    assert eve.post("/team/invitations/2/revoke", {}, form_at="/account/team").status_code == 303
    assert "This invitation no longer exists" in eve.page("/account/team")
    assert bob.post("/team/invite", {"places": "1", "days": "1"}, form_at="/account/team").status_code == 422
    assert bob.post("/team/delete", {"sure": "yes"}, form_at="/account/team").status_code == 422
    assert not sees(bob, "/team/invitations.csv")
    assert sees(ann, "/team/invitations.csv")
    assert "Bob" in ann.page("/account/team")
    assert eve.upload(name="spy", team="The Dice Brothers").status_code == 422


def test_a_settled_number_of_people_may_be_in_a_team(tmp_path: Path, site: Site) -> None:
    settings = Settings(tmp_path, None, None, None, secret_key="for tests only", team_members=1)
    ann = Site(create_app(settings, database=site.database), site.database).person("Ann")
    founded(ann)
    code = invitation(ann)
    site.stranger().sign_up("Bob")
    assert "1 of 1 places" in ann.page("/account/team")
    small = Site(create_app(settings, database=site.database), site.database).stranger()
    small.sign_in("Bob")
    assert join(small, code) == 422
