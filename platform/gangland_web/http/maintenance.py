"""The site under maintenance: what is read is answered, what is written is not, and every page says so."""

from __future__ import annotations

import time

from flask import Flask, Response, current_app, g, request
from sqlalchemy.exc import SQLAlchemyError

from gangland_web.http.errors import problem
from gangland_web.http.sessions import database
from gangland_web.models.site import maintenance

RETRY_S = 60
LOOKS_EVERY_S = 1.0
"""So long a process goes by what it saw last, when it shows a page."""
_READS = frozenset({"GET", "HEAD", "OPTIONS"})
_WRITES_BY_GET = frozenset({"oidc.back"})
"""Addresses that somebody else leads a browser to, and that write."""
_READS_BY_POST = frozenset({"opened.opened"})
"""Addresses that are sent a file, and keep nothing of it."""


class Looked:
    """What this process saw last."""

    def __init__(self) -> None:
        self.at = float("-inf")
        self.reason: str | None = None


def init_closed(app: Flask) -> None:
    """Refuse what writes while the house is under maintenance; call it after what bounds a request."""
    app.extensions["gangland_looked"] = Looked()

    @app.before_request
    def refuse_writes() -> Response | None:
        """Answer 503 to what writes, with the reason."""
        reads = request.method in _READS and request.endpoint not in _WRITES_BY_GET
        if reads or request.endpoint in _READS_BY_POST:
            return None
        if request.endpoint is not None:
            request.get_data(parse_form_data=True)  # that may take a minute, in which the house may be closed
        with database().read() as db:
            reason = maintenance(db)
        if reason is None:
            return None
        g.refused_on_purpose = True  # no error that anybody is to be called for
        text = f"The site is under maintenance: {reason} Nothing was changed. You can still read pages."
        answer = problem(503, text if reason.endswith((".", "!", "?")) else text.replace(reason, f"{reason}.", 1))
        answer.headers["Retry-After"] = str(RETRY_S)
        return answer


def closed_for() -> str | None:
    """Return why the house is under maintenance, as this process saw it a moment ago; None if it is not.

    It is one answer throughout a request, so that a page is what its mark says.
    """
    if "closed_for" not in g:
        g.closed_for = _known_reason()
    reason: str | None = g.closed_for
    return reason


def _known_reason() -> str | None:
    looked: Looked = current_app.extensions["gangland_looked"]
    if time.monotonic() - looked.at >= LOOKS_EVERY_S and not g.get("asks_nothing", False):
        try:
            with database().read() as db:
                looked.reason = maintenance(db)
        except SQLAlchemyError:
            return looked.reason  # the page says by other means that the database does not answer
        looked.at = time.monotonic()
    return looked.reason
