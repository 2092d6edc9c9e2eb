"""Typical mistakes are told alike wherever their author checks or sends the file in, and soon."""

from __future__ import annotations

import os
import re
import urllib.error
import urllib.parse
import urllib.request
from html import unescape
from pathlib import Path

import pytest
from sqlmodel import select
from tests.flow.flow_kit import Browser, running_up
from tests.flow.mistakes_kit import BOUNDARY, Author, Mistake, Told, by_file, mistakes, multipart, on_every_way

from gangland_web.store.models.matches import Match

pytestmark = [pytest.mark.flow, pytest.mark.slow]

_CODED = re.compile(r"([EW]\d{3}) [^:]+: (?:line (\d+): )?(.*)")
_SAID = re.compile(r'<pre class="said"[^>]*>(.*?)</pre>|<p class="error" id="source-error">(.*?)</p>', re.DOTALL)


class Uploader(Browser):
    """A signed-in author who sends files in by the form, and reads the page that follows."""

    def by_page(self, mistake: Mistake, author: Author) -> Told:
        token = re.search(r'name="csrf_token" value="([^"]+)"', self.get("/upload"))
        assert token is not None
        fields = {"csrf_token": token[1], "game": mistake.game, "name": f"page {mistake.what}"[:60]}
        headers = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
        form = urllib.request.Request(f"{author.root}/upload", multipart(fields, mistake), headers)
        try:
            with self._opener.open(form, timeout=60) as answer:
                path = urllib.parse.urlsplit(answer.url).path
        except urllib.error.HTTPError as refused:
            return _read(refused.read().decode())
        bot, number = re.findall(r"\d+", path)
        author.verdict(f"/api/v1/bots/{bot}/versions/{number}")
        return _read(self.get(path))


def _read(page: str) -> Told:
    message = _SAID.search(page)
    assert message is not None, page
    found = _CODED.match(unescape(message[1] or message[2]))
    assert found is not None, message[0]
    shown = re.search(r"Show line (\d+)", page)
    named = re.match(r"line (\d+)", found[3])
    line = found[2] or next((one[1] for one in (shown, named) if one), None)
    return Told(found[1], found[3], int(line) if line else None)


def test_typical_mistakes_are_told_alike_by_file_page_api_and_submit(tmp_path: Path) -> None:
    known = mistakes()
    assert len(known) >= 45
    if os.environ.get("GANGLAND_MISTAKES") != "long":
        known = known[::12]  # by file all are checked in tests/ladder; `make mistakes` takes them all here too
    with running_up(tmp_path / "data", workers=2, rounds=0) as up:
        browser = Uploader(up)
        browser.post("/sign-up", {"name": "Paige", "password": "correct horse battery"})
        api, submitting = Author(up, "apia"), Author(up, "subber")
        ways = {
            "file": lambda one: by_file(one, tmp_path / "here"),
            "page": lambda one: browser.by_page(one, api),
            "API": api.by_api,
            "submit": lambda one: submitting.by_submit(one, tmp_path / "there"),
        }
        wrong = [words for one in known for words in on_every_way(one, ways)]
        with up.database.read() as session:
            purposes = session.exec(select(Match.purpose).where(Match.trial_version_id.is_not(None))).all()  # type: ignore[union-attr]
    assert wrong == []
    assert set(purposes) == {"check"}
