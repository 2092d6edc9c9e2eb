"""Uploads, versions on their way and bots, as their owners and as strangers see them."""

import re
from hashlib import sha256
from io import BytesIO
from random import Random

import pytest
from flask import request
from sqlmodel import select
from tests.kits.pages_kit import SOURCE, Site, activate_bot, finished_match, pass_check
from tests.sandbox.zip_kit import zipped
from werkzeug.datastructures import FileStorage
from werkzeug.test import stream_encode_multipart

from gangland_web.models import matches, organizing, tournaments
from gangland_web.models.bots import Bot, Code, Version, VersionState, VersionStep
from gangland_web.services import trials, uploads

VERSION = "/bots/1/versions/1"
BACK = "Restore version"
EDITOR = "/write/gang-of-dice"


NAMED = [
    ("card_shark.py", "", "card_shark", "card_shark.py"), ("mine.py", "Big  Al", "Big Al", "mine.py"),
    ("../bots/mine.py", "", "mine", "mine.py"), (None, "pasted_one", "pasted_one", "pasted_one.py"),
]  # fmt: skip
"""Of uploads: the file's name, or none; the name that was typed; the bot's name; and the file's name as it is kept."""


def test_a_file_or_a_typed_name_names_its_bot_and_leads_to_the_versions_page(site: Site) -> None:
    ann = site.person("Ann")
    for number, (filename, typed, bot, kept) in enumerate(NAMED, 1):
        form = {"game": "gang-of-dice", "name": typed, "source": SOURCE.decode().replace("\n", "\r\n")}
        answer = ann.upload(filename=filename, name=typed) if filename else ann.post("/upload", form, form_at=EDITOR)
        assert answer.location == (page := f"/bots/{number}/versions/1")
        assert all(bot in ann.page(path) for path in (page, "/account"))
        assert site.version(bot).filename == kept
        assert ann.get(f"{page}/source.py").data == SOURCE


@pytest.mark.parametrize("game", ["gang-of-dice", "gangster-dice"])
def test_the_form_knows_the_game_by_what_the_file_imports(site: Site, game: str) -> None:
    ann = site.person("Ann")
    source = SOURCE.replace(b"gang_of_dice", game.replace("-", "_").encode())
    assert ann.upload(source, game="").status_code == 303
    assert site.get(Bot, site.version("mine").bot_id).game == game
    both = b"from gangland import gang_of_dice, gangster_dice\n"
    for source, words in ((b"x = 1\n", "E108"), (both, "Choose the game")):
        answer = ann.upload(source, game="")
        assert (answer.status_code, words in answer.text) == (422, True)


def test_an_upload_that_cannot_be_a_bot_says_why_and_keeps_nothing(site: Site) -> None:
    activate_bot(site, None, "Taken")
    ann = site.person("Ann")
    wrong: list[tuple[bytes, str, dict[str, str], str]] = [
        (b"", "mine.py", {}, "E102 "), (SOURCE, "mine.txt", {}, "ends in .py"),
        (SOURCE, "mine.py", {"game": "poker"}, "Choose the game"), (b"#" * (256 * 1024 + 1), "mine.py", {}, "E101 "),
        (SOURCE, "my bot.py", {}, "my bot"), (b"x = 1\ny = '\xff\xfe'\n", "mine.py", {}, "line 2 is not UTF-8"),
        (b"x = 1\0\n", "mine.py", {}, "line 1: the file contains a NUL byte"),
        (SOURCE, "mine.py", {"name": "a\u202eb"}, "direction"), (SOURCE, "mine.py", {"name": "x" * 65}, "1 to 64"),
        (SOURCE, "taken.py", {}, "choose another name"), (zipped({"main.py": SOURCE}), "shark.zip", {}, "no bot.py"),
        (zipped({"bot.py": SOURCE}), "shark.py", {}, "has the content of a zip"),
        (zipped({"bot.py": SOURCE, "zeros": bytes(5 << 20)}), "shark.zip", {}, "E123 zip too large when unpacked: "),
    ]  # fmt: skip
    for source, filename, fields, why in wrong:
        answer = ann.upload(source, filename, **fields)
        assert (answer.status_code, why in answer.text, 'class="error"' in answer.text) == (422, True, True), why
    assert "You have no bots yet" in ann.page("/account")


def test_a_zip_names_its_bot_and_its_owner_alone_reads_it_and_has_it_back_byte_for_byte(site: Site) -> None:
    ann = site.person("Ann")
    files = {"bot.py": SOURCE, "helpers.py": b"X = 1\n", "data/table.bin": bytes(2000)}
    archive = zipped({**files, "noise.bin": Random(5).randbytes(1024 * 1024 - 5000)})  # nearly as large as may be
    assert ann.upload(archive, "card-shark.zip").location == VERSION
    assert site.version("card-shark").filename == "card-shark.zip"
    answer = ann.get(f"{VERSION}/source.zip")
    assert (answer.data, answer.mimetype) == (archive, "application/zip")
    assert "card-shark.zip" in answer.headers["Content-Disposition"]
    assert ann.get(f"{VERSION}/source.py").status_code == 404
    page, link = ann.page(VERSION), f'href="{VERSION}/source.zip"'
    for words in ("class Mine(gang_of_dice.Bot)", link, "data/table.bin", "2,000 bytes", "helpers.py"):
        assert words in page
    for someone in (site.stranger(), site.person("Bob")):
        assert "helpers.py" not in someone.page(VERSION)
        assert someone.get(f"{VERSION}/source.zip").status_code in {303, 404}
    with site.database.write() as db:
        db.get_one(Version, 1).filename = "big shark.zip"  # which would be refused today
    assert "current rules would refuse it" in ann.page(VERSION)
    assert ann.get(f"{VERSION}/source.zip").data == archive


def test_an_upload_stays_in_memory_and_tells_its_place_in_the_queue_and_a_house_bot_shows_no_check(site: Site) -> None:
    bot = activate_bot(site, None, "house_one")
    page = site.stranger().page(f"/bots/{bot}/versions/1")
    assert "This version plays on the ladders. House bots come with the site and are not checked." in page
    assert "Active on the ladders" in page
    assert "Trial matches" not in page
    assert "sandbox" not in page.partition('<ol class="steps">')[2].partition("</ol>")[0]
    ann, bob = site.person("Ann"), site.person("Bob")
    ann.upload()
    assert "Waiting to be checked." in ann.page("/bots/2/versions/1")
    bob.upload(filename="other.py")
    assert "Number 2 in the queue." in bob.page("/bots/3/versions/1")
    file = FileStorage(BytesIO(bytes(700_000)), "big.zip", "file")
    body, length, boundary = stream_encode_multipart({"file": file}, use_tempfile=False)
    kind = f"multipart/form-data; boundary={boundary}"
    with site.app.test_request_context(
        "/upload", method="POST", input_stream=body, content_length=length, content_type=kind
    ):
        assert isinstance(request.files["file"].stream, BytesIO)


def test_the_versions_page_shows_each_state_with_its_time_and_a_rejection_at_its_step_and_line(site: Site) -> None:
    ann = site.person("Ann")
    ann.upload()
    first, part = ann.get(f"{VERSION}.json"), ann.get(f"{VERSION}/live")
    progress = first.get_json()
    assert [step["state"] for step in progress["steps"]] == [
        "received", "scanned", "imported", "legal", "timed", "trial", "active",
    ]  # fmt: skip
    assert [step["status"] for step in progress["steps"]] == ["done"] * 2 + ["waiting"] * 5
    assert progress["steps"][1]["at"].endswith("Z")
    assert (progress["state"], progress["terminal"]) == ("scanned", False)
    page = ann.page(VERSION)
    assert page.count("<time datetime=") == 3
    assert f'data-live="{VERSION}/live?own=1" data-every="2"' in page
    assert "/static/js/live.js" in page
    assert part.text.lstrip().startswith('<div id="live"')
    assert "".join(part.text.split()) in "".join(page.split())
    assert "Upload a new version" not in part.text
    held = [(answer.request.path, {"If-None-Match": answer.headers["ETag"]}) for answer in (first, part)]
    assert [ann.get(path, headers=tag).status_code for path, tag in held] == [304, 304]
    site.write_row(trials.advance, Version, 1, VersionState.IMPORTED, "one class: Mine")
    changed, _ = (ann.get(path, headers=tag) for path, tag in held)
    assert changed.get_json()["steps"][2]["message"] == "one class: Mine"
    assert [ann.get(path, headers=tag).status_code for path, tag in held] == [200, 200]
    admin = site.person("Boss", "admin")
    site.write_row(trials.reject, Version, 1, "E203 illegal decision: line 6: choose_dice() returned <99>")
    progress = ann.get(f"{VERSION}.json").get_json()
    assert progress["terminal"] is True
    assert progress["headline"] == "This version was rejected."  # there is no other one that goes on playing
    assert [step["status"] for step in progress["steps"]] == ["done"] * 3 + ["failed"] + ["waiting"] * 3
    assert progress["steps"][3]["message"] == "E203 illegal decision: line 6: choose_dice() returned <99>"
    page = ann.page(VERSION)
    assert "E203 illegal decision: line 6: choose_dice() returned &lt;99&gt;" in page
    assert '<code>--view N</code> shows the whole view. <a href="/docs/errors.html#e203-illegal-decision">' in page
    now = ann.page(f"{VERSION}/live")
    assert f'data-live="{VERSION}/live?own=1" data-every="10"' in now, "it may still be retired"
    assert "Upload a new version" in now, "what can be done comes by itself"
    assert 'id="L6"' in page
    for someone in (site.stranger(), site.person("Bob"), admin):
        told = someone.page(VERSION) + someone.page(f"{VERSION}/live") + someone.get(f"{VERSION}.json").text
        assert "rejected" in told
        assert [words for words in ("E203", "returned", "choose_dice", "Upload a new version") if words in told] == []
        assert someone.get(f"{VERSION}/source.py").status_code in (303, 404)


def test_a_note_that_everybody_reads_and_a_source_are_shown_as_text_and_fool_nobody(site: Site) -> None:
    ann = site.person("Ann")
    ann.upload(SOURCE + "# </pre><script>alert(1)</script> \u202e hidden\n".encode(), note="  faster <b>now</b> ")
    page = ann.page(VERSION)
    for shown in (page, site.stranger().page(VERSION)):
        assert "“<bdi>faster &lt;b&gt;now&lt;/b&gt;</bdi>”" in shown
    assert "<script>alert" not in page
    assert "\u202e" not in page
    assert "\ufffd hidden" in page, "what cannot be seen is made visible"
    for bad in ("x" * 201, "turn \u202e round"):
        answer = ann.upload(note=bad)
        assert (answer.status_code, 'aria-describedby="note-error' in answer.text) == (422, True)


def test_a_new_version_shows_what_changed_and_one_gone_back_to_passes_the_trials_anew(site: Site) -> None:
    ann = site.person("Ann")
    ann.upload()
    ann.upload(SOURCE.replace(b"return 1", b"return 2"))
    page = ann.page("/bots/1/versions/2")
    assert "1 line added, 1 removed." in page
    assert re.search(r'class="went"><td>6</td><td></td><td>−</td><td><code>        return 1', page)
    assert re.search(r'class="came"><td></td><td>6</td><td>\+</td><td><code>        return 2', page)
    assert "Changed since" not in ann.page(VERSION) + site.stranger().page("/bots/1/versions/2")
    site.change(Version, 1, state="retired")
    assert BACK in ann.page(VERSION)
    back = ann.post(f"{VERSION}/restore", {}, form_at=VERSION)
    assert (back.status_code, back.location) == (303, "/bots/1/versions/3")
    newest = site.version("mine")
    assert (newest.code_sha256, newest.state) == (sha256(SOURCE).hexdigest(), "scanned")
    assert newest.note == "Restored version 1"
    assert BACK not in ann.page("/bots/1/versions/3") + site.stranger().page(VERSION)
    assert site.person("Bob").post(f"{VERSION}/restore", {}, form_at="/account").status_code == 404


def test_the_old_version_plays_on_until_the_new_one_passes_and_the_upload_page_names_it(site: Site) -> None:
    ann = site.person("Ann")
    assert "It plays until a new version" not in ann.page(EDITOR)
    activate_bot(site, "Ann", "mine")
    for page in (ann.page(EDITOR), ann.upload(b"").text):
        assert '<a href="/bots/1"><bdi>mine</bdi></a> v1. It plays until a new version is active.' in page
    assert "It plays until a new version" not in site.person("Bob").page(EDITOR)
    ann.upload()
    assert "version 1 on the ladders" in ann.page("/bots/1")
    assert 'class="tag good">active' in ann.page("/bots/1/versions/1")
    newest = ann.page("/bots/1/versions/2")
    assert "The previous version plays until this one passes." in newest
    assert "Next: after all steps it plays on the ladder." in newest
    assert "Next: it plays ladder matches" in ann.page("/bots/1/versions/1")
    assert "Next: " not in site.stranger().page("/bots/1/versions/2")


def test_a_retired_version_says_what_took_its_place(site: Site) -> None:
    ann = site.person("Ann")
    mine, other = activate_bot(site, "Ann", "mine"), activate_bot(site, "Ann", "other")
    assert ann.page("/account").count('<span class="soft">retired</span>') == 1
    for someone in (ann, site.stranger()):
        assert "This version is retired: replaced by other v1." in someone.page(f"/bots/{mine}/versions/1")
    ann.upload(SOURCE + b"# a\n", filename="third.py")
    assert ann.page("/account").count('<span class="soft">not yet</span>') == 1
    ann.upload(SOURCE + b"# b\n", filename="fourth.py")
    assert "retired" not in ann.page(f"/bots/{other + 1}/versions/1")
    pass_check(site, site.version("fourth").id or 0)
    assert "This version is retired: withdrawn for fourth v1." in ann.page(f"/bots/{other + 1}/versions/1")


def test_a_bots_page_shows_ratings_matches_and_faults_and_its_owner_the_trials(site: Site) -> None:
    ann, stranger = site.person("Ann"), site.stranger()
    mine, other = activate_bot(site, "Ann", "mine"), activate_bot(site, None, "house_one")
    match = finished_match(site, [mine, other], fails_at=4)
    assert all(words in ann.page(f"/bots/{mine}") for words in (f"Match {match}", "2 seats"))
    page = ann.page(f"/bots/{mine}/games")
    for words in (f"/matches/{match}/games/0/", "bot error", "&lt;b&gt;boom&lt;/b&gt;", f"Match {match}"):
        assert words in page
    assert "boom" not in stranger.page(f"/bots/{mine}/games")
    assert "house bot" in stranger.page(f"/bots/{other}")
    older = ann.page(f"/bots/{mine}/games?before={finished_match(site, [mine, other])}")
    assert [words in older for words in (f"Match {match}", "matches.csv", "csv?before")] == [True, True, False]
    trial = finished_match(site, [mine, other], purpose="trial")
    pages = [someone.page(f"/bots/{mine}/versions/1") for someone in (ann, stranger)]
    assert [f"/matches/{trial}" in page for page in pages] == [True, False]
    assert "Delete version" not in ann.page(VERSION)
    assert ann.post(f"{VERSION}/delete", {}, form_at="/account").location == VERSION
    assert "This version has played on the ladders, so it cannot be deleted." in ann.page(VERSION)


def test_a_version_that_never_played_is_deleted_once_by_its_author_with_an_entry_in_the_log(site: Site) -> None:
    ann, bob = site.person("Ann"), site.person("Bob")
    ann.upload(b"from gangland import gang_of_dice  # rubbish\n")
    assert "Delete version" not in ann.page(VERSION)  # it is on its way
    site.write_row(trials.reject, Version, 1, "E222 no bot class: there is none")
    assert "Delete version" in ann.page(VERSION)
    assert "Delete version" not in bob.page(VERSION)
    assert bob.post(f"{VERSION}/delete", {}, form_at="/account").status_code == 404
    assert ann.post(f"{VERSION}/delete", {}, form_at="/account").status_code == 303
    assert ann.get(VERSION).status_code == 404
    with site.database.read() as db:
        (entry,) = db.exec(select(organizing.AuditEntry)).all()
        assert (entry.act, entry.subject) == ("deleted a version", "mine v1")
        for table in (Bot, Version, VersionStep, matches.Match, matches.MatchSeat, tournaments.Entry, Code):
            assert db.exec(select(table)).all() == [], table
    ann.upload()
    with site.database.write() as db:
        version = db.exec(select(Version)).one()
        uploads.delete_version(db, version, organizing.Actor(None, "203.0.113.7"))
        with pytest.raises(uploads.NotDeletable, match="already been deleted"):  # by somebody else a moment ago
            uploads.delete_version(db, version, organizing.Actor(None, "203.0.113.7"))


def test_settings_are_their_owners_and_a_bot_is_retired_there(site: Site) -> None:
    ann, bob, boss = site.person("Ann"), site.person("Bob"), site.person("Boss", "admin")
    mine, house = activate_bot(site, "Ann", "mine"), activate_bot(site, None, "house_one")
    where, tab = f"/bots/{mine}/settings", f'href="/bots/{mine}/settings"'
    people = (ann, boss, bob, site.stranger())
    assert [tab in person.page(f"/bots/{mine}") for person in people] == [True, False, False, False]
    assert [person.get(where).status_code for person in people] == [200, 404, 404, 303]
    assert [">Moderate<" in boss.page(f"/bots/{bot}") for bot in (mine, house)] == [True, False]
    assert ann.post(f"/bots/{mine}/persons", {"plays": "0"}, form_at=where).location == where
    assert "People cannot choose this bot" in ann.page(where)
    assert ann.post(f"/bots/{mine}/retire", {}, form_at=where).location == where
    assert "This bot does not play." in ann.page(where)
