"""The sources of bots that workers need for their orders, laid ready by their hashes."""

from collections.abc import Collection, Mapping
from typing import Final, Protocol

from sqlmodel import Session, col, select

from gangland_web.models.bots import Code

CODE_STAYS_S: Final = 3600.0
"""So long a source stays after the last lease that needs it could have ended."""


class CodePost(Protocol):
    """What laying sources ready needs of the broker."""

    def put_code(self, sha256: str, source: bytes, lasts_s: float) -> None:
        """Lay a bot's source ready for the workers."""


def sources_of(session: Session, wanted: Collection[str]) -> dict[str, bytes]:
    """Return sources by their SHA-256, as far as they are kept."""
    if not wanted:
        return {}
    found = session.exec(select(Code.sha256, Code.source).where(col(Code.sha256).in_(wanted))).all()
    return {sha256: source for sha256, source in found if source is not None}


def put_codes(post: CodePost, codes: Mapping[str, bytes], lasts_s: float = 0.0) -> None:
    """Lay sources ready for orders whose leases last so long."""
    for sha256, source in codes.items():
        post.put_code(sha256, source, lasts_s + CODE_STAYS_S)
