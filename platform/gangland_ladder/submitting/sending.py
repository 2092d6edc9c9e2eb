"""Sending a bot in, and following its version until there is a verdict."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable

from gangland_ladder.local.bots import LocalBot
from gangland_ladder.submitting.answers import Token, Version
from gangland_ladder.submitting.client import Client, Reply

API = "/api/v1"
SOONEST_S, LATEST_S = 1.0, 5.0
"""How often a version is asked for: soon after it has moved, then more and more rarely."""
_SLOWER = 1.5


def who(client: Client) -> Token:
    """Return what the site says of the token.  Raises what `Client.call` does."""
    return client.read(client.call("GET", f"{API}/token"), Token)


def send(client: Client, bot: LocalBot, game: str, name: str | None, team: str | None = None) -> Version:
    """Send a bot in, for the team of that name if there is one, and return its version.

    It may be sent more than once, under one Idempotency-Key, so it is taken in once.
    Raises what `Client.call` does.
    """
    given = {"game": game, "name": name, "team": team}
    fields = {key: value for key, value in given.items() if value is not None}
    boundary = secrets.token_hex(24)
    headers = {
        "Content-Type": f"multipart/form-data; boundary={boundary}",
        "Idempotency-Key": secrets.token_hex(16),
    }
    reply = client.call("POST", f"{API}/bots", headers=headers, body=_form(boundary, fields, bot))
    return client.read(reply, Version)


def follow(client: Client, version_id: int, on_change: Callable[[Version], None]) -> Version:
    """Return a version as it is after the verdict; `on_change` is called with it each time that it has changed.

    Raises what `Client.call` does.
    """
    reply: Reply | None = None
    wait_s = SOONEST_S
    while True:
        tag = reply.headers.get("ETag") if reply is not None else None
        new = client.call("GET", f"{API}/versions/{version_id}", headers={"If-None-Match": tag} if tag else {})
        if new.status != 304:
            reply, wait_s = new, SOONEST_S
            version = client.read(reply, Version)
            on_change(version)
            if version.terminal:
                return version
        time.sleep(max(wait_s, min(new.retry_after_s or 0.0, 60.0)))
        wait_s = min(wait_s * _SLOWER, LATEST_S)


def _form(boundary: str, fields: dict[str, str], bot: LocalBot) -> bytes:
    """Return the form; a file's name that intake takes needs no quoting."""
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{bot.filename}"\r\n'
    head += "Content-Type: application/octet-stream\r\n\r\n"
    return "".join(parts).encode() + head.encode() + bot.source + f"\r\n--{boundary}--\r\n".encode()
