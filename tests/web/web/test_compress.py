"""What goes over the wire: text compressed where that is safe, live parts that end."""

import gzip
import re
from pathlib import Path

import pytest
from tests.kits.command_kit import gangland
from tests.kits.pages_kit import Site

import gangland_web
from gangland_web.web.middleware import problem

STATIC = Path(gangland_web.__file__).parent / "site" / "static"
GZIP = {"Accept-Encoding": "gzip"}
CSS_BYTES, SCRIPT_BYTES = 10 * 1024, 20 * 1024


def packed(file: Path) -> int:
    return len(gzip.compress(file.read_bytes(), 9, mtime=0))


def test_style_and_scripts_keep_to_their_budgets() -> None:
    assert packed(STATIC / "site.css") <= CSS_BYTES
    assert sum(map(packed, [STATIC / "js" / "times.js", STATIC / "js" / "live.js"])) <= SCRIPT_BYTES


def test_static_text_and_strangers_pages_are_compressed_for_who_takes_it_and_known_again(site: Site) -> None:
    stranger = site.stranger()
    plain, small = (stranger.get("/static/site.css", headers=headers) for headers in ({}, GZIP))
    page = stranger.get("/gang-of-dice/leaderboard", headers=GZIP)
    assert "Content-Encoding" not in plain.headers
    assert (small.headers["Content-Encoding"], small.headers["Vary"]) == ("gzip", "Accept-Encoding")
    assert gzip.decompress(small.data) == plain.data
    assert int(small.headers["Content-Length"]) == len(small.data) < len(plain.data) // 2
    assert "Accept-Ranges" not in small.headers, "a range would be of other bytes"
    assert page.headers["Content-Encoding"] == "gzip"
    assert b"<h1>" in gzip.decompress(page.data)
    assert small.headers["ETag"] != plain.headers["ETag"]
    for first in (small, page):
        headers = {**GZIP, "If-None-Match": first.headers["ETag"]}
        again = site.stranger().get(first.request.path, headers=headers)
        assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", first.headers["ETag"])


def test_a_page_that_may_hold_a_secret_is_never_compressed(site: Site) -> None:
    ann, known = site.person("Ann"), site.stranger()
    for path in ("/", "/tokens", "/write/gang-of-dice", "/nothing"):
        assert "Content-Encoding" not in ann.get(path, headers=GZIP).headers
    for path in ("/sign-in", "/sign-up"):
        assert "Content-Encoding" not in site.stranger().get(path, headers=GZIP).headers
    known.client.set_cookie("theme", "dark")
    assert "Content-Encoding" not in known.get("/write/gang-of-dice", headers=GZIP).headers
    for path in ("/static/none.css", "/docs/none.html"):
        theirs = ann.get(path, headers=GZIP)
        assert theirs.status_code == 404
        assert "Content-Encoding" not in theirs.headers
        assert "csrf_token" in theirs.text  # the form to sign out, which is why


def test_what_reads_no_cookie_is_compressed_for_those_with_one_too_but_not_for_a_token(site: Site) -> None:
    ann = site.person("Ann")
    for path in ("/api/v1/ladders", "/cards/nothing"):
        theirs, strangers = (who.get(path, headers=GZIP) for who in (ann, site.stranger()))
        assert theirs.headers.get("Content-Encoding") == strangers.headers.get("Content-Encoding"), path
        assert theirs.data == strangers.data, path
    assert ann.get("/api/v1/ladders", headers=GZIP).headers["Content-Encoding"] == "gzip"
    by_token = ann.get("/api/v1/ladders", headers={**GZIP, "Authorization": "Bearer x"})
    assert "Content-Encoding" not in by_token.headers


def test_times_are_written_in_utc_for_readers_and_machines(site: Site) -> None:
    text = site.app.jinja_env.from_string("{{ 1763750756 | moment }} {{ 1763750756.9 | moment(exact=true) }}").render()
    assert re.findall(r'<time datetime="([^"]+)">([^<]+)</time>', text) == [
        ("2025-11-21T18:45:56Z", "21 Nov 2025 18:45 UTC"),
        ("2025-11-21T18:45:56Z", "21 Nov 2025 18:45:56 UTC"),
    ]


def test_what_first_bots_are_told_to_type_works(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = site.stranger().page("/on-your-machine")
    typed = re.findall(r'aria-label="(?:Start|Check|Play)"><code>([^<]+)</code>', page)
    lines = [line for block in typed for line in block.splitlines()]
    assert len(lines) == 4
    monkeypatch.chdir(tmp_path)
    for line in lines:
        command, *arguments = line.split()
        if command == "cd":
            monkeypatch.chdir(arguments[0])
            continue
        assert command == "gangland"
        ran = gangland(*arguments)
        assert ran.code == 0, f"{line}\n{ran.out}{ran.err}"


@pytest.mark.parametrize(
    ("method", "status", "advice"),
    [
        ("GET", 404, "Check the address for typos"), ("POST", 413, "Upload a smaller file"),
        ("GET", 429, "Retry-After"), ("GET", 500, "the status page"), ("GET", 400, "Correct the address"),
        ("POST", 400, "reload the page and send the form again"),
    ],
)  # fmt: skip
def test_an_error_says_what_one_can_do(site: Site, method: str, status: int, advice: str) -> None:
    with site.app.test_request_context("/somewhere", method=method):
        answer = problem(status)
    assert answer.status_code == status
    text = answer.get_data(as_text=True)
    assert "What you can do" in text
    assert advice in text
