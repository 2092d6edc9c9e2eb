"""Typical mistakes, and ways to check or to send in a file: by `gangland check`, page, API and `gangland submit`."""

import json
import re
import time
import tomllib
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any

from tests.flow.flow_kit import Browser, Up
from tests.kits.command_kit import gangland

from gangland_web.models.accounts import User
from gangland_web.services.tokens import DEFAULT_SCOPES, create_token

MISTAKES = Path(__file__).resolve().parent.parent / "mistakes" / "mistakes.toml"
BOUNDARY = "a-line-that-no-bot-has"

_CODED = re.compile(r"([EW]\d{3}) [^:]+: (?:line (\d+): )?(.*)")
_SAID = re.compile(r'<pre class="said"[^>]*>(.*?)</pre>|<p class="error" id="file-error">(.*?)</p>', re.DOTALL)


@dataclass(frozen=True)
class Mistake:
    what: str
    game: str
    file: str
    source: bytes
    code: str
    says: str


@dataclass(frozen=True)
class Told:
    code: str
    head: str
    line: int | None


def mistakes() -> list[Mistake]:
    given = tomllib.loads(MISTAKES.read_text(encoding="utf-8"))["mistake"]
    return [
        Mistake(
            one["what"],
            one["game"],
            one.get("file", "mine.py"),
            bytes.fromhex(one["bytes"]) if "bytes" in one else one["source"].encode(),
            one["code"],
            one["says"],
        )
        for one in given
    ]


def told(finding: dict[str, Any]) -> Told:
    return Told(finding["code"], finding["message"].partition("\n")[0], finding["line"])


def by_file(mistake: Mistake, folder: Path) -> Told:
    done = gangland("check", written(mistake, folder), "--game", mistake.game, "--json")
    assert done.code == 1, done.err
    return told(json.loads(done.out)["problems"][0])


def written(mistake: Mistake, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / mistake.file
    path.write_bytes(mistake.source)
    return path


class Author:
    def __init__(self, up: Up, name: str) -> None:
        with up.database.write() as session:
            user = User(name=name, name_key=name.lower(), password_hash="-", created_at=0.0)
            session.add(user)
            session.flush()
            owner = user.id or 0
        self.up, self.name = up, name
        self.token = create_token(up.database, owner, "laptop", DEFAULT_SCOPES, 90)
        self.root = f"http://127.0.0.1:{up.port}"

    def by_api(self, mistake: Mistake) -> Told:
        fields = {"game": mistake.game, "name": f"{self.name} api {mistake.what}"[:60]}
        try:
            version = self._call("/api/v1/bots", multipart(fields, mistake.file, mistake.source))
        except urllib.error.HTTPError as refused:
            return told(json.load(refused)["findings"][0])
        return told(self.verdict(version["url"])["findings"][0])

    def by_submit(self, mistake: Mistake, folder: Path) -> Told:
        path = written(mistake, folder)
        env = {"GANGLAND_TOKEN": self.token, "GANGLAND_CLI_SITE": self.root}
        name = f"{self.name} {mistake.what}"[:60]
        done = gangland("submit", path, "--game", mistake.game, "--name", name, "--json", "--quiet", env=env)
        assert done.code == 1, done.err
        return told(json.loads(done.out)["problems"][0])

    def verdict(self, url: str) -> dict[str, Any]:
        for _ in range(3000):
            version = self._call(url)
            if version["terminal"]:
                return version
            time.sleep(0.2)
        raise AssertionError(f"no verdict on {url}")

    def _call(self, path: str, body: bytes | None = None) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self.token}"}
        if body is not None:
            headers |= {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}", "Idempotency-Key": str(hash(body))}
        with urllib.request.urlopen(urllib.request.Request(self.root + path, body, headers), timeout=60) as answer:
            found: dict[str, Any] = json.load(answer)
            return found


class Uploader(Browser):
    def by_page(self, mistake: Mistake, author: Author) -> Told:
        token = re.search(r'name="csrf_token" value="([^"]+)"', self.get("/upload"))
        assert token is not None
        fields = {"csrf_token": token[1], "game": mistake.game, "name": f"{author.name} page {mistake.what}"[:60]}
        headers = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
        form = urllib.request.Request(f"{author.root}/upload", multipart(fields, mistake.file, mistake.source), headers)
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


def multipart(fields: dict[str, str], filename: str, source: bytes) -> bytes:
    parts = [f'Content-Disposition: form-data; name="{key}"\r\n\r\n{value}'.encode() for key, value in fields.items()]
    parts.append(f'Content-Disposition: form-data; name="file"; filename="{filename}"\r\n\r\n'.encode() + source)
    return b"".join(b"--%s\r\n%s\r\n" % (BOUNDARY.encode(), part) for part in parts) + f"--{BOUNDARY}--\r\n".encode()


def on_every_way(mistake: Mistake, ways: dict[str, Callable[[Mistake], Told]]) -> list[str]:
    """Return differences between the messages for a mistake, by the name of the way."""
    found = {name: way(mistake) for name, way in ways.items()}
    wrong = [
        f"{mistake.what}: by {name} {one}, expected {mistake.code} {mistake.says}"
        for name, one in found.items()
        if one.code != mistake.code or not one.head.startswith(mistake.says)
    ]
    if len({(one.code, one.line) for one in found.values()}) > 1:
        wrong.append(f"{mistake.what}: not alike: {found}")
    return wrong
