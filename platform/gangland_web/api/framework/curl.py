"""Each call as one line for a shell, which the suite runs as it stands."""

from __future__ import annotations

import re
from typing import Final

from gangland_web.api.framework.declared import Archive, Call, Stored

USUAL: Final = {
    "game": "gang-of-dice",
    "seats": "2",
    "block": "0",
    "rotation": "0",
    "bot_id": "$BOT",
    "other_id": "$OTHER_BOT",
    "version_id": "$VERSION",
    "match_id": "$MATCH",
    "tournament_id": "$TOURNAMENT",
    "author_id": "$AUTHOR",
    "team_id": "$TEAM",
    "event_id": "$EVENT",
    "invitation_id": "$INVITATION",
    "token_id": "$TOKEN",
    "directive_id": "$DIRECTIVE",
    "day": "$DAY",
    "season": "1",
}
"""What stands for the parts of a path: words as they are, or variables for what is one's own."""
KEY: Final = '-H "Idempotency-Key: $(cat /proc/sys/kernel/random/uuid)"'


def curl_line(call: Call) -> str:
    """Return the line; the token, where one is needed, is read from a file."""
    parts = ["curl -sS"]
    if call.needs is not None:
        parts.append("-H @token.header")
    if call.writes and (call.method != "POST" or not (call.example.body or call.example.form)):
        parts.append(f"-X {call.method}")
    if call.writes:
        parts.append(KEY)
    parts += [f"-F {field}" for field in call.example.form]
    if call.example.body:
        parts.append(f'--json "{call.example.body}"' if "$" in call.example.body else f"--json '{call.example.body}'")
    if call.answer in (Archive, Stored):
        parts.append("-OJ")
    parts.append(f'"$SITE{_address(call)}"')
    return " ".join(parts)


def _address(call: Call) -> str:
    values = {**USUAL, **call.example.path}
    path = re.sub(r"\{(\w+)\}", lambda part: values[part[1]], call.path)
    return f"/api/v1{path}" + (f"?{call.example.query}" if call.example.query else "")
