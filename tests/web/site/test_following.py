"""Following: what is new there, what was read, the feed that is one's own, and what deleting an account does to it."""

import io
import json
import re
import zipfile
from typing import Any

import pytest
from tests.kits.models import Bot, Entry, Follow, FollowMark, Record, VersionStep, col, select
from tests.kits.pages_kit import Person, Site, activate_bot, finished_match, write_standings, write_tournament

from gangland_ladder.tournaments.lifecycle import State
from gangland_web import base, services
from gangland_web.queries import following as shown_of
from gangland_web.services.leaving import delete_account, export_account


def follow(person: Person, path: str, *, on: bool = True) -> None:
    answer = person.post(f"/following/{path}", {"follow": "1" if on else "0"}, form_at="/account/following")
    assert (answer.status_code, answer.location) == (303, f"/{path}")


def happened(person: Person) -> list[str]:
    return [each["title"] for each in person.get("/following.json").get_json()["happenings"]]


def marking(page: str) -> dict[str, list[str]]:
    fields: dict[str, list[str]] = {}
    for name, value in re.findall(r'name="(until|rank)" value="([^"]+)"', page):
        fields.setdefault(name, []).append(value)
    return fields


def long_ago(site: Site, who: int) -> None:
    with site.database.write() as db:
        mark = db.get_one(FollowMark, who)
        mark.read_at = 1.0
        db.add(mark)


def finished_tournament(site: Site, bot: int, name: str, **changed: Any) -> None:
    write_standings(site, write_tournament(site, name, State.FINISHED, **{"finished_at": 50.0, **changed}), bot)


def test_what_happened_to_bots_and_authors_is_new_until_it_is_read(site: Site) -> None:
    ann, reader = site.person("Ann"), site.person("Reader")
    who = site.user_id("Reader")
    bot, other = activate_bot(site, "Ann", "ace"), activate_bot(site, None, "other")
    match = finished_match(site, [bot, other])
    follow(reader, f"bots/{bot}")
    follow(reader, f"authors/{site.user_id('Ann')}")
    assert happened(reader) == [], "what came before is not new"
    long_ago(site, who)
    finished_tournament(site, bot, "Open Cup")
    finished_tournament(site, bot, "Secret Cup", embargo_until=9e9)
    with site.database.write() as db:
        ladder = db.exec(select(Entry.tournament_id).where(Entry.version_id == db.get_one(Bot, bot).active_version_id))
        record: dict[str, Any] = {"tournament_id": ladder.first(), "kind": "closest", "bot_id": bot, "score": 12.0}
        db.add(Record(**record, at=60.0, match_id=match, about={}))
        mark = db.get_one(FollowMark, who)
        mark.ranks = {**mark.ranks, f"{bot}.2": 7}
        db.add(mark)
    told = happened(reader)
    assert set(told) == {
        "ace (Gang of Dice): version 1 is on the ladders", "ace (Gang of Dice): rank 2 of 2 in Open Cup",
        "ace (Gang of Dice) holds a record: most lead changes, 12 lead changes",
        "ace (Gang of Dice): rank 1 at 2 seats (was 7)",
    }  # fmt: skip
    assert reader.get("/following.json").get_json()["happenings"][0]["kind"] == "version", "the newest first"
    page = reader.page("/account/following")
    assert "Secret Cup" not in page
    (rank,) = re.findall(r"<li>.*rank 1 at 2 seats \(was 7\).*</li>", page)
    assert "Since you followed it or last read your news." in rank
    assert "<time" not in rank, "when it changed is not known"
    assert re.search(r'name="until" value="([0-9.]+)"', page)
    reader.post("/following/read", marking(page), form_at="/account/following")
    assert happened(reader) == []
    assert "Nothing new" in reader.page("/account/following")
    assert happened(ann) == [], "nobody else's page"


def test_what_came_after_the_page_was_shown_is_new_the_next_time(site: Site) -> None:
    reader, who = site.person("Reader"), site.user_id("Reader")
    bot, other = activate_bot(site, None, "ace"), activate_bot(site, None, "other")
    follow(reader, f"bots/{bot}")
    now = base.formats.now_s()
    long_ago(site, who)
    with site.database.write() as db:
        for step in db.exec(select(VersionStep).where(VersionStep.state == "active")):
            step.at = now - 5
    reader.post("/following/read", {"until": str(now - 10)}, form_at="/account/following")
    assert happened(reader) == ["ace (Gang of Dice): version 1 is on the ladders"]
    reader.post("/following/read", {"until": "1e99"}, form_at="/account/following")
    assert happened(reader) == []
    assert site.get(FollowMark, who).read_at <= base.formats.now_s(), "never in the future"

    finished_match(site, [bot, other])
    site.change(FollowMark, who, ranks={f"{bot}.2": 7})
    page = reader.page("/account/following")
    with site.database.write() as db:
        version = db.get_one(Bot, other).active_version_id
        for entry in db.exec(select(Entry).where(Entry.version_id == version)):
            entry.rating = 99.0
    reader.post("/following/read", marking(page), form_at="/account/following")
    assert happened(reader) == ["ace (Gang of Dice): rank 2 at 2 seats (was 1)"]
    for form in ({"until": "soon"}, {"until": "1", "rank": "1.2=x"}):
        assert reader.post("/following/read", form, form_at="/account/following").status_code == 400
    reader.post("/following/read", {"until": "1", "rank": "999.2=1"}, form_at="/account/following")
    assert list(site.get(FollowMark, who).ranks) == [f"{bot}.2"], "none but of whom they follow"


def test_of_more_than_a_page_shows_the_rest_stays_unread(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown_of, "MAX_NEWS", 2)
    reader = site.person("Reader")
    bot = activate_bot(site, None, "ace")
    follow(reader, f"bots/{bot}")
    long_ago(site, site.user_id("Reader"))
    for name, at in (("One", 50.0), ("Two", 60.2), ("Three", 60.9), ("Four", 70.0)):
        finished_tournament(site, bot, name, finished_at=at)
    told = []
    while what := happened(reader):
        page = reader.page("/account/following")
        told.append({title.rpartition(" ")[2] for title in what})
        assert ("The oldest 3 of 5." in page) == (len(told) == 1)
        reader.post("/following/read", marking(page), form_at="/account/following")
    assert told == [{"One", "Two", "Three"}, {"Four", "ladders"}]


def test_a_feed_is_read_by_its_secret_alone_and_ends_with_a_new_one(site: Site) -> None:
    reader, stranger = site.person("Reader"), site.stranger()
    bot = activate_bot(site, None, "<i>ace")
    follow(reader, f"bots/{bot}")

    def made() -> str:
        answer = reader.post("/following/feed", {}, form_at="/account/following")
        assert answer.headers["Cache-Control"] == "no-store"
        found = re.search(r"/feeds/following\.atom\?key=([0-9a-f-]+)", answer.text)
        assert found
        return found[1]

    key = made()
    feed = stranger.get(f"/feeds/following.atom?key={key}")
    assert feed.status_code == 200
    assert feed.headers["Cache-Control"].startswith("private")
    assert key not in feed.text, "the document does not give its own address away"
    wrong = f"{key[:-1]}{'0' if key[-1] != '0' else '1'}"
    for bad in (wrong, "", "x", key.replace(key.split("-")[0], "999", 1)):
        assert stranger.get(f"/feeds/following.atom?key={bad}").status_code == 404
    newer = made()
    assert stranger.get(f"/feeds/following.atom?key={key}").status_code == 404
    assert stranger.get(f"/feeds/following.atom?key={newer}").status_code == 200
    assert key.split("-")[1] not in reader.page("/account/following")
    reader.post("/following/feed", {"end": "1"}, form_at="/account/following")
    assert stranger.get(f"/feeds/following.atom?key={newer}").status_code == 404


def test_a_button_follows_and_unfollows_and_a_bot_can_be_deleted(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = site.person("Reader")
    first, second = activate_bot(site, None, "first"), activate_bot(site, None, "second")
    assert ">Follow<" in reader.page(f"/bots/{first}")
    strange = site.stranger().page(f"/bots/{first}")
    assert ">Follow<" not in strange
    assert f'href="/sign-in?next=/bots/{first}">Sign in to follow<' in strange
    assert f'href="/feeds/bots/{first}.atom">Feed<' in strange
    assert ">Following<" not in reader.page(f"/bots/{first}")
    follow(reader, f"bots/{first}")
    follow(reader, f"bots/{first}")
    page = reader.page(f"/bots/{first}")
    assert ">Unfollow<" in page
    assert 'href="/account/following">Following<' in page
    assert "bot in Gang of Dice" in reader.page("/account/following")
    monkeypatch.setattr(services.following, "MAX_FOLLOWS", 1)
    follow(reader, f"bots/{second}")
    assert [each["name"] for each in reader.get("/following.json").get_json()["follows"]] == ["first"]
    follow(reader, f"bots/{first}", on=False)
    assert reader.get("/following.json").get_json()["follows"] == []
    for nothing in ("bots/999", "authors/999", "teams/999", f"authors/{site.user_id('Reader')}"):
        assert reader.post(f"/following/{nothing}", {"follow": "1"}, form_at="/account/following").status_code == 404
    assert site.stranger().get("/account/following").location.startswith("/sign-in")
    ann = site.person("Ann")
    ann.upload(name="new")
    bot = site.version("new").bot_id
    follow(reader, f"bots/{bot}")
    assert ann.post(f"/bots/{bot}/versions/1/delete", {}, form_at=f"/bots/{bot}/versions/1").status_code == 303
    assert site.stranger().get(f"/bots/{bot}").status_code == 404
    assert reader.get("/following.json").get_json()["follows"] == []


def test_who_leaves_is_followed_no_more_and_takes_their_own_list_along(site: Site) -> None:
    for name in ("Ann", "Reader"):
        site.person(name)
    ann, reader = site.user_id("Ann"), site.user_id("Reader")
    anns, other = activate_bot(site, "Ann", "anns"), activate_bot(site, None, "other")
    browser = site.stranger()
    browser.sign_in("Reader")
    for path in (f"authors/{ann}", f"bots/{anns}", f"bots/{other}"):
        follow(browser, path)
    account = json.loads(zipfile.ZipFile(io.BytesIO(site.read(export_account, reader))).read("account.json"))
    assert {(row["bot"], row["person"]) for row in account["following"]["follows"]} == {
        (None, ann), (anns, None), (other, None),
    }  # fmt: skip
    delete_account(site.database, ann)
    assert [each["name"] for each in browser.get("/following.json").get_json()["follows"]] == ["other"]
    delete_account(site.database, reader)
    assert site.rows(select(Follow)) == []
    assert site.rows(select(FollowMark).where(col(FollowMark.user_id) == reader)) == []
