"""`/metrics`, for whoever has the token that the house was given for it."""

from __future__ import annotations

from hmac import compare_digest

from flask import Blueprint, Response, abort, current_app, request
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from gangland_web.metrics import Publisher
from gangland_web.ops.prometheus.exposition import SiteCollector, exposition
from gangland_web.web.middleware import ready_now
from gangland_web.web.requests import settings
from gangland_web.web.sessions import database

pages = Blueprint("metrics", __name__)


@pages.get("/metrics")
def metrics() -> Response:
    """Tell the figures; without METRICS_TOKEN there is no such page, and with another token it stays shut."""
    site = settings()
    if site.metrics_token is None:
        abort(404)
    if not compare_digest(request.headers.get("Authorization", "").encode(), f"Bearer {site.metrics_token}".encode()):
        return Response(
            "METRICS_TOKEN is expected as a bearer token\n", 401, {"WWW-Authenticate": "Bearer"}, "text/plain"
        )
    publisher: Publisher | None = current_app.extensions["gangland_publisher"]
    if publisher is not None:
        publisher.flush()
    house = SiteCollector(database(), site.redis_url, ready_now())
    return Response(exposition(house), content_type=CONTENT_TYPE_PLAIN_0_0_4)
