"""Guessing at passwords: counted for the name wherever it comes from, without shutting its owner out."""

from pathlib import Path
from unittest.mock import Mock

import pytest
import time_machine
from tests.kits.broker_kit import running_broker
from tests.kits.models import Actor, Role, User, select
from tests.kits.pages_kit import PASSWORD, Person, Site, open_site
from werkzeug.test import TestResponse

from gangland_web.base.formats import now_s
from gangland_web.services import accounts as services
from gangland_web.services.recovery import create_aliases, reset_password
from gangland_web.web.limits import FREE_ATTEMPTS, MAX_NAME_PAUSE_S, MAX_PAUSE_S, WINDOW_S, Lockout, Rates, storage_uri

WRONG = "not the password"
TOLD = "Too many wrong passwords for this name"


def guess(site: Site, name: str, password: str = WRONG, address: str = "198.51.100.250") -> TestResponse:
    return site.stranger().post(
        "/sign-in", {"name": name, "password": password}, environ_overrides={"REMOTE_ADDR": address}
    )


def guessed(site: Site, name: str, times: int = FREE_ATTEMPTS) -> None:
    for _ in range(times):
        site.app.extensions["gangland_lockout"].count_attempt(name.lower(), max_pause_s=MAX_NAME_PAUSE_S)


@pytest.fixture
def ann(site: Site) -> Person:
    return site.person("Ann")


@pytest.mark.parametrize("name", ["Ann", "Nobody"])
def test_after_ten_wrong_passwords_a_name_waits_longer_and_longer(site: Site, ann: Person, name: str) -> None:
    answers = [guess(site, name, address=f"198.51.100.{number}") for number in range(FREE_ATTEMPTS)]
    assert {answer.status_code for answer in answers} == {422}
    result = guess(site, name.upper(), password=PASSWORD)
    assert (result.status_code, TOLD in result.text) == (429, True)
    assert 1 <= int(result.headers["Retry-After"]) <= 15
    now, waited = now_s(), 16.0
    with time_machine.travel(now + waited, tick=False):
        assert guess(site, name).status_code == 422
        assert 15 < int(guess(site, name).headers["Retry-After"]) <= 30
    assert guess(site, "Bob").status_code == 422


def test_guesses_elsewhere_keep_nobody_waiting_for_long_or_where_they_are_known(site: Site, ann: Person) -> None:
    """One address guesses for an hour; the owner waits there longest, and not at a known address."""
    with time_machine.travel(now_s(), tick=False) as clock:
        waits = []
        for _ in range(3 * FREE_ATTEMPTS):
            waits.append(int(guess(site, "Ann", address="203.0.113.5").headers.get("Retry-After", 0)))
            clock.shift(waits[-1] + 1)
        assert MAX_NAME_PAUSE_S < max(waits) <= MAX_PAUSE_S
        elsewhere = guess(site, "Ann", PASSWORD, address="198.51.100.9")
        assert elsewhere.status_code == 303 or int(elsewhere.headers["Retry-After"]) <= MAX_NAME_PAUSE_S
        guessed(site, "Ann", 3 * FREE_ATTEMPTS)
        assert int(guess(site, "Ann", PASSWORD, address="198.51.100.10").headers["Retry-After"]) <= MAX_NAME_PAUSE_S
        assert guess(site, "Ann", PASSWORD, address="127.0.0.1").status_code == 303


def test_in_an_hour_there_are_not_even_twenty_guesses_and_no_pause_is_long() -> None:
    together = Lockout("memory://")
    assert sum(together.count_attempt("ann") is None for _ in range(200)) == FREE_ATTEMPTS
    with time_machine.travel(now_s(), tick=False) as clock:
        counts, made, longest = Lockout("memory://"), 0, 0.0
        for _ in range(WINDOW_S // 5):
            until = counts.count_attempt("ann")
            made += until is None
            longest = max(longest, (until or 0) - now_s())
            clock.shift(5)
    assert FREE_ATTEMPTS < made < 20
    assert longest <= MAX_PAUSE_S


def test_whoever_was_signed_in_before_is_not_shut_out_by_others(site: Site, ann: Person) -> None:
    ann.sign_out()
    cookie = ann.client.get_cookie("gangland-known")
    assert cookie is not None
    assert cookie.http_only
    guessed(site, "Ann", FREE_ATTEMPTS - 1)
    assert guess(site, "Ann", password=PASSWORD).status_code == 303  # which ends the count
    guessed(site, "Ann", FREE_ATTEMPTS - 1)
    assert guess(site, "Ann", address="198.51.100.9").status_code == 422
    guessed(site, "Ann", 3)
    assert guess(site, "Ann", password=PASSWORD, address="198.51.100.9").status_code == 429
    forger, bob = site.stranger(), site.person("Bob")
    forger.client.set_cookie("gangland-known", cookie.value[:-3] + "abc")
    bob.sign_out()
    assert [who.sign_in("Ann").status_code for who in (forger, bob, ann)] == [429, 429, 303]


@pytest.mark.parametrize("rates", [Rates(sign_in_name="3 per hour"), Rates(sign_in="3 per hour")])
def test_who_was_signed_in_before_is_not_shut_out_by_neighbors(tmp_path: Path, rates: Rates) -> None:
    for site in open_site(tmp_path, rates):
        ann, bob = site.person("Ann"), site.person("Bob")
        assert [bob.sign_in("Ann", WRONG).status_code for _ in range(4)][-1] == 429
        assert ann.sign_in("ann").status_code == 303
        assert {ann.sign_in("Ann", WRONG).status_code for _ in range(4)} == {422, 429}


def test_a_known_browser_that_guesses_is_held_up_as_well(site: Site, ann: Person) -> None:
    ann.sign_out()
    assert {ann.sign_in("Ann", WRONG).status_code for _ in range(FREE_ATTEMPTS)} == {422}
    assert ann.sign_in("Ann", PASSWORD).status_code == 429
    assert guess(site, "Ann").status_code == 422  # and costs the name nothing


def test_a_slip_lets_its_holder_in_and_ends_the_wait(site: Site, ann: Person) -> None:
    guessed(site, "Ann", FREE_ATTEMPTS + 1)
    slip = reset_password(site.database, Actor(site.user_id("Ann"), "test"), Role.ADMIN, "Ann")
    form = {"name": "Ann", "code": slip.code, "password": "a stapler on the table"}
    assert site.stranger().post("/set-password", form).status_code == 303
    assert guess(site, "Ann", password="a stapler on the table").status_code == 303


def test_a_neighbors_tries_leave_a_slip_as_good_as_it_was(tmp_path: Path) -> None:
    """A code has 59 bits: an earlier stop would only stop its owner."""
    for strict in open_site(tmp_path, Rates(setup="3 per hour")):
        strict.person("Ann")
        (slip,) = create_aliases(strict.database, Actor(strict.user_id("Ann"), "test"), ["Red Fox"]).slips
        form = {"name": "Red Fox", "code": "wrong", "password": "a stapler on the table"}
        for _ in range(8):
            assert strict.stranger().post("/set-password", form).status_code == 422
        assert strict.stranger().post("/set-password", {**form, "code": slip.code}).status_code == 303


def test_all_processes_count_together_and_alone_while_the_broker_is_away(tmp_path: Path) -> None:
    with running_broker(tmp_path) as broker:
        address = storage_uri(broker.redis_url)
        one, two = Lockout(address), Lockout(address)
        assert [each.count_attempt("ann") for each in (one, two) * (FREE_ATTEMPTS // 2)] == [None] * FREE_ATTEMPTS
        assert one.count_attempt("ann") is not None
        assert two.count_attempt("ann") is not None
    assert two.count_attempt("ann") is None
    assert sum(two.count_attempt("ann") is None for _ in range(2 * FREE_ATTEMPTS)) == FREE_ATTEMPTS - 1


@pytest.fixture
def hasher(monkeypatch: pytest.MonkeyPatch) -> Mock:
    counting = Mock(wraps=services._HASHER)
    monkeypatch.setattr(services, "_HASHER", counting)
    return counting


def test_every_wrong_sign_in_costs_one_hash_whoever_it_is_for(site: Site, ann: Person, hasher: Mock) -> None:
    """So its time reveals neither an account nor its password."""
    with site.database.write() as db:
        boss = db.exec(select(User)).one()
        db.add(User(name="Left", name_key="left", password_hash=boss.password_hash, created_at=0.0, deleted_at=1.0))
        actor = Actor(boss.id, "test")
    create_aliases(site.database, actor, ["Red Fox"])
    for name in ("Ann", "Red Fox", "Nobody", "Left", "\0", "A" * 500):
        hasher.reset_mock()
        assert site.stranger().sign_in(name, WRONG).status_code == 422
        assert (hasher.verify.call_count, hasher.hash.call_count) == (1, 0), name
    for name, code in (("Ann", "abcd"), ("Nobody", "abcd"), ("Red Fox", "abcd")):
        hasher.reset_mock()
        site.stranger().post("/set-password", {"name": name, "code": code, "password": "a stapler on the table"})
        assert (hasher.verify.call_count, hasher.hash.call_count) == (0, 1), name
