"""The page of tokens: shown once, kept as a hash, and its owner's alone."""

from hashlib import sha256

import pytest
import time_machine
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from tests.kits import models, served_kit
from tests.kits.core_kit import Platform, a_platform
from tests.kits.pages_kit import Person, Site

from gangland_web.services.tokens import MAX_TOKENS, Scope, bearer_of

platform = pytest.fixture(
    a_platform, params=["sqlite", pytest.param("postgresql", marks=pytest.mark.long("the same on the other database"))]
)
FORM = {"name": "laptop", "scope": ["read", "upload"], "days": "90"}


def new_token(person: Person, *scopes: str, name: str = "laptop", days: int = 90) -> str:
    form = {"name": name, "scope": list(scopes or ("read", "upload")), "days": str(days)}
    found = served_kit.TOKEN.search(person.post("/account/tokens", form).text)
    assert found
    return found[0]


def revoke(person: Person, token: str) -> None:
    answer = person.post(f"/account/tokens/{token.split('_')[1]}/revoke", {}, form_at="/account/tokens")
    assert answer.status_code == 303


def rows(site: Site) -> list[models.Token]:
    return list(site.rows(models.select(models.Token)))


def test_a_token_is_shown_once_and_good_for_what_was_asked_for(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    ann = site.person("Ann")
    answer = ann.post("/account/tokens", FORM)
    (token,) = set(served_kit.TOKEN.findall(answer.text))
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
    assert "gangland submit --keep-token --site http://localhost" in answer.text
    (row,) = rows(site)
    assert row.secret_hash == sha256(token.split("_")[2].encode()).hexdigest()
    again = ann.page("/account/tokens")
    assert token.split("_")[2] not in again + caplog.text + answer.headers.get("Set-Cookie", "")
    assert f"gangland_{row.id}_" in again
    for scopes, days in ((("read",), 1), (("read", "upload"), 365)):
        found = bearer_of(site.database, new_token(ann, *scopes, days=days))
        assert (found.owner, found.scopes) == ("Ann", frozenset(map(Scope, scopes)))
    assert [round(row.expires_at - row.created_at) // 86_400 for row in rows(site)] == [90, 1, 365]


IMPOSSIBLE: list[tuple[dict[str, object], str]] = [
    ({"name": ""}, "1 to 64 characters"), ({"name": "a\u202eb"}, "direction"),
    ({"scope": []}, "Choose at least one permission"),
    ({"scope": ["read", "admin"]}, "Choose at least one permission"), ({"days": "0"}, "1 to 365 days"),
    ({"days": "366"}, "1 to 365 days"), ({"days": "ten"}, "1 to 365 days"), ({"days": "9" * 5000}, "1 to 365 days"),
]  # fmt: skip


def test_a_token_that_cannot_be_or_is_one_too_many_says_why_and_none_is_made(site: Site) -> None:
    ann = site.person("Ann")
    for form, why in IMPOSSIBLE:
        answer = ann.post("/account/tokens", {**FORM, **form})
        assert answer.status_code == 422, form
        assert why in answer.text, form
    assert rows(site) == []
    new_token(ann)
    with site.database.write() as db:
        copied = "SELECT owner_id, name, substr(:n || secret_hash, 1, 64), can_read, can_upload, created_at, expires_at"
        columns = "owner_id, name, secret_hash, can_read, can_upload, created_at, expires_at"
        for number in range(10, 9 + MAX_TOKENS):
            db.connection().execute(
                text(f"INSERT INTO tokens ({columns}) {copied} FROM tokens WHERE id = 1"), {"n": str(number)}
            )
    answer = ann.post("/account/tokens", FORM)
    assert (answer.status_code, "tokens. Revoke one first." in answer.text) == (422, True)
    revoke(ann, "gangland_2_")
    assert ann.post("/account/tokens", FORM).status_code == 200


def test_nobody_sees_or_revokes_a_token_of_somebody_else_and_its_last_use_is_told_to_the_minute(site: Site) -> None:
    ann, bob = site.person("Ann"), site.person("Bob")
    token = new_token(ann, name="Ann's desk")
    assert "desk" not in bob.page("/account/tokens")
    revoke(bob, token)
    assert bearer_of(site.database, token).owner == "Ann"
    revoke(ann, token)
    assert ">revoked<" in ann.page("/account/tokens")
    assert site.stranger().get("/account/tokens").status_code == 303
    token, old = new_token(ann), new_token(ann, name="the old one")
    served_kit.expire(site, old)
    assert ">expired<" in ann.page("/account/tokens")
    served_kit.expire(site, old, ago_s=31 * 86_400)
    served_kit.change(site, token, last_used_at=None)
    with time_machine.travel(rows(site)[1].created_at + 100, tick=False) as clock:
        used = []
        for wait_s in (0, 30, 31):
            clock.shift(wait_s)
            bearer_of(site.database, token)
            used.append(rows(site)[1].last_used_at)
    assert (used[0] == used[1], (used[2] or 0) - (used[0] or 0)) == (True, 61)
    new_token(ann, name="a new one")
    assert "the old one" not in ann.page("/account/tokens")


BROKEN = {
    "for nothing": "can_read = FALSE, can_upload = FALSE, can_write = FALSE, can_organize = FALSE",
    "without a name": "name = ''", "for more than a year": "expires_at = created_at + 31536001",
    "for less than a day": "expires_at = created_at", "with half a hash": "secret_hash = 'abc'",
    "used after its end": "last_used_at = expires_at", "of nobody": "owner_id = 99",
}  # fmt: skip
_MAKE = (
    "INSERT INTO tokens (owner_id, name, secret_hash, can_read, can_upload, created_at, expires_at) "
    "SELECT id, 'a', name_key || substr(:zeros, 1 + length(name_key)), TRUE, TRUE, 0, 31536000 FROM users"
)


def test_the_database_itself_takes_no_token_that_cannot_be(platform: Platform) -> None:
    platform.upload("ann")
    assert _takes(platform, _MAKE)
    for what, values in BROKEN.items():
        assert not _takes(platform, f"UPDATE tokens SET {values}"), what
    assert not _takes(platform, _MAKE), "the same hash twice"


def _takes(platform: Platform, statement: str) -> bool:
    try:
        platform.execute(text(statement), {"zeros": "0" * 64} if ":zeros" in statement else {})
    except IntegrityError:
        return False
    return True
