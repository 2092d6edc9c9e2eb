"""`/api/v1` as programs meet it: a token alone opens it, and what it says is what the pages say."""

import os
import re
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from flask import session
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from tests.kits.api_kit import Program, refused
from tests.kits.core_kit import ON_POSTGRESQL, Platform
from tests.kits.models import Bot, StoredAnswer, Team, Version, VersionState, col, select
from tests.kits.pages_kit import SOURCE, Site, open_site, pass_check
from tests.kits.served_kit import author, expire, new_token, revoke, served

from gangland_ladder.errors import entries
from gangland_web.api import declared
from gangland_web.api import serving as idempotency
from gangland_web.app import create_app
from gangland_web.services import teams, uploads
from gangland_web.services.trials import advance, reject
from gangland_web.settings import Settings
from gangland_web.web.limits import Rates


@pytest.fixture
def ann(site: Site) -> int:
    return author(site, "Ann")


@pytest.fixture
def program(site: Site, ann: int) -> Program:
    return Program(site, new_token(site, ann))


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[Site]:
    yield from open_site(tmp_path, Rates(upload="2 per hour", api="3 per minute", api_anonymous="2 per minute"))


def versions(site: Site) -> int:
    return len(site.rows(select(Version)))


def test_an_upload_takes_the_way_of_the_upload_page(site: Site, program: Program) -> None:
    answer = program.upload(name="The One")
    result = answer.get_json()
    assert (answer.status_code, answer.headers["Location"]) == (201, result["url"])
    assert (result["bot"], result["version"], result["state"]) == ("The One", 1, "scanned")
    assert "The One" in site.stranger().page(result["page"])
    assert program.get("/versions/1").get_json() == result
    assert program.upload(SOURCE + b"# more\n", name="the one").get_json()["version"] == 2
    pass_check(site, 2)
    withdrawn = program.get("/versions/1").get_json()
    assert (withdrawn["state"], withdrawn["terminal"], withdrawn["queue"]) == ("retired", True, None)
    assert "withdrawn for The One v2" in withdrawn["headline"]


REFUSED: list[tuple[bytes, str, dict[str, str], str, int | None]] = [
    (b"", "mine.py", {}, "E102", None), (b"x = 1\n\0\n", "mine.py", {}, "E104", 2),
    (b"no zip", "mine.zip", {}, "E120", None), (SOURCE, "mine.py", {"name": "a\u202eb"}, "E142", None),
    (SOURCE, "mine.py", {"name": "taken"}, "E143", None),
]  # fmt: skip


def test_a_file_that_is_no_bot_or_of_no_own_team_is_refused_unkept(site: Site, program: Program, ann: int) -> None:
    site.add(Bot(game="gang-of-dice", name="taken", name_key="taken", is_house=True, created_at=0.0))
    for source, filename, fields, code, line in REFUSED:
        problem = refused(program.upload(source, filename, **fields), 422, code)
        (finding,) = problem["findings"]
        assert (finding["code"], finding["line"], finding["fix"]) == (code, line, entries()[code].fix)
    assert versions(site) == 0
    teams.create_team(site.database, ann, "The Aces")
    teams.create_team(site.database, author(site, "Cid"), "The Kings")
    problem = refused(program.upload(team="The Kings"), 422, "E144")
    assert "your team is called 'The Aces'" in problem["findings"][0]["message"]
    refused(program.upload(team=["The Aces", "The Kings"]), 400, "E309")
    assert versions(site) == 0
    assert program.upload(team="the aces").status_code == 201
    bot = site.row(select(Bot).where(col(Bot.is_house).is_(False)))
    assert (bot.owner_id, site.get(Team, bot.team_id).name) == (None, "The Aces")


def test_a_call_that_cannot_be_read_or_is_too_large_is_refused_and_says_what_was_expected(program: Program) -> None:
    refused(program.upload(game="poker"), 422, "E309")
    assert "'hue'" in refused(program.upload(hue="red"), 422, "E309")["detail"]
    assert "'wait'" in refused(program.get("/token?wait=1"), 400, "E309")["detail"]
    assert "before: Expected" in refused(program.get("/ladders/gang-of-dice/2/days?before=null"), 400, "E309")["detail"]
    refused(program.call("POST", "/bots", json={"game": "gang-of-dice"}), 415, "E309")
    refused(program.upload(key="two words"), 400, "E309")
    answer = program.call("DELETE", "/bots")
    refused(answer, 405, "E309")
    assert "POST" in answer.headers["Allow"]
    for path in ("/nothing", "/versions/77", "/versions/99999999999999", "/versions/x"):
        refused(program.get(path), 404, "E310")
    for weight, kind in ((1024 * 1024 + 20_000, "multipart/form-data; boundary=b"), (400_000, "text/plain")):
        refused(program.call("POST", "/bots", data=b"x" * weight, content_type=kind), 413, "E308")


def test_a_useless_token_is_refused_with_its_code(site: Site, ann: int, caplog: pytest.LogCaptureFixture) -> None:
    good, expired, revoked = (new_token(site, ann, name=name) for name in ("good", "expired", "revoked"))
    expire(site, expired)
    revoke(site, ann, revoked)
    cut, other = good[:-1], good[:-1] + ("0" if good[-1] != "0" else "1")
    assert Program(site, good).get("/token").get_json()["name"] == "good"
    for token, code in (("", "E301"), (cut, "E302"), (other, "E302"), (expired, "E303"), (revoked, "E304")):
        answer = Program(site, token).upload()
        assert good.split("_")[2][:20] not in str(refused(answer, 401, code))
        assert answer.headers["WWW-Authenticate"].startswith("Bearer ")
    assert [token for token in (good, expired, revoked) if token.split("_")[2] in caplog.text] == []
    lying = expired[:-1] + ("0" if expired[-1] != "0" else "1")
    refused(Program(site, lying).get("/token"), 401, "E302")  # whoever does not know the secret is told nothing
    answer = Program(site, new_token(site, ann, "read")).upload()
    assert "'upload'" in refused(answer, 403, "E305")["detail"]
    assert 'scope="upload"' in answer.headers["WWW-Authenticate"]
    assert versions(site) == 0


def test_a_session_opens_no_door_of_the_api_and_the_api_sets_no_cookie(site: Site) -> None:
    ann = site.person("Ann")
    assert ann.get("/account").status_code == 200
    assert len(ann.get("/api/v1").get_json()["calls"]) == len(declared.CALLS)
    for rule in site.app.url_map.iter_rules():
        if not rule.rule.startswith("/api/"):
            continue
        path = re.sub(r"<[^>]+>", "1", rule.rule)
        for method in (rule.methods or set()) - {"OPTIONS"}:
            answer = ann.client.open(path, method=method)
            open_to_all = declared.CALLS[rule.endpoint.removeprefix("api.")].needs is None
            assert answer.status_code in ((200, 404) if open_to_all else (401,)), rule
            assert "Set-Cookie" not in answer.headers
            assert "Cookie" not in answer.headers["Vary"]
    with ann.client as browser:
        for path, read in (("/account", True), ("/api/v1", False), ("/api/v1/token", False)):
            browser.get(path)
            assert ("key" in session) is read, path


def test_a_call_that_is_sent_again_is_carried_out_once_and_answers_are_kept_in_bounds(
    site: Site, program: Program, ann: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, again = program.upload(key="k"), program.upload(key="k")
    assert (first.get_json(), first.status_code) == (again.get_json(), again.status_code)
    assert "Idempotent-Replayed" not in first.headers
    assert (again.headers["Idempotent-Replayed"], again.headers["Location"]) == ("true", first.headers["Location"])
    refused(program.upload(SOURCE + b"#", key="k"), 422, "E306")
    refused(program.upload(name="other", key="k"), 422, "E306")
    assert versions(site) == 1
    assert program.upload(b"\0", key="bad").get_json() == program.upload(b"\0", key="bad").get_json()
    bob = Program(site, new_token(site, author(site, "Bob")))
    assert bob.upload(SOURCE, "bobs.py", key="k").status_code == 201
    monkeypatch.setattr(idempotency, "MAX_STORED", 2)
    for key in ("a", "b", "c"):
        refused(program.upload(b"\0", key=key), 422, "E104")
    assert set(site.rows(select(StoredAnswer.key).where(StoredAnswer.owner_id == ann))) == {"b", "c"}
    monkeypatch.setattr(idempotency, "STORED_S", -1)
    assert "Idempotent-Replayed" not in program.upload(b"\0", key="c").headers


@ON_POSTGRESQL
def test_the_same_call_four_times_at_once_is_carried_out_once(platform: Platform, tmp_path: Path) -> None:
    settings = Settings(tmp_path, None, None, None, secret_key="for tests only")
    there = Site(create_app(settings, database=platform.database), platform.database)
    program = Program(there, new_token(there, author(there, "Ann")))
    with ThreadPoolExecutor(4) as threads:
        good = list(threads.map(lambda _: program.upload(key="k"), range(4)))
        bad = list(threads.map(lambda _: program.upload(b"\0", key="bad"), range(4)))
    assert {answer.status_code for answer in good} <= {201, 409}
    assert {answer.status_code for answer in bad} <= {422, 409}
    assert len({answer.text for answer in good if answer.status_code == 201}) == 1
    assert there.version("mine").number == 1
    assert program.upload(key="k").headers["Idempotent-Replayed"] == "true"
    for broken in ("status = 500", "key = ''", "fingerprint = 'x'", "owner_id = 99", "key = 'one'"):
        with pytest.raises(IntegrityError), platform.database.write() as db:
            db.connection().execute(text(f"UPDATE stored_answers SET {broken}"))


def test_a_version_is_followed_with_304_and_why_it_was_rejected_told_its_owner(site: Site, program: Program) -> None:
    program.upload()
    first = program.get("/versions/1")
    tag = {"If-None-Match": first.headers["ETag"]}
    assert program.get("/versions/1", headers=tag).status_code == 304
    assert first.get_json()["queue"] == {"ahead": 0, "trials_done": 0, "trials_all": 0, "check": "queued"}
    site.write_row(advance, Version, 1, VersionState.TIMED)
    second = program.get("/versions/1", headers=tag)
    steps = {step["state"]: step["status"] for step in second.get_json()["steps"]}
    assert (second.status_code, steps["timed"], steps["trial"]) == (200, "done", "waiting")
    site.write_row(advance, Version, 1, VersionState.ACTIVE)
    last = program.get("/versions/1").get_json()
    assert (last["state"], last["terminal"], last["findings"]) == ("active", True, [])
    program.upload(SOURCE + b"# worse\n")
    site.write_row(reject, Version, 2, "E203 illegal decision: line 5: choose_dice() returned 9\n\x1b[2Jgone")
    result = program.get("/versions/2").get_json()
    (finding,) = result["findings"]
    assert (finding["code"], finding["line"], finding["title"]) == ("E203", 5, "illegal decision")
    assert finding["message"].startswith("choose_dice() returned 9\n")
    assert "\x1b" not in str(result)
    bob = Program(site, new_token(site, author(site, "Bob"))).get("/versions/2").get_json()
    assert (bob["state"], bob["findings"], bob["trials"], bob["code_sha256"]) == ("rejected", [], [], None)
    assert "returned" not in str(bob)


def test_a_version_tells_its_place_in_the_queue_and_its_trials(site: Site, program: Program) -> None:
    with site.database.write() as db:
        for number in range(3):
            uploads.submit_version(db, None, "gang-of-dice", f"house{number}", "mine.py", SOURCE + bytes([65 + number]))
    bobs = Program(site, new_token(site, author(site, "Bob"))).upload(SOURCE, "bobs.py").get_json()
    mine = program.upload(SOURCE + b"#").get_json()
    assert mine["queue"] == {"ahead": 1, "trials_done": 0, "trials_all": 0, "check": "queued"}
    pass_check(site, bobs["id"])
    pass_check(site, mine["id"])
    result = program.get(f"/versions/{mine['id']}").get_json()
    assert result["queue"] == {"ahead": 3, "trials_done": 0, "trials_all": 3, "check": "done"}
    assert [trial["state"] for trial in result["trials"]] == ["scheduled"] * 3


def test_uploads_count_together_by_whichever_door_and_calls_are_slowed_and_told_when_to_go_on(strict: Site) -> None:
    ann = strict.person("Ann")
    program = Program(strict, new_token(strict, 1))
    assert program.upload(b"\0").headers["RateLimit-Remaining"] == "1"
    assert ann.upload(b"\0").status_code == 422
    refused(program.upload(), 429, "E307")
    assert ann.upload().status_code == 429
    program = Program(strict, new_token(strict, author(strict, "Cid")))
    assert [program.get("/token").headers["RateLimit-Remaining"] for _ in range(3)] == ["2", "1", "0"]
    answer = program.get("/token")
    refused(answer, 429, "E307")
    assert 0 < int(answer.headers["Retry-After"]) <= 61
    assert [Program(strict, "x").get("/token").status_code for _ in range(3)] == [401, 401, 429]
    assert Program(strict, new_token(strict, author(strict, "Bob"))).get("/token").status_code == 200


def test_every_call_of_the_documentation_is_so(site: Site, program: Program, root: Path, tmp_path: Path) -> None:
    page = (root / "docs" / "api.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    called = set()
    (tmp_path / "my_bot.py").write_bytes(SOURCE)
    with served(site.app) as address:
        env = {**os.environ, "SITE": address, "GANGLAND_TOKEN": program.token or "", "no_proxy": "*"}
        for block in blocks:
            command = block.replace("curl -sS", "curl -sS --fail-with-body --max-time 20")
            done = subprocess.run(["bash", "-ec", command], cwd=tmp_path, env=env, capture_output=True, check=False)
            assert done.returncode == 0, (block, done.stdout, done.stderr)
            called |= set(re.findall(r"\$SITE(/api/v1[\w/]*)", block))
    assert {"/api/v1", "/api/v1/token", "/api/v1/bots", "/api/v1/versions/1"} <= called
    assert site.version("my_bot").number == 1
    assert (tmp_path / "token.header").stat().st_mode & 0o077 == 0


def test_the_documentation_names_the_limits_of_calls(root: Path) -> None:
    assert "600 times a minute" in (root / "docs" / "api.md").read_text(encoding="utf-8")
    assert (Rates().api, Rates().upload, Rates().api_anonymous) == ("600 per minute", "60 per hour", "120 per minute")
