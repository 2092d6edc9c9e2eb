"""Lessons on the site: walked to their ends by forms alone, and addresses that hold everything are never believed."""

import re
from collections import defaultdict
from html import unescape
from random import Random
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from tests.kits.pages_kit import Person, Site

from gangland.games import GAME_NAMES
from gangland_ladder.playing.lessons.lesson import MOST_DECISIONS, LessonState, lesson_of

games = pytest.mark.parametrize("game", [game for game in GAME_NAMES if lesson_of(game)])


def decide(person: Person, address: str, page: str, rng: Random) -> str | None:
    """Send the form of a page with anything that it offers; return the address it leads to, None without a form."""
    found = re.search(r'<form class="sheet stack lesson" method="get".*?</form>', page, re.DOTALL)
    if found is None:
        return None
    fields, groups = [], defaultdict(list)
    for kind, name, value in re.findall(r'<input[^>]*type="(\w+)" name="([^"]+)" value="([^"]*)"', found[0]):
        value = unescape(value)
        if kind == "radio":
            groups[name].append(value)
        elif kind == "hidden" or (not groups and rng.random() < 0.3):
            fields.append((name, value))
    if number := re.search(r'name="d" type="number"[^>]* max="(\d+)"', found[0]):
        fields.append(("d", str(min(int(number[1]), 1 + int(rng.expovariate(0.3))))))
    bids = [name for name in groups if name.startswith("token:")]
    chosen = set(rng.sample(bids, min(2, len(bids))))
    for name, values in groups.items():
        picked = values[1:] if name in chosen else values[:1] if name in bids else values
        fields.append((name, rng.choice(picked)))
    answer = person.get(f"{address}?{urlencode(fields)}")
    if answer.status_code == 422:
        assert 'role="alert"' in answer.text
        return address  # two bids with one card, or more dice given than taken: said, and nothing has happened
    return str(answer.location) if answer.status_code == 303 else f"{address}?{urlencode(fields)}"


def decisions(address: str) -> list[str]:
    return parse_qs(urlsplit(address).query, keep_blank_values=True).get("d", [])


@games
def test_a_lesson_is_walked_to_its_end_by_forms_and_what_is_forged_is_refused_in_words(site: Site, game: str) -> None:
    lesson = lesson_of(game)
    assert lesson is not None
    person = site.stranger()
    for seed in range(4):
        rng, address, steps = Random(seed), f"/{game}/learn", 0
        while True:
            page, steps = person.page(address), steps + 1
            assert steps < 10 * MOST_DECISIONS
            text = unescape(re.sub(r"\s+", " ", re.sub("<[^>]+>", "", page)))
            place = LessonState(lesson, decisions(address))
            assert all(line in text for line in place.happened())
            assert ('<div class="drawn">' in page) is (place.kind is not None)  # a template of the game's own
            led = decide(person, f"/{game}/learn", page, rng)
            if led is None:
                break
            address = address if led == f"/{game}/learn" else led
        assert place.kind is None
        assert all(line in text for line in place.summary())
        for link in (f"/{game}", f"/{game}/rules", f"/write/{game}"):
            assert f'href="{link}"' in page
    assert "Set-Cookie" not in person.get(f"/{game}/learn").headers
    person, address = site.stranger(), f"/{game}/learn"
    for forged in (
        {"d": "nonsense"}, {"d": "<script>alert(1)</script>"}, {"d": "\0"}, {"d": ""}, {"d": "9" * 5000},
        {"d": ["1"] * 500}, {"answered": "1", "part": "token:9"}, {"answered": "1", "part": ["number:1"] * 500},
        {"answered": "1", "token:3": "favor:4", "token:0": "token:0"}, {"answered": "1"},
    ):  # fmt: skip
        answer = person.get(f"{address}?{urlencode(forged, doseq=True)}")
        assert answer.status_code == 422 or answer.location, forged
        if answer.status_code == 422:
            assert 'role="alert"' in answer.text
            assert "<script>alert" not in answer.text
            assert "noindex" in answer.headers["X-Robots-Tag"]
    assert person.get("/poker/learn").status_code == 404


def test_pages_lead_to_a_lesson_and_bids_that_make_no_decision_are_kept_beside_what_is_wrong(site: Site) -> None:
    for chosen, problem in (
        ({"token:0": "favor:2"}, "Choose exactly two tokens."),
        ({"token:0": "favor:2", "token:1": "favor:2", "token:3": "favor:3"}, "Choose exactly two tokens."),
        ({"token:0": "favor:3", "token:3": "favor:3"}, "You have only one 3."),
    ):
        answer = site.stranger().get(f"/gangster-dice/learn?{urlencode({'answered': '1', **chosen})}")
        assert answer.status_code == 422
        form = answer.text[answer.text.index('<form class="sheet stack lesson"') :]
        assert f'id="problem" role="alert">{problem}</p>' in form
        checked = dict(re.findall(r'type="radio" name="([^"]+)" value="([^"]*)" checked', form))
        assert checked == {f"token:{token}": chosen.get(f"token:{token}", "") for token in (0, 1, 3)}
    person = site.stranger()
    for game in GAME_NAMES:
        link = f'href="/{game}/learn"'
        for address in (f"/{game}/rules", f"/{game}"):
            assert (link in person.page(address)) == (lesson_of(game) is not None)
