"""Browsers that were signed in under a name before: a signed cookie, kept when the sign-in itself has ended.

It signs nobody in.  Its only use is that somebody who guesses at a name elsewhere does not shut its owner out.
"""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import Any, Final

from flask import Response, after_this_request, current_app, request
from itsdangerous import BadData, URLSafeTimedSerializer

LASTS_S: Final = 365 * 86_400
MOST: Final = 8
"""Names that one browser is known for; the oldest makes room."""


def known_as(name: str) -> str | None:
    """Return what this browser is counted as under a name's lower-cased form; None if it is not known there."""
    found = _read()
    if found is None or _mark(found[0], name) not in found[1]:
        return None
    return f"known {found[0]} {name}"


def make_known(name: str) -> None:
    """Have the answer tell this browser that it is known under a name."""
    found = _read()
    nonce, marks = found if found is not None else (secrets.token_urlsafe(16), [])
    mark = _mark(nonce, name)
    value = _serializer().dumps([nonce, [mark, *(other for other in marks if other != mark)][:MOST]])

    @after_this_request
    def keep(response: Response) -> Response:
        """Set the cookie."""
        response.set_cookie(
            _cookie(),
            str(value),
            max_age=LASTS_S,
            httponly=True,
            samesite="Lax",
            secure=current_app.session_interface.get_cookie_secure(current_app),
        )
        return response


def _read() -> tuple[str, list[str]] | None:
    try:
        loaded: Any = _serializer().loads(request.cookies.get(_cookie(), ""), max_age=LASTS_S)
    except BadData:
        return None
    nonce, marks = loaded
    return str(nonce), [str(mark) for mark in marks]


def _mark(nonce: str, name: str) -> str:
    """Return what stands for a name in this browser's cookie: whoever finds it there reads no names."""
    return sha256(f"{nonce} {name}".encode()).hexdigest()[:16]


def _cookie() -> str:
    return f"{current_app.config['SESSION_COOKIE_NAME']}-known"


def _serializer() -> URLSafeTimedSerializer:
    key = current_app.secret_key
    if key is None:
        raise RuntimeError("the application has no secret key")
    return URLSafeTimedSerializer(key, salt="gangland known browser")
