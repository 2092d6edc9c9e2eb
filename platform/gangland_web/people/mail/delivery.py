"""Delivery: takes mails that wait out of the outbox, one by one, and hands them to the server.

A mail is taken by moving its next try on, and committed before it is sent: whoever dies in between sends it later.
So a mail may come twice and is never forgotten.  The secret in it is drawn when it is taken; what is kept is its hash.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from email.message import EmailMessage
from typing import Final

from sqlmodel import Session, col, delete, select, update

from gangland_web.base.clock import now_s
from gangland_web.base.text import address_key
from gangland_web.metrics.catalogue import MAILS
from gangland_web.metrics.counts import Counts
from gangland_web.models.accounts import EmailAddress, EmailCode, Kind, Mail, User
from gangland_web.models.columns import stored
from gangland_web.models.database import Database
from gangland_web.people.codes import hash_code, new_code
from gangland_web.people.mail.messages import write_mail
from gangland_web.people.mail.outbox import LASTS_S
from gangland_web.people.mail.smtp import NotSent, deliver
from gangland_web.settings.mail import Smtp

log = logging.getLogger("gangland_web.mail")

PAUSES_S: Final = (60.0, 120.0, 300.0, 600.0, 3600.0, 4 * 3600.0)
"""Between tries: the one after the last pause is the last try."""
MOST_AT_ONCE: Final = 50
_CODE_GROUPS: Final = 5
"""Some 99 bits."""


def send_due(
    database: Database,
    smtp: Smtp,
    hand_over: Callable[[Smtp, EmailMessage], None] = deliver,
    counts: Counts | None = None,
    is_ending: Callable[[], bool] = lambda: False,
) -> int:
    """Send what is due; return how many mails the server took.  A server that is away has the rest wait.

    Args:
        is_ending: whether no more are to be begun.
    """
    counts = counts or Counts()
    sent = 0
    for mail_id in _due(database):
        if is_ending():
            break
        message = _take(database, smtp, mail_id, counts)
        if message is None:
            continue
        try:
            hand_over(smtp, message)
        except NotSent as error:
            log.warning("mail %d was not sent: %s", mail_id, error)
            if error.for_good:
                _drop(database, mail_id)
                counts.add(MAILS, end="refused")
                continue
            _give_up(database, mail_id, counts)
            break
        _drop(database, mail_id)
        counts.add(MAILS, end="sent")
        sent += 1
    return sent


def _due(database: Database) -> list[int]:
    with database.read() as db:
        due = select(Mail.id).where(col(Mail.next_at) <= now_s()).order_by(col(Mail.next_at), col(Mail.id))
        return [stored(mail_id) for mail_id in db.exec(due.limit(MOST_AT_ONCE)).all()]


def _drop(database: Database, mail_id: int) -> None:
    with database.write() as db:
        db.exec(delete(Mail).where(col(Mail.id) == mail_id))


def _give_up(database: Database, mail_id: int, counts: Counts) -> None:
    """Drop a mail whose last try has failed."""
    with database.write() as db:
        tried = delete(Mail).where(col(Mail.id) == mail_id, col(Mail.tries) > len(PAUSES_S))
        if db.exec(tried).rowcount:
            log.warning("mail %d is given up after %d tries", mail_id, len(PAUSES_S) + 1)
            counts.add(MAILS, end="given_up")


def _take(database: Database, smtp: Smtp, mail_id: int, counts: Counts) -> EmailMessage | None:
    """Take one mail for a try and write it; None if somebody else has it, or if there is nothing to send."""
    now = now_s()
    with database.write() as db:
        db.exec(delete(EmailCode).where(col(EmailCode.expires_at) <= now))
        mail = db.get(Mail, mail_id)
        if mail is None or mail.next_at > now:
            return None
        kind = Kind(mail.kind)
        if mail.tries > len(PAUSES_S) or now - mail.created_at > LASTS_S[kind]:
            log.warning("mail %d is given up after %d tries", mail_id, mail.tries)
            counts.add(MAILS, end="given_up")
            db.delete(mail)
            return None
        unmoved = (col(Mail.id) == mail_id) & (col(Mail.next_at) == mail.next_at)
        pause_s = PAUSES_S[min(mail.tries, len(PAUSES_S) - 1)]
        moved = update(Mail).where(unmoved).values(next_at=now + pause_s, tries=Mail.tries + 1)
        if db.exec(moved.execution_options(synchronize_session=False)).rowcount != 1:
            return None
        message = _written(db, smtp, mail, kind)
        if message is None:
            db.exec(delete(Mail).where(col(Mail.id) == mail_id))
        return message


def _written(db: Session, smtp: Smtp, mail: Mail, kind: Kind) -> EmailMessage | None:
    """Return the mail with a fresh code in it; None if the account or the address is not there any more."""
    key = address_key(mail.address)
    confirmed = select(EmailAddress, User).join(User, col(User.id) == EmailAddress.user_id)
    confirmed = confirmed.where(EmailAddress.address_key == key, col(EmailAddress.confirmed_at).is_not(None))
    held = db.exec(confirmed.where(col(User.deleted_at).is_(None))).first()
    if kind is Kind.RECOVER:
        if held is None:
            return None
        address, user = held
        code = _new_code(db, kind, stored(user.id), address.address_key)
        return write_mail(smtp, kind, address.address, name=user.name, code=code)
    owner = None if mail.user_id is None else db.get(User, mail.user_id)
    if owner is None or owner.deleted_at is not None:
        return None
    if kind is not Kind.CONFIRM:
        return write_mail(smtp, kind, mail.address, name=owner.name, at=mail.created_at)
    if held is not None:
        return write_mail(smtp, kind, mail.address, name=held[1].name, taken=True)
    return write_mail(smtp, kind, mail.address, code=_new_code(db, kind, stored(owner.id), key))


def _new_code(db: Session, kind: Kind, user_id: int, key: str) -> str:
    code = new_code(_CODE_GROUPS)
    db.add(
        EmailCode(
            user_id=user_id,
            kind=kind.value,
            address_key=key,
            code_hash=hash_code(code),
            expires_at=now_s() + LASTS_S[kind],
        )
    )
    return code
