"""What a running site says of its match workers, asked over HTTP."""

from __future__ import annotations

import http.client
import urllib.request
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

ANSWERS_S = 2.0
MOST_BYTES = 64 * 1024
_NO_PROXY = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""The site that is asked is usually on this very machine."""


class NoSite(RuntimeError):
    """No site of ours answers at the address; the message says what came instead."""


_Count = Annotated[int, Meta(ge=0, le=1_000_000)]


class Stopped(Struct, frozen=True):
    """Workers that play nothing, as a probe of their jail failed."""

    probe: Annotated[str, Meta(max_length=100)]
    mend: Annotated[str, Meta(max_length=2000)]
    workers: _Count


class SiteStatus(Struct, frozen=True):
    """How many matches can be played at a time, and who has stopped; `address` is where we asked."""

    places: _Count | None
    stopped: Annotated[list[Stopped], Meta(max_length=100)]
    address: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        told: dict[str, Any] = msgspec.to_builtins(self)
        return told


def ask_site(address: str) -> SiteStatus:
    """Return what the site at an address says.

    Raises:
        NoSite: none of ours answers there.
    """
    url = address.rstrip("/") + "/status.json"
    if not url.startswith(("http://", "https://")):
        raise NoSite("an address begins with http:// or https://")
    try:
        with _NO_PROXY.open(url, timeout=ANSWERS_S) as answer:  # what it may be is checked above
            told = answer.read(MOST_BYTES)
        return msgspec.structs.replace(msgspec.json.decode(told, type=SiteStatus), address=address)
    except (OSError, ValueError, http.client.HTTPException, msgspec.MsgspecError) as failure:
        raise NoSite(str(getattr(failure, "reason", failure))) from failure
