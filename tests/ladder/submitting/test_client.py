"""`gangland submit` against a real site over real HTTP: every way in which it can end."""

import _thread
import json
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

import keyring
import keyring.backend
import keyring.errors
import pytest
from tests.kits import command_kit, models, pages_kit
from tests.kits.served_kit import author, expire, new_token, revoke, served
from werkzeug.wrappers import Request, Response

from gangland_ladder.submitting import client, tokens
from gangland_ladder.submitting import client as sending
from gangland_web.services import teams, trials
from gangland_web.web.limits import Rates

site = pytest.fixture(pages_kit.open_site)
GOOD = "gangland_1_" + "0" * 64
REJECTED = "E203 illegal decision: line 5: choose_dice() returned 9\nexpected \x1b[2J 1 to 6"


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "MIN_INTERVAL_S", 0.01)
    monkeypatch.setattr(sending, "MAX_INTERVAL_S", 0.02)
    monkeypatch.setattr(client, "FIRST_WAIT_S", 0.001)
    monkeypatch.delenv("GANGLAND_TOKEN", raising=False)


class Safe(keyring.backend.KeyringBackend):
    priority = 1

    def __init__(self, *, locked: bool = False) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.kept: dict[tuple[str, str], str] = {}
        self.locked = locked

    def get_password(self, service: str, username: str) -> str | None:
        if self.locked:
            raise keyring.errors.KeyringLocked("locked")
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        if self.locked:
            raise keyring.errors.KeyringLocked("locked")
        self.kept[service, username] = password


@pytest.fixture
def safe() -> Iterator[Safe]:
    before, own = keyring.get_keyring(), Safe()
    keyring.set_keyring(own)
    yield own
    keyring.set_keyring(before)


@dataclass
class Served:
    """A site, an author with a token, and a bot's file; `asked` are the received calls."""

    site: pages_kit.Site
    ann: int
    token: str
    folder: Path
    address: str = ""
    asked: list[str] = field(default_factory=list)
    before: Callable[[Request], Response | None] = lambda _: None

    def app(self, environ: dict[str, Any], start: Any) -> Any:
        request = Request(environ, populate_request=False)
        self.asked.append(f"{request.method} {request.path}")
        return (self.before(request) or self.site.app.wsgi_app)(environ, start)

    def run(self, *arguments: object, token: str | None = None, stdin: bytes = b"") -> command_kit.Ran:
        env = {"GANGLAND_TOKEN": self.token if token is None else token, "GANGLAND_CLI_SITE": self.address}
        done = command_kit.gangland("submit", *arguments, folder=self.folder, env=env, stdin=BytesIO(stdin))
        assert "\x1b" not in done.out + done.err
        assert "Traceback" not in done.err
        for secret in (self.token, token or self.token):
            assert secret.split("_")[-1] not in done.out + done.err or len(secret) < 20
        return done

    def when_followed(self, act: Callable[[Any, models.Version], object], version_id: int = 1) -> None:
        done: list[bool] = []

        def happens(request: Request) -> Response | None:
            if request.path.startswith("/api/v1/versions/") and not done:
                done.append(True)
                with self.site.database.write() as db:
                    models.lock_versions(db)
                    act(db, db.get_one(models.Version, version_id))
            return None

        self.before = happens


@pytest.fixture
def house(site: pages_kit.Site, tmp_path: Path) -> Iterator[Served]:
    ann = author(site, "Ann")
    folder = tmp_path / "author"
    folder.mkdir()
    (folder / "mine.py").write_bytes(pages_kit.SOURCE)
    found = Served(site, ann, new_token(site, ann), folder)
    with served(found.app) as found.address:
        yield found


def replies(status: int, times: int, path: str = "", **headers: str) -> Callable[[Request], Response | None]:
    left = [times]

    def answer(request: Request) -> Response | None:
        if not request.path.endswith(path) or not left[0]:
            return None
        left[0] -= 1
        return Response("no", status, headers=headers)

    return answer


def test_a_bot_is_followed_until_it_plays(house: Served) -> None:
    house.when_followed(trials.activate)
    done = house.run("mine.py", "--name", "The One")
    assert (done.code, "The One v1" in done.out) == (0, True)
    assert "This version plays on the ladders" in done.out
    assert f"{house.address}/bots/1/versions/1" in done.out
    assert done.err.index("Received") < done.err.index("Scanned") < done.err.index("Active on the ladders")
    assert house.run("--follow", 1, "--quiet").err == ""


def test_a_rejected_bot_shows_its_finding_as_check_does_and_is_exit_1(house: Served) -> None:
    house.when_followed(lambda db, version: trials.reject(db, version, REJECTED))
    done = house.run("mine.py")
    assert done.code == 1
    assert "E203  mine.py:5  " in done.out
    assert "Explain: gangland explain E203" in done.out
    assert "FAIL" in done.err
    again = house.run("--follow", 1, "--json")
    assert (again.code, again.document["outcome"], again.document["problems"][0]["code"]) == (1, "rejected", "E203")
    assert "E203  line 5  " in house.run("--follow", 1).out


def test_a_platform_fault_is_told_without_a_code(house: Served) -> None:
    house.when_followed(lambda db, version: trials.reject(db, version, "platform fault: no jail; upload it again"))
    done = house.run("mine.py", "--json")
    assert (done.code, done.document["problems"][0]["code"]) == (1, None)
    assert "platform fault" in house.run("--follow", 1).out


@pytest.mark.parametrize("played", [False, True])
def test_a_bot_whose_place_another_one_takes_is_exit_1(house: Served, played: bool) -> None:
    def replaced(db: Any, version: models.Version) -> None:
        if played:
            trials.activate(db, version)
            trials.retire_active(db, db.get_one(models.Bot, version.bot_id), "replaced by mine v2")
        else:
            trials.retire(db, version, "withdrawn for mine v2")

    house.when_followed(replaced)
    done = house.run("mine.py", "--json")
    assert (done.code, done.document["outcome"]) == (1, "retired")
    assert "mine v2" in done.document["version"]["headline"]


def test_without_waiting_it_ends_when_the_bot_is_in_and_says_how_to_follow(house: Served) -> None:
    done = house.run("mine.py", "--no-wait")
    assert (done.code, f"gangland submit --follow 1 --site {house.address}" in done.out) == (0, True)
    (house.folder / "mine.py").write_bytes(pages_kit.SOURCE + b"# more\n")
    result = house.run("mine.py", "--no-wait", "--json").document
    assert (result["outcome"], result["version"]["version"], result["problems"]) == ("waiting", 2, [])
    assert [call for call in house.asked if "versions" in call] == []


def test_a_plain_mistake_is_found_here_and_costs_no_call(house: Served) -> None:
    (house.folder / "nul.py").write_bytes(pages_kit.SOURCE + b"\0")
    done = house.run("nul.py", token="")
    assert (done.code, "E104  nul.py:7" in done.out, "Nothing was uploaded" in done.out) == (1, True, True)
    assert house.run("nul.py", "--json").document["outcome"] == "refused"
    assert house.asked == []


def test_what_the_site_alone_refuses_is_exit_1_with_its_finding(house: Served) -> None:
    house.site.add(models.Bot(game="gang-of-dice", name="taken", name_key="taken", is_house=True, created_at=0.0))
    done = house.run("mine.py", "--name", "taken")
    assert (done.code, "E143  mine.py  " in done.out) == (1, True)
    assert house.run("mine.py", "--name", "taken", "--json").document["problems"][0]["code"] == "E143"


def test_a_bot_is_sent_in_for_ones_own_team_and_for_no_other(house: Served) -> None:
    cid = author(house.site, "Cid")
    for owner, name in ((house.ann, "The Aces"), (cid, "The Kings")):
        teams.create_team(house.site.database, owner, name)
    done = house.run("mine.py", "--team", "The Kings")
    assert (done.code, "E144" in done.out, "your team is called 'The Aces'" in done.out) == (1, True, True), done.out
    assert house.run("mine.py", "--team", "x" * 65).code == 2
    house.when_followed(trials.activate)
    assert house.run("mine.py", "--team", "the  aces").code == 0
    (bot,) = house.site.rows(models.select(models.Bot))
    assert (bot.owner_id, house.site.get(models.Team, bot.team_id).name) == (None, "The Aces")


def test_a_call_that_makes_no_sense_is_exit_2_and_asks_nobody(house: Served) -> None:
    (house.folder / "none.py").write_text("x = 1\n")
    wrong: list[tuple[tuple[object, ...], str]] = [
        ((), "expected one of: BOT"), (("mine.py", "--follow", 1), "expected one of: BOT"), (("no.py",), "no bot at"),
        (("none.py",), "the game is unclear"), (("mine.py", "--game", "poker"), "unknown game 'poker'"),
        (("mine.py", "--site", "http://gangland.example"), "has no TLS"),
        (("mine.py", "--site", "ftp://gangland.example"), "is not a site"),
    ]  # fmt: skip
    for arguments, why in wrong:
        done = house.run(*arguments)
        assert (done.code, why in done.err, done.out) == (2, True, ""), (arguments, done.err)
    assert house.asked == []
    no_site = command_kit.gangland("submit", "mine.py", folder=house.folder, env={"GANGLAND_CLI_SITE": ""})
    assert (no_site.code, "expected --site" in no_site.err) == (2, True)
    assert house.run("mine.py", "--name", "a\nb").code == 2
    assert house.run("--follow", 77).code == 2


def test_a_token_that_lets_nobody_in_is_exit_4_says_what_to_do_and_sends_no_bot(house: Served, safe: Safe) -> None:
    expired, revoked = new_token(house.site, house.ann), new_token(house.site, house.ann)
    expire(house.site, expired)
    revoke(house.site, house.ann, revoked)
    reads = new_token(house.site, house.ann, "read")
    for token, why in (
        ("", "no token for"), ("hunter2", "no valid token"), (GOOD, "E302"), (expired, "has expired"),
        (revoked, "was revoked"), (reads, "lacks upload"),
    ):  # fmt: skip
        done = house.run("mine.py", token=token)
        assert (done.code, why in done.err, "/account/tokens" in done.err) == (4, True, True), done.err
        assert "hunter2" not in done.err
    assert house.run("--follow", 1, token=new_token(house.site, house.ann, "upload")).code == 4
    assert [call for call in house.asked if call.startswith("POST /api/")] == []


def test_a_token_revoked_on_the_way_is_exit_4_with_the_command_that_goes_on(house: Served) -> None:
    def revokes(_: Request) -> None:
        if len(house.asked) == 4:
            revoke(house.site, house.ann, house.token)

    house.before = revokes
    done = house.run("mine.py", "--json")
    assert (done.code, done.document["outcome"]) == (4, "waiting")
    assert "gangland submit --follow 1" in done.err


def test_a_site_that_is_away_for_a_moment_is_asked_again(house: Served) -> None:
    house.before = replies(503, 3, "/token")
    assert house.run("mine.py", "--no-wait").code == 0
    for status in (502, 503, 504):
        house.before = replies(status, 2, "/versions/1", **{"Retry-After": "0"})
        with house.site.database.write() as db:
            if status == 502:
                trials.activate(db, db.get_one(models.Version, 1))
        assert house.run("--follow", 1).code == 0


def test_an_upload_whose_answer_was_lost_is_taken_in_once(house: Served) -> None:
    lost: list[bytes] = []

    def loses(request: Request) -> Response | None:
        if request.path != "/api/v1/bots" or lost:
            return None
        lost.append(request.get_data())
        again = house.site.app.test_client(use_cookies=False).open(
            "/api/v1/bots", method="POST", data=lost[0], headers=list(request.headers)
        )
        assert again.status_code == 201
        return Response("the gateway lost it", 502)

    house.before = loses
    done = house.run("mine.py", "--no-wait", "--json")
    assert (done.code, done.document["version"]["version"]) == (0, 1)
    assert house.asked.count("POST /api/v1/bots") == 2
    assert house.site.version("mine").number == 1


def test_a_site_that_stays_away_is_exit_3_with_the_command_that_goes_on(house: Served) -> None:
    house.before = replies(503, 1000, "/versions/1")
    done = house.run("mine.py")
    assert (done.code, f"gangland submit --follow 1 --site {house.address}" in done.err) == (3, True)
    house.before = replies(500, 1000, "/bots")
    assert (house.run("mine.py").code, house.asked.count("POST /api/v1/bots")) == (3, 2)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        nobody = taken.getsockname()[1]
    done = house.run("mine.py", "--site", f"http://127.0.0.1:{nobody}")
    assert (done.code, "cannot be reached" in done.err, "/account" in done.err) == (3, True, False)
    house.before = replies(429, 1, "/bots", **{"Retry-After": "61"})
    done = house.run("mine.py", "--no-wait")
    assert (done.code, "retry in 61 s" in done.err, "/account whether" in done.err) == (3, True, True)


def test_a_token_follows_no_redirect(house: Served) -> None:
    came: list[str] = []

    def elsewhere(environ: dict[str, Any], start: Any) -> Any:
        came.append(environ.get("HTTP_AUTHORIZATION", ""))
        return Response("{}")(environ, start)

    with served(elsewhere) as other:
        for status in (301, 302, 303, 307, 308):
            house.before = replies(status, 1, "/token", Location=f"{other}/api/v1/token")
            done = house.run("mine.py")
            assert (done.code, "redirects to" in done.err) == (2, True)
    assert came == []


def test_nothing_is_asked_of_a_proxy_in_the_clear(house: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    assert house.run("mine.py", "--no-wait").code == 0


def test_what_a_hostile_site_says_is_believed_in_bounds_and_shown_as_text(house: Served) -> None:
    step = {"state": "received", "label": "\x1b[31m\u202eReceived\nok", "status": "done"}
    version = {
        "id": 1, "bot": "\x1b]0;x\x07mine", "game": "gang-of-dice", "version": 1, "page": "//evil.example/",
        "state": "rejected", "terminal": True, "headline": "gone\x1b[2J", "steps": [step],
        "findings": [{"message": "\x1b[2J\nE999", "code": "E9\x1b[1m", "fix": "run \x1b[8mthis"}],
    }  # fmt: skip
    token = {"owner": "x", "scopes": ["read", "upload"], "expires_at": "2027-01-01T00:00:00Z"}

    def says(document: object) -> Callable[[Request], Response | None]:
        return lambda request: Response(json.dumps(token if request.path.endswith("/token") else document), 200)

    house.before = says(version)
    done = house.run("mine.py")
    assert (done.code, "evil" in done.out + done.err, "\u202e" in done.err) == (1, False, False)
    assert house.run("mine.py", "--json").document["problems"][0]["code"] == "E9\x1b[1m"
    answers: list[object] = [
        {}, [], {**version, "id": "1"}, {**version, "steps": [step] * 51}, {**version, "more": "x" * 1_100_000},
    ]  # fmt: skip
    for bad in answers:
        house.before = says(bad)
        done = house.run("mine.py")
        assert (done.code, done.out) == (3, ""), done.err


@pytest.fixture
def _heeds_ctrl_c() -> Iterator[None]:
    """Let Ctrl-C interrupt, also if the tests run in the background and ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_heeds_ctrl_c")
def test_ctrl_c_is_exit_130_with_the_command_that_goes_on(house: Served) -> None:
    def interrupts(request: Request) -> None:
        if "versions" in request.path:
            _thread.interrupt_main()

    house.before = interrupts
    done = house.run("mine.py", "--json")
    assert (done.code, done.document["outcome"]) == (130, "waiting")
    assert done.document["follow"] == f"gangland submit --follow 1 --site {house.address}"
    assert "interrupted" in done.err
    followed = house.run("--follow", 1)
    assert (followed.code, "gangland submit --follow 1 --site" in followed.err) == (130, True)


def test_the_token_comes_from_stdin_before_the_environment_and_from_the_keyring_last(house: Served, safe: Safe) -> None:
    kept = house.run("--keep-token", token="", stdin=f"  {house.token} \nmore\n".encode())
    assert (kept.code, "stored in the keyring" in kept.out) == (0, True)
    assert safe.kept == {("gangland", house.address): house.token}
    assert house.run("mine.py", "--no-wait", token="").code == 0
    assert house.run("mine.py", "--no-wait", token=GOOD).code == 4
    assert house.run("mine.py", "--no-wait", "--token-stdin", token=GOOD, stdin=house.token.encode()).code == 0
    assert house.run("--keep-token", token="", stdin=b"hunter2\n").code == 4
    assert house.run("--keep-token", "--json", token="").code == 2


def test_a_locked_or_missing_keyring_says_so(house: Served, safe: Safe, monkeypatch: pytest.MonkeyPatch) -> None:
    safe.locked = True
    kept = house.run("--keep-token", token="", stdin=house.token.encode())
    assert (kept.code, "keyring cannot be used: KeyringLocked. Or set GANGLAND_TOKEN" in kept.err) == (2, True)
    told = house.run("mine.py", token="").err
    assert "keyring cannot be used: KeyringLocked. Create one at" in told
    assert (told.count("GANGLAND_TOKEN"), "--keep-token" in told) == (1, False)
    monkeypatch.setitem(sys.modules, "keyring", None)
    done = house.run("mine.py", token="")
    assert (done.code, "pip install 'gangland[keyring]'" in done.err, "--keep-token" in done.err) == (4, True, False)
    assert house.run("--keep-token", token="", stdin=house.token.encode()).code == 2
    assert house.run("mine.py", "--no-wait").code == 0  # where a token is given, no keyring is imported


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("https://gangland.example", "https://gangland.example"),
        (" https://gangland.example:8443/house/ ", "https://gangland.example:8443/house"),
        ("http://localhost:8000/", "http://localhost:8000"), ("http://[::1]:8000", "http://[::1]:8000"),
        ("http://127.9.9.9", "http://127.9.9.9"), ("http://127.0.0.1.evil.example", None),
        ("http://localhost.evil.example", None), ("http://10.0.0.1", None),
        ("https://ann:secret@gangland.example", None), ("https://gangland.example?x=1", None),
        ("https://gangland.example/\r\nX: y", None), ("https://", None), ("https://[", None),
        ("https://x:99999999", None), ("file:///etc/passwd", None),
    ],
)  # fmt: skip
def test_a_token_goes_to_tls_or_to_this_machine_and_nowhere_else(given: str, address: str | None) -> None:
    if address is None:
        with pytest.raises(tokens.WrongSite) as result:
            tokens.site_of(given)
        assert "secret" not in str(result.value)
    else:
        assert tokens.site_of(given).address == address


def test_uploads_that_come_too_often_are_told_and_not_repeated_for_an_hour(tmp_path: Path) -> None:
    for strict in pages_kit.open_site(tmp_path, Rates(upload="1 per hour")):
        (tmp_path / "mine.py").write_bytes(pages_kit.SOURCE)
        with served(strict.app) as address:
            env = {"GANGLAND_TOKEN": new_token(strict, author(strict, "Ann")), "GANGLAND_CLI_SITE": address}
            codes = [command_kit.gangland("submit", tmp_path / "mine.py", "--no-wait", env=env).code for _ in range(2)]
        assert codes == [0, 3]
