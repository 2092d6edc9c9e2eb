"""E-mail addresses of accounts: given, confirmed by a code that was mailed there, removed.

An address counts for nothing until it is confirmed, and two accounts never have the same confirmed one.  Whoever
gives an address learns nothing from us about whether another account has it: that is told in the mail.
"""

from __future__ import annotations

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete, select

from gangland_web.base.clock import now_s
from gangland_web.base.text import address_key, normal_address
from gangland_web.models.accounts import EmailAddress, EmailCode, Kind, Mail
from gangland_web.models.database import Database
from gangland_web.people.codes import hash_code, normal_code
from gangland_web.people.mail.outbox import post, tell_owner


class CodeRefused(ValueError):
    """A mailed code is not good; the message is for whoever typed it."""

    def __init__(self) -> None:
        super().__init__("This code is not valid: it is mistyped, used or expired.")


def emails_of(db: Session, user_id: int) -> tuple[EmailAddress | None, EmailAddress | None]:
    """Return a person's confirmed address and the one that waits to be confirmed."""
    found = db.exec(select(EmailAddress).where(EmailAddress.user_id == user_id)).all()
    confirmed = next((one for one in found if one.confirmed_at is not None), None)
    return confirmed, next((one for one in found if one.confirmed_at is None), None)


def give_email(database: Database, user_id: int, typed: str) -> None:
    """Note an address in place of any that waits, and have a code mailed there; a confirmed one stays until then."""
    address = normal_address(typed)
    with database.write() as db:
        _forget_waiting(db, user_id)
        db.add(EmailAddress(user_id=user_id, address=address, address_key=address_key(address), created_at=now_s()))
        post(db, Kind.CONFIRM, address, user_id)


def confirm_email(database: Database, user_id: int, typed: str) -> str:
    """Confirm the address that waits, in place of any other, and return it.

    Raises:
        CodeRefused: the code is not good for this account, or another account was faster with this address.
    """
    try:
        with database.write() as db:
            confirmed, waiting = emails_of(db, user_id)
            if waiting is None:
                raise CodeRefused
            good = select(EmailCode).where(EmailCode.code_hash == hash_code(normal_code(typed)))
            good = good.where(EmailCode.user_id == user_id, EmailCode.kind == Kind.CONFIRM.value)
            good = good.where(EmailCode.address_key == waiting.address_key, col(EmailCode.expires_at) > now_s())
            if db.exec(good).first() is None:
                raise CodeRefused
            if confirmed is not None:
                if confirmed.address_key != waiting.address_key:
                    tell_owner(db, Kind.ADDRESS, user_id)
                db.delete(confirmed)
                db.flush()
            db.exec(delete(EmailCode).where(col(EmailCode.user_id) == user_id))
            waiting.confirmed_at = now_s()
            db.add(waiting)
            return waiting.address
    except IntegrityError as error:
        raise CodeRefused from error


def remove_email(database: Database, user_id: int) -> bool:
    """Remove a person's addresses, and tell the one that was confirmed; False if there was none."""
    with database.write() as db:
        confirmed, waiting = emails_of(db, user_id)
        if confirmed is not None:
            tell_owner(db, Kind.ADDRESS, user_id)
        forget_emails(db, user_id, but_notices=True)
    return confirmed is not None or waiting is not None


def forget_emails(db: Session, user_id: int, *, but_notices: bool = False) -> None:
    """Forget a person's addresses, their codes, and the mails that wait for them, save notices if told so."""
    waiting = delete(Mail).where(col(Mail.user_id) == user_id)
    if but_notices:
        waiting = waiting.where(col(Mail.kind) == Kind.CONFIRM.value)
    db.exec(waiting)
    db.exec(delete(EmailCode).where(col(EmailCode.user_id) == user_id))
    db.exec(delete(EmailAddress).where(col(EmailAddress.user_id) == user_id))


def _forget_waiting(db: Session, user_id: int) -> None:
    mine = col(EmailCode.user_id) == user_id
    db.exec(delete(EmailCode).where(mine, col(EmailCode.kind) == Kind.CONFIRM.value))
    db.exec(delete(Mail).where(col(Mail.user_id) == user_id, col(Mail.kind) == Kind.CONFIRM.value))
    chosen = delete(EmailAddress).where(col(EmailAddress.user_id) == user_id)
    db.exec(chosen.where(col(EmailAddress.confirmed_at).is_(None)))
