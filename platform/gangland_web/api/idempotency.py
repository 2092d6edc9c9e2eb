"""Calls that may be sent again: under an Idempotency-Key the first answer is the only one."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

from flask import request
from sqlmodel import Session, col, delete, select

from gangland_web.base.clock import now_s
from gangland_web.models.site import StoredAnswer
from gangland_web.web.requests import Problem

KEPT_S = 24 * 3600
KEPT = 100
"""How long and how many answers are kept for a person; the oldest go first."""
SHOWN_ONCE = frozenset({"invite_code"})
"""Members of answers that are kept nowhere: when the call is answered again they are null."""
_KEY = re.compile(r'"?([!-~]{1,64}?)"?')


@dataclass(frozen=True, slots=True)
class Call:
    """A call of somebody's under a key, which may be None; `fingerprint` stands for all that was sent."""

    owner_id: int
    key: str | None
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call is answered with; `again` if it was so before."""

    status: int
    document: dict[str, Any]
    again: bool = False


def key_of_request() -> str | None:
    """Return the request's Idempotency-Key, None if it has none.

    Raises:
        Problem: it is none.
    """
    given = request.headers.get("Idempotency-Key")
    if given is None:
        return None
    found = _KEY.fullmatch(given.strip())
    if found is None:
        raise Problem(400, "E309", "An Idempotency-Key has 1 to 64 printable ASCII characters and no space.")
    return found[1]


def fingerprint(*parts: bytes) -> str:
    """Return the SHA-256 (hex) of these parts, told apart by their lengths."""
    digest = sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def kept(db: Session, call: Call) -> Answer | None:
    """Return what the call was answered with before, None if it was not.

    Raises:
        Problem: under this key something else was sent.
    """
    if call.key is None:
        return None
    found = db.get(StoredAnswer, (call.owner_id, call.key))
    if found is None or found.created_at < now_s() - KEPT_S:
        return None
    if found.fingerprint != call.fingerprint:
        raise Problem(422, "E306", "Another body was sent with this Idempotency-Key. Create a new key for a new call.")
    return Answer(found.status, json.loads(found.answer), again=True)


def keep(db: Session, call: Call, answer: Answer) -> None:
    """Keep the answer of a call with a key, and forget those that are too old or too many."""
    if call.key is None:
        return
    own = col(StoredAnswer.owner_id) == call.owner_id
    newest = select(StoredAnswer.key).where(own).order_by(col(StoredAnswer.created_at).desc(), col(StoredAnswer.key))
    spared = list(db.exec(newest.limit(KEPT - 1)).all())
    gone = col(StoredAnswer.key).not_in(spared) | (col(StoredAnswer.created_at) < now_s() - KEPT_S)
    db.exec(delete(StoredAnswer).where(own, gone))
    text = json.dumps(answer.document | dict.fromkeys(SHOWN_ONCE & answer.document.keys()))
    db.add(StoredAnswer(**asdict(call), status=answer.status, answer=text, created_at=now_s()))
    db.flush()
