"""Whether a message about a match comes from the host that was given the match.

The broker says whose queue a message lay in; a lease's token says to whom it was given, by a code that only this side
can make.  So a late message of the host that held a lease is told from one that another host made up.
"""

import hmac
import secrets
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Final

from sqlalchemy import bindparam, select
from sqlmodel import Session, col

from gangland_web.models.database import Database
from gangland_web.models.matches import WorkerHost
from gangland_web.models.site import Fact, SiteFact, fact, keep_fact

NONCE_BYTES: Final = 8
CODE_CHARS: Final = 32


class Sender(StrEnum):
    """What is known of a message's sender: the host itself, one that may not play, or one without such a lease."""

    ITSELF = "itself"
    SHUT_OUT = "shut out"
    FORGED = "forged"


@dataclass(frozen=True, slots=True)
class Seal:
    """Makes the tokens of leases and knows them again, by a key that never leaves the database."""

    key: bytes

    def token(self, match_id: int, host_id: int) -> str:
        """Return a new token for a lease of a match to a host: 48 hexadecimal digits."""
        nonce = secrets.token_hex(NONCE_BYTES)
        return nonce + self._code(match_id, host_id, nonce)

    def made(self, token: str, match_id: int, host_id: int) -> bool:
        """Whether a token was given to this host for this match, now or earlier."""
        nonce, code = token[: 2 * NONCE_BYTES], token[2 * NONCE_BYTES :]
        return hmac.compare_digest(self._code(match_id, host_id, nonce).encode(), code.encode("utf-8", "replace"))

    def _code(self, match_id: int, host_id: int, nonce: str) -> str:
        payload = f"{match_id}|{host_id}|{nonce}".encode("utf-8", "replace")
        return hmac.new(self.key, payload, sha256).hexdigest()[:CODE_CHARS]


def seal_of(session: Session) -> Seal | None:
    """Return the seal of this installation; None before the first match was given out."""
    known = fact(session, Fact.LEASE_KEY)
    return None if known is None else Seal(bytes.fromhex(known.value["key"]))


def ensure_seal(session: Session) -> Seal:
    """Return the seal of this installation, its key drawn on first use."""
    seal = seal_of(session)
    if seal is None:
        seal = Seal(secrets.token_bytes(32))
        keep_fact(session, Fact.LEASE_KEY, {"key": seal.key.hex()})
    return seal


def look_at_sender(database: Database, host_name: str, match_id: int, token: str) -> Sender:
    """Say whether a message about a match may be listened to; whether its lease still holds is for the row to say."""
    with database.read() as session:
        host = session.connection().execute(_HOST_AND_SEAL, {"its_name": host_name}).first()
    if host is None:
        return Sender.SHUT_OUT
    host_id, key = host
    sound = key is not None and Seal(bytes.fromhex(key["key"])).made(token, match_id, host_id)
    return Sender.ITSELF if sound else Sender.FORGED


_HOST_AND_SEAL: Final = (
    select(col(WorkerHost.id), col(SiteFact.value))
    .join_from(WorkerHost, SiteFact, col(SiteFact.name) == Fact.LEASE_KEY.value, isouter=True)
    .where(
        col(WorkerHost.name) == bindparam("its_name"),
        col(WorkerHost.revoked_at).is_(None),
        col(WorkerHost.stopped_at).is_(None),
    )
)
