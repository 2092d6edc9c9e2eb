"""Text goes over the wire as gzip, where that tells nobody a secret.

Whoever can make a browser ask for a page and can count its bytes finds out what is in it, if the page holds a secret
beside words of theirs and is compressed (BREACH).  So compressed is only what is the same for everybody: static files,
and answers to requests without a token, and without a cookie where cookies are read, that set no cookie.  A page with a
form sets one; to somebody with a cookie a page may be sent with it, so all pages but those are sent as they are.
"""

from __future__ import annotations

import gzip
from functools import lru_cache

from flask import Flask, Response, request, session
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

from gangland_web.http.requests import is_api, is_for_all

STATIC = frozenset({"static", "viewer.file", "documentation.image", "documentation.source"})
"""Endpoints of files that are the same for everybody; a blueprint's own `NAME.static` counts as well."""
KINDS = ("text/", "image/svg+xml", "application/json", "application/javascript", "application/atom+xml")
LEAST_BYTES = 512
MOST_BYTES = 4 * 1024**2
"""Smaller answers gain nothing; larger ones are downloads, and would be held in memory."""
_KEPT = 64


def init_compression(app: Flask) -> None:
    """Let the application compress what may be compressed; call it before the headers' turn is registered."""

    @app.after_request
    def compress(response: Response) -> Response:
        """Compress an answer whose reader takes gzip."""
        if not _may(response):
            return response
        response.vary.add("Accept-Encoding")
        if response.status_code == 304:
            _weaken(response)
            return response
        if not takes_gzip(request.headers.get("Accept-Encoding", "")):
            return response
        length = response.calculate_content_length() if response.is_sequence else response.content_length
        if length is None or not LEAST_BYTES <= length <= MOST_BYTES:
            return response
        response.direct_passthrough = False
        body = response.get_data()
        packed = _packed(body) if _is_file(response) else gzip.compress(body, 5, mtime=0)
        response.set_data(packed)
        response.headers["Content-Encoding"] = "gzip"
        response.headers.pop("Accept-Ranges", None)  # a range is of the uncompressed bytes
        _weaken(response)
        return response


@lru_cache(maxsize=_KEPT)
def takes_gzip(accepted: str) -> bool:
    """Tell whether a reader takes gzip, by its header Accept-Encoding."""
    return parse_accept_header(accepted, Accept)["gzip"] > 0


def _weaken(response: Response) -> None:
    """Say that the bytes are others than the uncompressed ones, though what they say is the same."""
    etag, _ = response.get_etag()
    if etag is not None:
        response.set_etag(etag, weak=True)


@lru_cache(maxsize=_KEPT)
def _packed(body: bytes) -> bytes:
    """Return a static file as gzip, packed as small as can be: once a process."""
    return gzip.compress(body, 9, mtime=0)


def _may(response: Response) -> bool:
    """True where a length gives nothing away."""
    if response.status_code not in (200, 304, 404) or "Content-Encoding" in response.headers:
        return False
    if "Content-Range" in response.headers or not (response.mimetype or "").startswith(KINDS):
        return False
    if _is_file(response):
        return True
    reads_cookies = not is_api(request) and not is_for_all(request)
    known = (request.cookies and reads_cookies) or "Authorization" in request.headers
    return not (known or session.modified or "Set-Cookie" in response.headers)


def _is_file(response: Response) -> bool:
    """True for a file that is the same for everybody; the page that says that there is none is its reader's own."""
    endpoint = request.endpoint or ""
    if response.status_code == 404:
        return False
    return endpoint in STATIC or endpoint.endswith(".static")
