"""Writing a bot in the browser: the page without a script, and what its script completes."""

import gzip
import html
import json
import re
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit
from zipfile import ZipFile

import pytest
from sqlmodel import col, select
from tests.kits.pages_kit import PASSWORD, SOURCE, Person, Site, activate_bot, finish_run, open_site, run_game
from werkzeug.test import TestResponse

from gangland.games import GAME_NAMES
from gangland_ladder.errors import entries
from gangland_ladder.local.bots import house_bots
from gangland_ladder.matches.match_jobs import CheckReport, FailingView, FaultRecord, Problem
from gangland_web.models import bots, jobs
from gangland_web.queries.editor import starters
from gangland_web.services.leaving import delete_account, export_account
from gangland_web.web.limits import Rates


def text_in(page: str) -> str:
    found = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", page, re.DOTALL)
    assert found
    return html.unescape(found.group(1))


@pytest.mark.parametrize("game", sorted(GAME_NAMES))
def test_one_begins_with_a_first_bot_or_a_house_bot_from_random_to_sensible(site: Site, game: str) -> None:
    offered = [each.name for each in starters(game)]
    assert offered == ["first_bot", "random_gang", "cautious_gang", "bold_gang", "sensible_gang"]
    page = site.stranger().page(f"/write/{game}")
    assert "class MyGang" in text_in(page)
    assert "run the test" not in text_in(page), "what is to be done with it can be done in the editor"
    sensible = site.stranger().page(f"/write/{game}?start=sensible_gang")
    assert text_in(sensible) == house_bots()[game]["sensible_gang"].read_text()
    assert site.stranger().get(f"/write/{game}?start=boss_gang").status_code == 404
    assert site.stranger().get("/write/chess").status_code == 404
    completed = site.stranger().get(f"/write/{game}/completions.json").text
    for text in (page.partition('aria-label="Reference"')[2], completed):
        assert re.findall(r"\b[GD]\d+\b", text) == [], "no ruling is at hand"


def test_what_is_completed_and_the_reference_are_the_docstrings(site: Site) -> None:
    stranger, path = site.stranger(), "/write/gangster-dice/completions.json"
    found = stranger.get(path)
    view = {each["label"]: each for each in found.get_json()["classes"]["View"]}
    page = html.unescape(re.sub(r"<[^>]+>", "", stranger.page("/write/gangster-dice")))
    assert view["me"]["class_name"] == "Player"
    assert view["clock"]["class_name"] == "Clock"
    assert {"sample", "legal"} <= set(view)
    assert all(each["info"] for each in view.values())
    assert "choose_bids(self, view):" in [each["label"] for each in found.get_json()["methods"]]
    assert set(found.get_json()["names"].values()) <= set(found.get_json()["classes"])
    assert all(label in page for label in view)
    assert stranger.get(path, headers={"If-None-Match": found.headers["ETag"]}).status_code == 304

    classes = stranger.get("/write/gang-of-dice/completions.json").get_json()["classes"]
    of = {name: {each["label"]: each for each in members} for name, members in classes.items()}
    assert of["BaseBot"]["rng"]["class_name"] == "Random"
    assert all(of["Random"][name]["info"] for name in ("choice", "random", "randint", "shuffle"))
    assert of["View"]["turns"]["item_class"] == of["View"]["turn_of"]["class_name"] == "Turn"
    assert "colour" in of["WarningCard"]
    assert set(of[of["WarningCard"]["condition"]["class_name"]]) == {"kind", "number", "faces"}


def test_old_addresses_lead_to_the_editor_and_to_the_page_on_your_machine(site: Site) -> None:
    led = {path: site.stranger().get(path).location for path in (
        "/write", "/write/examples/snitch.py", "/upload", "/upload?game=gangster-dice&name=a+b&team=T&_external=1",
        "/upload?game=none", "/download",
    )}  # fmt: skip
    assert list(led.values()) == [
        EDITOR, EDITOR, f"{EDITOR}#upload", "/write/gangster-dice?name=a+b&team=T#upload", f"{EDITOR}#upload",
        "/on-your-machine",
    ]  # fmt: skip


EDITOR = "/write/gang-of-dice"


def send(person: Person, act: str, fields: dict[str, object], *, script: bool) -> TestResponse:
    headers = {"Accept": "application/json"} if script else {}
    return person.post(f"{EDITOR}/{act}", {"name": "fox", **fields}, form_at=EDITOR, headers=headers)


def sent(person: Person, source: str, *, script: bool = False, **given: int) -> TestResponse:
    return send(person, "upload", {"source": source, **given}, script=script)


def test_an_upload_leads_to_its_version_and_one_that_is_refused_keeps_the_text_and_names_the_line(site: Site) -> None:
    ann, good, wrong = site.person("ann"), SOURCE.decode(), "# coding: latin-1\n" + SOURCE.decode()
    draft = "/write/gang-of-dice?draft=1"
    led = sent(ann, good)
    assert (led.status_code, led.headers["Location"]) == (303, "/bots/1/versions/1")
    assert text_in(ann.page(draft)) == good
    told = sent(ann, good + "# again", script=True, draft=1, version=1).get_json()
    assert told == {"id": 1, "version": 2, "page": "/bots/1/versions/2", "progress": "/bots/1/versions/2.json"}
    assert ann.get(told["progress"]).get_json()["filename"] == "fox.py"

    refused = sent(ann, wrong, script=True, draft=1, version=2)
    assert (refused.status_code, refused.get_json()["is_saved"], refused.get_json()["version"]) == (422, True, 3)
    assert (refused.get_json()["line"], list(refused.get_json()["errors"])) == (1, ["source"])
    assert text_in(ann.page(draft)) == wrong
    late = sent(ann, good + "# late", script=True, draft=1, version=1)
    assert (late.status_code, late.get_json()["is_saved"], late.get_json()["version"]) == (409, False, 3)
    assert ann.get("/bots/1/versions/3").status_code == 404, "nothing is sent in over another tab"
    assert text_in(ann.page(draft)) == wrong
    page = sent(ann, wrong, draft=1, version=3)
    assert (page.status_code, "line 1" in page.text) == (422, True)
    assert text_in(page.text).strip() == wrong.strip()
    stranger = site.stranger()
    assert sent(stranger, SOURCE.decode()).headers["Location"].startswith("/sign-in")
    back = (
        "/write/gang-of-dice?start=bold_gang"  # what was typed is kept for a new bot, not for a draft of the account's
    )
    (link,) = re.findall(r'href="(/sign-in\?[^"]*)"', stranger.page(back))
    fields = {"name": "ann", "password": PASSWORD, "next": parse_qs(urlsplit(html.unescape(link)).query)["next"][0]}
    assert stranger.post("/sign-in", fields, form_at=html.unescape(link)).headers["Location"] == back


def saved(
    person: Person, name: str = "fox", source: str = "one", *, script: bool = False, **given: int
) -> TestResponse:
    return send(person, "drafts", {"name": name, "source": source, **given}, script=script)


def test_a_draft_is_kept_with_the_account_within_bounds_and_nobody_else_reads_it(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = site.person("ann"), site.person("bob")

    where = saved(ann, source="# mine alone\n").headers["Location"]

    assert text_in(ann.page(where)) == "# mine alone\n"
    assert ">fox<" in ann.page("/write/gang-of-dice")
    assert bob.get(where).status_code == site.stranger().get(where).status_code == 404
    assert ann.get(where.replace("gang-of-dice", "gangster-dice")).status_code == 404
    assert ">fox<" not in bob.page("/write/gang-of-dice")
    assert bob.post("/write/gang-of-dice/drafts/1/delete", {}, form_at="/write/gang-of-dice").status_code == 404
    assert ann.post("/write/gang-of-dice/drafts/1/delete", {}, form_at="/write/gang-of-dice").status_code == 303
    assert ann.get(where).status_code == 404
    monkeypatch.setattr("gangland_web.services.drafts.MAX_DRAFTS", 2)
    assert saved(ann, source="x" * bots.DRAFT_BYTES).status_code == 303

    too_long = saved(ann, "owl", "x" * (bots.DRAFT_BYTES + 1))
    assert (too_long.status_code, "at most 256 KiB" in too_long.text) == (422, True)
    assert "You already have a draft called fox" in saved(ann).text
    assert "1 to 64 characters" in saved(ann, "").text
    assert saved(ann, "owl").status_code == 303
    assert "You already have 2 drafts" in saved(ann, "crow").text


def test_the_draft_saved_last_is_opened_unless_a_new_bot_is_asked_for_whose_name_no_draft_has(site: Site) -> None:
    ann, bob = site.person("ann"), site.person("bob")
    saved(ann, "fox", "# the fox\n")
    saved(ann, "owl", "# the owl\n", draft=0)
    assert text_in(ann.page("/write/gang-of-dice")) == "# the owl\n"
    assert 'name="draft" value="2"' in ann.page("/write/gang-of-dice")
    saved(ann, "fox", "# the fox again\n", draft=1, version=1)
    assert text_in(ann.page("/write/gang-of-dice")) == "# the fox again\n"
    for other in (
        ann.page("/write/gang-of-dice?start=first_bot"),
        ann.page("/write/gangster-dice"),
        bob.page("/write/gang-of-dice"),
    ):
        assert "class MyGang" in text_in(other)
        assert 'name="draft" value=""' in other
    for name in ("my_gang", "my_gang_2"):
        assert f'value="{name}"' in ann.page("/write/gang-of-dice?start=first_bot")
        assert run(ann, name=name).status_code == 303
    assert 'value="my_gang_3"' in ann.page("/write/gang-of-dice?start=bold_gang")


def test_of_two_tabs_none_writes_over_what_the_other_saved_and_drafts_go_with_the_account(site: Site) -> None:
    ann = site.person("ann")
    first = saved(ann, script=True).get_json()
    assert saved(ann, source="two", script=True, draft=1, version=1).get_json() == {"id": 1, "version": 2}

    late = saved(ann, source="three", draft=1, version=first["version"])
    told = saved(ann, source="three", script=True, draft=1, version=first["version"])

    assert late.status_code == told.status_code == 409
    assert text_in(late.text) == "three"
    assert 'name="version" value="2"' in late.text
    assert told.get_json()["version"] == 2
    assert text_in(ann.page("/write/gang-of-dice?draft=1")) == "two"
    assert saved(ann, source="three", draft=1, version=2).status_code == 303
    assert text_in(ann.page("/write/gang-of-dice?draft=1")) == "three"
    saved(ann, "owl", "# mine\n", draft=0)
    with site.database.read() as db, ZipFile(BytesIO(export_account(db, 1))) as archive:
        assert archive.read("drafts/gang-of-dice/2-owl.py") == b"# mine\n"
    site.person("bob")
    delete_account(site.database, 1)
    assert site.rows(select(bots.BotDraft)) == []


def run(person: Person, kind: str = "check", *, script: bool = False, **given: object) -> TestResponse:
    return send(person, "run", {"source": SOURCE.decode(), "run": kind, **given}, script=script)


def test_a_run_saves_the_draft_and_only_its_author_sees_it(site: Site) -> None:
    ann, bob = site.person("ann"), site.person("bob")
    where = run(ann).headers["Location"]
    assert where == "/write/gang-of-dice/runs/1"
    assert "Queued: the check starts" in ann.page(where)
    assert text_in(ann.page("/write/gang-of-dice?draft=1")) == SOURCE.decode()
    house = str(activate_bot(site, None, "dicey"))
    page = run(ann, "play", opponent="99", draft=1, version=1)
    assert (page.status_code, "Bot 99 is not available as an opponent now" in page.text) == (422, True)
    assert f'<option value="{house}">dicey' in page.text
    told = run(ann, "play", script=True, draft=1, version=2, opponent=house).get_json()
    assert told == {"id": 1, "version": 3, "run": told["run"]}
    assert "Queued" in ann.page(told["run"])
    (newest,) = site.rows(select(jobs.DraftRun).where(col(jobs.DraftRun.kind) == "play"))
    assert [each["name"] for each in newest.setup["opponents"]] == ["dicey"]
    where = told["run"].removesuffix("/live")
    finish_run(site, int(where.rpartition("/")[2]), run_game([0, 1], [1, 2]), run_game([1, 0], [1, 2]))
    game, _ = re.findall(r'href="(/matches/[^"]+)">Watch game', ann.page(where))
    for path in (where, told["run"], game):
        assert ann.get(path).status_code == 200
        assert bob.get(path).status_code == site.stranger().get(path).status_code == 404
    for path in (where, told["run"]):
        assert ann.get(path.replace("gang-of-dice", "gangster-dice")).status_code == 404
    assert ann.get(f"{game[:-1]}2").status_code == 404
    assert ann.get(game.partition("/games")[0]).headers["Location"] == where
    assert run(site.stranger()).headers["Location"].startswith("/sign-in")
    assert run(ann, "win").status_code == 400


def test_after_an_upload_the_editor_shows_its_progress_until_the_next_run(site: Site) -> None:
    ann = site.person("ann")
    run(ann)
    assert "Queued: the check starts" in ann.page("/write/gang-of-dice?draft=1")
    assert "data-follow" not in ann.page("/write/gang-of-dice?draft=1")
    assert sent(ann, SOURCE.decode(), draft=1, version=1).status_code == 303
    page = ann.page("/write/gang-of-dice?draft=1")
    assert 'data-follow="/bots/1/versions/1.json"' in page
    assert "Version 1: being checked" in page
    assert "Queued: the check starts" not in page
    run(ann, draft=1, version=2)
    assert "data-follow" not in ann.page("/write/gang-of-dice?draft=1")


def test_a_check_shows_each_problem_on_its_line_with_its_fix_and_what_the_bot_saw(site: Site) -> None:
    ann = site.person("ann")
    where = run(ann).headers["Location"]
    problem = Problem("E203", "choose_dice() returned <b>99</b>", 6, "dice", 3)
    view = FailingView(3, 1, 2, 4, [("deck", "B1 " * 200), ("pool", "5")])
    finish_run(site, 1, report=CheckReport("Mine", ["imported"], [problem], 0.1, 0.1, 40, failing=[view]))
    for page in (ann.page(where), ann.page("/write/gang-of-dice?draft=1")):
        assert "The check found 1 problem." in page
        assert 'data-line="6"' in page
        assert "returned &lt;b&gt;99" in page
        assert entries()["E203"].in_editor in html.unescape(page)
        assert "--view" not in page
        assert "saw: round 4, seat 2 of 2</summary>" in page
        assert page.index("<code>view.pool</code></dt>") < page.index("Long values: <code>view.deck</code></summary>")
        assert '<code>view.pool</code></dt><dd class="said">5</dd>' in page
    assert "data-open" not in ann.page(f"{where}/live")


def test_a_duel_counts_wins_by_seat_and_keeps_the_words_of_the_opponent_s_faults(site: Site) -> None:
    ann = site.person("ann")
    refused = run(ann, "duel", script=True)
    assert "Upload fox first: it has no active version" in refused.get_json()["errors"]["run"]
    assert [refused.get_json()[each] for each in ("id", "version", "is_saved")] == [1, 1, True]
    activate_bot(site, "ann", "fox")
    where = run(ann, "duel", draft=1, version=1).headers["Location"]
    games = [
        run_game([0, 1], [1, 2], [FaultRecord(1, "crashed", "what only its author may know", 2, None)]),
        run_game([1, 0], [1, 2], [FaultRecord(1, "crashed", "fox.py:7 it broke", 2, None)]),
    ]
    finish_run(site, 1, *games)
    page = ann.page(where)
    assert "Your bot won 1 of 2 games." in page
    assert re.findall(r"Seat (\d)</th><td class=\"num\">(\d)</td><td class=\"num\">(\d)", page) == [
        ("1", "1", "1"),
        ("2", "1", "0"),
    ]
    addresses = re.findall(r'href="(/matches/[^"]+)">Watch game', page)
    assert 'data-line="7"' in page
    assert page.count("it broke") == 1
    shown = ann.page(addresses[1])
    assert [text in shown for text in ("my own log", "its own log", "it broke")] == [True, False, True]


@pytest.mark.parametrize(
    ("won", "says"),
    [
        (5, "Too few games to say which is better"),
        (0, "Your uploaded version is probably better"),
        (12, "Your draft is probably better"),
    ],
)
def test_a_duel_says_what_its_games_prove(site: Site, won: int, says: str) -> None:
    ann = site.person("ann")
    activate_bot(site, "ann", "fox")
    where = run(ann, "duel").headers["Location"]
    games = []
    for number in range(12):
        seating = [0, 1] if number % 2 == 0 else [1, 0]
        places = [1, 2] if (number < won) == (number % 2 == 0) else [2, 1]
        games.append(run_game(seating, places, block=number // 2))
    finish_run(site, 1, *games)
    page = ann.page(where)
    assert f"Your bot won {won} of 12 games." in page
    assert says in page
    assert 'class="note good"' not in page


def test_who_runs_drafts_too_often_is_told_how_often_and_when_again(tmp_path: Path) -> None:
    rates = Rates(runs="2 per hour", runs_address="3 per hour")
    for site in open_site(tmp_path, rates):
        ann, bob = site.person("ann"), site.person("bob")
        for version in (0, 1):
            assert run(ann, draft=1, version=version).status_code == 303
        refused = run(ann, script=True, draft=1, version=2)
        assert refused.status_code == 429
        told = r"You have run drafts 2 times this hour\. You can run one again in \d+ (minutes|seconds)\."
        assert re.fullmatch(told, refused.get_json()["error"]["detail"])
        assert run(bob).status_code == 303
        assert run(bob, draft=2, version=1).status_code == 429  # the third of this address was the last


@pytest.fixture
def folder(root: Path) -> Path:
    return root / "platform/gangland_web/site/static/codemirror"


@pytest.fixture
def described(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "bundle.json").read_text(encoding="utf-8"))
    return found


def test_the_bundle_is_made_of_the_lock_by_hash_with_every_license_and_fits_over_the_wire(
    root: Path, folder: Path, described: dict[str, Any]
) -> None:
    made_from = {
        name: sha256((root / "scripts/editor" / name).read_bytes()).hexdigest() for name in described["made_from"]
    }

    assert sha256((folder / "codemirror.js").read_bytes()).hexdigest() == described["sha256"], (
        "run scripts/bundle_editor"
    )
    assert set(made_from) == {"entry.js", "package-lock.json"}
    assert described["made_from"] == made_from, "run scripts/bundle_editor"
    locked = json.loads((root / "scripts/editor/package-lock.json").read_text(encoding="utf-8"))["packages"]
    licenses = (folder / "LICENSE.txt").read_text(encoding="utf-8")

    assert all(each["integrity"].startswith("sha512-") for name, each in locked.items() if name)
    assert {"@codemirror/view", "@codemirror/lang-python", "style-mod"} <= set(described["packages"])
    for name, package in described["packages"].items():
        assert package == {"version": locked[f"node_modules/{name}"]["version"], "license": "MIT"}
        assert f"\n{name}\n\n" in f"\n{licenses}"
    assert licenses.count("Permission is hereby granted") == len(described["packages"])
    text = (folder / "codemirror.js").read_text(encoding="utf-8")

    assert "eval(" not in text
    assert "new Function" not in text
    assert len(gzip.compress(text.encode(), 9, mtime=0)) < 200 * 1024
