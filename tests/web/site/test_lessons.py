"""Lessons on the site: walked to their ends by forms alone, and addresses that hold everything are never believed."""

import re
from html import unescape
from random import Random
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from tests.kits.pages_kit import Person, Site

from gangland.games import GAME_NAMES
from gangland_ladder.playing.lessons.lesson import MAX_DECISIONS, LessonState, lesson_of

games = pytest.mark.parametrize("game", [game for game in GAME_NAMES if lesson_of(game)])


def decide(person: Person, address: str, page: str, rng: Random) -> str | None:
    """Decide anything, without a script; return the next address, None if nothing is asked."""
    parts: list[str] = []
    while forms := re.findall(r'<form[^>]* method="get"[^>]* data-answer>.*?</form>', page, re.DOTALL):
        form = unescape(forms[-1])
        given = re.findall(r'type="hidden" name="(d|part)" value="([^"]*)"', form)
        more = re.findall(r'name="part" value="([^"]+)">[^<]*</button>', unescape(page))
        made = re.findall(r'<button[^>]* name="(made|choice|nothing)" value="(\d+)"', form)
        made += re.findall(r'type="radio" name="(choice)" value="(\d+)"', form)
        if number := re.search(r'name="amount"[^>]* max="(\d+)"', form):
            made = [("amount", str(min(int(number[1]), 1 + int(rng.expovariate(0.3)))))]
        if made and (not more or len(parts) > 6 or rng.random() < 0.4):
            answer = person.get(f"{address}?{urlencode([*given, rng.choice(made)])}")
            assert answer.status_code == 303, answer.text
            return str(answer.location)
        parts.append(rng.choice(more))
        before = [each for each in given if each[0] == "d"]
        page = person.page(f"{address}?{urlencode([*before, *(('part', part) for part in parts)])}")
    return None


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
            assert steps < 10 * MAX_DECISIONS
            text = unescape(re.sub(r"\s+", " ", re.sub("<[^>]+>", "", page)))
            place = LessonState(lesson, decisions(address))
            assert all(line in text for line in place.describe())
            assert ("data-felt" in page) is (place.kind is not None)
            led = decide(person, f"/{game}/learn", page, rng)
            if led is None:
                break
            address = led
        assert place.kind is None
        assert all(line in text for line in place.summary())
        for link in (f"/{game}", f"/{game}/rules", f"/write/{game}"):
            assert f'href="{link}"' in page
    assert "Set-Cookie" not in person.get(f"/{game}/learn").headers
    person, address = site.stranger(), f"/{game}/learn"
    for forged in (
        {"d": "nonsense"}, {"d": "<script>alert(1)</script>"}, {"d": "\0"}, {"d": ""}, {"d": "9" * 5000},
        {"d": ["1"] * 500}, {"made": "1", "part": "token:9"}, {"made": "1", "part": ["number:1"] * 500},
        {"choice": "999"}, {"choice": "x"}, {"amount": "0"}, {"made": "1"},
    ):  # fmt: skip
        answer = person.get(f"{address}?{urlencode(forged, doseq=True)}")
        assert answer.status_code == 422 or answer.location, forged
        if answer.status_code == 422:
            assert 'role="alert"' in answer.text
            assert "<script>alert" not in answer.text
            assert "noindex" in answer.headers["X-Robots-Tag"]
    assert person.get("/poker/learn").status_code == 404


def test_pages_lead_to_a_lesson_and_what_makes_no_decision_yet_stays_chosen(site: Site) -> None:
    for query, status in (("part=token:0", 200), ("part=token:0&made=1", 422)):
        answer = site.stranger().get(f"/gangster-dice/learn?{query}")
        assert answer.status_code == status
        assert "Chosen: <span data-picks><strong>the Lawyer</strong>" in answer.text
        assert ('id="problem">Your choice is not complete.</p>' in answer.text) == (status == 422)
    person = site.stranger()
    for game in GAME_NAMES:
        link = f'href="/{game}/learn"'
        for address in (f"/{game}/rules", f"/{game}"):
            assert (link in person.page(address)) == (lesson_of(game) is not None)
