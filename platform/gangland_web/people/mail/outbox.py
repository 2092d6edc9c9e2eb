"""The outbox: a row is written in the transaction of what it tells about, and a process of its own sends it."""

from __future__ import annotations

from typing import Final

from sqlmodel import Session, col, delete, select

from gangland_web.base.clock import now_s
from gangland_web.models.accounts import EmailAddress, Kind, Mail

LASTS_S: Final = {Kind.CONFIRM: 86_400.0, Kind.RECOVER: 1800.0, Kind.PASSWORD: 86_400.0, Kind.ADDRESS: 86_400.0}
"""By kind, how long a mail is worth sending, and how long a code in it is good for."""


def post(db: Session, kind: Kind, address: str, user_id: int | None = None) -> None:
    """Have a mail sent once the transaction is over; what nobody has sent for days goes."""
    now = now_s()
    db.exec(delete(Mail).where(col(Mail.created_at) < now - 2 * max(LASTS_S.values())))
    db.add(Mail(kind=kind.value, address=address, user_id=user_id, created_at=now, next_at=now))


def tell_owner(db: Session, kind: Kind, user_id: int) -> None:
    """Tell somebody by mail what was done to their account, if they have a confirmed address."""
    chosen = select(EmailAddress).where(EmailAddress.user_id == user_id, col(EmailAddress.confirmed_at).is_not(None))
    found = db.exec(chosen).first()
    if found is not None:
        post(db, kind, found.address, user_id)
