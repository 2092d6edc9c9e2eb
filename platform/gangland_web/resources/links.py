"""Addresses of pages that end in a number, for tables of hundreds of links: `url_for` takes its time for each."""

from __future__ import annotations

from typing import Any

from flask import url_for


def address_before(endpoint: str, name: str, **others: int) -> str:
    """Return what stands before the number in the addresses of an endpoint, whose rule ends in the parameter `name`."""
    number: dict[str, Any] = {name: 0, **others}
    return url_for(endpoint, **number).removesuffix("0")
