"""Where a token comes from: the environment, the standard input or the system's keyring; never the command line."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gangland_ladder.submitting.site import Site

VARIABLE = "GANGLAND_TOKEN"
SERVICE = "gangland"
_FORM = re.compile(r"gangland_[1-9][0-9]{0,8}_[0-9a-f]{64}")
_LINE_CHARS = 1024


class NotSignedIn(Exception):
    """There is no token, or it lets nobody in; the message says what to do."""


class NoKeyring(Exception):
    """There is no keyring that could keep a token; the message says why."""


def token_for(site: Site, *, from_stdin: bool) -> str:
    """Return the token for a site: from stdin if asked to, else from the environment, else from the keyring.

    Raises:
        NotSignedIn: there is none, or what there is cannot be one.
    """
    if from_stdin:
        return _checked(_typed(), "on stdin")
    if given := os.environ.get(VARIABLE):
        return _checked(given.strip(), f"in {VARIABLE}")
    try:
        with _keyring() as ring:
            kept = ring.get_password(SERVICE, site.address)
    except NoKeyring as error:
        raise NotSignedIn(
            f"there is no token for {site.address}; {error}. "
            f"Create one at {site.address}/account/tokens and set {VARIABLE}"
        ) from error
    if kept is None:
        raise NotSignedIn(
            f"there is no token for {site.address}. Create one at {site.address}/account/tokens, then keep it with "
            f"`gangland submit --keep-token --site {site.address}`, or set {VARIABLE}"
        )
    return _checked(kept, "in the keyring")


def keep_token(site: Site) -> None:
    """Read a token from stdin and keep it in the keyring, for this site.

    Raises:
        NotSignedIn: what was read cannot be a token.
        NoKeyring: there is none, or it takes nothing.
    """
    token = _checked(_typed(), "on stdin")
    with _keyring() as ring:
        ring.set_password(SERVICE, site.address, token)


def _typed() -> str:
    """Return the first line of stdin; at a terminal it is asked for, and not shown."""
    if sys.stdin.isatty():
        from getpass import getpass

        return getpass("Token: ").strip()
    return sys.stdin.readline(_LINE_CHARS).strip()


def _checked(token: str, where: str) -> str:
    """Return a token that looks like one; what does not is neither sent nor shown."""
    if _FORM.fullmatch(token) is None:
        raise NotSignedIn(
            f"what is {where} is no token: one is gangland_, a number, _ and 64 hexadecimal digits. "
            "Copy all of it, or create a new one on the site's page /account/tokens"
        )
    return token


@contextmanager
def _keyring() -> Iterator[Any]:
    """Yield the system's keyring.

    Raises:
        NoKeyring: there is none, or it fails in its own way at what is done with it.
    """
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError as error:
        raise NoKeyring("the system's keyring needs pip install 'gangland[keyring]'") from error
    try:
        yield keyring
    except (KeyringError, OSError, RuntimeError) as error:
        raise NoKeyring(f"this system's keyring cannot be used: {type(error).__name__}") from error
