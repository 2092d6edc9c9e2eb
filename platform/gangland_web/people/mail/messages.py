"""What mails say: plain text, in headers nothing that a person has typed but the address it goes to."""

from __future__ import annotations

from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, make_msgid
from typing import Final

from gangland_web.base.clock import now_s
from gangland_web.models.accounts import Kind
from gangland_web.settings.mail import Smtp

_SUBJECTS: Final = {
    Kind.CONFIRM: "Confirm your e-mail address",
    Kind.RECOVER: "Reset your password",
    Kind.PASSWORD: "Your password was changed",
    Kind.ADDRESS: "Your e-mail address was changed",
}
TAKEN: Final = """\
Somebody, probably you, entered this e-mail address for another account at {site}.
It already belongs to the account {name}, and an address can belong to one account only.

Nothing was changed.
"""
TEXTS: Final = {
    Kind.CONFIRM: """\
Somebody, probably you, entered this e-mail address for an account at {site}.

If it was you, open this page in a browser in which you are signed in:

{site}/account/email#{code}

or type the code there yourself:

{code}

The code works once and is valid for a day. If it was not you, ignore this mail.
""",
    Kind.RECOVER: """\
Somebody, probably you, asked for a new password for the account {name} at {site}.

If it was you, set one here:

{site}/recover/code#{code}

or type the code there yourself:

{code}

The code works once and is valid for half an hour. If it was not you, ignore this mail: your password stays the same.
""",
    Kind.PASSWORD: """\
The password of the account {name} at {site} was changed on {at}.

If it was you, you need not do anything. If it was not, set a new password:

{site}/recover

Then check your sign-ins and tokens on the page Account.
""",
    Kind.ADDRESS: """\
The e-mail address of the account {name} at {site} was changed or removed on {at}.
This address no longer gets mail about the account.

If it was you, you need not do anything. If it was not, ask an administrator of the site for help.
""",
}


def write_mail(
    smtp: Smtp, kind: Kind, to: str, *, name: str = "", code: str = "", at: float = 0.0, taken: bool = False
) -> EmailMessage:
    """Return a mail.

    Args:
        name: of the account; a confirmation leaves it out, or anybody could write to anybody by their name.
        code: what proves that somebody reads this mailbox.
        at: when it happened that the mail tells of.
        taken: of a confirmation: the address is another account's already.
    """
    moment = datetime.fromtimestamp(at, UTC).strftime("%d %b %Y %H:%M UTC")
    message = EmailMessage(policy=SMTP)
    message["From"] = f"Gangland <{smtp.sender}>"
    message["To"] = to
    message["Subject"] = _SUBJECTS[kind]
    message["Date"] = format_datetime(datetime.fromtimestamp(now_s(), UTC))
    message["Message-ID"] = make_msgid(domain=smtp.sender.rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"
    text = TAKEN if taken else TEXTS[kind]
    message.set_content(text.format(site=smtp.site, name=name, code=code, at=moment))
    return message
