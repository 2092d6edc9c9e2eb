"""Accounts as people meet them: sign up, sign in, sign out, and the first start's code."""

import pytest
import time_machine
from sqlalchemy import event
from tests.kits import models, served_kit
from tests.kits.pages_kit import PASSWORD, Site

from gangland_web.base import formats, text
from gangland_web.services.accounts import LAST_SEEN_INTERVAL_S, hash_code, name_problem


def users(site: Site) -> list[models.User]:
    with site.database.read() as db:
        found = list(db.exec(models.select(models.User)))
        db.expunge_all()
        return found


def test_a_password_is_kept_as_argon2id_only(site: Site) -> None:
    from argon2 import PasswordHasher

    ann = site.person("Ann")
    assert users(site)[0].password_hash.startswith("$argon2id$")
    assert PASSWORD not in users(site)[0].password_hash
    weak = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1).hash(PASSWORD)
    with site.database.write() as db:
        db.exec(models.select(models.User)).one().password_hash = weak
    ann.sign_out()
    assert ann.sign_in("Ann").status_code == 303
    assert users(site)[0].password_hash != weak, "one of weaker parameters is renewed"
    assert site.stranger().sign_in("Ann").status_code == 303


def test_a_name_of_any_script_signs_in_and_a_wrong_one_gets_the_words_of_a_wrong_password(site: Site) -> None:
    site.person("Ann")
    tries = [("Ann", "not the password"), *((name, PASSWORD) for name in ("Bob", "An\0n", "\u202eAnn", "A" * 5000, ""))]
    for name, password in tries:
        answer = site.stranger().sign_in(name, password)
        assert (answer.status_code, "Wrong name or password." in answer.text) == (422, True), name
    for name in ("Zoë", "Émile", "Straße", "李小龍", "O'Neill & <Sons>"):
        person = site.person(name)
        assert person.sign_out().status_code == 303
        assert person.sign_in(name.upper()).status_code == 303, name


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("A" * 65, "1 to 64 characters"), ("   ", "1 to 64 characters"), ("An\u200bn", "invisible"),
        ("An\u202en", "direction"), ("An\u0000n", "control"), ("An\nn", "control"), ("An\u2066n", "direction"),
        ("An\u3164n", "invisible"), ("Z\u0351\u0352\u0353\u0354o", "accents"), ("House", "name is reserved"),
    ],
)  # fmt: skip
def test_a_name_that_could_deceive_is_refused(name: str, why: str) -> None:
    assert why in (name_problem(text.normal_name(name)) or "")


def test_a_wrong_name_or_password_makes_no_account_and_signing_in_leads_back_to_this_site_alone(site: Site) -> None:
    for name, why in (("", "1 to 64 characters"), ("An\u202en", "direction")):
        answer = site.stranger().sign_up(name)
        assert (answer.status_code, why in answer.text) == (422, True)
    for password in ("short", "aaaaaaaaaaaa", "Password1", "annabell", "x" * 257):
        answer = site.stranger().sign_up("Annabell", password)
        assert answer.status_code == 422
        assert password not in answer.text.replace("Annabell", "")
    assert not users(site)
    site.person("Ann")
    for spelling in ("ANN", " Ann ", "Ａｎｎ", "ann"):
        answer = site.stranger().sign_up(spelling)
        assert (answer.status_code, "looks the same, is taken" in answer.text) == (422, True), spelling
    back = "/account/tokens?x=1"
    assert site.stranger().get(back).location == "/sign-in?next=/account/tokens?x%3D1"
    foreign = ("https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)", "/x\r\nA: b")
    for target, led in ((back, back), *((target, "/account") for target in foreign)):
        answer = site.stranger().post("/sign-in", {"name": "Ann", "password": PASSWORD, "next": target})
        assert answer.location == led, target


def test_a_sign_in_names_the_browser_and_its_system(site: Site) -> None:
    ann = site.person("Ann")
    for agent, browser in (
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"),
        ("Mozilla/5.0 (Linux; Android 10; K) Chrome/140.0 Mobile Safari/537.36", "Chrome on Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Safari/604.1", "Safari on iPhone"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.5 Safari/605.1.15", "Safari on macOS"),
        ("Firefox/1.0", "Firefox"),
        ("curl/8.5.0", "Unknown browser"),
    ):
        ann.client.environ_base["HTTP_USER_AGENT"] = agent
        ann.sign_in("Ann")
        assert f'<span title="{agent}">{browser}</span>' in ann.page("/account/sign-ins")


def test_signing_out_ends_this_browser_and_every_copy_of_its_cookie_and_a_forged_one_is_none(site: Site) -> None:
    ann, bob, thief, elsewhere = site.stranger(), site.person("Bob"), site.stranger(), site.stranger()
    assert ann.sign_up("Ann").location == "/write/gang-of-dice"
    assert "Ann" in ann.page("/account")
    elsewhere.sign_in("Ann")
    cookie = ann.client.get_cookie("gangland")
    assert cookie is not None
    thief.client.set_cookie("gangland", cookie.value)
    assert [who.get("/account").status_code for who in (ann, elsewhere, thief)] == [200, 200, 200]
    assert ann.sign_out().status_code == 303
    assert "You have been signed out." in ann.page("/")
    assert [who.get("/account").status_code for who in (ann, elsewhere, thief, bob)] == [303, 200, 303, 200]
    assert ann.sign_in("Ann").location == "/account"
    assert [who.get("/account").status_code for who in (ann, thief)] == [200, 303]
    stranger = site.stranger()
    stranger.client.set_cookie("gangland", "eyJ1c2VyIjoxLCJlcG9jaCI6MH0.aaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbb")
    assert [who.get("/account").status_code for who in (stranger, ann)] == [303, 200]
    with site.database.write() as db:
        db.exec(models.select(models.User).where(models.User.name == "Ann")).one().deleted_at = 1.0
    assert [ann.get(path).status_code for path in ("/account", "/")] == [303, 200], "nor one of somebody who is gone"


TABS = {
    "": "My bots", "/following": "Following", "/team": "Team", "/tokens": "Tokens", "/sign-ins": "Sign-ins",
}  # fmt: skip


def test_an_account_is_one_page_with_tabs_to_which_old_addresses_lead(site: Site) -> None:
    ann = site.person("<i>Ann")
    for tab, title in TABS.items():
        page = ann.page(f"/account{tab}")
        assert f'<a href="/account{tab}" aria-current="page">{title}</a>' in page
        assert f"<title>{title} · Gangland" in page
        assert "<h1><bdi>&lt;i&gt;Ann</bdi></h1>" in page
        assert all(f'<a href="/account{other}"' in page for other in TABS)
    moved = {"my-bots": "", "following": "/following", "team": "/team", "account/email": "/sign-ins"}
    assert {old: ann.get(f"/{old}").location for old in moved} == {old: f"/account{tab}" for old, tab in moved.items()}
    assert ann.page("/account/live").count("<h1>") - ann.page("/account/live").count("<title>") == 1
    assert site.stranger().get("/account/team").location == "/sign-in?next=/account/team"


def with_code(site: Site) -> None:
    site.add(models.SetupCode(code_hash=hash_code("one-time"), created_at=0.0))


def test_the_first_starts_code_makes_a_new_account_the_admin_once(site: Site) -> None:
    with_code(site)
    form = {"code": " one-time ", "name": "Boss", "password": PASSWORD}
    assert "No administrator yet" in site.stranger().page("/")
    assert site.stranger().post("/setup", {**form, "code": "guess"}).status_code == 422
    assert not users(site)
    assert site.stranger().post("/setup", form).status_code == 303
    assert users(site)[0].role == "admin"
    (line,) = site.read(models.read_log, 9)
    assert (line.actor, line.entry.act, line.entry.address) == ("Boss", "became administrator by code", "127.0.0.1")
    assert "No administrator yet" not in site.stranger().page("/")
    assert site.stranger().post("/setup", {**form, "name": "Other"}).status_code == 422
    assert [user.name for user in users(site)] == ["Boss"]


def test_the_first_starts_code_makes_who_is_signed_in_the_admin(site: Site) -> None:
    with_code(site)
    ann = site.person("Ann")
    assert ann.post("/setup", {"code": "wrong"}).status_code == 422
    assert users(site)[0].role == "author"
    answer = ann.post("/setup", {"code": "one-time"})
    assert (answer.status_code, answer.location) == (303, "/organize")
    assert users(site)[0].role == "admin"
    assert [user.name for user in users(site)] == ["Ann"]


def test_who_is_signed_in_reads_on_while_nothing_is_written(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    ann = site.person("Ann")
    token = served_kit.new_token(site, served_kit.author(site, "Bob"), "read")
    site.database.engine.dispose()
    event.listen(site.database.engine, "connect", lambda connection, _: connection.execute("PRAGMA query_only = ON"))
    with time_machine.travel(formats.now_s() + LAST_SEEN_INTERVAL_S + 1):
        assert "Ann" in ann.page("/account")
        read = site.stranger().get("/api/v1/tournaments", headers={"Authorization": f"Bearer {token}"})
    assert read.status_code == 200
    assert [output for output in caplog.messages if output.startswith("not stored")] == [
        "not stored: attempt to write a readonly database"
    ] * 2
