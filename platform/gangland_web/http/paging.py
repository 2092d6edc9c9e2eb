"""Where the next page of a list is: the same address beyond a key."""

from __future__ import annotations

from urllib.parse import urlencode

from flask import request


def next_page(**key: str | int | None) -> str | None:
    """Return the address of the page beyond a key, None if the key is None: there is no more."""
    ((name, value),) = key.items()
    if value is None:
        return None
    kept = {each: text for each, text in request.args.items() if each not in ("after", "before")}
    return f"{request.path}?{urlencode({**kept, name: value})}"
