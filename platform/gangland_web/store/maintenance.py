"""Maintenance: pages are read, nothing is written by people, and no new match is given out."""

from sqlmodel import Session

from gangland_web.store.site_settings import Fact, fact, forget_fact, keep_fact

REASON_CHARS = 200


def maintenance(session: Session) -> str | None:
    """Return why the house is under maintenance; None if it is not."""
    known = fact(session, Fact.MAINTENANCE)
    return None if known is None else str(known.value["reason"])


def begin_maintenance(session: Session, reason: str) -> None:
    """Begin it, or give another reason.

    Raises:
        ValueError: the reason is none, or longer than a line.
    """
    line = " ".join(reason.split())
    if not 1 <= len(line) <= REASON_CHARS:
        raise ValueError(f"a reason of 1 to {REASON_CHARS} characters is needed, which people read; not {line[:60]!r}")
    known = fact(session, Fact.MAINTENANCE)
    keep_fact(session, Fact.MAINTENANCE, {"reason": line}, at=None if known is None else known.at)


def end_maintenance(session: Session) -> None:
    """End it, whether it was on or not."""
    forget_fact(session, Fact.MAINTENANCE)
