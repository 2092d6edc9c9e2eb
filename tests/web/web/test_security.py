"""What every page keeps to: headers, tokens, cookies, sizes, rates and errors."""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from tests.kits.pages_kit import PASSWORD, SOURCE, Site, open_site

from gangland_web.app import create_app
from gangland_web.models.database import Database
from gangland_web.services.accounts import password_problem
from gangland_web.settings import ConfigError, Settings, read_settings
from gangland_web.web.limits import Rates, storage_uri

PAGES = [
    "/",
    "/write/gang-of-dice",
    "/sign-in",
    "/sign-up",
    "/setup",
    "/status",
    "/gang-of-dice/leaderboard",
    "/no-such-page",
]


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[Site]:
    yield from open_site(tmp_path, Rates("3 per hour", "5 per hour", "3 per hour", "3 per hour", "3 per hour"))


def test_no_page_holds_inline_script_or_style_or_asks_a_third_party(site: Site) -> None:
    stranger = site.stranger()
    for path in PAGES:
        text = stranger.get(path).text
        inline = ("<style", " style=", " onclick=", "<script>", "https://", 'src="//')
        assert [each for each in inline if each in text] == [], path
        for said in ('<html lang="en">', 'content="width=device-width, initial-scale=1"', "<title>"):
            assert said in text, path
    for path in ("/", "/on-your-machine", "/gang-of-dice/leaderboard", "/status"):
        assert "Set-Cookie" not in site.stranger().get(path).headers
    found = re.search(r'href="(/static/site\.css\?v=[0-9a-f]{8})"', stranger.page("/"))
    assert found, "an address that changes with the file"
    assert stranger.get(found.group(1)).status_code == 200


def test_the_session_cookie_is_secure_over_https_and_behind_a_trusted_proxy(site: Site, tmp_path: Path) -> None:
    assert "Secure" not in site.stranger().sign_up("Ann").headers["Set-Cookie"]
    answer = site.app.test_client().get("/sign-up", base_url="https://localhost")
    assert "Secure" in answer.headers["Set-Cookie"]
    assert "Strict-Transport-Security" in answer.headers
    settings = Settings(tmp_path, None, None, None, "key", trusted_proxies=1, secure_cookies=True)
    app = create_app(settings, database=site.database)
    headers = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.9", "X-Forwarded-Host": "gangland.test"}
    answer = app.test_client().get("/sign-up", headers=headers)
    assert answer.headers["Set-Cookie"].startswith("__Host-gangland=")
    assert "Secure" in answer.headers["Set-Cookie"]


def test_an_address_that_is_none_gets_a_page_that_says_so_or_json(site: Site) -> None:
    stranger = site.stranger()
    for path in ("/nothing", "/bots/1", "/bots/99999999999999999999999", "/matches/x", "/sign-out"):
        answer = stranger.get(path)
        assert answer.status_code == (405 if path == "/sign-out" else 404), path
        assert "Go to the home page" in answer.text
    wrong = stranger.client.delete("/glossary")
    assert (wrong.status_code, "GET" in wrong.headers["Allow"]) == (405, True)
    for path, headers in (("/ladders/nothing.json", {}), ("/nothing", {"Accept": "application/json"})):
        answer = stranger.get(path, headers=headers)
        assert (answer.status_code, answer.get_json()["error"]["status"]) == (404, 404)


def test_a_form_that_is_too_heavy_is_refused_before_it_is_read(site: Site) -> None:
    ann = site.person("Ann")
    for path, weight in (("/sign-in", 40_000), ("/upload", 300_000)):
        answer = ann.client.post(path, data={"name": "x" * weight})
        assert answer.status_code == 413
        assert "256 KiB" in answer.text
    assert ann.upload(b"#" * (1024 * 1024 + 1), "mine.zip").status_code == 422
    answer = ann.upload(b"#" * (1024 * 1024 + 20_000), "mine.zip")
    assert (answer.status_code, "a zip 1 MiB" in answer.text) == (413, True)


def test_a_lying_length_does_not_get_more_read(site: Site) -> None:
    body = BytesIO(b"name=" + b"x" * 400_000)
    answer = site.stranger().client.post(
        "/sign-in",
        input_stream=body,
        content_type="application/x-www-form-urlencoded",
        environ_overrides={"wsgi.input_terminated": True},
    )
    assert answer.status_code == 413


def test_sign_in_is_slowed_for_a_name_and_not_for_its_neighbors(strict: Site) -> None:
    stranger = strict.stranger()
    answers = [stranger.sign_in("Ann", "wrong password").status_code for _ in range(4)]
    assert answers == [422, 422, 422, 429]
    assert stranger.sign_in("Bob", "wrong password").status_code == 422


def test_sign_up_setup_and_upload_are_slowed(strict: Site) -> None:
    ann = strict.person("Ann")
    for path, form in (("/setup", {"code": "x"}), ("/upload", {"game": "none"})):
        answers = [ann.post(path, form, form_at="/docs/").status_code for _ in range(4)]
        assert answers == [422, 422, 422, 429]
    assert strict.stranger().post("/sign-up", {"name": "A", "password": "x"}).status_code == 422
    assert strict.stranger().sign_up("Bob").status_code == 303
    too_many = strict.stranger().sign_up("Cid")
    assert too_many.status_code == 429
    assert re.search(
        r"People on your network have tried to sign up 3 times this hour\. You can try again in \d+ ", too_many.text
    )
    assert ann.get("/write/gang-of-dice").status_code == 200


def test_rates_are_counted_on_the_broker_where_there_is_one() -> None:
    assert storage_uri(None) == "memory://"
    assert storage_uri("redis://u:p@host:6379/0") == "redis://u:p@host:6379/0"
    assert storage_uri("unix://u:p@/run/x.sock") == "redis+unix://u:p@/run/x.sock"


def test_a_site_without_a_broker_is_not_ready_and_says_so_but_it_lives(site: Site) -> None:
    answer = site.stranger().get("/readyz")
    assert answer.status_code == 503
    assert answer.get_json() == {"status": "down", "database": "ok", "tables": "ok", "broker": "down", "writes": "ok"}
    assert site.stranger().get("/healthz").get_json() == {"status": "ok"}
    assert "not reachable" in site.stranger().page("/status")
    result = site.stranger().get("/status.json").get_json()
    assert (result["broker"], result["database"], result["slots"], result["stopped"]) == (False, True, None, [])


def test_a_database_that_is_away_gives_503_to_all(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, client = site.person("Ann"), site.app.test_client()
    database = Database(f"sqlite:///{tmp_path / 'missing' / 'none.sqlite3'}")
    monkeypatch.setitem(site.app.extensions, "gangland_database", database)
    assert client.get("/gang-of-dice/leaderboard").status_code == 503
    assert client.get("/ladders/gang-of-dice.json").get_json()["error"]["status"] == 503
    result = client.get("/readyz").get_json()
    assert (result["database"], result["tables"]) == ("down", "down")
    assert client.get("/healthz").status_code == 200  # the process is well, and starting it anew would fix nothing
    for path in ("/status", "/status/live"):
        assert "not reachable" in ann.page(path)
    database.close()


def test_secrets_typed_into_forms_do_not_reach_the_log(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    ann = site.person("Ann")
    ann.upload(SOURCE)
    ann.sign_out()
    ann.sign_in("Ann", "a very wrong password")
    assert PASSWORD not in caplog.text
    assert "a very wrong password" not in caplog.text


def test_nothing_of_a_browser_before_it_signed_in_is_good_for_anything_afterwards(site: Site) -> None:
    """So a planted session is of no use."""
    site.person("Ann")
    victim, planter = site.stranger(), site.stranger()
    planted = planter.token("/sign-in")
    cookie = planter.client.get_cookie("gangland")
    assert cookie is not None
    victim.client.set_cookie("gangland", cookie.value)
    form = {"csrf_token": planted, "name": "Ann", "password": PASSWORD}
    assert victim.client.post("/sign-in", data=form).status_code == 303
    assert victim.get("/account").status_code == 200
    assert planter.get("/account").status_code == 303
    refused = victim.client.post("/account/sign-ins/end", data={"csrf_token": planted})
    assert (refused.status_code, "Reload the page" in refused.text) == (400, True)
    assert victim.get("/account").status_code == 200


def test_errors_of_every_kind_carry_the_headers(tmp_path: Path) -> None:
    class Broken:
        def __call__(self) -> str:
            raise RuntimeError("a secret of ours")

    for site in open_site(tmp_path, Rates(sign_in_name="1 per hour")):
        site.app.add_url_rule("/broken", "broken", Broken())
        stranger = site.stranger()
        form = {"name": "Ann", "password": "wrong password"}
        stranger.sign_in("Ann", "wrong password")
        answers = [
            stranger.client.post("/sign-in", data=form), stranger.post("/sign-in", form),
            stranger.client.delete("/glossary"), stranger.client.post("/sign-in", data={"name": "x" * 40_000}),
            stranger.get("/nothing"), stranger.get("/docs/none.html"), stranger.get("/static/nothing.css"),
            stranger.get("/api/v1/nothing"),
        ]  # fmt: skip
        site.app.config["PROPAGATE_EXCEPTIONS"] = False
        answers.append(stranger.get("/broken"))
        assert [answer.status_code for answer in answers] == [400, 429, 405, 413, 404, 404, 404, 404, 500]
        for answer in answers:
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert "a secret of ours" not in answer.text


@pytest.mark.parametrize(
    "settings",
    [
        {"DATABASE_URL": "postgresql://gangland:s3cret@host:port/gangland"},
        {"DATABASE_URL": "mysql://gangland:s3cret@host/gangland"}, {"REDIS_URL": "redis://gangland:s3/cret@host:6379"},
        {"WORKER_REDIS_URL": "http://worker:s3cret@host"}, {"WORKER_REDIS_URL": "redis://worker:s3cret@host:6379/3"},
        {"REDIS_URL": "unix://gangland:s3cret@/run/broker.sock?db=1"}, {"SECRET_KEY": "s3cret"},
    ],
    ids=str,
)  # fmt: skip
def test_a_setting_that_makes_no_sense_is_named_and_not_quoted(settings: dict[str, str]) -> None:
    with pytest.raises(ConfigError) as refused:
        read_settings(settings)
    assert next(iter(settings)) in str(refused.value)
    assert not {"s3", "cret"} & set(re.findall(r"\w+", str(refused.value)))
    assert refused.value.__context__ is None  # a traceback would tell it
    env = {"DATABASE_URL": "sqlite:////s3cret", "REDIS_URL": "redis://u:s3cret@host", "SECRET_KEY": "s3cret" * 4}
    assert "s3cret" not in repr(read_settings(env))


def test_what_anybody_would_try_first_is_no_password_and_what_nobody_would_is_one() -> None:
    first = ["P@ssw0rd!", "sunshine2024", "12345678", "87654321", "qwertyuiop", "abcdefgh", "abcabcabc", "Annabell1!"]
    first += ["llebanna", "gangster99", "letmein123"]
    never = [PASSWORD, "a stapler on the table", "xk7mp2qa", "Käsebrot mit 3 Oliven"]
    assert [each for each in first + never if password_problem(each, "Annabell") is not None] == first
