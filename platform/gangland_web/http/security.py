"""Headers that every answer carries, and the cap on what is read."""

from __future__ import annotations

from io import BytesIO
from typing import IO

from flask import Flask, Response, abort, request

from gangland_web.http.requests import is_api, is_for_all, is_framed

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
"""No inline script or style, nothing from third parties, in nobody's frame."""

_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}

_FRAMED_HEADERS = {
    **{name: value for name, value in _HEADERS.items() if name != "X-Frame-Options"},
    "Content-Security-Policy": CONTENT_SECURITY_POLICY.replace("frame-ancestors 'none'", "frame-ancestors *").replace(
        "form-action 'self'", "form-action 'none'"
    ),
    "Cross-Origin-Resource-Policy": "cross-origin",
}
"""Of the pages that may stand in anybody's frame: they have no form and know nobody."""

FORM_BYTES = 32 * 1024
"""The most that a form without an upload may weigh."""

UPLOAD_ENDPOINTS = frozenset(
    {"bots.upload", "api.upload", "api.new_version", "opened.opened", "editor.upload", "editor.save"}
)
"""Endpoints whose forms carry a file: with one as much as the application allows, else what a field may have."""


def init_security(app: Flask) -> None:
    """Give every answer the headers and refuse bodies over the cap before they are read."""

    @app.before_request
    def cap_body() -> None:
        """Refuse a body over the cap: by its announced length, or read no further where it announces none."""
        most = FORM_BYTES
        if request.endpoint in UPLOAD_ENDPOINTS:
            with_file = request.mimetype == "multipart/form-data"
            most = app.config["MAX_CONTENT_LENGTH" if with_file else "MAX_FORM_MEMORY_SIZE"]
        request.max_content_length = most
        if request.content_length is not None and request.content_length > most:
            abort(413)
        if "HTTP_TRANSFER_ENCODING" in request.environ:
            request.environ["wsgi.input"] = BytesIO(_read_whole(request.environ["wsgi.input"], most))

    @app.after_request
    def add_headers(response: Response) -> Response:
        """Set the headers where the view has not set its own."""
        for name, value in (_FRAMED_HEADERS if is_framed(request) else _HEADERS).items():
            response.headers.setdefault(name, value)
        if request.is_secure:
            response.headers.setdefault("Strict-Transport-Security", "max-age=31536000")
        if is_for_all(request):
            response.headers.setdefault("Cache-Control", "no-cache")
        elif request.endpoint != "static":
            response.headers.setdefault("Cache-Control", "private, no-cache")
            response.vary.add("Authorization" if is_api(request) else "Cookie")
        return response


def _read_whole(stream: IO[bytes], most: int) -> bytes:
    """Return a body that comes in pieces; cut off at the cap it would be taken for a shorter one."""
    try:
        read = stream.read(most + 1)
    except OSError:  # chunks that make no sense, or end in mid-air: found only as they are read
        abort(400)
    if len(read) > most:
        abort(413)
    return read
