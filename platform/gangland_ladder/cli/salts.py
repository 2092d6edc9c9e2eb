"""`--salt`: the salt that all dice of a local run come from, this machine's own unless one is given."""

from __future__ import annotations

import os
import secrets
from typing import Annotated

import typer

from gangland_ladder.cli import report
from gangland_ladder.local.bots import NoSuchBot
from gangland_ladder.local.salt import SALT_BYTES, NoSalt, machine_salt, parsed_salt

Salt = Annotated[
    str | None,
    typer.Option(
        "--salt",
        metavar="HEX",
        help="Mixed into all dice; if left out, this machine's own salt, which is printed.",
    ),
]


def given_salt(text: str | None) -> bytes | None:
    """Return the salt that a call names, None if it names none.

    Raises:
        NoSuchBot: that is no salt.
    """
    try:
        return None if text is None else parsed_salt(text)
    except ValueError as error:
        raise NoSuchBot(str(error)) from error


def salt_of(text: str | None) -> bytes:
    """Return the salt that a call names, else this machine's; one for this run alone where that cannot be kept.

    Raises:
        NoSuchBot: the call names what is no salt.
    """
    return given_salt(text) or own_salt()


def own_salt() -> bytes:
    """Return this machine's salt, or one for this run alone, and say so, where that cannot be read or kept."""
    try:
        return machine_salt(os.environ)
    except NoSalt as error:
        report.say(f"{error}; this run has a salt of its own, give it to --salt for the same dice")
        return secrets.token_bytes(SALT_BYTES)


def in_words(seed: int, salt: bytes) -> str:
    """Return in words what all dice of a run come from."""
    return f"seed {seed}, salt {salt.hex()}"


def words(salt: bytes) -> str:
    """Return the salt as it is given on a command line, with a space before it."""
    return f" --salt {salt.hex()}"
