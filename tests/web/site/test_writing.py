"""How values are written: safe to see on a page, and as they were typed in a form."""

from __future__ import annotations

from typing import Any

import pytest
from tests.kits.pages_kit import SOURCE, Fields, Person, Site, activate_bot, open_site
from werkzeug.test import TestResponse

site = pytest.fixture(open_site)

TYPED = "a\u200bb c\u00add ❤️ می\u200cخواهم \u0915\u094d\u200d\u0937 \u2067x\ufeff \ue000 <&\"'> end"
TEXT = f'\n\nKEY = "a\u200bb"  # {TYPED}\n'


def test_a_form_returns_every_character_that_was_sent(site: Site) -> None:
    stranger, boss = site.stranger(), site.person("Boss", role="organiser")
    activate_bot(site, "Boss", "Mine")
    sent: list[tuple[Person, str, dict[str, Any], str | None]] = [
        (stranger, "/sign-up", {"name": TYPED, "password": "x"}, None),
        (stranger, "/sign-in", {"name": TYPED, "password": "x"}, None),
        (stranger, "/set-password", {"name": TYPED, "code": TYPED, "password": "long enough 1"}, None),
        (stranger, "/replays/open", {"text": TEXT, "number": "7"}, None),
        (boss, "/upload", {"name": TYPED, "note": TYPED, "source": TEXT}, None),
        (boss, "/write/gang-of-dice/drafts", {"name": TYPED, "source": TEXT}, "/write/gang-of-dice"),
        (boss, "/account/tokens", {"name": TYPED, "days": "9999"}, None),
        (boss, "/team/create", {"name": TYPED}, "/team"),
        (boss, "/challenges", {"opponent1": TYPED, "opponent2": "", "bot": "1"}, None),
        (boss, "/organise/people/aliases", {"names": TEXT}, "/organise/people"),
        (boss, "/organise/new", {"name": TYPED, "join_code": TYPED, "randomness_source": TYPED, "zone": TYPED}, None),
    ]
    for person, path, fields, form_at in sent:
        answer = person.post(path, fields, form_at=form_at)
        assert answer.status_code == 422 or path == "/sign-in", (path, answer.status_code)
        assert held(answer, fields) == fields, path
    for path in ("/search", "/docs/"):
        answer = stranger.get(path, query_string={"q": TYPED})
        assert held(answer, {"q": ""})["q"] == TYPED, path


def held(answer: TestResponse, fields: dict[str, Any]) -> dict[str, str]:
    values = Fields(answer.text).values
    return {name: fields[name] if name in ("password", "bot") else values.get(name, "") for name in fields}


def test_a_draft_and_the_rules_of_a_tournament_are_opened_as_they_were_saved(site: Site) -> None:
    boss, source = site.person("Boss", role="organiser"), SOURCE.decode() + TEXT
    for _ in range(2):
        boss.post("/write/gang-of-dice/drafts", {"name": "Mine", "source": source}, form_at="/write/gang-of-dice")
        opened = Fields(boss.page("/write/gang-of-dice?draft=1")).values
        assert opened["source"] == source
        source = opened["source"]
    rules = Fields(boss.page("/organise/new")).values | {"name": "❤️ می\u200cخواهم", "game": "gang-of-dice"}
    rules |= {"profile": "plain", "seats": "2"}
    made = boss.post("/organise/new", rules, form_at="/organise/new")
    assert made.status_code == 303
    assert Fields(boss.page(made.location + "/edit")).values["name"] == rules["name"]
    assert f"<bdi>{rules['name']}</bdi>" in boss.page(made.location)
