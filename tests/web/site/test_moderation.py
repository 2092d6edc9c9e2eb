"""Administrators act against people and bots: with a reason that the owner reads, logged, and undone as easily."""

import re

import pytest
from tests.kits import models, served_kit
from tests.kits.pages_kit import PASSWORD, SOURCE, Person, Site, activate_bot
from werkzeug.exceptions import NotFound

AT = "/organize/moderation"
LADDER = "/gang-of-dice/leaderboard"


def act(root: Person, target: str, measure: str, reason: str = "Rude name", name: str = "") -> None:
    given = {"target": target, "measure": measure, "reason": reason, "name": name}
    answer = root.post(AT, given, form_at=AT)
    assert answer.status_code == 303, answer.text.partition('role="alert"')[2][:200]


def undo(root: Person) -> None:
    path = re.findall(rf'action="({AT}/\d+/undo)"', root.page(AT))[0]
    assert root.post(path, {}, form_at=AT).status_code == 303


def ratings(site: Site) -> list[tuple[int, float, bool]]:
    with site.database.read() as db:
        rows = db.exec(models.select(models.Entry).order_by(models.Entry.id)).all()  # type: ignore[arg-type]
        return [(row.version_id, row.rating, row.active) for row in rows]


@pytest.mark.parametrize("measure", ["hide", "retire", "suspend"])
def test_a_bot_leaves_the_ladders_and_comes_back_as_it_was(site: Site, measure: str) -> None:
    ann, root, stranger = site.person("Ann"), site.person("Root", "admin"), site.stranger()
    bot = activate_bot(site, "Ann", "Viper")
    before = ratings(site)
    page = f"/bots/{bot}"
    assert "Viper" in stranger.page(LADDER)
    act(root, page, measure)
    assert "Viper" not in stranger.page(LADDER)
    assert stranger.get(page).status_code == (404 if measure == "hide" else 200)
    assert stranger.get(f"{page}.json").status_code == (404 if measure == "hide" else 200)
    for mine in ("/account", "/account/sign-ins"):
        assert "Rude name" in ann.page(mine)
    again = ann.upload(SOURCE + b"# 2\n", name="Viper", game="gang-of-dice")
    assert (again.status_code == 422, "Rude name" in again.text) == ((measure != "retire",) * 2)
    if measure == "retire":
        return
    assert "Viper" in root.page("/organize/log")
    undo(root)
    assert (ratings(site), "Viper" in stranger.page(LADDER)) == (before, True)
    assert "Rude name" not in ann.page("/account")


def test_every_address_of_a_hidden_bot_is_for_its_owner_and_administrators(site: Site) -> None:
    ann, root, stranger, bob = site.person("Ann"), site.person("Root", "admin"), site.stranger(), site.person("Bob")
    bot, other = activate_bot(site, "Ann", "Viper"), activate_bot(site, "Bob", "Adder")
    tokens = {name: served_kit.new_token(site, site.user_id(name), "read") for name in ("Ann", "Bob")}
    pages = [
        f"/bots/{bot}", f"/bots/{bot}.json", f"/bots/{bot}/games", f"/bots/{bot}/against",
        f"/cards/bots/{bot}.png",
    ]  # fmt: skip
    calls = [f"/api/v1/bots/{bot}", f"/api/v1/bots/{bot}/matches"]

    def is_refused(path: str) -> bool:
        with site.app.test_request_context(path):
            try:
                site.app.preprocess_request()
            except NotFound:
                return True
            return False

    def codes(person: Person, paths: list[str], name: str = "") -> list[int]:
        given = {"headers": {"Authorization": f"Bearer {tokens[name]}"}} if name else {}
        return [person.get(path, **given).status_code for path in paths]

    before = codes(stranger, pages), codes(stranger, calls)
    assert before == ([200] * len(pages), [200] * len(calls))
    both = [f"/bots/{bot}/against/{other}", f"/bots/{other}/against/{bot}", f"/api/v1/bots/{other}/against/{bot}"]
    assert not any(map(is_refused, both))
    act(root, f"/bots/{bot}", "hide")
    assert all(map(is_refused, both))
    for person in (stranger, bob):
        assert set(codes(person, pages) + codes(person, calls)) == {404}
    assert stranger.client.head(f"/bots/{bot}").status_code == 404
    for_all = pages.index(f"/cards/bots/{bot}.png")
    for person in (ann, root):
        assert [code for at, code in enumerate(codes(person, pages)) if at != for_all] == [200] * (len(pages) - 1)
    assert set(codes(stranger, calls, "Bob")) == {404}
    assert set(codes(stranger, calls, "Ann")) == {200}
    undo(root)
    assert (codes(stranger, pages), codes(stranger, calls)) == before


def test_two_measures_end_when_both_are_undone_and_sign_up_is_closed_or_by_invitation(site: Site) -> None:
    site.person("Ann")
    root = site.person("Root", "admin")
    bot = activate_bot(site, "Ann", "Viper")
    before = ratings(site)
    for measure in ("retire", "hide", "suspend"):
        act(root, f"http://localhost/bots/{bot}", measure)
    for _ in range(3):
        assert ratings(site) != before
        undo(root)
    assert ratings(site) == before
    made = root.post(f"{AT}/invitations", {"places": "1", "days": "7"}, form_at=AT)
    code = re.findall(r"<code class=\"big\">([a-z2-9-]{14})</code>", made.text)[0]
    for who, words in (("closed", "Sign-up is closed"), ("invited", "Invitation code")):
        assert root.post(f"{AT}/sign-ups", {"who": who}, form_at=AT).status_code == 303
        guest = site.stranger()
        assert words in guest.page("/sign-up")
        assert guest.sign_up(f"Guest {who}").status_code == 422
    given = {"name": "Cid", "password": PASSWORD, "invitation": code.upper()}
    assert site.stranger().post("/sign-up", given).status_code == 303
    assert site.stranger().post("/sign-up", given | {"name": "Bob"}).status_code == 422, "it was for one person"
    assert code not in root.page(AT)
    assert root.post(f"{AT}/sign-ups", {"who": "open"}, form_at=AT).status_code == 303
    assert site.stranger().sign_up("Bob").status_code == 303


def test_a_person_is_renamed_hidden_and_suspended(site: Site) -> None:
    ann, root, token = site.person("Ann"), site.person("Root", "admin"), ""
    number = site.user_id("Ann")
    token = served_kit.new_token(site, number)
    bot = activate_bot(site, "Ann", "Viper")
    long = {"target": f"/bots/{bot}", "measure": "rename", "reason": "x", "name": "ß" * 40}  # its key is twice as long
    assert "name has 1 to 64 characters" in root.post(AT, long, form_at=AT).text
    act(root, "ann", "rename", name="Anna B")
    assert "Anna B" in site.stranger().page(f"/bots/{bot}")
    undo(root)
    act(root, f"/authors/{number}", "hide")
    assert site.stranger().get(f"/authors/{number}").status_code == 404
    assert "Ann<" not in site.stranger().page(f"/bots/{bot}")
    assert "Viper" not in site.stranger().page(LADDER)
    fresh = site.stranger()
    assert fresh.sign_in("Ann").status_code == 303, "a hidden person can sign in, and reads why"
    assert "Rude name" in fresh.page("/account")
    assert fresh.post("/confirm-password", {"password": PASSWORD}).status_code == 303
    undo(root)
    assert "Viper" in site.stranger().page(LADDER)
    act(root, "Ann", "suspend", "Sold his account")
    assert ann.get("/account").status_code == 303
    refused = site.stranger().sign_in("Ann")
    assert (refused.status_code, "Sold his account" in refused.text) == (422, True)
    assert "Sold" not in site.stranger().sign_in("Ann", "wrong password").text
    api = site.app.test_client().get("/api/v1/me", headers={"Authorization": f"Bearer {token}"})
    assert api.status_code == 401
    assert "Viper" not in site.stranger().page(LADDER)
    undo(root)
    assert site.stranger().sign_in("Ann").status_code == 303
    assert "Viper" in site.stranger().page(LADDER)
    for target, reason in (("Root", "x"), ("Ann", ""), ("Nobody", "x"), ("/bots/999", "x")):
        given = {"target": target, "measure": "suspend", "reason": reason, "name": ""}
        assert root.post(AT, given, form_at=AT).status_code == 422, target
