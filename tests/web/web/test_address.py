"""A site that knows its own address: SITE_URL stands in all it hands out, whatever a request claims to be for."""

import dataclasses
import re
from ipaddress import ip_address, ip_network
from typing import Any

import pytest
from flask import url_for
from flask.testing import FlaskClient
from tests.kits.replays_kit import World, world

from gangland_web.app import create_app
from gangland_web.ops.serving import proxies_warning
from gangland_web.settings import ConfigError, Settings, read_settings

__all__ = ["world"]

SITE = "https://bots.example"
AWAY = {"environ_overrides": {"REMOTE_ADDR": "203.0.113.9"}}  # a client on another machine


def opened(world: World, **given: object) -> FlaskClient:
    settings = dataclasses.replace(
        Settings(world.site.app.extensions["gangland_settings"].data, None, None, None, secret_key="for tests only"),
        **given,  # type: ignore[arg-type]
    )
    return create_app(settings, database=world.site.database).test_client()


@pytest.fixture(scope="module")
def house(world: World) -> FlaskClient:
    return opened(world, site_url=SITE, trusted_proxies=1)


FORWARDED = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "bots.example"}


def test_feeds_embedding_and_sharing_name_the_sites_own_address(house: FlaskClient, world: World) -> None:
    game = f"/matches/{world.ladder}/games/0/0"
    feed = house.get("/feeds/results.atom", headers=FORWARDED).text
    oembed = house.get(f"/oembed?url={SITE}{game}", headers=FORWARDED).json or {}
    page = house.get(game, headers=FORWARDED).text
    write = house.get("/on-your-machine", headers=FORWARDED).text
    assert f"<id>{SITE}/feeds/results.atom</id>" in feed
    assert f"<id>{SITE}/matches/{world.ladder}</id>" in feed
    assert oembed["provider_url"] == f"{SITE}/"
    assert f'src="{SITE}/embed{game}' in oembed["html"]
    assert f'<link rel="canonical" href="{SITE}{game}">' in page
    assert f"--site {SITE}" in write
    assert {at for text in (feed, page, write) for at in re.findall(r"https?://[\w.:-]*localhost", text)} == set()


@pytest.mark.parametrize(
    "host",
    ["evil.example", "bots.example.evil.example", "bots.example:8443", "127.0.0.1", "a b", "[::1", "x@bots.example"],
)
def test_readers_who_come_by_another_name_are_sent_to_the_right_one(house: FlaskClient, host: str) -> None:
    answer = house.get("/bots/1?x=%22%0d%0aA:b&y=%2F", headers={"Host": host}, **AWAY)
    assert answer.status_code == 307
    assert answer.headers["Location"] == f"{SITE}/bots/1?x=%22%0d%0aA:b&y=%2F"
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in answer.headers
    forged = house.get("/", headers={**FORWARDED, "X-Forwarded-Host": "evil.example"})
    assert (forged.status_code, forged.headers["Location"]) == (307, f"{SITE}/")


@pytest.mark.parametrize("host", ["evil.example", "a b"])
def test_a_form_or_a_program_for_another_name_is_refused_and_told_where_we_are(house: FlaskClient, host: str) -> None:
    form = house.post("/sign-in", data={"name": "Ann"}, headers={"Host": host}, **AWAY)
    call = house.get("/api/v1", headers={"Host": host, "Authorization": "Bearer x"}, **AWAY)
    assert (form.status_code, call.status_code) == (421, 421)
    assert f"This site is at {SITE}" in form.text
    assert "evil" not in form.text
    assert (call.json or {})["detail"].startswith(f"This site is at {SITE}")


@pytest.mark.parametrize("host", ["10.0.0.7:8000", "web:8000", "", "a b"])
@pytest.mark.parametrize("path", ["/healthz", "/status.json"])
def test_health_is_told_to_those_who_ask_by_any_name(house: FlaskClient, path: str, host: str) -> None:
    assert house.get(path, headers={"Host": host}, **AWAY).status_code in (200, 503)


@pytest.mark.parametrize(("host", "scheme"), [("bots.example", "http"), ("BOTS.example:443", "https")])
def test_its_own_name_is_known_in_every_spelling(house: FlaskClient, host: str, scheme: str) -> None:
    assert house.get("/", headers={"Host": host}, base_url=f"{scheme}://{host}", **AWAY).status_code == 200


def test_whoever_sits_at_the_machine_itself_may_look_in_and_hand_out_addresses(house: FlaskClient) -> None:
    here = house.get("/feeds/results.atom", headers={"Host": "127.0.0.1:8000"})
    by_proxy = house.get("/", headers={"Host": "127.0.0.1:8000", "X-Forwarded-For": "203.0.113.9"})
    assert here.status_code == 200
    assert f"<id>{SITE}/feeds/results.atom</id>" in here.text
    assert by_proxy.status_code == 307


HOSTILE = {
    "Host": "evil.example", "Forwarded": "for=192.0.2.66;host=evil.example;proto=https", "Front-End-Https": "on",
    "Proxy": "http://evil.example", "Script-Name": "/evil", "X-Forwarded-For": "192.0.2.66",
    "X-Forwarded-Host": "evil.example", "X-Forwarded-Port": "666", "X-Forwarded-Prefix": "/evil",
    "X-Forwarded-Proto": "https", "X-Host": "evil.example", "X-Http-Method-Override": "DELETE",
    "X-Original-Url": "/evil", "X-Real-Ip": "192.0.2.66", "X-Rewrite-Url": "/evil", "X-Script-Name": "/evil",
}  # fmt: skip


def test_a_site_without_an_address_believes_no_host_and_no_claim(world: World) -> None:
    game = f"/matches/{world.ladder}/games/0/0"
    plain = opened(world)
    for client in (plain, opened(world, trusted_proxies=1)):
        for path in (
            "/", "/feeds/results.atom", game, "/on-your-machine", f"/matches/{world.ladder}", f"/embed{game}",
            "/api/v1",
        ):  # fmt: skip
            answer, ours = client.get(path, headers=HOSTILE, **AWAY), plain.get(path)
            assert (answer.status_code, path) == (ours.status_code, path)
            assert re.findall(r"https?://[^\s\"<]*", answer.text) == re.findall(r"https?://[^\s\"<]*", ours.text)
            assert "evil" not in answer.text + str(answer.headers)
    assert plain.get(f"/oembed?url=http://evil.example{game}", headers=HOSTILE, **AWAY).status_code == 404
    assert plain.get(f"/oembed?url=http://localhost{game}", headers=HOSTILE, **AWAY).status_code == 200


def test_a_proxy_is_believed_where_it_is_configured_to_be_and_nowhere_else(world: World) -> None:
    def is_secure(client: FlaskClient, address: str) -> bool:
        claims = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "localhost"}
        answer = client.get("/feeds/results.atom", headers=claims, environ_overrides={"REMOTE_ADDR": address})
        return "<id>https://localhost/feeds" in answer.text

    near, chosen = (
        opened(world, trusted_proxies=1),
        opened(world, trusted_proxies=1, proxies=(ip_network("192.0.2.7"),)),
    )
    assert [is_secure(near, where) for where in ("127.0.0.1", "172.18.0.3", "203.0.113.9")] == [True, False, False]
    assert [is_secure(chosen, where) for where in ("127.0.0.1", "192.0.2.7")] == [False, True]
    assert not is_secure(opened(world), "127.0.0.1")


def test_a_request_waits_in_the_line_of_its_client_as_the_proxy_names_it(world: World) -> None:
    def lines(client: FlaskClient, peer: str, *forwarded: str) -> list[str]:
        app: Any = client.application
        claims = ({"HTTP_X_FORWARDED_FOR": one} if one else {} for one in forwarded)
        return [app.client_of({"REMOTE_ADDR": peer} | claim) for claim in claims]

    near, two = opened(world, trusted_proxies=1), opened(world, trusted_proxies=2)
    assert lines(opened(world), "127.0.0.1", "203.0.113.9", "") == ["127.0.0.1", "127.0.0.1"]
    assert lines(near, "127.0.0.1", "203.0.113.9", "203.0.113.7, 203.0.113.9") == ["203.0.113.9"] * 2
    assert lines(near, "192.0.2.1", "203.0.113.9") == ["192.0.2.1"]
    assert lines(two, "127.0.0.1", "203.0.113.9, 192.0.2.1", "192.0.2.1") == ["203.0.113.9", "127.0.0.1"]
    assert lines(near, "127.0.0.1", "2001:db8::1", "2001:db8::2%zone") == ["2001:db8::/64"] * 2
    assert lines(near, "127.0.0.1", "", ",", "unknown", "203.0.113.9:80", "9" * 9000) == ["127.0.0.1"] * 5
    assert lines(opened(world), "::ffff:192.0.2.1", "") == ["192.0.2.1"]


def test_the_console_asks_for_the_address_once_somebody_comes_by_a_name(world: World) -> None:
    by_name: Any = {"headers": {"Host": "lab.example:8000"}, **AWAY}
    client = opened(world)
    assert "Set SITE_URL" not in client.get("/setup").text
    assert "SITE_URL=http://lab.example:8000<" in client.get("/setup", **by_name).text
    assert "SITE_URL=http://NAME<" in client.get("/setup").text
    assert "Set SITE_URL" not in client.get("/", **by_name).text
    client = opened(world, site_url=SITE)
    client.get("/", **by_name)
    assert "Set SITE_URL" not in client.get("/setup").text


def test_an_address_is_not_remembered_for_another_way_to_the_site_or_another_value(world: World) -> None:
    app = opened(world).application
    for _ in range(2):
        for root in ("", "/under"):
            with app.test_request_context("/", base_url=f"http://localhost{root}/"):
                assert url_for("bots.bot", bot_id=1) == f"{root}/bots/1"
                assert url_for("home.index", of=True) == f"{root}/?of=True"
                assert url_for("home.index", of=1) == f"{root}/?of=1"
                assert url_for("home.index", of=["a", "b"]) == f"{root}/?of=a&of=b"
                assert url_for("home.index", _external=True) == f"http://localhost{root}/"


def test_an_address_or_a_network_that_is_none_stops_every_process_at_its_start() -> None:
    for wrong, words in (
        ({"SITE_URL": "bots.example"}, "SITE_URL is not a site's URL"),
        ({"PROXY_ADDRESSES": "10.0.0.1/8"}, "PROXY_ADDRESSES must be addresses or networks"),
    ):
        with pytest.raises(ConfigError, match=words):
            read_settings({**wrong, "HOME": "/nowhere"})
    given = read_settings({"SITE_URL": "", "PROXY_ADDRESSES": "10.0.0.1, 2001:db8::/32", "HOME": "/nowhere"})
    assert (given.site_url, given.proxies) == (None, (ip_network("10.0.0.1"), ip_network("2001:db8::/32")))


@pytest.mark.parametrize(
    ("host", "given", "warns"),
    [
        ("0.0.0.0", {"TRUSTED_PROXIES": "1"}, True),
        ("::", {"TRUSTED_PROXIES": "1", "PROXY_ADDRESSES": ""}, True),
        ("127.0.0.1", {"TRUSTED_PROXIES": "1"}, False),
        ("::", {"TRUSTED_PROXIES": "1", "PROXY_ADDRESSES": "10.0.0.0/8"}, False),
        ("::", {"TRUSTED_PROXIES": "0"}, False),
    ],
)
def test_a_site_that_trusts_proxies_it_does_not_know_says_so(host: str, given: dict[str, str], warns: bool) -> None:
    """Private networks are trusted only where they are listed."""
    assert ("set PROXY_ADDRESSES" in (proxies_warning(host, given) or "")) is warns
    proxies = read_settings({**given, "HOME": "/nowhere"}).proxies
    assert any(ip_address("10.1.2.3") in each for each in proxies) is ("10." in given.get("PROXY_ADDRESSES", ""))
