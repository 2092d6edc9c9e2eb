"""Sign-in with a real OpenID Connect provider, Canaille, which runs beside the tests."""

import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import unescape
from pathlib import Path
from urllib.parse import urljoin

import pytest
import requests
from sqlalchemy import update
from tests.kits.models import Identity, SignIn, User, select
from tests.kits.oidc_provider import PASSWORD as THEIRS
from tests.kits.pages_kit import PASSWORD, Fields, Person, Site, open_site
from werkzeug.test import TestResponse

from gangland_web import settings as oidc_settings
from gangland_web.app import create_app
from gangland_web.settings import ConfigError, Oidc, Settings, read_oidc

SITE = "http://localhost"


@pytest.fixture(scope="module")
def provider() -> Iterator[Oidc]:
    command = [sys.executable, "-m", "tests.kits.oidc_provider", SITE]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        result = json.loads(process.stdout.readline())
        yield Oidc(result["issuer"], result["id"], result["secret"], "School", SITE)
        process.stdin.close()


@pytest.fixture
def house(tmp_path: Path, provider: Oidc) -> Iterator[Site]:
    for site in open_site(tmp_path):
        yield trusting(site, provider)


def trusting(site: Site, oidc: Oidc) -> Site:
    settings = Settings(Path(), None, None, None, secret_key="for tests only")
    return Site(create_app(settings, database=site.database, oidc=oidc), site.database)


@dataclass
class Surfer:
    here: Person
    there: requests.Session

    def follow(self, address: str, who: str = "ann") -> str:
        answer = self.there.get(address, allow_redirects=False, timeout=240)
        for _ in range(12):
            if answer.is_redirect:
                target = urljoin(answer.url, answer.headers["Location"])
                if target.startswith(SITE):
                    return target
                answer = self.there.get(target, allow_redirects=False, timeout=240)
            else:
                answer = self.fill(answer, who)
        raise AssertionError(f"the provider leads nowhere: {answer.url}")

    def fill(self, page: requests.Response, who: str) -> requests.Response:
        token = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', page.text)
        data = {"csrf_token": token.group(1) if token else ""}
        data |= {"password": THEIRS} if 'name="password"' in page.text else {"login": who}
        return self.there.post(page.url, data=data, allow_redirects=False, timeout=240)

    def come_back(self, path: str, who: str = "ann") -> TestResponse:
        """Go from our page to the provider and back; return our answer."""
        sent = self.here.get(path)
        assert sent.status_code in (302, 303), sent.status_code
        return self.here.get(self.follow(str(sent.location), who).removeprefix(SITE))


def surfer(site: Site) -> Surfer:
    session = requests.Session()
    session.trust_env = False
    return Surfer(site.stranger(), session)


def newcomer(site: Site, name: str = "Ann", who: str = "ann") -> Surfer:
    """A person who signed in by the provider for the first time and chose a name."""
    someone = surfer(site)
    assert someone.come_back("/sign-in/oidc", who).location == "/sign-in/oidc/name"
    assert someone.here.post("/sign-in/oidc/name", {"name": name}).status_code == 303
    return someone


def prove_long_ago(site: Site) -> None:
    """Make the last password check old."""
    site.execute(update(SignIn).values(proven_at=0.0))


def identities(site: Site) -> list[Identity]:
    return site.rows(select(Identity))


def test_whoever_comes_first_chooses_a_name_and_comes_in_at_once_from_then_on(house: Site) -> None:
    assert "Sign in with School" in house.stranger().page("/sign-in")
    house.person("ann")  # as the provider's person is called: somebody else for all we know
    ann = surfer(house)
    sent = ann.here.get("/sign-in/oidc?next=/account/tokens")
    for part in ("code_challenge_method=S256", "state=", "nonce=", "response_type=code", "scope=openid&"):
        assert part in f"{sent.location}&"
    assert ann.here.get(ann.follow(str(sent.location)).removeprefix(SITE)).location == "/sign-in/oidc/name"
    assert ann.here.get("/account").status_code == 303
    assert ann.here.post("/sign-in/oidc/name", {"name": "Ann"}).status_code == 422
    assert ann.here.post("/sign-in/oidc/name", {"name": "ad\u202emin"}).status_code == 422
    assert ann.here.post("/sign-in/oidc/name", {"name": "Anna"}).location == "/write/gang-of-dice"
    assert "your only way to sign in" in ann.here.page("/account/sign-ins")
    again = surfer(house)
    assert again.come_back("/sign-in/oidc?next=/account/tokens").location == "/account/tokens"
    assert again.here.get("/account/tokens").status_code == 200
    assert len(identities(house)) == 1
    assert house.stranger().sign_in("Anna", THEIRS).status_code == 422


def test_an_account_is_linked_by_whoever_has_just_shown_that_it_is_theirs(house: Site) -> None:
    ann = surfer(house)
    ann.here.sign_up("Ann")
    prove_long_ago(house)
    assert str(ann.here.get("/account/oidc").location).startswith("/confirm-password")
    assert ann.here.post("/confirm-password", {"password": PASSWORD}).status_code == 303
    assert ann.come_back("/account/oidc").location == "/account/sign-ins"
    assert "You can sign in with School" in ann.here.page("/account/sign-ins")
    assert surfer(house).come_back("/sign-in/oidc").location == "/account"
    thief = surfer(house)
    thief.here.sign_up("Thief")
    thief.come_back("/account/oidc")
    assert "already linked to another account on this site" in thief.here.page("/account/sign-ins")
    assert ann.here.post("/account/oidc/remove", {}, form_at="/account").status_code == 303
    assert identities(house) == []


def test_without_a_password_one_shows_there_again_who_one_is(house: Site) -> None:
    ann = newcomer(house)
    prove_long_ago(house)
    assert ann.here.post("/account/delete", {"sure": "yes"}, form_at="/account").status_code == 403
    bob = surfer(house)
    assert str(ann.here.get("/confirm-password/oidc?next=/account").location).count("prompt=login") == 1
    wrong = Surfer(ann.here, bob.there).come_back("/confirm-password/oidc?next=/account", "bob")
    assert str(wrong.location).startswith("/confirm-password")
    assert "not the account" in ann.here.page("/confirm-password")
    right = Surfer(ann.here, surfer(house).there).come_back("/confirm-password/oidc?next=/account")
    assert right.location == "/account"
    assert ann.here.post("/account/oidc/remove", {}, form_at="/account").status_code == 303
    assert "only way to sign in" in ann.here.page("/account/sign-ins")
    with zipfile.ZipFile(io.BytesIO(ann.here.get("/account/everything.zip").data)) as archive:
        assert len(json.loads(archive.read("account.json"))["identities"]) == 1
    assert ann.here.post("/account/delete", {"sure": "yes"}, form_at="/account").status_code == 303
    assert identities(house) == []


def test_what_was_sent_before_one_showed_there_who_one_is_is_then_carried_out(house: Site) -> None:
    ann = newcomer(house)
    house.execute(update(User).values(role="organizer"))
    names = "Red Fox\n\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645\n" + "\n" * 5000
    sent = {"names": names, "place": "", "proof": "a password that is kept nowhere"}
    prove_long_ago(house)
    asked = ann.here.post("/organize/people/aliases", sent, form_at="/docs/")
    assert asked.status_code == 403
    there = unescape(re.search(r'href="(/confirm-password/oidc[^"]+)"', asked.text)[1])  # type: ignore[index]

    wrong = Surfer(ann.here, surfer(house).there).come_back(there, "bob")
    assert wrong.status_code == 403
    assert "That is not the account" in wrong.text
    assert Fields(wrong.text).values["names"] == names
    there = unescape(re.search(r'href="(/confirm-password/oidc[^"]+)"', wrong.text)[1])  # type: ignore[index]

    back = Surfer(ann.here, surfer(house).there).come_back(there)
    assert (back.status_code, back.headers["Cache-Control"]) == (200, "no-store")
    held = Fields(back.text).values
    assert (held["act"], held["names"], held.get("proof")) == ("/organize/people/aliases", names, None)
    assert "own_password" not in held
    assert house.rows(select(SignIn.held)) == [None], "it is kept until they come back"
    assert len(house.rows(select(User))) == 1, "nothing is done by a link alone"
    proven = ann.here.client.post("/confirm-password", data=held)
    assert (proven.status_code, proven.location) == (307, "/organize/people/aliases")
    assert ann.here.client.post(proven.location, data=held).status_code == 200
    assert set(house.rows(select(User.name))) == {"Ann", *names.split("\n")[:2]}

    again = Surfer(ann.here, surfer(house).there).come_back(there)
    assert (again.status_code, again.location) == (303, "/organize"), "it is sent once"
    prove_long_ago(house)
    assert ann.here.client.post("/confirm-password", data=held).status_code == 422


def test_what_was_not_asked_for_here_and_now_signs_nobody_in(house: Site) -> None:
    ann = surfer(house)
    back = ann.follow(str(ann.here.get("/sign-in/oidc").location)).removeprefix(SITE)
    for forged in (back, "/sign-in/oidc/callback", "/sign-in/oidc/callback?error=access_denied&state=x"):
        answer = surfer(house).here.get(forged)  # in a browser that did not go there
        assert (answer.status_code, answer.location) == (303, "/sign-in"), forged
    assert ann.here.get(re.sub("state=[^&]+", "state=guessed", back)).location == "/sign-in"
    assert ann.here.get(back).location == "/sign-in/oidc/name"
    assert ann.here.get(back).location == "/sign-in"  # state and code are used up
    assert identities(house) == []


def test_a_house_may_let_in_some_of_the_providers_people(house: Site, provider: Oidc) -> None:
    staff = trusting(house, replace(provider, groups=frozenset({"staff"})))
    elsewhere = trusting(house, replace(provider, domains=frozenset({"no.example"})))
    for site, who, location in (
        (staff, "ann", "/sign-in/oidc/name"), (staff, "bob", "/sign-in"), (elsewhere, "ann", "/sign-in"),
    ):  # fmt: skip
        assert surfer(site).come_back("/sign-in/oidc", who).location == location


def test_a_silent_provider_is_told_and_no_secret(house: Site, provider: Oidc, caplog: pytest.LogCaptureFixture) -> None:
    for issuer in ("http://127.0.0.1:9", provider.issuer.replace("127.0.0.1", "localhost")):
        person = trusting(house, replace(provider, issuer=issuer)).stranger()
        assert person.get("/sign-in/oidc").location == "/sign-in"
        assert "unexpected response from the provider" in person.page("/sign-in")
    assert provider.client_secret not in caplog.text


def test_a_house_without_a_provider_has_no_such_doors(tmp_path: Path) -> None:
    for site in open_site(tmp_path):
        assert "with" not in re.findall(r'href="/sign-in/(\w+)"', site.stranger().page("/sign-in"))
        assert site.stranger().get("/sign-in/oidc").status_code == 404
        assert site.stranger().get("/sign-in/oidc/callback").status_code == 404


GOOD = {
    "OIDC_ISSUER": "https://accounts.example/", "OIDC_CLIENT_ID": "gangland", "OIDC_CLIENT_SECRET": "s3cret",
    "OIDC_NAME": "School", "OIDC_DOMAINS": "School.example, b.example", "SITE_URL": "https://bots.example",
}  # fmt: skip


def test_the_provider_is_set_up_by_the_environment_or_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_oidc({}) is None
    domains = frozenset({"school.example", "b.example"})
    expected = Oidc("https://accounts.example", "gangland", "s3cret", "School", "https://bots.example", domains)
    assert read_oidc(GOOD) == expected
    assert expected.scope == "openid email"
    assert "s3cret" not in repr(expected)
    monkeypatch.setattr(oidc_settings, "find_spec", lambda *_: None)
    with pytest.raises(ConfigError, match=r"pip install 'gangland\[oidc\]'"):
        read_oidc(GOOD)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"OIDC_CLIENT_SECRET": ""}, "OIDC_CLIENT_SECRET is not set"),
        ({"OIDC_ISSUER": "http://accounts.example"}, "expected an https URL"),
        ({"OIDC_ISSUER": "https://u:s3cret@accounts.example"}, "not an issuer"),
        ({"SITE_URL": ""}, "SITE_URL is not set"),
        ({"OIDC_NAME": "x" * 41}, "OIDC_NAME"),
    ],
)
def test_settings_of_a_provider_that_make_no_sense_are_named(wrong: dict[str, str], why: str) -> None:
    with pytest.raises(ConfigError, match=why) as refused:
        read_oidc(GOOD | wrong)
    assert "s3cret" not in str(refused.value)
