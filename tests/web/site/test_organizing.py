"""The organizer's console in the browser: from a draft to results that are put right, and who gets in."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from html import unescape
from pathlib import Path

import pytest
import time_machine
from tests.kits.core_kit import FakeBroker, Platform, fill
from tests.kits.models import Bot, Entry, Event, Match, SignIn, Tournament, User, Version, col, row_id, select, update
from tests.kits.pages_kit import PASSWORD, Fields, Person, Site, activate_bot, open_site
from tests.kits.table_files_kit import check_tables

from gangland_ladder.tournaments.lifecycle import State
from gangland_web.api.declared import CALLS
from gangland_web.api.openapi import openapi
from gangland_web.api.routes import fields_of
from gangland_web.base.formats import now_s
from gangland_web.services import accounts, settling, trials, uploads
from gangland_web.services.rules import RULES
from gangland_web.site.rendering import qr_code
from gangland_web.workers.records import Recorder

DRAFT = {
    "name": "School Cup", "game": "gang-of-dice", "seats": "4", "blocks": "1", "profile": "plain", "house_bots": "on",
    "house_ranked": "on", "expected": "8", "zone": "UTC",
}  # fmt: skip

NEW_PASSWORD = "a stapler on it"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    for opened in open_site(tmp_path):
        with opened.database.write() as session:
            session.exec(update(Tournament).where(col(Tournament.kind) == "ladder").values(blocks=1))
            fill(session)
        yield opened


@pytest.fixture
def platform(site: Site) -> Platform:
    post = FakeBroker()
    return Platform(site.database, post, Recorder(site.database, post, rounds=1))


@pytest.mark.parametrize("game", ["gang-of-dice", "every"])
def test_where_bots_are_written_is_chosen_with_the_rules_and_kept(site: Site, boss: Person, game: str) -> None:
    boss.post("/organize/new", {**DRAFT, "game": game, "browser_only": "on"})
    made = site.rows(select(Tournament).where(col(Tournament.name).startswith(str(DRAFT["name"]))))
    assert [each.browser_only for each in made] == [True] * (2 if game == "every" else 1)
    for address in (f"/organize/new?from={made[0].id}", f"/organize/{made[0].id}/edit"):
        assert re.search(r'name="browser_only" checked', boss.page(address)), address
    boss.post(f"/organize/{made[0].id}/edit", {**DRAFT, "game": made[0].game})
    assert not site.get(Tournament, made[0].id).browser_only


@pytest.mark.parametrize(
    ("preset", "games", "only", "seats"), [("one", 1, False, None), ("class", 2, True, None), ("evening", 2, False, 4)]
)
def test_a_preset_needs_a_name_alone(
    site: Site, boss: Person, preset: str, games: int, only: bool, seats: int | None
) -> None:
    page = boss.page(f"/organize/new?preset={preset}")
    picked = dict(re.findall(r'<select id="(\w+)"(?:(?!</select>).)*? value="([^"]+)" selected', page, re.DOTALL))
    picked |= dict.fromkeys(re.findall(r'type="checkbox" name="(\w+)" checked', page), "on")
    assert boss.post("/organize/new", Fields(page).values | picked | {"name": "Dice Night"}).status_code == 303
    made = site.rows(select(Tournament).where(Tournament.kind == "tournament"))
    assert [(one.browser_only, one.final_seats) for one in made] == [(only, seats)] * games
    assert all(one.has_premiere is (seats is not None) for one in made)


@pytest.fixture
def boss(site: Site) -> Person:
    return site.person("Boss", "organizer")


def drafted(boss: Person, **changed: str) -> int:
    answer = boss.post("/organize/new", DRAFT | changed)
    assert answer.status_code == 303, answer.text
    return int(answer.location.rsplit("/", 1)[1])


def tournament(site: Site, number: int) -> Tournament:
    return site.get(Tournament, number)


def act(boss: Person, platform: Platform, tournament: int, doing: str, /, **data: str) -> str:
    answer = boss.post(f"/organize/{tournament}/{doing}", data, form_at=f"/organize/{tournament}")
    assert answer.status_code == 303, answer.text
    platform.recorder.schedule()
    return boss.page(f"/organize/{tournament}")


TO_PLAY = ("announced", "open", "frozen", "playing")


def move(boss: Person, platform: Platform, number: int, *states: str) -> str:
    return [act(boss, platform, number, "move", state=state) for state in states][-1]


def play(platform: Platform) -> None:
    platform.play_all()
    platform.recorder.schedule()


def test_a_tournament_goes_from_nothing_to_standings_by_console(site: Site, boss: Person, platform: Platform) -> None:
    number = drafted(boss)
    assert site.stranger().get(f"/tournaments/{number}").status_code == 404
    message = act(boss, platform, number, "move", state="announced", reason="See you on Friday")
    assert "School Cup: announced" in message
    page = site.stranger().page(f"/tournaments/{number}")
    trust = "The site's operator holds the secret before entries close."
    assert all(words in unescape(page) for words in ("See you on Friday", trust, "You have to trust them"))
    assert "house bots included" in move(boss, platform, number, "open")
    move(boss, platform, number, "frozen", "playing")
    play(platform)
    assert tournament(site, number).state == "finished"
    console, page = boss.page(f"/organize/{number}"), site.stranger().page(f"/tournaments/{number}")
    assert "Publish secret" in console
    assert re.findall(r'<option value="(\w+_at)">', console) == ["reveals_at"]
    assert page.count("<dd>done</dd>") == 3
    assert "<dd>not published yet</dd>" in page
    move(boss, platform, number, "revealed")
    assert "house0" in site.stranger().page(f"/tournaments/{number}")


def test_a_final_table_goes_by_itself_to_a_premiere_by_button(site: Site, boss: Person, platform: Platform) -> None:
    number = drafted(boss, final_seats="3", final_blocks="1", has_premiere="on", seats="2", settle_first="")
    draft = re.sub(r'\s+(type|id|required|aria-\w+)="[^"]*"', "", boss.page(f"/organize/new?from={number}"))
    assert 'name="final_seats" value="3"' in draft
    assert 'name="has_premiere" checked' in draft
    assert 'name="embargo_until" value=""' in draft, "the form says no time that nobody typed"
    move(boss, platform, number, *TO_PLAY)
    assert "9999" not in boss.page(f"/organize/{number}") + site.stranger().page(f"/tournaments/{number}")
    play(platform)
    console = boss.page(f"/organize/{number}")
    assert "The final table is being played." in console
    assert "Cancel tournament" not in console
    play(platform)
    console = boss.page(f"/organize/{number}")
    assert ">Show the premiere</button>" in console
    assert "0 of 7 steps shown. Next: the bots of the final table." in console
    assert "Publish secret" not in console
    assert "The organizer starts the premiere." in site.stranger().page(f"/tournaments/{number}")
    act(boss, platform, number, "move", state="premiere", after="0")
    assert "Show game 1 of 3" in boss.page(f"/organize/{number}")
    assert "The bots of the final table are known." in site.stranger().page(f"/tournaments/{number}")
    for after in range(1, 7):
        act(boss, platform, number, "move", state="premiere", after=str(after))
    assert "Publish secret" in boss.page(f"/organize/{number}")
    assert "All 3 games of the final table</a>" in site.stranger().page(f"/tournaments/{number}")


def test_the_first_places_are_settled_by_a_button_if_announced(site: Site, boss: Person, platform: Platform) -> None:
    number = drafted(boss, settle_first="2", settle_blocks="4", blocks="2")
    assert 'name="settle_first" value="2"' in re.sub(
        r'\s+(type|id|required|aria-\w+)="[^"]*"', "", boss.page(f"/organize/new?from={number}")
    )
    move(boss, platform, number, *TO_PLAY)
    rules = "at most 4 blocks per pair, with a 5% chance of a wrong order"
    assert rules in site.stranger().page(f"/tournaments/{number}")
    assert "Settle the first 2" not in boss.page(f"/organize/{number}")
    play(platform)
    assert "Settle the first 2" in boss.page(f"/organize/{number}")
    planned = tournament(site, number).matches_planned
    assert "plays more matches to settle its first places" in move(boss, platform, number, "settle")
    assert tournament(site, number).matches_planned > planned
    for _ in range(4):
        play(platform)
    assert (tournament(site, number).state, tournament(site, number).settle_round in (1, 2)) == ("finished", True)
    assert "nothing is left to settle" in move(boss, platform, number, "settle")


def test_an_event_of_both_games_is_made_entered_and_run_in_one_go(site: Site, boss: Person, platform: Platform) -> None:
    rules = {name: value for name, value in DRAFT.items() if name != "house_bots"}
    form = rules | {"game": "every", "seats": "2", "join_code": "dice night"}
    assert "Gangster Dice, with 8 bots" in boss.post("/organize/new", form | {"estimate": "1"}).text
    assert boss.post("/organize/new", form).location == "/organize/events/1"
    picked, message = {}, ""
    pupils = {name: site.person(name) for name in ("Red Fox", "Blue Hen")}
    with site.database.read() as db:
        tournaments = db.exec(select(Tournament).where(Tournament.event_id == 1).order_by(Tournament.id)).all()  # type: ignore[arg-type]
    assert [tournament.name for tournament in tournaments] == ["School Cup: Gangster Dice", "School Cup: Gang of Dice"]
    assert site.stranger().get("/events/1").status_code == 404
    for state in ("announced", "open"):
        message = together(boss, platform, state)
    assert "0 bots would play. A table needs 2: ask people to enter their bots." in message
    page = site.stranger().page("/events/1")
    assert page.count("Entries close at a time set by the organizer") == 2
    assert page.count("Play begins at a time set by the organizer") == 2
    handout = boss.post("/organize/events/1/handout", {}, form_at="/organize/events/1")
    assert "dice night" in handout.text
    assert "Enter it in the event: <strong>" in handout.text
    assert "/events/1" in handout.text
    assert "/events/1/handout</p>" not in handout.text, "an address that cannot be opened"
    assert "<code>dice night</code>" in boss.page("/organize/events/1")
    for name, pupil in pupils.items():
        bots = [
            activate_bot(site, name, f"{name} {tournament.game}", game=tournament.game) for tournament in tournaments
        ]
        picked = {f"bot{tournament.id}": str(bot) for tournament, bot in zip(tournaments, bots, strict=True)}
        wrong = pupil.post("/events/1/enter", picked | {"join_code": "no"}, form_at="/events/1")
        assert (wrong.status_code, "not the join code of" in wrong.text) == (422, True)
        assert (
            pupil.post("/events/1/enter", picked | {"join_code": "DICE Night"}, form_at="/events/1").status_code == 303
        )
    stolen = pupils["Red Fox"].post("/events/1/enter", picked | {"join_code": "dice night"}, form_at="/events/1")
    assert (stolen.status_code, "Choose one of your own bots." in stolen.text) == (422, True)
    for state in ("frozen", "playing"):
        together(boss, platform, state)
        assert "Entries are closed" in pupils["Red Fox"].page("/events/1")
    play(platform)
    settling.store_standings(site.database)
    assert site.stranger().page("/events/1").count('<li><span class="rank">') == 4
    assert "Print the public standings, then publish the secret." in boss.page("/organize/events/1")
    together(boss, platform, "revealed")
    assert "You can print the public standings" in boss.page("/organize/events/1")
    for path in ("/organize", f"/organize/{tournaments[0].id}/log"):
        assert check_tables(boss, path), path
    tabs = site.stranger().page("/events/1").partition('class="tabs"')[2].partition("</ul>")[0]
    assert re.findall(">([A-Z][^<]+)</a>", tabs) == ["All games", "Gangster Dice", "Gang of Dice", "Ranking"]
    for address in re.findall('href="([^"]+)"', tabs):
        assert f'<li><a href="{address}" aria-current="page">' in site.stranger().page(address)
    class_ranking = site.stranger().page("/events/1/ranking")
    assert class_ranking.count('<td class="rank">') == 2
    assert "without house bots" in class_ranking.lower()
    assert check_tables(site.stranger(), "/events/1/ranking")
    rows = json.loads(site.stranger().get("/events/1/ranking.json").text)["rows"]
    assert sorted({(row["who"], row["game"]) for row in rows}) == [
        (name, game) for name in ("Blue Hen", "Red Fox") for game in ("gang-of-dice", "gangster-dice")
    ]
    assert sum(row["points"] for row in rows) == 2


def together(boss: Person, platform: Platform, state: str) -> str:
    answer = boss.post("/organize/events/1/move", {"state": state}, form_at="/organize/events/1")
    assert (answer.status_code, answer.location) == (303, "/organize/events/1"), answer.text
    assert "This takes a few seconds" in boss.page("/organize/events/1")
    platform.recorder.schedule()
    return boss.page("/organize/events/1")


def test_an_organizer_sees_who_is_in_and_enters_bots_for_others(site: Site, boss: Person, platform: Platform) -> None:
    number = drafted(boss, seats="2", house_bots="", join_code="dice night")
    console, boss_id = f"/organize/{number}", site.user_id("Boss")
    move(boss, platform, number, "announced", "open")
    ann, *_ = (site.person(name) for name in ("Ann", "Bob", "Cid", "Eve"))
    with site.database.write() as db:
        for user in db.exec(select(User).where(col(User.name).in_(("Ann", "Bob", "Cid")))).all():
            user.made_by = boss_id
        bob = db.exec(select(User).where(User.name == "Bob")).one()
        late = uploads.submit_version(db, bob, "gang-of-dice", "bobs", "bobs.py", b"# bobs\n")
        trials.reject(db, late, "E203 illegal decision: choose_reroll() returned [secret]")
    handout = boss.post(f"{console}/handout", {}, form_at=console)
    assert handout.status_code == 200
    assert "dice night" in handout.text
    assert f"/tournaments/{number}<" in handout.text
    assert handout.headers["Cache-Control"] == "no-store"
    assert "<code>dice night</code>" in boss.page(console), "its organizer can read it again"
    assert "dice night" not in ann.page(f"/tournaments/{number}") + ann.page(f"/tournaments/{number}.json")
    anns, eves = (activate_bot(site, name, name.lower()) for name in ("Ann", "Eve"))
    house = site.row(select(Bot.id).where(Bot.name == "house0"))
    for bot in (anns, house):
        assert "has been entered" in act(boss, platform, number, "enter", bot=str(bot))
    refused = boss.post(f"{console}/enter", {"bot": str(eves)}, form_at=console)
    assert (refused.status_code, "Choose a bot from the list" in refused.text) == (422, True)
    page, rows = boss.page(console), boss.get(f"{console}/people.json").get_json()["rows"]
    assert "2 bots would play" in page
    assert "1 of 3 have entered" in page
    assert [(row["person"], row["state"], row["why"], row["entered"]) for row in rows] == [
        ("Bob", "rejected", "E203 illegal decision", False), ("Cid", "no bot yet", None, False),
        ("Ann", "active", None, True),
    ]  # fmt: skip
    assert "secret" not in str(rows), "nothing of what went wrong"
    check_tables(boss, console)
    assert "house0 has been withdrawn" in act(boss, platform, number, "enter", bot=str(house), what="out")
    log = boss.page(f"{console}/log")
    assert ("entered a bot" in log, "withdrew a bot" in log) == (True, True)
    assert "only if the organizer enters them" in ann.page(f"/tournaments/{number}")
    number = drafted(boss, seats="2", house_bots="")
    move(boss, platform, number, "announced", "open")
    bots = []
    for name in ("Dan", "Fay", "Gil"):
        person = site.person(name)
        person.upload(name=name.lower())
        bots.append(site.version(name.lower()))
        tournament_page, picked = f"/tournaments/{number}", {"bot": str(bots[-1].bot_id)}
        assert person.post(f"{tournament_page}/enter", picked, form_at=tournament_page).status_code == 303
    assert "0 bots would play" in boss.page(f"/organize/{number}")
    with site.database.write() as db:
        for version in bots[:2]:
            trials.activate(db, db.get_one(Version, version.id))
    move(boss, platform, number, "frozen")
    pinned = site.rows(select(Entry.version_id).where(Entry.tournament_id == number))
    assert set(pinned) == {version.id for version in bots[:2]}


WRONG = [
    ("name", "", "1 to 80 characters"),
    ("name", "up\u202eside", "control, direction or invisible"),
    ("game", "poker", "Choose one of"),
    ("seats", "5", "from 2 to 4"),
    ("blocks", "0", "from 1 to 1000"),
    ("tables", "many", "from 1 to"),
    ("zone", "Mars/Olympus", "no time zone"),
    ("opens_at", "tomorrow", "Enter a time such as"),
    ("freezes_at", "2099-02-01T18:00", "in the wrong order"),
    ("join_code", "abc", "4 to 100 characters"),
    ("join_code", " " * 4, "4 to 100 characters, not only spaces"),
    ("join_code", "ab\x00cd", "Remove the control characters."),
    ("decision_ms", "1", "from 10 to 10000"),
    ("settle_first", "11", "from 1 to 10"),
    ("settle_blocks", "24", "from 1 to 10"),
    ("settle_percent", "7", "Places to settle&#34; and &#34;Extra blocks&#34; too"),
    ("final_seats", "5", "from 2 to 4"),
    ("final_blocks", "61", "from 1 to 60"),
    ("has_premiere", "on", "A premiere needs a final table."),
    ("option_deck", "tarot", "must be one of w24, box18"),
]  # fmt: skip


def test_the_wizard_says_what_it_costs_and_what_is_wrong_before_anything_is_kept(boss: Person, site: Site) -> None:
    answer = boss.post("/organize/new", DRAFT | {"estimate": "1", "expected": "8"})
    assert answer.status_code == 200
    assert "With 12 bots, 4 of them house bots" in answer.text
    assert "495 tables, 495 matches, 1,980 games" in answer.text
    coded = boss.post("/organize/new", DRAFT | {"estimate": "1", "join_code": "dice night"})
    assert 'value="dice night"' in coded.text
    for field, typed, message in WRONG:
        answer = boss.post("/organize/new", DRAFT | {"opens_at": "2099-03-01T18:00"} | {field: typed})
        assert (answer.status_code, message in answer.text, 'value="1"' in answer.text) == (422, True, True), message
    assert not site.rows(select(Tournament).where(Tournament.kind == "tournament"))
    number = drafted(boss, zone="Europe/Berlin", opens_at="2099-03-01T18:00", freezes_at="2099-07-01T18:00")
    assert (tournament(site, number).opens_at, tournament(site, number).freezes_at) == (4076067600.0, 4086604800.0)


def test_a_draft_is_changed_copied_and_dropped_by_its_organizer(boss: Person, platform: Platform, site: Site) -> None:
    number = drafted(boss, join_code="sesame", tables="5")
    other, admin = site.person("Other", "organizer"), site.person("Root", "admin")
    copy = {**DRAFT, "name": "Copy", "from": str(number)}
    assert [who.post("/organize/new", copy).status_code for who in (other, boss)] == [404, 303]
    assert other.post(f"/organize/{number}/move", {"state": "announced"}, form_at="/docs/").status_code == 404
    assert tournament(site, number).state == "draft"
    assert ["School Cup" in who.page("/organize") for who in (other, admin)] == [False, True]
    assert boss.post(f"/organize/{number}/edit", DRAFT | {"name": "Other Cup", "seats": "3"}).status_code == 303
    found = tournament(site, number)
    assert (found.name, found.seats, found.entry_rule) == ("Other Cup", 3, "code")
    assert 'value="3" selected' in boss.page(f"/organize/new?from={number}")
    move(boss, platform, number, "announced")
    late = boss.post(f"/organize/{number}/edit", DRAFT, form_at=f"/organize/{number}")
    assert (late.status_code, "rules can no longer change" in late.text) == (422, True)
    thrown = drafted(boss)
    assert boss.post(f"/organize/{thrown}/delete", {}, form_at=f"/organize/{thrown}").status_code == 303
    assert site.stranger().get(f"/tournaments/{thrown}").status_code == 404


def test_no_one_hears_of_a_rehearsal_and_deadlines_are_put_off(boss: Person, platform: Platform, site: Site) -> None:
    number = drafted(boss, seats="2")
    ordered = boss.post(f"/organize/{number}/rehearse", {}, form_at=f"/organize/{number}")
    assert ordered.status_code == 303
    trial = int(ordered.location.rsplit("/", 1)[1])
    platform.recorder.schedule()
    play(platform)
    assert (tournament(site, trial).state, tournament(site, trial).matches_over) == ("finished", 6)
    assert "house0" in boss.page(f"/tournaments/{trial}")
    with site.database.read() as db:
        match = db.exec(select(Match.id).where(Match.tournament_id == trial)).first()
    for path in (f"/tournaments/{trial}", f"/tournaments/{trial}.json", f"/matches/{match}"):
        assert site.stranger().get(path).status_code == 404
    for path in ("/", "/tournaments", "/tournaments.json", "/bots/1", "/status"):
        assert "Rehearsal" not in site.stranger().page(path)
        assert f'/matches/{match}"' not in site.stranger().page(path)
    assert tournament(site, number).state == "draft"
    number = drafted(boss, opens_at="2099-03-01T18:00")
    move(boss, platform, number, "announced")
    message = act(
        boss, platform, number, "deadline", name="opens_at", at="2099-03-02T18:00", zone="UTC", reason="A day more"
    )
    assert "A day more" in site.stranger().page(f"/tournaments/{number}")
    assert "the opening of the entries is postponed" in message
    sooner = act(boss, platform, number, "deadline", name="opens_at", at="2099-03-01T18:00", zone="UTC")
    wanted = "the opening of the entries can only be postponed: 2099-03-01 18:00 UTC comes before 2099-03-02 18:00 UTC"
    assert wanted in sooner
    wrong = boss.post(f"/organize/{number}/deadline", {"name": "opens_at", "at": "soon"}, form_at="/docs/")
    assert (wrong.status_code, "Enter a time such as" in wrong.text) == (422, True)


def test_a_match_is_put_right_and_a_bot_disqualified_with_reasons(boss: Person, platform: Platform, site: Site) -> None:
    number = drafted(boss, seats="2")
    move(boss, platform, number, *TO_PLAY)
    play(platform)
    message = act(boss, platform, number, "matches", number="2", what="void", reason="the wrong <deck>")
    assert "match 2 is void" in message
    with site.database.read() as db:
        match = db.exec(select(Match.id).where(Match.tournament_id == number, Match.number == 2)).one()
        entry = db.exec(select(Entry).where(Entry.tournament_id == number)).first()
    assert "the wrong &lt;deck&gt;" in site.stranger().page(f"/matches/{match}")
    assert entry is not None
    message = act(boss, platform, number, "disqualify", entry=str(entry.id), reason="two bots, one author")
    assert " is disqualified; " in message
    none = boss.post(f"/organize/{number}/matches", {"number": "99", "what": "void", "reason": "x"}, form_at="/docs/")
    assert (none.status_code, "has no match" in none.text) == (422, True)
    with site.database.write() as db:
        db.add(elsewhere := Event(name="Elsewhere", created_at=0.0))
        db.flush()
        others = row_id(elsewhere.id)
    for event in (str(others), "999999", "x"):  # the tournament is of no event
        sent = {"number": "99", "what": "void", "reason": "x", "event": event}
        none = boss.post(f"/organize/{number}/matches", sent, form_at="/docs/")
        assert (none.status_code, "has no match" in none.text, "Elsewhere" in none.text) == (422, True, False), event
    log = boss.page(f"/organize/{number}/log")
    public = site.stranger().page(f"/tournaments/{number}")
    for words in ("Corrections", "taken out", "disqualified", "two bots, one author"):
        assert words in public
    entries = site.stranger().page(f"/tournaments/{number}?table=entries")
    assert '<span class="tag bad">disqualified</span>' in entries
    result = site.stranger().get(f"/tournaments/{number}/amendments.json").get_json()["rows"]
    assert [row["what"] for row in result] == ["disqualified", "taken out"]
    for words in ("Boss", "ordered: disqualify", "done: void", "two bots, one author", "127.0.0.1"):
        assert words in log


def test_what_touches_results_asks_for_the_password_and_goes_on(site: Site, boss: Person, platform: Platform) -> None:
    number = drafted(boss)
    names = "Red Fox\n\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645\n"
    with time_machine.travel(now_s() + accounts.FRESH_S + 60, tick=False):
        assert boss.post("/organize/events/1/move", {"state": "announced"}, form_at="/docs/").status_code == 403
        for path, data in (
            (f"/organize/{number}/move", {"state": "announced", "reason": "At last"}),
            ("/organize/people/aliases", {"names": names, "place": ""}),
        ):
            requested = boss.post(path, data, form_at="/docs/")
            assert (requested.status_code, requested.headers["Cache-Control"]) == (403, "no-store")
            held = Fields(requested.text).values
            assert {name: held[name] for name in data} == data
            wrong = boss.client.post("/confirm-password", data=held | {"own_password": "wrong password"})
            assert (wrong.status_code, Fields(wrong.text).values["act"]) == (422, path)
            held = Fields(wrong.text).values
            proven = boss.client.post("/confirm-password", data=held | {"own_password": PASSWORD})
            assert (proven.status_code, proven.location) == (307, path)
            done = boss.client.post(proven.location, data=held | {"own_password": PASSWORD})
            assert done.status_code in (200, 303)
            with site.database.write() as db:
                for sign_in in db.exec(select(SignIn)).all():
                    sign_in.proven_at = 0.0
        plain = boss.post("/confirm-password", {"password": PASSWORD, "next": f"/organize/{number}"})
        assert (plain.status_code, plain.location) == (303, f"/organize/{number}")
        away = {"own_password": PASSWORD, "act": "https://example.org/x"}
        assert boss.post("/confirm-password", away).location == "/"
        platform.recorder.schedule()
    assert tournament(site, number).state == State.ANNOUNCED
    assert set(names.split()[1:]) | {"Red Fox"} <= set(site.rows(select(User.name))) | {"Fox"}


def test_a_class_signs_in_with_slips_and_roles_are_an_admins_to_set(site: Site, boss: Person) -> None:
    made = boss.post("/organize/people/aliases", {"names": "Red Fox\n\n  Blue Hen \n"}, form_at="/organize/people")
    assert made.headers["Cache-Control"] == "no-store"
    codes = re.findall(r"<code>([a-z2-9-]{14})</code>", made.text)
    assert len(codes) == 2
    assert codes[0] not in boss.page("/organize/people")
    assert str(qr_code("http://localhost/set-password")) in made.text
    assert "would show <code>http://localhost</code>" in made.text
    pupil = site.stranger()
    assert 'href="/set-password"' in pupil.page("/sign-in")
    wrong = pupil.post("/set-password", {"name": "Red Fox", "code": codes[1], "password": "blue hens lay eggs"})
    assert (wrong.status_code, "not valid for this name" in wrong.text) == (422, True)
    right = pupil.post("/set-password", {"name": "RED fox", "code": codes[0].upper(), "password": "foxes like grapes"})
    assert right.status_code == 303
    assert "Red Fox" in pupil.page("/account")
    taken = boss.post("/organize/people/aliases", {"names": "Red Fox\nNew One"}, form_at="/organize/people")
    assert (taken.status_code, "looks the same, is taken" in taken.text) == (200, True)
    assert "\nRed Fox</textarea>" in taken.text, "what was made does not come back"
    assert "<bdi>New One</bdi>" in taken.text
    site.person("Ann")
    refused = boss.post("/organize/people/role", {"name": "Ann", "role": "admin"}, form_at="/organize/people")
    assert refused.status_code == 403
    root = site.person("Root", "admin")
    assert root.post("/organize/people/role", {"name": "Ann", "role": "organizer"}, form_at="/docs/").status_code == 303
    assert "Ann" in root.page("/organize/people")
    lone = root.post("/organize/people/role", {"name": "Root", "role": "author"}, form_at="/docs/")
    assert (lone.status_code, "only admin" in lone.text) == (422, True)
    assert "set a role" in root.page("/organize/log")
    assert boss.get("/organize/log").status_code == 403


def test_an_account_is_taken_along_and_deleted(site: Site) -> None:
    ann, elsewhere = site.person("Ann"), site.stranger()
    elsewhere.sign_in("Ann")
    assert ann.page("/account/sign-ins").count("Sign out<span") == 1
    assert ann.post("/account/sign-ins/end", {}, form_at="/account").status_code == 303
    assert [who.get("/account").status_code for who in (elsewhere, ann)] == [303, 200]
    for old, new, why in ((PASSWORD, "short", "at least 8"), ("wrong", NEW_PASSWORD, "not your current password")):
        refused = ann.post("/account/password", {"old": old, "password": new}, form_at="/account")
        assert (refused.status_code, why in refused.text) == (422, True)
    done = ann.post("/account/password", {"old": PASSWORD, "password": NEW_PASSWORD}, form_at="/account")
    assert done.status_code == 303
    assert [site.stranger().sign_in("Ann", typed).status_code for typed in (PASSWORD, NEW_PASSWORD)] == [422, 303]
    packed = ann.get("/account/everything.zip")
    assert (packed.mimetype, packed.data[:2]) == ("application/zip", b"PK")
    for given, why in (
        ({"leave_proof": NEW_PASSWORD}, "Nothing was deleted"), ({"sure": "yes"}, "not your password"),
        ({"sure": "yes", "leave_proof": PASSWORD}, "not your password"),
    ):  # fmt: skip
        refused = ann.post("/account/delete", given, form_at="/account")
        assert (refused.status_code, why in refused.text) == (422, True)
        assert ann.get("/account").status_code == 200
    done = ann.post("/account/delete", {"sure": "yes", "leave_proof": NEW_PASSWORD}, form_at="/account")
    assert done.status_code == 303
    assert ann.get("/account").status_code == 303
    assert site.stranger().sign_in("Ann", NEW_PASSWORD).status_code == 422


def test_an_organizer_announces_a_public_value_and_enters_it(site: Site, boss: Person, platform: Platform) -> None:
    at = int(now_s()) + 300
    when = datetime.fromtimestamp(at, UTC)
    value = {
        "randomness_source": "lottery of tonight", "randomness_address": "https://example.org/draws?day=1&x=<b>",
        "randomness_form": "numbers 6", "randomness_published_at": when.strftime("%Y-%m-%dT%H:%M:%S"),
    }  # fmt: skip
    wrong = boss.post("/organize/new", DRAFT | value)
    assert (wrong.status_code, "Enter a URL such as" in wrong.text) == (422, True)
    value["randomness_address"] = "https://example.org/draws?day=1"
    late = boss.post("/organize/new", DRAFT | value | {"freezes_at": value["randomness_published_at"]})
    assert (late.status_code, "must close before the public value is published" in late.text) == (422, True)
    missing = boss.post("/organize/new", DRAFT | value | {"randomness_published_at": ""})
    assert (missing.status_code, "Enter when the value is published" in missing.text) == (422, True)

    number = drafted(boss, **value)
    assert "lottery of tonight" in boss.page(f"/organize/{number}/edit")
    assert "lottery of tonight" not in boss.page(f"/organize/new?from={number}"), "a copy is of another day"
    move(boss, platform, number, "announced", "open")
    page = move(boss, platform, number, "frozen")
    assert "The public value is published at" in page
    assert ("Enter value" in page, 'value="playing"' in page) == (False, False)
    public = site.stranger().page(f"/tournaments/{number}")
    assert "lottery of tonight" in public
    assert "not entered yet" in public
    assert "You have to trust them" not in public

    with time_machine.travel(at + 1, tick=False):
        page = boss.page(f"/organize/{number}")
        assert "Enter value" in page
        wrong = boss.post(f"/organize/{number}/randomness", {"value": "3 17 22"}, form_at=f"/organize/{number}")
        assert (wrong.status_code, Fields(wrong.text).values["value"]) == (422, "3 17 22")
        assert "expected 6 whole numbers, not" in wrong.text
        page = act(boss, platform, number, "randomness", value="48 3 17 22 35 41")
        assert "the public value for the dice is 3 17 22 35 41 48" in page
        assert "Play" in page
        public = site.stranger().page(f"/tournaments/{number}")
        assert "<code>3 17 22 35 41 48</code>, entered" in public
        assert "done: randomness" in boss.page(f"/organize/{number}/log")
        move(boss, platform, number, "playing")
    assert tournament(site, number).matches_planned > 0


def test_form_api_and_shell_have_each_rule_with_its_label_and_limits(boss: Person) -> None:
    form, told = unescape(boss.page("/organize/new")), "\n".join(fields_of(CALLS["create"]))
    components = openapi()["components"]["schemas"]
    for name, rule in RULES.items():
        inner = name.removeprefix("randomness_")
        schema = components["RulesSent" if inner == name else "RandomnessSent"]["properties"][inner]
        declared = next(each for each in (schema, *schema.get("anyOf", ())) if "title" in each)
        bounds = ("minimum", "maximum") if rule.kind is int else ("minLength", "maxLength")
        assert declared["title"] == rule.label
        assert rule.span == (0, 0) or name == "seats" or tuple(map(declared.get, bounds)) == rule.span, name
        assert re.search(rf'name="{name}"', form), name
        assert rule.label in form, name
        assert f"{name.replace('randomness_', 'randomness.')}=" in told, name
        assert rule.label in told, name
        if rule.kind is int:
            high = {"settle_first": "2", "final_seats": "2", name: str(rule.span[1] + 1)}
            wrong = boss.post("/organize/new", DRAFT | high)
            assert f"Enter a number from {rule.span[0]} to {rule.span[1]}." in wrong.text, name
