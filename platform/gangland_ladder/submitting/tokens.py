"""Where a token comes from: the environment, the standard input or the system's keyring; never the command line."""

from __future__ import annotations

import os
import re
import sys
from typing import Any

from gangland_ladder.submitting.site import Site

VARIABLE = "GANGLAND_TOKEN"
SERVICE = "gangland"
_FORM = re.compile(r"gangland_[1-9][0-9]{0,8}_[0-9a-f]{64}")
_LINE_CHARS = 1024
_NO_KEYRING = "this system's keyring cannot be used"


class NotSignedIn(Exception):
    """There is no token, or it lets nobody in; the message says what to do."""


class NoKeyring(Exception):
    """There is no keyring that could keep a token."""


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
        kept = _keyring().get_password(SERVICE, site.address)
    except NoKeyring as error:
        raise NotSignedIn(_no_token(site, f" ({error})")) from error
    except Exception as error:
        if not _is_keyrings(error):
            raise
        raise NotSignedIn(_no_token(site, f" ({_NO_KEYRING}: {type(error).__name__})")) from error
    if kept is None:
        raise NotSignedIn(_no_token(site, ""))
    return _checked(kept, "in the keyring")


def keep_token(site: Site) -> None:
    """Read a token from stdin and keep it in the keyring, for this site.

    Raises:
        NotSignedIn: what was read cannot be a token.
        NoKeyring: there is none, or it takes nothing.
    """
    token, ring = _checked(_typed(), "on stdin"), _keyring()
    try:
        ring.set_password(SERVICE, site.address, token)
    except Exception as error:
        if not _is_keyrings(error):
            raise
        raise NoKeyring(f"{_NO_KEYRING} ({type(error).__name__}); give the token as {VARIABLE} instead") from error


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


def _keyring() -> Any:
    try:
        import keyring
    except ImportError as error:
        raise NoKeyring(f"for the system's keyring: pip install 'gangland[keyring]'; or set {VARIABLE}") from error
    return keyring


def _is_keyrings(error: Exception) -> bool:
    from keyring.errors import KeyringError

    return isinstance(error, KeyringError | OSError | RuntimeError)


def _no_token(site: Site, why: str) -> str:
    return (
        f"there is no token for {site.address}{why}. Create one at {site.address}/account/tokens, then keep it with "
        f"`gangland submit --keep-token --site {site.address}`, or set {VARIABLE}"
    )
