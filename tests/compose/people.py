"""An admin, and an author with a bot, who reach the site as people and programs do: by forms and by the API."""

import json
import re
import urllib.request
from typing import Any

from tests.flow import flow_kit, mistakes_kit

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


class Person(flow_kit.Browser):
    def __init__(self, port: int, name: str) -> None:
        super().__init__(port)
        self.name = name
        self._token = ""

    def sign_up(self) -> None:
        self.post("/sign-up", {"name": self.name, "password": PASSWORD})

    def become_admin(self, code: str) -> bool:
        self.post("/setup", {"code": code})
        return "/organize" in self.get("/")

    def take_token(self) -> None:
        _, page = self.post("/account/tokens", {"name": "laptop", "scope": ["read", "upload"], "days": "1"})
        found = TOKEN.search(page)
        if found is None:
            raise ValueError("the page of tokens shows no token")
        self._token = found.group()

    def ask(self, path: str) -> Any:
        return self._call(urllib.request.Request(f"{self._root}/api/v1{path}"))

    def upload(self, version: int) -> int:
        body = mistakes_kit.multipart({"game": GAME}, f"{BOT}.py", SOURCE.format(version=version).encode())
        request = urllib.request.Request(f"{self._root}/api/v1/bots", body)
        request.add_header("Content-Type", f"multipart/form-data; boundary={mistakes_kit.BOUNDARY}")
        request.add_header("Idempotency-Key", f"version-{version}")
        return int(self._call(request)["id"])

    def is_rated(self, version: int, seats: int) -> bool:
        rows = json.loads(self.get(f"/ladders/{GAME}.json?seats={seats}"))["rows"]
        return any((row["bot"], row["version"]) == (BOT, version) and row["games"] > 0 for row in rows)

    def _call(self, request: urllib.request.Request) -> Any:
        if self._token:
            request.add_header("Authorization", f"Bearer {self._token}")
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read())
