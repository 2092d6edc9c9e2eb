"""Store tokens, and check the URLs of the sites that they may be sent to."""

import ipaddress
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

# URLs of sites.


URL_FORM = "a URL such as https://gangland.example"


class WrongSite(ValueError):
    """A token must not be sent to this URL; the message explains why."""


@dataclass(frozen=True, slots=True)
class Site:
    """A site: its URL without a trailing slash, and whether it uses TLS."""

    address: str
    is_secure: bool

    def page(self, path: str) -> str:
        """Return the URL of a page, given a path from the site; if the path is invalid, of the front page."""
        is_valid = path.startswith("/") and not path.startswith("//") and path.isascii() and path.isprintable()
        parts = urlsplit(self.address)
        return f"{parts.scheme}://{parts.netloc}{path}" if is_valid and " " not in path else self.address


def site_of(address: str) -> Site:
    """Return the site at a URL. Raises WrongSite: the URL is invalid, contains a password, or lacks TLS."""
    try:
        parts = urlsplit(address.strip())
        host, _port = parts.hostname, parts.port
    except ValueError as error:
        raise WrongSite(f"{address[:80]!r} is not a URL: {error}; expected {URL_FORM}") from error
    if parts.username is not None or parts.password is not None:
        raise WrongSite(f"the URL contains a user name or password; expected {URL_FORM}")
    if parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment:
        raise WrongSite(f"{address[:80]!r} is not a site; expected {URL_FORM}")
    if not (address.isascii() and address.strip().isprintable()) or " " in address.strip():
        raise WrongSite(f"{address[:80]!r} has characters that a URL cannot have; expected {URL_FORM}")
    if parts.scheme == "http" and not _is_loopback(host):
        raise WrongSite(
            f"{address[:80]!r} has no TLS, so others on the network could read your token; "
            "expected https:// (http:// is for this machine only)"
        )
    return Site(f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}", parts.scheme == "https")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


# Tokens come from the environment, standard input or the system's keyring, but not from the command line.


VARIABLE = "GANGLAND_TOKEN"
SERVICE = "gangland"
_FORM = re.compile(r"gangland_[1-9][0-9]{0,8}_[0-9a-f]{64}")
_LINE_CHARS = 1024


class NotSignedIn(Exception):
    """There is no token, or it is invalid; the message explains what to do."""


class NoKeyring(Exception):
    """There is no keyring that can store a token; the message explains why."""


def token_for(site: Site, *, from_stdin: bool) -> str:
    """Return the token from stdin, the environment or the keyring. Raises NotSignedIn: it is missing or malformed."""
    if from_stdin:
        return _checked_token(_read_token(), "on stdin")
    if token := os.environ.get(VARIABLE):
        return _checked_token(token.strip(), f"in {VARIABLE}")
    try:
        with _keyring() as ring:
            stored = ring.get_password(SERVICE, site.address)
    except NoKeyring as error:
        raise NotSignedIn(
            f"no token for {site.address}: {error}. Create one at {site.address}/account/tokens and set {VARIABLE}."
        ) from error
    if stored is None:
        raise NotSignedIn(
            f"no token for {site.address}. Create one at {site.address}/account/tokens, then store it with "
            f"`gangland submit --keep-token --site {site.address}` or set {VARIABLE}."
        )
    return _checked_token(stored, "in the keyring")


def store_token(site: Site) -> None:
    """Store a token from stdin in the keyring. Raises NotSignedIn: it is malformed; NoKeyring: it cannot be stored."""
    token = _checked_token(_read_token(), "on stdin")
    with _keyring() as ring:
        ring.set_password(SERVICE, site.address, token)


def _read_token() -> str:
    if sys.stdin.isatty():
        from getpass import getpass

        return getpass("Token: ").strip()
    return sys.stdin.readline(_LINE_CHARS).strip()


def _checked_token(token: str, source: str) -> str:
    if _FORM.fullmatch(token) is None:  # the text is neither sent nor shown
        raise NotSignedIn(
            f"no valid token {source}: expected gangland_, a number, _ and 64 hexadecimal digits. "
            "Copy all of it, or create another at /account/tokens on the site."
        )
    return token


@contextmanager
def _keyring() -> Iterator[Any]:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError as error:
        raise NoKeyring("the system's keyring needs pip install 'gangland[keyring]'") from error
    try:
        yield keyring
    except (KeyringError, OSError, RuntimeError) as error:
        raise NoKeyring(f"this system's keyring cannot be used: {type(error).__name__}") from error
