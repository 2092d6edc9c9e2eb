"""Every request has an id, a line in the log and a place in the counts; its words are ours, never those of its address.

A route is told by its rule, so neither a query nor what stands in a path is written down: a token or a join code may.
The ids in a path are whole numbers, and those are told, so that one can look for a bot or a match.
"""

from __future__ import annotations

import logging
import re
import secrets
import time
from typing import Final

from flask import Flask, Response, current_app, g, request

from gangland_web.http.address import FROM_PROXY
from gangland_web.metrics.catalogue import ANSWERS, METHODS, REQUEST_TIME, REQUESTS
from gangland_web.metrics.counts import Counts
from gangland_web.settings.logs import bind, unbind

log = logging.getLogger("gangland_web.requests")

HEADER: Final = "X-Request-Id"
NOWHERE: Final = "nowhere"
"""The route of a request that meets none of ours."""
_OF_MACHINES: Final = ("health", "metrics")
"""Blueprints whose errors are no errors: /readyz says 503 to tell something."""
_SANE: Final = re.compile(r"[A-Za-z0-9._-]{8,64}")


def init_access(app: Flask) -> None:
    """Note every request from its beginning to its answer.  Call it before anything else looks at requests."""
    app.before_request(_begin)
    app.after_request(_end)
    app.teardown_request(_forget)


def _begin() -> None:
    g.began = time.monotonic()
    g.request_id = _request_id()
    bind(request=g.request_id, **_numbers())


def _request_id() -> str:
    """Return the id that a trusted proxy gave, so that its log and ours can be read together; else a new one."""
    given = request.headers.get(HEADER, "")
    if request.environ.get(FROM_PROXY) and _SANE.fullmatch(given):
        return given
    return secrets.token_hex(8)


def _numbers() -> dict[str, int]:
    """Return what the path says by number: `bot=3` of /bots/3."""
    given = request.view_args or {}
    return {name.removesuffix("_id"): value for name, value in given.items() if type(value) is int}


def _end(response: Response) -> Response:
    took_s = time.monotonic() - g.began
    route = request.url_rule.rule if request.url_rule is not None else NOWHERE
    method = request.method if request.method in METHODS else "other"
    counts: Counts = current_app.extensions["gangland_counts"]
    status = response.status_code
    counts.add(REQUESTS, method=method, route=route, status=str(status))
    if request.blueprint not in _OF_MACHINES and not g.get("refused_on_purpose", False):
        counts.add(ANSWERS, kind=f"{status // 100}xx")
    counts.observe(REQUEST_TIME, took_s, route=route)
    facts = {"method": method, "route": route, "status": status, "ms": round(took_s * 1e3, 1)}
    log.debug("answered", extra={"about": facts | {"bytes": response.calculate_content_length()}})
    response.headers[HEADER] = g.request_id
    return response


def _forget(_error: BaseException | None) -> None:
    """Have the thread know nothing of the request any more: the next one is another's."""
    unbind("request", *_numbers())
