"""What a running site says of its match workers, asked over HTTP."""

from __future__ import annotations

import http.client
import urllib.request

import msgspec

from gangland_ladder.documents.installations import SiteStatus

ANSWERS_S = 2.0
MOST_BYTES = 64 * 1024
_NO_PROXY = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""The site that is asked is usually on this very machine."""


class NoSite(RuntimeError):
    """No site of ours answers at the address; the message says what came instead."""


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
            text = answer.read(MOST_BYTES)
        return msgspec.structs.replace(msgspec.json.decode(text, type=SiteStatus), address=address)
    except (OSError, ValueError, http.client.HTTPException, msgspec.MsgspecError) as failure:
        raise NoSite(str(getattr(failure, "reason", failure))) from failure
