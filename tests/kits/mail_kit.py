"""A real SMTP server on this machine, which stores the mails that it receives, and a certificate for it."""

import datetime
import re
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from gangland_web.settings import Security, Smtp

SITE = "https://bots.example"
SENDER = "house@bots.example"
CODE = re.compile(r"^[a-z2-9]{4}(?:-[a-z2-9]{4}){4}$", re.MULTILINE)


@dataclass
class Inbox:
    mails: list[EmailMessage] = field(default_factory=list)
    envelopes: list[tuple[str, list[str]]] = field(default_factory=list)
    refuses_address: str = ""
    refuses_mail: str = ""

    async def handle_RCPT(  # noqa: N802 (aiosmtpd's name)
        self, server: Any, session: Any, envelope: Any, address: str, options: Any
    ) -> str:
        if self.refuses_address:
            return self.refuses_address
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 (aiosmtpd's name)
        if self.refuses_mail:
            return self.refuses_mail
        self.envelopes.append((envelope.mail_from, envelope.rcpt_tos))
        self.mails.append(message_from_bytes(envelope.content, policy=policy.default))
        return "250 OK"

    def take(self) -> EmailMessage:
        (mail,) = self.mails
        self.mails.clear()
        return mail


def text_of(mail: EmailMessage) -> str:
    text: str = mail.get_content()
    return text.replace("\r\n", "\n")


def code_in(mail: EmailMessage) -> str:
    found = CODE.search(text_of(mail))
    assert found, text_of(mail)
    assert f"#{found[0]}\n" in text_of(mail)
    return found[0]


class _AnyPort(Controller):
    def _trigger_server(self) -> None:
        server: Any = self.server
        self.port = int(server.sockets[0].getsockname()[1])
        super()._trigger_server()  # type: ignore[no-untyped-call]


@contextmanager
def smtp_server(inbox: Inbox, **options: Any) -> Iterator[int]:
    controller = _AnyPort(inbox, hostname="127.0.0.1", port=0, **options)
    controller.start()
    try:
        yield controller.port
    finally:
        controller.stop()


def smtp_of(port: int, security: Security = "none", user: str = "", password: str = "") -> Smtp:
    return Smtp("127.0.0.1", port, security, SENDER, SITE, user, password)


def only(user: str, password: str) -> Any:
    def authenticator(server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> AuthResult:
        fits = (data.login, data.password) == (user.encode(), password.encode())
        return AuthResult(success=fits, handled=fits)

    return authenticator


def certificate(folder: Path) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    day = datetime.timedelta(days=1)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - day)
        .not_valid_after(now + day)
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file = folder / "server.pem"
    file.write_bytes(secret + signed.public_bytes(serialization.Encoding.PEM))
    return file


def server_context(file: Path) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(file)
    return context
