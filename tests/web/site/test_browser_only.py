"""A class: an event that takes bots written in the browser alone, and who has come how far."""

import re
from html import unescape

import pytest
from tests.kits.models import Event, Tournament, User, Version, row_id, select
from tests.kits.pages_kit import SOURCE, Person, Site, activate_bot, finish_run

from gangland_ladder.errors import entries
from gangland_ladder.matches.match_jobs import CheckReport, Problem
from gangland_ladder.tournaments.lifecycle import State
from gangland_sandbox import errors, limits
from gangland_web.services.tournaments import Rules, make_tournament, move_tournament
from gangland_web.services.trials import activate
from gangland_web.services.uploads import submit_version

EDITOR = "/write/gang-of-dice"


@pytest.fixture
def boss(site: Site) -> Person:
    person, boss_id = site.person("boss", "organizer"), site.user_id("boss")
    with site.database.write() as db:
        made = make_tournament(db, Rules("Cup", "gang-of-dice", 2, 1, limits.Limits.plain(1)), organizer_id=boss_id)
        event = Event(name="Class 8b", organizer_id=boss_id, created_at=0.0)
        db.add(event)
        db.flush()
        made.event_id = event.id
        for state in (State.ANNOUNCED, State.OPEN):
            move_tournament(db, made, state)
    return person


def set_only(boss: Person, on: int = 1) -> None:
    form_at = "/organize/events/1"
    assert boss.post(f"{form_at}/browser-only", {"on": on}, form_at=form_at).status_code == 303


def write(person: Person, source: str = SOURCE.decode(), name: str = "fox") -> None:
    opened = dict(re.findall(r'name="(draft|version)" value="(\d*)"', person.page(EDITOR)))
    sent = person.post(f"{EDITOR}/upload", {"name": name, "source": source, **opened}, form_at=EDITOR)
    assert sent.status_code == 303, sent.text


def the_cup(site: Site) -> int:
    return row_id(site.row(select(Tournament.id).where(Tournament.name == "Cup")))


def enter(site: Site, person: Person, bot: int) -> str:
    page = f"/tournaments/{the_cup(site)}"
    answer = person.post(f"{page}/enter", {"bot": bot}, form_at=EDITOR)
    return unescape(answer.text if answer.status_code != 303 else person.page(page))


def test_only_bots_written_in_the_browser_are_entered_and_improved(site: Site, boss: Person) -> None:
    set_only(boss)
    ann, bob = site.person("ann"), site.person("bob")
    write(ann)
    assert bob.upload(filename="owl.py").status_code == 303  # the ladder is open to files
    assert "fox is entered" in re.sub("<[^>]+>", "", enter(site, ann, 1))
    assert "accepts only bots from the editor, and version 1 of owl came from a file" in enter(site, bob, 2)

    refused = ann.upload(SOURCE + b"# of a file\n", filename="fox.py")
    assert refused.status_code == 422
    assert f'Paste the source there, <a href="{EDITOR}">' in unescape(refused.text)
    with site.database.write() as db:
        owner = db.exec(select(User).where(User.name == "ann")).one()
        with pytest.raises(errors.UploadRejected, match="Cup, which accepts only bots from the editor"):
            submit_version(db, owner, "gang-of-dice", "fox", "fox.py", SOURCE + b"# by the API\n")
        activate(db, db.get_one(Version, 1))
        activate(db, submit_version(db, owner, "gang-of-dice", "fox", "fox.py", SOURCE + b"#2\n", in_browser=True))
        third = submit_version(db, owner, "gang-of-dice", "fox", "fox.py", SOURCE)  # one returns to the first
        assert third.in_browser
    write(ann, SOURCE.decode() + "# better\n")
    assert site.version("fox").number == 4
    set_only(boss, 0)
    assert ann.upload(SOURCE + b"# of a file\n", filename="fox.py").status_code == 303
    enter(site, bob, 2)
    form_at = "/organize/events/1"
    refused = boss.post(f"{form_at}/browser-only", {"on": 1}, form_at=form_at)
    assert refused.status_code == 422
    assert re.search("First withdraw the bots that were uploaded as files: [^<]*owl", refused.text)
    assert not site.row(select(Tournament).where(Tournament.name == "Cup")).browser_only


def test_the_console_says_who_has_a_draft_a_checked_one_and_an_entry(site: Site, boss: Person) -> None:
    made = boss.post("/organize/people/aliases", {"names": "ann\nbob\ncid\ndan\neve"}, form_at="/organize/people").text
    codes = dict(
        zip(*(re.findall(rf"<dt>{what}</dt><dd><\w+>([^<]+)<", made) for what in ("Name", "Code")), strict=True)
    )
    people = {}
    for name, code in codes.items():
        people[name] = site.stranger()
        sent = people[name].post("/set-password", {"name": name, "code": code, "password": f"{name} likes dice"})
        assert sent.headers["Location"] == EDITOR  # the slip leads to the editor of the game of the class
    assert people["ann"].page(EDITOR).count('href="/events/1"') == 2  # at the top, and once more when a bot is uploaded
    for name in ("bob", "cid"):
        fields = {"name": f"{name}s", "source": SOURCE.decode(), "run": "check"}
        assert people[name].post(f"{EDITOR}/run", fields, form_at=EDITOR).status_code == 303
    unchecked = {"name": "eves", "source": SOURCE.decode()}
    assert people["eve"].post(f"{EDITOR}/drafts", unchecked, form_at=EDITOR).status_code == 303
    finish_run(site, 1, report=CheckReport("Mine", [], [Problem("E203", "wrong", 1)], 0.1, 0.1, 1))
    finish_run(site, 2)
    write(people["dan"])
    enter(site, people["dan"], 1)
    rows = boss.get("/organize/events/1/people.json").get_json()["rows"]
    assert {row["person"]: (row["state"], row["why"], row["entered"]) for row in rows} == {
        "ann": ("no bot yet", None, False),
        "bob": ("draft, problems found", f"E203 {entries()['E203'].title}", False),
        "cid": ("draft, check passed", None, False), "dan": ("being checked", None, True),
        "eve": ("draft, not checked", None, False),
    }  # fmt: skip


def test_the_handout_leads_to_the_entry_and_a_slip_alone_to_the_event_of_both_games(site: Site, boss: Person) -> None:
    set_only(boss)
    sheet = boss.post("/organize/events/1/handout", {}, form_at="/organize/events/1").text
    steps = re.findall(r"<strong>http://localhost(/[^<]*)</strong>", sheet[: sheet.index("</ol>")])
    assert steps == ["/set-password", "/sign-up", "/sign-in", "/gang-of-dice/learn", EDITOR, "/events/1"]
    pupil = site.stranger()
    assert {pupil.get(step).status_code for step in steps} == {200}
    page = site.person("ann").page(EDITOR)
    for button in ("Check bot", "Upload"):
        assert f"<em>{button}</em>" in sheet
        assert f">{button}</button>" in page
    with site.database.write() as db:
        boss_id = db.exec(select(User.id).where(User.name == "boss")).one()
        move_tournament(db, db.get_one(Tournament, the_cup(site)), State.CANCELED)
        event = Event(name="School Cup", organizer_id=boss_id, created_at=0.0)
        db.add(event)
        db.flush()
        for game in ("gangster-dice", "gang-of-dice"):
            rules = Rules(f"School {game}", game, 2, 1, limits.Limits.plain(1), join_code="dice night")
            made = make_tournament(db, rules, organizer_id=boss_id)
            made.event_id = event.id
            move_tournament(db, made, State.ANNOUNCED)
    warned = unescape(boss.page("/organize"))  # before anything is printed
    assert "Start the site with <code>--host ADDRESS</code>" in warned
    at = "/organize/people"
    given = {"names": "amy", "place": "event-2"}
    slip = boss.post(f"{at}/aliases", given, form_at=at).text.partition('id="slips"')[2]
    for words in ("<bdi>School Cup</bdi>: <strong>http://localhost/events/2", "<code>dice night</code>"):
        assert words in slip
    code = re.findall(r"<code>([^<]+)<", slip)[0]
    ann, sent = site.stranger(), {"name": "amy", "code": code}
    short = ann.post("/set-password", sent | {"password": "x"})
    assert (short.status_code, f'value="{code}"' in short.text) == (422, True)  # the code need not be typed again
    assert ann.post("/set-password", sent | {"password": "ann likes dice"}).headers["Location"] == "/events/2"
    page = ann.page("/events/2")
    assert all(f'href="/write/{game}"' in page for game in ("gang-of-dice", "gangster-dice"))


def test_every_way_to_a_next_version_leads_back_to_the_editor(site: Site, boss: Person) -> None:
    set_only(boss)
    ann = site.person("ann")
    write(ann)
    enter(site, ann, 1)
    again = f'href="{EDITOR}?bot=1"'
    with site.database.write() as db:
        activate(db, db.exec(select(Version)).one())
    assert all(again in ann.page(path) for path in ("/bots/1", "/bots/1/versions/1", "/account"))
    saved_last = {"name": "owl", "source": SOURCE.decode() + "# of another bot\n"}
    assert ann.post(f"{EDITOR}/drafts", saved_last, form_at=EDITOR).status_code == 303
    assert ann.get(f"{EDITOR}?bot=1").headers["Location"] == f"{EDITOR}?draft=1"  # what was uploaded is kept as a draft
    ann.post(f"{EDITOR}/drafts/1/delete", {}, form_at=EDITOR)
    assert "def choose_dice" in ann.page(f"{EDITOR}?bot=1")  # without a draft the source that was uploaded
    assert site.person("bob").get(f"{EDITOR}?bot=1").status_code == 404

    assert "<bdi>Cup</bdi> takes only bots from the editor above." in ann.page(EDITOR)
    assert "Cup" not in site.person("cid").page(EDITOR)
    sent = {"game": "gang-of-dice", "name": "fox", "source": SOURCE.decode() + "# pasted\n"}
    refused = unescape(ann.post("/upload", sent, form_at=EDITOR).text)
    assert f'<a href="{EDITOR}">{EDITOR}</a>, and upload it' in refused
    assert "Choose the file again" not in refused
    page = f"/tournaments/{the_cup(site)}"
    dan = site.person("dan")
    for at in (page, "/events/1"):
        assert "Only bots uploaded from the editor on this site take part." in dan.page(at)
        assert 'href="/upload' not in dan.page(at).partition("<main")[2]


def test_an_open_console_offers_no_refused_bot_and_follows_the_event(site: Site, boss: Person) -> None:
    boss.post("/organize/people/aliases", {"names": "ann\nbob"}, form_at="/organize/people")
    at = f"/organize/{the_cup(site)}"
    activate_bot(site, "ann", "owl")
    assert "<option" in boss.page(at).partition('id="bot-in"')[2].partition("</form>")[0]
    set_only(boss)
    assert "owl, ann" not in boss.page(at)
    assert 'from a file</span> <span class="soft small">cannot be entered' in boss.page(at)
    set_only(boss, 0)
    assert "Bots may now be uploaded in any way." in boss.page("/organize/events/1")
    event, cup = boss.page("/organize/events/1/live"), boss.page(f"{at}/live")
    assert "slip not used yet" in event
    assert "required> I am sure" in event.partition('value="frozen"')[2].partition("</form>")[0]
    assert all(words in cup for words in ("Enter bot", "Require editor", "Log"))
    assert '<h2 id="matches">' not in cup
    site.write_row(move_tournament, Tournament, the_cup(site), State.CANCELED)
    event, cup = boss.page("/organize/events/1/live"), boss.page(f"{at}/live")
    assert not [words for words in ("Enter bot", "Require editor", "I am sure") if words in event + cup]
