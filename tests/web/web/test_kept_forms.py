"""What was typed into a form is kept when its sign-in or its token has ended, and nobody else can use that."""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import time_machine
from tests.kits.models import SignIn, User, delete, select
from tests.kits.pages_kit import PASSWORD, Fields, Site, open_site

from gangland_web.base.formats import now_s
from gangland_web.services.accounts import UNSTORED_FIELDS
from gangland_web.web.requests import KeptForm, read_kept_form

HERE: dict[str, Any] = {"headers": {"Origin": "http://localhost"}}
"""What a browser says of a form on one of our pages; it cannot be set by other pages."""
TOLD: dict[str, Any] = {"headers": {"Sec-Fetch-Site": "same-origin"}}
NAMES = "Red Fox\nمی\u200cخواهم\n<b>" + "\n" * 50 + "end"
ALIASES = "/organize/people/aliases"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    yield from open_site(tmp_path)


def end_sign_ins(site: Site) -> None:
    site.execute(delete(SignIn))


def names_of(site: Site) -> set[str]:
    return {*site.rows(select(User.name))}


@pytest.mark.parametrize("where", [HERE, TOLD], ids=["origin", "fetch metadata"])
def test_a_form_sent_after_the_sign_in_has_ended_is_kept_until_its_sender_is_signed_in(site: Site, where: Any) -> None:
    ann = site.person("Ann", "organizer")
    data = {"csrf_token": ann.token("/organize/people"), "names": NAMES, "proof": PASSWORD}
    end_sign_ins(site)
    asked = ann.client.post(ALIASES, data=data, **where)
    assert (asked.status_code, asked.headers["Cache-Control"]) == (401, "no-store")
    assert "Your sign-in has ended." in asked.text
    assert PASSWORD not in asked.text

    fields = Fields(asked.text).values
    wrong = ann.client.post("/sign-in", data={**fields, "name": "Ann", "password": "wrong"}, **where)
    assert wrong.status_code == 422
    again = Fields(wrong.text).values
    assert again["kept"] == fields["kept"]
    page = ann.client.post("/sign-in", data={**again, "password": PASSWORD}, **where)
    assert (page.status_code, page.headers["Cache-Control"]) == (200, "no-store")
    assert f'action="{ALIASES}"' in page.text
    assert names_of(site) == {"Ann"}, "nothing is done by signing in"
    kept = Fields(page.text).values
    assert (kept["names"], kept.get("proof")) == (NAMES, None)
    assert ann.client.post(ALIASES, data=kept, **where).status_code == 200
    assert "Red Fox" in names_of(site)


def test_a_form_whose_token_has_expired_is_kept_with_a_fresh_one(site: Site) -> None:
    ann = site.person("Ann", "organizer")
    data = {"csrf_token": ann.token("/organize/people"), "names": NAMES}
    with time_machine.travel(now_s() + 25 * 3600):
        page = ann.client.post(ALIASES, data=data, **HERE)
        assert (page.status_code, page.headers["Cache-Control"]) == (400, "no-store")
        assert "This form has expired." in page.text
        kept = Fields(page.text).values
        assert kept["names"] == NAMES
        confirm = ann.client.post(ALIASES, data=kept, **HERE)
        assert (confirm.status_code, "This action needs your password." in confirm.text) == (403, True)
        fields = Fields(confirm.text).values | {"own_password": PASSWORD}
        assert ann.client.post("/confirm-password", data=fields, **HERE).status_code == 307
        assert ann.client.post(ALIASES, data=fields, **HERE).status_code == 200
    assert "Red Fox" in names_of(site)


@pytest.mark.parametrize(
    "headers",
    [
        {}, {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Referer": "http://localhost/write"},
        {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site", "Origin": "http://localhost"},
        {"Sec-Fetch-Site": "none"},
    ],
)  # fmt: skip
def test_a_form_from_elsewhere_does_not_become_valid(site: Site, headers: dict[str, str]) -> None:
    ann = site.person("Ann", "organizer")
    refused = ann.client.post(ALIASES, data={"names": NAMES, "csrf_token": "forged"}, headers=headers)
    assert refused.status_code == 400
    assert "Red Fox" not in refused.text
    token = ann.any_token("/docs/")
    end_sign_ins(site)
    away = ann.client.post(ALIASES, data={"names": NAMES, "csrf_token": token}, headers=headers)
    assert (away.status_code, "Red Fox" in away.text) == (303, False)
    kept = KeptForm(ALIASES, [("names", NAMES)]).to_text()
    forged = site.stranger().client.post(
        "/sign-in", data={"name": "Ann", "password": PASSWORD, "kept": kept}, headers=headers
    )
    assert (forged.status_code, "Red Fox" in forged.text) == (400, False)


def test_files_are_chosen_again_and_programs_get_the_answer_that_they_had(site: Site) -> None:
    ann = site.person("Ann")
    data = {"csrf_token": "old", "game": "gang-of-dice", "note": "the one that rerolls"}
    page = ann.client.post("/upload", data={**data, "file": (BytesIO(b"secret source"), "mine.py")}, **HERE)
    assert re.search(r'<form[^>]*action="/upload" enctype="multipart/form-data">', page.text)
    assert re.search(r'type="file" name="file" required', page.text)
    assert (Fields(page.text).values["note"], "secret source" in page.text) == ("the one that rerolls", False)
    as_json = {"headers": {"Accept": "application/json", "Origin": "http://localhost"}}
    assert ann.client.post("/upload", data=data, **as_json).json["error"]["status"] == 400  # type: ignore[index]


@pytest.mark.parametrize(
    "text",
    ["", "null", "[]", "[1, [], []]", '["//evil.example", [], []]', '["/a", 7, []]', '["/a", [["b"]], []]', "[" * 9999],
)
def test_what_is_no_kept_form_is_none(text: str) -> None:
    assert read_kept_form(text) is None


def test_every_field_for_a_password_is_left_out(root: Path) -> None:
    names: set[str] = set()
    for template in (root / "platform/gangland_web/site/templates").rglob("*.html"):
        text = template.read_text(encoding="utf-8")
        names |= set(re.findall(r'name="(\w+)" type="password"', text))
        names |= set(re.findall(r'field\("(\w+)", [^)]*type="password"', text))
    assert names == UNSTORED_FIELDS
