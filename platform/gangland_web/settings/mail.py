"""Where mail goes out and what its links begin with: settings that the mailer alone is given whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Final, Literal
from urllib.parse import unquote, urlsplit

from gangland_web.base.text import address_problem
from gangland_web.settings.config import ConfigError, given, site_address

Security = Literal["starttls", "tls", "none"]

_SCHEMES: Final[dict[str, tuple[Security, int]]] = {
    "smtp": ("starttls", 587),
    "smtps": ("tls", 465),
    "smtp+plain": ("none", 25),
}
_FORM: Final = "expected smtp://USER@HOST:587 (STARTTLS), smtps://USER@HOST:465 (TLS) or smtp+plain://HOST:25 (neither)"


@dataclass(frozen=True, slots=True)
class Smtp:
    """An SMTP server and who writes: `user` and `password` are empty where it asks for none.

    Attributes:
        site: what links begin with, such as `https://bots.example`; never taken from a request.
    """

    host: str
    port: int
    security: Security
    sender: str
    site: str
    user: str = ""
    password: str = field(default="", repr=False)


def read_smtp(env: Mapping[str, str]) -> Smtp | None:
    """Return the settings of mail, None where there are none.  No message shows a password.

    Raises:
        ConfigError: only some of SMTP_URL, SMTP_FROM and SITE_URL are set, or one of them makes no sense.
    """
    url, sender, site = given(env, "SMTP_URL"), env.get("SMTP_FROM"), env.get("SITE_URL")
    if not url and not sender:
        return None
    if not url:
        raise ConfigError(f"SMTP_FROM is set and SMTP_URL is not: {_FORM}")
    if not sender:
        raise ConfigError("SMTP_URL is set and SMTP_FROM is not: expected the address that mails come from")
    if why := address_problem(sender):
        raise ConfigError(f"SMTP_FROM is no address, such as house@bots.example: {why}")
    host, port, security, user, password = _server(url)
    password = given(env, "SMTP_PASSWORD") or password
    if bool(user) != bool(password):
        raise ConfigError("SMTP_URL needs a user and SMTP_PASSWORD (or SMTP_PASSWORD_FILE) a password, or neither")
    if user and security == "none" and not is_here(host):
        raise ConfigError("SMTP_URL would send a password in the clear: use smtp:// or smtps://")
    return Smtp(host, port, security, sender, site_address(site), user, password)


def _server(url: str) -> tuple[str, int, Security, str, str]:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise ConfigError(f"SMTP_URL is no address: {_FORM}") from error
    if parts.scheme not in _SCHEMES or not parts.hostname or parts.path not in ("", "/") or parts.query:
        raise ConfigError(f"SMTP_URL is none that we know: {_FORM}")
    security, usual = _SCHEMES[parts.scheme]
    return parts.hostname, port or usual, security, unquote(parts.username or ""), unquote(parts.password or "")


def is_here(host: str) -> bool:
    """Tell whether a host's name or address is this machine's own."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
