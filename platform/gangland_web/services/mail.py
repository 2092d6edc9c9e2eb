"""Mail: the outbox, texts, and delivery by SMTP."""

import logging
import smtplib
import ssl
import tomllib
from collections.abc import Callable
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, make_msgid
from functools import cache
from pathlib import Path
from typing import Final

from sqlmodel import Session, col, delete, select, update

from gangland_web.base.formats import now_s
from gangland_web.base.text import address_key
from gangland_web.metrics import MAILS, Counts
from gangland_web.models.accounts import EmailAddress, EmailCode, Kind, Mail, User
from gangland_web.models.columns import row_id
from gangland_web.models.database import Database
from gangland_web.services.accounts import hash_code, new_code
from gangland_web.settings import Smtp

# The outbox: a row is written in the same transaction as the event, and a separate process sends the email.

# How long an email may wait to be sent, and how long its code is valid, in seconds.
VALIDITY_S: Final = {Kind.CONFIRM: 86_400.0, Kind.RECOVER: 1800.0, Kind.PASSWORD: 86_400.0, Kind.ADDRESS: 86_400.0}


def queue_mail(db: Session, kind: Kind, address: str, user_id: int | None = None) -> None:
    """Queue an email, to be sent after the transaction, and delete those queued days ago."""
    now = now_s()
    db.exec(delete(Mail).where(col(Mail.created_at) < now - 2 * max(VALIDITY_S.values())))
    db.add(Mail(kind=kind.value, address=address, user_id=user_id, created_at=now, next_at=now))


def notify_owner(db: Session, kind: Kind, user_id: int) -> None:
    """Queue a notice about a change to a user's account, if the user has a confirmed address."""
    query = select(EmailAddress).where(EmailAddress.user_id == user_id, col(EmailAddress.confirmed_at).is_not(None))
    confirmed = db.exec(query).first()
    if confirmed is not None:
        queue_mail(db, kind, confirmed.address, user_id)


# Emails with texts from `mail.toml`. The recipient's address is the only part of the headers that a user has typed.


def write_mail(
    smtp: Smtp, kind: Kind, to: str, *, name: str = "", code: str = "", at: float = 0.0, in_use: bool = False
) -> EmailMessage:
    """Return an email about an event; `at`: the event's Unix time; `in_use`: whether an account has the address."""
    moment = datetime.fromtimestamp(at, UTC).strftime("%d %b %Y %H:%M UTC")
    message, texts = EmailMessage(policy=SMTP), _templates()[kind.value]
    message["From"] = f"Gangland <{smtp.sender}>"
    message["To"] = to
    message["Subject"] = texts["subject"]
    message["Date"] = format_datetime(datetime.fromtimestamp(now_s(), UTC))
    message["Message-ID"] = make_msgid(domain=smtp.sender.rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"
    # A confirmation does not contain a name. Otherwise a user could send any text to any address.
    message.set_content(texts["taken" if in_use else "text"].format(site=smtp.site, name=name, code=code, at=moment))
    return message


@cache
def _templates() -> dict[str, dict[str, str]]:
    return tomllib.loads(Path(__file__).with_name("mail.toml").read_text(encoding="utf-8"))


# SMTP. The server's replies are never logged or shown, because some quote the email, including its secret.

TIMEOUT_S: Final = 20.0


class SendError(Exception):
    """An email was not sent, and never can be if `permanent`; the message says why without quoting the server."""

    def __init__(self, reason: str, *, permanent: bool) -> None:
        super().__init__(reason)
        self.permanent = permanent


def deliver(smtp: Smtp, message: EmailMessage) -> None:
    """Send an email, encrypted unless the settings disable that.  Raises SendError."""
    try:
        with _connect(smtp) as server:
            if smtp.security == "starttls":
                server.starttls(context=ssl.create_default_context())
            if smtp.user:
                server.login(smtp.user, smtp.password)
            server.send_message(message, from_addr=smtp.sender, to_addrs=[message["To"]])
    except smtplib.SMTPRecipientsRefused as error:
        codes = [code for code, _ in error.recipients.values()]
        raise SendError(f"the server refuses the address ({codes[0]})", permanent=min(codes) >= 500) from None
    except smtplib.SMTPAuthenticationError as error:
        raise SendError(f"the server refuses our login ({error.smtp_code})", permanent=False) from None
    except smtplib.SMTPDataError as error:
        raise SendError(f"the server refuses the email ({error.smtp_code})", permanent=error.smtp_code >= 500) from None
    except smtplib.SMTPResponseException as error:
        raise SendError(f"the server answers {error.smtp_code}", permanent=False) from None
    except smtplib.SMTPNotSupportedError:
        raise SendError("the server lacks STARTTLS or a sign-in method that we support", permanent=False) from None
    except ssl.SSLCertVerificationError as error:
        raise SendError(f"the server's certificate is not trusted: {error.verify_message}", permanent=False) from None
    except (smtplib.SMTPException, OSError) as error:
        raise SendError(f"the server is not reachable ({type(error).__name__})", permanent=False) from None


def _connect(smtp: Smtp) -> smtplib.SMTP:
    if smtp.security == "tls":
        return smtplib.SMTP_SSL(smtp.host, smtp.port, timeout=TIMEOUT_S, context=ssl.create_default_context())
    return smtplib.SMTP(smtp.host, smtp.port, timeout=TIMEOUT_S)


# Delivery.
#
# Claiming an email sets the time of the next attempt and commits before it is sent. If this process dies, the email is
# sent later. So a crash may send an email twice, but never loses it. The secret is generated when the email is claimed,
# and only its hash is stored.

log = logging.getLogger("gangland_web.mail")

# Pauses between attempts. The attempt after the last pause is the last one.
PAUSES_S: Final = (60.0, 120.0, 300.0, 600.0, 3600.0, 4 * 3600.0)
MAX_PER_RUN: Final = 50
_CODE_GROUPS: Final = 5  # about 99 bits


def send_due(
    database: Database,
    smtp: Smtp,
    send: Callable[[Smtp, EmailMessage], None] = deliver,
    counts: Counts | None = None,
    is_ending: Callable[[], bool] = lambda: False,
) -> int:
    """Send the emails that are due, until a temporary failure or `is_ending`; return the number accepted."""
    counts = counts or Counts()
    sent = 0
    for mail_id in _due_ids(database):
        if is_ending():
            break
        message = _claim(database, smtp, mail_id, counts)
        if message is None:
            continue
        try:
            send(smtp, message)
        except SendError as error:
            log.warning("email %d was not sent: %s", mail_id, error)
            if error.permanent:
                _drop(database, mail_id)
                counts.add(MAILS, end="refused")
                continue
            _give_up(database, mail_id, counts)
            break
        _drop(database, mail_id)
        counts.add(MAILS, end="sent")
        sent += 1
    return sent


def _due_ids(database: Database) -> list[int]:
    with database.read() as db:
        due = select(Mail.id).where(col(Mail.next_at) <= now_s()).order_by(col(Mail.next_at), col(Mail.id))
        return [row_id(mail_id) for mail_id in db.exec(due.limit(MAX_PER_RUN)).all()]


def _claim(database: Database, smtp: Smtp, mail_id: int, counts: Counts) -> EmailMessage | None:
    """Claim an email and compose it; None if another process has claimed it or it must not be sent."""
    now = now_s()
    with database.write() as db:
        db.exec(delete(EmailCode).where(col(EmailCode.expires_at) <= now))
        mail = db.get(Mail, mail_id)
        if mail is None or mail.next_at > now:
            return None
        kind = Kind(mail.kind)
        if mail.tries > len(PAUSES_S) or now - mail.created_at > VALIDITY_S[kind]:
            log.warning("gave up on email %d after %d tries", mail_id, mail.tries)
            counts.add(MAILS, end="given_up")
            db.delete(mail)
            return None
        is_unclaimed = (col(Mail.id) == mail_id) & (col(Mail.next_at) == mail.next_at)
        pause_s = PAUSES_S[min(mail.tries, len(PAUSES_S) - 1)]
        claim = update(Mail).where(is_unclaimed).values(next_at=now + pause_s, tries=Mail.tries + 1)
        if db.exec(claim.execution_options(synchronize_session=False)).rowcount != 1:
            return None
        message = _compose(db, smtp, mail, kind)
        if message is None:
            db.exec(delete(Mail).where(col(Mail.id) == mail_id))
        return message


def _compose(db: Session, smtp: Smtp, mail: Mail, kind: Kind) -> EmailMessage | None:
    """Return the email, with a new code if necessary; None if the account or the address no longer exists."""
    key = address_key(mail.address)
    confirmed = select(EmailAddress, User).join(User, col(User.id) == EmailAddress.user_id)
    confirmed = confirmed.where(EmailAddress.address_key == key, col(EmailAddress.confirmed_at).is_not(None))
    confirmed_row = db.exec(confirmed.where(col(User.deleted_at).is_(None))).first()
    if kind is Kind.RECOVER:
        if confirmed_row is None:
            return None
        address, user = confirmed_row
        code = _add_code(db, kind, row_id(user.id), address.address_key)
        return write_mail(smtp, kind, address.address, name=user.name, code=code)
    owner = None if mail.user_id is None else db.get(User, mail.user_id)
    if owner is None or owner.deleted_at is not None:
        return None
    if kind is not Kind.CONFIRM:
        return write_mail(smtp, kind, mail.address, name=owner.name, at=mail.created_at)
    if confirmed_row is not None:
        return write_mail(smtp, kind, mail.address, name=confirmed_row[1].name, in_use=True)
    return write_mail(smtp, kind, mail.address, code=_add_code(db, kind, row_id(owner.id), key))


def _add_code(db: Session, kind: Kind, user_id: int, key: str) -> str:
    code = new_code(_CODE_GROUPS)
    db.add(
        EmailCode(
            user_id=user_id,
            kind=kind.value,
            address_key=key,
            code_hash=hash_code(code),
            expires_at=now_s() + VALIDITY_S[kind],
        )
    )
    return code


def _drop(database: Database, mail_id: int) -> None:
    with database.write() as db:
        db.exec(delete(Mail).where(col(Mail.id) == mail_id))


def _give_up(database: Database, mail_id: int, counts: Counts) -> None:
    with database.write() as db:
        statement = delete(Mail).where(col(Mail.id) == mail_id, col(Mail.tries) > len(PAUSES_S))
        if db.exec(statement).rowcount:
            log.warning("gave up on email %d after %d tries", mail_id, len(PAUSES_S) + 1)
            counts.add(MAILS, end="given_up")
