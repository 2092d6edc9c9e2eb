"""Handing a mail to the SMTP server.  Its answers are not repeated: some quote the mail, and its secret with it."""

from __future__ import annotations

import smtplib
import ssl
from email.message import EmailMessage
from typing import Final

from gangland_web.settings.mail import Smtp

WAIT_S: Final = 20.0


class NotSent(Exception):
    """The server did not take a mail; the message says why in words of ours.

    Attributes:
        for_good: whether trying again is of no use, since it is this mail that it will not have.
    """

    def __init__(self, why: str, *, for_good: bool) -> None:
        super().__init__(why)
        self.for_good = for_good


def deliver(smtp: Smtp, message: EmailMessage) -> None:
    """Hand a mail to the server, which is spoken to in the clear only if the settings say so.

    Raises:
        NotSent: it did not take it.
    """
    try:
        with _connected(smtp) as server:
            if smtp.security == "starttls":
                server.starttls(context=ssl.create_default_context())
            if smtp.user:
                server.login(smtp.user, smtp.password)
            server.send_message(message, from_addr=smtp.sender, to_addrs=[message["To"]])
    except smtplib.SMTPRecipientsRefused as error:
        codes = [code for code, _ in error.recipients.values()]
        raise NotSent(f"the server refuses the address ({codes[0]})", for_good=min(codes) >= 500) from None
    except smtplib.SMTPAuthenticationError as error:
        raise NotSent(f"the server refuses our user or password ({error.smtp_code})", for_good=False) from None
    except smtplib.SMTPDataError as error:
        raise NotSent(f"the server refuses the mail ({error.smtp_code})", for_good=error.smtp_code >= 500) from None
    except smtplib.SMTPResponseException as error:
        raise NotSent(f"the server answers {error.smtp_code}", for_good=False) from None
    except smtplib.SMTPNotSupportedError:
        raise NotSent("the server offers no STARTTLS or no sign-in that we know", for_good=False) from None
    except ssl.SSLCertVerificationError as error:
        raise NotSent(f"the server's certificate is not trusted: {error.verify_message}", for_good=False) from None
    except (smtplib.SMTPException, OSError) as error:
        raise NotSent(f"the server is not reachable ({type(error).__name__})", for_good=False) from None


def _connected(smtp: Smtp) -> smtplib.SMTP:
    if smtp.security == "tls":
        return smtplib.SMTP_SSL(smtp.host, smtp.port, timeout=WAIT_S, context=ssl.create_default_context())
    return smtplib.SMTP(smtp.host, smtp.port, timeout=WAIT_S)
