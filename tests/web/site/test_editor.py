"""Writing a bot in the browser: the page without a script, and what its script completes."""

from __future__ import annotations

import html
import re

import pytest
from tests.kits.pages_kit import Site, open_site

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
