"""Writing a bot in the browser: the page without a script, and what its script completes."""

from __future__ import annotations

import html
import re

import pytest
from tests.kits.pages_kit import SOURCE, Person, Site, open_site
from werkzeug.test import TestResponse

from gangland.games import GAME_NAMES
from gangland_ladder.local.house import house_bots
from gangland_web.site.editor.starters import starters

site = pytest.fixture(open_site)


def text_in(page: str) -> str:
    """Return what stands in the form's field for the source."""
    found = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", page, re.DOTALL)
    assert found
    return html.unescape(found.group(1))


@pytest.mark.parametrize("game", sorted(GAME_NAMES))
def test_one_begins_with_a_first_bot_or_a_house_bot_from_random_to_sensible(site: Site, game: str) -> None:
    offered = [each.name for each in starters(game)]
    assert offered == ["first_bot", "random_gang", "cautious_gang", "bold_gang", "sensible_gang"]

    assert "class MyGang" in text_in(site.stranger().page(f"/write/{game}"))
    sensible = site.stranger().page(f"/write/{game}?start=sensible_gang")
    assert text_in(sensible) == house_bots()[game]["sensible_gang"].read_text()
    assert site.stranger().get(f"/write/{game}?start=boss_gang").status_code == 404
    assert site.stranger().get("/write/chess").status_code == 404


def test_what_is_completed_and_the_reference_are_the_docstrings(site: Site) -> None:
    found = site.stranger().get("/write/gangster-dice/completions.json")
    view = {each["label"]: each for each in found.get_json()["classes"]["View"]}
    page = html.unescape(re.sub(r"<[^>]+>", "", site.stranger().page("/write/gangster-dice")))

    assert view["me"]["class_name"] == "Player"
    assert view["clock"]["class_name"] == "Clock"
    assert {"sample", "legal"} <= set(view)
    assert all(each["info"] for each in view.values())
    assert "choose_bids(self, view):" in [each["label"] for each in found.get_json()["methods"]]
    assert set(found.get_json()["names"].values()) <= set(found.get_json()["classes"])
    assert all(label in page for label in view)
    assert (
        site.stranger()
        .get("/write/gangster-dice/completions.json", headers={"If-None-Match": found.headers["ETag"]})
        .status_code
        == 304
    )


def sent(person: Person, source: str, *, script: bool = False) -> TestResponse:
    """Send in what is in the editor."""
    headers = {"Accept": "application/json"} if script else {}
    fields = {"name": "fox", "source": source}
    return person.post("/write/gang-of-dice/upload", fields, form_at="/write/gang-of-dice", headers=headers)


def test_an_upload_leads_to_its_version_and_a_script_is_told_where_its_progress_is(site: Site) -> None:
    ann = site.person("ann")

    led = sent(ann, SOURCE.decode())
    told = sent(ann, SOURCE.decode() + "# again", script=True).get_json()

    assert (led.status_code, led.headers["Location"]) == (303, "/bots/1/versions/1")
    assert told == {"page": "/bots/1/versions/2", "progress": "/bots/1/versions/2.json"}
    assert ann.get(told["progress"]).get_json()["filename"] == "fox.py"


def test_a_refused_upload_keeps_the_text_and_names_the_line(site: Site) -> None:
    ann, wrong = site.person("ann"), "# coding: latin-1\n" + SOURCE.decode()

    page, told = sent(ann, wrong), sent(ann, wrong, script=True)

    assert page.status_code == told.status_code == 422
    assert text_in(page.text).strip() == wrong.strip()
    assert "line 1" in page.text
    assert told.get_json()["line"] == 1
    assert list(told.get_json()["errors"]) == ["source"]


def test_a_stranger_has_to_sign_in_first(site: Site) -> None:
    assert sent(site.stranger(), SOURCE.decode()).headers["Location"].startswith("/sign-in")
