"""An admin, and an author with a bot, who reach the site as people and programs do: by forms and by the API."""

from __future__ import annotations

import json
import re
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar
from secrets import token_hex
from typing import Any

GAME = "gang-of-dice"
BOT = "newcomer"
SOURCE = """from gangland import gang_of_dice


class Newcomer(gang_of_dice.Bot):
    \"\"\"Version {version}.\"\"\"

    def choose_dice(self, view):
        want = 2 if view.card.yellow else 4
        return min(want, view.pool)
"""
PASSWORD = "correct horse battery"
TOKEN = re.compile(r"gangland_[1-9][0-9]*_[0-9a-f]{64}")


class Person:
    """Somebody with a browser (cookies and forms) and, later, a token for programs."""

    def __init__(self, port: int, name: str) -> None:
        """Nobody yet, to the site."""
        self.name, self._root = name, f"http://127.0.0.1:{port}"
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self._token = ""

    def get(self, path: str) -> str:
        """Return a page.  Raises OSError where the site does not give it."""
        with self._opener.open(self._root + path, timeout=30) as answer:
            text: str = answer.read().decode()
            return text

    def fill_in(self, path: str, *fields: tuple[str, str]) -> str:
        """Send a page's form; return the page that this led to."""
        found = re.search(r'name="csrf_token" value="([^"]+)"', self.get(path))
        if found is None:
            raise ValueError(f"{path} has no form to fill in")
        body = urllib.parse.urlencode([("csrf_token", found.group(1)), *fields]).encode()
        with self._opener.open(self._root + path, body, timeout=30) as answer:
            text: str = answer.read().decode()
            return text

    def sign_up(self) -> None:
        """Make an account."""
        self.fill_in("/sign-up", ("name", self.name), ("password", PASSWORD))

    def become_admin(self, code: str) -> bool:
        """Use the first start's code; True if the site then is theirs to run."""
        self.fill_in("/setup", ("code", code))
        return "/organise" in self.get("/")

    def take_token(self) -> None:
        """Make a token that may read and upload."""
        page = self.fill_in(
            "/account/tokens", ("name", "laptop"), ("scope", "read"), ("scope", "upload"), ("days", "1")
        )
        found = TOKEN.search(page)
        if found is None:
            raise ValueError("the page of tokens shows no token")
        self._token = found.group()

    def ask(self, path: str) -> Any:
        """Return what a GET of the API answers, with the token if there is one."""
        return self._call(urllib.request.Request(f"{self._root}/api/v1{path}"))

    def upload(self, version: int) -> int:
        """Send in a version of the bot and return its id."""
        boundary = token_hex(16)
        parts = [f'--{boundary}\r\nContent-Disposition: form-data; name="game"\r\n\r\n{GAME}\r\n']
        parts.append(f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{BOT}.py"\r\n')
        parts.append(f"Content-Type: text/x-python\r\n\r\n{SOURCE.format(version=version)}\r\n--{boundary}--\r\n")
        request = urllib.request.Request(f"{self._root}/api/v1/bots", "".join(parts).encode())
        request.add_header("Content-Type", f"multipart/form-data; boundary={boundary}")
        request.add_header("Idempotency-Key", f"version-{version}")
        return int(self._call(request)["id"])

    def is_rated(self, version: int, seats: int) -> bool:
        """Tell whether a version of the bot stands on the ladder at so many seats, with games."""
        rows = json.loads(self.get(f"/ladders/{GAME}.json?seats={seats}"))["rows"]
        return any((row["bot"], row["version"]) == (BOT, version) and row["games"] > 0 for row in rows)

    def _call(self, request: urllib.request.Request) -> Any:
        if self._token:
            request.add_header("Authorization", f"Bearer {self._token}")
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read())
