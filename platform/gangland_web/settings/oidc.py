"""Which provider a house trusts, and whom of its people it lets in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from urllib.parse import urlsplit

from gangland_web.settings.config import ConfigError, given, site_address
from gangland_web.settings.mail import is_here

NAMES = ("OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET")
NAME_CHARS = 40


@dataclass(frozen=True, slots=True)
class Oidc:
    """A provider of accounts.

    Attributes:
        issuer: its address, below which its discovery document lies.
        name: as people call it, on the button that leads there.
        site: what our own address begins with; never taken from a request.
        domains: of confirmed e-mail addresses that are let in; all if empty.
        groups: of which one is let in; all people if empty.
    """

    issuer: str
    client_id: str
    client_secret: str = field(repr=False)
    name: str
    site: str
    domains: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()

    @property
    def scope(self) -> str:
        """What is asked of the provider: no more than is looked at."""
        wanted = ("openid", "email" if self.domains else "", "groups" if self.groups else "")
        return " ".join(filter(None, wanted))


def read_oidc(env: Mapping[str, str]) -> Oidc | None:
    """Return the settings of the provider, None where there are none.

    Raises:
        ConfigError: some are missing or make no sense, or what speaks to a provider is not installed.
    """
    found = {name: given(env, name) for name in NAMES}
    if not any(found.values()):
        return None
    for name, value in found.items():
        if not value:
            raise ConfigError(f"{name} is not set; sign-in with OpenID Connect needs {', '.join(NAMES)} and SITE_URL")
    if find_spec("authlib") is None or find_spec("requests") is None:
        raise ConfigError("OIDC_ISSUER is set, and authlib is not installed: pip install 'gangland[oidc]'")
    name = (env.get("OIDC_NAME") or "your other account").strip()
    if len(name) > NAME_CHARS or not name.isprintable():
        raise ConfigError(f"OIDC_NAME has at most {NAME_CHARS} characters, all of which can be seen")
    return Oidc(
        _issuer(str(found["OIDC_ISSUER"])),
        str(found["OIDC_CLIENT_ID"]),
        str(found["OIDC_CLIENT_SECRET"]),
        name,
        site_address(env.get("SITE_URL")),
        frozenset(word.lower() for word in _words(env.get("OIDC_DOMAINS", ""))),
        frozenset(_words(env.get("OIDC_GROUPS", ""))),
    )


def _issuer(url: str) -> str:
    try:
        parts = urlsplit(url)
        sound = parts.scheme == "https" or (parts.scheme == "http" and is_here(parts.hostname or ""))
        sound = sound and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        sound = False
    if not sound or "@" in url or "?" in url or "#" in url:
        raise ConfigError("OIDC_ISSUER is no issuer: expected an address such as https://accounts.example, with TLS")
    return url.rstrip("/")


def _words(text: str) -> list[str]:
    return [word for word in (part.strip() for part in text.split(",")) if word]
