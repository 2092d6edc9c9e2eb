"""A site's address: where a token may go."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

WANTED = "an address such as https://gangland.example"


class WrongSite(ValueError):
    """No token goes to this address; the message says why."""


@dataclass(frozen=True, slots=True)
class Site:
    """A site: its address without a slash at its end, and whether it is asked by TLS."""

    address: str
    is_secure: bool

    def page(self, path: str) -> str:
        """Return the address of a page whose path the site gave; its front page if that is no path."""
        good = path.startswith("/") and not path.startswith("//") and path.isascii() and path.isprintable()
        parts = urlsplit(self.address)
        return f"{parts.scheme}://{parts.netloc}{path}" if good and " " not in path else self.address


def site_of(given: str) -> Site:
    """Return the site at an address.

    Raises:
        WrongSite: it is no such address, has a password in it, or is asked without TLS across a network.
    """
    try:
        parts = urlsplit(given.strip())
        host, _port = parts.hostname, parts.port
    except ValueError as error:
        raise WrongSite(f"{given[:80]!r} is no address: {error}; expected {WANTED}") from error
    if parts.username is not None or parts.password is not None:
        raise WrongSite(f"a site's address has no name and no password in it; expected {WANTED}")
    if parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment:
        raise WrongSite(f"{given[:80]!r} is no site; expected {WANTED}")
    if not (given.isascii() and given.strip().isprintable()) or " " in given.strip():
        raise WrongSite(f"{given[:80]!r} has characters that no address has; expected {WANTED}")
    if parts.scheme == "http" and not _is_here(host):
        raise WrongSite(
            f"{given[:80]!r} is an address without TLS, so others on the network could read your token; "
            "expected https:// (http:// is only for this machine)"
        )
    return Site(f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}", parts.scheme == "https")


def _is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
