"""E-mail addresses as people type them: read, checked, and compared."""

from __future__ import annotations

import re
from typing import Final

ADDRESS_CHARS: Final = 254
_LOCAL: Final = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_LABEL: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_LOCAL_CHARS: Final = 64


def normal_address(typed: str) -> str:
    """Return an address with its domain in the letters of the DNS; what is none comes back stripped."""
    if len(typed) > ADDRESS_CHARS:  # putting accents in order takes the square of them
        return typed.strip()
    local, at, domain = typed.strip().rpartition("@")
    try:
        return f"{local}{at}{domain.encode('idna').decode().lower()}"
    except UnicodeError:
        return typed.strip()


def address_key(address: str) -> str:
    """Return that by which two addresses are the same: nobody gives one mailbox in two cases to two people."""
    return normal_address(address).lower()


def address_problem(typed: str) -> str | None:
    """Return why mail cannot be sent there, None if it may be; a mailbox itself is tried by mail alone.

    Quoted names and address literals are refused: nobody has one, and they are how headers are smuggled in.
    """
    address = normal_address(typed)
    local, _, domain = address.rpartition("@")
    labels = domain.split(".")
    if len(address) > ADDRESS_CHARS or len(local) > _LOCAL_CHARS:
        return "This address is too long."
    if not local or not domain:
        return "An e-mail address has a name, an @ and a domain, such as ann@school.example."
    if not _LOCAL.fullmatch(local):
        return "Before the @ only letters without accents, digits and signs such as . - _ + are allowed."
    if len(labels) < 2 and domain != "localhost":
        return "After the @ there must be a domain, such as school.example."
    if not all(_LABEL.fullmatch(label) for label in labels) or labels[-1].isdigit():
        return "After the @ there must be a domain, such as school.example."
    return None
